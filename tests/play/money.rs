//! Playing for the money of Vegas, and that playing to win is not changed by it.

use std::sync::Arc;

use crate::games::{deal, hidden};
use klondike_engine::prove::score::best_score;
use klondike_engine::search::Limits;
use klondike_game::rules::{Deck, Layout, Redeals, Rules, Runs, Spaces};
use klondike_game::table::{Move, Table};
use klondike_lemmas::prune::Lemmas;
use klondike_play::{self as play, Information, Session};

/// The moves of a game, and the table at its end.
fn game(player: &str, table: &Table, seed: u64) -> (Vec<Move>, Table) {
    let information = Information::usual(table.rules());
    let mut player = hidden(player);
    player.new_game(seed);
    let (mut session, mut moves) = (Session::new(table, information), Vec::new());
    play::play(&mut session, &mut *player, &mut moves).unwrap();
    let mut end = table.clone();
    for &made in &moves {
        end.make(made).unwrap();
    }
    (moves, end)
}

/// Moves and cards up of ten games under each of these rules by the player of the version before
/// there were goals. Where the search itself changes on purpose, take the new numbers.
#[test]
fn playing_to_win_has_not_changed() {
    for (rules, seen) in [("standard", (1_108, 312)), ("vegas3", (543, 127))] {
        let rules = Arc::new(Rules::named(rules).unwrap());
        let mut found = (0, 0);
        for seed in 61_000_001..61_000_011 {
            let table = deal(&rules, seed);
            let (moves, end) = game("tree:iterations=60,worlds=40", &table, 1);
            let goal = game("tree:iterations=60,worlds=40,goal=win", &table, 1);
            assert_eq!(moves, goal.0);
            found.0 += moves.len();
            found.1 += end.foundation_count();
        }
        assert_eq!(found, seen, "{rules}");
    }
}

/// On the same deals more cards get up, and no game ends with a card that could still go up.
#[test]
fn who_plays_for_money_earns_more() {
    let rules = Arc::new(Rules::named("vegas1").unwrap());
    let mut cards = [0; 2];
    for seed in 61_000_001..61_000_031 {
        let table = deal(&rules, seed);
        let (_, end) = game("tree:goal=money,iterations=60,worlds=40", &table, 1);
        assert!(!can_go_up(&end), "{end:?}");
        cards[0] += end.foundation_count();
        let (_, end) = game("tree:iterations=60,worlds=40", &table, 1);
        cards[1] += end.foundation_count();
    }
    assert!(cards[0] > cards[1] + 60, "{cards:?}");
}

/// Whether a card can go up.
fn can_go_up(table: &Table) -> bool {
    let up = |made: &Move| {
        matches!(
            made,
            Move::WasteToFoundation | Move::PileToFoundation { .. }
        )
    };
    table.legal_moves().iter().any(up)
}

/// No game ends with a card that can go up: neither where a class has more states than are listed,
/// nor where whole runs forbid a part of what was thought of, nor before the last pass by ones.
#[test]
fn no_game_ends_before_all_cards_are_up_that_can_go() {
    let standard = || Rules::standard().to_builder();
    let one_redeal = || standard().redeals(Redeals::Limited(1));
    let two_redeals = || standard().redeals(Redeals::Limited(2));
    for (rules, seeds) in [
        (Rules::named("yan"), vec![7, 8, 14]),
        (two_redeals().runs(Runs::Whole).build(), vec![19]),
        (one_redeal().spaces(Spaces::Any).build(), vec![5]),
        (standard().spaces(Spaces::Any).build(), vec![12]),
        (
            standard().redeals(Redeals::LastPassByOnes).build(),
            (1..9).collect(),
        ),
    ] {
        let rules = Arc::new(rules.unwrap());
        for seed in seeds {
            let table = deal(&rules, seed);
            let (moves, end) = game("tree:goal=money,iterations=60,worlds=40", &table, 1);
            assert!(!can_go_up(&end), "{rules}, {seed}: {end:?}");
            let passes = rules.redeals() == Redeals::LastPassByOnes && !end.is_won();
            assert!(!passes || moves.contains(&Move::LastPass), "{seed}");
        }
    }
}

/// Without limits of redeals the goal is taken, too, and cards get up in lost games.
#[test]
fn redeals_need_not_be_limited_for_money() {
    let rules = Arc::new(Rules::named("standard").unwrap());
    let (mut lost, mut cards) = (0, 0);
    for seed in 61_000_001..61_000_041 {
        let table = deal(&rules, seed);
        let (_, end) = game("tree:goal=money,iterations=60,worlds=40", &table, 1);
        if !end.is_won() {
            lost += 1;
            cards += end.foundation_count();
        }
    }
    assert!(lost > 0 && cards > 5 * lost, "{cards} in {lost}");
}

/// With at most one card face down and the talon known nothing is hidden: the player gets the best
/// score. With more it gets no more than that, and not much less.
#[test]
fn no_game_is_worth_more_than_the_best_score() {
    let (mut lost, mut sums) = (0, [0; 2]);
    for seed in 0..120 {
        let hides = seed % 2 == 1;
        let heights = if hides { vec![2, 3, 3] } else { vec![1, 2, 1] };
        let rules = Rules::builder()
            .deck(Deck::new(3, 6).unwrap())
            .layout(Layout::new(heights).unwrap())
            .redeals(Redeals::Limited(seed as u32 / 2 % 2));
        let table = deal(&Arc::new(rules.draw_count(2).build().unwrap()), seed);
        let best = best_score(&table, Lemmas::ALL, &Limits::default(), &mut |_| {}).unwrap();
        assert!(best.is_proved());
        let mut player = hidden("tree:goal=money,iterations=60,worlds=40");
        player.new_game(seed);
        let mut session = Session::new(&table, Information::TalonKnown);
        play::play(&mut session, &mut *player, &mut Vec::new()).unwrap();
        let cards = session.truth().foundation_count();
        assert!(cards <= usize::from(best.score), "{table:?}");
        if hides {
            sums[0] += cards;
            sums[1] += usize::from(best.score);
        } else {
            assert_eq!(cards, usize::from(best.score), "{table:?}");
        }
        lost += u32::from(best.score < 18);
    }
    assert!(lost > 20, "{lost}");
    assert!(10 * sums[0] > 8 * sums[1], "{sums:?}");
}
