//! The options that bound a search, and the flag that Ctrl-C sets; shared by commands that search.

use std::io::IsTerminal;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use bytesize::ByteSize;
use clap::Args;

use crate::progress::searched;
use crate::values::{self, read_seconds, read_size, whole};
use crate::{CliError, INTERRUPTED};
use klondike_batch::machine;
use klondike_engine::search::Limits;
use klondike_engine::search::clock::Deadline;
use klondike_engine::search::idle_threads::{Helpers, IdleThreads};
use klondike_front::{Rules, Solver};

/// What the program takes beside its tables of states, with its threads.
const PROGRAM_MEMORY: u64 = 12 << 20;

/// The time between two looks at how far a question has come.
const SHOW: Duration = Duration::from_millis(100);

#[derive(Debug, Args)]
#[command(next_help_heading = "Limits")]
pub(super) struct LimitArgs {
    /// Most seconds for each deal, such as 60 or 0.5
    #[arg(long, value_name = "SECONDS", value_parser = read_seconds, allow_negative_numbers = true)]
    time_limit: Option<Duration>,

    /// Most states to store for each deal
    #[arg(long, value_name = "N", value_parser = whole::<u64>(..))]
    max_states: Option<u64>,

    /// Most memory for all searches together, such as 8GiB [default: half of the machine's]
    ///
    /// The program takes 12 MiB of it; deals that are searched at the same time share the rest
    /// equally.
    #[arg(long, value_name = "SIZE", value_parser = read_size)]
    memory: Option<ByteSize>,

    /// Threads that search [default: the number of processors]
    ///
    /// Several deals are searched at the same time, each by one thread; a thread that finds no deal
    /// left helps with those that take long, and a single deal gets all threads. With help the
    /// verdict is the same, but the number of states and the solution may differ from run to run:
    /// `--threads 1` repeats itself exactly. Where whole runs or reversed groups need more than the
    /// search for partial runs, each deal is searched with one thread.
    #[arg(long, value_name = "N", value_parser = whole::<u16>(1..=1024))]
    threads: Option<u16>,
}

impl LimitArgs {
    /// Number of threads.
    pub(super) fn threads(&self) -> usize {
        values::threads(self.threads)
    }

    /// Most states for each deal.
    pub(super) fn max_states(&self) -> Option<u64> {
        self.max_states
    }

    /// Most seconds for each deal.
    pub(super) fn seconds(&self) -> Option<f64> {
        self.time_limit.map(|time| time.as_secs_f64())
    }

    /// Whether a limit is 0, so that nothing is ever decided.
    pub(super) fn is_nothing(&self) -> bool {
        self.max_states == Some(0)
            || self.time_limit == Some(Duration::ZERO)
            || self.memory.is_some_and(|size| size.as_u64() == 0)
    }

    /// Whether the most memory was given, and is not taken from the machine.
    pub(super) fn memory_was_given(&self) -> bool {
        self.memory.is_some()
    }

    /// Memory of all searches together, in bytes: without what the program takes beside them.
    pub(super) fn search_memory(&self) -> u64 {
        let memory = self
            .memory
            .map_or_else(|| machine::memory() / 2, |size| size.as_u64());
        memory.saturating_sub(PROGRAM_MEMORY)
    }

    /// A solver for one question, with one thread: it answers the same every time.
    pub(super) fn solver(&self, rules: &Arc<Rules>, stop: Arc<AtomicBool>) -> Solver {
        let mut limits = klondike_front::Limits::default().memory(self.search_memory());
        if let Some(most) = self.max_states {
            limits = limits.states(most);
        }
        if let Some(most) = self.time_limit {
            limits = limits.time(most);
        }
        let show = |now: klondike_front::Progress| searched().store(now.states, Ordering::Relaxed);
        Solver::new(Arc::clone(rules))
            .limits(limits)
            .stop(stop.into())
            .progress(SHOW, show)
    }

    /// Bounds of one of `at_once` searches that starts now, with the threads that may help.
    pub(super) fn start(
        &self,
        at_once: usize,
        stop: &Arc<AtomicBool>,
        spare: &Arc<IdleThreads>,
    ) -> Limits {
        Limits {
            max_states: self.max_states,
            memory_bytes: Some(self.search_memory() / at_once.max(1) as u64),
            deadline: self.time_limit.map(Deadline::after),
            stop: Some(Arc::clone(stop)),
            searched: Some(searched().into()),
            helpers: (self.threads() > 1).then(|| Helpers::new(Arc::clone(spare))),
        }
    }
}

/// A second signal within this time counts as the first one: `timeout` sends its signal twice, to
/// the program and to its process group.
const SAME_SIGNAL: Duration = Duration::from_millis(500);

/// The time after which a running program says that it heard Ctrl-C.
const PATIENCE: Duration = Duration::from_secs(1);

/// Gives a flag that the first Ctrl-C, or request to terminate, sets. The second one ends the
/// program at once.
pub(super) fn stop_on_interrupt() -> Result<Arc<AtomicBool>, CliError> {
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    let mut first = None;
    ctrlc::set_handler(move || {
        flag.store(true, Ordering::Relaxed);
        if first.is_none() && std::io::stderr().is_terminal() {
            std::thread::spawn(|| {
                std::thread::sleep(PATIENCE);
                eprintln!(
                    "\nklondike: finishing the work in progress; press Ctrl-C again to stop now \
                     and discard it"
                );
            });
        }
        let first: Instant = *first.get_or_insert_with(Instant::now);
        if first.elapsed() > SAME_SIGNAL {
            std::process::exit(i32::from(INTERRUPTED));
        }
    })
    .map_err(|error| CliError::Data(format!("cannot watch for Ctrl-C: {error}")))?;
    Ok(stop)
}
