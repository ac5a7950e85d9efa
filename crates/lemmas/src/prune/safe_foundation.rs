//! Lemma `safe-foundation`: a safe card goes to the foundation at once.
//!
//! Proof: `docs/proofs/safe-foundation.md` (after Blake & Gent 2026, appendix B, theorem 1). A card
//! of colour `X` and rank `v` is *safe* if `v ≤ y + 2` and `v ≤ x + 3`, where `x` and `y` are the
//! smaller foundation heights of its own and of the other colour. Everything that could still want
//! to lie on it can then go to the foundation itself.

use super::{Lemma, Lemmas};
use crate::kplus::bits::{swap_colors, whole_pairs};
use crate::kplus::moves::{self, MoveSets};
use crate::kplus::{Game, Move, State};
use klondike_game::card::{Card, CardSet};

/// Whether the switch is on.
#[must_use]
pub const fn is_on(lemmas: Lemmas) -> bool {
    lemmas.has(Lemma::SafeFoundation)
}

/// All cards that are safe on the foundation in `state`, whether or not they can go there now.
#[must_use]
#[inline]
pub fn safe(game: &Game, state: &State) -> CardSet {
    // Both cards of a colour are up two ranks below in the other one, three ranks below in its own.
    let up = state.on_foundations() | game.other_suits();
    let pairs = swap_colors(whole_pairs(up.bits()));
    CardSet::from_bits((pairs << 8 | TWO_RANKS) & (pairs << 12 | THREE_RANKS))
}

/// The cards of the lowest two and three ranks.
const TWO_RANKS: u64 = (1 << 8) - 1;
const THREE_RANKS: u64 = (1 << 12) - 1;

/// The move to offer alone: the lowest safe card of the tableau goes up, or one of the talon cards
/// that `from_talon` allows. Which these are depends on draw count and redeals.
#[must_use]
#[inline]
pub(super) fn forced(
    game: &Game,
    lemmas: Lemmas,
    state: &State,
    sets: &MoveSets,
    from_talon: impl Fn(Card) -> bool,
) -> Option<Move> {
    let up = sets.stack | sets.draw_to_foundation;
    if up.is_empty() || !is_on(lemmas) {
        return None;
    }
    let safe = safe(game, state);
    if (up & safe).is_empty() {
        return None;
    }
    let stack = (sets.stack & safe).first().map(Move::Stack);
    stack.or_else(|| {
        let mut drawn = sets.draw_to_foundation & safe;
        drawn
            .find(|&card| from_talon(card))
            .map(Move::DrawToFoundation)
    })
}

/// Makes the safe moves of the tableau, or of draw 1 with those from the talon, until there are
/// none, and appends them to `path`; returns whether one of them revealed a card.
#[inline]
pub(super) fn close(
    game: &Game,
    lemmas: Lemmas,
    state: &mut State,
    path: &mut Vec<Move>,
    from_talon: bool,
) -> bool {
    let mut revealed = false;
    while let Some(made) = next_of_closure(game, lemmas, state, from_talon) {
        revealed |= moves::reveals(state, made);
        game.make(state, made);
        path.push(made);
    }
    revealed
}

/// The next move of the closure: of the safe cards of the tableau that can be uncovered the lowest
/// goes up, or else a safe talon card, if `from_talon`.
#[inline]
pub(super) fn next_of_closure(
    game: &Game,
    lemmas: Lemmas,
    state: &State,
    from_talon: bool,
) -> Option<Move> {
    if !is_on(lemmas) {
        return None;
    }
    let up = moves::next_up(game, state) & safe(game, state).bits();
    if up == 0 {
        return None;
    }
    let uncovered = CardSet::from_bits(up & state.visible().bits() & moves::available(state));
    if let Some(card) = uncovered.first() {
        return Some(Move::Stack(card));
    }
    let drawn = CardSet::from_bits(up & state.talon().bits()).first();
    drawn.filter(|_| from_talon).map(Move::DrawToFoundation)
}
