//! The kernel: depth-first search over K+ states, by one thread or several.
//!
//! It keeps an explicit stack and copies states instead of undoing moves, and allocates only when
//! the stack grows. A search is a [`Space`]: what it visits, leaves out and offers. Each instance
//! is compiled by itself. Why leaving something out is sound together with a table of states is
//! lemma `exhausted-search` of `docs/proofs.md`.
//!
//! A [`Shared`] space can be searched by several threads. They share its tables; each has a stack
//! of its own.

use std::sync::{Arc, Mutex};

use super::beams::{Beam, Pause, Pauses};
use super::idle_threads::Helpers;
use super::threads::{self, SearchThreads, SharedBudget, Worker, into_inner, lock, next_but_one};
use super::{Budget, Job, Limit, Outcome};
use klondike_game::card::Card;
use klondike_lemmas::kplus::{Move, State, moves};

/// A state as it is entered.
#[derive(Clone, Copy, Debug)]
pub(super) struct Arrival<C> {
    pub(super) state: State,
    pub(super) context: C,
    /// Whether the move that led here revealed a card, or one before it since the last test.
    pub(super) revealed: bool,
    /// The same for cards taken from the talon.
    pub(super) drew: bool,
}

impl<C> Arrival<C> {
    /// The first state, which is tested as if it were new in every way.
    pub(super) fn root(state: &State, context: C) -> Arrival<C> {
        Arrival {
            state: *state,
            context,
            revealed: true,
            drew: true,
        }
    }
}

/// What became of a state that was entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entered {
    Won,
    /// Nothing is to be done from it.
    Left,
    Open,
}

/// How a search ended, or a part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    Won,
    Exhausted,
    /// It has visited as many states as its pauses allow, and can go on.
    OutOfStates,
}

/// What one search adds to the kernel.
pub(super) trait Space<'g> {
    /// Whether moves are generated before a state is tested for being dead. Then a test may be put
    /// off, and an [`Arrival`] does not say which of the moves before it revealed or drew: lemma M
    /// (`docs/proofs/limits.md`) needs that, so the searches that use it leave this `false`.
    const MOVES_FIRST: bool = false;

    /// Whether states are stored when the moves to them are offered, not when they are entered.
    const STORES_NEXT: bool = false;

    /// What decides, beside the state, what may follow.
    type Context: Copy + Default + Send;

    fn job(&mut self) -> &mut Job<'g>;

    /// The context that a move leads to. The moves of `rest` are still to be made where it is made.
    fn after(
        &self,
        from: &State,
        context: Self::Context,
        made: Move,
        rest: &[Move],
    ) -> Self::Context;

    /// Replaces the state by one that is as good, and appends the moves to it.
    #[inline]
    fn close(&mut self, _: &mut Arrival<Self::Context>, _: &mut Vec<Move>) {}

    #[inline]
    fn is_won(&mut self, state: &State) -> bool {
        self.job().game.is_won(state)
    }

    /// Stores and counts a state, unless it is known; [`Entered::Open`] if it is new. A space that
    /// stores states when it offers the moves to them only counts here, as all of them are new.
    fn visit(&mut self, at: &Arrival<Self::Context>) -> Result<Entered, Limit>;

    /// Whether a new state is proven unwinnable.
    fn is_dead(&mut self, at: &Arrival<Self::Context>) -> Result<bool, Limit>;

    /// Appends the moves to try, the first one first; the context may note them.
    fn offer(&mut self, at: &mut Arrival<Self::Context>, into: &mut Vec<Move>)
    -> Result<(), Limit>;

    /// Whether a state with so many moves is tested for being dead, or the states after it.
    #[inline]
    fn pays_to_test(&self, _moves: usize) -> bool {
        true
    }

    /// Puts the moves of a state in order.
    #[inline]
    fn arrange(&mut self, _: &Arrival<Self::Context>, _moves: &mut [Move]) {}

    /// All moves of a state were tried.
    #[inline]
    fn leave(&mut self, _: &State, _: Self::Context) -> Result<(), Limit> {
        Ok(())
    }

    /// Says that a stored state is to be stored again.
    fn store_again(&mut self, _: &State, _: Self::Context) -> Result<(), Limit> {
        Ok(())
    }

    /// Searches a beam from the root for the line to a win.
    fn beam(&mut self, _: &State, _: Beam) -> Result<Option<Vec<Move>>, Limit> {
        Ok(None)
    }
}

