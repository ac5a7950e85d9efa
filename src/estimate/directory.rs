//! The directory of a run: what the run is about, and everything it has found so far.
//!
//! | file | content |
//! | --- | --- |
//! | `run.json` | rules, scheme, range, limits, versions: [`Manifest`] |
//! | `records-000001.seg`, … | the records, in segments that only grow ([`super::segment`]) |
//! | `lock` | locked by the one process that writes |
//! | `summary.json`, `times.json` | made from the records after each command |
//!
//! Every process that writes starts a segment of its own, so that nothing is ever appended behind
//! a torn end. Reading takes all segments together: a deal has the record of the highest level of
//! limits, a decided one before an undecided one.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::checkpoint::{self, CheckpointError};
use super::record::{Outcome, Piece, SetAside, Timed};
use super::segment::{self, Head, Segment};
use super::summary::{Summary, Times};
use crate::deal::seed::{DealRange, Scheme, Seed, SeedError};
use crate::rules::Rules;

/// The word in `run.json` that says what it is.
const KIND: &str = "estimate-run";

/// Version of `run.json` and of the records.
pub const FORMAT: u32 = 1;

const MANIFEST: &str = "run.json";
const LOCK: &str = "lock";

/// What bounds the search for each deal of a run.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
pub struct RunLimits {
    /// Most states of the first search of a deal. What it does not decide is set aside.
    pub first_states: u64,
    /// Most states of the last search of a deal; `None` for no bound.
    pub max_states: Option<u64>,
    /// Most memory of all searches together, in bytes.
    pub memory_bytes: u64,
    /// Most seconds of each search of a deal; `None` for no bound. With a bound the records
    /// depend on the machine.
    pub seconds: Option<f64>,
    /// Whether threads without a deal help with hard ones. Then states and solutions recorded of
    /// the deals that were set aside vary from run to run.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub share_hard: bool,
}

impl RunLimits {
    /// Whether what is recorded of a deal follows from the deal and these limits.
    #[must_use]
    pub fn are_deterministic(self) -> bool {
        self.seconds.is_none() && !self.share_hard
    }
}

impl RunLimits {
    /// Whether these limits allow at least what `old` allows, and differ from it.
    fn raise(self, old: RunLimits) -> bool {
        let states = |limits: RunLimits| limits.max_states.unwrap_or(u64::MAX);
        let seconds = |limits: RunLimits| limits.seconds.unwrap_or(f64::INFINITY);
        self != old
            && self.first_states == old.first_states
            && self.share_hard == old.share_hard
            && states(self) >= states(old)
            && self.memory_bytes >= old.memory_bytes
            && seconds(self) >= seconds(old)
    }
}

/// What a run is about: the content of `run.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Manifest {
    kind: String,
    format: u32,
    /// Version of the program that may go on with the run.
    pub program: String,
    /// Versions of the programs that made the records, if not only that one.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    programs: BTreeSet<String>,
    /// The rules as JSON.
    pub rules: serde_json::Value,
    /// The rules in words.
    pub rules_text: String,
    /// Seed scheme of the deals.
    pub scheme: String,
    /// Seed of the first deal, in decimal digits.
    pub first: String,
    /// Number of deals.
    pub deals: u64,
    /// What bounds the search for each deal.
    pub limits: RunLimits,
    /// How often the limits were raised.
    pub level: u32,
    /// Share of the deals whose verdicts are checked by certificates, `0.0..=1.0`.
    pub certify: f64,
}

impl Manifest {
    /// What a new run is about.
    #[must_use]
    pub fn new(rules: &Rules, range: &DealRange, limits: RunLimits, certify: f64) -> Manifest {
        Manifest {
            kind: KIND.to_owned(),
            format: FORMAT,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            programs: BTreeSet::new(),
            rules: serde_json::to_value(rules).unwrap_or_default(),
            rules_text: rules.to_string(),
            scheme: range.scheme().to_string(),
            first: range.ends().0.to_string(),
            deals: range.count_left().unwrap_or(u64::MAX),
            limits,
            level: 0,
            certify,
        }
    }

    /// What the run in a directory is about, if there is one.
    ///
    /// # Errors
    /// If `run.json` cannot be read or used.
    pub fn saved_in(path: &Path) -> Result<Option<Manifest>, RunError> {
        read_manifest(path)
    }

