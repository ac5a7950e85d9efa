//! Chances of winning, estimated from the values of a search.
//!
//! The value that a search gives a position is good for comparing moves, but it is not the share of
//! such games that are won. The tree search gives too low a value: the mean over all moves tried,
//! the bad ones among them, with half of the open worlds counted as lost. A [`Calibration`] (Platt,
//! Probabilistic outputs for support vector machines, 1999) turns values into chances. It is fitted
//! to games (`examples/chance.rs`, `docs/play.md`).

use klondike_game::rules::{Redeals, Rules, Runs, Spaces};

/// The chance of winning by the value of a search: its log-odds are linear in those of the value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Calibration {
    /// The log-odds at a value of one half.
    pub base: f64,
    /// What the log-odds of the value are multiplied by, above 0.
    pub slope: f64,
    /// The standard error of the log-odds that come out.
    pub error: f64,
}

impl Calibration {
    /// Chances are values.
    pub const NONE: Calibration = Calibration {
        base: 0.0,
        slope: 1.0,
        error: 0.0,
    };

    /// The calibration of the tree search under these rules. It is one of those that were fitted
    /// (`docs/play.md`), the first that applies: to draws of three that reverse their groups, for
    /// three cards and more with unlimited redeals, with whole runs and without; to `kortsmit` with
    /// whole runs, to `vegas1` and `vegas3` if redeals are limited, to draw 1 and 3 where empty
    /// piles take any card, else to the standard game with draw 1 and 3.
    ///
    /// The error has two parts: that of the fit, which depends on how many of its games were won,
    /// and 0.16 because values rise with the length of the search, which was 800 iterations.
    #[must_use]
    pub fn of_tree(rules: &Rules) -> Calibration {
        let (runs, redeals, spaces) = (rules.runs(), rules.redeals(), rules.spaces());
        // Planned for is draw 1. With groups of three and more not all that is planned is legal.
        let as_draw_1 = rules.reversed_groups() && redeals == Redeals::Unlimited;
        let reversed = as_draw_1 && rules.draw_count() > 2;
        let draw_count = if as_draw_1 { 1 } else { rules.draw_count() };
        let (base, slope, error) = match (runs, redeals, spaces, draw_count) {
            (Runs::Whole, ..) if reversed => (-0.792, 0.652, 0.35),
            _ if reversed => (-0.323, 0.814, 0.35),
            (Runs::Whole, ..) => (-0.365, 0.597, 0.25),
            (_, Redeals::Limited(_), _, 1) => (-0.057, 1.183, 0.35),
            (_, Redeals::Limited(_), ..) => (0.099, 1.011, 0.25),
            (_, _, Spaces::Any, 1) => (-0.230, 1.610, 0.25),
            (_, _, Spaces::Any, _) => (0.308, 1.630, 0.25),
            (.., 1) => (0.262, 1.007, 0.2),
            _ => (0.535, 1.107, 0.2),
        };
        Calibration { base, slope, error }
    }

    /// The chance that belongs to a value, both 0 to 1. The order of values is kept; 0 and 1 stay
    /// what they are.
    #[must_use]
    pub fn chance(&self, value: f64) -> f64 {
        if value <= 0.0 || value >= 1.0 {
            return value.clamp(0.0, 1.0);
        }
        let odds = self.base + self.slope * (value / (1.0 - value)).ln();
        1.0 / (1.0 + (-odds).exp())
    }

    /// An end of the interval for the chance that belongs to `value`. `end` is that end of the
    /// interval for the value, both 0 to 1; the calibration is uncertain by `errors` of its
    /// standard errors. Independent errors add up as squares, in log-odds. Where a value is 0 or 1,
    /// both count in full.
    #[must_use]
    pub fn end(&self, value: f64, end: f64, errors: f64) -> f64 {
        let inside = |share: f64| share > 0.0 && share < 1.0;
        let odds = |share: f64| (share / (1.0 - share)).ln();
        let own = errors * self.error;
        let sign = if end < value { -1.0 } else { 1.0 };
        if !inside(end) {
            return self.chance(end);
        }
        let off = if inside(value) {
            let sampled = self.slope * (odds(end) - odds(value)).abs();
            sampled.hypot(own) - sampled
        } else {
            own
        };
        let base = self.base + sign * off;
        Calibration { base, ..*self }.chance(end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_fit_that_applies_is_taken() {
        let of = |changes: &str| Calibration::of_tree(&Rules::with_changes(changes).unwrap());
        assert_ne!(of("spaces=any"), of("draw=3"));
        assert_ne!(of("draw=1 spaces=any"), of("draw=1"));
        assert_ne!(of("draw=1 spaces=any"), of("spaces=any"));
        assert_eq!(of("redeals=2 spaces=any"), of("redeals=2"));
        assert_eq!(of("runs=whole redeals=2"), of("runs=whole"));
        let reversed = "reversed-groups=yes";
        assert_ne!(of(reversed), of("draw=3"));
        assert_eq!(of(&format!("{reversed} spaces=any")), of(reversed));
        assert_ne!(of(&format!("{reversed} runs=whole")), of(reversed));
        assert_eq!(of(&format!("{reversed} draw=2")), of("draw=1"));
        assert_eq!(of(&format!("{reversed} redeals=0")), of("redeals=0"));
    }
}
