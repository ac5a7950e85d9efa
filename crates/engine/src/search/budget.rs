//! The account of what a search spends: states, time and memory.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use super::limits::{Limit, Limits};
use super::threads::SharedBudget;

/// Keeps account of states, time and memory during a search over K+ states.
///
/// Every thread of a search has its own; those of one search draw on one `SharedBudget`.
#[derive(Debug)]
pub struct Budget {
    pub(super) limits: Limits,
    /// States counted here.
    states: u64,
    /// How far they may go before the limits are looked at again.
    granted: u64,
    /// How many of them `Limits::searched` knows of.
    reported: u64,
    /// Bytes taken here.
    pub(super) bytes: u64,
    most_bytes: u64,
    pub(super) pool: Option<Arc<SharedBudget>>,
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

    pub(super) fn drawing_on(limits: Limits, pool: Option<Arc<SharedBudget>>) -> Budget {
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

    /// As [`Budget::count_state`], of a state that is visited only if it is `new`; returns that.
    ///
    /// # Errors
    /// The limit that does not allow it.
    #[inline]
    pub(super) fn count_if(&mut self, new: bool) -> Result<bool, Limit> {
        if new {
            self.count_state()?;
        }
        Ok(new)
    }

    /// How many states an account of one thread may still count.
    pub(super) fn states_left(&self) -> u64 {
        let most = self.limits.max_states.unwrap_or(u64::MAX);
        most.saturating_sub(self.states)
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
    pub(super) fn check(&self) -> Result<(), Limit> {
        if let Some(pool) = &self.pool {
            pool.check_over()?;
        }
        self.limits.check_clock_and_flag()
    }

    /// Whether so many bytes are at most a quarter of what the memory limit leaves.
    pub(super) fn has_plenty(&self, bytes: u64) -> bool {
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
        self.grow(vec, more)
    }

    #[cold]
    fn grow<T>(&mut self, vec: &mut Vec<T>, more: usize) -> Result<(), Limit> {
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
