//! `klondike solve --best-score`: the most cards that can be on the foundations.
//!
//! Deals are searched one after the other. What is known so far is shown on a terminal while the
//! search goes on; Ctrl-C ends it and keeps the best line.

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
use crate::prove::score::{BestScore, best_score, vegas_score};
use crate::prune::Lemmas;
use crate::rules::Rules;
use crate::search::Limit;
use crate::search::parallel::SpareThreads;
use crate::search::score::ScoreNews;
use crate::table::Table;
use crate::table::notation::{Counts, Notation};

/// How to go about it and how to show it.
pub(super) struct Task<'a> {
    pub(super) lemmas: Lemmas,
    pub(super) limits: &'a LimitArgs,
    pub(super) rules: &'a Arc<Rules>,
    pub(super) stop: &'a Arc<AtomicBool>,
    /// `None` to leave the lines of play out.
    pub(super) notation: Option<Notation>,
    pub(super) quiet: bool,
}

/// One line of `klondike solve --best-score --json`.
#[derive(Serialize)]
struct ScoreJson<'a> {
    kind: &'static str,
    version: u32,
    label: &'a str,
    rules: &'a Rules,
    verdict: &'static str,
    /// Cards on the foundations.
    score: u8,
    at_most: u8,
    proved: bool,
    /// Of all cards of the deck.
    cards: usize,
    /// What `score` is worth in Vegas.
    vegas: i32,
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<LineJson>,
    states: u64,
    memory_bytes: u64,
    microseconds: u128,
}

#[derive(Serialize)]
struct LineJson {
    notation: &'static str,
    moves: String,
    counts: Counts,
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
            let (mut best, mut most) = (0, table.rules().deck().len() as u8);
            let mut report = |news| {
                match news {
                    ScoreNews::Found(score) => best = score,
                    ScoreNews::AtMost(score) => most = score,
                }
                progress.say(format!("{}: score {best}, at most {most}", source.label));
                progress.add(0);
            };
            progress.say(source.label.clone());
            let known = best_score(&table, self.lemmas, &limits, &mut report)
                .map_err(|why| CliError::usage(format!("no best scores: {why}")))?;
            progress.add(1);
            let text = self.show(&source.label, &table, &known, begin.elapsed(), output)?;
            progress.aside(|| output.text(&text))?;
            if self.stop.load(Ordering::Relaxed) {
                return Ok(Status::Interrupted);
            }
            if known.limit.is_some() {
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
        known: &BestScore,
        time: Duration,
        output: &mut Output,
    ) -> Result<String, CliError> {
        let error = |error: &dyn std::fmt::Display| CliError::Data(format!("{label}: {error}"));
        let cards = table.rules().deck().len();
        let vegas = vegas_score(known.score, cards);
        let line = match self.notation {
            None => None,
            Some(notation) => {
                let moves = notation.write(table, &known.moves);
                let counts = Counts::of(table, &known.moves);
                Some(LineJson {
                    notation: notation.name(),
                    moves: moves.map_err(|bad| error(&bad))?,
                    counts: counts.map_err(|bad| error(&bad))?,
                })
            }
        };
        if output.json() {
            output.object(&ScoreJson {
                kind: "best-score",
                version: 1,
                label,
                rules: table.rules(),
                verdict: known.verdict.name(),
                score: known.score,
                at_most: known.at_most,
                proved: known.is_proved(),
                cards,
                vegas,
                limit: known.limit.map(Limit::name),
                line,
                states: known.states,
                memory_bytes: known.memory_bytes,
                microseconds: time.as_micros(),
            })?;
            return Ok(String::new());
        }
        let proof = if known.is_proved() {
            "proved best".to_owned()
        } else {
            format!("at most {}", known.at_most)
        };
        let mut text = format!(
            "{label}: {}, best score {} of {cards}, {proof}; Vegas {vegas:+}",
            known.verdict.name(),
            known.score,
        );
        if let Some(limit) = known.limit {
            let _ = write!(text, " (limit hit: {limit})");
        }
        text.push('\n');
        let Some(line) = line else {
            return Ok(text);
        };
        if self.quiet {
            return Ok(text);
        }
        let _ = writeln!(
            text,
            "  replayed line: {} card moves, {} draws, {} redeals",
            line.counts.card_moves, line.counts.draws, line.counts.redeals
        );
        super::solve::push_wrapped(&mut text, &line.moves);
        let _ = writeln!(text, "  {:.1} ms", time.as_secs_f64() * 1e3);
        Ok(text)
    }
}
