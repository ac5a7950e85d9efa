//! The fixed deals: draw 1 to 4, from easy to hard, with the verdict and the states it takes.

#![allow(dead_code, unreachable_pub)] // every bench and test uses its own part

use std::sync::Arc;

use klondike::deal::seed::{Scheme, Seed};
use klondike::prove::{self, Decision};
use klondike::prune::Lemmas;
use klondike::rules::Rules;
use klondike::search::Limits;
use klondike::table::Table;

/// A row of `deals.csv`.
pub struct Fixed {
    pub draw_count: u8,
    pub seed: u64,
    pub verdict: &'static str,
    pub states: u64,
    pub oracle_states: u64,
    pub table: Table,
}

pub const HEAD: &str = "draw,seed,verdict,states,oracle_states";

/// All fixed deals.
pub fn deals() -> Vec<Fixed> {
    let mut lines = include_str!("deals.csv").lines();
    assert_eq!(lines.next(), Some(HEAD));
    lines
        .map(|line| {
            let [draw, seed, verdict, states, oracle_states] =
                line.split(',').collect::<Vec<_>>()[..]
            else {
                panic!("five columns, not {line}");
            };
            let number = |text: &str| text.parse::<u64>().expect("a number");
            let draw_count = draw.parse().expect("a draw count");
            let rules = Arc::new(Rules::standard_draw(draw_count).expect("a legal draw count"));
            let deal = Scheme::Klondike
                .deal(&Seed::from(number(seed)))
                .expect("a seed of the scheme");
            Fixed {
                draw_count,
                seed: number(seed),
                verdict,
                states: number(states),
                oracle_states: number(oracle_states),
                table: Table::new(Arc::clone(&rules), &deal).expect("a deal of these rules"),
            }
        })
        .collect()
}

impl Fixed {
    pub fn all_states(&self) -> u64 {
        self.states + self.oracle_states
    }

    pub fn decide(&self) -> Decision {
        prove::decide(&self.table, Lemmas::ALL, &Limits::default()).expect("an accepted solution")
    }

    /// The row that `decision` makes of this deal.
    pub fn row(&self, decision: &Decision) -> String {
        format!(
            "{},{},{},{},{}",
            self.draw_count,
            self.seed,
            decision.verdict.name(),
            decision.stats.states,
            decision.stats.oracle_states
        )
    }

    /// The row as it is recorded.
    pub fn recorded(&self) -> String {
        format!(
            "{},{},{},{},{}",
            self.draw_count, self.seed, self.verdict, self.states, self.oracle_states
        )
    }

    /// Panics if `decision` is not what is recorded.
    pub fn check(&self, decision: &Decision) {
        assert_eq!(
            (
                decision.verdict.name(),
                decision.stats.states,
                decision.stats.oracle_states
            ),
            (self.verdict, self.states, self.oracle_states),
            "draw {}, klondike:{} (`cargo test --release --test state_counts` tells more)",
            self.draw_count,
            self.seed
        );
    }
}
