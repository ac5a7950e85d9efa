//! Bjarnason, Fern & Tadepalli, "Lower Bounding Klondike Solitaire with Monte-Carlo Planning", ICAPS
//! 2009: hindsight optimization, UCT and joins of the two, with hidden cards.
//!
//! Moves are turns (K+), the order of the talon is known. All players avoid positions that the game was in before,
//! and when no card is face down they try greedy play to the end, which then knows all cards. *Random* makes any turn, *greedy*
//! the first of an order: tableau to foundation with a reveal; any to the foundation; tableau to tableau with a reveal; talon to
//! tableau; foundation to tableau; tableau to tableau without a reveal.
//!
//! **HOP** tries every turn in a number of worlds, with greedy rollouts (level 0) or rollouts nested over these (level 1), and makes
//! the turn that wins most. **UCT** plays a number of trajectories from a tree (value + c·√(log n(s) / n(s, a)), c = 1) and makes the turn of the highest
//! value. **Sparse UCT** has at most `width` positions after a turn. **HOP-UCT** builds a tree in each of several worlds,
//! **Ensemble-UCT** several trees with chance in them (**Ensemble-Sparse-UCT**: of limited width), and makes the turn whose values,
//! summed over the trees, are highest.
//!
//! **Quicker here, and no other player.** Of HOP's games only won or not won counts, and so it is with the games nested
//! in these: the first that is won is played out, all others are equal. So games in a world that is proven lost are passed over
//! (the file `oracle.rs` says why this changes no distribution). In trees with chance this does not pay: nearly every game has a world of its
//! own, and a greedy one takes hardly longer than a question about it. A tree of HOP-UCT has one world: if that is proven lost, the tree would give every
//! turn nothing, and is not built. Where wins are its credit, it ends when every turn has it. Greedy games from the leaves of trees
//! end when their result is certain (the file `greedy_game.rs`).
//!
//! We know this and the results, not the text of the paper. Open, and chosen here:
//! - The value of a game is 1 if it is won and 0 otherwise.
//! - Games from the leaves of a tree are greedy on a random world; at random (`rollout=random`) UCT with 100 trajectories
//!   wins less than half as much.
//! - HOP tries every turn in worlds of its own (`worlds=each`): with 10 samples that wins as much as the paper says, and 5 points less
//!   than the same worlds for all (`worlds=common`). Turns of equal value go by the greedy order, then by lot.
//! - What HOP-UCT adds up over its worlds: whether a game was won after the turn (`worlds=won`), which is what hindsight asks. With 20 trees of 100
//!   trajectories that wins 39 % of 4,101 deals (published 35 %), with the mean of the games (`worlds=mean`), as over trees with chance, 28 %.
//! - Each tree begins anew with every decision, and grows by one position with each trajectory.
//! - "Avoid": a turn that leads back is none, so that a game ends when there is no other, and after 100 turns in a row that can all be
//!   taken back. On 3,000 deals the greedy player wins 14.4 %, with a limit of 30 turns 11.3 %, with 1,000
//!   15.8 %.
//! - Imagined games do not come back to positions of their own, and the limit of turns in a row counts from the last one of the game that
//!   cannot be taken back (`avoid=own`). With `avoid=game` they do not come back to those either that the game and the way down the tree were in before: more wins than
//!   published (`docs/play.md`).
//! - A position with one turn only is no decision, and is played without a search.
//! - Nested games come to no position of a world twice at the same level, as we read the paper of 2007 (`remember=no`: they may).

use rand::RngExt;

use crate::card::CardSet;
use crate::play::board::{LAST_RANK, rank};
use crate::play::oracle::Oracle;
use crate::play::policy::best::Best;
use crate::play::policy::chance_tree::{Descent, Judge, Tree, is_lasting};
use crate::play::policy::dominant::Dominances;
use crate::play::policy::greedy_game::GreedyGames;
use crate::play::policy::nested::{Guide, MOST_IDLE, Nested, Stage};
use crate::play::policy::{Dice, TurnPolicy, dice};
use crate::play::{Board, Counters, Turn, View};

/// What the trees of a player are built on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ground {
    /// Cards turned up are left to chance: UCT, and with several trees Ensemble-UCT.
    Chance {
        /// Most positions that a turn leads to (Sparse UCT); without a limit `None`.
        width: Option<u32>,
    },
    /// Each tree has a world of its own, of which it knows everything: HOP-UCT.
    Worlds {
        /// What a turn gets for a tree.
        credit: Credit,
    },
}

