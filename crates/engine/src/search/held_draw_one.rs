//! Draw 1 with whole runs, with draws postponed: a search of its own, and the oracle for whole runs
//! under other draw counts.
//!
//! As `draw_one.rs`, over states with holds. Only the pairs of twins in `kept` are held. A talon
//! card of such a pair goes to the tableau by a move that is not postponed, since the holds depend
//! on when it comes; all other draws change no hold. Nothing is given up here but what cannot be
//! won with these holds: that other holds forbid a win does not count, as draws are postponed past
//! them. `docs/proofs/whole-runs.md`, section 23.5, has the proof.

use hashbrown::HashSet;
use rustc_hash::FxBuildHasher;

use super::beams::Pauses;
use super::draw_one::DrawOne;
use super::kernel::{Arrival, Ended, Entered, Space, Stack};
use super::order::{Draws, promising, shuffle};
use super::seen_holds::{HeldKey, SeenHolds};
use super::{Job, Limit};
use klondike_game::card::CardSet;
use klondike_lemmas::kplus::holds::Holds;
use klondike_lemmas::kplus::{Game, Move, State, moves};
use klondike_lemmas::prune::offer::{self, Context};
use klondike_lemmas::prune::{Lemmas, Trials, blocking, draw1_oracle};

/// A reusable search of one game.
#[derive(Debug)]
pub(super) struct HeldDrawOne {
    stack: Stack<Visit>,
    seen: SeenHolds,
    /// States that win, with the pairs kept now.
    alive: HashSet<HeldKey, FxBuildHasher>,
    kept: CardSet,
    pairs: Trials,
}

/// What a state is visited with.
#[derive(Clone, Copy, Debug, Default)]
struct Visit {
    drawn: Context,
    holds: Holds,
    /// Whether the state is lost when all its moves were tried (`docs/proofs/limits.md`, lemma M).
    provable: bool,
}

/// One search.
struct Query<'q, 'g> {
    job: &'q mut Job<'g>,
    memory: &'q mut HeldDrawOne,
    /// Draw 1 with partial runs.
    oracle: &'q mut DrawOne,
    /// Number of the shuffle; 0 for promising moves first. `None` for the oracle.
    order: Option<u64>,
}

impl HeldDrawOne {
    pub(super) fn new(game: &Game, lemmas: Lemmas) -> HeldDrawOne {
        HeldDrawOne {
            stack: Stack::default(),
            seen: SeenHolds::new(game, lemmas),
            alive: HashSet::default(),
            kept: CardSet::EMPTY,
            pairs: Trials::default(),
        }
    }

    /// Keeps the holds on these pairs from now on. What is lost with fewer pairs stays so.
    pub(super) fn keep(&mut self, pairs: CardSet) {
        if !(self.kept - pairs).is_empty() {
            self.seen.forget();
        }
        if pairs != self.kept {
            self.kept = pairs;
            self.alive.clear();
        }
    }

    /// The line of the last search that won.
    pub(super) fn line(&self) -> &[Move] {
        self.stack.path()
    }

    /// As [`DrawOne::refutes`], with these holds.
    pub(super) fn refutes(
        &mut self,
        job: &mut Job<'_>,
        oracle: &mut DrawOne,
        root: (&State, Holds),
    ) -> Result<bool, Limit> {
        let asks = draw1_oracle::asks_under_other_rules(job.lemmas);
        let refuted = asks && !self.is_alive(job, oracle, root)?;
        job.stats.dead_by_oracle += u64::from(refuted);
        Ok(refuted)
    }

    /// Whether draw 1 can win from this state with these holds.
    fn is_alive(
        &mut self,
        job: &mut Job<'_>,
        oracle: &mut DrawOne,
        root: (&State, Holds),
    ) -> Result<bool, Limit> {
        job.stats.oracle_queries += 1;
        let won = self.run(job, oracle, root, None, u64::MAX)? == Ended::Won;
        if won {
            for (state, visit) in self.stack.states() {
                if self.alive.len() == self.alive.capacity() {
                    let more = self.alive.capacity().max(8) * 2 * size_of::<HeldKey>();
                    job.budget.take_bytes(more as u64)?;
                }
                self.alive.insert(key(job.game, state, visit.holds));
            }
        } else {
            self.seen.note_all_lost();
        }
        Ok(won)
    }

