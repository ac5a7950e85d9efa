//! Monte Carlo tree search as Brewis (2017, section 8.1) describes it, for any game of the
//! notation.
//!
//! A search looks at a number of new nodes. For each it goes down the tree, adds one node, plays a
//! number of random games from there, and hands their mean score up. The score is the number of
//! cards on the foundations. Two things differ from the usual UCT, and [`TreePolicy`] offers both:
//! the thesis always goes down to the child with the best score, without a bonus for rarely tried
//! moves, and a node's score is *set* to what the last search below it gave instead of to the mean
//! of all.
//!
//! The thesis' program plays its random games with the cards as they really lie, although the
//! player cannot know them; it names that as a limitation (p. 41). Here, every search first deals
//! the cards never seen anew ([`PatiencePosition::shuffle_unseen`]), and so does every random game;
//! with [`PatiencePosition::see_everything`] before, nothing is unseen and the search peeks as the
//! thesis' does. As worlds differ, the tree is one of moves, not of positions: a node stands for
//! the moves that lead to it, and at every visit only the moves that are legal in the world at hand
//! count.

use rand::{Rng, RngExt};

use crate::position::{Move, PatiencePosition};

/// How the tree is searched.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum TreePolicy {
    /// The thesis: down to the best score; a score is what the last search below gave.
    Greedy,
    /// UCT: a score is the mean of all searches below, and to the mean share of cards on the
    /// foundations this constant times the square root of ln n(parent) / n(child) is added.
    Uct(f64),
}

/// The size of a search. All numbers are at least 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchSize {
    /// New nodes looked at before a move is chosen (*maxNumSearches*).
    pub searches: u32,
    /// Random games from each (*maxRandomPlays*).
    pub playouts: u32,
    /// Moves after which a random game ends (*maxRandomPlayDepth*).
    pub depth: u32,
    /// How the tree is searched.
    pub tree: TreePolicy,
}

/// A move from a node to another.
struct Child {
    made: Move,
    node: usize,
}

#[derive(Default)]
struct Node {
    score: f64,
    visits: u32,
    children: Vec<Child>,
}

/// The best move by this search, `without` some; `None` if there is no other.
///
/// Ties are broken at random, as in the thesis. A single move is returned without search.
pub fn best_move(
    position: &PatiencePosition,
    search: &SearchSize,
    without: &[Move],
    random: &mut impl Rng,
) -> Option<Move> {
    let mut root_moves = position.legal_moves();
    root_moves.retain(|made| !without.contains(made));
    if root_moves.len() < 2 {
        return root_moves.pop();
    }
    let cards = position.game().deck().len() as f64;
    let mut nodes = vec![Node::default()];
    let mut moves = Vec::new();
    let mut path = Vec::new();
    for _ in 0..search.searches {
        let mut world = position.clone();
        world.shuffle_unseen(random);
        path.clear();
        path.push(0);
        moves.clone_from(&root_moves);
        let mut node = 0;
        while !moves.is_empty() && !world.is_won() {
            let children = &nodes[node].children;
            let fresh = moves
                .iter()
                .filter(|&made| children.iter().all(|child| child.made != *made));
            // The thesis takes a new node by the score of its position.
            if let Some(&made) = best(fresh, |made| f64::from(made.gain()), random) {
                let new = nodes.len();
                nodes.push(Node::default());
                nodes[node].children.push(Child { made, node: new });
                world.apply(made);
                path.push(new);
                break;
            }
            let legal = children.iter().filter(|child| moves.contains(&child.made));
            let parent = f64::from(nodes[node].visits.max(1));
            let value = |child: &Child| {
                let Node { score, visits, .. } = &nodes[child.node];
                match search.tree {
                    TreePolicy::Greedy => *score,
                    TreePolicy::Uct(constant) => {
                        let visits = f64::from((*visits).max(1));
                        score / cards + constant * (parent.ln() / visits).sqrt()
                    }
                }
            };
            let Some(child) = best(legal, |child| value(child), random) else {
                break; // Not reached: without fresh moves every legal one has its child.
            };
            node = child.node;
            world.apply(child.made);
            path.push(node);
            world.list_moves(&mut moves);
        }
        let mut sum = 0;
        for _ in 0..search.playouts {
            let mut game = world.clone();
            game.shuffle_unseen(random);
            sum += play_out(&mut game, search.depth, random);
        }
        let mean = sum as f64 / f64::from(search.playouts.max(1));
        for &visited in &path {
            let Node { score, visits, .. } = &mut nodes[visited];
            *visits += 1;
            match search.tree {
                TreePolicy::Greedy => *score = mean,
                TreePolicy::Uct(_) => *score += (mean - *score) / f64::from(*visits),
            }
        }
    }
    let score = |child: &&Child| nodes[child.node].score;
    best(nodes[0].children.iter(), score, random).map(|child| child.made)
}

/// Plays random moves until the game is over or `depth` moves are made. Returns the score.
fn play_out(game: &mut PatiencePosition, depth: u32, random: &mut impl Rng) -> usize {
    let mut moves = Vec::new();
    for _ in 0..depth {
        game.list_moves(&mut moves);
        if moves.is_empty() {
            break;
        }
        let made = moves[random.random_range(0..moves.len())];
        game.apply(made);
        if made.gain() > 0 && game.is_won() {
            break;
        }
    }
    game.score()
}

/// One of those with the highest value, each with the same chance.
fn best<T>(
    items: impl Iterator<Item = T>,
    value: impl Fn(&T) -> f64,
    random: &mut impl Rng,
) -> Option<T> {
    let mut found: Option<(T, f64)> = None;
    let mut ties = 0_u32;
    for item in items {
        let new = value(&item);
        match &found {
            Some((_, old)) if new < *old => {}
            Some((_, old)) if new == *old => {
                ties += 1;
                if random.random_range(0..ties) == 0 {
                    found = Some((item, new));
                }
            }
            _ => {
                ties = 1;
                found = Some((item, new));
            }
        }
    }
    found.map(|(item, _)| item)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    #[test]
    fn ties_are_broken_evenly() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mut counts = [0; 4];
        for _ in 0..3000 {
            let values = [1.0, 2.0, 2.0, 2.0];
            counts[best(0..4, |&i: &usize| values[i], &mut random).unwrap()] += 1;
        }
        assert_eq!(counts[0], 0);
        // Five standard errors of a third of 3000.
        assert!(counts[1..].iter().all(|&n: &i32| (n - 1000).abs() < 130));
    }
}
