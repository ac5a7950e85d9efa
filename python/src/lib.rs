//! The Python package `klondike-solver`: the front door of this project for Python.
//!
//! `klondike_solver` (beside this folder) re-exports the module of this crate, and has what is
//! simpler in Python: exceptions, and the enumeration of verdicts.
//! Its stubs are made from this code: `scripts/python.sh stubs`.

mod advise;
mod analyse;
mod args;
mod arrow;
mod ask;
mod bar;
mod best;
mod bound;
mod cluster;
mod deal;
mod deals;
mod error;
mod estimate;
mod games;
mod grade;
mod immutable;
mod judge;
mod many;
mod player;
mod position;
mod report;
mod rules;
mod simulate;
mod solve;

#[pyo3::pymodule(gil_used = false)]
mod _klondike {
    #[pymodule_export]
    use crate::advise::{PyAdvice, PyAdvised, advise};
    #[pymodule_export]
    use crate::analyse::{PyAnalysis, PyChoice, PyJudgedGame, PyLostShare, PyWalked, analyse};
    #[pymodule_export]
    use crate::best::{PyBestScore, PyShortest, best_score, shortest};
    #[pymodule_export]
    use crate::bound::{PyBound, PyCounted, bound, count, count_orders};
    #[pymodule_export]
    use crate::cluster::{PyRecords, decide_records, join_records};
    #[pymodule_export]
    use crate::deal::PyDeal;
    #[pymodule_export]
    use crate::estimate::{PyEstimate, estimate};
    #[pymodule_export]
    use crate::games::PyGames;
    #[pymodule_export]
    use crate::grade::{PyGenerated, PyGraded, generate, grade};
    #[pymodule_export]
    use crate::many::{PyDecisions, solve_many};
    #[pymodule_export]
    use crate::player::PyPlayer;
    #[pymodule_export]
    use crate::position::{PyMove, PyPosition};
    #[pymodule_export]
    use crate::report::{PyReport, PyRulesComparison, compare, report};
    #[pymodule_export]
    use crate::rules::PyRules;
    #[pymodule_export]
    use crate::simulate::{PyComparison, PyPlayerResult, PySimulation, players, simulate};
    #[pymodule_export]
    use crate::solve::{PyDecision, PyMoves, PySolution, PyVerified, check, solve};

    /// The version of the package.
    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
