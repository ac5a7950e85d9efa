//! Words and values that several answers have.

use std::fmt::{self, Display};

use klondike_batch::interval::Interval;
use klondike_check::ProvedVerdict;
use klondike_engine::prove::Verdict;
use klondike_engine::search::Limit;
use serde::Serialize;

/// `72,099,595,172,416`. The number must be shown as decimal digits.
#[must_use]
pub fn grouped(number: impl Display) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Whether a deal can be won.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum VerdictName {
    /// It can be won.
    Winnable,
    /// It cannot be won.
    Unwinnable,
    /// It is not decided within the limits.
    Undecided,
}

impl From<&Verdict> for VerdictName {
    fn from(verdict: &Verdict) -> VerdictName {
        match verdict {
            Verdict::Winnable(_) => VerdictName::Winnable,
            Verdict::Unwinnable(_) => VerdictName::Unwinnable,
            Verdict::Undecided(_) => VerdictName::Undecided,
        }
    }
}

impl From<ProvedVerdict> for VerdictName {
    fn from(verdict: ProvedVerdict) -> VerdictName {
        match verdict {
            ProvedVerdict::Winnable => VerdictName::Winnable,
            ProvedVerdict::Unwinnable => VerdictName::Unwinnable,
        }
    }
}

impl fmt::Display for VerdictName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            VerdictName::Winnable => "winnable",
            VerdictName::Unwinnable => "unwinnable",
            VerdictName::Undecided => "undecided",
        })
    }
}

/// The limit that ended a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum LimitName {
    /// Most states to store.
    States,
    /// Most memory.
    Memory,
    /// Most time.
    Time,
    /// Somebody stopped the search.
    Interrupt,
}

impl From<Limit> for LimitName {
    fn from(limit: Limit) -> LimitName {
        match limit {
            Limit::States => LimitName::States,
            Limit::Memory => LimitName::Memory,
            Limit::Time => LimitName::Time,
            Limit::Interrupt => LimitName::Interrupt,
        }
    }
}

impl fmt::Display for LimitName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            LimitName::States => "states",
            LimitName::Memory => "memory",
            LimitName::Time => "time",
            LimitName::Interrupt => "interrupt",
        })
    }
}

/// A mean, its standard deviation (of a single number) and its interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// The standard deviation of the values, with n − 1; 0 for a single one.
    pub deviation: f64,
    /// Student's interval of the mean; none for fewer than two values, or if all are the same:
    /// nothing says then how far off the mean may be.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<Interval>,
}
