//! The planner: decides many worlds, thousands of times a second, each with a small budget.
//!
//! A player who does not see the face-down cards imagines *worlds*: the same position with the
//! unseen cards dealt in some order. The player asks of each world, often and with little effort,
//! whether it can still be won. The planner answers [`Answer::Win`] or [`Answer::Loss`], both
//! proven, or [`Answer::Unknown`] if a budget of states was used up.
//!
//! It searches as [`depth_first`](super::depth_first) and [`draw_one`](super::draw_one) do, with
//! the same moves, lemmas and tables, but tries promising moves first (`order`): a call has no time
//! for probes. Its buffers are kept from call to call, so that nothing is allocated once they have
//! grown. The difference is that a world remembers what was proved of its states:
//!
//! - *dead*: every move that the search offers here fails. Kept for the first state, and for states
//!   entered by a move that cannot be taken back (a reveal or, at draw 2 and more, any draw);
//! - *alive*: a state on the way to a win that was found;
//! - *undecided*: a first state whose search used up its budget, with the budget's order of
//!   magnitude.
//!
//! With limited redeals ([`World::with_redeals`]) it searches as [`passes`](super::passes) does,
//! and the redeals left belong to what is asked ([`Planner::alive_within`]).
//!
//! A state is dead as soon as the search leaves it, even if the search as a whole then stops at a
//! limit: `docs/proofs/limits.md`, section 14.1.

pub(super) mod memory;
mod passes;

use super::concurrent::Table;
use super::kernel::{Arrival, Ended, Entered, Space, Stack};
use super::order::{Draws, promising};
use super::seen::Seen;
use super::seen_redeals::FactsByRedeals;
use super::{Job, Limit, Limits};
use klondike_game::card::Card;
use klondike_lemmas::kplus::{Game, Move, OtherCards, State, talon};
use klondike_lemmas::prune::offer::{self, Context};
use klondike_lemmas::prune::{Lemma, Lemmas, blocking};
use memory::{Fact, Memory, found, rank};

/// What the planner says of a world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Answer {
    /// It can be won: a line was found.
    Win,
    /// It cannot be won: everything that matters was searched.
    Loss,
    /// The budget was used up, now or by an earlier call for the same state with more than half of
    /// this budget.
    Unknown,
}

impl Answer {
    fn of(ended: Result<bool, Limit>) -> Answer {
        match ended {
            Ok(true) => Answer::Win,
            Ok(false) => Answer::Loss,
            Err(_) => Answer::Unknown,
        }
    }
}

/// [`Answer`] with the line that wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Line<'a> {
    /// It can be won: these moves lead to a state for which [`Game::is_won`] holds.
    Win(&'a [Move]),
    /// It cannot be won.
    Loss,
    /// The budget was used up.
    Unknown,
}

/// In which states the planner runs the relaxation (`relaxation`, `talon-relaxation`).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum When {
    /// In none.
    Never,
    /// In the state that is asked about.
    First,
    /// Also after moves that reveal a card.
    #[default]
    Reveals,
    /// Also after draws (draw 2 and more).
    Draws,
}

impl When {
    /// Whether to run it in a state: the first, or one that a reveal or a draw led to.
    #[inline]
    fn runs(self, first: bool, revealed: bool, drew: bool) -> bool {
        match self {
            When::Never => false,
            When::First => first,
            When::Reveals => revealed,
            When::Draws => drew,
        }
    }
}

/// How the planner searches. Every choice is sound. With budgets of about 1,000 states the default
/// answers more calls in a given time than the others, and leaves a few more open than all lemmas
/// in all states do (`benches/README.md`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlannerOptions {
    /// The lemmas in use. [`Lemma::Draw1Oracle`], [`Lemma::CoverLandmarks`] and
    /// [`Lemma::KingCapacity`] do nothing here.
    pub lemmas: Lemmas,
    /// When to run the relaxation, if it is among the lemmas.
    pub relaxation: When,
}

impl Default for PlannerOptions {
    fn default() -> PlannerOptions {
        PlannerOptions {
            lemmas: Lemmas::ALL.without(Lemma::TwinOrder),
            relaxation: When::Reveals,
        }
    }
}

/// A game in which the face-down cards are assumed to lie in some order, and what is known of it.
#[derive(Clone, Debug)]
pub struct World {
    game: Game,
    memory: Memory,
    /// With limited redeals what is known with 0, 1, 2, … redeals left.
    by_redeals: FactsByRedeals,
}

impl World {
    /// The world of `game` as it is, with room to remember `facts` states.
    ///
    /// The room (8 bytes a state) is all that a world ever allocates. When it is full, the oldest
    /// facts are forgotten.
    #[must_use]
    pub fn new(game: Game, facts: usize) -> World {
        World {
            game,
            memory: Memory::new(facts),
            by_redeals: FactsByRedeals::default(),
        }
    }

