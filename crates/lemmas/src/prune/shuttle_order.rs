//! Lemma `shuttle-order`: cards go up, and come back, in one order of all that lead to the same
//! state.
//!
//! Proof: `docs/proofs/shuttle-order.md`. A free card that goes up and one that comes back can be
//! moved back at once: *shuttles*. While free cards can go up, the least of them does, or a move is
//! made that needs it in the tableau, or its twin goes up, or a lesser card comes back. All others
//! wait until it is up. In draw 1 the draws that such moves need are offered, too.

use super::{Lemma, Lemmas, postponed_draws, safe_foundation};
use crate::kplus::moves::{self, MoveSets};
use crate::kplus::{Game, State};
use klondike_game::card::{Card, CardSet};

/// Whether the switch is on and the rules are those of the proof, for draw 2 and more.
#[must_use]
#[inline]
pub fn is_on(game: &Game, lemmas: Lemmas) -> bool {
    has_its_rules(game, lemmas) && safe_foundation::is_on(lemmas) && game.draw_count() > 1
}

/// The same for draw 1 with postponed draws, whatever the draw count of `game`.
#[must_use]
#[inline]
pub fn is_on_in_draw_one(game: &Game, lemmas: Lemmas) -> bool {
    has_its_rules(game, lemmas) && postponed_draws::is_on(game, lemmas)
}

#[inline]
fn has_its_rules(game: &Game, lemmas: Lemmas) -> bool {
    lemmas.has(Lemma::ShuttleOrder) && game.worrying_back() && game.entering() == game.kings()
}

/// Leaves out the moves that wait. None of the moves is that of a safe card alone.
#[inline]
pub(super) fn restrict(game: &Game, lemmas: Lemmas, state: &State, sets: &mut MoveSets) {
    let Some(least) = least_to_go_up(state, sets) else {
        return;
    };
    if is_on(game, lemmas) {
        restrict_piles(least, sets);
        sets.draw_to_tableau = sets.draw_to_tableau & children(least);
        sets.draw_to_foundation = CardSet::EMPTY;
    }
}

/// Leaves out the moves of a free state of draw 1 that wait.
#[inline]
pub(super) fn restrict_in_draw_one(
    game: &Game,
    lemmas: Lemmas,
    state: &State,
    sets: &mut MoveSets,
) {
    let Some(least) = least_to_go_up(state, sets) else {
        return;
    };
    if is_on_in_draw_one(game, lemmas) {
        restrict_piles(least, sets);
        let come_back = CardSet::from_bits(moves::tops(state)) & lesser(least);
        let chains = postponed_draws::chains_to(postponed_draws::without_place(state), come_back);
        sets.draw_to_tableau = sets.draw_to_tableau & (children(least) | chains);
        let goal = |card| postponed_draws::goal(game, state, card);
        let for_twin = |&card: &Card| goal(card) == Some(least.twin());
        sets.draw_to_foundation = sets.draw_to_foundation.filter(for_twin).collect();
    }
}

/// The least free card that can go up.
#[inline]
fn least_to_go_up(state: &State, sets: &MoveSets) -> Option<Card> {
    (sets.stack - state.anchored()).first()
}

/// Leaves out the moves that wait and are no draws.
#[inline]
fn restrict_piles(least: Card, sets: &mut MoveSets) {
    sets.stack = sets.stack & least.set().with_twins();
    sets.reveal = sets.reveal & children(least);
    sets.worry_back = sets.worry_back & lesser(least);
}

/// The cards that can be put on `card` and on its twin.
#[inline]
fn children(card: Card) -> CardSet {
    card.set().children()
}

/// All cards less than `card`.
#[inline]
fn lesser(card: Card) -> CardSet {
    CardSet::from_bits(card.set().bits() - 1)
}
