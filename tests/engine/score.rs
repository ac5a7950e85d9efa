//! Best scores against the brute force on tiny decks, with every lemma and with each left out.

use std::sync::Arc;

use crate::brute::Positions;
use crate::common::{random_table, replay, rng, share};
use klondike_engine::prove::Verdict;
use klondike_engine::prove::score::{best_score, vegas_score};
use klondike_engine::search::score::{ScoreNews, Scored};
use klondike_engine::search::{Budget, Limit, Limits};
use klondike_game::rules::{Redeals, Runs, Spaces};
use klondike_game::table::Table;
use klondike_game::table::position::write_position;
use klondike_lemmas::prune::{Lemma, Lemmas};
use rand::RngExt;
use rand::rngs::StdRng;

const REDEALS: [Redeals; 4] = [
    Redeals::Unlimited,
    Redeals::Limited(0),
    Redeals::Limited(1),
    Redeals::Limited(2),
];

/// A random position of draw 1 to 3, with the redeals of this number.
fn position(rng: &mut StdRng, most_cards: usize, number: usize) -> Option<Table> {
    let table = random_table(rng, most_cards);
    let redeals = REDEALS[number % REDEALS.len()];
    let rules = table.rules().to_builder().runs(Runs::Partial);
    let rules = rules.spaces(Spaces::Kings).redeals(redeals);
    let rules = rules.draw_count(rng.random_range(1..=3));
    let mut parts = table.to_parts();
    parts.redeals_used = 0;
    parts.pending = None;
    let table = Table::from_parts(Arc::new(rules.build().unwrap()), parts).ok()?;
    Scored::new(&table).is_ok().then_some(table)
}

/// How the positions compared were.
#[derive(Debug, Default)]
struct Compared {
    /// By their redeals.
    redeals: [usize; 4],
    /// By the draw count less one.
    draws: [usize; 3],
    without_worrying_back: usize,
    won: usize,
    /// Positions whose best score is neither that of the start nor all cards.
    between: usize,
}

/// Compares with brute force on `count` positions.
fn compare(seed: u64, count: usize, all_lemmas: bool) -> Compared {
    let mut rng = rng(seed);
    let mut seen = Compared::default();
    let mut compared = 0;
    while compared < count {
        let Some(table) = position(&mut rng, 13, compared) else {
            continue;
        };
        let Ok(positions) = Positions::from(&table, 3_000) else {
            continue;
        };
        let truth = positions.best_score();
        let shown = || format!("{}\n{}", table.rules(), write_position(&table));
        let cards = table.rules().deck().len();
        // Most tiny games can be won; the others say more.
        if usize::from(truth) == cards && rng.random_bool(0.75) {
            continue;
        }
        let mut sets = vec![Lemmas::ALL, Lemmas::NONE, Lemmas::from_bits(rng.random())];
        if all_lemmas {
            sets.extend(Lemma::ALL.map(|lemma| Lemmas::ALL.without(lemma)));
            sets.extend(Lemma::ALL.map(|lemma| {
                Lemma::ALL
                    .into_iter()
                    .filter(|&other| other != lemma)
                    .fold(Lemmas::ALL, Lemmas::without)
            }));
        }
        let scored = Scored::new(&table).unwrap();
        for lemmas in sets {
            let mut budget = Budget::new(Limits::default());
            let found = scored.search(lemmas, cards as u8, &mut budget, &mut |_| {});
            assert_eq!(
                (found.score, found.at_most, found.limit),
                (truth, truth, None),
                "{lemmas:?} {}",
                shown()
            );
        }
        let known = best_score(&table, Lemmas::ALL, &Limits::default(), &mut |_| {}).unwrap();
        assert!(known.is_proved() && known.score == truth, "{}", shown());
        let end = replay(&table, &known.moves);
        assert_eq!(end.foundation_count(), usize::from(truth), "{}", shown());
        let won = usize::from(truth) == cards;
        assert_eq!(matches!(known.verdict, Verdict::Winnable(_)), won);
        seen.redeals[compared % 4] += 1;
        seen.draws[table.rules().draw_count() - 1] += 1;
        seen.without_worrying_back += usize::from(!table.rules().worrying_back());
        seen.won += usize::from(won);
        seen.between += usize::from(!won && usize::from(truth) > table.foundation_count());
        compared += 1;
    }
    seen
}

#[test]
fn best_scores_agree_with_brute_force() {
    let seen = compare(81, share(5_200), false);
    assert!(
        seen.redeals.iter().all(|&count| count >= share(1_300)),
        "{seen:?}"
    );
    assert!(
        seen.draws.iter().all(|&count| count > share(1_000)),
        "{seen:?}"
    );
    assert!(
        [seen.without_worrying_back, seen.won, seen.between]
            .iter()
            .all(|&count| count > share(1_000)),
        "{seen:?}"
    );
}

#[test]
fn each_lemma_alone_and_each_left_out_give_the_same_score() {
    let seen = compare(82, 700, true);
    assert!(seen.won > 100 && seen.between > 100, "{seen:?}");
}

#[test]
fn limits_leave_a_line_and_an_upper_bound_and_news_get_better() {
    // Two piles of six ranks, most of it face down: far from won.
    let mut rng = rng(83);
    let mut stopped = 0;
    for _ in 0..200 {
        let Some(table) = position(&mut rng, 16, 0) else {
            continue;
        };
        let Ok(positions) = Positions::from(&table, 3_000) else {
            continue;
        };
        let truth = positions.best_score();
        for states in [0, 1, 3, 10] {
            let limits = Limits {
                max_states: Some(states),
                ..Limits::default()
            };
            let known = best_score(&table, Lemmas::ALL, &limits, &mut |_| {}).unwrap();
            assert!(known.score <= truth && truth <= known.at_most);
            assert!(known.limit.is_none() == known.is_proved());
            let end = replay(&table, &known.moves);
            assert_eq!(end.foundation_count(), usize::from(known.score));
            stopped += usize::from(known.limit == Some(Limit::States));
        }
        let mut news = (0, u8::MAX);
        let mut report = |one| match one {
            ScoreNews::Found(score) => {
                assert!(score > news.0 || news.0 == 0);
                news.0 = score;
            }
            ScoreNews::AtMost(score) => {
                assert!(score < news.1);
                news.1 = score;
            }
        };
        best_score(&table, Lemmas::ALL, &Limits::default(), &mut report).unwrap();
        assert!(news.0 <= truth && truth <= news.1);
    }
    assert!(stopped > 20, "{stopped}");
}

#[test]
fn vegas_pays_five_for_each_card() {
    assert_eq!(vegas_score(0, 52), -52);
    assert_eq!(vegas_score(52, 52), 208);
    assert_eq!(vegas_score(10, 52), -2);
}
