//! The fewest moves to the best score against brute force at the table, on tiny decks, for every
//! way of counting.

use std::sync::Arc;

use crate::brute::Positions;
use crate::common::{random_deal, random_table, replay, rng, share};
use klondike_engine::prove::fewest_moves::{FewestNews, fewest_moves};
use klondike_engine::search::shortest::graph::{Graph, game_of};
use klondike_engine::search::shortest::score::ScoreSearch;
use klondike_engine::search::shortest::{Count, Ended, News, line};
use klondike_engine::search::{Budget, Limit, Limits};
use klondike_game::rules::{Redeals, Runs, Spaces};
use klondike_game::table::Table;
use klondike_game::table::position::write_position;
use klondike_lemmas::kplus::{Game, Unsupported};
use klondike_lemmas::prune::{Lemma, Lemmas};
use rand::RngExt;
use rand::rngs::StdRng;

/// A random position of draw 1 to 3 that the K+ state covers.
fn position(rng: &mut StdRng, most_cards: usize) -> Option<Table> {
    let table = random_table(rng, most_cards);
    let rules = table.rules().to_builder().runs(Runs::Partial);
    let redeals = match rng.random_range(0..6) {
        redeals @ 0..3 => Redeals::Limited(redeals),
        _ => Redeals::Unlimited,
    };
    let rules = rules.spaces(Spaces::Kings).redeals(redeals);
    let rules = rules.draw_count(rng.random_range(1..=3));
    let mut parts = table.to_parts();
    parts.redeals_used = 0;
    parts.pending = None;
    let table = Table::from_parts(Arc::new(rules.build().unwrap()), parts).ok()?;
    let game = game_of(&table).ok()?;
    Graph::new(&game, Count::Cards).read(&table)?;
    Some(table)
}

/// What a move costs, with the card that it may turn up.
fn cost(count: Count, made: klondike_game::table::Move, turns_up: bool) -> u16 {
    count.of_move(made) + u16::from(count == Count::Flips && turns_up)
}

fn shown(table: &Table, count: Count) -> String {
    format!("{count:?} {}\n{}", table.rules(), write_position(table))
}

/// How the positions compared were.
#[derive(Debug, Default)]
struct Compared {
    won: usize,
    /// Not won, and a line is needed.
    between: usize,
    without_worrying_back: usize,
    /// Positions in which the four ways of counting disagree beyond the order of their names.
    lengths: usize,
    draws: [usize; 3],
}

/// Compares with brute force on `positions` positions, each for every way of counting.
fn compare(seed: u64, positions: usize) -> Compared {
    let mut rng = rng(seed);
    let mut seen = Compared::default();
    let mut compared = 0;
    while compared < positions {
        let Some(table) = position(&mut rng, 13) else {
            continue;
        };
        let Ok(positions) = Positions::from(&table, 3_000) else {
            continue;
        };
        let score = positions.best_score();
        let cards = table.rules().deck().len();
        let won = usize::from(score) == cards;
        // What is won or needs no move says little.
        let still = usize::from(score) == table.foundation_count();
        if (won || still) && rng.random_bool(0.85) {
            continue;
        }
        let game = game_of(&table).unwrap();
        let mut lengths = Vec::new();
        for count in Count::ALL {
            let shown = || shown(&table, count);
            let costs = |made, turns_up| cost(count, made, turns_up);
            let truth = positions.least_cost(score, costs);
            let truth = truth.unwrap();
            lengths.push(truth);
            // The whole way, from the verdict on.
            let limits = Limits::default();
            let known = fewest_moves(&table, count, Lemmas::ALL, &limits, &mut |_| {}).unwrap();
            assert!(known.is_proved() && known.limit.is_none(), "{}", shown());
            assert_eq!(known.best.score, score, "{}", shown());
            assert_eq!(known.length, u32::from(truth), "{}", shown());
            let end = replay(&table, &known.best.moves);
            assert_eq!(end.foundation_count(), usize::from(score), "{}", shown());
            let length = count.length_of_line(&table, &known.best.moves, &end);
            assert_eq!(length, u32::from(truth), "{}", shown());
            // The search alone, with no line known before, also for deals that can be won, and
            // with other lemmas.
            let root = Graph::new(&game, count).read(&table).unwrap();
            for lemmas in [
                Lemmas::ALL,
                Lemmas::NONE,
                Lemmas::ALL.without(Lemma::TwinOrder),
                Lemmas::from_bits(rng.random()),
            ] {
                let mut budget = Budget::new(Limits::default());
                let mut quiet = |_| {};
                let mut search = ScoreSearch::new(&game, count, score, lemmas, &mut quiet);
                let Ended::Shortest(found, cost) = search.run(&root, None, &mut budget) else {
                    panic!("no line: {}", shown());
                };
                assert_eq!(cost, truth, "{lemmas:?} {}", shown());
                let moves = line::realize(&table, &found).unwrap();
                let end = replay(&table, &moves);
                let length = count.length_of_line(&table, &moves, &end);
                assert_eq!(length, u32::from(truth), "{lemmas:?} {}", shown());
                let ended = search_below(&game, count, score, &root, truth);
                assert_eq!(ended, Ended::NoneBelow, "{}", shown());
            }
        }
        seen.won += usize::from(won);
        seen.between += usize::from(!won && !still);
        seen.without_worrying_back += usize::from(!table.rules().worrying_back());
        lengths.sort_unstable();
        lengths.dedup();
        seen.lengths += usize::from(lengths.len() > 2);
        seen.draws[table.rules().draw_count() - 1] += 1;
        compared += 1;
    }
    seen
}

