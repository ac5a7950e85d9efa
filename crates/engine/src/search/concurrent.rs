//! The table of states of a search, for one thread or for several.
//!
//! Several threads share [`KeyTable`]s, each behind a lock and with its part of the keys. A thread
//! holds a lock for one look-up or one change, so two threads seldom want the same one.

use std::sync::{Arc, Mutex, MutexGuard};

use super::threads::{SharedBudget, lock};
use super::visited::KeyTable;
use super::{Budget, Limit, Limits};

/// Number of parts, many more than threads. A power of two.
const PARTS: usize = 256;

/// A table of one thread, or this thread's way to one of several.
#[derive(Debug)]
pub(super) enum Table<const VALUE_BITS: u32> {
    Own(KeyTable<VALUE_BITS>),
    Shared(SharedTable<VALUE_BITS>),
}

/// Parts by a hash of the key.
#[derive(Clone, Debug)]
pub(super) struct SharedTable<const VALUE_BITS: u32>(Arc<[Mutex<Part<VALUE_BITS>>]>);

/// Some of the keys, with the account of their memory: no thread's own, as any may end first.
#[derive(Debug)]
struct Part<const VALUE_BITS: u32> {
    keys: KeyTable<VALUE_BITS>,
    account: Budget,
}

impl<const VALUE_BITS: u32> SharedTable<VALUE_BITS> {
    /// A table with those keys and values of `table` that `keep` wants.
    fn new(
        table: &KeyTable<VALUE_BITS>,
        keep: impl Fn(u16) -> bool,
        pool: &Arc<SharedBudget>,
    ) -> Result<Self, Limit> {
        let part = || {
            let mut account = Budget::for_helper(&Limits::default(), pool);
            account.take_bytes(KeyTable::<VALUE_BITS>::EMPTY_BYTES)?;
            let keys = KeyTable::new();
            Ok(Mutex::new(Part { keys, account }))
        };
        let parts: Result<Vec<_>, Limit> = (0..PARTS).map(|_| part()).collect();
        let shared = SharedTable(parts?.into());
        for (key, value) in table.iter().filter(|&(_, value)| keep(value)) {
            let Part { keys, account } = &mut *shared.part(key);
            keys.set(keys.find(key), key, value, account)?;
        }
        Ok(shared)
    }

    /// As [`Table::find`]. Not inlined, so that searches of one thread stay small.
    #[inline(never)]
    fn find(&self, key: u64) -> Option<u16> {
        self.part(key).keys.find(key).value
    }

    /// As [`Table::store`].
    #[inline(never)]
    fn store(
        &self,
        key: u64,
        change: impl FnOnce(Option<u16>) -> Option<u16>,
    ) -> Result<bool, Limit> {
        let Part { keys, account } = &mut *self.part(key);
        let slot = keys.find(key);
        let Some(value) = change(slot.value) else {
            return Ok(false);
        };
        keys.set(slot, key, value, account)?;
        Ok(true)
    }

    #[inline]
    fn part(&self, key: u64) -> MutexGuard<'_, Part<VALUE_BITS>> {
        // Not the bits by which the part itself places the key.
        let hash = key.wrapping_mul(0xD6E8_FEB8_6659_FD93) >> 32;
        lock(&self.0[hash as usize % PARTS])
    }
}

impl<const VALUE_BITS: u32> Default for Table<VALUE_BITS> {
    fn default() -> Self {
        Table::Own(KeyTable::new())
    }
}

impl<const VALUE_BITS: u32> Table<VALUE_BITS> {
    /// The value of `key`.
    #[inline]
    pub(super) fn find(&self, key: u64) -> Option<u16> {
        match self {
            Table::Own(table) => table.find(key).value,
            Table::Shared(table) => table.find(key),
        }
    }

    /// Stores a state as visited and counts it, with the value that `change` makes of its value,
    /// unless that is `None`; returns whether it did.
    ///
    /// # Errors
    /// The limit that does not allow one more state.
    #[inline]
    pub(super) fn visit(
        &mut self,
        key: u64,
        change: impl FnOnce(Option<u16>) -> Option<u16>,
        budget: &mut Budget,
    ) -> Result<bool, Limit> {
        let new = self.store(key, change, budget)?;
        budget.count_if(new)
    }

    /// As [`Table::visit`], of a state that is not counted.
    ///
    /// # Errors
    /// If the memory limit leaves no room for it.
    #[inline]
    pub(super) fn store(
        &mut self,
        key: u64,
        change: impl FnOnce(Option<u16>) -> Option<u16>,
        budget: &mut Budget,
    ) -> Result<bool, Limit> {
        match self {
            Table::Own(table) => {
                let slot = table.find(key);
                let Some(value) = change(slot.value) else {
                    return Ok(false);
                };
                table.set(slot, key, value, budget)?;
                Ok(true)
            }
            Table::Shared(table) => table.store(key, change),
        }
    }

    /// Gives a key a value.
    ///
    /// # Errors
    /// If the memory limit leaves no room for it.
    pub(super) fn set(&mut self, key: u64, value: u16, budget: &mut Budget) -> Result<(), Limit> {
        self.change(key, |_| value, budget)
    }

