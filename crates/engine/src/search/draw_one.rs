//! The search for draw 1, with draws postponed, and the draw-1 oracle for other draw counts.
//!
//! Each state is visited in a *context*, which says what was drawn last and so what may follow
//! ([`postponed_draws`]). Only *free* states, which no draw led to, are closed under safe moves.
//! The table of states is keyed by the state alone.
//!
//! As an oracle ([`DrawOne::is_alive`]) the search keeps what it proved: states from which no win
//! is left, and states on the way to one. A finished search without a win proves every state that
//! it visited dead. A search that wins proves only the states on its path alive. By lemma
//! `reach-order` such facts say something of other states, too.

use std::sync::{Arc, Mutex};

use super::beams::Pauses;
use super::concurrent::Table;
use super::facts::Facts;
use super::kernel::{Arrival, Ended, Entered, Shared, Space, Stack, Task};
use super::order::{self, Draws};
use super::threads::{SearchThreads, SharedBudget, lock};
use super::{Budget, Job, Limit, Order};
use klondike_lemmas::kplus::{Game, Move, State};
use klondike_lemmas::prune::offer::{self, Context};
use klondike_lemmas::prune::{Lemmas, Trials, blocking, draw1_oracle, postponed_draws};

const DEAD: u16 = 1;
const ALIVE: u16 = 2;

/// A reusable draw-1 search for the states of one game.
#[derive(Debug, Default)]
pub struct DrawOne {
    stack: Stack<Visit>,
    memory: Memory,
}

/// Probes before the full search.
///
/// On winnable states the number of states that are visited has a long tail in every order of
/// moves, and most of what is long in one order is short in another. So a few short searches find
/// nearly all wins: first with promising moves first, then with the moves shuffled. On deals that
/// cannot be won they cost four states in a hundred.
const PROBES: u64 = 8;

/// How many states each probe may visit.
const STATES_OF_A_PROBE: u64 = 100;

/// With fewer states allowed there are no probes: they would take too many of them.
const STATES_WORTH_PROBES: u64 = 10_000;

/// The context of a state. Of a root, and of a state that a move which reveals a card led to, also
/// the number of visits before it: such a state is dead when all its moves were tried
/// (`docs/proofs/limits.md`, lemma M).
type Visit = (Context, Option<u32>);

/// A dead state is compared with others only if the search of it took so many visits. A shorter
/// search is done again in less time than others take to look at it.
const VISITS_WORTH_A_FACT: u32 = 32;

/// What the search has seen and learned.
#[derive(Debug, Default)]
struct Memory {
    /// States of the current query, marked with its stamp.
    visited: Table<9>,
    stamp: u16,
    /// Visits in the current query, those of states seen before included.
    count: u32,
    /// Keys of the current query in the order of their first visit.
    keys: Vec<u64>,
    /// States proven dead or alive by finished queries.
    known: Table<9>,
    /// The same of those that others are compared with by lemma `reach-order`.
    facts: Facts,
    /// The order of twins, where one fixpoint does not answer.
    pairs: Trials,
}

/// One thread's part in a query.
struct Query<'q, 'g, 'o> {
    job: &'q mut Job<'g>,
    memory: &'q mut Memory,
    order: Order<'o>,
    /// The number of the probe; `None` in the full search.
    probe: Option<u64>,
    remember: bool,
    /// Whether no other thread takes part.
    alone: bool,
}

/// Whether this search is the oracle of a game of draw 2 and more, with unlimited redeals.
pub(super) fn is_oracle(game: &Game, lemmas: Lemmas) -> bool {
    draw1_oracle::asks(game, lemmas)
}

/// Whether this search decides the game, not only as an oracle.
pub(super) fn decides(game: &Game, lemmas: Lemmas) -> bool {
    game.draw_count() == 1 && postponed_draws::is_on(game, lemmas)
}

impl DrawOne {
    /// A search that knows nothing yet.
    #[must_use]
    pub fn new() -> DrawOne {
        DrawOne::default()
    }

