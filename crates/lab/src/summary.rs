//! What a run found, in numbers: small, the same on every machine, and possible to add up.
//!
//! A [`Summary`] holds only what follows from the records; what depends on the clock stands in
//! [`Times`]. Both are types of the contract, and JSON files of a run directory. Summaries of
//! ranges that do not overlap can be joined to that of all of them, which is the same as the
//! summary of the joined records.

use std::collections::BTreeMap;

use serde::Serialize;

use super::contents::Contents;
use super::manifest;
use super::mean::ratio;
use super::record::{Audit, Hit, Proof, Record, ShortVerdict};
use klondike_batch::interval::Interval;
use klondike_contract::runs::{
    Audits, ByVerdict, Estimate, Hard, Hits, Proofs, SeedRange, Sizes, Summary, Times,
};
use klondike_game::deal::seed::Seed;

/// Deals named in a summary as the hardest, and in the times as the slowest.
const HARDEST: usize = 20;

/// Confidence of the intervals in a summary.
pub const CONFIDENCE: f64 = 0.95;

fn of<T>(verdicts: &mut ByVerdict<T>, outcome: ShortVerdict) -> &mut T {
    match outcome.winnable() {
        Some(true) => &mut verdicts.winnable,
        Some(false) => &mut verdicts.unwinnable,
        None => &mut verdicts.undecided,
    }
}

fn join_each<T>(mine: &mut ByVerdict<T>, more: &ByVerdict<T>, join: impl Fn(&mut T, &T)) {
    join(&mut mine.winnable, &more.winnable);
    join(&mut mine.unwinnable, &more.unwinnable);
    join(&mut mine.undecided, &more.undecided);
}

fn count_size(sizes: &mut Sizes, number: u64) {
    let size = (u64::BITS - number.leading_zeros()) as usize;
    if sizes.0.len() <= size {
        sizes.0.resize(size + 1, 0);
    }
    sizes.0[size] += 1;
}

fn join_sizes(mine: &mut Sizes, more: &Sizes) {
    if mine.0.len() < more.0.len() {
        mine.0.resize(more.0.len(), 0);
    }
    for (mine, more) in mine.0.iter_mut().zip(&more.0) {
        *mine += more;
    }
}

/// Keeps the hardest, in one order whatever the order they came in.
fn keep_hardest(hard: &mut Vec<Hard>) {
    hard.sort_by(|a, b| b.amount.cmp(&a.amount).then_with(|| a.seed.cmp(&b.seed)));
    hard.truncate(HARDEST);
}

const KIND: &str = "estimate-summary";

