//! Lemma `weaker-rules`: what cannot be won under rules that allow more cannot be won.
//!
//! Proof: `docs/proofs/draw1-oracle.md`, section 8.2. Which rules allow more: [`Rules::relaxed`].
//!
//! [`Rules::relaxed`]: klondike_game::rules::Rules::relaxed

use super::{Lemma, Lemmas};
use crate::kplus::Game;
use klondike_game::table::Table;

/// Whether the switch is on.
#[must_use]
pub const fn is_on(lemmas: Lemmas) -> bool {
    lemmas.has(Lemma::WeakerRules)
}

/// The K+ game of the position on `table` under rules that allow more, to be asked first.
#[must_use]
pub fn game(table: &Table, lemmas: Lemmas) -> Option<Game> {
    let relaxed = is_on(lemmas).then(|| table.relaxed())?;
    Game::deciding(&relaxed).ok()
}