/// What a turn gets for a tree of HOP-UCT.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Credit {
    /// 1 if a game was won after it, otherwise 0: the tree looks whether the world can be won.
    Won,
    /// The mean of the games after it.
    Mean,
}

/// How games are played on from the leaves of a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rollout {
    /// In the greedy order.
    Greedy,
    /// At random.
    Random,
}

/// In which worlds hindsight optimization tries the turns of a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HopWorlds {
    /// Every turn in worlds of its own.
    Each,
    /// All turns in the same.
    Common,
}

/// Which positions imagined games do not come back to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Avoid {
    /// Their own. Turns that led to earlier ones count for the limit of turns in a row.
    Own,
    /// Their own, and those that the game and the way down the tree were in before.
    Game,
}

/// How a turn is chosen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Search {
    /// By lot.
    Random,
    /// In the greedy order.
    Greedy,
    /// Hindsight optimization.
    Hop {
        /// Worlds in which every turn is tried.
        samples: u32,
        /// Level of the rollouts: 0 is greedy play.
        level: usize,
        /// Whether these are the same worlds for all turns.
        worlds: HopWorlds,
    },
    /// Upper confidence bounds in trees.
    Uct {
        /// Games played from each tree.
        trajectories: u32,
        /// Trees; the values that they give a turn are summed.
        trees: u32,
        /// What they are built on.
        ground: Ground,
        /// How games are played on from the leaves.
        rollout: Rollout,
        /// The factor c of the bound; in the paper 1.
        exploration: f64,
    },
}

/// The parameters of a player.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    /// How a turn is chosen.
    pub search: Search,
    /// Whether a greedy search is tried when no card is face down.
    pub greedy_when_open: bool,
    /// Most turns of a game.
    pub game_limit: u32,
    /// Whether HOP and HOP-UCT pass over games in worlds that are proven lost: quicker, and no other player.
    pub oracle: bool,
    /// Whether nested rollouts search no position of a world twice at the same level.
    pub remember: bool,
    /// Which positions imagined games do not come back to.
    pub avoid: Avoid,
    /// Whether greedy games from the leaves of trees end when their result is certain: quicker, and no other player, though single games
    /// are others.
    pub early: bool,
}

/// States that a world remembers.
const FACTS: usize = 128;
/// The same for a world with a tree of its own.
const TREE_FACTS: usize = 1 << 12;
/// States that the oracle may visit for a world with a tree, for every trajectory that the tree has.
const STATES_PER_TRAJECTORY: u32 = 5;

/// How trees grow, unless a player says something else.
const DESCENT: Descent = Descent {
    exploration: 1.0,
    width: None,
    forced: Dominances::NONE,
    avoid_repeats: true,
    expand_at_second_visit: true,
};

/// The player.
#[derive(Clone, Debug)]
pub struct Bjarnason {
    parameters: Parameters,
    nested: Nested,
    games: GreedyGames,
    counters: Counters,
    made: u32,
    /// Cards face down and in the talon when the trail began.
    lasting: (usize, usize),
    /// Prints of the positions since the last turn that cannot be taken back.
    trail: Vec<u64>,
    /// A win found when all cards were known, last turn first.
    planned: Vec<Turn>,
    turns: Vec<Turn>,
    values: Vec<f64>,
    tree: Tree,
    /// Tells worlds that need no tree.
    oracle: Option<Oracle>,
}

impl Bjarnason {
    /// The player with these parameters.
    #[must_use]
    pub fn new(parameters: Parameters) -> Bjarnason {
        let level = match parameters.search {
            Search::Hop { level, .. } => level,
            _ => 0,
        };
        let guide = Guide::Order;
        let mut nested = Nested::new(vec![Stage { guide, level }]);
        if let Search::Hop { level, .. } = parameters.search
            && parameters.oracle
        {
            nested.use_oracle(Oracle::new(FACTS << (3 * level.min(2))));
        }
        if parameters.remember {
            nested.remember();
        }
        let in_worlds = matches!(
            parameters.search,
            Search::Uct {
                ground: Ground::Worlds { .. },
                ..
            }
        );
        Bjarnason {
            parameters,
            nested,
            games: GreedyGames::new(parameters.early),
            counters: Counters::default(),
            made: 0,
            lasting: (0, 0),
            trail: Vec::new(),
            planned: Vec::new(),
            turns: Vec::new(),
            values: Vec::new(),
            tree: Tree::default(),
            oracle: (in_worlds && parameters.oracle).then(|| Oracle::new(TREE_FACTS)),
        }
    }