    /// The game of this world.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.game
    }

    /// Becomes the world in which `face_down` lie face down in `state` (see [`Game::assign`]) and
    /// forgets what was known.
    ///
    /// # Errors
    /// If these are not the cards that lie face down in `state`; nothing is changed then.
    pub fn assign(&mut self, state: &State, face_down: &[Card]) -> Result<(), OtherCards> {
        self.assign_with_talon(state, 0, face_down)
    }

    /// As [`World::assign`], with the cards at some places of the talon behind the others (see
    /// [`Game::assign_with_talon`]).
    ///
    /// # Errors
    /// If these are not the cards that lie there; nothing is changed then.
    pub fn assign_with_talon(
        &mut self,
        state: &State,
        unknown: u32,
        cards: &[Card],
    ) -> Result<(), OtherCards> {
        self.game.assign_with_talon(state, unknown, cards)?;
        self.forget();
        Ok(())
    }

    /// The game of this world, to become another world; what was known is forgotten.
    pub fn game_mut(&mut self) -> &mut Game {
        self.forget();
        &mut self.game
    }

    /// Forgets what was known.
    pub fn forget(&mut self) {
        self.memory.clear();
        for memory in &mut self.by_redeals.0 {
            memory.clear();
        }
    }

    /// Most states that it can remember.
    #[must_use]
    pub fn capacity(&self) -> usize {
        let memories = [&self.memory].into_iter().chain(&self.by_redeals.0);
        memories.map(Memory::capacity).sum()
    }
}

/// A solver for many small questions, one after the other.
#[derive(Debug)]
pub struct Planner {
    options: PlannerOptions,
    stack: Stack<(Context, bool)>,
    visited: Seen,
    /// The budget that there is room for.
    room: u32,
    states: u64,
    /// What bounds each call beside its budget.
    limits: Limits,
    /// For limited redeals.
    passes: passes::Buffers,
}

/// Largest budget for which room is made beforehand.
const MOST_ROOM: u32 = 1 << 14;

impl Default for Planner {
    fn default() -> Planner {
        Planner::new(PlannerOptions::default())
    }
}

impl Planner {
    /// A planner that searches as `options` say.
    #[must_use]
    pub fn new(options: PlannerOptions) -> Planner {
        Planner {
            options,
            stack: Stack::default(),
            visited: Seen::Exact(Table::default()),
            room: 0,
            states: 0,
            limits: Limits::default(),
            passes: passes::Buffers::default(),
        }
    }

    /// Ends calls also by the time, the memory and the stop flag of these limits; such a call
    /// answers [`Answer::Unknown`]. Its states are bounded by its budget alone.
    pub fn set_limits(&mut self, limits: &Limits) {
        self.limits = Limits {
            max_states: None,
            searched: None,
            helpers: None,
            ..limits.clone()
        };
    }

    /// Makes room for calls with this budget, so that they need not allocate.
    fn make_room(&mut self, budget: u32) {
        if self.room < budget.min(MOST_ROOM) {
            self.room = budget.min(MOST_ROOM);
            // There are no more states on the stack than were visited.
            self.stack.reserve(self.room as usize);
            self.visited.reserve(self.room as usize);
        }
    }

    /// States that all calls together have visited.
    #[must_use]
    pub fn states(&self) -> u64 {
        self.states
    }

    /// Whether `world` can be won from `state`, visiting at most `budget` states.
    ///
    /// What the world remembers makes the answer faster, and may make it known; the same calls in
    /// the same order give the same answers.
    pub fn alive(&mut self, world: &mut World, state: &State, budget: u32) -> Answer {
        if world.game.is_won(state) {
            return Answer::Win;
        }
        match world.memory.find(memory_key(&world.game, state)) {
            Some(Fact::Dead) => return Answer::Loss,
            Some(Fact::Alive) => return Answer::Win,
            Some(Fact::Undecided(tried)) if tried >= rank(budget) => return Answer::Unknown,
            Some(Fact::Undecided(_)) | None => {}
        }
        Answer::of(self.search(world, state, budget, true))
    }

