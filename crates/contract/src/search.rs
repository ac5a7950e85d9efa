//! Answers of searches beside those of `solve`: analyses, deals found.

use klondike_batch::interval::Interval;
use serde::Serialize;

use crate::{Fewest, LimitName, VerdictName};

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
    pub game: Option<JudgedGame>,
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
    /// Further moves of which a limit hid whether they are critical.
    pub undecided: usize,
}

/// Which move lost a game.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "Game"))]
pub struct JudgedGame {
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
