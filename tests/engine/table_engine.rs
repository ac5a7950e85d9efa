//! The engine on table states against the brute force, on random positions of tiny decks.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use crate::common::{
    random_deal, random_endgame, random_move, random_position, random_rules, replay, rng, share,
};
use klondike_engine::search::clock::Deadline;
use klondike_engine::search::table::solve;
use klondike_engine::search::{Limit, Limits, Outcome, Stats, brute};
use klondike_game::rules::{Deck, Layout, Redeals, Rules, Runs, Spaces};
use klondike_game::table::Table;
use klondike_game::table::position::write_position;
use klondike_lemmas::prune::{Lemma, Lemmas};
use rand::RngExt;

/// All lemmas, none, and alone each one that the search asks.
const SETS: [Lemmas; 7] = [
    Lemmas::ALL,
    Lemmas::NONE,
    Lemmas::NONE.with(Lemma::SafeFoundation),
    Lemmas::NONE.with(Lemma::SafeStays),
    Lemmas::NONE.with(Lemma::FewerRedeals),
    Lemmas::NONE.with(Lemma::Relaxation),
    Lemmas::NONE.with(Lemma::WeakerRules),
];

fn describe(table: &Table, lemmas: Lemmas) -> String {
    let lemmas: Vec<Lemma> = lemmas.iter().collect();
    format!("{}\n{}{lemmas:?}", table.rules(), write_position(table))
}

