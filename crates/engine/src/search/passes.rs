//! Limited redeals, and a last pass by ones: depth-first search over K+ states with the exact waste
//! and the redeals left.
//!
//! The K+ state is that of the same position with unlimited redeals. This search counts every
//! redeal, and leaves out moves that need more redeals than are left. A state is dead if it cannot
//! be won with unlimited redeals, or at draw 1, or in the relaxation with the passes that are left.
//!
//! With a last pass by ones the K+ state is that of draw 1, and one redeal is left until that pass
//! begins: it is what a talon card takes that is not reached before. In the last pass the game is
//! that of draw 1 without a redeal.
//!
//! `docs/proofs/limited-redeals.md` has the proofs.

use std::sync::{Arc, Mutex};

use super::beams::Pauses;
use super::draw_one::DrawOne;
use super::kernel::{Arrival, Ended, Entered, Shared, Space, Stack, Task};
use super::order::{Draws, promising, shuffle};
use super::seen_redeals::SeenRedeals;
use super::shortest::graph::{draws_to, draws_to_card, redeals_left};
use super::shortest::line;
use super::shortest::relax::Relaxation;
use super::threads::{SearchThreads, SharedBudget, lock};
use super::{Job, Limit, Limits, Outcome, Reason, Stats};
use klondike_game::card::Card;
use klondike_game::rules::{Parameters, Redeals, Runs};
use klondike_game::table::{Move as TableMove, Table};
use klondike_lemmas::kplus::{Game, Move, State, Unsupported, talon};
use klondike_lemmas::prune::{Lemmas, blocking, offer};

/// Short searches in shuffled orders before the full one: how many, and their most states.
const PROBES: [(u32, u64); 4] = [(6, 300), (4, 3000), (4, 30_000), (4, 300_000)];

/// A game with limited redeals or a last pass by ones, from one position.
#[derive(Debug)]
pub struct Passes {
    table: Table,
    /// The move that ended a double move before this position.
    forced: Option<TableMove>,
    /// The same position with unlimited redeals, in draw 1 if there may be a last pass.
    game: Game,
    /// Redeals left; with a last pass by ones 1 before it and 0 in it.
    redeals: u8,
    /// The draw count before the last pass by ones, if there may be one.
    draw_before: Option<u8>,
}

/// A search whose contexts are the redeals left.
struct PassesSearch<'j, 'g> {
    job: &'j mut Job<'g>,
    /// As in [`Passes`].
    draw_before: Option<u8>,
    visited: SeenRedeals,
    oracle: DrawOne,
    /// Number of the probe; 0 for promising moves first, which the last search has again.
    order: u64,
}

impl Passes {
    /// The game on `table`, whose rules limit the redeals or have a last pass by ones.
    ///
    /// # Errors
    /// If the other rules, or the size of the game, are outside what the K+ state covers.
    pub fn new(table: &Table) -> Result<Passes, Unsupported> {
        let Parameters {
            redeals,
            runs,
            draw_count,
            reversed_groups,
            // Of these `Game::deciding` says whether the K+ state covers them.
            deck: _,
            layout: _,
            worrying_back: _,
            spaces: _,
        } = table.rules().parameters();
        if reversed_groups {
            return Err(Unsupported::ReversedGroups);
        }
        let (redeals, draw_before) = match (redeals, redeals_left(table)) {
            (Redeals::LastPassByOnes, _) => (u8::from(!table.in_last_pass()), Some(draw_count)),
            (_, Some(left)) => (left, None),
            (_, None) => return Err(Unsupported::Redeals),
        };
        if runs == Runs::Whole {
            return Err(Unsupported::Runs);
        }
        let mut table = table.clone();
        // The only legal move in the middle of a double move.
        let forced = table
            .pending()
            .map(|from| TableMove::PileToFoundation { from });
        if let Some(forced) = forced {
            table.make(forced).expect("a pending double move is legal");
        }
        let game = Game::deciding(&table.relaxed())?;
        Ok(Passes {
            table,
            forced,
            game,
            redeals,
            draw_before,
        })
    }

