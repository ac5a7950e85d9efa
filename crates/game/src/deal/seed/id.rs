//! The name of one deal, `SCHEME:N`.

use std::fmt;
use std::str::FromStr;

use crate::deal::Deal;
use crate::deal::seed::{Scheme, Seed, SeedError, short};
use crate::rules::{Deck, Layout};

/// The name of one deal, `SCHEME:N`, such as `solvitaire:22`.
///
/// The seed is always in the range of the scheme.
///
/// ```
/// use klondike::{DealId, Scheme};
///
/// let id: DealId = "solvitaire:22".parse()?;
/// assert_eq!((id.scheme(), id.seed().to_u64()), (Scheme::Solvitaire, Some(22)));
/// let error = "greenfelt:0".parse::<DealId>().unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "seed 0 is out of range: the seeds of greenfelt are 1 to 2147483646"
/// );
/// # Ok::<(), klondike::SeedError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DealId {
    scheme: Scheme,
    seed: Seed,
}

impl DealId {
    /// The deal of `scheme` with this seed.
    ///
    /// # Errors
    /// If the seed is not one of the scheme's.
    pub fn new(scheme: Scheme, seed: Seed) -> Result<DealId, SeedError> {
        scheme.check(&seed)?;
        Ok(DealId { scheme, seed })
    }

    /// The same without the check, for seeds from a checked range.
    pub(super) fn new_unchecked(scheme: Scheme, seed: Seed) -> DealId {
        debug_assert!(scheme.check(&seed).is_ok());
        DealId { scheme, seed }
    }

    /// The scheme.
    #[must_use]
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// The seed.
    #[must_use]
    pub fn seed(&self) -> &Seed {
        &self.seed
    }

    /// The deal itself, with this deck and layout.
    ///
    /// # Errors
    /// As [`Scheme::deal_for`].
    pub fn deal(&self, deck: Deck, layout: &Layout) -> Result<Deal, SeedError> {
        self.scheme.deal_for(&self.seed, deck, layout)
    }

    /// The deal itself, of 52 cards and piles of 1 to 7.
    ///
    /// # Errors
    /// As [`Scheme::deal`].
    pub fn standard_deal(&self) -> Result<Deal, SeedError> {
        self.scheme.deal(&self.seed)
    }
}

impl fmt::Display for DealId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}:{}", self.scheme, self.seed))
    }
}

impl FromStr for DealId {
    type Err = SeedError;

    fn from_str(text: &str) -> Result<DealId, SeedError> {
        let (scheme, seed) = split_scheme(text)?;
        DealId::new(scheme, scheme.read_seed(seed)?)
    }
}

/// Whether a text is meant as `SCHEME:N` or `SCHEME:A..B`: a word, a colon and something that
/// starts like a number. The scheme need not exist.
///
/// ```
/// use klondike_game::deal::seed::looks_like_seed;
///
/// assert!(looks_like_seed("solvitaire:22") && looks_like_seed("misspelt:1..9"));
/// assert!(!looks_like_seed("stock: 2C") && !looks_like_seed("1: KS"));
/// ```
#[must_use]
pub fn looks_like_seed(text: &str) -> bool {
    let Some((scheme, seed)) = text.split_once(':') else {
        return false;
    };
    let in_word = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    let is_word =
        scheme.starts_with(|c: char| c.is_ascii_alphabetic()) && scheme.chars().all(in_word);
    let is_number = seed.starts_with(|c: char| c.is_ascii_digit() || c == '-');
    is_word && is_number || scheme.parse::<Scheme>().is_ok()
}

/// The scheme before the colon, and the text after it.
pub(super) fn split_scheme(text: &str) -> Result<(Scheme, &str), SeedError> {
    let (scheme, seed) = text
        .split_once(':')
        .ok_or_else(|| SeedError::NoScheme(short(text)))?;
    Ok((scheme.parse()?, seed))
}
