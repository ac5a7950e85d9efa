//! The searches, their limits, and how they end.
//!
//! `kernel` is the depth-first search over K+ states. Four searches are instances of it:
//! [`depth_first`] for any draw count, [`draw_one`] for draw 1 and as the oracle for the others,
//! [`passes`] for limited redeals, and [`planner`] for many small questions of hidden-card play.
//! [`visited`] is their table of states; [`idle_threads`] lets several threads work on one search.
//! [`mod@shortest`] finds shortest solutions, [`score`] best scores. `beams`
//! pauses a long search for a short one that may find a win sooner. [`closed`] grows the sets of
//! states that certificates need. [`table`] is the exact engine on table states, for the rules that
//! the K+ state does not cover; [`brute`] is the reference for tests. Every search ends in one of
//! three ways: only [`Outcome::Found`] and [`Outcome::Exhausted`] are answers.

mod beams;
mod block_cache;
#[doc(hidden)]
pub mod brute;
#[doc(hidden)]
pub mod clock;
#[doc(hidden)]
pub mod closed;
mod concurrent;
#[doc(hidden)]
pub mod depth_first;
#[doc(hidden)]
pub mod draw_one;
#[doc(hidden)]
pub mod idle_threads;
mod kernel;
mod number_index;
#[doc(hidden)]
pub mod passes;
#[doc(hidden)]
pub mod planner;
#[doc(hidden)]
pub mod score;
pub mod shortest;
#[doc(hidden)]
pub mod table;
mod threads;
#[doc(hidden)]
pub mod visited;

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::kplus::{self, Game};
use crate::prune::Lemmas;
use crate::prune::blocking::Refutation;
use klondike_game::table::Move;

use clock::Deadline;
use idle_threads::Helpers;
use threads::SharedBudget;

/// How a search ended. `M` is the kind of move the search makes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome<M = Move> {
    /// A line of moves from the start to a win.
    Found(Vec<M>),
    /// There is no win, for this reason.
    Exhausted(Reason),
    /// A limit was hit before the search was complete: nothing is decided.
    Stopped(Limit),
}

/// Why there is no win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The relaxation of the first position cannot be won.
    Refuted(Refutation),
    /// All that can be reached and matters was searched.
    Searched,
}

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
        f.write_str(self.name())
    }
}

/// What bounds a search. The default bounds nothing.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Most states that may be stored, over all tables of the search.
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
    fn check_clock_and_flag(&self) -> Result<(), Limit> {
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

/// What a search did. Counters that an engine does not have stay 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Stats {
    /// States stored as visited by the main search.
    pub states: u64,
    /// States stored as visited by the draw-1 oracle (K+ engine, draw 2 and more).
    pub oracle_states: u64,
    /// Questions to the draw-1 oracle that needed a search.
    pub oracle_queries: u64,
    /// States discarded because draw 1 cannot win them. A state that is known to be dead before it
    /// is entered is not stored, and counts each time.
    pub dead_by_oracle: u64,
    /// States discarded because cards in them wait for each other: by the relaxation in the K+
    /// engine, by the dead-end test of the table engine.
    pub dead_ends: u64,
    /// States visited again because they were reached with more redeals left (table engine).
    pub revisits: u64,
    /// Moves tried (table engine).
    pub moves: u64,
    /// Longest line looked at, in moves of the search (table engine).
    pub max_depth: u64,
    /// Pieces of work that one thread took over from another.
    pub handed_over: u64,
    /// Most memory of the search's own tables and stacks, in bytes.
    pub memory_bytes: u64,
}

impl Stats {
    /// Adds what another thread did in the same search, or another search after it.
    pub(crate) fn add(&mut self, other: &Stats) {
        self.states += other.states;
        self.oracle_states += other.oracle_states;
        self.oracle_queries += other.oracle_queries;
        self.dead_by_oracle += other.dead_by_oracle;
        self.dead_ends += other.dead_ends;
        self.revisits += other.revisits;
        self.moves += other.moves;
        self.max_depth = self.max_depth.max(other.max_depth);
        self.handed_over += other.handed_over;
        self.memory_bytes = self.memory_bytes.max(other.memory_bytes);
    }
}

/// What the parts of one search over K+ states share: the game, the lemmas in use, what may be
/// spent, and what was done.
#[derive(Debug)]
pub struct Job<'a> {
    /// The game.
    pub game: &'a Game,
    /// The lemmas in use.
    pub lemmas: Lemmas,
    /// What may be spent, and what was spent so far.
    pub budget: Budget,
    /// What was done so far.
    pub stats: Stats,
}

