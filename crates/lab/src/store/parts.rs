//! All files of a store together.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use super::about::About;
use super::part;
use crate::contents::{Contents, joined};
use crate::record::{SetAside, Timed};
use crate::run_error::RunError;
use klondike_contract::runs::Manifest;
use klondike_game::deal::seed::Seed;

/// The files of parts and of hard deals. Those of tasks that were killed begin with a dot.
fn files(path: &Path) -> Result<Vec<PathBuf>, RunError> {
    let mut found = Vec::new();
    for folder in [path.join("parts"), path.join("hard")] {
        let error = |source| RunError::Read {
            path: folder.clone(),
            source,
        };
        let entries = match fs::read_dir(&folder) {
            Err(none) if none.kind() == io::ErrorKind::NotFound => continue,
            entries => entries.map_err(error)?,
        };
        for entry in entries {
            let file = entry.map_err(error)?.path();
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            if name.ends_with(".parquet") && !name.starts_with('.') {
                found.push(file);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Everything in the store in `path`, which amounts to the run `manifest`.
pub(super) fn read(
    path: &Path,
    manifest: Manifest,
    about: &About,
    allow_damaged: bool,
) -> Result<Contents, RunError> {
    let first = Seed::from(about.first);
    let mut all: Vec<(u32, Timed)> = Vec::new();
    let mut marks: Vec<SetAside> = Vec::new();
    let mut damaged = 0;
    for file in files(path)? {
        let bytes = fs::read(&file).map_err(|source| RunError::Read {
            path: file.clone(),
            source,
        })?;
        let length = bytes.len() as u64;
        match part::read(bytes, about) {
            Ok((records, hard)) => {
                all.extend(records.into_iter().map(|record| (0, record)));
                marks.extend(hard.into_iter().map(|seed| SetAside {
                    offset: Seed::from(seed).places_after(&first).unwrap_or(u64::MAX),
                    step: 1,
                }));
            }
            Err(part::Damaged) if allow_damaged => damaged += length,
            Err(part::Damaged) => return Err(RunError::Part(file)),
        }
    }
    // A part may be longer than the run, if an older `run.json` was put back.
    all.retain(|(_, deal)| deal.record.offset < manifest.deals);
    marks.retain(|mark| mark.offset < manifest.deals);
    joined(manifest, Vec::new(), all, marks, damaged)
}
