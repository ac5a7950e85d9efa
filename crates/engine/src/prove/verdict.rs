//! The three verdicts and what stands behind them: a replayed solution, the evidence of a loss, or
//! the limit that was hit.

use std::fmt;
use std::sync::Arc;

use crate::search::Limit;
use klondike_game::rules::Rules;
use klondike_game::table::notation::Notation;
use klondike_game::table::{Move, Table};
use klondike_lemmas::prune::blocking::explain::BlockingSet;

/// What is known of a deal. These three verdicts are all there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// There is a way to win, and here it is.
    Winnable(Solution),
    /// There is no way to win.
    Unwinnable(Evidence),
    /// A limit was hit before anything was settled: neither a win nor a loss.
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

/// Writes the [`name`](Verdict::name).
impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A line of play that the referee has replayed from the start to a win.
///
/// ```
/// use klondike::{Deal, Move, Rules, Solution, Table};
///
/// let start = Table::new(Rules::standard().into(), &"solvitaire:3".parse::<Deal>()?)?;
/// assert!(Solution::replay(&start, vec![Move::Draw]).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solution {
    start: Table,
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
            Ok(Solution {
                start: start.clone(),
                moves,
            })
        } else {
            Err(WrongSolution(format!(
                "{} cards are not on the foundation at the end",
                table.rules().deck().len() - table.foundation_count()
            )))
        }
    }

    /// The same moves from another position, replayed there.
    ///
    /// # Errors
    /// As [`Solution::replay`].
    pub(super) fn at(self, start: &Table) -> Result<Solution, WrongSolution> {
        Solution::replay(start, self.moves)
    }

    /// The position before the first move.
    #[must_use]
    pub fn start(&self) -> &Table {
        &self.start
    }

    /// The moves, from the first.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }
}

/// Writes the moves in this program's own notation, [`Notation::Klondike`].
impl fmt::Display for Solution {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = Notation::Klondike.write(&self.start, &self.moves);
        f.write_str(&text.map_err(|_| fmt::Error)?)
    }
}

/// A line that the referee does not accept. If a question is answered with it, that is a bug in the
/// program, and never a verdict.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the referee refuses the solution: {0}")]
pub struct WrongSolution(pub(super) String);

/// Why a deal cannot be won. `Solver::prove` writes a certificate of it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Evidence {
    /// The relaxation of the first position cannot be won: cards wait for each other.
    Blocked(Box<BlockingSet>),
    /// The relaxation with the order of twins, covers and kings' columns cannot be won.
    Refuted,
    /// The search tried every line of play that matters.
    Searched,
    /// The same game under these rules, which allow more, cannot be won.
    WeakerRules(Arc<Rules>, Box<Evidence>),
}

impl Evidence {
    /// The word used in JSON: `blocked`, `refuted` or `searched`, under whichever rules.
    #[must_use]
    pub fn name(&self) -> &'static str {
        match self {
            Evidence::Blocked(_) => "blocked",
            Evidence::Refuted => "refuted",
            Evidence::Searched => "searched",
            Evidence::WeakerRules(_, evidence) => evidence.name(),
        }
    }

    /// The evidence itself, without the weaker rules that it is about.
    #[must_use]
    pub fn itself(&self) -> &Evidence {
        match self {
            Evidence::WeakerRules(_, evidence) => evidence.itself(),
            evidence => evidence,
        }
    }
}

/// One line; the cards that wait for each other follow on lines of their own.
impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (mut reason, mut relaxed) = (self, String::new());
        while let Evidence::WeakerRules(rules, inner) = reason {
            (reason, relaxed) = (&**inner, format!(", even under weaker rules ({rules})"));
        }
        match reason {
            Evidence::Blocked(set) => {
                write!(f, "cards wait for each other{relaxed}:")?;
                let lines = set.explain().to_string();
                lines.lines().try_for_each(|line| write!(f, "\n  {line}"))
            }
            Evidence::Refuted => write!(
                f,
                "the first position cannot be won, without search{relaxed}"
            ),
            _ => write!(f, "every line of play that matters was searched{relaxed}"),
        }
    }
}
