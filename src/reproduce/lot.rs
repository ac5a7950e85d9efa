//! What stands for published figures: games of a player, or looks at deals without a player.
//!
//! A lot is taken deal by deal, in order. What it gives depends on the deals alone (and on the player's
//! seed), not on the number of threads nor on where it was interrupted.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use crate::card::Card;
use crate::deal::Deal;
use crate::deal::seed::{DealRange, Scheme, Seed, SeedError};
use crate::estimate::bound::{BoundError, Covering};
use crate::estimate::count::Locks;
use crate::estimate::lots;
use crate::estimate::simulate::{self, Experiment, Game, SimulateError, Totals};
use crate::play::Information;
use crate::prove::{self, Verdict, WrongSolution};
use crate::prune::Lemmas;
use crate::published::PlayerName;
use crate::rules::{Deck, Layout, Rules};
use crate::search::Limits;
use crate::table::{Table, TableError};

/// States of the search of a deal; one that needs more is undecided.
pub const MAX_STATES: u64 = 10_000_000;

/// Memory of the search of a deal, in bytes.
pub const MEMORY: u64 = 256 << 20;

/// What is done with every deal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum What {
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
pub struct Lot {
    pub(super) what: What,
    pub(super) rules: Arc<Rules>,
    pub(super) seed: u64,
}

/// What looks at deals found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Looks {
    /// Deals looked at.
    pub deals: u64,
    /// Time of the looks, in seconds.
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

impl Looks {
    fn add(&mut self, other: &Looks) {
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

/// The sums of a lot so far.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Tally {
    /// Of games.
    pub games: Totals,
    /// Of looks at deals.
    pub looks: Looks,
}

impl Tally {
    /// Deals that are done.
    #[must_use]
    pub fn deals(&self) -> u64 {
        self.games.games + self.looks.deals
    }

    /// Time they took, in seconds.
    #[must_use]
    pub fn seconds(&self) -> f64 {
        self.games.seconds + self.looks.seconds
    }

    /// Adds some more deals.
    pub fn add(&mut self, piece: &Piece) {
        match piece {
            Piece::Games(games) => games.iter().for_each(|game| self.games.add(game)),
            Piece::Looks(looks) => self.looks.add(looks),
        }
    }
}

impl lots::Kept for Tally {
    fn is_possible(&self) -> bool {
        let Looks {
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
        } = self.looks;
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

/// Some deals of a lot that follow each other.
#[derive(Clone, Debug)]
pub enum Piece {
    /// Games of a player.
    Games(Vec<Game>),
    /// Looks at deals.
    Looks(Looks),
}

impl Piece {
    /// Number of deals.
    #[must_use]
    pub fn deals(&self) -> u64 {
        match self {
            Piece::Games(games) => games.len() as u64,
            Piece::Looks(looks) => looks.deals,
        }
    }
}

/// Why a lot cannot be played.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum LotError {
    /// There are not so many deals.
    Seed(SeedError),
    /// A game failed.
    Game(SimulateError),
    /// A deal cannot be laid out.
    Table(TableError),
    /// A deal cannot be refuted under these rules.
    Bound(BoundError),
    /// A solution was wrong, which is an error of ours.
    Solution(WrongSolution),
    /// There are no threads.
    Threads(String),
}

impl fmt::Display for LotError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LotError::Seed(error) => error.fmt(f),
            LotError::Game(error) => error.fmt(f),
            LotError::Table(error) => error.fmt(f),
            LotError::Bound(error) => error.fmt(f),
            LotError::Solution(error) => error.fmt(f),
            LotError::Threads(reason) => write!(f, "cannot start threads: {reason}"),
        }
    }
}

impl std::error::Error for LotError {}

impl From<SimulateError> for LotError {
    fn from(error: SimulateError) -> LotError {
        LotError::Game(error)
    }
}

/// The deals used for these rules, from seed 1 on: Solvitaire's where it has them, our own otherwise.
fn scheme(rules: &Rules) -> Scheme {
    let standard = Layout::triangle(7).expect("28 cards");
    if rules.deck() == Deck::FULL && *rules.layout() == standard {
        Scheme::Solvitaire
    } else {
        Scheme::Klondike
    }
}

