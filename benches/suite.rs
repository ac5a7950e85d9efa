//! Tables of what it takes to decide many deals: against the figures recorded for another solver,
//! with lemmas switched off, and deal by deal. `benches/README.md` shows what it measured.
//!
//! Times are processor time of the deciding thread from the laid-out table to the checked verdict.
//! With `--repeat` a deal is decided several times and its least time counts, which takes most of
//! what other programs on the machine do out of the figures. State counts never depend on time.

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::Arc;
use std::time::{Duration, Instant};

use clap::{Args, Parser, Subcommand};
use klondike::deal::seed::{Scheme, Seed};
use klondike::prove::{self, Verdict};
use klondike::prune::{Lemma, Lemmas};
use klondike::rules::Rules;
use klondike::search::parallel::{Helpers, SpareThreads};
use klondike::search::{Limits, Stats};
use klondike::table::Table;
use rayon::prelude::*;

mod fixed;

#[derive(Parser)]
#[command(about = "Tables of states and times over many deals")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    /// How often each deal is decided; its least time counts
    #[arg(long, global = true, default_value_t = 1)]
    repeat: u32,
    /// Threads that decide deals; 1 for times that mean something
    #[arg(long, global = true, default_value_t = 1)]
    threads: usize,
    /// What `cargo bench` adds to every call
    #[arg(long, global = true, hide = true)]
    bench: bool,
}

#[derive(Subcommand)]
enum Command {
    /// The recorded deals of datasets/truth, with the sums recorded for the other solver
    Peer,
    /// All lemmas, each one off, each one alone, and none
    Lemmas {
        #[command(flatten)]
        deals: Deals,
        /// States after which a deal stays undecided
        #[arg(long, default_value_t = 1_000_000)]
        max_states: u64,
        /// Only the table of this set: all, none, without:LEMMA or only:LEMMA
        #[arg(long)]
        set: Option<String>,
    },
    /// One line for each deal, as CSV
    List {
        #[command(flatten)]
        deals: Deals,
    },
    /// Single deals by one thread and by several, in turn
    Together {
        /// Deals as DRAW:SEED, separated by commas
        #[arg(long, value_delimiter = ',', default_value = HARD)]
        deals: Vec<String>,
        /// Seed scheme
        #[arg(long, default_value = "klondike")]
        scheme: Scheme,
        /// Numbers of threads, separated by commas
        #[arg(long, value_delimiter = ',', default_value = "1,2")]
        with: Vec<usize>,
    },
    /// The fixed deals once, without times: for instruction counters
    Fixed {
        /// Leaves out deals with more states than this
        #[arg(long, default_value_t = u64::MAX)]
        max_states: u64,
    },
}

#[derive(Args)]
struct Deals {
    /// Seed scheme
    #[arg(long, default_value = "klondike")]
    scheme: Scheme,
    /// Draw counts, separated by commas
    #[arg(long, value_delimiter = ',', default_value = "1,3")]
    draw: Vec<u8>,
    /// First seed
    #[arg(long, default_value_t = 1)]
    first: u64,
    /// Last seed
    #[arg(long, default_value_t = 300)]
    last: u64,
}

/// Slow deals: the ten slowest of draw 3 among seeds 1 to 6000, the slowest two of draw 2 among
/// seeds 1 to 3000, the slowest three of draw 1 among seeds 1 to 20,000.
const HARD: &str = "3:2312,3:5877,3:463,3:2972,3:3877,3:5257,3:4892,3:1878,3:5845,3:951,\
                    2:2312,2:2563,1:6818,1:1923,1:9142";

type Result<T> = std::result::Result<T, Box<dyn Error + Send + Sync>>;

/// What one deal took.
struct Run {
    seed: u64,
    verdict: Verdict,
    stats: Stats,
    time: Duration,
}

struct Bench {
    repeat: u32,
    pool: rayon::ThreadPool,
}

