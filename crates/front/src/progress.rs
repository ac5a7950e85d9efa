//! How far the answer to a question has come, for whoever waits for it.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use klondike_engine::search::Searched;
use klondike_engine::search::clock::Clock;

/// How far the answer to a question has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Progress {
    /// States that were searched.
    pub states: u64,
    /// Time since the question was asked.
    pub time: Duration,
    /// What is known of the number asked for, by [`Solver::shortest`](crate::Solver::shortest) and
    /// [`Solver::best_score`](crate::Solver::best_score).
    pub bounds: Option<Bounds>,
    /// Deals that were tried, by `Solver::generate`.
    pub deals: u64,
}

/// A number between two that are proved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Bounds {
    /// It is no less: of a best score that many cards are reached.
    pub at_least: u16,
    /// It is no more: a solution of that length is found.
    pub at_most: u16,
}

/// What is called, when, and by which clock.
#[derive(Clone)]
pub(crate) struct Hook {
    pub(crate) clock: Clock,
    pub(crate) every: Duration,
    pub(crate) call: Arc<dyn Fn(Progress) + Send + Sync>,
}

impl fmt::Debug for Hook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Hook(every {:?})", self.every)
    }
}

/// The hook during one question; without a hook nothing is watched.
#[derive(Clone, Debug)]
pub(crate) struct Watch(Option<Arc<Watched>>);

#[derive(Debug)]
struct Watched {
    hook: Hook,
    began: Duration,
    /// When the next call is due, in nanoseconds since the beginning.
    due: AtomicU64,
    states: AtomicU64,
    deals: AtomicU64,
    /// Both bounds, the lower one in the upper half; 0 while there are none.
    bounds: AtomicU32,
}

impl Watch {
    pub(crate) fn begin(hook: Option<&Hook>) -> Watch {
        Watch(hook.map(|hook| {
            Arc::new(Watched {
                hook: hook.clone(),
                began: (hook.clock)(),
                due: AtomicU64::new(nanoseconds(hook.every)),
                states: AtomicU64::new(0),
                deals: AtomicU64::new(0),
                bounds: AtomicU32::new(0),
            })
        }))
    }

    /// For a search: it says how many states it has searched.
    pub(crate) fn searched(&self) -> Option<Searched> {
        let watched = Arc::clone(self.0.as_ref()?);
        Some(Searched::new(move |states| {
            watched.states.fetch_add(states, Ordering::Relaxed);
            watched.call_if_due();
        }))
    }

    /// One more deal was tried.
    #[cfg(feature = "play")]
    pub(crate) fn tried(&self) {
        if let Some(watched) = &self.0 {
            watched.deals.fetch_add(1, Ordering::Relaxed);
            watched.call_if_due();
        }
    }

    /// Better bounds are known: this is said at once.
    pub(crate) fn found(&self, bounds: Bounds) {
        if let Some(watched) = &self.0 {
            let both = u32::from(bounds.at_least) << 16 | u32::from(bounds.at_most);
            watched.bounds.store(both, Ordering::Relaxed);
            watched.call(watched.elapsed());
        }
    }
}

impl Watched {
    fn elapsed(&self) -> Duration {
        (self.hook.clock)().saturating_sub(self.began)
    }

    /// Calls the hook if it is time; of several threads one does.
    fn call_if_due(&self) {
        let time = self.elapsed();
        let (now, due) = (nanoseconds(time), self.due.load(Ordering::Relaxed));
        let next = now.saturating_add(nanoseconds(self.hook.every));
        let order = Ordering::Relaxed;
        if now >= due && self.due.compare_exchange(due, next, order, order).is_ok() {
            self.call(time);
        }
    }

    fn call(&self, time: Duration) {
        let both = self.bounds.load(Ordering::Relaxed);
        (self.hook.call)(Progress {
            states: self.states.load(Ordering::Relaxed),
            time,
            bounds: (both > 0).then_some(Bounds {
                at_least: (both >> 16) as u16,
                at_most: both as u16,
            }),
            deals: self.deals.load(Ordering::Relaxed),
        });
    }
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
