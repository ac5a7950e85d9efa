//! Decides Klondike deals: winnable with a replayed solution, unwinnable with evidence, or
//! undecided with the limit that was hit.
//!
//! An internal crate: users take `klondike`, and all of this may change with any version.
//!
//! The packed state and every lemma that the searches use stand below, in `klondike-lemmas`.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`search`] | the searches, their limits and their tables of states |
//! | [`prove`] | verdicts and what stands behind them |

pub mod prove;
pub mod search;
