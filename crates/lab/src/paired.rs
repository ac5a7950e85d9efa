//! Two players on the same deals: the difference of their shares of wins, and McNemar's test.
//!
//! Only deals that one of them wins and the other loses tell them apart. The interval is that of
//! Agresti & Min, "Simple improved confidence intervals for comparing matched proportions"
//! (Statistics in Medicine 24, 2005): Wald's with half a deal added to each of the four kinds of
//! pairs. The test is the exact one: without a difference, each such deal is as likely to be one's
//! as the other's.

use statrs::distribution::{Binomial, ContinuousCDF, DiscreteCDF, Normal};

use super::mean::ratio;
use klondike_batch::interval::Interval;
use klondike_contract::runs::Difference;

/// Deals that two players played, by who won them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pairs {
    /// Won by both.
    pub both: u64,
    /// Won by the first player only.
    pub only_first: u64,
    /// Won by the second player only.
    pub only_second: u64,
    /// Lost by both.
    pub neither: u64,
}

impl Pairs {
    /// Adds a deal.
    pub fn add(&mut self, first_won: bool, second_won: bool) {
        *match (first_won, second_won) {
            (true, true) => &mut self.both,
            (true, false) => &mut self.only_first,
            (false, true) => &mut self.only_second,
            (false, false) => &mut self.neither,
        } += 1;
    }

    /// Number of deals.
    #[must_use]
    pub fn count(self) -> u64 {
        self.both + self.only_first + self.only_second + self.neither
    }

    /// The second player's share of wins less the first's, with its interval.
    #[must_use]
    pub fn difference(self, confidence: f64) -> Difference {
        let share = |wins| ratio(wins, self.count());
        Difference {
            difference: share(self.only_second)
                .zip(share(self.only_first))
                .map(|(b, a)| b - a),
            interval: self.interval(confidence),
        }
    }

    /// Agresti and Min's interval for the difference at a confidence in `0.0..1.0`, such as 0.95.
    /// Its ends lie in `−1.0..=1.0`, and it excludes nothing if there were no deals.
    #[must_use]
    pub fn interval(self, confidence: f64) -> Interval {
        if self.count() == 0 || !(confidence > 0.0 && confidence < 1.0) {
            return Interval {
                low: -1.0,
                high: 1.0,
            };
        }
        let z = -Normal::standard().inverse_cdf((1.0 - confidence) / 2.0);
        let n = self.count() as f64 + 2.0;
        let (b, c) = (self.only_first as f64 + 0.5, self.only_second as f64 + 0.5);
        let middle = (c - b) / n;
        let half = z * ((b + c) / n - middle * middle).max(0.0).sqrt() / n.sqrt();
        Interval {
            low: (middle - half).max(-1.0),
            high: (middle + half).min(1.0),
        }
    }

    /// McNemar's exact test, two-sided: how likely a difference at least as large is if both
    /// players are equally good.
    #[must_use]
    pub fn mcnemar(self) -> f64 {
        let discordant = self.only_first + self.only_second;
        match Binomial::new(0.5, discordant) {
            Ok(binomial) => (2.0 * binomial.cdf(self.only_first.min(self.only_second))).min(1.0),
            Err(_) => 1.0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text;

    /// 10 against 2: the tail is (1 + 12 + 66) / 4096 on either side.
    #[test]
    fn the_exact_test_counts_the_tail() {
        let pairs = Pairs {
            both: 30,
            only_first: 2,
            only_second: 10,
            neither: 58,
        };
        assert!((pairs.mcnemar() - 2.0 * 79.0 / 4096.0).abs() < 1e-12);
        let difference = pairs.difference(0.95);
        assert!((difference.difference.unwrap() - 0.08).abs() < 1e-12);
        assert_eq!(text::difference(&difference), "+8.0 points, +1.1 to +14.6");
        let nothing = Pairs::default().difference(0.95);
        assert_eq!(text::difference(&nothing), "– points, -100 to +100");
        let equal = Pairs {
            only_first: 7,
            only_second: 7,
            ..pairs
        };
        assert!((equal.mcnemar() - 1.0).abs() < 1e-12);
        assert!((Pairs::default().mcnemar() - 1.0).abs() < 1e-12);
    }

    /// The formula worked out by hand: n = 102, b = 2.5, c = 10.5, z = 1.959964.
    #[test]
    fn the_interval_is_agresti_and_mins() {
        let mut pairs = Pairs::default();
        for (count, first, second) in [
            (30, true, true),
            (2, true, false),
            (10, false, true),
            (58, false, false),
        ] {
            (0..count).for_each(|_| pairs.add(first, second));
        }
        let interval = pairs.interval(0.95);
        assert!((interval.low - 0.010_842).abs() < 1e-6, "{interval:?}");
        assert!((interval.high - 0.146_021).abs() < 1e-6, "{interval:?}");
        assert_eq!(Pairs::default().interval(0.95).low, -1.0);
    }
}
