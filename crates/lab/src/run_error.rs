//! Why the directory of a run cannot be used.

use std::io;
use std::path::PathBuf;

use super::checkpoint::CheckpointError;

/// Version of `run.json` and of the records.
pub const FORMAT: u32 = 1;

/// The file that says what a run is about.
pub(super) const MANIFEST: &str = "run.json";

/// Why a run directory cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunError {
    /// Something cannot be read.
    #[error("cannot read {path}: {source}")]
    Read {
        /// The file or directory.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The directory cannot be made.
    #[error("cannot make the directory {path}: {source}; name one where you may write")]
    Make {
        /// The directory.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Something cannot be written.
    #[error(
        "cannot write {path}: {source}; what was decided before is safe, and the same command \
         goes on from there"
    )]
    Write {
        /// The file or directory.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// `run.json` is damaged. Without it the records mean nothing, so it must not be deleted.
    #[error(
        "{path} cannot be used ({reason}): put a copy of it back, or the {MANIFEST} of another run \
         with the same parameters; the records beside it need it"
    )]
    Manifest {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// Another file of JSON or the lock cannot be used.
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The directory does not hold a run.
    #[error("{0} holds no run of `klondike estimate`: there is no {MANIFEST} in it")]
    NoRun(PathBuf),
    /// The directory is a store of parts that cannot be read.
    #[error("{path} is a store of a cluster: {reason}")]
    Store {
        /// The directory.
        path: PathBuf,
        /// Why it cannot be read.
        reason: String,
    },
    /// A part of a store does not count.
    #[error(
        "{0} is damaged or of another run: the call that made the store makes this part again; \
         --allow-damaged leaves it out"
    )]
    Part(PathBuf),
    /// The directory holds other things.
    #[error("{0} is not empty: name an empty directory, or one that does not exist")]
    NotEmpty(PathBuf),
    /// The place is a file.
    #[error("{0} is a file: name a directory that is empty or does not exist")]
    IsFile(PathBuf),
    /// The format is of a later version of this program.
    #[error("{path} has format {format}, this program knows {FORMAT}: use a newer version")]
    Format {
        /// The file.
        path: PathBuf,
        /// Its format version.
        format: u64,
    },
    /// A segment cannot be used.
    #[error(
        "{path} is no part of this run, {reason}: restore it, or move it away to have its deals \
         decided again"
    )]
    Segment {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: &'static str,
    },
    /// Bytes of the records are not records, and deals have none.
    #[error(
        "{path}: {bytes} bytes of the records are damaged or half written, and {missing} deals \
         have no record: `klondike estimate` with the parameters of this run decides these deals \
         again; --allow-damaged leaves them out"
    )]
    Damaged {
        /// The directory.
        path: PathBuf,
        /// How many bytes.
        bytes: u64,
        /// Deals of the run that have no record.
        missing: u64,
    },
    /// The directory is of a run with another parameter.
    #[error(
        "{path} holds another run: its {what} is {saved}, not {asked}; give the same parameters or \
         another directory"
    )]
    Other {
        /// The directory.
        path: PathBuf,
        /// The parameter that differs.
        what: String,
        /// Its value in the directory.
        saved: String,
        /// Its value in this run.
        asked: String,
    },
    /// The directory is of a run with other limits.
    #[error("the {what} of this run is {saved}, not {asked}; give the same limits{}", if *lower {
        " or another directory"
    } else {
        ", or raise them (--raise-limits) to decide only the undecided deals again"
    })]
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
    /// A deal cannot be decided because of a bug.
    #[error("deal {seed}: {reason}")]
    Deal {
        /// Its seed.
        seed: String,
        /// What went wrong.
        reason: String,
    },
    /// Certificates do not prove their verdicts, because of a bug.
    #[error(
        "internal error, {count} certificates do not prove their verdicts, those of the deals {} \
         among them", seeds.join(", ")
    )]
    Refused {
        /// How many.
        count: u64,
        /// The seeds of the first of these deals.
        seeds: Vec<String>,
    },
    /// Two records of the same deal say the opposite.
    #[error(
        "two records of the deal {seed} contradict each other, one winnable and one not: this is a \
         bug, or a file was changed"
    )]
    Contradiction {
        /// The seed of the deal.
        seed: String,
    },
}
