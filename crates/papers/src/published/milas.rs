//! Milas, "Playing Klondike Solitaire variants with stochastic simulations", BSc thesis, TU Berlin
//! 2025: random play with two dominances, and on it hindsight optimization and Monte Carlo tree
//! search.
//!
//! Moves are turns (K+, section 3.2.4). Rollouts, hindsight optimization and the shortcuts are in
//! [`klondike_play::rollout`].
//!
//! **MCTS** (3.2.5): nodes are positions and, below each, its turns. A turn's node is a chance
//! node; its children are the positions that the revealed card makes, chosen at random. Selection
//! is by UCT with Cp = 1/√2 or by the "lowerbound" policy with c = 1. A node's first visit is a
//! rollout. The turn with most visits is made (robust child). A game has at most 1,000 turns.
//!
//! Open in the thesis, and chosen here:
//! - The formula of reachable talon cards of his algorithm 7 is not K+ as Bjarnason et al. define
//!   it (which he cites). Turns here are exactly what drawing leads to.
//! - Which final criterion he uses (he describes robust and max child): robust child.
//! - Ties in the tree, among unvisited turns as well, are decided at random.
//! - The tree is built anew for every decision.
//! - The text has the dominances in rollouts and does not say whether they hold in the tree and for
//!   the game's own moves (`forced`). For the tree search they do: it then wins about as often as
//!   his and takes about as many decisions a game, and half as often without (`docs/log/play.md`).
//!   For HOP, which agrees without, they do not.

use std::time::{Duration, Instant};

use crate::published::chance_tree::{Descent, Judge, Tree};
use klondike_play::dominant::Dominances;
use klondike_play::registry::{Entry, Given, PlayerError};
use klondike_play::rollout::{
    Decision, Found, Hindsight, Parameters, RandomPlayer, RolloutPlayer, RolloutSearch,
};
use klondike_play::turns::Turns;
use klondike_play::{AnyPlayer, Board, Rng};

/// The rollouts' random play by name.
pub const RANDOM: Entry = Entry {
    name: "milas-random",
    help: "random with dominances (Milas 2025); limit, safe=yes|no, critical=yes|no",
    make: |given| {
        let limit = given.count("limit", 1..=1_000_000_000, 100_000)?;
        let player = RandomPlayer::new(dominances(given)?, limit);
        Ok(AnyPlayer::hidden(Turns::new(player)))
    },
};

/// Hindsight optimization by name.
pub const HOP: Entry = Entry {
    name: "milas-hop",
    help: "hindsight optimization (Milas 2025); trajectories, rollout, limit, give-up=N|none, \
           open=yes|no, won=yes|no, forced=yes|no, oracle=yes|no, safe, critical",
    make: |given| {
        let trajectories = given.count("trajectories", 1..=1_000_000, 250)?;
        searching(given, Hindsight { trajectories }, false)
    },
};

/// Monte Carlo tree search by name.
pub const MCTS: Entry = Entry {
    name: "milas-mcts",
    help: "Monte Carlo tree search (Milas 2025); iterations or seconds, policy=uct|lowerbound, \
           and as milas-hop",
    make: |given| {
        let budget = match given.iterations_or_seconds()? {
            (_, Some((_, time))) => Budget::Time(time),
            (iterations, None) => Budget::Iterations(iterations.unwrap_or(1_000)),
        };
        let policies = [
            ("lowerbound", TreePolicy::Lowerbound),
            ("uct", TreePolicy::Uct),
        ];
        let policy = given.one_of("policy", &policies, TreePolicy::Lowerbound)?;
        searching(given, Mcts::new(policy, budget), true)
    },
};

fn dominances(given: &mut Given<'_>) -> Result<Dominances, PlayerError> {
    Ok(Dominances {
        safe: given.yes_no("safe", true)?,
        critical: given.yes_no("critical", true)?,
    })
}

fn searching(
    given: &mut Given<'_>,
    search: impl RolloutSearch + Send + 'static,
    forced: bool,
) -> Result<AnyPlayer, PlayerError> {
    let usual = Parameters::default();
    let parameters = Parameters {
        dominances: dominances(given)?,
        rollout_limit: given.count("rollout", 1..=1_000_000, usual.rollout_limit)?,
        game_limit: given.count("limit", 1..=1_000_000, usual.game_limit)?,
        give_up_after: given.count_or_none("give-up", 1..=1_000_000, usual.give_up_after)?,
        switch_when_open: given.yes_no("open", usual.switch_when_open)?,
        switch_when_won: given.yes_no("won", usual.switch_when_won)?,
        forced: given.yes_no("forced", forced)?,
        oracle: given.yes_no("oracle", usual.oracle)?,
    };
    let player = RolloutPlayer::new(search, parameters);
    Ok(AnyPlayer::hidden(Turns::new(player)))
}

/// How the tree is descended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreePolicy {
    /// Mean + 2·Cp·√(2 ln N / n), Cp = 1/√2.
    Uct,
    /// Mean + c·√(ln N / n), c = 1 (Bjarnason et al. 2009).
    Lowerbound,
}

impl TreePolicy {
    fn descent(self, forced: Dominances) -> Descent {
        Descent {
            forced,
            // 2·Cp·√(2 ln N / n) with Cp = 1/√2 is 2·√(ln N / n).
            exploration: match self {
                TreePolicy::Uct => 2.0,
                TreePolicy::Lowerbound => 1.0,
            },
            width: None,
            avoid_repeats: false,
            expand_at_second_visit: false,
        }
    }
}

/// When to stop thinking about a turn.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Budget {
    /// After this many iterations.
    Iterations(u32),
    /// After this long. Games are then not the same on every run.
    Time(Duration),
}

/// Monte Carlo tree search.
#[derive(Clone, Debug)]
pub struct Mcts {
    policy: TreePolicy,
    budget: Budget,
    tree: Tree,
}

impl Mcts {
    /// The search with this selection and this budget for each decision.
    #[must_use]
    pub fn new(policy: TreePolicy, budget: Budget) -> Mcts {
        Mcts {
            policy,
            budget,
            tree: Tree::default(),
        }
    }
}

impl Judge for Decision<'_> {
    fn rng(&mut self) -> &mut Rng {
        &mut self.rollout.rng
    }

    fn is_won(&mut self, board: Board, _seen: &[u64]) -> bool {
        self.play_on(board)
    }
}

impl RolloutSearch for Mcts {
    fn search(&mut self, decision: &mut Decision<'_>) -> Found {
        let view = decision.view;
        let descent = self.policy.descent(decision.forced);
        self.tree.begin(*view.board(), view.unseen(), descent, &[]);
        let start = Instant::now();
        let (mut won, mut tried) = (0, 0);
        while tried == 0
            || match self.budget {
                Budget::Iterations(limit) => tried < limit,
                Budget::Time(time) => start.elapsed() < time,
            }
        {
            tried += 1;
            won += u32::from(self.tree.iterate(decision));
        }
        let turn = self.tree.robust_child(&mut decision.rollout.rng);
        Found { turn, tried, won }
    }
}
