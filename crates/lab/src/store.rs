//! Stores of Parquet parts, which clusters make (`docs/clusters.md`), read as runs.
//!
//! Reading them needs the cargo feature `parquet`.

use std::path::Path;

use serde_json::Value;

use super::contents::Contents;
use super::manifest;
use super::run_error::RunError;

#[cfg(feature = "parquet")]
mod about;
#[cfg(feature = "parquet")]
mod part;
#[cfg(feature = "parquet")]
mod parts;

/// The records of the store in `path`; nothing if it is none. Others may be at work on it. With
/// `allow_damaged` files that are damaged or of another run are left out.
///
/// # Errors
/// If this program was built without Parquet, a file cannot be read or is damaged, or records
/// contradict each other.
pub(super) fn read(path: &Path, allow_damaged: bool) -> Result<Option<Contents>, RunError> {
    let saved = manifest::json_in(path)?;
    match saved.filter(|saved| saved.get("part").is_some()) {
        Some(saved) => contents(path, saved, allow_damaged).map(Some),
        None => Ok(None),
    }
}

#[cfg(feature = "parquet")]
fn contents(path: &Path, saved: Value, allow_damaged: bool) -> Result<Contents, RunError> {
    let about = about::About::new(saved);
    let read = about.and_then(|about| Ok((about.manifest()?, about)));
    let (manifest, about) = read.map_err(|reason| RunError::Store {
        path: path.to_owned(),
        reason,
    })?;
    parts::read(path, manifest, &about, allow_damaged)
}

#[cfg(not(feature = "parquet"))]
fn contents(path: &Path, _: Value, _: bool) -> Result<Contents, RunError> {
    Err(RunError::Store {
        path: path.to_owned(),
        reason: "this program was built without Parquet: build it with `cargo build --release \
                 --features parquet`, or have `python -m klondike_solver.cluster export` write a \
                 run of it"
            .to_owned(),
    })
}
