//! The commands that worked on a run: when, with what program, where. Nothing else of a run depends
//! on them, so records and summaries are the same whoever made them.

use std::path::Path;

use super::checkpoint;
use super::run_error::RunError;
use klondike_contract::runs::Session;

const FILE: &str = "sessions.json";

/// The sessions of the run in `folder`; none if it is of a program that noted none.
pub(super) fn read(folder: &Path) -> Result<Vec<Session>, RunError> {
    Ok(checkpoint::load(&folder.join(FILE))?.unwrap_or_default())
}

/// Adds sessions to those of the run in `folder`.
pub(super) fn append(folder: &Path, new: &[Session]) -> Result<(), RunError> {
    let mut sessions = read(folder)?;
    sessions.extend_from_slice(new);
    Ok(checkpoint::save(&folder.join(FILE), &sessions)?)
}
