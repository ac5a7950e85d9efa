//! Several threads on one search.
//!
//! A search that has run for a while, while [threads are idle](super::idle_threads::IdleThreads),
//! goes on with them: the table of states becomes a shared one (`concurrent.rs`), and every thread
//! searches depth-first with a stack of its own. A thread without work reports that; another thread
//! splits off open moves of its stack for it, with the line that leads to them. This module hands
//! over work, detects the end, and keeps the common account of the limits. Each search defines its
//! own steps (`Worker`).
//!
//! The search is exhausted when every thread has nothing left to do at the same time, no work waits
//! to be taken, and no thread was stopped by a limit; all of this is seen under one mutex. Why that
//! is a proof: `docs/proofs/exhausted-search.md`, section 1.1.

use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
#[cfg(feature = "threads")]
use std::thread;

use super::idle_threads::Helpers;
#[cfg(feature = "threads")]
use super::idle_threads::IdleThreads;
use super::kernel::Ended;
use super::{Budget, Limit, Limits, Outcome, Reason};
use klondike_lemmas::kplus::Move;

/// What all threads of a search have spent together.
///
/// Sums only, so `Relaxed` will do for all its numbers: each addition is checked against the limit
/// in the same atomic step.
#[derive(Debug)]
pub(super) struct SharedBudget {
    max_states: u64,
    memory_bytes: u64,
    /// States counted, and those that some thread may count without asking.
    states: AtomicU64,
    pub(super) bytes: AtomicU64,
    most_bytes: AtomicU64,
    /// The threads are to stop, because one of them found a win or hit a limit.
    over: AtomicBool,
}

/// Most states that a thread may count without looking at the limits.
const MOST_STATES: u64 = 256;

impl SharedBudget {
    pub(super) fn new(limits: &Limits) -> SharedBudget {
        SharedBudget {
            max_states: limits.max_states.unwrap_or(u64::MAX),
            memory_bytes: limits.memory_bytes.unwrap_or(u64::MAX),
            states: AtomicU64::new(0),
            bytes: AtomicU64::new(0),
            most_bytes: AtomicU64::new(0),
            over: AtomicBool::new(false),
        }
    }

    /// An error if the threads are to stop. It is no answer of the search: the thread that stopped
    /// the others has given that.
    pub(super) fn check_over(&self) -> Result<(), Limit> {
        if self.over.load(Relaxed) {
            Err(Limit::Interrupt)
        } else {
            Ok(())
        }
    }

    /// Reserves states to count. It reserves fewer at a time when few are left, so that almost all
    /// are counted before a thread is refused.
    pub(super) fn take_states(&self) -> Result<u64, Limit> {
        let share = |states: u64| {
            let left = self.max_states.saturating_sub(states);
            (left / 64).clamp(left.min(1), MOST_STATES)
        };
        let more = |states: u64| (share(states) > 0).then(|| states + share(states));
        match self.states.fetch_update(Relaxed, Relaxed, more) {
            Ok(before) => Ok(share(before)),
            Err(_) => Err(Limit::States),
        }
    }

    pub(super) fn give_states(&self, states: u64) {
        self.states.fetch_sub(states, Relaxed);
    }

    pub(super) fn states(&self) -> u64 {
        self.states.load(Relaxed)
    }

    pub(super) fn take_bytes(&self, bytes: u64) -> Result<(), Limit> {
        let more = |spent: u64| {
            let wanted = spent.checked_add(bytes)?;
            (wanted <= self.memory_bytes).then_some(wanted)
        };
        match self.bytes.fetch_update(Relaxed, Relaxed, more) {
            Ok(before) => {
                self.most_bytes.fetch_max(before + bytes, Relaxed);
                Ok(())
            }
            Err(_) => Err(Limit::Memory),
        }
    }

    pub(super) fn give_bytes(&self, bytes: u64) {
        self.bytes.fetch_sub(bytes, Relaxed);
    }

    pub(super) fn most_bytes(&self) -> u64 {
        self.most_bytes.load(Relaxed)
    }
}

impl Budget {
    /// The pool, if there may be several threads.
    pub(super) fn pool(&self) -> Option<&Arc<SharedBudget>> {
        self.pool.as_ref()
    }

    /// Whether help is wanted from the first state on.
    pub(super) fn wants_help_at_once(&self) -> bool {
        cfg!(feature = "threads")
            && matches!(&self.limits.helpers, Some(helpers) if helpers.after == 0)
    }

    /// States to visit alone before looking for help; no bound if none may come.
    pub(super) fn states_alone(&self) -> u64 {
        let helpers = self.limits.helpers.as_ref();
        helpers.map_or(u64::MAX, |helpers| helpers.after.max(1))
    }

