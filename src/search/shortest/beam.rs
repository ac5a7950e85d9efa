//! Good solutions soon: a search that goes on from the most promising nodes of each depth only.
//!
//! It proves nothing. What it finds bounds the search that does. What it stores is asked for like all
//! memory of that search; where there is not enough the beam ends early, and the search goes on.

use rustc_hash::FxHashSet;

use crate::kplus::Move;
use crate::prune::{Lemmas, blocking};
use crate::search::shortest::bound::{Bounds, Marks};
use crate::search::shortest::graph::{Graph, Node, Packed};
use crate::search::{Budget, Limit};

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

/// The nodes seen, with the memory that was asked for.
#[derive(Default)]
struct Seen {
    nodes: FxHashSet<Packed>,
    bytes: u64,
}

/// What a hash set takes for each element that it has room for: it keeps at least one eighth of its
/// slots empty, has a byte of its own for each, and may double their number for that.
const SEEN_BYTES: u64 = 2 * (size_of::<Packed>() as u64 + 1);

impl Seen {
    /// Notes a node; tells whether it is new.
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

/// The best line found that costs less than `below`, from a closed `root` that is reached at `cost`.
///
/// All memory is given back at the end. If the limit on memory is hit the beam ends early.
///
/// # Errors
/// The limit on time, or the stop flag.
pub(super) fn search(
    graph: &Graph<'_>,
    bounds: &Bounds<'_>,
    (root, cost): (&Node, u16),
    width: usize,
    below: u16,
    budget: &mut Budget,
) -> Result<Option<(Vec<Move>, u16)>, Limit> {
    let mut below = below;
    let mut best = None;
    let mut seen = Seen::default();
    // The parents and moves of all depths but the present one.
    let mut depths: Vec<Vec<(u32, Move)>> = Vec::new();
    let mut steps = Vec::new();
    let mut members = vec![(*root, cost, Marks::default())];
    let mut next: Vec<Member> = Vec::new();
    // What was asked for: for `depths`, and for `members`.
    let (mut taken, mut members_taken) = (0, 0);
    let ended = 'depths: loop {
        if members.is_empty() {
            break Ok(());
        }
        if let Err(limit) = budget.look() {
            break Err(limit);
        }
        for (place, (node, cost, marks)) in members.iter().enumerate() {
            steps.clear();
            graph.steps(node, &mut steps);
            for step in &steps {
                let state = step.to.state();
                let kept = bounds.after(node.state(), marks, step);
                let cost = cost + step.cost;
                let bound = cost + bounds.base(state) + bounds.extra(&kept);
                let revealed = state.in_place_sum() < node.state().in_place_sum();
                if bound >= below {
                    continue;
                }
                match seen.insert(graph.pack(&step.to), budget) {
                    Ok(true) => {}
                    Ok(false) => continue,
                    Err(limit) => break 'depths Err(limit),
                }
                if revealed && blocking::is_dead(graph.game(), state, Lemmas::ALL, false) {
                    continue;
                }
                let (parent, made) = (place as u32, step.made);
                if graph.is_won(&step.to) {
                    below = cost;
                    best = Some((depths.len(), parent, made, cost));
                    continue;
                }
                if let Err(limit) = budget.make_room(&mut next, 1) {
                    break 'depths Err(limit);
                }
                next.push(Member {
                    node: step.to,
                    cost,
                    bound,
                    marks: kept,
                    parent,
                    made,
                });
            }
        }
        let promise = |member: &Member| (member.bound, u16::MAX - member.cost);
        // Sorting takes as much again at most.
        let again = bytes_of(&next);
        if let Err(limit) = budget.take_bytes(again) {
            break Err(limit);
        }
        next.sort_by_key(promise);
        budget.give_bytes(again);
        next.truncate(2 * width);
        next.retain_mut(|member| {
            let state = member.node.state();
            let possible = bounds.complete(state, &mut member.marks, u16::MAX).is_ok();
            member.bound = member.cost + bounds.base(state) + bounds.extra(&member.marks);
            possible && member.bound < below
        });
        next.sort_by_key(promise);
        next.truncate(width);
        let own = (next.len() * size_of::<(u32, Move)>()) as u64;
        if let Err(limit) = budget.take_bytes(own) {
            break Err(limit);
        }
        taken += own;
        depths.push(next.iter().map(|m| (m.parent, m.made)).collect());
        members.clear();
        if members.capacity() < next.len() {
            let bytes = (next.len() * size_of::<(Node, u16, Marks)>()) as u64;
            if let Err(limit) = budget.take_bytes(bytes) {
                break Err(limit);
            }
            members.reserve_exact(next.len());
            budget.give_bytes(members_taken);
            members_taken = bytes;
        }
        members.extend(
            next.drain(..)
                .map(|member| (member.node, member.cost, member.marks)),
        );
    };
    budget.give_bytes(seen.bytes + bytes_of(&next) + members_taken + taken);
    match ended {
        Ok(()) | Err(Limit::Memory) => {}
        Err(limit) => return Err(limit),
    }
    Ok(best.map(|(depth, parent, made, cost)| {
        let mut line = vec![made];
        let mut place = parent as usize;
        for depth in depths[..depth].iter().rev() {
            let (parent, made) = depth[place];
            line.push(made);
            place = parent as usize;
        }
        line.reverse();
        (line, cost)
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deal::Deal;
    use crate::kplus::Game;
    use crate::rules::Rules;
    use crate::search::Limits;
    use crate::search::shortest::Count;
    use crate::table::Table;
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
            let found = search(&graph, &bounds, (&root, 0), 20, 1000, &mut budget);
            assert!(found.is_ok());
            assert_eq!(budget.bytes, 0);
            budget.most_bytes()
        };
        let free = most(None);
        assert!(free > 20 * size_of::<Member>() as u64, "{free}");
        let limited = most(Some(free / 2));
        assert!(0 < limited && limited <= free / 2, "{limited} of {free}");
    }
}
