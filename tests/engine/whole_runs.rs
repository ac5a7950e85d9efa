//! The search for whole runs against brute force and the search on table positions.

use crate::common::{replay, rng};
use crate::common_whole_runs::{small, with_twins};
use klondike_engine::search::table;
use klondike_engine::search::whole_runs::WholeRuns;
use klondike_engine::search::{Limits, Outcome, brute};
use klondike_game::table::Table;
use klondike_game::table::position::write_position;
use klondike_lemmas::prune::{Lemma, Lemmas};
use rand::RngExt;
use rand::rngs::StdRng;

fn within(states: u64) -> Limits {
    Limits {
        max_states: Some(states),
        ..Limits::default()
    }
}

/// Every lemma, none, all but one, some, and the one about holds alone.
fn sets(rng: &mut StdRng) -> [Lemmas; 5] {
    let one = Lemma::ALL[rng.random_range(0..Lemma::ALL.len())];
    let some = Lemmas::from_bits(rng.random_range(0..1 << Lemma::ALL.len()));
    let holds = Lemmas::NONE.with(Lemma::FewerHolds);
    [
        Lemmas::ALL,
        Lemmas::NONE,
        Lemmas::ALL.without(one),
        some,
        holds,
    ]
}

/// Checks the answers of the search with several sets of lemmas.
fn check(rng: &mut StdRng, table: &Table, truth: bool) {
    for lemmas in sets(rng) {
        let shown = || format!("{} {lemmas:?}\n{}", table.rules(), write_position(table));
        let game = WholeRuns::new(table).unwrap();
        match game.solve(lemmas, &within(300_000), &[]).0 {
            Outcome::Found(moves) => {
                assert!(truth, "{}", shown());
                assert!(replay(table, &moves).is_won(), "{}", shown());
            }
            Outcome::Exhausted(_) => assert!(!truth, "{}", shown()),
            Outcome::Stopped(limit) => panic!("stopped by {limit}: {}", shown()),
        }
    }
}

fn wins(outcome: &Outcome) -> Option<bool> {
    match outcome {
        Outcome::Found(_) => Some(true),
        Outcome::Exhausted(_) => Some(false),
        Outcome::Stopped(_) => None,
    }
}

/// Small positions, against brute force; numbers of winnable ones and others.
fn compare_small(seed: u64, count: usize) -> [usize; 2] {
    let mut rng = rng(seed);
    let mut counts = [0; 2];
    while counts[0] + counts[1] < count {
        let table = small(&mut rng);
        let Some(truth) = wins(&brute::solve_within(&table, &within(3_000)).0) else {
            continue;
        };
        check(&mut rng, &table, truth);
        counts[usize::from(truth)] += 1;
    }
    counts
}

/// Positions with twins, against the search on table positions without prunings; numbers of
/// winnable ones, of others, and of those of them that partial runs would win.
fn compare_with_twins(seed: u64, count: usize) -> [usize; 3] {
    let mut rng = rng(seed);
    let mut counts = [0; 3];
    while counts[0] + counts[1] < count {
        let table = with_twins(&mut rng);
        let Some(truth) = wins(&table::solve(&table, Lemmas::NONE, &within(20_000)).0) else {
            continue;
        };
        check(&mut rng, &table, truth);
        counts[usize::from(!truth)] += 1;
        let relaxed = table.relaxed();
        let lost_by_holds =
            !truth && wins(&table::solve(&relaxed, Lemmas::ALL, &within(20_000)).0) == Some(true);
        counts[2] += usize::from(lost_by_holds);
    }
    counts
}

#[test]
fn small_games_agree_with_brute_force_with_every_set_of_lemmas() {
    let counts = compare_small(61, 1_500);
    assert!(counts.iter().all(|&count| count > 300), "{counts:?}");
}

#[test]
fn games_that_holds_decide_agree_with_the_search_on_table_positions() {
    let counts = compare_with_twins(62, 2_500);
    assert!(counts[2] > 50, "{counts:?}");
}

/// 200,000 small positions and 40,000 with twins. `cargo test --release --test engine -- --ignored
/// many_whole_runs`
#[test]
#[ignore = "takes long"]
fn many_whole_runs_agree() {
    println!("{:?}", compare_small(63, 200_000));
    println!("{:?}", compare_with_twins(64, 40_000));
}
