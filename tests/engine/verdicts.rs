//! Known verdicts of 5000 deals, decided again: nothing undecided, every solution replayed.

use std::collections::BTreeMap;
use std::sync::Arc;

use klondike_engine::prove::{self, Decision, Solution, Verdict};
use klondike_engine::search::{Limits, Stats};
use klondike_game::deal::seed::{Scheme, Seed};
use klondike_game::rules::Rules;
use klondike_game::table::Table;
use klondike_lemmas::prune::Lemmas;
use rayon::prelude::*;

/// Without optimization only every so many-th of the deals is decided.
const STEP: usize = if cfg!(debug_assertions) { 40 } else { 1 };

struct Row {
    draw_count: u8,
    seed: u64,
    verdict: &'static str,
}

impl Row {
    fn table(&self) -> Table {
        let rules = Arc::new(Rules::standard_draw(self.draw_count).unwrap());
        let deal = Scheme::Solvitaire.deal(&Seed::from(self.seed)).unwrap();
        Table::new(Arc::clone(&rules), &deal).unwrap()
    }
}

fn rows() -> Vec<Row> {
    include_str!("../../datasets/truth/solvitaire.csv")
        .lines()
        .skip(1)
        .map(|line| {
            let fields: Vec<&str> = line.split(',').collect();
            Row {
                draw_count: fields[0].parse().unwrap(),
                seed: fields[1].parse().unwrap(),
                verdict: fields[2],
            }
        })
        .collect()
}

fn decide(table: &Table) -> Decision {
    let limits = Limits {
        memory_bytes: Some(8 << 30),
        ..Limits::default()
    };
    prove::decide(table, Lemmas::ALL, &limits).unwrap()
}

fn with_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build()
        .unwrap()
        .install(work)
}

#[test]
fn every_known_verdict_is_found_again() {
    let rows = rows();
    assert_eq!(rows.len(), 5000);
    let wrong: Vec<String> = with_threads(2, || {
        let picked: Vec<&Row> = rows.iter().step_by(STEP).collect();
        picked
            .par_iter()
            .with_max_len(1)
            .filter_map(|row| {
                let table = row.table();
                let verdict = decide(&table).verdict;
                if let Verdict::Winnable(solution) = &verdict {
                    // `decide` has done this before; here it is certain.
                    Solution::replay(&table, solution.moves().to_vec()).unwrap();
                }
                (verdict.name() != row.verdict).then(|| {
                    format!(
                        "draw {}, solvitaire:{}: {}, known as {}",
                        row.draw_count,
                        row.seed,
                        verdict.name(),
                        row.verdict
                    )
                })
            })
            .collect()
    });
    assert_eq!(wrong, Vec::<String>::new());
}

#[test]
fn what_is_known_adds_up_to_what_its_origin_says() {
    let mut winnable = BTreeMap::new();
    for row in rows() {
        let (won, all) = winnable.entry(row.draw_count).or_insert((0, 0));
        *won += usize::from(row.verdict == "winnable");
        *all += 1;
    }
    let expected = [
        (1, (1788, 2000)),
        (2, (174, 200)),
        (3, (1623, 2000)),
        (4, (131, 200)),
        (5, (101, 200)),
        (6, (70, 200)),
        (7, (40, 200)),
    ];
    assert_eq!(winnable, BTreeMap::from(expected));
}

/// What a search does depends on the deal alone: not on the threads, nor on what ran before it.
#[test]
fn two_threads_do_the_same_as_one() {
    let rows = rows();
    let picked: Vec<&Row> = rows.iter().step_by(10 * STEP).collect();
    let run = |threads| -> Vec<(Stats, Verdict)> {
        with_threads(threads, || {
            picked
                .par_iter()
                .with_max_len(1)
                .map(|row| decide(&row.table()))
                .map(|decision| (decision.stats, decision.verdict))
                .collect()
        })
    };
    let (one, two) = (run(1), run(2));
    assert!(one.iter().any(|(stats, _)| stats.states > 100));
    for (index, row) in picked.iter().enumerate() {
        let name = format!("draw {}, solvitaire:{}", row.draw_count, row.seed);
        assert_eq!(one[index], two[index], "{name}");
    }
}
