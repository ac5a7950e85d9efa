//! What a state is offered: a move alone, or all moves that the lemmas about moves do not leave
//! out. Searches ask here, and need not know which lemmas these are.
//!
//! Where redeals are unlimited and parts of runs move: [`forced`] and [`offered`], which asks what
//! [`Piles`] says of reveals. Draw 1 has [`push_in_draw_one`], in a [`Context`]; it replaces a
//! state by its closure, [`close_in_draw_one`], as other searches do by [`close_tableau`]. Limited
//! redeals: [`forced_with_redeals`] and [`push_with_redeals`], and [`push_before_last_pass`].
//! Whole runs: [`push_whole_runs`], and in draw 1 [`push_held_in_draw_one`] and
//! [`next_of_closure`].

use super::safe_reveal::Waiting;
use super::{
    Lemmas, clear_for_king, last_talon_card, postponed_draws, safe_foundation, safe_stays,
    shuttle_order,
};
use crate::kplus::holds::Holds;
use crate::kplus::moves::{self, MoveSets};
use crate::kplus::{Game, Move, State, talon};
use klondike_game::card::{Card, CardSet};

pub use super::postponed_draws::Context;

/// What the dealt piles say of moves that reveal cards; the default says nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Piles {
    waiting: Waiting,
    lowest: CardSet,
}

impl Piles {
    /// For the states that follow `root`, by the lemmas `safe-reveal` and `clear-for-king`.
    #[must_use]
    pub fn new(game: &Game, lemmas: Lemmas, root: &State) -> Piles {
        Piles {
            waiting: Waiting::new(game, lemmas, root),
            lowest: clear_for_king::lowest(game, lemmas, root),
        }
    }
}

/// The move to offer alone, if there is one.
#[must_use]
#[inline]
pub fn forced(game: &Game, lemmas: Lemmas, state: &State, sets: &MoveSets) -> Option<Move> {
    safe_foundation::forced(game, lemmas, state, sets, |_| game.draw_count() == 1)
        .or_else(|| last_talon_card::forced(game, lemmas, state, sets))
}

/// Makes the moves that are to be offered alone until there are none, and appends them to `path`.
pub fn rest(game: &Game, lemmas: Lemmas, state: &mut State, path: &mut Vec<Move>) {
    while let Some(made) = forced(game, lemmas, state, &moves::legal(game, state)) {
        game.make(state, made);
        path.push(made);
    }
}

/// Appends the moves of [`offered`] in their natural order, without what [`Piles`] may say.
#[inline]
pub fn push(game: &Game, lemmas: Lemmas, state: &State, into: &mut Vec<Move>) {
    let playable = talon::playable(game, state);
    offered(game, lemmas, &Piles::default(), state, playable).push_to(into);
}

/// The moves of a state, if these talon cards can be played; for games with unlimited redeals and
/// partial runs, as all proofs of these lemmas ask.
#[must_use]
#[inline(always)]
pub fn offered(
    game: &Game,
    lemmas: Lemmas,
    piles: &Piles,
    state: &State,
    playable: u64,
) -> MoveSets {
    let mut sets = moves::legal_with(game, state, playable);
    let revealing = || piles.waiting.safe(state, sets.reveal).map(Move::Reveal);
    if let Some(made) = forced(game, lemmas, state, &sets).or_else(revealing) {
        return MoveSets::only(made);
    }
    clear_for_king::restrict(game, piles.lowest, state, playable, &mut sets);
    last_talon_card::restrict(game, lemmas, state, &mut sets);
    safe_stays::restrict(game, lemmas, state, &mut sets);
    shuttle_order::restrict(game, lemmas, state, &mut sets);
    sets
}

/// Makes the safe moves of draw 1 until there are none, and appends them to `path`; returns whether
/// one of them revealed a card.
pub fn close_in_draw_one(
    game: &Game,
    lemmas: Lemmas,
    state: &mut State,
    path: &mut Vec<Move>,
) -> bool {
    safe_foundation::close(game, lemmas, state, path, true)
}

/// As [`close_in_draw_one`], of the safe moves from the tableau only, for any draw count and number
/// of redeals.
pub fn close_tableau(game: &Game, lemmas: Lemmas, state: &mut State, path: &mut Vec<Move>) -> bool {
    safe_foundation::close(game, lemmas, state, path, false)
}

/// The moves of a state that the search has replaced by its closure under safe moves, whatever the
/// number of redeals.
#[must_use]
pub fn of_closed(game: &Game, lemmas: Lemmas, state: &State) -> MoveSets {
    let mut sets = moves::legal(game, state);
    let lemmas = safe_stays::in_closed_states(lemmas);
    safe_stays::restrict(game, lemmas, state, &mut sets);
    sets
}

