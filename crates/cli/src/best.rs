//! `klondike solve --shortest` and `--fewest-passes`: not any solution but a best one.

use std::fmt::Write as _;

use crate::deal_source::Source;
use crate::lines::{milliseconds, push_limit, push_line};
use crate::output::Output;
use crate::sequential::{Sequential, Turn, refused};
use crate::{About, CliError, Status};
use klondike_contract::SolveAnswer;
use klondike_engine::prove::best::{NoFewest, fewest_passes, shortest};
use klondike_engine::search::shortest::{Count, News};

/// What is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    /// A shortest solution.
    Shortest(Count),
    /// A solution with the fewest passes through the talon.
    FewestPasses,
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
        let answer = |turn: &Turn<'_>| match self {
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
                    .map_err(|why| refused("shortest solutions", &why))?;
                Ok(SolveAnswer {
                    solution: sequential.solution(turn, &known.verdict)?,
                    ..SolveAnswer::shortest(count, &known)
                })
            }
            Goal::FewestPasses => {
                let known = match fewest_passes(turn.table, sequential.lemmas, &turn.limits) {
                    Err(error @ NoFewest::LastPass) => return Err(CliError::usage(error)),
                    known => known.of_deal(turn.source)?,
                };
                Ok(SolveAnswer {
                    solution: sequential.solution(turn, &known.verdict)?,
                    ..SolveAnswer::fewest_passes(&known)
                })
            }
        };
        let in_words = |label: &str, answer: &SolveAnswer| self.in_words(label, answer);
        sequential.run(sources, total, output, answer, in_words)
    }

    fn in_words(self, label: &str, answer: &SolveAnswer) -> String {
        let mut text = format!("{label}: {}", answer.verdict);
        if let Some(fewest) = &answer.fewest {
            let unit = match (self, fewest.length) {
                (Goal::Shortest(_), 1) => "move",
                (Goal::Shortest(_), _) => "moves",
                (Goal::FewestPasses, 1) => "pass",
                (Goal::FewestPasses, _) => "passes",
            };
            let proof = match (fewest.proved, self) {
                (true, Goal::Shortest(_)) => "proved shortest".to_owned(),
                (true, Goal::FewestPasses) => "proved fewest".to_owned(),
                (false, _) => format!("at least {}", fewest.at_least),
            };
            let _ = write!(text, " in {} {unit}, {proof}", fewest.length);
        }
        push_limit(&mut text, answer.limit);
        if let Some(line) = &answer.solution {
            push_line(&mut text, line, "solution");
            let _ = writeln!(text, "  {}", milliseconds(answer.microseconds));
        }
        text
    }
}
