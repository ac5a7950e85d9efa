//! Why the directory of a run cannot be used.

use std::path::PathBuf;
use std::{fmt, io};

use super::checkpoint::CheckpointError;
/// Version of `run.json` and of the records.
pub const FORMAT: u32 = 1;

/// The file that says what a run is about.
pub(super) const MANIFEST: &str = "run.json";

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
