//! What a world remembers: facts about states, in bounded memory.
//!
//! Facts stand in lines of eight words, each line as long as a cache line. A state belongs to one
//! line. A new fact goes to the front of its line and drops the oldest one. So nothing is allocated
//! after the beginning, and a forgotten fact costs another search. Keys are exact: a fact is never
//! taken for one about another state.

use std::ops::Range;

use crate::search::Limit;

/// What is known of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::search) enum Fact {
    /// Proven unwinnable.
    Dead,
    /// A win was found.
    Alive,
    /// A search with a budget of this [`rank`], one of [`REMEMBERED`], ended undecided.
    Undecided(u8),
}

/// Budgets of one rank are taken as equal: from one power of two to the next.
#[must_use]
pub(super) fn rank(budget: u32) -> u8 {
    let log = budget.checked_ilog2().unwrap_or(0);
    log.clamp(LEAST_LOG, LEAST_LOG + HIGHEST_RANK) as u8 - LEAST_LOG as u8
}

/// What the end of a search says of the state that it began with, of which so much is known.
pub(super) fn found(ended: Result<bool, Limit>, budget: u32, known: Option<Fact>) -> Option<Fact> {
    match ended {
        Ok(true) => Some(Fact::Alive),
        Ok(false) => Some(Fact::Dead),
        Err(Limit::Memory | Limit::Time | Limit::Interrupt) => None,
        Err(Limit::States) => {
            let rank = rank(budget);
            let says_more = REMEMBERED.contains(&rank) && known != Some(Fact::Alive);
            says_more.then_some(Fact::Undecided(rank))
        }
    }
}

/// Budgets below 2^5 have rank 0, those from 2^17 the highest.
const LEAST_LOG: u32 = 4;
const HIGHEST_RANK: u32 = 13;

/// The ranks that are remembered: the others have no end to one side, so that a budget may be many
/// times another of the same rank.
const REMEMBERED: Range<u8> = 1..HIGHEST_RANK as u8;

impl Fact {
    /// 1 to 15.
    fn code(self) -> u64 {
        match self {
            Fact::Dead => 1,
            Fact::Alive => 2,
            Fact::Undecided(rank) => 2 + u64::from(rank),
        }
    }

    fn from_code(code: u64) -> Option<Fact> {
        match code {
            0 => None,
            1 => Some(Fact::Dead),
            2 => Some(Fact::Alive),
            code => Some(Fact::Undecided(code as u8 - 2)),
        }
    }
}

/// Bits of a word that hold the fact, below the key.
const CODE_BITS: u32 = 4;
const WORDS: usize = 8;

#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Line([u64; WORDS]);

/// Facts about the states of one world, by keys of at most 60 bits.
#[derive(Clone, Debug)]
pub(in crate::search) struct Memory {
    lines: Box<[Line]>,
    shift: u32,
    /// Whether there is nothing to clear.
    clean: bool,
}

impl Memory {
    /// A memory for at least `facts` facts, none of which it has.
    pub(in crate::search) fn new(facts: usize) -> Memory {
        let lines = facts.div_ceil(WORDS).next_power_of_two().max(2);
        Memory {
            lines: vec![Line([0; WORDS]); lines].into_boxed_slice(),
            shift: u64::BITS - lines.trailing_zeros(),
            clean: true,
        }
    }

    /// Most facts it can hold.
    pub(super) fn capacity(&self) -> usize {
        self.lines.len() * WORDS
    }

    pub(super) fn clear(&mut self) {
        if !self.clean {
            self.lines.fill(Line([0; WORDS]));
            self.clean = true;
        }
    }

    #[inline]
    fn line(&self, key: u64) -> usize {
        debug_assert!(key >> (u64::BITS - CODE_BITS) == 0);
        (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> self.shift) as usize
    }

    /// What is known of the state with this key.
    #[inline]
    pub(in crate::search) fn find(&self, key: u64) -> Option<Fact> {
        let Line(words) = &self.lines[self.line(key)];
        let word = words.iter().find(|&&word| word >> CODE_BITS == key)?;
        // An empty word looks like key 0.
        Fact::from_code(word & ((1 << CODE_BITS) - 1))
    }

    /// Writes a fact down, in place of what was known of the state.
    #[inline]
    pub(in crate::search) fn learn(&mut self, key: u64, fact: Fact) {
        debug_assert!(fact.code() >> CODE_BITS == 0);
        self.clean = false;
        let line = self.line(key);
        let Line(words) = &mut self.lines[line];
        let old = words.iter().position(|&word| word >> CODE_BITS == key);
        let last = old.unwrap_or(WORDS - 1);
        words.copy_within(..last, 1);
        words[0] = key << CODE_BITS | fact.code();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn facts_are_found_or_forgotten_but_never_mixed_up() {
        let mut memory = Memory::new(512);
        let mut model = HashMap::new();
        let (mut found, mut random) = (0, 1_u64);
        for _ in 0..60_000 {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let key = (random >> 33) % 3000 * 0x0001_5555_0001 % (1 << 60);
            let fact = Fact::from_code(random >> 20 & 15).unwrap_or(Fact::Dead);
            if let Some(known) = memory.find(key) {
                assert_eq!(Some(&known), model.get(&key));
                found += 1;
            }
            memory.learn(key, fact);
            model.insert(key, fact);
            assert_eq!(memory.find(key), Some(fact));
        }
        assert!(found > 5000, "{found}");
        memory.clear();
        assert!(model.keys().all(|&key| memory.find(key).is_none()));
    }

    #[test]
    fn what_was_learned_last_stays_longest() {
        let mut memory = Memory::new(16);
        let same_line: Vec<u64> = (1..1000)
            .filter(|&key| memory.line(key) == memory.line(1))
            .take(9)
            .collect();
        for &key in &same_line {
            memory.learn(key, Fact::Alive);
        }
        assert_eq!(memory.find(same_line[0]), None);
        assert!(same_line[1..].iter().all(|&key| memory.find(key).is_some()));
    }

    #[test]
    fn ranks_of_budgets_grow() {
        let ranks = [
            0,
            1,
            31,
            32,
            63,
            64,
            100,
            300,
            1000,
            3000,
            20_000,
            65_536,
            u32::MAX,
        ];
        let ranks = ranks.map(rank);
        assert_eq!(ranks[..6], [0, 0, 0, 1, 1, 2]);
        assert!(ranks.is_sorted() && ranks[12] == 13);
        for rank in REMEMBERED {
            let fact = Fact::Undecided(rank);
            assert_eq!(Fact::from_code(fact.code()), Some(fact));
        }
    }
}