    /// The same position with unlimited redeals, a double move under way made.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// The redeals left, but never more than there are cards in the talon.
    #[must_use]
    pub fn redeals(&self) -> u8 {
        self.redeals
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

    pub(super) fn search(&self, job: &mut Job<'_>) -> Outcome<TableMove> {
        let (root, lemmas) = (self.game.start(), job.lemmas);
        if blocking::is_on(lemmas) && blocking::is_refuted(&self.game, &root, lemmas) {
            job.stats.dead_ends += 1;
            return Outcome::Exhausted(Reason::Searched);
        }
        let mut search = PassesSearch {
            job,
            draw_before: self.draw_before,
            visited: SeenRedeals::new(lemmas),
            oracle: DrawOne::new(),
            order: 0,
        };
        let mut stack = Stack::default();
        let alone = !search.job.budget.wants_help_at_once();
        let probes = search.job.probes(&PROBES).enumerate();
        for (order, states) in probes.filter(|&(_, states)| alone || states == u64::MAX) {
            let first = Arrival::root(&root, self.redeals);
            let ended = if states == u64::MAX {
                // Promising moves first, as in the first probe.
                search.order = 0;
                stack.pauses = Pauses::new(&[], search.job.budget.states_alone());
                stack.run_with_help(&mut search, first)
            } else {
                search.order = order as u64;
                stack.pauses = Pauses::new(&[], states);
                stack.run_in_row(&mut search, first)
            };
            match ended {
                Ok(Ended::Won) => {
                    let line = line::realize(&self.table, stack.path())
                        .expect("each move of the line was legal");
                    return Outcome::Found(self.forced.into_iter().chain(line).collect());
                }
                Ok(Ended::Exhausted) => return Outcome::Exhausted(Reason::Searched),
                Ok(Ended::OutOfStates) => {}
                Err(limit) => return Outcome::Stopped(limit),
            }
        }
        unreachable!("the last search has no bound")
    }
}

impl PassesSearch<'_, '_> {
    /// The draw count before the last pass by ones, if so many redeals left say that it has not
    /// begun.
    fn before_last_pass(&self, left: u8) -> Option<usize> {
        self.draw_before.filter(|_| left > 0).map(usize::from)
    }

    /// What a move that can be made takes: a redeal, or the last pass by ones.
    fn cost(&self, from: &State, left: u8, made: Move) -> u8 {
        let game = self.job.game;
        let Some(draw_count) = self.before_last_pass(left).filter(|_| made.is_draw()) else {
            return redeals_for(game, from, made);
        };
        let place = talon::place_left(game, from, made.card());
        let reached = draws_to(draw_count, from.talon_len(), from.waste(), place);
        u8::from(reached.is_none())
    }
}

impl<'g> Space<'g> for PassesSearch<'_, 'g> {
    type Context = u8;

    #[inline]
    fn job(&mut self) -> &mut Job<'g> {
        self.job
    }

    #[inline]
    fn after(&self, from: &State, left: u8, made: Move, _: &[Move]) -> u8 {
        left - self.cost(from, left, made)
    }

    #[inline]
    fn close(&mut self, at: &mut Arrival<u8>, _: &mut Vec<Move>) {
        at.context = at.context.min(at.state.talon_len() as u8);
    }

    #[inline]
    fn is_won(&mut self, state: &State) -> bool {
        state.all_up()
    }

    fn visit(&mut self, at: &Arrival<u8>) -> Result<Entered, Limit> {
        let key = at.state.key_with_waste();
        if !self.visited.visit(key, at.context, &mut self.job.budget)? {
            return Ok(Entered::Left);
        }
        self.job.stats.states += 1;
        Ok(Entered::Open)
    }

