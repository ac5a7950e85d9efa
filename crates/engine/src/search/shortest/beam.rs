//! Good solutions soon: a search that expands only the most promising nodes of each depth.
//!
//! It proves nothing. Its lines bound the search that does, or end a search that asks only whether
//! there is a win ([`win`]). Its memory counts for that search; if there is too little, the beam
//! ends early and the search goes on.

use rustc_hash::FxHashSet;

use crate::search::shortest::Count;
use crate::search::shortest::bound::{Bounds, Marks};
use crate::search::shortest::graph::{Graph, Node, Packed};
use crate::search::{Budget, Job, Limit};
use klondike_lemmas::kplus::{Move, State};
use klondike_lemmas::prune::{Lemmas, blocking};

/// A node of the present depth.
struct Member {
    node: Node,
    cost: u16,
    /// Bound on the length of a solution through it.
    bound: u16,
    marks: Marks,
    /// Place of its parent among those of the depth before.
    parent: u32,
    made: Move,
}

/// The order of nodes, the most promising first: bound, the largest cost less the cost, and place.
type Rank = (u16, u16, u32);

/// The nodes seen, with the memory that was asked for.
#[derive(Default)]
struct Seen {
    nodes: FxHashSet<Packed>,
    bytes: u64,
}

/// Memory of a hash set for each element that it has room for: at least one eighth of its slots
/// stay empty, each slot has one byte more, and rounding up may double their number.
const SEEN_BYTES: u64 = 2 * (size_of::<Packed>() as u64 + 1);

impl Seen {
    /// Notes a node; returns whether it is new.
    fn insert(&mut self, node: Packed, budget: &mut Budget) -> Result<bool, Limit> {
        if self.nodes.len() == self.nodes.capacity() {
            let added = self.nodes.len().max(64);
            let bytes = SEEN_BYTES * (self.nodes.len() + added) as u64;
            // Both are there while it grows.
            budget.take_bytes(bytes)?;
            self.nodes.reserve(added);
            budget.give_bytes(self.bytes);
            self.bytes = bytes;
        }
        Ok(self.nodes.insert(node))
    }
}

/// The memory of a vector.
fn bytes_of<T>(vec: &Vec<T>) -> u64 {
    (size_of::<T>() * vec.capacity()) as u64
}

/// What a beam looks for.
#[derive(Clone, Copy)]
pub(super) enum Goal {
    /// The best line with all cards up that costs less than this.
    Below(u16),
    /// Any line to a state that [is won](klondike_lemmas::kplus::Game::is_won), while at most so
    /// many nodes are met. Each node counts as a state of the budget.
    Win { most: u64 },
}

/// An estimate from above of the memory that a beam that looks for a win takes for each node of its
/// width: the children of the nodes of a depth, and the nodes seen.
pub(in crate::search) const BYTES: u64 = 16 * size_of::<Member>() as u64;

/// A line that wins from `state`, if a beam of this width that meets at most so many nodes finds
/// one. The nodes met count as states of the job.
///
/// The line ends in a state that [is won](klondike_lemmas::kplus::Game::is_won). The beam ends
/// early if memory runs out.
///
/// # Errors
/// The limit on states or time, or the stop flag.
pub(in crate::search) fn win(
    job: &mut Job<'_>,
    state: &State,
    (width, most): (usize, u64),
) -> Result<Option<Vec<Move>>, Limit> {
    let graph = Graph::new(job.game, Count::Cards);
    let bounds = Bounds::new(job.game, Count::Cards);
    let mut root = graph.straight(state);
    let mut before = Vec::new();
    let cost = graph.close(&mut root, Some(&mut before));
    if job.game.is_won(root.state()) {
        return Ok(Some(before));
    }
    let goal = Goal::Win { most };
    let mut beam = Beam::new(&graph, &bounds, width, goal);
    let found = beam.search(&root, cost, &mut job.budget);
    job.stats.states += beam.counted;
    Ok(found?.map(|(steps, _)| graph.line(root, before, &steps)))
}

/// The last step of a line, and what the line costs.
struct Best {
    depth: usize,
    parent: u32,
    made: Move,
    cost: u16,
}

/// One search by a beam.
pub(super) struct Beam<'a> {
    graph: &'a Graph<'a>,
    bounds: &'a Bounds<'a>,
    width: usize,
    goal: Goal,
    /// Lines are of interest only below this cost.
    below: u16,
    best: Option<Best>,
    seen: Seen,
    /// The parents and moves of all depths but the present one.
    depths: Vec<Vec<(u32, Move)>>,
    /// The nodes of the present depth, with their costs.
    members: Vec<(Node, u16, Marks)>,
    next: Vec<Member>,
    /// Bytes taken for `depths`, and for `members`.
    depths_bytes: u64,
    members_bytes: u64,
    /// Nodes that were counted as states.
    counted: u64,
}

