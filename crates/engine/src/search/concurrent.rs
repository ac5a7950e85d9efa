//! The table of states that several threads share: exact keys, each with a small value, in open
//! addressing over atomic words.
//!
//! Slots are laid out as in [`KeyTable`]: one 64-bit word holds a key and its value. A word is
//! written by compare-exchange only and, once taken, keeps its key. So a look-up sees a key with a
//! value that some thread gave it, or does not see it. Every change of a value is made by exactly
//! one thread, from the value that it saw.
//!
//! **Growing.** Under a mutex one thread marks the old words *retired*, copies them to new words
//! and makes these current. It waits for no other thread. A thread that sees the mark waits for the
//! mutex and goes on with the new words. A thread that has not seen it yet may still write to the
//! old words, and what it writes may be lost. So the table may forget a key, and a state is visited
//! twice. It never holds a key that no thread stored.
//!
//! **Orderings.** All atomics here are `Relaxed`. A word is complete in itself: no thread reads
//! other memory because of a word, so nothing has to be published with it. The order in which words
//! become visible does not matter (`docs/proofs/exhausted-search.md`, section 1.1: the argument has
//! no "before"). The words of a new table are published by the mutex.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex};

use super::threads::{SharedBudget, lock};
use super::visited::KeyTable;
use super::{Budget, Limit};

/// Free slots that a thread reserves at a time, so that it seldom touches the common count.
const ROOM: usize = 64;

/// Fewest slots of a table.
const FIRST_LEN: usize = 1 << 12;

#[derive(Debug)]
struct Slots {
    /// `key + 1` above the value; 0 is an empty slot. The length is a power of two.
    words: Vec<AtomicU64>,
    shift: u32,
    /// Slots that are taken, or that some thread may take without asking.
    reserved: AtomicUsize,
    /// There are newer slots, or soon will be.
    retired: AtomicBool,
    /// The memory limit leaves no room for a larger table.
    denied: AtomicBool,
    pool: Arc<SharedBudget>,
}

impl Slots {
    fn new(len: usize, pool: &Arc<SharedBudget>) -> Result<Slots, Limit> {
        pool.take_bytes(8 * len as u64)?;
        Ok(Slots {
            words: (0..len).map(|_| AtomicU64::new(0)).collect(),
            shift: u64::BITS - len.trailing_zeros(),
            reserved: AtomicUsize::new(0),
            retired: AtomicBool::new(false),
            denied: AtomicBool::new(false),
            pool: Arc::clone(pool),
        })
    }

    #[inline]
    fn home(&self, tag: u64) -> usize {
        (tag.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.shift) as usize
    }

    /// Puts a word into slots that nobody else knows yet.
    fn put(&self, word: u64, value_bits: u32) {
        let mut index = self.home(word >> value_bits);
        while self.words[index].load(Relaxed) != 0 {
            index = (index + 1) & (self.words.len() - 1);
        }
        self.words[index].store(word, Relaxed);
    }

    /// Reserves up to [`ROOM`] slots; 0 if there are none.
    fn reserve(&self) -> usize {
        let sixteenths = if self.denied.load(Relaxed) { 15 } else { 11 };
        let most = self.words.len() / 16 * sixteenths;
        let next = |reserved: usize| (reserved < most).then(|| most.min(reserved + ROOM));
        match self.reserved.fetch_update(Relaxed, Relaxed, next) {
            Ok(before) => most.min(before + ROOM) - before,
            Err(_) => 0,
        }
    }
}

impl Drop for Slots {
    fn drop(&mut self) {
        self.pool.give_bytes(8 * self.words.len() as u64);
    }
}

/// One thread's way into a shared table.
#[derive(Debug)]
pub(super) struct SharedTable<const VALUE_BITS: u32> {
    /// The current slots; locked while they grow.
    current: Arc<Mutex<Arc<Slots>>>,
    /// The slots this thread knows, if it has not released them.
    slots: Option<Arc<Slots>>,
    /// Slots that this thread has reserved.
    room: usize,
}

