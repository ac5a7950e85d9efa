//! Limited redeals: depth-first search over K+ states with the exact waste and the redeals left.
//!
//! The K+ state is that of the same position with unlimited redeals. This search counts every
//! redeal, and leaves out moves that need more redeals than are left. A state is dead if it cannot
//! be won with unlimited redeals, or at draw 1, or in the relaxation with the passes that are left.
//! `docs/proofs.md`, section 21, has the proofs.

use super::depth_first::shuffle;
use super::draw_one::DrawOne;
use super::shortest::graph::draws_to_card;
use super::shortest::line;
use super::shortest::relax::Relaxation;
use super::visited::KeyTable;
use super::{Budget, Job, Limit, Limits, Outcome, Reason, Stats};
use crate::kplus::{Game, Move, State, Unsupported, moves, talon};
use crate::prune::{Lemma, Lemmas, blocking, draw1_oracle, fewer_redeals};
use crate::prune::{safe_foundation, safe_stays};
use klondike_game::card::Card;
use klondike_game::rules::{Redeals, Runs};
use klondike_game::table::{Move as TableMove, Table};

/// Short searches in shuffled orders before the full one: how many, and their most states.
const PROBES: [(u32, u64); 2] = [(6, 300), (4, 3000)];

/// A game with limited redeals, from one position.
#[derive(Debug)]
pub struct Passes {
    table: Table,
    /// The same position with unlimited redeals.
    pub(super) game: Game,
    pub(super) redeals: u8,
}

#[derive(Clone, Copy, Debug)]
struct Frame {
    state: State,
    left: u8,
    next: u32,
    end: u32,
}

/// Where each state was visited with the most redeals left.
///
/// A key holds the state with its waste; the redeals left are the value, with a table for each
/// seven of them. Without lemma `fewer-redeals` each number of redeals has a table of its own.
#[derive(Debug)]
pub(super) struct Visited {
    tables: Vec<KeyTable<3>>,
    fewer_redeals: bool,
}

const PER_TABLE: u8 = 7;

struct Search<'j, 'g> {
    job: &'j mut Job<'g>,
    visited: Visited,
    oracle: DrawOne,
    frames: Vec<Frame>,
    moves: Vec<Move>,
    path: Vec<Move>,
    /// Number of the probe, 0 for the natural order of moves.
    order: u64,
    /// States that this probe may still visit.
    left: u64,
}

enum Ended {
    Won,
    Exhausted,
    OutOfStates,
}

impl Passes {
    /// The game on `table`, whose rules limit the redeals.
    ///
    /// # Errors
    /// If the other rules, or the size of the game, are outside what the K+ state covers.
    pub fn new(table: &Table) -> Result<Passes, Unsupported> {
        let Redeals::Limited(limit) = table.rules().redeals() else {
            return Err(Unsupported::Redeals);
        };
        let left = limit.saturating_sub(table.redeals_used());
        if table.rules().runs() != Runs::Partial {
            return Err(Unsupported::Runs);
        }
        let relaxed = table.relaxed().ok_or(Unsupported::Spaces)?;
        let game = Game::deciding(&relaxed)?;
        // A pass in which no talon card is played changes nothing, so more redeals than talon
        // cards are never needed.
        let redeals = left.min(game.talon().len() as u32) as u8;
        Ok(Passes {
            table: table.clone(),
            game,
            redeals,
        })
    }

    /// Decides the game. A line found is one of moves at the table, to the end.
    ///
    /// The reason of a loss is always [`Reason::Searched`]: what the relaxation shows is a loss of
    /// the game with unlimited redeals.
    #[must_use]
    pub fn solve(&self, lemmas: Lemmas, limits: &Limits) -> (Outcome<TableMove>, Stats) {
        let mut job = Job::new(&self.game, lemmas, limits.clone());
        let outcome = self.search(&mut job);
        (outcome, job.finish())
    }

    fn search(&self, job: &mut Job<'_>) -> Outcome<TableMove> {
        let (root, lemmas) = (self.game.start(), job.lemmas);
        if lemmas.has(Lemma::Relaxation) && blocking::is_refuted(&self.game, &root, lemmas) {
            job.stats.dead_ends += 1;
            return Outcome::Exhausted(Reason::Searched);
        }
        let mut search = Search {
            job,
            visited: Visited::new(lemmas),
            oracle: DrawOne::new(),
            frames: Vec::new(),
            moves: Vec::new(),
            path: Vec::new(),
            order: 0,
            left: 0,
        };
        for (order, states) in super::probes(&PROBES).enumerate() {
            // The last search tries moves in their natural order again.
            search.order = if states == u64::MAX { 0 } else { order as u64 };
            search.left = states;
            match search.run(root, self.redeals) {
                Ok(Ended::Won) => {
                    let line = line::realize(&self.table, &search.path)
                        .expect("each move of the line was legal");
                    return Outcome::Found(line);
                }
                Ok(Ended::Exhausted) => return Outcome::Exhausted(Reason::Searched),
                Ok(Ended::OutOfStates) => {}
                Err(limit) => return Outcome::Stopped(limit),
            }
        }
        unreachable!("the last search has no bound")
    }
}

impl Visited {
    pub(super) fn new(lemmas: Lemmas) -> Visited {
        Visited {
            tables: Vec::new(),
            fewer_redeals: fewer_redeals::is_on(lemmas),
        }
    }

    fn clear(&mut self) {
        for table in &mut self.tables {
            table.clear();
        }
    }

