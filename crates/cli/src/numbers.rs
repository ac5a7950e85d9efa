//! Numbers as people read them.

use klondike_lab::count::Share;
pub(super) use klondike_lab::mean::ratio;
pub(super) use klondike_lab::text::{Places, estimate, grouped, or_nothing};

/// A share in percent, with eight digits that say something: `0.250018628 %`, `0.0000177015506 %`.
pub(super) fn percent_of(share: &Share) -> String {
    if share.count().bits() == 0 {
        return "0 %".to_owned();
    }
    // As many zeros after the point as the total has more digits than the count.
    let zeros = share.total().to_string().len() - share.count().to_string().len();
    let digits = u32::try_from(zeros).unwrap_or(u32::MAX).min(100) + 8;
    let fraction = share.decimal(digits.max(10));
    let (whole, places) = fraction.split_once('.').unwrap_or((&fraction, ""));
    let (hundredth, rest) = places.split_at(2.min(places.len()));
    let whole = format!("{whole}{hundredth}");
    let whole = whole.trim_start_matches('0');
    format!("{}.{rest} %", if whole.is_empty() { "0" } else { whole })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_have_eight_digits_that_say_something() {
        let text = |count: u64, total: u64| percent_of(&Share::new(count.into(), total.into()));
        assert_eq!(text(0, 7), "0 %");
        assert_eq!(text(7, 7), "100.00000000 %");
        assert_eq!(text(1, 3), "33.33333333 %");
        assert_eq!(text(1, 3_000_000), "0.000033333333 %");
        assert_eq!(
            text(72_099_595_172_416, 28_837_689_349_669_200),
            "0.250018628 %"
        );
    }
}
