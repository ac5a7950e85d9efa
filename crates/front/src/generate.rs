//! Deals of a wanted kind, one after the other.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::io;
use std::ops::RangeInclusive;
use std::panic::resume_unwind;
use std::sync::Arc;
use std::thread::{Builder, ScopedJoinHandle};

use klondike_engine::search::shortest::Count;
use klondike_game::deal::seed::{DealId, DealRange};
use klondike_play::grade::Grade;
use klondike_play::grade::generate::{Answer, Found, Range, Wanted, for_the_scale};

use crate::progress::Watch;
use crate::{Error, Solver};

pub use klondike_play::grade::generate::GenerateError;

/// The deals that [`Solver::generate`] finds, in the order of their numbers.
///
/// It is an iterator that ends when as many deals were tried as may be, when the scheme has no
/// more, after an error, or when the stop flag of the solver is raised.
#[derive(Debug)]
#[must_use]
pub struct Generate<'a> {
    solver: Cow<'a, Solver>,
    wanted: Wanted,
    /// The deals that are left; an end that was not allowed is an error that comes first.
    deals: Result<std::iter::Take<DealRange>, Option<Error>>,
    /// Answers of deals that were tried ahead.
    ahead: VecDeque<Result<Answer, GenerateError>>,
    watch: Watch,
    tried: u64,
    undecided: u64,
}

impl Solver {
    /// The deals from `first` on that are proved winnable, of the next `most` that are tried. Deals
    /// that stay undecided within the limits are passed over.
    ///
    /// The limits hold for each deal, but all deals that are tried at once share the memory: each
    /// thread tries one, with its part. The deals found are the same with any number of threads,
    /// unless a limit on time or memory is hit.
    ///
    /// ```
    /// use klondike::{Grade, Rules, Solver};
    ///
    /// let solver = Solver::new(Rules::standard());
    /// let mut deals = solver.generate("klondike:1".parse()?, 1_000);
    /// for found in deals.by_ref().take(3) {
    ///     let found = found?;
    ///     println!("{}: {}", found.id, found.deal);
    /// }
    /// println!("{} deals were tried", deals.tried());
    ///
    /// let grade = |number| Grade::new(number).expect("grades are 1 to 10");
    /// let mut easy = solver.generate("klondike:1".parse()?, 1_000).grades(grade(1)..=grade(3));
    /// let found = easy.next().expect("one in a thousand")?;
    /// assert!(found.grade <= Grade::new(3));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn generate(&self, first: DealId, most: u64) -> Generate<'_> {
        Generate::new(Cow::Borrowed(self), first, most)
    }

    /// As [`Solver::generate`], of a solver that answers nothing else: the iterator can be kept
    /// without it.
    ///
    /// ```
    /// use klondike::{Generate, Rules, Solver};
    ///
    /// struct NextDeals(Generate<'static>);
    ///
    /// let solver = Solver::new(Rules::named("draw1")?);
    /// let mut deals = NextDeals(solver.into_generate("klondike:1".parse()?, 100));
    /// assert!(deals.0.next().is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn into_generate(self, first: DealId, most: u64) -> Generate<'static> {
        Generate::new(Cow::Owned(self), first, most)
    }
}

impl<'a> Generate<'a> {
    fn new(solver: Cow<'a, Solver>, first: DealId, most: u64) -> Generate<'a> {
        let scheme = first.scheme();
        let deals = DealRange::new(scheme, first.seed().clone(), scheme.range().1);
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        Generate {
            wanted: Wanted {
                rules: Arc::clone(solver.rules()),
                unwinnable: false,
                not_under: None,
                grades: None,
                lengths: None,
            },
            deals: match deals {
                Ok(deals) => Ok(deals.take(most)),
                Err(error) => Err(Some(error.into())),
            },
            ahead: VecDeque::new(),
            watch: solver.watch(),
            solver,
            tried: 0,
            undecided: 0,
        }
    }
}

impl Generate<'_> {
    /// Deals of these grades only.
    pub fn grades(mut self, grades: RangeInclusive<Grade>) -> Self {
        self.wanted.grades = Some(Range {
            first: Some(*grades.start()),
            last: Some(*grades.end()),
        });
        self.unless_contradictory(grades.is_empty())
    }

