//! `report` and `compare`: several estimates beside each other.

use std::path::PathBuf;

use klondike_contract::runs::Variants;
use klondike_contract::{CompareAnswer, Envelope, ReportAnswer};
use klondike_lab::contents::Contents;
use klondike_lab::plots::report::Plot;
use klondike_lab::report::{Source, page, report_on};
use klondike_lab::variants;
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::inspect::PyStaticExpr;
use pyo3::prelude::*;
use pyo3::type_hint_union;

use crate::advise::confidence_of;
use crate::args::List;
use crate::error::{argument, with_words};
use crate::estimate::{PyEstimate, ends, of_run};

/// An estimate, or the directory of a run.
pub(crate) struct SourceArg(String, Box<Contents>);

impl<'py> FromPyObject<'_, 'py> for SourceArg {
    type Error = PyErr;
    const INPUT_TYPE: PyStaticExpr = type_hint_union!(
        <PyEstimate as pyo3::PyTypeInfo>::TYPE_HINT,
        <PathBuf as FromPyObject<'_, '_>>::INPUT_TYPE
    );

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<SourceArg> {
        if let Ok(estimate) = given.cast::<PyEstimate>() {
            let (name, contents) = &estimate.get().source;
            return Ok(SourceArg(name.clone(), contents.clone()));
        }
        let dir: PathBuf = given.extract().map_err(|_| {
            PyTypeError::new_err("give an Estimate, or the directory of a run as a path")
        })?;
        let contents = Contents::read(&dir, false).map_err(of_run)?;
        Ok(SourceArg(dir.display().to_string(), Box::new(contents)))
    }
}

fn in_json(text: serde_json::Result<String>) -> PyResult<String> {
    text.map_err(|error| PyRuntimeError::new_err(error.to_string()))
}

/// Estimates beside each other and beside published figures. In a notebook their shares show as a
/// plot.
#[pyclass(frozen, name = "Report", module = "klondike_solver")]
pub(crate) struct PyReport(Envelope<ReportAnswer>);

#[pymethods]
impl PyReport {
    /// The page that `klondike report` writes, as a text of HTML with its pictures.
    fn html(&self) -> PyResult<String> {
        page::html(self.0.answer()).map_err(with_words!(KlondikeError))
    }

    /// The names of its plots: "shares", "differences" (to published shares) and "decided" of all,
    /// and those of each estimate with its number from 1, such as "1-growth". Those that there are
    /// no data for are missing.
    #[getter]
    fn plots(&self) -> Vec<String> {
        Plot::named(self.0.answer())
            .into_iter()
            .map(|one| one.0)
            .collect()
    }

    /// A plot as a text of SVG.
    ///
    /// Raises:
    ///     ArgumentError: If there is no such plot.
    ///     RuntimeError: If it cannot be drawn.
    #[pyo3(signature = (plot = "shares"))]
    fn svg(&self, plot: &str) -> PyResult<String> {
        let named = Plot::named(self.0.answer());
        let found = named.iter().find(|one| one.0 == plot).ok_or_else(|| {
            let known = self.plots().join(", ");
            argument("plot", format!("there is no such plot; known: {known}"))
        })?;
        let svg = found.1.svg();
        svg.map_err(|error| PyRuntimeError::new_err(error.to_string()))
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        self.svg("shares")
    }

    /// What `klondike report --json` prints of it, as a text of JSON.
    fn json(&self) -> PyResult<String> {
        in_json(serde_json::to_string(&self.0))
    }

    fn __len__(&self) -> usize {
        self.0.answer().runs.len()
    }

    fn __repr__(&self) -> String {
        let names: Vec<&str> = self
            .0
            .answer()
            .runs
            .iter()
            .map(|run| run.name.as_str())
            .collect();
        format!("<Report on {}>", names.join(", "))
    }
}

