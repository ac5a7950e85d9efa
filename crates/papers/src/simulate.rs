//! Many games of one player, or of two on the same deals: the measuring bench for players.
//!
//! The games are spread over threads and handed over in the order of the deals. What a player does
//! depends on the deal and the player's seed alone, so that the results are the same for any
//! number of threads and wherever a run begins. Every game, won or lost, is replayed on the
//! referee before it counts.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};

use crate::published::PlayerName;
use klondike_batch::parallel::Workers;
use klondike_game::deal::seed::{DealId, DealRange, SeedError};
use klondike_game::rules::Rules;
use klondike_game::table::{Move, Table, TableError};
use klondike_lab::mean::Sums;
use klondike_lab::samples;
use klondike_play::oracle::Oracle;
use klondike_play::{self as play, AnyPlayer, Board, Ending, Information, Start, WrongChoice};

/// What is to be played.
#[derive(Clone, Debug)]
pub struct Experiment {
    /// The rules of the games.
    pub rules: Arc<Rules>,
    /// The deals.
    pub deals: DealRange,
    /// The players, each of whom plays every deal.
    pub players: Vec<PlayerName>,
    /// What they know of the talon.
    pub information: Information,
    /// Where their random numbers come from.
    pub seed: u64,
    /// Whether a game ends when it is proven lost. The same games are won, with the same moves;
    /// lost ones are shorter.
    pub stop_when_lost: bool,
    /// Whether games have their moves. Those of a batch of games may take gigabytes.
    pub keep_lines: bool,
}

/// One game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SimulatedGame {
    /// The seed of the deal.
    pub seed: String,
    /// Number of the player, counted from 1.
    pub player: usize,
    /// `won`, `given-up`, `stale` or `lost`.
    pub result: GameResult,
    /// Moves made, draws and redeals included.
    pub moves: u64,
    /// Moves of cards.
    pub card_moves: u64,
    /// Cards on the foundations at the end.
    pub foundation: u64,
    /// Face-down cards at the end.
    pub face_down: u64,
    /// Cards in the talon at the end.
    pub talon: u64,
    /// Positions in which the player chose.
    pub decisions: u64,
    /// Calls of the solver, or rollouts.
    pub planner_calls: u64,
    /// Time the player took, in seconds, without questions whether the game is lost. All that
    /// depends on the clock.
    pub seconds: f64,
    /// The moves themselves, if the experiment keeps them. Files of games do not have them.
    #[serde(skip)]
    pub line: Vec<Move>,
}

impl SimulatedGame {
    /// Whether its numbers can be those of a game with these rules: a game is won with the whole
    /// deck on the foundations and only so, no player makes 2^40 moves, and sums over games stay
    /// far below 2^64.
    #[must_use]
    pub fn is_plausible(&self, rules: &Rules) -> bool {
        let deck = rules.deck().len() as u64;
        let counts = [self.moves, self.card_moves, self.decisions];
        let cards = [self.foundation, self.face_down, self.talon];
        counts.into_iter().all(|count| count < 1 << 40)
            && self.planner_calls < 1 << 50
            && self.card_moves <= self.moves
            && cards
                .into_iter()
                .try_fold(0, u64::checked_add)
                .is_some_and(|sum| sum <= deck)
            && (self.result == GameResult::Won) == (self.foundation == deck)
            && (0.0..1e12).contains(&self.seconds)
    }
}

/// How a game ended, by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum GameResult {
    /// All cards are on the foundations.
    Won,
    /// The player gave up or could not move.
    GivenUp,
    /// The game went on without anything happening.
    Stale,
    /// It was ended since nothing could win it any more.
    Lost,
}

impl GameResult {
    /// The name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            GameResult::Won => "won",
            GameResult::GivenUp => "given-up",
            GameResult::Stale => "stale",
            GameResult::Lost => "lost",
        }
    }

    /// The outcome of this name.
    #[must_use]
    pub fn from_name(name: &str) -> Option<GameResult> {
        [
            GameResult::Won,
            GameResult::GivenUp,
            GameResult::Stale,
            GameResult::Lost,
        ]
        .into_iter()
        .find(|outcome| outcome.name() == name)
    }
}

impl From<Ending> for GameResult {
    fn from(ending: Ending) -> GameResult {
        match ending {
            Ending::Won => GameResult::Won,
            Ending::GivenUp => GameResult::GivenUp,
            Ending::Stale => GameResult::Stale,
            Ending::Stopped => GameResult::Lost,
        }
    }
}

