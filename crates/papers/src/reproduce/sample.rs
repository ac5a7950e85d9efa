//! Samples that stand for published figures: games of a player, or deals examined without one.
//!
//! A sample is taken deal by deal, in order. Its sums depend on the deals alone (and on the
//! player's seed), not on the number of threads nor on where it was interrupted.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use serde::{Deserialize, Serialize};

use crate::published::PlayerName;
use crate::simulate::{self, Experiment, SimulateError, SimulatedGame, Totals};
use klondike_batch::parallel::Workers;
use klondike_engine::prove::{self, Verdict, WrongSolution};
use klondike_engine::search::Limits;
use klondike_game::card::Card;
use klondike_game::deal::Deal;
use klondike_game::deal::seed::{DealId, DealRange, Scheme, Seed, SeedError};
use klondike_game::rules::{Deck, Layout, Rules};
use klondike_game::table::{Table, TableError};
use klondike_lab::bound::Covering;
use klondike_lab::count::Locks;
use klondike_lab::samples;
use klondike_lab::task::TaskError;
use klondike_lemmas::prune::Lemmas;
use klondike_play::Information;

/// States of the search of a deal; one that needs more is undecided.
pub const MAX_STATES: u64 = 10_000_000;

/// Memory of the search of a deal, in bytes.
pub const MEMORY: u64 = 256 << 20;

/// Most deals without a player that a thread takes at once.
const BLOCK: usize = 64;

/// What is done with every deal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Job {
    /// A player plays it.
    Games(PlayerName),
    /// It is decided whether it can be won, with worrying back and, if asked for, without.
    Decide {
        /// Whether without as well.
        strict: bool,
    },
    /// It is refuted without search, or not.
    Refute,
    /// It is decided, and those that cannot be won are refuted without search, or not.
    RefuteLost,
    /// Whether cards lock each other (type II), or those of one pile (type I).
    Lock,
}

/// Deals, rules, and what is done with the deals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    pub(super) job: Job,
    pub(super) rules: Arc<Rules>,
    pub(super) seed: u64,
}

/// Counts of deals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DealCounts {
    /// Deals examined.
    pub deals: u64,
    /// Time for them, in seconds.
    pub seconds: f64,
    /// Deals that can be won.
    pub winnable: u64,
    /// Deals for which that is undecided.
    pub undecided: u64,
    /// Deals that can be won without worrying back.
    pub strict_winnable: u64,
    /// Deals for which that is undecided.
    pub strict_undecided: u64,
    /// Deals that can be won, but not without worrying back.
    pub needed: u64,
    /// Deals that are not proven lost, and perhaps need worrying back.
    pub needed_undecided: u64,
    /// Deals refuted without search.
    pub refuted: u64,
    /// Deals that cannot be won, and are refuted without search.
    pub lost_refuted: u64,
    /// Deals that one pile blocks.
    pub blocked: u64,
    /// Deals that are locked; includes the blocked ones.
    pub locked: u64,
    /// Deals in which the top card of the last pile is blocked by the cards under it.
    pub capped: u64,
}

impl DealCounts {
    fn add(&mut self, other: &DealCounts) {
        self.deals += other.deals;
        self.seconds += other.seconds;
        for (sum, more) in [
            (&mut self.winnable, other.winnable),
            (&mut self.undecided, other.undecided),
            (&mut self.strict_winnable, other.strict_winnable),
            (&mut self.strict_undecided, other.strict_undecided),
            (&mut self.needed, other.needed),
            (&mut self.needed_undecided, other.needed_undecided),
            (&mut self.refuted, other.refuted),
            (&mut self.lost_refuted, other.lost_refuted),
            (&mut self.blocked, other.blocked),
            (&mut self.locked, other.locked),
            (&mut self.capped, other.capped),
        ] {
            *sum += more;
        }
    }
}

/// The sums of a sample so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tally {
    /// Of games.
    pub games: Totals,
    /// Of deals without a player.
    #[serde(rename = "looks")]
    pub counts: DealCounts,
}

impl Tally {
    /// Deals that are done.
    #[must_use]
    pub fn deals(&self) -> u64 {
        self.games.games + self.counts.deals
    }

    /// Time they took, in seconds.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.games.seconds + self.counts.seconds
    }

    /// Adds some more deals.
    pub fn add(&mut self, piece: &Piece) {
        match piece {
            Piece::Games(games) => games.iter().for_each(|game| self.games.add(game)),
            Piece::Counts(counts) => self.counts.add(counts),
        }
    }
}

impl samples::Kept for Tally {
    fn is_possible(&self) -> bool {
        let DealCounts {
            deals,
            seconds,
            winnable,
            undecided,
            strict_winnable,
            strict_undecided,
            needed,
            needed_undecided,
            refuted,
            lost_refuted,
            blocked,
            locked,
            capped,
        } = self.counts;
        let parts = [
            (winnable, undecided),
            (strict_winnable, strict_undecided),
            (needed, needed_undecided),
            (winnable, lost_refuted),
            (refuted, 0),
            (locked, 0),
            (blocked, 0),
            (capped, 0),
        ];
        let within =
            |&(one, other): &(u64, u64)| one.checked_add(other).is_some_and(|n| n <= deals);
        self.games.is_possible() && seconds >= 0.0 && parts.iter().all(within)
    }
}

