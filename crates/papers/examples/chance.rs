//! Fits chances of winning to the values of the tree player: for each value, how often games are
//! won.
//!
//! `cargo run --release -p klondike-papers --example chance -- RULES FIRST GAMES ITERATIONS` lets
//! `tree` with so many iterations play GAMES deals of the scheme `klondike` from number FIRST on.
//! RULES are named (`vegas3`) or differ from the standard ones (`draw=1 redeals=2`). Every decision
//! between several moves is one point: the value of the move that is made times the share of worlds
//! not proven lost, and the end of the game. Printed are the log-odds fitted to four fifths of the
//! games by maximum likelihood, and how they fare in the last fifth. No figure that the
//! documentation reports may use these deals.
#![allow(clippy::unwrap_used)] // a tool for the people who work on this program

mod common;

use klondike_play::tree::{self, Parameters};
use klondike_play::{Information, Player as _, Session, Thought};

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [rules, first, games, iterations] = &words[..] else {
        eprintln!("usage: chance RULES FIRST GAMES ITERATIONS");
        std::process::exit(2);
    };
    let (first, games): (u64, u64) = (first.parse().unwrap(), games.parse().unwrap());
    let rules = common::rules_of(rules);
    let mut parameters = Parameters::default();
    parameters.iterations = iterations.parse().unwrap();
    let mut player = tree::player(parameters);
    // Decisions of games to fit, and of games to test.
    let mut points: [Vec<(f64, bool)>; 2] = Default::default();
    for seed in first..first + games {
        let table = common::table(&rules, seed);
        let mut session = Session::new(&table, Information::usual(&rules));
        player.new_game(seed);
        let mut seen = Vec::new();
        loop {
            let moves = match player.think(session.view()).unwrap() {
                Thought::Open(opinion) => {
                    // It may plan no legal move (whole runs, reversed groups). It then plays on by
                    // rollouts, and what it decides after that is no point.
                    let Some(best) = opinion.candidates.first() else {
                        while !session.view().is_won()
                            && let Some(made) = player.choose(session.view())
                        {
                            session.make(made).unwrap();
                        }
                        break;
                    };
                    let value = best.value * opinion.share();
                    if opinion.drawn > 0 && value > 0.0 {
                        seen.push(log_odds(value));
                    }
                    opinion.candidates.into_iter().next().unwrap().moves
                }
                Thought::Solved(moves) => moves,
                _ => break,
            };
            for made in moves {
                session.make(made).unwrap();
            }
            if session.view().is_won() {
                break;
            }
        }
        let won = session.view().is_won();
        let part = usize::from(5 * (seed - first) >= 4 * games);
        points[part].extend(seen.into_iter().map(|seen| (seen, won)));
    }
    let [fitted, tested] = &points;
    let [base, slope] = common::fit(fitted);
    println!(
        "log-odds: {base:.3} {slope:+.3} * seen, from {} decisions",
        fitted.len()
    );
    println!("tested on {} decisions:", tested.len());
    for tenth in 0..10 {
        let inside = |chance: f64| (chance * 10.0).floor().min(9.0) as usize == tenth;
        let here: Vec<_> = tested
            .iter()
            .map(|&(seen, won)| {
                let predicted = common::logistic(base + slope * seen);
                [predicted, common::logistic(seen), f64::from(u8::from(won))]
            })
            .filter(|&[predicted, ..]| inside(predicted))
            .collect();
        let count = here.len() as f64;
        let [predicted, seen, won] = here.iter().fold([0.0; 3], |sum, [predicted, seen, won]| {
            [sum[0] + predicted, sum[1] + seen, sum[2] + won]
        });
        println!(
            "predicted {:.3}, seen {:.3}, won {:.3} of {count}",
            predicted / count,
            seen / count,
            won / count
        );
    }
}

fn log_odds(chance: f64) -> f64 {
    let chance = chance.clamp(0.001, 0.999);
    (chance / (1.0 - chance)).ln()
}
