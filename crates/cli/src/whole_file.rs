//! Files that appear only when they are complete: they are written under another name and renamed
//! at the end.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Why `-` is not written.
pub(super) const ONLY_FILES: &str = "only a file can be written; ./- is one of this name";

/// Refuses places that are not to be written over.
///
/// # Errors
/// If there is something of this name other than a regular file, or a run needs the file.
pub(super) fn check_place(path: &Path) -> io::Result<()> {
    if path == Path::new("-") {
        return Err(io::Error::other(ONLY_FILES));
    }
    if fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return Err(io::Error::other("exists but is not a regular file"));
    }
    let of_runs = ["run.json", "summary.json", "times.json"];
    let is_named_so = of_runs.iter().any(|name| path.ends_with(name));
    if is_named_so && path.with_file_name(of_runs[0]).exists() {
        return Err(io::Error::other("it belongs to a run; give another name"));
    }
    Ok(())
}

/// A file that is being made, under its name with `.part` behind it; dropped before
/// [`WholeFile::finish`], it is deleted.
pub(super) struct WholeFile {
    path: PathBuf,
    part: PathBuf,
    finished: bool,
}

impl WholeFile {
    /// Nothing is written yet: that is up to the caller.
    ///
    /// # Errors
    /// Those of [`check_place`]: a new name takes the place of a device as readily as that of a
    /// file.
    pub(super) fn new(path: &Path) -> io::Result<WholeFile> {
        check_place(path)?;
        // A link stays, and what it points to is replaced.
        let path = match fs::canonicalize(path) {
            Ok(path) => path,
            Err(_) if path.is_symlink() => {
                return Err(io::Error::other("is a link to what is not there"));
            }
            Err(_) => path.to_owned(),
        };
        let mut part = path.clone().into_os_string();
        part.push(".part");
        Ok(WholeFile {
            path,
            part: PathBuf::from(part),
            finished: false,
        })
    }

    /// Where to write.
    pub(super) fn part(&self) -> &Path {
        &self.part
    }

    /// Gives what was written its name.
    ///
    /// # Errors
    /// If the system does not let it.
    pub(super) fn finish(mut self) -> io::Result<()> {
        if let Ok(old) = fs::metadata(&self.path) {
            // Who could not read the old file cannot read the new one.
            fs::set_permissions(&self.part, old.permissions())?;
        }
        fs::rename(&self.part, &self.path)?;
        self.finished = true;
        Ok(())
    }
}

impl Drop for WholeFile {
    fn drop(&mut self) {
        if !self.finished {
            // It may not be there, and there is nothing to be done if it stays.
            let _ = fs::remove_file(&self.part);
        }
    }
}
