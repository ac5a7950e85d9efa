//! Files in which a long run keeps what it has done, so that it can go on after any interruption.
//!
//! A checkpoint is one JSON object. It is written to a file beside its place and then renamed, so
//! that at any time the file is whole: either the old one or the new one.

use std::ffi::OsString;
use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use serde::de::DeserializeOwned;

/// Writes `checkpoint` to `path` in one step: whoever reads the file finds the old or the new one.
///
/// # Errors
/// If the file beside it (`path` with `.tmp` added) cannot be written or renamed.
pub fn save(path: &Path, checkpoint: &impl Serialize) -> Result<(), CheckpointError> {
    let error = |source| CheckpointError::Write {
        path: path.to_owned(),
        source,
    };
    let mut beside = OsString::from(path);
    beside.push(".tmp");
    let beside = PathBuf::from(beside);
    let mut text = serde_json::to_vec_pretty(checkpoint).map_err(|bad| error(bad.into()))?;
    text.push(b'\n');
    let write = || {
        let mut file = File::create(&beside)?;
        file.write_all(&text)?;
        // On the disk before it gets the name, or a loss of power could leave an empty file.
        file.sync_all()?;
        fs::rename(&beside, path)
    };
    write().map_err(error)
}

/// Locks a file, which is made if there is none, until it is closed: for the one process that may
/// write what it stands for. The system takes the lock away when the process ends, however it
/// ends.
///
/// # Errors
/// If another process has locked it, or it cannot be made.
pub fn lock(path: &Path) -> Result<File, CheckpointError> {
    let error = |source| CheckpointError::Write {
        path: path.to_owned(),
        source,
    };
    let file = File::options()
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)
        .map_err(error)?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(CheckpointError::Locked(path.to_owned())),
        Err(TryLockError::Error(source)) => Err(error(source)),
    }
}

/// Reads the checkpoint in `path`; `None` if there is no such file.
///
/// # Errors
/// If the file cannot be read or is not the JSON of a `T`.
pub fn load<T: DeserializeOwned>(path: &Path) -> Result<Option<T>, CheckpointError> {
    let text = match fs::read(path) {
        Ok(text) => text,
        // Under a file there is none either; what cannot be there is said when it is written.
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
            ) =>
        {
            return Ok(None);
        }
        Err(source) => {
            return Err(CheckpointError::Read {
                path: path.to_owned(),
                source,
            });
        }
    };
    serde_json::from_slice(&text)
        .map(Some)
        .map_err(|error| CheckpointError::NotOne {
            path: path.to_owned(),
            reason: error.to_string(),
        })
}

/// Compares what a checkpoint says with what this run would write: names of parameters, with the
/// saved values and those asked for.
///
/// # Errors
/// [`CheckpointError::Other`] for the first parameter that differs.
pub(super) fn expect_same(
    parameters: impl IntoIterator<Item = (&'static str, String, String)>,
) -> Result<(), CheckpointError> {
    let mut parameters = parameters.into_iter();
    match parameters.find(|(_, saved, asked)| saved != asked) {
        Some((what, saved, asked)) => Err(CheckpointError::Other { what, saved, asked }),
        None => Ok(()),
    }
}

/// Why a checkpoint cannot be used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum CheckpointError {
    /// The file cannot be read.
    #[error("cannot read the checkpoint {path}: {source}")]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The file cannot be written.
    #[error("cannot write the checkpoint {path}: {source}")]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// Another process is at it.
    #[error(
        "another process is at the same run ({0} is locked): wait for it, or use another \
         place"
    )]
    Locked(PathBuf),
    /// The file is something else, or damaged.
    #[error("{path} is no checkpoint of this command ({reason}): name another file, or delete it")]
    NotOne {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        reason: String,
    },
    /// The checkpoint belongs to a run with other parameters.
    #[error(
        "the checkpoint is of another run: its {what} is {saved}, not {asked}; \
         give the same parameters or another file"
    )]
    Other {
        /// The parameter that differs.
        what: &'static str,
        /// Its value in the checkpoint.
        saved: String,
        /// Its value in this run.
        asked: String,
    },
}
