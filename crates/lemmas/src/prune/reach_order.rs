//! Lemma `reach-order`: what a dead state reaches is dead, and what reaches a live one is alive
//! (draw 1). Whether one state reaches another is seen from their cards.
//!
//! Proof: `docs/proofs/reach-order.md`.

use super::{Lemma, Lemmas};
use crate::kplus::{Game, State};
use klondike_game::card::CardSet;

/// Whether the switch is on, and empty columns take kings, which the lemma needs.
#[must_use]
pub fn is_on(game: &Game, lemmas: Lemmas) -> bool {
    lemmas.has(Lemma::ReachOrder) && game.entering() == game.kings()
}

/// What the lemma looks at in a state, beside the cards in dealt place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cards {
    visible: CardSet,
    talon: CardSet,
}

impl Cards {
    /// The cards of `state`.
    #[must_use]
    #[inline]
    pub fn of(state: &State) -> Cards {
        Cards {
            visible: state.visible(),
            talon: state.talon(),
        }
    }

    /// Whether a state with these cards surely reaches one with those of `other` and the same cards
    /// in dealt place. `false` says nothing.
    #[must_use]
    #[inline]
    pub fn reaches(self, other: Cards, game: &Game) -> bool {
        let leave = self.visible - other.visible;
        let arrive = other.visible - self.visible;
        (other.talon - self.talon).is_empty()
            && (leave.twins() & arrive).is_empty()
            && (game.worrying_back() || (arrive - self.talon).is_empty())
            && (arrive & (game.kings() - game.entering())).is_empty()
    }

    /// As [`Cards::reaches`], by draws alone: exactly then.
    #[must_use]
    pub fn draws_to(self, other: Cards, game: &Game) -> bool {
        (self.visible - other.visible).is_empty()
            && (other.visible - self.visible - self.talon).is_empty()
            && self.reaches(other, game)
    }
}
