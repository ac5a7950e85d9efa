//! What the programs that fit numbers to games share: the rules, the deals, and the logistic
//! regression.
#![allow(dead_code, unreachable_pub)] // every program uses its own part
#![allow(clippy::unwrap_used)] // wrong numbers must stop the program

use std::sync::Arc;

use klondike_game::deal::seed::{DealId, Scheme, Seed};
use klondike_game::rules::Rules;
use klondike_game::table::Table;

/// The standard rules with this draw count.
pub fn rules(draw: &str) -> Arc<Rules> {
    let rules = Rules::named("standard").unwrap().to_builder();
    Arc::new(rules.draw_count(draw.parse().unwrap()).build().unwrap())
}

/// Named rules such as `vegas3`, or what differs from the standard ones, as in exports:
/// `draw=1 redeals=2`.
pub fn rules_of(text: &str) -> Arc<Rules> {
    Arc::new(Rules::named(text).unwrap_or_else(|_| Rules::with_changes(text).unwrap()))
}

/// A deal of the scheme `klondike`, before its first move.
pub fn table(rules: &Arc<Rules>, seed: u64) -> Table {
    let id = DealId::new(Scheme::Klondike, Seed::from(seed)).unwrap();
    let deal = id.deal(rules.deck(), rules.layout()).unwrap();
    Table::new(Arc::clone(rules), &deal).unwrap()
}

/// The chance with these log-odds.
pub fn logistic(odds: f64) -> f64 {
    1.0 / (1.0 + (-odds).exp())
}

/// Log-odds base + slope · x by maximum likelihood (Newton's method), from pairs of x and whether
/// the game was won.
pub fn fit(points: &[(f64, bool)]) -> [f64; 2] {
    let [mut base, mut slope] = [0.0; 2];
    for _ in 0..50 {
        let (mut g0, mut g1, mut h00, mut h01, mut h11) = (0.0, 0.0, 1e-9, 0.0, 1e-9);
        for &(x, won) in points {
            let chance = logistic(base + slope * x);
            let error = f64::from(u8::from(won)) - chance;
            let weight = chance * (1.0 - chance);
            g0 += error;
            g1 += error * x;
            h00 += weight;
            h01 += weight * x;
            h11 += weight * x * x;
        }
        let det = h00 * h11 - h01 * h01;
        base += (h11 * g0 - h01 * g1) / det;
        slope += (h00 * g1 - h01 * g0) / det;
    }
    [base, slope]
}
