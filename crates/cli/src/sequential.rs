//! Deals that are searched one after the other, each with all threads and all memory.
//!
//! A terminal shows what is known so far while a search goes on. Ctrl-C ends the search and keeps
//! the best line.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::deal_source::Source;
use crate::limit_args::LimitArgs;
use crate::output::Output;
use crate::progress::Progress;
use crate::{About, CliError, Status};
use klondike_contract::Line;
use klondike_engine::prune::Lemmas;
use klondike_engine::search::idle_threads::IdleThreads;
use klondike_engine::search::{Limit, Limits};
use klondike_game::rules::Rules;
use klondike_game::table::notation::Notation;
use klondike_game::table::{Move, Table};

/// How to search, and how to show what is found.
pub(super) struct Sequential<'a> {
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
    /// The time since the search began.
    pub(super) fn time(&self) -> Duration {
        self.begin.elapsed()
    }

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
    /// Lets `answer` search and print all deals. It returns the text to print, and which limit
    /// ended the search.
    pub(super) fn run(
        &self,
        sources: &mut dyn Iterator<Item = Result<Source, CliError>>,
        total: Option<u64>,
        output: &mut Output,
        mut answer: impl FnMut(&Turn<'_>, &mut Output) -> Result<(String, Option<Limit>), CliError>,
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
                answer(&turn, output)
            };
            let answered = one();
            progress.answered(matches!(answered, Ok((_, Some(_)))));
            let answered = progress.aside(|| output.unless_bad(answered, &mut status))?;
            let Some((text, limit)) = answered else {
                continue;
            };
            progress.aside(|| output.text(&text))?;
            output.flush()?;
            if self.stop.load(Ordering::Relaxed) {
                return Ok(Status::Interrupted);
            }
            if limit.is_some() {
                status = status.max(Status::Undecided);
            }
        }
        Ok(status)
    }

    /// Writes a line of play down, if lines are wanted.
    pub(super) fn line(&self, turn: &Turn<'_>, moves: &[Move]) -> Result<Option<Line>, CliError> {
        let line = |notation| Line::new(notation, turn.table, moves, self.boards);
        self.notation.map(line).transpose().of_deal(turn.source)
    }
}
