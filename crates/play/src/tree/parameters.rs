//! The parameters of the tree player, and how they are written.

use std::time::Duration;

use super::{LeafParameters, Selection, player};
use crate::goal::Goal;
use crate::judge::{TRAJECTORIES, planner_options};
use crate::player::AnyPlayer;
use crate::registry::{Entry, Given, PlayerError};
use klondike_engine::search::clock::Clock;
use klondike_engine::search::planner::{PlannerOptions, When};
use klondike_lemmas::prune::Lemmas;

/// The player by name.
pub const ENTRY: Entry = Entry {
    name: "tree",
    help: "tree search over information states with the solver as judge; iterations or seconds, \
           worlds, budget, late, facts, select=prior|ucb, c, base, hidden, unknown, \
           unknown-hidden, relaxation=never|first|reveals|draws; trajectories outside K+, where \
           it plays to win; \
           goal=win|money: money is that of Vegas, with no use for budget to relaxation but select \
           and c",
    rules: None,
    make,
};

fn make(given: &mut Given<'_>) -> Result<AnyPlayer, PlayerError> {
    let usual = Parameters::default();
    let (iterations, time) = given.iterations_or_seconds()?;
    let selections = [("prior", Selection::Prior), ("ucb", Selection::Ucb1)];
    let parameters = Parameters {
        goal: given.one_of("goal", &Goal::WORDS, usual.goal)?,
        iterations: iterations.unwrap_or(usual.iterations),
        time,
        worlds: given.count("worlds", 1..=1_000_000, usual.worlds)?,
        facts: given.count("facts", 16..=1 << 24, usual.facts)?,
        budget: given.count("budget", 1..=u32::MAX, usual.budget)?,
        late_budget: given.count("late", 1..=u32::MAX, usual.late_budget)?,
        selection: given.one_of("select", &selections, usual.selection)?,
        exploration: given.given_real("c")?,
        leaf: LeafParameters {
            base: given.given_real("base")?,
            hidden: given.given_real("hidden")?,
            unknown: given.given_real("unknown")?,
            unknown_hidden: given.given_real("unknown-hidden")?,
        },
        planner: planner_options(given, usual.planner)?,
        single: usual.single,
        trajectories: given.count("trajectories", 1..=1_000_000, usual.trajectories)?,
    };
    Ok(AnyPlayer::hidden(player(parameters)))
}

/// The parameters of the player.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Parameters {
    /// What it plays for.
    pub goal: Goal,
    /// Iterations for each decision.
    pub iterations: u32,
    /// Time for each decision on a clock, instead of iterations. Games are then not the same on
    /// every run.
    pub time: Option<(Clock, Duration)>,
    /// Worlds in the pool.
    pub worlds: u32,
    /// States that each world remembers.
    pub facts: u32,
    /// States that a planner call may visit.
    pub budget: u32,
    /// The same when at most [`FEW`] cards are face down.
    pub late_budget: u32,
    /// How a move is chosen on the way down.
    pub selection: Selection,
    /// The factor c of the exploration term of the selection, [`Selection::usual`] if it is not
    /// given.
    pub exploration: Option<f64>,
    /// The value of new nodes.
    pub leaf: LeafParameters,
    /// How the planner searches.
    pub planner: PlannerOptions,
    /// Whether the player also thinks where there is only one move. That changes no choice, but
    /// gives the chance of the move.
    pub single: bool,
    /// Rollouts for each turn where the K+ representation does not cover the game.
    pub trajectories: u32,
}

/// Most face-down cards at which [`Parameters::late_budget`] holds.
pub const FEW: usize = 6;

impl Default for Parameters {
    fn default() -> Parameters {
        let planner = PlannerOptions {
            lemmas: Lemmas::ALL,
            relaxation: When::First,
        };
        Parameters {
            goal: Goal::Win,
            iterations: 800,
            time: None,
            worlds: 300,
            facts: 2_048,
            budget: 100,
            late_budget: 1_000,
            selection: Selection::Prior,
            exploration: None,
            leaf: LeafParameters::default(),
            planner,
            single: false,
            trajectories: TRAJECTORIES,
        }
    }
}
