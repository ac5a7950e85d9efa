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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::seeded;

    #[test]
    fn equals_are_chosen_equally_often_and_worse_ones_never() {
        let mut rng = seeded(3);
        let mut counts = [0_u32; 5];
        for _ in 0..9_000 {
            let mut best = Best::new();
            for (thing, value) in [2, 7, 1, 7, 7].into_iter().enumerate() {
                best.offer(thing, value, &mut rng);
            }
            assert!(best.is_tied());
            let (thing, value) = best.found().unwrap();
            assert_eq!(value, 7);
            counts[thing] += 1;
        }
        assert_eq!((counts[0], counts[2]), (0, 0));
        // Five standard deviations of 3,000 are 224.
        for thing in [1, 3, 4] {
            assert!(counts[thing].abs_diff(3_000) < 224, "{counts:?}");
        }
        let mut best = Best::new();
        assert!(!best.is_tied());
        assert_eq!(best.found(), None);
        for value in [3, 3, 5] {
            best.offer((), value, &mut rng);
        }
        assert!(!best.is_tied());
    }
}
