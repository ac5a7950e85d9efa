//! Deciding many deals and summing up what it took: the figures of every table, as lines of text
//! and as records in `benches/runs/`.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use klondike_engine::prove::{self, Verdict};
use klondike_engine::search::{Limits, Stats};
use klondike_game::deal::seed::DealId;
use klondike_game::rules::Rules;
use klondike_game::table::Table;
use klondike_lemmas::prune::Lemmas;
use rayon::prelude::*;
use serde::Serialize;
use serde_json::{Map, Value, json};

use super::Result;

/// What one deal took.
pub(crate) struct Run {
    pub(crate) deal: DealId,
    pub(crate) verdict: &'static str,
    pub(crate) stats: Stats,
    pub(crate) time: Duration,
}

impl Run {
    pub(crate) fn all_states(&self) -> u64 {
        self.stats.states + self.stats.oracle_states
    }
}

/// How deals are measured, and where sums are kept.
pub(crate) struct Bench {
    pub(crate) repeat: u32,
    pub(crate) pool: rayon::ThreadPool,
    pub(crate) save: Option<PathBuf>,
    pub(crate) about: Vec<(String, String)>,
}

/// The standard rules with another draw count.
pub(crate) fn standard(draw_count: u8) -> Result<Arc<Rules>> {
    Ok(Arc::new(Rules::standard_draw(draw_count)?))
}

/// The table of a deal.
pub(crate) fn table(deal: &DealId, rules: &Arc<Rules>) -> Result<Table> {
    let dealt = deal.deal(rules.deck(), rules.layout())?;
    Ok(Table::new(Arc::clone(rules), &dealt)?)
}

impl Bench {
    /// Decides deals; the runs are in the order of `deals`.
    pub(crate) fn run(
        &self,
        rules: &Arc<Rules>,
        deals: &[DealId],
        lemmas: Lemmas,
        limits: &Limits,
    ) -> Result<Vec<Run>> {
        let one = |deal: &DealId| -> Result<Run> {
            let table = table(deal, rules)?;
            let mut least = Duration::MAX;
            let mut decision = None;
            for _ in 0..self.repeat {
                let start = processor_time();
                let now = prove::decide(&table, lemmas, limits)?;
                least = least.min(processor_time() - start);
                let before = decision.get_or_insert_with(|| now.clone());
                assert_eq!(before.stats, now.stats, "{deal} differs when repeated");
            }
            let decision = decision.expect("decided at least once");
            Ok(Run {
                deal: deal.clone(),
                verdict: match decision.verdict {
                    Verdict::Winnable(_) => "winnable",
                    Verdict::Unwinnable(_) => "unwinnable",
                    Verdict::Undecided(_) => "undecided",
                },
                stats: decision.stats,
                time: least,
            })
        };
        self.pool
            .install(|| deals.par_iter().with_max_len(1).map(one).collect())
    }

    /// Puts sums into the record of this run of the benches, in place of older ones with the same
    /// names.
    pub(crate) fn save(&self, sums: &[Sum]) -> Result<()> {
        let Some(path) = &self.save else {
            return Ok(());
        };
        let mut record: Map<String, Value> = match fs::read_to_string(path) {
            Ok(text) => serde_json::from_str(&text)?,
            Err(_) => Map::new(),
        };
        for (key, value) in &self.about {
            record.insert(key.clone(), json!(value));
        }
        let Value::Array(groups) = record.entry("groups").or_insert_with(|| json!([])) else {
            return Err(format!("{}: `groups` is no list", path.display()).into());
        };
        for sum in sums {
            groups.retain(|group| group["table"] != sum.table || group["group"] != sum.group);
            groups.push(serde_json::to_value(sum)?);
        }
        let lines: Vec<String> = record
            .iter()
            .map(|(key, value)| match value {
                // One line for each group, so that changes show line by line.
                Value::Array(groups) => {
                    let groups: Vec<String> = groups.iter().map(|g| format!("    {g}")).collect();
                    format!("  {}: [\n{}\n  ]", json!(key), groups.join(",\n"))
                }
                value => format!("  {}: {value}", json!(key)),
            })
            .collect();
        fs::write(path, format!("{{\n{}\n}}\n", lines.join(",\n")))?;
        Ok(())
    }
}

