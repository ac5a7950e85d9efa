//! lonelybot's own seeds, as its builds with version 0.10 of the Rust crate `rand` deal them.
//!
//! `rand` promises no stable shuffles, so this file writes out the shuffle of version 0.10.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::decks::{by_rank, from_pile_order};
use crate::card::{Card, Suit};
use crate::deal::Deal;

/// The deck of the shuffles here and of the scheme `exact`.
pub(super) fn deck() -> Vec<Card> {
    by_rank([Suit::Hearts, Suit::Diamonds, Suit::Clubs, Suit::Spades])
}

/// `rand` 0.10: `SmallRng` of 64-bit machines and the forward shuffle that draws the numbers of
/// several swaps at once.
pub(super) fn deal_default(seed: u64) -> Deal {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut output = || (rng.next_u64() >> 32) as u32;
    let mut cards = deck();
    let mut chunk = 0;
    let mut chunk_left = 0;
    for i in 1..cards.len() {
        let n = i as u32 + 1;
        if chunk_left == 0 {
            let mut bound = n;
            chunk_left = 1;
            while let Some(product) = bound.checked_mul(n + chunk_left) {
                bound = product;
                chunk_left += 1;
            }
            chunk = below(bound, &mut output);
        }
        chunk_left -= 1;
        let j = if chunk_left == 0 { chunk } else { chunk % n };
        chunk /= n;
        cards.swap(i, j as usize);
    }
    from_pile_order(&cards)
}

/// A number below `bound` by multiplication, made nearly unbiased by one more output.
fn below(bound: u32, output: &mut impl FnMut() -> u32) -> u32 {
    let wide = |number: u32| u64::from(number) * u64::from(bound);
    let product = wide(output());
    let (mut high, low) = ((product >> 32) as u32, product as u32);
    if low > bound.wrapping_neg() {
        let more = (wide(output()) >> 32) as u32;
        high += u32::from(low.checked_add(more).is_none());
    }
    high
}
