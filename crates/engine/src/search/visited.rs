//! The table of states: exact keys, each with a small value, in open addressing.
//!
//! One 64-bit word holds a key and its value, so the table cannot lie: two states are the same
//! only if their keys are. It never deletes single keys. Growing asks the [`Budget`] before it
//! allocates, with the old and the new table alive at once.

use super::{Budget, Limit};

/// A table of keys below `2^(64 − VALUE_BITS) − 1` with values of `VALUE_BITS` bits.
#[derive(Debug)]
pub struct KeyTable<const VALUE_BITS: u32> {
    /// `key + 1` above the value; 0 is an empty slot. The length is a power of two.
    slots: Vec<u64>,
    used: usize,
    shift: u32,
    /// What did not allow the table to grow.
    denied: Option<Limit>,
    /// The slots in use, the first of them if they are more: if they are few, [`KeyTable::clear`]
    /// need not look at the others.
    log: Vec<u32>,
}

/// Where a key stands, or will stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Slot {
    index: usize,
    /// The value of the key; `None` if the table does not hold it.
    pub value: Option<u16>,
}

/// Few, as most searches of long draws store no more.
const FIRST_LEN: usize = 1 << 5;
/// A table with fewer keys grows to four times as many slots, to be copied less often.
const MANY: usize = 1 << 12;
/// Most slots that are logged.
const LOG_LEN: usize = 1 << 10;

impl<const VALUE_BITS: u32> KeyTable<VALUE_BITS> {
    /// Memory of an empty table, in bytes.
    pub(super) const EMPTY_BYTES: u64 = 8 * FIRST_LEN as u64 + 4 * LOG_LEN as u64;

    /// An empty table; it takes 4 KiB.
    #[must_use]
    pub fn new() -> Self {
        KeyTable {
            slots: vec![0; FIRST_LEN],
            used: 0,
            shift: u64::BITS - FIRST_LEN.trailing_zeros(),
            denied: None,
            log: Vec::with_capacity(LOG_LEN),
        }
    }

    /// Number of keys.
    #[must_use]
    pub fn len(&self) -> usize {
        self.used
    }

