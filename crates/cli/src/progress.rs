//! Progress on standard error: only on a terminal, and only for what takes longer than a moment.

use std::fmt::Write;
use std::io::{IsTerminal, stderr};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

/// How long something may take before its progress is shown.
const PATIENCE: Duration = Duration::from_secs(2);

/// Counts deals; shows itself after a while.
pub(super) struct Progress {
    bar: ProgressBar,
}

impl Progress {
    /// A bar for `total` deals, if that is known, `done` of which were done before.
    pub(super) fn new(total: Option<u64>, done: u64) -> Progress {
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden());
        let template = if total.is_some() {
            "{bar:20} {human_pos}/{human_len} deals, {rate}, {eta} left {wide_msg}"
        } else {
            "{spinner} {human_pos} deals in {elapsed}, {rate} {wide_msg}"
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            // As many digits as say something. The message ends where the terminal does.
            bar.set_style(
                style.with_key("rate", |state: &ProgressState, to: &mut dyn Write| {
                    let rate = state.per_sec();
                    let places = if rate < 10.0 { 1 } else { 0 };
                    let _ = write!(to, "{rate:.places$}/s");
                }),
            );
        }
        // What was done before must not count as speed.
        let bar = bar.with_position(done);
        bar.reset_eta();
        if stderr().is_terminal() {
            let weak = bar.downgrade();
            std::thread::spawn(move || {
                std::thread::sleep(PATIENCE);
                if let Some(bar) = weak.upgrade().filter(|bar| !bar.is_finished()) {
                    bar.set_draw_target(ProgressDrawTarget::stderr());
                    bar.enable_steady_tick(Duration::from_millis(250));
                }
            });
        }
        Progress { bar }
    }

    /// `more` deals are done.
    pub(super) fn add(&self, more: u64) {
        self.bar.inc(more);
    }

    /// `done` deals are done in all.
    pub(super) fn reach(&self, done: u64) {
        self.bar.set_position(done);
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