    /// Gives a key the value that `change` makes of its value.
    ///
    /// # Errors
    /// As [`Table::set`].
    pub(super) fn change(
        &mut self,
        key: u64,
        change: impl Fn(Option<u16>) -> u16,
        budget: &mut Budget,
    ) -> Result<(), Limit> {
        let set = |table: &mut KeyTable<VALUE_BITS>, account: &mut Budget| {
            let slot = table.find(key);
            table.set(slot, key, change(slot.value), account)
        };
        match self {
            Table::Own(table) => set(table, budget),
            Table::Shared(table) => {
                let Part { keys, account } = &mut *table.part(key);
                set(keys, account)
            }
        }
    }

    /// All keys with their values, in no order, of a table of this thread alone; none of a shared
    /// one.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u64, u16)> + '_ {
        let own = match self {
            Table::Own(table) => Some(table),
            Table::Shared(_) => None,
        };
        own.into_iter().flat_map(KeyTable::iter)
    }

    /// Makes it a table of several threads, with the values that `keep` wants.
    ///
    /// # Errors
    /// If the memory limit leaves no room for that.
    pub(super) fn share(
        &mut self,
        keep: impl Fn(u16) -> bool,
        pool: &Arc<SharedBudget>,
        budget: &mut Budget,
    ) -> Result<(), Limit> {
        if let Table::Own(table) = self {
            let shared = SharedTable::new(table, keep, pool)?;
            budget.give_bytes(table.counted_bytes());
            *self = Table::Shared(shared);
        }
        Ok(())
    }

    /// The same shared table for another thread; one of its own for a table that is not shared.
    pub(super) fn for_helper(&self) -> Self {
        match self {
            Table::Own(_) => Table::default(),
            Table::Shared(table) => Table::Shared(table.clone()),
        }
    }

    /// The table, if it is this thread's own; a shared one is replaced.
    pub(super) fn own(&mut self) -> &mut KeyTable<VALUE_BITS> {
        if let Table::Shared(_) = self {
            *self = Table::default();
        }
        match self {
            Table::Own(table) => table,
            Table::Shared(_) => unreachable!("just replaced"),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::Ordering::Relaxed;

    use super::*;
    use crate::search::idle_threads::{Helpers, IdleThreads};

    fn budget(memory_bytes: Option<u64>) -> Budget {
        Budget::new(Limits {
            memory_bytes,
            helpers: Some(Helpers::new(Arc::new(IdleThreads::default()))),
            ..Limits::default()
        })
    }

    fn shared(budget: &mut Budget) -> Table<9> {
        let pool = Arc::clone(budget.pool().unwrap());
        let mut table = Table::default();
        table.share(|_| true, &pool, budget).unwrap();
        table
    }

    /// All threads visit the same keys in different orders, each with a value of its own: each
    /// change is made by one thread and counted once, and the lowest value stays, however often the
    /// table grows.
    #[test]
    fn no_visit_is_lost_or_made_twice() {
        for (threads, keys) in [(2, 2000), (8, 2000), (4, 400_000)] {
            let mut account = budget(None);
            let table = shared(&mut account);
            let pool = Arc::clone(account.pool().unwrap());
            let work = |thread: u16| {
                let mut table = table.for_helper();
                let mut budget = Budget::for_helper(account.limits(), &pool);
                let visits = (0..keys).filter(|i| {
                    // 7919 is a prime, so each thread visits each key.
                    let key = (i * 7919 + u64::from(thread) * 1001) % keys;
                    let value = (key % 400) as u16 + thread;
                    let lower = |before: Option<u16>| {
                        before.is_none_or(|before| value < before).then_some(value)
                    };
                    table.visit(key << 20, lower, &mut budget).unwrap()
                });
                visits.count() as u64
            };
            let visits: u64 = std::thread::scope(|scope| {
                let work = &work;
                let spawn = |thread| scope.spawn(move || work(thread));
                let running: Vec<_> = (0..threads).map(spawn).collect();
                running.into_iter().map(|one| one.join().unwrap()).sum()
            });
            assert_eq!(account.states(), visits);
            assert!(visits >= keys && visits <= keys * u64::from(threads));
            for key in 0..keys {
                assert_eq!(table.find(key << 20), Some((key % 400) as u16));
            }
            assert!((keys..2 * keys).all(|key| table.find(key << 20).is_none()));
            assert!(account.most_bytes() > 8 * keys);
            drop(table);
            assert_eq!(account.pool().unwrap().bytes.load(Relaxed), 0);
        }
    }

    #[test]
    fn the_memory_limit_ends_growth_not_before_the_table_is_nearly_full() {
        let limit = 24_000_000;
        let mut budget = budget(Some(limit));
        let mut table = shared(&mut budget);
        let stored = (0..).take_while(|&key| table.set(key, 1, &mut budget).is_ok());
        let stored = stored.count() as u64;
        assert!(
            8 * stored > limit / 2 && budget.most_bytes() <= limit,
            "{stored}"
        );
        assert!((0..stored).all(|key| table.find(key) == Some(1)));
        let pool = Arc::clone(budget.pool().unwrap());
        let too_little = Table::<9>::default().share(|_| true, &pool, &mut budget);
        assert_eq!(too_little, Err(Limit::Memory));
    }
}
