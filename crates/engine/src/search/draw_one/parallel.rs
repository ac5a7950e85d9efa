//! One query of the parent module by several threads.
//!
//! The threads share the table of states and what is known. Each has a stack of its own.

use super::super::idle_threads::Helpers;
use super::super::parallel::{self, Step, Worker, Workers, into_inner, lock, next_but_one};
use super::{
    Budget, Context, DrawOne, Frame, Job, KeyTable, Limit, Move, Query, SharedTable, State,
};
use crate::search::{Outcome, Stats};
use std::sync::Mutex;

/// Open moves of a state, for another thread.
struct Task {
    state: State,
    context: Context,
    moves: Vec<Move>,
    /// The line to the state.
    path: Vec<Move>,
}

/// What the threads of a query add up at its end.
#[derive(Default)]
struct Sum {
    stats: Stats,
    keys: Vec<Vec<u64>>,
}

impl DrawOne {
    /// Runs a query that has begun to its end. Idle threads help if it takes long.
    pub(super) fn go_on(
        &mut self,
        query: &mut Query<'_, '_, '_>,
        root: &State,
    ) -> Result<bool, Limit> {
        let alone = if query.order.is_some() {
            u64::MAX // A given order of moves is for one thread.
        } else {
            query.job.budget.states_alone()
        };
        self.left = alone;
        loop {
            if self.left == 0 {
                if let Some(helpers) = query.job.budget.take_helpers() {
                    let together = self.go_on_together(query, root, &helpers);
                    query.job.budget.put_helpers_back(helpers);
                    if let Some(won) = together? {
                        return Ok(won);
                    }
                }
                self.left = alone;
            }
            if let Some(won) = self.step(query)? {
                return Ok(won);
            }
        }
    }

    /// Goes on with helpers to the end of the query. `None` if there is too little memory.
    fn go_on_together(
        &mut self,
        query: &mut Query<'_, '_, '_>,
        root: &State,
        helpers: &Helpers,
    ) -> Result<Option<bool>, Limit> {
        let Some(pool) = query.job.budget.pool().cloned() else {
            return Ok(None);
        };
        let stamp = self.stamp;
        let Ok(visited) = SharedTable::new(&self.visited, |value| value == stamp, &pool) else {
            return Ok(None);
        };
        if query.remember && self.share_what_is_known(&mut query.job.budget).is_err() {
            return Ok(None);
        }
        query.job.budget.give_bytes(self.visited.counted_bytes());
        self.visited = KeyTable::new();
        self.shared_visited = Some(visited);
        self.left = u64::MAX;

        let (game, lemmas) = (query.job.game, query.job.lemmas);
        let remember = query.remember;
        let limits = query.job.budget.limits().clone();
        let first = Mutex::new(self.for_helper());
        let sum = Mutex::new(Sum::default());
        let help = |workers: &Workers<Task>| {
            let mut search = lock(&first).for_helper();
            let mut job = Job::for_helper(game, lemmas, Budget::for_helper(&limits, &pool));
            workers.work(&mut QueryWorker {
                search: &mut search,
                query: &mut Query {
                    job: &mut job,
                    order: None,
                    remember,
                },
            });
            let mut sum = lock(&sum);
            sum.stats.add(&job.stats);
            sum.keys.push(search.keys);
        };
        let mut worker = QueryWorker {
            search: self,
            query,
        };
        let (outcome, handed_over) = parallel::run(&mut worker, &pool, helpers, help);
        self.shared_visited = None;
        let sum = into_inner(sum);
        query.job.stats.add(&sum.stats);
        query.job.stats.handed_over += handed_over;
        match outcome {
            Outcome::Found(line) => {
                self.stand_along(query.job, root, &line)?;
                self.path = line;
                Ok(Some(true))
            }
            Outcome::Exhausted(_) => {
                for keys in sum.keys {
                    query.job.budget.make_room(&mut self.keys, keys.len())?;
                    self.keys.extend(keys);
                }
                Ok(Some(false))
            }
            Outcome::Stopped(limit) => Err(limit),
        }
    }

    /// Puts the states along a line on the stack, as after a query that one thread won. The last
    /// one may be a won state, which is alive as well.
    fn stand_along(&mut self, job: &mut Job<'_>, root: &State, line: &[Move]) -> Result<(), Limit> {
        self.frames.clear();
        let mut state = *root;
        for &made in line {
            state = job.game.apply(&state, made);
            job.budget.make_room(&mut self.frames, 1)?;
            self.frames.push(Frame {
                state,
                context: Context::Free,
                path: 0,
                next: 0,
                end: 0,
            });
        }
        Ok(())
    }

    /// Moves what is known to a table that threads can share.
    pub(in super::super) fn share_what_is_known(
        &mut self,
        budget: &mut Budget,
    ) -> Result<(), Limit> {
        let Some(pool) = budget.pool().cloned() else {
            return Ok(());
        };
        if self.shared_known.is_none() {
            self.shared_known = Some(SharedTable::new(&self.known, |_| true, &pool)?);
            budget.give_bytes(self.known.counted_bytes());
            self.known = KeyTable::new();
        }
        Ok(())
    }

    /// A search for another thread, with the shared tables of this one.
    pub(in super::super) fn for_helper(&self) -> DrawOne {
        DrawOne {
            shared_visited: self.shared_visited.as_ref().map(SharedTable::share),
            shared_known: self.shared_known.as_ref().map(SharedTable::share),
            left: u64::MAX,
            ..DrawOne::default()
        }
    }

    /// Releases what is shared, before the thread waits for work.
    pub(in super::super) fn release(&mut self) {
        let tables = [&mut self.shared_visited, &mut self.shared_known];
        for table in tables.into_iter().flatten() {
            table.release();
        }
    }
}

/// One thread's part in a query.
struct QueryWorker<'h, 'j, 'g, 'o> {
    search: &'h mut DrawOne,
    query: &'h mut Query<'j, 'g, 'o>,
}

impl Worker for QueryWorker<'_, '_, '_, '_> {
    type Task = Task;

    #[inline]
    fn step(&mut self) -> Result<Step, Limit> {
        Ok(match self.search.step(self.query)? {
            None => Step::On,
            Some(true) => Step::Won,
            Some(false) => Step::Done,
        })
    }

    fn line(&self) -> Vec<Move> {
        self.search.path.clone()
    }

    fn split(&mut self) -> Option<Task> {
        let search = &mut *self.search;
        let frames = search.frames.iter().map(|frame| (frame.next, frame.end));
        let (number, moves) = next_but_one(frames)?;
        let frame = &mut search.frames[number];
        let task = Task {
            state: frame.state,
            context: frame.context,
            moves: search.moves[moves.clone()].to_vec(),
            path: search.path[..frame.path as usize].to_vec(),
        };
        // Moves of later frames stand behind them. They are cut off when the search leaves their
        // frames.
        frame.end = moves.start as u32;
        Some(task)
    }

    fn resume(&mut self, task: Task) -> Result<(), Limit> {
        let search = &mut *self.search;
        search.frames.clear();
        search.moves.clear();
        let budget = &mut self.query.job.budget;
        budget.make_room(&mut search.moves, task.moves.len())?;
        budget.make_room(&mut search.frames, 1)?;
        search.moves.extend_from_slice(&task.moves);
        search.frames.push(Frame {
            state: task.state,
            context: task.context,
            path: task.path.len() as u32,
            next: 0,
            end: search.moves.len() as u32,
        });
        search.path = task.path;
        Ok(())
    }

    fn release(&mut self) {
        self.search.release();
    }
}
