//! Lemma `draw1-oracle`: what draw 1 with unlimited redeals cannot win, no draw count can, with
//! redeals limited or not.
//!
//! Proof: `docs/proofs/draw1-oracle.md`, section 8.1. The oracle is the search of
//! `search/draw_one.rs`.

use super::{Lemma, Lemmas};
use crate::kplus::Game;

/// Whether to ask the oracle where redeals are unlimited: there draw 1 is the question itself.
#[must_use]
#[inline]
pub fn asks(game: &Game, lemmas: Lemmas) -> bool {
    game.draw_count() > 1 && asks_with_limited_redeals(lemmas)
}

/// Whether to ask it where redeals are limited.
#[must_use]
#[inline]
pub fn asks_with_limited_redeals(lemmas: Lemmas) -> bool {
    lemmas.has(Lemma::Draw1Oracle)
}
