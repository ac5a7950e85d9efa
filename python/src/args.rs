//! Arguments that many functions take: numbers, rules, what a question is about, limits.

use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use klondike_batch::machine;
use klondike_engine::search;
use klondike_engine::search::clock::Deadline;
use klondike_front::{Deal, Lemmas, Limits, Rules, Solver, StopFlag, Table};
use klondike_game::deal::format::Format;
use klondike_game::deal::format::file::Item;
use klondike_game::table::start::Start;
use klondike_play::Information;
use pyo3::exceptions::{PyOverflowError, PyTypeError};
use pyo3::inspect::PyStaticExpr;
use pyo3::prelude::*;
use pyo3::types::PyString;
use pyo3::{type_hint_identifier, type_hint_subscript, type_hint_union};

use crate::ask::ask;
use crate::deal::PyDeal;
use crate::error::{DealError, argument, of_start, with_words};
use crate::position::PyPosition;
use crate::rules::PyRules;

/// A whole number of any size; what is beyond 64 bits is at its end.
#[derive(Clone, Copy)]
pub(crate) struct Whole(i64);

impl<'py> FromPyObject<'_, 'py> for Whole {
    type Error = PyErr;
    // Numbers of NumPy are no `int`.
    const INPUT_TYPE: PyStaticExpr = type_hint_union!(
        type_hint_identifier!("builtins", "int"),
        type_hint_identifier!("typing", "SupportsIndex")
    );

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Whole> {
        match given.extract::<i64>() {
            Ok(number) => Ok(Whole(number)),
            Err(error) if error.is_instance_of::<PyOverflowError>(given.py()) => {
                Ok(Whole(if given.lt(0)? { i64::MIN } else { i64::MAX }))
            }
            Err(error) if error.is_instance_of::<PyTypeError>(given.py()) => {
                let words = format!("write a whole number, not {}", given.repr()?);
                Err(PyTypeError::new_err(words))
            }
            Err(error) => Err(error),
        }
    }
}

impl fmt::Display for Whole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Whole {
    /// The number, if it is in this range.
    pub(crate) fn within(self, name: &str, range: RangeInclusive<i64>) -> PyResult<u64> {
        let (low, high) = (*range.start(), *range.end());
        let given = match self.0 {
            // What was given may be far beyond these.
            i64::MIN | i64::MAX => String::new(),
            number => format!(", not {number}"),
        };
        match u64::try_from(self.0) {
            Ok(number) if range.contains(&self.0) => Ok(number),
            _ if high == i64::MAX => Err(argument(
                name,
                format!("write a whole number of at least {low}{given}"),
            )),
            _ if low == high => Err(argument(name, format!("write {low}{given}"))),
            _ => Err(argument(
                name,
                format!("write a whole number from {low} to {high}{given}"),
            )),
        }
    }
}

/// A list, or anything else that can be gone through, but no text: its letters are not meant.
pub(crate) struct List<T>(pub(crate) Vec<T>);

impl<'py, T: FromPyObjectOwned<'py>> FromPyObject<'_, 'py> for List<T> {
    type Error = PyErr;
    const INPUT_TYPE: PyStaticExpr = type_hint_subscript!(
        type_hint_identifier!("collections.abc", "Iterable"),
        T::INPUT_TYPE
    );

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<List<T>> {
        let items = given.try_iter().ok();
        let Some(items) = items.filter(|_| !given.is_instance_of::<PyString>()) else {
            let words = format!("write a list, not {}", given.repr()?);
            return Err(PyTypeError::new_err(words));
        };
        let items = items.map(|item| item?.extract().map_err(Into::into));
        items.collect::<PyResult<_>>().map(List)
    }
}

/// Rules, or the name of a set of rules.
#[derive(Clone)]
pub(crate) struct RulesArg(Arc<Rules>);

impl<'py> FromPyObject<'_, 'py> for RulesArg {
    type Error = PyErr;
    const INPUT_TYPE: PyStaticExpr = type_hint_union!(
        <PyRules as pyo3::PyTypeInfo>::TYPE_HINT,
        type_hint_identifier!("builtins", "str")
    );

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<RulesArg> {
        if let Ok(rules) = given.cast::<PyRules>() {
            return Ok(RulesArg(Arc::clone(&rules.get().0)));
        }
        let name: String = given
            .extract()
            .map_err(|_| PyTypeError::new_err("write Rules or the name of a set of rules"))?;
        let rules = Rules::named(&name).map_err(with_words!(RulesError))?;
        Ok(RulesArg(Arc::new(rules)))
    }
}

/// The rules given, or the standard ones.
pub(crate) fn rules_or_standard(rules: Option<RulesArg>) -> Arc<Rules> {
    rules.map_or_else(|| Arc::new(Rules::standard()), |rules| rules.0)
}

/// What a question is about: a deal, a position, or a text of either.
#[derive(Clone)]
pub(crate) enum About {
    Text(String),
    Deal(Deal),
    Position(Table),
}

impl<'py> FromPyObject<'_, 'py> for About {
    type Error = PyErr;
    const INPUT_TYPE: PyStaticExpr = type_hint_union!(
        <PyDeal as pyo3::PyTypeInfo>::TYPE_HINT,
        <PyPosition as pyo3::PyTypeInfo>::TYPE_HINT,
        type_hint_identifier!("builtins", "str")
    );

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<About> {
        if let Ok(deal) = given.cast::<PyDeal>() {
            let deal = deal.get();
            return Ok(About::Deal(deal.deal.clone()));
        }
        if let Ok(position) = given.cast::<PyPosition>() {
            return Ok(About::Position(position.try_borrow()?.table().clone()));
        }
        given.extract().map(About::Text).map_err(|_| {
            PyTypeError::new_err("write a Deal, a Position, or a text such as solvitaire:3")
        })
    }
}

