//! Decides Klondike deals: winnable with a replayed solution, unwinnable with evidence, or
//! undecided with the limit that was hit.
//!
//! An internal crate: users take `klondike`, and all of this may change with any version.
//!
//! `docs/abstraction.md` proves the packed state, and `docs/proofs.md` every lemma that the
//! searches use.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`kplus`] | the packed state in which drawing is no move |
//! | [`prune`] | proven rules that let a search leave something out |
//! | [`search`] | the searches, their limits and their tables of states |
//! | [`prove`] | verdicts and what stands behind them |

pub mod kplus;
pub mod prove;
pub mod prune;
pub mod search;