/// Why games cannot be played.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SimulateError {
    /// A deal cannot be dealt.
    #[error("{0}: {1}")]
    Deal(DealId, SeedError),
    /// A deal cannot be laid out.
    #[error("{0}: {1}")]
    Table(DealId, TableError),
    /// A player made a wrong move, which is an error of ours.
    #[error("{deal}: {choice}; this is an error in the player {player}, please report it")]
    Player {
        /// The player.
        player: PlayerName,
        /// The deal.
        deal: DealId,
        /// The move.
        choice: WrongChoice,
    },
    /// The referee does not confirm that a game ended as it did, which is an error of ours.
    #[error("{1}: the referee does not confirm the result of {0}; please report it")]
    Unconfirmed(PlayerName, DealId),
}

/// A number for a deal that its player's random numbers depend on.
fn deal_number(deal: &DealId) -> u64 {
    let text = deal.seed().to_string();
    text.parse::<i64>().map_or_else(
        |_| {
            text.bytes()
                .fold(0, |hash, byte| play::mix(hash, u64::from(byte)))
        },
        |seed| seed as u64,
    )
}

/// States of a deal that are remembered where games end when they are lost, of 8 bytes each.
const FACTS: usize = 1 << 16;

/// States that may be visited to see whether a game is lost, after each of its moves: some
/// milliseconds. What is not decided then is asked again after the next move.
const BUDGET: u32 = 20_000;

/// One thread with its players.
struct Worker<'a> {
    experiment: &'a Experiment,
    players: Vec<AnyPlayer>,
    moves: Vec<Move>,
    /// Finds lost games, if they end.
    oracle: Option<Oracle>,
}

impl<'a> Worker<'a> {
    fn new(experiment: &'a Experiment) -> Worker<'a> {
        Worker {
            experiment,
            players: experiment.players.iter().map(PlayerName::player).collect(),
            moves: Vec::new(),
            oracle: experiment.stop_when_lost.then(|| Oracle::new(FACTS)),
        }
    }

    /// Lets every player play a deal.
    fn deal(&mut self, deal: &DealId) -> Result<Vec<SimulatedGame>, SimulateError> {
        let mut games = Vec::with_capacity(self.players.len());
        let rules = &self.experiment.rules;
        let cards = deal
            .deal(rules.deck(), rules.layout())
            .map_err(|error| SimulateError::Deal(deal.clone(), error))?;
        let table = Table::new(Arc::clone(rules), &cards)
            .map_err(|error| SimulateError::Table(deal.clone(), error))?;
        for number in 0..self.players.len() {
            games.push(self.game(number, deal, &table)?);
        }
        Ok(games)
    }

    /// Lets one player play a deal.
    fn game(
        &mut self,
        number: usize,
        deal: &DealId,
        table: &Table,
    ) -> Result<SimulatedGame, SimulateError> {
        let name = &self.experiment.players[number];
        // Anew for each player: what it remembers of one game would end the next one sooner.
        if let Some(oracle) = &mut self.oracle {
            oracle.begin_wider(&Board::new(table));
        }
        let mut asking = Duration::ZERO;
        let is_over = |board: &Board| {
            let Some(oracle) = &mut self.oracle else {
                return false;
            };
            let start = Instant::now();
            let lost = oracle.is_lost(board, BUDGET);
            asking += start.elapsed();
            lost
        };
        let seed = play::mix(self.experiment.seed, deal_number(deal));
        let information = self.experiment.information;
        let start = Start {
            table,
            information,
            seed,
        };
        self.moves.clear();
        let clock = Instant::now();
        let player = &mut self.players[number];
        let played = play::play_game(player, start, &mut self.moves, is_over);
        let seconds = clock.elapsed().saturating_sub(asking).as_secs_f64();
        let played = played.map_err(|choice| SimulateError::Player {
            player: name.clone(),
            deal: deal.clone(),
            choice,
        })?;
        if play::replay(table, &self.moves) != Ok(played.ending == Ending::Won) {
            return Err(SimulateError::Unconfirmed(name.clone(), deal.clone()));
        }
        let draws = self.moves.iter().filter(|made| made.is_of_stock()).count();
        Ok(SimulatedGame {
            seed: deal.seed().to_string(),
            player: number + 1,
            result: played.ending.into(),
            moves: self.moves.len() as u64,
            card_moves: (self.moves.len() - draws) as u64,
            foundation: played.last.foundation_count() as u64,
            face_down: played.last.hidden_count() as u64,
            talon: played.last.talon_len() as u64,
            decisions: played.counters.decisions,
            planner_calls: played.counters.planner_calls,
            seconds,
            line: match self.experiment.keep_lines {
                true => self.moves.clone(),
                false => Vec::new(),
            },
        })
    }
}

/// Most deals that a thread takes at once.
const BLOCK: usize = 256;

/// Plays all deals from number `first` of the range on (counted from 0), on `threads` threads,
/// until `stop` is set. `take` gets the games in the order of the deals, and the number of deals
/// they are of. Games under way when the stop comes are played to their end.
///
/// # Errors
/// The first error of a game, or of `take`, which ends the run.
pub fn run<E: From<SimulateError>>(
    experiment: &Experiment,
    first: u64,
    threads: usize,
    stop: &AtomicBool,
    mut take: impl FnMut(Vec<SimulatedGame>, u64) -> Result<(), E>,
) -> Result<(), E> {
    let mut deals = experiment.deals.clone();
    deals.skip_deals(first);
    let workers = Workers {
        threads,
        block: BLOCK,
        stop,
    };
    workers.run(
        deals,
        || Worker::new(experiment),
        |worker, deal| worker.deal(&deal),
        |block: Vec<Result<Vec<SimulatedGame>, SimulateError>>| {
            let deals = block.len() as u64;
            let games: Result<Vec<Vec<SimulatedGame>>, SimulateError> = block.into_iter().collect();
            take(games?.into_iter().flatten().collect(), deals)
        },
    )
}

/// Sums over the games of one player.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Totals {
    /// Games played, won, and ended because nothing happened any more.
    pub games: u64,
    /// Games won.
    pub wins: u64,
    /// Games that went on without anything happening.
    pub stale: u64,
    /// Moves of all games, draws and redeals included.
    pub moves: u64,
    /// Card moves of won games.
    pub won_card_moves: Sums,
    /// Card moves of lost games.
    pub lost_card_moves: Sums,
    /// Cards on the foundations at the end of lost games.
    pub lost_foundation: Sums,
    /// Face-down cards at the end of lost games.
    pub lost_face_down: Sums,
    /// Cards in the talon at the end of lost games.
    pub lost_talon: Sums,
    /// Decisions of all games.
    pub decisions: u64,
    /// Planner calls of all games.
    pub planner_calls: u64,
    /// Time of all games.
    pub seconds: f64,
    /// Time of the longest game.
    pub longest: f64,
    /// Moves of won games, draws and redeals included.
    pub won_moves: Sums,
    /// Number of won games by their card moves.
    pub won_lengths: BTreeMap<u64, u64>,
    /// Number of lost games by their card moves.
    pub lost_lengths: BTreeMap<u64, u64>,
    /// Number of games by the cards on the foundations at the end.
    pub foundations: BTreeMap<u64, u64>,
}

