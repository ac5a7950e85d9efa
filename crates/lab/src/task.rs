//! The deals that a run decides or a bound examines, and the rules they are played by.

use std::sync::Arc;

use klondike_game::deal::seed::{DealId, DealRange, Seed, SeedError};
use klondike_game::rules::Rules;
use klondike_game::table::{Table, TableError};
use klondike_lemmas::kplus::Unsupported;

/// A sample of deals under rules.
#[derive(Clone, Debug)]
pub struct Task {
    rules: Arc<Rules>,
    range: DealRange,
    count: u64,
}

impl Task {
    /// The deals of `range` under `rules`.
    ///
    /// # Errors
    /// If deals with consecutive seeds of the scheme are no sample, the scheme deals other decks,
    /// or there are too many deals.
    pub fn new(rules: &Arc<Rules>, range: DealRange) -> Result<Task, TaskError> {
        let scheme = range.scheme();
        if !scheme.gives_samples() {
            return Err(TaskError::Seed(SeedError::NoSample(scheme)));
        }
        let count = range.count_left().ok_or(TaskError::TooMany)?;
        let task = Task {
            rules: Arc::clone(rules),
            range,
            count,
        };
        task.table(0)?;
        Ok(task)
    }

    /// The rules.
    #[must_use]
    pub fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    /// The deals.
    #[must_use]
    pub fn range(&self) -> &DealRange {
        &self.range
    }

    /// Number of deals.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The seed of the deal at `offset`.
    #[must_use]
    pub fn seed(&self, offset: u64) -> Seed {
        self.range.ends().0.plus(offset)
    }

    pub(super) fn table(&self, offset: u64) -> Result<Table, TaskError> {
        let id = DealId::new(self.range.scheme(), self.seed(offset)).map_err(TaskError::Seed)?;
        let deal = id
            .deal(self.rules.deck(), self.rules.layout())
            .map_err(TaskError::Seed)?;
        Table::new(Arc::clone(&self.rules), &deal).map_err(TaskError::Deal)
    }

    /// Whether the verdict of the deal at `offset` is checked if this share of all verdicts is:
    /// the same deals in every run of the scheme. A larger share includes the deals of a smaller
    /// one.
    pub(super) fn is_audited(&self, offset: u64, share: f64) -> bool {
        if share <= 0.0 {
            return false;
        }
        let name = format!("{}:{}", self.range.scheme(), self.seed(offset));
        f64::from(crc32fast::hash(name.as_bytes())) < share * (f64::from(u32::MAX) + 1.0)
    }
}

/// Why deals cannot be decided or examined.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TaskError {
    /// The dead-end analysis covers neither the rules nor looser ones.
    #[error("the dead-end analysis does not cover {}", not_covered(*.0))]
    Unsupported(Unsupported),
    /// The scheme cannot deal this, or its deals are no sample.
    #[error(transparent)]
    Seed(SeedError),
    /// A deal does not fit the rules.
    #[error(transparent)]
    Deal(TableError),
    /// More deals than can be counted.
    #[error("more deals than can be counted")]
    TooMany,
}

/// The rules that the analysis does not cover.
fn not_covered(reason: Unsupported) -> String {
    match reason {
        Unsupported::Spaces => "what empty piles take: use --spaces kings".to_owned(),
        reason => format!("these rules: {reason}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use klondike_game::deal::seed::Scheme;

    #[test]
    fn a_smaller_share_is_checked_within_a_larger() {
        let rules = Arc::new(Rules::standard());
        let range = DealRange::from_first(Scheme::Klondike, &Seed::from(1_u64), 4000).unwrap();
        let task = Task::new(&rules, range).unwrap();
        let chosen = |share: f64| (0..4000).filter(|&k| task.is_audited(k, share)).count();
        assert_eq!((chosen(0.0), chosen(1.0)), (0, 4000));
        // Four standard errors are 76.
        assert!((324..=476).contains(&chosen(0.1)), "{}", chosen(0.1));
        assert!((0..4000).all(|k| !task.is_audited(k, 0.1) || task.is_audited(k, 0.2)));
    }
}
