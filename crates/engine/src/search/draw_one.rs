//! The search for draw 1, with draws postponed, and the draw-1 oracle for other draw counts.
//!
//! Each state is visited in a *context*, which says what was drawn last and so what may follow
//! ([`postponed_draws`]). Only *free* states, which no draw led to, are closed under safe moves. The
//! table of states is keyed by the state alone.
//!
//! As an oracle ([`DrawOne::is_alive`]) the search keeps what it proved: states from which no win
//! is left, and states on the way to one. A finished search without a win proves every state that
//! it visited dead. A search that wins proves only the states on its path alive.

mod parallel;

use super::concurrent::SharedTable;
use super::visited::KeyTable;
use super::{Budget, Entered, Job, Limit, Order};
use crate::kplus::{Move, State, moves};
use crate::prune::postponed_draws::{self, Context};
use crate::prune::{Lemma, blocking, safe_foundation};
use klondike_game::card::Card;

#[derive(Clone, Copy, Debug)]
struct Frame {
    state: State,
    context: Context,
    /// Length of the path up to this state.
    path: u32,
    /// The next move to try and the end of this state's moves.
    next: u32,
    end: u32,
}

const DEAD: u16 = 1;
const ALIVE: u16 = 2;

/// A reusable draw-1 search for the states of one game.
#[derive(Debug, Default)]
pub struct DrawOne {
    frames: Vec<Frame>,
    moves: Vec<Move>,
    path: Vec<Move>,
    /// States of the current query, marked with its stamp.
    visited: KeyTable<9>,
    stamp: u16,
    /// Keys of the current query in the order of their first visit.
    keys: Vec<u64>,
    /// States proven dead or alive by finished queries.
    known: KeyTable<9>,
    /// In place of `visited`, if several threads work on the current query.
    shared_visited: Option<SharedTable<9>>,
    /// In place of `known`, as soon as several threads have worked on anything.
    shared_known: Option<SharedTable<9>>,
    /// States that the current query may still visit before it looks for help.
    left: u64,
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
        let mut query = Query {
            job,
            order,
            remember: false,
        };
        let won = self.run(&mut query, root, false)?;
        Ok(won.then(|| self.path.clone()))
    }

    /// Whether draw 1 can win from `root`: the oracle. Answers are remembered.
    ///
    /// # Errors
    /// The limit that stopped the search; nothing is remembered of it then.
    pub fn is_alive(&mut self, job: &mut Job<'_>, root: &State) -> Result<bool, Limit> {
        match self.known(root.key(job.game)) {
            Some(alive) => Ok(alive),
            None => self.ask(job, root, false),
        }
    }

    /// What [`DrawOne::is_alive`] remembers of the state with this key.
    #[inline]
    pub(super) fn known(&mut self, key: u64) -> Option<bool> {
        self.recall(key).map(|fact| fact != DEAD)
    }

    /// Brings what is known of these keys into the cache, all at the same time.
    #[inline]
    pub(super) fn fetch(&self, states: &[(u64, u8)]) {
        if self.shared_known.is_some() {
            return;
        }
        let words = states.iter().map(|&(key, _)| self.known.first_word(key));
        std::hint::black_box(words.fold(0, |all, word| all | word));
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
        let mut query = Query {
            job,
            order: None,
            remember: true,
        };
        let won = self.run(&mut query, root, tested)?;
        if won {
            for index in 0..self.frames.len() {
                let key = self.frames[index].state.key(job.game);
                self.learn(key, ALIVE, &mut job.budget)?;
            }
            self.learn(root.key(job.game), ALIVE, &mut job.budget)?;
        } else {
            for index in 0..self.keys.len() {
                self.learn(self.keys[index], DEAD, &mut job.budget)?;
            }
            self.learn(root.key(job.game), DEAD, &mut job.budget)?;
        }
        Ok(won)
    }

    /// The moves of the last search that won, up to a state that is known to be alive.
    #[must_use]
    pub fn line(&self) -> &[Move] {
        &self.path
    }

    /// What is known of a state.
    #[inline]
    fn recall(&mut self, key: u64) -> Option<u16> {
        match &mut self.shared_known {
            Some(known) => known.find(key),
            None => self.known.find(key).value,
        }
    }

    fn learn(&mut self, key: u64, value: u16, budget: &mut Budget) -> Result<(), Limit> {
        if let Some(known) = &mut self.shared_known {
            known.update(key, |_| Some(value))?;
            return Ok(());
        }
        let slot = self.known.find(key);
        self.known.set(slot, key, value, budget)
    }

    /// Runs one query; on a win `path` holds its line and `frames` the states along it.
    fn run(
        &mut self,
        query: &mut Query<'_, '_, '_>,
        root: &State,
        tested: bool,
    ) -> Result<bool, Limit> {
        self.frames.clear();
        self.moves.clear();
        self.path.clear();
        self.keys.clear();
        self.stamp = (self.stamp + 1) % 512;
        if self.stamp == 0 {
            self.visited.clear();
            self.stamp = 1;
        }
        match self.enter(query, *root, Context::Free, !tested)? {
            Entered::Won => return Ok(true),
            Entered::Left => return Ok(false),
            Entered::Open => {}
        }
        self.go_on(query, root)
    }

    /// Tries the next move, or leaves a state all of whose moves were tried; returns whether the
    /// query has been won, or lost.
    #[inline]
    fn step(&mut self, query: &mut Query<'_, '_, '_>) -> Result<Option<bool>, Limit> {
        let game = query.job.game;
        let Some(frame) = self.frames.last_mut() else {
            return Ok(Some(false));
        };
        if frame.next == frame.end {
            self.frames.pop();
            // The moves of a state stand behind those of its parent.
            let keep = self.frames.last().map_or(0, |frame| frame.end);
            self.moves.truncate(keep as usize);
            return Ok(None);
        }
        let made = self.moves[frame.next as usize];
        frame.next += 1;
        let (state, context, path) = (frame.state, frame.context, frame.path);
        self.path.truncate(path as usize);
        self.path.push(made);
        let next = game.apply(&state, made);
        let next_context = context.after(made, query.job.lemmas);
        let revealed = moves::reveals(&state, made);
        Ok(match self.enter(query, next, next_context, revealed)? {
            Entered::Won => Some(true),
            Entered::Left | Entered::Open => None,
        })
    }

    fn enter(
        &mut self,
        query: &mut Query<'_, '_, '_>,
        mut state: State,
        context: Context,
        mut revealed: bool,
    ) -> Result<Entered, Limit> {
        let game = query.job.game;
        let lemmas = query.job.lemmas;
        if context == Context::Free {
            let path = &mut self.path;
            revealed |= safe_foundation::close_in_draw_one(game, lemmas, &mut state, path);
        }
        if state.all_face_up() {
            return Ok(Entered::Won);
        }
        let key = state.key(game);
        if query.remember {
            match self.recall(key) {
                Some(DEAD) => return Ok(Entered::Left),
                Some(_) => return Ok(Entered::Won),
                None => {}
            }
        }
        if !self.visit(query, key)? {
            return Ok(Entered::Left);
        }
        self.left = self.left.saturating_sub(1);
        if query.remember {
            query.job.stats.oracle_states += 1;
            query.job.budget.make_room(&mut self.keys, 1)?;
            self.keys.push(key);
        } else {
            query.job.stats.states += 1;
        }
        if revealed
            && query.job.lemmas.has(Lemma::Relaxation)
            && blocking::is_dead_in_draw_one(game, &state, query.job.lemmas)
        {
            query.job.stats.dead_ends += 1;
            return Ok(Entered::Left);
        }
        let start = self.moves.len();
        query
            .job
            .budget
            .make_room(&mut self.moves, 2 * Card::COUNT)?;
        query.job.budget.make_room(&mut self.frames, 1)?;
        postponed_draws::push(game, lemmas, &state, context, &mut self.moves);
        if self.moves.len() == start {
            return Ok(Entered::Left);
        }
        if let Some(order) = &mut query.order {
            order(&mut self.moves[start..]);
        }
        self.frames.push(Frame {
            state,
            context,
            path: self.path.len() as u32,
            next: start as u32,
            end: self.moves.len() as u32,
        });
        Ok(Entered::Open)
    }

    /// Marks the state visited in this query; returns whether it was new.
    #[inline]
    fn visit(&mut self, query: &mut Query<'_, '_, '_>, key: u64) -> Result<bool, Limit> {
        if let Some(visited) = &mut self.shared_visited {
            let new = |value: Option<u16>| value.is_none().then_some(0);
            return visited.visit(key, new, &mut query.job.budget);
        }
        if self.visited.is_full() && self.stamp > 1 {
            // Keys of earlier queries are dropped first. If there is no memory for that, `set`
            // reports it below.
            let stamp = self.stamp;
            let _ = self
                .visited
                .grow(&mut query.job.budget, |value| value == stamp);
        }
        let slot = self.visited.find(key);
        if slot.value == Some(self.stamp) {
            return Ok(false);
        }
        query.job.budget.count_state()?;
        self.visited
            .set(slot, key, self.stamp, &mut query.job.budget)?;
        Ok(true)
    }
}

struct Query<'j, 'g, 'o> {
    job: &'j mut Job<'g>,
    order: Order<'o>,
    remember: bool,
}
