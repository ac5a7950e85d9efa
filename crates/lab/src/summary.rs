//! What a run found, in numbers: small, the same on every machine, and possible to add up.
//!
//! [`Summary`] holds only what follows from the records; what depends on the clock stands in
//! [`Times`]. Both are JSON, `summary.json` and `times.json` of a run directory. Summaries of
//! ranges that do not overlap can be joined to that of all of them, which is the same as the
//! summary of the joined records.

use std::collections::{BTreeMap, BTreeSet};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::contents::Contents;
use super::manifest::RunLimits;
use super::record::{Audit, Hit, Outcome, Proof, Record};
use klondike_game::deal::seed::Seed;
use klondike_play::interval::Interval;

/// Deals named in a summary as the hardest, and in the times as the slowest.
const HARDEST: usize = 20;

/// Confidence of the intervals in a summary.
pub const CONFIDENCE: f64 = 0.95;

/// Something for each verdict.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct ByVerdict<T> {
    /// Of the winnable deals.
    pub winnable: T,
    /// Of the unwinnable deals.
    pub unwinnable: T,
    /// Of the undecided deals.
    pub undecided: T,
}

impl<T> ByVerdict<T> {
    fn of(&mut self, outcome: Outcome) -> &mut T {
        match outcome.winnable() {
            Some(true) => &mut self.winnable,
            Some(false) => &mut self.unwinnable,
            None => &mut self.undecided,
        }
    }

    fn each(&mut self, other: &ByVerdict<T>, join: impl Fn(&mut T, &T)) {
        join(&mut self.winnable, &other.winnable);
        join(&mut self.unwinnable, &other.unwinnable);
        join(&mut self.undecided, &other.undecided);
    }
}

/// How many numbers have a given size: entry 0 counts zeros, entry b the numbers from 2^(b−1) to
/// 2^b − 1.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Sizes(pub Vec<u64>);

impl Sizes {
    fn count(&mut self, number: u64) {
        let size = (u64::BITS - number.leading_zeros()) as usize;
        if self.0.len() <= size {
            self.0.resize(size + 1, 0);
        }
        self.0[size] += 1;
    }

    fn join(&mut self, other: &Sizes) {
        if self.0.len() < other.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (mine, more) in self.0.iter_mut().zip(&other.0) {
            *mine += more;
        }
    }
}

/// Deals with consecutive seeds that have records.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct SeedRange {
    /// Seed of the first.
    pub first: Seed,
    /// How many.
    pub deals: u64,
}

/// How the losses were proven.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Proofs {
    /// Blocked from the start.
    pub blocked: u64,
    /// Refuted by the relaxation of the first position.
    pub refuted: u64,
    /// Searched.
    pub searched: u64,
    /// Those of them that were proven under rules that allow more.
    pub weaker_rules: u64,
}

/// Which limits left deals undecided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Hits {
    /// The limit of states.
    pub states: u64,
    /// The limit of memory.
    pub memory: u64,
    /// The limit of time.
    pub time: u64,
}

/// What became of the certificates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Audits {
    /// Made, and they prove the verdict.
    pub held: u64,
    /// Not possible for such a loss under these rules.
    pub impossible: u64,
    /// Not made or checked within the limits.
    pub over_limit: u64,
    /// Refused by the checker.
    pub refused: u64,
}

/// A deal that took much.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Hard {
    /// Its seed.
    pub seed: Seed,
    /// `winnable`, `unwinnable` or `undecided`.
    pub verdict: String,
    /// States of both searches, or microseconds.
    pub amount: u64,
}

/// Keeps the hardest, in one order whatever the order they came in.
fn keep_hardest(hard: &mut Vec<Hard>) {
    hard.sort_by(|a, b| b.amount.cmp(&a.amount).then_with(|| a.seed.cmp(&b.seed)));
    hard.truncate(HARDEST);
}

/// The estimate that follows from a summary.
#[derive(Clone, Copy, Debug, PartialEq, JsonSchema, Serialize)]
pub struct Estimate {
    /// Confidence of the intervals.
    pub confidence: f64,
    /// Share of winnable deals among the decided ones.
    pub share: f64,
    /// Wilson's interval, with the undecided both ways.
    pub wilson: Interval,
    /// The interval of Clopper and Pearson, with the undecided both ways.
    pub clopper_pearson: Interval,
}