impl Totals {
    /// Adds a game.
    pub fn add(&mut self, game: &SimulatedGame) {
        self.games += 1;
        self.stale += u64::from(game.result == GameResult::Stale);
        self.moves += game.moves;
        self.decisions += game.decisions;
        self.planner_calls += game.planner_calls;
        self.seconds += game.seconds;
        self.longest = self.longest.max(game.seconds);
        *self.foundations.entry(game.foundation).or_default() += 1;
        if game.result == GameResult::Won {
            self.wins += 1;
            self.won_card_moves.add(game.card_moves);
            self.won_moves.add(game.moves);
            *self.won_lengths.entry(game.card_moves).or_default() += 1;
        } else {
            *self.lost_lengths.entry(game.card_moves).or_default() += 1;
            self.lost_card_moves.add(game.card_moves);
            self.lost_foundation.add(game.foundation);
            self.lost_face_down.add(game.face_down);
            self.lost_talon.add(game.talon);
        }
    }
}

impl samples::Kept for Totals {
    fn is_possible(&self) -> bool {
        let count = |counts: &BTreeMap<u64, u64>| {
            let counts = counts.values();
            counts.fold(0_u64, |sum, &count| sum.saturating_add(count))
        };
        self.wins <= self.games
            && count(&self.foundations) == self.games
            && count(&self.won_lengths) == self.wins
            && count(&self.lost_lengths) == self.games - self.wins
            && self.stale <= self.games
            && self.seconds >= 0.0
            && (0.0..=self.seconds + 1e-6).contains(&self.longest)
            && [
                (self.won_card_moves, self.wins),
                (self.won_moves, self.wins),
                (self.lost_card_moves, self.games - self.wins),
                (self.lost_foundation, self.games - self.wins),
                (self.lost_face_down, self.games - self.wins),
                (self.lost_talon, self.games - self.wins),
            ]
            .iter()
            .all(|(sums, count)| sums.are_of(*count))
    }
}
