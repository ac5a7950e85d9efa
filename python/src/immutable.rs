//! Copies of what never changes: the object itself.

use pyo3::prelude::*;

/// Gives classes `copy.copy` and `copy.deepcopy`, which would have to pickle an answer otherwise.
macro_rules! immutable {
    ($($class:path),* $(,)?) => {$(
        #[pymethods]
        impl $class {
            fn __copy__<'py>(slf: PyRef<'py, Self>) -> PyRef<'py, Self> {
                slf
            }

            fn __deepcopy__<'py>(
                slf: PyRef<'py, Self>,
                _memo: &Bound<'py, PyAny>,
            ) -> PyRef<'py, Self> {
                slf
            }
        }
    )*};
}

immutable!(
    crate::advise::PyAdvice,
    crate::advise::PyAdvised,
    crate::analyse::PyAnalysis,
    crate::analyse::PyChoice,
    crate::analyse::PyJudgedGame,
    crate::analyse::PyLostShare,
    crate::analyse::PyWalked,
    crate::best::PyBestScore,
    crate::best::PyShortest,
    crate::bound::PyBound,
    crate::bound::PyCounted,
    crate::deal::PyDeal,
    crate::estimate::PyEstimate,
    crate::grade::PyGraded,
    crate::many::PyDecisions,
    crate::position::PyMove,
    crate::report::PyReport,
    crate::report::PyRulesComparison,
    crate::rules::PyRules,
    crate::simulate::PyComparison,
    crate::simulate::PyPlayerResult,
    crate::simulate::PySimulation,
    crate::solve::PyDecision,
    crate::solve::PySolution,
    crate::solve::PyVerified,
);
