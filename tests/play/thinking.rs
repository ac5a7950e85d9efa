//! What a player says that is asked more than once, or that has no time.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use crate::games::deal;
use klondike_engine::search::{Limit, Limits};
use klondike_game::rules::Rules;
use klondike_play::{BeliefPlayer, Goal, Information, Opinion, Player, Session, Thought, tree};

fn player(goal: Goal) -> BeliefPlayer {
    let mut parameters = tree::Parameters::default();
    (parameters.iterations, parameters.worlds) = (200, 100);
    parameters.goal = goal;
    let mut player = tree::player(parameters);
    player.new_game(1);
    player
}

fn session(rules: &str, seed: u64) -> Session {
    let table = deal(&Arc::new(Rules::named(rules).unwrap()), seed);
    Session::new(&table, Information::usual(table.rules()))
}

fn opinion(thought: Thought) -> Opinion {
    match thought {
        Thought::Open(opinion) => opinion,
        other => panic!("{other:?}"),
    }
}

/// Where nothing could be tried, it is not said that the game is best ended.
#[test]
fn what_was_not_tried_is_not_called_worthless() {
    for seed in [1, 2, 4, 5, 7] {
        let mut session = session("vegas3", seed);
        let mut player = player(Goal::Money);
        while session.truth().foundation_count() == 0 {
            let made = player.choose(session.view()).unwrap();
            session.make(made).unwrap();
        }
        let limits = Limits {
            stop: Some(Arc::new(AtomicBool::new(true))),
            ..Limits::default()
        };
        let thought = player.think_within(session.view(), limits).unwrap();
        assert_eq!(opinion(thought).limit, Some(Limit::Interrupt), "{seed}");
    }
}

/// Who thinks on has as much reason to doubt a single game as before.
#[test]
fn thinking_again_does_not_make_games_alike() {
    let (mut before, mut after) = (0.0, 0.0);
    for seed in 0..8 {
        let session = session("vegas3", seed);
        let mut player = player(Goal::Money);
        let mut think = || opinion(player.think(session.view()).unwrap());
        let (first, second) = (think(), think());
        let [first, second] = [&first, &second].map(|opinion| &opinion.candidates[0]);
        assert!(second.visits > first.visits);
        (before, after) = (before + first.deviation, after + second.deviation);
    }
    assert!((0.9..1.1).contains(&(after / before)), "{before} {after}");
}

/// Moves that were taken back make no position lost.
#[test]
fn a_position_before_one_thought_of_is_as_good_as_ever() {
    for seed in 0..6 {
        let mut session = session("standard", seed);
        let mut player = player(Goal::Win);
        let mut before = Vec::new();
        for _ in 0..12 {
            before.push(session.clone());
            let Some(made) = player.choose(session.view()) else {
                break;
            };
            session.make(made).unwrap();
        }
        for session in before.iter().rev() {
            let again = player.think(session.view()).unwrap();
            let mut fresh = self::player(Goal::Win);
            let fresh = fresh.think(session.view()).unwrap();
            let lost = |thought: &Thought| matches!(thought, Thought::Lost);
            assert_eq!(lost(&again), lost(&fresh), "{seed}: {again:?}");
        }
    }
}