    fn is_dead(&mut self, at: &Arrival<u8>) -> Result<bool, Limit> {
        let (game, lemmas, state) = (self.job.game, self.job.lemmas, &at.state);
        if !at.revealed && !at.drew {
            return Ok(false);
        }
        if blocking::is_on(lemmas)
            && (at.revealed && blocking::is_dead(game, state, lemmas, true)
                || self.before_last_pass(at.context).is_none()
                    && !Relaxation::new(game, state).wins_within(usize::from(at.context)))
        {
            self.job.stats.dead_ends += 1;
            return Ok(true);
        }
        self.oracle.refutes(self.job, state)
    }

    fn offer(&mut self, at: &mut Arrival<u8>, into: &mut Vec<Move>) -> Result<(), Limit> {
        let (game, lemmas) = (self.job.game, self.job.lemmas);
        match self.before_last_pass(at.context) {
            Some(_) => offer::push_before_last_pass(game, lemmas, &at.state, into),
            None => push(game, lemmas, &at.state, at.context, into),
        }
        Ok(())
    }

    fn store_again(&mut self, state: &State, left: u8) -> Result<(), Limit> {
        let key = state.key_with_waste();
        self.visited.visit_again(key, left);
        Ok(())
    }

    fn arrange(&mut self, at: &Arrival<u8>, moves: &mut [Move]) {
        let (game, state) = (self.job.game, &at.state);
        if self.order == 0 {
            promising(game, state, moves, Draws::Near);
        } else {
            let redeals = |made| self.cost(state, at.context, made);
            shuffle(moves, self.order, state.key(), redeals);
        }
        if self.before_last_pass(at.context).is_some() {
            // The last pass last, which nothing takes back.
            moves.sort_by_key(|&made| self.cost(state, at.context, made));
        }
    }
}

impl<'g> Shared<'g> for PassesSearch<'_, 'g> {
    type Start = (SeenRedeals, DrawOne, Option<u8>);

    fn share(&mut self, pool: &Arc<SharedBudget>) -> Option<Self::Start> {
        let (known, budget) = (self.oracle.known_states(), &mut self.job.budget);
        known.share(|_| true, pool, budget).ok()?;
        self.visited.share(pool, budget).ok()?;
        let (visited, oracle) = (self.visited.for_helper(), self.oracle.for_helper());
        Some((visited, oracle, self.draw_before))
    }

    fn help(
        start: &Mutex<Self::Start>,
        job: &mut Job<'g>,
        workers: &SearchThreads<Task<u8>>,
    ) -> Vec<u64> {
        let start = lock(start);
        let mut search = PassesSearch {
            job,
            draw_before: start.2,
            visited: start.0.for_helper(),
            oracle: start.1.for_helper(),
            order: 0,
        };
        drop(start);
        Stack::default().work(&mut search, workers);
        Vec::new()
    }
}

/// Appends the moves to try with so many redeals left: a safe card alone, or else all that matter.
pub(super) fn push(game: &Game, lemmas: Lemmas, state: &State, left: u8, into: &mut Vec<Move>) {
    let within = |card| is_within(game, state, card, left);
    offer::push_with_redeals(game, lemmas, state, within, into);
}

/// Whether so many redeals are enough to play a talon card.
pub(super) fn is_within(game: &Game, state: &State, card: Card, left: u8) -> bool {
    redeals_to(game, state, card).is_some_and(|redeals| redeals <= left)
}

/// Redeals that it takes to play a talon card: 0, 1, or none if it cannot be reached.
fn redeals_to(game: &Game, state: &State, card: Card) -> Option<u8> {
    draws_to_card(game, state, card).map(|drawn| drawn.redeals as u8)
}

/// Redeals that a move that can be made takes.
pub(super) fn redeals_for(game: &Game, state: &State, made: Move) -> u8 {
    match made.is_draw() {
        true => redeals_to(game, state, made.card()).unwrap_or(0),
        false => 0,
    }
}
