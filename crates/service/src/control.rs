//! How an answer is bounded, stopped and watched while it is worked out.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use klondike_contract::{Envelope, ProgressAnswer};
use klondike_engine::search::Limits;
use klondike_engine::search::clock::{Clock, Deadline};
#[cfg(feature = "threads")]
use klondike_engine::search::idle_threads::{Helpers, IdleThreads};

use crate::request;

/// How one request is answered.
#[derive(Clone, Debug)]
pub struct Control {
    /// The clock that limits on time are read on.
    pub clock: Clock,
    /// Set to stop: the answer then comes soon, and says so.
    pub stop: Arc<AtomicBool>,
    /// What is known while the answer is worked out.
    pub watch: Watch,
    /// Limits that a request cannot raise.
    pub caps: Caps,
    /// Threads for one deal, with the feature `threads`; 0 counts as 1.
    pub threads: usize,
}

/// Limits that a request cannot raise.
#[derive(Clone, Copy, Debug, Default)]
pub struct Caps {
    /// Most time.
    pub time: Option<Duration>,
    /// Most states to store.
    pub states: Option<u64>,
    /// Most memory for the tables of states, in bytes.
    pub memory: Option<u64>,
    /// Most bytes of a certificate.
    pub certificate: Option<u64>,
}

impl Control {
    /// Answers with one thread, by this clock, without limits.
    #[must_use]
    pub fn new(clock: Clock) -> Control {
        Control {
            clock,
            stop: Arc::default(),
            watch: Watch::new(clock),
            caps: Caps::default(),
            threads: 1,
        }
    }

    /// The bounds of a search that starts now.
    pub(crate) fn limits(&self, asked: &request::Limits) -> Limits {
        let time = least(asked.time_ms.map(Duration::from_millis), self.caps.time);
        Limits {
            max_states: least(asked.states, self.caps.states),
            memory_bytes: least(asked.memory_bytes, self.caps.memory),
            // Always one: a search looks at its clock, and in a browser that is when its progress
            // is reported.
            deadline: Some(Deadline::on_clock(
                self.clock,
                time.unwrap_or(Duration::MAX),
            )),
            stop: Some(Arc::clone(&self.stop)),
            searched: Some(Arc::clone(&self.watch.searched).into()),
            #[cfg(feature = "threads")]
            helpers: (self.threads > 1)
                .then(|| Helpers::new(Arc::new(IdleThreads::new(self.threads - 1)))),
            #[cfg(not(feature = "threads"))]
            helpers: None,
        }
    }

    /// Whether the answer should end.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

fn least<T: Ord>(one: Option<T>, other: Option<T>) -> Option<T> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (one, other) => one.or(other),
    }
}

/// What is known while an answer is worked out; all clones are one.
#[derive(Clone, Debug)]
pub struct Watch {
    clock: Clock,
    began: Duration,
    searched: Arc<AtomicU64>,
    bounds: Arc<Bounds>,
}

/// Zero says that nothing is known.
#[derive(Debug, Default)]
struct Bounds {
    lower: AtomicU32,
    upper: AtomicU32,
    deals: AtomicU64,
}

impl Watch {
    fn new(clock: Clock) -> Watch {
        Watch {
            clock,
            began: clock(),
            searched: Arc::default(),
            bounds: Arc::default(),
        }
    }

    pub(crate) fn lower(&self, value: impl Into<u32>) {
        self.bounds.lower.store(value.into(), Ordering::Relaxed);
    }

    pub(crate) fn upper(&self, value: impl Into<u32>) {
        self.bounds.upper.store(value.into(), Ordering::Relaxed);
    }

    pub(crate) fn deals(&self, tried: u64) {
        self.bounds.deals.store(tried, Ordering::Relaxed);
    }

    /// The time since the beginning.
    pub(crate) fn elapsed(&self) -> Duration {
        (self.clock)().saturating_sub(self.began)
    }

    /// The answer of kind `progress` as of now.
    #[must_use]
    pub fn progress(&self) -> String {
        self.progress_at((self.clock)())
    }

    /// The answer of kind `progress` at a time of the clock, which is not read.
    #[must_use]
    pub fn progress_at(&self, now: Duration) -> String {
        let known = |value: u32| (value > 0).then_some(value);
        let deals = self.bounds.deals.load(Ordering::Relaxed);
        let answer = ProgressAnswer {
            states: self.searched.load(Ordering::Relaxed),
            seconds: now.saturating_sub(self.began).as_secs_f64(),
            lower: known(self.bounds.lower.load(Ordering::Relaxed)),
            upper: known(self.bounds.upper.load(Ordering::Relaxed)),
            deals: (deals > 0).then_some(deals),
        };
        serde_json::to_string(&Envelope::of_nothing(answer)).expect("numbers alone")
    }
}