    /// A line that wins `world` from `state`, visiting at most `budget` states.
    ///
    /// A state that is known to be alive does not help here: no line is remembered.
    pub fn line(&mut self, world: &mut World, state: &State, budget: u32) -> Line<'_> {
        if world.game.is_won(state) {
            return Line::Win(&[]);
        }
        match world.memory.find(memory_key(&world.game, state)) {
            Some(Fact::Dead) => return Line::Loss,
            Some(Fact::Undecided(tried)) if tried >= rank(budget) => return Line::Unknown,
            Some(Fact::Undecided(_) | Fact::Alive) | None => {}
        }
        match self.search(world, state, budget, false) {
            Ok(true) => Line::Win(self.stack.path()),
            Ok(false) => Line::Loss,
            Err(_) => Line::Unknown,
        }
    }

    /// Searches from `root`, and lets the world remember what is found. With `to_alive` a state
    /// known to be alive is as good as a win.
    fn search(
        &mut self,
        world: &mut World,
        root: &State,
        budget: u32,
        to_alive: bool,
    ) -> Result<bool, Limit> {
        let World { game, memory, .. } = world;
        let lemmas = self.options.lemmas;
        if self.visited.fits(game, lemmas) {
            self.visited.clear();
        } else {
            self.visited = Seen::new(game, lemmas);
            self.room = 0;
        }
        self.make_room(budget);
        let limits = Limits {
            max_states: Some(budget.into()),
            ..self.limits.clone()
        };
        let mut call = Call {
            job: Job::new(game, lemmas, limits),
            memory,
            visited: &mut self.visited,
            relaxation: self.options.relaxation,
            to_alive,
            draw_one: game.draw_count() == 1,
        };
        let root_arrival = Arrival::root(root, (Context::Free, true));
        let ended = self.stack.run(&mut call, root_arrival);
        let ended = ended.map(|ended| ended == Ended::Won);
        self.states += call.job.budget.states();
        if ended == Ok(true) {
            // The first state last, so that it is remembered longest.
            for (state, (_, provable)) in self.stack.states().rev() {
                if provable {
                    memory.learn(memory_key(game, state), Fact::Alive);
                }
            }
        }
        let root_key = memory_key(game, root);
        if let Some(fact) = found(ended, budget, memory.find(root_key)) {
            memory.learn(root_key, fact);
        }
        ended
    }
}

/// One search. Its contexts are those of the draws, and whether the state is dead when all its
/// moves were tried.
struct Call<'a> {
    job: Job<'a>,
    memory: &'a mut Memory,
    visited: &'a mut Seen,
    relaxation: When,
    to_alive: bool,
    draw_one: bool,
}

impl<'g> Space<'g> for Call<'g> {
    type Context = (Context, bool);

    #[inline]
    fn job(&mut self) -> &mut Job<'g> {
        &mut self.job
    }

    #[inline]
    fn after(
        &self,
        _: &State,
        (context, _): (Context, bool),
        made: Move,
        _: &[Move],
    ) -> (Context, bool) {
        (context.after(made, self.job.game, self.job.lemmas), false)
    }

    #[inline]
    fn close(&mut self, at: &mut Arrival<(Context, bool)>, path: &mut Vec<Move>) {
        if self.draw_one && at.context.0 == Context::Free {
            let (lemmas, state) = (self.job.lemmas, &mut at.state);
            at.revealed |= offer::close_in_draw_one(self.job.game, lemmas, state, path);
        }
        at.context.1 = at.revealed || at.drew && !self.draw_one;
    }

    #[inline]
    fn visit(&mut self, at: &Arrival<(Context, bool)>) -> Result<Entered, Limit> {
        if at.context.1 {
            match self.memory.find(memory_key(self.job.game, &at.state)) {
                Some(Fact::Dead) => return Ok(Entered::Left),
                Some(Fact::Alive) if self.to_alive => return Ok(Entered::Won),
                Some(Fact::Alive | Fact::Undecided(_)) | None => {}
            }
        }
        let new = self
            .visited
            .visit(self.job.game, &at.state, &mut self.job.budget)?;
        Ok(if new { Entered::Open } else { Entered::Left })
    }

    #[inline]
    fn is_dead(&mut self, at: &Arrival<(Context, bool)>) -> Result<bool, Limit> {
        let (game, lemmas) = (self.job.game, self.job.lemmas);
        let (first, drew) = (self.job.budget.states() == 1, at.context.1);
        if !self.relaxation.runs(first, at.revealed, drew) || !blocking::is_on(lemmas) {
            return Ok(false);
        }
        let dead = if self.draw_one {
            blocking::is_dead_in_draw_one(game, &at.state, lemmas)
        } else {
            blocking::is_dead(game, &at.state, lemmas, at.revealed)
        };
        if dead {
            self.memory.learn(memory_key(game, &at.state), Fact::Dead);
        }
        Ok(dead)
    }

    #[inline]
    fn offer(
        &mut self,
        at: &mut Arrival<(Context, bool)>,
        into: &mut Vec<Move>,
    ) -> Result<(), Limit> {
        if self.draw_one {
            offer::push_in_draw_one(
                self.job.game,
                self.job.lemmas,
                &at.state,
                at.context.0,
                into,
            );
        } else {
            offer::push(self.job.game, self.job.lemmas, &at.state, into);
        }
        Ok(())
    }

    #[inline]
    fn arrange(&mut self, at: &Arrival<(Context, bool)>, moves: &mut [Move]) {
        promising(self.job.game, &at.state, moves, Draws::Helpful);
    }

    #[inline]
    fn leave(&mut self, state: &State, (_, provable): (Context, bool)) -> Result<(), Limit> {
        if provable {
            self.memory
                .learn(memory_key(self.job.game, state), Fact::Dead);
        }
        Ok(())
    }
}

/// The key under which a world remembers a state, at most 60 bits: an impure waste is smaller than
/// the talon, so it is below 32.
#[inline]
fn memory_key(game: &Game, state: &State) -> u64 {
    state.key() << 5 | talon::waste_class(game, state) as u64
}
