//! The deck in use: all 52 cards or fewer suits and ranks.

use crate::card::{Card, CardSet, Rank, Suit};
use crate::rules::RulesError;

/// The deck in use: the first suits in the order of [`Suit::ALL`] and the lowest ranks.
///
/// ```
/// use klondike::Deck;
///
/// let small = Deck::new(2, 3)?;
/// let names: Vec<String> = small.cards().map(|card| card.to_string()).collect();
/// assert_eq!(names, ["AC", "2C", "3C", "AD", "2D", "3D"]);
/// assert_eq!(Deck::FULL.len(), 52);
/// # Ok::<(), klondike::RulesError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Deck {
    suits: u8,
    ranks: u8,
}

impl Deck {
    /// The 52 cards.
    pub const FULL: Deck = Deck {
        suits: 4,
        ranks: 13,
    };

    /// A deck of `suits` suits (1..=4) with the ranks from the ace to number `ranks` (1..=13).
    ///
    /// # Errors
    /// If a number is out of range.
    pub fn new(suits: u8, ranks: u8) -> Result<Deck, RulesError> {
        if !(1..=4).contains(&suits) {
            return Err(RulesError::Suits(suits.into()));
        }
        if !(1..=13).contains(&ranks) {
            return Err(RulesError::Ranks(ranks.into()));
        }
        Ok(Deck { suits, ranks })
    }

    /// Number of suits, `1..=4`.
    #[must_use]
    pub const fn suit_count(self) -> usize {
        self.suits as usize
    }

    /// Number of ranks, `1..=13`.
    #[must_use]
    pub const fn rank_count(self) -> usize {
        self.ranks as usize
    }

    /// Number of cards, `1..=52`.
    #[must_use]
    pub const fn len(self) -> usize {
        self.suit_count() * self.rank_count()
    }

    /// Never true: a deck has at least one card.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        false
    }

    /// The suits of the deck, in order.
    #[must_use]
    pub fn suits(self) -> &'static [Suit] {
        &Suit::ALL[..self.suit_count()]
    }

    /// The highest rank of the deck, which plays the king's part in empty piles.
    #[must_use]
    pub fn top_rank(self) -> Rank {
        Rank::ALL[self.rank_count() - 1]
    }

    /// Whether the deck holds `card`.
    #[must_use]
    pub fn contains(self, card: Card) -> bool {
        card.rank().get() <= self.ranks && card.suit().index() < self.suit_count()
    }

    /// All cards of the deck, suit by suit and rank by rank within a suit.
    pub fn cards(self) -> impl Iterator<Item = Card> {
        let ranks = &Rank::ALL[..self.rank_count()];
        self.suits()
            .iter()
            .flat_map(move |&suit| ranks.iter().map(move |&rank| Card::new(rank, suit)))
    }

    /// All cards of the deck as a set.
    #[must_use]
    pub fn card_set(self) -> CardSet {
        let suits = self.suits().iter();
        suits.fold(CardSet::EMPTY, |cards, &suit| {
            cards | CardSet::up_to(suit, self.ranks)
        })
    }

    /// The cards of the highest rank.
    #[must_use]
    pub fn kings(self) -> CardSet {
        self.suits()
            .iter()
            .map(|&suit| Card::new(self.top_rank(), suit))
            .collect()
    }
}
