//! Milas, "Playing Klondike Solitaire variants with stochastic simulations", BSc thesis, TU Berlin 2025:
//! random play with two dominances, and on it Monte Carlo tree search and hindsight optimization.
//!
//! Moves are turns (K+, section 3.2.4). **Rollouts** (3.2.3) play at random, but only dominant turns while
//! there are any ([`super::dominant`]). They count a game as won or not, within a number of moves.
//!
//! **MCTS** (3.2.5): nodes are positions and, below each, its turns; a turn's node is a chance node whose
//! children are the positions that the revealed card makes, chosen at random. Selection by UCT with
//! Cp = 1/√2 or by the "lowerbound" policy with c = 1; a node's first visit is a rollout; the turn with
//! most visits is made (robust child). **HOP** (2.3): for every turn a number of worlds, one rollout in each;
//! the turn with most wins is made. **Shortcuts** (3.2.6): give up after a number of turns in a row without a
//! rollout won; go on with the rollout's own play when all cards are face up, or when all rollouts of a
//! decision were won. A game has at most 1,000 turns.
//!
//! Open in the thesis, and chosen here:
//! - The formula of reachable talon cards of his algorithm 7 is not K+ as Bjarnason et al. define it (which
//!   he cites); turns here are exactly what drawing leads to.
//! - Which final criterion he uses (he describes robust and max child): robust child.
//! - Ties, in the tree, among equally good turns and among unvisited ones, are drawn by lot.
//! - Worlds are drawn anew for every turn and rollout; the tree is built anew for every decision.
//! - A position with one turn only is no decision, and is played without a search.
//! - Once a shortcut has switched to the rollout's play, it stays so to the end of the game.
//! - Kings with nothing below them do not move to other empty piles.
//! - The text has the dominances in rollouts and does not say whether they hold in the tree and for the game's own moves.
//!   [`Parameters::forced`]: they do for the tree search, which then wins about as often as his and takes about as many decisions
//!   a game, and half as often without (`docs/play.md`); they do not for HOP, which agrees without.
//!
//! **Quicker here, and no other player.** Rollouts count as won or not, and nothing else of them matters: to the tree, to HOP, and
//! to the shortcuts. So a rollout ends as not won when its world is proven lost (the file `oracle.rs` says why this changes no
//! distribution); it is asked about when the rollout has wandered to and fro for a while, and at its beginning while
//! that pays: whether it is asked depends on earlier worlds only. HOP tries a turn no more that can no longer win as many as
//! another (the file `race.rs`). Positions that
//! a rollout comes back to are looked up (`walk.rs`), and where a game of draw 1 wanders to and fro, those that other rollouts were in
//! (`stretch.rs`); neither changes a game without the oracle, nor the distribution of games with it.

use rand::RngExt;
use std::time::{Duration, Instant};

use crate::play::board::TurnSets;
use crate::play::oracle::Oracle;
use crate::play::policy::best::Best;
use crate::play::policy::chance_tree::{Descent, Judge, Tree};
use crate::play::policy::dominant::Dominances;
use crate::play::policy::race::{Try, race, try_all};
use crate::play::policy::stretch::{Step, Stretches};
use crate::play::policy::walk::Walk;
use crate::play::policy::{Dice, TurnPolicy, dice};
use crate::play::{Board, Counters, Information, Turn, View};

/// Random play with dominances: the rollouts, and a player of its own.
#[derive(Clone, Debug)]
struct Rollout {
    dominances: Dominances,
    rng: Dice,
    turns: Vec<Turn>,
    dominant: Vec<Turn>,
    walk: Walk,
    /// Stops rollouts in lost worlds.
    oracle: Option<Oracle>,
    /// Whether to ask it at the beginning of a rollout.
    beginnings: Beginnings,
    /// Stretches that are kept where a game wanders.
    stretches: Option<Stretches>,
    /// Decisions in a row without a lasting turn.
    wandered: u32,
}

/// What came of the last questions at the beginning of rollouts. Unlike those of [`crate::prune::trial`], which sum up a
/// search, they tell what pays at this point of the game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Beginnings {
    /// The last of them, the newest lowest: whether the world was lost.
    lost: u32,
    /// Rollouts begun.
    rollouts: u32,
}

