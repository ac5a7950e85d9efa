//! Lemma `cover-landmarks` and lemma `king-capacity`: first positions that no line can win.
//!
//! Written from section 6 of `docs/certificate.md`. Each fact found here holds for every line that
//! wins from the position, so all facts may be used together. If the relaxation with them does not
//! let every card go up, no line wins.

use super::position::{KplusGame, KplusPosition};
use super::relaxation::{Known, Relaxation, Stuck};
use klondike_game::card::{Card, CardSet};

/// How often covers are looked for.
const COVER_ROUNDS: usize = 3;

/// Whether the position is lost by the relaxation with the order of twins, covers and the number
/// of empty columns for kings.
pub(super) fn is_refuted(game: &KplusGame, position: &KplusPosition) -> bool {
    let view = game.view(position);
    let relaxation = Relaxation::new(game, position, &view, false);
    let mut refutation = Refutation {
        game,
        relaxation,
        second: CardSet::EMPTY,
        covers: Vec::new(),
    };
    if !refutation.order_twins() {
        return true;
    }
    for _ in 0..COVER_ROUNDS {
        if !refutation.find_covers() {
            break;
        }
        if !refutation.order_twins() {
            return true;
        }
    }
    refutation.stuck(CardSet::EMPTY).is_some() || !refutation.kings_fit(CardSet::EMPTY)
}

struct Refutation<'a> {
    game: &'a KplusGame,
    relaxation: Relaxation<'a>,
    /// Cards that every winning line puts on a parent only after their twins.
    second: CardSet,
    /// Pairs of a card and one that every winning line puts on it, or on its twin, before the
    /// first time that the former goes up.
    covers: Vec<(Card, Card)>,
}

