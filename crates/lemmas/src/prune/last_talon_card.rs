//! Lemma `last-talon-card`: the last talon card goes to the foundation at once if it is safe (draw
//! 2 and more, unlimited redeals). While the waste is impure, which is to say its class is not 0,
//! only the draws that need a redeal are left out.
//!
//! Proof: `docs/proofs/last-talon-card.md`.

use super::safe_foundation::safe;
use super::{Lemma, Lemmas};
use crate::kplus::moves::MoveSets;
use crate::kplus::{Game, Move, State, talon};
use klondike_game::card::{Card, CardSet};

/// The last talon card, if it can go up and is safe there.
#[inline]
fn safe_last_card(game: &Game, lemmas: Lemmas, state: &State, sets: &MoveSets) -> Option<Card> {
    if sets.draw_to_foundation.is_empty()
        || game.draw_count() == 1
        || !lemmas.has(Lemma::LastTalonCard)
    {
        return None;
    }
    let last = talon::last_card(game, state)?;
    let up = sets.draw_to_foundation.contains(last) && safe(game, state).contains(last);
    up.then_some(last)
}

/// The move to offer alone.
#[must_use]
#[inline]
pub(super) fn forced(game: &Game, lemmas: Lemmas, state: &State, sets: &MoveSets) -> Option<Move> {
    safe_last_card(game, lemmas, state, sets)
        .filter(|_| talon::waste_class(game, state) == 0)
        .map(Move::DrawToFoundation)
}

/// Leaves out the draws that are not needed.
#[inline]
pub(super) fn restrict(game: &Game, lemmas: Lemmas, state: &State, sets: &mut MoveSets) {
    if safe_last_card(game, lemmas, state, sets).is_some() && talon::waste_class(game, state) != 0 {
        let pass = CardSet::from_bits(talon::playable_in_pass(game, state));
        sets.draw_to_tableau = sets.draw_to_tableau & pass;
        sets.draw_to_foundation = sets.draw_to_foundation & pass;
    }
}
