//! `klondike solve --best-score`: the most cards that can be on the foundations, and with
//! `--fewest-moves` the shortest way to get them there.

use std::fmt::Write as _;

use crate::deal_source::Source;
use crate::lines::{milliseconds, push_limit, push_line, whole_microseconds};
use crate::output::Output;
use crate::sequential::{Sequential, Turn};
use crate::{CliError, Status};
use klondike_contract::{Envelope, Fewest, Goal, Score, SolveAnswer};
use klondike_engine::prove::fewest_moves::{FewestNews, fewest_moves};
use klondike_engine::prove::score::{BestScore, best_score, vegas_score};
use klondike_engine::search::score::ScoreNews;
use klondike_engine::search::shortest::{Count, News};

/// Answers for all deals, one after the other; with the fewest moves to the best score, counted
/// like this.
pub(super) fn run(
    fewest: Option<Count>,
    sequential: &Sequential<'_>,
    sources: &mut dyn Iterator<Item = Result<Source, CliError>>,
    total: Option<u64>,
    output: &mut Output,
) -> Result<Status, CliError> {
    sequential.run(sources, total, output, |turn, output| {
        let Turn {
            table, ref limits, ..
        } = *turn;
        let label = turn.label();
        let (mut best, mut most) = (0, table.rules().deck().len() as u8);
        let (mut length, mut least) = (None, 0);
        let mut report = |news| {
            match news {
                FewestNews::Score(ScoreNews::Found(score)) => best = score,
                FewestNews::Score(ScoreNews::AtMost(score)) => most = score,
                FewestNews::Moves(News::Found(found)) => length = Some(found),
                FewestNews::Moves(News::AtLeast(bound)) => least = bound,
            }
            turn.say(match (news, length) {
                (FewestNews::Score(_), _) => format!("{label}: score {best}, at most {most}"),
                (_, None) => format!("{label}: at least {least} moves"),
                (_, Some(length)) => format!("{label}: {length} moves, at least {least}"),
            });
        };
        let (known, moves) = match fewest {
            None => {
                let report = &mut |news| report(FewestNews::Score(news));
                let known = best_score(table, sequential.lemmas, limits, report)
                    .map_err(|why| CliError::usage(format!("no best scores: {why}")))?;
                (known, None)
            }
            Some(count) => {
                let known = fewest_moves(table, count, sequential.lemmas, limits, &mut report)
                    .map_err(|why| CliError::usage(format!("no fewest moves: {why}")))?;
                let moves = Fewest {
                    counting: count.name(),
                    length: known.length,
                    at_least: known.at_least,
                    proved: known.is_proved(),
                    states: Some(known.states),
                };
                let mut best = known.best;
                best.limit = known.limit;
                (best, Some(moves))
            }
        };
        let text = show(sequential, turn, &known, moves, output)?;
        Ok((text, known.limit))
    })
}

/// The answer as text; as JSON it is printed at once, and there is no text.
fn show(
    sequential: &Sequential<'_>,
    turn: &Turn<'_>,
    known: &BestScore,
    moves: Option<Fewest>,
    output: &mut Output,
) -> Result<String, CliError> {
    let time = turn.time();
    let cards = turn.table.rules().deck().len();
    let vegas = vegas_score(known.score, cards);
    let line = sequential.line(turn, &known.moves)?;
    if output.json() {
        let answer = SolveAnswer {
            goal: Goal::BestScore,
            verdict: (&known.verdict).into(),
            limit: known.limit.map(Into::into),
            solution: None,
            evidence: None,
            fewest: moves,
            score: Some(Score {
                cards: known.score,
                at_most: known.at_most,
                proved: known.is_proved(),
                of: cards,
                vegas,
                line,
            }),
            engine: None,
            states: Some(known.states),
            oracle_states: None,
            dead_ends: None,
            memory_bytes: Some(known.memory_bytes),
            microseconds: whole_microseconds(time),
        };
        output.envelope(&Envelope::of_deal(turn.label(), turn.table.rules(), answer))?;
        return Ok(String::new());
    }
    let proof = if known.is_proved() {
        "proved best".to_owned()
    } else {
        format!("at most {}", known.at_most)
    };
    let length = moves.map_or_else(String::new, |moves| {
        let Fewest { length, .. } = moves;
        if moves.proved {
            format!(", in {length} moves, proved fewest")
        } else {
            format!(", in {length} moves, at least {}", moves.at_least)
        }
    });
    let mut text = format!(
        "{}: {}, best score {} of {cards}, {proof}{length}; Vegas {vegas:+}",
        turn.label(),
        known.verdict.name(),
        known.score,
    );
    push_limit(&mut text, known.limit);
    if let Some(line) = line {
        push_line(&mut text, &line, "line");
        let _ = writeln!(text, "  {}", milliseconds(time));
    }
    Ok(text)
}
