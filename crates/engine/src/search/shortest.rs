//! Shortest solutions: best-first search with lower bounds, under several ways of counting.
//!
//! [`graph`] says what the nodes are and what a step costs, [`bound`] how much is left at least,
//! [`mod@line`] turns a path into moves at the table. All this counts moves at the table exactly:
//! `docs/proofs/shortest-solutions.md`.

pub(super) mod beam;
pub mod bound;
pub mod graph;
pub mod line;
mod nodes;
pub mod relax;
pub mod score;

use std::fmt;

use crate::search::{Budget, Limit};
use beam::{Beam, Goal};
use bound::{Bounds, Marks};
use graph::{Drawn, Graph, Node, Step};
use klondike_game::table::{self, Table};
use klondike_lemmas::kplus::{Game, Move};
use klondike_lemmas::prune::{Lemmas, blocking};
use nodes::{MOST_COST, Mark, Nodes, Offer, Queue, Waiting};

/// What counts as a move. A run moved together is one card move in all of them.
///
/// ```
/// use klondike::{Count, Move};
///
/// assert_eq!(Count::ALL.map(|count| count.of_move(Move::Draw)), [0, 1, 1, 1]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
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

    /// Lines of so many moves and more are not looked for.
    pub const MOST: u16 = MOST_COST;

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
            (table::Move::Redeal | table::Move::LastPass, Count::Redeals) => 1,
            (table::Move::Redeal | table::Move::LastPass, _) => 0,
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

    /// The length of a solution from `start`; `u16::MAX` if it is longer than that.
    #[must_use]
    pub fn length(self, start: &Table, moves: &[table::Move]) -> u16 {
        let costs = moves.iter().map(|&made| self.of_move(made));
        costs.fold(self.of_flips(start), u16::saturating_add)
    }

    /// The length of a line of play from `start` to `end`, which need not be a solution.
    #[must_use]
    pub fn length_of_line(self, start: &Table, moves: &[table::Move], end: &Table) -> u32 {
        let sum: u32 = moves
            .iter()
            .map(|&made| u32::from(self.of_move(made)))
            .sum();
        sum + u32::from(self.of_flips(start)) - u32::from(self.of_flips(end))
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// How a search ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// This is a shortest line, and this its cost.
    Shortest(Vec<Move>, u16),
    /// There is no line below the bound given.
    NoneBelow,
    /// A limit was hit. No line costs less than the number; the best line found that costs less
    /// than the bound given, if there is one.
    Stopped(Limit, u16, Option<(Vec<Move>, u16)>),
}

/// News of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum News {
    /// A line of this cost was found, cheaper than those before.
    Found(u16),
    /// No line costs less than this.
    AtLeast(u16),
}

/// After so many bounds were computed the beam of the given width is searched.
const BEAMS: [(u64, usize); 3] = [(20_000, 50), (200_000, 400), (2_000_000, 3_000)];

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
pub struct ShortestSearch<'a, 'r> {
    graph: Graph<'a>,
    bounds: Bounds<'a>,
    nodes: Nodes,
    queue: Queue<Waiting>,
    /// The best line and its cost.
    best: Option<(Vec<Move>, u16)>,
    /// Lines are of interest only below this.
    below: u16,
    /// No line costs less.
    lower: u16,
    /// Moves that are forced at the start.
    before: Vec<Move>,
    report: &'r mut dyn FnMut(News),
    /// Nodes expanded.
    pub expanded: u64,
    /// Bounds computed.
    pub evaluated: u64,
}

impl<'a, 'r> ShortestSearch<'a, 'r> {
    /// A search of `game` from its start that tells its news to `report`.
    #[must_use]
    pub fn new(
        game: &'a Game,
        count: Count,
        report: &'r mut dyn FnMut(News),
    ) -> ShortestSearch<'a, 'r> {
        ShortestSearch {
            graph: Graph::new(game, count),
            bounds: Bounds::new(game, count),
            nodes: Nodes::default(),
            queue: Queue::default(),
            best: None,
            below: MOST_COST,
            lower: 0,
            before: Vec::new(),
            report,
            expanded: 0,
            evaluated: 0,
        }
    }

