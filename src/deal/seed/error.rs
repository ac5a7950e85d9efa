//! What is wrong with a seed, a scheme or a range.

use std::fmt;

use super::{Scheme, Seed};

/// What is wrong with a seed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum SeedError {
    /// There is no scheme with this name.
    UnknownScheme(String),
    /// A text without the colon of `SCHEME:N`.
    NoScheme(String),
    /// Not a whole number, or one of more than 80 digits.
    NotANumber(String),
    /// The scheme has no such seed.
    OutOfRange {
        /// The scheme.
        scheme: Scheme,
        /// The number.
        seed: Seed,
    },
    /// Solvitaire's -1.
    NoSeed,
    /// A range whose end is below its start.
    Backwards {
        /// Start of the range.
        first: Seed,
        /// End of the range.
        last: Seed,
    },
    /// The scheme is another program's, which deals 52 cards to piles of 1 to 7 only.
    StandardOnly(Scheme),
    /// The piles need more cards than the deck has.
    TooFewCards {
        /// Cards the piles need.
        layout: usize,
        /// Cards of the deck.
        deck: usize,
    },
}

impl fmt::Display for SeedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SeedError::UnknownScheme(name) => {
                write!(
                    f,
                    "there is no seed scheme `{}`; known:",
                    name.escape_debug()
                )?;
                for scheme in Scheme::ALL {
                    write!(f, " {scheme}")?;
                }
                Ok(())
            }
            SeedError::NoScheme(text) => write!(
                f,
                "`{}` names no scheme: write SCHEME:N, such as solvitaire:22",
                text.escape_debug()
            ),
            SeedError::NotANumber(text) if text.contains("..") => write!(
                f,
                "`{}` is not one seed, and several are not taken here: write a whole number",
                text.escape_debug()
            ),
            SeedError::NotANumber(text) => write!(
                f,
                "`{}` is not a seed: write a whole number, or A..B for a range",
                text.escape_debug()
            ),
            SeedError::OutOfRange { scheme, seed } => {
                let (first, last) = scheme.range();
                write!(
                    f,
                    "seed {seed} is out of range: the seeds of {scheme} are {first} to {last}"
                )
            }
            SeedError::NoSeed => {
                f.write_str("seed -1 means `no seed` to Solvitaire and so is no deal")
            }
            SeedError::Backwards { first, last } => write!(
                f,
                "the range {first}..{last} is empty: its end is below its start"
            ),
            SeedError::StandardOnly(scheme) => write!(
                f,
                "the scheme {scheme} deals 52 cards to piles 1,2,3,4,5,6,7 only; for other decks \
                and layouts use klondike:N"
            ),
            SeedError::TooFewCards { layout, deck } => write!(
                f,
                "the piles need {layout} cards, but the deck has only {deck}"
            ),
        }
    }
}

impl std::error::Error for SeedError {}
