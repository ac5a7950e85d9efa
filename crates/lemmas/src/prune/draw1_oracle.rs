//! Lemma `draw1-oracle`: what draw 1 with unlimited redeals and partial runs cannot win, no draw
//! count can, with redeals limited or not, whole runs only or not.
//!
//! Proof: `docs/proofs/draw1-oracle.md`, section 8.1. The oracle is the search of
//! `search/draw_one.rs`.

use super::{Lemma, Lemmas};
use crate::kplus::Game;

/// Whether to ask the oracle where redeals are unlimited: there draw 1 is the question itself.
#[must_use]
#[inline]
pub fn asks(game: &Game, lemmas: Lemmas) -> bool {
    game.draw_count() > 1 && asks_under_other_rules(lemmas)
}

/// Whether to ask it, also in draw 1, where redeals are limited or only whole runs move.
#[must_use]
#[inline]
pub fn asks_under_other_rules(lemmas: Lemmas) -> bool {
    lemmas.has(Lemma::Draw1Oracle)
}
