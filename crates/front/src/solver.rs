//! [`Solver`]: the questions that one can ask about a deal or a position, with their limits.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use klondike_engine::prove::analyse::{Choice, legal_moves};
use klondike_engine::prove::best::{Shortest, shortest};
use klondike_engine::prove::score::{BestScore, best_score};
use klondike_engine::prove::{Decision, Verdict, decide};
use klondike_engine::search;
#[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
use klondike_engine::search::clock::system_clock;
use klondike_engine::search::clock::{Clock, Deadline};
#[cfg(feature = "threads")]
use klondike_engine::search::idle_threads::{Helpers, IdleThreads};
use klondike_engine::search::score::ScoreNews;
use klondike_engine::search::shortest::{Count, News};
use klondike_game::deal::Deal;
use klondike_game::rules::Rules;
use klondike_game::table::Table;
use klondike_lemmas::prune::Lemmas;

use crate::Error;
use crate::progress::{Bounds, Hook, Progress, Watch};

/// What bounds the answer to one question. The default bounds nothing.
///
/// An answer that does not come within the limits is [`Verdict::Undecided`], with the limit that
/// was hit.
///
/// ```
/// use klondike::Limits;
/// use std::time::Duration;
///
/// let limits = Limits::default().time(Duration::from_secs(10)).memory(1 << 30);
/// ```
#[derive(Clone, Copy, Debug, Default)]
#[must_use]
pub struct Limits {
    time: Option<(Clock, Duration)>,
    states: Option<u64>,
    memory: Option<u64>,
}

impl Limits {
    /// Most time, by the clock of the system. In a browser (`wasm32-unknown-unknown`) there is
    /// none: use [`Limits::time_on`].
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    pub fn time(self, most: Duration) -> Limits {
        self.time_on(system_clock, most)
    }

    /// Most time, by a clock that gives the time since some fixed moment and never goes back.
    ///
    /// ```
    /// use std::sync::atomic::{AtomicU64, Ordering};
    /// use std::time::Duration;
    ///
    /// use klondike::{Deal, Limits, Rules, Solver, Verdict};
    ///
    /// // A clock that counts its own readings gives the same limit on every machine.
    /// static READ: AtomicU64 = AtomicU64::new(0);
    /// let clock = || Duration::from_secs(READ.fetch_add(1, Ordering::Relaxed));
    /// let limits = Limits::default().time_on(clock, Duration::from_secs(1));
    /// let deal: Deal = "klondike:2312".parse()?;
    /// let verdict = Solver::new(Rules::standard()).limits(limits).solve(&deal)?;
    /// assert!(matches!(verdict, Verdict::Undecided(_)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn time_on(self, clock: fn() -> Duration, most: Duration) -> Limits {
        Limits {
            time: Some((clock, most)),
            ..self
        }
    }

    /// Most states that may be visited. The answer is the same on every machine.
    pub fn states(self, most: u64) -> Limits {
        Limits {
            states: Some(most),
            ..self
        }
    }

    /// Most memory for the tables of the search, in bytes.
    pub fn memory(self, most: u64) -> Limits {
        Limits {
            memory: Some(most),
            ..self
        }
    }
}

/// Ends a search from another thread.
///
/// All clones are one flag. Once raised it stays raised.
///
/// ```
/// use klondike::{Rules, Solver, StopFlag};
///
/// let flag = StopFlag::default();
/// let solver = Solver::new(Rules::standard()).stop(flag.clone());
/// std::thread::spawn(move || flag.raise());
/// ```
#[derive(Clone, Debug, Default)]
pub struct StopFlag(Arc<AtomicBool>);

