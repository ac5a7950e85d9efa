//! `Rules`.

use std::sync::Arc;

use klondike_front::{Deck, Layout, Redeals, Rules};
use pyo3::exceptions::PyTypeError;
use pyo3::inspect::PyStaticExpr;
use pyo3::prelude::*;
use pyo3::{type_hint_identifier, type_hint_subscript, type_hint_union};

use crate::args::{List, Whole};
use crate::error::with_words;

/// A checked set of rules.
///
/// Args:
///     name: The set to start from: standard, draw1, yan, kortsmit, donkersteeg, vegas1 or vegas3.
///     draw: Cards turned at once, 1 to 24.
///     redeals: How often the waste may be turned back: a number, "unlimited" or
///         "last-pass-by-ones".
///     worrying_back: Whether cards may come back from the foundations.
///     runs: Face-up cards that may move together: "partial", "whole" or "partial-if-played".
///     spaces: What an empty pile takes: "kings", "any" or "nothing".
///     piles: Heights of the piles: numbers, or "triangle:7" or "rectangle:6x3".
///     suits: Suits of the deck, 1 to 4.
///     ranks: Ranks of a suit, 1 to 13.
///     reversed_groups: Whether the first card of each draw lies on top of the waste, not the last
///         one.
///
/// Raises:
///     RulesError, ArgumentError: If these are not rules of a game; the message says what would be
///         right.
///
/// >>> from klondike_solver import Rules
/// >>> Rules(draw=1, redeals=2)
/// Rules(draw=1, redeals=2)
/// >>> Rules("vegas3").redeals
/// 2
/// >>> Rules(draw=0)
/// Traceback (most recent call last):
/// klondike_solver.ArgumentError: draw: write a whole number from 1 to 24, not 0
#[pyclass(frozen, eq, hash, name = "Rules", module = "klondike_solver")]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct PyRules(pub(crate) Arc<Rules>);

/// A number of redeals, or the word for any number.
#[derive(Clone, Copy)]
enum RedealsArg {
    Number(Whole),
    Word(Redeals),
}

impl<'py> FromPyObject<'_, 'py> for RedealsArg {
    type Error = PyErr;
    const INPUT_TYPE: PyStaticExpr =
        type_hint_union!(Whole::INPUT_TYPE, type_hint_identifier!("builtins", "str"));

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<RedealsArg> {
        if let Ok(word) = given.extract::<String>() {
            return word
                .parse()
                .map(RedealsArg::Word)
                .map_err(with_words!(RulesError));
        }
        given.extract().map(RedealsArg::Number).map_err(|_| {
            PyTypeError::new_err("write a number, \"unlimited\" or \"last-pass-by-ones\"")
        })
    }
}

/// Heights of piles, as numbers or as text.
struct PilesArg(Layout);

impl<'py> FromPyObject<'_, 'py> for PilesArg {
    type Error = PyErr;
    const INPUT_TYPE: PyStaticExpr = type_hint_union!(
        type_hint_identifier!("builtins", "str"),
        type_hint_subscript!(
            type_hint_identifier!("collections.abc", "Iterable"),
            Whole::INPUT_TYPE
        )
    );

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<PilesArg> {
        if let Ok(text) = given.extract::<String>() {
            let layout = text.parse().map_err(with_words!(RulesError))?;
            return Ok(PilesArg(layout));
        }
        let heights: List<Whole> = given.extract().map_err(|_| {
            PyTypeError::new_err("write heights such as [1, 2, 3], or a text such as triangle:7")
        })?;
        let heights = heights.0.into_iter().map(|height| {
            let height = height.within("piles", 0..=52)?;
            Ok(height as u8)
        });
        let layout = Layout::new(heights.collect::<PyResult<_>>()?);
        Ok(PilesArg(layout.map_err(with_words!(RulesError))?))
    }
}

/// How the redeals of rules are written.
enum RedealsOut {
    Number(u32),
    Unlimited,
    LastPassByOnes,
}

impl<'py> IntoPyObject<'py> for RedealsOut {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;
    const OUTPUT_TYPE: PyStaticExpr = type_hint_union!(
        type_hint_identifier!("builtins", "int"),
        type_hint_identifier!("builtins", "str")
    );

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        match self {
            RedealsOut::Number(number) => Ok(number.into_pyobject(py)?.into_any()),
            RedealsOut::Unlimited => Ok("unlimited".into_pyobject(py)?.into_any()),
            RedealsOut::LastPassByOnes => Ok("last-pass-by-ones".into_pyobject(py)?.into_any()),
        }
    }
}

/// A number of this parameter, with the words of the command line.
fn small(name: &str, given: Option<Whole>, most: i64) -> PyResult<Option<u8>> {
    let read = |given: Whole| given.within(name, 1..=most);
    Ok(given.map(read).transpose()?.map(|number| number as u8))
}

