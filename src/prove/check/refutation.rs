//! Lemma C and lemma K: first positions that are lost by all that is known of their play.
//!
//! Written from section 6 of `docs/certificate.md`. Whatever is learned here holds for every
//! line that wins from the position, so all of it may be used at once; if the relaxation then does
//! not let everything go up, no line wins.

use super::position::{Game, Position};
use super::relaxation::{Known, Relaxation, Stuck};
use crate::card::{Card, CardSet};

/// How often covers are looked for.
const COVER_ROUNDS: usize = 3;

/// Whether the position is lost by the relaxation with the order of twins, covers and the number
/// of empty columns for kings.
pub(super) fn is_refuted(game: &Game, position: &Position) -> bool {
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
    game: &'a Game,
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

    /// Looks for cards that must leave before one of their parents goes up (lemma C); tells
    /// whether there is a new one.
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
    /// goes up (lemma K).
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
