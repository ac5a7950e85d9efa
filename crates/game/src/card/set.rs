//! Sets of cards in one machine word.

use std::fmt;

use crate::card::{Card, Rank, Suit};

/// A set of cards: bit `i` stands for the card with index `i`.
///
/// It is a [`Copy`] type and its own iterator, from the lowest index up.
///
/// ```
/// use klondike::{Card, CardSet};
///
/// let nine: Card = "9H".parse()?;
/// let names: Vec<String> = nine.set().parents().map(|card| card.to_string()).collect();
/// assert_eq!(names, ["TC", "TS"]);
/// assert_eq!((CardSet::ALL - nine.set()).len(), 51);
/// # Ok::<(), klondike::ParseCardError>(())
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct CardSet(pub(super) u64);

impl CardSet {
    /// The set without cards.
    pub const EMPTY: CardSet = CardSet(0);
    /// All 52 cards.
    pub const ALL: CardSet = CardSet((1 << Card::COUNT) - 1);

    /// The cards of each suit, by [`Suit::index`].
    const OF_SUIT: [CardSet; 4] = {
        let mut sets = [CardSet::EMPTY; 4];
        let mut i = 0;
        while i < 4 * Rank::ALL.len() {
            sets[i % 4].insert(Card::new(Rank::ALL[i / 4], Suit::ALL[i % 4]));
            i += 1;
        }
        sets
    };

    /// The cards of a suit from the ace up to the rank with this number, `0..=13`; 0 gives none.
    ///
    /// # Panics
    /// If the number is above 13.
    ///
    /// ```
    /// use klondike::{CardSet, Suit};
    ///
    /// let names: Vec<_> = CardSet::up_to(Suit::Hearts, 3).map(|card| card.to_string()).collect();
    /// assert_eq!(names, ["AH", "2H", "3H"]);
    /// ```
    #[must_use]
    pub const fn up_to(suit: Suit, rank: u8) -> CardSet {
        assert!(rank <= Rank::KING.get());
        let ranks = (1 << (4 * rank)) - 1;
        CardSet(Self::OF_SUIT[suit.index()].0 & ranks)
    }

    /// The set with these bits; bits above the 52nd are dropped.
    #[must_use]
    pub const fn from_bits(bits: u64) -> CardSet {
        CardSet(bits & Self::ALL.0)
    }

    /// Bit `i` is set when the card with index `i` is in the set.
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// Whether the set holds `card`.
    #[must_use]
    pub const fn contains(self, card: Card) -> bool {
        self.0 >> card.0 & 1 == 1
    }

    /// Whether the set holds no card.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Number of cards in the set.
    #[must_use]
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Adds `card`. True if it was not in the set before.
    pub const fn insert(&mut self, card: Card) -> bool {
        let new = !self.contains(card);
        self.0 |= 1 << card.0;
        new
    }

    /// Removes `card`. True if it was in the set before.
    pub const fn remove(&mut self, card: Card) -> bool {
        let old = self.contains(card);
        self.0 &= !(1 << card.0);
        old
    }

    /// The lowest card by index, and so by rank.
    #[must_use]
    pub const fn first(self) -> Option<Card> {
        if self.0 == 0 {
            None
        } else {
            Some(Card(self.0.trailing_zeros() as u8))
        }
    }

    /// All cards of the classes that have a member in the set: the set and the twins of its cards.
    #[must_use]
    pub const fn with_twins(self) -> CardSet {
        CardSet(self.0 | self.twins().0)
    }

    /// The twins of the cards of the set.
    #[must_use]
    pub const fn twins(self) -> CardSet {
        const EVEN: u64 = 0x5555_5555_5555_5555;
        CardSet((self.0 & EVEN) << 1 | self.0 >> 1 & EVEN)
    }

    /// All cards on which some card of the set may be built.
    #[must_use]
    pub const fn parents(self) -> CardSet {
        CardSet(self.with_twins().0 << 4 & Self::ALL.0)
    }

    /// All cards that may be built on some card of the set.
    #[must_use]
    pub const fn children(self) -> CardSet {
        CardSet(self.with_twins().0 >> 4)
    }
}

/// The cards of either set.
impl std::ops::BitOr for CardSet {
    type Output = CardSet;
    fn bitor(self, other: CardSet) -> CardSet {
        CardSet(self.0 | other.0)
    }
}

impl std::ops::BitOrAssign for CardSet {
    fn bitor_assign(&mut self, other: CardSet) {
        self.0 |= other.0;
    }
}

/// The cards of both sets.
impl std::ops::BitAnd for CardSet {
    type Output = CardSet;
    fn bitand(self, other: CardSet) -> CardSet {
        CardSet(self.0 & other.0)
    }
}

/// The cards of the first set that are not in the second.
impl std::ops::Sub for CardSet {
    type Output = CardSet;
    fn sub(self, other: CardSet) -> CardSet {
        CardSet(self.0 & !other.0)
    }
}

/// Takes the cards out of the set, lowest index first.
impl Iterator for CardSet {
    type Item = Card;

    fn next(&mut self) -> Option<Card> {
        let card = self.first()?;
        self.0 &= self.0 - 1;
        Some(card)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.len(), Some(self.len()))
    }
}

impl std::iter::FusedIterator for CardSet {}

impl FromIterator<Card> for CardSet {
    fn from_iter<I: IntoIterator<Item = Card>>(cards: I) -> CardSet {
        let mut set = CardSet::EMPTY;
        // `for_each` is faster than a loop over chained iterators.
        cards.into_iter().for_each(|card| {
            set.insert(card);
        });
        set
    }
}

impl fmt::Debug for CardSet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}
