//! Where a beam may search: it always uses lemmas `safe-foundation`, `safe-stays`,
//! `last-talon-card`, `relaxation` and `talon-relaxation`.
//!
//! A beam proves nothing (`docs/proofs/first-positions.md`), so this is no lemma. It sees to it
//! that a search without one of these lemmas is free of it.

use super::{Lemma, Lemmas};

/// Whether all lemmas that a beam uses are on.
#[must_use]
pub fn are_on(lemmas: Lemmas) -> bool {
    [
        Lemma::SafeFoundation,
        Lemma::SafeStays,
        Lemma::LastTalonCard,
        Lemma::Relaxation,
        Lemma::TalonRelaxation,
    ]
    .into_iter()
    .all(|lemma| lemmas.has(lemma))
}
