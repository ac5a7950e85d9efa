//! Lemma `fewer-redeals`: of two states that differ in the redeals left only, the one with fewer is
//! not needed.
//!
//! Proof: `docs/proofs.md`, lemma `fewer-redeals`. The tables of states that use it are those of
//! `search/passes.rs` and `search/table/visited.rs`.

use super::{Lemma, Lemmas};

/// Whether the switch is on; otherwise the redeals left are part of the key.
#[must_use]
pub const fn is_on(lemmas: Lemmas) -> bool {
    lemmas.has(Lemma::FewerRedeals)
}
