//! Tests of searches that begin again and keep what they stored
//! (`docs/proofs/exhausted-search.md`, 1.3).

use super::passes::Passes;
use super::testing::{SmallDeal, some_lemmas};
use super::whole_runs::WholeRuns;
use super::{Job, Limits, Outcome, depth_first};
use klondike_game::rules::{Redeals, Rules, RulesBuilder, Runs, Spaces};
use klondike_game::table::Table;
use klondike_lemmas::kplus::Game;
use klondike_lemmas::prune::Lemmas;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

/// Rows of short searches: so many, of so many states.
const ROWS: [&[(u32, u64)]; 5] = [
    &[],
    &[(60, 1)],
    &[(40, 3)],
    &[(12, 10), (4, 40)],
    &[(1, 2), (1, 5), (1, 20)],
];

/// Compares searches of small games, each in a row of short ones, with one search without lemmas.
fn agrees_with_one_search<M>(
    games: u64,
    rules: impl Fn(&mut StdRng) -> RulesBuilder,
    relaxed: impl Fn(&Table) -> Game,
    search: impl Fn(&Table, &mut Job<'_>) -> Outcome<M>,
) {
    let (mut verdicts, mut begun_again) = ([0; 2], 0);
    for seed in 0..games {
        let mut rng = StdRng::seed_from_u64(seed);
        let table = SmallDeal::random(&mut rng, 4..=7).table(rules(&mut rng));
        let game = relaxed(&table);
        let is_won = |lemmas, row| {
            let mut job = Job::new(&game, lemmas, Limits::default());
            job.probes = Some(row);
            let won = matches!(search(&table, &mut job), Outcome::Found(_));
            (won, job.stats.states)
        };
        let (lemmas, row) = (some_lemmas(&mut rng), *ROWS.choose(&mut rng).unwrap());
        let ((won, states), (truth, _)) = (is_won(lemmas, row), is_won(Lemmas::NONE, &[]));
        assert_eq!(won, truth, "{seed}: {lemmas:?} {row:?} {table:?}");
        verdicts[usize::from(won)] += 1;
        begun_again += u64::from(row.first().is_some_and(|&(_, most)| states > most));
    }
    assert!(begun_again > games / 4, "{begun_again}");
    assert!(
        verdicts.iter().all(|&count| count > games / 10),
        "{verdicts:?}"
    );
}

#[test]
fn unlimited_redeals() {
    let rules = |rng: &mut StdRng| {
        let spaces = [Spaces::Kings, Spaces::Kings, Spaces::Any, Spaces::Nothing];
        Rules::builder()
            .draw_count(rng.random_range(1..=4))
            .worrying_back(rng.random())
            .spaces(*spaces.choose(rng).unwrap())
    };
    let relaxed = |table: &Table| Game::deciding(table).unwrap();
    agrees_with_one_search(3_000, rules, relaxed, |_, job| {
        let root = job.game.start();
        depth_first::solve(job, &root)
    });
}

#[test]
fn limited_redeals() {
    let rules = |rng: &mut StdRng| {
        let redeals = match rng.random_range(0..5) {
            4 => Redeals::LastPassByOnes,
            left => Redeals::Limited(left),
        };
        Rules::builder()
            .draw_count(rng.random_range(1..=3))
            .worrying_back(rng.random())
            .redeals(redeals)
    };
    let relaxed = |table: &Table| Passes::new(table).unwrap().game().clone();
    agrees_with_one_search(3_000, rules, relaxed, |table, job| {
        Passes::new(table).unwrap().search(job)
    });
}

#[test]
fn whole_runs() {
    let rules = |rng: &mut StdRng| {
        Rules::builder()
            .draw_count(rng.random_range(2..=3))
            .worrying_back(rng.random())
            .runs(Runs::Whole)
    };
    let relaxed = |table: &Table| Game::deciding(&table.relaxed()).unwrap();
    agrees_with_one_search(3_000, rules, relaxed, |table, job| {
        WholeRuns::new(table).unwrap().search(job, &[])
    });
}
