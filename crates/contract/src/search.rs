//! Answers of searches: verdicts, best solutions, analyses, deals found.

use klondike_batch::interval::Interval;
use klondike_engine::prove::Evidence;
use klondike_engine::prune::blocking::explain::Explanation;
use klondike_game::rules::Rules;
use serde::{Deserialize, Serialize};

use crate::{LimitName, Line, VerdictName};

/// Whether a deal can be won, and how, or how well.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SolveAnswer {
    /// What was asked for.
    pub goal: Goal,
    /// Whether the deal can be won.
    pub verdict: VerdictName,
    /// The limit that ended the search before its goal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<LimitName>,
    /// The replayed solution.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solution: Option<Line>,
    /// Why the deal cannot be won.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Reason>,
    /// How short the solution, or the line to the best score, is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fewest: Option<Fewest>,
    /// The best score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
    /// The engine that answered: `kplus` or `table`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine: Option<&'static str>,
    /// States of the search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub states: Option<u64>,
    /// States of the search with fewer rules that guides it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub oracle_states: Option<u64>,
    /// States proved lost without a search below them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dead_ends: Option<u64>,
    /// Most memory of the tables of states, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_bytes: Option<u64>,
    /// The time of the search.
    pub microseconds: u64,
}

/// What `solve` looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Goal {
    /// Any solution.
    Win,
    /// A shortest solution.
    Shortest,
    /// A solution with the fewest passes through the talon.
    FewestPasses,
    /// The most cards on the foundations.
    BestScore,
}

/// How short a line of play is.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Fewest {
    /// What is counted: `cards`, `draws`, `flips`, `redeals` or `passes`.
    pub counting: &'static str,
    /// The length of the line.
    pub length: u32,
    /// No line is shorter than this.
    pub at_least: u32,
    /// Whether the line is proved to be a shortest one.
    pub proved: bool,
    /// States of the search for it, if it was one of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub states: Option<u64>,
}

/// The most cards on the foundations.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Score {
    /// Cards on the foundations after the line.
    pub cards: u8,
    /// No line gets more.
    pub at_most: u8,
    /// Whether the score is proved to be the best.
    pub proved: bool,
    /// Cards of the deck.
    pub of: usize,
    /// What the score is worth in Vegas: 5 for each card less 1 for each card of the deck.
    pub vegas: i32,
    /// The line of play.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<Line>,
}

/// Why a deal cannot be won.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Reason {
    /// `blocked`: cards wait for each other; `refuted`: shown without a search; `searched`: all
    /// positions that matter were searched.
    pub proof: &'static str,
    /// The rules it was proved for, if they allow more than those asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weaker_rules: Option<Rules>,
    /// The cards that wait for each other, if it is blocked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blocking_set: Option<Explanation>,
}

impl From<&Evidence> for Reason {
    fn from(evidence: &Evidence) -> Reason {
        let (proof, blocking_set) = match evidence {
            Evidence::Blocked(explanation) => ("blocked", Some(explanation.clone())),
            Evidence::Refuted => ("refuted", None),
            Evidence::Searched => ("searched", None),
            Evidence::WeakerRules(rules, evidence) => {
                return Reason {
                    weaker_rules: Some(Rules::clone(rules)),
                    ..Reason::from(&**evidence)
                };
            }
        };
        Reason {
            proof,
            weaker_rules: None,
            blocking_set,
        }
    }
}

/// What the moves of a position, and those of a game that was played, are worth.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AnalyseAnswer {
    /// Whether the game can be won.
    pub verdict: VerdictName,
    /// How many of the moves are proved to keep the game winnable.
    pub winning_moves: usize,
    /// How many of the moves are not decided.
    pub undecided_moves: usize,
    /// The legal moves.
    pub moves: Vec<JudgedMove>,
    /// The critical moves of a solution.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub critical: Option<Critical>,
    /// The game that was played.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub game: Option<Game>,
    /// The share of the reachable positions that are lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lost_share: Option<LostShare>,
}

/// A legal move with the verdict on the position after it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct JudgedMove {
    /// The move in the notation asked for.
    pub text: String,
    /// The move.
    #[serde(flatten)]
    pub made: crate::PlayedMove,
    /// Whether the game can be won after it.
    pub verdict: VerdictName,
}

/// A move of a game.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NumberedMove {
    /// From 1.
    pub number: usize,
    /// The move in the notation asked for.
    pub text: String,
    /// The move.
    #[serde(flatten)]
    pub made: crate::PlayedMove,
}

/// The moves of a solution that are the only ones that win (docs/analyse.md).
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Critical {
    /// Moves of the solution.
    pub solution_moves: usize,
    /// The critical ones.
    pub moves: Vec<NumberedMove>,
}

/// Which move lost a game.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Game {
    /// `lost-before`, `winnable`, `lost` or `undecided`.
    pub outcome: &'static str,
    /// The move that lost it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lost_by: Option<NumberedMove>,
    /// The moves that would have kept it winnable.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub instead: Vec<String>,
    /// The verdict at the start and after each move, where it was asked for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub verdicts: Vec<VerdictName>,
}

/// The share of the reachable positions that are lost.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "method", rename_all = "kebab-case")]
pub enum LostShare {
    /// All positions were counted.
    Counted {
        /// Positions that can be reached.
        positions: u64,
        /// Those that are lost.
        lost: u64,
        /// Their share, 0 to 1.
        share: f64,
    },
    /// Positions on random walks were decided.
    Walked {
        /// The limit that the count of all positions hit.
        limit: LimitName,
        /// Number of walks.
        walks: u32,
        /// Their seed.
        seed: u64,
        /// What was found after some numbers of moves.
        after: Vec<Walked>,
    },
}

/// The positions on random walks after a number of moves.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Walked {
    /// Number of random moves.
    pub moves: u32,
    /// Walks after which the game can be won.
    pub winnable: u64,
    /// Walks after which it is lost.
    pub lost: u64,
    /// Walks after which it is not decided.
    pub undecided: u64,
    /// 95 % interval for the share of walks after which the game is lost.
    pub interval: Interval,
}

/// A deal that was searched for and found.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GenerateAnswer {
    /// Whether it can be won.
    pub verdict: VerdictName,
    /// Whether it cannot be won without worrying back, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub needs_worrying_back: Option<bool>,
    /// Its grade from 1 (easy) to 10, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grade: Option<u8>,
    /// Its shortest solution, where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fewest: Option<Fewest>,
    /// The format of `text`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<&'static str>,
    /// The deal in the format asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}