    /// Searches for a win from `root` in draw 1, whatever the draw count of `game` is.
    ///
    /// Returns the line to a state without face-down cards, or `None` if there is none. The moves
    /// of every state are tried in the order of `order`.
    ///
    /// # Errors
    /// The limit that stopped the search.
    pub fn solve(
        &mut self,
        job: &mut Job<'_>,
        root: &State,
        order: Order<'_>,
    ) -> Result<Option<Vec<Move>>, Limit> {
        let root = Arrival::root(root, (Context::Free, Some(0)));
        let won = self.run(job, root, order, false)?;
        Ok(won.then(|| self.line().to_vec()))
    }

    /// Whether draw 1 can win from `root`: the oracle. Answers are remembered.
    ///
    /// # Errors
    /// The limit that stopped the search. Of it only the states that it had left are remembered.
    pub fn is_alive(&mut self, job: &mut Job<'_>, root: &State) -> Result<bool, Limit> {
        let known = self.known(root.key());
        match known.or_else(|| self.implied(job, root)) {
            Some(alive) => Ok(alive),
            None => self.ask(job, root, false),
        }
    }

    /// Whether a state of other rules, of limited redeals or whole runs, is lost because draw 1
    /// cannot win from it, if the oracle is to be asked.
    pub(super) fn refutes(&mut self, job: &mut Job<'_>, state: &State) -> Result<bool, Limit> {
        if !draw1_oracle::asks_under_other_rules(job.lemmas) || self.is_alive(job, state)? {
            return Ok(false);
        }
        job.stats.dead_by_oracle += 1;
        Ok(true)
    }

    /// What [`DrawOne::is_alive`] remembers of the state with this key.
    #[inline]
    pub(super) fn known(&mut self, key: u64) -> Option<bool> {
        self.memory.known.find(key).map(|fact| fact != DEAD)
    }

    /// Whether this state is alive, if what is known of others says so by lemma `reach-order`.
    #[inline]
    pub(super) fn implied(&mut self, job: &Job<'_>, state: &State) -> Option<bool> {
        self.memory.facts.find(job, state)
    }

    /// As [`DrawOne::is_alive`], for a state of which nothing is [known](DrawOne::known).
    ///
    /// `tested` says that the relaxation, with the order of twins, is known not to refute `root`
    /// for the draw count of the game. Then it seldom does for draw 1, and the test is left out:
    /// that costs states, never a verdict.
    pub(super) fn ask(
        &mut self,
        job: &mut Job<'_>,
        root: &State,
        tested: bool,
    ) -> Result<bool, Limit> {
        job.stats.oracle_queries += 1;
        let mut first = Arrival::root(root, (Context::Free, Some(0)));
        first.revealed = !tested;
        let won = self.run(job, first, None, true)?;
        let known = &mut self.memory.known;
        if won {
            for (state, (_, before)) in self.stack.states() {
                known.set(state.key(), ALIVE, &mut job.budget)?;
                if before.is_some() {
                    self.memory.facts.learn(job, state, true)?;
                }
            }
        } else {
            for &key in &self.memory.keys {
                known.set(key, DEAD, &mut job.budget)?;
            }
        }
        let fact = if won { ALIVE } else { DEAD };
        known.set(root.key(), fact, &mut job.budget)?;
        Ok(won)
    }

    /// The moves of the last search that won, up to a state that is known to be alive.
    #[must_use]
    pub fn line(&self) -> &[Move] {
        self.stack.path()
    }

