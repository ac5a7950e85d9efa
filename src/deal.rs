//! A deal: the order of the cards before play, always a checked permutation of the deck.
//!
//! [`Deal`] knows nothing of the texts and seeds of other programs; those are in
//! [`mod@format`] and [`seed`].

pub mod format;
pub mod seed;

use std::fmt;

use crate::card::{Card, CardSet};
use crate::rules::{Deck, Layout};

/// The order of the cards before play.
///
/// The piles hold the cards bottom to top (the last one lies face up), the stock holds its cards
/// in the order in which they are drawn.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Deal {
    deck: Deck,
    piles: Vec<Vec<Card>>,
    stock: Vec<Card>,
}

impl Deal {
    /// A deal with these piles (each bottom to top) and this stock (first drawn first).
    ///
    /// # Errors
    /// If the cards are not exactly those of `deck`, or the piles are no [`Layout`].
    pub fn new(deck: Deck, piles: Vec<Vec<Card>>, stock: Vec<Card>) -> Result<Deal, DealError> {
        check_cards(deck, piles.iter().flatten().chain(&stock).copied())?;
        let heights = piles.iter().map(|pile| pile.len() as u8).collect();
        Layout::new(heights).map_err(|error| DealError::Layout(error.to_string()))?;
        Ok(Deal { deck, piles, stock })
    }

    /// Deals `order` as a person does: row by row from left to right, each row one card to every
    /// pile that is still to grow, then the stock with the card drawn first first.
    ///
    /// For seven piles this is the *row order* of the published test vectors.
    ///
    /// # Errors
    /// If `order` is not a permutation of `deck` or shorter than the layout.
    pub fn from_row_order(deck: Deck, layout: &Layout, order: &[Card]) -> Result<Deal, DealError> {
        check_cards(deck, order.iter().copied())?;
        check_layout(layout, order)?;
        let mut cards = order.iter().copied();
        let mut piles = vec![Vec::new(); layout.pile_count()];
        for (_, pile) in row_order(layout) {
            piles[pile].push(cards.next().expect("as many cards as the layout, checked"));
        }
        Ok(Deal {
            deck,
            piles,
            stock: cards.collect(),
        })
    }

    /// Deals `order` pile by pile (each bottom to top), then the stock, first drawn first.
    ///
    /// # Errors
    /// If `order` is not a permutation of `deck` or shorter than the layout.
    pub fn from_pile_order(deck: Deck, layout: &Layout, order: &[Card]) -> Result<Deal, DealError> {
        check_cards(deck, order.iter().copied())?;
        check_layout(layout, order)?;
        let mut rest = order;
        let piles = layout
            .heights()
            .iter()
            .map(|&height| {
                let (pile, others) = rest.split_at(usize::from(height));
                rest = others;
                pile.to_vec()
            })
            .collect();
        Ok(Deal {
            deck,
            piles,
            stock: rest.to_vec(),
        })
    }

    /// The deck.
    #[must_use]
    pub fn deck(&self) -> Deck {
        self.deck
    }

    /// The piles, leftmost first, each bottom to top.
    #[must_use]
    pub fn piles(&self) -> &[Vec<Card>] {
        &self.piles
    }

    /// The stock, the card drawn first first.
    #[must_use]
    pub fn stock(&self) -> &[Card] {
        &self.stock
    }

    /// The heights of the piles.
    #[must_use]
    pub fn layout(&self) -> Layout {
        Layout::new(self.piles.iter().map(|pile| pile.len() as u8).collect())
            .expect("checked when the deal was made")
    }

    /// All cards in the order of [`Deal::from_row_order`].
    #[must_use]
    pub fn row_order(&self) -> Vec<Card> {
        row_order(&self.layout())
            .map(|(row, pile)| self.piles[pile][row])
            .chain(self.stock.iter().copied())
            .collect()
    }

    /// All cards in the order of [`Deal::from_pile_order`].
    #[must_use]
    pub fn pile_order(&self) -> Vec<Card> {
        self.piles
            .iter()
            .flatten()
            .chain(&self.stock)
            .copied()
            .collect()
    }
}

