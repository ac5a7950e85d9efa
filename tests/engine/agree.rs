//! Every way to decide a small deal gives the same verdict: brute force at the table, the K+
//! search without lemmas, with each lemma alone, with each left out, with all, with random ones.
//!
//! The long run: `cargo test --release --test engine agree:: -- --ignored --nocapture`.

use std::collections::BTreeMap;

use crate::common::share;
use crate::common_kplus::check::lemma_sets;
use crate::common_kplus::{
    PATTERNS, TASTES, random_position, random_table, rng, rules, small_rules, table_move,
    with_spaces,
};
use klondike_engine::prove::{Verdict, decide};
use klondike_engine::search::{Job, Limits, Outcome, brute, depth_first};
use klondike_game::rules::Spaces;
use klondike_game::table::Table;
use klondike_lemmas::kplus::{Game, Move};
use klondike_lemmas::prune::{Lemma, Lemmas, blocking};
use rand::RngExt;

/// Whether any moves at the table win; `None` if there are more than `limit` positions.
fn brute_force(start: &Table, limit: u64) -> Option<bool> {
    let limits = Limits {
        max_states: Some(limit),
        ..Limits::default()
    };
    match brute::solve_within(start, &limits).0 {
        Outcome::Found(_) => Some(true),
        Outcome::Exhausted(_) => Some(false),
        Outcome::Stopped(_) => None,
    }
}

fn search(game: &Game, lemmas: Lemmas) -> Outcome<Move> {
    let limits = Limits {
        max_states: Some(300_000),
        ..Limits::default()
    };
    depth_first::solve(&mut Job::new(game, lemmas, limits), &game.start())
}

#[derive(Debug, Default)]
struct Tally {
    deals: usize,
    winnable: usize,
    by_brute_force: usize,
    searches: usize,
    unfinished: usize,
    refuted: usize,
    /// Deals by draw count, with and without worrying back.
    by_rules: BTreeMap<(usize, bool), usize>,
}

impl Tally {
    /// Decides one position in every way and compares.
    fn compare(&mut self, table: &Table, sets: &[(String, Lemmas)], brute_limit: u64) {
        let game = Game::deciding(table).unwrap();
        let winnable = match search(&game, Lemmas::NONE) {
            Outcome::Found(_) => true,
            Outcome::Exhausted(_) => false,
            Outcome::Stopped(_) => {
                self.unfinished += 1;
                return;
            }
        };
        if let Some(truth) = brute_force(table, brute_limit) {
            self.by_brute_force += 1;
            assert_eq!(winnable, truth, "the table disagrees on {table:?}");
        }
        for (name, lemmas) in sets {
            let found = match search(&game, *lemmas) {
                Outcome::Found(_) => true,
                Outcome::Exhausted(_) => false,
                Outcome::Stopped(_) => {
                    self.unfinished += 1;
                    continue;
                }
            };
            self.searches += 1;
            assert_eq!(found, winnable, "{name} ({lemmas:?}) is wrong on {table:?}");
            // The search asks for this only if it does not end soon.
            let refuted = blocking::is_refuted(&game, &game.start(), *lemmas);
            assert!(
                !(refuted && winnable),
                "{name} refutes what can be won: {table:?}"
            );
        }
        if blocking::is_refuted(&game, &game.start(), Lemmas::ALL) {
            self.refuted += 1;
            assert!(!winnable, "refuted though winnable: {table:?}");
        }
        // The verdict on top of it all; a solution in it was replayed.
        let lemmas = sets[self.deals % sets.len()].1;
        let decision = decide(table, lemmas, &Limits::default()).unwrap();
        match decision.verdict {
            Verdict::Winnable(_) => assert!(winnable, "{lemmas:?} on {table:?}"),
            Verdict::Unwinnable(_) => assert!(!winnable, "{lemmas:?} on {table:?}"),
            Verdict::Undecided(limit) => panic!("undecided by {limit} without limits"),
        }
        let rules = (table.rules().draw_count(), table.rules().worrying_back());
        *self.by_rules.entry(rules).or_default() += 1;
        self.deals += 1;
        self.winnable += usize::from(winnable);
    }
}

