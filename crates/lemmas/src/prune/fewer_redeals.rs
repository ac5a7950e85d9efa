//! Lemma `fewer-redeals`: of two states that differ in the redeals left only, the one with fewer is
//! not needed.
//!
//! Proof: `docs/proofs/limited-redeals.md`, section 21.2; at the table `docs/proofs/table.md`. The
//! tables of states that use it are those of `search/seen_redeals.rs` and `search/table.rs`.

use super::{Lemma, Lemmas};

/// Whether the switch is on; otherwise the redeals left are part of the key.
#[must_use]
pub const fn is_on(lemmas: Lemmas) -> bool {
    lemmas.has(Lemma::FewerRedeals)
}