impl Lot {
    /// A text that tells it from all other lots.
    #[must_use]
    pub fn name(&self) -> String {
        let rules = serde_json::to_string(&*self.rules).expect("a plain object");
        let what = match &self.what {
            What::Games(player) => format!("{player} with seed {}", self.seed),
            What::Decide { strict: false } => "decide".to_owned(),
            What::Decide { strict: true } => "decide, with and without worrying back".to_owned(),
            What::Refute => "refute".to_owned(),
            What::RefuteLost => "decide, and refute the lost".to_owned(),
            What::Lock => "lock".to_owned(),
        };
        format!("{what}, {rules}")
    }

    /// The player, if there is one.
    #[must_use]
    pub fn player(&self) -> Option<&PlayerName> {
        match &self.what {
            What::Games(player) => Some(player),
            _ => None,
        }
    }

    fn deals(&self, count: u64) -> Result<DealRange, LotError> {
        DealRange::from_first(scheme(&self.rules), &Seed::from(1_u64), count)
            .map_err(LotError::Seed)
    }

    /// Takes the deals from number `done` (counted from 0) to `count`, until `stop` is set. `take` gets
    /// what they gave, in the order of the deals.
    ///
    /// # Errors
    /// If a deal cannot be dealt or played, and those of `take`, which end it.
    pub fn run<E: From<LotError>>(
        &self,
        done: u64,
        count: u64,
        threads: usize,
        stop: &Arc<AtomicBool>,
        mut take: impl FnMut(Piece) -> Result<(), E>,
    ) -> Result<(), E> {
        let deals = self.deals(count)?;
        let What::Games(player) = &self.what else {
            return self.look(deals, done, threads, stop, take);
        };
        let experiment = Experiment {
            information: Information::usual(&self.rules),
            rules: Arc::clone(&self.rules),
            deals,
            players: vec![player.clone()],
            seed: self.seed,
            stop_when_lost: false,
        };
        /// An error of a game or of the one who takes it.
        enum Either<E> {
            Game(SimulateError),
            Other(E),
        }
        impl<E> From<SimulateError> for Either<E> {
            fn from(error: SimulateError) -> Either<E> {
                Either::Game(error)
            }
        }
        let played = simulate::run(&experiment, done, threads, stop, |games, _| {
            take(Piece::Games(games)).map_err(Either::Other)
        });
        match played {
            Ok(_) => Ok(()),
            Err(Either::Game(error)) => Err(LotError::Game(error).into()),
            Err(Either::Other(error)) => Err(error),
        }
    }

    fn look<E: From<LotError>>(
        &self,
        mut deals: DealRange,
        done: u64,
        threads: usize,
        stop: &Arc<AtomicBool>,
        mut take: impl FnMut(Piece) -> Result<(), E>,
    ) -> Result<(), E> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .map_err(|error| LotError::Threads(error.to_string()))?;
        let eye = Eye::new(self, stop)?;
        // Few at once where one may take seconds.
        let batch = match self.what {
            What::Decide { .. } | What::RefuteLost => 8 * threads,
            _ => 512,
        };
        deals.skip_deals(done);
        loop {
            let ids: Vec<_> = deals.by_ref().take(batch).collect();
            if ids.is_empty() || stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            let look = |id: &crate::deal::seed::DealId| {
                let begun = Instant::now();
                let deal = id
                    .deal(self.rules.deck(), self.rules.layout())
                    .map_err(LotError::Seed)?;
                let mut looks = eye.look(&deal)?;
                looks.deals = 1;
                looks.seconds = begun.elapsed().as_secs_f64();
                Ok(looks)
            };
            let all: Result<Vec<Looks>, LotError> =
                pool.install(|| ids.par_iter().map(look).collect());
            // Some of these deals were not looked at to the end.
            if stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            let mut sum = Looks::default();
            all?.iter().for_each(|looks| sum.add(looks));
            take(Piece::Looks(sum))?;
        }
    }
}