    /// The threads that may help, if there are any now. Until they are put back there are none
    /// for the searches inside this one.
    pub(super) fn take_helpers(&mut self) -> Option<Helpers> {
        let some = |helpers: &mut Helpers| cfg!(feature = "threads") && helpers.idle.count() > 0;
        self.limits.helpers.take_if(some)
    }

    pub(super) fn put_helpers_back(&mut self, helpers: Helpers) {
        self.limits.helpers = Some(helpers);
    }

    /// An account for a thread that helps the search with these limits. It gets no help itself.
    pub(super) fn for_helper(limits: &Limits, pool: &Arc<SharedBudget>) -> Budget {
        Budget::drawing_on(limits.without_helpers(), Some(Arc::clone(pool)))
    }

    /// The limits of the search.
    pub(super) fn limits(&self) -> &Limits {
        &self.limits
    }
}

/// A search that one thread runs, alone or with others.
pub(super) trait Worker {
    /// Work for another thread: a state, some of its moves, and the line that leads to it.
    type Task: Send;

    /// Makes one step; how the work ended, if it has.
    fn step(&mut self) -> Result<Option<Ended>, Limit>;

    /// The line to the win, after a step that won.
    fn line(&self) -> Vec<Move>;

    /// Splits off some open moves for another thread, if that leaves enough.
    fn split(&mut self) -> Option<Self::Task>;

    /// Goes on with a task, when its own work is done.
    fn resume(&mut self, task: Self::Task) -> Result<(), Limit>;
}

/// Locks what threads share, also after one of them has panicked: the panic is passed on later.
pub(super) fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What threads have shared.
pub(super) fn into_inner<T>(shared: Mutex<T>) -> T {
    shared.into_inner().unwrap_or_else(PoisonError::into_inner)
}

/// The threads of one search.
pub(super) struct SearchThreads<T> {
    pool: Arc<SharedBudget>,
    state: Mutex<SearchThreadsState<T>>,
    changed: Condvar,
    /// How many tasks are wanted; above 0 also when all is over. It is a hint that saves looking
    /// at `state`, so `Relaxed` will do: what follows from it is read under the mutex.
    wanted: AtomicUsize,
}

struct SearchThreadsState<T> {
    tasks: Vec<T>,
    /// Tasks taken so far.
    taken: u64,
    workers: usize,
    idle: usize,
    over: bool,
    line: Option<Vec<Move>>,
    limit: Option<Limit>,
}

impl<T> fmt::Debug for SearchThreads<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SearchThreads").finish_non_exhaustive()
    }
}

/// Tasks to keep ready. So a thread need not wait while the others make a long step, such as a
/// question to the oracle.
const READY_TASKS: usize = 1;

/// Steps until a worker that could not split off work tries again.
const STEPS_BETWEEN_SPLITS: u32 = 32;

/// Steps after which the first thread looks for more helpers.
const STEPS_BETWEEN_HELPERS: u32 = 4096;

/// Goes on with the search of `first`, with all helpers there are; more may join later. `help` is
/// run by each helper's thread and calls [`SearchThreads::work`] with its own worker. Also returns
/// how many tasks were handed over.
pub(super) fn run<T: Send>(
    first: &mut impl Worker<Task = T>,
    pool: &Arc<SharedBudget>,
    helpers: &Helpers,
    help: impl Fn(&SearchThreads<T>) + Sync,
) -> (Outcome<Move>, u64) {
    let workers = SearchThreads {
        pool: Arc::clone(pool),
        state: Mutex::new(SearchThreadsState {
            tasks: Vec::new(),
            taken: 0,
            workers: 1,
            idle: 0,
            over: false,
            line: None,
            limit: None,
        }),
        changed: Condvar::new(),
        wanted: AtomicUsize::new(READY_TASKS),
    };
    work_with_helpers(first, &workers, helpers, help);
    pool.over.store(false, Relaxed);
    let state = into_inner(workers.state);
    let outcome = match (state.line, state.limit) {
        (Some(line), _) => Outcome::Found(line),
        (None, Some(limit)) => Outcome::Stopped(limit),
        (None, None) => Outcome::Exhausted(Reason::Searched),
    };
    (outcome, state.taken)
}

/// Works with all idle threads there are; more may join later.
#[cfg(feature = "threads")]
fn work_with_helpers<T: Send>(
    first: &mut impl Worker<Task = T>,
    workers: &SearchThreads<T>,
    helpers: &Helpers,
    help: impl Fn(&SearchThreads<T>) + Sync,
) {
    thread::scope(|scope| {
        let (help, idle) = (&help, &*helpers.idle);
        workers.work_with(first, || {
            while idle.take_one() {
                workers.lock().workers += 1;
                let thread = thread::Builder::new().spawn_scoped(scope, move || {
                    let _back = Returned(idle);
                    help(workers);
                });
                if thread.is_err() {
                    // The system gives no more threads; those at work are enough.
                    workers.lock().workers -= 1;
                    return;
                }
            }
        });
    });
}

