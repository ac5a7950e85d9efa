//! Limited redeals: depth-first search over K+ states with the exact waste and the redeals left.
//!
//! The K+ state is that of the same position with unlimited redeals. This search counts every
//! redeal, and leaves out moves that need more redeals than are left. A state is dead if it cannot
//! be won with unlimited redeals, or at draw 1, or in the relaxation with the passes that are left.
//! `docs/shortest.md`, section 7, has the proofs.

use super::draw_one::{DrawOne, safe_after_coming_back};
use super::shortest::graph::draws_to_card;
use super::shortest::line;
use super::shortest::relax::Relaxation;
use super::visited::KeyTable;
use super::{Budget, Job, Limit, Limits, Outcome, Reason, Stats};
use crate::kplus::{Game, Move, State, Unsupported, moves, talon};
use crate::prune::{Lemma, Lemmas, blocking, dominance};
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
/// seven of them.
#[derive(Debug, Default)]
pub(super) struct Visited {
    tables: Vec<KeyTable<3>>,
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
        let root = self.game.start();
        if job.lemmas.has(Lemma::Relaxation) && blocking::is_refuted(&self.game, &root, job.lemmas)
        {
            job.stats.dead_ends += 1;
            return Outcome::Exhausted(Reason::Searched);
        }
        let mut search = Search {
            job,
            visited: Visited::default(),
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
    fn clear(&mut self) {
        for table in &mut self.tables {
            table.clear();
        }
    }

    /// Notes a visit; returns whether no earlier visit had as many redeals left.
    pub(super) fn visit(&mut self, key: u64, left: u8, budget: &mut Budget) -> Result<bool, Limit> {
        let (own, rest) = (usize::from(left / PER_TABLE), u16::from(left % PER_TABLE));
        while self.tables.len() <= own {
            self.tables.push(KeyTable::new());
        }
        for table in &self.tables[own + 1..] {
            if table.find(key).value.is_some() {
                return Ok(false);
            }
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
            && self.job.lemmas.has(Lemma::WeakerRules)
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
        let game = self.job.game;
        let sets = moves::legal(game, state);
        let safe = dominance::safe(game, state);
        let (safe_up, safe_stays) = (
            self.job.lemmas.has(Lemma::SafeFoundation),
            self.job.lemmas.has(Lemma::SafeStays),
        );
        if safe_up {
            if let Some(card) = (sets.stack & safe).first() {
                self.moves.push(Move::Stack(card));
                return;
            }
            let len = state.talon_len();
            let mut top = (sets.draw_to_foundation & safe).filter(|&card| {
                let place = talon::place_left(game, state, card);
                place + 1 == state.waste() && (game.draw_count() == 1 || place + 1 == len)
            });
            if let Some(card) = top.next() {
                self.moves.push(Move::DrawToFoundation(card));
                return;
            }
        }
        let start = self.moves.len();
        self.moves.extend(sets.reveal.map(Move::Reveal));
        self.moves.extend(sets.stack.map(Move::Stack));
        // What needs no redeal comes first.
        for redeals in 0..=u8::from(left > 0) {
            for card in sets.draw_to_foundation | sets.draw_to_tableau {
                if redeals_to(game, state, card) != Some(redeals) {
                    continue;
                }
                let up = sets.draw_to_foundation.contains(card);
                if up {
                    self.moves.push(Move::DrawToFoundation(card));
                }
                let useless = safe_stays && up && safe.contains(card);
                if sets.draw_to_tableau.contains(card) && !useless {
                    self.moves.push(Move::DrawToTableau(card));
                }
            }
        }
        self.moves.extend(
            sets.worry_back
                .filter(|&card| !(safe_stays && safe_after_coming_back(game, state, card)))
                .map(Move::WorryBack),
        );
        if self.order > 0 {
            shuffle(game, state, self.order, &mut self.moves[start..]);
        }
    }
}

/// Shuffles moves by a hash of order and state, those that need a redeal after the other draws.
fn shuffle(game: &Game, state: &State, order: u64, moves: &mut [Move]) {
    let seed = (order ^ state.key(game).wrapping_mul(0xBF58_476D_1CE4_E5B9))
        .wrapping_mul(0x9E37_79B9_7F4A_7C15);
    moves.sort_by_cached_key(|made| {
        let card = made.card();
        let kind = match made {
            Move::Reveal(_) => 0,
            Move::Stack(_) => 1,
            Move::DrawToTableau(_) | Move::DrawToFoundation(_) => {
                2 + redeals_to(game, state, card).unwrap_or(0)
            }
            Move::WorryBack(_) => 4,
        };
        let hash = (seed ^ seed >> 29).wrapping_mul(2 * card.index() as u64 + 3) >> 33;
        (kind, hash)
    });
}

/// Redeals that it takes to play a talon card: 0, 1, or none if it cannot be reached.
pub(super) fn redeals_to(game: &Game, state: &State, card: Card) -> Option<u8> {
    draws_to_card(game, state, card).map(|drawn| drawn.redeals as u8)
}
