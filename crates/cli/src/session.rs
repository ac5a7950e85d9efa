//! What a run notes of the command that works on it.

use std::env;

use bytesize::ByteSize;
use sysinfo::{CpuRefreshKind, RefreshKind, System};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::shell::command_line;
use klondike_batch::machine::memory;
use klondike_contract::runs::Session;

/// This command, which searches with so many threads.
pub(super) fn session(threads: usize) -> Session {
    let now = OffsetDateTime::now_utc();
    let now = now.replace_nanosecond(0).unwrap_or(now);
    let arguments: Vec<String> = (env::args_os().skip(1))
        .map(|argument| argument.to_string_lossy().into_owned())
        .collect();
    Session {
        started: now.format(&Rfc3339).unwrap_or_default(),
        command: command_line(arguments.iter().map(String::as_str)),
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
    format!(
        "{}{} processors, {}, {} {}",
        if brand.is_empty() {
            String::new()
        } else {
            format!("{brand}, ")
        },
        system.cpus().len(),
        ByteSize(memory()).display().iec(),
        env::consts::OS,
        env::consts::ARCH
    )
}