/// What a run found.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Summary {
    kind: String,
    version: u32,
    /// Versions of the program that decided the deals.
    pub programs: BTreeSet<String>,
    /// The rules as JSON.
    pub rules: serde_json::Value,
    /// The rules in words.
    pub rules_text: String,
    /// Seed scheme of the deals.
    pub scheme: String,
    /// The limits that were in force, each once.
    pub limits: Vec<RunLimits>,
    /// The deals with records, in ascending order.
    pub ranges: Vec<SeedRange>,
    /// Deals with records.
    pub deals: u64,
    /// Deals of the run that have none; those set aside are among them.
    pub missing: u64,
    /// Deals that are set aside to be finished last.
    pub set_aside: u64,
    /// Deals with each verdict.
    pub verdicts: ByVerdict<u64>,
    /// How the losses were proven.
    pub proofs: Proofs,
    /// Which limits left deals undecided.
    pub hits: Hits,
    /// What became of the certificates.
    pub audits: Audits,
    /// States of the main search, all deals together.
    pub states: u64,
    /// States of the draw-1 oracle, all deals together.
    pub oracle_states: u64,
    /// How many deals took how many states, of both searches together.
    pub state_sizes: ByVerdict<Sizes>,
    /// How many solutions have how many moves at the table.
    pub solution_moves: BTreeMap<u32, u64>,
    /// The deals with the most states of both searches.
    pub hardest: Vec<Hard>,
}

const KIND: &str = "estimate-summary";

impl Summary {
    /// The summary of all records of a run.
    #[must_use]
    pub fn new(contents: &Contents) -> Summary {
        let manifest = &contents.manifest;
        let first: Seed = manifest.first.parse().unwrap_or(Seed::from(0_u64));
        let mut summary = Summary {
            kind: KIND.to_owned(),
            version: 1,
            programs: manifest.programs(),
            rules: manifest.rules.clone(),
            rules_text: manifest.rules_text.clone(),
            scheme: manifest.scheme.clone(),
            limits: vec![manifest.limits],
            ranges: Vec::new(),
            deals: contents.deals.len() as u64,
            missing: manifest.deals - contents.deals.len() as u64,
            set_aside: 0,
            verdicts: ByVerdict::default(),
            proofs: Proofs::default(),
            hits: Hits::default(),
            audits: Audits::default(),
            states: 0,
            oracle_states: 0,
            state_sizes: ByVerdict::default(),
            solution_moves: BTreeMap::new(),
            hardest: Vec::new(),
        };
        let mut next = 0;
        for deal in &contents.deals {
            let record = &deal.record;
            match summary.ranges.last_mut() {
                Some(range) if record.offset == next => range.deals += 1,
                _ => summary.ranges.push(SeedRange {
                    first: first.plus(record.offset),
                    deals: 1,
                }),
            }
            next = record.offset + 1;
            summary.add(record, &first);
        }
        // Of the deals set aside those count here that have no other record.
        let recorded = |offset: u64| {
            let of = |deal: &super::record::Timed| deal.record.offset;
            contents.deals.binary_search_by_key(&offset, of).is_ok()
        };
        let aside = contents.set_aside.iter();
        summary.set_aside = aside.filter(|mark| !recorded(mark.offset)).count() as u64;
        keep_hardest(&mut summary.hardest);
        summary
    }

    fn add(&mut self, record: &Record, first: &Seed) {
        *self.verdicts.of(record.outcome) += 1;
        match record.outcome {
            Outcome::Winnable(moves) => *self.solution_moves.entry(moves).or_default() += 1,
            Outcome::Unwinnable(proof) => self.proofs.add(proof),
            Outcome::UnwinnableWeaker(proof) => {
                self.proofs.add(proof);
                self.proofs.weaker_rules += 1;
            }
            Outcome::Undecided(Hit::States) => self.hits.states += 1,
            Outcome::Undecided(Hit::Memory) => self.hits.memory += 1,
            Outcome::Undecided(Hit::Time) => self.hits.time += 1,
        }
        match record.audit {
            Audit::NotAsked => {}
            Audit::Held => self.audits.held += 1,
            Audit::Impossible => self.audits.impossible += 1,
            Audit::OverLimit => self.audits.over_limit += 1,
            Audit::Refused => self.audits.refused += 1,
        }
        self.states += record.states;
        self.oracle_states += record.oracle_states;
        let amount = record.states + record.oracle_states;
        self.state_sizes.of(record.outcome).count(amount);
        // Most deals are not worth a seed.
        let least = self.hardest.get(HARDEST - 1).map(|hard| hard.amount);
        if least.is_none_or(|least| amount >= least) {
            self.hardest.push(Hard {
                seed: first.plus(record.offset),
                verdict: record.outcome.name().to_owned(),
                amount,
            });
            if self.hardest.len() >= 2 * HARDEST {
                keep_hardest(&mut self.hardest);
            }
        }
    }

