//! State fuzzing: the lemmas and searches against exact graphs of what random play reaches, in
//! real deals and small games, and in positions made to be awkward.
//!
//! Verdicts of whole deals are a weak test, because a lost line is usually replaced by another.
//! Here every winnable state is a test of its own.
//!
//! The long run, until every lemma was tested on `KLONDIKE_FUZZ_STATES` (a million) winnable
//! states: `cargo test --release --test engine fuzz_states:: -- --ignored --nocapture`, with
//! another `KLONDIKE_FUZZ_SEED` for other games.

use std::time::{Duration, Instant};

use crate::common::number_from_env;
use crate::common_kplus::check::{Effort, Report, check_from, closure};
use crate::common_kplus::{
    Graph, PATTERNS, Pattern, Rng, TASTES, card, heights, random_position, random_table, rng,
    rules, small_rules, standard, table_move, with_spaces,
};
use klondike_game::rules::Spaces;
use klondike_game::table::{Pile, Table, TableParts};
use klondike_lemmas::kplus::{Game, Move, State};
use klondike_lemmas::prune::{Lemmas, blocking, safe_foundation};
use rand::RngExt;

const QUICK: Effort = Effort {
    graph: 4000,
    relaxed: 400,
    offered: 100,
    searched: 8,
    permuted: 2,
    asked: 300,
};

const LONG: Effort = Effort {
    graph: 12_000,
    relaxed: 800,
    offered: 2000,
    searched: 250,
    permuted: 12,
    asked: 1200,
};

fn draw_count(rng: &mut Rng) -> u8 {
    let usual = [1, 1, 1, 2, 3, 3, 4, 5, 7];
    match usual.get(rng.random_range(0..=usual.len())) {
        Some(&draw_count) => draw_count,
        None => rng.random_range(6..=24),
    }
}

/// Plays at the table for a while or not at all, so that games also start with runs lying about.
fn played(rng: &mut Rng, mut table: Table, most: usize) -> Table {
    if rng.random_bool(0.3) {
        let taste = TASTES[rng.random_range(0..TASTES.len())];
        for _ in 0..rng.random_range(0..most) {
            let Some(made) = table_move(rng, &table, taste) else {
                break;
            };
            table.make(made).unwrap();
        }
    }
    table
}

/// A real deal, played at random for a while.
fn real_deal(rng: &mut Rng, spaces: Spaces, effort: Effort, report: &mut Report) {
    let draw_count = draw_count(rng);
    let rules = with_spaces(&standard(draw_count, rng.random_bool(0.8)), spaces);
    let table = random_table(rng, &rules);
    let table = played(rng, table, 300);
    let walk = rng.random_range(0..250);
    check_from(&table, walk, effort, rng, report);
}

/// Four suits of six to ten ranks, four to six piles.
fn middling_game(rng: &mut Rng, spaces: Spaces, effort: Effort, report: &mut Report) {
    let ranks = rng.random_range(6..=10);
    let count = rng.random_range(4..=6);
    let heights = heights(rng, count, 4 * ranks);
    let draw_count = draw_count(rng);
    let rules = rules(4, ranks, heights, draw_count, rng.random_bool(0.7));
    let rules = with_spaces(&rules, spaces);
    let table = random_table(rng, &rules);
    let table = played(rng, table, 100);
    let walk = rng.random_range(0..60);
    check_from(&table, walk, effort, rng, report);
}

fn small_game(rng: &mut Rng, spaces: Spaces, effort: Effort, report: &mut Report) {
    let rules = with_spaces(&small_rules(rng, 7, 5, 5), spaces);
    let table = random_table(rng, &rules);
    let table = played(rng, table, 40);
    let walk = rng.random_range(0..10);
    check_from(&table, walk, effort, rng, report);
}

/// A position made at random after one of the patterns.
fn made_up(rng: &mut Rng, spaces: Spaces, effort: Effort, report: &mut Report) {
    let ranks = if rng.random_bool(0.5) {
        13
    } else {
        rng.random_range(4..=12)
    };
    let suits = if rng.random_bool(0.8) {
        4
    } else {
        rng.random_range(1..=3)
    };
    let piles = rng.random_range(1..=8);
    let draw_count = draw_count(rng);
    let rules = rules(
        suits,
        ranks,
        vec![1; piles.min(usize::from(suits * ranks))],
        draw_count,
        rng.random_bool(0.7),
    );
    let rules = with_spaces(&rules, spaces);
    let pattern = PATTERNS[rng.random_range(0..PATTERNS.len())];
    let most = rng.random_range(5..=26);
    let table = random_position(rng, &rules, pattern, most);
    let table = played(rng, table, 40);
    let walk = rng.random_range(0..6);
    check_from(&table, walk, effort, rng, report);
}

