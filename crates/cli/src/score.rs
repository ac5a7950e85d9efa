//! `klondike solve --best-score`: the most cards that can be on the foundations, and with
//! `--fewest-moves` the shortest way to get them there.

use std::fmt::Write as _;

use crate::deal_source::Source;
use crate::lines::{counted, milliseconds, push_limit, push_line};
use crate::output::Output;
use crate::sequential::{Sequential, Turn, refused};
use crate::{CliError, Status};
use klondike_contract::{Fewest, SolveAnswer};
use klondike_engine::prove::fewest_moves::{FewestNews, fewest_moves};
use klondike_engine::prove::score::best_score;
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
    let answer = |turn: &Turn<'_>| {
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
                    .map_err(|why| refused("best scores", &why))?;
                (known, None)
            }
            Some(count) => {
                let known = fewest_moves(table, count, sequential.lemmas, limits, &mut report)
                    .map_err(|why| refused("fewest moves", &why))?;
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
        let line = sequential.line(turn, &known.moves)?;
        let cards = table.rules().deck().len();
        Ok(SolveAnswer {
            fewest: moves,
            ..SolveAnswer::best_score(&known, cards, line)
        })
    };
    sequential.run(sources, total, output, answer, in_words)
}

fn in_words(label: &str, answer: &SolveAnswer) -> String {
    let mut text = format!("{label}: {}", answer.verdict);
    let Some(score) = &answer.score else {
        return text + "\n";
    };
    let proof = match score.proved {
        true => "proved best".to_owned(),
        false => format!("at most {}", score.at_most),
    };
    let length = answer.fewest.as_ref().map_or_else(String::new, |moves| {
        let proof = match moves.proved {
            true => "proved fewest".to_owned(),
            false => format!("at least {}", moves.at_least),
        };
        format!(", in {}, {proof}", counted(moves.length.into(), "move"))
    });
    let _ = write!(
        text,
        ", best score {} of {}, {proof}{length}; Vegas {:+}",
        score.cards, score.of, score.vegas
    );
    push_limit(&mut text, answer.limit);
    if let Some(line) = &score.line {
        push_line(&mut text, line, "line");
        let _ = writeln!(text, "  {}", milliseconds(answer.microseconds));
    }
    text
}