/// A space that several threads can search.
pub(super) trait Shared<'g>: Space<'g> {
    /// What another thread begins with.
    type Start: Send;

    /// Turns the tables into shared ones; `None` if there is too little memory.
    fn share(&mut self, pool: &Arc<SharedBudget>) -> Option<Self::Start>;

    /// Works as another thread. Returns the keys of the states that it stored, if they are wanted.
    fn help(
        start: &Mutex<Self::Start>,
        job: &mut Job<'g>,
        workers: &SearchThreads<Task<Self::Context>>,
    ) -> Vec<u64>;

    /// Adds the keys of states that another thread stored.
    fn add_keys(&mut self, _: Vec<u64>) -> Result<(), Limit> {
        Ok(())
    }
}

#[derive(Clone, Copy, Debug)]
struct Frame<C> {
    state: State,
    context: C,
    /// Length of the path up to this state.
    path: u32,
    /// What a test of this state was to look at, if it was put off.
    revealed: bool,
    drew: bool,
    /// The next move to try and the end of this state's moves.
    next: u32,
    end: u32,
}

/// The stack of one thread, to be used again for the next search.
#[derive(Debug)]
pub(super) struct Stack<C> {
    root: State,
    frames: Vec<Frame<C>>,
    /// Moves of all frames, one frame after the other.
    moves: Vec<Move>,
    path: Vec<Move>,
    /// When the search pauses.
    pub(super) pauses: Pauses,
}

impl<C> Default for Stack<C> {
    fn default() -> Stack<C> {
        Stack {
            root: State::default(),
            frames: Vec::new(),
            moves: Vec::new(),
            path: Vec::new(),
            pauses: Pauses::default(),
        }
    }
}

impl<C: Copy + Default + Send> Stack<C> {
    /// Makes room for so many states, of which no account is kept. A state has four or five moves
    /// on average.
    pub(super) fn reserve(&mut self, states: usize) {
        self.frames.reserve(states);
        self.path.reserve(4 * states + Card::COUNT);
        self.moves.reserve(16 * states + 4 * Card::COUNT);
    }

    /// After a win the line to it.
    pub(super) fn path(&self) -> &[Move] {
        &self.path
    }

    /// After a win the states on the way to it, the first one first.
    pub(super) fn states(&self) -> impl DoubleEndedIterator<Item = (&State, C)> {
        self.frames
            .iter()
            .map(|frame| (&frame.state, frame.context))
    }

    /// Searches from a root until it wins, nothing is left, or the pauses say that it is enough.
    pub(super) fn run<'g, S: Space<'g, Context = C>>(
        &mut self,
        space: &mut S,
        mut root: Arrival<C>,
    ) -> Result<Ended, Limit> {
        self.root = root.state;
        self.frames.clear();
        self.moves.clear();
        self.path.clear();
        match self.enter(space, &mut root)? {
            Entered::Won => Ok(Ended::Won),
            Entered::Left => Ok(Ended::Exhausted),
            Entered::Open => self.go_on(space),
        }
    }

    /// As [`Stack::run`], for one of a row of searches in different orders, which keep what they
    /// stored (`docs/proofs/exhausted-search.md`, 1.3).
    pub(super) fn run_in_row<'g, S: Space<'g, Context = C>>(
        &mut self,
        space: &mut S,
        root: Arrival<C>,
    ) -> Result<Ended, Limit> {
        let ended = self.run(space, root)?;
        if ended == Ended::OutOfStates {
            self.give_up(space)?;
        }
        Ok(ended)
    }

    /// The states on the stack, and those that were stored for moves not made, are to be stored
    /// again by the next search of the row. All others stay stored.
    fn give_up<'g, S: Space<'g, Context = C>>(&mut self, space: &mut S) -> Result<(), Limit> {
        for frame in &self.frames {
            space.store_again(&frame.state, frame.context)?;
            if !S::STORES_NEXT {
                continue;
            }
            for &made in &self.moves[frame.next as usize..frame.end as usize] {
                let next = space.job().game.apply(&frame.state, made);
                // For its holds or redeals alone: the moves still to be made do not matter to them.
                let context = space.after(&frame.state, frame.context, made, &[]);
                space.store_again(&next, context)?;
            }
        }
        Ok(())
    }

