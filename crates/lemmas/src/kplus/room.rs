//! Where empty columns take any card: whether there can be an empty column.
//!
//! Then every card can be uncovered and every card can be put somewhere, so a relaxation asks this
//! first. Proof: `docs/proofs/relaxation.md`, section 6.5.

use super::bits::with_twins;
use super::{Game, State, moves};

/// What a state without an empty column waits for to have one.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    any_card_enters: bool,
    tableau: u64,
    /// The free cards of classes that have too few parents.
    without_parent: u64,
}

impl Room {
    /// What `state` waits for. Nothing gives room where only kings enter empty columns, or nothing.
    #[inline]
    #[must_use]
    pub fn new(game: &Game, state: &State) -> Room {
        let any_card_enters = game.any_card_enters();
        let without_parent = match any_card_enters {
            true => with_twins(moves::without_parent(game, state) >> 4) & state.free().bits(),
            false => 0,
        };
        Room {
            any_card_enters,
            tableau: state.visible().bits(),
            without_parent,
        }
    }

    /// Whether any card may move if at most so many columns were emptied, and if these cards may
    /// lie in the tableau and on the foundations: a card without a parent may find one or go up.
    #[inline(always)]
    #[must_use]
    pub fn is_there(&self, emptied: u32, tableau: u64, up: u64) -> bool {
        if !self.any_card_enters {
            return false;
        }
        let new_parents = with_twins(tableau & !self.tableau) >> 4;
        emptied > 0 || self.without_parent & (up | new_parents) != 0
    }
}
