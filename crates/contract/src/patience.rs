//! Answers about patience games in general, which are described by files.

use klondike_batch::interval::Interval;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::Mean;

/// A game that the program has.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PatienceListAnswer {
    /// Its name.
    pub name: &'static str,
    /// The game in a few words.
    pub about: &'static str,
}

/// The rules of a game.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PatienceShowAnswer {
    /// The game in the notation of game files: a file that holds it is the game again.
    pub description: Value,
}

/// What game files look like.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PatienceSchemaAnswer {
    /// The JSON Schema of game files.
    pub schema: Value,
}

/// Games that the tree search played.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum PatienceMctsAnswer {
    /// The sums of all games.
    Run(Box<PatienceSweepAnswer>),
    /// With `--each`: a game.
    Game(Played),
}

/// A player and how it did.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PatienceSweepAnswer {
    /// The game.
    pub game: String,
    /// Nodes that are searched for each move.
    pub searches: u32,
    /// Random games from each node.
    pub playouts: u32,
    /// Moves after which a random game ends.
    pub depth: u32,
    /// Most moves of a game.
    pub total_moves: u32,
    /// How often a move that leads to an old position is replaced before the game ends.
    pub loops: u32,
    /// How cards that are not seen are dealt with.
    pub unknown: String,
    /// Which stacks may move from pile to pile.
    pub stacks: String,
    /// How the tree is searched: `greedy` or `uct`.
    pub tree: &'static str,
    /// The constant of UCT.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exploration: Option<f64>,
    /// Seed of the player's random numbers.
    pub seed: u64,
    /// Number of the first deal.
    pub first: u64,
    /// Games played.
    pub games: u64,
    /// Whether all games that were asked for were played; false after an interrupt.
    pub complete: bool,
    /// Games won.
    pub won: u64,
    /// Their share, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
    /// Confidence of the intervals, 0 to 1.
    pub confidence: f64,
    /// Wilson's interval of the share.
    pub wilson: Interval,
    /// The interval of Clopper and Pearson.
    pub clopper_pearson: Interval,
    /// Cards on the foundations at the end.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<Mean>,
    /// Moves of the games won.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub won_moves: Option<Mean>,
    /// Games that ended without a legal move.
    pub no_move: u64,
    /// Games that ended because every move led to an old position or was of no use.
    pub only_loops: u64,
    /// Games that ended at the limit of loops.
    pub loop_limit: u64,
    /// Games that ended at the limit of moves.
    pub move_limit: u64,
    /// Mean time of a game, on one thread.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds_per_game: Option<f64>,
}

/// A game of a run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Played {
    /// Number of the deal.
    #[serde(rename = "number")]
    pub deal: u64,
    /// How it went.
    #[serde(flatten)]
    pub outcome: PatienceResult,
    /// What a thread took for it.
    pub seconds: f64,
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// All cards are on the foundations.
    Won,
    /// There is no legal move.
    NoMove,
    /// Every move that is left leads to an old position or is of no use.
    OnlyLoops,
    /// The loop limit was hit before such a move was found.
    LoopLimit,
    /// As many moves were made as may be.
    MoveLimit,
}

impl End {
    /// All ends, in order.
    pub const ALL: [End; 5] = [
        End::Won,
        End::NoMove,
        End::OnlyLoops,
        End::LoopLimit,
        End::MoveLimit,
    ];

    /// As it is written in JSON and CSV.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            End::Won => "won",
            End::NoMove => "no_move",
            End::OnlyLoops => "only_loops",
            End::LoopLimit => "loop_limit",
            End::MoveLimit => "move_limit",
        }
    }

    /// In words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            End::Won => "won",
            End::NoMove => "no move left",
            End::OnlyLoops => "only loops left",
            End::LoopLimit => "loop limit",
            End::MoveLimit => "move limit",
        }
    }
}

/// How a game went.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PatienceResult {
    /// Why it ended.
    pub end: End,
    /// Cards on the foundations at the end.
    pub score: u32,
    /// Moves made, turning over cards included.
    pub moves: u32,
}

/// A published figure beside ours.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PatiencePublishedAnswer {
    /// The name of the figure.
    pub id: String,
    /// The game.
    pub game: String,
    /// What is counted.
    pub measure: Measure,
    /// The page of the thesis.
    pub page: String,
    /// The published figure, or the lower end of its range.
    pub published_low: f64,
    /// The upper end.
    pub published_high: f64,
    /// Our figure, in the same unit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ours: Option<f64>,
    /// Its interval.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<Interval>,
    /// Whether the intervals meet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agree: Option<bool>,
    /// Games played.
    pub games: u64,
    /// Whether all games that were asked for were played; false after an interrupt.
    pub complete: bool,
    /// Nodes that are searched for each move.
    pub searches: u32,
    /// Random games from each node.
    pub playouts: u32,
    /// How cards that are not seen are dealt with.
    pub unknown: String,
    /// Seed of the player's random numbers.
    pub seed: u64,
    /// Number of the first deal.
    pub first: u64,
    /// Mean time of a game, on one thread.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds_per_game: Option<f64>,
}

/// What a figure of the thesis counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Measure {
    /// The share of games won, 0 to 1.
    Share,
    /// The mean number of cards on the foundations.
    Score,
    /// The standard deviation of the cards on the foundations.
    Deviation,
    /// The mean number of moves of won games.
    Moves,
}

impl Measure {
    /// As it is written in JSON and CSV.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Measure::Share => "share",
            Measure::Score => "score",
            Measure::Deviation => "deviation",
            Measure::Moves => "moves",
        }
    }
}