fn search_below(
    game: &Game,
    count: Count,
    score: u8,
    root: &klondike_engine::search::shortest::graph::Node,
    below: u16,
) -> Ended {
    let mut budget = Budget::new(Limits::default());
    let mut quiet = |_| {};
    let mut search = ScoreSearch::new(game, count, score, Lemmas::ALL, &mut quiet);
    search.run(root, Some(below), &mut budget)
}

#[test]
fn fewest_moves_agree_with_brute_force_for_every_way_of_counting() {
    let seen = compare(91, share(2_000));
    assert!(
        seen.draws.iter().all(|&count| count > share(400)),
        "{seen:?}"
    );
    assert!(
        seen.between > share(800)
            && seen.won > share(100)
            && seen.without_worrying_back > share(300),
        "{seen:?}"
    );
    assert!(seen.lengths > share(200), "{seen:?}");
}

#[test]
fn limits_leave_a_line_and_a_lower_bound_and_news_get_better() {
    let mut rng = rng(92);
    let mut stopped = 0;
    let mut compared = 0;
    while compared < 150 {
        let Some(table) = position(&mut rng, 16) else {
            continue;
        };
        let Ok(positions) = Positions::from(&table, 3_000) else {
            continue;
        };
        let score = positions.best_score();
        let count = Count::ALL[compared % 4];
        let costs = |made, turns_up| cost(count, made, turns_up);
        let truth = positions.least_cost(score, costs);
        let truth = u32::from(truth.unwrap());
        let shown = || shown(&table, count);
        for states in [0, 4, 20, 60] {
            let limits = Limits {
                max_states: Some(states),
                ..Limits::default()
            };
            let known = fewest_moves(&table, count, Lemmas::ALL, &limits, &mut |_| {}).unwrap();
            assert_eq!(known.limit.is_none(), known.is_proved(), "{}", shown());
            let end = replay(&table, &known.best.moves);
            assert_eq!(end.foundation_count(), usize::from(known.best.score));
            let length = count.length_of_line(&table, &known.best.moves, &end);
            assert_eq!(length, known.length, "{}", shown());
            assert!(known.at_least <= truth, "{}", shown());
            if known.best.score == score {
                assert!(known.length >= truth, "{}", shown());
            }
            stopped += usize::from(known.best.is_proved() && known.limit == Some(Limit::States));
        }
        let (mut least, mut most) = (0, u16::MAX);
        let mut report = |news| match news {
            FewestNews::Moves(News::AtLeast(bound)) => {
                assert!(bound >= least);
                least = bound;
            }
            FewestNews::Moves(News::Found(length)) => {
                assert!(length < most);
                most = length;
            }
            FewestNews::Score(_) => {}
        };
        fewest_moves(&table, count, Lemmas::ALL, &Limits::default(), &mut report).unwrap();
        assert!(u32::from(least) <= truth && truth <= u32::from(most));
        compared += 1;
    }
    assert!(stopped > 5, "{stopped}");
}

#[test]
fn memory_is_asked_for() {
    let mut rng = rng(93);
    let limits = Limits {
        memory_bytes: Some(1 << 14),
        ..Limits::default()
    };
    let mut stopped = 0;
    for _ in 0..300 {
        let Some(table) = position(&mut rng, 13) else {
            continue;
        };
        let known = fewest_moves(&table, Count::Draws, Lemmas::ALL, &limits, &mut |_| {}).unwrap();
        stopped += usize::from(known.limit == Some(Limit::Memory));
        assert!(known.best.memory_bytes <= 1 << 14);
    }
    assert!(stopped > 5, "{stopped}");
}

#[test]
fn whole_runs_are_refused() {
    let rules = klondike_game::rules::Rules::standard_draw(3).unwrap();
    let rules = rules.to_builder().runs(Runs::Whole);
    let rules = Arc::new(rules.build().unwrap());
    let table = random_deal(&mut rng(94), &rules);
    let limits = Limits::default();
    let refused = fewest_moves(&table, Count::Draws, Lemmas::ALL, &limits, &mut |_| {});
    assert_eq!(refused.unwrap_err(), Unsupported::Runs);
}