impl<const VALUE_BITS: u32> SharedTable<VALUE_BITS> {
    /// A table with those keys and values of `table` that `keep` wants.
    ///
    /// # Errors
    /// If the memory limit leaves no room.
    pub(super) fn new(
        table: &KeyTable<VALUE_BITS>,
        keep: impl Fn(u16) -> bool,
        pool: &Arc<SharedBudget>,
    ) -> Result<Self, Limit> {
        let kept = table.iter().filter(|&(_, value)| keep(value));
        let count = kept.clone().count();
        let slots = Slots::new((count * 2).next_power_of_two().max(FIRST_LEN), pool)?;
        for (key, value) in kept {
            slots.put((key + 1) << VALUE_BITS | u64::from(value), VALUE_BITS);
        }
        slots.reserved.store(count, Relaxed);
        Ok(SharedTable {
            current: Arc::new(Mutex::new(Arc::new(slots))),
            slots: None,
            room: 0,
        })
    }

    /// The same table for another thread.
    pub(super) fn share(&self) -> Self {
        SharedTable {
            current: Arc::clone(&self.current),
            slots: None,
            room: 0,
        }
    }

    /// Releases the slots while the thread does nothing, so that they can be freed.
    pub(super) fn release(&mut self) {
        if let Some(slots) = self.slots.take() {
            slots.reserved.fetch_sub(self.room, Relaxed);
        }
        self.room = 0;
    }

    /// The value of `key`.
    #[inline]
    pub(super) fn find(&mut self, key: u64) -> Option<u16> {
        let tag = key + 1;
        let slots = self.current();
        let mut index = slots.home(tag);
        loop {
            let word = slots.words[index].load(Relaxed);
            if word >> VALUE_BITS == tag {
                return Some(value::<VALUE_BITS>(word));
            }
            if word == 0 {
                return None;
            }
            index = (index + 1) & (slots.words.len() - 1);
        }
    }

    /// Gives `key` the value that `change` makes of its value, `None` for a key that is not there;
    /// returns whether there was a change. `change` may be called several times.
    ///
    /// # Errors
    /// If the memory limit leaves no room for a new key.
    pub(super) fn update(
        &mut self,
        key: u64,
        change: impl Fn(Option<u16>) -> Option<u16>,
    ) -> Result<bool, Limit> {
        self.make_room()?;
        let tag = key + 1;
        let slots = match &self.slots {
            Some(slots) => slots,
            None => unreachable!("just made room in them"),
        };
        let mut index = slots.home(tag);
        let mut word = slots.words[index].load(Relaxed);
        loop {
            if word != 0 && word >> VALUE_BITS != tag {
                index = (index + 1) & (slots.words.len() - 1);
                word = slots.words[index].load(Relaxed);
                continue;
            }
            let before = (word != 0).then(|| value::<VALUE_BITS>(word));
            let Some(new) = change(before) else {
                return Ok(false);
            };
            let new = tag << VALUE_BITS | u64::from(new);
            match slots.words[index].compare_exchange_weak(word, new, Relaxed, Relaxed) {
                Ok(_) => {
                    self.room -= usize::from(word == 0);
                    return Ok(true);
                }
                // Another thread was faster: look at what it wrote.
                Err(now) => word = now,
            }
        }
    }

    /// Stores a state as visited, by [`SharedTable::update`], and counts it; returns whether this
    /// thread is the one that visits it.
    ///
    /// # Errors
    /// The limit that does not allow one more state.
    #[inline]
    pub(super) fn visit(
        &mut self,
        key: u64,
        change: impl Fn(Option<u16>) -> Option<u16>,
        budget: &mut Budget,
    ) -> Result<bool, Limit> {
        if change(self.find(key)).is_none() {
            return Ok(false);
        }
        budget.count_state()?;
        let visits = self.update(key, change)?;
        if !visits {
            budget.uncount_state();
        }
        Ok(visits)
    }

    /// The current slots, or those that were current a moment ago.
    #[inline]
    fn current(&mut self) -> &Slots {
        if !matches!(&self.slots, Some(slots) if !slots.retired.load(Relaxed)) {
            self.slots = None;
            self.room = 0;
        }
        let current = &self.current;
        self.slots.get_or_insert_with(|| Arc::clone(&lock(current)))
    }

