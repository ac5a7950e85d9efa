//! The players that plan in the K+ representation, where not every part of a run may move.

use std::sync::Arc;

use crate::games::{deal, hidden, record};
use klondike_engine::search::Limits;
use klondike_game::rules::{Rules, Runs};
use klondike_game::table::{Move, Table};
use klondike_play::advice::{Thinking, advise};
use klondike_play::belief::NoBelief;
use klondike_play::{Ending, Information, Player, Session, hop, tree};

const TREE: &str = "tree:iterations=60,worlds=40";

fn rules(name: &str) -> Arc<Rules> {
    Arc::new(Rules::named(name).unwrap())
}

/// Games are played by the referee, so every move is legal. They end, and more are won than by a
/// greedy player.
#[test]
fn the_tree_player_plays_whole_runs_and_double_moves() {
    for name in ["yan", "kortsmit", "donkersteeg"] {
        let rules = rules(name);
        let mut wins = [0; 2];
        for (player, wins) in ["kortsmit-greedy", TREE].into_iter().zip(&mut wins) {
            let mut player = hidden(player);
            for seed in 0..16 {
                let table = deal(&rules, seed);
                let (moves, ending) = record(&table, Information::TalonKnown, &mut *player, seed);
                *wins += i32::from(ending == Ending::Won);
                assert!(moves.len() < 1000, "{name}: {}", moves.len());
            }
        }
        assert!(wins[0] < wins[1], "{name}: {wins:?}");
    }
}

/// A position in the middle of a double move.
fn half_done() -> Table {
    let rules = rules("donkersteeg");
    (0..100)
        .find_map(|seed| {
            let mut table = deal(&rules, seed);
            let moves = record(&table, Information::TalonKnown, &mut *hidden(TREE), seed).0;
            moves.into_iter().find_map(|made| {
                table.make(made).unwrap();
                table.pending().map(|_| table.clone())
            })
        })
        .unwrap()
}

#[test]
fn a_double_move_is_finished_and_not_thought_about() {
    let table = half_done();
    let from = table.pending().unwrap();
    let session = Session::new(&table, Information::TalonKnown);
    for mut player in [
        tree::player(tree::Parameters::default()),
        hop::player(hop::Parameters::default()),
    ] {
        player.new_game(1);
        let refused = player.think(session.view()).unwrap_err();
        assert_eq!(refused, NoBelief::HalfDone);
        let made = player.choose(session.view());
        assert_eq!(made, Some(Move::PileToFoundation { from }));
    }
}

/// Chances with whole runs would be those of partial runs, so none are given, also in the middle of
/// a game that the player plays.
#[test]
fn there_is_no_advice_with_whole_runs() {
    let table = deal(&rules("yan"), 1);
    assert_eq!(table.rules().runs(), Runs::Whole);
    let mut session = Session::new(&table, Information::TalonKnown);
    let mut player = tree::player(tree::Parameters::default());
    player.new_game(1);
    for _ in 0..3 {
        assert!(player.think(session.view()).is_err());
        let made = player.choose(session.view()).unwrap();
        session.make(made).unwrap();
    }
    let thinking = Thinking::default();
    assert!(advise(&table, &thinking, &Limits::default()).is_err());
}
