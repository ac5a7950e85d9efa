//! Joining runs of the same deals and rules that were decided in parts, on whatever machines.
//!
//! The result is a run directory like any other: it spans all deals of its sources, and going on
//! with it decides those that are missing in between. Where sources overlap they must agree.

use std::path::{Path, PathBuf};

use super::contents::Contents;
use super::directory::RunDirectory;
use super::manifest;
use super::record::{Audit, Piece, Record, SetAside, Timed};
use super::run_error::RunError;
use klondike_contract::runs::{Manifest, RunLimits, SeedRange, Session};
use klondike_game::deal::seed::{Seed, SeedError};

/// Most records in a block.
const BLOCK: usize = 1 << 16;

/// What came of joining runs.
#[derive(Clone, Debug)]
pub struct Merged {
    /// What is in the new directory.
    pub contents: Contents,
    /// Records that were left out because another source has the same deal.
    pub overlapping: u64,
    /// Deals without a record between the first and the last deal.
    pub missing: Vec<SeedRange>,
}

/// Joins the runs in `sources` to a new one in the directory `output`.
///
/// The records do not depend on the order of the sources, unless they were made by different
/// programs or with different limits; then the first source counts, but decided deals count
/// before undecided ones. Its limits are the highest of all sources; deals that are undecided
/// within lower ones are decided again when the run goes on.
///
/// # Errors
/// If a source cannot be read, they are about different things or contradict each other, or
/// `output` cannot be written or holds something.
pub fn merge(
    sources: &[PathBuf],
    output: &Path,
    allow_damaged: bool,
) -> Result<Merged, MergeError> {
    let mut runs = Vec::with_capacity(sources.len());
    for path in sources {
        runs.push((path, Contents::read(path, allow_damaged)?));
    }
    let manifest = joined_manifest(&runs)?;
    let mut all: Vec<Found> = Vec::new();
    let mut set_aside: Vec<SetAside> = Vec::new();
    for (number, (_, run)) in runs.iter_mut().enumerate() {
        let shift = shift(&run.manifest, &manifest)?;
        let highest = run.manifest.limits == manifest.limits;
        let current = std::mem::take(&mut run.current);
        let deals = std::mem::take(&mut run.deals);
        all.extend(deals.into_iter().zip(current).map(|(mut deal, current)| {
            deal.record.offset += shift;
            Found {
                deal,
                source: number,
                current: current && highest,
            }
        }));
        if highest {
            set_aside.extend(run.set_aside.iter().map(|mark| SetAside {
                offset: mark.offset + shift,
                step: mark.step,
            }));
        }
    }
    // Stable: of the same deal the first source comes first.
    all.sort_by_key(|found| found.deal.record.offset);
    let mut kept: Vec<Found> = Vec::with_capacity(all.len());
    let mut overlapping = 0;
    for found in all {
        match kept.last_mut() {
            Some(last) if last.deal.record.offset == found.deal.record.offset => {
                overlapping += 1;
                *last = agree(&runs, *last, found).map_err(|reason| MergeError::Disagree {
                    seed: seed(&manifest, found.deal.record.offset),
                    one: runs[last.source].0.clone(),
                    other: runs[found.source].0.clone(),
                    reason,
                })?;
            }
            _ => kept.push(found),
        }
    }
    let sessions: Vec<Session> = (runs.iter())
        .flat_map(|(_, run)| run.sessions.clone())
        .collect();
    drop(runs);

    let mut directory = RunDirectory::create(output)?;
    for level in 0..=manifest.level {
        let of_level = |found: &&Found| u32::from(found.current) == level || manifest.level == 0;
        let deals: Vec<Timed> = kept.iter().filter(of_level).map(|one| one.deal).collect();
        for block in deals.chunks(BLOCK) {
            directory.append_of(&manifest, level, &Piece::Decided(block.to_vec()))?;
        }
    }
    drop(kept);
    if !set_aside.is_empty() {
        let marks = Piece::SetAside(set_aside);
        directory.append_of(&manifest, manifest.level, &marks)?;
    }
    let contents = directory.finish(manifest, &sessions)?;
    let missing = missing(&contents);
    Ok(Merged {
        contents,
        overlapping,
        missing,
    })
}

/// A record and where it was found.
#[derive(Clone, Copy)]
struct Found {
    deal: Timed,
    source: usize,
    /// Whether it is of the highest limits.
    current: bool,
}

fn seed(manifest: &Manifest, offset: u64) -> Seed {
    let first: Seed = manifest.first.parse().unwrap_or(Seed::from(0_u64));
    first.plus(offset)
}

/// Places from the first deal of all to that of `one`.
fn shift(one: &Manifest, all: &Manifest) -> Result<u64, MergeError> {
    let places = seed(one, 0).places_after(&seed(all, 0));
    places
        .filter(|places| places.checked_add(one.deals).is_some())
        .ok_or(MergeError::TooFar)
}

