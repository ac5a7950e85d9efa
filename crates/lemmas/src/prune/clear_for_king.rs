//! Lemma `clear-for-king`: the last card of a column in dealt place moves to another pile only
//! where no column is empty and a king waits for one, or where a foundation is complete (draw 2 and
//! more).
//!
//! Proof: `docs/proofs/clear-for-king.md`. Such a move turns no card up: all it gives is an empty
//! column, and only kings need those.

use crate::kplus::moves::{self, MoveSets};
use crate::kplus::{Game, State};
use klondike_game::card::CardSet;

/// Leaves out the moves of `lowest`, the lowest cards of the piles, that can wait.
#[inline]
pub(super) fn restrict(
    game: &Game,
    lowest: CardSet,
    state: &State,
    playable: u64,
    sets: &mut MoveSets,
) {
    if (sets.reveal & lowest).is_empty() {
        return;
    }
    let kings = game.kings();
    let waiting = (state.anchored() | CardSet::from_bits(playable)) & kings;
    let may_clear = moves::empty_columns(game, state) == 0 && !waiting.is_empty();
    if !may_clear && (state.on_foundations() & kings).is_empty() {
        sets.reveal = sets.reveal - lowest;
    }
}
