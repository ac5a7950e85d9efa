//! Fits the leaf value of the tree player: the chance that a world that can be won is won by a
//! player who does not know it, as a logistic function of the number of face-down cards.
//!
//! `cargo run --release -p klondike-papers --example leaf_value -- DRAW FIRST GAMES PLAYER` lets
//! the player play GAMES deals of the scheme `klondike` from number FIRST on. Before every move
//! that a card followed face up, the true deal is solved; if it could still be won, the number of
//! face-down cards and the end of the game are one point. Printed are the shares by number of cards
//! and the fitted log-odds, by maximum likelihood. No figure that the documentation reports may use
//! these deals.
#![allow(clippy::unwrap_used)] // a tool for the people who work on this program

mod common;

use klondike_engine::search::planner::{Answer, Planner, World};
use klondike_lemmas::kplus::Game;
use klondike_papers::published::PlayerName;
use klondike_play::AnyPlayer;
use klondike_play::{Information, Session};

/// States for the verdict on the true deal; those that need more are left out.
const BUDGET: u32 = 100_000;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [draw, first, games, player] = &words[..] else {
        eprintln!("usage: leaf_value DRAW FIRST GAMES PLAYER");
        std::process::exit(2);
    };
    let (first, games): (u64, u64) = (first.parse().unwrap(), games.parse().unwrap());
    let rules = common::rules(draw);
    let AnyPlayer::Hidden(mut player) = player.parse::<PlayerName>().unwrap().player() else {
        panic!("the player knows all cards");
    };
    let mut planner = Planner::default();
    // Numbers of face-down cards, and whether the game was won.
    let mut points: Vec<(f64, bool)> = Vec::new();
    for seed in first..first + games {
        let table = common::table(&rules, seed);
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
        let won = session.view().is_won();
        points.extend(alive.into_iter().map(|hidden| (hidden as f64, won)));
    }
    for hidden in 0..=52 {
        let here = points.iter().filter(|point| point.0 == f64::from(hidden));
        let (all, won) = here.fold((0, 0), |sum, point| (sum.0 + 1, sum.1 + i32::from(point.1)));
        if all > 0 {
            let share = f64::from(won) / f64::from(all);
            println!("{hidden:2} hidden: {won:5} of {all:5} won, {share:.3}");
        }
    }
    let [base, slope] = common::fit(&points);
    println!("log-odds: {base:.3} {slope:+.4} * hidden");
}
