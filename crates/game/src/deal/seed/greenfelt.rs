//! The numbers of Green Felt, as MinimalKlondike reads them: the "minimal standard" generator of
//! Park and Miller (1988) and seven rounds of swaps.

use super::decks::{by_suit, from_row_order};
use crate::card::Suit;
use crate::deal::Deal;

/// `seed` is not 0 and below 2³¹ − 1.
pub(super) fn deal(seed: u32) -> Deal {
    let mut x = u64::from(seed);
    let mut cards = by_suit([Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades]);
    for _ in 0..7 {
        for j in 0..52 {
            x = x * 16_807 % 0x7FFF_FFFF;
            cards.swap(j, (x % 52) as usize);
        }
    }
    cards.reverse();
    from_row_order(&cards)
}
