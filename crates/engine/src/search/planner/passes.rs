//! Worlds with limited redeals: the search of [`passes`](crate::search::passes) with a budget, and
//! what such a world remembers.
//!
//! A fact is about a state with its exact waste and a number of redeals left. By lemma
//! `fewer-redeals` a state that is dead is dead with fewer redeals, too, and one that is alive is
//! alive with more. Safe cards of the tableau go up at once (`docs/proofs/limited-redeals.md`,
//! section 21.3); what may be remembered as dead, and when such a game is won, say section 14.1 of
//! `docs/proofs/limits.md` and 21.6.

use super::memory::{Fact, Memory, found, rank};
use super::{Answer, Line, Planner, When, World};
use crate::search::kernel::{Arrival, Ended, Entered, Space, Stack};
use crate::search::order::{Draws, promising};
use crate::search::passes::{push, redeals_for};
use crate::search::seen_redeals::{FactsByRedeals, SeenRedeals};
use crate::search::shortest::relax::Relaxation;
use crate::search::{Job, Limit, Limits};
use klondike_lemmas::kplus::{Game, Move, State, Unsupported};
use klondike_lemmas::prune::{blocking, offer};

/// What is kept from call to call.
#[derive(Debug, Default)]
pub(super) struct Buffers {
    stack: Stack<(u8, bool)>,
    visited: Option<SeenRedeals>,
}

/// Most talon cards: the size of the waste has five bits in a key.
const MOST_TALON: usize = 31;

impl World {
    /// As [`World::new`], for a game with at most so many redeals left, which share the room to
    /// remember states. `game` has the same position with unlimited redeals.
    ///
    /// # Errors
    /// If the talon has more than 31 cards.
    pub fn with_redeals(game: Game, facts: usize, redeals: u8) -> Result<World, Unsupported> {
        if game.talon().len() > MOST_TALON {
            return Err(Unsupported::Talon(MOST_TALON));
        }
        Ok(World {
            game,
            memory: Memory::new(0),
            by_redeals: FactsByRedeals::new(redeals, facts),
        })
    }
}

fn key(state: &State) -> u64 {
    state.key() << 5 | state.waste() as u64
}

impl Planner {
    /// Whether `world`, one [with limited redeals](World::with_redeals), can be won from `state`
    /// with at most `left` redeals, visiting at most `budget` states.
    ///
    /// # Panics
    /// If more redeals are left than the world was made for.
    pub fn alive_within(
        &mut self,
        world: &mut World,
        state: &State,
        left: u8,
        budget: u32,
    ) -> Answer {
        let key = key(state);
        match world.by_redeals.find(self.options.lemmas, key, left) {
            Some(Fact::Dead) => return Answer::Loss,
            Some(Fact::Alive) => return Answer::Win,
            Some(Fact::Undecided(tried)) if tried >= rank(budget) => return Answer::Unknown,
            Some(Fact::Undecided(_)) | None => {}
        }
        Answer::of(self.search_within(world, state, left, budget, true))
    }

    /// A line that wins `world` from `state` with at most `left` redeals, visiting at most `budget`
    /// states. It ends where no card lies face down and the talon has at most one card.
    ///
    /// # Panics
    /// As [`Planner::alive_within`].
    pub fn line_within(
        &mut self,
        world: &mut World,
        state: &State,
        left: u8,
        budget: u32,
    ) -> Line<'_> {
        match self.search_within(world, state, left, budget, false) {
            Ok(true) => Line::Win(self.passes.stack.path()),
            Ok(false) => Line::Loss,
            Err(_) => Line::Unknown,
        }
    }

    fn search_within(
        &mut self,
        world: &mut World,
        root: &State,
        left: u8,
        budget: u32,
        to_alive: bool,
    ) -> Result<bool, Limit> {
        let lemmas = self.options.lemmas;
        let Buffers { stack, visited } = &mut self.passes;
        let visited = visited.get_or_insert_with(|| SeenRedeals::new(lemmas));
        visited.clear();
        let limits = Limits {
            max_states: Some(budget.into()),
            ..self.limits.clone()
        };
        let mut call = Call {
            job: Job::new(&world.game, lemmas, limits),
            facts: &mut world.by_redeals,
            visited,
            relaxation: self.options.relaxation,
            to_alive,
        };
        let ended = stack.run(&mut call, Arrival::root(root, (left, true)));
        let ended = ended.map(|ended| ended == Ended::Won);
        self.states += call.job.budget.states();
        if ended == Ok(true) {
            // The first state last, so that it is remembered longest.
            for (state, (left, provable)) in stack.states().rev() {
                if provable {
                    call.learn(state, left, Fact::Alive);
                }
            }
        }
        if let Some(fact) = found(ended, budget, call.fact(root, left)) {
            call.learn(root, left, fact);
        }
        ended
    }
}