    /// Searches from a root for so many states, in this order; without one, as the oracle.
    pub(super) fn run(
        &mut self,
        job: &mut Job<'_>,
        oracle: &mut DrawOne,
        (state, holds): (&State, Holds),
        order: Option<u64>,
        states: u64,
    ) -> Result<Ended, Limit> {
        self.seen.begin(&mut job.budget)?;
        let mut stack = std::mem::take(&mut self.stack);
        stack.pauses = Pauses::new(&[], states);
        let visit = Visit {
            holds: holds.of(self.kept),
            provable: true,
            ..Visit::default()
        };
        let mut query = Query {
            job,
            memory: self,
            oracle,
            order,
        };
        let ended = stack.run(&mut query, Arrival::root(state, visit));
        self.stack = stack;
        ended
    }
}

fn key(game: &Game, state: &State, holds: Holds) -> HeldKey {
    HeldKey {
        key: state.key(game),
        waste: 0,
        holds,
    }
}

impl<'g> Space<'g> for Query<'_, 'g> {
    type Context = Visit;

    #[inline]
    fn job(&mut self) -> &mut Job<'g> {
        self.job
    }

    #[inline]
    fn after(&self, from: &State, visit: Visit, made: Move) -> Visit {
        let (game, kept) = (self.job.game, self.memory.kept);
        let drawn = match made {
            Move::DrawToTableau(card) if kept.contains(card) => Context::Free,
            _ => visit.drawn.after(made, game, self.job.lemmas),
        };
        Visit {
            drawn,
            holds: visit.holds.after(from, &game.apply(from, made)).of(kept),
            provable: false,
        }
    }

    /// Makes safe moves of cards that are bare in every arrangement.
    #[inline]
    fn close(&mut self, at: &mut Arrival<Visit>, path: &mut Vec<Move>) {
        if at.context.drawn == Context::Free {
            let (game, lemmas) = (self.job.game, self.job.lemmas);
            while let Some(made) =
                offer::next_of_held_closure(game, lemmas, &at.state, at.context.holds)
            {
                at.revealed |= moves::reveals(&at.state, made);
                at.context = self.after(&at.state, at.context, made);
                at.context.drawn = Context::Free;
                at.state = game.apply(&at.state, made);
                path.push(made);
            }
        }
        at.context.provable = at.revealed;
    }

    #[inline]
    fn is_won(&mut self, state: &State) -> bool {
        state.all_face_up()
    }

    fn visit(&mut self, at: &Arrival<Visit>) -> Result<Entered, Limit> {
        let Job {
            game,
            budget,
            stats,
            ..
        } = &mut *self.job;
        let key = key(game, &at.state, at.context.holds);
        if self.order.is_none() && self.memory.alive.contains(&key) {
            return Ok(Entered::Won);
        }
        if !self.memory.seen.visit(game, key, budget)? {
            return Ok(Entered::Left);
        }
        match self.order {
            Some(_) => stats.states += 1,
            None => stats.oracle_states += 1,
        }
        Ok(Entered::Open)
    }

    fn is_dead(&mut self, at: &Arrival<Visit>) -> Result<bool, Limit> {
        let (game, lemmas, state) = (self.job.game, self.job.lemmas, &at.state);
        if !at.revealed {
            return Ok(false);
        }
        let holds = at.context.holds.with_single_parents(state);
        // The cards of other pairs do not wait in this game.
        let holds = holds.of(self.memory.kept);
        let pairs = self.memory.pairs.of(state);
        let in_draw_one = blocking::in_draw_one(lemmas);
        if blocking::is_on(lemmas)
            && blocking::is_dead_with_holds(game, state, holds, in_draw_one, pairs)
        {
            self.job.stats.dead_ends += 1;
            return Ok(true);
        }
        self.oracle.refutes(self.job, state)
    }

    fn offer(&mut self, at: &Arrival<Visit>, into: &mut Vec<Move>) {
        let Job { game, lemmas, .. } = *self.job;
        let Visit { drawn, holds, .. } = at.context;
        let held = (holds, self.memory.kept);
        offer::push_held_in_draw_one(game, lemmas, &at.state, drawn, held, into);
    }

    fn leave(&mut self, state: &State, visit: Visit) -> Result<(), Limit> {
        if visit.provable {
            let key = key(self.job.game, state, visit.holds);
            self.memory.seen.note_lost(key);
        }
        Ok(())
    }

    fn arrange(&mut self, at: &Arrival<Visit>, moves: &mut [Move]) {
        match self.order {
            None => {}
            Some(0) => promising(self.job.game, &at.state, moves, Draws::Helpful),
            Some(number) => shuffle(moves, number, at.state.key(self.job.game), |_| 0),
        }
    }
}
