//! What a player plays for.

use klondike_lemmas::kplus::Game;

/// What a player plays for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Goal {
    /// To win as often as it can.
    #[default]
    Win,
    /// For the money of Vegas: five for each card on the foundations at the end.
    Money,
}

impl Goal {
    /// The goals by name.
    pub const WORDS: [(&'static str, Goal); 2] = [("win", Goal::Win), ("money", Goal::Money)];

    /// The share of the deck that so many cards are.
    pub(crate) fn share(game: &Game, cards: usize) -> f32 {
        cards as f32 / game.cards().len() as f32
    }
}
