//! Deals by number: the seed schemes of this program and of other programs.
//!
//! A [`Scheme`] turns a [`Seed`] into a [`Deal`](crate::deal::Deal). [`DealId`] is the text
//! `SCHEME:N` for one deal, [`DealRange`] the text `SCHEME:A..B` for many. Our own scheme,
//! [`Scheme::Klondike`], deals every deck and layout. The schemes of other programs deal 52 cards
//! to seven piles, card for card as the program does. The files below this one describe the
//! shuffles.
//!
//! ```
//! use klondike::{DealId, DealRange, Scheme, Seed};
//!
//! let deal = Scheme::Solvitaire.deal(&Seed::from(22_u64))?;
//! let id: DealId = "solvitaire:22".parse()?;
//! assert_eq!(id.standard_deal()?, deal);
//!
//! let range: DealRange = "solvitaire:1..1000".parse()?;
//! assert_eq!(range.count_left(), Some(1000));
//! # Ok::<(), klondike::SeedError>(())
//! ```

mod decks;
mod error;
mod greenfelt;
mod id;
mod klondike_solver;
mod ksolve;
mod lonelybot;
#[cfg(feature = "formats")]
mod lonelybot_2024;
pub(super) mod own;
mod permutation;
mod pysol;
mod range;
mod scheme;
mod solvitaire;

use std::fmt;
use std::num::IntErrorKind;
use std::str::FromStr;

use ethnum::I256;

pub use error::SeedError;
pub use id::{DealId, looks_like_seed};
pub use range::DealRange;
pub use scheme::Scheme;

/// The number of a deal: a whole number below 2²⁵⁵ in size.
///
/// The largest seeds are below 52!, which is below 2²²⁶. [`Scheme::range`] gives the seeds that a
/// scheme takes.
///
/// In JSON a seed is a text of decimal digits, because many JSON readers lose digits of long
/// numbers.
///
/// ```
/// use klondike::Seed;
///
/// let seed: Seed = "80658175170943878571660636856403766975289505440883277823999999999999"
///     .parse()?;
/// assert_eq!(seed.to_u64(), None);
/// assert_eq!(Seed::from(22_u64).plus(3).to_string(), "25");
/// # Ok::<(), klondike::SeedError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(
    feature = "formats",
    derive(serde::Serialize, serde::Deserialize),
    serde(into = "String", try_from = "String")
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Seed(#[cfg_attr(feature = "schema", schemars(with = "String"))] I256);

impl Seed {
    /// The number, or `None` if it is negative or does not fit into 64 bits.
    #[must_use]
    pub fn to_u64(&self) -> Option<u64> {
        u64::try_from(self.0).ok()
    }

    /// The seed `count` places further on. It stops at 2²⁵⁵ − 1, which no scheme takes.
    #[must_use]
    pub fn plus(&self, count: u64) -> Seed {
        Seed(self.0.saturating_add(count.into()))
    }

    /// How many places this seed is further on than `other`. `None` if it is before `other` or if
    /// the distance does not fit into 64 bits.
    #[must_use]
    pub fn places_after(&self, other: &Seed) -> Option<u64> {
        u64::try_from(self.0.checked_sub(other.0)?).ok()
    }

    /// The seed modulo 2⁶⁴. A seed in the range of a 64-bit scheme does not change.
    fn low64(&self) -> u64 {
        self.0.as_u64()
    }

    /// The seed modulo 2³², as the programs with 32-bit seeds take it.
    fn low32(&self) -> u32 {
        self.0.as_u32()
    }
}

impl From<u64> for Seed {
    fn from(number: u64) -> Seed {
        Seed(number.into())
    }
}

impl From<i64> for Seed {
    fn from(number: i64) -> Seed {
        Seed(number.into())
    }
}

impl From<Seed> for String {
    fn from(seed: Seed) -> String {
        seed.to_string()
    }
}

impl TryFrom<String> for Seed {
    type Error = SeedError;

    fn try_from(text: String) -> Result<Seed, SeedError> {
        text.parse()
    }
}

impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// Reads decimal digits, with `-` before them for a negative number.
impl FromStr for Seed {
    type Err = SeedError;

    fn from_str(text: &str) -> Result<Seed, SeedError> {
        let digits = text.strip_prefix('-').unwrap_or(text);
        let all_digits = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
        // 80 digits hold every seed of every scheme and keep the reading quick.
        if !all_digits || digits.len() > 80 {
            return Err(SeedError::NotANumber(short(text)));
        }
        match I256::from_str_radix(text, 10) {
            Ok(number) => Ok(Seed(number)),
            Err(error) => Err(match error.kind() {
                IntErrorKind::PosOverflow | IntErrorKind::NegOverflow => {
                    let sign = &text[..text.len() - digits.len()];
                    SeedError::TooLarge(format!("{sign}{}", digits.trim_start_matches('0')))
                }
                _ => SeedError::NotANumber(short(text)),
            }),
        }
    }
}

/// The start of a text, to be shown in an error.
fn short(text: &str) -> String {
    text.chars().take(90).collect()
}

#[cfg(all(test, not(feature = "formats")))]
mod tests {
    use super::*;

    #[test]
    fn schemes_that_are_off_say_so() {
        for text in ["lonelybot-default-2024:1", "lonelybot-legacy-2024:1"] {
            let id: DealId = text.parse().unwrap();
            let error = id.standard_deal().unwrap_err();
            assert_eq!(error, SeedError::Off(id.scheme()));
            let shown = error.to_string();
            let scheme = id.scheme();
            assert!(
                shown.starts_with(&format!("the scheme {scheme} is off")),
                "{shown}"
            );
        }
    }
}
