//! A deal: the order of the cards before play, always a checked permutation of the deck.
//!
//! [`Deal`] itself has no texts and seeds; those are in [`mod@format`] and [`seed`].
//! [`Deal::from_str`](std::str::FromStr::from_str) reads all of them for the standard deck and
//! layout.

pub mod format;
mod parse;
pub mod seed;

use std::fmt;

use rand_xoshiro::rand_core::Rng;

use crate::card::{Card, CardSet};
use crate::rules::{Deck, Layout, RulesError};

pub use parse::ParseDealError;

/// The order of the cards before play.
///
/// The piles hold their cards bottom to top; the last one lies face up. The stock holds its cards
/// in the order in which they are drawn.
///
/// [`Display`](fmt::Display) writes our own text, [`format::Format::Klondike`], without a line
/// feed at the end. [`FromStr`](std::str::FromStr) reads every known format for 52 cards and piles
/// of 1 to 7.
///
/// ```
/// use klondike::Deal;
///
/// let deal: Deal = "solvitaire:3".parse()?;
/// assert_eq!(deal.pile(6).len(), 7);
/// assert_eq!(deal.stock().len(), 24);
/// let text = deal.to_string();
/// assert!(text.starts_with("stock: "));
/// assert_eq!(text.parse::<Deal>()?, deal);
/// # Ok::<(), klondike::ParseDealError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Deal {
    deck: Deck,
    layout: Layout,
    /// Pile by pile, each bottom to top, then the stock, first drawn first.
    cards: Vec<Card>,
}

impl Deal {
    /// A deal with these piles (each bottom to top) and this stock (first drawn first).
    ///
    /// # Errors
    /// If the cards are not exactly those of `deck`, or the piles are not a [`Layout`].
    ///
    /// ```
    /// use klondike::{Deal, Deck};
    ///
    /// let cards: Vec<_> = Deck::new(1, 3)?.cards().collect();
    /// let [ace, two, three] = cards[..] else { unreachable!() };
    /// let deal = Deal::new(Deck::new(1, 3)?, vec![vec![two], vec![three, ace]], vec![])?;
    /// assert_eq!(deal.to_string(), "stock:\n1: 2C\n2: <3C> AC");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(deck: Deck, piles: Vec<Vec<Card>>, stock: Vec<Card>) -> Result<Deal, DealError> {
        let mut cards = piles.concat();
        cards.extend(stock);
        check_cards(deck, cards.iter().copied())?;
        Ok(Deal {
            deck,
            layout: Layout::new(piles.iter().map(|pile| pile.len() as u8).collect())?,
            cards,
        })
    }

    /// A deal of `deck` for `layout`, each as likely as any other, by a generator of the crates
    /// `rand` 0.10 or `rand_core` 0.10.
    ///
    /// ```
    /// use klondike::{Deal, Deck, Layout};
    /// use rand_xoshiro::{Xoshiro256PlusPlus, rand_core::SeedableRng};
    ///
    /// let mut rng = Xoshiro256PlusPlus::seed_from_u64(7);
    /// let deal = Deal::random(Deck::FULL, &Layout::standard(), &mut rng)?;
    /// assert_ne!(deal, Deal::random(Deck::FULL, &Layout::standard(), &mut rng)?);
    /// # Ok::<(), klondike::DealError>(())
    /// ```
    ///
    /// # Errors
    /// If the deck has fewer cards than the layout.
    pub fn random(deck: Deck, layout: &Layout, rng: &mut impl Rng) -> Result<Deal, DealError> {
        Deal::from_row_order(deck, layout, &seed::own::shuffled(deck, rng))
    }

    /// Deals `order` as a person does: row by row from left to right, each row one card to every
    /// pile that is not complete. The rest is the stock, first drawn first.
    ///
    /// For seven piles this is the *row order* of the published test vectors.
    ///
    /// # Errors
    /// If `order` is not a permutation of `deck` or shorter than the layout.
    pub fn from_row_order(deck: Deck, layout: &Layout, order: &[Card]) -> Result<Deal, DealError> {
        check_cards(deck, order.iter().copied())?;
        check_layout(layout, order)?;
        let mut cards = order.to_vec();
        for (&card, place) in order.iter().zip(row_order(layout)) {
            cards[place] = card;
        }
        Ok(Deal {
            deck,
            layout: layout.clone(),
            cards,
        })
    }

    /// Deals `order` pile by pile (each bottom to top), then the stock, first drawn first.
    ///
    /// # Errors
    /// If `order` is not a permutation of `deck` or shorter than the layout.
    pub fn from_pile_order(deck: Deck, layout: &Layout, order: &[Card]) -> Result<Deal, DealError> {
        check_cards(deck, order.iter().copied())?;
        check_layout(layout, order)?;
        Ok(Deal {
            deck,
            layout: layout.clone(),
            cards: order.to_vec(),
        })
    }

    /// The deck.
    #[must_use]
    pub fn deck(&self) -> Deck {
        self.deck
    }

    /// The piles, leftmost first, each bottom to top.
    #[must_use]
    pub fn piles(&self) -> impl ExactSizeIterator<Item = &[Card]> + DoubleEndedIterator + Clone {
        (0..self.layout.pile_count()).map(|pile| self.pile(pile))
    }

    /// The pile with this number, from 0 at the left, bottom to top.
    ///
    /// # Panics
    /// If there is no pile with this number.
    #[must_use]
    pub fn pile(&self, pile: usize) -> &[Card] {
        let begin = self.layout.begin(pile);
        &self.cards[begin..][..self.layout.heights()[pile].into()]
    }

    /// The stock, first drawn first.
    #[must_use]
    pub fn stock(&self) -> &[Card] {
        &self.cards[self.layout.card_count()..]
    }

    /// The heights of the piles.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// All cards in the order of [`Deal::from_row_order`].
    #[must_use]
    pub fn row_order(&self) -> Vec<Card> {
        let dealt = row_order(&self.layout).map(|place| self.cards[place]);
        dealt.chain(self.stock().iter().copied()).collect()
    }

    /// All cards in the order of [`Deal::from_pile_order`].
    #[must_use]
    pub fn pile_order(&self) -> &[Card] {
        &self.cards
    }
}