#[test]
fn no_lemma_loses_a_win_in_small_games() {
    let (mut rng, mut report) = (rng(10), Report::default());
    for _ in 0..500 {
        small_game(&mut rng, Spaces::Kings, QUICK, &mut report);
    }
    report.expect_clean();
    assert!(report.winnable > 20_000, "{}", report.text());
}

#[test]
fn no_lemma_loses_a_win_in_real_deals() {
    let (mut rng, mut report) = (rng(11), Report::default());
    for _ in 0..60 {
        real_deal(&mut rng, Spaces::Kings, QUICK, &mut report);
        middling_game(&mut rng, Spaces::Kings, QUICK, &mut report);
    }
    report.expect_clean();
    assert!(report.winnable > 20_000, "{}", report.text());
}

#[test]
fn no_lemma_loses_a_win_in_made_up_positions() {
    let (mut rng, mut report) = (rng(12), Report::default());
    for _ in 0..300 {
        made_up(&mut rng, Spaces::Kings, QUICK, &mut report);
    }
    report.expect_clean();
    assert!(report.winnable > 20_000, "{}", report.text());
}

/// All of them again where not even kings may go to an empty pile.
#[test]
fn no_lemma_loses_a_win_where_empty_piles_take_nothing() {
    let (mut rng, mut report) = (rng(17), Report::default());
    for round in 0..300 {
        small_game(&mut rng, Spaces::Nothing, QUICK, &mut report);
        made_up(&mut rng, Spaces::Nothing, QUICK, &mut report);
        middling_game(&mut rng, Spaces::Nothing, QUICK, &mut report);
        if round % 4 == 0 {
            real_deal(&mut rng, Spaces::Nothing, QUICK, &mut report);
        }
    }
    report.expect_clean();
    assert!(report.winnable > 20_000, "{}", report.text());
}

/// And where every card may.
#[test]
fn no_lemma_loses_a_win_where_empty_piles_take_any_card() {
    let (mut rng, mut report) = (rng(18), Report::default());
    for round in 0..300 {
        small_game(&mut rng, Spaces::Any, QUICK, &mut report);
        made_up(&mut rng, Spaces::Any, QUICK, &mut report);
        middling_game(&mut rng, Spaces::Any, QUICK, &mut report);
        if round % 4 == 0 {
            real_deal(&mut rng, Spaces::Any, QUICK, &mut report);
        }
    }
    report.expect_clean();
    assert!(report.winnable > 20_000, "{}", report.text());
}

/// Postponed draws have many cases, some of which matter in few positions only.
#[test]
fn no_lemma_loses_a_win_in_draw_one() {
    let (mut rng, mut report) = (rng(14), Report::default());
    let effort = Effort {
        searched: 40,
        permuted: 4,
        ..QUICK
    };
    for _ in 0..400 {
        let ranks = rng.random_range(4..=9);
        let count = rng.random_range(2..=5);
        let heights = heights(&mut rng, count, 4 * ranks);
        let rules = rules(4, ranks, heights, 1, rng.random_bool(0.5));
        let table = random_table(&mut rng, &rules);
        let walk = rng.random_range(0..20);
        check_from(&table, walk, effort, &mut rng, &mut report);
    }
    report.expect_clean();
    assert!(report.winnable > 20_000, "{}", report.text());
}

/// A relaxation that forgets that kings can come back from the foundation calls this dead: the
/// king of spades comes back into the empty column and takes the queen.
#[test]
fn a_king_may_come_back_to_take_a_queen() {
    for draw_count in [1, 3] {
        let rules = rules(4, 13, vec![1; 7], draw_count, true);
        let pile = |cards: &[&str]| {
            let cards: Vec<_> = cards.iter().map(|text| card(text)).collect();
            let face_down = cards.len().saturating_sub(1);
            Pile::new(cards, face_down)
        };
        let parts = TableParts {
            piles: vec![
                pile(&["KH"]),
                pile(&[]),
                pile(&["KC", "JH", "QH"]),
                pile(&[]),
                pile(&[]),
                pile(&[]),
                pile(&[]),
            ],
            // Clubs, diamonds, hearts, spades.
            foundations: [12, 13, 10, 13],
            ..TableParts::default()
        };
        let table = Table::from_parts(rules, parts).unwrap();
        let game = Game::new(&table).unwrap();
        assert_eq!(blocking::blocked(&game, &game.start(), Lemmas::ALL), None);
        let (mut rng, mut report) = (rng(13), Report::default());
        check_from(&table, 0, LONG, &mut rng, &mut report);
        report.expect_clean();
        assert!(report.winnable > 0 && report.counts.contains_key("search with all lemmas"));
    }
}

