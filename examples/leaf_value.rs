//! Fits the leaf value of the tree player: the chance that a world that can be won is won by a player who does
//! not know it, as a logistic function of the number of face-down cards.
//!
//! `cargo run --release --example leaf_value -- DRAW FIRST GAMES PLAYER` lets the player play GAMES deals
//! of the scheme `klondike` from number FIRST on. Before every move that a card followed face up, the true
//! deal is solved; if it could still be won, the number of face-down cards and the end of the game are one point.
//! Printed are the shares by number of cards and the fitted log-odds, by maximum likelihood. No figure that
//! the documentation reports may use these deals.
#![allow(clippy::unwrap_used)] // a tool for the people who work on this program

use std::sync::Arc;

use klondike::deal::seed::{DealId, Scheme, Seed};
use klondike::kplus::Game;
use klondike::play::roster::{PlayerName, Seat};
use klondike::play::{Information, Session};
use klondike::rules::Rules;
use klondike::search::planner::{Answer, Planner, World};
use klondike::table::Table;

/// States for the verdict on the true deal; those that need more are left out.
const BUDGET: u32 = 100_000;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [draw, first, games, player] = &words[..] else {
        eprintln!("usage: leaf_value DRAW FIRST GAMES PLAYER");
        std::process::exit(2);
    };
    let (first, games): (u64, u64) = (first.parse().unwrap(), games.parse().unwrap());
    let rules = Rules::named("standard").unwrap().to_builder();
    let rules = Arc::new(rules.draw_count(draw.parse().unwrap()).build().unwrap());
    let Seat::Hidden(mut player) = player.parse::<PlayerName>().unwrap().seat() else {
        panic!("the player knows all cards");
    };
    let mut planner = Planner::default();
    // By number of face-down cards: points, and those of games won.
    let mut points = [(0_u32, 0_u32); 53];
    for seed in first..first + games {
        let id = DealId::new(Scheme::Klondike, Seed::from(seed)).unwrap();
        let deal = id.deal(rules.deck(), rules.layout()).unwrap();
        let table = Table::new(Arc::clone(&rules), &deal).unwrap();
        let mut session = Session::new(&table, Information::TalonKnown);
        let game = Game::new(&table).unwrap();
        let mut world = World::new(game.clone(), 1 << 16);
        let mut alive = Vec::new();
        let mut last = usize::MAX;
        player.new_game(seed);
        while !session.view().is_won() {
            let hidden = session.view().board().hidden_count();
            if hidden != last && hidden > 1 {
                let now = session.truth().to_table(&rules).unwrap();
                let state = game.read(&now).unwrap();
                match planner.alive(&mut world, &state, BUDGET) {
                    Answer::Win => alive.push(hidden),
                    Answer::Loss => break,
                    Answer::Unknown => {}
                }
            }
            last = hidden;
            let Some(made) = player.choose(session.view()) else {
                break;
            };
            session.make(made).unwrap();
        }
        for hidden in alive {
            points[hidden].0 += 1;
            points[hidden].1 += u32::from(session.view().is_won());
        }
    }
    for (hidden, &(all, won)) in points.iter().enumerate().filter(|(_, point)| point.0 > 0) {
        println!(
            "{hidden:2} hidden: {won:5} of {all:5} won, {:.3}",
            f64::from(won) / f64::from(all)
        );
    }
    let (base, slope) = fit(&points);
    println!("log-odds: {base:.3} {slope:+.4} * hidden");
}

/// Newton's method for the logistic regression of two parameters.
fn fit(points: &[(u32, u32)]) -> (f64, f64) {
    let (mut base, mut slope) = (0.0, 0.0);
    for _ in 0..50 {
        let (mut g0, mut g1, mut h00, mut h01, mut h11) = (0.0, 0.0, 1e-9, 0.0, 1e-9);
        for (hidden, &(all, won)) in points.iter().enumerate() {
            let (x, all, won) = (hidden as f64, f64::from(all), f64::from(won));
            let chance = 1.0 / (1.0 + (-base - slope * x).exp());
            let error = won - all * chance;
            let weight = all * chance * (1.0 - chance);
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
    (base, slope)
}
