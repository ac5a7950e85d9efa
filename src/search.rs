//! Searches that decide positions: what they share.
//!
//! A search ends as one of the three [`Outcome`]s and never mixes them up: only [`Outcome::Found`]
//! and [`Outcome::Exhausted`] are answers. [`table`] is the exact engine on table states, for the
//! rules that the packed engine does not cover; [`brute`] is the reference for tests.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::table::Move;

pub mod brute;
pub mod table;

/// When to give up. The default is never.
#[derive(Clone, Debug, Default)]
pub struct Limits {
    /// Most states to visit.
    pub max_states: Option<u64>,
    /// Most memory for the search's own tables, in bytes.
    pub memory_bytes: Option<u64>,
    /// When to stop.
    pub deadline: Option<Instant>,
    /// Stops the search soon after it becomes true.
    pub stop: Option<Arc<AtomicBool>>,
}

impl Limits {
    /// The limit that the clock or the stop flag has reached, if any.
    #[must_use]
    pub fn check_clock_and_flag(&self) -> Option<Limit> {
        if let Some(stop) = &self.stop
            && stop.load(Ordering::Relaxed)
        {
            return Some(Limit::Interrupt);
        }
        match self.deadline {
            Some(deadline) if Instant::now() >= deadline => Some(Limit::Time),
            _ => None,
        }
    }
}

/// The limit that stopped a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Limit {
    /// As many states as allowed were visited.
    States,
    /// The memory allowed was used up.
    Memory,
    /// The deadline passed.
    Time,
    /// The stop flag was set.
    Interrupt,
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Limit::States => "states",
            Limit::Memory => "memory",
            Limit::Time => "time",
            Limit::Interrupt => "interrupt",
        })
    }
}

/// How a search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A won game was found: the moves from the start to the win.
    Found(Vec<Move>),
    /// The search is complete and there is no win.
    Exhausted,
    /// A limit was hit before the search was complete: nothing is decided.
    Stopped(Limit),
}

/// What a search did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stats {
    /// Different states visited.
    pub states: u64,
    /// States visited again, because they were reached with more redeals left than before.
    pub revisits: u64,
    /// States given up because they were seen to be lost.
    pub dead_ends: u64,
    /// Moves tried.
    pub moves: u64,
    /// Longest line looked at, in moves of the search.
    pub max_depth: u64,
    /// Memory of the search's own tables at the end, in bytes.
    pub memory_bytes: u64,
}
