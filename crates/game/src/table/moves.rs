//! Moves at the table, and why the referee refuses one.

use std::fmt;

use crate::card::{Card, Suit};

/// Number of a pile, counted from 0 at the left. It is printed from 1, as players count.
///
/// ```
/// use klondike::PileIndex;
///
/// let leftmost = PileIndex::new(0);
/// assert_eq!((leftmost.get(), leftmost.to_string().as_str()), (0, "1"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PileIndex(u8);

impl PileIndex {
    /// The pile with this number, counted from 0.
    ///
    /// # Panics
    /// If `index` is 255 or more: no layout has that many piles.
    #[must_use]
    pub const fn new(index: usize) -> PileIndex {
        assert!(index < 255, "a pile index is below 255");
        PileIndex(index as u8)
    }

    /// The number, counted from 0.
    #[must_use]
    pub const fn get(self) -> usize {
        self.0 as usize
    }
}

impl fmt::Display for PileIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (self.get() + 1).fmt(f)
    }
}

/// A move at the table. Turning up a face-down card is part of the move that uncovers it.
///
/// The set of moves is complete: it is the game's.
///
/// ```
/// use klondike::{Move, PileIndex};
///
/// let run = Move::PileToPile { from: PileIndex::new(0), to: PileIndex::new(3), count: 2 };
/// assert!(!run.is_of_stock() && Move::Draw.is_of_stock());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Move {
    /// Turn cards from the stock to the waste: as many as the draw count, or all that are left; in
    /// the last pass of [`Redeals::LastPassByOnes`](crate::rules::Redeals) one. With
    /// [`Rules::reversed_groups`](crate::rules::Rules::reversed_groups) the first of them lies on
    /// top.
    Draw,
    /// Turn the waste over to be the stock again. The stock must be empty.
    Redeal,
    /// Turn the waste over for the last pass, in which draws turn one card each
    /// ([`Redeals::LastPassByOnes`](crate::rules::Redeals)). The stock must be empty.
    LastPass,
    /// The top card of the waste to its foundation.
    WasteToFoundation,
    /// The top card of the waste to a pile.
    WasteToPile {
        /// Where it goes.
        to: PileIndex,
    },
    /// The top card of a pile to its foundation.
    PileToFoundation {
        /// Where it comes from.
        from: PileIndex,
    },
    /// The top `count` cards of a pile to another.
    PileToPile {
        /// Where they come from.
        from: PileIndex,
        /// Where they go.
        to: PileIndex,
        /// How many there are, at least 1.
        count: u8,
    },
    /// Worrying back: the top card of a foundation to a pile.
    FoundationToPile {
        /// The suit of the foundation.
        suit: Suit,
        /// Where it goes.
        to: PileIndex,
    },
}

impl Move {
    /// Whether the move is a draw, a redeal or the last pass: those move no single card.
    #[must_use]
    #[inline]
    pub const fn is_of_stock(self) -> bool {
        matches!(self, Move::Draw | Move::Redeal | Move::LastPass)
    }
}

/// Why a move cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum IllegalMove {
    /// A draw from an empty stock.
    #[error("the stock is empty, there is nothing to draw")]
    StockEmpty,
    /// A redeal while the stock has cards.
    #[error("no redeal while the stock has cards")]
    StockNotEmpty,
    /// No card lies where the move takes one.
    #[error("there is no card to move")]
    NothingThere,
    /// A last pass under rules that have none.
    #[error("the rules have no last pass by ones")]
    NoLastPass,
    /// All redeals are used up.
    #[error("no redeal is left")]
    NoRedealLeft,
    /// No pile has this number.
    #[error("there is no pile {0}")]
    NoSuchPile(PileIndex),
    /// The foundation of its suit does not take this card now.
    #[error("the foundation does not take {0} now")]
    Foundation(Card),
    /// The pile does not take this card.
    #[error("pile {1} does not take {0}")]
    DoesNotFit(Card, PileIndex),
    /// The rules allow no worrying back.
    #[error("the rules allow no worrying back")]
    WorryingBack,
    /// The rules do not let these face-up cards move together.
    #[error("these cards may not be moved together")]
    Run,
    /// A card uncovered by a double move must go to the foundation first.
    #[error("the card uncovered on pile {0} must go to the foundation first")]
    DoubleMovePending(PileIndex),
}

/// What [`Table::undo`](crate::table::Table::undo) needs to take a move back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Undo {
    pub(super) made: Move,
    /// The (lowest) card that was moved.
    pub(super) card: Option<Card>,
    pub(super) revealed: bool,
    /// Number of cards drawn.
    pub(super) drawn: u8,
    /// The pending double move before the move.
    pub(super) pending: Option<PileIndex>,
}

impl Undo {
    /// Whether the move turned up a face-down card.
    #[must_use]
    pub fn revealed(&self) -> bool {
        self.revealed
    }
}