fn main() -> Result<()> {
    let arguments = Arguments::parse();
    let bench = Bench {
        repeat: arguments.repeat.max(1),
        pool: rayon::ThreadPoolBuilder::new()
            .num_threads(arguments.threads)
            .build()?,
    };
    match arguments.command {
        Command::Peer => peer(&bench),
        Command::Lemmas {
            deals,
            max_states,
            set,
        } => lemmas(&bench, &deals, max_states, set.as_deref()),
        Command::List { deals } => list(&bench, &deals),
        Command::Together {
            deals,
            scheme,
            with,
        } => together(arguments.repeat.max(1), scheme, &deals, &with),
        Command::Fixed { max_states } => {
            let mut states = 0;
            for deal in fixed::deals()
                .iter()
                .filter(|d| d.all_states() <= max_states)
            {
                deal.check(&deal.decide());
                states += deal.all_states();
            }
            println!("{states} states");
            Ok(())
        }
    }
}

impl Bench {
    /// Decides the deals of one draw count, in the order of `seeds`.
    fn run(
        &self,
        scheme: Scheme,
        draw_count: u8,
        seeds: &[u64],
        lemmas: Lemmas,
        limits: &Limits,
    ) -> Result<Vec<Run>> {
        let rules = Arc::new(Rules::standard_draw(draw_count)?);
        let one = |&seed: &u64| -> Result<Run> {
            let deal = scheme.deal(&Seed::from(seed))?;
            let table = Table::new(Arc::clone(&rules), &deal)?;
            let mut least = Duration::MAX;
            let mut decision = None;
            for _ in 0..self.repeat {
                let start = processor_time();
                let now = prove::decide(&table, lemmas, limits)?;
                least = least.min(processor_time() - start);
                let before = decision.get_or_insert_with(|| now.clone());
                assert_eq!(
                    before.stats, now.stats,
                    "{scheme}:{seed} differs when repeated"
                );
            }
            let decision = decision.expect("decided at least once");
            Ok(Run {
                seed,
                verdict: decision.verdict,
                stats: decision.stats,
                time: least,
            })
        };
        self.pool
            .install(|| seeds.par_iter().with_max_len(1).map(one).collect())
    }
}

#[cfg(unix)]
fn processor_time() -> Duration {
    clock(rustix::time::ClockId::ThreadCPUTime)
}

/// Processor time of all threads.
#[cfg(unix)]
fn processor_time_of_all() -> Duration {
    clock(rustix::time::ClockId::ProcessCPUTime)
}

#[cfg(unix)]
fn clock(clock: rustix::time::ClockId) -> Duration {
    let time = rustix::time::clock_gettime(clock);
    Duration::new(
        time.tv_sec.try_into().expect("time runs from 0"),
        time.tv_nsec.try_into().expect("below a second"),
    )
}

/// Time on the clock where the time of a thread is not known.
#[cfg(not(unix))]
fn processor_time() -> Duration {
    static START: std::sync::LazyLock<std::time::Instant> =
        std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed()
}

#[cfg(not(unix))]
fn processor_time_of_all() -> Duration {
    processor_time()
}

/// The value below which `share` of the sorted values lie (nearest rank).
fn quantile(sorted: &[Duration], share: f64) -> Duration {
    let rank = (share * sorted.len() as f64).ceil() as usize;
    sorted[rank.clamp(1, sorted.len()) - 1]
}

fn milliseconds(time: Duration) -> String {
    format!("{:.3}", time.as_secs_f64() * 1e3)
}

/// Draw counts and last seeds of the rows against the other solver.
const PEER_ROWS: [(u8, u64); 9] = [
    (1, 1427),
    (1, 2000),
    (2, 200),
    (3, 1004),
    (3, 2000),
    (4, 200),
    (5, 200),
    (6, 200),
    (7, 200),
];

