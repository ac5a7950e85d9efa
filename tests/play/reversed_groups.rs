//! The players that plan in the K+ representation, where draws reverse their groups.

use std::sync::Arc;

use crate::games::{deal, hidden, record, wins};
use klondike_game::rules::Rules;
use klondike_game::table::Move;
use klondike_play::belief::NoBelief;
use klondike_play::{Information, Player, Session, Thought, tree};

const TREE: &str = "tree:iterations=60,worlds=40";

fn rules(changes: &str) -> Arc<Rules> {
    let changes = format!("reversed-groups=yes {changes}");
    Arc::new(Rules::with_changes(&changes).unwrap())
}

/// Games are played by the referee, so every move is legal. They end, and more are won than by a
/// greedy player.
#[test]
fn the_tree_player_wins_more_than_a_greedy_one() {
    for changes in [
        "",
        "draw=2 redeals=3",
        "runs=whole",
        "spaces=any redeals=3",
        "draw=5",
    ] {
        let rules = rules(changes);
        let wins = ["kortsmit-greedy", TREE].map(|player| wins(player, &rules, 16));
        assert!(wins[0] + 2 <= wins[1], "{changes}: {wins:?}");
    }
}

/// Whatever is known of the talon, games end.
#[test]
fn the_tree_player_plays_with_any_information() {
    for information in Information::ALL {
        for changes in ["", "redeals=0", "redeals=2", "suits=2 piles=1,2,3"] {
            let rules = rules(changes);
            let mut player = hidden("tree:iterations=20,worlds=20,trajectories=2");
            for seed in 0..3 {
                let (moves, _) = record(&deal(&rules, seed), information, &mut *player, seed);
                assert!(
                    moves.len() < 2000,
                    "{information} {changes}: {}",
                    moves.len()
                );
            }
        }
    }
}

/// Where nothing more can be won, the player stops, however many redeals are left.
#[test]
fn lost_games_end_soon() {
    for changes in [
        "redeals=100",
        "draw=24",
        "draw=11",
        "suits=2 ranks=5 piles=1,2,3",
    ] {
        let rules = rules(changes);
        let mut player = hidden(TREE);
        for seed in 0..8 {
            let information = Information::usual(&rules);
            let (moves, _) = record(&deal(&rules, seed), information, &mut *player, seed);
            assert!(moves.len() < 500, "{changes} {seed}: {}", moves.len());
        }
    }
}

/// With unlimited redeals and without any left it can say what it thinks; before a redeal that
/// changes the order of the talon, of which it does not think, it cannot.
#[test]
fn a_position_is_thought_about_where_losses_are_proven() {
    let mut parameters = tree::Parameters::default();
    (parameters.iterations, parameters.worlds) = (60, 40);
    let mut player = tree::player(parameters);
    for (changes, thinks) in [("", true), ("redeals=0", true), ("redeals=1", false)] {
        let rules = rules(changes);
        let (mut open, mut refused) = (0, 0);
        for seed in 0..6 {
            player.new_game(seed);
            let mut session = Session::new(&deal(&rules, seed), Information::usual(&rules));
            for _ in 0..30 {
                match player.think(session.view()) {
                    Ok(Thought::Open(opinion)) => {
                        open += 1;
                        for candidate in opinion.candidates {
                            let mut after = session.clone();
                            for made in candidate.moves {
                                after.make(made).unwrap();
                            }
                        }
                    }
                    Ok(_) => {}
                    Err(reason) => {
                        refused += 1;
                        assert_eq!(reason, NoBelief::ReversedGroups);
                        assert_eq!(session.view().board().redeals_used(), 0);
                    }
                }
                let Some(made) = player.choose(session.view()) else {
                    break;
                };
                session.make(made).unwrap();
            }
        }
        assert!(open > 0, "{changes}");
        assert_eq!(refused == 0, thinks, "{changes}: {refused}");
    }
    // With unlimited redeals the whole talon is looked through first.
    let rules = rules("");
    let mut session = Session::new(&deal(&rules, 1), Information::Turned);
    assert_eq!(player.think(session.view()), Err(NoBelief::ReversedGroups));
    for _ in 0..8 {
        session.make(Move::Draw).unwrap();
    }
    assert!(matches!(player.think(session.view()), Ok(Thought::Open(_))));
}
