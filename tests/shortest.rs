//! Shortest solutions against breadth-first search at the table, on tiny decks, for every way of
//! counting.

#![allow(clippy::unwrap_used)] // a test may panic

mod common;

use std::sync::Arc;

use common::{random_deal, random_endgame, random_move, replay, rng};
use klondike::kplus::Game;
use klondike::rules::{Deck, Layout, Redeals, Rules, Runs, Spaces};
use klondike::search::shortest::graph::Graph;
use klondike::search::shortest::{Count, Ended, Search, line};
use klondike::search::{Budget, Limits, brute};
use klondike::table::Table;
use klondike::table::position::write_position;
use rand::RngExt;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;

/// Rules that the K+ state covers, for a small deck.
fn small_rules(rng: &mut StdRng, most_cards: usize) -> Arc<Rules> {
    loop {
        let suits = *[2, 2, 3, 4, 4, 4].choose(rng).unwrap();
        let deck = Deck::new(suits, rng.random_range(2..=5)).unwrap();
        let piles = rng.random_range(1..=4);
        let heights: Vec<u8> = (0..piles).map(|_| rng.random_range(0..=4)).collect();
        let layout = Layout::new(heights).unwrap();
        if deck.len() > most_cards || layout.card_count() > deck.len() {
            continue;
        }
        let rules = Rules::builder()
            .deck(deck)
            .layout(layout)
            .worrying_back(rng.random_bool(0.7))
            .draw_count(rng.random_range(1..=4));
        return Arc::new(rules.build().unwrap());
    }
}

/// A position of a game that the K+ state covers: a deal, one in the middle of a game, or an endgame.
fn position(rng: &mut StdRng, most_cards: usize) -> Table {
    if rng.random_bool(0.5) {
        let rules = small_rules(rng, most_cards);
        let mut table = random_deal(rng, &rules);
        if rng.random_bool(0.5) {
            for _ in 0..rng.random_range(0..10) {
                random_move(rng, &mut table);
            }
        }
        return table;
    }
    loop {
        let table = random_endgame(rng, most_cards);
        if table.pending().is_some() {
            continue;
        }
        let mut rules = table.rules().to_builder();
        rules = rules.runs(Runs::Partial).spaces(Spaces::Kings);
        let rules = Arc::new(rules.redeals(Redeals::Unlimited).build().unwrap());
        let mut parts = table.to_parts();
        parts.redeals_used = 0;
        if let Ok(table) = Table::from_parts(rules, parts)
            && Game::new(&table)
                .is_ok_and(|game| Graph::new(&game, Count::Cards).read(&table).is_some())
        {
            return table;
        }
    }
}

/// Compares the search with brute force on `count` positions; numbers of winnable ones and others.
fn compare(seed: u64, count: usize, most_cards: usize, most_states: usize) -> (usize, usize) {
    let mut rng = rng(seed);
    let (mut winnable, mut unwinnable) = (0, 0);
    while winnable + unwinnable < count {
        let table = position(&mut rng, most_cards);
        let game = Game::new(&table).unwrap();
        let mut found = false;
        for counting in Count::ALL {
            let Ok(least) = brute::least_cost(&table, most_states, |made| counting.of_move(made))
            else {
                break;
            };
            let root = Graph::new(&game, counting).read(&table).unwrap();
            let mut budget = Budget::new(Limits::default());
            let ended = Search::new(&game, counting, &mut |_| {}).run(&root, None, &mut budget);
            let told = format!("{counting:?} {}\n{}", table.rules(), write_position(&table));
            match ended {
                Ended::Shortest(moves, cost) => {
                    assert_eq!(Some(cost), least, "{told}");
                    let moves = line::realize(&table, &moves).unwrap();
                    assert!(replay(&table, &moves).is_won());
                    let length = counting.length(&table, &moves);
                    assert_eq!(length, cost + counting.of_flips(&table), "{told}{moves:?}");
                    found = true;
                }
                Ended::NoneBelow => assert_eq!(least, None, "{told}"),
                Ended::Stopped(..) => panic!("stopped without limits"),
            }
            if counting == Count::Redeals {
                winnable += usize::from(found);
                unwinnable += usize::from(!found);
            }
        }
    }
    (winnable, unwinnable)
}

#[test]
fn shortest_lengths_agree_with_brute_force_for_every_way_of_counting() {
    let (winnable, unwinnable) = compare(1, 5_000, 12, 5_000);
    assert!(
        winnable > 2_000 && unwinnable > 1_000,
        "{winnable} {unwinnable}"
    );
}
