//! Confidence intervals for a share estimated from a sample.
//!
//! Quantiles come from `statrs`; the two intervals themselves are the usual closed forms. See
//! Brown, Cai & DasGupta, "Interval Estimation for a Binomial Proportion" (2001).

use serde::Serialize;
use statrs::distribution::{Beta, ContinuousCDF, Normal};

/// A confidence interval for a share, `0.0..=1.0`.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Interval {
    /// The interval that excludes nothing.
    const EVERYTHING: Interval = Interval {
        low: 0.0,
        high: 1.0,
    };

    /// How many standard errors either way a normal variable stays within at a confidence in
    /// `0.0..1.0`: 1.96 for 0.95.
    ///
    /// # Panics
    /// If the confidence is below -1, above 1, or no number.
    #[must_use]
    pub fn errors(confidence: f64) -> f64 {
        Normal::standard().inverse_cdf(f64::midpoint(1.0, confidence))
    }

    /// Whether `share` lies in the interval.
    #[must_use]
    pub fn contains(self, share: f64) -> bool {
        (self.low..=self.high).contains(&share)
    }

    /// The interval `of` for a sample of `trials` in which `open` are neither hits nor misses: with
    /// all of them misses at the lower end, and hits at the upper one. Whatever they are in truth,
    /// it contains the interval that would be given then.
    #[must_use]
    pub fn both_ways(
        of: fn(u64, u64, f64) -> Interval,
        hits: u64,
        open: u64,
        trials: u64,
        confidence: f64,
    ) -> Interval {
        Interval {
            low: of(hits, trials, confidence).low,
            high: of(hits + open, trials, confidence).high,
        }
    }

    /// Wilson's score interval for `hits` of `trials` at a confidence in `0.0..1.0`, such as
    /// 0.95. Close to its confidence on average, but not a guarantee.
    ///
    /// Gives `0..1` if there were no trials, or the numbers make no sense.
    #[must_use]
    pub fn wilson(hits: u64, trials: u64, confidence: f64) -> Interval {
        let Some(tail) = tail(hits, trials, confidence) else {
            return Interval::EVERYTHING;
        };
        let z = -Normal::standard().inverse_cdf(tail);
        let (n, share) = (trials as f64, hits as f64 / trials as f64);
        let scale = 1.0 + z * z / n;
        let middle = (share + z * z / (2.0 * n)) / scale;
        let half = z / scale * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
        Interval {
            low: if hits == 0 { 0.0 } else { middle - half },
            high: if hits == trials { 1.0 } else { middle + half },
        }
    }

    /// The interval of Clopper and Pearson for `hits` of `trials` at a confidence in `0.0..1.0`.
    /// It covers the true share with at least this confidence, whatever the share.
    ///
    /// Gives `0..1` if there were no trials, or the numbers make no sense.
    #[must_use]
    pub fn clopper_pearson(hits: u64, trials: u64, confidence: f64) -> Interval {
        let Some(tail) = tail(hits, trials, confidence) else {
            return Interval::EVERYTHING;
        };
        let (k, n) = (hits as f64, trials as f64);
        let quantile = |a: f64, b: f64, p: f64, end: f64| match Beta::new(a, b) {
            Ok(beta) => beta.inverse_cdf(p),
            Err(_) => end,
        };
        Interval {
            low: quantile(k, n - k + 1.0, tail, 0.0),
            high: quantile(k + 1.0, n - k, 1.0 - tail, 1.0),
        }
    }
}

/// What may lie outside on either side, or `None` if the numbers make no sense.
fn tail(hits: u64, trials: u64, confidence: f64) -> Option<f64> {
    let sensible = trials > 0 && hits <= trials && confidence > 0.0 && confidence < 1.0;
    sensible.then_some((1.0 - confidence) / 2.0)
}
