//! `klondike solve --shortest` and `--fewest-passes`: not any solution but a best one.
//!
//! Deals are searched one after the other. What is found so far is shown on a terminal while the
//! search goes on; Ctrl-C ends it and keeps the best solution.

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::cli::deal_source::Source;
use crate::cli::limit_args::LimitArgs;
use crate::cli::output::Output;
use crate::cli::progress::Progress;
use crate::cli::{CliError, Status};
use crate::prove::best::{Fewest, Shortest, fewest_passes, shortest};
use crate::prove::{Solution, Verdict};
use crate::prune::Lemmas;
use crate::rules::Rules;
use crate::search::Limit;
use crate::search::parallel::SpareThreads;
use crate::search::shortest::{Count, News};
use crate::table::Table;
use crate::table::notation::{Counts, Notation};

/// What is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    /// A shortest solution.
    Shortest(Count),
    /// A solution with the fewest passes through the talon.
    FewestPasses,
}

/// How to go about it and how to show it.
pub(super) struct Task<'a> {
    pub(super) goal: Goal,
    pub(super) lemmas: Lemmas,
    pub(super) limits: &'a LimitArgs,
    pub(super) rules: &'a Arc<Rules>,
    pub(super) stop: &'a Arc<AtomicBool>,
    /// `None` to leave solutions out.
    pub(super) notation: Option<Notation>,
    pub(super) quiet: bool,
}

/// One line of `klondike solve --shortest --json` or `--fewest-passes --json`.
#[derive(Serialize)]
struct BestJson<'a> {
    kind: &'static str,
    version: u32,
    label: &'a str,
    rules: &'a Rules,
    verdict: &'static str,
    /// What is counted: the name of a way of counting, or `passes`.
    counting: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    length: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    at_least: Option<u32>,
    proved: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    solution: Option<SolutionJson<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    states: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    memory_bytes: Option<u64>,
    microseconds: u128,
}

#[derive(Serialize)]
struct SolutionJson<'a> {
    notation: &'static str,
    moves: &'a str,
    counts: Counts,
}

/// What was found, whichever goal it was.
struct Found<'a> {
    verdict: &'a Verdict,
    /// Length of the best solution, or its passes.
    value: u32,
    at_least: u32,
    proved: bool,
    limit: Option<Limit>,
    states: Option<u64>,
    memory_bytes: Option<u64>,
}

impl<'a> From<&'a Shortest> for Found<'a> {
    fn from(known: &'a Shortest) -> Found<'a> {
        Found {
            verdict: &known.verdict,
            value: u32::from(known.length),
            at_least: u32::from(known.at_least),
            proved: known.is_proved(),
            limit: known.limit,
            states: Some(known.nodes.0),
            memory_bytes: Some(known.memory_bytes),
        }
    }
}

impl<'a> From<&'a Fewest> for Found<'a> {
    fn from(known: &'a Fewest) -> Found<'a> {
        Found {
            verdict: &known.verdict,
            value: known.redeals + 1,
            at_least: known.at_least + 1,
            proved: known.is_proved(),
            limit: known.limit,
            states: None,
            memory_bytes: None,
        }
    }
}

