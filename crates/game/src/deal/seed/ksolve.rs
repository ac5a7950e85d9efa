//! KSolve's random deals: MT19937 and the bounded numbers of GNU's C++ library (since GCC 11,
//! after Lemire, "Fast Random Integer Generation in an Interval", 2019).

use rand_mt::Mt;

use super::decks::{by_suit, from_row_order};
use crate::card::Suit;
use crate::deal::Deal;

pub(super) fn deal(seed: u32) -> Deal {
    let mut rng = Mt::new(seed);
    let mut cards = by_suit([Suit::Clubs, Suit::Diamonds, Suit::Spades, Suit::Hearts]);
    for i in 0..50 {
        let j = i + below(52 - i as u32, &mut rng) as usize;
        cards.swap(i, j);
    }
    from_row_order(&cards)
}

/// A number below `count`, each as likely as the others.
fn below(count: u32, rng: &mut Mt) -> u32 {
    // So many of the 2³² outputs are too many to be shared out evenly.
    let uneven = count.wrapping_neg() % count;
    loop {
        let product = u64::from(rng.next_u32()) * u64::from(count);
        if product as u32 >= uneven {
            return (product >> 32) as u32;
        }
    }
}
