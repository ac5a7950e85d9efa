//! What the machine has: its memory and its processors.

use std::sync::OnceLock;
use std::thread;

/// Taken where the machine does not say how much memory it has, in bytes.
const UNKNOWN: u64 = 4 << 30;

/// The memory of the machine, or of the cgroup of this process if that is less, in bytes.
#[must_use]
pub fn memory() -> u64 {
    static MEMORY: OnceLock<u64> = OnceLock::new();
    *MEMORY.get_or_init(|| {
        let mut system = sysinfo::System::new();
        system.refresh_memory();
        let limit = system.cgroup_limits().map_or(u64::MAX, |c| c.total_memory);
        match system.total_memory().min(limit) {
            0 => UNKNOWN,
            bytes => bytes,
        }
    })
}

/// The processors that this process may use: by its affinity and the quota of its cgroup.
#[must_use]
pub fn processors() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}
