//! Deals that are searched one after the other, each with all threads and all memory.
//!
//! A terminal shows what is known so far while a search goes on. Ctrl-C ends the search and keeps
//! the best line.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use crate::deal_source::{DealName, DealSource, Source};
use crate::limit_args::LimitArgs;
use crate::lines::whole_microseconds;
use crate::output::Output;
use crate::progress::Progress;
use crate::{About, CliError, Status};
use klondike_contract::{Envelope, LimitName, Line, SolveAnswer};
use klondike_engine::prove::Verdict;
use klondike_engine::search::Limits;
use klondike_engine::search::idle_threads::IdleThreads;
use klondike_game::rules::Rules;
use klondike_game::table::notation::Notation;
use klondike_game::table::{Move, Table};
use klondike_lemmas::kplus::Unsupported;
use klondike_lemmas::prune::Lemmas;

/// How to search, and how to show what is found.
pub(super) struct Sequential<'a> {
    pub(super) source: &'a DealSource,
    pub(super) lemmas: Lemmas,
    pub(super) limits: &'a LimitArgs,
    pub(super) rules: &'a Arc<Rules>,
    pub(super) stop: &'a Arc<AtomicBool>,
    /// `None` to leave the lines of play out.
    pub(super) notation: Option<Notation>,
    /// Whether lines show the position after every move.
    pub(super) boards: bool,
}

/// A deal that is searched now.
pub(super) struct Turn<'a> {
    pub(super) source: &'a Source,
    pub(super) table: &'a Table,
    pub(super) limits: Limits,
    pub(super) progress: &'a Progress,
    begin: Instant,
}

impl Turn<'_> {
    /// Shows on a terminal how far the search is.
    pub(super) fn say(&self, what: String) {
        self.progress.say(what);
    }

    /// The name of the deal.
    pub(super) fn label(&self) -> &str {
        &self.source.label
    }
}

impl Sequential<'_> {
    /// Lets `answer` search all deals, and prints what it finds, as text by `in_words`.
    pub(super) fn run(
        &self,
        sources: &mut dyn Iterator<Item = Result<Source, CliError>>,
        total: Option<u64>,
        output: &mut Output,
        mut answer: impl FnMut(&Turn<'_>) -> Result<SolveAnswer, CliError>,
        in_words: impl Fn(&str, &SolveAnswer) -> String,
    ) -> Result<Status, CliError> {
        let mut status = Status::Answered;
        let progress = Progress::new(total, 0);
        let spare = Arc::new(IdleThreads::new(self.limits.threads() - 1));
        for source in sources {
            let one = || {
                let source = source?;
                let turn = Turn {
                    source: &source,
                    table: &source.table(self.rules)?,
                    begin: Instant::now(),
                    limits: self.limits.start(1, self.stop, &spare),
                    progress: &progress,
                };
                progress.say(source.label.clone());
                let answer = answer(&turn)?;
                let microseconds = whole_microseconds(turn.begin.elapsed());
                let answer = SolveAnswer {
                    microseconds,
                    ..answer
                };
                Ok((source, answer))
            };
            let answered = one();
            let name = DealName::of(&answered, |(source, _)| source);
            let limited = |answer: &SolveAnswer| answer.limit.is_some();
            progress.answered(answered.as_ref().is_ok_and(|(_, answer)| limited(answer)));
            let cut_short = answered
                .as_ref()
                .is_ok_and(|(_, answer)| answer.limit == Some(LimitName::Interrupt));
            let answered = progress.aside(|| output.unless_bad(answered, &mut status))?;
            if let Some((source, answer)) = answered {
                if limited(&answer) {
                    status = status.max(Status::Undecided);
                }
                let answer = Envelope::of_deal(&source.label, self.rules, answer);
                progress
                    .aside(|| output.answer(answer, |answer| in_words(&source.label, answer)))?;
            }
            output.flush()?;
            if self.stop.load(Ordering::Relaxed) {
                if total != Some(1) {
                    let next = match &name {
                        Some(name) if cut_short => self.source.go_on_from(name),
                        name => self.source.go_on_after(name.as_ref()),
                    };
                    eprintln!("klondike: interrupted; {next}");
                }
                return Ok(Status::Interrupted);
            }
        }
        Ok(status)
    }

    /// The solution of a verdict written down, if there is one and lines are wanted.
    pub(super) fn solution(
        &self,
        turn: &Turn<'_>,
        verdict: &Verdict,
    ) -> Result<Option<Line>, CliError> {
        match verdict {
            Verdict::Winnable(solution) => self.line(turn, solution.moves()),
            _ => Ok(None),
        }
    }

    /// Writes a line of play down, if lines are wanted.
    pub(super) fn line(&self, turn: &Turn<'_>, moves: &[Move]) -> Result<Option<Line>, CliError> {
        let line = |notation| Line::new(notation, turn.table, moves, self.boards);
        self.notation.map(line).transpose().of_deal(turn.source)
    }
}

/// There is no answer to this question under these rules, and what to ask instead.
pub(super) fn refused(what: &str, why: &Unsupported) -> CliError {
    CliError::usage(format!(
        "no {what}: {why}; `klondike solve` without this option says whether the deal can be won, \
         and how"
    ))
}
