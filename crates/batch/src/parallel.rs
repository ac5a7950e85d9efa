//! Jobs on several threads, with their results in the order of the jobs or as they are done.
//!
//! One thread pulls jobs, and the thread that calls [`Workers::run`] takes the results; with one
//! worker it does all itself. So jobs may come from any iterator, even a slow one, and results may
//! be printed at once. If each result depends on its job alone, the results do not depend on the
//! number of threads; those of [`Workers::run_as_done`] come in any order. The number of jobs in
//! progress or waiting is bounded, and so is the memory for them.

use std::any::Any;
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Most jobs for each thread that are under way or wait for their turn: a slow job holds up the
/// other threads only after so many.
const AHEAD: usize = 1024;

/// How long a block of jobs should take: short enough to show progress and to stop soon.
const BLOCK_TIME: Duration = Duration::from_millis(20);

/// Threads that work on the same kind of job.
#[derive(Clone, Copy, Debug)]
pub struct Workers<'a> {
    /// Number of threads; 0 counts as 1.
    pub threads: usize,
    /// Most jobs that a thread takes at once. Only quick jobs need more than 1.
    pub block: usize,
    /// Set to begin no more jobs. An error sets it as well.
    pub stop: &'a AtomicBool,
}

type Numbered<T> = (usize, Vec<T>);

/// Bounds the number of jobs that are in progress or wait for their turn.
struct Gate {
    state: Mutex<GateState>,
    changed: Condvar,
}

struct GateState {
    /// Jobs that were handed out and whose results were not taken.
    open: usize,
    /// How many jobs the next block should have.
    size: usize,
    closed: bool,
}

impl Default for Gate {
    fn default() -> Gate {
        Gate {
            state: Mutex::new(GateState {
                open: 0,
                size: 1,
                closed: false,
            }),
            changed: Condvar::new(),
        }
    }
}

impl Gate {
    fn state(&self) -> MutexGuard<'_, GateState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until fewer jobs than `most` are open, and gives the size of the next block; `None`
    /// once the gate is closed.
    fn wait_below(&self, most: usize) -> Option<usize> {
        let mut state = self.state();
        while state.open >= most && !state.closed {
            let waited = self.changed.wait(state);
            state = waited.unwrap_or_else(PoisonError::into_inner);
        }
        (!state.closed).then_some(state.size)
    }

    fn enter(&self, jobs: usize) {
        self.state().open += jobs;
    }

    fn leave(&self, jobs: usize, next_size: usize) {
        let mut state = self.state();
        state.open -= jobs;
        state.size = next_size;
        self.changed.notify_one();
    }
}

struct CloseAtTheEnd<'a>(&'a Gate);

impl Drop for CloseAtTheEnd<'_> {
    fn drop(&mut self) {
        self.0.state().closed = true;
        self.0.changed.notify_one();
    }
}

/// The results of a block, or the panic of one of its jobs.
struct Done<R> {
    number: usize,
    jobs: usize,
    results: Result<Vec<R>, Box<dyn Any + Send>>,
    time: Duration,
}

