//! Lines with the fewest moves to a score: so many cards on the foundations, where not all can be.
//!
//! A* on the graph of shortest solutions, but with all its steps: a move that is forced on the way
//! to a solution may be a detour on the way to a score. Proofs: `docs/proofs/best-scores.md`,
//! section 18.4.

use super::graph::{Graph, Node};
use super::nodes::{MOST_COST, Mark, Nodes, Offer, Queue};
use super::{Count, Ended, News};
use crate::search::{Budget, Limit};
use klondike_lemmas::kplus::{Game, Move, State};
use klondike_lemmas::prune::{Lemmas, blocking};

/// A search for the cheapest line to a score.
pub struct ScoreSearch<'a, 'r> {
    graph: Graph<'a>,
    lemmas: Lemmas,
    /// The score wanted; it must be known that there is no higher one.
    score: u8,
    nodes: Nodes,
    /// Numbers of the nodes that wait.
    queue: Queue<u32>,
    /// The node with the score on the best path found.
    best: Option<u32>,
    /// Lines are of interest only below this.
    below: u16,
    /// No line costs less.
    lower: u16,
    report: &'r mut dyn FnMut(News),
}

impl<'a, 'r> ScoreSearch<'a, 'r> {
    /// A search of `game` for a line to its best score, `score`, that tells its news to `report`.
    ///
    /// Of `lemmas` only those matter that bound the cards that may go up: the relaxation and the
    /// order of twins.
    #[must_use]
    pub fn new(
        game: &'a Game,
        count: Count,
        score: u8,
        lemmas: Lemmas,
        report: &'r mut dyn FnMut(News),
    ) -> ScoreSearch<'a, 'r> {
        ScoreSearch {
            graph: Graph::new(game, count),
            lemmas,
            score,
            nodes: Nodes::default(),
            queue: Queue::default(),
            best: None,
            below: MOST_COST,
            lower: 0,
            report,
        }
    }

    /// Searches for the cheapest line from `root` of those that cost less than `below`.
    ///
    /// Costs are whole lengths: cards turned up are in them if they count. Lines of 4095 moves and
    /// more are not looked for: if `below` is more than that, [`Ended::NoneBelow`] says that there
    /// is none below 4095.
    pub fn run(&mut self, root: &Node, below: Option<u16>, budget: &mut Budget) -> Ended {
        self.below = below.unwrap_or(MOST_COST).min(MOST_COST);
        self.lower = self.rest(root.state()).min(self.below);
        let ended = self.expand_all(root, budget);
        let best = self.best.map(|number| (self.line_to(number), self.below));
        match (ended, best) {
            (Ok(()), Some((line, cost))) => Ended::Shortest(line, cost),
            (Ok(()), None) => Ended::NoneBelow,
            (Err(limit), best) => Ended::Stopped(limit, self.lower, best),
        }
    }

    /// Number of nodes stored.
    #[must_use]
    pub fn stored(&self) -> usize {
        self.nodes.len()
    }

    fn expand_all(&mut self, root: &Node, budget: &mut Budget) -> Result<(), Limit> {
        self.add(root, 0, None, budget)?;
        let mut steps = Vec::new();
        while let Some((bound, number)) = self.queue.pop()
            && bound < self.below
        {
            if bound > self.lower {
                self.lower = bound;
                (self.report)(News::AtLeast(self.lower));
            }
            // It waits once for each path that was the cheapest when it was found.
            if self.nodes.mark(number) == Mark::Done {
                continue;
            }
            self.nodes.set_mark(number, Mark::Done);
            let cost = self.nodes.cost(number);
            steps.clear();
            let node = self.nodes.node(number, &self.graph);
            self.graph.all_steps(&node, &mut steps);
            for step in &steps {
                self.add(&step.to, cost + step.cost, Some(number), budget)?;
            }
        }
        Ok(())
    }

    /// Offers a path to a node. The bound of the node is at least that of its parent, as a step
    /// that puts a card up costs at least one and puts up no other.
    fn add(
        &mut self,
        node: &Node,
        cost: u16,
        parent: Option<u32>,
        budget: &mut Budget,
    ) -> Result<(), Limit> {
        let rest = self.rest(node.state());
        let bound = cost + rest;
        if bound >= self.below {
            return Ok(());
        }
        let packed = self.graph.pack(node);
        let Offer::Better(number) = self.nodes.offer(packed, cost, parent, budget)? else {
            return Ok(());
        };
        if rest == 0 {
            self.best = Some(number);
            self.below = cost;
            (self.report)(News::Found(cost));
        } else if self.falls_short(node) {
            self.nodes.set_mark(number, Mark::Done);
        } else {
            self.queue.push(bound, number, budget)?;
        }
        Ok(())
    }

    /// Cards that are still to go up: each takes a move of its own.
    fn rest(&self, state: &State) -> u16 {
        u16::from(self.score).saturating_sub(state.on_foundations().len() as u16)
    }

    /// Whether it is proved that no line from the state reaches the score.
    fn falls_short(&self, node: &Node) -> bool {
        let (game, state) = (self.graph.game(), node.state());
        let score = usize::from(self.score);
        blocking::is_on(self.lemmas)
            && (blocking::may_go_up(game, state, self.lemmas).len() < score
                || self.graph.most_up(node) < score
                || blocking::is_capped(game, state, self.lemmas, score - 1))
    }

    /// The moves on the path to a node.
    fn line_to(&self, number: u32) -> Vec<Move> {
        let steps = |node: &Node, steps: &mut Vec<_>| self.graph.all_steps(node, steps);
        let path = self.nodes.path_to(number, &self.graph, steps);
        path.into_iter().map(|(_, made)| made).collect()
    }
}
