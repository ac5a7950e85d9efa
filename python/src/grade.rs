//! `grade` and `generate`: how hard deals are, and deals of a wanted kind.

use std::ops::RangeInclusive;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use klondike_batch::machine;
use klondike_front::{Count, DealId, Generate, Grade, Graded, Limit, Rules};
use klondike_play::grade::generate::{MAX_STATES, Range};
use klondike_play::grade::{GAMES, WIDTHS, version};
use pyo3::inspect::PyStaticExpr;
use pyo3::prelude::*;
use pyo3::{type_hint_identifier, type_hint_union};

use crate::args::{self, About, Bounds, RulesArg, Whole, rules_or_standard};
use crate::ask::ask_stopped_by;
use crate::best::count_named;
use crate::deal::PyDeal;
use crate::error::{argument, of_question};
use crate::solve::{PyVerdict, no_truth};

/// How hard a deal is, if it can be won.
///
/// >>> from klondike_solver import grade
/// >>> graded = grade("klondike:1")
/// >>> 1 <= graded.grade <= 10, 0 <= graded.chance <= 1
/// (True, True)
/// >>> print(grade("solvitaire:1").grade)
/// None
#[pyclass(frozen, name = "Graded", module = "klondike_solver")]
pub(crate) struct PyGraded(Graded, u32);

#[pymethods]
impl PyGraded {
    /// Whether the deal can be won: only then it has a grade.
    #[getter]
    fn verdict(&self) -> PyVerdict {
        PyVerdict(self.0.verdict())
    }

    /// From 1 (easy) to 10; each has about a tenth of the winnable deals of its rules.
    #[getter]
    fn grade(&self) -> Option<u8> {
        self.0.rating().map(|rating| rating.grade.get())
    }

    /// The estimated chance that somebody wins it who does not see the face-down cards, 0 to 1;
    /// None under rules that nothing is fitted to, which are all but the standard ones with draw 1
    /// and draw 3.
    #[getter]
    fn chance(&self) -> Option<f64> {
        self.0.rating()?.chance
    }

    /// Games of the quick player that the grade rests on.
    #[getter]
    fn games(&self) -> u32 {
        GAMES
    }

    /// How many of those games it won.
    #[getter]
    fn wins(&self) -> Option<u32> {
        self.0.rating().map(|rating| rating.features.wins)
    }

    /// How many cards it brought up in all of those games together.
    #[getter]
    fn cards(&self) -> Option<u32> {
        self.0.rating().map(|rating| rating.features.cards)
    }

    /// The width of the narrowest beam search that wins, if one does; None with version 2.
    #[getter]
    fn beam(&self) -> Option<usize> {
        let beam = self.0.rating()?.features.beam;
        WIDTHS.get(beam as usize).copied()
    }

    /// The version of the grade, 1 for the standard rules with draw 1 and draw 3, 2 for others: a
    /// grade never changes under the same one.
    #[getter]
    fn version(&self) -> u32 {
        self.1
    }

    /// The limit that was hit, "states", "memory" or "time", if it is undecided, or winnable and
    /// without a grade, as the scale of the rules was not finished.
    #[getter]
    fn limit(&self) -> Option<&'static str> {
        self.0.limit().map(Limit::name)
    }

    fn __bool__(&self) -> PyResult<bool> {
        no_truth("a graded deal")
    }

    fn __repr__(&self) -> String {
        match (self.0.rating(), self.limit()) {
            (Some(rating), _) => match rating.chance {
                Some(chance) => {
                    let chance = 100.0 * chance;
                    format!("<Graded {} of 10, chance {chance:.0} %>", rating.grade)
                }
                None => format!("<Graded {} of 10>", rating.grade),
            },
            (None, None) => "<Graded unwinnable>".to_owned(),
            (None, Some(limit)) => {
                let verdict = self.0.verdict();
                format!("<Graded {verdict}, no grade, limit of {limit}>")
            }
        }
    }
}

