//! The new decks that the shuffles start from, and the ways to deal a shuffled one.

use crate::card::{Card, Rank, Suit};
use crate::deal::Deal;
use crate::rules::{Deck, Layout};

/// The 52 cards with the suits in this order for each rank.
pub(super) fn by_rank(suits: [Suit; 4]) -> Vec<Card> {
    Rank::ALL
        .into_iter()
        .flat_map(|rank| suits.map(|suit| Card::new(rank, suit)))
        .collect()
}

/// The 52 cards with the ranks in order for each of these suits.
pub(super) fn by_suit(suits: [Suit; 4]) -> Vec<Card> {
    suits
        .into_iter()
        .flat_map(|suit| Rank::ALL.map(move |rank| Card::new(rank, suit)))
        .collect()
}

/// Deals all 52 cards to the standard layout, row by row.
pub(super) fn from_row_order(cards: &[Card]) -> Deal {
    Deal::from_row_order(Deck::FULL, &Layout::standard(), cards).expect("a shuffled deck")
}

/// Deals all 52 cards to the standard layout, pile by pile.
pub(super) fn from_pile_order(cards: &[Card]) -> Deal {
    Deal::from_pile_order(Deck::FULL, &Layout::standard(), cards).expect("a shuffled deck")
}

/// The deal of 52 cards with these piles.
pub(super) fn from_piles(piles: Vec<Vec<Card>>, stock: &[Card]) -> Deal {
    Deal::new(Deck::FULL, piles, stock.to_vec()).expect("a shuffled deck")
}
