//! Rules about moves: which cards are safe on the foundation.
//!
//! A card of colour `X` and rank `v` is *safe* if `v ≤ y + 2` and `v ≤ x + 3`, where `x` and `y`
//! are the smaller foundation heights of its own and of the other colour. Everything that could
//! still want to lie on it can then go to the foundation itself. Statement, conditions and proof:
//! `docs/proofs.md`, lemma `safe-foundation` (after Blake & Gent 2026, appendix B, theorem 1).

use crate::kplus::{Game, State};
use klondike_game::card::{Card, CardSet, Color, Suit};

/// All cards that are safe on the foundation in `state`, whether or not they can go there now.
#[must_use]
#[inline]
pub fn safe(game: &Game, state: &State) -> CardSet {
    let suits = game.rules().deck().suits();
    let lowest = |color: Color| {
        let mut lowest = u8::MAX - 3;
        for &suit in suits {
            if suit.color() == color {
                lowest = lowest.min(state.foundation(suit));
            }
        }
        lowest
    };
    let (black, red) = (lowest(Color::Black), lowest(Color::Red));
    let up_to = |color: usize, limit: u8| UP_TO[color][usize::from(limit.min(13))];
    CardSet::from_bits(up_to(0, (red + 2).min(black + 3)) | up_to(1, (black + 2).min(red + 3)))
}

/// By colour and rank number the cards of that colour and of at most that rank.
static UP_TO: [[u64; 14]; 2] = {
    let mut table = [[0; 14]; 2];
    let mut index = 0;
    while index < Card::COUNT {
        if let Some(card) = Card::from_index(index) {
            let color = match card.suit() {
                Suit::Clubs | Suit::Spades => 0,
                Suit::Diamonds | Suit::Hearts => 1,
            };
            let mut limit = card.rank().get() as usize;
            while limit <= 13 {
                table[color][limit] |= card.set().bits();
                limit += 1;
            }
        }
        index += 1;
    }
    table
};