fn peer(bench: &Bench) -> Result<()> {
    struct Row {
        seed: u64,
        verdict: String,
        states: u64,
        time: f64,
    }
    let mut rows: BTreeMap<u8, Vec<Row>> = BTreeMap::new();
    for line in include_str!("../datasets/truth/solvitaire.csv")
        .lines()
        .skip(1)
    {
        let fields: Vec<&str> = line.split(',').collect();
        rows.entry(fields[0].parse()?).or_default().push(Row {
            seed: fields[1].parse()?,
            verdict: fields[2].to_owned(),
            states: fields[3].parse()?,
            time: fields[4].parse::<f64>()? / 1e3,
        });
    }
    println!(
        "| draw | seeds | winnable | states, main | states, oracle | seconds | median ms | p90 ms \
         | p99 ms | max ms | peer states | peer seconds | times as fast |"
    );
    println!("{}", "| ---: ".repeat(13) + "|");
    for (&draw_count, rows) in &rows {
        let seeds: Vec<u64> = rows.iter().map(|row| row.seed).collect();
        let runs = bench.run(
            Scheme::Solvitaire,
            draw_count,
            &seeds,
            Lemmas::ALL,
            &Limits::default(),
        )?;
        for (run, row) in runs.iter().zip(rows) {
            assert_eq!(
                run.verdict.name(),
                row.verdict,
                "draw {draw_count}, {}",
                run.seed
            );
        }
        for (_, last) in PEER_ROWS.into_iter().filter(|row| row.0 == draw_count) {
            let runs: Vec<&Run> = runs.iter().filter(|run| run.seed <= last).collect();
            let rows = rows.iter().filter(|row| row.seed <= last);
            let mut times: Vec<Duration> = runs.iter().map(|run| run.time).collect();
            times.sort_unstable();
            let total = times.iter().sum::<Duration>().as_secs_f64();
            let (peer_states, peer_time) = rows.fold((0, 0.0), |(states, time), row| {
                (states + row.states, time + row.time)
            });
            println!(
                "| {draw_count} | 1–{last} | {} | {} | {} | {total:.2} | {} | {} | {} | {} \
                 | {peer_states} | {peer_time:.1} | {:.0} |",
                won(runs.iter().copied()),
                runs.iter().map(|run| run.stats.states).sum::<u64>(),
                runs.iter().map(|run| run.stats.oracle_states).sum::<u64>(),
                milliseconds(quantile(&times, 0.5)),
                milliseconds(quantile(&times, 0.9)),
                milliseconds(quantile(&times, 0.99)),
                milliseconds(quantile(&times, 1.0)),
                peer_time / total,
            );
        }
    }
    Ok(())
}

fn won<'a>(runs: impl Iterator<Item = &'a Run>) -> usize {
    runs.filter(|run| matches!(run.verdict, Verdict::Winnable(_)))
        .count()
}

fn lemmas(bench: &Bench, deals: &Deals, max_states: u64, set: Option<&str>) -> Result<()> {
    let limits = Limits {
        max_states: Some(max_states),
        ..Limits::default()
    };
    let seeds: Vec<u64> = (deals.first..=deals.last).collect();
    let mut sets = vec![("all".to_owned(), Lemmas::ALL)];
    for lemma in Lemma::ALL {
        sets.push((format!("without:{lemma}"), Lemmas::ALL.without(lemma)));
    }
    sets.push(("none".to_owned(), Lemmas::NONE));
    for lemma in Lemma::ALL {
        sets.push((format!("only:{lemma}"), Lemmas::NONE.with(lemma)));
    }
    if let Some(set) = set {
        sets.retain(|(name, _)| name == set);
    }
    for &draw_count in &deals.draw {
        println!(
            "\nDraw {draw_count}, {}:{}..{}, at most {max_states} states for a deal\n",
            deals.scheme, deals.first, deals.last
        );
        println!(
            "| lemmas | winnable | unwinnable | undecided | states, main | states, oracle | seconds |"
        );
        println!("| :--- {}|", "| ---: ".repeat(6));
        let mut verdicts: BTreeMap<u64, &str> = BTreeMap::new();
        for (name, lemmas) in &sets {
            let runs = bench.run(deals.scheme, draw_count, &seeds, *lemmas, &limits)?;
            let mut count: BTreeMap<&str, usize> = BTreeMap::new();
            for run in &runs {
                let verdict = run.verdict.name();
                *count.entry(verdict).or_default() += 1;
                if verdict != "undecided" {
                    let before = verdicts.entry(run.seed).or_insert(verdict);
                    assert_eq!(*before, verdict, "draw {draw_count}, {}, {name}", run.seed);
                }
            }
            let of = |verdict| count.get(verdict).copied().unwrap_or(0);
            println!(
                "| `{name}` | {} | {} | {} | {} | {} | {:.2} |",
                of("winnable"),
                of("unwinnable"),
                of("undecided"),
                runs.iter().map(|run| run.stats.states).sum::<u64>(),
                runs.iter().map(|run| run.stats.oracle_states).sum::<u64>(),
                runs.iter()
                    .map(|run| run.time)
                    .sum::<Duration>()
                    .as_secs_f64(),
            );
        }
    }
    Ok(())
}

