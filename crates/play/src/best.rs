//! The best of several values, ties at random: how players choose among moves.

use std::cmp::Ordering;

use rand::RngExt;

use crate::rng::Rng;

/// The best so far of values that come one by one. Equal ones are equally likely to be kept.
#[derive(Clone, Copy, Debug)]
pub struct Best<T, V> {
    found: Option<(T, V)>,
    equals: u32,
}

impl<T, V: PartialOrd> Default for Best<T, V> {
    fn default() -> Best<T, V> {
        Best::new()
    }
}

impl<T, V: PartialOrd> Best<T, V> {
    /// Nothing was offered yet.
    #[must_use]
    pub fn new() -> Best<T, V> {
        Best {
            found: None,
            equals: 0,
        }
    }

    /// Offers a thing of this value. Only equal values use random numbers.
    pub fn offer(&mut self, thing: T, value: V, rng: &mut Rng) {
        let order = self.found.as_ref().map(|(_, best)| value.partial_cmp(best));
        match order {
            Some(Some(Ordering::Less)) => {}
            Some(Some(Ordering::Equal)) => {
                self.equals += 1;
                // The n-th of n equals replaces the choice with probability 1/n.
                if rng.random_range(0..self.equals) == 0 {
                    self.found = Some((thing, value));
                }
            }
            _ => {
                self.found = Some((thing, value));
                self.equals = 1;
            }
        }
    }

    /// Whether there was another choice of the same value.
    #[must_use]
    pub fn is_tied(&self) -> bool {
        self.equals > 1
    }

    /// The choice and its value, `None` if nothing was offered.
    #[must_use]
    pub fn found(self) -> Option<(T, V)> {
        self.found
    }
}