impl Default for Beginnings {
    /// Asks until it is known what comes of it.
    fn default() -> Beginnings {
        Beginnings {
            lost: u32::MAX,
            rollouts: 0,
        }
    }
}

impl Beginnings {
    /// Whether to ask: while enough of the last worlds were lost, and now and then to see whether that has changed. A rollout
    /// of a lost world that is not asked about costs about two questions, one of them when it has wandered for a while.
    fn pays(&mut self) -> bool {
        self.rollouts = self.rollouts.wrapping_add(1);
        self.lost.count_ones() >= ENOUGH || self.rollouts.is_multiple_of(SOMETIMES)
    }

    fn note(&mut self, lost: bool) {
        self.lost = self.lost << 1 | u32::from(lost);
    }
}

/// States that the oracle may visit for each question.
const BUDGET: u32 = 50;
/// Turns in a row that can be taken back after which it is asked, and again after twice as many, and so on.
const IDLE: u32 = 15;
/// It is asked at the beginning of a rollout, too, while so many of the last 32 worlds asked about were lost,
const ENOUGH: u32 = 14;
/// and of one rollout in so many in any case.
const SOMETIMES: u32 = 16;
/// Decisions in a row without a lasting turn after which stretches are kept. Before that most positions come but once.
const WANDERING: u32 = 16;
/// States that a world remembers.
const FACTS: usize = 64;

impl Rollout {
    fn new(dominances: Dominances) -> Rollout {
        Rollout {
            dominances,
            rng: dice(0),
            turns: Vec::new(),
            dominant: Vec::new(),
            walk: Walk::default(),
            oracle: None,
            beginnings: Beginnings::default(),
            stretches: None,
            wandered: 0,
        }
    }

    /// Another game begins.
    fn begin_game(&mut self, seed: u64) {
        self.rng = dice(seed);
        self.beginnings = Beginnings::default();
        self.wandered = 0;
        if let Some(oracle) = &mut self.oracle {
            oracle.forget();
        }
        if let Some(stretches) = &mut self.stretches {
            stretches.forget();
        }
    }

    /// Another decision comes. `stays` tells whether it is in the stretch of the last one, and stretches may be kept there.
    fn begin_decision(&mut self, stays: bool) {
        self.wandered = if stays { self.wandered + 1 } else { 0 };
    }

    /// Whether stretches are kept.
    #[inline]
    fn is_wandering(&self) -> bool {
        self.stretches.is_some() && self.wandered >= WANDERING
    }

    /// A turn of random play, or `None` if there is none.
    fn choose(&mut self, board: &Board) -> Option<Turn> {
        self.dominances
            .list(board, &mut self.turns, &mut self.dominant);
        let turns = &self.turns;
        loop {
            if turns.is_empty() {
                return None;
            }
            let turn = turns[self.rng.random_range(0..turns.len() as u32) as usize];
            if !board.is_idle(turn.made) {
                return Some(turn);
            }
            if turns.iter().all(|turn| board.is_idle(turn.made)) {
                return None;
            }
        }
    }

    /// Finds out which turns the position of the walk has, those of random play; tells their number.
    #[inline]
    fn look_around(&mut self) -> u32 {
        let board = self.walk.board();
        if let Some(sets) =
            TurnSets::new(board, self.walk.reach(), self.dominances.at(board).before())
        {
            return self.walk.keep(sets);
        }
        self.dominances
            .list(board, &mut self.turns, &mut self.dominant);
        self.walk.list(&self.turns)
    }

    /// Plays at most `limit` turns; tells whether the game is won.
    fn play(&mut self, mut board: Board, limit: u32) -> bool {
        if let Some(oracle) = &mut self.oracle {
            oracle.enter(&board);
            if self.beginnings.pays() {
                let lost = oracle.is_lost(&board, BUDGET);
                self.beginnings.note(lost);
                if lost {
                    return false;
                }
            }
        }
        let mut left = limit;
        loop {
            if self.is_wandering()
                && let Some(won) = self.wander(&mut board, &mut left)
            {
                return won;
            }
            if let Some(won) = self.play_on(&mut board, &mut left) {
                return won;
            }
        }
    }

