//! Lemma `weaker-rules`: what cannot be won under rules that allow more cannot be won.
//!
//! Proof: `docs/proofs/draw1-oracle.md`, section 8.2. Which rules allow more: [`Rules::relaxed`].
//!
//! [`Rules::relaxed`]: klondike_game::rules::Rules::relaxed

use super::{Lemma, Lemmas};
use crate::kplus::Game;
use klondike_game::table::Table;

/// The K+ game of the position on `table` under rules that allow more, to be asked first.
#[must_use]
pub fn game(table: &Table, lemmas: Lemmas) -> Option<Game> {
    let asked = lemmas.has(Lemma::WeakerRules);
    let relaxed = asked.then(|| table.relaxed()).flatten()?;
    Game::deciding(&relaxed).ok()
}
