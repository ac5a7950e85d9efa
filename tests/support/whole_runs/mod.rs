//! Positions in games of whole runs.

use std::sync::Arc;

use crate::common::{random_endgame, random_move, random_position, random_rules};
use klondike_game::deal::Deal;
use klondike_game::rules::{Deck, Layout, Redeals, Rules, Runs, Spaces};
use klondike_game::table::Table;
use rand::RngExt;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;

/// The position under rules with whole runs and unlimited redeals.
fn with_whole_runs(table: &Table, spaces: Spaces) -> Table {
    let rules = table.rules().to_builder().runs(Runs::Whole).spaces(spaces);
    let rules = rules.redeals(Redeals::Unlimited).build().unwrap();
    let mut parts = table.to_parts();
    parts.redeals_used = 0;
    parts.pending = None;
    Table::from_parts(Arc::new(rules), parts).unwrap()
}

/// A random position of a small deck.
pub(crate) fn small(rng: &mut StdRng) -> Table {
    let spaces = [Spaces::Kings, Spaces::Nothing][usize::from(rng.random_bool(0.3))];
    let table = if rng.random_bool(0.5) {
        random_endgame(rng, 13)
    } else {
        let rules = random_rules(rng, 13);
        let moves = rng.random_range(0..12);
        random_position(rng, &rules, moves)
    };
    with_whole_runs(&table, spaces)
}

/// A position of four suits in which twins often lie in the tableau and bear children: few ranks,
/// after some moves.
pub(crate) fn with_twins(rng: &mut StdRng) -> Table {
    let deck = Deck::new(4, rng.random_range(6..=8)).unwrap();
    let piles = rng.random_range(4..=6);
    let height = rng.random_range(3..=5).min(deck.len() / usize::from(piles));
    let layout = Layout::rectangle(piles, height as u8).unwrap();
    let rules = Rules::builder()
        .deck(deck)
        .layout(layout)
        .runs(Runs::Whole)
        .draw_count(rng.random_range(1..=3))
        .worrying_back(rng.random_bool(0.3))
        .build();
    let rules = Arc::new(rules.unwrap());
    let mut cards: Vec<_> = deck.cards().collect();
    cards.shuffle(rng);
    let deal = Deal::from_row_order(deck, rules.layout(), &cards).unwrap();
    let mut table = Table::new(rules, &deal).unwrap();
    for _ in 0..rng.random_range(0..60) {
        if random_move(rng, &mut table).is_none() {
            break;
        }
    }
    table
}
