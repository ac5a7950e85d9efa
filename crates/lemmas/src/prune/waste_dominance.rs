//! Lemma `waste-dominance`: of two states that differ in the waste only, the one that reaches fewer
//! cards is not needed (draw 2 and more).
//!
//! Proof: `docs/proofs/waste-dominance.md`. The tables are in `search/seen.rs`. The closed sets of
//! `search/closed.rs` use it as well, without a switch: the checker knows it.

use super::{Lemma, Lemmas};
use crate::kplus::Game;

/// Whether the switch is on.
#[must_use]
pub fn is_on(game: &Game, lemmas: Lemmas) -> bool {
    game.draw_count() > 1 && lemmas.has(Lemma::WasteDominance)
}

/// How a size of the waste compares with those visited with the same key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compared {
    /// One that was visited reaches as much.
    Dominated,
    /// None does. This is the new table value.
    New(u16),
    /// It leaves another remainder than the size in the table value, so it is kept apart.
    /// Whether any size of this key is.
    Apart(bool),
}

/// The bit of a table value that says that more sizes are kept apart.
pub const MORE: u16 = 1 << 5;

/// The bit of a table value that says that a state with its key is to be stored again.
pub const MARK: u16 = 1 << 6;

/// Compares `waste` with the table value of its key. Below [`MORE`] the value is the least size
/// visited of one remainder modulo the draw count, or 0 if all were pure. `waste` is the class of
/// the waste: below 32, and 0 for every pure size.
#[must_use]
#[inline]
pub fn compare(game: &Game, value: Option<u16>, waste: u8) -> Compared {
    let Some(value) = value else {
        return Compared::New(waste.into());
    };
    let (flags, least) = (value & (MORE | MARK), (value & (MORE - 1)) as u8);
    if waste == 0 {
        Compared::Dominated
    } else if least == 0 {
        Compared::New(flags | u16::from(waste))
    } else if !game.is_whole_draws(least.abs_diff(waste)) {
        Compared::Apart(flags & MORE != 0)
    } else if least <= waste {
        Compared::Dominated
    } else {
        Compared::New(flags | u16::from(waste))
    }
}
