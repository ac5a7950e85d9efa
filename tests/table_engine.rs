//! The engine on table states against the brute force, on random positions of tiny decks.

mod common;

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use common::{random_deal, random_endgame, random_position, random_rules, replay, rng};
use klondike::rules::{Deck, Layout, Redeals, Rules, Runs, Spaces};
use klondike::search::table::{Options, solve};
use klondike::search::{Limit, Limits, Outcome, brute};
use klondike::table::Table;
use klondike::table::position::write_position;
use rand::RngExt;

/// Each pruning alone, all, and none.
fn option_sets() -> [Options; 6] {
    let none = Options::NONE;
    [
        Options::default(),
        none,
        Options {
            safe_from_piles: true,
            ..none
        },
        Options {
            safe_from_talon: true,
            ..none
        },
        Options {
            skip_useless: true,
            ..none
        },
        Options {
            fewer_redeals: true,
            ..none
        },
    ]
}

fn describe(table: &Table, options: &Options) -> String {
    format!(
        "{}\n{}{options:?}",
        table.rules(),
        write_position(table)
    )
}

/// Compares engine and brute force; tells whether the position is winnable, or nothing if the
/// brute force was too slow.
fn compare(table: &Table, sets: &[Options], most_states: u64) -> Option<bool> {
    let limits = Limits {
        max_states: Some(most_states),
        ..Limits::default()
    };
    let winnable = match brute::solve_within(table, &limits).0 {
        Outcome::Found(moves) => {
            assert!(replay(table, &moves).is_won());
            true
        }
        Outcome::Exhausted => false,
        Outcome::Stopped(_) => return None,
    };
    for options in sets {
        match solve(table, options, &Limits::default()).0 {
            Outcome::Found(moves) => {
                assert!(winnable, "found a win: {}", describe(table, options));
                assert!(replay(table, &moves).is_won());
            }
            Outcome::Exhausted => {
                assert!(!winnable, "missed a win: {}", describe(table, options));
            }
            Outcome::Stopped(limit) => panic!("stopped by {limit} without a limit"),
        }
    }
    Some(winnable)
}

/// How many positions were compared.
#[derive(Debug, Default)]
struct Tally {
    winnable: usize,
    unwinnable: usize,
    /// Too large for the brute force.
    skipped: usize,
}

/// Compares on `count` random positions: deals and positions after some moves of decks of at most
/// `most_cards` cards, and endgames with at most `most_left` cards left.
fn compare_many(
    seed: u64,
    count: usize,
    most_cards: usize,
    most_left: usize,
    most_states: u64,
) -> Tally {
    let mut rng = rng(seed);
    let sets = option_sets();
    let mut tally = Tally::default();
    for i in 0..count {
        let table = if i % 2 == 0 {
            random_endgame(&mut rng, most_left)
        } else {
            let rules = random_rules(&mut rng, most_cards);
            let moves = rng.random_range(0..12);
            random_position(&mut rng, &rules, moves)
        };
        let one = sets[2 + i / 2 % 4];
        match compare(&table, &[sets[0], sets[1], one], most_states) {
            Some(true) => tally.winnable += 1,
            Some(false) => tally.unwinnable += 1,
            None => tally.skipped += 1,
        }
    }
    println!("{tally:?}");
    tally
}

#[test]
fn the_engine_agrees_with_the_brute_force_on_every_variant() {
    let tally = compare_many(1, 30_000, 14, 14, 10_000);
    assert!(tally.winnable > 5_000 && tally.unwinnable > 5_000);
    assert!(tally.winnable + tally.unwinnable >= 25_000);
}

/// The same on larger decks: `cargo test --release -- --ignored`.
#[test]
#[ignore = "takes about ten minutes"]
fn the_engine_agrees_with_the_brute_force_on_larger_decks() {
    let tally = compare_many(2, 200_000, 20, 18, 60_000);
    assert!(tally.winnable > 40_000 && tally.unwinnable > 40_000);
}
