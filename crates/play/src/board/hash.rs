//! Position hashes: numbers that tell positions apart, for players that do not come back to where
//! they were. Two different positions have the same number with a chance of about 2⁻⁶⁴.

use super::Board;
use crate::rng::mix;
use klondike_game::card::Card;
use klondike_game::rules::MAX_PILES;

impl Board {
    /// Tells apart the arrangements of face-up cards and foundations, by a sum of numbers, one for
    /// every card and what lies on it. Face-down cards do not
    /// count, so the hash is the same in the view of a game and in all its worlds.
    #[must_use]
    pub fn tableau_hash(&self) -> u64 {
        let mut hash = 0_u64;
        for pile in 0..self.pile_count() {
            // What lies on a card, from the top card down: nothing on a pile, or a card.
            let mut above = pile as u64;
            for card in self.face_up(pile) {
                hash = hash.wrapping_add(mix(card.index() as u64, above));
                above = (MAX_PILES + card.index()) as u64;
            }
        }
        for (suit, &height) in self.foundations.iter().enumerate() {
            hash = hash.wrapping_add(mix((Card::COUNT + suit) as u64, u64::from(height)));
        }
        hash
    }

    /// Tells apart the positions of one deal by all that later moves depend on: the tableau, the
    /// waste, the redeals used where they are limited, the move that must follow, and the order of
    /// the talon where draws change it.
    #[must_use]
    pub fn position_hash(&self) -> u64 {
        let down = self.down[..self.pile_count()].iter();
        let hash = down.fold(self.tableau_hash(), |hash, &count| {
            mix(hash, u64::from(count))
        });
        let talon = [self.waste, self.len, self.pending].map(u64::from);
        let rest = talon
            .into_iter()
            .chain([self.limited_redeals_used().into()]);
        let row = match self.reverses_groups() {
            true => &self.talon[..self.talon_len()],
            false => &[],
        };
        rest.chain(row.iter().copied().map(u64::from))
            .fold(hash, mix)
    }
}
