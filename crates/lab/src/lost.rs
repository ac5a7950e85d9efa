//! The share of lost positions among those that can be reached: exactly where they are few, or by
//! random play.
//!
//! A position is a K+ state here: positions are one if they differ only in where free cards lie, or
//! have wastes of one class. `docs/analyse.md` says what the two numbers mean.

use std::sync::atomic::Ordering;

use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rustc_hash::FxHashMap;

use klondike_engine::prove::{Verdict, decide};
use klondike_engine::search::{Budget, Limit, Limits};
use klondike_game::table::Table;
use klondike_lemmas::kplus::realize::realize;
use klondike_lemmas::kplus::{Game, State, Unsupported, moves, talon};
use klondike_lemmas::prune::Lemmas;

/// How many positions can be reached, the first among them, and how many of them are lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Reached {
    /// Positions.
    pub positions: u64,
    /// Those from which the game cannot be won.
    pub lost: u64,
}

/// Positions after a number of random moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Walked {
    /// Moves made.
    pub moves: u32,
    /// Walks after which the game can be won.
    pub winnable: u64,
    /// Walks after which it cannot.
    pub lost: u64,
    /// Walks after which a limit hid it.
    pub undecided: u64,
}

/// Memory of a position in the index, which doubles when it grows, in bytes.
const INDEX_BYTES: u64 = 64;

/// Counts all positions that play can reach from the one on `table`, and those that are lost.
///
/// Nothing is pruned: every K+ move of every position is made.
///
/// # Errors
/// That the rules are outside what the K+ state with kings in empty piles covers; inside, the limit
/// that was hit.
pub fn count_reached(
    table: &Table,
    limits: &Limits,
) -> Result<Result<Reached, Limit>, Unsupported> {
    let game = Game::new(table)?;
    let mut budget = Budget::new(Limits {
        helpers: None,
        ..limits.clone()
    });
    Ok(count_within(&game, &mut budget))
}

fn count_within(game: &Game, budget: &mut Budget) -> Result<Reached, Limit> {
    let start = canonical(game, &game.start());
    let mut numbers = FxHashMap::default();
    let mut states = Vec::new();
    let mut steps: Vec<(u32, u32)> = Vec::new();
    budget.count_state()?;
    budget.take_bytes(INDEX_BYTES)?;
    budget.make_room(&mut states, 1)?;
    numbers.insert(start, 0);
    states.push(start);
    let mut from = 0;
    while let Some(&(key, waste)) = states.get(from) {
        let Some(state) = State::from_key(game, key, waste) else {
            unreachable!("the key of a state");
        };
        for made in moves::legal(game, &state).iter() {
            let next = canonical(game, &game.apply(&state, made));
            let to = match numbers.get(&next) {
                Some(&to) => to,
                None => {
                    let to = u32::try_from(states.len()).map_err(|_| Limit::Memory)?;
                    budget.count_state()?;
                    budget.take_bytes(INDEX_BYTES)?;
                    budget.make_room(&mut states, 1)?;
                    numbers.insert(next, to);
                    states.push(next);
                    to
                }
            };
            budget.make_room(&mut steps, 1)?;
            steps.push((to, from as u32));
        }
        from += 1;
    }
    // From the won positions back along all moves.
    steps.sort_unstable();
    budget.take_bytes(states.len() as u64)?;
    let mut winnable = vec![false; states.len()];
    let mut open = Vec::new();
    budget.take_bytes(8 * states.len() as u64)?;
    for (number, &(key, waste)) in states.iter().enumerate() {
        let up = State::from_key(game, key, waste).map(|state| state.on_foundations());
        if up == Some(game.cards()) {
            winnable[number] = true;
            open.push(number as u32);
        }
    }
    while let Some(to) = open.pop() {
        let first = steps.partition_point(|&(target, _)| target < to);
        for &(_, from) in steps[first..].iter().take_while(|step| step.0 == to) {
            if !std::mem::replace(&mut winnable[from as usize], true) {
                open.push(from);
            }
        }
    }
    Ok(Reached {
        positions: states.len() as u64,
        lost: winnable.iter().filter(|&&winnable| !winnable).count() as u64,
    })
}

/// What stands for a position: its key, and its waste where that makes a difference.
fn canonical(game: &Game, state: &State) -> (u64, u8) {
    (state.key(), talon::waste_class(game, state) as u8)
}

/// Plays `walks` random games from the position on `table` and decides them after each of these
/// numbers of moves, which must rise.
///
/// Each move is chosen among the legal K+ moves of the position, each with the same chance; where
/// there is none the walk stands still. The same seed gives the same walks.
///
/// What is lost stays lost, so a walk is decided from its end, and no further than needed.
///
/// # Errors
/// That the rules are outside what the K+ state with kings in empty piles covers.
///
/// # Panics
/// If the referee refuses a move or a solution, which would be an error in this crate.
pub fn walk(
    table: &Table,
    walks: u32,
    after: &[u32],
    seed: u64,
    limits: &dyn Fn() -> Limits,
) -> Result<Vec<Walked>, Unsupported> {
    let game = Game::new(table)?;
    let mut counts: Vec<Walked> = after
        .iter()
        .map(|&moves| Walked {
            moves,
            ..Walked::default()
        })
        .collect();
    let mut seeds = ChaCha8Rng::seed_from_u64(seed);
    let stop = limits().stop.unwrap_or_default();
    for _ in 0..walks {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let mut random = ChaCha8Rng::seed_from_u64(seeds.random());
        let mut line = Vec::new();
        let mut lengths = Vec::new();
        let mut state = game.start();
        for number in 0..=after.last().copied().unwrap_or(0) {
            if after.contains(&number) {
                lengths.push(line.len());
            }
            let legal: Vec<_> = moves::legal(&game, &state).iter().collect();
            if let Some(&made) = legal.choose(&mut random) {
                state = game.apply(&state, made);
                line.push(made);
            }
        }
        let mut winnable = false;
        for (count, &length) in counts.iter_mut().zip(&lengths).rev() {
            if !winnable {
                let there = position(table, &line[..length]);
                let decision = decide(&there, Lemmas::ALL, &limits());
                match decision.expect("the referee accepts the solution").verdict {
                    Verdict::Winnable(_) => winnable = true,
                    Verdict::Unwinnable(_) => count.lost += 1,
                    Verdict::Undecided(_) => count.undecided += 1,
                }
            }
            count.winnable += u64::from(winnable);
        }
    }
    Ok(counts)
}

fn position(table: &Table, line: &[klondike_lemmas::kplus::Move]) -> Table {
    let mut after = table.clone();
    for made in realize(table, line).expect("a line of legal moves") {
        after.make(made).expect("a legal move");
    }
    after
}
