//! `klondike solve --best-score`: the most cards that can be on the foundations, and with
//! `--fewest-moves` the shortest way to get them there.
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
use crate::prove::fewest_moves::{FewestNews, fewest_moves};
use crate::prove::score::{BestScore, best_score, vegas_score};
use crate::prune::Lemmas;
use crate::rules::Rules;
use crate::search::Limit;
use crate::search::parallel::SpareThreads;
use crate::search::score::ScoreNews;
use crate::search::shortest::{Count, News};
use crate::table::Table;
use crate::table::notation::{Counts, Notation};

/// How to go about it and how to show it.
pub(super) struct Task<'a> {
    /// What counts as a move, if the fewest moves are wanted.
    pub(super) fewest_moves: Option<Count>,
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
    #[serde(flatten)]
    moves: Option<MovesJson>,
    #[serde(skip_serializing_if = "Option::is_none")]
    limit: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<LineJson>,
    states: u64,
    memory_bytes: u64,
    microseconds: u128,
}

/// What `--fewest-moves` adds.
#[derive(Clone, Copy, Serialize)]
struct MovesJson {
    /// The way of counting.
    counting: &'static str,
    length: u32,
    /// No line to the best score is shorter.
    length_at_least: u32,
    length_proved: bool,
    length_states: u64,
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
            let (mut length, mut least) = (None, 0);
            let mut report = |news| {
                match news {
                    FewestNews::Score(ScoreNews::Found(score)) => best = score,
                    FewestNews::Score(ScoreNews::AtMost(score)) => most = score,
                    FewestNews::Moves(News::Found(found)) => length = Some(found),
                    FewestNews::Moves(News::AtLeast(bound)) => least = bound,
                }
                let label = &source.label;
                progress.say(match (news, length) {
                    (FewestNews::Score(_), _) => format!("{label}: score {best}, at most {most}"),
                    (_, None) => format!("{label}: at least {least} moves"),
                    (_, Some(length)) => format!("{label}: {length} moves, at least {least}"),
                });
                progress.add(0);
            };
            progress.say(source.label.clone());
            let (known, moves) = match self.fewest_moves {
                None => {
                    let report = &mut |news| report(FewestNews::Score(news));
                    let known = best_score(&table, self.lemmas, &limits, report)
                        .map_err(|why| CliError::usage(format!("no best scores: {why}")))?;
                    (known, None)
                }
                Some(count) => {
                    let known = fewest_moves(&table, count, self.lemmas, &limits, &mut report)
                        .map_err(|why| CliError::usage(format!("no fewest moves: {why}")))?;
                    let moves = MovesJson {
                        counting: count.name(),
                        length: known.length,
                        length_at_least: known.at_least,
                        length_proved: known.is_proved(),
                        length_states: known.states,
                    };
                    let limit = known.limit;
                    (
                        BestScore {
                            limit,
                            ..known.best
                        },
                        Some(moves),
                    )
                }
            };
            progress.add(1);
            let text = self.show(
                &source.label,
                &table,
                (&known, moves),
                begin.elapsed(),
                output,
            )?;
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
        (known, moves): (&BestScore, Option<MovesJson>),
        time: Duration,
        output: &mut Output,
    ) -> Result<String, CliError> {
        let error = |error: &dyn std::fmt::Display| CliError::Data(format!("{label}: {error}"));
        let cards = table.rules().deck().len();
        let vegas = vegas_score(known.score, cards);
        let line = match self.notation {
            None => None,
            Some(notation) => {
                let written = notation.write(table, &known.moves);
                let counts = Counts::of(table, &known.moves);
                Some(LineJson {
                    notation: notation.name(),
                    moves: written.map_err(|bad| error(&bad))?,
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
                moves,
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
        let length = moves.map_or_else(String::new, |moves| {
            let MovesJson { length, .. } = moves;
            if moves.length_proved {
                format!(", in {length} moves, proved fewest")
            } else {
                format!(", in {length} moves, at least {}", moves.length_at_least)
            }
        });
        let mut text = format!(
            "{label}: {}, best score {} of {cards}, {proof}{length}; Vegas {vegas:+}",
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
