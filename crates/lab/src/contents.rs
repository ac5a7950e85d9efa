//! Everything that a run has found so far, read from its segments.
//!
//! A deal has the record of the highest level of limits, a decided one before an undecided one.

use std::fs;
use std::path::{Path, PathBuf};

use super::manifest;
use super::record::{Audit, Piece, SetAside, Timed};
use super::run_error::{FORMAT, RunError};
use super::segment;
use super::sessions;
use super::store;
use klondike_contract::runs::{Manifest, Session};

/// All that the segments of a run hold.
#[derive(Clone, Debug)]
pub struct Contents {
    /// What the run is about.
    pub manifest: Manifest,
    /// The commands that worked on it, in order.
    pub sessions: Vec<Session>,
    /// The record of every deal that has one, in ascending order of offsets, each offset once.
    pub deals: Vec<Timed>,
    /// Whether the record of a deal is of the present limits; as long as `deals`.
    pub current: Vec<bool>,
    /// Marks of deals that were set aside under the present limits and have no record of them.
    pub set_aside: Vec<SetAside>,
    /// Bytes in the segments that belong to no whole block: writes that were cut short, or
    /// damage. The deals in them have no record, and get one when the run goes on.
    pub damaged: u64,
}

impl Contents {
    /// Reads the directory of a run, or a store of parts. Another process may be writing it. With
    /// `allow_damaged` records that cannot be read are left out.
    ///
    /// # Errors
    /// If it is no such directory, a file cannot be read, is of another run or a later version,
    /// records contradict each other, or records are missing and there are bytes that are none.
    pub fn read(path: &Path, allow_damaged: bool) -> Result<Contents, RunError> {
        if let Some(contents) = store::read(path, allow_damaged)? {
            return Ok(contents);
        }
        let manifest = manifest::saved_in(path)?.ok_or_else(|| RunError::NoRun(path.to_owned()))?;
        let contents = read_segments(path, manifest)?;
        // What was decided again after a write that was cut short is there.
        let missing = contents.missing();
        if contents.damaged > 0 && missing > 0 && !allow_damaged {
            return Err(RunError::Damaged {
                path: path.to_owned(),
                bytes: contents.damaged,
                missing,
            });
        }
        Ok(contents)
    }

    /// How many deals of the run have no record.
    #[must_use]
    pub fn missing(&self) -> u64 {
        self.manifest.deals - self.deals.len() as u64
    }

    /// The offsets of all deals that were looked at, in ascending order, and whether they are
    /// winnable. Those that are set aside are hard ones, and undecided so far.
    #[must_use]
    pub fn verdicts(&self) -> Vec<(u64, Option<bool>)> {
        let recorded = self.deals.iter().map(|deal| deal.record);
        let mut all: Vec<_> = recorded
            .map(|record| (record.offset, record.outcome.winnable()))
            .collect();
        let recorded = all.len();
        for mark in &self.set_aside {
            let known = all[..recorded].binary_search_by_key(&mark.offset, |deal| deal.0);
            if known.is_err() {
                all.push((mark.offset, None));
            }
        }
        all.sort_unstable_by_key(|deal| deal.0);
        all
    }

    /// Whether every certificate that was made proves its verdict.
    ///
    /// # Errors
    /// If one does not: a bug, whatever the records say.
    pub fn check_audits(&self) -> Result<(), RunError> {
        let refused = |deal: &&Timed| deal.record.audit == Audit::Refused;
        let seed = |deal: &Timed| manifest::seed_text(&self.manifest, deal.record.offset);
        let count = self.deals.iter().filter(refused).count() as u64;
        if count == 0 {
            return Ok(());
        }
        let seeds = self.deals.iter().filter(refused).take(5).map(seed);
        Err(RunError::Refused {
            count,
            seeds: seeds.collect(),
        })
    }
}

/// The segments in a directory with their numbers, in ascending order.
pub(super) fn segments(path: &Path) -> Result<Vec<(u32, PathBuf)>, RunError> {
    let error = |source| RunError::Read {
        path: path.to_owned(),
        source,
    };
    let mut found = Vec::new();
    for entry in fs::read_dir(path).map_err(error)? {
        let name = entry.map_err(error)?.file_name();
        let number = name
            .to_str()
            .and_then(|name| name.strip_prefix("records-")?.strip_suffix(".seg"))
            .and_then(|number| number.parse().ok());
        if let Some(number) = number {
            found.push((number, path.join(name)));
        }
    }
    found.sort();
    Ok(found)
}

