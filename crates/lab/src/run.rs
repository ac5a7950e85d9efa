//! Deciding many deals in parallel, with a small budget first and the hard ones last.
//!
//! Every deal climbs the steps of [`steps`]: a search with few states and little memory, then
//! with all states and more and more memory. The steps depend on the limits of the run alone, and
//! a deal takes the next one only when it hit a limit that the next one raises. So what is found
//! of a deal depends on the deal and the limits only, whatever the number of threads, the order
//! in which deals were taken up, and interruptions. As many deals are searched at once as there
//! are threads, but no more than there is memory for if each takes what its step allows.
//!
//! All deals take the first step before any takes the second: the few monsters do not hold up
//! the others. In later steps different deals are searched at the same time as well. A search that
//! several threads share counts other states than one alone and may find another solution, so
//! that threads without a deal help with hard ones only where the run says so
//! ([`RunLimits::share_hard`]): the verdicts are the same, but the rest of their records varies.
//!
//! [`parallel::Workers`](klondike_play::parallel::Workers) does not fit here: it hands over
//! results in the order of the jobs, and a hard deal must not hold up the records of the deals
//! after it.

use std::collections::VecDeque;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use super::contents::Contents;
use super::directory::RunDirectory;
use super::manifest::RunLimits;
use super::record::{Audit, Outcome, Piece, Record, SetAside, Timed};
use super::run_error::RunError;
use super::thread_time::thread_time;
use klondike_check as check;
use klondike_engine::prove::{self, Verdict, certify};
use klondike_engine::prune::Lemmas;
use klondike_engine::search::clock::Deadline;
use klondike_engine::search::idle_threads::{Helpers, IdleThreads};
use klondike_engine::search::{Limit, Limits};
use klondike_game::deal::seed::{DealId, DealRange, Scheme, Seed, SeedError};
use klondike_game::rules::Rules;
use klondike_game::table::{Table, TableError};

/// States of the first search, unless the run says otherwise.
pub const FIRST_STATES: u64 = 10_000_000;

/// Memory of the first search, in bytes; enough for [`FIRST_STATES`] K+ states.
const FIRST_MEMORY: u64 = 256 << 20;

/// How much more memory each further step allows.
const MORE_MEMORY: u64 = 4;

/// Time between two looks at what the threads have done.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Time between two writings.
const WRITE_EVERY: Duration = Duration::from_millis(800);

/// Most records in a block.
const BLOCK: usize = 1 << 16;

/// The bounds of one search of a deal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Most states.
    pub states: Option<u64>,
    /// Most memory, in bytes.
    pub memory: u64,
}

/// The searches that a deal gets, one after the other, until one decides it.
#[must_use]
pub fn steps(limits: &RunLimits) -> Vec<Step> {
    let all = limits.memory_bytes;
    let first = limits
        .max_states
        .map_or(limits.first_states, |max| max.min(limits.first_states));
    let mut steps = vec![Step {
        states: Some(first),
        memory: FIRST_MEMORY.min(all),
    }];
    let mut memory = FIRST_MEMORY;
    while steps.len() == 1 || memory < all {
        memory = memory.saturating_mul(MORE_MEMORY);
        steps.push(Step {
            states: limits.max_states,
            memory: memory.min(all),
        });
    }
    steps.dedup();
    steps
}

/// The deals of a run and the rules they are played by.
#[derive(Clone, Debug)]
pub struct Task {
    rules: Arc<Rules>,
    range: DealRange,
    count: u64,
}

impl Task {
    /// The task to decide the deals of `range` under `rules`.
    ///
    /// # Errors
    /// If deals with consecutive seeds of the scheme are no sample, the scheme deals other decks,
    /// or there are too many deals.
    pub fn new(rules: &Arc<Rules>, range: DealRange) -> Result<Task, TaskError> {
        let scheme = range.scheme();
        if matches!(scheme, Scheme::Exact | Scheme::Microsoft) {
            return Err(TaskError::NoSample(scheme));
        }
        let count = range.count_left().ok_or(TaskError::TooMany)?;
        let task = Task {
            rules: Arc::clone(rules),
            range,
            count,
        };
        task.table(0)?;
        Ok(task)
    }

    /// The rules.
    #[must_use]
    pub fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    /// The deals.
    #[must_use]
    pub fn range(&self) -> &DealRange {
        &self.range
    }

