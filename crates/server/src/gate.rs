//! How much is worked on at the same time: so many requests, a queue of bounded length before them,
//! and for whoever finds it full the advice to come back.

use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};

/// A gate through which so many may go at the same time.
#[derive(Debug)]
pub(crate) struct Gate {
    places: Arc<Semaphore>,
    /// Those that wait.
    waiting: AtomicUsize,
    longest: usize,
}

/// A place in the queue; whoever drops it leaves the queue.
pub(crate) struct Waiting(Arc<Gate>);

impl Gate {
    pub(crate) fn new(places: usize, longest: usize) -> Arc<Gate> {
        Arc::new(Gate {
            places: Arc::new(Semaphore::new(places)),
            waiting: AtomicUsize::new(0),
            longest,
        })
    }

    /// A place in the queue, if there is one.
    pub(crate) fn queue(self: &Arc<Gate>) -> Option<Waiting> {
        let before = self.waiting.fetch_add(1, Ordering::Relaxed);
        let waiting = Waiting(Arc::clone(self));
        // Those that find a place free do not count as a queue.
        (before < self.longest + self.places.available_permits()).then_some(waiting)
    }
}

impl Waiting {
    /// Waits until it is this one's turn. The permit is held as long as the work goes on.
    pub(crate) async fn turn(self) -> Option<OwnedSemaphorePermit> {
        Arc::clone(&self.0.places).acquire_owned().await.ok()
    }
}

impl Drop for Waiting {
    fn drop(&mut self) {
        self.0.waiting.fetch_sub(1, Ordering::Relaxed);
    }
}

/// The stop flags of all that is worked on.
#[derive(Debug, Default)]
pub(crate) struct Running {
    flags: Mutex<HashMap<u64, Arc<AtomicBool>>>,
    next: AtomicU64,
    ended: AtomicBool,
}

/// A piece of work. When its owner goes away, it stops.
pub(crate) struct Work {
    running: Arc<Running>,
    number: u64,
    pub(crate) stop: Arc<AtomicBool>,
}

impl Running {
    pub(crate) fn begin(self: &Arc<Running>) -> Work {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let stop = Arc::new(AtomicBool::new(false));
        let mut flags = self.flags.lock().unwrap_or_else(PoisonError::into_inner);
        flags.insert(number, Arc::clone(&stop));
        // Under the lock, so that no work begins unseen while all of it is stopped.
        stop.store(self.ended.load(Ordering::Relaxed), Ordering::Relaxed);
        Work {
            running: Arc::clone(self),
            number,
            stop,
        }
    }

    /// Stops everything, now and later.
    pub(crate) fn end(&self) {
        let flags = self.flags.lock().unwrap_or_else(PoisonError::into_inner);
        self.ended.store(true, Ordering::Relaxed);
        for flag in flags.values() {
            flag.store(true, Ordering::Relaxed);
        }
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        let flags = self.running.flags.lock();
        flags
            .unwrap_or_else(PoisonError::into_inner)
            .remove(&self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_queue_refuses_and_a_place_left_is_free_again() {
        let gate = Gate::new(1, 2);
        let first: Vec<_> = (0..3).map(|_| gate.queue().expect("a place")).collect();
        assert!(gate.queue().is_none());
        drop(first);
        assert!(gate.queue().is_some());
    }

    #[test]
    fn work_stops_with_its_owner_and_at_the_end() {
        let running = Arc::new(Running::default());
        let (one, other) = (running.begin(), running.begin());
        let flag = Arc::clone(&one.stop);
        drop(one);
        assert!(flag.load(Ordering::Relaxed));
        assert!(!other.stop.load(Ordering::Relaxed));
        running.end();
        assert!(other.stop.load(Ordering::Relaxed));
        assert!(running.begin().stop.load(Ordering::Relaxed));
    }
}
