//! The searches, their limits, and how they end.
//!
//! `kernel` is the depth-first search over K+ states. Its instances are
//! [`depth_first`] for any draw count, [`draw_one`] for draw 1 and as the oracle for the others,
//! [`passes`] for limited redeals, [`whole_runs`] and `held_draw_one` for whole runs, and
//! [`planner`] for many small questions of hidden-card play.
//! [`visited`] is their table of states; [`idle_threads`] lets several threads work on one search.
//! [`mod@shortest`] finds shortest solutions, [`score`] best scores. `beams`
//! pauses a long search for a short one that may find a win sooner. [`closed`] grows the sets of
//! states that certificates need. [`table`] is the exact engine on table states, for the rules that
//! the K+ state does not cover; [`brute`] is the reference for tests. Every search ends in one of
//! three ways: only [`Outcome::Found`] and [`Outcome::Exhausted`] are answers.

mod beams;
pub mod brute;
mod budget;
pub mod clock;
pub mod closed;
mod concurrent;
pub mod depth_first;
pub mod draw_one;
mod facts;
mod held_draw_one;
pub mod idle_threads;
mod job;
mod kernel;
mod limits;
#[cfg(test)]
mod lost_steps;
mod number_index;
mod order;
pub mod passes;
pub mod planner;
#[cfg(test)]
mod restarts;
pub mod score;
mod seen;
mod seen_holds;
mod seen_redeals;
pub mod shortest;
mod stats;
pub mod table;
#[cfg(test)]
mod testing;
mod threads;
pub mod visited;
pub mod whole_runs;

pub use budget::Budget;
pub use job::{Job, Order};
pub use limits::{Limit, Limits, Searched};
pub use stats::Stats;

use klondike_game::table::Move;
use klondike_lemmas::prune::blocking::Refutation;

use job::probes;

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