/// Compares engine and brute force; tells whether the position is winnable, or nothing if the
/// brute force was too slow.
fn compare(table: &Table, sets: &[Lemmas], most_states: u64) -> Option<bool> {
    let limits = Limits {
        max_states: Some(most_states),
        ..Limits::default()
    };
    let winnable = match brute::solve_within(table, &limits).0 {
        Outcome::Found(moves) => {
            assert!(replay(table, &moves).is_won());
            true
        }
        Outcome::Exhausted(_) => false,
        Outcome::Stopped(_) => return None,
    };
    for &lemmas in sets {
        match solve(table, lemmas, &Limits::default()).0 {
            Outcome::Found(moves) => {
                assert!(winnable, "found a win: {}", describe(table, lemmas));
                assert!(replay(table, &moves).is_won());
            }
            Outcome::Exhausted(_) => {
                assert!(!winnable, "missed a win: {}", describe(table, lemmas));
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
    let mut tally = Tally::default();
    for i in 0..count {
        let table = if i % 2 == 0 {
            random_endgame(&mut rng, most_left)
        } else {
            let rules = random_rules(&mut rng, most_cards);
            let moves = rng.random_range(0..12);
            random_position(&mut rng, &rules, moves)
        };
        let one = SETS[2 + i / 2 % 5];
        match compare(&table, &[Lemmas::ALL, Lemmas::NONE, one], most_states) {
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
    let tally = compare_many(1, share(30_000), 13, 13, 3_000);
    assert!(tally.winnable > share(5_000) && tally.unwinnable > share(5_000));
    assert!(tally.winnable + tally.unwinnable >= share(25_000));
}

/// The same on larger decks: `cargo test --release -- --ignored`.
#[test]
#[ignore = "takes many minutes"]
fn the_engine_agrees_with_the_brute_force_on_larger_decks() {
    let tally = compare_many(2, 60_000, 20, 18, 40_000);
    assert!(tally.winnable > 10_000 && tally.unwinnable > 10_000);
}

/// A deal with all 52 cards, under rules that make it a long search.
fn large() -> Table {
    let rules = Rules::named("yan").unwrap();
    random_deal(&mut rng(5), &Arc::new(rules))
}

fn states(max: u64) -> Limits {
    Limits {
        max_states: Some(max),
        ..Limits::default()
    }
}

#[test]
fn the_limit_on_states_is_exact_and_the_search_is_deterministic() {
    let mut rng = rng(6);
    let (mut found, mut exhausted) = (0, 0);
    for _ in 0..200 {
        let rules = random_rules(&mut rng, 16);
        let table = random_deal(&mut rng, &rules);
        for lemmas in SETS {
            let all = solve(&table, lemmas, &Limits::default());
            assert_eq!(solve(&table, lemmas, &Limits::default()), all);
            let (outcome, stats) = &all;
            match outcome {
                Outcome::Found(_) => found += 1,
                _ => exhausted += 1,
            }
            let counted = |stats: &Stats| stats.states + stats.oracle_states;
            assert_eq!(solve(&table, lemmas, &states(counted(stats))), all);
            let (less, fewer) = solve(&table, lemmas, &states(counted(stats) - 1));
            // A question under relaxed rules that may not search so long searches less in vain.
            if !lemmas.has(Lemma::WeakerRules) || less != *outcome {
                assert_eq!(less, Outcome::Stopped(Limit::States));
            }
            if !lemmas.has(Lemma::WeakerRules) {
                assert_eq!(counted(&fewer), counted(stats) - 1);
            }
            assert!(counted(&fewer) < counted(stats));
        }
    }
    assert!(found > 100 && exhausted > 100, "{found} {exhausted}");
}

#[test]
fn the_limit_on_memory_is_kept_and_used() {
    let table = large();
    for limit in [0, 1_000, 100_000, 1_000_000, 3_000_000] {
        let limits = Limits {
            memory_bytes: Some(limit),
            ..states(1_000_000)
        };
        let (outcome, stats) = solve(&table, Lemmas::ALL, &limits);
        assert_eq!(outcome, Outcome::Stopped(Limit::Memory));
        assert!(stats.memory_bytes <= limit);
        // A state takes 32 bytes and 6 to 12 in the index; the line takes some too.
        assert!(limit < 1_000_000 || stats.states > limit / 80, "{stats:?}");
    }
}

#[test]
fn clock_and_stop_flag_are_heeded_at_once() {
    let late = Limits {
        deadline: Some(Deadline::after(Duration::ZERO)),
        ..Limits::default()
    };
    let stopped = Limits {
        stop: Some(Arc::new(AtomicBool::new(true))),
        ..Limits::default()
    };
    for (limits, limit) in [(late, Limit::Time), (stopped, Limit::Interrupt)] {
        let (outcome, stats) = solve(&large(), Lemmas::ALL, &limits);
        assert_eq!(outcome, Outcome::Stopped(limit));
        assert_eq!(stats.states, 0);
    }
}

#[test]
fn a_start_in_the_middle_of_a_double_move_is_finished_first() {
    let mut rng = rng(7);
    let mut pending = 0;
    while pending < 100 {
        let mut table = random_endgame(&mut rng, 12);
        if table.rules().runs() != Runs::PartialIfPlayed {
            continue;
        }
        for _ in 0..30 {
            if table.pending().is_some() && compare(&table, &SETS, 20_000).is_some() {
                pending += 1;
            }
            if random_move(&mut rng, &mut table).is_none() {
                break;
            }
        }
    }
}

#[test]
fn redeals_that_cannot_run_out_are_as_good_as_unlimited_ones() {
    let mut rng = rng(8);
    let deck = Deck::new(2, 5).unwrap();
    let builder = Rules::builder()
        .deck(deck)
        .layout(Layout::triangle(2).unwrap())
        .spaces(Spaces::Nothing);
    let rules = |redeals| Arc::new(builder.clone().redeals(redeals).build().unwrap());
    let (unlimited, seven) = (rules(Redeals::Unlimited), rules(Redeals::Limited(7)));
    for _ in 0..200 {
        let table = random_deal(&mut rng, &unlimited);
        let same = Table::from_parts(Arc::clone(&seven), table.to_parts()).unwrap();
        let first = solve(&table, Lemmas::ALL, &Limits::default());
        let second = solve(&same, Lemmas::ALL, &Limits::default());
        assert_eq!((first.0, first.1.states), (second.0, second.1.states));
    }
}
