//! Why a game or a world cannot be had.

/// Why a game has no K+ state; the table engine decides it instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Unsupported {
    /// Not all runs may be moved in parts, so the state has to hold more, or fewer moves are legal.
    #[error("not every part of a run may be moved")]
    Runs,
    /// Empty piles take other cards than kings, or nothing.
    #[error("empty piles take other cards than kings, or nothing")]
    Spaces,
    /// Redeals are limited, so the number of passes matters.
    #[error("redeals are limited")]
    Redeals,
    /// There may be a last pass by ones, in which draws turn one card.
    #[error("there may be a last pass by ones")]
    LastPass,
    /// Draws reverse their groups, so the talon changes its order.
    #[error("draws reverse their groups")]
    ReversedGroups,
    /// More piles than [`MAX_PILES`](super::MAX_PILES), or more talon cards than
    /// [`MAX_TALON`](super::MAX_TALON).
    #[error(
        "the layout is too large: more than {} piles, or more than {} cards in stock and waste",
        super::MAX_PILES,
        super::MAX_TALON
    )]
    Size,
    /// More talon cards than this, which is the most where limited redeals are followed.
    #[error("the layout is too large for limited redeals: more than {0} cards in stock and waste")]
    Talon(usize),
    /// Too many positions for a key of [`KEY_BITS`](super::KEY_BITS) bits.
    #[error(
        "the layout is too large: piles of these heights, with this stock and these foundations, \
         have more positions than keys of {} bits tell apart",
        super::KEY_BITS
    )]
    Positions,
}

/// Other cards were to lie face down than those that do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the cards to lie face down must be those that do, each once")]
pub struct OtherCards;