    /// Lists the turns that do not come back to a position of the game.
    fn list_turns(&mut self, board: &Board) {
        let lasting = (board.hidden_count(), board.talon_len());
        if lasting != self.lasting || self.made == 0 {
            self.lasting = lasting;
            self.trail.clear();
        }
        let print = board.tableau_print();
        self.trail.push(print);
        self.turns.clear();
        if board.pending().is_some() {
            // The rest of a turn, not one of its own.
            board.busy_turns(&mut self.turns);
            return;
        }
        if self.trail.len() > MOST_IDLE {
            return;
        }
        board.busy_turns(&mut self.turns);
        let trail = &self.trail;
        self.turns.retain(|&turn| {
            is_lasting(turn, board.reveals(turn.made))
                || !trail.contains(&board.print_after(print, turn))
        });
    }

    /// Every turn in `samples` worlds: adds 1 to its value for each won.
    fn hop(&mut self, view: &View, samples: u32, level: usize, worlds: HopWorlds) {
        let turns = std::mem::take(&mut self.turns);
        for _ in 0..samples {
            match worlds {
                HopWorlds::Common => self.try_turns(view, &turns, level, 0),
                HopWorlds::Each => {
                    for (i, turn) in turns.iter().enumerate() {
                        self.try_turns(view, std::slice::from_ref(turn), level, i);
                    }
                }
            }
        }
        self.turns = turns;
    }

    /// These turns, the first of them of this number, in a new world.
    fn try_turns(&mut self, view: &View, turns: &[Turn], level: usize, first: usize) {
        let world = view.shuffled_world(&mut self.nested.rng);
        self.nested.enter(&world);
        // For one greedy game the question costs more than the game.
        if (level > 0 || turns.len() > 1) && self.nested.is_lost(&world) {
            return;
        }
        let trail = self.trail_in(&world);
        for (i, &turn) in turns.iter().enumerate() {
            let mut board = world;
            let revealed = board.make_turn(turn).is_some();
            let seen = if is_lasting(turn, revealed) {
                &[]
            } else {
                &trail[..]
            };
            self.counters.planner_calls += 1;
            // A greedy game takes hardly longer than the question whether it can be won.
            let lost = level > 0 && self.nested.is_lost(&board);
            let won = !lost && self.play_on(&board, seen);
            self.values[first + i] += f64::from(u8::from(won));
        }
    }

    /// Adds the values that the trees give the turns.
    fn uct(&mut self, view: &View, trajectories: u32, trees: u32, ground: Ground, c: f64) {
        let mut tree = std::mem::take(&mut self.tree);
        let descent = Descent {
            exploration: c,
            width: match ground {
                Ground::Chance { width } => width,
                Ground::Worlds { .. } => None,
            },
            ..DESCENT
        };
        for _ in 0..trees {
            let (board, unseen, credit) = match ground {
                Ground::Chance { .. } => (*view.board(), view.unseen(), Credit::Mean),
                Ground::Worlds { credit } => {
                    let board = view.shuffled_world(&mut self.nested.rng);
                    if self.needs_no_tree(&board, trajectories) {
                        continue;
                    }
                    (board, CardSet::EMPTY, credit)
                }
            };
            let trail = self.trail_in(&board);
            let (_, before) = trail.split_last().expect("the position itself");
            tree.begin(board, unseen, descent, before);
            for _ in 0..trajectories {
                let won = tree.iterate(self);
                if won && credit == Credit::Won && tree.root().all(|(_, wins, _)| wins > 0) {
                    break;
                }
            }
            for (turn, wins, visits) in tree.root() {
                // A world may have turns with talon cards that the player has not seen.
                if let Some(i) = self.turns.iter().position(|&known| known == turn) {
                    self.values[i] += match credit {
                        Credit::Won => f64::from(u8::from(wins > 0)),
                        Credit::Mean => f64::from(wins) / f64::from(visits.max(1)),
                    };
                }
            }
        }
        self.tree = tree;
    }

    /// The prints of the trail with the face-down cards of `board`, which is the position with some or all of its unknown cards named.
    fn trail_in(&self, board: &Board) -> Vec<u64> {
        let here = self.trail.last().copied().unwrap_or_default();
        let named = board.tableau_print().wrapping_sub(here);
        let prints = self.trail.iter().map(|print| print.wrapping_add(named));
        prints.collect()
    }

    /// Plays an imagined game to its end; `seen` are the prints of the positions before that could be come back to.
    fn play_on(&mut self, board: &Board, seen: &[u64]) -> bool {
        let (seen, others) = self.known(seen);
        self.nested.play_after(board, seen, others)
    }