impl StopFlag {
    /// Ends the searches that look at this flag, now and later.
    pub fn raise(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it was raised.
    #[must_use]
    pub fn is_raised(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// A flag that something else raises as well, such as a handler of signals.
///
/// ```
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicBool, Ordering};
///
/// let set = Arc::new(AtomicBool::new(false));
/// let flag = klondike::StopFlag::from(Arc::clone(&set));
/// set.store(true, Ordering::Relaxed);
/// assert!(flag.is_raised());
/// ```
impl From<Arc<AtomicBool>> for StopFlag {
    fn from(flag: Arc<AtomicBool>) -> StopFlag {
        StopFlag(flag)
    }
}

/// What a question can be asked about: a [`Deal`], or a [`Table`] with a position in mid-game.
///
/// This trait is sealed: no other type implements it.
pub trait Start: sealed::Sealed {
    /// The position under these rules.
    ///
    /// # Errors
    /// If the deal does not fit the rules, or the table has other rules.
    #[doc(hidden)]
    fn table(&self, rules: &Arc<Rules>) -> Result<Table, Error>;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for klondike_game::deal::Deal {}
    impl Sealed for klondike_game::table::Table {}
}

impl Start for Deal {
    fn table(&self, rules: &Arc<Rules>) -> Result<Table, Error> {
        Ok(Table::new(Arc::clone(rules), self)?)
    }
}

impl Start for Table {
    fn table(&self, rules: &Arc<Rules>) -> Result<Table, Error> {
        match self.rules() == rules {
            true => Ok(self.clone()),
            false => Err(Error::OtherRules),
        }
    }
}

/// Answers questions about deals and positions under one set of rules.
///
/// A solver is set up once and used for many deals, also from several threads at the same time.
/// Every question starts anew with the whole limits.
///
/// ```
/// use klondike::{Deal, Limits, Rules, Solver, Verdict};
///
/// let solver = Solver::new(Rules::standard()).limits(Limits::default().states(1_000_000));
/// for number in 1..=3 {
///     let deal: Deal = format!("solvitaire:{number}").parse()?;
///     match solver.solve(&deal)? {
///         Verdict::Winnable(solution) => println!("{number}: {} moves", solution.moves().len()),
///         Verdict::Unwinnable(reason) => println!("{number}: {reason}"),
///         Verdict::Undecided(limit) => println!("{number}: more than these {limit} needed"),
///     }
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Solver {
    rules: Arc<Rules>,
    limits: Limits,
    pub(crate) lemmas: Lemmas,
    stop: Option<StopFlag>,
    progress: Option<Hook>,
    #[cfg(feature = "threads")]
    threads: usize,
}

impl Solver {
    /// A solver for games under these rules, with one thread and without limits.
    pub fn new(rules: impl Into<Arc<Rules>>) -> Solver {
        Solver {
            rules: rules.into(),
            limits: Limits::default(),
            lemmas: Lemmas::ALL,
            stop: None,
            progress: None,
            #[cfg(feature = "threads")]
            threads: 1,
        }
    }

    /// Sets what bounds each answer.
    pub fn limits(self, limits: Limits) -> Solver {
        Solver { limits, ..self }
    }

    /// Sets the lemmas that the searches use, all by default. Verdicts do not depend on them, only
    /// speed does.
    pub fn lemmas(self, lemmas: Lemmas) -> Solver {
        Solver { lemmas, ..self }
    }

    /// Sets a flag that ends a search soon after another thread raises it. What is not decided
    /// by then is undecided.
    pub fn stop(self, stop: StopFlag) -> Solver {
        Solver {
            stop: Some(stop),
            ..self
        }
    }

    /// Calls `hook` now and then while a question is answered, about once in the time `every` by
    /// the clock of the system, and at once when a better bound is known.
    ///
    /// The hook is called by the thread that searches, or by one of several; it should not take
    /// long. Short questions are over before it is called.
    ///
    /// ```
    /// use klondike::{Count, Deal, Rules, Solver};
    /// use std::time::Duration;
    ///
    /// let solver = Solver::new(Rules::named("draw1")?).progress(Duration::from_secs(2), |now| {
    ///     eprintln!("{} states in {:.0} s", now.states, now.time.as_secs_f64());
    ///     if let Some(bounds) = now.bounds {
    ///         eprintln!("{} to {} moves", bounds.at_least, bounds.at_most);
    ///     }
    /// });
    /// # let solver = solver.limits(klondike::Limits::default().states(1_000));
    /// solver.shortest(&"klondike-solver:5".parse::<Deal>()?, Count::Draws)?;
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(not(all(target_family = "wasm", target_os = "unknown")))]
    pub fn progress(
        self,
        every: Duration,
        hook: impl Fn(Progress) + Send + Sync + 'static,
    ) -> Solver {
        self.progress_on(system_clock, every, hook)
    }

    /// As [`Solver::progress`], by a clock that gives the time since some fixed moment and never
    /// goes back.
    pub fn progress_on(
        self,
        clock: fn() -> Duration,
        every: Duration,
        hook: impl Fn(Progress) + Send + Sync + 'static,
    ) -> Solver {
        let call = Arc::new(hook);
        Solver {
            progress: Some(Hook { clock, every, call }),
            ..self
        }
    }

    /// Sets how many threads work on one deal that takes long; 0 counts as 1.
    ///
    /// The verdict is the same with any number. With more than one, the solution and the number
    /// of states may differ from run to run.
    #[cfg(feature = "threads")]
    pub fn threads(self, threads: usize) -> Solver {
        Solver { threads, ..self }
    }

    /// The rules of the games.
    #[must_use]
    pub fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    /// Whether the game can be won: with a replayed solution if so, with the reason if not.
    ///
    /// ```
    /// use klondike::{Deal, Move, Rules, Solver, Table};
    ///
    /// let solver = Solver::new(Rules::standard());
    /// let mut table = Table::new(solver.rules().clone(), &"solvitaire:3".parse::<Deal>()?)?;
    /// table.make(Move::Draw)?;
    /// assert_eq!(solver.solve(&table)?.name(), "winnable");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the deal does not fit the rules.
    pub fn solve(&self, start: &impl Start) -> Result<Verdict, Error> {
        Ok(self.decide(start)?.verdict)
    }

    /// As [`Solver::solve`], with the engine that answered and what the search did.
    ///
    /// ```
    /// use klondike::{Deal, Engine, Rules, Solver};
    ///
    /// let deal: Deal = "solvitaire:3".parse()?;
    /// let decision = Solver::new(Rules::standard()).decide(&deal)?;
    /// assert_eq!(decision.engine, Engine::KPlus);
    /// println!("{} states, {} bytes", decision.stats.states, decision.stats.memory_bytes);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the deal does not fit the rules.
    pub fn decide(&self, start: &impl Start) -> Result<Decision, Error> {
        let table = start.table(&self.rules)?;
        Ok(decide(&table, self.lemmas, &self.begin())?)
    }

    /// The legal moves, each with the verdict on the position after it. The limits are for all
    /// moves together.
    ///
    /// ```
    /// use klondike::{Deal, Rules, Solver, Verdict};
    ///
    /// let deal: Deal = "klondike:1".parse()?;
    /// let choices = Solver::new(Rules::standard()).analyse(&deal)?;
    /// let winning = |verdict: &Verdict| matches!(verdict, Verdict::Winnable(_));
    /// let keep = choices.iter().filter(|choice| winning(&choice.verdict)).count();
    /// println!("{keep} of {} moves keep the game winnable", choices.len());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the deal does not fit the rules.
    pub fn analyse(&self, start: &impl Start) -> Result<Vec<Choice>, Error> {
        let table = start.table(&self.rules)?;
        Ok(legal_moves(&table, self.lemmas, &self.begin())?)
    }

    /// A shortest solution, as `count` counts, or the best one within the limits.
    ///
    /// ```
    /// use klondike::{Count, Deal, Limits, Rules, Solver};
    ///
    /// let solver = Solver::new(Rules::named("draw1")?).limits(Limits::default().states(100_000));
    /// let deal: Deal = "klondike-solver:5".parse()?;
    /// let shortest = solver.shortest(&deal, Count::Draws)?;
    /// assert!(shortest.at_least <= shortest.length);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If the deal does not fit the rules, or [`Error::Unsupported`] for rules that this search
    /// does not cover, such as whole runs, other cards than kings in empty piles, a last pass by
    /// ones or reversed groups.
    pub fn shortest(&self, start: &impl Start, count: Count) -> Result<Shortest, Error> {
        let table = start.table(&self.rules)?;
        let watch = self.watch();
        let limits = self.begin_watched(&watch);
        let mut bounds = Bounds {
            at_least: 0,
            at_most: u16::MAX,
        };
        let mut report = |news| {
            match news {
                News::Found(length) => bounds.at_most = length,
                News::AtLeast(length) => bounds.at_least = length,
            }
            watch.found(bounds);
        };
        Ok(shortest(&table, count, self.lemmas, &limits, &mut report)?)
    }

    /// The most cards that can be on the foundations, also of a lost deal.
    ///
    /// ```
    /// use klondike::{Deal, Limits, Rules, Solver};
    ///
    /// let solver = Solver::new(Rules::standard()).limits(Limits::default().states(10_000));
    /// let best = solver.best_score(&"solvitaire:1".parse::<Deal>()?)?;
    /// assert!(best.score <= best.at_most && best.at_most < 52);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Solver::shortest`].
    pub fn best_score(&self, start: &impl Start) -> Result<BestScore, Error> {
        let table = start.table(&self.rules)?;
        let watch = self.watch();
        let limits = self.begin_watched(&watch);
        let mut bounds = Bounds {
            at_least: 0,
            at_most: self.rules.deck().len() as u16,
        };
        let mut report = |news| {
            match news {
                ScoreNews::Found(cards) => bounds.at_least = cards.into(),
                ScoreNews::AtMost(cards) => bounds.at_most = cards.into(),
            }
            watch.found(bounds);
        };
        Ok(best_score(&table, self.lemmas, &limits, &mut report)?)
    }

    /// Whether the stop flag is raised.
    #[cfg(feature = "play")]
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.as_ref().is_some_and(StopFlag::is_raised)
    }