#[pymethods]
impl PyRules {
    #[new]
    #[pyo3(signature = (name = "standard", *, draw = None, redeals = None, worrying_back = None,
        runs = None, spaces = None, piles = None, suits = None, ranks = None,
        reversed_groups = None))]
    #[allow(clippy::too_many_arguments)] // keywords of Python
    fn new(
        name: &str,
        draw: Option<Whole>,
        redeals: Option<RedealsArg>,
        worrying_back: Option<bool>,
        runs: Option<&str>,
        spaces: Option<&str>,
        piles: Option<PilesArg>,
        suits: Option<Whole>,
        ranks: Option<Whole>,
        reversed_groups: Option<bool>,
    ) -> PyResult<PyRules> {
        let named = Rules::named(name).map_err(with_words!(RulesError))?;
        let mut builder = named.to_builder();
        if suits.is_some() || ranks.is_some() {
            let suits = small("suits", suits, 4)?.unwrap_or(named.deck().suit_count() as u8);
            let ranks = small("ranks", ranks, 13)?.unwrap_or(named.deck().rank_count() as u8);
            builder = builder.deck(Deck::new(suits, ranks).map_err(with_words!(RulesError))?);
        }
        if let Some(PilesArg(layout)) = piles {
            builder = builder.layout(layout);
        }
        if let Some(draw) = small("draw", draw, 24)? {
            builder = builder.draw_count(draw);
        }
        builder = match redeals {
            None => builder,
            Some(RedealsArg::Word(word)) => builder.redeals(word),
            Some(RedealsArg::Number(number)) => {
                let number = number.within("redeals", 0..=u32::MAX.into())?;
                builder.redeals(Redeals::Limited(number as u32))
            }
        };
        if let Some(allowed) = worrying_back {
            builder = builder.worrying_back(allowed);
        }
        if let Some(reversed) = reversed_groups {
            builder = builder.reversed_groups(reversed);
        }
        if let Some(runs) = runs {
            builder = builder.runs(runs.parse().map_err(with_words!(RulesError))?);
        }
        if let Some(spaces) = spaces {
            builder = builder.spaces(spaces.parse().map_err(with_words!(RulesError))?);
        }
        let rules = builder.build().map_err(with_words!(RulesError))?;
        Ok(PyRules(Arc::new(rules)))
    }

    /// Rules from the parameters that differ from the standard ones, as `changes` writes them.
    ///
    /// >>> from klondike_solver import Rules
    /// >>> Rules.with_changes("draw=1 redeals=0") == Rules("vegas1")
    /// True
    #[staticmethod]
    fn with_changes(text: &str) -> PyResult<PyRules> {
        let rules = Rules::with_changes(text).map_err(with_words!(RulesError))?;
        Ok(PyRules(Arc::new(rules)))
    }

    /// The parameters that differ from the standard rules, such as "draw=1 redeals=0".
    #[getter]
    fn changes(&self) -> String {
        let words = self.0.changes();
        let words: Vec<String> = words
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        words.join(" ")
    }

    /// Cards turned at once, 1 to 24.
    #[getter]
    fn draw(&self) -> usize {
        self.0.draw_count()
    }

    /// How often the waste may be turned back, "unlimited", or "last-pass-by-ones".
    #[getter]
    fn redeals(&self) -> RedealsOut {
        match self.0.redeals() {
            Redeals::Unlimited => RedealsOut::Unlimited,
            Redeals::LastPassByOnes => RedealsOut::LastPassByOnes,
            Redeals::Limited(number) => RedealsOut::Number(number),
        }
    }

    /// Whether cards may come back from the foundations.
    #[getter]
    fn worrying_back(&self) -> bool {
        self.0.worrying_back()
    }

    /// Whether the first card of each draw lies on top of the waste, not the last one.
    #[getter]
    fn reversed_groups(&self) -> bool {
        self.0.reversed_groups()
    }

    /// Face-up cards that may move together: "partial", "whole" or "partial-if-played".
    #[getter]
    fn runs(&self) -> String {
        self.0.runs().to_string()
    }

    /// What an empty pile takes: "kings", "any" or "nothing".
    #[getter]
    fn spaces(&self) -> String {
        self.0.spaces().to_string()
    }

    /// Heights of the piles at the start, from the left.
    #[getter]
    fn piles(&self) -> Vec<u32> {
        self.0
            .layout()
            .heights()
            .iter()
            .map(|&height| height.into())
            .collect()
    }

    /// Suits of the deck.
    #[getter]
    fn suits(&self) -> usize {
        self.0.deck().suit_count()
    }

    /// Ranks of each suit.
    #[getter]
    fn ranks(&self) -> usize {
        self.0.deck().rank_count()
    }

    fn __str__(&self) -> String {
        self.0.to_string()
    }

    fn __repr__(&self) -> String {
        let argument = |(name, value): (&str, String)| {
            let name = name.replace('-', "_");
            let value = match &*value {
                "yes" => "True".to_owned(),
                "no" => "False".to_owned(),
                number if number.bytes().all(|byte| byte.is_ascii_digit()) => value,
                word => format!("'{word}'"),
            };
            format!("{name}={value}")
        };
        let words: Vec<String> = self.0.changes().into_iter().map(argument).collect();
        format!("Rules({})", words.join(", "))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, (String,))> {
        let read = slf.get_type().getattr("with_changes")?;
        Ok((read, (slf.get().changes(),)))
    }
}