/// Estimates beside each other and beside published figures: the page of `klondike report`.
///
/// Args:
///     sources: Estimates, or directories of runs as paths.
///     names: What they are called; if left out, by their deals or paths.
///     confidence: Of the intervals, above 0 and below 1.
///
/// Raises:
///     ArgumentError: If there are no sources, or not as many names as sources.
///     KlondikeError: If a directory cannot be read, or two of them contradict each other.
///
/// >>> from klondike_solver import estimate, report
/// >>> rules = ["draw1", "standard"]
/// >>> found = report([estimate("solvitaire:1..50", each) for each in rules], names=rules)
/// >>> found
/// <Report on draw1, standard>
/// >>> found.plots[:2], found.html().startswith("<!DOCTYPE html>")
/// (['shares', 'differences'], True)
#[pyfunction]
#[pyo3(signature = (sources, *, names = None, confidence = 0.95))]
pub(crate) fn report(
    py: Python<'_>,
    sources: List<SourceArg>,
    names: Option<Vec<String>>,
    confidence: f64,
) -> PyResult<PyReport> {
    let confidence = confidence_of(confidence)?;
    let sources = sources.0;
    if sources.is_empty() {
        return Err(argument("sources", "give at least one"));
    }
    let names = names.unwrap_or_else(|| sources.iter().map(|source| source.0.clone()).collect());
    if names.len() != sources.len() {
        let words = format!(
            "give {}, one for each source, not {}",
            sources.len(),
            names.len()
        );
        return Err(argument("names", words));
    }
    let runs = sources.into_iter().map(|source| Source::Run(source.1));
    let named: Vec<_> = names.into_iter().zip(runs).collect();
    let found = py.detach(|| report_on(&named, confidence));
    let found = found.map_err(with_words!(KlondikeError))?;
    Ok(PyReport(Envelope::of_nothing(found)))
}

/// The same deals under two sets of rules, one of which allows all that the other does.
#[pyclass(frozen, name = "RulesComparison", module = "klondike_solver")]
pub(crate) struct PyRulesComparison(Envelope<CompareAnswer>);

#[pymethods]
impl PyRulesComparison {
    /// Of the deals winnable where more is allowed, the share that the stricter rules lose, 0 to 1,
    /// if any are winnable.
    #[getter]
    fn share(&self) -> Option<f64> {
        self.0.answer().share
    }

    /// The ends of Wilson's interval of the share, with undecided deals both ways.
    #[getter]
    fn wilson(&self) -> (f64, f64) {
        ends(self.0.answer().wilson)
    }

    /// The share of winnable deals where more is allowed less that under the stricter rules, deal
    /// by deal, if there are deals.
    #[getter]
    fn difference(&self) -> Option<f64> {
        self.0.answer().difference.difference
    }

    /// The ends of Agresti and Min's interval of the difference, with undecided deals both ways.
    #[getter]
    fn interval(&self) -> (f64, f64) {
        ends(self.0.answer().difference.interval)
    }

    /// Deals winnable under both, only where more is allowed, under neither, and those that are
    /// undecided.
    #[getter]
    fn deals(&self) -> (u64, u64, u64, u64) {
        let Variants {
            both,
            only_free,
            neither,
            strict_open,
            free_open,
            both_open,
            ..
        } = self.0.answer().comparison;
        (
            both,
            only_free,
            neither,
            strict_open + free_open + both_open,
        )
    }

    /// What `klondike compare --json` prints of it, as a text of JSON.
    fn json(&self) -> PyResult<String> {
        in_json(serde_json::to_string(&self.0))
    }

    fn __repr__(&self) -> String {
        let (both, only, neither, open) = self.deals();
        format!(
            "<RulesComparison: {both} winnable under both, {only} only where more is allowed, \
             {neither} under neither, {open} undecided>"
        )
    }
}

/// The same deals under two sets of rules: how many need what the stricter ones forbid? What one
/// estimate leaves undecided is settled by the other where that is proven.
///
/// Args:
///     one: An estimate, or the directory of a run as a path.
///     other: The same deals, or some of them, under other rules.
///     confidence: Of the intervals, above 0 and below 1.
///
/// Raises:
///     ArgumentError: If neither rules are known to allow all that the others do, or no deal is
///         in both.
///     KlondikeError: If a directory cannot be read, or the two contradict each other.
///
/// >>> from klondike_solver import Rules, compare, estimate
/// >>> strict = Rules(worrying_back=False)
/// >>> one, other = (estimate("klondike:1..500", rules) for rules in ("standard", strict))
/// >>> compare(one, other).deals
/// (411, 4, 85, 0)
#[pyfunction]
#[pyo3(signature = (one, other, *, confidence = 0.95))]
pub(crate) fn compare(
    py: Python<'_>,
    one: SourceArg,
    other: SourceArg,
    confidence: f64,
) -> PyResult<PyRulesComparison> {
    let confidence = confidence_of(confidence)?;
    let found = py.detach(|| variants::compare(&one.1, &other.1));
    let found = found.map_err(with_words!(KlondikeError))?;
    let found = found.ok_or_else(|| argument("other", variants::NOT_COMPARABLE))?;
    let rules = found.free.clone();
    let answer = variants::answer(found, confidence);
    Ok(PyRulesComparison(Envelope::of_saved_rules(rules, answer)))
}
