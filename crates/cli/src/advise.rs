//! `klondike advise`: the best next moves of a position as a person sees it.

use std::fmt::Write as _;
use std::sync::Arc;
use std::time::Duration;

use crate::deal_source::{DealSource, lacks_talon, unknown_talon};
use crate::numbers::{estimate, grouped};
use crate::output::Output;
use crate::rules_args::RulesArgs;
use crate::values::{read_confidence, read_seconds, whole};
use crate::{CliError, Status};
use klondike_contract::{AdviceAnswer, AdvisedMove, Envelope};
use klondike_front::{Advice, Opinion, Rules, Solver, Table, Thinking};
use klondike_game::deal::format::Format;
use klondike_game::rules::Runs;
use klondike_game::table::start::Start;
use klondike_play::Goal;
use klondike_service::advice;

/// Rank the next moves of a position of which the face-down cards are not known
///
/// The position is written as `klondike deal --to klondike` writes it, with `??` for every
/// face-down card: `stock: 7S 2C` (the card drawn first first), `waste: 4H KD` (the playable card
/// last), `foundations: C3 D0 H1 S0`, and a line such as `3: ?? ?? 9S` for every pile, bottom to
/// top. The picture that `klondike deal` prints does as well, and every other format that has words
/// for cards (`klondike deal --list-formats`), with `??` for a card that is face down. Known cards
/// under `<>` are not looked at. The moves come in the order in which the player would make them:
/// what it tried most often first, and of two that are nearly as good not always the one with the
/// higher chance. Not for a last pass by ones, layouts that are too large, and reversed groups
/// while a limited redeal is left. Examples: `klondike advise position.txt`, `klondike advise
/// --time-limit 10 -`, `klondike advise solvitaire:22`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The position: a file, `-` for standard input, SCHEME:N or the text itself
    #[arg(value_name = "POSITION")]
    position: String,

    /// Format of a position given as text; without it, it is recognised
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,

    /// Most seconds to think
    #[arg(long, value_name = "SECONDS", value_parser = read_seconds, default_value = "2")]
    time_limit: Duration,

    /// Think for this many iterations instead, which gives the same answer every time
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..))]
    iterations: Option<u32>,

    /// Seed of the random numbers
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole::<u64>(..))]
    player_seed: u64,

    /// Confidence of the intervals
    #[arg(long, value_name = "LEVEL", default_value = "0.95", value_parser = read_confidence)]
    confidence: f64,

    #[command(flatten)]
    rules: RulesArgs,

    /// What to play for: to win, or the money of Vegas, five for each card up at the end less 52
    #[arg(long, value_name = "GOAL", default_value = "win", value_parser = read_goal)]
    goal: Goal,
}

fn read_goal(text: &str) -> Result<Goal, String> {
    let found = Goal::WORDS.iter().find(|(word, _)| *word == text);
    found
        .map(|&(_, goal)| goal)
        .ok_or_else(|| "write win or money".to_owned())
}

impl Args {
    pub(super) fn run(&self, output: &mut Output) -> Result<Status, CliError> {
        let rules = self.rules.rules()?;
        let table = self.table(&rules)?;
        let thinking = Thinking::default()
            .goal(self.goal)
            .seed(self.player_seed)
            .confidence(self.confidence);
        let thinking = match self.iterations {
            Some(number) => thinking.iterations(number),
            None => thinking.time(self.time_limit),
        };
        let advice = Solver::new(Arc::clone(&rules))
            .advise(&table, &thinking)
            .map_err(|reason| {
                CliError::usage(format!(
                    "{reason}; `klondike simulate --player tree` plays by these rules, and \
                     `klondike solve` says, with all cards known, whether it is won"
                ))
            })?;
        let answer = advice::answer(&table, &advice, self.confidence)
            .map_err(|error| CliError::Data(error.to_string()))?;
        let answer = Envelope::of_deal(&self.position, &rules, answer);
        let has_figures = matches!(advice, Advice::Open { .. } | Advice::End { .. });
        let note = match rules.runs() {
            Runs::Whole if has_figures => {
                "the figures are those of partial runs, which allow more than whole ones\n"
            }
            _ => "",
        };
        output.answer(answer, |answer| in_words(&advice, answer) + note)?;
        Ok(Status::Answered)
    }