impl Task<'_> {
    /// Answers for all deals, one after the other.
    pub(super) fn run(
        &self,
        sources: &mut dyn Iterator<Item = Result<Source, CliError>>,
        total: Option<u64>,
        output: &mut Output,
    ) -> Result<Status, CliError> {
        let mut status = Status::Answered;
        let progress = Progress::new(total, 0);
        let spare = Arc::new(SpareThreads::new(self.limits.threads() - 1));
        for source in sources {
            let source = source?;
            let table = source.table(self.rules)?;
            let begin = Instant::now();
            let limits = self.limits.start(1, self.stop, &spare);
            let shortest_known;
            let fewest_known;
            let found: Found<'_> = match self.goal {
                Goal::Shortest(count) => {
                    let (mut best, mut least) = (0, 0);
                    let mut report = |news| {
                        match news {
                            News::Found(length) => best = length,
                            News::AtLeast(length) => least = length,
                        }
                        let gap = match least {
                            0 => String::new(),
                            least => format!(", at least {least}"),
                        };
                        progress.say(format!("{}: winnable in {best} moves{gap}", source.label));
                        progress.add(0);
                    };
                    shortest_known = shortest(&table, count, self.lemmas, &limits, &mut report)
                        .map_err(|why| CliError::usage(format!("no shortest solutions: {why}")))?;
                    (&shortest_known).into()
                }
                Goal::FewestPasses => {
                    progress.say(source.label.clone());
                    fewest_known = fewest_passes(&table, self.lemmas, &limits)
                        .map_err(|error| CliError::Data(format!("{}: {error}", source.label)))?;
                    (&fewest_known).into()
                }
            };
            progress.add(1);
            let text = self.show(&source.label, &table, &found, begin.elapsed(), output)?;
            progress.aside(|| output.text(&text))?;
            if self.stop.load(Ordering::Relaxed) {
                return Ok(Status::Interrupted);
            }
            if found.limit.is_some() {
                status = Status::Undecided;
            }
        }
        Ok(status)
    }

    /// The answer as text; as JSON it is printed at once, and there is no text.
    fn show(
        &self,
        label: &str,
        table: &Table,
        found: &Found<'_>,
        time: Duration,
        output: &mut Output,
    ) -> Result<String, CliError> {
        let won = match found.verdict {
            Verdict::Winnable(solution) => Some(solution),
            _ => None,
        };
        let written = won.map(|solution| self.write(label, table, solution));
        let written = written.transpose()?;
        let (unit, counting) = match self.goal {
            Goal::Shortest(count) => ("moves", count.name()),
            Goal::FewestPasses => ("passes", "passes"),
        };
        if output.json() {
            let solution = written.as_ref().and_then(|(moves, counts)| {
                let notation = self.notation?.name();
                Some(SolutionJson {
                    notation,
                    moves,
                    counts: *counts,
                })
            });
            output.object(&BestJson {
                kind: match self.goal {
                    Goal::Shortest(_) => "shortest",
                    Goal::FewestPasses => "fewest-passes",
                },
                version: 1,
                label,
                rules: table.rules(),
                verdict: found.verdict.name(),
                counting,
                length: won.map(|_| found.value),
                at_least: won.map(|_| found.at_least),
                proved: found.proved,
                limit: found.limit.map(Limit::name),
                solution,
                states: found.states,
                memory_bytes: found.memory_bytes,
                microseconds: time.as_micros(),
            })?;
            return Ok(String::new());
        }
        let Some((moves, counts)) = written else {
            let limit = found
                .limit
                .map_or_else(String::new, |limit| format!(" (limit hit: {limit})"));
            return Ok(format!("{label}: {}{limit}\n", found.verdict.name()));
        };
        let proof = match (found.proved, self.goal) {
            (true, Goal::Shortest(_)) => "proved shortest".to_owned(),
            (true, Goal::FewestPasses) => "proved fewest".to_owned(),
            (false, _) => format!("at least {}", found.at_least),
        };
        let mut text = format!("{label}: winnable in {} {unit}, {proof}", found.value);
        if let Some(limit) = found.limit {
            let _ = write!(text, " (limit hit: {limit})");
        }
        text.push('\n');
        if self.quiet {
            return Ok(text);
        }
        let _ = writeln!(
            text,
            "  replayed solution: {} card moves, {} draws, {} redeals",
            counts.card_moves, counts.draws, counts.redeals
        );
        super::solve::push_wrapped(&mut text, &moves);
        let _ = writeln!(text, "  {:.1} ms", time.as_secs_f64() * 1e3);
        Ok(text)
    }

    /// The solution in the notation wanted (empty if none is), and what it counts.
    fn write(
        &self,
        label: &str,
        table: &Table,
        solution: &Solution,
    ) -> Result<(String, Counts), CliError> {
        let error = |error: &dyn std::fmt::Display| CliError::Data(format!("{label}: {error}"));
        let moves = match self.notation {
            Some(notation) => notation.write(table, solution.moves()),
            None => Ok(String::new()),
        }
        .map_err(|bad| error(&bad))?;
        let counts = Counts::of(table, solution.moves()).map_err(|bad| error(&bad))?;
        Ok((moves, counts))
    }
}