    /// Notes a visit; returns whether no earlier visit makes it needless.
    pub(super) fn visit(&mut self, key: u64, left: u8, budget: &mut Budget) -> Result<bool, Limit> {
        let per_table = if self.fewer_redeals { PER_TABLE } else { 1 };
        let (own, rest) = (usize::from(left / per_table), u16::from(left % per_table));
        while self.tables.len() <= own {
            self.tables.push(KeyTable::new());
        }
        let more = &self.tables[own + 1..];
        if self.fewer_redeals && more.iter().any(|table| table.find(key).value.is_some()) {
            return Ok(false);
        }
        let table = &mut self.tables[own];
        let slot = table.find(key);
        if slot.value.is_some_and(|most| most >= rest) {
            return Ok(false);
        }
        budget.count_state()?;
        table.set(slot, key, rest, budget)?;
        Ok(true)
    }
}

impl Search<'_, '_> {
    fn run(&mut self, root: State, left: u8) -> Result<Ended, Limit> {
        self.frames.clear();
        self.moves.clear();
        self.path.clear();
        self.visited.clear();
        if self.enter(root, left, true, true)? {
            return Ok(Ended::Won);
        }
        while let Some(frame) = self.frames.last_mut() {
            if frame.next == frame.end {
                self.frames.pop();
                let keep = self.frames.last().map_or(0, |frame| frame.end);
                self.moves.truncate(keep as usize);
                continue;
            }
            if self.left == 0 {
                return Ok(Ended::OutOfStates);
            }
            let made = self.moves[frame.next as usize];
            frame.next += 1;
            let (state, mut left) = (frame.state, frame.left);
            self.path.truncate(self.frames.len() - 1);
            self.path.push(made);
            if made.is_draw() {
                left -= redeals_to(self.job.game, &state, made.card()).unwrap_or(0);
            }
            let next = self.job.game.apply(&state, made);
            let revealed = next.in_place_sum() < state.in_place_sum();
            if self.enter(next, left, revealed, made.is_draw())? {
                return Ok(Ended::Won);
            }
        }
        Ok(Ended::Exhausted)
    }

    /// Enters a state; returns whether it is won.
    fn enter(&mut self, state: State, left: u8, revealed: bool, drew: bool) -> Result<bool, Limit> {
        let game = self.job.game;
        if state.all_up() {
            return Ok(true);
        }
        let talon_len = state.talon_len() as u8;
        let left = left.min(talon_len);
        let key = state.key_with_waste(game);
        if !self.visited.visit(key, left, &mut self.job.budget)? {
            return Ok(false);
        }
        self.job.stats.states += 1;
        self.left -= 1;
        if self.job.lemmas.has(Lemma::Relaxation) && (revealed || drew) {
            let dead = revealed && blocking::is_dead(game, &state, self.job.lemmas, true)
                || !Relaxation::new(game, &state).wins_within(usize::from(left));
            if dead {
                self.job.stats.dead_ends += 1;
                return Ok(false);
            }
        }
        if (revealed || drew)
            && draw1_oracle::asks_with_limited_redeals(self.job.lemmas)
            && !self.oracle.is_alive(self.job, &state)?
        {
            self.job.stats.dead_by_oracle += 1;
            return Ok(false);
        }
        let start = self.moves.len();
        self.job
            .budget
            .make_room(&mut self.moves, 2 * Card::COUNT)?;
        self.job.budget.make_room(&mut self.frames, 1)?;
        self.push_moves(&state, left);
        if self.moves.len() > start {
            self.frames.push(Frame {
                state,
                left,
                next: start as u32,
                end: self.moves.len() as u32,
            });
        }
        Ok(false)
    }

    fn push_moves(&mut self, state: &State, left: u8) {
        let (game, lemmas) = (self.job.game, self.job.lemmas);
        let mut sets = moves::legal(game, state);
        let len = state.talon_len();
        // A draw that is made already, and takes no other draw away.
        let on_top = |card| {
            let place = talon::place_left(game, state, card);
            place + 1 == state.waste() && (game.draw_count() == 1 || place + 1 == len)
        };
        if let Some(made) = safe_foundation::forced(game, lemmas, state, &sets, on_top) {
            self.moves.push(made);
            return;
        }
        safe_stays::restrict(game, lemmas, state, &mut sets);
        let start = self.moves.len();
        self.moves.extend(sets.reveal.map(Move::Reveal));
        self.moves.extend(sets.stack.map(Move::Stack));
        // What needs no redeal comes first.
        for redeals in 0..=u8::from(left > 0) {
            for card in sets.draw_to_foundation | sets.draw_to_tableau {
                if redeals_to(game, state, card) != Some(redeals) {
                    continue;
                }
                if sets.draw_to_foundation.contains(card) {
                    self.moves.push(Move::DrawToFoundation(card));
                }
                if sets.draw_to_tableau.contains(card) {
                    self.moves.push(Move::DrawToTableau(card));
                }
            }
        }
        self.moves.extend(sets.worry_back.map(Move::WorryBack));
        if self.order > 0 {
            let later = |card| redeals_to(game, state, card).unwrap_or(0);
            shuffle(&mut self.moves[start..], self.order, state.key(game), later);
        }
    }
}

/// Redeals that it takes to play a talon card: 0, 1, or none if it cannot be reached.
pub(super) fn redeals_to(game: &Game, state: &State, card: Card) -> Option<u8> {
    draws_to_card(game, state, card).map(|drawn| drawn.redeals as u8)
}