/// Works alone.
#[cfg(not(feature = "threads"))]
fn work_with_helpers<T: Send>(
    first: &mut impl Worker<Task = T>,
    workers: &SearchThreads<T>,
    _: &Helpers,
    _: impl Fn(&SearchThreads<T>) + Sync,
) {
    workers.work(first);
}

/// Returns the thread when it ends.
#[cfg(feature = "threads")]
struct Returned<'a>(&'a IdleThreads);

#[cfg(feature = "threads")]
impl Drop for Returned<'_> {
    fn drop(&mut self) {
        self.0.add_one();
    }
}

/// Ends the search for all threads if one panics, so that the panic can be passed on.
#[cfg(feature = "threads")]
struct EndOnPanic<'a, T>(&'a SearchThreads<T>);

#[cfg(feature = "threads")]
impl<T> Drop for EndOnPanic<'_, T> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.end(None, Some(Limit::Interrupt));
        }
    }
}

impl<T> SearchThreads<T> {
    /// Works until all is over.
    pub(super) fn work(&self, worker: &mut impl Worker<Task = T>) {
        self.work_with(worker, || {});
    }

    fn work_with(&self, worker: &mut impl Worker<Task = T>, mut look_for_helpers: impl FnMut()) {
        #[cfg(feature = "threads")]
        let _end = EndOnPanic(self);
        look_for_helpers();
        let (mut until_split, mut until_helpers) = (0_u32, STEPS_BETWEEN_HELPERS);
        loop {
            match worker.step() {
                Ok(None) => {}
                Ok(Some(Ended::Won)) => return self.end(Some(worker.line()), None),
                Ok(Some(Ended::OutOfStates)) => unreachable!("a thread has no bound of its own"),
                Ok(Some(Ended::Exhausted)) => {
                    let Some(task) = self.next() else { return };
                    if let Err(limit) = worker.resume(task) {
                        return self.end(None, Some(limit));
                    }
                }
                Err(limit) => return self.end(None, Some(limit)),
            }
            until_split = until_split.saturating_sub(1);
            if until_split == 0 && self.wanted.load(Relaxed) > 0 {
                if self.pool.check_over().is_err() {
                    return;
                }
                match worker.split() {
                    Some(task) => self.offer(task),
                    None => until_split = STEPS_BETWEEN_SPLITS,
                }
            }
            until_helpers -= 1;
            if until_helpers == 0 {
                until_helpers = STEPS_BETWEEN_HELPERS;
                look_for_helpers();
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, SearchThreadsState<T>> {
        lock(&self.state)
    }

    fn offer(&self, task: T) {
        let mut state = self.lock();
        state.tasks.push(task);
        self.count_wanted(&state);
        drop(state);
        self.changed.notify_one();
    }

    /// Waits for work; `None` if all is over.
    fn next(&self) -> Option<T> {
        let mut state = self.lock();
        state.idle += 1;
        loop {
            if state.over {
                return None;
            }
            if let Some(task) = state.tasks.pop() {
                state.idle -= 1;
                state.taken += 1;
                self.count_wanted(&state);
                return Some(task);
            }
            if state.idle == state.workers {
                // Nobody has anything to do, and a thread stopped by a limit is never idle.
                drop(state);
                self.end(None, None);
                return None;
            }
            self.count_wanted(&state);
            state = self
                .changed
                .wait(state)
                .unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn count_wanted(&self, state: &SearchThreadsState<T>) {
        if !state.over {
            let wanted = (state.idle + READY_TASKS).saturating_sub(state.tasks.len());
            self.wanted.store(wanted, Relaxed);
        }
    }

    /// Ends the search; only the first limit counts, and any line.
    fn end(&self, line: Option<Vec<Move>>, limit: Option<Limit>) {
        let mut state = self.lock();
        if state.line.is_none() {
            state.line = line;
        }
        if !state.over {
            state.limit = limit;
            state.over = true;
        }
        self.pool.over.store(true, Relaxed);
        self.wanted.store(usize::MAX, Relaxed);
        drop(state);
        self.changed.notify_all();
    }
}

/// Which moves to split off, given the open moves of each frame of a stack: the number of a frame
/// and its moves.
///
/// These are the moves that this thread would try next after its last open frame. So the threads
/// together stay close to the order in which one thread searches, and visit about as many states
/// before a win. The oldest open moves would keep a helper busy for longer, but they lie far from
/// that order, and there is little to gain: a million states hand over a few hundred tasks. If only
/// one frame is open it gives half of its moves. A single open move is kept.
pub(super) fn next_but_one(
    frames: impl DoubleEndedIterator<Item = (u32, u32)> + ExactSizeIterator,
) -> Option<(usize, Range<usize>)> {
    let mut open = frames
        .enumerate()
        .rev()
        .filter(|(_, (next, end))| next < end)
        .map(|(number, (next, end))| (number, next as usize..end as usize));
    let (number, moves) = open.next()?;
    if let Some(older) = open.next() {
        return Some(older);
    }
    let kept = moves.len().div_ceil(2);
    (moves.len() > 1).then(|| (number, moves.start + kept..moves.end))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::idle_threads::IdleThreads;

    /// A search of the tree in which a node n has the children 0, …, n − 1: it has 2^n nodes.
    struct Counting<'a> {
        /// Nodes that were not visited yet.
        open: Vec<u32>,
        visited: &'a AtomicU64,
        then: Then,
    }

    #[derive(Clone, Copy, PartialEq, Eq)]
    enum Then {
        GoOn,
        Win,
        Stop,
        Panic,
    }

    impl Worker for Counting<'_> {
        type Task = u32;

        fn step(&mut self) -> Result<Option<Ended>, Limit> {
            let Some(node) = self.open.pop() else {
                return Ok(Some(Ended::Exhausted));
            };
            self.open.extend(0..node);
            let visited = self.visited.fetch_add(1, Relaxed);
            match self.then {
                Then::Win if visited == 1000 => Ok(Some(Ended::Won)),
                Then::Stop if visited == 1000 => Err(Limit::States),
                Then::Panic if visited >= 1000 => panic!("as a test wants it"),
                _ => Ok(None),
            }
        }

        fn line(&self) -> Vec<Move> {
            Vec::new()
        }

        fn split(&mut self) -> Option<u32> {
            (self.open.len() > 1).then(|| self.open.remove(0))
        }

        fn resume(&mut self, task: u32) -> Result<(), Limit> {
            assert!(self.open.is_empty());
            self.open.push(task);
            Ok(())
        }
    }

    /// How the search of a tree ends, with the number of nodes visited.
    fn count(helpers: usize, node: u32, then: Then) -> (Outcome<Move>, u64) {
        let idle = Arc::new(IdleThreads::new(helpers));
        let pool = Arc::new(SharedBudget::new(&Limits::default()));
        let visited = AtomicU64::new(0);
        let mut first = Counting {
            open: vec![node],
            visited: &visited,
            then,
        };
        let help = |workers: &SearchThreads<u32>| {
            workers.work(&mut Counting {
                open: Vec::new(),
                visited: &visited,
                then,
            });
        };
        let (outcome, _) = run(&mut first, &pool, &Helpers::new(Arc::clone(&idle)), help);
        assert_eq!(idle.count(), helpers);
        assert!(pool.check_over().is_ok());
        (outcome, visited.into_inner())
    }

    #[test]
    fn nothing_is_left_out_and_the_end_is_seen() {
        for helpers in [0, 1, 2, 7] {
            for node in (0..14).chain([20]) {
                assert_eq!(
                    count(helpers, node, Then::GoOn),
                    (Outcome::Exhausted(Reason::Searched), 1 << node)
                );
            }
        }
    }

    #[test]
    fn wins_limits_and_panics_end_it_for_all() {
        for helpers in [0, 1, 7] {
            let (outcome, _) = count(helpers, 40, Then::Win);
            assert_eq!(outcome, Outcome::Found(Vec::new()));
            let (outcome, _) = count(helpers, 40, Then::Stop);
            assert_eq!(outcome, Outcome::Stopped(Limit::States));
            let panicked = std::panic::catch_unwind(|| count(helpers, 40, Then::Panic));
            assert!(panicked.is_err());
        }
    }

    #[test]
    fn states_are_shared_out_up_to_the_last() {
        let pool = SharedBudget::new(&Limits {
            max_states: Some(100_000),
            ..Limits::default()
        });
        let mut taken = 0;
        while let Ok(states) = pool.take_states() {
            assert!(states > 0);
            taken += states;
        }
        assert_eq!((taken, pool.take_states()), (100_000, Err(Limit::States)));
        pool.give_states(5);
        assert_eq!(pool.take_states(), Ok(1));
    }

    #[test]
    fn moves_that_come_next_are_given_away() {
        let give = |frames: &[(u32, u32)]| next_but_one(frames.iter().copied());
        assert_eq!(give(&[(0, 3), (4, 5), (6, 6), (7, 9)]), Some((1, 4..5)));
        assert_eq!(give(&[(3, 3), (5, 5), (6, 11)]), Some((2, 9..11)));
        assert_eq!(give(&[(0, 2), (2, 2)]), Some((0, 1..2)));
        assert_eq!(give(&[(0, 1), (1, 1)]), None);
        assert_eq!(give(&[]), None);
    }
}
