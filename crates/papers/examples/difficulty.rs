//! Makes the data that the grade is fitted to: what it measures of winnable deals, and how often
//! players who do not see the face-down cards win them.
//!
//! `cargo run --release -p klondike-papers --example difficulty -- RULES FIRST DEALS` takes the
//! deals of the scheme `klondike` from number FIRST on, leaves out those that are not proved
//! winnable under the rules, and prints a table (CSV). `scripts/difficulty.py` fits the formula to
//! it. Every player plays every deal with several seeds of its own.
#![allow(clippy::unwrap_used)] // a tool for the people who work on this program

mod common;

use std::sync::Arc;

use klondike_engine::prove::{Verdict, decide};
use klondike_engine::search::Limits;
use klondike_game::rules::Rules;
use klondike_lemmas::prune::Lemmas;
use klondike_papers::published::PlayerName;
use klondike_play::AnyPlayer;
use klondike_play::grade::{Features, features};
use klondike_play::{self as play, Ending, Information, Session};
use rayon::prelude::*;

/// The players, and how often each plays a deal.
const PLAYERS: [(&str, u64); 3] = [
    ("tree:iterations=40,worlds=60", 3),
    ("hop:iterations=60,worlds=40,relaxation=first", 1),
    ("kortsmit-greedy", 4),
];

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let [name, first, deals] = &words[..] else {
        eprintln!("usage: difficulty RULES FIRST DEALS");
        std::process::exit(2);
    };
    let (first, deals): (u64, u64) = (first.parse().unwrap(), deals.parse().unwrap());
    let rules = common::rules_of(name);
    println!("seed,wins,beam,tree,hop,kortsmit,cards");
    let (mut found, mut next) = (0, first);
    while found < deals {
        let lines: Vec<Option<String>> = (next..next + 64)
            .into_par_iter()
            .map(|seed| line(&rules, seed))
            .collect();
        next += 64;
        for line in lines.into_iter().flatten().take((deals - found) as usize) {
            println!("{line}");
            found += 1;
        }
    }
}

fn line(rules: &Arc<Rules>, seed: u64) -> Option<String> {
    let table = common::table(rules, seed);
    let limits = Limits {
        max_states: Some(1_000_000),
        ..Limits::default()
    };
    let decision = decide(&table, Lemmas::ALL, &limits).unwrap();
    let Verdict::Winnable(_) = decision.verdict else {
        return None;
    };
    let Features {
        wins, beam, cards, ..
    } = features(&table);
    let mut line = format!("{seed},{wins},{beam}");
    for (name, games) in PLAYERS {
        let AnyPlayer::Hidden(mut player) = name.parse::<PlayerName>().unwrap().player() else {
            panic!("the player knows all cards");
        };
        let won = (1..=games).filter(|number| {
            let mut session = Session::new(&table, Information::usual(rules));
            player.new_game(seed * 100 + number);
            play::play(&mut session, &mut *player, &mut Vec::new()).unwrap() == Ending::Won
        });
        line += &format!(",{}", won.count());
    }
    Some(format!("{line},{cards}"))
}
