//! Advice: the next moves of a position as a person sees it, with the chance of winning after each.

use std::time::Duration;

use crate::belief::NoBelief;
use crate::interval::Interval;
use crate::judge::BeliefPlayer;
use crate::tree::{self, Parameters};
use crate::{Candidate, Information, Opinion, Player, Session, Thought};
use klondike_game::table::{Move, Table};

/// How long to think, and how to report it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Thinking {
    /// Think for so many iterations, which gives the same advice every time, …
    pub iterations: Option<u32>,
    /// … or else for this time.
    pub time: Duration,
    /// Seed of the random numbers.
    pub seed: u64,
    /// Confidence of the intervals, above 0 and below 1, such as 0.95.
    pub confidence: f64,
}

/// A second of thought, with 95 % confidence.
impl Default for Thinking {
    fn default() -> Thinking {
        Thinking {
            iterations: None,
            time: Duration::from_secs(1),
            seed: 1,
            confidence: 0.95,
        }
    }
}

/// What a person who does not see the hidden cards can play next.
#[derive(Clone, Debug, PartialEq)]
pub enum Advice {
    /// Nothing is hidden any more, and these moves win.
    Solved(Vec<Move>),
    /// It is lost for every order of the hidden cards.
    Lost,
    /// All orders of the hidden cards that were drawn are proven lost.
    Hopeless {
        /// Orders drawn.
        drawn: u32,
        /// The upper end of the interval for the chance of winning.
        chance_at_most: f64,
    },
    /// The moves, the best first, and the opinion that they are from.
    Open(Vec<Advised>, Opinion),
}

/// A move with its chance among all orders of the hidden cards.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Advised {
    /// Moves at the table. All but the last can be taken back or only turn the talon.
    pub moves: Vec<Move>,
    /// The chance of winning, 0 to 1, with its interval, if the move was tried.
    pub chance: Option<(f64, Interval)>,
    /// How often it was tried.
    pub visits: u32,
    /// How often it stayed unknown whether an order of the hidden cards could be won after it.
    pub unknowns: u32,
}

/// Thinks about the next moves at `table`. The hidden cards of the table are not looked at.
///
/// # Errors
/// If the player does not know these rules, or cards of the talon are missing.
///
/// # Panics
/// If the confidence is not between 0 and 1.
pub fn advise(table: &Table, thinking: &Thinking) -> Result<Advice, NoBelief> {
    if table.is_won() {
        return Ok(Advice::Solved(Vec::new()));
    }
    let confidence = thinking.confidence;
    let session = Session::new(table, Information::TalonKnown);
    let mut player = adviser(thinking);
    player.new_game(thinking.seed);
    Ok(match player.think(session.view())? {
        Thought::Solved(moves) => Advice::Solved(moves),
        Thought::Lost => Advice::Lost,
        Thought::Hopeless { drawn } => Advice::Hopeless {
            drawn,
            chance_at_most: Interval::wilson(0, u64::from(drawn), confidence).high,
        },
        Thought::Open(opinion) => Advice::Open(advised(&opinion, confidence), opinion),
    })
}

/// The moves of an opinion with their chances, the best first.
#[doc(hidden)]
#[must_use]
pub fn advised(opinion: &Opinion, confidence: f64) -> Vec<Advised> {
    let advised = |one: &Candidate| Advised {
        moves: one.moves.clone(),
        chance: opinion
            .chance(one)
            .map(|chance| (chance, interval(opinion, one, confidence))),
        visits: one.visits,
        unknowns: one.unknowns,
    };
    opinion.candidates.iter().map(advised).collect()
}

/// The player that gives advice.
fn adviser(thinking: &Thinking) -> BeliefPlayer {
    let mut parameters = Parameters {
        // There is more time than for a decision in a game, and more worlds make the chances
        // sharper.
        worlds: 1_000,
        facts: 1_024,
        single: true,
        ..Parameters::default()
    };
    match thinking.iterations {
        Some(iterations) => parameters.iterations = iterations,
        None => parameters.time = Some(thinking.time),
    }
    tree::player(parameters)
}

/// Allows at once for both uncertain things: which worlds were tried, and what their value is
/// worth.
fn interval(opinion: &Opinion, candidate: &Candidate, confidence: f64) -> Interval {
    // As if each visit had been in another world, won or not, as long as there are enough of them:
    // results between the two vary less.
    let sample = match opinion.complete {
        true => candidate.visits,
        false => candidate.visits.min(opinion.drawn),
    };
    let value = candidate.value * opinion.share();
    let hits = (value * f64::from(sample)).round();
    let seen = Interval::wilson(hits as u64, u64::from(sample), confidence);
    let errors = Interval::errors(confidence);
    let end = |end| opinion.calibration.end(value, end, errors);
    Interval {
        // With few tries the rounding of hits may leave the value outside.
        low: end(seen.low.min(value)),
        high: end(seen.high.max(value)),
    }
}
