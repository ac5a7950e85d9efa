//! Lemma `shuttle-order`: cards go up, and come back, in one order of all that lead to the same
//! state (draw 2 and more).
//!
//! Proof: `docs/proofs/shuttle-order.md`. A free card that goes up and one that comes back can be
//! moved back at once: *shuttles*. While free cards can go up, the least of them does, or a move is
//! made that needs it in the tableau, or its twin goes up, or a lesser card comes back. All others
//! wait until it is up.

use super::{Lemma, Lemmas, safe_foundation};
use crate::kplus::moves::MoveSets;
use crate::kplus::{Game, State};
use klondike_game::card::CardSet;

/// Whether the switch is on and the rules are those of the proof.
#[must_use]
#[inline]
pub fn is_on(game: &Game, lemmas: Lemmas) -> bool {
    lemmas.has(Lemma::ShuttleOrder)
        && safe_foundation::is_on(lemmas)
        && game.draw_count() > 1
        && game.worrying_back()
        && game.entering() == game.kings()
}

/// Leaves out the moves that wait. None of the moves is that of a safe card alone.
#[inline]
pub(super) fn restrict(game: &Game, lemmas: Lemmas, state: &State, sets: &mut MoveSets) {
    let Some(least) = (sets.stack - state.anchored()).first() else {
        return;
    };
    if !is_on(game, lemmas) {
        return;
    }
    let class = least.set().with_twins();
    let lesser = CardSet::from_bits(least.set().bits() - 1);
    sets.stack = sets.stack & class;
    sets.reveal = sets.reveal & class.children();
    sets.draw_to_tableau = sets.draw_to_tableau & class.children();
    sets.draw_to_foundation = CardSet::EMPTY;
    sets.worry_back = sets.worry_back & lesser;
}
