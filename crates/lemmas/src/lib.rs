//! The packed state and the lemmas: all that has a written proof.
//!
//! An internal crate: users take `klondike`, and all of this may change with any version.
//!
//! A proof in `docs/proofs.md` speaks of states. So this crate cannot see a search: the compiler
//! keeps the promise that no lemma depends on the path to a state or on the order of a search.
//! `docs/abstraction.md` proves the packed state.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`kplus`] | the packed state in which drawing is no move |
//! | [`prune`] | proven rules that let a search leave something out |

pub mod kplus;
pub mod prune;
