//! Lemma `clear-for-king`: the last card of a column in dealt place moves to another pile only
//! where no column is empty and a king waits for one, or where a foundation is complete (draw 2 and
//! more).
//!
//! Proof: `docs/proofs/clear-for-king.md`. Such a move turns no card up: all it gives is an empty
//! column, and only kings need those.

use super::{Lemma, Lemmas, shuttle_order};
use crate::kplus::moves::{self, MoveSets};
use crate::kplus::{Game, State};
use klondike_game::card::CardSet;

/// The lowest cards of the piles in the states that follow `root`; none if the lemma is not used.
/// The proof counts moves as that of `shuttle-order` does, so that lemma must be on, too.
pub(super) fn lowest(game: &Game, lemmas: Lemmas, root: &State) -> CardSet {
    if !(lemmas.has(Lemma::ClearForKing) && shuttle_order::is_on(game, lemmas)) {
        return CardSet::EMPTY;
    }
    let piles = game.dealt_piles().enumerate();
    let lowest = piles.filter_map(|(pile, cards)| cards[..root.in_place(pile)].first());
    lowest.copied().collect()
}

/// Leaves out the moves of the [`lowest`] cards that can wait.
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
