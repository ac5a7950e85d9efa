//! Solvitaire's `--random N` (version 0.10.1): MT19937 and the bounded numbers of Boost 1.74.

use rand_mt::Mt;

use super::decks::{by_rank, from_piles};
use crate::card::Suit;
use crate::deal::Deal;

pub(super) fn deal(seed: u32) -> Deal {
    let mut rng = Mt::new(seed);
    let mut cards = by_rank([Suit::Clubs, Suit::Hearts, Suit::Spades, Suit::Diamonds]);
    for i in (1..cards.len()).rev() {
        // Boost cuts the outputs into buckets of this size and throws away the rest.
        let bucket = (1_u64 << 32) / (i as u64 + 1);
        let j = loop {
            let j = u64::from(rng.next_u32()) / bucket;
            if j <= i as u64 {
                break j as usize;
            }
        };
        cards.swap(i, j);
    }
    // Dealt from the end: first the stock, its bottom card first, then the rows right to left.
    let stock = cards.split_off(28);
    let mut piles = vec![Vec::new(); 7];
    for row in 0..7 {
        for pile in (row..7).rev() {
            piles[pile].push(cards.pop().expect("28 cards for 28 places"));
        }
    }
    from_piles(piles, &stock)
}