    /// The same of a greedy game, of which only the result is asked for.
    fn greedy_game(&mut self, board: Board, seen: &[u64]) -> bool {
        let (avoided, others) = self.known(seen);
        let rng = &mut self.nested.rng;
        match self.games.is_won(board, avoided, others, rng) {
            Some(won) => won,
            None => self.nested.play_after(&board, avoided, others),
        }
    }

    /// Those of the earlier positions that an imagined game does not come back to, and how many others there are.
    fn known<'a>(&self, seen: &'a [u64]) -> (&'a [u64], usize) {
        match self.parameters.avoid {
            Avoid::Own => (&[], seen.len()),
            Avoid::Game => (seen, 0),
        }
    }

    /// Whether no game of this world can be won, so that a tree in it would give nothing to any turn.
    fn needs_no_tree(&mut self, world: &Board, trajectories: u32) -> bool {
        let budget = trajectories.saturating_mul(STATES_PER_TRAJECTORY);
        self.oracle.as_mut().is_some_and(|oracle| {
            oracle.enter(world);
            oracle.is_lost(world, budget)
        })
    }

    /// Plays at random from a position with all cards known; tells whether the game is won.
    fn random_game(&mut self, mut board: Board, seen: &[u64]) -> bool {
        let mut turns = Vec::new();
        let (seen, mut others) = self.known(seen);
        let mut trail = seen.to_vec();
        let mut print = board.tableau_print();
        while !board.is_won() {
            turns.clear();
            if others + trail.len() <= MOST_IDLE {
                board.turns(&mut turns);
            }
            trail.push(print);
            loop {
                if turns.is_empty() {
                    return false;
                }
                let i = self.nested.rng.random_range(0..turns.len() as u32);
                let turn = turns.swap_remove(i as usize);
                let after = board.print_after(print, turn);
                if is_lasting(turn, board.reveals(turn.made)) {
                    trail.clear();
                    others = 0;
                } else if board.is_idle(turn.made) || trail.contains(&after) {
                    continue;
                }
                board.make_turn(turn);
                print = after;
                break;
            }
        }
        true
    }
}

impl Judge for Bjarnason {
    fn dice(&mut self) -> &mut Dice {
        &mut self.nested.rng
    }

    fn reads_prints(&self) -> bool {
        self.parameters.avoid == Avoid::Game
    }

    fn is_won(&mut self, board: Board, seen: &[u64]) -> bool {
        self.counters.planner_calls += 1;
        match self.parameters.search {
            Search::Uct {
                rollout: Rollout::Random,
                ..
            } => self.random_game(board, seen),
            _ => self.greedy_game(board, seen),
        }
    }
}

impl TurnPolicy for Bjarnason {
    fn new_game(&mut self, seed: u64) {
        self.nested.rng = dice(seed);
        self.counters = Counters::default();
        self.made = 0;
        self.planned.clear();
        for oracle in [self.nested.oracle(), self.oracle.as_mut()] {
            oracle.into_iter().for_each(Oracle::forget);
        }
    }

    fn choose_turn(&mut self, view: &View) -> Option<Turn> {
        let board = view.board();
        if let Some(turn) = self.planned.pop() {
            return Some(turn);
        }
        if self.made == self.parameters.game_limit {
            return None;
        }
        self.list_turns(board);
        self.made += 1;
        if self.parameters.greedy_when_open
            && board.hidden_count() == 0
            && view.unseen().is_empty()
            && self.nested.play_at(board, &[], 0)
        {
            self.planned.extend(self.nested.line().iter().rev());
            return self.planned.pop();
        }
        match self.turns[..] {
            [] => return None,
            [only] => return Some(only),
            _ => {}
        }
        self.counters.decisions += 1;
        for oracle in [self.nested.oracle(), self.oracle.as_mut()] {
            oracle.into_iter().for_each(|oracle| oracle.follow(view));
        }
        self.values.clear();
        self.values.resize(self.turns.len(), 0.0);
        match self.parameters.search {
            Search::Random => {
                let count = self.turns.len() as u32;
                return Some(self.turns[self.nested.rng.random_range(0..count) as usize]);
            }
            Search::Greedy => {}
            Search::Hop {
                samples,
                level,
                worlds,
            } => self.hop(view, samples, level, worlds),
            Search::Uct {
                trajectories,
                trees,
                ground,
                exploration,
                ..
            } => self.uct(view, trajectories, trees, ground, exploration),
        }
        // Turns of equal value go by the greedy order.
        let mut best = Best::new();
        for (&turn, &value) in self.turns.iter().zip(&self.values) {
            best.offer(
                turn,
                (value, LAST_RANK - rank(board, turn)),
                &mut self.nested.rng,
            );
        }
        best.found().map(|(turn, _)| turn)
    }