/// How hard a deal is for a person who does not see all cards, from 1 (easy) to 10.
///
/// Args:
///     about: A Deal, or the text of one such as "solvitaire:3".
///     rules: Rules, or the name of a set of them. Under rules that no paper and few games use the
///         first grade takes some seconds more.
///     time_limit: Most seconds.
///     max_states: Most states to store.
///     memory: Most bytes for the tables of the search; half of the machine's if left out.
///
/// Raises:
///     DealError: If the text is no deal or does not fit the rules.
///     UnsupportedError: If the game has begun, or too few deals can be won under the rules.
///     KeyboardInterrupt: Soon after Ctrl-C.
///
/// >>> from klondike_solver import grade
/// >>> grade("klondike:1", "draw1").verdict
/// <Verdict.WINNABLE: 'winnable'>
#[pyfunction]
#[pyo3(signature = (about, rules = None, *, time_limit = None, max_states = None, memory = None))]
pub(crate) fn grade(
    py: Python<'_>,
    about: About,
    rules: Option<RulesArg>,
    time_limit: Option<f64>,
    max_states: Option<Whole>,
    memory: Option<Whole>,
) -> PyResult<PyGraded> {
    let bounds = Bounds::read(time_limit, max_states, memory)?;
    let table = about.table(rules)?;
    let graded = bounds.ask(py, &table, |solver| solver.grade(&table))?;
    let version = version(table.rules());
    graded
        .map(|graded| PyGraded(graded, version))
        .map_err(|error| of_question(&error))
}

/// A grade, or a range of them as text.
pub(crate) struct GradesArg(Range<Grade>);

impl<'py> FromPyObject<'_, 'py> for GradesArg {
    type Error = PyErr;
    const INPUT_TYPE: PyStaticExpr = type_hint_union!(
        type_hint_identifier!("builtins", "int"),
        type_hint_identifier!("builtins", "str")
    );

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<GradesArg> {
        let text: String = match given.extract() {
            Ok(text) => text,
            Err(_) => given.extract::<Whole>()?.to_string(),
        };
        let grades = text.parse().map_err(|error| argument("grades", error))?;
        Ok(GradesArg(grades))
    }
}

/// How long the shortest solutions are, as text such as "flips:100..110".
fn lengths(text: &str) -> PyResult<(Count, RangeInclusive<u16>)> {
    let (count, range) = match text.split_once(':') {
        Some((count, range)) => (count_named("shortest", count, &[])?, range),
        None => (Count::default(), text),
    };
    let range: Result<Range<u16>, _> = range.parse();
    let range = range.map_err(|error| argument("shortest", error))?;
    Ok((
        count,
        range.first.unwrap_or(0)..=range.last.unwrap_or(u16::MAX),
    ))
}

/// Deals of a wanted kind, in the order of their numbers: an iterator.
#[pyclass(frozen, name = "Generated", module = "klondike_solver")]
pub(crate) struct PyGenerated {
    deals: Mutex<Generate<'static>>,
    stop: Arc<AtomicBool>,
    tried: AtomicU64,
    undecided: AtomicU64,
}

#[pymethods]
impl PyGenerated {
    /// Deals that were tried so far, up to the last one that was found.
    #[getter]
    fn tried(&self) -> u64 {
        self.tried.load(Ordering::Relaxed)
    }

    /// How many of them were passed over since a limit was hit.
    #[getter]
    fn undecided(&self) -> u64 {
        self.undecided.load(Ordering::Relaxed)
    }

    fn __iter__<'py>(slf: PyRef<'py, Self>) -> PyRef<'py, Self> {
        slf
    }

    fn __repr__(&self) -> String {
        let (tried, undecided) = (self.tried(), self.undecided());
        format!("<Generated, {tried} tried, {undecided} undecided>")
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<PyDeal>> {
        let found = ask_stopped_by(py, &self.stop, || {
            let mut deals = self.deals.lock().unwrap_or_else(PoisonError::into_inner);
            let found = deals.next();
            self.tried.store(deals.tried(), Ordering::Relaxed);
            self.undecided.store(deals.undecided(), Ordering::Relaxed);
            found
        })?;
        let found = found.transpose().map_err(|error| of_question(&error))?;
        Ok(found.map(|found| PyDeal {
            deal: found.deal,
            seed: Some(found.id.to_string()),
        }))
    }
}