    /// Plays on through stretches that are kept; tells whether the game is won, or `None` at a position of another stretch.
    fn wander(&mut self, board: &mut Board, left: &mut u32) -> Option<bool> {
        let stretches = self.stretches.as_mut()?;
        let mut at = stretches.enter(board)?;
        let (mut idle, mut next) = (0_u32, 0);
        while *left > 0 {
            if idle == next
                && let Some(oracle) = &mut self.oracle
            {
                if stretches.is_closed(at) {
                    return Some(false);
                }
                let world = || stretches.board(at).with_hidden_of(board);
                if idle > 0 && oracle.is_lost(&world(), BUDGET) {
                    return Some(false);
                }
                next = IDLE.max(2 * idle);
            }
            match stretches.step(at, &mut self.rng) {
                Step::Won => return Some(true),
                Step::Stuck => return Some(false),
                Step::To(to) => {
                    at = to;
                    idle += 1;
                }
                Step::Leave { turn, lasts } => {
                    *board = stretches.board(at).with_hidden_of(board);
                    board.make_turn(turn);
                    *left -= 1;
                    if !lasts {
                        return None;
                    }
                    at = stretches.enter(board)?;
                    (idle, next) = (0, 0);
                    continue;
                }
            }
            *left -= 1;
        }
        Some(stretches.board(at).is_won())
    }

    /// Plays on; tells whether the game is won, or `None` at the end of a stretch where the game wanders.
    fn play_on(&mut self, board: &mut Board, left: &mut u32) -> Option<bool> {
        let is_wandering = self.is_wandering();
        let (mut idle, mut next) = (0_u32, IDLE);
        self.walk.begin(board);
        while *left > 0 {
            *left -= 1;
            let turns = match self.walk.turns() {
                Some(turns) => turns,
                None if self.walk.board().is_won() => return Some(true),
                None => self.look_around(),
            };
            if turns == 0 {
                return Some(false);
            }
            let lasting = loop {
                let number = self.rng.random_range(0..turns);
                if let Some(lasting) = self.walk.make(number) {
                    break lasting;
                }
                if self.walk.is_stuck() {
                    return Some(false);
                }
            };
            if lasting {
                if is_wandering {
                    *board = *self.walk.board();
                    return None;
                }
                (idle, next) = (0, IDLE);
                continue;
            }
            idle += 1;
            if idle == next
                && let Some(oracle) = &mut self.oracle
            {
                next *= 2;
                if self.walk.is_closed() || oracle.is_lost(self.walk.board(), BUDGET) {
                    return Some(false);
                }
            }
        }
        Some(self.walk.board().is_won())
    }
}

/// The rollouts' random play as a player of its own.
#[derive(Clone, Debug)]
pub struct Heuristic {
    rollout: Rollout,
    limit: u32,
    made: u32,
}

impl Heuristic {
    /// The player that gives up after `limit` turns (in the thesis 100,000).
    #[must_use]
    pub fn new(dominances: Dominances, limit: u32) -> Heuristic {
        Heuristic {
            rollout: Rollout::new(dominances),
            limit,
            made: 0,
        }
    }
}

impl TurnPolicy for Heuristic {
    fn new_game(&mut self, seed: u64) {
        self.rollout.rng = dice(seed);
        self.made = 0;
    }

    fn choose_turn(&mut self, view: &View) -> Option<Turn> {
        if self.made == self.limit {
            return None;
        }
        self.made += 1;
        self.rollout.choose(view.board())
    }

    fn counters(&self) -> Counters {
        Counters {
            decisions: u64::from(self.made),
            planner_calls: 0,
        }
    }
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

/// How a turn is chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Search {
    /// Monte Carlo tree search.
    Mcts {
        /// The selection in the tree.
        policy: TreePolicy,
        /// When to stop.
        budget: Budget,
    },
    /// Hindsight optimization with one rollout per trajectory.
    Hop {
        /// Trajectories for every turn.
        trajectories: u32,
    },
}

