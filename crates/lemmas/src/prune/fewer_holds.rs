//! Lemma `fewer-holds`: of two states of whole runs that differ in their holds only, the one whose
//! holds are part of the other's makes the other needless.
//!
//! Proof: `docs/proofs/whole-runs.md`, section 23.2. The table of states is `search/seen_holds.rs`.

use super::{Lemma, Lemmas, weaker_rules};

/// Whether the switch is on; otherwise the holds are part of the key.
#[must_use]
pub const fn is_on(lemmas: Lemmas) -> bool {
    lemmas.has(Lemma::FewerHolds)
}

/// Whether a search may forget holds: it then searches under rules that allow more (section 23.4).
#[must_use]
pub const fn may_forget(lemmas: Lemmas) -> bool {
    weaker_rules::is_on(lemmas)
}
