//! The fixed suite, `benches/suite.toml`: 300 deals of draw 1 to 4, from easy to very hard, with
//! the verdict and the states it takes.

#![allow(dead_code, unreachable_pub)] // every bench and test uses its own part

use std::fmt::Write;
use std::sync::Arc;

use klondike_engine::prove::{self, Decision};
use klondike_engine::search::{Limits, Stats};
use klondike_game::deal::seed::DealId;
use klondike_game::rules::Rules;
use klondike_game::table::Table;
use klondike_lemmas::prune::Lemmas;
use serde::Deserialize;

/// Where the suite stands.
pub const PATH: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/suite.toml");

/// The draw counts of the suite.
pub const DRAW_COUNTS: [u8; 4] = [1, 2, 3, 4];

/// A deal of the suite.
pub struct Fixed {
    pub draw_count: u8,
    pub id: DealId,
    /// Whether it was selected for being hard.
    pub selected: bool,
    pub verdict: String,
    pub states: u64,
    pub oracle_states: u64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    draw: Vec<Draw>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Draw {
    count: u8,
    as_they_come: Vec<Row>,
    hard: Vec<Row>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    deal: String,
    verdict: String,
    states: u64,
    oracle: u64,
}

/// All deals of the suite, in the order of the file.
pub fn deals() -> Vec<Fixed> {
    let text = std::fs::read_to_string(PATH).expect("benches/suite.toml can be read");
    let file: File = toml::from_str(&text).expect("benches/suite.toml holds deals");
    let mut deals = Vec::new();
    for draw in file.draw {
        for (rows, selected) in [(draw.as_they_come, false), (draw.hard, true)] {
            deals.extend(rows.into_iter().map(|row| Fixed {
                draw_count: draw.count,
                id: row.deal.parse().expect("a deal of a known scheme"),
                selected,
                verdict: row.verdict,
                states: row.states,
                oracle_states: row.oracle,
            }));
        }
    }
    deals
}

/// The text of `suite.toml` with these deals.
pub fn text(deals: &[Fixed]) -> String {
    let mut text = HEAD.to_owned();
    for draw_count in DRAW_COUNTS {
        write!(text, "\n[[draw]]\ncount = {draw_count}\n").expect("text grows");
        for (list, selected) in [("as-they-come", false), ("hard", true)] {
            writeln!(text, "{list} = [").expect("text grows");
            for deal in deals {
                if deal.draw_count == draw_count && deal.selected == selected {
                    writeln!(
                        text,
                        "{}",
                        deal.row(&deal.verdict, deal.states, deal.oracle_states)
                    )
                    .expect("text grows");
                }
            }
            text.push_str("]\n");
        }
    }
    text
}

/// Decides with all lemmas and no limits.
pub fn decide(table: &Table) -> Decision {
    prove::decide(table, Lemmas::ALL, &Limits::default()).expect("an accepted solution")
}

const HEAD: &str = "\
# The fixed suite: deals of draw 1 to 4 under the standard rules, their verdicts, and the states
# that the search with all lemmas stores for them (`states`: the main search; `oracle`: the draw-1
# oracle).
#
# `as-they-come`: seeds of many schemes that nobody looked at before. `hard`: of some ten thousand
# deals of schemes and seeds that nothing was tuned on, deals that took many states when the suite
# was made, the last ones of each list the most. So a change that moves luck about makes the hard
# ones look easier, never the others.
#
# Verdicts never change. `cargo bench --bench suite -- record` writes the states found now; a commit
# that does so says by how much the sums fell or rose.
";

impl Fixed {
    pub fn all_states(&self) -> u64 {
        self.states + self.oracle_states
    }

    /// The name of the deal with its draw count.
    pub fn name(&self) -> String {
        format!("draw {}, {}", self.draw_count, self.id)
    }

    pub fn table(&self) -> Table {
        let rules = Rules::standard_draw(self.draw_count).expect("a legal draw count");
        let deal = self.id.deal(rules.deck(), rules.layout());
        Table::new(Arc::new(rules), &deal.expect("a deal of 52 cards"))
            .expect("a deal of these rules")
    }

    pub fn decide(&self) -> Decision {
        decide(&self.table())
    }

    /// The line of this deal in the file.
    pub fn row(&self, verdict: &str, states: u64, oracle_states: u64) -> String {
        format!(
            "  {{ deal = \"{}\", verdict = \"{verdict}\", states = {states}, \
             oracle = {oracle_states} }},",
            self.id,
        )
    }

    /// Panics if what was found is not what is recorded.
    pub fn check(&self, verdict: &str, stats: &Stats) {
        assert_eq!(
            (verdict, stats.states, stats.oracle_states),
            (self.verdict.as_str(), self.states, self.oracle_states),
            "{} (`cargo test --release --test engine state_counts::` tells more)",
            self.name()
        );
    }
}