    /// Versions of the programs that made the records.
    #[must_use]
    pub fn programs(&self) -> BTreeSet<String> {
        let mut programs = self.programs.clone();
        if programs.is_empty() {
            programs.insert(self.program.clone());
        }
        programs
    }

    /// Says that the records were made by programs of these versions.
    pub(super) fn set_programs(&mut self, programs: BTreeSet<String>) {
        self.program = env!("CARGO_PKG_VERSION").to_owned();
        let alone = programs.len() == 1 && programs.contains(&self.program);
        self.programs = if alone { BTreeSet::new() } else { programs };
    }

    /// The deals.
    ///
    /// # Errors
    /// If scheme or seeds are not ones.
    pub fn range(&self) -> Result<DealRange, SeedError> {
        let first: Seed = self.first.parse()?;
        DealRange::from_first(self.scheme.parse::<Scheme>()?, &first, self.deals)
    }

    /// A checksum of what every record depends on: rules and the numbering of the deals.
    fn identity(&self) -> u32 {
        // Names in ascending order, in whatever order they are kept.
        let rules: BTreeMap<_, _> = self.rules.as_object().into_iter().flatten().collect();
        let rules = serde_json::to_string(&rules).unwrap_or_default();
        let text = format!("{rules}\n{}\n{}", self.scheme, self.first);
        crc32fast::hash(text.as_bytes())
    }

    /// Goes on from `saved`: with more deals if they are asked for, and with higher limits if
    /// `raise_limits`.
    fn go_on(&self, saved: &Manifest, raise_limits: bool) -> Result<Manifest, RunError> {
        let number = |limit: Option<u64>| limit.map_or("none".to_owned(), |n| n.to_string());
        let seconds = |limits: RunLimits| limits.seconds.map_or("none".into(), |s| s.to_string());
        let pairs = [
            ("program version", &saved.program, &self.program),
            ("set of rules", &saved.rules_text, &self.rules_text),
            ("scheme", &saved.scheme, &self.scheme),
            ("first seed", &saved.first, &self.first),
            (
                "share to certify",
                &saved.certify.to_string(),
                &self.certify.to_string(),
            ),
        ];
        for (what, saved, asked) in pairs {
            if saved != asked {
                return Err(RunError::Other {
                    what,
                    saved: saved.clone(),
                    asked: asked.clone(),
                });
            }
        }
        if saved.rules != self.rules {
            return Err(RunError::Other {
                what: "set of rules",
                saved: saved.rules.to_string(),
                asked: self.rules.to_string(),
            });
        }
        if self.deals < saved.deals {
            return Err(RunError::Other {
                what: "number of deals",
                saved: saved.deals.to_string(),
                asked: self.deals.to_string(),
            });
        }
        let (old, new) = (saved.limits, self.limits);
        let mut going_on = Manifest {
            deals: self.deals,
            ..saved.clone()
        };
        if old == new {
            return Ok(going_on);
        }
        if raise_limits && new.raise(old) {
            going_on.limits = new;
            going_on.level += 1;
            return Ok(going_on);
        }
        let limits = [
            (
                "limit of states of the first search",
                old.first_states.to_string(),
                new.first_states.to_string(),
            ),
            (
                "limit of states",
                number(old.max_states),
                number(new.max_states),
            ),
            (
                "limit of memory",
                format!("{} bytes", old.memory_bytes),
                format!("{} bytes", new.memory_bytes),
            ),
            ("limit of time", seconds(old), seconds(new)),
            (
                "sharing of hard deals",
                old.share_hard.to_string(),
                new.share_hard.to_string(),
            ),
        ];
        let differs = limits.into_iter().find(|(_, saved, asked)| saved != asked);
        let (what, saved, asked) = differs.unwrap_or_default();
        Err(RunError::Limits {
            what,
            saved,
            asked,
            lower: !new.raise(old),
        })
    }
}

/// All that the segments of a run hold.
#[derive(Clone, Debug)]
pub struct Contents {
    /// What the run is about.
    pub manifest: Manifest,
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
    /// Reads the directory of a run. Another process may be writing it.
    ///
    /// # Errors
    /// If it is no such directory, a file cannot be read, is of another run or a later version,
    /// or records contradict each other.
    pub fn read(path: &Path) -> Result<Contents, RunError> {
        let manifest = read_manifest(path)?.ok_or_else(|| RunError::NoRun(path.to_owned()))?;
        read_segments(path, manifest)
    }

