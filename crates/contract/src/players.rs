//! Answers about players: games with hidden cards, sweeps over parameters, published figures.

use std::collections::BTreeMap;

use crate::{Line, Mean};
use klondike_batch::interval::Interval;
use serde::{Deserialize, Serialize};

/// A player that can be named.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlayerAnswer {
    /// Its name.
    pub name: &'static str,
    /// What it does, and its parameters.
    pub description: &'static str,
    /// The rule set of its paper, where it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule_set: Option<&'static str>,
}

/// The games of a player. A mean of no game is not there.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SimulateAnswer {
    /// The player with its parameters.
    pub player: String,
    /// The rule set of the player's paper, if these games have others.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rule_set: Option<&'static str>,
    /// What players see of the cards.
    pub information: &'static str,
    /// Seed of the player's random numbers.
    pub player_seed: u64,
    /// Seed scheme of the deals.
    pub scheme: &'static str,
    /// Seed of the first deal, in decimal digits.
    pub first: String,
    /// Games played.
    pub games: u64,
    /// Whether games end when they are proven lost.
    pub stop_when_lost: bool,
    /// Whether these are all games that were asked for.
    pub complete: bool,
    /// Games won.
    pub wins: u64,
    /// Their share, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
    /// Confidence of the intervals, 0 to 1.
    pub confidence: f64,
    /// Wilson's interval of the share.
    pub wilson: Interval,
    /// The interval of Clopper and Pearson.
    pub clopper_pearson: Interval,
    /// Games that went round in circles.
    pub stale: u64,
    /// Mean number of moves, draws and redeals included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub moves_per_game: Option<f64>,
    /// Mean number of decisions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub decisions_per_game: Option<f64>,
    /// Mean number of calls of the planner.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub planner_calls_per_game: Option<f64>,
    /// Mean time of a game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds_per_game: Option<f64>,
    /// The time of the longest game.
    pub longest_seconds: f64,
    /// Mean number of card moves of the games won.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub card_moves_per_won_game: Option<f64>,
    /// Means over the lost games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lost: Option<LostGames>,
    /// What the games are worth in Vegas, if redeals are limited and no game ends because it is
    /// proven lost.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vegas: Option<VegasGames>,
}

/// Worth of games in Vegas: 5 for each card on the foundations at the end, less 1 for each card of
/// the deck.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct VegasGames {
    /// Mean of a game, with the deviation of single games.
    pub per_game: Mean,
    /// Games that are worth more than nothing: with a whole deck, at least 11 cards up.
    pub ahead: u64,
    /// Wilson's interval of their share.
    pub ahead_wilson: Interval,
}

/// Means over the lost games.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LostGames {
    /// Card moves.
    pub card_moves: f64,
    /// Cards on the foundations at the end.
    pub foundation: f64,
    /// Face-down cards at the end.
    pub face_down: f64,
    /// Cards of the talon at the end.
    pub talon: f64,
}

/// A game of a player, move by move: a line of the file of `simulate --trace`.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SimulateTraceAnswer {
    /// The player with its parameters.
    pub player: String,
    /// What players see of the cards.
    pub information: &'static str,
    /// Seed of the player's random numbers.
    pub player_seed: u64,
    /// How it ended: `won`, `given-up`, `stale` or `lost` (ended since it was proven lost).
    pub result: &'static str,
    /// Cards on the foundations before the first move, and after each.
    pub foundation: Vec<usize>,
    /// Face-down cards before the first move, and after each.
    pub face_down: Vec<usize>,
    /// Cards of stock and waste before the first move, and after each.
    pub talon: Vec<usize>,
    /// The moves.
    pub line: Line,
}

/// Two players on the same deals.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SimulateComparisonAnswer {
    /// The players with their parameters.
    pub players: [String; 2],
    /// Whether these are all games that were asked for.
    pub complete: bool,
    /// Won by both.
    pub both: u64,
    /// Won by the first player only.
    pub only_first: u64,
    /// Won by the second player only.
    pub only_second: u64,
    /// Lost by both.
    pub neither: u64,
    /// The shares of wins of both, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub shares: Option<[f64; 2]>,
    /// The second player's share of wins less the first's, −1 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<f64>,
    /// Confidence of the interval, 0 to 1.
    pub confidence: f64,
    /// The interval of Agresti and Min for the difference.
    pub interval: Interval,
    /// McNemar's exact test, two-sided: how likely a difference at least as large is if both
    /// players are equally good.
    pub mcnemar_p: f64,
    /// What a game of the second player is worth in Vegas more than the first player's, deal by
    /// deal, where the games have a worth.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vegas: Option<Mean>,
}