    /// Deals that are proved unwinnable, in place of winnable ones. With [`Generate::grades`],
    /// [`Generate::shortest`] or [`Generate::needs_worrying_back`], in any order, the first item is
    /// [`Error::Contradiction`].
    ///
    /// ```
    /// use klondike::{Error, Grade, Rules, Solver};
    ///
    /// let solver = Solver::new(Rules::standard());
    /// let deals = solver.generate("klondike:1".parse()?, 40).unwinnable();
    /// let easy = Grade::new(1).unwrap()..=Grade::new(3).unwrap();
    /// let first = deals.grades(easy).next();
    /// assert!(matches!(first, Some(Err(Error::Contradiction))));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn unwinnable(mut self) -> Self {
        self.wanted.unwinnable = true;
        self.unless_contradictory(false)
    }

    /// Deals that cannot be won if no card may come back from a foundation. There are none under
    /// rules that forbid it anyway.
    ///
    /// ```
    /// use klondike::{Rules, Solver};
    ///
    /// let solver = Solver::new(Rules::standard());
    /// let mut deals = solver.generate("klondike:1".parse()?, 20).needs_worrying_back();
    /// assert!(deals.next().is_none());
    /// assert_eq!(deals.tried(), 20);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn needs_worrying_back(mut self) -> Self {
        let without = self.wanted.rules.to_builder().worrying_back(false).build();
        self.wanted.not_under = Some(Arc::new(without.expect("other rules may be as they are")));
        self.unless_contradictory(false)
    }

    /// Deals whose shortest solution has so many moves, of those that count. It must be proved
    /// within the limits, which takes seconds for a deal.
    ///
    /// ```
    /// use klondike::{Count, Rules, Solver};
    ///
    /// let solver = Solver::new(Rules::named("draw1")?);
    /// let deals = solver.generate("klondike:1".parse()?, 1_000);
    /// let found = deals.shortest(Count::Cards, 60..=90).next().expect("most are so short")?;
    /// assert!((60..=90).contains(&found.shortest.expect("it was asked for")));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn shortest(mut self, count: Count, lengths: RangeInclusive<u16>) -> Self {
        let range = Range {
            first: Some(*lengths.start()),
            last: Some(*lengths.end()),
        };
        self.wanted.lengths = Some((count, range));
        self.unless_contradictory(lengths.is_empty())
    }

    fn unless_contradictory(mut self, nothing: bool) -> Self {
        let wanted = &self.wanted;
        let of_wins =
            wanted.grades.is_some() || wanted.lengths.is_some() || wanted.not_under.is_some();
        if nothing || wanted.unwinnable && of_wins {
            self.deals = Err(Some(Error::Contradiction));
        }
        self
    }

    /// How many deals were tried, up to the last one that was given.
    #[must_use]
    pub fn tried(&self) -> u64 {
        self.tried
    }

    /// How many of them stayed undecided.
    #[must_use]
    pub fn undecided(&self) -> u64 {
        self.undecided
    }

    /// Tries the next deals: one, or some for each thread.
    fn try_next(&mut self) {
        let Ok(deals) = &mut self.deals else {
            return;
        };
        let threads = self.solver.thread_count();
        let count = if threads > 1 { 4 * threads } else { 1 };
        let ids: Vec<DealId> = deals.take(count).collect();
        let (solver, wanted, watch) = (&*self.solver, &self.wanted, &self.watch);
        let look = |id: &DealId| {
            let limits = solver.begin_alone(watch);
            let scale = for_the_scale(&limits);
            let answer = wanted.look_at(id.clone(), solver.lemmas, &limits, &scale);
            watch.tried();
            answer
        };
        if threads < 2 {
            self.ahead.extend(ids.iter().map(look));
            return;
        }
        let share = |first: usize| -> VecDeque<_> {
            let mine = ids.iter().skip(first).step_by(threads);
            mine.map(look).collect()
        };
        let mut shares: Vec<_> = std::thread::scope(|scope| {
            let share = &share;
            let spawn = |first| Builder::new().spawn_scoped(scope, move || share(first));
            let workers: Vec<_> = (0..threads).map(spawn).collect();
            // What the system gives no thread for is done by this one.
            let take = |(first, worker): (_, io::Result<ScopedJoinHandle<'_, _>>)| match worker {
                Ok(worker) => worker.join().unwrap_or_else(|panic| resume_unwind(panic)),
                Err(_) => share(first),
            };
            workers.into_iter().enumerate().map(take).collect()
        });
        for number in 0..ids.len() {
            self.ahead.extend(shares[number % threads].pop_front());
        }
    }

    fn end(&mut self) {
        self.deals = Err(None);
        self.ahead.clear();
    }
}

impl Iterator for Generate<'_> {
    type Item = Result<Found, Error>;

    fn next(&mut self) -> Option<Result<Found, Error>> {
        loop {
            if let Err(error) = &mut self.deals {
                return error.take().map(Err);
            }
            if self.ahead.is_empty() {
                self.try_next();
            }
            // The flag may have cut short what was tried.
            if self.solver.is_stopped() {
                self.end();
                return None;
            }
            let Some(answer) = self.ahead.pop_front() else {
                self.end();
                return None;
            };
            self.tried += 1;
            match answer {
                Ok(Answer::Yes(found)) => return Some(Ok(found)),
                Ok(Answer::No) => {}
                Ok(Answer::Undecided) => self.undecided += 1,
                Err(error) => {
                    self.end();
                    return Some(Err(error.into()));
                }
            }
        }
    }
}

impl std::iter::FusedIterator for Generate<'_> {}