impl Workers<'_> {
    /// Does all jobs. Each thread makes its own state with `begin`, hands it to `work` with every
    /// job, and drops it when there are no more jobs. `take` gets the results in order, some at a
    /// time.
    ///
    /// If `stop` is set, jobs under way are finished, and `take` gets the results of all jobs
    /// before the first that was not begun.
    ///
    /// # Errors
    /// The first error of `take`. It ends the work.
    ///
    /// # Panics
    /// If a job panics.
    pub fn run<J: Send, R: Send, S, E>(
        &self,
        jobs: impl Iterator<Item = J> + Send,
        begin: impl Fn() -> S + Sync,
        work: impl Fn(&mut S, J) -> R + Sync,
        take: impl FnMut(Vec<R>) -> Result<(), E>,
    ) -> Result<(), E> {
        if self.threads <= 1 {
            return self.run_here(jobs, begin(), work, take);
        }
        self.run_threads(jobs, begin, work, |done, gate| {
            self.collect(done, gate, take)
        })
    }

    /// As [`Workers::run`], on this thread: to hand over a quick job takes as long as to do it.
    fn run_here<J, R, S, E>(
        &self,
        mut jobs: impl Iterator<Item = J>,
        mut state: S,
        work: impl Fn(&mut S, J) -> R,
        mut take: impl FnMut(Vec<R>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut size = 1;
        while !self.stopped() {
            let start = Instant::now();
            let block = jobs.by_ref().take(size).take_while(|_| !self.stopped());
            let results: Vec<R> = block.map(|job| work(&mut state, job)).collect();
            if results.is_empty() {
                break;
            }
            size = self.next_size(results.len(), start.elapsed());
            take(results).inspect_err(|_| self.stop.store(true, Ordering::Relaxed))?;
        }
        Ok(())
    }

    /// As [`Workers::run`], but `take` gets results as soon as they are there, in any order. It is
    /// called at least once in `every`, with nothing if nothing is done.
    ///
    /// If `stop` is set, jobs under way are finished, and `take` gets their results.
    ///
    /// # Errors
    /// The first error of `take`. It ends the work.
    ///
    /// # Panics
    /// If a job panics.
    pub fn run_as_done<J: Send, R: Send, S, E>(
        &self,
        jobs: impl Iterator<Item = J> + Send,
        begin: impl Fn() -> S + Sync,
        work: impl Fn(&mut S, J) -> R + Sync,
        every: Duration,
        mut take: impl FnMut(Vec<R>) -> Result<(), E>,
    ) -> Result<(), E> {
        self.run_threads(jobs, begin, work, |done, gate| {
            loop {
                match done.recv_timeout(every) {
                    Ok(block) => take(self.leave(block, gate))?,
                    Err(RecvTimeoutError::Timeout) => take(Vec::new())?,
                    Err(RecvTimeoutError::Disconnected) => return Ok(()),
                }
            }
        })
    }

    /// Starts the threads; `collect` takes what they have done.
    fn run_threads<J: Send, R: Send, S, E>(
        &self,
        jobs: impl Iterator<Item = J> + Send,
        begin: impl Fn() -> S + Sync,
        work: impl Fn(&mut S, J) -> R + Sync,
        collect: impl FnOnce(Receiver<Done<R>>, &Gate) -> Result<(), E>,
    ) -> Result<(), E> {
        let (to_workers, blocks) = mpsc::channel();
        let blocks = Mutex::new(blocks);
        let gate = Gate::default();
        std::thread::scope(|scope| {
            // However the work ends, nobody waits at the gate.
            let _closed_at_the_end = CloseAtTheEnd(&gate);
            let (to_us, done) = mpsc::channel();
            for _ in 0..self.threads.max(1) {
                let to_us = to_us.clone();
                let (blocks, begin, work) = (&blocks, &begin, &work);
                scope.spawn(move || {
                    let mut state = begin();
                    self.work(blocks, |job| work(&mut state, job), &to_us);
                });
            }
            drop(to_us);
            let gate = &gate;
            scope.spawn(move || self.feed(jobs, &to_workers, gate));
            let ended = collect(done, gate);
            if ended.is_err() {
                // Nobody takes the results of what is still in progress.
                self.stop.store(true, Ordering::Relaxed);
            }
            ended
        })
    }

    fn stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// Hands out blocks of jobs.
    fn feed<J>(
        &self,
        mut jobs: impl Iterator<Item = J>,
        to_workers: &Sender<Numbered<J>>,
        gate: &Gate,
    ) {
        let most = AHEAD * self.threads.max(1);
        for number in 0.. {
            let Some(size) = gate.wait_below(most) else {
                return;
            };
            if self.stopped() {
                return;
            }
            let block: Vec<J> = jobs.by_ref().take(size).collect();
            if block.is_empty() {
                return;
            }
            gate.enter(block.len());
            // Without a receiver all workers have ended, and nobody waits for results.
            let _ = to_workers.send((number, block));
        }
    }

    /// Takes the results of the blocks in order.
    fn collect<R, E>(
        &self,
        done: Receiver<Done<R>>,
        gate: &Gate,
        mut take: impl FnMut(Vec<R>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut waiting = BTreeMap::new();
        let mut taken = 0;
        for block in done {
            waiting.insert(block.number, block);
            while let Some(block) = waiting.remove(&taken) {
                taken += 1;
                let jobs = block.jobs;
                let results = self.leave(block, gate);
                let whole = results.len() == jobs;
                take(results)?;
                if !whole {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// The results of a block, which is no more open.
    fn leave<R>(&self, block: Done<R>, gate: &Gate) -> Vec<R> {
        gate.leave(block.jobs, self.next_size(block.jobs, block.time));
        block.results.unwrap_or_else(|panic| resume_unwind(panic))
    }

    /// How many jobs the block after one of so many should have.
    fn next_size(&self, jobs: usize, time: Duration) -> usize {
        if time < BLOCK_TIME {
            (2 * jobs).clamp(1, self.block.max(1))
        } else {
            (jobs / 2).max(1)
        }
    }

    /// Works on blocks as long as there are any.
    fn work<J, R>(
        &self,
        blocks: &Mutex<Receiver<Numbered<J>>>,
        mut work: impl FnMut(J) -> R,
        done: &Sender<Done<R>>,
    ) {
        while !self.stopped() {
            let next = blocks.lock().unwrap_or_else(PoisonError::into_inner).recv();
            let Ok((number, block)) = next else { return };
            let start = Instant::now();
            let jobs = block.len();
            let results = catch_unwind(AssertUnwindSafe(|| {
                let unstopped = block.into_iter().take_while(|_| !self.stopped());
                unstopped.map(&mut work).collect()
            }));
            let block = Done {
                number,
                jobs,
                results,
                time: start.elapsed(),
            };
            if done.send(block).is_err() {
                return;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use std::convert::Infallible;

    /// An endless iterator of jobs: an error ends the work, and few jobs were pulled ahead.
    #[test]
    fn an_error_ends_the_work() {
        for threads in [1, 3] {
            let stop = AtomicBool::new(false);
            let mut pulled = 0_u64;
            let mut taken = 0;
            let workers = Workers {
                threads,
                block: 8,
                stop: &stop,
            };
            let jobs = std::iter::repeat_with(|| {
                pulled += 1;
                pulled
            });
            let result = workers.run(
                jobs,
                || (),
                |(), job| job,
                |some| {
                    taken += some.len() as u64;
                    if taken < 20_000 { Ok(()) } else { Err("full") }
                },
            );
            assert_eq!(result, Err("full"));
            assert!(stop.load(Ordering::Relaxed));
            assert!(pulled <= taken + (threads * AHEAD + 8) as u64);
        }
    }

    /// Whoever stops the work gets the results of all jobs that were begun, in their order.
    #[test]
    fn results_of_jobs_begun_are_taken() {
        for threads in [1, 3] {
            let stop = AtomicBool::new(false);
            let mut taken = Vec::new();
            let workers = Workers {
                threads,
                block: 8,
                stop: &stop,
            };
            let work = |(): &mut (), job: usize| {
                stop.fetch_or(job == 5_000, Ordering::Relaxed);
                job
            };
            let Ok(()) = workers.run(
                0..,
                || (),
                work,
                |some| -> Result<(), Infallible> {
                    taken.extend(some);
                    Ok(())
                },
            );
            assert!(taken.iter().copied().eq(0..taken.len()));
            // Of several threads one may begin an early job late, or go on meanwhile.
            assert!(threads > 1 || taken.len() == 5_001, "{}", taken.len());
        }
    }
}
