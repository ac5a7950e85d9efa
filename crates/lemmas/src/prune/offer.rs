//! The moves that a state is offered where redeals are unlimited: all legal ones, less those that
//! the lemmas about moves leave out.

use super::{Lemmas, last_talon_card, safe_foundation, safe_stays};
use crate::kplus::moves::{self, MoveSets};
use crate::kplus::{Game, Move, State, talon};

/// The move to offer alone, if there is one.
#[must_use]
#[inline]
pub fn forced(game: &Game, lemmas: Lemmas, state: &State, sets: &MoveSets) -> Option<Move> {
    safe_foundation::forced(game, lemmas, state, sets, |_| game.draw_count() == 1)
        .or_else(|| last_talon_card::forced(game, lemmas, state, sets))
}

/// Appends the moves in their natural order.
#[inline]
pub fn push(game: &Game, lemmas: Lemmas, state: &State, into: &mut Vec<Move>) {
    push_with(game, lemmas, state, talon::playable(game, state), into);
}

/// As [`push`], if these talon cards can be played.
#[inline]
pub fn push_with(game: &Game, lemmas: Lemmas, state: &State, playable: u64, into: &mut Vec<Move>) {
    let mut sets = moves::legal_with(game, state, playable);
    if let Some(made) = forced(game, lemmas, state, &sets) {
        into.push(made);
        return;
    }
    last_talon_card::restrict(game, lemmas, state, &mut sets);
    safe_stays::restrict(game, lemmas, state, &mut sets);
    sets.push_to(into);
}
