//! lonelybot's own seeds, as its builds of 2024 and before deal them: the shuffle of version 0.8 of
//! the Rust crate `rand`, and two ways of dealing.
//!
//! `rand` promises no stable shuffles, so this file writes out the shuffle of version 0.8.

use rand_chacha::ChaCha12Rng;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use super::decks::{from_pile_order, from_piles};
use super::lonelybot;
use crate::card::Card;
use crate::deal::Deal;

pub(super) fn deal_default(seed: u64) -> Deal {
    from_pile_order(&shuffle(seed))
}

pub(super) fn deal_legacy(seed: u64) -> Deal {
    let cards = shuffle(seed);
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

/// `rand` 0.8: `StdRng` and the backward shuffle.
fn shuffle(seed: u64) -> Vec<Card> {
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
    let mut cards = lonelybot::deck();
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