/// Some deals of a sample that follow each other.
#[derive(Clone, Debug)]
pub enum Piece {
    /// Games of a player.
    Games(Vec<SimulatedGame>),
    /// Deals without a player.
    Counts(DealCounts),
}

impl Piece {
    /// Number of deals.
    #[must_use]
    pub fn deals(&self) -> u64 {
        match self {
            Piece::Games(games) => games.len() as u64,
            Piece::Counts(counts) => counts.deals,
        }
    }
}

/// Why a sample cannot be played.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SampleError {
    /// There are not so many deals.
    #[error(transparent)]
    Seed(SeedError),
    /// A game failed.
    #[error(transparent)]
    Game(#[from] SimulateError),
    /// A deal cannot be laid out.
    #[error(transparent)]
    Table(TableError),
    /// A deal cannot be refuted under these rules.
    #[error(transparent)]
    Bound(TaskError),
    /// A solution was wrong, which is an error of ours.
    #[error(transparent)]
    Solution(WrongSolution),
}

/// The deals used for these rules, from seed 1 on: Solvitaire's where it has them, our own
/// otherwise.
fn scheme(rules: &Rules) -> Scheme {
    let standard = Layout::triangle(7).expect("28 cards");
    if rules.deck() == Deck::FULL && *rules.layout() == standard {
        Scheme::Solvitaire
    } else {
        Scheme::Klondike
    }
}

impl Sample {
    /// A text that tells it from all other samples.
    #[must_use]
    pub fn name(&self) -> String {
        let rules = serde_json::to_string(&*self.rules).expect("a plain object");
        let what = match &self.job {
            Job::Games(player) => format!("{player} with seed {}", self.seed),
            Job::Decide { strict: false } => "decide".to_owned(),
            Job::Decide { strict: true } => "decide, with and without worrying back".to_owned(),
            Job::Refute => "refute".to_owned(),
            Job::RefuteLost => "decide, and refute the lost".to_owned(),
            Job::Lock => "lock".to_owned(),
        };
        format!("{what}, {rules}")
    }

    /// The player, if there is one.
    #[must_use]
    pub fn player(&self) -> Option<&PlayerName> {
        match &self.job {
            Job::Games(player) => Some(player),
            _ => None,
        }
    }

    fn deals(&self, count: u64) -> Result<DealRange, SampleError> {
        DealRange::from_first(scheme(&self.rules), &Seed::from(1_u64), count)
            .map_err(SampleError::Seed)
    }

    /// Takes the deals from number `done` (counted from 0) to `count`, until `stop` is set. `take`
    /// gets what they gave, in the order of the deals.
    ///
    /// # Errors
    /// If a deal cannot be dealt or played, and those of `take`, which end it.
    pub fn run<E: From<SampleError>>(
        &self,
        done: u64,
        count: u64,
        threads: usize,
        stop: &Arc<AtomicBool>,
        mut take: impl FnMut(Piece) -> Result<(), E>,
    ) -> Result<(), E> {
        let deals = self.deals(count)?;
        let Job::Games(player) = &self.job else {
            return self.examine(deals, done, threads, stop, take);
        };
        let experiment = Experiment {
            information: Information::usual(&self.rules),
            rules: Arc::clone(&self.rules),
            deals,
            players: vec![player.clone()],
            seed: self.seed,
            stop_when_lost: false,
            keep_lines: false,
        };
        simulate::run(&experiment, done, threads, stop, |games, _| {
            take(Piece::Games(games)).map_err(Ended::Taker)
        })
        .map_err(Ended::into_error)
    }

    fn examine<E: From<SampleError>>(
        &self,
        mut deals: DealRange,
        done: u64,
        threads: usize,
        stop: &Arc<AtomicBool>,
        mut take: impl FnMut(Piece) -> Result<(), E>,
    ) -> Result<(), E> {
        let examiner = Examiner::new(self, stop)?;
        deals.skip_deals(done);
        let examine = |id: DealId| {
            let begun = Instant::now();
            let deal = id
                .deal(self.rules.deck(), self.rules.layout())
                .map_err(SampleError::Seed)?;
            let mut counts = examiner.examine(&deal)?;
            counts.deals = 1;
            counts.seconds = begun.elapsed().as_secs_f64();
            Ok(counts)
        };
        let workers = Workers {
            threads,
            block: BLOCK,
            stop,
        };
        workers.run(
            deals,
            || (),
            |(), id| examine(id),
            |block: Vec<Result<DealCounts, SampleError>>| {
                // The stop may have cut short the search of one of these deals.
                if stop.load(Ordering::Relaxed) {
                    return Ok(());
                }
                let mut sum = DealCounts::default();
                for counts in block {
                    sum.add(&counts?);
                }
                take(Piece::Counts(sum))
            },
        )
    }
}