    fn counters(&self) -> Counters {
        self.counters
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deal::seed::{Scheme, Seed};
    use crate::play::{Information, Session};
    use crate::rules::Rules;
    use crate::table::Table;
    use std::sync::Arc;

    const TRAJECTORIES: u32 = 150;

    fn player(trees: u32, oracle: bool) -> Bjarnason {
        Bjarnason::new(Parameters {
            search: Search::Uct {
                trajectories: TRAJECTORIES,
                trees,
                ground: Ground::Worlds {
                    credit: Credit::Won,
                },
                rollout: Rollout::Greedy,
                exploration: 1.0,
            },
            greedy_when_open: true,
            game_limit: 10_000,
            oracle,
            remember: false,
            avoid: Avoid::Own,
            early: true,
        })
    }

    /// Lets it play some games, and shows it with the game in which it has just chosen a turn.
    fn along_games(player: &mut Bjarnason, mut look: impl FnMut(&mut Bjarnason, &Session)) {
        for seed in 0..12 {
            let rules = Arc::new(Rules::standard_draw([1, 3][seed as usize % 2]).unwrap());
            let deal = Scheme::Klondike.deal(&Seed::from(seed)).unwrap();
            let table = Table::new(rules, &deal).unwrap();
            let mut session = Session::new(&table, Information::TalonKnown);
            player.new_game(seed);
            for _ in 0..25 {
                let Some(turn) = player.choose_turn(session.view()) else {
                    break;
                };
                look(player, &session);
                loop {
                    let step = session.view().board().next_step(turn);
                    session.make(step).unwrap();
                    if step == turn.made {
                        break;
                    }
                }
            }
        }
    }

    /// Trees in the worlds that are passed over win no game; no turn gets more than one for each tree.
    #[test]
    fn worlds_without_trees_have_no_wins() {
        let (mut player, mut plain) = (player(6, true), player(6, false));
        let (mut without, mut some) = (0, 0);
        along_games(&mut player, |player, session| {
            let view = session.view();
            assert!(player.values.iter().all(|&value| value <= 6.0));
            some += u32::from(player.values.iter().any(|&value| value > 0.0));
            let world = view.shuffled_world(&mut plain.nested.rng);
            if player.needs_no_tree(&world, TRAJECTORIES) {
                without += 1;
                let mut tree = Tree::default();
                tree.begin(world, CardSet::EMPTY, DESCENT, &[]);
                assert!((0..TRAJECTORIES).all(|_| !tree.iterate(&mut plain)));
            }
        });
        assert!(without > 20 && some > 25, "{without} {some}");
    }

    /// The trail in a world is that of the game in which its cards lie there.
    #[test]
    fn trails_have_the_cards_of_their_world() {
        let mut player = player(1, true);
        let mut prints = Vec::new();
        let mut longest = 0;
        along_games(&mut player, |player, session| {
            if player.trail.len() == 1 {
                prints.clear();
            }
            prints.push(session.truth().tableau_print());
            assert_eq!(player.trail_in(session.truth()), prints);
            longest = longest.max(prints.len());
        });
        assert!(longest > 3, "{longest}");
    }

    /// A tree that ends when every turn has its credit gives what all its trajectories give.
    #[test]
    fn trees_that_end_give_what_whole_trees_give() {
        let mut player = player(1, false);
        let mut all = 0;
        let mut before = player.clone();
        along_games(&mut player, |player, session| {
            let view = session.view();
            // The same random numbers as in the decision just made, where one was made.
            let mut same = std::mem::replace(&mut before, player.clone());
            let decided = player.counters.decisions > same.counters.decisions;
            if player.made == 1 || !decided || view.board().hidden_count() == 0 {
                return;
            }
            let world = view.shuffled_world(&mut same.nested.rng);
            let trail = player.trail_in(&world);
            let (_, seen) = trail.split_last().unwrap();
            let mut tree = Tree::default();
            tree.begin(world, CardSet::EMPTY, DESCENT, seen);
            for _ in 0..TRAJECTORIES {
                tree.iterate(&mut same);
            }
            let credits: Vec<f64> = tree
                .root()
                .map(|(_, wins, _)| f64::from(u8::from(wins > 0)))
                .collect();
            assert_eq!(credits, player.values);
            all += u32::from(credits.iter().all(|&credit| credit > 0.0));
        });
        assert!(all > 5, "{all}");
    }
}
