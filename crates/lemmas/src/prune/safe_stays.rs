//! Lemma `safe-stays`: a card that would be safe on the foundation does not come back, nor go from
//! the talon to the tableau.
//!
//! Proof: `docs/proofs/safe-stays.md` (after Blake & Gent 2026, corollary 2). On table positions
//! the rule is in `search/table/state.rs`, under `Options::skip_useless`.

use super::safe_foundation::{self, safe};
use super::{Lemma, Lemmas};
use crate::kplus::moves::MoveSets;
use crate::kplus::{Game, State};

/// Whether the switch is on.
#[must_use]
pub const fn is_on(lemmas: Lemmas) -> bool {
    lemmas.has(Lemma::SafeStays)
}

/// The lemmas for a search that replaces each state by its closure under safe moves: there this one
/// needs that `safe-foundation` is on.
#[must_use]
pub(super) const fn in_closed_states(lemmas: Lemmas) -> Lemmas {
    if safe_foundation::is_on(lemmas) {
        lemmas
    } else {
        lemmas.without(Lemma::SafeStays)
    }
}

/// Leaves out all moves of safe cards to the tableau.
#[inline]
pub(super) fn restrict(game: &Game, lemmas: Lemmas, state: &State, sets: &mut MoveSets) {
    let both = sets.draw_to_tableau & sets.draw_to_foundation;
    if is_on(lemmas) && !both.is_empty() {
        sets.draw_to_tableau = sets.draw_to_tableau - (both & safe(game, state));
    }
    restrict_worrying_back(game, lemmas, state, sets);
}

/// Leaves out only those from a foundation.
#[inline]
pub(super) fn restrict_worrying_back(
    game: &Game,
    lemmas: Lemmas,
    state: &State,
    sets: &mut MoveSets,
) {
    if is_on(lemmas) && !sets.worry_back.is_empty() {
        // A card on top of its foundation is as safe before it comes back as after.
        sets.worry_back = sets.worry_back - safe(game, state);
    }
}