/// The summary of all records of a run.
#[must_use]
pub fn summarize(contents: &Contents) -> Summary {
    let manifest = &contents.manifest;
    let first: Seed = manifest.first.parse().unwrap_or(Seed::from(0_u64));
    let mut summary = Summary {
        kind: KIND.to_owned(),
        version: 1,
        programs: manifest::programs(manifest),
        rules: manifest.rules.clone(),
        rules_text: manifest.rules_text.clone(),
        scheme: manifest.scheme.clone(),
        limits: vec![manifest.limits],
        ranges: Vec::new(),
        deals: contents.deals.len() as u64,
        missing: contents.missing(),
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
        add(&mut summary, record, &first);
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

fn add(summary: &mut Summary, record: &Record, first: &Seed) {
    *of(&mut summary.verdicts, record.outcome) += 1;
    match record.outcome {
        ShortVerdict::Winnable(moves) => *summary.solution_moves.entry(moves).or_default() += 1,
        ShortVerdict::Unwinnable(proof) => add_proof(&mut summary.proofs, proof),
        ShortVerdict::UnwinnableWeaker(proof) => {
            add_proof(&mut summary.proofs, proof);
            summary.proofs.weaker_rules += 1;
        }
        ShortVerdict::Undecided(Hit::States) => summary.hits.states += 1,
        ShortVerdict::Undecided(Hit::Memory) => summary.hits.memory += 1,
        ShortVerdict::Undecided(Hit::Time) => summary.hits.time += 1,
    }
    match record.audit {
        Audit::NotAsked => {}
        Audit::Held => summary.audits.held += 1,
        Audit::Impossible => summary.audits.impossible += 1,
        Audit::OverLimit => summary.audits.over_limit += 1,
        Audit::Refused => summary.audits.refused += 1,
    }
    summary.states += record.states;
    summary.oracle_states += record.oracle_states;
    let amount = record.states + record.oracle_states;
    count_size(of(&mut summary.state_sizes, record.outcome), amount);
    // Most deals are not worth a seed.
    let least = summary.hardest.get(HARDEST - 1).map(|hard| hard.amount);
    if least.is_none_or(|least| amount >= least) {
        summary.hardest.push(Hard {
            seed: first.plus(record.offset),
            verdict: record.outcome.name().to_owned(),
            amount,
        });
        if summary.hardest.len() >= 2 * HARDEST {
            keep_hardest(&mut summary.hardest);
        }
    }
}

/// Reads the JSON of a summary.
///
/// # Errors
/// If it is none, or of a later version.
pub fn from_json(text: &[u8]) -> Result<Summary, SummaryError> {
    let summary: Summary =
        serde_json::from_slice(text).map_err(|error| SummaryError::NotOne(error.to_string()))?;
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
pub fn join(summary: &mut Summary, other: &Summary) -> Result<(), SummaryError> {
    if summary.rules != other.rules {
        return Err(SummaryError::Other {
            what: "rules",
            one: summary.rules_text.clone(),
            other: other.rules_text.clone(),
        });
    }
    if summary.scheme != other.scheme {
        return Err(SummaryError::Other {
            what: "seed schemes",
            one: summary.scheme.clone(),
            other: other.scheme.clone(),
        });
    }
    summary.ranges = join_ranges(&summary.ranges, &other.ranges)?;
    summary.programs.extend(other.programs.iter().cloned());
    for &limits in &other.limits {
        if !summary.limits.contains(&limits) {
            summary.limits.push(limits);
        }
    }
    // One order, whichever was joined to which.
    summary
        .limits
        .sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
    summary.deals += other.deals;
    summary.missing += other.missing;
    summary.set_aside += other.set_aside;
    join_each(&mut summary.verdicts, &other.verdicts, |mine, more| {
        *mine += more;
    });
    summary.proofs.blocked += other.proofs.blocked;
    summary.proofs.refuted += other.proofs.refuted;
    summary.proofs.searched += other.proofs.searched;
    summary.proofs.weaker_rules += other.proofs.weaker_rules;
    summary.hits.states += other.hits.states;
    summary.hits.memory += other.hits.memory;
    summary.hits.time += other.hits.time;
    summary.audits.held += other.audits.held;
    summary.audits.impossible += other.audits.impossible;
    summary.audits.over_limit += other.audits.over_limit;
    summary.audits.refused += other.audits.refused;
    summary.states += other.states;
    summary.oracle_states += other.oracle_states;
    join_each(&mut summary.state_sizes, &other.state_sizes, join_sizes);
    for (&moves, &count) in &other.solution_moves {
        *summary.solution_moves.entry(moves).or_default() += count;
    }
    summary.hardest.extend(other.hardest.iter().cloned());
    keep_hardest(&mut summary.hardest);
    Ok(())
}

/// The estimate of the share of winnable deals. Deals that are set aside are hard ones, and
/// count as undecided; other missing deals are as good as never asked for.
#[must_use]
pub fn estimate(summary: &Summary, confidence: f64) -> Estimate {
    let ByVerdict {
        winnable,
        unwinnable,
        ..
    } = summary.verdicts;
    estimate_of(winnable, unwinnable, summary.open(), confidence)
}

/// The estimate from the numbers of deals that are winnable, unwinnable and undecided.
#[must_use]
pub fn estimate_of(winnable: u64, unwinnable: u64, undecided: u64, confidence: f64) -> Estimate {
    let decided = winnable + unwinnable;
    let interval =
        |of| Interval::both_ways(of, winnable, undecided, decided + undecided, confidence);
    Estimate {
        confidence,
        share: ratio(winnable, decided),
        wilson: interval(Interval::wilson),
        clopper_pearson: interval(Interval::clopper_pearson),
    }
}

/// The summary with its estimate, as it stands in `summary.json`. The numbers of the estimate
/// are rounded to ten places, so that machines whose last digits differ agree.
#[must_use]
pub fn with_estimate(summary: &Summary) -> WithEstimate<'_> {
    let round = |number: f64| (number * 1e10).round() / 1e10;
    let interval = |interval: Interval| Interval {
        low: round(interval.low),
        high: round(interval.high),
    };
    let now = estimate(summary, CONFIDENCE);
    WithEstimate {
        summary,
        estimate: Estimate {
            confidence: CONFIDENCE,
            share: now.share.map(round),
            wilson: interval(now.wilson),
            clopper_pearson: interval(now.clopper_pearson),
        },
    }
}

/// A summary and what follows from it, for writing.
#[derive(Clone, Debug, Serialize)]
pub struct WithEstimate<'a> {
    #[serde(flatten)]
    summary: &'a Summary,
    estimate: Estimate,
}

fn add_proof(proofs: &mut Proofs, proof: Proof) {
    match proof {
        Proof::Blocked => proofs.blocked += 1,
        Proof::Refuted => proofs.refuted += 1,
        Proof::Searched => proofs.searched += 1,
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

/// The times of all records of a run.
#[must_use]
pub fn times(contents: &Contents) -> Times {
    let first: Seed = contents.manifest.first.parse().unwrap_or(Seed::from(0_u64));
    let mut times = Times {
        kind: "estimate-times".to_owned(),
        version: 1,
        ..Times::default()
    };
    for deal in &contents.deals {
        times.microseconds += deal.microseconds;
        count_size(of(&mut times.sizes, deal.record.outcome), deal.microseconds);
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

/// Why summaries cannot be read or joined.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SummaryError {
    /// The text is no summary.
    #[error("this is no summary of `klondike estimate` ({0})")]
    NotOne(String),
    /// The text is no comparison.
    #[error(
        "this is no comparison of `klondike compare -o` ({0}): name such files, or two \
         directories of runs"
    )]
    NotCompared(String),
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
    /// The deal of this seed is in both.
    #[error("the deal {0} is in more than one of the comparisons: join comparisons of other deals")]
    ComparedTwice(Seed),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_counted_by_their_bits() {
        let mut sizes = Sizes::default();
        for number in [0, 1, 2, 3, 4, 7, 8, u64::MAX] {
            count_size(&mut sizes, number);
        }
        let mut expected = vec![1, 1, 2, 2, 1];
        expected.resize(64, 0);
        expected.push(1);
        assert_eq!(sizes.0, expected);
        let mut few = Sizes(vec![5]);
        join_sizes(&mut few, &sizes);
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
