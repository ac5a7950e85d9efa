//! The last pass by ones, with hidden cards.

use std::sync::Arc;

use crate::games::{deal, hidden, record};
use klondike_engine::search::Limits;
use klondike_game::rules::{Redeals, Rules};
use klondike_game::table::Move;
use klondike_lemmas::kplus::Unsupported;
use klondike_play::advice::{Thinking, advise};
use klondike_play::belief::NoBelief;
use klondike_play::{Ending, Information, Session};

fn rules(runs: &str) -> Arc<Rules> {
    let rules = Rules::named(runs).unwrap().to_builder();
    Arc::new(rules.redeals(Redeals::LastPassByOnes).build().unwrap())
}

/// Games are played by the referee, so every move is legal. They end, the last pass is taken at
/// most once, and the tree player wins some by the standard rules.
#[test]
fn players_take_the_last_pass_and_end_their_games() {
    for name in ["standard", "kortsmit", "donkersteeg"] {
        let rules = rules(name);
        let (mut wins, mut taken) = ([0; 3], [0; 3]);
        let players = [
            "kortsmit-greedy",
            "tree:iterations=60,worlds=40",
            "hop:worlds=10",
        ];
        for (number, player) in players.into_iter().enumerate() {
            let mut player = hidden(player);
            for seed in 0..3 {
                let table = deal(&rules, seed);
                for information in [Information::TalonKnown, Information::WasteTop] {
                    let (moves, ending) = record(&table, information, &mut *player, seed);
                    wins[number] += i32::from(ending == Ending::Won);
                    let last = moves.iter().filter(|&&made| made == Move::LastPass);
                    let last = last.count();
                    assert!(last <= 1 && moves.len() < 3000, "{name}: {}", moves.len());
                    taken[number] += last;
                }
            }
        }
        println!("{name}: {wins:?} {taken:?}");
        assert!(taken[1] > 0, "{name}: {taken:?}");
        assert!(wins[1] > 0 || name != "standard", "{wins:?}");
    }
}

/// A player of turns plays as if there were no last pass until it would give up; so it wins what it
/// wins without that pass, and more.
#[test]
fn players_of_turns_win_what_they_win_without_the_last_pass() {
    let (free, strict) = (rules("standard"), Arc::new(Rules::standard()));
    for name in ["kortsmit-greedy", "kortsmit-simplest"] {
        let (mut won, mut more) = (0, 0);
        for seed in 0..300 {
            let won_under = |rules: &Arc<Rules>| {
                let table = deal(rules, seed);
                let mut player = hidden(name);
                record(&table, Information::TalonKnown, &mut *player, seed).1 == Ending::Won
            };
            let (here, there) = (won_under(&free), won_under(&strict));
            assert!(here || !there, "{name} {seed}");
            won += i32::from(there);
            more += i32::from(here && !there);
        }
        assert!(won > 10 && more > 0, "{name}: {won} {more}");
    }
}

#[test]
fn no_advice_is_given_that_leaves_the_last_pass_out() {
    let table = deal(&rules("standard"), 1);
    let thinking = Thinking::default().iterations(10);
    let refused = advise(&table, &thinking, &Limits::default()).unwrap_err();
    assert_eq!(refused, NoBelief::Rules(Unsupported::LastPass));
    let session = Session::new(&table, Information::TalonKnown);
    assert!(session.view().legal_moves().contains(&Move::Draw));
}
