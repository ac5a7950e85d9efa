//! Deals with consecutive seeds, `SCHEME:A..B`.

use std::fmt;
use std::iter::FusedIterator;
use std::str::FromStr;

use crate::deal::seed::id::split_scheme;
use crate::deal::seed::{DealId, Scheme, Seed, SeedError};

/// The deals with consecutive seeds, `SCHEME:A..B`, **both ends included**: `solvitaire:1..1000`
/// are a thousand deals. `SCHEME:N` is a range of one.
///
/// It is an iterator over the deals that are left. A million deals take no more memory than one.
///
/// ```
/// use klondike::DealRange;
///
/// let range: DealRange = "klondike-solver:-2..3".parse()?;
/// let ids: Vec<String> = range.map(|id| id.to_string()).collect();
/// assert_eq!(ids.len(), 6);
/// assert_eq!(ids[0], "klondike-solver:-2");
/// # Ok::<(), klondike::SeedError>(())
/// ```
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
            return Err(SeedError::Backwards {
                first: first.to_string(),
                last: last.to_string(),
            });
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
    /// If `count` is 0, or more deals than the scheme has from there.
    pub fn from_first(scheme: Scheme, first: &Seed, count: u64) -> Result<DealRange, SeedError> {
        let last = Seed(first.plus(count).0.saturating_sub(1.into()));
        DealRange::new(scheme, first.clone(), last)
    }

    /// The first seed that is left and the last one.
    #[must_use]
    pub fn ends(&self) -> (&Seed, &Seed) {
        (&self.next, &self.last)
    }

    /// Leaves out the next `count` deals, without dealing them.
    pub fn skip_deals(&mut self, count: u64) {
        self.next = self.next.plus(count).min(self.last.plus(1));
    }

    /// The scheme of the deals.
    #[must_use]
    pub fn scheme(&self) -> Scheme {
        self.scheme
    }

    /// Number of deals left, if it fits into 64 bits.
    #[must_use]
    pub fn count_left(&self) -> Option<u64> {
        self.last.plus(1).places_after(&self.next)
    }
}

impl From<DealId> for DealRange {
    fn from(id: DealId) -> DealRange {
        DealRange {
            scheme: id.scheme(),
            next: id.seed().clone(),
            last: id.seed().clone(),
        }
    }
}

impl Iterator for DealRange {
    type Item = DealId;

    fn next(&mut self) -> Option<DealId> {
        if self.next > self.last {
            return None;
        }
        let after = self.next.plus(1);
        let seed = std::mem::replace(&mut self.next, after);
        Some(DealId::new_unchecked(self.scheme, seed))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.count_left().and_then(|n| usize::try_from(n).ok());
        (left.unwrap_or(usize::MAX), left)
    }
}

impl FusedIterator for DealRange {}

impl fmt::Display for DealRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}:{}..{}", self.scheme, self.next, self.last))
    }
}

impl FromStr for DealRange {
    type Err = SeedError;

    fn from_str(text: &str) -> Result<DealRange, SeedError> {
        let (scheme, seeds) = split_scheme(text)?;
        let Some((first, last)) = seeds.split_once("..") else {
            return Ok(DealId::new(scheme, scheme.read_seed(seeds)?)?.into());
        };
        DealRange::new(scheme, scheme.read_seed(first)?, scheme.read_seed(last)?)
    }
}