    /// Searches for the cheapest line from `root` of those that cost less than `below`.
    ///
    /// Lines of 4095 moves and more are not looked for; no deal of 52 cards needs nearly as many.
    pub fn run(&mut self, root: &Node, below: Option<u16>, budget: &mut Budget) -> Ended {
        self.below = below.unwrap_or(MOST_COST).min(MOST_COST);
        match self.expand_all(root, budget) {
            Ok(()) => match self.best.take() {
                Some((line, cost)) => Ended::Shortest(line, cost),
                None => Ended::NoneBelow,
            },
            Err(limit) => Ended::Stopped(limit, self.lower, self.best.take()),
        }
    }

    fn expand_all(&mut self, root: &Node, budget: &mut Budget) -> Result<(), Limit> {
        let mut root = *root;
        let cost = self.graph.close(&mut root, Some(&mut self.before));
        let start = Entry {
            node: &root,
            cost,
            parent: None,
            bound: 0,
        };
        self.add(&start, &Marks::default(), budget)?;
        let mut steps = Vec::new();
        let mut beams = BEAMS.iter();
        let mut beam = beams.next();
        while let Some((bound, waiting)) = self.queue.pop() {
            if bound > self.lower {
                self.lower = bound.min(self.below);
                (self.report)(News::AtLeast(self.lower));
            }
            if bound >= self.below {
                break;
            }
            if let Some(&(after, width)) = beam
                && self.evaluated >= after
            {
                beam = beams.next();
                self.beam(&root, cost, width, budget)?;
            }
            if self.nodes.mark(waiting.number) != Mark::Done {
                self.expand(bound, waiting, &mut steps, budget)?;
            }
        }
        Ok(())
    }

    fn beam(
        &mut self,
        root: &Node,
        cost: u16,
        width: usize,
        budget: &mut Budget,
    ) -> Result<(), Limit> {
        let goal = Goal::Below(self.below);
        let found = Beam::new(&self.graph, &self.bounds, width, goal).search(root, cost, budget)?;
        if let Some((steps, cost)) = found {
            let line = self.graph.line(*root, self.before.clone(), &steps);
            self.found(line, cost);
        }
        Ok(())
    }

    fn found(&mut self, line: Vec<Move>, cost: u16) {
        self.best = Some((line, cost));
        self.below = cost;
        (self.report)(News::Found(cost));
    }

    /// Expands a node that has no solution below `bound`, unless it turns out to have none at
    /// `bound` either.
    fn expand(
        &mut self,
        bound: u16,
        waiting: Waiting,
        steps: &mut Vec<Step>,
        budget: &mut Budget,
    ) -> Result<(), Limit> {
        let number = waiting.number;
        let cost = self.nodes.cost(number);
        let node = self.nodes.node(number, &self.graph);
        let mut marks = Marks::unpack(&waiting.marks);
        self.evaluated += 1;
        let base = cost + self.bounds.base(node.state());
        // A node that is worth more than the bound is looked at again when it is due.
        let enough = (bound + 1).saturating_sub(base);
        let completed = self.bounds.complete(node.state(), &mut marks, enough);
        let full = base + self.bounds.extra(&marks);
        if completed.is_ok() && bound < full && full < self.below {
            let marks = marks.pack();
            return self.queue.push(full, Waiting { number, marks }, budget);
        }
        self.nodes.set_mark(number, Mark::Done);
        if completed.is_err() || full > bound {
            return Ok(());
        }
        if self.graph.most_up(&node) < self.graph.game().cards().len() {
            return Ok(());
        }
        self.expanded += 1;
        steps.clear();
        self.graph.steps(&node, steps);
        for step in steps.iter() {
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
            self.add(&entry, &kept, budget)?;
        }
        Ok(())
    }

    fn add(&mut self, entry: &Entry<'_>, marks: &Marks, budget: &mut Budget) -> Result<(), Limit> {
        let &Entry { node, cost, .. } = entry;
        let own = cost + self.bounds.base(node.state()) + self.bounds.extra(marks);
        let bound = own.max(entry.bound);
        if bound >= self.below {
            return Ok(());
        }
        let packed = self.graph.pack(node);
        if let Offer::Better(number) = self.nodes.offer(packed, cost, entry.parent, budget)? {
            if self.graph.is_won(node) {
                let line = self.line_to(number);
                self.found(line, cost);
                return Ok(());
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
        let steps = |node: &Node, steps: &mut Vec<Step>| self.graph.steps(node, steps);
        let mut line = self.before.clone();
        for (from, first) in self.nodes.path_to(number, &self.graph, steps) {
            line.push(first);
            let mut node = self.graph.after(&from, first);
            self.graph.close(&mut node, Some(&mut line));
        }
        line
    }
}
