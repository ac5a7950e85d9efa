//! The directory of a run: what the run is about, and everything it has found so far.
//!
//! | file | content |
//! | --- | --- |
//! | `run.json` | rules, scheme, range, limits, versions: [`Manifest`] |
//! | `records-000001.seg`, … | the records, in segments that only grow ([`super::segment`]) |
//! | `sessions.json` | the commands that worked on it, in order: [`Session`] |
//! | `lock` | locked by the one process that writes |
//! | `summary.json`, `times.json` | made from the records after each command |
//!
//! Every process that writes starts a segment of its own, so that nothing is ever appended behind
//! a torn end. [`Contents`] reads all segments together.

use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use super::checkpoint;
use super::contents::{Contents, read_segments, segments};
use super::manifest;
use super::record::Piece;
use super::run_error::{FORMAT, MANIFEST, RunError};
use super::segment::{self, Head, Segment};
use super::sessions;
use super::summary::{summarize, times, with_estimate};
use klondike_contract::runs::{Manifest, Session, Summary};

const LOCK: &str = "lock";

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
        make_directory(path)?;
        let is_run = path.join(MANIFEST).exists();
        if !is_run && has_other_files(path)? {
            return Err(RunError::NotEmpty(path.to_owned()));
        }
        let lock = checkpoint::lock(&path.join(LOCK))?;
        let saved = manifest::saved_in(path)?;
        let manifest = match &saved {
            Some(saved) => manifest::go_on(asked, saved, raise_limits, path)?,
            None => asked.clone(),
        };
        // Nothing is changed before it is known that the rest of it can be read.
        let contents = match &saved {
            Some(_) => read_segments(path, manifest.clone())?,
            None => Contents {
                manifest: manifest.clone(),
                sessions: Vec::new(),
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

    /// Notes the command that works on the run now.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn begin(&self, session: &Session) -> Result<(), RunError> {
        sessions::append(&self.path, std::slice::from_ref(session))
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
        make_directory(path)?;
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

    /// Makes it a run that `sessions` have made, and reads it.
    ///
    /// # Errors
    /// If it cannot be written or read.
    pub(super) fn finish(
        self,
        manifest: Manifest,
        sessions: &[Session],
    ) -> Result<Contents, RunError> {
        sessions::append(&self.path, sessions)?;
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
        identity: manifest::identity(manifest),
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
    let summary = summarize(contents);
    checkpoint::save(&folder.join("summary.json"), &with_estimate(&summary))?;
    checkpoint::save(&folder.join("times.json"), &times(contents))?;
    Ok(summary)
}

fn make_directory(path: &Path) -> Result<(), RunError> {
    if path.exists() && !path.is_dir() {
        return Err(RunError::IsFile(path.to_owned()));
    }
    fs::create_dir_all(path).map_err(|source| RunError::Make {
        path: path.to_owned(),
        source,
    })
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
