//! A Monte Carlo search tree of turns with chance nodes. The tree searches of Milas and of
//! Bjarnason et al. both use it, with different settings ([`Descent`]).
//!
//! A node is a position, and below it a chance node for each of its turns. The children of a chance
//! node are the positions that the cards turned up lead to. An iteration descends by upper
//! confidence bounds to a new node, lets a [`Judge`] play on from there, and adds the result to all
//! nodes on its way.

use rand::RngExt;

use klondike_game::card::{Card, CardSet};
use klondike_play::dominant::Dominances;
use klondike_play::{Best, Board, Rng, Turn, fill_at_random};

/// How the tree grows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Descent {
    /// The factor c of the bound, mean + c·√(ln N / n).
    pub(super) exploration: f64,
    /// Most positions below a chance node (Sparse UCT): once there are so many, one of them is
    /// drawn.
    pub(super) width: Option<u32>,
    /// A position with turns that these dominances force has nodes for them only.
    pub(super) forced: Dominances,
    /// Whether to leave out turns that lead back to a position on the way from the root.
    pub(super) avoid_repeats: bool,
    /// Whether the rollout after a new turn is also the first visit of the position it leads to.
    /// Otherwise that position has a first rollout of its own.
    pub(super) expand_at_second_visit: bool,
}

/// Plays on from a leaf.
pub(super) trait Judge {
    /// The random numbers.
    fn rng(&mut self) -> &mut Rng;

    /// Plays from `board`, whose cards are all known, to the end. Returns whether the game is won.
    /// `seen` has the hashes of the positions on the way here that must not come again.
    fn is_won(&mut self, board: Board, seen: &[u64]) -> bool;
}

/// The upper confidence bound of a turn that won `wins` of `visits` games, at a position with the
/// logarithm `ln_total` of its visits.
fn bound(wins: u32, visits: u32, ln_total: f64, exploration: f64) -> f64 {
    if visits == 0 {
        return f64::INFINITY;
    }
    let visits = f64::from(visits);
    f64::from(wins) / visits + exploration * (ln_total / visits).sqrt()
}

/// A position in the tree.
#[derive(Clone, Debug)]
struct TreePosition {
    board: Board,
    unseen: CardSet,
    /// Its turns in [`Tree::chances`], once it was expanded.
    turns: Option<(u32, u32)>,
    visits: u32,
    /// Whether no earlier position can come again.
    fresh: bool,
}

/// A turn in the tree: a chance node.
#[derive(Clone, Debug)]
struct Chance {
    turn: Turn,
    visits: u32,
    wins: u32,
    /// The cards turned up so far, if the turn reveals one, and the positions they lead to.
    outcomes: Vec<(Option<Card>, u32)>,
}

#[derive(Clone, Debug)]
pub(super) struct Tree {
    descent: Descent,
    positions: Vec<TreePosition>,
    chances: Vec<Chance>,
    /// Hashes of positions before the root that must not come again.
    before: Vec<u64>,
    /// Chance nodes from the root to where the iteration got.
    path: Vec<u32>,
    ancestors: Vec<u32>,
    seen: Vec<u64>,
    turns: Vec<Turn>,
}

impl Default for Tree {
    fn default() -> Tree {
        Tree {
            descent: Descent {
                exploration: 1.0,
                width: None,
                forced: Dominances::NONE,
                avoid_repeats: false,
                expand_at_second_visit: false,
            },
            positions: Vec::new(),
            chances: Vec::new(),
            before: Vec::new(),
            path: Vec::new(),
            ancestors: Vec::new(),
            seen: Vec::new(),
            turns: Vec::new(),
        }
    }
}

impl Tree {
    /// Begins a tree at a position whose unknown cards are `unseen`. `before` are hashes of
    /// positions that must not come again.
    pub(super) fn begin(
        &mut self,
        board: Board,
        unseen: CardSet,
        descent: Descent,
        before: &[u64],
    ) {
        self.descent = descent;
        self.positions.clear();
        self.chances.clear();
        self.before.clear();
        self.before.extend_from_slice(before);
        self.positions.push(TreePosition {
            board,
            unseen,
            turns: None,
            visits: 0,
            fresh: false,
        });
    }