    /// Number of deals.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The seed of the deal at `offset`.
    #[must_use]
    pub fn seed(&self, offset: u64) -> Seed {
        self.range.ends().0.plus(offset)
    }

    fn table(&self, offset: u64) -> Result<Table, TaskError> {
        let id = DealId::new(self.range.scheme(), self.seed(offset)).map_err(TaskError::Seed)?;
        let deal = id
            .deal(self.rules.deck(), self.rules.layout())
            .map_err(TaskError::Seed)?;
        Table::new(Arc::clone(&self.rules), &deal).map_err(TaskError::Deal)
    }

    /// Whether the verdict of the deal at `offset` is one of the share that is checked: the same
    /// deals in every run of the scheme, and those of a smaller share are among those of a larger.
    fn is_audited(&self, offset: u64, share: f64) -> bool {
        if share <= 0.0 {
            return false;
        }
        let name = format!("{}:{}", self.range.scheme(), self.seed(offset));
        f64::from(crc32fast::hash(name.as_bytes())) < share * (f64::from(u32::MAX) + 1.0)
    }
}

/// Why deals cannot be decided.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TaskError {
    /// Deals with consecutive seeds of this scheme are almost the same.
    #[error("{}", super::bound::BoundError::NoSample(*.0))]
    NoSample(Scheme),
    /// The scheme cannot deal this.
    #[error(transparent)]
    Seed(SeedError),
    /// A deal does not fit the rules.
    #[error(transparent)]
    Deal(TableError),
    /// More deals than can be counted.
    #[error("more deals than can be counted")]
    TooMany,
}

/// What a run has found so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Deals that can be won.
    pub winnable: u64,
    /// Deals that cannot.
    pub unwinnable: u64,
    /// Deals undecided within the limits of the run.
    pub undecided: u64,
    /// Deals that are set aside, and are neither of these yet.
    pub set_aside: u64,
}

impl Tally {
    /// Deals with a record.
    #[must_use]
    pub fn recorded(self) -> u64 {
        self.winnable + self.unwinnable + self.undecided
    }

    fn add(&mut self, outcome: Outcome) {
        match outcome.winnable() {
            Some(true) => self.winnable += 1,
            Some(false) => self.unwinnable += 1,
            None => self.undecided += 1,
        }
    }
}

/// Bounds of a run that its records do not depend on.
#[derive(Clone, Debug)]
pub struct Machine {
    /// Threads to use.
    pub threads: usize,
    /// Set to end the run early.
    pub stop: Arc<AtomicBool>,
}

/// Decides all deals of the run in `directory` that have no record yet. Tells `watch` several
/// times a second what is done.
///
/// Returns whether all of them have one now; they do not if `machine.stop` was set.
///
/// # Errors
/// If records cannot be written, or the program finds a bug in itself. All that was decided
/// before is in the directory, unless that is what failed.
pub fn run(
    directory: &mut RunDirectory,
    task: &Task,
    contents: Contents,
    machine: &Machine,
    mut watch: impl FnMut(Tally),
) -> Result<bool, RunFailure> {
    let manifest = directory.manifest().clone();
    let steps = steps(&manifest.limits);
    let mut tally = Tally::default();
    let mut aside = vec![VecDeque::new(); steps.len() + 1];
    let mut taken: Vec<u64> = Vec::with_capacity(contents.deals.len());
    for (deal, current) in contents.deals.iter().zip(&contents.current) {
        if *current || deal.record.outcome.winnable().is_some() {
            tally.add(deal.record.outcome);
            taken.push(deal.record.offset);
        }
    }
    for mark in contents.set_aside {
        let step = usize::from(mark.step).min(steps.len() - 1);
        aside[step].push_back(mark.offset);
        taken.push(mark.offset);
        tally.set_aside += 1;
    }
    taken.sort_unstable();
    drop(contents.deals);
    watch(tally);

    for (number, &step) in steps.iter().enumerate() {
        let queue = if number == 0 {
            Queue::Missing {
                next: 0,
                count: task.count,
                taken: std::mem::take(&mut taken),
                at: 0,
            }
        } else {
            Queue::Listed(std::mem::take(&mut aside[number]))
        };
        let at_once = manifest.limits.memory_bytes / step.memory.max(1);
        let threads = machine
            .threads
            .min(usize::try_from(at_once).unwrap_or(usize::MAX))
            .max(1);
        // Those that there is no memory for, and later those that find no deal.
        let spare = machine.threads.saturating_sub(threads);
        let share = manifest.limits.share_hard && number > 0;
        let work = Work {
            task,
            steps: &steps,
            number,
            seconds: manifest.limits.seconds,
            certify: manifest.certify,
            stop: &machine.stop,
            spare: share.then(|| Arc::new(IdleThreads::new(spare))),
            queue: Mutex::new(queue),
            shared: Mutex::new(Shared::default()),
            ended: Condvar::new(),
        };
        let more = work.run(threads, directory, &mut tally, &mut watch)?;
        aside[number + 1].extend(more);
        aside[number + 1].make_contiguous().sort_unstable();
        if machine.stop.load(Ordering::Relaxed) {
            break;
        }
    }
    Ok(tally.recorded() == task.count)
}

