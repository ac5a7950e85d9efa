//! Good solutions soon: a search that goes on from the most promising nodes of each depth only.
//!
//! It proves nothing. What it finds bounds the search that does.

use rustc_hash::FxHashSet;

use crate::kplus::Move;
use crate::prune::{Lemmas, blocking};
use crate::search::shortest::bound::{Bounds, Marks};
use crate::search::shortest::graph::{Graph, Node};
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

/// The best line found that costs less than `below`, from a closed `root` that is reached at `cost`.
///
/// # Errors
/// The limit on time, or the stop flag.
pub(super) fn search(
    graph: &Graph<'_>,
    bounds: &Bounds<'_>,
    (root, cost): (&Node, u16),
    width: usize,
    below: u16,
    budget: &Budget,
) -> Result<Option<(Vec<Move>, u16)>, Limit> {
    let mut below = below;
    let mut best = None;
    let mut seen = FxHashSet::default();
    // The parents and moves of all depths but the present one.
    let mut depths: Vec<Vec<(u32, Move)>> = Vec::new();
    let mut steps = Vec::new();
    let mut members = vec![(*root, cost, Marks::default())];
    while !members.is_empty() {
        budget.look()?;
        let mut next: Vec<Member> = Vec::new();
        for (place, (node, cost, marks)) in members.iter().enumerate() {
            steps.clear();
            graph.steps(node, &mut steps);
            for step in &steps {
                let state = step.to.state();
                let kept = bounds.after(node.state(), marks, step);
                let cost = cost + step.cost;
                let bound = cost + bounds.base(state) + bounds.extra(&kept);
                let revealed = state.in_place_sum() < node.state().in_place_sum();
                if bound >= below
                    || !seen.insert(graph.pack(&step.to))
                    || revealed && blocking::is_dead(graph.game(), state, Lemmas::ALL, false)
                {
                    continue;
                }
                let (parent, made) = (place as u32, step.made);
                if graph.is_won(&step.to) {
                    below = cost;
                    best = Some((depths.len(), parent, made, cost));
                    continue;
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
        next.sort_by_key(promise);
        next.truncate(2 * width);
        next.retain_mut(|member| {
            let state = member.node.state();
            let possible = bounds.complete(state, &mut member.marks, u16::MAX).is_ok();
            member.bound = member.cost + bounds.base(state) + bounds.extra(&member.marks);
            possible && member.bound < below
        });
        next.sort_by_key(promise);
        next.truncate(width);
        depths.push(next.iter().map(|m| (m.parent, m.made)).collect());
        members = next
            .into_iter()
            .map(|member| (member.node, member.cost, member.marks))
            .collect();
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
