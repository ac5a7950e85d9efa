//! Means of whole numbers over a sample, with their intervals. A mean of nothing is no number.

use serde::{Deserialize, Serialize};

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

/// From the sums of `n` values and of their squares; `None` without values.
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
    let half = Interval::errors(confidence) * deviation / count.sqrt();
    Some(Mean {
        mean,
        deviation,
        interval: Some(Interval {
            low: mean - half,
            high: mean + half,
        }),
    })
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
        let half = 1.959_964 * of_eight.deviation / 8.0_f64.sqrt();
        let interval = of_eight.interval.unwrap();
        assert!((interval.high - 5.0 - half).abs() < 1e-5);
        assert!((5.0 - interval.low - half).abs() < 1e-5);
        assert_eq!(text::mean_with_interval(&of_eight), "5.0 (3.5 to 6.5)");
        assert!(sums.are_of(8) && !sums.are_of(6));
        assert!(Sums::default().are_of(0));
        assert!(mean(0, 0, 0, 0.95).is_none());
        let one = mean(1, 7, 49, 0.95).unwrap();
        assert_eq!((one.interval, text::mean(&one)), (None, "7.0".to_owned()));
        assert_eq!(mean(5, 15, 45, 0.95).unwrap().deviation, 0.0);
    }
}
