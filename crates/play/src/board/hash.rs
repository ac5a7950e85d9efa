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
    /// waste, the redeals used where they are limited, and the move that must follow.
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
        rest.fold(hash, mix)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng::seeded;
    use klondike_game::deal::seed::{Scheme, Seed};
    use klondike_game::rules::{Layout, Redeals, Rules, Runs, Spaces};
    use klondike_game::table::Table;
    use rand::RngExt;
    use std::collections::HashMap;
    use std::fmt::Debug;
    use std::hash::Hash;
    use std::sync::Arc;

    /// Asserts that a number stands for one thing and a thing for one number.
    fn assert_one_to_one<T: Clone + Debug + Eq + Hash>(
        known: &mut (HashMap<u64, T>, HashMap<T, u64>),
        hash: u64,
        thing: &T,
    ) {
        let thing_of_hash = known.0.entry(hash).or_insert_with(|| thing.clone());
        assert_eq!(thing_of_hash, thing);
        assert_eq!(*known.1.entry(thing.clone()).or_insert(hash), hash);
    }

    /// Random play with worrying back, under all rules and with up to 13 piles: equal hashes belong
    /// to equal arrangements or positions, and the other way round.
    #[test]
    fn hashes_tell_positions_apart() {
        let mut turns = Vec::new();
        for seed in 0..108_u64 {
            let mut rng = seeded(seed);
            let runs = [Runs::Whole, Runs::Partial, Runs::PartialIfPlayed][seed as usize % 3];
            let spaces = [Spaces::Kings, Spaces::Any, Spaces::Nothing][seed as usize / 3 % 3];
            let layout = match seed / 9 % 6 {
                0 => Layout::triangle(7).unwrap(),
                more => Layout::new(vec![2; 8 + more as usize]).unwrap(),
            };
            let redeals = [Redeals::Unlimited, Redeals::Limited(3)][usize::from(seed % 4 == 3)];
            let rules = Rules::standard().to_builder().runs(runs).spaces(spaces);
            let rules = Arc::new(rules.layout(layout).redeals(redeals).build().unwrap());
            let (deck, layout) = (rules.deck(), rules.layout());
            let deal = Scheme::Klondike.deal_for(&Seed::from(seed), deck, layout);
            let dealt = Board::new(&Table::new(rules, &deal.unwrap()).unwrap());
            let mut arrangements = Default::default();
            let mut positions = Default::default();
            for _ in 0..4 {
                let mut board = dealt;
                for _ in 0..80 {
                    let piles: Vec<Vec<Card>> = (0..board.pile_count())
                        .map(|pile| board.face_up(pile).collect())
                        .collect();
                    let arrangement = (piles, board.foundations);
                    assert_one_to_one(&mut arrangements, board.tableau_hash(), &arrangement);
                    let talon = (board.waste, board.len, board.limited_redeals_used());
                    let position = (arrangement, board.down, board.pending, talon);
                    assert_one_to_one(&mut positions, board.position_hash(), &position);
                    turns.clear();
                    board.turns(&mut turns);
                    if turns.is_empty() {
                        break;
                    }
                    let chosen = rng.random_range(0..turns.len() as u32) as usize;
                    board.make_turn(turns[chosen]);
                }
            }
        }
    }
}
