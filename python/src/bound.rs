//! `bound` and `count`: what is known of all deals without a search.

use std::sync::atomic::Ordering;

use klondike_batch::interval::Interval;
use klondike_batch::machine;
use klondike_contract::{BoundAnswer, Envelope};
use klondike_front::{DealRange, Rules};
use klondike_lab::bound::{self as bounds, Task};
use klondike_lab::count::one_move::{Deuce, not_counted};
use klondike_lab::count::{self as counts, CountError, Share, locks};
use klondike_lab::task::TaskError;
use pyo3::exceptions::PyRuntimeError;
use pyo3::inspect::PyStaticExpr;
use pyo3::prelude::*;
use pyo3::type_hint_identifier;
use pyo3::types::PyInt;

use crate::advise::confidence_of;
use crate::args::{self, RulesArg, Whole, rules_or_standard};
use crate::ask::ask;
use crate::bar::with_bar;
use crate::error::{UnsupportedError, argument};
use crate::estimate::{ends, of_task};

/// How many deals are proved unwinnable as they are dealt.
#[pyclass(frozen, name = "Bound", module = "klondike_solver")]
pub(crate) struct PyBound {
    answer: Envelope<BoundAnswer>,
    interrupted: bool,
}

#[pymethods]
impl PyBound {
    /// A share of all deals, 0 to 1, that the winnable ones do not exceed: 1 less the lower end of
    /// `clopper_pearson`.
    #[getter]
    fn winnable_at_most(&self) -> f64 {
        self.answer.answer().winnable_at_most
    }

    /// How many deals are proved unwinnable.
    #[getter]
    fn refuted(&self) -> u64 {
        self.answer.answer().everything.refuted
    }

    /// Their share, 0 to 1, if there are deals.
    #[getter]
    fn share(&self) -> Option<f64> {
        self.answer.answer().everything.share
    }

    /// The ends of Wilson's interval of the share.
    #[getter]
    fn wilson(&self) -> (f64, f64) {
        ends(self.answer.answer().everything.wilson)
    }

    /// The ends of the interval of Clopper and Pearson.
    #[getter]
    fn clopper_pearson(&self) -> (f64, f64) {
        ends(self.answer.answer().everything.clopper_pearson)
    }

    /// Whether Ctrl-C ended it: the deals that were looked at by then are the first ones.
    #[getter]
    fn interrupted(&self) -> bool {
        self.interrupted
    }

    /// What `klondike bound --json` prints of it, as a text of JSON.
    fn json(&self) -> PyResult<String> {
        serde_json::to_string(&self.answer)
            .map_err(|error| PyRuntimeError::new_err(error.to_string()))
    }

    fn __len__(&self) -> usize {
        self.answer.answer().deals as usize
    }

    fn __repr__(&self) -> String {
        format!(
            "<Bound: {} of {} deals refuted, at most {:.1} % are winnable{}>",
            self.refuted(),
            self.__len__(),
            (1000.0 * self.winnable_at_most()).ceil() / 10.0,
            if self.interrupted {
                ", interrupted"
            } else {
                ""
            }
        )
    }
}