    /// Makes sure that one more slot can be taken.
    #[inline]
    fn make_room(&mut self) -> Result<(), Limit> {
        self.current();
        while self.room == 0 {
            self.room = self.current().reserve();
            if self.room == 0 {
                self.grow()?;
            }
        }
        Ok(())
    }

    /// Doubles the table, if no other thread has done so.
    #[cold]
    fn grow(&mut self) -> Result<(), Limit> {
        let mut current = lock(&self.current);
        let known = self.slots.take();
        let old = &*current;
        if !known.is_some_and(|known| Arc::ptr_eq(&known, old)) {
            return Ok(());
        }
        let Ok(new) = Slots::new(2 * old.words.len(), &old.pool) else {
            // The table becomes slower, but there is still room, and memory may be free again
            // later.
            let full = old.reserved.load(Relaxed) >= old.words.len() / 16 * 15;
            return if old.denied.swap(true, Relaxed) && full {
                Err(Limit::Memory)
            } else {
                Ok(())
            };
        };
        old.retired.store(true, Relaxed);
        let mut count = 0;
        for word in &old.words {
            let word = word.load(Relaxed);
            if word != 0 {
                new.put(word, VALUE_BITS);
                count += 1;
            }
        }
        new.reserved.store(count, Relaxed);
        *current = Arc::new(new);
        Ok(())
    }
}

/// A table of one thread, which can become one of several.
#[derive(Debug)]
pub(super) enum Table<const VALUE_BITS: u32> {
    Own(KeyTable<VALUE_BITS>),
    Shared(SharedTable<VALUE_BITS>),
}

impl<const VALUE_BITS: u32> Default for Table<VALUE_BITS> {
    fn default() -> Self {
        Table::Own(KeyTable::new())
    }
}

impl<const VALUE_BITS: u32> Table<VALUE_BITS> {
    /// The value of `key`.
    #[inline]
    pub(super) fn find(&mut self, key: u64) -> Option<u16> {
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
        change: impl Fn(Option<u16>) -> Option<u16>,
        budget: &mut Budget,
    ) -> Result<bool, Limit> {
        let table = match self {
            Table::Own(table) => table,
            Table::Shared(table) => return table.visit(key, change, budget),
        };
        let slot = table.find(key);
        let Some(value) = change(slot.value) else {
            return Ok(false);
        };
        budget.count_state()?;
        table.set(slot, key, value, budget)?;
        Ok(true)
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
        match self {
            Table::Own(table) => {
                let slot = table.find(key);
                table.set(slot, key, change(slot.value), budget)
            }
            Table::Shared(table) => table.update(key, |value| Some(change(value))).map(|_| ()),
        }
    }