    /// The hook for a question that is asked now.
    pub(crate) fn watch(&self) -> Watch {
        Watch::begin(self.progress.as_ref())
    }

    /// The limits of a search that starts now, for a question of its own.
    pub(crate) fn begin(&self) -> search::Limits {
        self.begin_watched(&self.watch())
    }

    /// Threads that may work.
    #[cfg(feature = "play")]
    pub(crate) fn thread_count(&self) -> usize {
        #[cfg(feature = "threads")]
        return self.threads.max(1);
        #[cfg(not(feature = "threads"))]
        return 1;
    }

    /// As [`Solver::begin_watched`], for one of several searches, one for each thread: none is
    /// helped, and all share the memory.
    #[cfg(feature = "play")]
    pub(crate) fn begin_alone(&self, watch: &Watch) -> search::Limits {
        let share = |bytes| bytes / self.thread_count() as u64;
        search::Limits {
            helpers: None,
            memory_bytes: self.limits.memory.map(share),
            ..self.begin_watched(watch)
        }
    }

    /// The limits of a search that starts now, for a question that is watched.
    pub(crate) fn begin_watched(&self, watch: &Watch) -> search::Limits {
        search::Limits {
            max_states: self.limits.states,
            memory_bytes: self.limits.memory,
            deadline: (self.limits.time).map(|(clock, most)| Deadline::on_clock(clock, most)),
            stop: self.stop.clone().map(|flag| flag.0),
            searched: watch.searched(),
            #[cfg(feature = "threads")]
            helpers: (self.threads > 1)
                .then(|| Helpers::new(Arc::new(IdleThreads::new(self.threads - 1)))),
            #[cfg(not(feature = "threads"))]
            helpers: None,
        }
    }
}