/// The figures of a group of deals.
#[derive(Clone, Serialize)]
pub(crate) struct Sum {
    pub(crate) table: &'static str,
    pub(crate) group: String,
    pub(crate) deals: usize,
    pub(crate) winnable: usize,
    pub(crate) unwinnable: usize,
    pub(crate) undecided: usize,
    pub(crate) states: u64,
    pub(crate) oracle_states: u64,
    pub(crate) seconds: f64,
    pub(crate) median_ms: f64,
    pub(crate) p90_ms: f64,
    pub(crate) p99_ms: f64,
    pub(crate) max_ms: f64,
    /// Most memory of one search by its own account.
    pub(crate) memory_bytes: u64,
}

impl Sum {
    pub(crate) fn new<'a>(
        table: &'static str,
        group: String,
        runs: impl IntoIterator<Item = &'a Run>,
    ) -> Sum {
        let runs: Vec<&Run> = runs.into_iter().collect();
        let mut times: Vec<Duration> = runs.iter().map(|run| run.time).collect();
        times.sort_unstable();
        let of = |verdict| runs.iter().filter(|run| run.verdict == verdict).count();
        let ms = |share| rounded(quantile(&times, share).as_secs_f64() * 1e3);
        Sum {
            table,
            group,
            deals: runs.len(),
            winnable: of("winnable"),
            unwinnable: of("unwinnable"),
            undecided: of("undecided"),
            states: runs.iter().map(|run| run.stats.states).sum(),
            oracle_states: runs.iter().map(|run| run.stats.oracle_states).sum(),
            seconds: rounded(times.iter().sum::<Duration>().as_secs_f64()),
            median_ms: ms(0.5),
            p90_ms: ms(0.9),
            p99_ms: ms(0.99),
            max_ms: ms(1.0),
            memory_bytes: runs
                .iter()
                .map(|run| run.stats.memory_bytes)
                .max()
                .unwrap_or(0),
        }
    }

    pub(crate) const HEAD: &'static str = "| group | deals | winnable | unwinnable | undecided \
        | states, main | states, oracle | seconds | median ms | p90 ms | p99 ms | max ms | MiB |\n\
        | :--- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: | ---: \
        | ---: | ---: | ---: |";

    pub(crate) fn line(&self) -> String {
        format!(
            "| {} | {} | {} | {} | {} | {} | {} | {:.3} | {:.3} | {:.3} | {:.3} | {:.3} | {:.1} |",
            self.group,
            self.deals,
            self.winnable,
            self.unwinnable,
            self.undecided,
            self.states,
            self.oracle_states,
            self.seconds,
            self.median_ms,
            self.p90_ms,
            self.p99_ms,
            self.max_ms,
            self.memory_bytes as f64 / f64::from(1 << 20),
        )
    }
}

/// To microseconds, or to microseconds' thousandths: no more digits than were measured.
fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

#[cfg(unix)]
fn processor_time() -> Duration {
    clock(rustix::time::ClockId::ThreadCPUTime)
}

/// Processor time of all threads.
#[cfg(unix)]
pub(crate) fn processor_time_of_all() -> Duration {
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
pub(crate) fn processor_time_of_all() -> Duration {
    processor_time()
}

/// The value below which `share` of the sorted values lie (nearest rank); 0 of none.
fn quantile(sorted: &[Duration], share: f64) -> Duration {
    let rank = (share * sorted.len() as f64).ceil() as usize;
    match sorted.len() {
        0 => Duration::ZERO,
        len => sorted[rank.clamp(1, len) - 1],
    }
}
