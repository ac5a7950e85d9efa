//! Advice: the next moves of a position as a person sees it, with the chance of winning after each.

use std::time::Duration;

use crate::belief::NoBelief;
use crate::goal::Goal;
use crate::judge::BeliefPlayer;
use crate::tree::{self, Parameters};
use crate::{Candidate, Information, Opinion, Player, Session, Thought};
use klondike_batch::interval::Interval;
use klondike_engine::search::Limits;
use klondike_engine::search::clock::{self, Clock};
use klondike_game::table::{Move, Table};

/// How long to think, and how to report it. By default it is a second of thought (800 iterations
/// where there is no clock), and intervals of 95 % confidence.
///
/// ```
/// use klondike::Thinking;
///
/// let quick = Thinking::default().iterations(100).seed(7);
/// assert_ne!(quick, Thinking::default());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub struct Thinking {
    length: Length,
    seed: u64,
    confidence: f64,
    goal: Goal,
}

#[derive(Clone, Copy, Debug)]
enum Length {
    Iterations(u32),
    Time(Clock, Duration),
}

/// Clocks are not compared: two functions may share an address or have several.
impl PartialEq for Length {
    fn eq(&self, other: &Length) -> bool {
        match (self, other) {
            (Length::Iterations(one), Length::Iterations(other)) => one == other,
            (Length::Time(_, one), Length::Time(_, other)) => one == other,
            _ => false,
        }
    }
}

/// Iterations where there is no clock.
const ITERATIONS: u32 = 800;

impl Default for Thinking {
    fn default() -> Thinking {
        let second = |clock| Length::Time(clock, Duration::from_secs(1));
        Thinking {
            length: clock::SYSTEM.map_or(Length::Iterations(ITERATIONS), second),
            seed: 1,
            confidence: 0.95,
            goal: Goal::Win,
        }
    }
}

impl Thinking {
    /// Think for so many iterations, which gives the same advice every time.
    pub fn iterations(self, number: u32) -> Thinking {
        let length = Length::Iterations(number);
        Thinking { length, ..self }
    }

    /// Think for this time by the clock of the system.
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    pub fn time(self, time: Duration) -> Thinking {
        self.time_on(clock::system_clock, time)
    }

    /// Think for this time by a clock that gives the time since some fixed moment and never goes
    /// back.
    pub fn time_on(self, clock: fn() -> Duration, time: Duration) -> Thinking {
        let length = Length::Time(clock, time);
        Thinking { length, ..self }
    }

    /// Sets the seed of the random numbers, 1 by default.
    pub fn seed(self, seed: u64) -> Thinking {
        Thinking { seed, ..self }
    }

    /// Sets what is played for, to win by default.
    pub fn goal(self, goal: Goal) -> Thinking {
        Thinking { goal, ..self }
    }

    /// Sets the confidence of the intervals, 0.95 by default.
    ///
    /// # Panics
    /// If it is not above 0 and below 1.
    pub fn confidence(self, confidence: f64) -> Thinking {
        let sensible = confidence > 0.0 && confidence < 1.0;
        assert!(
            sensible,
            "a confidence is above 0 and below 1: {confidence}"
        );
        Thinking { confidence, ..self }
    }
}

/// What a person who does not see the hidden cards can play next.
#[derive(Clone, Debug, PartialEq)]
pub enum Advice {
    /// Nothing is hidden any more.
    #[non_exhaustive]
    Solved {
        /// The moves that win.
        moves: Vec<Move>,
    },
    /// It is lost for every order of the hidden cards.
    Lost,
    /// All orders of the hidden cards that were drawn are proven lost.
    #[non_exhaustive]
    Hopeless {
        /// Orders drawn.
        drawn: u32,
        /// The upper end of the interval for the chance of winning.
        chance_at_most: f64,
    },
    /// Played for money: no move is worth more than to end the game after these.
    #[non_exhaustive]
    End {
        /// Moves that bring cards up. With nothing hidden they bring up as many as can be.
        moves: Vec<Move>,
    },
    /// Something is hidden, and the game may be won, or is played for money.
    #[non_exhaustive]
    Open {
        /// The moves, the one that the player would make first.
        moves: Vec<Advised>,
        /// What they are ranked by.
        opinion: Opinion,
    },
}

