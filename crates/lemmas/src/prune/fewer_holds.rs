//! Lemma `fewer-holds`: of two states of whole runs that differ in their holds only, the one whose
//! holds are part of the other's makes the other needless.
//!
//! Proof: `docs/proofs/whole-runs.md`, section 23.2. The table of states is `search/seen_holds.rs`.

use super::{Lemma, Lemmas};

/// Whether the switch is on; otherwise the holds are part of the key.
#[must_use]
pub const fn is_on(lemmas: Lemmas) -> bool {
    lemmas.has(Lemma::FewerHolds)
}