    /// Reads the JSON of a summary.
    ///
    /// # Errors
    /// If it is none, or of a later version.
    pub fn from_json(text: &[u8]) -> Result<Summary, SummaryError> {
        let summary: Summary = serde_json::from_slice(text)
            .map_err(|error| SummaryError::NotOne(error.to_string()))?;
        if summary.kind != KIND || summary.version != 1 {
            let what = format!("kind {}, version {}", summary.kind, summary.version);
            return Err(SummaryError::NotOne(what));
        }
        let verdicts = &summary.verdicts;
        let in_ranges = summary.ranges.iter().map(|range| range.deals).sum::<u64>();
        if verdicts.winnable + verdicts.unwinnable + verdicts.undecided != summary.deals
            || in_ranges != summary.deals
        {
            return Err(SummaryError::NotOne("its numbers do not add up".to_owned()));
        }
        Ok(summary)
    }

    /// Joins the summary of other deals of the same scheme under the same rules.
    ///
    /// # Errors
    /// If rules or scheme differ, or a deal is in both.
    pub fn join(&mut self, other: &Summary) -> Result<(), SummaryError> {
        if self.rules != other.rules {
            return Err(SummaryError::Other {
                what: "rules",
                one: self.rules_text.clone(),
                other: other.rules_text.clone(),
            });
        }
        if self.scheme != other.scheme {
            return Err(SummaryError::Other {
                what: "seed schemes",
                one: self.scheme.clone(),
                other: other.scheme.clone(),
            });
        }
        self.ranges = join_ranges(&self.ranges, &other.ranges)?;
        self.programs.extend(other.programs.iter().cloned());
        for &limits in &other.limits {
            if !self.limits.contains(&limits) {
                self.limits.push(limits);
            }
        }
        // One order, whichever was joined to which.
        self.limits
            .sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
        self.deals += other.deals;
        self.missing += other.missing;
        self.set_aside += other.set_aside;
        self.verdicts
            .each(&other.verdicts, |mine, more| *mine += more);
        self.proofs.blocked += other.proofs.blocked;
        self.proofs.refuted += other.proofs.refuted;
        self.proofs.searched += other.proofs.searched;
        self.proofs.weaker_rules += other.proofs.weaker_rules;
        self.hits.states += other.hits.states;
        self.hits.memory += other.hits.memory;
        self.hits.time += other.hits.time;
        self.audits.held += other.audits.held;
        self.audits.impossible += other.audits.impossible;
        self.audits.over_limit += other.audits.over_limit;
        self.audits.refused += other.audits.refused;
        self.states += other.states;
        self.oracle_states += other.oracle_states;
        self.state_sizes.each(&other.state_sizes, Sizes::join);
        for (&moves, &count) in &other.solution_moves {
            *self.solution_moves.entry(moves).or_default() += count;
        }
        self.hardest.extend(other.hardest.iter().cloned());
        keep_hardest(&mut self.hardest);
        Ok(())
    }

    /// Deals that count as losses at the lower end of an interval and as wins at the upper one.
    #[must_use]
    pub fn open(&self) -> u64 {
        self.verdicts.undecided + self.set_aside
    }

    /// The estimate of the share of winnable deals. Deals that are set aside are hard ones, and
    /// count as undecided; other missing deals are as good as never asked for.
    #[must_use]
    pub fn estimate(&self, confidence: f64) -> Estimate {
        let decided = self.verdicts.winnable + self.verdicts.unwinnable;
        let interval = |of| {
            let trials = self.deals + self.set_aside;
            Interval::both_ways(of, self.verdicts.winnable, self.open(), trials, confidence)
        };
        Estimate {
            confidence,
            share: self.verdicts.winnable as f64 / decided.max(1) as f64,
            wilson: interval(Interval::wilson),
            clopper_pearson: interval(Interval::clopper_pearson),
        }
    }

    /// The summary with its estimate, as it stands in `summary.json`. The numbers of the estimate
    /// are rounded to ten places, so that machines whose last digits differ agree.
    #[must_use]
    pub fn with_estimate(&self) -> WithEstimate<'_> {
        let round = |number: f64| (number * 1e10).round() / 1e10;
        let interval = |interval: Interval| Interval {
            low: round(interval.low),
            high: round(interval.high),
        };
        let estimate = self.estimate(CONFIDENCE);
        WithEstimate {
            summary: self,
            estimate: Estimate {
                confidence: CONFIDENCE,
                share: round(estimate.share),
                wilson: interval(estimate.wilson),
                clopper_pearson: interval(estimate.clopper_pearson),
            },
        }
    }
}

