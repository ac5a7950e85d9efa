//! Progress on standard error: only on a terminal, and only for what takes longer than a moment.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

/// How long something may take before its progress is shown.
const PATIENCE: Duration = Duration::from_secs(2);

/// Counts deals; shows itself after a while.
pub(super) struct Progress {
    bar: ProgressBar,
    /// When it is to be shown; `None` once it is.
    from: Mutex<Option<Instant>>,
}

impl Progress {
    /// A bar for `total` deals, if that is known, `done` of which were done before.
    pub(super) fn new(total: Option<u64>, done: u64) -> Progress {
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden());
        let template = if total.is_some() {
            "{bar:30} {human_pos}/{human_len} deals, {per_sec}, {eta} left {msg}"
        } else {
            "{spinner} {human_pos} deals in {elapsed}, {per_sec} {msg}"
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        // What was done before must not count as speed.
        let bar = bar.with_position(done);
        bar.reset_eta();
        Progress {
            bar,
            from: Mutex::new(Some(Instant::now() + PATIENCE)),
        }
    }

    /// `more` deals are done. Also called without any, so that it shows in time.
    pub(super) fn add(&self, more: u64) {
        self.reach(self.bar.position() + more);
    }

    /// `done` deals are done in all.
    pub(super) fn reach(&self, done: u64) {
        self.bar.set_position(done);
        if let Ok(mut from) = self.from.lock()
            && from.is_some_and(|from| Instant::now() >= from)
        {
            *from = None;
            // Stays hidden if standard error is no terminal.
            self.bar.set_draw_target(ProgressDrawTarget::stderr());
            self.bar.enable_steady_tick(Duration::from_millis(250));
        }
    }

    /// What to say behind the numbers.
    pub(super) fn say(&self, message: String) {
        self.bar.set_message(message);
    }

    /// Prints something else, with the bar out of the way on a terminal.
    pub(super) fn aside<T>(&self, print: impl FnOnce() -> T) -> T {
        self.bar.suspend(print)
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