    fn go_on<'g, S: Space<'g, Context = C>>(&mut self, space: &mut S) -> Result<Ended, Limit> {
        loop {
            if let Some(ended) = self.step(space)? {
                return Ok(ended);
            }
        }
    }

    /// As [`Stack::run`], to the end. Idle threads help if it takes long.
    pub(super) fn run_with_help<'g, S: Shared<'g, Context = C>>(
        &mut self,
        space: &mut S,
        root: Arrival<C>,
    ) -> Result<Ended, Limit> {
        let mut ended = self.run(space, root)?;
        while let Ended::OutOfStates = ended {
            if let Some(helpers) = space.job().budget.take_helpers() {
                let together = self.go_on_together(space, &helpers);
                space.job().budget.put_helpers_back(helpers);
                if let Some(ended) = together? {
                    return Ok(ended);
                }
            }
            self.pauses.allow(space.job().budget.states_alone());
            ended = self.go_on(space)?;
        }
        Ok(ended)
    }

    /// Tries the next move, or leaves a state all of whose moves were tried.
    #[inline(always)]
    fn step<'g, S: Space<'g, Context = C>>(
        &mut self,
        space: &mut S,
    ) -> Result<Option<Ended>, Limit> {
        let Some(frame) = self.frames.last_mut() else {
            return Ok(Some(Ended::Exhausted));
        };
        if frame.next == frame.end {
            space.leave(&frame.state, frame.context)?;
            self.frames.pop();
            // The moves of a state stand behind those of its parent.
            let keep = self.frames.last().map_or(0, |frame| frame.end);
            self.moves.truncate(keep as usize);
            return Ok(None);
        }
        if self.pauses.is_due() {
            return self.pause(space);
        }
        let made = self.moves[frame.next as usize];
        frame.next += 1;
        self.path.truncate(frame.path as usize);
        self.path.push(made);
        let mut at = Arrival {
            state: frame.state,
            context: space.after(
                &frame.state,
                frame.context,
                made,
                &self.moves[frame.next as usize..frame.end as usize],
            ),
            revealed: frame.revealed || moves::reveals(&frame.state, made),
            drew: frame.drew || made.is_draw(),
        };
        space.job().game.make(&mut at.state, made);
        Ok(match self.enter(space, &mut at)? {
            Entered::Won => Some(Ended::Won),
            Entered::Left | Entered::Open => None,
        })
    }

    /// Handles a pause: runs a beam that may find a win, or ends the search.
    #[cold]
    fn pause<'g, S: Space<'g, Context = C>>(
        &mut self,
        space: &mut S,
    ) -> Result<Option<Ended>, Limit> {
        let Pause::Beam(beam) = self.pauses.take() else {
            return Ok(Some(Ended::OutOfStates));
        };
        let found = space.beam(&self.root, beam)?;
        Ok(found.map(|line| {
            self.path = line;
            Ended::Won
        }))
    }

    #[inline]
    fn enter<'g, S: Space<'g, Context = C>>(
        &mut self,
        space: &mut S,
        at: &mut Arrival<C>,
    ) -> Result<Entered, Limit> {
        space.close(at, &mut self.path);
        if space.is_won(&at.state) {
            return Ok(Entered::Won);
        }
        let entered = space.visit(at)?;
        if entered != Entered::Open {
            return Ok(entered);
        }
        self.pauses.count();
        if !S::MOVES_FIRST && space.is_dead(at)? {
            return Ok(Entered::Left);
        }
        let start = self.moves.len();
        let budget = &mut space.job().budget;
        budget.make_room(&mut self.moves, 2 * Card::COUNT)?;
        budget.make_room(&mut self.frames, 1)?;
        space.offer(at, &mut self.moves)?;
        if self.moves.len() == start {
            return Ok(Entered::Left);
        }
        let test = !S::MOVES_FIRST
            || self.frames.is_empty()
            || space.pays_to_test(self.moves.len() - start);
        if S::MOVES_FIRST && test && space.is_dead(at)? {
            self.moves.truncate(start);
            return Ok(Entered::Left);
        }
        space.arrange(at, &mut self.moves[start..]);
        self.frames.push(Frame {
            state: at.state,
            context: at.context,
            path: self.path.len() as u32,
            revealed: at.revealed && !test,
            drew: at.drew && !test,
            next: start as u32,
            end: self.moves.len() as u32,
        });
        Ok(Entered::Open)
    }