/// The games of a player with some values of its parameters. A mean of no game is not there.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SweepAnswer {
    /// The player with its parameters.
    pub player: String,
    /// The values of the parameters that are varied.
    pub values: BTreeMap<String, String>,
    /// In the rows of the best on fresh deals: its place by the games won in the sweep, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rank: Option<usize>,
    /// What players see of the cards.
    pub information: &'static str,
    /// Seed of the player's random numbers.
    pub player_seed: u64,
    /// Seed scheme of the deals.
    pub scheme: &'static str,
    /// Seed of the first deal, in decimal digits.
    pub first: String,
    /// Games played.
    pub games: u64,
    /// Whether these are all games that were asked for.
    pub complete: bool,
    /// Games won.
    pub wins: u64,
    /// Their share, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
    /// Confidence of the interval, 0 to 1.
    pub confidence: f64,
    /// Wilson's interval of the share.
    pub wilson: Interval,
    /// Mean number of card moves of the games won.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub card_moves_per_won_game: Option<f64>,
    /// Mean time of a game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds_per_game: Option<f64>,
    /// What the games are worth in Vegas, if redeals are limited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vegas: Option<VegasGames>,
}

/// An experiment of a paper that can be repeated.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ExperimentAnswer {
    /// Its name.
    pub id: String,
    /// What it is about.
    pub title: String,
    /// The paper.
    pub source: String,
    /// Number of published figures.
    pub figures: usize,
}

/// A published figure beside ours.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReproduceAnswer {
    /// The experiment.
    pub experiment: String,
    /// Confidence of the interval, 0 to 1.
    pub confidence: f64,
    /// What it is the figure of.
    pub what: String,
    /// Where the paper has it.
    pub place: String,
    /// The player here; empty where nobody plays.
    pub player: String,
    /// What is counted.
    pub measure: Measure,
    /// The published figure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published: Option<f64>,
    /// Half of its 95 % interval, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published_half: Option<f64>,
    /// Our figure, in the same unit; none without games of the kind.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ours: Option<f64>,
    /// Its interval: Wilson's for a share, where undecided deals are lost at its lower end and won
    /// at its upper one, and the normal one for a mean; none for wins per million moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub interval: Option<Interval>,
    /// The published count, if it is exact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published_count: Option<String>,
    /// Our count, if it is exact.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub count: Option<String>,
    /// Whether the intervals meet, or the counts are equal; unknown without an interval or a
    /// published figure.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agree: Option<bool>,
    /// Games played, or deals looked at.
    pub games: u64,
    /// Those that are undecided.
    pub undecided: u64,
    /// Seconds per game; none without games.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds: Option<f64>,
    /// The paper's seconds per game.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published_seconds: Option<f64>,
    /// How many times as fast a game is here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times_faster: Option<f64>,
    /// Why they differ, if they do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// What the paper leaves open, and why it is read so here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reading: Option<String>,
}

/// What is counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// Share of the games that are won, in percent.
    #[default]
    Share,
    /// Mean number of card moves of won games.
    WonMoves,
    /// Mean number of moves of won games, draws and redeals included.
    WonRounds,
    /// Mean number of card moves of lost games.
    LostMoves,
    /// Mean number of cards on the foundations at the end of lost games.
    LostFoundation,
    /// Mean number of face-down cards at the end of lost games.
    LostFaceDown,
    /// Mean number of talon cards at the end of lost games.
    LostTalon,
    /// Share of the games that end with `from` to `to` cards on the foundations, in percent.
    Foundation,
    /// Share of the games that are won with `from` to `to` card moves, in percent.
    WonBetween,
    /// Share of the won games that take `from` card moves or more, in percent.
    LongWins,
    /// Share of the games that take `from` card moves or more, in percent.
    LongGames,
    /// Games won for each million card moves, if games end after `to` of them.
    WinsPerMillion,
    /// Share of the deals that can be won, in percent.
    Winnable,
    /// Share of the deals that can be won without worrying back, in percent.
    WinnableStrict,
    /// Share, of the deals that can be won, of those that need worrying back, in percent.
    NeedsWorryingBack,
    /// Share of the deals that are refuted without search, in percent.
    Refuted,
    /// Share, of the deals that cannot be won, of those that are refuted without search, in
    /// percent.
    RefutedLost,
    /// Share of the deals in which cards of several piles hold each other (type II), in percent.
    Locked,
    /// Share of the deals in which the top of the last pile is blocked by those under it, in
    /// percent.
    Capped,
    /// Exact share of the unplayable deals, in percent.
    Unplayable,
    /// Exact share of the deals whose only move is an ace of the tableau, in percent.
    OneMoveTableau,
    /// Exact share of the deals whose only move is an ace of the talon, in percent.
    OneMoveTalon,
    /// Exact share of the deals that one pile blocks (type I), in percent.
    Blocked,
    /// Exact number of orders in which a talon of `from` cards can be taken.
    Orders,
}

impl Measure {
    /// Whether it is in percent.
    #[must_use]
    pub fn is_share(self) -> bool {
        use Measure as M;
        !matches!(
            self,
            M::WonMoves
                | M::WonRounds
                | M::LostMoves
                | M::LostFoundation
                | M::LostFaceDown
                | M::LostTalon
                | M::WinsPerMillion
                | M::Orders
        )
    }
}
