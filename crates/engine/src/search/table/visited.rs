//! The table of states visited: exact keys of equal width, in an arena behind an index of their
//! numbers, with every byte accounted for before it is asked for.

use std::hash::Hasher;

use rustc_hash::FxHasher;

use crate::search::number_index::NumberIndex;
use crate::search::{Budget, Limit};

/// Keys in one piece of the arena.
const ROWS_PER_CHUNK: usize = 1024;
/// What the list of pieces costs for each of them, with room for its growth.
const CHUNK_OVERHEAD: u64 = 3 * size_of::<Vec<u32>>() as u64;

/// What came of the visit of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Visit {
    /// It was not known.
    New,
    /// It was known, by this number, with a lower value of the ignored bits, which now have the
    /// higher one.
    Better(usize),
    /// It was known.
    Old,
}

pub(super) struct Visited {
    width: usize,
    /// Bits of the first word that are no part of the identity of a key: of several keys that
    /// differ in them only, the highest is kept.
    ignored: u32,
    /// The numbers of the keys.
    index: NumberIndex,
    chunks: Vec<Vec<u32>>,
    len: usize,
}

impl Visited {
    pub(super) fn new(width: usize, ignored: u32) -> Visited {
        Visited {
            width,
            ignored,
            index: NumberIndex::default(),
            chunks: Vec::new(),
            len: 0,
        }
    }

    /// Forgets all keys and keeps the room.
    pub(super) fn clear(&mut self) {
        self.index.clear();
        for chunk in &mut self.chunks {
            chunk.clear();
        }
        self.len = 0;
    }

    /// Notes the visit of a state; only new ones are counted as states of the budget.
    ///
    /// # Errors
    /// The limit that does not allow one more state.
    pub(super) fn visit(&mut self, key: &[u32], budget: &mut Budget) -> Result<Visit, Limit> {
        debug_assert_eq!(key.len(), self.width);
        let hash = self.hash(key);
        if let Some(number) = self.find(hash, key) {
            let ignored = self.ignored;
            let first = &mut self.row_mut(number)[0];
            if key[0] & ignored <= *first & ignored {
                return Ok(Visit::Old);
            }
            *first = key[0];
            return Ok(Visit::Better(number));
        }
        budget.count_state()?;
        if self.index.is_full() {
            let mut index = std::mem::take(&mut self.index);
            let grown = index.grow(budget, |number| self.hash(self.row(number as usize)));
            self.index = index;
            grown?;
        }
        if self.len >= u32::MAX as usize - 1 {
            return Err(Limit::Memory);
        }
        let chunk = self.len / ROWS_PER_CHUNK;
        if chunk == self.chunks.len() {
            let words = ROWS_PER_CHUNK * self.width;
            budget.take_bytes((words * size_of::<u32>()) as u64 + CHUNK_OVERHEAD)?;
            self.chunks.push(Vec::with_capacity(words));
        }
        self.chunks[chunk].extend_from_slice(key);
        self.index.insert(hash, self.len as u32);
        self.len += 1;
        Ok(Visit::New)
    }

    /// Whether a visit of the key would be [`Visit::Old`].
    pub(super) fn is_known(&self, key: &[u32]) -> bool {
        self.find(self.hash(key), key).is_some_and(|number| {
            let known = self.row(number)[0];
            key[0] & self.ignored <= known & self.ignored
        })
    }

    /// Number of keys.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// The key with a number; they are numbered from 0 as they came.
    pub(super) fn row(&self, number: usize) -> &[u32] {
        let begin = number % ROWS_PER_CHUNK * self.width;
        &self.chunks[number / ROWS_PER_CHUNK][begin..begin + self.width]
    }