impl About {
    /// The table, under these rules or those of the position.
    pub(crate) fn table(self, rules: Option<RulesArg>) -> PyResult<Table> {
        let table = match self {
            About::Text(text) => return table_of(&text, None, &rules_or_standard(rules)),
            About::Deal(deal) => Table::new(rules_or_standard(rules), &deal),
            About::Position(table) => {
                let same = rules.is_none_or(|rules| rules.0 == *table.rules());
                return match same {
                    true => Ok(table),
                    false => Err(argument("rules", "the position has other rules")),
                };
            }
        };
        table.map_err(with_words!(DealError))
    }
}

/// The format of this name.
pub(crate) fn format_named(name: Option<&str>) -> PyResult<Option<Format>> {
    name.map(argument_of_format).transpose()
}

/// The format of this name.
pub(crate) fn argument_of_format(name: &str) -> PyResult<Format> {
    name.parse().map_err(|error| argument("format", error))
}

/// What a text shows.
pub(crate) fn start_of(text: &str, format: Option<Format>, rules: &Arc<Rules>) -> PyResult<Start> {
    let item = Item::from_text(text.to_owned());
    let format = item
        .format(format)
        .map_err(|error| of_start(&error.into()))?;
    Start::read(&item, format, rules).map_err(|error| of_start(&error))
}

/// The table that a text shows; all its cards must be known.
pub(crate) fn table_of(text: &str, format: Option<Format>, rules: &Arc<Rules>) -> PyResult<Table> {
    let start = start_of(text, format, rules)?;
    if let Start::Partly(partly) = &start {
        let count = match partly.unknown.len() {
            1 => "1 card is".to_owned(),
            count => format!("{count} cards are"),
        };
        let words = "not known (`??`); with unknown cards use `advise`";
        return Err(DealError::new_err(format!("{count} {words}")));
    }
    start.table(rules).map_err(with_words!(DealError))
}

/// The information of this name, or the usual one under these rules.
pub(crate) fn information(name: Option<&str>, rules: &Rules) -> PyResult<Information> {
    let named = |name: &str| name.parse().map_err(|error| argument("information", error));
    name.map_or_else(|| Ok(Information::usual(rules)), named)
}

/// Seconds of a time limit.
pub(crate) fn seconds(name: &str, given: f64) -> PyResult<Duration> {
    let words = "write seconds as a number from 0 to 10^19, such as 60 or 0.5";
    Duration::try_from_secs_f64(given).map_err(|_| argument(name, format!("{words}, not {given}")))
}

/// What bounds a search.
#[derive(Clone, Copy)]
pub(crate) struct Bounds {
    pub(crate) time: Option<Duration>,
    pub(crate) states: Option<u64>,
    pub(crate) memory: u64,
    pub(crate) lemmas: Lemmas,
}

impl Bounds {
    pub(crate) fn read(
        time_limit: Option<f64>,
        max_states: Option<Whole>,
        memory: Option<Whole>,
    ) -> PyResult<Bounds> {
        let whole = |name, given: Option<Whole>| {
            given
                .map(|given| given.within(name, 0..=i64::MAX))
                .transpose()
        };
        Ok(Bounds {
            time: time_limit
                .map(|given| seconds("time_limit", given))
                .transpose()?,
            states: whole("max_states", max_states)?,
            memory: match whole("memory", memory)? {
                Some(memory) => memory,
                None => machine::memory() / 2,
            },
            lemmas: Lemmas::ALL,
        })
    }

    /// The same, without the lemmas of these names.
    pub(crate) fn without(self, no_lemmas: Option<List<String>>) -> PyResult<Bounds> {
        let mut lemmas = self.lemmas;
        for name in no_lemmas.map_or_else(Vec::new, |names| names.0) {
            let lemma = name.parse().map_err(|error| argument("no_lemmas", error))?;
            lemmas = lemmas.without(lemma);
        }
        Ok(Bounds { lemmas, ..self })
    }

    /// Asks a solver with these bounds, in a thread of its own.
    pub(crate) fn ask<T: Send>(
        self,
        py: Python<'_>,
        table: &Table,
        question: impl FnOnce(Solver) -> T + Send,
    ) -> PyResult<T> {
        ask(py, |stop| {
            question(self.solver(table.rules(), stop.clone()))
        })
    }

    /// These bounds, of one search after the other that share the time.
    pub(crate) fn limits(self, stop: Arc<AtomicBool>) -> search::Limits {
        search::Limits {
            max_states: self.states,
            memory_bytes: Some(self.memory),
            deadline: self.time.map(Deadline::after),
            stop: Some(stop),
            searched: None,
            helpers: None,
        }
    }

    /// A solver with these bounds.
    pub(crate) fn solver(self, rules: &Arc<Rules>, stop: impl Into<StopFlag>) -> Solver {
        let mut limits = Limits::default().memory(self.memory);
        if let Some(time) = self.time {
            limits = limits.time(time);
        }
        if let Some(states) = self.states {
            limits = limits.states(states);
        }
        let solver = Solver::new(Arc::clone(rules)).limits(limits);
        solver.lemmas(self.lemmas).stop(stop.into())
    }
}

/// Threads that search: as given, or this default.
pub(crate) fn threads(given: Option<Whole>, default: usize) -> PyResult<usize> {
    let read = |given: Whole| given.within("threads", 1..=1024);
    Ok(given
        .map(read)
        .transpose()?
        .map_or(default, |threads| threads as usize))
}

/// A seed of random numbers: as given, or 1.
pub(crate) fn seed(given: Option<Whole>) -> PyResult<u64> {
    given.map_or(Ok(1), |given| given.within("seed", 0..=u32::MAX.into()))
}