/// What ended the games of a player: an error of a game, or of the one who takes them.
enum Ended<E> {
    Game(SimulateError),
    Taker(E),
}

impl<E> From<SimulateError> for Ended<E> {
    fn from(error: SimulateError) -> Ended<E> {
        Ended::Game(error)
    }
}

impl<E: From<SampleError>> Ended<E> {
    fn into_error(self) -> E {
        match self {
            Ended::Game(error) => SampleError::Game(error).into(),
            Ended::Taker(error) => error,
        }
    }
}

/// Examines deals.
struct Examiner<'a> {
    sample: &'a Sample,
    strict: Arc<Rules>,
    limits: Limits,
    covering: Option<Covering>,
    locks: Option<Locks>,
}

impl<'a> Examiner<'a> {
    fn new(sample: &'a Sample, stop: &Arc<AtomicBool>) -> Result<Examiner<'a>, SampleError> {
        let strict = sample.rules.to_builder().worrying_back(false).build();
        let covering = matches!(sample.job, Job::Refute | Job::RefuteLost)
            .then(|| Covering::new(&sample.rules));
        Ok(Examiner {
            sample,
            strict: Arc::new(strict.expect("rules with one thing forbidden")),
            limits: Limits {
                max_states: Some(MAX_STATES),
                memory_bytes: Some(MEMORY),
                stop: Some(Arc::clone(stop)),
                ..Limits::default()
            },
            covering: covering.transpose().map_err(SampleError::Bound)?,
            locks: (sample.job == Job::Lock).then(|| Locks::new(&sample.rules)),
        })
    }

    fn examine(&self, deal: &Deal) -> Result<DealCounts, SampleError> {
        let mut counts = DealCounts::default();
        if self.sample.job == Job::RefuteLost {
            self.decide(deal, &mut counts)?;
            if counts.winnable + counts.undecided == 0 {
                counts.lost_refuted = self.refuted(deal)?;
            }
        } else if self.sample.job == Job::Refute {
            counts.refuted = self.refuted(deal)?;
        } else if let Some(locks) = &self.locks {
            counts.locked = u64::from(!locks.covered(deal).is_empty());
            counts.blocked = u64::from(locks.blocked(deal));
            counts.capped = u64::from(is_capped(deal));
        } else {
            self.decide(deal, &mut counts)?;
        }
        Ok(counts)
    }

    /// 1 if the deal is refuted without search.
    fn refuted(&self, deal: &Deal) -> Result<u64, SampleError> {
        let means = self.covering.as_ref().map(|covering| covering.refute(deal));
        let means = means.transpose().map_err(SampleError::Bound)?;
        Ok(u64::from(means.flatten().is_some()))
    }

    /// Whether the deal can be won: with the rules of the sample, and without worrying back.
    ///
    /// Without worrying back nothing can be won that cannot be won with it.
    fn decide(&self, deal: &Deal, counts: &mut DealCounts) -> Result<(), SampleError> {
        let with = self.winnable(&self.sample.rules, deal)?;
        counts.winnable = u64::from(with == Some(true));
        counts.undecided = u64::from(with.is_none());
        if self.sample.job == (Job::Decide { strict: true }) && with != Some(false) {
            let without = self.winnable(&self.strict, deal)?;
            counts.strict_winnable = u64::from(without == Some(true));
            counts.strict_undecided = u64::from(without.is_none());
            counts.needed = u64::from(with == Some(true) && without == Some(false));
            if without == Some(true) {
                // Won without it is won with it.
                (counts.winnable, counts.undecided) = (1, 0);
            }
            let unknown = without.is_none() || counts.undecided == 1;
            counts.needed_undecided = u64::from(unknown);
        }
        Ok(())
    }

    fn winnable(&self, rules: &Arc<Rules>, deal: &Deal) -> Result<Option<bool>, SampleError> {
        let table = Table::new(Arc::clone(rules), deal).map_err(SampleError::Table)?;
        let decision =
            prove::decide(&table, Lemmas::ALL, &self.limits).map_err(SampleError::Solution)?;
        Ok(match decision.verdict {
            Verdict::Winnable(_) => Some(true),
            Verdict::Unwinnable(_) => Some(false),
            Verdict::Undecided(_) => None,
        })
    }
}

/// Whether the top card of the last pile, no ace and no king, lies on both cards it could be put on
/// and on a lower one of its suit (Donkersteeg 2010, section 3.1.3).
fn is_capped(deal: &Deal) -> bool {
    let Some((top, under)) = deal.piles().last().and_then(|pile| pile.split_last()) else {
        return false;
    };
    let parents = under.iter().filter(|&&card| top.builds_on(card)).count();
    let lower = |card: &Card| card.suit() == top.suit() && card.rank() < top.rank();
    parents == 2 && under.iter().any(lower)
}