    /// The numbers of all keys in ascending order; the words of a key count from the second on, and
    /// the first one last. Nothing can be visited afterwards.
    ///
    /// The index, which is larger, is dropped first: the account stays as it is.
    pub(super) fn sort(&mut self) -> Vec<u32> {
        self.index = NumberIndex::default();
        let mut numbers: Vec<u32> = (0..self.len as u32).collect();
        let order = |row: usize| {
            let key = self.row(row);
            (&key[1..], key[0])
        };
        numbers.sort_unstable_by(|&one, &other| order(one as usize).cmp(&order(other as usize)));
        numbers
    }

    fn row_mut(&mut self, number: usize) -> &mut [u32] {
        let begin = number % ROWS_PER_CHUNK * self.width;
        &mut self.chunks[number / ROWS_PER_CHUNK][begin..begin + self.width]
    }

    /// The number of the key, or of one that differs from it in ignored bits only.
    fn find(&self, hash: u64, key: &[u32]) -> Option<usize> {
        let is_it = |number: u32| {
            let row = self.row(number as usize);
            (row[0] ^ key[0]) & !self.ignored == 0 && row[1..] == key[1..]
        };
        self.index.find(hash, is_it).map(|number| number as usize)
    }

    fn hash(&self, key: &[u32]) -> u64 {
        let mut hasher = FxHasher::default();
        hasher.write_u32(key[0] & !self.ignored);
        for &word in &key[1..] {
            hasher.write_u32(word);
        }
        hasher.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Limits;

    #[test]
    fn keys_are_found_again_and_never_taken_for_others() {
        let mut budget = Budget::new(Limits::default());
        let mut visited = Visited::new(3, 0);
        // Neighbouring keys in every word, enough for several doublings and pieces.
        let keys = (0..9000u32).map(|i| [i % 30, i / 30 % 30, i / 900]);
        for key in keys.clone() {
            assert_eq!(visited.visit(&key, &mut budget), Ok(Visit::New));
        }
        for key in keys {
            assert_eq!(visited.visit(&key, &mut budget), Ok(Visit::Old));
        }
        let unknown = [30, 0, 0];
        let mut full = Budget::new(Limits {
            max_states: Some(0),
            ..Limits::default()
        });
        assert_eq!(visited.visit(&unknown, &mut full), Err(Limit::States));
        assert_eq!(visited.visit(&unknown, &mut budget), Ok(Visit::New));
    }

    #[test]
    fn the_highest_value_of_the_ignored_bits_is_kept() {
        let mut budget = Budget::new(Limits::default());
        let mut visited = Visited::new(2, 0xf0);
        let mut visit = |word| visited.visit(&[word, 7], &mut budget).unwrap();
        assert_eq!(visit(0x31), Visit::New);
        assert_eq!(visit(0x21), Visit::Old);
        assert_eq!(visit(0x31), Visit::Old);
        assert_eq!(visit(0x51), Visit::Better(0));
        assert_eq!(visit(0x41), Visit::Old);
        assert_eq!(visit(0x42), Visit::New);
    }

    #[test]
    fn the_budget_knows_the_memory_and_the_limit_is_kept() {
        let limit = 1 << 20;
        let mut budget = Budget::new(Limits {
            memory_bytes: Some(limit),
            ..Limits::default()
        });
        let mut visited = Visited::new(8, 0);
        let mut count = 0;
        while visited.visit(&[count; 8], &mut budget) == Ok(Visit::New) {
            count += 1;
        }
        let real = visited.index.bytes() as usize
            + visited
                .chunks
                .iter()
                .map(|c| c.capacity() * 4)
                .sum::<usize>()
            + visited.chunks.capacity() * size_of::<Vec<u32>>();
        let used = budget.bytes;
        assert!(budget.most_bytes() <= limit);
        assert!(real as u64 <= used, "{real} > {used}");
        assert!(real as u64 * 10 > used * 9, "{real} {used}");
        // Up to 44 bytes a state, and the index may have had no room to double.
        assert!(u64::from(count) * 36 > limit / 2, "{count}");
        assert_eq!(visited.visit(&[0; 8], &mut budget), Ok(Visit::Old));
    }
}