    /// Goes on with helpers to the end. `None` if there is too little memory.
    fn go_on_together<'g, S: Shared<'g, Context = C>>(
        &mut self,
        space: &mut S,
        helpers: &Helpers,
    ) -> Result<Option<Ended>, Limit> {
        let Some(pool) = space.job().budget.pool().cloned() else {
            return Ok(None);
        };
        let Some(start) = space.share(&pool) else {
            return Ok(None);
        };
        self.pauses.allow(u64::MAX);
        let Job { game, lemmas, .. } = *space.job();
        let limits = space.job().budget.limits().clone();
        let (start, done) = (Mutex::new(start), Mutex::new(Vec::new()));
        let help = |workers: &SearchThreads<Task<C>>| {
            let mut job = Job::for_helper(game, lemmas, Budget::for_helper(&limits, &pool));
            let keys = S::help(&start, &mut job, workers);
            lock(&done).push((job.stats, keys));
        };
        let mut first = Together { stack: self, space };
        let (outcome, handed_over) = threads::run(&mut first, &pool, helpers, help);
        let done = into_inner(done);
        for (stats, _) in &done {
            space.job().stats.add(stats);
        }
        space.job().stats.handed_over += handed_over;
        match outcome {
            Outcome::Found(line) => {
                self.stand_along(space, line)?;
                Ok(Some(Ended::Won))
            }
            Outcome::Exhausted(_) => {
                for (_, keys) in done {
                    space.add_keys(keys)?;
                }
                Ok(Some(Ended::Exhausted))
            }
            Outcome::Stopped(limit) => Err(limit),
        }
    }

    /// Stands at the end of a line, as after a search that one thread won.
    fn stand_along<'g, S: Space<'g, Context = C>>(
        &mut self,
        space: &mut S,
        line: Vec<Move>,
    ) -> Result<(), Limit> {
        self.frames.clear();
        let mut state = self.root;
        for &made in &line {
            state = space.job().game.apply(&state, made);
            space.job().budget.make_room(&mut self.frames, 1)?;
            self.frames.push(Frame {
                state,
                context: C::default(),
                path: 0,
                revealed: false,
                drew: false,
                next: 0,
                end: 0,
            });
        }
        self.path = line;
        Ok(())
    }

    /// Works as one of several threads.
    pub(super) fn work<'g, S: Shared<'g, Context = C>>(
        &mut self,
        space: &mut S,
        workers: &SearchThreads<Task<C>>,
    ) {
        workers.work(&mut Together { stack: self, space });
    }
}

/// Open moves of a state, for another thread.
pub(super) struct Task<C> {
    state: State,
    context: C,
    moves: Vec<Move>,
    /// The line to the state.
    path: Vec<Move>,
}

/// One thread's part in a search by several.
struct Together<'a, C, S> {
    stack: &'a mut Stack<C>,
    space: &'a mut S,
}

impl<'g, C: Copy + Default + Send, S: Shared<'g, Context = C>> Worker for Together<'_, C, S> {
    type Task = Task<C>;

    #[inline]
    fn step(&mut self) -> Result<Option<Ended>, Limit> {
        self.stack.step(self.space)
    }

    fn line(&self) -> Vec<Move> {
        self.stack.path.clone()
    }

    fn split(&mut self) -> Option<Task<C>> {
        let stack = &mut *self.stack;
        let frames = stack.frames.iter().map(|frame| (frame.next, frame.end));
        let (number, moves) = next_but_one(frames)?;
        let frame = &mut stack.frames[number];
        // Moves of later frames stand behind them. They are cut off when the search leaves their
        // frames.
        frame.end = moves.start as u32;
        Some(Task {
            state: frame.state,
            context: frame.context,
            moves: stack.moves[moves].to_vec(),
            path: stack.path[..frame.path as usize].to_vec(),
        })
    }

    fn resume(&mut self, task: Task<C>) -> Result<(), Limit> {
        let (stack, budget) = (&mut *self.stack, &mut self.space.job().budget);
        stack.frames.clear();
        stack.moves.clear();
        budget.make_room(&mut stack.moves, task.moves.len())?;
        budget.make_room(&mut stack.frames, 1)?;
        stack.moves.extend_from_slice(&task.moves);
        stack.frames.push(Frame {
            state: task.state,
            context: task.context,
            path: task.path.len() as u32,
            revealed: false,
            drew: false,
            next: 0,
            end: stack.moves.len() as u32,
        });
        stack.path = task.path;
        Ok(())
    }
}