fn list(bench: &Bench, deals: &Deals) -> Result<()> {
    println!("draw,seed,verdict,states,oracle_states,ms");
    let seeds: Vec<u64> = (deals.first..=deals.last).collect();
    for &draw_count in &deals.draw {
        let runs = bench.run(
            deals.scheme,
            draw_count,
            &seeds,
            Lemmas::ALL,
            &Limits::default(),
        )?;
        for run in &runs {
            println!(
                "{draw_count},{},{},{},{},{}",
                run.seed,
                run.verdict.name(),
                run.stats.states,
                run.stats.oracle_states,
                milliseconds(run.time),
            );
        }
    }
    Ok(())
}

/// Decides each deal with each number of threads in turn, `repeat` times; least times count.
fn together(repeat: u32, scheme: Scheme, deals: &[String], with: &[usize]) -> Result<()> {
    #[derive(Clone, Default)]
    struct Best {
        clock: Option<Duration>,
        processor: Option<Duration>,
        states: (u64, u64),
    }
    let least = |time: &mut Option<Duration>, now| {
        *time = Some(time.map_or(now, |before: Duration| before.min(now)));
    };
    println!(
        "| deal | verdict | threads | states, main | states, oracle | times the states | clock ms \
         | times as fast | processor ms | times the processor time |"
    );
    println!("{}", "| ---: ".repeat(10) + "|");
    let mut sums: Vec<(f64, f64, u64)> = vec![(0.0, 0.0, 0); with.len()];
    for deal in deals {
        let (draw_count, seed) = deal.split_once(':').ok_or("write deals as DRAW:SEED")?;
        let rules = Arc::new(Rules::standard_draw(draw_count.parse()?)?);
        let table = Table::new(rules, &scheme.deal(&Seed::from(seed.parse::<u64>()?))?)?;
        let mut best = vec![Best::default(); with.len()];
        let mut verdict = None;
        for _ in 0..repeat {
            for (best, &threads) in best.iter_mut().zip(with) {
                let spare = Arc::new(SpareThreads::new(threads.saturating_sub(1)));
                let limits = Limits {
                    helpers: (threads > 1).then(|| Helpers::new(spare)),
                    ..Limits::default()
                };
                let (start, processor) = (Instant::now(), processor_time_of_all());
                let decision = prove::decide(&table, Lemmas::ALL, &limits)?;
                least(&mut best.processor, processor_time_of_all() - processor);
                least(&mut best.clock, start.elapsed());
                best.states = (decision.stats.states, decision.stats.oracle_states);
                let name = decision.verdict.name();
                assert_eq!(
                    *verdict.get_or_insert(name),
                    name,
                    "{deal}, {threads} threads"
                );
            }
        }
        let of = |best: &Best| {
            let milliseconds =
                |time: Option<Duration>| time.unwrap_or_default().as_secs_f64() * 1e3;
            let states = best.states.0 + best.states.1;
            (
                milliseconds(best.clock),
                milliseconds(best.processor),
                states,
            )
        };
        let (clock, processor, states) = of(&best[0]);
        for ((best, threads), sum) in best.iter().zip(with).zip(&mut sums) {
            let now = of(best);
            println!(
                "| {deal} | {} | {threads} | {} | {} | {:.2} | {:.0} | {:.2} | {:.0} | {:.2} |",
                verdict.unwrap_or_default(),
                best.states.0,
                best.states.1,
                now.2 as f64 / states as f64,
                now.0,
                clock / now.0,
                now.1,
                now.1 / processor,
            );
            *sum = (sum.0 + now.0, sum.1 + now.1, sum.2 + now.2);
        }
    }
    let (clock, processor, states) = sums[0];
    for (sum, threads) in sums.iter().zip(with) {
        println!(
            "| all | | {threads} | {} | | {:.2} | {:.0} | {:.2} | {:.0} | {:.2} |",
            sum.2,
            sum.2 as f64 / states as f64,
            sum.0,
            clock / sum.0,
            sum.1,
            sum.1 / processor,
        );
    }
    Ok(())
}
