//! Means of whole numbers over a sample, with their intervals. A mean of nothing is no number.
//!
//! The interval is Student's, which few values need: of two it is 6.5 times as wide as the normal
//! one, of ten 1.15 times ("The Probable Error of a Mean", Biometrika 6, 1908).

use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, StudentsT};

use klondike_batch::interval::Interval;
use klondike_contract::Mean;

/// A share or a mean: `part` for each of `whole`; `None` if that is nothing.
#[must_use]
pub fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}

/// The sum of some whole numbers and that of their squares: all that the interval of their mean
/// needs. How many there are stands beside it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sums {
    /// Their sum.
    pub sum: u64,
    /// The sum of their squares.
    pub squares: u64,
}

impl Sums {
    /// Adds a number.
    pub fn add(&mut self, number: u64) {
        self.sum += number;
        self.squares += number * number;
    }

    /// Whether `count` numbers can have these sums: the mean of their squares is no less than the
    /// square of their mean.
    #[must_use]
    pub fn are_of(self, count: u64) -> bool {
        let square = u128::from(self.sum) * u128::from(self.sum);
        square <= u128::from(count) * u128::from(self.squares)
    }

    /// The mean, if there are `count` of them; `None` if there is none.
    #[must_use]
    pub fn mean(self, count: u64, confidence: f64) -> Option<Mean> {
        mean(count, self.sum, self.squares, confidence)
    }
}

/// From the sums of `n` values and of their squares; `None` without values. The mean has no
/// interval if all values are the same, since nothing says then how far off it may be.
#[must_use]
pub fn mean(n: u64, sum: u64, squares: u64, confidence: f64) -> Option<Mean> {
    if n == 0 {
        return None;
    }
    let (count, total) = (n as f64, sum as f64);
    let mean = total / count;
    if n == 1 || !(0.0 < confidence && confidence < 1.0) {
        return Some(Mean {
            mean,
            deviation: 0.0,
            interval: None,
        });
    }
    // n·Σx² − (Σx)² is exact in whole numbers.
    let spread = u128::from(n) * u128::from(squares) - u128::from(sum) * u128::from(sum);
    let deviation = (spread as f64 / (count * (count - 1.0))).sqrt();
    let half = errors(n, confidence) * deviation / count.sqrt();
    Some(Mean {
        mean,
        deviation,
        interval: (spread > 0).then_some(Interval {
            low: mean - half,
            high: mean + half,
        }),
    })
}

/// How many standard errors either way the mean of `n` normal variables stays within at this
/// confidence, if their deviation is estimated from them. From ten thousand values on it is the
/// normal distribution's, which agrees in four digits: the other takes ever longer to compute.
fn errors(n: u64, confidence: f64) -> f64 {
    match StudentsT::new(0.0, 1.0, (n - 1) as f64) {
        Ok(student) if n < 10_000 => student.inverse_cdf(f64::midpoint(1.0, confidence)),
        _ => Interval::errors(confidence),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text;

    #[test]
    fn means_and_their_intervals() {
        // Mean 5, squared deviations 32.
        let mut sums = Sums::default();
        for number in [2, 4, 4, 4, 5, 5, 7, 9] {
            sums.add(number);
        }
        let of_eight = sums.mean(8, 0.95).unwrap();
        assert_eq!(of_eight.mean, 5.0);
        assert!((of_eight.deviation - (32.0_f64 / 7.0).sqrt()).abs() < 1e-12);
        let half = 2.364_624 * of_eight.deviation / 8.0_f64.sqrt();
        let interval = of_eight.interval.unwrap();
        assert!((interval.high - 5.0 - half).abs() < 1e-5);
        assert!((5.0 - interval.low - half).abs() < 1e-5);
        assert_eq!(text::mean_with_interval(&of_eight), "5.0 (3.2 to 6.8)");
        assert!(sums.are_of(8) && !sums.are_of(6));
        assert!(Sums::default().are_of(0));
        assert!(mean(0, 0, 0, 0.95).is_none());
        let one = mean(1, 7, 49, 0.95).unwrap();
        assert_eq!((one.interval, text::mean(&one)), (None, "7.0".to_owned()));
        let same = mean(5, 15, 45, 0.95).unwrap();
        assert_eq!((same.deviation, same.interval), (0.0, None));
    }

    /// From tables of the distribution; with many values it is the normal one.
    #[test]
    fn few_values_have_wide_intervals() {
        for (n, confidence, expected) in [
            (2, 0.95, 12.706_205),
            (10, 0.95, 2.262_157),
            (30, 0.99, 2.756_386),
            (1_000, 0.95, 1.962_341),
            (9_999, 0.95, 1.960_201),
            (1_000_000_000, 0.99, 2.575_829),
        ] {
            let errors = errors(n, confidence);
            assert!((errors - expected).abs() < 1e-4, "{n} {errors}");
        }
    }
}
