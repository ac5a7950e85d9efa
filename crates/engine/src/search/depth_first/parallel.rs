//! The search of the parent module by several threads.
//!
//! The threads share the table of states and what the oracle knows. Each has a stack of its own and
//! asks the oracle by itself.

use super::super::idle_threads::Helpers;
use super::super::parallel::{self, Step, Worker, Workers, into_inner, lock, next_but_one};
use super::{
    Budget, Ended, Frame, Job, Limit, Move, Outcome, Pauses, Search, SharedTable, State, Visited,
    beams,
};
use crate::search::Stats;
use std::sync::Mutex;

/// Open moves of a state, for another thread.
pub(super) struct Task {
    state: State,
    moves: Vec<Move>,
    /// The line to the state.
    path: Vec<Move>,
}

impl Search<'_, '_, '_> {
    /// As [`Search::run`]; other threads help if it takes long and there are any.
    pub(super) fn run_with_help(&mut self, root: &State) -> Result<Ended, Limit> {
        if self.permute.is_some() {
            // A given order of moves is for one thread, and for the depth-first search.
            self.pauses = Pauses::default();
            return self.run(root);
        }
        self.pauses = Pauses::new(
            beams::of(self.job.game, self.job.lemmas),
            self.job.budget.states_alone(),
        );
        let mut ended = self.run(root)?;
        while let Ended::OutOfStates = ended {
            if let Some(helpers) = self.job.budget.take_helpers() {
                let together = self.go_on_together(&helpers);
                self.job.budget.put_helpers_back(helpers);
                if let Some(ended) = together? {
                    return Ok(ended);
                }
            }
            self.pauses.allow(self.job.budget.states_alone());
            ended = self.go_on()?;
        }
        Ok(ended)
    }

    /// Goes on with helpers to the end. `None` if there is too little memory.
    fn go_on_together(&mut self, helpers: &Helpers) -> Result<Option<Ended>, Limit> {
        let Some(pool) = self.job.budget.pool().cloned() else {
            return Ok(None);
        };
        let shared = match &self.visited {
            Visited::Dominated(table) => {
                SharedTable::new(table, |_| true, &pool).map(Visited::SharedDominated)
            }
            Visited::Exact(table) => {
                SharedTable::new(table, |_| true, &pool).map(Visited::SharedExact)
            }
            Visited::SharedDominated(_) | Visited::SharedExact(_) => return Ok(None),
        };
        let Ok(shared) = shared else {
            return Ok(None);
        };
        if self
            .oracle
            .share_what_is_known(&mut self.job.budget)
            .is_err()
        {
            return Ok(None);
        }
        self.job.budget.give_bytes(self.visited.counted_bytes());
        self.visited = shared;
        self.pauses.allow(u64::MAX);

        let (game, lemmas) = (self.job.game, self.job.lemmas);
        let (order, guide, root) = (self.order, self.guide, self.root);
        let limits = self.job.budget.limits().clone();
        let first = Mutex::new((self.visited.share(), self.oracle.for_helper()));
        let sum = Mutex::new(Stats::default());
        let help = |workers: &Workers<Task>| {
            let (visited, oracle) = {
                let first = lock(&first);
                (first.0.share(), first.1.for_helper())
            };
            let mut job = Job::for_helper(game, lemmas, Budget::for_helper(&limits, &pool));
            let mut search = Search::new(&mut job, visited, &root);
            search.oracle = oracle;
            (search.order, search.guide) = (order, guide);
            workers.work(&mut search);
            lock(&sum).add(&job.stats);
        };
        let (outcome, handed_over) = parallel::run(self, &pool, helpers, help);
        self.job.stats.add(&into_inner(sum));
        self.job.stats.handed_over += handed_over;
        match outcome {
            Outcome::Found(line) => {
                self.path = line;
                Ok(Some(Ended::Won))
            }
            Outcome::Exhausted(_) => Ok(Some(Ended::Exhausted)),
            Outcome::Stopped(limit) => Err(limit),
        }
    }
}

impl Visited {
    /// The same table for another thread.
    fn share(&self) -> Visited {
        match self {
            Visited::SharedDominated(table) => Visited::SharedDominated(table.share()),
            Visited::SharedExact(table) => Visited::SharedExact(table.share()),
            Visited::Dominated(_) | Visited::Exact(_) => {
                unreachable!("made a shared table before")
            }
        }
    }

    fn counted_bytes(&self) -> u64 {
        match self {
            Visited::Dominated(table) => table.counted_bytes(),
            Visited::Exact(table) => table.counted_bytes(),
            Visited::SharedDominated(_) | Visited::SharedExact(_) => 0,
        }
    }
}

impl Worker for Search<'_, '_, '_> {
    type Task = Task;

    #[inline]
    fn step(&mut self) -> Result<Step, Limit> {
        Ok(match Search::step(self)? {
            None => Step::On,
            Some(Ended::Won) => Step::Won,
            Some(Ended::Exhausted) => Step::Done,
            Some(Ended::OutOfStates) => unreachable!("no bound on states of its own"),
        })
    }

    fn line(&self) -> Vec<Move> {
        self.path.clone()
    }

    fn split(&mut self) -> Option<Task> {
        let frames = self.frames.iter().map(|frame| (frame.next, frame.end));
        let (number, moves) = next_but_one(frames)?;
        let frame = &mut self.frames[number];
        let task = Task {
            state: frame.state,
            moves: self.moves[moves.clone()].to_vec(),
            path: self.path[..self.base + number].to_vec(),
        };
        // Moves of later frames stand behind them. They are cut off when the search leaves their
        // frames.
        frame.end = moves.start as u32;
        Some(task)
    }

    fn resume(&mut self, task: Task) -> Result<(), Limit> {
        self.frames.clear();
        self.moves.clear();
        self.job
            .budget
            .make_room(&mut self.moves, task.moves.len())?;
        self.job.budget.make_room(&mut self.frames, 1)?;
        self.moves.extend_from_slice(&task.moves);
        self.frames.push(Frame {
            state: task.state,
            next: 0,
            end: self.moves.len() as u32,
        });
        self.base = task.path.len();
        self.path = task.path;
        Ok(())
    }

    fn release(&mut self) {
        match &mut self.visited {
            Visited::SharedDominated(table) => table.release(),
            Visited::SharedExact(table) => table.release(),
            Visited::Dominated(_) | Visited::Exact(_) => {}
        }
        self.oracle.release();
    }
}