impl Refutation<'_> {
    fn known(&self) -> Known<'_> {
        Known {
            second: self.second,
            covers: &self.covers,
            ..Known::default()
        }
    }

    /// Where the relaxation is stuck if the cards of `second` are second as well.
    fn stuck(&self, second: CardSet) -> Option<Stuck> {
        self.relaxation.stuck(&Known {
            second: self.second | second,
            ..self.known()
        })
    }

    /// Tries both orders of every pair of twins, until nothing is learned any more; `false` if
    /// neither order of a pair can win.
    fn order_twins(&mut self) -> bool {
        loop {
            let before = self.second;
            for card in self.relaxation.undecided_pairs() {
                let twin = card.twin();
                if twin < card || self.second.contains(card) || self.second.contains(twin) {
                    continue;
                }
                let card_refuted = self.stuck(card.set()).is_some();
                let twin_refuted = self.stuck(twin.set()).is_some();
                match (card_refuted, twin_refuted) {
                    (true, true) => return false,
                    (true, false) => self.second.insert(twin),
                    (false, true) => self.second.insert(card),
                    (false, false) => continue,
                };
            }
            if self.second == before {
                return true;
            }
        }
    }

    /// Looks for cards that must leave before one of their parents goes up (lemma
    /// `cover-landmarks`); returns whether there is a new one.
    fn find_covers(&mut self) -> bool {
        let before = self.covers.len();
        for cover in self.relaxation.unmoved() {
            let without = Known {
                never: cover.set(),
                ..self.known()
            };
            let Some(stuck) = self.relaxation.stuck(&without) else {
                continue;
            };
            for parent in (cover.set().parents() & self.game.cards) - stuck.up {
                if !self.covers.contains(&(parent, cover)) {
                    self.covers.push((parent, cover));
                }
            }
        }
        self.covers.len() > before
    }

    /// Whether kings can go on entering empty columns after those of `entered`, until everything
    /// goes up (lemma `king-capacity`).
    fn kings_fit(&self, entered: CardSet) -> bool {
        let needed = self.relaxation.needed_kings();
        let known = Known {
            kings_out: needed - entered,
            ..self.known()
        };
        let Some(stuck) = self.relaxation.stuck(&known) else {
            return true;
        };
        if stuck.empty_columns >= needed.len() {
            return true;
        }
        if stuck.empty_columns <= entered.len() {
            return false;
        }
        let mut next = (needed - entered) & stuck.movable;
        next.any(|king| self.kings_fit(entered | king.set()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::position::View;
    use crate::relaxation::{self, Hints};
    use klondike_engine::search::{Outcome, brute};
    use klondike_game::deal::Deal;
    use klondike_game::rules::{Deck, Layout, Rules, Spaces};
    use klondike_game::table::Table;
    use klondike_lemmas::kplus;
    use klondike_lemmas::prune::{Lemmas, blocking};
    use rand::rngs::StdRng;
    use rand::seq::{IndexedRandom, SliceRandom};
    use rand::{RngExt, SeedableRng};
    use std::sync::Arc;

    fn shuffled(rng: &mut StdRng, deck: Deck, layout: Layout, draw_count: u8) -> Table {
        let mut cards: Vec<Card> = deck.cards().collect();
        cards.shuffle(rng);
        let deal = Deal::from_row_order(deck, &layout, &cards).unwrap();
        let rules = Rules::builder()
            .deck(deck)
            .layout(layout)
            .draw_count(draw_count)
            .worrying_back(rng.random_ratio(3, 4))
            .spaces([Spaces::Kings, Spaces::Nothing][usize::from(rng.random_ratio(1, 4))])
            .build()
            .unwrap();
        Table::new(Arc::new(rules), &deal).unwrap()
    }

    /// Section 5 of the document without short cuts.
    fn plainly_dead(
        game: &KplusGame,
        position: &KplusPosition,
        view: &View,
        whole_talon: bool,
    ) -> bool {
        let relaxation = Relaxation::new(game, position, view, whole_talon);
        let stuck = |second| {
            let known = Known {
                second,
                ..Known::default()
            };
            relaxation.stuck(&known).is_some()
        };
        if stuck(CardSet::EMPTY) {
            return true;
        }
        let mut second = CardSet::EMPTY;
        for card in relaxation.undecided_pairs() {
            let (one, other) = (second | card.set(), second | card.twin().set());
            if card > card.twin() {
                continue;
            }
            match (stuck(one), stuck(other)) {
                (true, true) => return true,
                (true, false) => second = other,
                (false, true) => second = one,
                (false, false) => {}
            }
        }
        false
    }

    /// What was seen: positions, dead ones, and ones that are refuted and not dead.
    #[derive(Debug, Default, PartialEq)]
    struct Seen {
        all: u32,
        dead: u32,
        refuted: u32,
    }

    /// Compares what the checker finds with what the solver does, from `table` and from positions
    /// on random play from it.
    fn compare(rng: &mut StdRng, mut table: Table, moves: u32, seen: &mut Seen) {
        let mut hints = Hints::default();
        for _ in 0..=moves {
            let (game, position) = KplusGame::new(&table).unwrap();
            let theirs = kplus::Game::deciding(&table).unwrap();
            let refuted = is_refuted(&game, &position);
            assert_eq!(
                refuted,
                blocking::is_refuted(&theirs, &theirs.start(), Lemmas::ALL),
                "{table:?}"
            );
            let view = game.view(&position);
            for whole_talon in [false, true] {
                let dead = relaxation::is_dead(&game, &position, &view, whole_talon, &mut hints);
                assert_eq!(dead, plainly_dead(&game, &position, &view, whole_talon));
                assert!(refuted || !dead);
                if !whole_talon {
                    let found = blocking::is_dead(&theirs, &theirs.start(), Lemmas::ALL, true);
                    assert!(dead || !found);
                    seen.all += 1;
                    seen.dead += u32::from(dead);
                    seen.refuted += u32::from(refuted && !dead);
                }
            }
            let Some(&made) = table.legal_moves().choose(rng) else {
                return;
            };
            table.make(made).unwrap();
        }
    }

    #[test]
    fn full_deals_are_refuted_as_the_solver_does() {
        let mut rng = StdRng::seed_from_u64(6);
        let mut seen = Seen::default();
        for round in 0..1500 {
            let layout = Layout::triangle(7).unwrap();
            let draw_count = 1 + (round % 6) as u8;
            let table = shuffled(&mut rng, Deck::FULL, layout, draw_count);
            compare(&mut rng, table, 3, &mut seen);
        }
        assert!(seen.dead > 200 && seen.refuted > 40, "{seen:?}");
    }

    /// The second of these facts does not rest on the solver at all.
    #[test]
    fn small_games_are_refuted_as_the_solver_does_and_never_won() {
        let mut rng = StdRng::seed_from_u64(7);
        let (mut seen, mut lost) = (Seen::default(), 0);
        for _ in 0..30_000 {
            let deck = Deck::new(rng.random_range(2..=4), rng.random_range(3..=6)).unwrap();
            let piles = rng.random_range(2..=5);
            let layout =
                Layout::new((0..piles).map(|_| rng.random_range(0..=5)).collect()).unwrap();
            if layout.card_count() > deck.len() || deck.len() - layout.card_count() > 12 {
                continue;
            }
            let draw_count = rng.random_range(1..=5);
            let table = shuffled(&mut rng, deck, layout, draw_count);
            let (game, position) = KplusGame::new(&table).unwrap();
            let view = game.view(&position);
            if deck.len() <= 14
                && !plainly_dead(&game, &position, &view, false)
                && is_refuted(&game, &position)
            {
                assert!(
                    matches!(brute::solve(&table), Outcome::Exhausted(_)),
                    "{table:?}"
                );
                lost += 1;
            }
            compare(&mut rng, table, 2, &mut seen);
        }
        assert!(lost > 20 && seen.refuted > 300, "{lost} {seen:?}");
    }
}