    /// Runs one query; on a win the stack holds its line and the states along it.
    fn run(
        &mut self,
        job: &mut Job<'_>,
        root: Arrival<Visit>,
        order: Order<'_>,
        remember: bool,
    ) -> Result<bool, Limit> {
        let alone = order.is_none() && !job.budget.wants_help_at_once();
        if alone && !remember && job.budget.states_left() >= STATES_WORTH_PROBES {
            for number in 0..PROBES {
                self.memory.begin();
                self.stack.pauses = Pauses::new(&[], STATES_OF_A_PROBE);
                let mut query = self.memory.query(job, None, remember);
                query.probe = Some(number);
                match self.stack.run(&mut query, root)? {
                    Ended::Won => return Ok(true),
                    Ended::Exhausted => return Ok(false),
                    Ended::OutOfStates => {}
                }
            }
        }
        let alone = match order {
            Some(_) => u64::MAX, // A given order of moves is for one thread.
            None => job.budget.states_alone(),
        };
        self.memory.begin();
        self.stack.pauses = Pauses::new(&[], alone);
        let mut query = self.memory.query(job, order, remember);
        let ended = self.stack.run_with_help(&mut query, root);
        self.memory.visited.own();
        Ok(ended? == Ended::Won)
    }

    /// A search for another thread, with the shared tables of this one.
    pub(super) fn for_helper(&self) -> DrawOne {
        DrawOne {
            stack: Stack::default(),
            memory: self.memory.for_helper(),
        }
    }

    /// What finished queries have proved.
    pub(super) fn known_states(&mut self) -> &mut Table<9> {
        &mut self.memory.known
    }
}

impl Memory {
    /// Begins a search: nothing is visited yet.
    fn begin(&mut self) {
        self.keys.clear();
        self.count = 0;
        self.stamp = (self.stamp + 1) % 512;
        if self.stamp == 0 {
            self.visited.own().clear();
            self.stamp = 1;
        }
    }

    /// A search with this memory, by one thread.
    fn query<'q, 'g, 'o>(
        &'q mut self,
        job: &'q mut Job<'g>,
        order: Order<'o>,
        remember: bool,
    ) -> Query<'q, 'g, 'o> {
        Query {
            job,
            memory: self,
            order,
            probe: None,
            remember,
            alone: true,
        }
    }

    fn for_helper(&self) -> Memory {
        Memory {
            visited: self.visited.for_helper(),
            stamp: self.stamp,
            count: 0,
            keys: Vec::new(),
            known: self.known.for_helper(),
            facts: Facts::default(),
            pairs: Trials::default(),
        }
    }

    /// Marks the state visited in this query; returns whether it was new.
    #[inline]
    fn visit(&mut self, key: u64, budget: &mut Budget) -> Result<bool, Limit> {
        let stamp = self.stamp;
        if let Table::Own(visited) = &mut self.visited
            && visited.is_full()
            && stamp > 1
        {
            // Keys of earlier queries are dropped first. If there is no memory for that, the visit
            // reports it below.
            let _ = visited.grow(budget, |value| value == stamp);
        }
        let new = |value| (value != Some(stamp)).then_some(stamp);
        self.count = self.count.saturating_add(1);
        self.visited.visit(key, new, budget)
    }
}