    /// Whether there is no key.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.used == 0
    }

    /// Memory of the table, in bytes.
    #[must_use]
    pub fn bytes(&self) -> usize {
        8 * self.slots.len()
    }

    /// Memory that was asked for, in bytes: what the empty table took is not counted.
    pub(super) fn counted_bytes(&self) -> u64 {
        8 * (self.slots.len() - FIRST_LEN) as u64
    }

    /// All keys with their values, in no order.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u64, u16)> + Clone + '_ {
        self.slots.iter().filter(|&&slot| slot != 0).map(|slot| {
            let value = slot & ((1 << VALUE_BITS) - 1);
            ((slot >> VALUE_BITS) - 1, value as u16)
        })
    }

    /// Looks `key` up. The slot is good until the next change of the table.
    #[must_use]
    #[inline]
    pub fn find(&self, key: u64) -> Slot {
        debug_assert!(key < (1 << (64 - VALUE_BITS)) - 1);
        let tag = key + 1;
        let mask = self.slots.len() - 1;
        let mut index = self.home(tag);
        loop {
            let slot = self.slots[index];
            if slot >> VALUE_BITS == tag {
                let value = slot & ((1 << VALUE_BITS) - 1);
                return Slot {
                    index,
                    value: Some(value as u16),
                };
            }
            if slot == 0 {
                return Slot { index, value: None };
            }
            index = (index + 1) & mask;
        }
    }

    #[inline]
    fn home(&self, tag: u64) -> usize {
        (tag.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.shift) as usize
    }

    /// Sets the value of `key`, which [`KeyTable::find`] just placed at `slot`.
    ///
    /// # Errors
    /// If the key is new and the memory limit leaves no room for it.
    #[inline]
    pub fn set(
        &mut self,
        slot: Slot,
        key: u64,
        value: u16,
        budget: &mut Budget,
    ) -> Result<(), Limit> {
        let mut index = slot.index;
        if slot.value.is_none() {
            if self.is_full() {
                index = self.make_room(index, key, budget)?;
            }
            self.note_used(index);
        }
        self.slots[index] = (key + 1) << VALUE_BITS | u64::from(value);
        Ok(())
    }

    #[inline]
    fn note_used(&mut self, index: usize) {
        if self.used < LOG_LEN {
            self.log.push(index as u32);
        }
        self.used += 1;
    }

    /// Makes room for a key that would stand at `index`; returns where it stands now.
    #[cold]
    fn make_room(&mut self, index: usize, key: u64, budget: &mut Budget) -> Result<usize, Limit> {
        match self.grow(budget, |_| true) {
            Ok(()) => Ok(self.find(key).index),
            // Slower and slower, but there is room yet.
            Err(_) if self.used * 16 < self.slots.len() * 15 => Ok(index),
            Err(limit) => Err(limit),
        }
    }

    /// Makes room when the table [is full](KeyTable::is_full): keeps only the values that `keep`
    /// wants, in a table two or four times as large if that is needed.
    ///
    /// # Errors
    /// If the memory limit leaves no room. It is not asked again before [`KeyTable::clear`].
    pub fn grow(&mut self, budget: &mut Budget, keep: impl Fn(u16) -> bool) -> Result<(), Limit> {
        if let Some(limit) = self.denied {
            return Err(limit);
        }
        let value_mask = (1 << VALUE_BITS) - 1;
        let wanted = |slot: u64| slot != 0 && keep((slot & value_mask) as u16);
        let kept = self.slots.iter().filter(|&&slot| wanted(slot)).count();
        let growth = if kept < MANY { 4 } else { 2 };
        let len = (kept * growth).next_power_of_two().max(self.slots.len());
        let (old_bytes, bytes) = (8 * self.slots.len() as u64, 8 * len as u64);
        if let Err(limit) = budget.take_bytes(bytes) {
            self.denied = Some(limit);
            return Err(limit);
        }
        let old = std::mem::replace(&mut self.slots, vec![0; len]);
        self.shift = u64::BITS - len.trailing_zeros();
        self.used = 0;
        self.log.clear();
        let mask = len - 1;
        for slot in old {
            if wanted(slot) {
                let tag = slot >> VALUE_BITS;
                let mut index = self.home(tag);
                while self.slots[index] != 0 {
                    index = (index + 1) & mask;
                }
                self.slots[index] = slot;
                self.note_used(index);
            }
        }
        budget.give_bytes(old_bytes);
        Ok(())
    }

    /// Makes room for at least so many keys, if there are none yet; no account is kept of it.
    pub fn reserve(&mut self, keys: usize) {
        let len = (keys * 16 / 11 + 1).next_power_of_two();
        if self.used == 0 && len > self.slots.len() {
            self.slots = vec![0; len];
            self.shift = u64::BITS - len.trailing_zeros();
        }
    }

    /// Whether the next new key will make the table grow: 11 of 16 slots are used.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.used * 16 >= self.slots.len() * 11
    }

    /// The keys whose values `keep` wants, in no particular order and without their values, in the
    /// memory of the table.
    #[must_use]
    pub fn into_keys(self, keep: impl Fn(u16) -> bool) -> Vec<u64> {
        let value_mask = (1 << VALUE_BITS) - 1;
        let mut keys = self.slots;
        keys.retain(|&slot| slot != 0 && keep((slot & value_mask) as u16));
        for key in &mut keys {
            *key = (*key >> VALUE_BITS) - 1;
        }
        keys
    }

    /// Forgets all keys and keeps the room. Few keys are forgotten fast, however large the table.
    pub fn clear(&mut self) {
        // Single words cost about as much as whole cache lines of eight.
        if self.used <= LOG_LEN && self.used * 8 < self.slots.len() {
            for &index in &self.log {
                self.slots[index as usize] = 0;
            }
        } else {
            self.slots.fill(0);
        }
        self.log.clear();
        self.used = 0;
        self.denied = None;
    }
}

impl<const VALUE_BITS: u32> Default for KeyTable<VALUE_BITS> {
    fn default() -> Self {
        KeyTable::new()
    }
}
