//! The tree search of Brewis and its games: choices, ends, statistics, and pictures of positions.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use klondike_contract::patience::{End, PatienceResult, Played};
use klondike_game::card::Card;
use klondike_game::table::picture::Style;
use klondike_patience::mcts::{SearchSize, TreePolicy, best_move};
use klondike_patience::picture::{describe, draw, rules};
use klondike_patience::player::{Settings, Stacks, Unknown, play};
use klondike_patience::statistics::{Tally, Task, run};
use klondike_patience::{Move, PatiencePosition, notation};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

fn search(tree: TreePolicy) -> SearchSize {
    SearchSize {
        searches: 40,
        playouts: 5,
        depth: 60,
        tree,
    }
}

/// Two cards on one pile, the ace below: the search must find the only winning first move.
#[test]
fn an_obvious_win_is_found_by_both_policies() {
    let text = klondike_patience::SHIPPED[0].1;
    let text = text
        .replacen("\"numSuits\": 4", "\"numSuits\": 1", 1)
        .replacen("\"cards per suit\": 13", "\"cards per suit\": 3", 1)
        .replacen("\"numTableaus\": 7", "\"numTableaus\": 2", 1)
        .replace("[13]", "[3]");
    let game = Arc::new(notation::read("tiny", &text).unwrap());
    // Pile 1: AC; pile 2: 2C face down under 3C; no stock.
    let cards = ["AC", "2C", "3C"].map(|text| text.parse::<Card>().unwrap());
    let mut start = PatiencePosition::from_row_order(&game, &cards).unwrap();
    for tree in [TreePolicy::Greedy, TreePolicy::Uct(0.5)] {
        let mut random = ChaCha8Rng::seed_from_u64(2);
        let made = best_move(&start, &search(tree), &[], &mut random);
        assert_eq!(made, Some(Move::TableauToFoundation { from: 0, to: 0 }));
    }
    start
        .make(Move::TableauToFoundation { from: 0, to: 0 })
        .unwrap();
    let back = Move::FoundationToTableau { from: 0, to: 0 };
    assert!(!start.legal_moves().contains(&back), "only kings go there");
}

#[test]
fn moves_that_are_excluded_are_not_chosen() {
    let game = klondike_patience::shipped("klondike").unwrap();
    let start = PatiencePosition::deal(&game, 3);
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let mut without = Vec::new();
    let all = start.legal_moves().len();
    let small = SearchSize {
        searches: 4,
        ..search(TreePolicy::Greedy)
    };
    while let Some(made) = best_move(&start, &small, &without, &mut random) {
        assert!(!without.contains(&made));
        without.push(made);
    }
    assert_eq!(without.len(), all);
}

/// The choice must not depend on cards the player cannot know: with the same random numbers it
/// is the same however the unseen cards lie.
#[test]
fn without_peeking_the_choice_does_not_depend_on_unseen_cards() {
    let game = klondike_patience::shipped("klondike").unwrap();
    let mut shuffles = ChaCha8Rng::seed_from_u64(4);
    for number in 0..10 {
        let start = PatiencePosition::deal(&game, number);
        let choose = |position: &PatiencePosition| {
            let mut random = ChaCha8Rng::seed_from_u64(number);
            best_move(position, &search(TreePolicy::Greedy), &[], &mut random)
        };
        let first = choose(&start);
        for _ in 0..5 {
            let mut other = start.clone();
            other.shuffle_unseen(&mut shuffles);
            assert_ne!(other, start);
            assert_eq!(choose(&other), first);
        }
    }
}

fn quick(unknown: Unknown, stacks: Stacks) -> Settings {
    let mut settings = Settings {
        unknown,
        stacks,
        total_moves: 150,
        ..Settings::default()
    };
    settings.search.searches = 6;
    settings.search.playouts = 2;
    settings.search.depth = 20;
    settings
}

/// Every game of every shipped file: replayed move by move it ends as recorded, no position comes
/// twice, and stacks are moved as the settings allow.
#[test]
fn games_can_be_replayed_and_keep_the_rules_of_the_player() {
    for (name, _, _) in klondike_patience::SHIPPED {
        let game = klondike_patience::shipped(name).unwrap();
        for (unknown, stacks) in [
            (Unknown::Sample, Stacks::Always),
            (Unknown::Peek, Stacks::Whole),
            (Unknown::Sample, Stacks::Never),
        ] {
            for number in 0..3 {
                let start = PatiencePosition::deal(&game, number);
                let mut random = ChaCha8Rng::seed_from_u64(number);
                let mut replay = start.clone();
                let mut seen = vec![start.clone()];
                let settings = quick(unknown, stacks);
                let outcome = play(start, &settings, &mut random, |position, made| {
                    assert!(unknown == Unknown::Peek || *position == replay);
                    if let Move::TableauToTableau { count, .. } = made {
                        assert!(count == 1 || stacks != Stacks::Never);
                    }
                    replay.make(made).unwrap();
                    assert!(unknown == Unknown::Peek || !seen.contains(&replay));
                    seen.push(replay.clone());
                });
                assert_eq!(outcome.moves as usize + 1, seen.len());
                assert_eq!(outcome.score as usize, replay.score());
                assert_eq!(outcome.end == End::Won, replay.is_won());
                assert_eq!(
                    outcome.end == End::NoMove,
                    replay.legal_moves().is_empty() && !replay.is_won()
                );
            }
        }
    }
}

