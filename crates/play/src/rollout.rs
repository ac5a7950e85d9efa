//! Random play to the end of a game, and players that choose turns by it (Milas, "Playing Klondike
//! Solitaire variants with stochastic simulations", BSc thesis, TU Berlin 2025).
//!
//! A **rollout** plays at random, but only [dominant](crate::dominant) turns while there are
//! any (section 3.2.3). It counts as won or not, within a number of turns. **Hindsight
//! optimization** (2.3) tries every turn in a number of worlds, with one rollout in each, and makes
//! the turn that wins most. **Shortcuts** (3.2.6): give up after a number of turns in a row without
//! a rollout won; go on with the rollout's own play when all cards are face up, or when all
//! rollouts of a decision were won.
//!
//! Open in the thesis, and chosen here: worlds are drawn anew for every turn and rollout. Equally
//! good turns are chosen at random. A position with one turn is no decision. Once a shortcut has
//! switched to the rollout's play, it stays so to the end of the game.
//!
//! **Lost worlds.** Only the result of a rollout matters. So a rollout ends as not won when its
//! world is proven lost (`oracle.rs` says why this changes no distribution). The question is asked
//! before the first turn, and after 15, 30, 60, … turns in a row without progress.

use rand::RngExt;

use crate::best::Best;
use crate::board::{Board, Turn};
use crate::dominant::Dominances;
use crate::oracle::Oracle;
use crate::player::Counters;
use crate::rng::{Rng, seeded};
use crate::turns::TurnPolicy;
use crate::view::View;

/// States that the oracle may visit for each question.
const BUDGET: u32 = 50;
/// Turns without progress after which the oracle is asked, then after twice as many, and so on.
const NO_PROGRESS: u32 = 15;
/// States that a world remembers.
const FACTS: usize = 64;

/// Random play with dominances.
#[derive(Clone, Debug)]
pub struct Rollout {
    dominances: Dominances,
    /// The random numbers, which the player of the game may use as well.
    pub rng: Rng,
    turns: Vec<Turn>,
    /// Stops rollouts in lost worlds.
    oracle: Option<Oracle>,
}

impl Rollout {
    /// Random play with these dominances, that stops in lost worlds or not.
    #[must_use]
    pub fn new(dominances: Dominances, stops_when_lost: bool) -> Rollout {
        Rollout {
            dominances,
            rng: seeded(0),
            turns: Vec::new(),
            oracle: stops_when_lost.then(|| Oracle::new(FACTS)),
        }
    }

    fn new_game(&mut self, seed: u64) {
        self.rng = seeded(seed);
        if let Some(oracle) = &mut self.oracle {
            oracle.forget();
        }
    }

    /// A turn of random play, or `None` if there is none.
    pub fn choose(&mut self, board: &Board) -> Option<Turn> {
        self.turns.clear();
        board.useful_turns(&mut self.turns);
        self.dominances.narrow(board, &mut self.turns);
        let count = self.turns.len() as u32;
        (count > 0).then(|| self.turns[self.rng.random_range(0..count) as usize])
    }

    /// Plays at most `limit` turns. Returns whether the game is won.
    pub fn play(&mut self, mut board: Board, limit: u32) -> bool {
        if let Some(oracle) = &mut self.oracle {
            oracle.enter(&board);
            if oracle.is_lost(&board, BUDGET) {
                return false;
            }
        }
        let (mut no_progress, mut next) = (0, NO_PROGRESS);
        for _ in 0..limit {
            if board.is_won() {
                return true;
            }
            let Some(turn) = self.choose(&board) else {
                return false;
            };
            let progress = board.makes_progress(turn);
            board.make_turn(turn);
            if progress {
                (no_progress, next) = (0, NO_PROGRESS);
                continue;
            }
            no_progress += 1;
            if no_progress == next {
                next *= 2;
                let oracle = self.oracle.as_mut();
                if oracle.is_some_and(|oracle| oracle.is_lost(&board, BUDGET)) {
                    return false;
                }
            }
        }
        board.is_won()
    }
}

