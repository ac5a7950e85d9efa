//! Finds the number of a key that stands in a list elsewhere.
//!
//! It is a hash table of numbers that grows only when its owner says so, and accounts for the
//! memory before it takes it.

use hashbrown::HashTable;

use super::{Budget, Limit};

/// Numbers by the hashes of what they stand for.
#[derive(Debug, Default)]
pub(super) struct NumberIndex {
    table: HashTable<u32>,
}

/// The fewest buckets of a table that is not empty.
const FIRST_BUCKETS: usize = 1024;

impl NumberIndex {
    /// The number whose key has this hash and is the one that `is_it` knows.
    #[inline]
    pub(super) fn find(&self, hash: u64, mut is_it: impl FnMut(u32) -> bool) -> Option<u32> {
        self.table.find(hash, |&number| is_it(number)).copied()
    }

    /// Whether there is no room for one more number.
    #[inline]
    pub(super) fn is_full(&self) -> bool {
        self.table.len() == self.table.capacity()
    }

    /// Memory of the table, in bytes.
    pub(super) fn bytes(&self) -> u64 {
        self.table.allocation_size() as u64
    }

    fn grown_buckets(&self) -> usize {
        // Seven of eight buckets may be in use.
        (self.table.capacity() / 7 * 16).max(FIRST_BUCKETS)
    }

    /// Memory of the table when it has grown, in bytes.
    fn grown_bytes(&self) -> u64 {
        // A number, a byte of hashbrown for each bucket, and one group of these bytes more.
        (self.grown_buckets() * (size_of::<u32>() + 1) + 16) as u64
    }

    /// Makes the table twice as large. `hash` gives the hash of a number's key.
    ///
    /// # Errors
    /// If the memory limit leaves no room for the old and the new table together.
    pub(super) fn grow(
        &mut self,
        budget: &mut Budget,
        hash: impl Fn(u32) -> u64,
    ) -> Result<(), Limit> {
        let (old, bytes) = (self.bytes(), self.grown_bytes());
        budget.take_bytes(bytes)?;
        let additional = self.grown_buckets() / 8 * 7 - self.table.len();
        self.table.reserve(additional, |&number| hash(number));
        debug_assert!(self.bytes() <= bytes);
        budget.give_bytes(old);
        Ok(())
    }

    /// Forgets all numbers and keeps the room.
    pub(super) fn clear(&mut self) {
        self.table.clear();
    }

    /// Puts in a number that is not there.
    ///
    /// # Panics
    /// If the table is full.
    #[inline]
    pub(super) fn insert(&mut self, hash: u64, number: u32) {
        assert!(!self.is_full());
        let rehash = |_: &u32| unreachable!("there is room");
        self.table.insert_unique(hash, number, rehash);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Limits;

    #[test]
    fn it_takes_as_much_memory_as_it_says() {
        let hash = |number: u32| u64::from(number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mut index = NumberIndex::default();
        let mut budget = Budget::new(Limits::default());
        for number in 0..100_000 {
            if index.is_full() {
                let said = index.grown_bytes();
                index.grow(&mut budget, hash).unwrap();
                assert_eq!(index.bytes(), said, "{number} numbers");
            }
            index.insert(hash(number), number);
        }
        for number in 0..100_000 {
            let found = index.find(hash(number), |other| other == number);
            assert_eq!(found, Some(number));
        }
        assert_eq!(index.find(hash(5), |_| false), None);
    }
}