    /// One iteration: go down, play on, and count the result. Returns whether the game was won.
    pub(super) fn iterate(&mut self, judge: &mut impl Judge) -> bool {
        self.path.clear();
        self.ancestors.clear();
        let mut at = 0;
        let won = loop {
            self.ancestors.push(at);
            let position = &self.positions[at as usize];
            let board = position.board;
            if position.visits == 0 {
                break self.play_on(at, judge);
            }
            let (first, count) = self.expand(at);
            if count == 0 {
                break board.is_won();
            }
            let chosen = self.select(at, first, count, judge.rng());
            self.path.push(chosen);
            let next = self.outcome(at, chosen, judge.rng());
            if self.chances[chosen as usize].visits == 0 && !self.descent.expand_at_second_visit {
                // The turn's own first visit: a game from it, not yet from the position below.
                break self.play_on(next, judge);
            }
            at = next;
        };
        for &chance in &self.path {
            let chance = &mut self.chances[chance as usize];
            chance.visits += 1;
            chance.wins += u32::from(won);
        }
        for &position in &self.ancestors {
            self.positions[position as usize].visits += 1;
        }
        won
    }

    fn play_on(&mut self, leaf: u32, judge: &mut impl Judge) -> bool {
        self.note_seen(Some(leaf));
        let TreePosition {
            mut board, unseen, ..
        } = self.positions[leaf as usize];
        if !unseen.is_empty() {
            fill_at_random(&mut board, unseen, judge.rng());
        }
        judge.is_won(board, &self.seen)
    }

    /// Lists the hashes of the positions on the way that must not come again, `leaf` included.
    fn note_seen(&mut self, leaf: Option<u32>) {
        self.seen.clear();
        if !self.descent.avoid_repeats {
            return;
        }
        let leaf = leaf.filter(|leaf| self.ancestors.last() != Some(leaf));
        for &at in leaf.iter().chain(self.ancestors.iter().rev()) {
            let position = &self.positions[at as usize];
            self.seen.push(position.board.tableau_hash());
            if position.fresh {
                return;
            }
        }
        self.seen.extend_from_slice(&self.before);
    }

    /// The turns of a position, the last of the way, listed when they are asked for first.
    fn expand(&mut self, at: u32) -> (u32, u32) {
        let position = &mut self.positions[at as usize];
        if let Some(range) = position.turns {
            return range;
        }
        let board = position.board;
        let mut turns = std::mem::take(&mut self.turns);
        turns.clear();
        board.useful_turns(&mut turns);
        self.descent.forced.narrow(&board, &mut turns);
        if self.descent.avoid_repeats {
            self.note_seen(None);
            turns.retain(|&turn| {
                let mut after = board;
                after.make_turn(turn);
                board.makes_progress(turn) || !self.seen.contains(&after.tableau_hash())
            });
        }
        let range = (self.chances.len() as u32, turns.len() as u32);
        self.positions[at as usize].turns = Some(range);
        self.chances.extend(turns.iter().map(|&turn| Chance {
            turn,
            visits: 0,
            wins: 0,
            outcomes: Vec::new(),
        }));
        self.turns = turns;
        range
    }

    fn select(&self, at: u32, first: u32, count: u32, rng: &mut Rng) -> u32 {
        let total = f64::from(self.positions[at as usize].visits).ln();
        let mut best = Best::new();
        for node in first..first + count {
            let chance = &self.chances[node as usize];
            let value = bound(chance.wins, chance.visits, total, self.descent.exploration);
            best.offer(node, value, rng);
        }
        best.found().map_or(first, |(node, _)| node)
    }

    /// The position after a turn, with a card drawn at random where one is turned up.
    fn outcome(&mut self, at: u32, chosen: u32, rng: &mut Rng) -> u32 {
        let Chance { turn, outcomes, .. } = &self.chances[chosen as usize];
        let turn = *turn;
        if self
            .descent
            .width
            .is_some_and(|width| outcomes.len() >= width as usize)
        {
            let index = rng.random_range(0..outcomes.len() as u32);
            // Number 0 is the newest.
            return outcomes[outcomes.len() - 1 - index as usize].1;
        }
        let TreePosition {
            mut board,
            mut unseen,
            ..
        } = self.positions[at as usize];
        let fresh = board.makes_progress(turn);
        let turned_up = board.make_turn(turn);
        // Only reveals of unknown cards are left to chance.
        let revealed = turned_up.filter(|pile| board.top(pile.get()).is_none());
        let card = revealed.and_then(|_| {
            let skip = rng.random_range(0..unseen.len() as u32);
            { unseen }.nth(skip as usize)
        });
        let known = outcomes.iter().find(|(other, _)| *other == card);
        if let Some(&(_, position)) = known {
            return position;
        }
        if let (Some(pile), Some(card)) = (revealed, card) {
            board.name_top(pile, card);
            unseen.remove(card);
        }
        let position = self.positions.len() as u32;
        self.positions.push(TreePosition {
            board,
            unseen,
            turns: None,
            visits: 0,
            fresh,
        });
        self.chances[chosen as usize]
            .outcomes
            .push((card, position));
        position
    }

