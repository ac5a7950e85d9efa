//! Deciding many deals in parallel, with a small budget first and the hard ones last.
//!
//! Every deal climbs the steps of [`steps`]: first a search with few states and little memory, then
//! searches with all states and more and more memory. The steps follow from the limits of the run.
//! A deal takes the next step only if it hit a limit that this step raises. So the result for a
//! deal depends on the deal and the limits alone: not on the number of threads, on the order of the
//! deals, or on interruptions. Each thread searches one deal, and fewer threads work if the memory
//! that their steps allow would not fit.
//!
//! All deals take the first step before any takes the second, so a few very hard deals do not hold
//! up the others. In later steps, too, each thread searches a deal of its own. A search that
//! several threads share visits other states and may find another solution. So idle threads help
//! with hard deals only where the run asks for it ([`RunLimits::share_hard`]): verdicts stay the
//! same, the rest of those records varies.
//!
//! Records are written as deals are done, in any order: a hard deal must not hold up the records of
//! the deals after it.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use super::contents::Contents;
use super::directory::RunDirectory;
use super::record::{Audit, Piece, Record, SetAside, ShortVerdict, Timed};
use super::run_error::RunError;
use super::task::Task;
use super::thread_time::thread_time;
use klondike_batch::parallel::Workers;
use klondike_check as check;
use klondike_contract::runs::RunLimits;
use klondike_engine::prove::{self, Verdict, certify};
use klondike_engine::search::clock::Deadline;
use klondike_engine::search::idle_threads::{HelpAtTheEnd, Helpers, IdleThreads};
use klondike_engine::search::{Limit, Limits};
use klondike_game::table::Table;
use klondike_lemmas::prune::Lemmas;

/// States of the first search, unless the run says otherwise.
pub const FIRST_STATES: u64 = 10_000_000;

/// Memory of the first search, in bytes; enough for [`FIRST_STATES`] K+ states.
const FIRST_MEMORY: u64 = 256 << 20;

/// How much more memory each further step allows.
const MORE_MEMORY: u64 = 4;

/// Time between two writings.
const WRITE_EVERY: Duration = Duration::from_millis(800);

/// The same if there are records of hard deals.
const WRITE_HARD_EVERY: Duration = Duration::from_millis(100);

/// Most deals that a thread takes at once, so that handing quick ones over costs little.
const AT_ONCE: usize = 16;

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

    fn add(&mut self, outcome: ShortVerdict) {
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
    /// Whether it ends after the first step: what that does not decide stays set aside, for whoever
    /// has more memory.
    pub first_step_only: bool,
}

/// Decides all deals of the run in `directory` that have no record yet. Tells `watch` several
/// times a second what is done.
///
/// Returns whether all of them have one now; they do not if `machine.stop` was set, or hard deals
/// are left to others (`machine.first_step_only`).
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
) -> Result<bool, RunError> {
    let manifest = directory.manifest().clone();
    let steps = steps(&manifest.limits);
    let mut tally = Tally::default();
    let mut aside: Vec<Vec<u64>> = vec![Vec::new(); steps.len() + 1];
    let mut taken: Vec<u64> = Vec::with_capacity(contents.deals.len());
    for (deal, current) in contents.deals.iter().zip(&contents.current) {
        if *current || deal.record.outcome.winnable().is_some() {
            tally.add(deal.record.outcome);
            taken.push(deal.record.offset);
        }
    }
    for mark in contents.set_aside {
        let step = usize::from(mark.step).min(steps.len() - 1);
        aside[step].push(mark.offset);
        taken.push(mark.offset);
        tally.set_aside += 1;
    }
    taken.sort_unstable();
    drop(contents.deals);
    watch(tally);

    for (number, &step) in steps.iter().enumerate() {
        let queue: Queue = if number == 0 {
            let taken = std::mem::take(&mut taken);
            Box::new((0..task.count()).filter(move |offset| taken.binary_search(offset).is_err()))
        } else {
            Box::new(std::mem::take(&mut aside[number]).into_iter())
        };
        let at_once = manifest.limits.memory_bytes / step.memory.max(1);
        let threads = machine
            .threads
            .min(usize::try_from(at_once).unwrap_or(usize::MAX))
            .max(1);
        // Threads without enough memory help at once, threads without a deal later.
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
        };
        let more = work.run(queue, threads, directory, &mut tally, &mut watch)?;
        aside[number + 1].extend(more);
        aside[number + 1].sort_unstable();
        if machine.first_step_only || machine.stop.load(Ordering::Relaxed) {
            break;
        }
    }
    Ok(tally.recorded() == task.count())
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
}

/// The deals that no thread has taken yet.
type Queue = Box<dyn Iterator<Item = u64> + Send>;

/// What a thread sends when it is done with a deal.
enum Found {
    Record(Timed),
    SetAside(SetAside),
}

