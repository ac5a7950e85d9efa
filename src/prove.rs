//! Verdicts: what is said of a deal, and on what grounds.
//!
//! [`decide`] picks the engine that covers the rules, searches, and replays every solution on the
//! referee before it is returned. Nothing above this module sees an unreplayed solution.

use std::fmt;
use std::sync::Arc;

use crate::kplus::{Game, realize};
use crate::prune::{Lemmas, blocking};
use crate::search::{self, Budget, Limit, Limits, Outcome, Stats};
use crate::table::{Move, Table};

/// What is known of a deal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// There is a way to win, and here it is.
    Winnable(Solution),
    /// There is no way to win.
    Unwinnable(Evidence),
    /// A limit was hit before anything was settled.
    Undecided(Limit),
}

impl Verdict {
    /// `winnable`, `unwinnable` or `undecided`.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Verdict::Winnable(_) => "winnable",
            Verdict::Unwinnable(_) => "unwinnable",
            Verdict::Undecided(_) => "undecided",
        }
    }
}

/// A line of play that the referee has replayed from the start to a win.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    moves: Vec<Move>,
}

impl Solution {
    /// Replays `moves` from `start`.
    ///
    /// # Errors
    /// If a move is illegal or the game is not won at the end.
    pub fn replay(start: &Table, moves: Vec<Move>) -> Result<Solution, WrongSolution> {
        let mut table = start.clone();
        for (number, &made) in moves.iter().enumerate() {
            table.make(made).map_err(|reason| {
                WrongSolution(format!("move {} is illegal: {reason}", number + 1))
            })?;
        }
        if table.is_won() {
            Ok(Solution { moves })
        } else {
            Err(WrongSolution(format!(
                "{} cards are not on the foundation at the end",
                table.rules().deck().len() - table.foundation_count()
            )))
        }
    }

    /// The moves, from the first.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }
}

/// A line that the referee did not accept: a bug in this program, never shown as a verdict.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongSolution(String);

impl fmt::Display for WrongSolution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "internal error, the referee refuses the solution found: {}",
            self.0
        )
    }
}

impl std::error::Error for WrongSolution {}

/// Why a deal cannot be won.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// The relaxation of the first position cannot be won.
    Blocked(blocking::Blocked),
    /// Every line of play that matters was searched.
    Exhausted,
}

/// Which engine answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Engine {
    /// The search over K+ states.
    KPlus,
    /// The search over table states.
    Table,
}

impl Engine {
    /// The word used in text and JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Engine::KPlus => "kplus",
            Engine::Table => "table",
        }
    }
}

/// A verdict and how it was reached.
#[derive(Clone, Debug)]
pub struct Decision {
    /// The verdict.
    pub verdict: Verdict,
    /// The engine that answered.
    pub engine: Engine,
    /// What the search did.
    pub stats: Stats,
}

/// Decides whether the game on `table` can be won.
///
/// # Errors
/// If a solution found is refused by the referee, which is a bug.
pub fn decide(table: &Table, lemmas: Lemmas, limits: &Limits) -> Result<Decision, WrongSolution> {
    let game = Game::new(table).expect("only K+ so far");
    let mut stats = Stats::default();
    let start = game.start();
    let mut budget = Budget::new(limits.clone());
    let outcome = search::depth_first::solve(&game, &start, lemmas, &mut budget, &mut stats);
    let verdict = match outcome {
        Outcome::Found(line) => {
            let mut moves =
                realize::realize(table, &line).map_err(|error| WrongSolution(error.to_string()))?;
            let mut end = table.clone();
            for &made in &moves {
                end.make(made)
                    .map_err(|error| WrongSolution(error.to_string()))?;
            }
            let rest = realize::finish(&end)
                .map_err(|left| WrongSolution(format!("{left} cards cannot be finished")))?;
            moves.extend(rest);
            Verdict::Winnable(Solution::replay(table, moves)?)
        }
        Outcome::Exhausted => Verdict::Unwinnable(Evidence::Exhausted),
        Outcome::Stopped(limit) => Verdict::Undecided(limit),
    };
    Ok(Decision {
        verdict,
        engine: Engine::KPlus,
        stats,
    })
}

/// The table of `deal` under `rules`, ready for [`decide`].
///
/// # Errors
/// If the deal is not one of these rules.
pub fn lay_out(
    rules: &Arc<crate::rules::Rules>,
    deal: &crate::deal::Deal,
) -> Result<Table, crate::table::TableError> {
    Table::new(Arc::clone(rules), deal)
}
