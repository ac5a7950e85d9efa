//! Good solutions soon: a search that goes on from the most promising nodes of each depth only.
//!
//! It proves nothing. What it finds bounds the search that does, or ends one that only wants to know
//! whether there is a win ([`win`]). What it stores is asked for like all memory of that search; where there is
//! not enough the beam ends early, and the search goes on.

use rustc_hash::FxHashSet;

use crate::kplus::{Game, Move, State};
use crate::prune::{Lemmas, blocking};
use crate::search::shortest::Count;
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

/// What is promising comes first: bound, the largest cost less the cost, and place.
type Rank = (u16, u16, u32);

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

/// What to look for.
pub(super) enum Goal<'s> {
    /// The best line with all cards up that costs less than this.
    Below(u16),
    /// Any line to a state that is won ([`Game::is_won`]), while at most so many nodes are met. Each is counted, in `states`
    /// and in the budget.
    Win { most: u64, states: &'s mut u64 },
}

/// About what a beam that looks for a win takes for each node of its width, rather more than less: the children of the nodes of a
/// depth, and the nodes seen.
pub(in crate::search) const BYTES: u64 = 16 * size_of::<Member>() as u64;

/// A line that wins from `state`, if a beam of this width that meets at most so many nodes finds one. `states` grows by
/// the nodes met, which are counted.
///
/// The line ends in a state for which [`Game::is_won`] holds. The beam ends early if memory runs out.
///
/// # Errors
/// The limit on states or time, or the stop flag.
pub(in crate::search) fn win(
    game: &Game,
    state: &State,
    (width, most): (usize, u64),
    budget: &mut Budget,
    states: &mut u64,
) -> Result<Option<Vec<Move>>, Limit> {
    let graph = Graph::new(game, Count::Cards);
    let bounds = Bounds::new(game, Count::Cards);
    let mut root = graph.straight(state);
    let mut before = Vec::new();
    let cost = graph.close(&mut root, Some(&mut before));
    if game.is_won(root.state()) {
        return Ok(Some(before));
    }
    let goal = Goal::Win { most, states };
    let found = search(&graph, &bounds, (&root, cost), width, goal, budget)?;
    Ok(found.map(|(steps, _)| graph.line(root, before, &steps)))
}

/// Looks for `goal` from a closed `root` that is reached at `cost`.
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
    mut goal: Goal<'_>,
    budget: &mut Budget,
) -> Result<Option<(Vec<Move>, u16)>, Limit> {
    let mut below = match goal {
        Goal::Below(below) => below,
        Goal::Win { .. } => u16::MAX,
    };
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
        if let Err(limit) = budget.check() {
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
                if let Goal::Win { most, states } = &mut goal {
                    if seen.nodes.len() as u64 > *most {
                        break 'depths Ok(());
                    }
                    if let Err(limit) = budget.count_state() {
                        break 'depths Err(limit);
                    }
                    **states += 1;
                }
                if revealed && blocking::is_dead(graph.game(), state, Lemmas::ALL, false) {
                    continue;
                }
                let (parent, made) = (place as u32, step.made);
                let won = match goal {
                    Goal::Below(_) => graph.is_won(&step.to),
                    Goal::Win { .. } => graph.game().is_won(state),
                };
                if won {
                    below = cost;
                    best = Some((depths.len(), parent, made, cost));
                    if matches!(goal, Goal::Win { .. }) {
                        break 'depths Ok(());
                    }
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
        // Places are sorted in place of the members, which are large.
        let places = (size_of::<Rank>() * next.len()) as u64;
        if let Err(limit) = budget.take_bytes(places) {
            break Err(limit);
        }
        let rank = |(place, member): (usize, &Member)| -> Rank {
            (member.bound, u16::MAX - member.cost, place as u32)
        };
        let mut ranks: Vec<Rank> = next.iter().enumerate().map(rank).collect();
        ranks.sort_unstable();
        ranks.truncate(2 * width);
        ranks.retain_mut(|(bound, _, place)| {
            let member = &mut next[*place as usize];
            let state = member.node.state();
            let possible = bounds.complete(state, &mut member.marks, u16::MAX).is_ok();
            *bound = member.cost + bounds.base(state) + bounds.extra(&member.marks);
            possible && *bound < below
        });
        ranks.sort_by_key(|&(bound, cost, _)| (bound, cost));
        ranks.truncate(width);
        let own = (ranks.len() * size_of::<(u32, Move)>()) as u64;
        if let Err(limit) = budget.take_bytes(own) {
            budget.give_bytes(places);
            break Err(limit);
        }
        taken += own;
        let chosen = |&(_, _, place): &Rank| &next[place as usize];
        depths.push(
            ranks
                .iter()
                .map(chosen)
                .map(|m| (m.parent, m.made))
                .collect(),
        );
        members.clear();
        if members.capacity() < ranks.len() {
            let bytes = (ranks.len() * size_of::<(Node, u16, Marks)>()) as u64;
            if let Err(limit) = budget.take_bytes(bytes) {
                budget.give_bytes(places);
                break Err(limit);
            }
            members.reserve_exact(ranks.len());
            budget.give_bytes(members_taken);
            members_taken = bytes;
        }
        let chosen = ranks.iter().map(chosen);
        members.extend(chosen.map(|member| (member.node, member.cost, member.marks)));
        next.clear();
        budget.give_bytes(places);
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
    use crate::deal::seed::{DealId, Scheme, Seed};
    use crate::kplus::moves;
    use crate::rules::Rules;
    use crate::search::Limits;
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
            let found = search(
                &graph,
                &bounds,
                (&root, 0),
                20,
                Goal::Below(1000),
                &mut budget,
            );
            assert!(found.is_ok());
            assert_eq!(budget.bytes, 0);
            budget.most_bytes()
        };
        let free = most(None);
        assert!(free > 20 * size_of::<Member>() as u64, "{free}");
        let limited = most(Some(free / 2));
        assert!(0 < limited && limited <= free / 2, "{limited} of {free}");
    }

    /// Lines found are legal and win, also from the middle of a game, where the arrangement is not known.
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
                    let mut budget = Budget::new(Limits::default());
                    let mut states = 0;
                    let line = win(&game, &root, (5, 10_000), &mut budget, &mut states).unwrap();
                    assert_eq!((budget.bytes, budget.states()), (0, states));
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