impl<'a> Job<'a> {
    /// A search of `game` that has not begun.
    #[must_use]
    pub fn new(game: &'a Game, lemmas: Lemmas, limits: Limits) -> Job<'a> {
        Job::for_helper(game, lemmas, Budget::new(limits))
    }

    /// The part of a search that a thread with this account does.
    fn for_helper(game: &'a Game, lemmas: Lemmas, budget: Budget) -> Job<'a> {
        Job {
            game,
            lemmas,
            budget,
            stats: Stats::default(),
        }
    }

    /// What was done, with the most memory that was in use.
    #[must_use]
    pub fn finish(self) -> Stats {
        Stats {
            memory_bytes: self.budget.most_bytes(),
            ..self.stats
        }
    }
}

/// The most states of each search in a row of short ones, so many of each length, and one without
/// a bound.
fn probes(probes: &[(u32, u64)]) -> impl Iterator<Item = u64> {
    let short = probes.iter();
    let short = short.flat_map(|&(count, states)| (0..count).map(move |_| states));
    short.chain([u64::MAX])
}

/// Puts the K+ moves of a state in another order before they are tried; tests permute them.
///
/// It must not add or remove moves. `None` keeps the fixed order.
pub type Order<'a> = Option<&'a mut dyn FnMut(&mut [kplus::Move])>;

/// Keeps account of states, time and memory during a search over K+ states.
///
/// Every thread of a search has its own; those of one search draw on one `SharedBudget`.
#[derive(Debug)]
pub struct Budget {
    limits: Limits,
    /// States counted here.
    states: u64,
    /// How far they may go before the limits are looked at again.
    granted: u64,
    /// How many of them `Limits::searched` knows of.
    reported: u64,
    /// Bytes taken here.
    bytes: u64,
    most_bytes: u64,
    pool: Option<Arc<SharedBudget>>,
}

/// Number of states between two looks at the clock and the stop flag.
const LOOK_EVERY: u64 = 1024;

impl Budget {
    /// An account with nothing spent.
    #[must_use]
    pub fn new(limits: Limits) -> Budget {
        let pool = limits
            .helpers
            .is_some()
            .then(|| Arc::new(SharedBudget::new(&limits)));
        Budget::drawing_on(limits, pool)
    }

    fn drawing_on(limits: Limits, pool: Option<Arc<SharedBudget>>) -> Budget {
        Budget {
            limits,
            states: 0,
            granted: 0,
            reported: 0,
            bytes: 0,
            most_bytes: 0,
            pool,
        }
    }

    /// Counts one more state.
    ///
    /// # Errors
    /// The limit that does not allow it.
    #[inline]
    pub fn count_state(&mut self) -> Result<(), Limit> {
        if self.states == self.granted {
            self.granted = self.look()?;
        }
        self.states += 1;
        Ok(())
    }

    /// Uncounts the last state: another thread stored it first.
    fn uncount_state(&mut self) {
        self.states -= 1;
    }

    /// Looks at the limits: how far the states may go before the next look.
    #[cold]
    fn look(&mut self) -> Result<u64, Limit> {
        self.report();
        if let Some(pool) = &self.pool {
            pool.check_over()?;
            self.limits.check_clock_and_flag()?;
            return Ok(self.states + pool.take_states()?);
        }
        let max = self.limits.max_states.unwrap_or(u64::MAX);
        if self.states >= max {
            return Err(Limit::States);
        }
        self.limits.check_clock_and_flag()?;
        Ok((self.states + LOOK_EVERY).min(max))
    }

    /// Says how many states were searched since the last look.
    fn report(&mut self) {
        if let Some(searched) = &self.limits.searched {
            searched.call(self.states - self.reported);
        }
        self.reported = self.states;
    }

    /// Whether to stop: the clock, the stop flag or the other threads say so. Nothing is counted.
    fn check(&self) -> Result<(), Limit> {
        if let Some(pool) = &self.pool {
            pool.check_over()?;
        }
        self.limits.check_clock_and_flag()
    }

    /// Whether so many bytes are at most a quarter of what the memory limit leaves.
    fn has_plenty(&self, bytes: u64) -> bool {
        let Some(limit) = self.limits.memory_bytes else {
            return true;
        };
        let spent = match &self.pool {
            Some(pool) => pool.bytes.load(Ordering::Relaxed),
            None => self.bytes,
        };
        bytes <= limit.saturating_sub(spent) / 4
    }

    /// Asks for `bytes` more.
    ///
    /// # Errors
    /// If the memory limit does not allow it; nothing is spent then.
    pub fn take_bytes(&mut self, bytes: u64) -> Result<(), Limit> {
        if let Some(pool) = &self.pool {
            pool.take_bytes(bytes)?;
            self.bytes += bytes;
            return Ok(());
        }
        let wanted = self.bytes + bytes;
        if self.limits.memory_bytes.is_some_and(|limit| wanted > limit) {
            return Err(Limit::Memory);
        }
        self.bytes = wanted;
        self.most_bytes = self.most_bytes.max(wanted);
        Ok(())
    }

    /// Lets `vec` grow by at least `more` elements, and accounts for the memory.
    ///
    /// # Errors
    /// If the memory limit does not allow it.
    #[inline]
    pub fn make_room<T>(&mut self, vec: &mut Vec<T>, more: usize) -> Result<(), Limit> {
        if vec.capacity() - vec.len() >= more {
            return Ok(());
        }
        let size = size_of::<T>() as u64;
        let old = size * vec.capacity() as u64;
        let added = more.max(vec.capacity()).max(64);
        self.take_bytes(old + size * added as u64)?;
        vec.reserve_exact(added + vec.capacity() - vec.len());
        self.give_bytes(old);
        Ok(())
    }

    /// Gives `bytes` back.
    pub fn give_bytes(&mut self, bytes: u64) {
        let bytes = bytes.min(self.bytes);
        self.bytes -= bytes;
        if let Some(pool) = &self.pool {
            pool.give_bytes(bytes);
        }
    }

    /// States counted so far, by all threads of the search.
    #[must_use]
    pub fn states(&self) -> u64 {
        match &self.pool {
            Some(pool) => pool.states() - (self.granted - self.states),
            None => self.states,
        }
    }

    /// Most bytes that were spent at once, by all threads of the search.
    #[must_use]
    pub fn most_bytes(&self) -> u64 {
        match &self.pool {
            Some(pool) => pool.most_bytes(),
            None => self.most_bytes,
        }
    }
}

/// A thread that ends returns the states it did not use and the memory of its tables, which are
/// dropped with it, and says what it has searched.
impl Drop for Budget {
    fn drop(&mut self) {
        if self.states > self.reported {
            self.report();
        }
        if let Some(pool) = &self.pool {
            pool.give_states(self.granted - self.states);
            pool.give_bytes(self.bytes);
        }
    }
}
