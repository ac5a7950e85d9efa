//! The fixed suite, `benches/suite.toml`: a change that costs states, or loses a verdict, shows
//! here. The counts depend on nothing but the program.
//!
//! A change that is meant to alter the counts writes the new ones with `cargo bench --bench suite
//! -- record`, and its commit says by how much the sums fell or rose.
//!
//! The long run, over the hardest deals too: `cargo test --release --test engine state_counts:: --
//! --ignored`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use fixed::{DRAW_COUNTS, Fixed};
use klondike_engine::prove::{Solution, Verdict};
use klondike_game::deal::seed::Scheme;

#[path = "../../benches/fixed/mod.rs"]
mod fixed;

/// Deals with more states are left to the long run.
const MOST: u64 = if cfg!(debug_assertions) {
    20_000
} else {
    400_000
};

/// Decides the deals that `chosen` accepts and compares with what is recorded.
fn compare(chosen: impl Fn(&Fixed) -> bool) {
    let (mut differences, mut before, mut now) = (String::new(), 0, 0);
    for deal in fixed::deals().iter().filter(|deal| chosen(deal)) {
        let table = deal.table();
        let decision = fixed::decide(&table);
        let (verdict, stats) = (decision.verdict.name(), decision.stats);
        assert_eq!(verdict, deal.verdict, "{}", deal.name());
        if let Verdict::Winnable(solution) = &decision.verdict {
            Solution::replay(&table, solution.moves().to_vec()).unwrap();
        }
        before += deal.all_states();
        now += stats.states + stats.oracle_states;
        if (stats.states, stats.oracle_states) != (deal.states, deal.oracle_states) {
            writeln!(
                differences,
                "{}: {} + {} states, were {} + {}",
                deal.name(),
                stats.states,
                stats.oracle_states,
                deal.states,
                deal.oracle_states,
            )
            .unwrap();
        }
    }
    assert!(
        differences.is_empty(),
        "{before} states in all before, {now} now. If that is meant: `cargo bench --bench suite -- \
         record`.\n{differences}"
    );
}

#[test]
fn the_suite_takes_the_recorded_states() {
    compare(|deal| deal.all_states() <= MOST);
}

#[test]
#[ignore = "half a minute or more"]
fn the_hardest_deals_of_the_suite_take_the_recorded_states() {
    compare(|deal| deal.all_states() > MOST);
}

#[test]
fn the_suite_is_what_it_says() {
    let deals = fixed::deals();
    assert_eq!(deals.len(), 300);
    for draw_count in DRAW_COUNTS {
        let of_draw = || deals.iter().filter(|deal| deal.draw_count == draw_count);
        let names: BTreeSet<String> = of_draw().map(|deal| deal.id.to_string()).collect();
        assert_eq!(names.len(), 75, "draw {draw_count}");
        assert_eq!(of_draw().filter(|deal| deal.selected).count(), 35);
        for verdict in ["winnable", "unwinnable"] {
            let count = of_draw()
                .filter(|deal| deal.selected && deal.verdict == verdict)
                .count();
            assert!(
                count >= 12,
                "draw {draw_count}: {count} hard {verdict} deals"
            );
        }
    }
    assert_eq!(
        std::fs::read_to_string(fixed::PATH).unwrap(),
        fixed::text(&deals),
        "not as `cargo bench --bench suite -- record` writes it"
    );
}

/// The verdicts of another solver.
#[test]
fn the_suite_agrees_with_what_is_known() {
    let known: BTreeMap<(u8, u64), &str> = include_str!("../../datasets/truth/solvitaire.csv")
        .lines()
        .skip(1)
        .map(|line| {
            let fields: Vec<&str> = line.split(',').collect();
            let deal = (fields[0].parse().unwrap(), fields[1].parse().unwrap());
            (deal, fields[2])
        })
        .collect();
    let mut compared = 0;
    for deal in fixed::deals() {
        let seed = deal.id.seed().to_u64().unwrap();
        if deal.id.scheme() == Scheme::Solvitaire
            && let Some(verdict) = known.get(&(deal.draw_count, seed))
        {
            assert_eq!(deal.verdict, *verdict, "{}", deal.name());
            compared += 1;
        }
    }
    assert!(compared >= 20, "{compared}");
}
