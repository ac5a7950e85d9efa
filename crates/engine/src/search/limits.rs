//! What bounds a search, and which bound stopped it.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::clock::Deadline;
use super::idle_threads::Helpers;

/// The limit that stopped a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Limit {
    /// [`Limits::max_states`].
    States,
    /// [`Limits::memory_bytes`].
    Memory,
    /// [`Limits::deadline`].
    Time,
    /// [`Limits::stop`] was set.
    Interrupt,
}

impl Limit {
    /// The word used in text and JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Limit::States => "states",
            Limit::Memory => "memory",
            Limit::Time => "time",
            Limit::Interrupt => "interrupt",
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// What bounds a search. The default bounds nothing.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Most states that may be visited, by all parts of the search.
    pub max_states: Option<u64>,
    /// Most memory for the search's own tables and stacks, in bytes.
    pub memory_bytes: Option<u64>,
    /// When to stop.
    pub deadline: Option<Deadline>,
    /// Stops the search soon after it becomes true.
    pub stop: Option<Arc<AtomicBool>>,
    /// Gets the number of states as they are searched, to show that the search goes on.
    pub searched: Option<Searched>,
    /// Threads that may help; without them the search does the same every time. Without the feature
    /// `threads` none ever helps.
    ///
    /// They share all the limits above. The table engine does not use them.
    pub helpers: Option<Helpers>,
}

impl Limits {
    /// Looks at the stop flag and the clock.
    pub(super) fn check_clock_and_flag(&self) -> Result<(), Limit> {
        if let Some(stop) = &self.stop
            && stop.load(Ordering::Relaxed)
        {
            return Err(Limit::Interrupt);
        }
        match self.deadline {
            Some(deadline) if deadline.has_passed() => Err(Limit::Time),
            _ => Ok(()),
        }
    }

    /// Whether so many states and bytes, the time and the stop flag are within these limits.
    ///
    /// # Errors
    /// The limit that is hit.
    pub fn check(&self, states: u64, bytes: u64) -> Result<(), Limit> {
        if self.max_states.is_some_and(|most| states >= most) {
            return Err(Limit::States);
        }
        if self.memory_bytes.is_some_and(|most| bytes > most) {
            return Err(Limit::Memory);
        }
        self.check_clock_and_flag()
    }

    /// The same limits for a search that no thread helps.
    pub(crate) fn without_helpers(&self) -> Limits {
        Limits {
            helpers: None,
            ..self.clone()
        }
    }
}

/// Is called by a search with the number of states that it has searched since the last call: about
/// a thousand, fewer at the beginning and the end. Threads that help call it as well.
#[derive(Clone)]
pub struct Searched(Arc<dyn Fn(u64) + Send + Sync>);

impl Searched {
    /// Calls `call`.
    pub fn new(call: impl Fn(u64) + Send + Sync + 'static) -> Searched {
        Searched(Arc::new(call))
    }

    /// So many more states were searched.
    pub fn call(&self, states: u64) {
        (self.0)(states);
    }
}

/// Adds to a counter.
impl From<Arc<AtomicU64>> for Searched {
    fn from(counter: Arc<AtomicU64>) -> Searched {
        Searched::new(move |states| {
            counter.fetch_add(states, Ordering::Relaxed);
        })
    }
}

impl fmt::Debug for Searched {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Searched")
    }
}
