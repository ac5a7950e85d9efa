//! Fits the prior of the tree player: the chance that a move is the best one, judged from the cards
//! that lie open.
//!
//! `cargo run --release -p klondike-papers --example move_prior -- DRAW FIRST GAMES ITERATIONS`
//! lets `tree:select=ucb` with so many iterations play GAMES deals of the scheme `klondike` from
//! number FIRST on. Every decision between several moves is one point: what the prior sees of each,
//! and which was tried most. Printed are the weights of the conditional logit model, by maximum
//! likelihood over four fifths of the games with a weak ridge penalty, and how well they predict
//! the choices in the last fifth. No figure that the documentation reports may use these deals.
#![allow(clippy::unwrap_used)] // a tool for the people who work on this program

mod common;

use klondike_play::prior::{FEATURES, Features, NAMES};
use klondike_play::tree::{self, Parameters, Selection};
use klondike_play::{Information, Player as _, Session};

/// A decision: what is seen of each move, and the share of the choice that it has.
type Decision = Vec<(Features, f64)>;
type Vector = [f64; FEATURES];

/// The penalty is half of this times the square of each weight.
const RIDGE: f64 = 1.0;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [draw, first, games, iterations] = &words[..] else {
        eprintln!("usage: move_prior DRAW FIRST GAMES ITERATIONS");
        std::process::exit(2);
    };
    let (first, games): (u64, u64) = (first.parse().unwrap(), games.parse().unwrap());
    let rules = common::rules(draw);
    let mut parameters = Parameters::default();
    parameters.selection = Selection::Ucb1;
    parameters.iterations = iterations.parse().unwrap();
    let mut player = tree::player(parameters);
    let mut decisions: [Vec<Decision>; 2] = Default::default();
    for seed in first..first + games {
        let table = common::table(&rules, seed);
        let mut session = Session::new(&table, Information::TalonKnown);
        player.new_game(seed);
        let mut made = player.counters().decisions;
        let part = usize::from(5 * (seed - first) >= 4 * games);
        while let Some(next) = player.choose(session.view()) {
            if player.counters().decisions != made {
                made = player.counters().decisions;
                decisions[part].push(decision(player.tried()));
            }
            session.make(next).unwrap();
        }
    }
    let [known, new] = &decisions;
    let weights = fit(known);
    for (name, weight) in NAMES.iter().zip(weights) {
        println!("    {weight:.2}, // {name}");
    }
    for (name, decisions) in [("fitted", known), ("others", new)] {
        let (guessed, loss, uniform) = quality(decisions, &weights);
        println!(
            "{name}: {} decisions, {:.1} % of the choices guessed, log loss {loss:.3}, \
             uniform {uniform:.3}",
            decisions.len(),
            100.0 * guessed
        );
    }
}

/// The moves tried most share the choice.
fn decision(tried: &[(Features, u32)]) -> Decision {
    let most = tried.iter().map(|&(_, visits)| visits).max().unwrap();
    let best = tried.iter().filter(|&&(_, visits)| visits == most).count();
    tried
        .iter()
        .map(|&(x, visits)| (x, f64::from(u8::from(visits == most)) / best as f64))
        .collect()
}

/// The chance of each move.
fn chances(decision: &Decision, weights: &Vector) -> Vec<f64> {
    let odds = |x: &Features| -> f64 {
        let log: f64 = x.iter().zip(weights).map(|(&x, w)| f64::from(x) * w).sum();
        log.exp()
    };
    let odds: Vec<f64> = decision.iter().map(|(x, _)| odds(x)).collect();
    let sum: f64 = odds.iter().sum();
    odds.into_iter().map(|odds| odds / sum).collect()
}

/// The share of choices with the highest chance, the mean of -log chance, and that of a uniform
/// guess.
fn quality(decisions: &[Decision], weights: &Vector) -> (f64, f64, f64) {
    let (mut guessed, mut loss, mut uniform) = (0.0, 0.0, 0.0);
    for decision in decisions {
        let chances = chances(decision, weights);
        let highest = (0..chances.len()).max_by(|&a, &b| chances[a].total_cmp(&chances[b]));
        guessed += f64::from(u8::from(decision[highest.unwrap()].1 > 0.0));
        let logs = decision
            .iter()
            .zip(&chances)
            .map(|((_, share), p)| share * p.ln());
        loss -= logs.sum::<f64>();
        uniform += (decision.len() as f64).ln();
    }
    let count = decisions.len() as f64;
    (guessed / count, loss / count, uniform / count)
}

/// Newton's method.
fn fit(decisions: &[Decision]) -> Vector {
    let mut weights = [0.0; FEATURES];
    for _ in 0..15 {
        let mut gradient = weights.map(|w| -RIDGE * w);
        let mut hessian = [[0.0; FEATURES]; FEATURES];
        for (i, row) in hessian.iter_mut().enumerate() {
            row[i] = RIDGE;
        }
        for decision in decisions {
            let chances = chances(decision, &weights);
            let mut mean = [0.0; FEATURES];
            for ((x, share), p) in decision.iter().zip(&chances) {
                for i in 0..FEATURES {
                    mean[i] += p * f64::from(x[i]);
                    gradient[i] += (share - p) * f64::from(x[i]);
                }
            }
            for ((x, _), p) in decision.iter().zip(&chances) {
                for i in 0..FEATURES {
                    let off = p * (f64::from(x[i]) - mean[i]);
                    for j in 0..FEATURES {
                        hessian[i][j] += off * (f64::from(x[j]) - mean[j]);
                    }
                }
            }
        }
        let step = solve(hessian, gradient);
        for (weight, step) in weights.iter_mut().zip(step) {
            *weight += step;
        }
    }
    weights
}

/// Solves a positive definite system by elimination.
fn solve(mut matrix: [Vector; FEATURES], mut right: Vector) -> Vector {
    for i in 0..FEATURES {
        let pivot = matrix[i];
        for j in i + 1..FEATURES {
            let factor = matrix[j][i] / pivot[i];
            for (entry, above) in matrix[j].iter_mut().zip(pivot) {
                *entry -= factor * above;
            }
            right[j] -= factor * right[i];
        }
    }
    for i in (0..FEATURES).rev() {
        let known = matrix[i].iter().zip(right).skip(i + 1);
        right[i] -= known.map(|(entry, x)| entry * x).sum::<f64>();
        right[i] /= matrix[i][i];
    }
    right
}
