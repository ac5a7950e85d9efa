//! Numbers as people read them, in reports and on the command line.

use klondike_batch::interval::Interval;
use klondike_contract::Mean;
use klondike_contract::runs::Difference;

pub use klondike_contract::grouped;

/// The level of an interval in percent: `57` for 0.57, where 100.0 * 0.57 is 56.99999999999999.
#[must_use]
pub fn level(confidence: f64) -> f64 {
    (1e14 * confidence).round() / 1e12
}

/// What stands in place of a mean of nothing.
pub const NOTHING: &str = "–";

/// A number as `text` shows it, or [`NOTHING`].
pub fn or_nothing<T>(number: Option<T>, text: impl FnOnce(T) -> String) -> String {
    number.map_or_else(|| NOTHING.to_owned(), text)
}

/// How many decimal places an estimate deserves: so many that its margin of error, half the width
/// of its interval, shows two digits. Of 300 deals `82.7 %, 78.0 to 86.5 %`, of ten million
/// `81.945 %, 81.921 to 81.969 %`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Places(usize);

impl Places {
    /// Where the interval is a point, or no more digits can be meant.
    const MOST: usize = 8;

    /// Those of an estimate with this interval.
    #[must_use]
    pub fn of(interval: Interval) -> Places {
        let margin = (interval.high - interval.low) / 2.0;
        let places = 1.0 - margin.log10().floor();
        Places(
            (0..Places::MOST)
                .find(|&n| n as f64 >= places)
                .unwrap_or(Places::MOST),
        )
    }

    /// Those of a share with this interval, in percent.
    #[must_use]
    pub fn of_share(interval: Interval) -> Places {
        Places::of(Interval {
            low: 100.0 * interval.low,
            high: 100.0 * interval.high,
        })
    }

    /// `12.3`.
    #[must_use]
    pub fn number(self, number: f64) -> String {
        format!("{number:.*}", self.0)
    }

    /// `11.8 to 12.8`.
    #[must_use]
    pub fn range(self, interval: Interval) -> String {
        let [low, high] = [interval.low, interval.high].map(|end| self.number(end));
        format!("{low} to {high}")
    }

    /// A share in percent: `82.7 %`; [`NOTHING`] if it is a share of nothing.
    #[must_use]
    pub fn percent(self, share: impl Into<Option<f64>>) -> String {
        or_nothing(share.into(), |share| self.number(100.0 * share) + " %")
    }

    /// As [`Places::percent`], of what a share is at most: rounded up.
    #[must_use]
    pub fn percent_at_most(self, share: f64) -> String {
        let unit = 10_f64.powi(self.0 as i32);
        self.number((100.0 * share * unit).ceil() / unit) + " %"
    }

    /// An interval of a share in percent: `78.0 to 86.5 %`.
    #[must_use]
    pub fn percent_range(self, interval: Interval) -> String {
        let [low, high] = [interval.low, interval.high].map(|end| self.number(100.0 * end));
        format!("{low} to {high} %")
    }

    /// A difference of shares in percentage points, with its sign: `+8.0`.
    #[must_use]
    pub fn points(self, difference: f64) -> String {
        format!("{:+.*}", self.0, 100.0 * difference)
    }

    /// An interval of a difference of shares: `+1.1 to +14.6`.
    #[must_use]
    pub fn points_range(self, interval: Interval) -> String {
        let [low, high] = [interval.low, interval.high].map(|end| self.points(end));
        format!("{low} to {high}")
    }
}

/// A share in percent with its interval, both with the places that the interval deserves: `82.7 %,
/// 78.0 to 86.5 %`.
#[must_use]
pub fn estimate(share: Option<f64>, interval: Interval) -> String {
    let places = Places::of_share(interval);
    let range = places.percent_range(interval);
    format!("{}, {range}", places.percent(share))
}

/// A difference of shares in percentage points with its interval: `+8.0 points, +1.1 to +14.6`.
#[must_use]
pub fn difference(found: &Difference) -> String {
    let places = Places::of_share(found.interval);
    let difference = or_nothing(found.difference, |share| places.points(share));
    format!(
        "{difference} points, {}",
        places.points_range(found.interval)
    )
}

/// A mean with the places that its interval deserves, `41.2`; with one place if it has none.
#[must_use]
pub fn mean(found: &Mean) -> String {
    match found.interval {
        Some(interval) => Places::of(interval).number(found.mean),
        None => format!("{:.1}", found.mean),
    }
}

/// A mean with its interval: `41.2 (40.1 to 42.3)`.
#[must_use]
pub fn mean_with_interval(found: &Mean) -> String {
    let interval = found.interval.map_or_else(String::new, |interval| {
        format!(" ({})", Places::of(interval).range(interval))
    });
    mean(found) + &interval
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mean::ratio;

    #[test]
    fn digits_follow_from_the_width_of_the_interval() {
        for (hits, trials, text) in [
            (2, 3, "67 %, 21 to 94 %"),
            (52, 100, "52.0 %, 42.3 to 61.5 %"),
            (248, 300, "82.7 %, 78.0 to 86.5 %"),
            (0, 300, "0.00 %, 0.00 to 1.26 %"),
            (0, 0, "–, 0 to 100 %"),
            (8_194_500, 10_000_000, "81.945 %, 81.921 to 81.969 %"),
        ] {
            let interval = Interval::wilson(hits, trials, 0.95);
            assert_eq!(estimate(ratio(hits, trials), interval), text);
        }
        let places = Places::of_share(Interval::wilson(248, 300, 0.95));
        assert_eq!(places.percent_at_most(0.827_01), "82.8 %");
        assert_eq!(places.percent_at_most(1.0), "100.0 %");
        let point = |at| Interval { low: at, high: at };
        assert_eq!(Places::of(point(0.5)).number(0.5), "0.50000000");
        let wide = Interval {
            low: -400.0,
            high: 400.0,
        };
        assert_eq!(Places::of(wide).number(12.6), "13");
        let difference = Interval {
            low: 0.011,
            high: 0.146,
        };
        let places = Places::of_share(difference);
        assert_eq!(places.points(0.08), "+8.0");
        assert_eq!(places.points_range(difference), "+1.1 to +14.6");
    }

    #[test]
    fn levels_are_as_they_were_written() {
        for (confidence, text) in [(0.57, "57"), (0.95, "95"), (0.999, "99.9"), (0.3, "30")] {
            assert_eq!(level(confidence).to_string(), text);
        }
    }

    #[test]
    fn a_mean_of_nothing_is_a_dash() {
        assert_eq!(or_nothing(None, |mean: f64| mean.to_string()), "–");
        assert_eq!(or_nothing(Some(1.5), |mean| mean.to_string()), "1.5");
    }

    #[test]
    fn digits_stand_in_groups_of_three() {
        for (number, text) in [
            (0_u64, "0"),
            (999, "999"),
            (1000, "1,000"),
            (123_456_789, "123,456,789"),
        ] {
            assert_eq!(grouped(number), text);
        }
    }
}
