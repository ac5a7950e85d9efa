//! Each lemma left out: positions in mid-game of the whole deck, under every kind of rules, have
//! the same verdict with all lemmas, with one left out, and with none.
//!
//! Brute force cannot decide such positions, so a lemma is judged by the searches without it. Each
//! position has a number, which alone decides what it is. The long run: `scripts/deep.sh`.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::common::{number_from_env, random_position, rng};
use klondike_engine::prove::{Decision, Verdict, decide};
use klondike_engine::search::Limits;
use klondike_game::rules::{Redeals, Rules, Runs, Spaces};
use klondike_game::table::Table;
use klondike_game::table::position::write_position;
use klondike_lemmas::prune::{Lemma, Lemmas};
use rand::RngExt;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;

/// Rules of every kind; those that are searched on K+ states with nothing added come most often.
fn any_rules(rng: &mut StdRng) -> Rules {
    let runs = [
        Runs::Partial,
        Runs::Partial,
        Runs::Partial,
        Runs::Whole,
        Runs::PartialIfPlayed,
    ];
    let spaces = [Spaces::Kings, Spaces::Kings, Spaces::Nothing, Spaces::Any];
    let draws = [1, 1, 2, 3, 3, 3, 4, 5, 6, 7, 8];
    let redeals = match rng.random_range(0..8) {
        0..5 => Redeals::Unlimited,
        5..7 => Redeals::Limited(rng.random_range(0..=5)),
        _ => Redeals::LastPassByOnes,
    };
    Rules::builder()
        .runs(*runs.choose(rng).unwrap())
        .spaces(*spaces.choose(rng).unwrap())
        .redeals(redeals)
        .worrying_back(rng.random_bool(0.7))
        .draw_count(*draws.choose(rng).unwrap())
        .build()
        .unwrap()
}

/// What the comparisons of one lemma, or of all of them, were worth.
#[derive(Debug, Default)]
struct Tally {
    /// Positions that both searches decided.
    compared: usize,
    winnable: usize,
    /// Of those, positions on which leaving the lemma out changed how many states were visited.
    changed: usize,
}

/// Whether a position can be won, if so many states decide it, and the states visited.
fn decided(table: &Table, lemmas: Lemmas, max_states: u64) -> (Option<bool>, u64) {
    let limits = Limits {
        max_states: Some(max_states),
        ..Limits::default()
    };
    let Decision { verdict, stats, .. } = decide(table, lemmas, &limits).unwrap();
    let winnable = match verdict {
        Verdict::Winnable(_) => Some(true),
        Verdict::Unwinnable(_) => Some(false),
        Verdict::Undecided(_) => None,
    };
    (winnable, stats.states + stats.oracle_states)
}

/// Compares the verdicts of these positions with each lemma left out, and with none, or with one
/// lemma left out alone; a search may visit so many states.
fn check(numbers: Range<u64>, max_states: u64, alone: Option<&str>) -> BTreeMap<String, Tally> {
    let one = Lemma::ALL.map(|lemma| (lemma.to_string(), Lemmas::ALL.without(lemma)));
    let left_out: Vec<_> = one
        .into_iter()
        .chain([("all".into(), Lemmas::NONE)])
        .filter(|(name, _)| alone.is_none_or(|alone| alone == name))
        .collect();
    let mut tallies = BTreeMap::<String, Tally>::new();
    for number in numbers {
        let mut rng = rng(number);
        let rules = any_rules(&mut rng).into();
        let table = random_position(&mut rng, &rules, 60);
        let (with, states) = decided(&table, Lemmas::ALL, max_states);
        for (name, lemmas) in &left_out {
            let (without, other_states) = decided(&table, *lemmas, max_states);
            let (Some(with), Some(without)) = (with, without) else {
                continue;
            };
            assert_eq!(
                with,
                without,
                "position {number}, left out: {name}\n{}\n{rules:?}",
                write_position(&table)
            );
            let tally = tallies.entry(name.clone()).or_default();
            tally.compared += 1;
            tally.winnable += usize::from(with);
            tally.changed += usize::from(states != other_states);
        }
    }
    tallies
}

#[test]
fn no_lemma_changes_a_verdict() {
    let tallies = check(1..1_001, 5_000, None);
    for (name, tally) in &tallies {
        assert!(tally.winnable > 200, "{name}: {tally:?}");
        assert!(tally.compared > tally.winnable + 200, "{name}: {tally:?}");
    }
    // Four lemmas matter so seldom that only the long run meets them.
    let matter = tallies.values().filter(|tally| tally.changed > 0).count();
    assert!(matter >= 12, "{tallies:#?}");
}

/// `scripts/deep.sh` sets the numbers of the positions. With `KLONDIKE_LEMMA` only this one is left
/// out.
#[test]
#[ignore = "an hour: scripts/deep.sh"]
fn no_lemma_changes_a_verdict_of_many_positions() {
    let first = number_from_env("KLONDIKE_FIRST", 1);
    let end = first + number_from_env("KLONDIKE_COUNT", 200_000);
    let lemma = std::env::var("KLONDIKE_LEMMA").ok();
    let tallies = check(first..end, 20_000, lemma.as_deref());
    assert!(!tallies.is_empty(), "no lemma {lemma:?}");
    println!("positions {first} to {}: {tallies:#?}", end - 1);
}