/// The deals that are still to be taken up.
enum Queue {
    /// All from `next` on that are not `taken`.
    Missing {
        next: u64,
        count: u64,
        taken: Vec<u64>,
        at: usize,
    },
    Listed(VecDeque<u64>),
}

impl Queue {
    fn pop(&mut self) -> Option<u64> {
        match self {
            Queue::Missing {
                next,
                count,
                taken,
                at,
            } => {
                while taken.get(*at).is_some_and(|offset| offset == next) {
                    *next += 1;
                    *at += 1;
                }
                (*next < *count).then(|| {
                    *next += 1;
                    *next - 1
                })
            }
            Queue::Listed(offsets) => offsets.pop_front(),
        }
    }
}

/// One step, taken by all deals that need it.
struct Work<'a> {
    task: &'a Task,
    steps: &'a [Step],
    number: usize,
    seconds: Option<f64>,
    certify: f64,
    stop: &'a Arc<AtomicBool>,
    /// Threads that may help with a search, if they may at all.
    spare: Option<Arc<IdleThreads>>,
    queue: Mutex<Queue>,
    shared: Mutex<Shared>,
    /// Notified when a thread ends.
    ended: Condvar,
}

/// What the threads have done since it was last looked at.
#[derive(Default)]
struct Shared {
    decided: Vec<Timed>,
    set_aside: Vec<SetAside>,
    failure: Option<RunFailure>,
    threads_ended: usize,
}

/// Counts a thread as ended, also if it panics.
struct Ends<'a>(&'a Work<'a>);

impl Drop for Ends<'_> {
    fn drop(&mut self) {
        self.0.shared().threads_ended += 1;
        self.0.ended.notify_all();
    }
}

enum Found {
    Record(Timed),
    SetAside(SetAside),
    Interrupted,
}

