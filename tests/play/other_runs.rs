//! The players that plan in the K+ representation, where not every part of a run may move.

use std::sync::Arc;

use crate::games::{deal, hidden, record, wins};
use klondike_engine::search::Limits;
use klondike_game::rules::Rules;
use klondike_game::table::{Move, Table};
use klondike_play::advice::{Advice, Thinking, advise};
use klondike_play::belief::NoBelief;
use klondike_play::{Information, Player, Session, Thought, hop, tree};

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
        let wins = ["kortsmit-greedy", TREE].map(|player| wins(player, &rules, 16));
        assert!(wins[0] < wins[1], "{name}: {wins:?}");
    }
}

/// With whole runs none of the moves that it has thought of may be legal. It plays on, with moves
/// that it has not thought of, and goes on thinking when a card is turned up or played.
#[test]
fn the_tree_player_plays_on_where_no_move_of_its_plan_is_legal() {
    let rules = rules("yan");
    let (mut played_on, mut left_it) = (0, 0);
    for seed in 0..12 {
        let mut parameters = tree::Parameters::default();
        parameters.iterations = 60;
        let mut player = tree::player(parameters);
        player.new_game(seed);
        let mut session = Session::new(&deal(&rules, seed), Information::TalonKnown);
        let mut was_stuck = false;
        loop {
            let thought = player.think(session.view()).unwrap();
            let is_stuck = matches!(&thought, Thought::Open(open) if open.candidates.is_empty());
            left_it += i32::from(was_stuck && !is_stuck);
            was_stuck = is_stuck;
            let Some(made) = player.choose(session.view()) else {
                break;
            };
            played_on += i32::from(is_stuck);
            session.make(made).unwrap();
        }
    }
    assert!(played_on > 5 && left_it > 0, "{played_on} {left_it}");
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

/// The moves of advice with whole runs are legal, and win some games.
#[test]
fn advice_with_whole_runs_can_be_played() {
    for name in ["yan", "kortsmit"] {
        let rules = rules(name);
        let wins = |seed| played_by_advice(deal(&rules, seed), seed);
        assert!((0..8).any(wins), "{name}");
    }
}

/// Plays the first move that is advised, and tries all. Whether the game is won.
fn played_by_advice(mut table: Table, seed: u64) -> bool {
    let thinking = Thinking::default().iterations(30).seed(seed);
    for _ in 0..100 {
        let advice = advise(&table, &thinking, &Limits::default()).unwrap();
        let after = |made: &[Move]| {
            let mut after = table.clone();
            for &made in made {
                after.make(made).unwrap();
            }
            after
        };
        match advice {
            Advice::Solved { moves, .. } => {
                assert!(after(&moves).is_won());
                return true;
            }
            Advice::Open { moves, .. } => {
                let tables: Vec<Table> = moves.iter().map(|one| after(&one.moves)).collect();
                table = tables.into_iter().next().unwrap();
            }
            _ => return false,
        }
    }
    false
}