/// Writes the piles and the stock as [`format::Format::Klondike`] does, without the last line feed.
impl fmt::Display for Deal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(format::plain_text(self).trim_end_matches('\n'))
    }
}

/// The places of the cards of the piles in [`Deal::pile_order`], in the order in which they are
/// dealt: a row gives one card to every pile that is higher than the row's number.
fn row_order(layout: &Layout) -> impl Iterator<Item = usize> {
    let heights = layout.heights();
    let highest = heights.iter().copied().max().unwrap_or(0);
    (0..highest).flat_map(move |row| {
        let mut begin = 0;
        heights.iter().filter_map(move |&height| {
            let place = begin + usize::from(row);
            begin += usize::from(height);
            (row < height).then_some(place)
        })
    })
}

/// Checks that `cards` are exactly the cards of `deck`, each once.
pub(crate) fn check_cards(deck: Deck, cards: impl Iterator<Item = Card>) -> Result<(), DealError> {
    let mut missing = deck.card_set();
    for card in cards {
        if !missing.remove(card) {
            return Err(match deck.contains(card) {
                true => DealError::Twice(card),
                false => DealError::NotInDeck(card),
            });
        }
    }
    if missing.is_empty() {
        Ok(())
    } else {
        Err(DealError::Missing(missing))
    }
}

fn check_layout(layout: &Layout, order: &[Card]) -> Result<(), DealError> {
    let (cards, deck) = (layout.card_count(), order.len());
    if cards > deck {
        return Err(RulesError::LayoutTooLarge { cards, deck }.into());
    }
    Ok(())
}

/// Why cards are not a deal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum DealError {
    /// The deal holds this card more than once.
    #[error("the card {0} stands twice")]
    Twice(Card),
    /// The deal lacks these cards of the deck.
    #[error("{}", missing(*.0))]
    Missing(CardSet),
    /// This card is not in the deck of the rules.
    #[error("the card {0} is not in the deck")]
    NotInDeck(Card),
    /// The piles are not a layout, or need more cards than the deck has.
    #[error(transparent)]
    Layout(#[from] RulesError),
}

/// Names the missing cards, at most eight of them.
fn missing(cards: CardSet) -> String {
    let count = cards.len();
    let ending = if count == 1 { "" } else { "s" };
    let mut text = format!("{count} card{ending} missing:");
    for card in cards.take(8) {
        text.push_str(&format!(" {card}"));
    }
    if count > 8 {
        text.push_str(" ...");
    }
    text
}