/// How a player chooses among turns by rollouts.
pub trait RolloutSearch {
    /// The best of the turns of a decision.
    fn search(&mut self, decision: &mut Decision<'_>) -> Found;
}

/// A choice between several turns.
#[derive(Debug)]
pub struct Decision<'a> {
    /// The position.
    pub view: &'a View,
    /// The turns.
    pub turns: &'a [Turn],
    /// The dominances that hold in the game itself.
    pub forced: Dominances,
    /// What plays on.
    pub rollout: &'a mut Rollout,
    /// Most turns of a rollout.
    pub limit: u32,
    /// Rollouts played.
    pub rollouts: u32,
}

impl Decision<'_> {
    /// A rollout from `board`, of which every card is known.
    pub fn play_on(&mut self, board: Board) -> bool {
        self.rollouts += 1;
        self.rollout.play(board, self.limit)
    }
}

/// What a search found.
#[derive(Clone, Copy, Debug)]
pub struct Found {
    /// The best turn.
    pub turn: Turn,
    /// Games tried.
    pub tried: u32,
    /// Games won of these.
    pub won: u32,
}

/// Hindsight optimization with one rollout in each world.
#[derive(Clone, Copy, Debug)]
pub struct Hindsight {
    /// Rollouts for every turn.
    pub trajectories: u32,
}

impl RolloutSearch for Hindsight {
    fn search(&mut self, decision: &mut Decision<'_>) -> Found {
        let mut best = Best::new();
        let mut won = 0;
        for &turn in decision.turns {
            let mut wins = 0;
            for _ in 0..self.trajectories {
                let mut board = decision.view.shuffled_world(&mut decision.rollout.rng);
                board.make_turn(turn);
                wins += u32::from(decision.play_on(board));
            }
            won += wins;
            best.offer(turn, wins, &mut decision.rollout.rng);
        }
        Found {
            turn: best.found().map_or(decision.turns[0], |(turn, _)| turn),
            tried: self.trajectories * decision.turns.len() as u32,
            won,
        }
    }
}

/// The parameters of a player that searches by rollouts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
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
    /// Whether the game itself, too, makes only dominant turns while there are any.
    pub forced: bool,
    /// Whether rollouts end when their world is proven lost.
    pub oracle: bool,
}

impl Default for Parameters {
    /// The settings of the thesis (section 4.4).
    fn default() -> Parameters {
        Parameters {
            dominances: Dominances::ALL,
            rollout_limit: 250,
            game_limit: 1_000,
            give_up_after: Some(5),
            switch_when_open: true,
            switch_when_won: true,
            forced: false,
            oracle: true,
        }
    }
}

/// A player that searches by rollouts.
#[derive(Clone, Debug)]
pub struct RolloutPlayer<S> {
    parameters: Parameters,
    search: S,
    rollout: Rollout,
    counters: Counters,
    /// Turns made.
    made: u32,
    /// Decisions in a row without a rollout won.
    without_win: u32,
    /// Whether the rollout's play has taken over.
    switched: bool,
    turns: Vec<Turn>,
}

impl<S: RolloutSearch> RolloutPlayer<S> {
    /// The player with this search and these parameters.
    #[must_use]
    pub fn new(search: S, parameters: Parameters) -> RolloutPlayer<S> {
        RolloutPlayer {
            parameters,
            search,
            rollout: Rollout::new(parameters.dominances, parameters.oracle),
            counters: Counters::default(),
            made: 0,
            without_win: 0,
            switched: false,
            turns: Vec::new(),
        }
    }
}