/// A bound on the share of winnable deals, without search: by those that are proved unwinnable as
/// they are dealt. It is the answer of `klondike bound`, which can keep its progress in a file.
///
/// Args:
///     deals: A range such as "klondike:1..100000", both ends included.
///     rules: Rules, or the name of a set of them; standard if left out.
///     confidence: Of the intervals, above 0 and below 1.
///     threads: Threads, 1 to 1024; if left out, as many as this process may use.
///     progress: Whether a bar shows how far it is, after two seconds.
///
/// Raises:
///     ArgumentError: If an argument has a value that it cannot have.
///     DealError: If the deals do not fit the rules.
///
/// >>> from klondike_solver import bound
/// >>> bound("klondike:1..2000")
/// <Bound: 261 of 2000 deals refuted, at most 88.9 % are winnable>
#[pyfunction]
#[pyo3(signature = (deals, rules = None, *, confidence = 0.99, threads = None, progress = true))]
pub(crate) fn bound(
    py: Python<'_>,
    deals: &str,
    rules: Option<RulesArg>,
    confidence: f64,
    threads: Option<Whole>,
    progress: bool,
) -> PyResult<PyBound> {
    let range: Result<DealRange, _> = deals.trim().parse();
    let range = range.map_err(|error| argument("deals", error))?;
    let rules = rules_or_standard(rules);
    let confidence = confidence_of(confidence)?;
    let threads = args::threads(threads, machine::processors())?;
    let task = Task::new(&rules, range).map_err(|error| of_task(&error))?;
    let (answer, interrupted) =
        with_bar(py, Some(task.deals().count()), progress, |stop, done| {
            let mut now = task.start();
            let ended = bounds::run(&task, &mut now, threads, stop, |now| {
                done.store(now.counts().deals, Ordering::Relaxed);
                Ok::<(), TaskError>(())
            });
            ended.map_err(|error| of_task(&error))?;
            Ok(bounds::answer(&task, &now, confidence))
        })?;
    Ok(PyBound {
        answer: Envelope::of_rules(&rules, answer),
        interrupted,
    })
}

/// A number of any size, in decimal digits.
pub(crate) struct Digits(String);

impl<'py> IntoPyObject<'py> for Digits {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;
    const OUTPUT_TYPE: PyStaticExpr = type_hint_identifier!("builtins", "int");

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.get_type::<PyInt>().call1((self.0,))
    }
}

/// How many of equally likely cases have a property: exactly, or among random deals.
#[pyclass(frozen, name = "Counted", module = "klondike_solver")]
pub(crate) struct PyCounted {
    name: String,
    count: String,
    total: String,
    share: f64,
    wilson: Option<Interval>,
}

#[pymethods]
impl PyCounted {
    /// What was counted.
    #[getter]
    fn name(&self) -> &str {
        &self.name
    }

    /// How many cases have it.
    #[getter]
    fn count(&self) -> Digits {
        Digits(self.count.clone())
    }

    /// How many cases there are.
    #[getter]
    fn total(&self) -> Digits {
        Digits(self.total.clone())
    }

    /// `count` divided by `total`.
    #[getter]
    fn share(&self) -> f64 {
        self.share
    }

    /// The ends of Wilson's interval of the share, at 95 %, if the cases are random deals; none if
    /// they are all that there are.
    #[getter]
    fn wilson(&self) -> Option<(f64, f64)> {
        self.wilson.map(ends)
    }

    fn __repr__(&self) -> String {
        format!("<Counted {}: {:.7} %>", self.name, 100.0 * self.share)
    }
}

impl PyCounted {
    fn exactly(name: &str, share: &Share) -> PyCounted {
        PyCounted {
            name: name.to_owned(),
            count: share.count().to_string(),
            total: share.total().to_string(),
            share: share.to_f64(),
            wilson: None,
        }
    }

    fn among(name: &str, count: u64, deals: u64) -> PyCounted {
        PyCounted {
            name: name.to_owned(),
            count: count.to_string(),
            total: deals.to_string(),
            share: count as f64 / deals as f64,
            wilson: Some(Interval::wilson(count, deals, 0.95)),
        }
    }
}

/// Among random deals those that a pile blocks and those that several piles lock.
fn locked(
    py: Python<'_>,
    rules: &Rules,
    deals: Option<Whole>,
    seed: Option<Whole>,
) -> PyResult<Vec<PyCounted>> {
    let read = |given: Option<Whole>, name, least, usual| match given {
        Some(given) => given.within(name, least..=i64::MAX),
        None => Ok(usual),
    };
    let deals = read(deals, "deals", 1, 1_000_000)?;
    let seed = read(seed, "seed", 0, 1)?;
    let threads = machine::processors();
    let sample = ask(py, |stop| {
        let watch = |_| !stop.load(Ordering::Relaxed);
        locks::sample_locked(rules, deals, seed, threads, watch)
    })?;
    let sample = sample.map_err(|error| argument("deals", error))?;
    let among = |name, count| PyCounted::among(name, count, sample.deals);
    Ok(vec![
        among("blocked", sample.blocked),
        among("locked", sample.locked),
    ])
}