/// A move with its chance among all orders of the hidden cards.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Advised {
    /// Moves at the table. All but the last can be taken back or only turn the talon.
    pub moves: Vec<Move>,
    /// The chance of winning, if the move was tried.
    pub chance: Option<Chance>,
    /// What the game is expected to be worth, if it is played for money and the move was tried.
    pub worth: Option<Worth>,
    /// How often it was tried.
    pub visits: u32,
    /// How often it stayed unknown whether an order of the hidden cards could be won after it.
    pub unknowns: u32,
}

/// A chance of winning.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Chance {
    /// The estimate, 0 to 1.
    pub estimate: f64,
    /// Its interval, of the confidence that was asked for.
    pub interval: Interval,
}

/// What a game of Vegas is expected to be worth.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Worth {
    /// The estimate: five for each card up at the end, less one for each card of the deck.
    pub estimate: f64,
    /// Its interval, of the confidence that was asked for. It allows for the orders of the hidden
    /// cards that were drawn, and not for what the search does not see.
    pub interval: Interval,
}

/// What a person at the table knows of the talon. With limited redeals it sees the stock when it is
/// first turned.
fn information(table: &Table) -> Information {
    match table.redeals_used() {
        0 => Information::usual(table.rules()),
        _ => Information::TalonKnown,
    }
}

/// Thinks about the next moves at `table`, and ends soon after a limit is hit. The hidden cards of
/// the table are not looked at.
///
/// # Errors
/// If the player does not know these rules, or if cards of the talon are missing.
pub fn advise(table: &Table, thinking: &Thinking, limits: &Limits) -> Result<Advice, NoBelief> {
    if table.is_won() {
        return Ok(Advice::Solved { moves: Vec::new() });
    }
    let confidence = thinking.confidence;
    let session = Session::new(table, information(table));
    let mut player = adviser(thinking);
    player.new_game(thinking.seed);
    Ok(match player.think_within(session.view(), limits.clone())? {
        Thought::Solved(moves) => Advice::Solved { moves },
        Thought::Best(moves) => Advice::End { moves },
        Thought::Lost => Advice::Lost,
        Thought::Hopeless { drawn } => Advice::Hopeless {
            drawn,
            chance_at_most: Interval::wilson(0, u64::from(drawn), confidence).high,
        },
        Thought::Open(opinion) => {
            let mut moves = advised(&opinion, confidence);
            if moves.is_empty() {
                // With whole runs none of the moves it has thought of may be legal.
                moves = table.legal_moves().into_iter().map(untried).collect();
            }
            match moves.is_empty() {
                true => Advice::Lost,
                false => Advice::Open { moves, opinion },
            }
        }
    })
}

/// The moves of an opinion with their chances, the best first.
#[must_use]
pub fn advised(opinion: &Opinion, confidence: f64) -> Vec<Advised> {
    let advised = |one: &Candidate| Advised {
        moves: one.moves.clone(),
        chance: opinion.chance(one).map(|estimate| Chance {
            estimate,
            interval: interval(opinion, one, confidence),
        }),
        worth: worth(opinion, one, confidence),
        visits: one.visits,
        unknowns: one.unknowns,
    };
    opinion.candidates.iter().map(advised).collect()
}

/// A move of which nothing is known.
fn untried(made: Move) -> Advised {
    Advised {
        moves: vec![made],
        chance: None,
        worth: None,
        visits: 0,
        unknowns: 0,
    }
}

/// What the game is expected to be worth after a move, within what it can be worth.
fn worth(opinion: &Opinion, candidate: &Candidate, confidence: f64) -> Option<Worth> {
    let (money, (estimate, error)) = opinion.money.zip(opinion.worth(candidate))?;
    let half = Interval::errors(confidence) * error;
    Some(Worth {
        estimate,
        interval: Interval {
            low: (estimate - half).max(money.worth(0.0)),
            high: (estimate + half).min(money.worth(money.deck as f64)),
        },
    })
}

/// The player that gives advice.
fn adviser(thinking: &Thinking) -> BeliefPlayer {
    let mut parameters = Parameters {
        goal: thinking.goal,
        // There is more time than for a decision in a game, and more worlds make the chances
        // sharper.
        worlds: 1_000,
        facts: 1_024,
        single: true,
        ..Parameters::default()
    };
    match thinking.length {
        Length::Iterations(number) => parameters.iterations = number,
        Length::Time(clock, time) => parameters.time = Some((clock, time)),
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
