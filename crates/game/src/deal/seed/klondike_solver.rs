//! Klondike-Solver's `/G N`: a generator of three 32-bit words and 269 random swaps.

use std::num::Wrapping;

use super::decks::{by_suit, from_row_order};
use crate::card::Suit;
use crate::deal::Deal;

struct Generator {
    value: Wrapping<u32>,
    mix: Wrapping<u32>,
    twist: Wrapping<u32>,
}

impl Generator {
    fn new(seed: u32) -> Generator {
        let mut generator = Generator {
            value: Wrapping(seed),
            mix: Wrapping(51_651_237),
            twist: Wrapping(895_213_268),
        };
        for _ in 0..50 {
            generator.step();
        }
        generator.value = Wrapping(0x9417_B3AF ^ seed ^ arithmetic_shift(seed, 15));
        for _ in 0..950 {
            generator.step();
        }
        generator
    }

    fn step(&mut self) {
        let y = (self.twist - self.mix) ^ self.twist ^ self.value ^ self.mix;
        self.mix ^= self.twist ^ self.value;
        self.value ^= self.twist - self.mix;
        self.twist ^= self.value ^ y;
        let mix = Wrapping(arithmetic_shift(self.mix.0, 16));
        self.value ^= (self.twist << 7) ^ mix ^ (y << 8);
    }

    fn next(&mut self) -> u32 {
        self.step();
        self.value.0 & 0x7FFF_FFFF
    }
}

/// A shift to the right that copies the sign, as of a signed word.
fn arithmetic_shift(word: u32, count: u32) -> u32 {
    (word.cast_signed() >> count).cast_unsigned()
}

pub(super) fn deal(seed: u32) -> Deal {
    let mut generator = Generator::new(seed);
    let mut cards = by_suit([Suit::Clubs, Suit::Diamonds, Suit::Spades, Suit::Hearts]);
    for _ in 0..269 {
        let a = generator.next() % 52;
        let b = generator.next() % 52;
        cards.swap(a as usize, b as usize);
    }
    from_row_order(&cards)
}

/// Klondike-Solver takes -1 as a wish for a random deal, which is always the same one: its seed
/// is the first output of the generator started with 101.
pub(super) fn deal_minus_1() -> Deal {
    deal(Generator::new(101).next())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seed_that_minus_1_stands_for() {
        assert_eq!(Generator::new(101).next(), 1_878_604_981);
    }
}
