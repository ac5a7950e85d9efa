//! Brute force: the reference for the tests of all other searches.
//!
//! It makes the referee's moves one by one and stores whole states. It is for small decks and for
//! tests only.

use std::collections::HashSet;

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
            let checked = if limits.max_states.is_some_and(|max| states > max) {
                Err(Limit::States)
            } else if states.is_multiple_of(1024) {
                limits.check_clock_and_flag()
            } else {
                Ok(())
            };
            if let Err(limit) = checked {
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
    bytes.push(table.in_last_pass().into());
    bytes.push(table.pending().map_or(u8::MAX, |pile| pile.get() as u8));
    if let Redeals::Limited(_) = table.rules().redeals() {
        bytes.extend(table.redeals_used().to_le_bytes());
    }
    bytes
}
