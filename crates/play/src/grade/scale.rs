//! The scale of version 2 of the grade, for all rules but the standard ones with draw 1 and draw 3:
//! which wins of the frozen player stand for which grade.
//!
//! A grade holds a tenth of the winnable deals of its rules. The scale is made of the first deals
//! from `klondike:82000001` on that are proved winnable under them: 1,000 deals for the rules of
//! `built_in.rs`, ahead of time, and [`SAMPLE`] for others when they are first asked for.

use std::sync::{Arc, Mutex, PoisonError};

use super::built_in::BUILT_IN;
use super::features::{self, Features};
use super::{Grade, NotGraded};
use crate::Board;
use klondike_engine::prove::{Verdict, decide};
use klondike_engine::search::{Limit, Limits};
use klondike_game::deal::seed::{DealId, Scheme, Seed};
use klondike_game::rules::Rules;
use klondike_game::table::Table;
use klondike_lemmas::prune::Lemmas;

/// The number of the first deal.
const FIRST: u64 = 82_000_001;

/// Winnable deals that a scale is made of where none is built in.
const SAMPLE: usize = 100;

/// Fewer winnable deals make no scale.
const LEAST: usize = 50;

/// Deals that are tried for one that is wanted.
const TRIED: u64 = 5;

/// States for each of these deals. Those that need more are left out.
const STATES: u64 = 20_000;

/// What deals are ordered by: games won, then cards on the foundations in all games.
pub(super) type Measure = (u32, u32);

/// Where the grades of some rules end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scale {
    /// The least measure with the grades 1 to 9.
    least: [Measure; 9],
}

/// What is known so far of the deals that a scale is made of.
struct Sample {
    rules: Arc<Rules>,
    /// The next deal to look at.
    next: u64,
    winnable: Vec<Measure>,
}

/// The samples of this program. One that a limit cut short goes on when it is asked for again.
static SAMPLES: Mutex<Vec<Sample>> = Mutex::new(Vec::new());

impl Sample {
    fn new(rules: &Arc<Rules>) -> Sample {
        Sample {
            rules: Arc::clone(rules),
            next: FIRST,
            winnable: Vec::new(),
        }
    }

    /// Goes on until it has so many winnable deals, or has tried enough. Of `limits` the time and
    /// the stop flag count.
    fn fill(&mut self, size: usize, limits: &Limits) -> Result<(), NotGraded> {
        let bounds = Limits {
            max_states: Some(STATES),
            deadline: limits.deadline,
            stop: limits.stop.clone(),
            ..Limits::default()
        };
        while self.winnable.len() < size && self.next < FIRST + TRIED * size as u64 {
            let table = deal(&self.rules, self.next).ok_or(NotGraded::TooFewWinnable)?;
            let decision = decide(&table, Lemmas::ALL, &bounds);
            match decision.map_err(NotGraded::WrongSolution)?.verdict {
                Verdict::Winnable(_) => {
                    let measured = features::measure(&Board::new(&table));
                    self.winnable.push(order(&measured));
                }
                Verdict::Undecided(limit @ (Limit::Time | Limit::Interrupt)) => {
                    return Err(NotGraded::Stopped(limit));
                }
                Verdict::Unwinnable(_) | Verdict::Undecided(_) => {}
            }
            self.next += 1;
        }
        Ok(())
    }

    fn scale(&self) -> Result<Scale, NotGraded> {
        let mut ordered = self.winnable.clone();
        if ordered.len() < LEAST {
            return Err(NotGraded::TooFewWinnable);
        }
        ordered.sort_unstable();
        let least = std::array::from_fn(|place| ordered[ordered.len() * (9 - place) / 10]);
        Ok(Scale { least })
    }
}

impl Scale {
    /// The scale for the rules. May decide and play some hundred deals.
    pub(super) fn of(rules: &Arc<Rules>, limits: &Limits) -> Result<Scale, NotGraded> {
        if let Some(scale) = Scale::built_in(rules) {
            return Ok(scale);
        }
        // Who waits for the lock waits for the same sample, or is stopped by the same limits.
        let mut samples = SAMPLES.lock().unwrap_or_else(PoisonError::into_inner);
        let known = samples.iter().position(|sample| sample.rules == *rules);
        let place = known.unwrap_or_else(|| {
            samples.push(Sample::new(rules));
            samples.len() - 1
        });
        samples[place].fill(SAMPLE, limits)?;
        samples[place].scale()
    }

    /// The scale that is built in.
    #[must_use]
    pub fn built_in(rules: &Rules) -> Option<Scale> {
        let is_same = |text| Rules::with_changes(text).as_ref() == Ok(rules);
        let found = BUILT_IN.iter().find(|(text, _)| is_same(text));
        found.map(|&(_, least)| Scale { least })
    }

    /// Makes a scale of so many winnable deals, as those of `built_in.rs` are made.
    ///
    /// # Errors
    /// [`NotGraded::TooFewWinnable`].
    pub fn measure(rules: &Arc<Rules>, size: usize) -> Result<Scale, NotGraded> {
        let mut sample = Sample::new(rules);
        sample.fill(size, &Limits::default())?;
        sample.scale()
    }

    pub(super) fn grade(&self, features: &Features) -> Grade {
        let measure = order(features);
        Grade(1 + self.least.iter().filter(|&&least| measure < least).count() as u8)
    }
}

fn order(features: &Features) -> Measure {
    (features.wins, features.cards)
}

fn deal(rules: &Arc<Rules>, number: u64) -> Option<Table> {
    let id = DealId::new(Scheme::Klondike, Seed::from(number)).ok()?;
    let deal = id.deal(rules.deck(), rules.layout()).ok()?;
    Table::new(Arc::clone(rules), &deal).ok()
}