/// "What was just played up stays up" is wrong: 3C goes up to turn up 4D, comes back onto it to
/// take 2D, and 4D goes with both onto the king of clubs.
#[test]
fn a_card_just_played_up_may_come_back() {
    for draw_count in [1, 2, 3] {
        let rules = rules(2, 5, vec![1; 3], draw_count, true);
        let pile = |cards: [&str; 3], count: usize| {
            let cards: Vec<_> = cards[..count].iter().map(|text| card(text)).collect();
            Pile::new(cards, count - 1)
        };
        let parts = TableParts {
            piles: vec![
                pile(["AD", "4D", "3C"], 3),
                pile(["5C", "2D", ""], 2),
                pile(["3D", "4C", "5D"], 3),
            ],
            foundations: [2, 0, 0, 0],
            ..TableParts::default()
        };
        let table = Table::from_parts(rules, parts).unwrap();
        let (mut rng, mut report) = (rng(15), Report::default());
        check_from(&table, 0, LONG, &mut rng, &mut report);
        report.expect_clean();
        assert!(report.winnable > 0 && report.counts.contains_key("search with all lemmas"));
    }
}

/// The example of lemma `safe-foundation`: one safe move, 4S, makes the way to the last face-down
/// card longer, all safe moves together do not.
#[test]
fn a_single_safe_move_may_cost_a_step() {
    let rules = rules(4, 5, vec![1, 2], 1, true);
    let cards = |texts: &[&str]| texts.iter().map(|text| card(text)).collect::<Vec<_>>();
    let parts = TableParts {
        piles: vec![
            Pile::new(cards(&["4S"]), 0),
            Pile::new(cards(&["5D", "4C", "3D"]), 1),
        ],
        foundations: [3, 2, 5, 3],
        stock: cards(&["4D", "5C", "5S"]),
        ..TableParts::default()
    };
    let table = Table::from_parts(rules, parts).unwrap();
    let game = Game::new(&table).unwrap();
    let start = game.start();
    let graph = Graph::explore(&game, &start, 10_000, &mut rng(16));
    assert!(graph.complete);
    let nu = |state: &State| graph.nu[graph.find(&game, state).unwrap()];
    let after = game.apply(&start, Move::Stack(card("4S")));
    assert!(safe_foundation::safe(&game, &start).contains(card("4S")));
    assert_eq!((nu(&start), nu(&after)), (1, 2));
    assert_eq!(nu(&closure(&game, start)), 0);
}

/// What is still done in draw 1 while a card can go up (lemma `shuttle-order`). First position:
/// with 5S up, 4H lies on 5C, and 6C, which no red seven takes, does not go up; so 4C goes up for
/// 5C, the twin of 5S. Second: while 6C can go up, 4H comes back to 5S, 5D is drawn onto 6C, 4S
/// onto that, and 3H comes back to take 2S.
#[test]
fn some_moves_do_not_wait_for_a_card_that_can_go_up() {
    let cards = |texts: &str| texts.split_whitespace().map(card).collect::<Vec<_>>();
    let position = |ranks, piles: &[(&str, usize)], foundations, stock| {
        let rules = rules(4, ranks, vec![1; piles.len()], 1, true);
        let pile = |&(texts, face_down)| Pile::new(cards(texts), face_down);
        let parts = TableParts {
            piles: piles.iter().map(pile).collect(),
            // Clubs, diamonds, hearts, spades.
            foundations,
            stock: cards(stock),
            ..TableParts::default()
        };
        Table::from_parts(rules, parts).unwrap()
    };
    let for_the_twin = position(
        7,
        &[("6S AH 6C 5C", 3), ("7S 6D 5S 4H", 0)],
        [3, 5, 0, 4],
        "4C 2H 3H 5H 6H 7H 7C 7D",
    );
    let to_come_back = position(
        6,
        &[
            ("6S 6D 6H 5H 4D 3D 2D AD 3S AS 2S", 10),
            ("6C", 0),
            ("5S", 0),
        ],
        [5, 0, 4, 0],
        "5D 4S",
    );
    for table in [for_the_twin, to_come_back] {
        let (mut rng, mut report) = (rng(20), Report::default());
        check_from(&table, 0, LONG, &mut rng, &mut report);
        report.expect_clean();
        assert!(report.winnable > 0 && report.counts.contains_key("search with all lemmas"));
    }
}