    /// Brings the words of keys into the cache, all at the same time. In a shared table one look-up
    /// after the other is fast enough.
    #[inline]
    pub(super) fn fetch(&self, keys: impl Iterator<Item = u64>) {
        if let Table::Own(table) = self {
            let words = keys.map(|key| table.first_word(key));
            std::hint::black_box(words.fold(0, |all, word| all | word));
        }
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
            Table::Shared(table) => Table::Shared(table.share()),
        }
    }

    /// Releases what is shared, before the thread waits for work.
    pub(super) fn release(&mut self) {
        if let Table::Shared(table) = self {
            table.release();
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

#[inline]
fn value<const VALUE_BITS: u32>(word: u64) -> u16 {
    (word & ((1 << VALUE_BITS) - 1)) as u16
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Limits;
    use crate::search::idle_threads::{Helpers, IdleThreads};

    fn budget(memory_bytes: Option<u64>) -> Budget {
        Budget::new(Limits {
            memory_bytes,
            helpers: Some(Helpers::new(Arc::new(IdleThreads::default()))),
            ..Limits::default()
        })
    }

    /// All threads store the same keys in different orders, each with a value of its own, and
    /// lower values that are there; returns how many changes there were and the table.
    fn fight(threads: u16, keys: u64, budget: &Budget) -> (u64, SharedTable<9>) {
        let pool = budget.pool().unwrap();
        let table = SharedTable::<9>::new(&KeyTable::new(), |_| true, pool).unwrap();
        let changes = AtomicU64::new(0);
        std::thread::scope(|scope| {
            for thread in 0..threads {
                let mut table = table.share();
                let changes = &changes;
                scope.spawn(move || {
                    for i in 0..keys {
                        // 7919 is a prime, so each thread visits each key.
                        let key = (i * 7919 + u64::from(thread) * 1001) % keys;
                        let value = (key % 400) as u16 + thread;
                        let lower = |before: Option<u16>| {
                            before.is_none_or(|before| value < before).then_some(value)
                        };
                        if table.update(key << 20, lower).unwrap() {
                            changes.fetch_add(1, Relaxed);
                        }
                    }
                });
            }
        });
        (changes.into_inner(), table)
    }

    #[test]
    fn without_growth_no_change_is_lost() {
        for threads in [2, 8] {
            let budget = budget(None);
            let (changes, mut table) = fight(threads, 2000, &budget);
            assert_eq!(budget.most_bytes(), 8 * FIRST_LEN as u64, "no growth");
            assert!(changes >= 2000 && changes <= 2000 * u64::from(threads));
            for key in 0..2000 {
                assert_eq!(table.find(key << 20), Some((key % 400) as u16));
            }
            assert!((2000..4000).all(|key| table.find(key << 20).is_none()));
            drop(table);
            assert_eq!(budget.pool().unwrap().bytes.load(Relaxed), 0);
        }
    }

    #[test]
    fn each_key_is_new_for_one_thread() {
        let mut account = budget(None);
        let pool = Arc::clone(account.pool().unwrap());
        let table = SharedTable::<1>::new(&KeyTable::new(), |_| true, &pool).unwrap();
        let mut sum = 0;
        std::thread::scope(|scope| {
            let visitors: Vec<_> = (0..6)
                .map(|_| {
                    let mut table = table.share();
                    let limits = account.limits().clone();
                    let mut budget = Budget::for_helper(&limits, &pool);
                    scope.spawn(move || {
                        let new = |value: Option<u16>| value.is_none().then_some(0);
                        let visit = |&key: &u64| table.visit(key, new, &mut budget).unwrap();
                        (0..2000).filter(visit).count()
                    })
                })
                .collect();
            for visitor in visitors {
                sum += visitor.join().unwrap();
            }
        });
        assert_eq!(sum, 2000);
        assert_eq!(
            account.states(),
            2000,
            "states that others stored are not counted"
        );
        account.count_state().unwrap();
        assert_eq!(account.states(), 2001);
    }

    #[test]
    fn growth_invents_nothing_and_loses_next_to_nothing() {
        let (threads, keys) = (4, 200_000);
        let budget = budget(None);
        let (_, mut table) = fight(threads, keys, &budget);
        let mut lost = 0;
        for key in 0..keys {
            match table.find(key << 20) {
                None => lost += 1,
                Some(value) => {
                    let least = (key % 400) as u16;
                    assert!((least..least + threads).contains(&value));
                    lost += u64::from(value > least);
                }
            }
        }
        // What a thread writes while it does not see yet that the table has grown, seven times.
        assert!(lost < 7 * 4 * 16, "{lost} changes lost");
        assert!((keys..2 * keys).all(|key| table.find(key << 20).is_none()));
    }

    #[test]
    fn the_memory_limit_ends_growth_not_before_the_table_is_nearly_full() {
        let budget = budget(Some(150_000));
        let pool = budget.pool().unwrap();
        let mut table = SharedTable::<9>::new(&KeyTable::new(), |_| true, pool).unwrap();
        let mut stored = 0;
        let error = loop {
            match table.update(stored, |_| Some(1)) {
                Ok(new) => stored += u64::from(new),
                Err(limit) => break limit,
            }
        };
        // 8192 words; 16,384 beside them would be too many.
        assert_eq!((error, stored), (Limit::Memory, 8192 / 16 * 15));
        assert!((0..stored).all(|key| table.find(key) == Some(1)));
        assert!(budget.most_bytes() <= 150_000);
    }
}