/// What is to be written.
#[derive(Default)]
struct Unwritten {
    decided: Vec<Timed>,
    set_aside: Vec<SetAside>,
}

impl Work<'_> {
    /// Decides the deals of `queue` until it is empty or the run ends, and writes what is found.
    /// Returns the deals that need the next step.
    fn run(
        &self,
        queue: Queue,
        threads: usize,
        directory: &mut RunDirectory,
        tally: &mut Tally,
        watch: &mut impl FnMut(Tally),
    ) -> Result<Vec<u64>, RunError> {
        let workers = Workers {
            threads,
            // The first step sets hard deals aside.
            block: if self.number > 0 { 1 } else { AT_ONCE },
            stop: self.stop,
        };
        // Hard deals are few and took long: their records do not wait for others.
        let every = if self.number > 0 {
            WRITE_HARD_EVERY
        } else {
            WRITE_EVERY
        };
        let (mut next_step, mut unwritten) = (Vec::new(), Unwritten::default());
        let mut written = Instant::now();
        let ended = workers.run_as_done(
            queue,
            || self.spare.clone().map(HelpAtTheEnd),
            |_, offset| self.decide(offset),
            every,
            |found| {
                for found in found {
                    match found? {
                        Some(Found::Record(deal)) => unwritten.decided.push(deal),
                        Some(Found::SetAside(mark)) => unwritten.set_aside.push(mark),
                        None => {}
                    }
                }
                if unwritten.decided.len() >= BLOCK || written.elapsed() >= every {
                    next_step.extend(self.write(&mut unwritten, directory, tally)?);
                    written = Instant::now();
                    watch(*tally);
                }
                Ok(())
            },
        );
        next_step.extend(self.write(&mut unwritten, directory, tally)?);
        watch(*tally);
        ended.map(|()| next_step)
    }

    /// Writes what was found, and returns the deals that need the next step.
    fn write(
        &self,
        found: &mut Unwritten,
        directory: &mut RunDirectory,
        tally: &mut Tally,
    ) -> Result<Vec<u64>, RunError> {
        let Unwritten {
            mut decided,
            mut set_aside,
        } = std::mem::take(found);
        let next_step = set_aside.iter().map(|mark| mark.offset).collect();
        // The mark of a deal that is set aside stands before its record.
        if !set_aside.is_empty() {
            if self.number == 0 {
                tally.set_aside += set_aside.len() as u64;
            }
            set_aside.sort_unstable_by_key(|mark| mark.offset);
            directory.append(&Piece::SetAside(set_aside))?;
        }
        if !decided.is_empty() {
            for deal in &decided {
                tally.add(deal.record.outcome);
                if self.number > 0 {
                    tally.set_aside -= 1;
                }
            }
            decided.sort_unstable_by_key(|deal| deal.record.offset);
            directory.append(&Piece::Decided(decided))?;
        }
        Ok(next_step)
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
            ..Limits::default()
        }
    }

    /// Searches for a solution of a deal within this step; `None` if the run was interrupted.
    fn decide(&self, offset: u64) -> Result<Option<Found>, RunError> {
        let begun = thread_time();
        let failure = |reason: &dyn fmt::Display| RunError::Deal {
            seed: self.task.seed(offset).to_string(),
            reason: reason.to_string(),
        };
        let table = self.task.table(offset).map_err(|error| failure(&error))?;
        let decision =
            prove::decide(&table, Lemmas::ALL, &self.limits()).map_err(|error| failure(&error))?;
        let microseconds = thread_time().saturating_sub(begun).as_micros() as u64;
        let Some(outcome) = ShortVerdict::new(&decision.verdict) else {
            return Ok(None);
        };
        let mark = SetAside {
            offset,
            step: self.number as u8 + 1,
        };
        let mut audit = Audit::NotAsked;
        match decision.verdict {
            Verdict::Undecided(limit) if self.next_step_allows_more(limit) => {
                return Ok(Some(Found::SetAside(mark)));
            }
            Verdict::Undecided(_) => {}
            verdict if self.task.is_audited(offset, self.certify) => {
                match self.audit(&table, &verdict) {
                    Ok(held) => audit = held,
                    Err(Limit::Interrupt) => return Ok(None),
                    Err(limit) if self.next_step_allows_more(limit) => {
                        return Ok(Some(Found::SetAside(mark)));
                    }
                    Err(_) => audit = Audit::OverLimit,
                }
            }
            _ => {}
        }
        Ok(Some(Found::Record(Timed {
            record: Record {
                offset,
                outcome,
                states: decision.stats.states,
                oracle_states: decision.stats.oracle_states,
                audit,
            },
            microseconds,
        })))
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
            _ if certify::is_in_format(table).is_err() => return Ok(Audit::Impossible),
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
        let entries = self.steps[self.number].memory / CHECK_BYTES;
        let limits = check::CheckLimits::default().entries(entries);
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
}
