//! Idle threads: how many threads have nothing to do, and may help with a search.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// Threads that may help with a search, and when.
#[derive(Clone, Debug)]
pub struct Helpers {
    /// The threads; several searches may share them.
    pub idle: Arc<IdleThreads>,
    /// States that a search visits alone before it looks for help. Most searches end before, and
    /// are the same every time. With 0 the short searches that come first are left out too, so that
    /// tests have all work shared.
    pub after: u64,
}

impl Helpers {
    /// Help by `idle` threads for searches that take long enough to gain by it.
    #[must_use]
    pub fn new(idle: Arc<IdleThreads>) -> Helpers {
        Helpers {
            idle,
            after: 20_000,
        }
    }
}

/// How many threads are idle.
///
/// It is a number only: who takes a thread starts one, and counts it as idle when it has ended.
#[derive(Debug, Default)]
pub struct IdleThreads(AtomicUsize);

impl IdleThreads {
    /// `count` idle threads.
    #[must_use]
    pub fn new(count: usize) -> IdleThreads {
        IdleThreads(AtomicUsize::new(count))
    }

    /// One more thread is idle.
    pub fn add_one(&self) {
        self.0.fetch_add(1, Relaxed);
    }

    /// Takes an idle thread, if there is one.
    #[must_use]
    pub fn take_one(&self) -> bool {
        let less = |count: usize| count.checked_sub(1);
        self.0.fetch_update(Relaxed, Relaxed, less).is_ok()
    }

    /// How many there are at the moment.
    #[must_use]
    pub fn count(&self) -> usize {
        self.0.load(Relaxed)
    }
}

/// A thread that may help with searches when this is dropped.
#[derive(Debug)]
pub struct HelpAtTheEnd(pub Arc<IdleThreads>);

impl Drop for HelpAtTheEnd {
    fn drop(&mut self) {
        self.0.add_one();
    }
}