fn joined_manifest(runs: &[(&PathBuf, Contents)]) -> Result<Manifest, MergeError> {
    let ((first_path, first), rest) = runs.split_first().ok_or(MergeError::NoSources)?;
    let mut joined = first.manifest.clone();
    let mut level = 0;
    let mut programs = manifest::programs(&joined);
    for (path, run) in rest {
        let other = &run.manifest;
        for (what, one, another) in [
            ("rules", &joined.rules_text, &other.rules_text),
            ("seed schemes", &joined.scheme, &other.scheme),
        ] {
            if one != another {
                return Err(MergeError::Other {
                    what,
                    one: (*first_path).clone(),
                    other: (*path).clone(),
                });
            }
        }
        if joined.rules != other.rules {
            return Err(MergeError::Other {
                what: "rules",
                one: (*first_path).clone(),
                other: (*path).clone(),
            });
        }
        if seed(other, 0) < seed(&joined, 0) {
            joined.first.clone_from(&other.first);
        }
        joined.limits = highest(joined.limits, other.limits);
        joined.certify = joined.certify.max(other.certify);
        programs.extend(manifest::programs(other));
    }
    let mut deals = 0;
    for (_, run) in runs {
        deals = deals.max(shift(&run.manifest, &joined)? + run.manifest.deals);
        // Some records are of lower limits, and must stay distinct.
        if run.manifest.limits != joined.limits || run.current.contains(&false) {
            level = 1;
        }
    }
    joined.deals = deals;
    joined.level = level;
    manifest::set_programs(&mut joined, programs);
    manifest::range(&joined).map_err(MergeError::Range)?;
    Ok(joined)
}

/// Limits that allow what either allows.
fn highest(a: RunLimits, b: RunLimits) -> RunLimits {
    RunLimits {
        first_states: a.first_states.max(b.first_states),
        max_states: a.max_states.zip(b.max_states).map(|(a, b)| a.max(b)),
        memory_bytes: a.memory_bytes.max(b.memory_bytes),
        seconds: a.seconds.zip(b.seconds).map(|(a, b)| a.max(b)),
        share_hard: a.share_hard || b.share_hard,
    }
}

/// The record to keep of two of the same deal, or why they cannot both be right.
fn agree(runs: &[(&PathBuf, Contents)], old: Found, new: Found) -> Result<Found, String> {
    let (one, other) = (old.deal.record, new.deal.record);
    if let (Some(a), Some(b)) = (one.outcome.winnable(), other.outcome.winnable())
        && a != b
    {
        let (one, other) = (one.outcome.name(), other.outcome.name());
        return Err(format!("one says {one} and one says {other}"));
    }
    let (a, b) = (&runs[old.source].1.manifest, &runs[new.source].1.manifest);
    let alike = manifest::programs(a) == manifest::programs(b)
        && a.limits == b.limits
        && old.current == new.current
        && a.limits.are_deterministic();
    let facts = |record: Record| (record.outcome, record.states, record.oracle_states);
    if alike && facts(one) != facts(other) {
        return Err(
            "their grounds or states differ, though program and limits are the same".into(),
        );
    }
    Ok(match (one.outcome.winnable(), other.outcome.winnable()) {
        (None, Some(_)) => new,
        (None, None) if new.current && !old.current => new,
        _ if one.audit == Audit::NotAsked && facts(one) == facts(other) => Found {
            deal: new.deal,
            ..old
        },
        _ => old,
    })
}

/// The deals of a run that have no record.
#[must_use]
pub fn missing(contents: &Contents) -> Vec<SeedRange> {
    let manifest = &contents.manifest;
    let mut gaps = Vec::new();
    let mut next = 0;
    let ends = contents.deals.iter().map(|deal| deal.record.offset);
    for offset in ends.chain([manifest.deals]) {
        if offset > next {
            gaps.push(SeedRange {
                first: seed(manifest, next),
                deals: offset - next,
            });
        }
        next = offset + 1;
    }
    gaps
}

/// Why runs cannot be joined.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MergeError {
    /// There is nothing to join.
    #[error("there is nothing to join")]
    NoSources,
    /// A directory cannot be read or written.
    #[error(transparent)]
    Run(#[from] RunError),
    /// Two runs are about different things.
    #[error("{one} and {other} cannot be joined: their {what} differ")]
    Other {
        /// What differs.
        what: &'static str,
        /// One run.
        one: PathBuf,
        /// The other.
        other: PathBuf,
    },
    /// The deals are too far from each other to be numbered together.
    #[error("the deals are too far from each other to be numbered together")]
    TooFar,
    /// The deals together are no range of the scheme.
    #[error("the deals together are no range: {0}")]
    Range(SeedError),
    /// Two runs say different things of the same deal.
    #[error("{one} and {other} disagree about the deal {seed}: {reason}")]
    Disagree {
        /// The deal.
        seed: Seed,
        /// One run.
        one: PathBuf,
        /// The other.
        other: PathBuf,
        /// What they say.
        reason: String,
    },
}