    /// The turns of the root, each with its games won and its visits.
    pub(super) fn root(&mut self) -> impl Iterator<Item = (Turn, u32, u32)> {
        self.ancestors.clear();
        self.ancestors.push(0);
        let (first, count) = self.expand(0);
        self.chances[first as usize..(first + count) as usize]
            .iter()
            .map(|chance| (chance.turn, chance.wins, chance.visits))
    }

    /// The turn of the root with the highest value for its games won and visits; the root must have
    /// a turn.
    pub(super) fn best_child(&mut self, value: impl Fn(u32, u32) -> f64, rng: &mut Rng) -> Turn {
        let mut best = Best::new();
        for (turn, wins, visits) in self.root() {
            best.offer(turn, value(wins, visits), rng);
        }
        best.found().expect("a decision has turns").0
    }
}

#[cfg(test)]
mod tests {
    use super::super::milas::Child;
    use super::*;
    use klondike_game::deal::seed::{Scheme, Seed};
    use klondike_game::rules::Rules;
    use klondike_game::table::Table;
    use klondike_play::seeded;
    use std::sync::Arc;

    #[test]
    fn bounds_are_those_of_the_formula() {
        // 3/4 + 1·√(ln 16 / 4) and twice the exploration.
        let ln = 16_f64.ln();
        assert!((bound(3, 4, ln, 1.0) - (0.75 + 0.832_554_611)).abs() < 1e-8);
        assert!((bound(3, 4, ln, 2.0) - (0.75 + 1.665_109_222)).abs() < 1e-8);
        assert_eq!(bound(0, 0, ln, 1.0), f64::INFINITY);
    }

    /// A judge that wins after some turns and loses after others. Checks the hashes of the way.
    struct Script(Rng, fn(&Board) -> bool);

    impl Judge for Script {
        fn rng(&mut self) -> &mut Rng {
            &mut self.0
        }

        fn is_won(&mut self, board: Board, seen: &[u64]) -> bool {
            assert!(
                seen.first()
                    .is_none_or(|&leaf| leaf == board.tableau_hash())
            );
            self.1(&board)
        }
    }

    /// The first position of a deal, without its face-down cards.
    fn start() -> (Board, CardSet) {
        let rules = Arc::new(Rules::standard());
        let deal = Scheme::Klondike.deal(&Seed::from(7_u64)).unwrap();
        let table = Table::new(rules, &deal).unwrap();
        let session = klondike_play::Session::new(&table, klondike_play::Information::TalonKnown);
        let view = session.view();
        (*view.board(), view.unseen())
    }

    const ITERATIONS: u32 = 3000;

    fn grown(descent: Descent, won: fn(&Board) -> bool) -> Tree {
        let (board, unseen) = start();
        let mut tree = Tree::default();
        tree.begin(board, unseen, descent, &[]);
        let mut judge = Script(seeded(1), won);
        for _ in 0..ITERATIONS {
            tree.iterate(&mut judge);
        }
        tree
    }

    const SPARSE: Descent = Descent {
        exploration: 1.0,
        width: Some(2),
        forced: Dominances::NONE,
        avoid_repeats: true,
        expand_at_second_visit: true,
    };

    /// Every iteration goes through the root, and only its first one through none of its turns.
    #[test]
    fn visits_of_turns_are_those_of_their_position() {
        let mut tree = grown(SPARSE, |board| board.hidden_count() < 20);
        assert_eq!(tree.positions[0].visits, ITERATIONS);
        let visits: u32 = tree.root().map(|(_, _, visits)| visits).sum();
        assert_eq!(visits, ITERATIONS - 1);
        for position in &tree.positions {
            let Some((first, count)) = position.turns else {
                assert!(position.visits <= 1);
                continue;
            };
            let turns = &tree.chances[first as usize..(first + count) as usize];
            let visits: u32 = turns.iter().map(|turn| turn.visits).sum();
            assert!(count == 0 || visits + 1 == position.visits);
            assert!(turns.iter().all(|turn| turn.wins <= turn.visits));
        }
    }

