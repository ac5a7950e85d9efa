//! Many games by the tree search: tallies with intervals, the same for any number of threads.
//!
//! The game with the number `n` is the deal `klondike:n` of the game's deck, played with random
//! numbers from the stream `n` of ChaCha8, so that every game can be repeated alone.

use std::convert::Infallible;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use crate::game::Patience;
use crate::player::{self, Settings};
use crate::position::{Move, PatiencePosition};
use klondike_batch::interval::Interval;
use klondike_batch::parallel::Workers;
use klondike_contract::Mean;
use klondike_contract::patience::{End, PatienceResult, Played};
use klondike_lab::mean::{mean, ratio};

/// Which games are played, and how.
#[derive(Clone, Debug)]
pub struct Task {
    /// The game.
    pub game: Arc<Patience>,
    /// The player.
    pub settings: Settings,
    /// Numbers of the deals.
    pub deals: Range<u64>,
    /// Seed of the player's random numbers.
    pub seed: u64,
}

impl Task {
    /// Plays the deal with this number.
    pub fn play(&self, number: u64, watch: impl FnMut(&PatiencePosition, Move)) -> PatienceResult {
        let mut random = ChaCha8Rng::seed_from_u64(self.seed);
        random.set_stream(number);
        let start = PatiencePosition::deal(&self.game, number);
        player::play(start, &self.settings, &mut random, watch)
    }
}

/// Most games that a thread takes at once.
const BLOCK: usize = 64;

/// Plays the games of a task, until all are played or `stop` is set. `done` is called with the
/// number of games that were played since the last call. The games come in the order of their
/// numbers and depend on the task alone. After an interruption none is left out for its length:
/// they are all games before the first that was not begun.
pub fn run(
    task: &Task,
    threads: usize,
    stop: &AtomicBool,
    mut done: impl FnMut(u64),
) -> Vec<Played> {
    let mut games = Vec::new();
    let play = |deal| {
        let begun = Instant::now();
        Played {
            deal,
            outcome: task.play(deal, |_, _| {}),
            seconds: begun.elapsed().as_secs_f64(),
        }
    };
    let take = |block: Vec<Played>| {
        done(block.len() as u64);
        games.extend(block);
        Ok::<(), Infallible>(())
    };
    let workers = Workers {
        threads,
        block: BLOCK,
        stop,
    };
    let Ok(()) = workers.run(task.deals.clone(), || (), |(), deal| play(deal), take);
    games
}

/// Sums over games.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Tally {
    /// Games played.
    pub games: u64,
    /// By [`End::ALL`].
    pub ends: [u64; 5],
    /// Sum of the scores.
    pub score: u64,
    /// Sum of their squares.
    pub score_squares: u64,
    /// Moves of the won games.
    pub won_moves: u64,
    /// Sum of the squares of these.
    pub won_moves_squares: u64,
    /// Time of all games, one thread's.
    pub seconds: f64,
    /// Time of the won ones.
    pub won_seconds: f64,
}

impl<'a> FromIterator<&'a Played> for Tally {
    fn from_iter<I: IntoIterator<Item = &'a Played>>(games: I) -> Tally {
        let mut tally = Tally::default();
        for played in games {
            let PatienceResult { end, score, moves } = played.outcome;
            let (score, moves) = (u64::from(score), u64::from(moves));
            tally.games += 1;
            tally.ends[end as usize] += 1;
            tally.score += score;
            tally.score_squares += score * score;
            tally.seconds += played.seconds;
            if end == End::Won {
                tally.won_moves += moves;
                tally.won_moves_squares += moves * moves;
                tally.won_seconds += played.seconds;
            }
        }
        tally
    }
}

impl Tally {
    /// Games won.
    #[must_use]
    pub fn won(&self) -> u64 {
        self.ends[End::Won as usize]
    }

    /// Share of games won; `None` if none was played.
    #[must_use]
    pub fn share(&self) -> Option<f64> {
        ratio(self.won(), self.games)
    }

    /// Seconds that a thread took for a game; `None` if none was played.
    #[must_use]
    pub fn seconds_per_game(&self) -> Option<f64> {
        (self.games > 0).then(|| self.seconds / self.games as f64)
    }

    /// Wilson's interval for the share of games won.
    #[must_use]
    pub fn wilson(&self, confidence: f64) -> Interval {
        Interval::wilson(self.won(), self.games, confidence)
    }

    /// The interval of Clopper and Pearson for the share of games won.
    #[must_use]
    pub fn clopper_pearson(&self, confidence: f64) -> Interval {
        Interval::clopper_pearson(self.won(), self.games, confidence)
    }

    /// Mean number of cards on the foundations at the end.
    #[must_use]
    pub fn mean_score(&self, confidence: f64) -> Option<Mean> {
        mean(self.games, self.score, self.score_squares, confidence)
    }

    /// Mean number of moves of the won games.
    #[must_use]
    pub fn mean_won_moves(&self, confidence: f64) -> Option<Mean> {
        let won = self.won();
        mean(won, self.won_moves, self.won_moves_squares, confidence)
    }
}
