//! Shortest solutions: best-first search with lower bounds, under several ways of counting.
//!
//! [`graph`] says what the nodes are and what a step costs, [`bound`] how much is left at least,
//! [`line`] turns a path into moves at the table. `docs/shortest.md` proves that all this counts
//! moves at the table exactly.

pub mod bound;
pub mod graph;
pub mod line;
mod nodes;
pub mod relax;

use crate::kplus::{Game, Move};
use crate::prune::{Lemmas, blocking};
use crate::search::{Budget, Limit};
use crate::table::{self, Table};
use bound::{Bounds, Marks};
use graph::{Drawn, Graph, Node};
use nodes::{MOST_COST, Mark, Nodes, Offer, Queue, Waiting};

/// What counts as a move. A run moved together is one card move in all of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Count {
    /// Card moves only; drawing and redealing are free.
    Cards,
    /// Card moves and draws; redeals are free (MinimalKlondike).
    #[default]
    Draws,
    /// Card moves, draws and the turning up of face-down cards (Klondike-Solver): 21 more than
    /// [`Count::Draws`] from a standard deal.
    Flips,
    /// Card moves, draws and redeals (lonelybot's tokens).
    Redeals,
}

impl Count {
    /// All of them.
    pub const ALL: [Count; 4] = [Count::Cards, Count::Draws, Count::Flips, Count::Redeals];

    /// The name on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Count::Cards => "cards",
            Count::Draws => "draws",
            Count::Flips => "flips",
            Count::Redeals => "redeals",
        }
    }

    /// Whether draws count.
    #[must_use]
    pub const fn counts_draws(self) -> bool {
        !matches!(self, Count::Cards)
    }

    /// What drawing costs.
    #[must_use]
    pub const fn cost(self, drawn: Drawn) -> u16 {
        match self {
            Count::Cards => 0,
            Count::Draws | Count::Flips => drawn.draws,
            Count::Redeals => drawn.draws + drawn.redeals,
        }
    }

    /// What a move at the table costs, but for the flip that it may cause.
    #[must_use]
    pub const fn of_move(self, made: table::Move) -> u16 {
        match (made, self) {
            (table::Move::Draw, Count::Cards) => 0,
            (table::Move::Redeal, Count::Redeals) => 1,
            (table::Move::Redeal, _) => 0,
            _ => 1,
        }
    }

    /// What has to be added to the sum of [`Count::of_move`] over any solution from `start`: one
    /// for each face-down card if flips count, as a solution turns up every one of them once.
    #[must_use]
    pub fn of_flips(self, start: &Table) -> u16 {
        match self {
            Count::Flips => start
                .piles()
                .iter()
                .map(|pile| pile.face_down().len() as u16)
                .sum(),
            _ => 0,
        }
    }

    /// The length of a solution from `start`.
    #[must_use]
    pub fn length(self, start: &Table, moves: &[table::Move]) -> u16 {
        let sum: u16 = moves.iter().map(|&made| self.of_move(made)).sum();
        sum + self.of_flips(start)
    }
}

/// How a search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// This is a shortest line, and this its cost.
    Shortest(Vec<Move>, u16),
    /// There is no line below the bound given.
    NoneBelow,
    /// A limit was hit. No line costs less than the number; the best line found, if there is one.
    Stopped(Limit, u16, Option<(Vec<Move>, u16)>),
}

/// A node as it is met.
struct Entry<'a> {
    node: &'a Node,
    /// Cost of the path to it.
    cost: u16,
    parent: Option<u32>,
    /// The bound of its parent.
    bound: u16,
}

/// A search from one position.
pub struct Search<'a> {
    graph: Graph<'a>,
    bounds: Bounds<'a>,
    nodes: Nodes,
    queue: Queue,
    best: Option<(u32, u16)>,
    /// Moves that are forced at the start.
    before: Vec<Move>,
    /// Nodes expanded.
    pub expanded: u64,
    /// Bounds computed.
    pub evaluated: u64,
}

