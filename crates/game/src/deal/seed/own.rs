//! Our own scheme, as [`Scheme::Klondike`](super::Scheme::Klondike) defines it.
//!
//! The code may change, the deals may not. `tests/game/own_scheme.rs` holds deals that another
//! program in another language computed from the definition alone.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

use crate::card::Card;
use crate::deal::Deal;
use crate::rules::{Deck, Layout};

/// The layout must not need more cards than the deck has.
pub(super) fn deal(seed: u64, deck: Deck, layout: &Layout) -> Deal {
    let cards = shuffled(deck, &mut Xoshiro256PlusPlus::seed_from_u64(seed));
    Deal::from_row_order(deck, layout, &cards).expect("a shuffled deck, large enough")
}

/// The cards of the deck in an order, each as likely as any other.
pub(in crate::deal) fn shuffled(deck: Deck, rng: &mut impl Rng) -> Vec<Card> {
    let mut cards = Vec::with_capacity(deck.len());
    cards.extend(deck.cards());
    for i in (1..cards.len()).rev() {
        let j = below(i as u64 + 1, || rng.next_u64());
        cards.swap(i, j as usize);
    }
    cards
}

/// A number below `bound`, each as likely as any other.
///
/// Only outputs below the largest multiple of `bound` count, so that every remainder comes from
/// equally many outputs.
fn below(bound: u64, mut output: impl FnMut() -> u64) -> u64 {
    // 2^64 modulo `bound`: the highest outputs, so many, do not count.
    let left_over = bound.wrapping_neg() % bound;
    loop {
        let number = output();
        if number <= u64::MAX - left_over {
            return number % bound;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bounded_numbers_reject_the_incomplete_last_multiple() {
        let mut outputs = [u64::MAX, u64::MAX - 1, 7].into_iter();
        assert_eq!(below(3, || outputs.next().unwrap()), (u64::MAX - 1) % 3);
        // 2^64 = 1 mod 3 and = 2 mod 7: the last one or two outputs are not used.
        let mut outputs = [u64::MAX, u64::MAX - 1, u64::MAX - 2, 3].into_iter();
        assert_eq!(below(7, || outputs.next().unwrap()), (u64::MAX - 2) % 7);
        let mut outputs = [u64::MAX].into_iter();
        assert_eq!(below(4, || outputs.next().unwrap()), 3);
    }
}
