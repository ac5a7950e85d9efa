//! `klondike solve --shortest` and `--fewest-passes`: not any solution but a best one.

use std::fmt::Write as _;

use crate::deal_source::Source;
use crate::lines::{milliseconds, push_limit, push_line, whole_microseconds};
use crate::output::Output;
use crate::sequential::{Sequential, Turn};
use crate::{About, CliError, Status};
use klondike_contract::{self as contract, Envelope, Fewest, SolveAnswer};
use klondike_engine::prove::Verdict;
use klondike_engine::prove::best::{self, Shortest, fewest_passes, shortest};
use klondike_engine::search::Limit;
use klondike_engine::search::shortest::{Count, News};

/// What is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    /// A shortest solution.
    Shortest(Count),
    /// A solution with the fewest passes through the talon.
    FewestPasses,
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

impl<'a> From<&'a best::Fewest> for Found<'a> {
    fn from(known: &'a best::Fewest) -> Found<'a> {
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

impl Goal {
    /// Answers for all deals, one after the other.
    pub(super) fn run(
        self,
        sequential: &Sequential<'_>,
        sources: &mut dyn Iterator<Item = Result<Source, CliError>>,
        total: Option<u64>,
        output: &mut Output,
    ) -> Result<Status, CliError> {
        sequential.run(sources, total, output, |turn, output| match self {
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
                    turn.say(format!("{}: winnable in {best} moves{gap}", turn.label()));
                };
                let lemmas = sequential.lemmas;
                let known = shortest(turn.table, count, lemmas, &turn.limits, &mut report)
                    .map_err(|why| CliError::usage(format!("no shortest solutions: {why}")))?;
                let text = self.show(sequential, turn, &(&known).into(), output)?;
                Ok((text, known.limit))
            }
            Goal::FewestPasses => {
                let known = fewest_passes(turn.table, sequential.lemmas, &turn.limits)
                    .of_deal(turn.source)?;
                let text = self.show(sequential, turn, &(&known).into(), output)?;
                Ok((text, known.limit))
            }
        })
    }

    /// The answer as text; as JSON it is printed at once, and there is no text.
    fn show(
        self,
        sequential: &Sequential<'_>,
        turn: &Turn<'_>,
        found: &Found<'_>,
        output: &mut Output,
    ) -> Result<String, CliError> {
        let time = turn.time();
        let won = match found.verdict {
            Verdict::Winnable(solution) => Some(solution),
            _ => None,
        };
        let solution = match won {
            Some(solution) => sequential.line(turn, solution.moves())?,
            None => None,
        };
        let (goal, unit, counting) = match self {
            Goal::Shortest(count) => (contract::Goal::Shortest, "moves", count.name()),
            Goal::FewestPasses => (contract::Goal::FewestPasses, "passes", "passes"),
        };
        if output.json() {
            let fewest = won.map(|_| Fewest {
                counting,
                length: found.value,
                at_least: found.at_least,
                proved: found.proved,
                states: None,
            });
            let answer = SolveAnswer {
                goal,
                verdict: found.verdict.into(),
                limit: found.limit.map(Into::into),
                solution,
                evidence: match found.verdict {
                    Verdict::Unwinnable(evidence) => Some(evidence.into()),
                    _ => None,
                },
                fewest,
                score: None,
                engine: None,
                states: found.states,
                oracle_states: None,
                dead_ends: None,
                memory_bytes: found.memory_bytes,
                microseconds: whole_microseconds(time),
            };
            output.envelope(&Envelope::of_deal(turn.label(), turn.table.rules(), answer))?;
            return Ok(String::new());
        }
        let mut text = format!("{}: {}", turn.label(), found.verdict.name());
        if won.is_some() {
            let proof = match (found.proved, self) {
                (true, Goal::Shortest(_)) => "proved shortest".to_owned(),
                (true, Goal::FewestPasses) => "proved fewest".to_owned(),
                (false, _) => format!("at least {}", found.at_least),
            };
            let _ = write!(text, " in {} {unit}, {proof}", found.value);
        }
        push_limit(&mut text, found.limit);
        if let Some(line) = solution {
            push_line(&mut text, &line, "solution");
            let _ = writeln!(text, "  {}", milliseconds(time));
        }
        Ok(text)
    }
}