/// Looks at deals.
struct Eye<'a> {
    lot: &'a Lot,
    strict: Arc<Rules>,
    limits: Limits,
    covering: Option<Covering>,
    locks: Option<Locks>,
}

impl<'a> Eye<'a> {
    fn new(lot: &'a Lot, stop: &Arc<AtomicBool>) -> Result<Eye<'a>, LotError> {
        let strict = lot.rules.to_builder().worrying_back(false).build();
        let covering =
            matches!(lot.what, What::Refute | What::RefuteLost).then(|| Covering::new(&lot.rules));
        Ok(Eye {
            lot,
            strict: Arc::new(strict.expect("rules with one thing forbidden")),
            limits: Limits {
                max_states: Some(MAX_STATES),
                memory_bytes: Some(MEMORY),
                stop: Some(Arc::clone(stop)),
                ..Limits::default()
            },
            covering: covering.transpose().map_err(LotError::Bound)?,
            locks: (lot.what == What::Lock).then(|| Locks::new(&lot.rules)),
        })
    }

    fn look(&self, deal: &Deal) -> Result<Looks, LotError> {
        let mut looks = Looks::default();
        if self.lot.what == What::RefuteLost {
            self.decide(deal, &mut looks)?;
            if looks.winnable + looks.undecided == 0 {
                looks.lost_refuted = self.refuted(deal)?;
            }
        } else if self.lot.what == What::Refute {
            looks.refuted = self.refuted(deal)?;
        } else if let Some(locks) = &self.locks {
            looks.locked = u64::from(!locks.covered(deal).is_empty());
            looks.blocked = u64::from(locks.blocked(deal));
            looks.capped = u64::from(is_capped(deal));
        } else {
            self.decide(deal, &mut looks)?;
        }
        Ok(looks)
    }

    /// 1 if the deal is refuted without search.
    fn refuted(&self, deal: &Deal) -> Result<u64, LotError> {
        let means = self.covering.as_ref().map(|covering| covering.refute(deal));
        let means = means.transpose().map_err(LotError::Bound)?;
        Ok(u64::from(means.flatten().is_some()))
    }

    /// Whether the deal can be won: with the rules of the lot, and without worrying back.
    ///
    /// Without worrying back nothing can be won that cannot be won with it.
    fn decide(&self, deal: &Deal, looks: &mut Looks) -> Result<(), LotError> {
        let with = self.winnable(&self.lot.rules, deal)?;
        looks.winnable = u64::from(with == Some(true));
        looks.undecided = u64::from(with.is_none());
        if self.lot.what == (What::Decide { strict: true }) && with != Some(false) {
            let without = self.winnable(&self.strict, deal)?;
            looks.strict_winnable = u64::from(without == Some(true));
            looks.strict_undecided = u64::from(without.is_none());
            looks.needed = u64::from(with == Some(true) && without == Some(false));
            if without == Some(true) {
                // Won without it is won with it.
                (looks.winnable, looks.undecided) = (1, 0);
            }
            let unknown = without.is_none() || looks.undecided == 1;
            looks.needed_undecided = u64::from(unknown);
        }
        Ok(())
    }

    fn winnable(&self, rules: &Arc<Rules>, deal: &Deal) -> Result<Option<bool>, LotError> {
        let table = Table::new(Arc::clone(rules), deal).map_err(LotError::Table)?;
        let decision =
            prove::decide(&table, Lemmas::ALL, &self.limits).map_err(LotError::Solution)?;
        Ok(match decision.verdict {
            Verdict::Winnable(_) => Some(true),
            Verdict::Unwinnable(_) => Some(false),
            Verdict::Undecided(_) => None,
        })
    }
}

/// Whether the top card of the last pile, no ace and no king, lies on both cards it could be put on and
/// on a lower one of its suit (Donkersteeg 2010, section 3.1.3).
fn is_capped(deal: &Deal) -> bool {
    let Some((top, under)) = deal.piles().last().and_then(|pile| pile.split_last()) else {
        return false;
    };
    let parents = under.iter().filter(|&&card| top.builds_on(card)).count();
    let lower = |card: &Card| card.suit() == top.suit() && card.rank() < top.rank();
    parents == 2 && under.iter().any(lower)
}