impl Work<'_> {
    /// The data are plain lists, whole at any time: a panic elsewhere does not spoil them.
    fn shared(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the deals that need the next step.
    fn run(
        &self,
        threads: usize,
        directory: &mut RunDirectory,
        tally: &mut Tally,
        watch: &mut impl FnMut(Tally),
    ) -> Result<Vec<u64>, RunFailure> {
        std::thread::scope(|scope| {
            for _ in 0..threads {
                scope.spawn(|| {
                    let _ends = Ends(self);
                    self.work();
                });
            }
            let result = self.collect(threads, directory, tally, watch);
            if result.is_err() {
                // Whatever is still being searched is of no use any more.
                self.stop.store(true, Ordering::Relaxed);
            }
            result
        })
    }

    fn collect(
        &self,
        threads: usize,
        directory: &mut RunDirectory,
        tally: &mut Tally,
        watch: &mut impl FnMut(Tally),
    ) -> Result<Vec<u64>, RunFailure> {
        let mut next_step = Vec::new();
        let mut decided = Vec::new();
        let mut set_aside = Vec::new();
        let mut written = Instant::now();
        loop {
            let shared = self.shared();
            let (mut shared, _) = self
                .ended
                .wait_timeout_while(shared, LOOK_EVERY, |shared| shared.threads_ended < threads)
                .unwrap_or_else(PoisonError::into_inner);
            decided.append(&mut shared.decided);
            set_aside.append(&mut shared.set_aside);
            let failure = shared.failure.take();
            let all_ended = shared.threads_ended == threads;
            drop(shared);

            // Hard deals come one by one and took long: write each at once.
            let hard = self.number > 0 && !decided.is_empty();
            let due = hard || written.elapsed() >= WRITE_EVERY || decided.len() >= BLOCK;
            if due || all_ended || failure.is_some() {
                // A deal is marked before others of its step are recorded, and the record of a
                // deal that was set aside stands behind its mark.
                if !set_aside.is_empty() {
                    next_step.extend(set_aside.iter().map(|mark: &SetAside| mark.offset));
                    if self.number == 0 {
                        tally.set_aside += set_aside.len() as u64;
                    }
                    set_aside.sort_unstable_by_key(|mark| mark.offset);
                    directory.append(&Piece::SetAside(std::mem::take(&mut set_aside)))?;
                }
                decided.sort_unstable_by_key(|deal: &Timed| deal.record.offset);
                for block in decided.chunks(BLOCK) {
                    directory.append(&Piece::Decided(block.to_vec()))?;
                }
                for deal in decided.drain(..) {
                    tally.add(deal.record.outcome);
                    if self.number > 0 {
                        tally.set_aside -= 1;
                    }
                }
                written = Instant::now();
                watch(*tally);
            }
            if let Some(failure) = failure {
                return Err(failure);
            }
            if all_ended {
                return Ok(next_step);
            }
        }
    }

    fn work(&self) {
        while !self.stop.load(Ordering::Relaxed) {
            let next = self
                .queue
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .pop();
            let Some(offset) = next else {
                if let Some(spare) = &self.spare {
                    spare.add_one();
                }
                return;
            };
            match self.decide(offset) {
                Ok(Found::Record(deal)) => self.shared().decided.push(deal),
                Ok(Found::SetAside(mark)) => self.shared().set_aside.push(mark),
                Ok(Found::Interrupted) => return,
                Err(failure) => {
                    self.shared().failure.get_or_insert(failure);
                    self.stop.store(true, Ordering::Relaxed);
                    return;
                }
            }
        }
    }

    fn limits(&self) -> Limits {
        let step = self.steps[self.number];
        let time = self
            .seconds
            .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
        Limits {
            // What is recorded must not depend on the number of threads, unless that is allowed.
            helpers: self
                .spare
                .as_ref()
                .map(|spare| Helpers::new(Arc::clone(spare))),
            max_states: step.states,
            memory_bytes: Some(step.memory),
            deadline: time.map(Deadline::after),
            stop: Some(Arc::clone(self.stop)),
        }
    }

    fn decide(&self, offset: u64) -> Result<Found, RunFailure> {
        let begun = thread_time();
        let failure = |reason: &dyn fmt::Display| RunFailure::Deal {
            seed: self.task.seed(offset).to_string(),
            reason: reason.to_string(),
        };
        let table = self.task.table(offset).map_err(|error| failure(&error))?;
        let decision =
            prove::decide(&table, Lemmas::ALL, &self.limits()).map_err(|error| failure(&error))?;
        let microseconds = thread_time().saturating_sub(begun).as_micros() as u64;
        let Some(outcome) = Outcome::new(&decision.verdict) else {
            return Ok(Found::Interrupted);
        };
        let mark = SetAside {
            offset,
            step: self.number as u8 + 1,
        };
        let mut audit = Audit::NotAsked;
        match decision.verdict {
            Verdict::Undecided(limit) if self.next_step_allows_more(limit) => {
                return Ok(Found::SetAside(mark));
            }
            Verdict::Undecided(_) => {}
            verdict if self.task.is_audited(offset, self.certify) => {
                match self.audit(&table, &verdict) {
                    Ok(held) => audit = held,
                    Err(Limit::Interrupt) => return Ok(Found::Interrupted),
                    Err(limit) if self.next_step_allows_more(limit) => {
                        return Ok(Found::SetAside(mark));
                    }
                    Err(_) => audit = Audit::OverLimit,
                }
            }
            _ => {}
        }
        Ok(Found::Record(Timed {
            record: Record {
                offset,
                outcome,
                states: decision.stats.states,
                oracle_states: decision.stats.oracle_states,
                audit,
            },
            microseconds,
        }))
    }

    /// Whether a further step raises the limit that was hit.
    fn next_step_allows_more(&self, limit: Limit) -> bool {
        let here = self.steps[self.number];
        self.steps[self.number + 1..]
            .iter()
            .any(|step| match limit {
                Limit::States => step.states != here.states,
                Limit::Memory => step.memory > here.memory,
                Limit::Time | Limit::Interrupt => false,
            })
    }

    /// Makes and checks the certificate of a verdict, in memory.
    fn audit(&self, table: &Table, verdict: &Verdict) -> Result<Audit, Limit> {
        let mut bytes = Vec::new();
        let made = match verdict {
            Verdict::Winnable(solution) => {
                certify::certify_win(table, solution, &mut bytes).map_err(Into::into)
            }
            Verdict::Undecided(limit) => return Err(*limit),
            Verdict::Unwinnable(evidence) => {
                let alone = Limits {
                    helpers: None,
                    ..self.limits()
                };
                certify::certify_loss(table, evidence, &alone, &mut bytes)
            }
        };
        match made {
            Ok(_) => {}
            Err(
                certify::CertifyError::Undecided(limit) | certify::CertifyError::DoesNotFit(limit),
            ) => return Err(limit),
            Err(_) => return Ok(Audit::Refused),
        }
        let limits = check::CheckLimits {
            max_entries: self.steps[self.number].memory / CHECK_BYTES,
        };
        let winnable = matches!(verdict, Verdict::Winnable(_));
        match check::check(bytes.as_slice(), &limits) {
            Ok(checked) if checked.start == *table && checked.is_winnable() == winnable => {
                Ok(Audit::Held)
            }
            Err(error) if matches!(error.problem, check::Problem::TooManyEntries(_)) => {
                Err(Limit::Memory)
            }
            _ => Ok(Audit::Refused),
        }
    }
}