impl<S: RolloutSearch> TurnPolicy for RolloutPlayer<S> {
    fn new_game(&mut self, seed: u64) {
        self.rollout.new_game(seed);
        self.counters = Counters::default();
        self.made = 0;
        self.without_win = 0;
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
        let forced = if parameters.forced {
            parameters.dominances
        } else {
            Dominances::NONE
        };
        self.turns.clear();
        board.useful_turns(&mut self.turns);
        forced.narrow(board, &mut self.turns);
        match self.turns[..] {
            [] => return None,
            [only] => return Some(only),
            _ => {}
        }
        self.counters.decisions += 1;
        if let Some(oracle) = &mut self.rollout.oracle {
            oracle.follow(view);
        }
        let mut decision = Decision {
            view,
            turns: &self.turns,
            forced,
            rollout: &mut self.rollout,
            limit: parameters.rollout_limit,
            rollouts: 0,
        };
        let found = self.search.search(&mut decision);
        self.counters.planner_calls += u64::from(decision.rollouts);
        self.switched = parameters.switch_when_won && found.won == found.tried;
        self.without_win = if found.won == 0 {
            self.without_win + 1
        } else {
            0
        };
        let limit = parameters.give_up_after;
        let gives_up = limit.is_some_and(|limit| self.without_win >= limit);
        (!gives_up).then_some(found.turn)
    }

    fn counters(&self) -> Counters {
        self.counters
    }
}

/// A rollout as a player of its own.
#[derive(Clone, Debug)]
pub struct RandomPlayer {
    rollout: Rollout,
    limit: u32,
    made: u32,
}

impl RandomPlayer {
    /// The player that gives up after `limit` turns.
    #[must_use]
    pub fn new(dominances: Dominances, limit: u32) -> RandomPlayer {
        RandomPlayer {
            rollout: Rollout::new(dominances, false),
            limit,
            made: 0,
        }
    }
}

impl TurnPolicy for RandomPlayer {
    fn new_game(&mut self, seed: u64) {
        self.rollout.new_game(seed);
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::information::Information;
    use crate::view::Session;
    use klondike_game::deal::seed::{Scheme, Seed};
    use klondike_game::rules::Rules;
    use klondike_game::table::Table;
    use std::sync::Arc;

    fn session(draw: u8, seed: u64) -> Session {
        let rules = Arc::new(Rules::standard_draw(draw).unwrap());
        let deal = Scheme::Klondike.deal(&Seed::from(seed)).unwrap();
        Session::new(&Table::new(rules, &deal).unwrap(), Information::TalonKnown)
    }

    /// Worlds that the oracle calls lost are never won when they are played out.
    #[test]
    fn no_rollout_of_a_lost_world_is_won() {
        let (mut lost, mut won) = (0, 0);
        for seed in 0..200 {
            let session = session([1, 3][seed as usize % 2], seed);
            let mut rollout = Rollout::new(Dominances::ALL, false);
            let mut oracle = Oracle::new(FACTS);
            oracle.follow(session.view());
            rollout.rng = seeded(seed);
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

    /// With the oracle as many rollouts are won as without, within four standard deviations.
    #[test]
    fn the_oracle_changes_no_share_of_wins() {
        let mut wins = [0.0_f64; 2];
        for (oracle, wins) in [true, false].into_iter().zip(&mut wins) {
            let mut rollout = Rollout::new(Dominances::ALL, oracle);
            for seed in 0..150 {
                let session = session(1, seed);
                rollout.new_game(seed << 1 | u64::from(oracle));
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

    /// Where dominant turns are forced, the player makes one of them whenever there is one.
    #[test]
    fn forced_turns_are_made() {
        let others = |forced| {
            let parameters = Parameters {
                rollout_limit: 60,
                give_up_after: None,
                switch_when_won: false,
                forced,
                ..Parameters::default()
            };
            let mut player = RolloutPlayer::new(Hindsight { trajectories: 2 }, parameters);
            let (mut dominant, mut other) = (0, 0);
            for seed in 0..12 {
                let mut session = session(1, seed);
                player.new_game(seed);
                for _ in 0..60 {
                    let board = *session.view().board();
                    let Some(mut turn) = player.choose_turn(session.view()) else {
                        break;
                    };
                    let mut all = Vec::new();
                    board.useful_turns(&mut all);
                    let mut dominants = all.clone();
                    Dominances::ALL.narrow(&board, &mut dominants);
                    if dominants.len() < all.len() {
                        dominant += u32::from(dominants.contains(&turn));
                        other += u32::from(!dominants.contains(&turn));
                    }
                    loop {
                        let step = session.view().board().next_step(&mut turn);
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
}
