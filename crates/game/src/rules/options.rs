//! The parameters with few values: redeals, runs and empty piles.

use std::fmt;
use std::str::FromStr;

use crate::rules::RulesError;

/// How often the waste may be turned back into the stock.
///
/// ```
/// use klondike::Redeals;
///
/// assert_eq!("unlimited".parse(), Ok(Redeals::Unlimited));
/// assert_eq!("2".parse(), Ok(Redeals::Limited(2)));
/// assert!("-1".parse::<Redeals>().is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Redeals {
    /// As often as the player likes.
    #[default]
    Unlimited,
    /// At most this many times; 0 means a single pass through the talon.
    Limited(u32),
    /// As often as the player likes, and once, in place of a redeal, for a last pass in which draws
    /// turn one card at a time; after it there is no redeal (Donkersteeg 2010, section 2.1).
    LastPassByOnes,
}

/// Reads `unlimited`, `last-pass-by-ones` or a number.
impl FromStr for Redeals {
    type Err = RulesError;

    fn from_str(text: &str) -> Result<Redeals, RulesError> {
        match text {
            "unlimited" => Ok(Redeals::Unlimited),
            "last-pass-by-ones" => Ok(Redeals::LastPassByOnes),
            _ => text
                .parse()
                .map(Redeals::Limited)
                .map_err(|_| RulesError::RedealsText(text.chars().take(60).collect())),
        }
    }
}

impl fmt::Display for Redeals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Redeals::Unlimited => f.pad("unlimited"),
            Redeals::Limited(n) => f.pad(&n.to_string()),
            Redeals::LastPassByOnes => f.pad("last-pass-by-ones"),
        }
    }
}

/// Which face-up cards of a pile may be moved to another pile together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Runs {
    /// Any number of cards from the top of the pile: the standard rule.
    #[default]
    Partial,
    /// Only all face-up cards of the pile at once (Yan et al. 2004, Kortsmit 2014).
    Whole,
    /// All face-up cards, or a part if the uncovered card goes to the foundation in the very next
    /// move (the "double move" of Donkersteeg 2010).
    PartialIfPlayed,
}

/// Reads `partial`, `whole` or `partial-if-played`.
impl FromStr for Runs {
    type Err = RulesError;

    fn from_str(text: &str) -> Result<Runs, RulesError> {
        match text {
            "partial" => Ok(Runs::Partial),
            "whole" => Ok(Runs::Whole),
            "partial-if-played" => Ok(Runs::PartialIfPlayed),
            _ => Err(RulesError::RunsText(text.chars().take(60).collect())),
        }
    }
}

impl fmt::Display for Runs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Runs::Partial => "partial",
            Runs::Whole => "whole",
            Runs::PartialIfPlayed => "partial-if-played",
        })
    }
}

/// What an empty pile accepts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Spaces {
    /// Cards of the highest rank only: the standard rule.
    #[default]
    Kings,
    /// Any card.
    Any,
    /// Nothing (Kortsmit's "no Kings move").
    Nothing,
}

/// Reads `kings`, `any` or `nothing`.
impl FromStr for Spaces {
    type Err = RulesError;

    fn from_str(text: &str) -> Result<Spaces, RulesError> {
        match text {
            "kings" => Ok(Spaces::Kings),
            "any" => Ok(Spaces::Any),
            "nothing" => Ok(Spaces::Nothing),
            _ => Err(RulesError::SpacesText(text.chars().take(60).collect())),
        }
    }
}

impl fmt::Display for Spaces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Spaces::Kings => "kings",
            Spaces::Any => "any",
            Spaces::Nothing => "nothing",
        })
    }
}