/// One search. Its contexts are the redeals left, and whether the state is dead when all its moves
/// were tried.
struct Call<'a> {
    job: Job<'a>,
    facts: &'a mut FactsByRedeals,
    visited: &'a mut SeenRedeals,
    relaxation: When,
    to_alive: bool,
}

impl Call<'_> {
    fn fact(&self, state: &State, left: u8) -> Option<Fact> {
        let key = key(state);
        self.facts.find(self.job.lemmas, key, left)
    }

    fn learn(&mut self, state: &State, left: u8, fact: Fact) {
        self.facts.learn(key(state), left, fact);
    }
}

impl<'g> Space<'g> for Call<'g> {
    type Context = (u8, bool);

    #[inline]
    fn job(&mut self) -> &mut Job<'g> {
        &mut self.job
    }

    #[inline]
    fn after(&self, from: &State, (left, _): (u8, bool), made: Move, _: &[Move]) -> (u8, bool) {
        (left - redeals_for(self.job.game, from, made), false)
    }

    #[inline]
    fn close(&mut self, at: &mut Arrival<(u8, bool)>, path: &mut Vec<Move>) {
        let game = self.job.game;
        at.revealed |= offer::close_tableau(game, self.job.lemmas, &mut at.state, path);
        let (left, provable) = &mut at.context;
        *left = (*left).min(at.state.talon_len() as u8);
        *provable = at.revealed || at.drew;
    }

    #[inline]
    fn is_won(&mut self, state: &State) -> bool {
        state.all_face_up() && state.talon_len() <= 1
    }

    #[inline]
    fn visit(&mut self, at: &Arrival<(u8, bool)>) -> Result<Entered, Limit> {
        let (left, provable) = at.context;
        if provable {
            match self.fact(&at.state, left) {
                Some(Fact::Dead) => return Ok(Entered::Left),
                Some(Fact::Alive) if self.to_alive => return Ok(Entered::Won),
                Some(Fact::Alive | Fact::Undecided(_)) | None => {}
            }
        }
        let key = at.state.key_with_waste();
        let new = self.visited.visit(key, left, &mut self.job.budget)?;
        Ok(if new { Entered::Open } else { Entered::Left })
    }

    #[inline]
    fn is_dead(&mut self, at: &Arrival<(u8, bool)>) -> Result<bool, Limit> {
        let (game, lemmas, state) = (self.job.game, self.job.lemmas, &at.state);
        let (first, drew) = (self.job.budget.states() == 1, at.context.1);
        if !self.relaxation.runs(first, at.revealed, drew) || !blocking::is_on(lemmas) {
            return Ok(false);
        }
        let left = at.context.0;
        let dead = blocking::is_dead(game, state, lemmas, at.revealed)
            || !Relaxation::new(game, state).wins_within(usize::from(left));
        if dead {
            self.learn(state, left, Fact::Dead);
        }
        Ok(dead)
    }

    #[inline]
    fn offer(&mut self, at: &mut Arrival<(u8, bool)>, into: &mut Vec<Move>) -> Result<(), Limit> {
        push(
            self.job.game,
            self.job.lemmas,
            &at.state,
            at.context.0,
            into,
        );
        Ok(())
    }

    #[inline]
    fn arrange(&mut self, at: &Arrival<(u8, bool)>, moves: &mut [Move]) {
        promising(self.job.game, &at.state, moves, Draws::Near);
    }

    #[inline]
    fn leave(&mut self, state: &State, (left, provable): (u8, bool)) -> Result<(), Limit> {
        if provable {
            self.learn(state, left, Fact::Dead);
        }
        Ok(())
    }
}
