//! `analyse`: what the moves of a position are worth.

use std::sync::Arc;

use klondike_engine::search::Limits;
use klondike_engine::search::clock::Deadline;
use klondike_front::{Choice, Table, Verdict};
use klondike_lab::analysis::{self, Analysis, AnalysisError};
use pyo3::prelude::*;

use crate::args::{About, Bounds, RulesArg, Whole};
use crate::ask::ask;
use crate::error::{KlondikeError, UnsupportedError};
use crate::position::PyMove;
use crate::solve::{PySolution, PyVerdict, limit_of, no_truth, solution_of};

/// A legal move and the verdict on the position after it.
#[pyclass(frozen, name = "Choice", module = "klondike_solver")]
pub(crate) struct PyChoice {
    made: PyMove,
    verdict: Verdict,
}

#[pymethods]
impl PyChoice {
    /// The move.
    #[getter(r#move)]
    fn made(&self) -> PyMove {
        self.made.clone()
    }

    /// Whether the game can be won after it: one of three.
    #[getter]
    fn verdict(&self) -> PyVerdict {
        PyVerdict(self.verdict.name())
    }

    /// A solution of the position after it, if it is winnable.
    #[getter]
    fn solution(&self) -> PyResult<Option<PySolution>> {
        solution_of(&self.verdict)
    }

    /// The limit that was hit, if it is undecided: "states", "memory" or "time".
    #[getter]
    fn limit(&self) -> Option<&'static str> {
        limit_of(&self.verdict)
    }

    fn __bool__(&self) -> PyResult<bool> {
        no_truth("a choice")
    }

    fn __repr__(&self) -> String {
        format!("<Choice {} {}>", self.made.written(), self.verdict)
    }
}

/// What the moves of a position are worth.
///
/// >>> from klondike_solver import Verdict, analyse
/// >>> analysis = analyse("klondike:5")
/// >>> [str(choice.move) for choice in analysis.choices if choice.verdict is Verdict.WINNABLE]
/// ['draw', 'AC:5>F', '7H:4>2']
#[pyclass(frozen, name = "Analysis", module = "klondike_solver")]
pub(crate) struct PyAnalysis {
    start: Table,
    analysis: Analysis,
}

#[pymethods]
impl PyAnalysis {
    /// Whether the game can be won: one of three.
    #[getter]
    fn verdict(&self) -> PyVerdict {
        PyVerdict(self.analysis.verdict.name())
    }

    /// A solution, if it is winnable.
    #[getter]
    fn solution(&self) -> PyResult<Option<PySolution>> {
        solution_of(&self.analysis.verdict)
    }

    /// All legal moves, each with the verdict on the position after it.
    #[getter]
    fn choices(&self) -> PyResult<Vec<PyChoice>> {
        let choice = |choice: &Choice| {
            Ok(PyChoice {
                made: PyMove::at(&self.start, choice.made)?,
                verdict: choice.verdict.clone(),
            })
        };
        self.analysis.choices.iter().map(choice).collect()
    }

    /// Where the critical moves stand in the solution, from 0, if they were asked for and there
    /// is a solution.
    ///
    /// A move is critical if the game can be won after it, and after no other that the next move
    /// could not take back.
    #[getter]
    fn critical(&self) -> Option<Vec<usize>> {
        let critical = self.analysis.critical.as_ref();
        critical.map(|critical| critical.moves.clone())
    }

    /// Moves of the solution of which a limit hid whether they are critical.
    #[getter]
    fn critical_undecided(&self) -> Option<usize> {
        let critical = self.analysis.critical.as_ref();
        critical.map(|critical| critical.undecided)
    }

    fn __bool__(&self) -> PyResult<bool> {
        no_truth("an analysis")
    }

    fn __repr__(&self) -> String {
        let choices = &self.analysis.choices;
        let winnable = choices
            .iter()
            .filter(|choice| matches!(choice.verdict, Verdict::Winnable(_)));
        format!(
            "<Analysis {}, {} of {} moves keep it winnable>",
            self.analysis.verdict,
            winnable.count(),
            choices.len()
        )
    }
}

/// Whether a game can be won, now and after each legal move.
///
/// Args:
///     about: A Deal, a Position, or a text of either such as "solvitaire:3".
///     rules: Rules, or the name of a set of them; standard, or those of the position.
///     critical: Whether to look for the critical moves of the solution.
///     time_limit: Most seconds for everything together.
///     max_states: Most states to store for each search.
///     memory: Most bytes for the tables of a search; half of the machine's if left out.
///
/// Raises:
///     DealError: If the text is no deal or does not fit the rules.
///     UnsupportedError: If the rules have no critical moves and they are asked for.
///     KeyboardInterrupt: Soon after Ctrl-C.
///
/// >>> from klondike_solver import analyse
/// >>> analyse("klondike:5")
/// <Analysis winnable, 3 of 3 moves keep it winnable>
#[pyfunction]
#[pyo3(signature = (about, rules = None, *, critical = false, time_limit = None, max_states = None,
    memory = None))]
#[allow(clippy::too_many_arguments)] // keywords of Python
pub(crate) fn analyse(
    py: Python<'_>,
    about: About,
    rules: Option<RulesArg>,
    critical: bool,
    time_limit: Option<f64>,
    max_states: Option<Whole>,
    memory: Option<Whole>,
) -> PyResult<PyAnalysis> {
    let bounds = Bounds::read(time_limit, max_states, memory)?;
    let start = about.table(rules)?;
    let analysis = ask(py, |stop| {
        let limits = Limits {
            max_states: bounds.states,
            memory_bytes: Some(bounds.memory),
            deadline: bounds.time.map(Deadline::after),
            stop: Some(Arc::clone(stop)),
            searched: None,
            helpers: None,
        };
        analysis::analyse(&start, critical, &|| limits.clone())
    })?;
    let analysis = analysis.map_err(|error| match error {
        AnalysisError::Critical(_) => UnsupportedError::new_err(error.to_string()),
        _ => KlondikeError::new_err(error.to_string()),
    })?;
    Ok(PyAnalysis { start, analysis })
}
