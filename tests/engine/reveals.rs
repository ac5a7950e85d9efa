//! Lemmas `safe-reveal` and `clear-for-king` along random play: where they leave moves out, a
//! search with them finds a win if one without them does.
//!
//! The games are larger than those whose exact graphs `fuzz_states.rs` compares: only where columns
//! are deep, and cards can go up before columns are cleared, the conditions of the lemmas matter.

use crate::common_kplus::{TASTES, random_table, rng, rules};
use klondike_engine::search::{Job, Limits, Outcome, depth_first};
use klondike_lemmas::kplus::{Game, State, moves, talon};
use klondike_lemmas::prune::offer::{self, Piles};
use klondike_lemmas::prune::{Lemma, Lemmas};
use rand::RngExt;

const PLAIN: Lemmas = Lemmas::NONE
    .with(Lemma::SafeFoundation)
    .with(Lemma::ShuttleOrder);

/// Whether the state can be won; `None` if that takes too long.
fn wins(game: &Game, lemmas: Lemmas, state: &State) -> Option<bool> {
    let limits = Limits {
        max_states: Some(20_000),
        ..Limits::default()
    };
    match depth_first::solve(&mut Job::new(game, lemmas, limits), state) {
        Outcome::Found(_) => Some(true),
        Outcome::Exhausted(_) => Some(false),
        Outcome::Stopped(_) => None,
    }
}

#[test]
fn reveals_that_are_left_out_lose_no_win() {
    let mut rng = rng(27);
    let mut winnable = [0; 2];
    for round in 0..40_000 {
        let ranks = rng.random_range(4..=8);
        let piles = rng.random_range(3..=6);
        let height = rng.random_range(2..=4).min(4 * ranks / piles);
        let heights = vec![height; usize::from(piles)];
        let rules = rules(4, ranks, heights, rng.random_range(2..=5), true);
        let game = Game::new(&random_table(&mut rng, &rules)).unwrap();
        let (mut state, taste) = (game.start(), TASTES[round % TASTES.len()]);
        for _ in 0..60 {
            for (lemma, winnable) in [Lemma::SafeReveal, Lemma::ClearForKing]
                .into_iter()
                .zip(&mut winnable)
            {
                let with = PLAIN.with(lemma);
                let offered = |lemmas| {
                    let (piles, playable) = (
                        Piles::new(&game, lemmas, &state),
                        talon::playable(&game, &state),
                    );
                    offer::offered(&game, lemmas, &piles, &state, playable)
                };
                if offered(with) == offered(PLAIN) || wins(&game, PLAIN, &state) != Some(true) {
                    continue;
                }
                *winnable += 1;
                let (key, waste) = (state.key(), state.waste());
                assert_ne!(
                    wins(&game, with, &state),
                    Some(false),
                    "{lemma}: {rules}, key {key}, waste {waste}"
                );
            }
            let moves: Vec<_> = moves::legal(&game, &state).iter().collect();
            let Some(made) = taste.choose(&mut rng, &moves) else {
                break;
            };
            state = game.apply(&state, made);
        }
    }
    assert!(winnable.iter().all(|&count| count > 1_000), "{winnable:?}");
}