/// Where empty piles take any card the closure may make the way to the last face-down card longer:
/// with 4S on the table, 3H has a card to go on and leaves an empty pile.
#[test]
fn the_closure_may_cost_a_step_where_empty_piles_take_any_card() {
    let rules = with_spaces(&rules(4, 6, vec![1; 5], 1, false), Spaces::Any);
    let cards = |texts: &[&str]| texts.iter().map(|text| card(text)).collect::<Vec<_>>();
    let parts = TableParts {
        piles: vec![
            Pile::new(cards(&["6H", "5S", "4D", "3S"]), 0),
            Pile::new(cards(&["3H", "4H"]), 1),
            Pile::new(cards(&["6D", "5D", "3D", "6S"]), 3),
            Pile::new(cards(&["6C", "5H", "4S"]), 0),
            Pile::new(Vec::new(), 0),
        ],
        foundations: [5, 2, 2, 2],
        ..TableParts::default()
    };
    let table = Table::from_parts(rules, parts).unwrap();
    let game = Game::deciding(&table).unwrap();
    let start = game.start();
    let graph = Graph::explore(&game, &start, 10_000, &mut rng(19));
    assert!(graph.complete);
    let end = graph.find(&game, &closure(&game, start)).unwrap();
    let start = graph.find(&game, &start).unwrap();
    assert_eq!((graph.nu[start], graph.nu[end]), (4, 5));
    assert!(graph.mu[end] < graph.mu[start]);
}

/// Small games of draw 1, mostly closed under safe moves: for the chains of draws.
fn chains(rng: &mut Rng, report: &mut Report) {
    let effort = Effort {
        relaxed: 1000,
        offered: 0,
        searched: 10,
        permuted: 4,
        asked: 0,
        ..LONG
    };
    let ranks = rng.random_range(4..=9);
    let count = rng.random_range(2..=5);
    let heights = heights(rng, count, 4 * ranks);
    let rules = rules(4, ranks, heights, 1, rng.random_bool(0.5));
    let table = random_table(rng, &rules);
    let walk = rng.random_range(0..20);
    check_from(&table, walk, effort, rng, report);
}

/// What is compared in games made for the rules about moves of draw 2 and more.
const OFFERED: Effort = Effort {
    relaxed: 100,
    offered: 12_000,
    searched: 10,
    permuted: 4,
    asked: 0,
    ..LONG
};

/// Small games of draw 2 and more with most cards in deep columns: for safe reveals.
fn deep_columns(rng: &mut Rng, report: &mut Report) {
    let ranks = rng.random_range(5..=6);
    let piles = rng.random_range(3..=4);
    let talon = rng.random_range(3..=6);
    let heights = vec![(4 * ranks - talon) / piles; usize::from(piles)];
    let rules = rules(4, ranks, heights, draw_count(rng).max(2), true);
    let table = random_table(rng, &rules);
    check_from(&table, 0, OFFERED, rng, report);
}

/// Positions of draw 2 and more in which the last talon card can go up.
fn last_cards(rng: &mut Rng, report: &mut Report) {
    let ranks = rng.random_range(4..=13);
    let piles = rng.random_range(2..=6);
    let draw_count = draw_count(rng).max(2);
    let rules = rules(4, ranks, vec![1; piles], draw_count, rng.random_bool(0.6));
    let most = rng.random_range(8..=18);
    let table = random_position(rng, &rules, Pattern::LastTalonCardUp, most);
    check_from(&table, 0, OFFERED, rng, report);
}

#[test]
#[ignore = "hours; the number of states is KLONDIKE_FUZZ_STATES, a million if not set"]
fn long_fuzz() {
    let wanted = number_from_env("KLONDIKE_FUZZ_STATES", 1_000_000);
    let seed = number_from_env("KLONDIKE_FUZZ_SEED", 1);
    let start = Instant::now();
    let mut shown = Instant::now();
    let (mut rng, mut report) = (rng(seed << 32), Report::default());
    loop {
        let (stated, searched) = report.least();
        if stated >= wanted && searched >= wanted {
            break;
        }
        if searched < wanted {
            let spaces = match rng.random_range(0..10) {
                0..6 => Spaces::Kings,
                6..8 => Spaces::Any,
                _ => Spaces::Nothing,
            };
            real_deal(&mut rng, spaces, LONG, &mut report);
            middling_game(&mut rng, spaces, LONG, &mut report);
            made_up(&mut rng, spaces, LONG, &mut report);
            small_game(&mut rng, spaces, LONG, &mut report);
        }
        chains(&mut rng, &mut report);
        last_cards(&mut rng, &mut report);
        deep_columns(&mut rng, &mut report);
        if shown.elapsed() > Duration::from_secs(60) {
            shown = Instant::now();
            println!("after {} s: {}", start.elapsed().as_secs(), report.text());
        }
    }
    println!("after {} s: {}", start.elapsed().as_secs(), report.text());
    report.expect_clean();
}