/// Random positions: deals, deals played for a while, and positions made after a pattern.
fn compare_random(seed: u64, spaces: Spaces, rounds: usize, brute_limit: u64) -> Tally {
    let mut rng = rng(seed);
    let mut tally = Tally::default();
    for round in 0..rounds {
        let table = if round % 6 == 5 {
            let ranks = rng.random_range(2..=7);
            let suits = rng.random_range(1..=4_u8);
            let piles = rng.random_range(1..=5_u8).min(suits * ranks);
            let draw_count = rng.random_range(1..=5);
            let worrying_back = rng.random_bool(0.7);
            let heights = vec![1; usize::from(piles)];
            let rules = rules(suits, ranks, heights, draw_count, worrying_back);
            let rules = with_spaces(&rules, spaces);
            let pattern = PATTERNS[rng.random_range(0..PATTERNS.len())];
            random_position(&mut rng, &rules, pattern, 14)
        } else {
            let rules = with_spaces(&small_rules(&mut rng, 6, 5, 5), spaces);
            let mut table = random_table(&mut rng, &rules);
            if round % 6 == 4 {
                let taste = TASTES[rng.random_range(0..TASTES.len())];
                for _ in 0..rng.random_range(0..30) {
                    let Some(made) = table_move(&mut rng, &table, taste) else {
                        break;
                    };
                    table.make(made).unwrap();
                }
            }
            table
        };
        let sets = lemma_sets(&mut rng, 3);
        tally.compare(&table, &sets, brute_limit);
    }
    tally
}

#[test]
fn all_searches_agree_with_brute_force_on_small_deals() {
    let tally = compare_random(20, Spaces::Kings, share(28_000), 600);
    println!("{tally:?}");
    assert!(
        tally.by_brute_force > share(20_000) && tally.unfinished < 20,
        "{tally:?}"
    );
    assert!(
        tally.winnable > share(5000) && tally.deals - tally.winnable > share(5000),
        "{tally:?}"
    );
}

/// Where empty piles take nothing the K+ state is the same, and fewer moves are legal.
#[test]
fn all_searches_agree_where_empty_piles_take_nothing() {
    let tally = compare_random(23, Spaces::Nothing, share(10_000), 600);
    println!("{tally:?}");
    assert!(
        tally.by_brute_force > share(8_000) && tally.unfinished < 20,
        "{tally:?}"
    );
    assert!(
        tally.winnable > share(1000) && tally.deals - tally.winnable > share(1000),
        "{tally:?}"
    );
}

/// Where empty piles take any card more moves are legal, and some lemmas are not used.
#[test]
fn all_searches_agree_where_empty_piles_take_any_card() {
    let tally = compare_random(24, Spaces::Any, share(14_000), 600);
    println!("{tally:?}");
    assert!(
        tally.by_brute_force > share(6_000) && tally.unfinished < 20,
        "{tally:?}"
    );
    assert!(
        tally.winnable > share(1000) && tally.deals - tally.winnable > share(1000),
        "{tally:?}"
    );
}

/// `cargo test --release --test engine agree:: -- --ignored --nocapture`
#[test]
#[ignore = "many minutes"]
fn all_searches_agree_with_brute_force_on_many_small_deals() {
    for spaces in [Spaces::Kings, Spaces::Any] {
        let tally = compare_random(21, spaces, 250_000, 1500);
        println!("{spaces:?}: {tally:?}");
        assert!(tally.by_brute_force > 100_000, "{tally:?}");
    }
}

#[test]
fn all_sets_of_lemmas_agree() {
    let mut rng = rng(22);
    // Three lemmas matter under other rules only (passes.rs, whole_runs.rs, table_engine.rs,
    // decide.rs), and two need two others: 28,672 sets are left.
    let unused = [Lemma::FewerRedeals, Lemma::FewerHolds, Lemma::WeakerRules];
    let needing = [Lemma::SafeReveal, Lemma::ClearForKing];
    let needed = [Lemma::SafeFoundation, Lemma::ShuttleOrder];
    let sets: Vec<(String, Lemmas)> = (0..1 << Lemma::ALL.len())
        .map(|bits| (format!("set {bits}"), Lemmas::from_bits(bits)))
        .filter(|(_, set)| {
            !unused.iter().any(|&lemma| set.has(lemma))
                && (needed.iter().all(|&lemma| set.has(lemma))
                    || !needing.iter().any(|&lemma| set.has(lemma)))
        })
        .collect();
    assert_eq!(sets.len(), 28_672);
    let mut tally = Tally::default();
    for round in 0..45 {
        let spaces = [Spaces::Kings, Spaces::Any, Spaces::Nothing][round % 3];
        let rules = with_spaces(&small_rules(&mut rng, 6, 5, 5), spaces);
        tally.compare(&random_table(&mut rng, &rules), &sets, 400);
    }
    println!("{tally:?}");
    assert!(tally.searches > 600_000, "{tally:?}");
}
