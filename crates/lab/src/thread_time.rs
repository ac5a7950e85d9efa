//! How much processor time a thread has taken.

use std::time::Duration;
#[cfg(not(unix))]
use std::time::Instant;

/// Processor time of this thread so far.
#[cfg(unix)]
pub(super) fn thread_time() -> Duration {
    use rustix::time::{ClockId, clock_gettime};
    Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap_or_default()
}

/// Elsewhere, time on the wall.
#[cfg(not(unix))]
pub(super) fn thread_time() -> Duration {
    use std::sync::OnceLock;
    static START: OnceLock<Instant> = OnceLock::new();
    START.get_or_init(Instant::now).elapsed()
}