/// Memory of the checker for a position, see [`check::CheckLimits`].
const CHECK_BYTES: u64 = 50;

/// What ended a run that was not interrupted.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RunFailure {
    /// The directory cannot be written.
    #[error(transparent)]
    Directory(#[from] RunError),
    /// A deal cannot be decided because of a bug.
    #[error("deal {seed}: {reason}")]
    Deal {
        /// Its seed.
        seed: String,
        /// What went wrong.
        reason: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(first_states: u64, max_states: Option<u64>, memory_bytes: u64) -> RunLimits {
        RunLimits {
            first_states,
            max_states,
            memory_bytes,
            seconds: None,
            share_hard: false,
        }
    }

    #[test]
    fn steps_never_allow_less_than_before_and_end_with_all_there_is() {
        for max_states in [None, Some(10), Some(1000), Some(u64::MAX)] {
            for memory in [
                0,
                1 << 20,
                FIRST_MEMORY,
                FIRST_MEMORY + 1,
                9 << 30,
                u64::MAX,
            ] {
                let steps = steps(&limits(1000, max_states, memory));
                let first = max_states.unwrap_or(u64::MAX).min(1000);
                assert_eq!(steps[0].states, Some(first));
                let last = steps.last().expect("a step");
                assert_eq!((last.states, last.memory), (max_states, memory));
                for pair in steps.windows(2) {
                    assert!(pair[0] != pair[1] && pair[0].memory <= pair[1].memory);
                    let bound = |step: &Step| step.states.unwrap_or(u64::MAX);
                    assert!(bound(&pair[0]) <= bound(&pair[1]));
                }
            }
        }
        let steps = steps(&limits(1000, None, 12 << 30));
        let memory: Vec<u64> = steps.iter().map(|step| step.memory >> 20).collect();
        assert_eq!(memory, [256, 1024, 4096, 12288]);
    }

    #[test]
    fn a_smaller_share_is_checked_within_a_larger() {
        let rules = Arc::new(Rules::standard());
        let range = DealRange::from_first(Scheme::Klondike, &Seed::from(1_u64), 4000).unwrap();
        let task = Task::new(&rules, range).unwrap();
        let chosen = |share: f64| (0..4000).filter(|&k| task.is_audited(k, share)).count();
        assert_eq!((chosen(0.0), chosen(1.0)), (0, 4000));
        // Four standard errors are 76.
        assert!((324..=476).contains(&chosen(0.1)), "{}", chosen(0.1));
        assert!((0..4000).all(|k| !task.is_audited(k, 0.1) || task.is_audited(k, 0.2)));
    }

    #[test]
    fn the_queue_leaves_out_what_is_taken() {
        let mut queue = Queue::Missing {
            next: 0,
            count: 9,
            taken: vec![0, 1, 4, 8],
            at: 0,
        };
        let popped: Vec<u64> = std::iter::from_fn(|| queue.pop()).collect();
        assert_eq!(popped, [2, 3, 5, 6, 7]);
    }
}