    /// With forced dominances positions have nodes for dominant turns only, where there are any.
    #[test]
    fn forced_turns_are_the_only_ones_of_their_position() {
        let narrowed = |forced| {
            let descent = Descent {
                forced,
                width: None,
                avoid_repeats: false,
                ..SPARSE
            };
            let tree = grown(descent, |board| board.hidden_count() < 20);
            let expanded = tree.positions.iter().filter_map(|position| {
                let (first, count) = position.turns?;
                let chances = &tree.chances[first as usize..(first + count) as usize];
                let made: Vec<Turn> = chances.iter().map(|chance| chance.turn).collect();
                let mut all = Vec::new();
                position.board.useful_turns(&mut all);
                let mut expected = all.clone();
                forced.narrow(&position.board, &mut expected);
                assert_eq!(made, expected);
                Some(usize::from(made.len() < all.len()))
            });
            expanded.sum::<usize>()
        };
        assert_eq!(narrowed(Dominances::NONE), 0);
        assert!(narrowed(Dominances::ALL) > 30);
    }

    #[test]
    fn sparse_trees_are_no_wider_than_they_may_be() {
        let widest = |width| {
            let descent = Descent { width, ..SPARSE };
            let tree = grown(descent, |_| false);
            let counts = tree.chances.iter().map(|chance| chance.outcomes.len());
            counts.max().unwrap()
        };
        assert_eq!((widest(Some(1)), widest(Some(2))), (1, 2));
        assert!(widest(None) > 10);
    }

    /// Down the tree no position comes twice.
    #[test]
    fn no_position_of_a_way_comes_again() {
        fn walk(tree: &Tree, at: u32, way: &mut Vec<u64>) -> u32 {
            let position = &tree.positions[at as usize];
            let hidden = position.board.hidden_count() as u64;
            let talon = position.board.talon_len() as u64;
            let hash = position.board.tableau_hash() ^ hidden << 8 ^ talon;
            assert!(!way.contains(&hash));
            way.push(hash);
            let mut found = 1;
            let (first, count) = position.turns.unwrap_or_default();
            for chance in &tree.chances[first as usize..(first + count) as usize] {
                for &(_, position) in &chance.outcomes {
                    found += walk(tree, position, way);
                }
            }
            way.pop();
            found
        }
        let tree = grown(SPARSE, |_| false);
        let found = walk(&tree, 0, &mut Vec::new());
        assert_eq!(found as usize, tree.positions.len());
    }

    /// The criteria choose by what they are named after, and may choose different turns.
    #[test]
    fn the_robust_child_has_most_visits_and_the_max_child_wins_most() {
        let mut tree = grown(SPARSE, |board| board.hidden_count() < 20);
        let first = tree.positions[0].turns.unwrap().0 as usize;
        tree.chances[first].visits = 10;
        tree.chances[first].wins = 10;
        let of = |tree: &mut Tree, child: Child| {
            let value = |wins, visits| child.value(wins, visits);
            let wanted = tree.best_child(value, &mut seeded(1));
            let found = tree.root().find(|&(turn, ..)| turn == wanted);
            found.map(|(_, wins, visits)| (wins, visits)).unwrap()
        };
        assert_eq!(of(&mut tree, Child::Max), (10, 10));
        let (_, visits) = of(&mut tree, Child::Robust);
        assert_eq!(Some(visits), tree.root().map(|(.., visits)| visits).max());
        assert!(visits > 10);
        // A turn without a visit has won nothing.
        tree.chances[first].visits = 0;
        tree.chances[first].wins = 0;
        assert!(of(&mut tree, Child::Max).0 > 0);
    }

    /// What wins is tried more often.
    #[test]
    fn visits_go_where_games_are_won() {
        let (board, _) = start();
        let mut turns = Vec::new();
        board.turns(&mut turns);
        let mut tree = grown(SPARSE, |board| board.talon_len() < 24);
        let (talon, others): (Vec<_>, Vec<_>) = tree.root().partition(|(t, ..)| t.place.is_some());
        assert!(!talon.is_empty() && !others.is_empty());
        let most = |some: &[(Turn, u32, u32)]| some.iter().map(|(.., n)| *n).max();
        assert!(most(&talon) > most(&others));
    }
}
