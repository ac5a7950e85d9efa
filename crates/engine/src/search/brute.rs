//! Brute force: the reference for the tests of all other searches.
//!
//! It makes the referee's moves one by one and stores whole states. It is for small decks and for
//! tests only.

use std::collections::{HashMap, HashSet, VecDeque};

use crate::search::{Limit, Limits, Outcome, Reason, Stats};
use klondike_game::card::Suit;
use klondike_game::rules::Redeals;
use klondike_game::table::{Move, Table, Undo};

/// Decides a position by trying everything.
#[must_use]
pub fn solve(table: &Table) -> Outcome {
    solve_within(table, &Limits::default()).0
}

/// Like [`solve`], within limits; the memory limit is not looked at.
#[must_use]
pub fn solve_within(table: &Table, limits: &Limits) -> (Outcome, Stats) {
    let mut stats = Stats::default();
    let mut table = table.clone();
    let mut visited = HashSet::from([whole_state(&table)]);
    let mut moves = vec![table.legal_moves()];
    let mut line: Vec<(Move, Undo)> = Vec::new();
    while let Some(left) = moves.last_mut() {
        if table.is_won() {
            let line = line.into_iter().map(|(made, _)| made).collect();
            stats.states = visited.len() as u64;
            return (Outcome::Found(line), stats);
        }
        let Some(next) = left.pop() else {
            moves.pop();
            if let Some((_, undo)) = line.pop() {
                table.undo(undo);
            }
            continue;
        };
        let undo = table.make(next).expect("a legal move of this state");
        stats.moves += 1;
        if visited.insert(whole_state(&table)) {
            let states = visited.len() as u64;
            let limit = if limits.max_states.is_some_and(|max| states > max) {
                Some(Limit::States)
            } else if states.is_multiple_of(1024) {
                limits.check_clock_and_flag()
            } else {
                None
            };
            if let Some(limit) = limit {
                stats.states = states;
                return (Outcome::Stopped(limit), stats);
            }
            line.push((next, undo));
            moves.push(table.legal_moves());
            stats.max_depth = stats.max_depth.max(line.len() as u64);
        } else {
            table.undo(undo);
        }
    }
    stats.states = visited.len() as u64;
    (Outcome::Exhausted(Reason::Searched), stats)
}

/// The least sum of the costs of the moves of a solution, each 0 or 1 as `cost` says; `None` if
/// there is no solution.
///
/// # Errors
/// If more than `most_states` states were met.
pub fn least_cost(
    table: &Table,
    most_states: usize,
    cost: impl Fn(Move) -> u16,
) -> Result<Option<u16>, Limit> {
    let mut known = HashMap::from([(whole_state(table), 0)]);
    let mut queue = VecDeque::from([(table.clone(), 0)]);
    while let Some((mut table, so_far)) = queue.pop_front() {
        if known[&whole_state(&table)] < so_far {
            continue;
        }
        if table.is_won() {
            return Ok(Some(so_far));
        }
        for made in table.legal_moves() {
            let cost = cost(made);
            let undo = table.make(made).expect("a legal move of this state");
            let entry = known.entry(whole_state(&table)).or_insert(u16::MAX);
            if so_far + cost < *entry {
                *entry = so_far + cost;
                if cost == 0 {
                    queue.push_front((table.clone(), so_far));
                } else {
                    queue.push_back((table.clone(), so_far + 1));
                }
            }
            table.undo(undo);
        }
        if known.len() > most_states {
            return Err(Limit::States);
        }
    }
    Ok(None)
}

/// The most cards that can be on the foundations at the same time.
///
/// # Errors
/// If more than `most_states` states were met.
pub fn best_score(table: &Table, most_states: usize) -> Result<u8, Limit> {
    let mut best = 0;
    let mut known = HashSet::from([whole_state(table)]);
    let mut open = vec![table.clone()];
    while let Some(mut table) = open.pop() {
        best = best.max(table.foundation_count() as u8);
        for made in table.legal_moves() {
            let undo = table.make(made).expect("a legal move of this state");
            if known.insert(whole_state(&table)) {
                open.push(table.clone());
            }
            table.undo(undo);
        }
        if known.len() > most_states {
            return Err(Limit::States);
        }
    }
    Ok(best)
}

/// The least cost of a line of play after which `score` cards are on the foundations; `None` if
/// there is no such line. `cost` gets each move and the number of cards that it turns up.
///
/// # Errors
/// If more than `most_states` states were met.
pub fn least_cost_of_score(
    table: &Table,
    score: u8,
    most_states: usize,
    cost: impl Fn(Move, u16) -> u16,
) -> Result<Option<u16>, Limit> {
    let face_down = |table: &Table| {
        let piles = table.piles().iter();
        piles.map(|pile| pile.face_down().len() as u16).sum::<u16>()
    };
    let mut known = HashMap::from([(whole_state(table), 0)]);
    let mut waiting = vec![vec![table.clone()]];
    let mut so_far = 0;
    while so_far < waiting.len() {
        let Some(mut table) = waiting[so_far].pop() else {
            so_far += 1;
            continue;
        };
        if known[&whole_state(&table)] < so_far {
            continue;
        }
        if table.foundation_count() == usize::from(score) {
            return Ok(Some(so_far as u16));
        }
        let down = face_down(&table);
        for made in table.legal_moves() {
            let undo = table.make(made).expect("a legal move of this state");
            let after = so_far + usize::from(cost(made, down - face_down(&table)));
            let entry = known.entry(whole_state(&table)).or_insert(usize::MAX);
            if after < *entry {
                *entry = after;
                if waiting.len() <= after {
                    waiting.resize_with(after + 1, Vec::new);
                }
                waiting[after].push(table.clone());
            }
            table.undo(undo);
        }
        if known.len() > most_states {
            return Err(Limit::States);
        }
    }
    Ok(None)
}

/// Everything that lies on the table, as bytes. The redeals used count only where they are limited.
fn whole_state(table: &Table) -> Vec<u8> {
    let mut bytes: Vec<u8> = Suit::ALL.map(|suit| table.foundation(suit)).to_vec();
    for pile in table.piles() {
        bytes.push(100);
        bytes.extend(pile.face_down().iter().map(|card| card.index() as u8));
        bytes.push(101);
        bytes.extend(pile.face_up().iter().map(|card| card.index() as u8));
    }
    bytes.push(102);
    bytes.extend(table.waste().iter().map(|card| card.index() as u8));
    bytes.push(103);
    bytes.extend(table.stock().map(|card| card.index() as u8));
    bytes.push(table.pending().map_or(u8::MAX, |pile| pile.get() as u8));
    if let Redeals::Limited(_) = table.rules().redeals() {
        bytes.extend(table.redeals_used().to_le_bytes());
    }
    bytes
}
