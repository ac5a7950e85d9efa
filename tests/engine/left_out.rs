//! Each lemma left out: positions in mid-game of the whole deck, under every kind of rules, have
//! the same verdict with all lemmas, with one left out, and with none.
//!
//! Brute force cannot decide such positions, so a lemma is judged by the searches without it. Each
//! position has a number, which alone decides what it is. The long run: `scripts/deep.sh`.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::common::{random_position, rng};
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

/// The searches of a position, at most so many states each.
struct Searches {
    table: Table,
    number: u64,
    limits: Limits,
}

impl Searches {
    fn decide(&self, lemmas: Lemmas) -> Decision {
        decide(&self.table, lemmas, &self.limits).unwrap()
    }

    /// Compares what both searches decided.
    fn compare(&self, name: &str, all: &Decision, other: &Decision, tally: &mut Tally) {
        let winnable = |decision: &Decision| match decision.verdict {
            Verdict::Winnable(_) => Some(true),
            Verdict::Unwinnable(_) => Some(false),
            Verdict::Undecided(_) => None,
        };
        let (Some(with), Some(without)) = (winnable(all), winnable(other)) else {
            return;
        };
        assert_eq!(
            with,
            without,
            "position {}, left out: {name}\n{}\n{:?}",
            self.number,
            write_position(&self.table),
            self.table.rules()
        );
        let states = |decision: &Decision| decision.stats.states + decision.stats.oracle_states;
        tally.compared += 1;
        tally.winnable += usize::from(with);
        tally.changed += usize::from(states(all) != states(other));
    }
}

/// Compares the verdicts of these positions; a search may visit so many states.
fn check(numbers: Range<u64>, max_states: u64, tallies: &mut BTreeMap<String, Tally>) {
    for number in numbers {
        let mut rng = rng(number);
        let rules = any_rules(&mut rng).into();
        let searches = Searches {
            table: random_position(&mut rng, &rules, 60),
            number,
            limits: Limits {
                max_states: Some(max_states),
                ..Limits::default()
            },
        };
        let all = searches.decide(Lemmas::ALL);
        let left_out = Lemma::ALL.map(|lemma| (lemma.to_string(), Lemmas::ALL.without(lemma)));
        for (name, lemmas) in left_out.into_iter().chain([("all".into(), Lemmas::NONE)]) {
            let other = searches.decide(lemmas);
            let tally = tallies.entry(name.clone()).or_default();
            searches.compare(&name, &all, &other, tally);
        }
    }
}

#[test]
fn no_lemma_changes_a_verdict() {
    let mut tallies = BTreeMap::new();
    check(1..201, 2_000, &mut tallies);
    for (name, tally) in &tallies {
        assert!(tally.winnable > 20, "{name}: {tally:?}");
        assert!(tally.compared > tally.winnable + 20, "{name}: {tally:?}");
    }
}

/// `scripts/deep.sh` sets the numbers of the positions.
#[test]
#[ignore = "hours: scripts/deep.sh"]
fn no_lemma_changes_a_verdict_of_many_positions() {
    let number = |name: &str, default: u64| {
        std::env::var(name).map_or(default, |text| text.parse().unwrap())
    };
    let first = number("KLONDIKE_FIRST", 1);
    let end = first + number("KLONDIKE_COUNT", 200_000);
    let mut tallies = BTreeMap::new();
    check(first..end, 20_000, &mut tallies);
    println!("positions {first} to {}: {tallies:#?}", end - 1);
}