    /// Whether every deal has a record of the present limits, or is decided.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.deals.len() as u64 == self.manifest.deals
            && self.deals.iter().zip(&self.current).all(|(deal, current)| {
                *current || !matches!(deal.record.outcome, Outcome::Undecided(_))
            })
    }
}

fn read_manifest(path: &Path) -> Result<Option<Manifest>, RunError> {
    let file = path.join(MANIFEST);
    let Some(value) = checkpoint::load::<serde_json::Value>(&file)? else {
        return Ok(None);
    };
    let not_one = |reason: String| CheckpointError::NotOne {
        path: file.clone(),
        reason,
    };
    let format = value.get("format").and_then(serde_json::Value::as_u64);
    match (value.get("kind").and_then(|kind| kind.as_str()), format) {
        (Some(KIND), Some(format)) if format == u64::from(FORMAT) => {}
        (Some(KIND), Some(format)) => return Err(RunError::Format { path: file, format }),
        _ => return Err(not_one(format!("it is not of the kind {KIND}")).into()),
    }
    let manifest: Manifest =
        serde_json::from_value(value).map_err(|error| not_one(error.to_string()))?;
    manifest
        .range()
        .map_err(|error| not_one(error.to_string()))?;
    Ok(Some(manifest))
}

/// The segments in a directory with their numbers, in ascending order.
fn segments(path: &Path) -> Result<Vec<(u32, PathBuf)>, RunError> {
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

fn read_segments(path: &Path, manifest: Manifest) -> Result<Contents, RunError> {
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
        if head.identity != manifest.identity() {
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
    // Stable: of equal ones the first written is kept.
    all.sort_by_key(|(_, deal)| deal.record.offset);
    let mut kept: Vec<(u32, Timed)> = Vec::with_capacity(all.len());
    for (level, deal) in all {
        match kept.last_mut() {
            Some(last) if last.1.record.offset == deal.record.offset => {
                *last = better(*last, (level, deal)).ok_or_else(|| RunError::Contradiction {
                    seed: seed_text(&manifest, deal.record.offset),
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

/// The seed of the deal at `offset`.
#[must_use]
pub fn seed_text(manifest: &Manifest, offset: u64) -> String {
    match manifest.first.parse::<Seed>() {
        Ok(first) => first.plus(offset).to_string(),
        Err(_) => format!("{}+{offset}", manifest.first),
    }
}

/// The directory of a run, locked for writing as long as this lives.
#[derive(Debug)]
pub struct RunDirectory {
    path: PathBuf,
    manifest: Manifest,
    _lock: File,
    segment: Option<Segment>,
}

impl RunDirectory {
    /// Opens the directory of a run to go on with it, or makes it.
    ///
    /// The deals of `asked` may be more than those of the run so far. Its limits may be higher
    /// ones, if `raise_limits`.
    ///
    /// # Errors
    /// If another process writes it, the run is another one, or files cannot be read or written.
    pub fn open(
        path: &Path,
        asked: &Manifest,
        raise_limits: bool,
    ) -> Result<(RunDirectory, Contents), RunError> {
        fs::create_dir_all(path).map_err(|source| write_error(path, source))?;
        let is_run = path.join(MANIFEST).exists();
        if !is_run && has_other_files(path)? {
            return Err(RunError::NotEmpty(path.to_owned()));
        }
        let lock = checkpoint::lock(&path.join(LOCK))?;
        let saved = read_manifest(path)?;
        let manifest = match &saved {
            Some(saved) => asked.go_on(saved, raise_limits)?,
            None => asked.clone(),
        };
        // Nothing is changed before it is known that the rest of it can be read.
        let contents = match &saved {
            Some(_) => read_segments(path, manifest.clone())?,
            None => Contents {
                manifest: manifest.clone(),
                deals: Vec::new(),
                current: Vec::new(),
                set_aside: Vec::new(),
                damaged: 0,
            },
        };
        if saved.as_ref() != Some(&manifest) {
            save_manifest(path, &manifest)?;
        }
        let directory = RunDirectory {
            path: path.to_owned(),
            manifest,
            _lock: lock,
            segment: None,
        };
        Ok((directory, contents))
    }

    /// What the run is about.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// Where it is.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Writes a piece of the run; it is on the disk when this returns.
    ///
    /// # Errors
    /// If it cannot be written, for instance because the disk is full. What was written before
    /// is safe. The next piece goes into another file.
    pub fn append(&mut self, piece: &Piece) -> Result<(), RunError> {
        let mut segment = match self.segment.take() {
            Some(segment) => segment,
            None => new_segment(&self.path, &self.manifest, self.manifest.level)?,
        };
        segment
            .append(&piece.pack())
            .map_err(|source| write_error(&self.path, source))?;
        self.segment = Some(segment);
        Ok(())
    }

    /// Makes a directory that becomes a run with [`NewDirectory::finish`].
    ///
    /// # Errors
    /// If it holds something already, or cannot be made.
    pub(super) fn create(path: &Path) -> Result<NewDirectory, RunError> {
        fs::create_dir_all(path).map_err(|source| write_error(path, source))?;
        if has_other_files(path)? {
            return Err(RunError::NotEmpty(path.to_owned()));
        }
        Ok(NewDirectory {
            path: path.to_owned(),
            _lock: checkpoint::lock(&path.join(LOCK))?,
            segment: None,
        })
    }

    /// Reads all that is in the directory, and writes its `summary.json` and `times.json`.
    ///
    /// # Errors
    /// If a file cannot be read or written, or records contradict each other.
    pub fn summarize(&self) -> Result<(Contents, Summary), RunError> {
        let contents = read_segments(&self.path, self.manifest.clone())?;
        let summary = save_summary(&self.path, &contents)?;
        Ok((contents, summary))
    }
}

/// A directory that is being filled. It is no run before it is finished, so that half of one is
/// never taken for the whole.
#[derive(Debug)]
pub(super) struct NewDirectory {
    path: PathBuf,
    _lock: File,
    segment: Option<(u32, Segment)>,
}

impl NewDirectory {
    /// Writes a piece of the run that `manifest` is about, of limits that had been raised `level`
    /// times.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn append_of(
        &mut self,
        manifest: &Manifest,
        level: u32,
        piece: &Piece,
    ) -> Result<(), RunError> {
        let mut segment = match self.segment.take() {
            Some((of, segment)) if of == level => segment,
            _ => new_segment(&self.path, manifest, level)?,
        };
        segment
            .append(&piece.pack())
            .map_err(|source| write_error(&self.path, source))?;
        self.segment = Some((level, segment));
        Ok(())
    }

    /// Makes it a run, and reads it.
    ///
    /// # Errors
    /// If it cannot be written or read.
    pub(super) fn finish(self, manifest: Manifest) -> Result<Contents, RunError> {
        save_manifest(&self.path, &manifest)?;
        let contents = read_segments(&self.path, manifest)?;
        save_summary(&self.path, &contents)?;
        Ok(contents)
    }
}

fn new_segment(folder: &Path, manifest: &Manifest, level: u32) -> Result<Segment, RunError> {
    let last = segments(folder)?.last().map_or(0, |last| last.0);
    let path = folder.join(format!("records-{:06}.seg", last + 1));
    let head = Head {
        format: FORMAT,
        identity: manifest.identity(),
        level,
    };
    Segment::create(&path, head).map_err(|source| write_error(&path, source))
}

fn save_manifest(folder: &Path, manifest: &Manifest) -> Result<(), RunError> {
    let file = folder.join(MANIFEST);
    checkpoint::save(&file, manifest)?;
    segment::sync_folder_of(&file).map_err(|source| write_error(&file, source))
}

fn save_summary(folder: &Path, contents: &Contents) -> Result<Summary, RunError> {
    let summary = Summary::new(contents);
    checkpoint::save(&folder.join("summary.json"), &summary.with_estimate())?;
    checkpoint::save(&folder.join("times.json"), &Times::new(contents))?;
    Ok(summary)
}

fn has_other_files(path: &Path) -> Result<bool, RunError> {
    let error = |source| RunError::Read {
        path: path.to_owned(),
        source,
    };
    for entry in fs::read_dir(path).map_err(error)? {
        let name = entry.map_err(error)?.file_name();
        // What a run that ended at once may leave behind.
        if name != LOCK && name != "run.json.tmp" {
            return Ok(true);
        }
    }
    Ok(false)
}

fn write_error(path: &Path, source: io::Error) -> RunError {
    RunError::Write {
        path: path.to_owned(),
        source,
    }
}

/// Why a run directory cannot be used.
#[derive(Debug)]
#[non_exhaustive]
pub enum RunError {
    /// Something cannot be read.
    Read {
        /// The file or directory.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Something cannot be written.
    Write {
        /// The file or directory.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// `run.json`, another file of JSON or the lock cannot be used.
    Checkpoint(CheckpointError),
    /// The directory does not hold a run.
    NoRun(PathBuf),
    /// The directory holds other things.
    NotEmpty(PathBuf),
    /// The format is of a later version of this program.
    Format {
        /// The file.
        path: PathBuf,
        /// Its format version.
        format: u64,
    },
    /// A segment cannot be used.
    Segment {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// The directory is of a run with another parameter.
    Other {
        /// The parameter that differs.
        what: &'static str,
        /// Its value in the directory.
        saved: String,
        /// Its value in this run.
        asked: String,
    },
    /// The directory is of a run with other limits.
    Limits {
        /// The limit that differs.
        what: &'static str,
        /// Its value in the directory.
        saved: String,
        /// Its value in this run.
        asked: String,
        /// Whether the new limits do not all allow at least as much as the old ones.
        lower: bool,
    },
    /// Two records of the same deal say the opposite.
    Contradiction {
        /// The seed of the deal.
        seed: String,
    },
}

impl From<CheckpointError> for RunError {
    fn from(error: CheckpointError) -> RunError {
        RunError::Checkpoint(error)
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Read { path, source } => {
                write!(f, "cannot read {}: {source}", path.display())
            }
            RunError::Write { path, source } => write!(
                f,
                "cannot write {}: {source}; what was decided before is safe, and the same command \
                 goes on from there",
                path.display()
            ),
            RunError::Checkpoint(error) => error.fmt(f),
            RunError::NoRun(path) => write!(
                f,
                "{} holds no run of `klondike estimate`: there is no {MANIFEST} in it",
                path.display()
            ),
            RunError::NotEmpty(path) => write!(
                f,
                "{} holds other things: name a directory that is empty or does not exist",
                path.display()
            ),
            RunError::Format { path, format } => write!(
                f,
                "{} has format {format}, this program knows {FORMAT}: use a newer version",
                path.display()
            ),
            RunError::Segment { path, reason } => write!(
                f,
                "{} is no part of this run, {reason}: restore it, or move it away to have its \
                 deals decided again",
                path.display()
            ),
            RunError::Other { what, saved, asked } => write!(
                f,
                "the directory holds another run: its {what} is {saved}, not {asked}; give the \
                 same parameters or another directory"
            ),
            RunError::Limits {
                what,
                saved,
                asked,
                lower,
            } => {
                write!(f, "the {what} of this run is {saved}, not {asked}; ")?;
                if *lower {
                    f.write_str("give the same limits or another directory")
                } else {
                    f.write_str(
                        "give the same limits, or --raise-limits to decide only the undecided \
                         deals again with the higher ones",
                    )
                }
            }
            RunError::Contradiction { seed } => write!(
                f,
                "two records of the deal {seed} contradict each other, one winnable and one not: \
                 this is a bug, or a file was changed"
            ),
        }
    }
}

impl std::error::Error for RunError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            RunError::Read { source, .. } | RunError::Write { source, .. } => Some(source),
            RunError::Checkpoint(error) => Some(error),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_identity_of_a_run_is_that_of_the_specification() {
        let range = DealRange::from_first(Scheme::Klondike, &Seed::from(1_u64), 5).unwrap();
        let limits = RunLimits {
            first_states: 1,
            max_states: None,
            memory_bytes: 1,
            seconds: None,
            share_hard: false,
        };
        let manifest = Manifest::new(&Rules::standard(), &range, limits, 0.0);
        let text = "{\"draw\":3,\"piles\":[1,2,3,4,5,6,7],\"ranks\":13,\"redeals\":\"unlimited\",\
                    \"runs\":\"partial\",\"spaces\":\"kings\",\"suits\":4,\"worrying_back\":true}\n\
                    klondike\n1";
        assert_eq!(manifest.identity(), crc32fast::hash(text.as_bytes()));
        let more = Manifest {
            deals: 9,
            certify: 0.5,
            ..manifest.clone()
        };
        assert_eq!(more.identity(), manifest.identity());
        let other = Manifest {
            first: "2".to_owned(),
            ..manifest.clone()
        };
        assert_ne!(other.identity(), manifest.identity());
    }
}
