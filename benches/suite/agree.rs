//! Deals that nobody tuned anything on: what they take, and whether searches that leave out other
//! things, or nothing, give the same verdicts.

use std::collections::BTreeMap;

use klondike_engine::prove;
use klondike_engine::search::Limits;
use klondike_game::deal::seed::DealId;
use klondike_lemmas::prune::{Lemma, Lemmas};
use rayon::prelude::*;

use super::Result;
use super::measure::{Bench, Run, Sum, standard, table};

/// A search to compare with: its name, its lemmas, and the states after which it gives up.
struct Other {
    name: &'static str,
    lemmas: Lemmas,
    max_states: u64,
}

const MOVES: Lemmas = Lemmas::NONE
    .with(Lemma::SafeFoundation)
    .with(Lemma::SafeStays)
    .with(Lemma::LastTalonCard)
    .with(Lemma::WasteDominance)
    .with(Lemma::PostponedDraws);

const RELAXATIONS: Lemmas = Lemmas::NONE
    .with(Lemma::Relaxation)
    .with(Lemma::TalonRelaxation)
    .with(Lemma::TwinOrder)
    .with(Lemma::CoverLandmarks)
    .with(Lemma::KingCapacity);

/// Searches that are tried one after the other until one decides the deal. Every lemma is off in
/// the first, and again in one of the next two; a deal that needs the later ones is compared
/// with at least one lemma of every pair off.
const OTHERS: [Other; 6] = [
    Other {
        name: "no lemma",
        lemmas: Lemmas::NONE,
        max_states: 100_000,
    },
    Other {
        name: "lemmas about moves alone",
        lemmas: MOVES,
        max_states: 1_000_000,
    },
    Other {
        name: "lemmas about dead states alone",
        lemmas: RELAXATIONS,
        max_states: 10_000_000,
    },
    Other {
        name: "without lemmas about dead states",
        lemmas: MOVES.with(Lemma::Draw1Oracle),
        max_states: 50_000_000,
    },
    Other {
        name: "without oracle, postponed draws and safe moves",
        lemmas: RELAXATIONS.with(Lemma::WasteDominance),
        max_states: 100_000_000,
    },
    Other {
        name: "without oracle and twins",
        lemmas: Lemmas::ALL
            .without(Lemma::Draw1Oracle)
            .without(Lemma::TwinOrder),
        max_states: 200_000_000,
    },
];

/// Memory that a search to compare with may take.
const MEMORY: u64 = 4 << 30;

/// Decides the deals with all lemmas and tells what that takes; then, if `compare`, decides them
/// in other ways.
pub(crate) fn fresh(
    bench: &Bench,
    deals: &[DealId],
    draw_counts: &[u8],
    compare: bool,
) -> Result<()> {
    let name = format!("{} to {}", deals[0], deals[deals.len() - 1]);
    println!("{}", Sum::HEAD);
    let mut all = Vec::new();
    for &draw_count in draw_counts {
        let runs = bench.run(
            &standard(draw_count)?,
            deals,
            Lemmas::ALL,
            &Limits::default(),
        )?;
        let sum = Sum::new("fresh", format!("draw {draw_count}, {name}"), &runs);
        println!("{}", sum.line());
        bench.save(&[sum])?;
        all.push((draw_count, runs));
    }
    for (draw_count, runs) in &all {
        println!("\nDraw {draw_count}, deals that took longest:");
        let mut slowest: Vec<&Run> = runs.iter().collect();
        slowest.sort_by_key(|run| std::cmp::Reverse(run.time));
        for run in slowest.iter().take(10) {
            println!(
                "{:>9.1} ms, {:>6.1} MiB, {:>9} states: {}, {}",
                run.time.as_secs_f64() * 1e3,
                run.stats.memory_bytes as f64 / f64::from(1 << 20),
                run.all_states(),
                run.deal,
                run.verdict,
            );
        }
    }
    if compare {
        for (draw_count, runs) in &all {
            agree(bench, *draw_count, runs)?;
        }
    }
    Ok(())
}

fn agree(bench: &Bench, draw_count: u8, runs: &[Run]) -> Result<()> {
    println!("\nDraw {draw_count}, compared with other searches:\n");
    println!(
        "| search | states at most | deals put to it | winnable | unwinnable | undecided | states |"
    );
    println!("| :--- {}|", "| ---: ".repeat(6));
    let rules = standard(draw_count)?;
    let mut left: Vec<&Run> = runs.iter().collect();
    for other in &OTHERS {
        let limits = Limits {
            max_states: Some(other.max_states),
            memory_bytes: Some(MEMORY),
            ..Limits::default()
        };
        let one = |run: &&Run| {
            let decision = prove::decide(&table(&run.deal, &rules)?, other.lemmas, &limits)?;
            let states = decision.stats.states + decision.stats.oracle_states;
            Ok((decision.verdict.name(), states))
        };
        let found: Vec<(&str, u64)> = bench.pool.install(|| {
            let deals = left.par_iter().with_max_len(1);
            deals.map(one).collect::<Result<_>>()
        })?;
        let mut count: BTreeMap<&str, usize> = BTreeMap::new();
        let mut undecided = Vec::new();
        for (&run, &(verdict, _)) in left.iter().zip(&found) {
            *count.entry(verdict).or_default() += 1;
            if verdict == "undecided" {
                undecided.push(run);
            } else {
                assert_eq!(
                    run.verdict, verdict,
                    "draw {draw_count}, {}: with all lemmas and with {}",
                    run.deal, other.name
                );
            }
        }
        let states: u64 = found.iter().map(|(_, states)| states).sum();
        let of = |verdict| count.get(verdict).copied().unwrap_or(0);
        println!(
            "| {} | {} | {} | {} | {} | {} | {states} |",
            other.name,
            other.max_states,
            left.len(),
            of("winnable"),
            of("unwinnable"),
            of("undecided"),
        );
        left = undecided;
        if left.is_empty() {
            break;
        }
    }
    println!(
        "\n{} of {} deals agree, {} were decided by no other search",
        runs.len() - left.len(),
        runs.len(),
        left.len()
    );
    for run in &left {
        println!("not compared: {}, {}", run.deal, run.verdict);
    }
    assert!(left.is_empty(), "not every deal was compared");
    Ok(())
}
