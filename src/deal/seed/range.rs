//! Deals by their texts: `SCHEME:N` for one, `SCHEME:A..B` for many.

use std::fmt;
use std::str::FromStr;

use super::{Scheme, Seed, SeedError, split_scheme};
use crate::deal::Deal;
use crate::rules::{Deck, Layout};

/// The name of one deal, `SCHEME:N`, such as `solvitaire:22`.
///
/// The seed is always in the range of the scheme.
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

    /// The deal itself.
    ///
    /// # Errors
    /// As [`Scheme::deal_for`].
    pub fn deal(&self, deck: Deck, layout: &Layout) -> Result<Deal, SeedError> {
        self.scheme.deal_for(&self.seed, deck, layout)
    }
}

impl fmt::Display for DealId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.scheme, self.seed)
    }
}

impl FromStr for DealId {
    type Err = SeedError;

    fn from_str(text: &str) -> Result<DealId, SeedError> {
        let (scheme, seed) = split_scheme(text)?;
        DealId::new(scheme, seed.parse()?)
    }
}

/// The deals with consecutive seeds, `SCHEME:A..B`, **both ends included**: `solvitaire:1..1000`
/// are a thousand deals. `SCHEME:N` is a range of one.
///
/// It is an iterator over what is left of it and takes no more room for a million deals than for
/// one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct DealRange {
    scheme: Scheme,
    next: Seed,
    last: Seed,
}

impl DealRange {
    /// The deals of `scheme` from `first` to `last`, both included.
    ///
    /// # Errors
    /// If one of the seeds is not one of the scheme's, or `last` is below `first`.
    pub fn new(scheme: Scheme, first: Seed, last: Seed) -> Result<DealRange, SeedError> {
        scheme.check(&first)?;
        scheme.check(&last)?;
        if first > last {
            return Err(SeedError::Backwards { first, last });
        }
        let none = Seed::from(-1_i64);
        if scheme == Scheme::Solvitaire && first < none && none < last {
            return Err(SeedError::NoSeed);
        }
        Ok(DealRange {
            scheme,
            next: first,
            last,
        })
    }

    /// `count` deals of `scheme` from `first` on.
    ///
    /// # Errors
    /// If there are no deals or more than the scheme has from there.
    pub fn from_first(scheme: Scheme, first: &Seed, count: u64) -> Result<DealRange, SeedError> {
        let last = Seed(&first.0 + count - 1);
        DealRange::new(scheme, first.clone(), last)
    }

    /// The first seed that is left and the last one.
    #[must_use]
    pub fn ends(&self) -> (&Seed, &Seed) {
        (&self.next, &self.last)
    }

    /// Leaves out the next `count` deals, without dealing them.
    pub fn skip_deals(&mut self, count: u64) {
        self.next.0 += count;
    }

    /// The scheme of the deals.
    #[must_use]
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// Number of deals left, if it fits into 64 bits.
    #[must_use]
    pub fn count_left(&self) -> Option<u64> {
        u64::try_from(&self.last.0 - &self.next.0 + 1).ok()
    }
}

impl From<DealId> for DealRange {
    fn from(id: DealId) -> DealRange {
        DealRange {
            scheme: id.scheme,
            next: id.seed.clone(),
            last: id.seed,
        }
    }
}

impl Iterator for DealRange {
    type Item = DealId;

    fn next(&mut self) -> Option<DealId> {
        if self.next > self.last {
            return None;
        }
        let after = self.next.next();
        Some(DealId {
            scheme: self.scheme,
            seed: std::mem::replace(&mut self.next, after),
        })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.count_left().and_then(|n| usize::try_from(n).ok());
        (left.unwrap_or(usize::MAX), left)
    }
}

impl fmt::Display for DealRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}..{}", self.scheme, self.next, self.last)
    }
}

impl FromStr for DealRange {
    type Err = SeedError;

    fn from_str(text: &str) -> Result<DealRange, SeedError> {
        let (scheme, seeds) = split_scheme(text)?;
        match seeds.split_once("..") {
            None => Ok(DealId::new(scheme, seeds.parse()?)?.into()),
            Some((first, last)) => DealRange::new(scheme, first.parse()?, last.parse()?),
        }
    }
}
