//! Hindsight optimization with the thoughtful solver as planner (Yoon, Fern, Givan & Kambhampati
//! 2008; Bjarnason, Fern & Tadepalli 2009).
//!
//! The moves are those that lead out of the class of the position. The planner decides for many
//! worlds whether each can be won after a move. All moves meet the same worlds in the same order,
//! so luck with worlds cancels out. UCB1 chooses the move to judge next, so poor moves cost little.
//! The player makes the move judged most often. A world that the planner leaves undecided counts as
//! [`Parameters::unknown`], and the player reports how many there were.
//!
//! The known weakness: the planner plays every world as if it were known. [`tree`](super::tree)
//! avoids this.

use crate::belief::Belief;
use crate::chance::Calibration;
use crate::goal::Goal;
use crate::judge::{BeliefPlayer, Judge, Judged, TRAJECTORIES, planner_options};
use crate::player::AnyPlayer;
use crate::reach::Exit;
use crate::registry::{Entry, Given, PlayerError};
use crate::worlds::{PoolSize, Sample, Tools, WorldPool};
use klondike_engine::search::planner::{Answer, PlannerOptions, When};
use klondike_game::rules::Rules;
use klondike_lemmas::kplus::State;
use klondike_lemmas::prune::Lemmas;

/// The player by name.
pub const ENTRY: Entry = Entry {
    name: "hop",
    help: "hindsight optimization with the solver as planner; iterations, worlds, budget, unknown, \
           c, relaxation=never|first|reveals|draws; trajectories outside K+",
    rules: None,
    make,
};

fn make(given: &mut Given<'_>) -> Result<AnyPlayer, PlayerError> {
    let usual = Parameters::default();
    let parameters = Parameters {
        iterations: given.count("iterations", 1..=u32::MAX, usual.iterations)?,
        worlds: given.count("worlds", 1..=1_000_000, usual.worlds)?,
        budget: given.count("budget", 1..=u32::MAX, usual.budget)?,
        unknown: given.real("unknown", usual.unknown)?,
        exploration: given.real("c", usual.exploration)?,
        planner: planner_options(given, usual.planner)?,
        trajectories: given.count("trajectories", 1..=1_000_000, usual.trajectories)?,
    };
    Ok(AnyPlayer::hidden(player(parameters)))
}

/// The parameters of the player.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Parameters {
    /// Planner calls for each decision, without those that fill the pool of worlds.
    pub iterations: u32,
    /// Worlds in the pool, each asked at most once for each move.
    pub worlds: u32,
    /// States that a planner call may visit.
    pub budget: u32,
    /// The value of a world that the planner leaves undecided, 0 to 1.
    pub unknown: f64,
    /// The factor of the exploration term of UCB1.
    pub exploration: f64,
    /// How the planner searches.
    pub planner: PlannerOptions,
    /// Rollouts for each turn where the K+ representation does not cover the game.
    pub trajectories: u32,
}

impl Default for Parameters {
    fn default() -> Parameters {
        Parameters {
            iterations: 2_000,
            worlds: 1_000,
            budget: 1_000,
            unknown: 0.5,
            exploration: 0.4,
            planner: PlannerOptions {
                lemmas: Lemmas::ALL,
                relaxation: When::First,
            },
            trajectories: TRAJECTORIES,
        }
    }
}

#[derive(Debug)]
struct HopJudge {
    parameters: Parameters,
    pool: WorldPool,
    exits: Vec<Exit>,
    /// Wins and unknowns by exit.
    results: Vec<(u32, u32, u32)>,
}

impl HopJudge {
    /// The exit to judge next, `None` if there are no exits.
    fn select(&self, done: u32) -> Option<usize> {
        let log = f64::from(done.max(1)).ln();
        let promise = |&(visits, wins, unknowns): &(u32, u32, u32)| {
            if visits == 0 {
                return f64::INFINITY;
            }
            let value = self.value(visits, wins, unknowns);
            value + self.parameters.exploration * (log / f64::from(visits)).sqrt()
        };
        // The first of the best.
        let promises = self.results.iter().map(promise);
        let (best, _) = promises
            .enumerate()
            .reduce(|best, other| if other.1 > best.1 { other } else { best })?;
        Some(best)
    }

    fn value(&self, visits: u32, wins: u32, unknowns: u32) -> f64 {
        let sum = f64::from(wins) + self.parameters.unknown * f64::from(unknowns);
        sum / f64::from(visits.max(1))
    }
}

impl Judge for HopJudge {
    fn forget(&mut self) {
        self.pool.clear();
    }

    fn calibration(&self, _: &Rules) -> Calibration {
        Calibration::NONE
    }

    fn judge(
        &mut self,
        tools: &mut Tools,
        belief: &Belief,
        state: &State,
        judged: &mut Vec<Judged>,
    ) -> Sample {
        let reach = belief.reach();
        tools
            .classes
            .exits(belief.game(), state, reach, &mut self.exits);
        self.results.clear();
        self.results.resize(self.exits.len(), (0, 0, 0));
        let mut sample = Sample::default();
        if self.exits.len() > 1 {
            tools.counters.decisions += 1;
            sample = self.pool.refill(tools, belief, state);
            if sample.worlds == 0 && tools.limit().is_none() {
                return sample;
            }
            for done in 0..self.parameters.iterations {
                if tools.is_over(self.pool.bytes()) {
                    break;
                }
                let Some(chosen) = self.select(done) else {
                    break;
                };
                let visits = self.results[chosen].0;
                if visits == sample.worlds {
                    // The best exit has met all worlds.
                    break;
                }
                let world = &mut self.pool.worlds()[visits as usize];
                let exit = self.exits[chosen];
                let next = world.game().state_here(&exit.apply(world.game()));
                let answer = tools.alive(world, &next, exit.redeals, self.parameters.budget);
                let (visits, wins, unknowns) = &mut self.results[chosen];
                *visits += 1;
                *wins += u32::from(answer == Answer::Win);
                *unknowns += u32::from(answer == Answer::Unknown);
            }
        }
        for (&exit, &(visits, wins, unknowns)) in self.exits.iter().zip(&self.results) {
            judged.push(Judged {
                exit,
                visits,
                value: self.value(visits, wins, unknowns),
                deviation: 0.0,
                unknowns,
            });
        }
        sample
    }
}

/// The player with these parameters.
#[must_use]
pub fn player(parameters: Parameters) -> BeliefPlayer {
    let judge = HopJudge {
        parameters,
        pool: WorldPool::new(PoolSize {
            worlds: parameters.worlds,
            facts: 1_024,
            budget: parameters.budget,
            goal: Goal::Win,
        }),
        exits: Vec::new(),
        results: Vec::new(),
    };
    BeliefPlayer::new(judge, parameters.planner, parameters.trajectories)
}
