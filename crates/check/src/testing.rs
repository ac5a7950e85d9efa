//! Positions for the tests of the checker.

use std::sync::Arc;

use klondike_game::card::Card;
use klondike_game::deal::Deal;
use klondike_game::rules::Rules;
use klondike_game::table::Table;
use rand::rngs::StdRng;
use rand::seq::{IndexedRandom, SliceRandom};

use crate::Bounds;

/// A check that ends when it is done.
pub(crate) const UNBOUNDED: Bounds<'static> = Bounds {
    max_entries: u64::MAX,
    stop: &|| false,
};

/// A random deal after so many random moves, or fewer if no more can be made.
pub(crate) fn after_random_play(rules: Rules, moves: usize, rng: &mut StdRng) -> Table {
    let mut cards: Vec<Card> = rules.deck().cards().collect();
    cards.shuffle(rng);
    let deal = Deal::from_row_order(rules.deck(), rules.layout(), &cards).unwrap();
    let mut table = Table::new(Arc::new(rules), &deal).unwrap();
    for _ in 0..moves {
        if let Some(&made) = table.legal_moves().choose(rng) {
            table.make(made).unwrap();
        }
    }
    table
}