/// The parameters of a searching player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    /// How a turn is chosen.
    pub search: Search,
    /// The dominances of the rollouts.
    pub dominances: Dominances,
    /// Most turns of a rollout.
    pub rollout_limit: u32,
    /// Most turns of a game.
    pub game_limit: u32,
    /// Give up after this many turns in a row without a rollout won.
    pub give_up_after: Option<u32>,
    /// Go on with the rollout's play when no card is face down.
    pub switch_when_open: bool,
    /// Go on with the rollout's play when all rollouts were won.
    pub switch_when_won: bool,
    /// Whether dominant turns are forced in the tree and in the game as they are in rollouts.
    pub forced: bool,
    /// Whether rollouts end when their world is proven lost: quicker, and no other player.
    pub oracle: bool,
    /// Whether hindsight optimization tries a turn no more that can no longer win as many rollouts as another: quicker, and
    /// no other player.
    pub race: bool,
    /// Whether stretches in which a game wanders are kept from rollout to rollout: quicker, and no other game if `oracle` is not set, no other
    /// player if it is.
    pub kept: bool,
}

impl Parameters {
    /// The settings of section 4.4 with this search; dominant turns are forced if it is a tree search.
    #[must_use]
    pub const fn new(search: Search) -> Parameters {
        Parameters {
            search,
            dominances: Dominances::ALL,
            rollout_limit: 250,
            game_limit: 1_000,
            give_up_after: Some(5),
            switch_when_open: true,
            switch_when_won: true,
            forced: matches!(search, Search::Mcts { .. }),
            oracle: true,
            race: true,
            kept: true,
        }
    }
}

/// The searching player.
#[derive(Clone, Debug)]
pub struct Milas {
    parameters: Parameters,
    rollout: Rollout,
    counters: Counters,
    made: u32,
    /// The position at the last decision.
    last: Option<Board>,
    /// Turns in a row without a rollout won.
    hopeless: u32,
    /// Whether the rollout's play has taken over.
    switched: bool,
    turns: Vec<Turn>,
    tries: Vec<Try>,
    tree: Tree,
}

impl Milas {
    /// The player with these parameters.
    #[must_use]
    pub fn new(parameters: Parameters) -> Milas {
        let mut rollout = Rollout::new(parameters.dominances);
        rollout.oracle = parameters.oracle.then(|| Oracle::new(FACTS));
        rollout.stretches = (parameters.kept).then(|| Stretches::new(parameters.dominances));
        Milas {
            parameters,
            rollout,
            counters: Counters::default(),
            made: 0,
            last: None,
            hopeless: 0,
            switched: false,
            turns: Vec::new(),
            tries: Vec::new(),
            tree: Tree::default(),
        }
    }

    /// The dominances that hold outside of rollouts.
    fn forced(&self) -> Dominances {
        if self.parameters.forced {
            self.parameters.dominances
        } else {
            Dominances::NONE
        }
    }

    /// The turn with most wins, the wins of all turns and the number of rollouts.
    fn hop(&mut self, view: &View, trajectories: u32) -> (Turn, u32, u32) {
        let mut tries = std::mem::take(&mut self.tries);
        tries.clear();
        tries.extend(self.turns.iter().map(|&turn| Try::new(turn)));
        let way = if self.parameters.race { race } else { try_all };
        way(&mut tries, trajectories, &mut |turn| {
            self.follow(turn, view)
        });
        let mut best = Best::new();
        for each in &tries {
            best.offer(each.turn, each.won, &mut self.rollout.rng);
        }
        let turn = best.found().map_or(self.turns[0], |(turn, _)| turn);
        let wins = tries.iter().map(|each| each.won).sum();
        let rollouts = tries.iter().map(|each| each.made).sum();
        self.tries = tries;
        (turn, wins, rollouts)
    }

    /// A rollout after this turn, in a new world.
    fn follow(&mut self, turn: Turn, view: &View) -> bool {
        let mut board = view.shuffled_world(&mut self.rollout.rng);
        board.make_turn(turn);
        self.counters.planner_calls += 1;
        self.rollout.play(board, self.parameters.rollout_limit)
    }

