//! What can be wrong with a seed, a scheme or a range.

use crate::deal::seed::Scheme;

/// A question after a name that is nearly that of a scheme.
fn meant(name: &str) -> String {
    let plain = name.to_lowercase().replace(['_', ' '], "-");
    let near = |scheme: &&Scheme| scheme.name() == plain || scheme.name().replace('-', "") == plain;
    let found = Scheme::ALL.iter().find(near);
    found.map_or_else(String::new, |scheme| format!(" (did you mean `{scheme}`?)"))
}

/// What is wrong with a seed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SeedError {
    /// There is no scheme with this name.
    #[error(
        "there is no seed scheme `{}`{}; known: {}",
        .0.escape_debug(),
        meant(.0),
        Scheme::ALL.map(Scheme::name).join(" ")
    )]
    UnknownScheme(String),
    /// A text without the colon of `SCHEME:N`.
    #[error("`{}` names no scheme: write SCHEME:N, such as solvitaire:22", .0.escape_debug())]
    NoScheme(String),
    /// Deals with consecutive seeds of this scheme are almost the same.
    #[error(
        "the scheme {0} numbers all deals in order: deals with consecutive seeds are almost the \
         same, and no sample; use another scheme, such as klondike"
    )]
    NoSample(Scheme),
    /// Not a whole number, or one of more than 80 digits.
    #[error("{}", not_a_number(.0))]
    NotANumber(String),
    /// A whole number that does not fit into 256 bits.
    #[error(
        "seed {0} is out of range: the highest seed of all schemes is {highest}",
        highest = highest()
    )]
    TooLarge(String),
    /// The scheme has no such seed.
    #[error(
        "seed {number} is out of range: the seeds of {scheme} are {} to {}",
        .scheme.range().0,
        .scheme.range().1
    )]
    OutOfRange {
        /// The scheme.
        scheme: Scheme,
        /// The number, in decimal digits.
        number: String,
    },
    /// Solvitaire's -1.
    #[error("seed -1 means `no seed` to Solvitaire and so is no deal")]
    NoSeed,
    /// A range whose end is below its start.
    #[error("the range {first}..{last} is empty: its end is below its start")]
    Backwards {
        /// Start of the range, in decimal digits.
        first: String,
        /// End of the range, in decimal digits.
        last: String,
    },
    /// The scheme is another program's, which deals 52 cards to piles of 1 to 7 only.
    #[error(
        "the scheme {0} deals 52 cards to piles 1,2,3,4,5,6,7 only; \
         for other decks and layouts use klondike:N"
    )]
    StandardOnly(Scheme),
    /// The piles need more cards than the deck has.
    #[error("the piles need {layout} cards, but the deck has only {deck}")]
    TooFewCards {
        /// Cards the piles need.
        layout: usize,
        /// Cards of the deck.
        deck: usize,
    },
    /// The scheme needs the cargo feature `formats`, which this build does not have.
    #[error(
        "the scheme {0} is off in this build: build the crate with its cargo feature `formats`"
    )]
    Off(Scheme),
}

/// The highest seed of all schemes, as a text.
fn highest() -> String {
    let last = Scheme::ALL.into_iter().map(|scheme| scheme.range().1);
    last.max().map_or_else(String::new, |seed| seed.to_string())
}

fn not_a_number(text: &str) -> String {
    let shown = text.escape_debug();
    if text.contains("..") {
        format!("`{shown}` is not one seed, and several are not taken here: write a whole number")
    } else {
        format!("`{shown}` is not a seed: write a whole number")
    }
}
