//! lonelybot's own seeds: the shuffles of two generations of the Rust crate `rand`, and the
//! "legacy" way of dealing of its 2024 builds.
//!
//! `rand` promises no stable shuffles, so what its versions 0.8 and 0.10 do is written out here.

#[cfg(feature = "formats")]
use rand_chacha::ChaCha12Rng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::decks::{by_rank, from_pile_order, from_piles};
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

#[cfg(feature = "formats")]
pub(super) fn deal_default_2024(seed: u64) -> Deal {
    from_pile_order(&shuffle_2024(seed))
}

#[cfg(feature = "formats")]
pub(super) fn deal_legacy_2024(seed: u64) -> Deal {
    let cards = shuffle_2024(seed);
    let piles = (0..7)
        .map(|i: usize| {
            let start = i * i.saturating_sub(1) / 2;
            let mut pile = cards[start..start + i].to_vec();
            pile.push(cards[21 + i]);
            pile
        })
        .collect();
    from_piles(piles, &cards[28..])
}

#[cfg(feature = "formats")]
/// `rand` 0.8: `StdRng` and the backward shuffle.
fn shuffle_2024(seed: u64) -> Vec<Card> {
    let mut state = seed;
    let mut key = [0; 32];
    for word in key.chunks_exact_mut(4) {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(11_634_580_027_462_260_723);
        let mixed = (((state >> 18) ^ state) >> 27) as u32;
        word.copy_from_slice(&mixed.rotate_right((state >> 59) as u32).to_le_bytes());
    }
    let mut rng = ChaCha12Rng::from_seed(key);
    let mut cards = deck();
    for i in (1..cards.len()).rev() {
        let range = i as u32 + 1;
        let zone = (range << range.leading_zeros()) - 1;
        let j = loop {
            let product = u64::from(rng.next_u32()) * u64::from(range);
            if product as u32 <= zone {
                break product >> 32;
            }
        };
        cards.swap(i, j as usize);
    }
    cards
}