impl<'g> Space<'g> for Query<'_, 'g, '_> {
    type Context = Visit;

    #[inline]
    fn job(&mut self) -> &mut Job<'g> {
        self.job
    }

    #[inline]
    fn after(&self, _: &State, (context, _): Visit, made: Move, _: &[Move]) -> Visit {
        (context.after(made, self.job.game, self.job.lemmas), None)
    }

    #[inline]
    fn close(&mut self, at: &mut Arrival<Visit>, path: &mut Vec<Move>) {
        if at.context.0 == Context::Free {
            let (game, lemmas) = (self.job.game, self.job.lemmas);
            at.revealed |= offer::close_in_draw_one(game, lemmas, &mut at.state, path);
        }
        if at.revealed {
            at.context.1 = Some(self.memory.count);
        }
    }

    #[inline]
    fn is_won(&mut self, state: &State) -> bool {
        state.all_face_up()
    }

    #[inline]
    fn visit(&mut self, at: &Arrival<Visit>) -> Result<Entered, Limit> {
        let key = at.state.key();
        if self.remember {
            match self.memory.known.find(key) {
                Some(DEAD) => return Ok(Entered::Left),
                Some(_) => return Ok(Entered::Won),
                None => {}
            }
        }
        if at.revealed {
            match self.memory.facts.find(self.job, &at.state) {
                Some(false) => return Ok(Entered::Left),
                Some(true) if self.remember => return Ok(Entered::Won),
                _ => {}
            }
        }
        let Job { budget, stats, .. } = &mut *self.job;
        if !self.memory.visit(key, budget)? {
            return Ok(Entered::Left);
        }
        if self.remember {
            stats.oracle_states += 1;
            budget.make_room(&mut self.memory.keys, 1)?;
            self.memory.keys.push(key);
        } else {
            stats.states += 1;
        }
        Ok(Entered::Open)
    }

    #[inline]
    fn is_dead(&mut self, at: &Arrival<Visit>) -> Result<bool, Limit> {
        let (game, lemmas) = (self.job.game, self.job.lemmas);
        if !at.revealed || !blocking::is_on(lemmas) {
            return Ok(false);
        }
        let pairs = self.memory.pairs.of(&at.state);
        let lemmas = blocking::in_draw_one(lemmas);
        let dead = blocking::is_dead_by_what_pays(game, &at.state, lemmas, pairs);
        self.job.stats.dead_ends += u64::from(dead);
        Ok(dead)
    }

    #[inline]
    fn offer(&mut self, at: &mut Arrival<Visit>, into: &mut Vec<Move>) -> Result<(), Limit> {
        let Job { game, lemmas, .. } = *self.job;
        offer::push_in_draw_one(game, lemmas, &at.state, at.context.0, into);
        Ok(())
    }

    #[inline]
    fn arrange(&mut self, at: &Arrival<Visit>, moves: &mut [Move]) {
        let game = self.job.game;
        match self.probe {
            Some(0) => order::promising(game, &at.state, moves, Draws::Helpful),
            Some(number) => order::shuffle(moves, number, at.state.key(), |_| 0),
            None => {}
        }
        if let Some(order) = &mut self.order {
            order(moves);
        }
    }

    #[inline]
    fn leave(&mut self, state: &State, (_, before): Visit) -> Result<(), Limit> {
        let took = before.map_or(0, |before| self.memory.count - before);
        if took >= VISITS_WORTH_A_FACT && self.alone {
            let kept = self.memory.facts.learn(self.job, state, false)?;
            if kept && self.remember {
                let (key, budget) = (state.key(), &mut self.job.budget);
                self.memory.known.set(key, DEAD, budget)?;
            }
        }
        Ok(())
    }
}

impl<'g> Shared<'g> for Query<'_, 'g, '_> {
    type Start = (Memory, bool);

    fn share(&mut self, pool: &Arc<SharedBudget>) -> Option<Self::Start> {
        self.alone = false;
        let (budget, memory) = (&mut self.job.budget, &mut *self.memory);
        let stamp = memory.stamp;
        if self.remember {
            memory.known.share(|_| true, pool, budget).ok()?;
        }
        let own = |value| value == stamp;
        memory.visited.share(own, pool, budget).ok()?;
        Some((memory.for_helper(), self.remember))
    }

    fn help(
        start: &Mutex<Self::Start>,
        job: &mut Job<'g>,
        workers: &SearchThreads<Task<Visit>>,
    ) -> Vec<u64> {
        let start = lock(start);
        let (mut memory, remember) = (start.0.for_helper(), start.1);
        drop(start);
        let mut query = Query {
            job,
            memory: &mut memory,
            order: None,
            probe: None,
            remember,
            alone: false,
        };
        Stack::default().work(&mut query, workers);
        memory.keys
    }

    fn add_keys(&mut self, keys: Vec<u64>) -> Result<(), Limit> {
        self.job
            .budget
            .make_room(&mut self.memory.keys, keys.len())?;
        self.memory.keys.extend(keys);
        Ok(())
    }
}