    fn mcts(&mut self, view: &View, policy: TreePolicy, budget: Budget) -> (Turn, u32, u32) {
        let mut tree = std::mem::take(&mut self.tree);
        let descent = policy.descent(self.forced());
        tree.begin(*view.board(), view.unseen(), descent, &[]);
        let end = match budget {
            Budget::Time(time) => Instant::now().checked_add(time),
            Budget::Iterations(_) => None,
        };
        let (mut wins, mut iterations) = (0, 0);
        loop {
            let stop = match budget {
                Budget::Iterations(limit) => iterations >= limit,
                Budget::Time(_) => end.is_some_and(|end| Instant::now() >= end),
            };
            if stop && iterations > 0 {
                break;
            }
            iterations += 1;
            wins += u32::from(tree.iterate(self));
        }
        let best = tree.robust_child(&mut self.rollout.rng);
        self.tree = tree;
        (best, wins, iterations)
    }
}

impl Judge for Milas {
    fn dice(&mut self) -> &mut Dice {
        &mut self.rollout.rng
    }

    fn is_won(&mut self, board: Board, _seen: &[u64]) -> bool {
        self.counters.planner_calls += 1;
        self.rollout.play(board, self.parameters.rollout_limit)
    }
}

impl TurnPolicy for Milas {
    fn new_game(&mut self, seed: u64) {
        self.rollout.begin_game(seed);
        self.last = None;
        self.counters = Counters::default();
        self.made = 0;
        self.hopeless = 0;
        self.switched = false;
    }

    fn choose_turn(&mut self, view: &View) -> Option<Turn> {
        let parameters = self.parameters;
        let board = view.board();
        if self.made == parameters.game_limit {
            return None;
        }
        self.made += 1;
        self.switched |= parameters.switch_when_open && board.hidden_count() == 0;
        if self.switched {
            return self.rollout.choose(board);
        }
        self.turns.clear();
        board.busy_turns(&mut self.turns);
        self.forced().narrow(board, &mut self.turns);
        match self.turns[..] {
            [] => return None,
            [only] => return Some(only),
            _ => {}
        }
        self.counters.decisions += 1;
        if let Some(oracle) = &mut self.rollout.oracle {
            oracle.follow(view);
        }
        let stays = self.last.is_some_and(|last| last.is_same_stretch(board));
        self.last = Some(*board);
        // Where talon cards are not known, turns depend on the world. Where several cards are drawn at once, stretches differ by
        // what is in reach, and are not come to often enough.
        let may_keep = view.information() == Information::TalonKnown && board.draw_count() == 1;
        self.rollout.begin_decision(stays && may_keep);
        let (turn, wins, rollouts) = match parameters.search {
            Search::Hop { trajectories } => self.hop(view, trajectories),
            Search::Mcts { policy, budget } => self.mcts(view, policy, budget),
        };
        self.switched = parameters.switch_when_won && wins == rollouts;
        self.hopeless = if wins == 0 { self.hopeless + 1 } else { 0 };
        if parameters
            .give_up_after
            .is_some_and(|limit| self.hopeless >= limit)
        {
            return None;
        }
        Some(turn)
    }

