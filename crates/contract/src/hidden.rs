//! Answers about hidden cards: advice and grades.

use klondike_batch::interval::Interval;
use serde::Serialize;

use crate::{LimitName, Line, VerdictName};

/// How hard a deal is (docs/difficulty.md).
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GradeAnswer {
    /// Whether the deal can be won: only those have a grade.
    pub verdict: VerdictName,
    /// The limit that left it undecided, or winnable without a grade.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<LimitName>,
    /// The version of the grade: 1 for the standard rules with draw 1 and draw 3, 2 for others.
    pub grade_version: u32,
    /// From 1 (easy) to 10.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub grade: Option<u8>,
    /// The estimated chance of winning with hidden cards, 0 to 1. Not with version 2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chance: Option<f64>,
    /// What the grade is computed from.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub features: Option<Features>,
}

/// What a grade is computed from.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Features {
    /// Games of the greedy player.
    pub games: u32,
    /// How many of them it won.
    pub wins: u32,
    /// How many cards it brought up in all of them together.
    pub cards: u32,
    /// The width of the narrowest beam that won. Not with version 2.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beam: Option<usize>,
}

/// The best next moves of a position as a person sees it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AdviceAnswer {
    /// What is known of the game.
    pub verdict: AdviceVerdict,
    /// The upper end of the interval for the chance of winning, if the game is hopeless.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chance_at_most: Option<f64>,
    /// The moves that win, if nothing is hidden; or those after which to end a game that is played
    /// for money.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solution: Option<Line>,
    /// The moves in the order in which the player would make them.
    pub moves: Vec<AdvisedMove>,
    /// What the game is expected to be worth if it is played for money: five for each card up at
    /// the end less one for each card of the deck.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worth: Option<f64>,
    /// What it is worth if it is ended here, after moves that only put cards up.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worth_now: Option<f64>,
    /// Orders of the hidden cards in use.
    pub worlds: u32,
    /// Orders drawn.
    pub worlds_drawn: u32,
    /// Orders drawn that are not proven lost.
    pub worlds_not_lost: u32,
    /// Confidence of the intervals, 0 to 1.
    pub confidence: f64,
    /// The limit that ended the thinking early; the moves are ranked by what was known then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<LimitName>,
}

/// What is known of a game with hidden cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum AdviceVerdict {
    /// Nothing is hidden, and a solution is found.
    Winnable,
    /// It is lost for every order of the hidden cards.
    Unwinnable,
    /// All orders drawn are proven lost.
    Hopeless,
    /// Played for money: no move is worth more than to end the game after `solution`.
    End,
    /// None of these.
    Open,
}

/// A next move with its chance. Moves before the last one only turn the talon,
/// or can be taken back.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AdvisedMove {
    /// The moves.
    pub line: Line,
    /// The chance of winning, 0 to 1; nothing if the move was not tried. With whole runs this and
    /// the worth are those of partial runs, which allow more.
    pub chance: Option<f64>,
    /// The confidence interval of the chance.
    pub interval: Option<Interval>,
    /// What the game is expected to be worth if it is played for money and the move was tried.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worth: Option<f64>,
    /// The confidence interval of the worth.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worth_interval: Option<Interval>,
    /// How often it was tried.
    pub visits: u32,
    /// How many of those were not decided.
    pub unknown: u32,
}