/// Whether a beam goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    On,
    End,
}

impl<'a> Beam<'a> {
    /// A beam of this width that has not begun.
    pub(super) fn new(
        graph: &'a Graph<'a>,
        bounds: &'a Bounds<'a>,
        width: usize,
        goal: Goal,
    ) -> Beam<'a> {
        Beam {
            graph,
            bounds,
            width,
            goal,
            below: match goal {
                Goal::Below(below) => below,
                Goal::Win { .. } => u16::MAX,
            },
            best: None,
            seen: Seen::default(),
            depths: Vec::new(),
            members: Vec::new(),
            next: Vec::new(),
            depths_bytes: 0,
            members_bytes: 0,
            counted: 0,
        }
    }

    /// Looks for the goal from a closed `root` that is reached at `cost`.
    ///
    /// All memory is given back at the end. If the limit on memory is hit the beam ends early.
    ///
    /// # Errors
    /// The limit on time or states, or the stop flag.
    pub(super) fn search(
        &mut self,
        root: &Node,
        cost: u16,
        budget: &mut Budget,
    ) -> Result<Option<(Vec<Move>, u16)>, Limit> {
        self.members.push((*root, cost, Marks::default()));
        let ended = self.run(budget);
        let next_bytes = bytes_of(&self.next);
        budget.give_bytes(self.seen.bytes + next_bytes + self.members_bytes + self.depths_bytes);
        match ended {
            Ok(()) | Err(Limit::Memory) => Ok(self.best.as_ref().map(|best| self.line(best))),
            Err(limit) => Err(limit),
        }
    }

    fn run(&mut self, budget: &mut Budget) -> Result<(), Limit> {
        let mut steps = Vec::new();
        while !self.members.is_empty() {
            budget.check()?;
            let members = std::mem::take(&mut self.members);
            for (place, (node, cost, marks)) in members.iter().enumerate() {
                steps.clear();
                self.graph.steps(node, &mut steps);
                for step in &steps {
                    let kept = self.bounds.after(node.state(), marks, step);
                    let member = Member {
                        node: step.to,
                        cost: cost + step.cost,
                        bound: cost
                            + step.cost
                            + self.bounds.base(step.to.state())
                            + self.bounds.extra(&kept),
                        marks: kept,
                        parent: place as u32,
                        made: step.made,
                    };
                    let revealed = step.to.state().in_place_sum() < node.state().in_place_sum();
                    if self.meet(member, revealed, budget)? == Next::End {
                        return Ok(());
                    }
                }
            }
            self.members = members;
            // Places are sorted in place of the members, which are large.
            let places = (size_of::<Rank>() * self.next.len()) as u64;
            budget.take_bytes(places)?;
            let chosen = self.choose(budget);
            budget.give_bytes(places);
            chosen?;
        }
        Ok(())
    }

    /// Meets a child of a node of the present depth.
    fn meet(&mut self, member: Member, revealed: bool, budget: &mut Budget) -> Result<Next, Limit> {
        if member.bound >= self.below || !self.seen.insert(self.graph.pack(&member.node), budget)? {
            return Ok(Next::On);
        }
        if let Goal::Win { most } = self.goal {
            if self.seen.nodes.len() as u64 > most {
                return Ok(Next::End);
            }
            budget.count_state()?;
            self.counted += 1;
        }
        let (game, state) = (self.graph.game(), member.node.state());
        if revealed && blocking::is_dead(game, state, Lemmas::ALL, false) {
            return Ok(Next::On);
        }
        let (won, then) = match self.goal {
            Goal::Below(_) => (self.graph.is_won(&member.node), Next::On),
            Goal::Win { .. } => (game.is_won(state), Next::End),
        };
        if won {
            self.below = member.cost;
            self.best = Some(Best {
                depth: self.depths.len(),
                parent: member.parent,
                made: member.made,
                cost: member.cost,
            });
            return Ok(then);
        }
        budget.make_room(&mut self.next, 1)?;
        self.next.push(member);
        Ok(Next::On)
    }

    /// Chooses the members of the next depth among the children of this one.
    fn choose(&mut self, budget: &mut Budget) -> Result<(), Limit> {
        let rank = |(place, member): (usize, &Member)| -> Rank {
            (member.bound, u16::MAX - member.cost, place as u32)
        };
        let mut ranks: Vec<Rank> = self.next.iter().enumerate().map(rank).collect();
        ranks.sort_unstable();
        ranks.truncate(2 * self.width);
        ranks.retain_mut(|(bound, _, place)| {
            let member = &mut self.next[*place as usize];
            let state = member.node.state();
            let completed = self.bounds.complete(state, &mut member.marks, u16::MAX);
            *bound = member.cost + self.bounds.base(state) + self.bounds.extra(&member.marks);
            completed.is_ok() && *bound < self.below
        });
        ranks.sort_by_key(|&(bound, cost, _)| (bound, cost));
        ranks.truncate(self.width);
        let depth_bytes = (ranks.len() * size_of::<(u32, Move)>()) as u64;
        budget.take_bytes(depth_bytes)?;
        self.depths_bytes += depth_bytes;
        let chosen = || {
            let places = ranks.iter().map(|&(_, _, place)| place as usize);
            places.map(|place| &self.next[place])
        };
        let depth = chosen().map(|member| (member.parent, member.made));
        self.depths.push(depth.collect());
        self.members.clear();
        if self.members.capacity() < ranks.len() {
            let bytes = (ranks.len() * size_of::<(Node, u16, Marks)>()) as u64;
            budget.take_bytes(bytes)?;
            self.members.reserve_exact(ranks.len());
            budget.give_bytes(self.members_bytes);
            self.members_bytes = bytes;
        }
        let members = chosen().map(|member| (member.node, member.cost, member.marks));
        self.members.extend(members);
        self.next.clear();
        Ok(())
    }

    /// The moves of a line, and what it costs.
    fn line(&self, best: &Best) -> (Vec<Move>, u16) {
        let mut line = vec![best.made];
        let mut place = best.parent as usize;
        for depth in self.depths[..best.depth].iter().rev() {
            let (parent, made) = depth[place];
            line.push(made);
            place = parent as usize;
        }
        line.reverse();
        (line, best.cost)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Limits;
    use klondike_game::deal::Deal;
    use klondike_game::deal::seed::{DealId, Scheme, Seed};
    use klondike_game::rules::Rules;
    use klondike_game::table::Table;
    use klondike_lemmas::kplus::{Game, moves};
    use std::sync::Arc;

    #[test]
    fn a_beam_keeps_to_the_memory_limit_and_gives_all_back() {
        let rules = Arc::new(Rules::standard_draw(3).unwrap());
        let cards: Vec<_> = rules.deck().cards().collect();
        // A fixed shuffle: 23 and 52 have no common divisor.
        let row: Vec<_> = (0..52).map(|place| cards[(23 * place + 5) % 52]).collect();
        let deal = Deal::from_row_order(rules.deck(), rules.layout(), &row).unwrap();
        let table = Table::new(rules, &deal).unwrap();
        let game = Game::new(&table).unwrap();
        let graph = Graph::new(&game, Count::Draws);
        let bounds = Bounds::new(&game, Count::Draws);
        let mut root = graph.read(&table).unwrap();
        graph.close(&mut root, None);
        let most = |limit: Option<u64>| {
            let mut budget = Budget::new(Limits {
                memory_bytes: limit,
                ..Limits::default()
            });
            let mut beam = Beam::new(&graph, &bounds, 20, Goal::Below(1000));
            assert!(beam.search(&root, 0, &mut budget).is_ok());
            assert_eq!(budget.bytes, 0);
            budget.most_bytes()
        };
        let free = most(None);
        assert!(free > 20 * size_of::<Member>() as u64, "{free}");
        let limited = most(Some(free / 2));
        assert!(0 < limited && limited <= free / 2, "{limited} of {free}");
    }

    /// Lines found are legal and win, also from the middle of a game, where the arrangement is not
    /// known.
    #[test]
    fn lines_that_win_are_legal_and_win() {
        let (mut won, mut tried) = (0, 0);
        for (draw, back) in [(1, true), (2, true), (3, true), (3, false), (5, true)] {
            let rules = Rules::builder()
                .draw_count(draw)
                .worrying_back(back)
                .build();
            let rules = Arc::new(rules.unwrap());
            for seed in 1..=8_u64 {
                let id = DealId::new(Scheme::Klondike, Seed::from(seed)).unwrap();
                let deal = id.deal(rules.deck(), rules.layout()).unwrap();
                let game = Game::new(&Table::new(Arc::clone(&rules), &deal).unwrap()).unwrap();
                let mut root = game.start();
                for step in 0..12 {
                    let mut job = Job::new(&game, Lemmas::ALL, Limits::default());
                    let line = win(&mut job, &root, (5, 10_000)).unwrap();
                    let states = job.stats.states;
                    assert_eq!((job.budget.bytes, job.budget.states()), (0, states));
                    tried += 1;
                    if let Some(line) = line {
                        won += 1;
                        let mut state = root;
                        for made in line {
                            assert!(
                                moves::legal(&game, &state)
                                    .iter()
                                    .any(|legal| legal == made)
                            );
                            state = game.apply(&state, made);
                        }
                        assert!(game.is_won(&state));
                    }
                    let legal: Vec<Move> = moves::legal(&game, &root).iter().collect();
                    let Some(&made) = legal.get((seed as usize * 7 + step) % legal.len().max(1))
                    else {
                        break;
                    };
                    root = game.apply(&root, made);
                }
            }
        }
        assert!(won > 50 && won < tried, "{won} of {tried}");
    }
}
