//! Progress on standard error: only on a terminal, and only for what takes longer than a moment.

use std::fmt::Write;
use std::io::{IsTerminal, stderr};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use indicatif::{HumanDuration, ProgressBar, ProgressDrawTarget, ProgressState, ProgressStyle};

use crate::numbers::grouped;

/// How long something may take before its progress is shown.
const PATIENCE: Duration = Duration::from_secs(2);

/// Counts deals; shows itself after a while.
pub(super) struct Progress {
    bar: ProgressBar,
    /// Deals that hit a limit. They are no part of the bar.
    undecided: Arc<AtomicU64>,
}

impl Progress {
    /// A bar for `total` deals, if that is known, `done` of which were done before.
    pub(super) fn new(total: Option<u64>, done: u64) -> Progress {
        let bar = ProgressBar::with_draw_target(total, ProgressDrawTarget::hidden());
        let template = match total {
            Some(1) => "{spinner} {elapsed}{states} {wide_msg}",
            Some(_) => {
                "{bar:20} {human_pos}/{human_len} deals{undecided}, {rate}{left}{states} {wide_msg}"
            }
            None => {
                "{spinner} {human_pos} deals{undecided} in {elapsed}, {rate}{states} {wide_msg}"
            }
        };
        let undecided = Arc::new(AtomicU64::new(0));
        let left_open = Arc::clone(&undecided);
        let open = move |_: &ProgressState, to: &mut dyn Write| {
            let open = left_open.load(Ordering::Relaxed);
            if open > 0 {
                let _ = write!(to, " and {} undecided", grouped(open));
            }
        };
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(
                style
                    .with_key("rate", rate)
                    .with_key("left", left)
                    .with_key("undecided", open)
                    .with_key("states", states),
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
        Progress { bar, undecided }
    }

    /// A deal has its answer. One that hit a limit is not done.
    pub(super) fn answered(&self, undecided: bool) {
        if undecided {
            self.undecided.fetch_add(1, Ordering::Relaxed);
        } else {
            self.add(1);
        }
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

/// Counts the states that all searches of this program have looked at.
pub(super) fn searched() -> Arc<AtomicU64> {
    static SEARCHED: OnceLock<Arc<AtomicU64>> = OnceLock::new();
    Arc::clone(SEARCHED.get_or_init(Arc::default))
}

/// Deals a second, with as many digits as say something.
fn rate(state: &ProgressState, to: &mut dyn Write) {
    let rate = state.per_sec();
    let places = if rate < 10.0 { 1 } else { 0 };
    let _ = write!(to, "{rate:.places$}/s");
}

/// The time left, once a deal is done.
fn left(state: &ProgressState, to: &mut dyn Write) {
    if state.pos() > 0 {
        let _ = write!(to, ", {:#} left", HumanDuration(state.eta()));
    }
}

/// The states searched, in commands that search.
fn states(_: &ProgressState, to: &mut dyn Write) {
    let states = searched().load(Ordering::Relaxed);
    if states > 0 {
        let _ = write!(to, ", {} states searched", grouped(states));
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.bar.finish_and_clear();
    }
}