    fn table(&self, rules: &Arc<Rules>) -> Result<Table, CliError> {
        let source = DealSource::one(&self.position, self.format);
        let mut sources = source.open(rules)?;
        let only = sources.next().transpose()?;
        let (Some(only), None) = (only, sources.next()) else {
            return Err(CliError::usage("advice is for one position: name one"));
        };
        match &only.start {
            Start::Partly(partly) if lacks_talon(partly) => {
                Err(unknown_talon(&only.label, partly.unknown_talon).into())
            }
            Start::Partly(partly) => Ok(partly.table.clone()),
            _ => only.table(rules),
        }
    }
}

fn in_words(advice: &Advice, answer: &AdviceAnswer) -> String {
    match advice {
        Advice::Solved { .. } => {
            let solution = answer.solution.as_ref().map_or("", |line| &line.text);
            format!("nothing is hidden any more; this wins:\n{solution}\n")
        }
        Advice::Lost => "lost, whatever the hidden cards are\n".to_owned(),
        Advice::Hopeless {
            drawn,
            chance_at_most,
            ..
        } => format!(
            "hopeless: all of {} orders of the hidden cards that were drawn are proven lost (at \
             most {:.2} % can be won)\n",
            grouped(u64::from(*drawn)),
            100.0 * chance_at_most,
        ),
        Advice::End { .. } => {
            let (worth, line) = (answer.worth.unwrap_or(0.0), answer.solution.as_ref());
            let end = match line.map_or("", |line| &line.text) {
                "" => "end the game here".to_owned(),
                moves => format!("end the game after these moves:\n{moves}"),
            };
            format!("no move is worth more than {worth:+}: {end}\n")
        }
        Advice::Open { opinion, .. } => ranking(answer, opinion),
    }
}

fn tries(visits: u32) -> String {
    let end = if visits == 1 { "" } else { "s" };
    format!("tried {} time{end}", grouped(u64::from(visits)))
}

/// The move with the highest worth, or chance of winning, with its number from 1; of several, the
/// first.
fn highest(moves: &[AdvisedMove]) -> Option<(&AdvisedMove, usize)> {
    let value = |one: &AdvisedMove| one.worth.or(one.chance);
    let tried = moves
        .iter()
        .zip(1..)
        .filter(|(one, _)| value(one).is_some());
    tried.reduce(|best, next| match value(next.0) > value(best.0) {
        true => next,
        false => best,
    })
}

/// The moves in words, the best first.
fn ranking(answer: &AdviceAnswer, opinion: &Opinion) -> String {
    let moves = &answer.moves[..];
    let mut text = String::new();
    let width = moves
        .iter()
        .map(|one| one.line.text.len())
        .max()
        .unwrap_or(0);
    for (one, number) in moves.iter().zip(1..) {
        let _ = write!(text, "{number:>2}. {:width$}  ", one.line.text);
        if let (Some(worth), Some(interval)) = (one.worth, one.worth_interval) {
            let _ = writeln!(
                text,
                "expected {worth:+.2} ({:+.2} to {:+.2}), {}",
                interval.low,
                interval.high,
                tries(one.visits),
            );
            continue;
        }
        let (Some(chance), Some(interval)) = (one.chance, one.interval) else {
            text.push_str("not tried\n");
            continue;
        };
        let _ = writeln!(
            text,
            "{}, {}",
            estimate(Some(chance), interval),
            tries(one.visits),
        );
    }
    if moves.len() == 1 {
        text.push_str("there is no other move\n");
    }
    if let Some((best, number)) = highest(moves).filter(|&(_, number)| number > 1) {
        let value = if best.worth.is_some() {
            "worth"
        } else {
            "chance"
        };
        let _ = writeln!(
            text,
            "move 1 is the one tried most; the highest {value} is that of move {number}, {}",
            tries(best.visits)
        );
    }
    let alive = match answer.worth_now {
        Some(_) => String::new(),
        None => format!(
            ", {} of them not proven lost",
            grouped(u64::from(opinion.alive))
        ),
    };
    let _ = writeln!(
        text,
        "{} orders of the hidden cards {}{alive}",
        grouped(u64::from(opinion.drawn)),
        if opinion.complete {
            "are possible"
        } else {
            "drawn"
        },
    );
    if let (Some(now), Some(expected)) = (answer.worth_now, answer.worth) {
        let _ = writeln!(text, "expected {expected:+.2}; ended here {now:+.2}");
    }
    text
}
