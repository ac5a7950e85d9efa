//! The wrong rules of lemma `lost-moves`.

use super::Mutant;

pub(super) const MUTANTS: &[Mutant] = &[
    Mutant {
        name: "lost-draws-stay-lost-after-draws",
        file: "crates/lemmas/src/prune/lost_moves.rs",
        from: "            next.forget(from.talon());",
        to: "",
    },
    Mutant {
        name: "lost-moves-need-no-card-below",
        file: "crates/lemmas/src/prune/lost_moves.rs",
        from: "if let Move::WorryBack(_) = made {",
        to: "if false {",
    },
    Mutant {
        name: "lost-kings-need-no-column",
        file: "crates/lemmas/src/prune/lost_moves.rs",
        from: "_ if game.is_king(made.card()) =>",
        to: "_ if made.is_draw() && game.is_king(made.card()) =>",
    },
    Mutant {
        name: "what-waits-is-lost",
        file: "crates/lemmas/src/prune/lost_moves.rs",
        from: "next.forget(next.waiting | card);",
        to: "next.forget(card);",
    },
    Mutant {
        name: "what-waits-before-shuttles-is-lost",
        file: "crates/lemmas/src/prune/lost_moves.rs",
        from: "            next.back = card;",
        to: "            (next.waiting, next.back) = (CardSet::EMPTY, card);",
    },
    Mutant {
        name: "lost-moves-beside-stored-states",
        file: "crates/engine/src/search/depth_first.rs",
        from: "            search.visited.clear();",
        to: "",
    },
    Mutant {
        name: "lost-moves-where-any-card-enters",
        file: "crates/lemmas/src/prune/lost_moves.rs",
        from: "lemmas.has(Lemma::LostMoves) && !game.any_card_enters()",
        to: "lemmas.has(Lemma::LostMoves)",
    },
];
