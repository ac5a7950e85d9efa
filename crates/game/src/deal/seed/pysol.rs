//! PySol's three kinds of deal numbers (checked against the package `pysol_cards` 0.24.0).
//!
//! They differ in the deck and in the generator; the shuffle and the way of dealing are one.

use ethnum::I256;
use rand_mt::Mt;

use super::decks::{by_rank, by_suit, from_piles};
use crate::card::{Card, Suit};
use crate::deal::Deal;

/// Shuffles with `random(n)`, a number in `0..=n`, and deals.
fn deal(mut cards: Vec<Card>, mut random: impl FnMut(u64) -> u64) -> Deal {
    for n in (1..cards.len()).rev() {
        cards.swap(n, random(n as u64) as usize);
    }
    // Dealt from the end: rows of face-down cards, the row of face-up cards, the stock.
    cards.reverse();
    let (tableau, stock) = cards.split_at(28);
    let mut next = tableau.iter().copied();
    let mut piles = vec![Vec::new(); 7];
    let rows = (1..7).chain([0]);
    for leftmost in rows {
        for pile in (leftmost..7).rev() {
            piles[pile].push(next.next().expect("28 cards for 28 places"));
        }
    }
    from_piles(piles, stock)
}

/// `ms` numbers, 1 to 2³³ − 1.
pub(super) fn deal_ms(seed: u64) -> Deal {
    const HALF: u64 = 1 << 31;
    const WHOLE: u64 = 1 << 32;
    let deck = by_rank([Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades]);
    let mut x = if seed >= WHOLE { seed - WHOLE } else { seed };
    deal(deck, |n| {
        x = (x * 214_013 + 2_531_011) % (1 << 33);
        let high = x >> 16;
        let number = match seed {
            ..HALF => high & 0x7FFF,
            HALF..WHOLE => high & 0x7FFF | 0x8000,
            WHOLE.. => (high & 0xFFFF) + 1,
        };
        number % (n + 1)
    })
}

fn old_deck() -> Vec<Card> {
    by_suit([Suit::Clubs, Suit::Spades, Suit::Hearts, Suit::Diamonds])
}

/// The numbers of the old PySol.
pub(super) fn deal_lcg64(seed: u64) -> Deal {
    let mut x = seed;
    deal(old_deck(), |n| {
        x = x.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let number = (x >> 21) & 0x7FFF_FFFF;
        // PySol computes in doubles, which hold the 37 bits of this product exactly.
        (number * (n + 1)) >> 31
    })
}

/// The numbers of PySolFC: Python's `random.Random(seed)`; `seed` is not negative.
pub(super) fn deal_mt(seed: I256) -> Deal {
    // The key is the number in words of 32 bits, lowest first, without zeros at the end.
    let mut words = vec![seed.as_u32()];
    let mut rest: I256 = seed >> 32;
    while rest != 0 {
        words.push(rest.as_u32());
        rest >>= 32;
    }
    let mut rng = Mt::new_with_key(words);
    deal(old_deck(), |n| {
        let high = rng.next_u32() >> 5;
        let low = rng.next_u32() >> 6;
        // Python's random(): 53 bits, exact in a double.
        let number = (f64::from(high) * 67_108_864.0 + f64::from(low)) / 9_007_199_254_740_992.0;
        (number * (n + 1) as f64) as u64
    })
}
