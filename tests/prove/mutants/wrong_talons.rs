//! Wrong rules for the talon: the last pass by ones, and draws that reverse their groups.

use super::Mutant;

pub(super) const MUTANTS: &[Mutant] = &[
    Mutant {
        name: "before-the-last-pass-safe-talon-cards-go-up-alone",
        file: "crates/lemmas/src/prune/offer.rs",
        from: "&sets, |_| false) {
        into",
        to: "&sets, |_| true) {
        into",
    },
    Mutant {
        name: "the-last-pass-is-one-redeal-of-draw-one",
        file: "crates/engine/src/search/passes.rs",
        from: "self.before_last_pass(at.context).is_none()\n                    && !Relaxation",
        to: "!Relaxation",
    },
    Mutant {
        name: "before-the-last-pass-there-is-no-redeal",
        file: "crates/engine/src/search/passes.rs",
        from: "u8::from(reached.is_none())",
        to: "u8::from(reached.is_none_or(|drawn| drawn.redeals > 0))",
    },
    Mutant {
        name: "any-number-of-last-passes",
        file: "crates/engine/src/search/passes.rs",
        from: "u8::from(reached.is_none())",
        to: "u8::from(reached.is_none() && false)",
    },
    Mutant {
        name: "in-the-last-pass-there-is-a-redeal",
        file: "crates/engine/src/search/passes.rs",
        from: "(u8::from(!table.in_last_pass()), Some(draw_count))",
        to: "(1, Some(draw_count))",
    },
    Mutant {
        name: "no-last-pass-under-relaxed-rules",
        file: "crates/game/src/table/relaxed.rs",
        from: "Redeals::LastPassByOnes => 1,",
        to: "Redeals::LastPassByOnes => draw_count,",
    },
    Mutant {
        name: "who-never-takes-the-last-pass-loses-as-much",
        file: "crates/engine/src/prove.rs",
        from: "Verdict::Unwinnable(_) | Verdict::Undecided(_) => None,",
        to: "Verdict::Unwinnable(_) => Some(decision.verdict),
            Verdict::Undecided(_) => None,",
    },
    Mutant {
        name: "the-last-pass-ends-with-its-first-card",
        file: "crates/engine/src/search/table/talon.rs",
        from: "Way::LastPass => 0,\n            _ if",
        to: "Way::LastPass => talon.left,\n            _ if",
    },
    Mutant {
        name: "the-last-pass-draws-as-before",
        file: "crates/engine/src/search/table/talon.rs",
        from: "self.last_pass && talon.redeals_bind() {\n            true",
        to: "self.last_pass && talon.redeals_bind() && self.rules_draw == 1 {\n            true",
    },
    Mutant {
        name: "reversed-groups-are-the-same-in-any-order",
        file: "crates/engine/src/search/table/state.rs",
        from: "true => state.talon.row().len().div_ceil(CARDS_IN_A_WORD),",
        to: "true => 0,",
    },
    Mutant {
        name: "reversed-groups-turn-back-wherever-the-pass-stands",
        file: "crates/engine/src/search/table/talon.rs",
        from: "if !self.is_pure(talon) || talon.redeals_bind() {",
        to: "if talon.redeals_bind() {",
    },
    Mutant {
        name: "reversed-groups-turn-back-with-any-number-of-redeals",
        file: "crates/engine/src/search/table/talon.rs",
        from: "if !self.is_pure(talon) || talon.redeals_bind() {",
        to: "if !self.is_pure(talon) {",
    },
    Mutant {
        name: "reversed-groups-are-reached-with-one-redeal",
        file: "crates/engine/src/search/table/talon.rs",
        from: "later(1, Way::Redeal).chain(later(2, Way::TwoRedeals))",
        to: "later(1, Way::Redeal)",
    },
    Mutant {
        name: "reversed-groups-do-not-bind-earlier",
        file: "crates/engine/src/search/table/talon.rs",
        from: "_ if talon.redeals_bind() => talon.left - redeals,",
        to: "_ if talon.redeals_bind() => talon.left - redeals.min(1),",
    },
    Mutant {
        name: "reversed-groups-are-no-draw-one-under-relaxed-rules",
        file: "crates/game/src/table/relaxed.rs",
        from: "_ if reversed_groups => 1,",
        to: "_ if reversed_groups && draw_count > 3 => 1,",
    },
];