/// Appends the moves of draw 1 in a context.
#[inline]
pub fn push_in_draw_one(
    game: &Game,
    lemmas: Lemmas,
    state: &State,
    context: Context,
    into: &mut Vec<Move>,
) {
    let mut sets = postponed_draws::offered(game, lemmas, state, context, CardSet::EMPTY);
    if context == Context::Free {
        shuttle_order::restrict_in_draw_one(game, lemmas, state, &mut sets);
    }
    sets.push_to(into);
}

/// Appends the closed states that moves of draw 1 lead to from a closed one, each after the draws
/// that it needs.
pub fn push_next_in_draw_one(game: &Game, state: &State, next: &mut Vec<State>) {
    let begin = next.len();
    postponed_draws::push_after_chains(game, state, next);
    for state in &mut next[begin..] {
        close_in_draw_one(game, Lemmas::ALL, state, &mut Vec::new());
    }
}

/// The safe move to offer alone where redeals are limited: of a card of the tableau, or of one on
/// top of the waste, which takes no other draw away in draw 1 or as the last card of the talon
/// (`docs/proofs/limited-redeals.md`, section 21.3).
#[must_use]
pub fn forced_with_redeals(
    game: &Game,
    lemmas: Lemmas,
    state: &State,
    sets: &MoveSets,
) -> Option<Move> {
    let len = state.talon_len();
    let on_top = |card| {
        let place = talon::place_left(game, state, card);
        place + 1 == state.waste() && (game.draw_count() == 1 || place + 1 == len)
    };
    safe_foundation::forced(game, lemmas, state, sets, on_top)
}

/// As [`rest`], where redeals are limited.
pub fn rest_with_redeals(game: &Game, lemmas: Lemmas, state: &mut State, path: &mut Vec<Move>) {
    let next = |state: &State| forced_with_redeals(game, lemmas, state, &moves::legal(game, state));
    while let Some(made) = next(state) {
        game.make(state, made);
        path.push(made);
    }
}

/// Appends the moves where the redeals left are enough to play the talon cards `within` them.
pub fn push_with_redeals(
    game: &Game,
    lemmas: Lemmas,
    state: &State,
    within: impl Fn(Card) -> bool,
    into: &mut Vec<Move>,
) {
    let mut sets = moves::legal(game, state);
    if let Some(made) = forced_with_redeals(game, lemmas, state, &sets) {
        into.push(made);
        return;
    }
    safe_stays::restrict(game, lemmas, state, &mut sets);
    sets.keep_draws(within);
    sets.push_to(into);
}

/// Appends the moves before a last pass by ones, in the game of draw 1: every talon card can be
/// reached. A safe card of the tableau is offered alone, one of the talon never, as the draws that
/// lead to other cards without the last pass may need it (`docs/proofs/limited-redeals.md`, section
/// 21.7).
pub fn push_before_last_pass(game: &Game, lemmas: Lemmas, state: &State, into: &mut Vec<Move>) {
    let mut sets = moves::legal(game, state);
    if let Some(made) = safe_foundation::forced(game, lemmas, state, &sets, |_| false) {
        into.push(made);
        return;
    }
    safe_stays::restrict(game, lemmas, state, &mut sets);
    sets.push_to(into);
}

/// Appends the moves of draw 2 and more where only whole runs move: a card goes up if it may be
/// bare.
pub fn push_whole_runs(
    game: &Game,
    lemmas: Lemmas,
    state: &State,
    holds: Holds,
    into: &mut Vec<Move>,
) {
    let mut sets = moves::legal(game, state);
    if let Some(made) = forced(game, lemmas, state, &sets) {
        into.push(made);
        return;
    }
    sets.stack = holds.may_be_bare(state, sets.stack);
    safe_stays::restrict(game, lemmas, state, &mut sets);
    sets.push_to(into);
}

/// Appends the moves of draw 1 in a context where only whole runs move and the cards of `kept` are
/// held (section 23.5).
pub fn push_held_in_draw_one(
    game: &Game,
    lemmas: Lemmas,
    state: &State,
    context: Context,
    (holds, kept): (Holds, CardSet),
    into: &mut Vec<Move>,
) {
    let mut sets = postponed_draws::offered(game, lemmas, state, context, kept);
    sets.stack = holds.may_be_bare(state, sets.stack);
    sets.push_to(into);
}

/// The next move of [`close_in_draw_one`]. A card that it puts up has none on it in any
/// arrangement (`docs/proofs/whole-runs.md`, section 23.4).
#[must_use]
pub fn next_of_closure(game: &Game, lemmas: Lemmas, state: &State) -> Option<Move> {
    safe_foundation::next_of_closure(game, lemmas, state, true)
}
