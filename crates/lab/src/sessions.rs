//! The commands that worked on a run: when, with what program, where. Nothing else of a run depends
//! on them, so records and summaries are the same whoever made them.

use std::env;
use std::path::Path;

use bytesize::ByteSize;
use sysinfo::{CpuRefreshKind, RefreshKind, System};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use super::checkpoint;
use super::run_error::RunError;
use klondike_batch::machine::memory;
use klondike_contract::runs::Session;

const FILE: &str = "sessions.json";

/// This command, which begins now and searches with so many threads.
#[must_use]
pub fn now(command: String, threads: usize) -> Session {
    let now = OffsetDateTime::now_utc();
    let now = now.replace_nanosecond(0).unwrap_or(now);
    Session {
        started: now.format(&Rfc3339).unwrap_or_default(),
        command,
        program: env!("CARGO_PKG_VERSION").to_owned(),
        machine: machine(),
        threads,
    }
}

/// `AMD EPYC, 2 processors, 23.5 GiB, linux x86_64`.
fn machine() -> String {
    let cpu = RefreshKind::nothing().with_cpu(CpuRefreshKind::nothing());
    let system = System::new_with_specifics(cpu);
    let brand = system.cpus().first().map_or("", |cpu| cpu.brand().trim());
    let brand = match brand {
        "" => String::new(),
        brand => format!("{brand}, "),
    };
    format!(
        "{brand}{} processors, {}, {} {}",
        system.cpus().len(),
        ByteSize(memory()).display().iec(),
        env::consts::OS,
        env::consts::ARCH
    )
}

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