/// Reads all segments of a run that is about `manifest`.
pub(super) fn read_segments(path: &Path, manifest: Manifest) -> Result<Contents, RunError> {
    let mut all: Vec<(u32, Timed)> = Vec::new();
    let mut marks: Vec<SetAside> = Vec::new();
    let mut damaged = 0;
    for (_, file) in segments(path)? {
        let bytes = fs::read(&file).map_err(|source| RunError::Read {
            path: file.clone(),
            source,
        })?;
        let wrong = |reason: &'static str| RunError::Segment {
            path: file.clone(),
            reason,
        };
        let contents = segment::read(&bytes).ok_or_else(|| wrong("its head is damaged"))?;
        damaged += contents.damaged;
        let Some(head) = contents.head else {
            continue;
        };
        if head.format != FORMAT {
            return Err(RunError::Format {
                path: file,
                format: head.format.into(),
            });
        }
        if head.identity != manifest::identity(&manifest) {
            return Err(wrong(
                "it belongs to a run of other rules, scheme or first seed",
            ));
        }
        if head.level > manifest.level {
            return Err(wrong("its limits are higher than those in run.json"));
        }
        for block in contents.blocks {
            let piece = Piece::unpack(&block).ok_or_else(|| wrong("a block is not of records"))?;
            match piece {
                Piece::Decided(deals) => {
                    if deals
                        .last()
                        .is_some_and(|deal| deal.record.offset >= manifest.deals)
                    {
                        return Err(wrong("it has a deal behind the last one of the run"));
                    }
                    all.extend(deals.into_iter().map(|deal| (head.level, deal)));
                }
                Piece::SetAside(more) if head.level == manifest.level => marks.extend(more),
                Piece::SetAside(_) => {}
            }
        }
    }
    joined(manifest, sessions::read(path)?, all, marks, damaged)
}

/// The records that count among `all`, each with the level of its limits.
pub(super) fn joined(
    manifest: Manifest,
    sessions: Vec<Session>,
    mut all: Vec<(u32, Timed)>,
    mut marks: Vec<SetAside>,
    damaged: u64,
) -> Result<Contents, RunError> {
    // Stable: of equal ones the first written is kept.
    all.sort_by_key(|(_, deal)| deal.record.offset);
    let mut kept: Vec<(u32, Timed)> = Vec::with_capacity(all.len());
    for (level, deal) in all {
        match kept.last_mut() {
            Some(last) if last.1.record.offset == deal.record.offset => {
                *last = better(*last, (level, deal)).ok_or_else(|| RunError::Contradiction {
                    seed: manifest::seed_text(&manifest, deal.record.offset),
                })?;
            }
            _ => kept.push((level, deal)),
        }
    }
    let current: Vec<bool> = kept.iter().map(|kept| kept.0 == manifest.level).collect();
    let deals: Vec<Timed> = kept.into_iter().map(|kept| kept.1).collect();
    // Of the marks of a deal the one that was set last counts.
    marks.sort_by_key(|mark| (mark.offset, std::cmp::Reverse(mark.step)));
    marks.dedup_by_key(|mark| mark.offset);
    marks.retain(|mark| {
        match deals.binary_search_by_key(&mark.offset, |deal| deal.record.offset) {
            Ok(at) => !current[at] && deals[at].record.outcome.winnable().is_none(),
            Err(_) => true,
        }
    });
    Ok(Contents {
        sessions,
        manifest,
        deals,
        current,
        set_aside: marks,
        damaged,
    })
}

/// The record to keep of two of the same deal, the first written first; `None` if one says that
/// the deal can be won, and the other that it cannot.
fn better(old: (u32, Timed), new: (u32, Timed)) -> Option<(u32, Timed)> {
    let decided = |one: &(u32, Timed)| one.1.record.outcome.winnable();
    match (decided(&old), decided(&new)) {
        (Some(a), Some(b)) if a != b => None,
        (Some(_), _) => Some(old),
        (None, Some(_)) => Some(new),
        (None, None) => Some(if new.0 > old.0 { new } else { old }),
    }
}
