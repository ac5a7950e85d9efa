//! Milas, "Playing Klondike Solitaire variants with stochastic simulations", BSc thesis, TU Berlin
//! 2025: random play with two dominances, and on it hindsight optimization and Monte Carlo tree
//! search.
//!
//! Moves are turns (K+, section 3.2.4). Rollouts, hindsight optimization and the shortcuts are in
//! [`klondike_play::rollout`].
//!
//! **MCTS** (3.2.5): nodes are positions and, below each, its turns. A turn's node is a chance
//! node; its children are the positions that the revealed card makes, chosen at random. Selection
//! is by UCT (`cp`, with 1/√2 as usual) or by the "lowerbound" policy (`c`, 1). A node's first
//! visit is a rollout. The turn with most visits is made (robust child), or the one that won the
//! largest share of them (max child). A game has at most 1,000 turns.
//!
//! Open in the thesis, and chosen here:
//! - The formula of reachable talon cards of his algorithm 7 is not K+ as Bjarnason et al. define
//!   it (which he cites). Turns here are exactly what drawing leads to.
//! - Which final criterion he uses (he describes both, 3.2.5): robust child (`child`).
//! - Ties in the tree, among unvisited turns as well, are decided at random.
//! - The tree is built anew for every decision.
//! - The text has the dominances in rollouts and does not say whether they hold in the tree and for
//!   the game's own moves (`forced`). For the tree search they do: it then wins about as often as
//!   his and takes about as many decisions a game, and half as often without (`docs/log/play.md`).
//!   For HOP, which agrees without, they do not.

use std::f64::consts::SQRT_2;
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
    rules: Some("standard"),
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
    rules: Some("standard"),
    make: |given| {
        let trajectories = given.count("trajectories", 1..=1_000_000, 250)?;
        searching(given, Hindsight { trajectories }, false)
    },
};

/// Monte Carlo tree search by name.
pub const MCTS: Entry = Entry {
    name: "milas-mcts",
    help: "Monte Carlo tree search (Milas 2025); iterations or seconds, policy=uct|lowerbound, \
           cp=X (of uct), c=X (of lowerbound), child=robust|max, and as milas-hop",
    rules: Some("standard"),
    make: |given| {
        let budget = match given.iterations_or_seconds()? {
            (_, Some((_, time))) => Budget::Time(time),
            (iterations, None) => Budget::Iterations(iterations.unwrap_or(1_000)),
        };
        // 2·Cp·√(2 ln N / n) is 2·√2·Cp·√(ln N / n), and 2·√(ln N / n) with the usual Cp = 1/√2.
        let exploration =
            match given.one_of("policy", &[("lowerbound", false), ("uct", true)], false)? {
                true => given.given_real("cp")?.map_or(2.0, |cp| 2.0 * SQRT_2 * cp),
                false => given.real("c", 1.0)?,
            };
        let children = [("robust", Child::Robust), ("max", Child::Max)];
        let child = given.one_of("child", &children, Child::Robust)?;
        let search = Mcts {
            exploration,
            child,
            budget,
            tree: Tree::default(),
        };
        searching(given, search, true)
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

/// Which turn is made after the search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Child {
    /// The one with most visits.
    Robust,
    /// The one that won the largest share of its visits.
    Max,
}

impl Child {
    /// What a turn with these games won and visits is worth.
    pub(super) fn value(self, wins: u32, visits: u32) -> f64 {
        match self {
            Child::Robust => f64::from(visits),
            Child::Max => f64::from(wins) / f64::from(visits.max(1)),
        }
    }
}

/// When to stop thinking about a turn.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Budget {
    /// After this many iterations.
    Iterations(u32),
    /// After this long. Games are then not the same on every run.
    Time(Duration),
}

/// Monte Carlo tree search.
#[derive(Clone, Debug)]
struct Mcts {
    /// The factor x of the bound, mean + x·√(ln N / n).
    exploration: f64,
    child: Child,
    budget: Budget,
    tree: Tree,
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
        let descent = Descent {
            forced: decision.forced,
            exploration: self.exploration,
            width: None,
            avoid_repeats: false,
            expand_at_second_visit: false,
        };
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
        let rng = &mut decision.rollout.rng;
        let child = self.child;
        let value = |wins, visits| child.value(wins, visits);
        let turn = self.tree.best_child(value, rng);
        Found { turn, tried, won }
    }
}

#[cfg(test)]
mod tests {
    use crate::published::PlayerName;

    /// Each constant is one of its policy, and a constant of the other one is an error.
    #[test]
    fn constants_belong_to_their_policy() {
        let read = |text: &str| text.parse::<PlayerName>().map(|_| ());
        assert_eq!(read("milas-mcts:policy=uct,cp=0.5,child=max"), Ok(()));
        assert_eq!(read("milas-mcts:c=0.5,child=robust"), Ok(()));
        for wrong in [
            "cp=0.5",
            "policy=uct,c=0.5",
            "child=most",
            "policy=uct,cp=x",
        ] {
            assert!(read(&format!("milas-mcts:{wrong}")).is_err(), "{wrong}");
        }
    }
}