/// The places of a layout in the order in which they are dealt: (place in the pile from the
/// bottom, pile). A row gives one card to every pile that is higher than the row's number.
fn row_order(layout: &Layout) -> impl Iterator<Item = (usize, usize)> {
    let heights = layout.heights().to_vec();
    let highest = heights.iter().copied().max().unwrap_or(0);
    (0..usize::from(highest)).flat_map(move |row| {
        let heights = heights.clone();
        (0..heights.len())
            .filter(move |&pile| row < usize::from(heights[pile]))
            .map(move |pile| (row, pile))
    })
}

/// Checks that `cards` are exactly the cards of `deck`, each once.
pub(crate) fn check_cards(deck: Deck, cards: impl Iterator<Item = Card>) -> Result<(), DealError> {
    let mut seen = CardSet::EMPTY;
    for card in cards {
        if !deck.contains(card) {
            return Err(DealError::NotInDeck(card));
        }
        if !seen.insert(card) {
            return Err(DealError::Twice(card));
        }
    }
    let missing = deck.card_set() - seen;
    if missing.is_empty() {
        Ok(())
    } else {
        Err(DealError::Missing(missing))
    }
}

fn check_layout(layout: &Layout, order: &[Card]) -> Result<(), DealError> {
    if layout.card_count() > order.len() {
        return Err(DealError::Layout(format!(
            "the piles need {} cards, but the deck has only {}",
            layout.card_count(),
            order.len()
        )));
    }
    Ok(())
}

/// Why cards are not a deal.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DealError {
    /// This card stands more than once.
    Twice(Card),
    /// These cards of the deck do not stand at all.
    Missing(CardSet),
    /// This card is not in the deck of the rules.
    NotInDeck(Card),
    /// The piles are not a layout; the text says why.
    Layout(String),
}

impl fmt::Display for DealError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DealError::Twice(card) => write!(f, "the card {card} stands twice"),
            DealError::Missing(cards) => {
                let count = cards.len();
                write!(
                    f,
                    "{count} card{} missing:",
                    if count == 1 { "" } else { "s" }
                )?;
                for card in cards.take(8) {
                    write!(f, " {card}")?;
                }
                if count > 8 {
                    write!(f, " ...")?;
                }
                Ok(())
            }
            DealError::NotInDeck(card) => write!(f, "the card {card} is not in the deck"),
            DealError::Layout(text) => f.write_str(text),
        }
    }
}

impl std::error::Error for DealError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_orders_round_trip_and_the_piles_are_dealt_row_by_row() {
        let layout = Layout::triangle(7).unwrap();
        let cards: Vec<Card> = Deck::FULL.cards().collect();
        let deal = Deal::from_row_order(Deck::FULL, &layout, &cards).unwrap();
        assert_eq!(deal.row_order(), cards);
        assert_eq!(deal.piles()[0], [cards[0]]);
        assert_eq!(deal.piles()[1], [cards[1], cards[7]]);
        assert_eq!(deal.piles()[6].last(), Some(&cards[27]));
        assert_eq!(deal.stock()[0], cards[28]);
        let same = Deal::from_pile_order(Deck::FULL, &layout, &deal.pile_order()).unwrap();
        assert_eq!(same, deal);
    }

    #[test]
    fn wrong_cards_are_named() {
        let layout = Layout::triangle(7).unwrap();
        let mut cards: Vec<Card> = Deck::FULL.cards().collect();
        let last = cards.pop().unwrap();
        let deal = |cards: &[Card]| Deal::from_row_order(Deck::FULL, &layout, cards);
        assert_eq!(deal(&cards), Err(DealError::Missing(last.set())));
        cards.push(cards[0]);
        assert_eq!(deal(&cards), Err(DealError::Twice(cards[0])));
        let small = Deck::new(2, 3).unwrap();
        let error = Deal::new(small, vec![vec![last]], vec![]).unwrap_err();
        assert_eq!(error, DealError::NotInDeck(last));
    }
}