    fn counters(&self) -> Counters {
        self.counters
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deal::seed::{Scheme, Seed};
    use crate::play::Session;
    use crate::rules::Rules;
    use crate::table::Table;
    use std::sync::Arc;

    /// Plays without looking anything up.
    fn play_plainly(rollout: &mut Rollout, mut board: Board, limit: u32) -> bool {
        for _ in 0..limit {
            if board.is_won() {
                return true;
            }
            match rollout.choose(&board) {
                Some(turn) => drop(board.make_turn(turn)),
                None => return false,
            }
        }
        board.is_won()
    }

    fn session(draw: u8, seed: u64) -> Session {
        let rules = Arc::new(Rules::standard_draw(draw).unwrap());
        let deal = Scheme::Klondike.deal(&Seed::from(seed)).unwrap();
        Session::new(&Table::new(rules, &deal).unwrap(), Information::TalonKnown)
    }

    /// Rollouts that look positions up play the same games, down to the last random number, long ones among them in
    /// which positions are forgotten.
    #[test]
    fn walks_change_no_game() {
        let mut won = 0;
        for seed in 0..120 {
            let session = session([1, 3][seed as usize % 2], seed);
            let mut worlds = dice(seed);
            let board = session.view().shuffled_world(&mut worlds);
            let limit = if seed % 10 == 0 { 20_000 } else { 500 };
            let mut rollout = Rollout::new(Dominances::ALL);
            rollout.rng = dice(seed);
            let mut plain = rollout.clone();
            let outcome = rollout.play(board, limit);
            assert_eq!(outcome, play_plainly(&mut plain, board, limit));
            assert_eq!(rollout.rng, plain.rng);
            won += u32::from(outcome);
        }
        assert!((5..100).contains(&won), "{won}");
    }

    /// Rollouts through stretches that are kept play the same games, down to the last random number, wherever they begin in the game.
    #[test]
    fn kept_stretches_change_no_game() {
        let (mut won, mut kept) = (0, 0);
        for seed in 0..60 {
            let mut session = session([1, 1, 3][seed as usize % 3], seed);
            let mut worlds = dice(seed);
            let mut rollout = Rollout::new(Dominances::ALL);
            rollout.rng = dice(seed);
            rollout.stretches = Some(Stretches::new(Dominances::ALL));
            rollout.wandered = WANDERING;
            for turn in 0..60 {
                let limit = if turn % 20 == 0 { 3_000 } else { 200 };
                for _ in 0..6 {
                    let board = session.view().shuffled_world(&mut worlds);
                    let mut plain = rollout.clone();
                    let outcome = rollout.play(board, limit);
                    assert_eq!(outcome, play_plainly(&mut plain, board, limit));
                    assert_eq!(rollout.rng, plain.rng);
                    won += u32::from(outcome);
                }
                let stretches = rollout.stretches.as_mut().unwrap();
                kept += u32::from(
                    stretches
                        .enter(&session.view().shuffled_world(&mut worlds))
                        .is_some(),
                );
                let mut turns = Vec::new();
                session.view().board().busy_turns(&mut turns);
                if turns.is_empty() {
                    break;
                }
                let turn = turns[worlds.random_range(0..turns.len())];
                loop {
                    let step = session.view().board().next_step(turn);
                    session.make(step).unwrap();
                    if step == turn.made {
                        break;
                    }
                }
            }
        }
        assert!(won > 500 && kept > 500, "{won} {kept}");
    }

    /// Games are the same whether stretches are kept or not, where nothing else depends on it.
    #[test]
    fn keeping_stretches_changes_no_player() {
        let play = |kept| {
            let mut player = Milas::new(Parameters {
                rollout_limit: 120,
                give_up_after: None,
                oracle: false,
                kept,
                ..Parameters::new(Search::Hop { trajectories: 3 })
            });
            let (mut games, mut wandered) = (Vec::new(), 0);
            for seed in 0..8 {
                let mut session = session(1, seed);
                player.new_game(seed);
                let mut made = Vec::new();
                while made.len() < 120
                    && let Some(turn) = player.choose_turn(session.view())
                {
                    wandered += usize::from(player.rollout.is_wandering());
                    made.push(turn);
                    loop {
                        let step = session.view().board().next_step(turn);
                        session.make(step).unwrap();
                        if step == turn.made {
                            break;
                        }
                    }
                }
                games.push(made);
            }
            (games, wandered)
        };
        let ((kept, some), (others, none)) = (play(true), play(false));
        assert_eq!(kept, others);
        assert!(some > 30, "{some}");
        assert_eq!(none, 0);
    }

    /// The beginnings of rollouts are asked about while half of the last worlds were lost, and else now and then.
    #[test]
    fn beginnings_are_asked_about_while_that_pays() {
        let mut beginnings = Beginnings::default();
        let mut asked = |lost: fn(u32) -> bool, rollouts: u32| {
            let mut asked = 0;
            for i in 0..rollouts {
                if beginnings.pays() {
                    asked += 1;
                    beginnings.note(lost(i));
                }
            }
            asked
        };
        assert_eq!(asked(|_| true, 100), 100);
        assert_eq!(asked(|i| i % 2 == 0, 100), 100);
        let few = asked(|_| false, 1_000);
        assert!((60..90).contains(&few), "{few}");
        // What changed is found out again.
        let many = asked(|_| true, 1_000);
        assert!(many > 700, "{many}");
    }

    /// Worlds that the oracle says are lost, at the beginning or on the way, are never won when they are played out.
    #[test]
    fn no_rollout_of_a_lost_world_is_won() {
        let (mut lost, mut won) = (0, 0);
        for seed in 0..200 {
            let session = session([1, 3][seed as usize % 2], seed);
            let mut rollout = Rollout::new(Dominances::ALL);
            let mut oracle = Oracle::new(FACTS);
            oracle.follow(session.view());
            rollout.rng = dice(seed);
            let mut board = session.view().shuffled_world(&mut rollout.rng);
            oracle.enter(&board);
            for _ in 0..60 {
                if oracle.is_lost(&board, BUDGET) {
                    lost += 1;
                    for _ in 0..3 {
                        assert!(!rollout.play(board, 1_000));
                    }
                }
                let Some(turn) = rollout.choose(&board) else {
                    break;
                };
                board.make_turn(turn);
            }
            won += u32::from(rollout.play(board, 1_000));
        }
        assert!(lost > 200 && won > 5, "{lost} {won}");
    }

    /// Where dominant turns are forced, the player makes one of them whenever there is one, and not so otherwise.
    #[test]
    fn forced_turns_are_made() {
        let others = |forced| {
            let search = Search::Mcts {
                policy: TreePolicy::Lowerbound,
                budget: Budget::Iterations(8),
            };
            let mut player = Milas::new(Parameters {
                rollout_limit: 60,
                give_up_after: None,
                switch_when_won: false,
                forced,
                ..Parameters::new(search)
            });
            let (mut dominant, mut other) = (0, 0);
            for seed in 0..12 {
                let mut session = session(1, seed);
                player.new_game(seed);
                for _ in 0..60 {
                    let board = *session.view().board();
                    let Some(turn) = player.choose_turn(session.view()) else {
                        break;
                    };
                    let (mut turns, mut dominants) = (Vec::new(), Vec::new());
                    Dominances::ALL.list(&board, &mut turns, &mut dominants);
                    if !dominants.is_empty() {
                        *(if dominants.contains(&turn) {
                            &mut dominant
                        } else {
                            &mut other
                        }) += 1;
                    }
                    loop {
                        let step = session.view().board().next_step(turn);
                        session.make(step).unwrap();
                        if step == turn.made {
                            break;
                        }
                    }
                }
            }
            assert!(dominant > 50, "{dominant}");
            other
        };
        assert_eq!(others(true), 0);
        assert!(others(false) > 10);
    }

    /// With the oracle as many rollouts are won as without: the difference is within four standard deviations.
    #[test]
    fn the_oracle_changes_no_share_of_wins() {
        let mut wins = [0.0_f64; 2];
        let mut rollout = Rollout::new(Dominances::ALL);
        for (oracle, wins) in [true, false].into_iter().zip(&mut wins) {
            rollout.rng = dice(u64::from(oracle));
            // The same holds where stretches are kept, which end when they are closed.
            rollout.stretches = oracle.then(|| Stretches::new(Dominances::ALL));
            rollout.wandered = WANDERING;
            for seed in 0..150 {
                let session = session(1, seed);
                rollout.oracle = oracle.then(|| Oracle::new(FACTS));
                if let Some(oracle) = &mut rollout.oracle {
                    oracle.follow(session.view());
                }
                for _ in 0..20 {
                    let board = session.view().shuffled_world(&mut rollout.rng);
                    *wins += f64::from(u8::from(rollout.play(board, 1_000)));
                }
            }
        }
        let mean = wins.iter().sum::<f64>() / 2.0;
        let deviation = (2.0 * mean * (1.0 - mean / 3_000.0)).sqrt();
        assert!(mean > 100.0, "{wins:?}");
        assert!((wins[0] - wins[1]).abs() < 4.0 * deviation, "{wins:?}");
    }
}