impl<'a> Search<'a> {
    /// A search of `game` from its start.
    #[must_use]
    pub fn new(game: &'a Game, count: Count) -> Search<'a> {
        Search {
            graph: Graph::new(game, count),
            bounds: Bounds::new(game, count),
            nodes: Nodes::default(),
            queue: Queue::default(),
            best: None,
            before: Vec::new(),
            expanded: 0,
            evaluated: 0,
        }
    }

    /// Searches for the cheapest line from `root` of those that cost less than `below`.
    pub fn run(&mut self, root: &Node, below: Option<u16>, budget: &mut Budget) -> Ended {
        let below = below.unwrap_or(MOST_COST);
        match self.expand_all(root, below, budget) {
            Ok(()) => match self.best {
                Some((number, cost)) => Ended::Shortest(self.line_to(number), cost),
                None => Ended::NoneBelow,
            },
            Err(limit) => {
                let lower = self.queue.lowest().unwrap_or(0);
                let best = self.best.map(|(number, cost)| (self.line_to(number), cost));
                Ended::Stopped(limit, lower, best)
            }
        }
    }

    fn expand_all(&mut self, root: &Node, below: u16, budget: &mut Budget) -> Result<(), Limit> {
        let mut below = below;
        let mut root = *root;
        let cost = self.graph.close(&mut root, Some(&mut self.before));
        let start = Entry {
            node: &root,
            cost,
            parent: None,
            bound: 0,
        };
        self.add(&start, &Marks::default(), &mut below, budget)?;
        let mut steps = Vec::new();
        while let Some((bound, waiting)) = self.queue.pop() {
            let number = waiting.number;
            if bound >= below {
                self.queue.push(bound, waiting, budget)?;
                break;
            }
            if self.nodes.mark(number) == Mark::Done {
                continue;
            }
            let cost = self.nodes.cost(number);
            let node = self.node(number);
            let mut marks = Marks::unpack(&waiting.marks);
            {
                self.evaluated += 1;
                let base = cost + self.bounds.base(node.state());
                // What is worth more than the bound will be looked at again when it is due.
                let enough = (bound + 1).saturating_sub(base);
                if self
                    .bounds
                    .complete(node.state(), &mut marks, enough)
                    .is_err()
                {
                    self.nodes.set_mark(number, Mark::Done);
                    continue;
                }
                let full = base + self.bounds.extra(&marks);
                if full > bound {
                    if full < below {
                        let marks = marks.pack();
                        self.queue.push(full, Waiting { number, marks }, budget)?;
                    } else {
                        self.nodes.set_mark(number, Mark::Done);
                    }
                    continue;
                }
            }
            self.nodes.set_mark(number, Mark::Done);
            self.expanded += 1;
            steps.clear();
            self.graph.steps(&node, &mut steps);
            for step in &steps {
                let kept = self.bounds.after(node.state(), &marks, step);
                let revealed = step.to.state().in_place_sum() < node.state().in_place_sum();
                let game = self.graph.game();
                if revealed && blocking::is_dead(game, step.to.state(), Lemmas::ALL, true) {
                    continue;
                }
                let entry = Entry {
                    node: &step.to,
                    cost: cost + step.cost,
                    parent: Some(number),
                    bound,
                };
                self.add(&entry, &kept, &mut below, budget)?;
            }
        }
        Ok(())
    }

    fn add(
        &mut self,
        entry: &Entry<'_>,
        marks: &Marks,
        below: &mut u16,
        budget: &mut Budget,
    ) -> Result<(), Limit> {
        let &Entry { node, cost, .. } = entry;
        let own = cost + self.bounds.base(node.state()) + self.bounds.extra(marks);
        let bound = own.max(entry.bound);
        if bound >= *below {
            return Ok(());
        }
        let packed = self.graph.pack(node);
        if let Offer::Better(number) = self.nodes.offer(packed, cost, entry.parent, budget)? {
            if self.graph.is_won(node) {
                self.best = Some((number, cost));
                *below = cost;
            }
            let marks = marks.pack();
            self.queue.push(bound, Waiting { number, marks }, budget)?;
        }
        Ok(())
    }

    /// Number of nodes stored.
    #[must_use]
    pub fn stored(&self) -> usize {
        self.nodes.len()
    }

    /// The moves on the path to a node.
    fn line_to(&self, number: u32) -> Vec<Move> {
        let mut made = Vec::new();
        let mut steps = Vec::new();
        let mut to = number;
        while let Some(from) = self.nodes.parent(to) {
            let target = self.nodes.packed(to);
            let node = self.node(from);
            steps.clear();
            self.graph.steps(&node, &mut steps);
            let step = steps
                .iter()
                .filter(|step| self.graph.pack(&step.to) == target)
                .min_by_key(|step| step.cost)
                .expect("a child of its parent");
            made.push((from, step.made));
            to = from;
        }
        let mut line = self.before.clone();
        for &(from, first) in made.iter().rev() {
            line.push(first);
            let mut node = self.graph.after(&self.node(from), first);
            self.graph.close(&mut node, Some(&mut line));
        }
        line
    }

    fn node(&self, number: u32) -> Node {
        self.graph
            .unpack(self.nodes.packed(number))
            .expect("a node that was packed")
    }
}
