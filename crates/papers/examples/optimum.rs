//! How much of what best play wins our players win, in small games.
//!
//! `cargo run --release -p klondike-papers --example optimum -- RULES FIRST DEALS GAMES PLAYER...`
//! takes DEALS small deals of the scheme `klondike` from number FIRST on. RULES differ from the
//! standard ones, as in exports (`suits=2 ranks=5 piles=1,2,3 redeals=0`). For each it finds what
//! best play wins, exactly, and lets the players play GAMES games each, the same for all, in which
//! the unseen cards are dealt anew. It prints the means, and what each player wins less than best
//! play, deal by deal, with normal 95 % intervals.
#![allow(clippy::unwrap_used)] // a tool for the people who work on this program

mod common;

use std::sync::Arc;

use klondike_engine::search::{Limits, Outcome, table};
use klondike_game::rules::Rules;
use klondike_lemmas::prune::Lemmas;
use klondike_papers::published::PLAYERS;
use klondike_play::optimum::Optimum;
use klondike_play::registry::make;
use klondike_play::{AnyPlayer, Information, Session, mix, play, seeded};

/// Boards for each deal. Most are listed for a while only.
const MOST: usize = 200_000_000;

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [rules, first, deals, games, names @ ..] = &words[..] else {
        eprintln!("usage: optimum RULES FIRST DEALS GAMES PLAYER...");
        std::process::exit(2);
    };
    let number = |text: &String| text.parse::<u64>().unwrap();
    let (first, deals, games) = (number(first), number(deals), number(games));
    let rules = Arc::new(Rules::with_changes(rules).unwrap());
    let information = Information::usual(&rules);
    // Of each deal what best play wins, and of the games of the deal what best play, who sees all
    // cards, and each of the players win.
    let mut won: Vec<Vec<f64>> = vec![Vec::new(); 3 + names.len()];
    for seed in first..first + deals {
        let start = Session::new(&common::table(&rules, seed), information);
        let mut optimum = Optimum::new(information, MOST);
        won[0].push(
            optimum
                .chance(start.view())
                .expect("few enough boards for a small deck"),
        );
        let dealt = |game| start.resampled(&mut seeded(mix(seed, game)));
        let share = |is_won: &mut dyn FnMut(Session) -> bool| {
            let won = (0..games).filter(|&game| is_won(dealt(game))).count();
            won as f64 / games as f64
        };
        won[1].push(share(&mut |game| optimum.wins(game).unwrap()));
        let seeing = share(&mut |game| {
            let table = game.truth().to_table(&rules).unwrap();
            let outcome = table::solve(&table, Lemmas::ALL, &Limits::default()).0;
            matches!(outcome, Outcome::Found(_))
        });
        won[2].push(seeing);
        for (name, won) in names.iter().zip(&mut won[3..]) {
            let AnyPlayer::Hidden(mut player) = make(&PLAYERS, name).unwrap() else {
                panic!("{name} sees all cards");
            };
            won.push(share(&mut |mut game| {
                player.new_game(seed);
                play(&mut game, &mut *player, &mut Vec::new()).unwrap();
                game.truth().is_won()
            }));
        }
    }
    print(&won, names);
}

fn print(won: &[Vec<f64>], names: &[String]) {
    let known = ["best play, exactly", "best play", "all cards seen"].map(str::to_owned);
    for (name, here) in known.iter().chain(names).zip(won) {
        let (mean, error) = mean(here.iter().copied());
        let (less, paired) = self::mean(won[1].iter().zip(here).map(|(best, here)| best - here));
        println!(
            "{name}: {:.2} % ± {:.2}, less than best play {:.2} ± {:.2}",
            100.0 * mean,
            196.0 * error,
            100.0 * less,
            196.0 * paired
        );
    }
}

/// The mean with its standard error.
fn mean(values: impl ExactSizeIterator<Item = f64> + Clone) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.clone().sum::<f64>() / count;
    let square = values.map(|value| (value - mean).powi(2)).sum::<f64>();
    (mean, (square / (count - 1.0) / count).sqrt())
}