#[test]
fn the_limits_end_a_game() {
    let game = klondike_patience::shipped("klondike").unwrap();
    let mut settings = quick(Unknown::Sample, Stacks::Whole);
    settings.total_moves = 7;
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let outcome = play(
        PatiencePosition::deal(&game, 5),
        &settings,
        &mut random,
        |_, _| {},
    );
    assert_eq!((outcome.end, outcome.moves), (End::MoveLimit, 7));
    // With a single search per move, the first bad choice ends the game.
    settings.total_moves = 500;
    settings.loops = 1;
    let ends = (0..10).map(|number| {
        let start = PatiencePosition::deal(&game, number);
        play(start, &settings, &mut random, |_, _| {}).end
    });
    assert!(ends.into_iter().any(|end| end == End::LoopLimit));
}

fn task() -> Task {
    let mut settings = Settings::default();
    settings.search.searches = 5;
    settings.search.playouts = 2;
    settings.search.depth = 30;
    Task {
        game: klondike_patience::shipped("sir-tommy").unwrap(),
        settings,
        deals: 1..101,
        seed: 1,
    }
}

fn outcomes(threads: usize, task: &Task) -> Vec<(u64, PatienceResult)> {
    let games = run(task, threads, &AtomicBool::new(false), |_| {});
    games.iter().map(|g| (g.deal, g.outcome)).collect()
}

#[test]
fn games_do_not_depend_on_threads_nor_on_each_other() {
    let task = task();
    let one = outcomes(1, &task);
    assert_eq!(one.len(), 100);
    assert_eq!(one, outcomes(3, &task));
    let later = Task {
        deals: 70..75,
        ..task.clone()
    };
    assert_eq!(one[69..74], outcomes(2, &later));
    let other = Task { seed: 2, ..task };
    assert_ne!(one, outcomes(1, &other));
}

#[test]
fn a_set_stop_flag_ends_a_run_before_it_begins() {
    assert!(run(&task(), 2, &AtomicBool::new(true), |_| {}).is_empty());
}

#[test]
fn a_tally_counts_what_was_played() {
    let played = |end, score, moves| Played {
        deal: 1,
        outcome: PatienceResult { end, score, moves },
        seconds: 0.5,
    };
    let games = [
        played(End::Won, 52, 138),
        played(End::NoMove, 10, 100),
        played(End::Won, 52, 140),
    ];
    let tally: Tally = games.iter().collect();
    assert_eq!((tally.games, tally.won()), (3, 2));
    assert_eq!(tally.ends, [2, 1, 0, 0, 0]);
    assert_eq!(tally.mean_score(0.95).unwrap().mean, 38.0);
    assert_eq!(tally.mean_won_moves(0.95).unwrap().mean, 139.0);
    assert_eq!((tally.seconds, tally.won_seconds), (1.5, 1.0));
    assert!(tally.wilson(0.95).contains(tally.share().unwrap()));
    assert_eq!(Tally::default().share(), None);
}

#[test]
fn a_deal_is_shown_as_the_player_knows_it() {
    let game = klondike_patience::shipped("klondike").unwrap();
    let mut position = PatiencePosition::deal(&game, 1);
    let text = draw(&position, Style::default());
    assert_eq!(text.matches("??").count(), 21);
    assert!(text.starts_with("score: 0 of 52\nstock: 24\ntalon: -\nfoundations: 1:- 2:- 3:-"));
    position.make(Move::TurnOverStock).unwrap();
    let turned = position.talon()[0];
    assert!(draw(&position, Style::default()).contains(&format!("talon: [{turned}]\n")));
    assert_eq!(
        describe(&position, Move::TalonToTableau { to: 2 }, Style::default()),
        format!("{turned} from the talon to pile 3")
    );
    position.see_everything();
    let text = draw(&position, Style::default());
    assert_eq!(text.matches("??").count(), 0);
    assert_eq!(text.matches('(').count(), 1 + 21);
}

#[test]
fn the_rules_of_sir_tommy_in_words() {
    let text = rules(&klondike_patience::shipped("sir-tommy").unwrap());
    for words in [
        "4 suits of 13 cards; 4 piles, empty at the start",
        "foundations go up in any suit; an empty one takes only A",
        "only one card may lie in the talon, so there is no redeal",
        "not allowed: turn over a card of a pile, pile to pile, foundation to pile",
    ] {
        assert!(text.contains(words), "{words}\n{text}");
    }
}