/// Deals that are proved winnable, in the order of their numbers: an iterator without end, or until
/// the scheme has no more.
///
/// The deals are the same on every machine and with any number of threads, unless a limit on time
/// or memory is hit. A deal that is undecided within the limits is passed over.
///
/// Args:
///     first: The deal to begin with; the next numbers follow.
///     rules: Rules, or the name of a set of them; standard if left out.
///     grades: Only deals of these grades: a number from 1 to 10, or a text such as "1..3".
///     shortest: Only deals whose shortest solution has so many moves: a text such as "80..90", or
///         "flips:100..110", which says what counts as `count` of `shortest` does. It is proved,
///         which takes seconds for a deal.
///     needs_worrying_back: Only deals that cannot be won without cards back from the foundations.
///     unwinnable: Deals that are proved unwinnable, in place of winnable ones.
///     most: Most deals to try.
///     time_limit: Most seconds for each deal.
///     max_states: Most states to store for each deal; a million if left out.
///     memory: Most bytes for the tables of all searches together, which share it equally; half
///         of the machine's if left out.
///     threads: Threads, 1 to 1024; if left out, as many as this process may use.
///
/// Raises:
///     ArgumentError: If an argument has a value that it cannot have.
///     DealError: If a deal does not fit the rules; `next` raises it.
///     UnsupportedError: If there are no grades under these rules; `next` raises it.
///     KeyboardInterrupt: Soon after Ctrl-C; the iterator is at its end then.
///
/// >>> from itertools import islice
/// >>> from klondike_solver import generate
/// >>> [deal.seed for deal in islice(generate("klondike:1"), 3)]
/// ['klondike:1', 'klondike:2', 'klondike:3']
/// >>> hard = next(generate(grades="8..10"))
/// >>> short = next(generate(rules="draw1", shortest="cards:..75"))
#[pyfunction]
#[pyo3(signature = (first = "klondike:1", rules = None, *, grades = None, shortest = None,
    needs_worrying_back = false, unwinnable = false, most = None, time_limit = None,
    max_states = None, memory = None, threads = None))]
#[allow(clippy::too_many_arguments)] // keywords of Python
pub(crate) fn generate(
    first: &str,
    rules: Option<RulesArg>,
    grades: Option<GradesArg>,
    shortest: Option<&str>,
    needs_worrying_back: bool,
    unwinnable: bool,
    most: Option<Whole>,
    time_limit: Option<f64>,
    max_states: Option<Whole>,
    memory: Option<Whole>,
    threads: Option<Whole>,
) -> PyResult<PyGenerated> {
    let mut bounds = Bounds::read(time_limit, max_states, memory)?;
    bounds.states.get_or_insert(MAX_STATES);
    let first: DealId = first.parse().map_err(|error| argument("first", error))?;
    let most = match most {
        Some(most) => most.within("most", 1..=i64::MAX)?,
        None => u64::MAX,
    };
    let rules: Arc<Rules> = rules_or_standard(rules);
    let stop = Arc::new(AtomicBool::new(false));
    let solver = bounds.solver(&rules, Arc::clone(&stop));
    let solver = solver.threads(args::threads(threads, machine::processors())?);
    let mut deals = solver.into_generate(first, most);
    if let Some(GradesArg(grades)) = grades {
        if unwinnable {
            let words = "deals that cannot be won have no grade: leave it or `unwinnable` out";
            return Err(argument("grades", words));
        }
        let end = |number| Grade::new(number).expect("one of 1 to 10");
        let first = grades.first.unwrap_or(end(1));
        deals = deals.grades(first..=grades.last.unwrap_or(end(10)));
    }
    if let Some(text) = shortest {
        let (count, lengths) = lengths(text)?;
        deals = deals.shortest(count, lengths);
    }
    if needs_worrying_back {
        if !rules.worrying_back() {
            let words = "these rules let no card come back from a foundation";
            return Err(argument("needs_worrying_back", words));
        }
        deals = deals.needs_worrying_back();
    }
    if unwinnable {
        if shortest.is_some() || needs_worrying_back {
            let words = "such deals have no solution: leave out what is asked of it";
            return Err(argument("unwinnable", words));
        }
        deals = deals.unwinnable();
    }
    Ok(PyGenerated {
        deals: Mutex::new(deals),
        stop,
        tried: AtomicU64::new(0),
        undecided: AtomicU64::new(0),
    })
}