/// A summary and what follows from it, for writing.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct WithEstimate<'a> {
    #[serde(flatten)]
    summary: &'a Summary,
    estimate: Estimate,
}

impl Proofs {
    fn add(&mut self, proof: Proof) {
        match proof {
            Proof::Blocked => self.blocked += 1,
            Proof::Refuted => self.refuted += 1,
            Proof::Searched => self.searched += 1,
        }
    }
}

/// All ranges of both, those that touch joined.
pub(super) fn join_ranges(
    one: &[SeedRange],
    other: &[SeedRange],
) -> Result<Vec<SeedRange>, SummaryError> {
    let mut all: Vec<SeedRange> = one.iter().chain(other).cloned().collect();
    all.sort_by(|a, b| a.first.cmp(&b.first));
    let mut joined: Vec<SeedRange> = Vec::with_capacity(all.len());
    for range in all {
        match joined.last_mut() {
            Some(last) => match range.first.places_after(&last.first) {
                Some(places) if places < last.deals => {
                    return Err(SummaryError::Overlap(range.first));
                }
                Some(places) if places == last.deals => last.deals += range.deals,
                _ => joined.push(range),
            },
            None => joined.push(range),
        }
    }
    Ok(joined)
}

/// What a run took: it differs from machine to machine and from run to run.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Times {
    kind: String,
    version: u32,
    /// Processor time of the searches that answered, in microseconds.
    pub microseconds: u64,
    /// How many deals took how many microseconds.
    pub sizes: ByVerdict<Sizes>,
    /// The deals that took the most microseconds.
    pub slowest: Vec<Hard>,
}

impl Times {
    /// The times of all records of a run.
    #[must_use]
    pub fn new(contents: &Contents) -> Times {
        let first: Seed = contents.manifest.first.parse().unwrap_or(Seed::from(0_u64));
        let mut times = Times {
            kind: "estimate-times".to_owned(),
            version: 1,
            ..Times::default()
        };
        for deal in &contents.deals {
            times.microseconds += deal.microseconds;
            times.sizes.of(deal.record.outcome).count(deal.microseconds);
            let least = times.slowest.get(HARDEST - 1).map(|hard| hard.amount);
            if least.is_none_or(|least| deal.microseconds >= least) {
                times.slowest.push(Hard {
                    seed: first.plus(deal.record.offset),
                    verdict: deal.record.outcome.name().to_owned(),
                    amount: deal.microseconds,
                });
                if times.slowest.len() >= 2 * HARDEST {
                    keep_hardest(&mut times.slowest);
                }
            }
        }
        keep_hardest(&mut times.slowest);
        times
    }

    /// Joins the times of other deals.
    pub fn join(&mut self, other: &Times) {
        self.microseconds += other.microseconds;
        self.sizes.each(&other.sizes, Sizes::join);
        self.slowest.extend(other.slowest.iter().cloned());
        keep_hardest(&mut self.slowest);
    }
}

/// Why summaries cannot be read or joined.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SummaryError {
    /// The text is no summary.
    #[error("this is no summary of `klondike estimate` ({0})")]
    NotOne(String),
    /// They are about different things.
    #[error("the {what} differ: {one}, and {other}")]
    Other {
        /// What differs.
        what: &'static str,
        /// Its value in one.
        one: String,
        /// Its value in the other.
        other: String,
    },
    /// The deal of this seed is in both.
    #[error(
        "the deal {0} is in more than one of the summaries: join the run directories \
         themselves, which can overlap"
    )]
    Overlap(Seed),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_counted_by_their_bits() {
        let mut sizes = Sizes::default();
        for number in [0, 1, 2, 3, 4, 7, 8, u64::MAX] {
            sizes.count(number);
        }
        let mut expected = vec![1, 1, 2, 2, 1];
        expected.resize(64, 0);
        expected.push(1);
        assert_eq!(sizes.0, expected);
        let mut few = Sizes(vec![5]);
        few.join(&sizes);
        assert_eq!((few.0[0], few.0[64]), (6, 1));
    }

    #[test]
    fn ranges_join_where_they_touch_and_must_not_overlap() {
        let range = |first: u64, deals| SeedRange {
            first: Seed::from(first),
            deals,
        };
        let joined = join_ranges(&[range(10, 5), range(30, 1)], &[range(15, 5), range(0, 4)]);
        assert_eq!(joined, Ok(vec![range(0, 4), range(10, 10), range(30, 1)]));
        assert_eq!(
            join_ranges(&[range(10, 5)], &[range(14, 9)]),
            Err(SummaryError::Overlap(Seed::from(14_u64)))
        );
    }
}