/// Kinds of deals, counted exactly: the answers of `klondike count`.
///
/// Args:
///     what: "unplayable" (drawing is all that can be done), "one-move" (the only move is that of
///         an ace to the foundation, and it opens nothing: two readings, and the ace on a pile or
///         in the talon), "blocked" (by a single pile), or "locked" (cards of several piles hold
///         each other), which is found among random deals.
///     rules: Rules, or the name of a set of them; standard if left out.
///     deals: How many random deals, for "locked"; a million if left out.
///     seed: Of the random deals; 1 if left out.
///
/// Raises:
///     ArgumentError: If an argument has a value that it cannot have, or a count would need too
///         many intermediate results.
///     UnsupportedError: If one-move deals are not counted under these rules.
///     KeyboardInterrupt: Soon after Ctrl-C, of "locked".
///
/// >>> from klondike_solver import count
/// >>> count("unplayable")
/// [<Counted unplayable: 0.2500186 %>]
/// >>> [blocked] = count("blocked")
/// >>> blocked.count < blocked.total
/// True
/// >>> [each.name for each in count("locked", deals=1000)]
/// ['blocked', 'locked']
#[pyfunction]
#[pyo3(signature = (what, rules = None, *, deals = None, seed = None))]
pub(crate) fn count(
    py: Python<'_>,
    what: &str,
    rules: Option<RulesArg>,
    deals: Option<Whole>,
    seed: Option<Whole>,
) -> PyResult<Vec<PyCounted>> {
    let rules = rules_or_standard(rules);
    if what == "locked" {
        return locked(py, &rules, deals, seed);
    }
    for (name, given) in [("deals", deals), ("seed", seed)] {
        if given.is_some() {
            return Err(argument(name, "it goes with \"locked\""));
        }
    }
    let exactly = PyCounted::exactly;
    py.detach(|| match what {
        "unplayable" => Ok(vec![exactly(what, &counts::unplayable(&rules))]),
        "one-move" => {
            if let Some(words) = not_counted(&rules) {
                let words = format!("one-move deals are not counted {words}");
                return Err(UnsupportedError::new_err(words));
            }
            let readings = [
                (Deuce::MayFollow, "the two may follow"),
                (Deuce::MustNot, "the two must not be playable"),
            ];
            let counted = readings.into_iter().flat_map(|(deuce, words)| {
                let found = counts::one_move(&rules, deuce);
                [
                    exactly(&format!("{words}, ace on a pile"), &found.tableau),
                    exactly(&format!("{words}, ace in the talon"), &found.talon),
                ]
            });
            Ok(counted.collect())
        }
        "blocked" => {
            let share = counts::blocked(&rules).map_err(|error| argument("rules", error))?;
            Ok(vec![exactly(what, &share)])
        }
        _ => Err(argument(
            "what",
            "write \"unplayable\", \"one-move\", \"blocked\" or \"locked\"",
        )),
    })
}

/// The number of orders in which all cards of a talon can be taken, one after the other, with
/// unlimited redeals: `klondike count draws`.
///
/// Args:
///     cards: Cards of the talon.
///     draw: Cards turned at once.
///
/// Raises:
///     ArgumentError: If there is no such talon.
///
/// >>> from klondike_solver import count_orders
/// >>> count_orders(3, 1), count_orders(3, 3)
/// (6, 1)
#[pyfunction]
pub(crate) fn count_orders(py: Python<'_>, cards: Whole, draw: Whole) -> PyResult<Digits> {
    let most = i64::from(u8::MAX);
    let cards = cards.within("cards", 1..=most)? as usize;
    let draw = draw.within("draw", 1..=most)? as usize;
    let found = py.detach(|| counts::draws(cards, draw));
    let wrong = |error: CountError| match error {
        CountError::DrawCount => argument("draw", error),
        _ => argument("cards", error),
    };
    Ok(Digits(found.map_err(wrong)?.to_string()))
}
