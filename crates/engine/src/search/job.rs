//! A search over K+ states under way: its game, lemmas and account, and the order of its parts.

use super::budget::Budget;
use super::limits::Limits;
use super::stats::Stats;
use klondike_lemmas::kplus::{self, Game};
use klondike_lemmas::prune::Lemmas;

/// What the parts of one search over K+ states share: the game, the lemmas in use, what may be
/// spent, and what was done.
#[derive(Debug)]
pub struct Job<'a> {
    /// The game.
    pub game: &'a Game,
    /// The lemmas in use.
    pub lemmas: Lemmas,
    /// What may be spent, and what was spent so far.
    pub budget: Budget,
    /// What was done so far.
    pub stats: Stats,
    /// The lengths of the short searches that come first, instead of the usual ones; for tests.
    pub(super) probes: Option<&'static [(u32, u64)]>,
}

impl<'a> Job<'a> {
    /// A search of `game` that has not begun.
    #[must_use]
    pub fn new(game: &'a Game, lemmas: Lemmas, limits: Limits) -> Job<'a> {
        Job::for_helper(game, lemmas, Budget::new(limits))
    }

    /// The part of a search that a thread with this account does.
    pub(super) fn for_helper(game: &'a Game, lemmas: Lemmas, budget: Budget) -> Job<'a> {
        Job {
            game,
            lemmas,
            budget,
            stats: Stats::default(),
            probes: None,
        }
    }

    /// As [`probes`], of these or those that a test sets.
    pub(super) fn probes(&self, usual: &'static [(u32, u64)]) -> impl Iterator<Item = u64> + use<> {
        probes(self.probes.unwrap_or(usual))
    }

    /// What was done, with the most memory that was in use.
    #[must_use]
    pub fn finish(self) -> Stats {
        Stats {
            memory_bytes: self.budget.most_bytes(),
            ..self.stats
        }
    }
}

/// The most states of each search in a row of short ones, so many of each length, and one without
/// a bound.
pub(super) fn probes(probes: &[(u32, u64)]) -> impl Iterator<Item = u64> {
    let short = probes.iter();
    let short = short.flat_map(|&(count, states)| (0..count).map(move |_| states));
    short.chain([u64::MAX])
}

/// Puts the K+ moves of a state in another order before they are tried; tests permute them.
///
/// It must not add or remove moves. `None` keeps the fixed order.
pub type Order<'a> = Option<&'a mut dyn FnMut(&mut [kplus::Move])>;
