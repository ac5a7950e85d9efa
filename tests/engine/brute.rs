//! Brute force for lines: fewest moves and best scores by trying everything. For tiny decks.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

use klondike_engine::search::Limit;
use klondike_game::rules::Redeals;
use klondike_game::table::{Move, Table, TableParts};

/// The position without the redeals used, which do not matter where redeals are unlimited.
fn state(table: Table) -> Table {
    if table.redeals_used() == 0 || table.rules().redeals() != Redeals::Unlimited {
        return table;
    }
    let parts = TableParts {
        redeals_used: 0,
        ..table.to_parts()
    };
    Table::from_parts(Arc::clone(table.rules()), parts).unwrap()
}

/// All moves of a position and the positions after them.
fn after_moves(table: &Table) -> impl Iterator<Item = (Move, Table)> {
    table.legal_moves().into_iter().map(|made| {
        let mut after = table.clone();
        after.make(made).unwrap();
        (made, state(after))
    })
}

/// The least sum of the costs of the moves of a solution, each 0 or 1 as `cost` says; `None` if
/// there is no solution. An error if more than `most_states` states are met.
pub(crate) fn least_cost(
    table: &Table,
    most_states: usize,
    cost: impl Fn(Move) -> u16,
) -> Result<Option<u16>, Limit> {
    let start = state(table.clone());
    let mut known = HashMap::from([(start.clone(), 0)]);
    let mut queue = VecDeque::from([(start, 0)]);
    while let Some((table, so_far)) = queue.pop_front() {
        if known[&table] < so_far {
            continue;
        }
        if table.is_won() {
            return Ok(Some(so_far));
        }
        for (made, after) in after_moves(&table) {
            let cost = cost(made);
            let entry = known.entry(after.clone()).or_insert(u16::MAX);
            if so_far + cost < *entry {
                *entry = so_far + cost;
                if cost == 0 {
                    queue.push_front((after, so_far));
                } else {
                    queue.push_back((after, so_far + 1));
                }
            }
        }
        if known.len() > most_states {
            return Err(Limit::States);
        }
    }
    Ok(None)
}

/// The most cards that can be on the foundations at the same time. An error if more than
/// `most_states` states are met.
pub(crate) fn best_score(table: &Table, most_states: usize) -> Result<u8, Limit> {
    let mut best = 0;
    let start = state(table.clone());
    let mut known = HashSet::from([start.clone()]);
    let mut open = vec![start];
    while let Some(table) = open.pop() {
        best = best.max(table.foundation_count() as u8);
        for (_, after) in after_moves(&table) {
            if known.insert(after.clone()) {
                open.push(after);
            }
        }
        if known.len() > most_states {
            return Err(Limit::States);
        }
    }
    Ok(best)
}

/// The least cost of a line of play after which `score` cards are on the foundations; `None` if
/// there is no such line. `cost` gets each move and the number of cards that it turns up. An error
/// if more than `most_states` states are met.
pub(crate) fn least_cost_of_score(
    table: &Table,
    score: u8,
    most_states: usize,
    cost: impl Fn(Move, u16) -> u16,
) -> Result<Option<u16>, Limit> {
    let face_down = |table: &Table| {
        let piles = table.piles().iter();
        piles.map(|pile| pile.face_down().len() as u16).sum::<u16>()
    };
    let start = state(table.clone());
    let mut known = HashMap::from([(start.clone(), 0)]);
    let mut waiting = vec![vec![start]];
    let mut so_far = 0;
    while so_far < waiting.len() {
        let Some(table) = waiting[so_far].pop() else {
            so_far += 1;
            continue;
        };
        if known[&table] < so_far {
            continue;
        }
        if table.foundation_count() == usize::from(score) {
            return Ok(Some(so_far as u16));
        }
        let down = face_down(&table);
        for (made, next) in after_moves(&table) {
            let after = so_far + usize::from(cost(made, down - face_down(&next)));
            let entry = known.entry(next.clone()).or_insert(usize::MAX);
            if after < *entry {
                *entry = after;
                if waiting.len() <= after {
                    waiting.resize_with(after + 1, Vec::new);
                }
                waiting[after].push(next);
            }
        }
        if known.len() > most_states {
            return Err(Limit::States);
        }
    }
    Ok(None)
}
