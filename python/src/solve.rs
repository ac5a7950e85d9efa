//! `solve` and its answer, `check`.

use std::collections::BTreeMap;
use std::fs::File;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::PathBuf;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use klondike_front::{
    CheckLimits, Decision, Evidence, Notation, Problem, ProvedVerdict, Solution, StopFlag, Table,
    Verdict, Verified, check_until,
};
use klondike_game::table::notation::Counts;
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::inspect::PyStaticExpr;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyBytes, PyType};
use pyo3::{type_hint_identifier, type_hint_union};

use crate::args::{About, Bounds, List, RulesArg, Whole};
use crate::ask::{ask, ask_here};
use crate::error::{
    CertificateError, KlondikeError, LimitError, argument, of_question, with_words,
};
use crate::position::{PyMove, PyPosition};
use crate::rules::PyRules;

/// A verdict, a member of the enumeration that Python has of it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct PyVerdict(pub(crate) &'static str);

impl PyVerdict {
    pub(crate) const ALL: [PyVerdict; 3] = [
        PyVerdict("winnable"),
        PyVerdict("unwinnable"),
        PyVerdict("undecided"),
    ];
}

impl<'py> IntoPyObject<'py> for PyVerdict {
    type Target = PyAny;
    type Output = Bound<'py, PyAny>;
    type Error = PyErr;
    const OUTPUT_TYPE: PyStaticExpr = type_hint_identifier!("klondike_solver._verdict", "Verdict");

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        static CLASS: PyOnceLock<Py<PyType>> = PyOnceLock::new();
        let class = CLASS.import(py, "klondike_solver._verdict", "Verdict")?;
        class.call1((self.0,))
    }
}

/// The moves that win, in order, which the referee has replayed from the start.
///
/// >>> from klondike_solver import solve
/// >>> solution = solve("solvitaire:3").solution
/// >>> solution.replay().is_won
/// True
/// >>> len(solution) == len(list(solution))
/// True
#[pyclass(frozen, sequence, name = "Solution", module = "klondike_solver")]
pub(crate) struct PySolution {
    pub(crate) start: Table,
    moves: Vec<PyMove>,
}

/// The solution of a verdict, if it is winnable.
pub(crate) fn solution_of(verdict: &Verdict) -> PyResult<Option<PySolution>> {
    match verdict {
        Verdict::Winnable(solution) => PySolution::new(solution).map(Some),
        _ => Ok(None),
    }
}

/// The limit that was hit, if a verdict is undecided.
pub(crate) fn limit_of(verdict: &Verdict) -> Option<&'static str> {
    match verdict {
        Verdict::Undecided(limit) => Some(limit.name()),
        _ => None,
    }
}

/// That an answer is neither true nor false, since its verdict is one of three.
pub(crate) fn no_truth(answer: &str) -> PyResult<bool> {
    no_truth_but(answer, "answer.verdict is Verdict.WINNABLE")
}

/// As [`no_truth`], with the comparison to write instead.
pub(crate) fn no_truth_but(answer: &str, comparison: &str) -> PyResult<bool> {
    Err(PyTypeError::new_err(format!(
        "{answer} is neither true nor false: compare its verdict, such as `{comparison}`"
    )))
}

impl PySolution {
    fn new(solution: &Solution) -> PyResult<PySolution> {
        Ok(PySolution {
            start: solution.start().clone(),
            moves: PyMove::line(solution.start(), solution.moves())?,
        })
    }
}

#[pymethods]
impl PySolution {
    /// The position before the first move.
    #[getter]
    fn start(&self) -> PyPosition {
        PyPosition::new(self.start.clone())
    }

    /// The position after the last move, with all moves in its history.
    fn replay(&self) -> PyResult<PyPosition> {
        let mut position = self.start();
        for made in &self.moves {
            position.make(made.made)?;
        }
        Ok(position)
    }

    /// The moves as text: in the notation "klondike", "minimal", "klondike-solver" or "lonelybot".
    ///
    /// Raises:
    ///     ArgumentError: If there is no such notation.
    ///     MoveError: If the notation cannot express a move.
    #[pyo3(signature = (notation = "klondike"))]
    fn write(&self, notation: &str) -> PyResult<String> {
        let notation: Notation = notation
            .parse()
            .map_err(|error| argument("notation", error))?;
        let text = notation.write(&self.start, &self.made());
        text.map_err(with_words!(MoveError))
    }

    /// How many moves of each kind there are: card_moves, draws, redeals, and cards turned up
    /// (flips), which are part of other moves.
    #[getter]
    fn counts(&self) -> PyResult<BTreeMap<&'static str, usize>> {
        let counts = Counts::of(&self.start, &self.made()).map_err(with_words!(MoveError))?;
        Ok(BTreeMap::from([
            ("card_moves", counts.card_moves),
            ("draws", counts.draws),
            ("redeals", counts.redeals),
            ("flips", counts.flips),
        ]))
    }

    fn __eq__(&self, other: &PySolution) -> bool {
        self.start == other.start && self.made() == other.made()
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (&self.start, self.made()).hash(&mut hasher);
        hasher.finish()
    }

    fn __len__(&self) -> usize {
        self.moves.len()
    }

    fn __getitem__(&self, index: isize) -> PyResult<PyMove> {
        let length = self.moves.len() as isize;
        let place = if index < 0 { index + length } else { index };
        let made = usize::try_from(place)
            .ok()
            .and_then(|place| self.moves.get(place));
        made.cloned()
            .ok_or_else(|| PyIndexError::new_err("a solution has no such move"))
    }

    fn __iter__(&self) -> PyMoves {
        PyMoves(Mutex::new(self.moves.clone().into_iter()))
    }

    fn __str__(&self) -> PyResult<String> {
        self.write("klondike")
    }

    fn __repr__(&self) -> String {
        format!("<Solution of {} moves>", self.moves.len())
    }
}

/// The moves of a solution, one after the other.
#[pyclass(frozen, name = "Moves", module = "klondike_solver")]
pub(crate) struct PyMoves(Mutex<std::vec::IntoIter<PyMove>>);

#[pymethods]
impl PyMoves {
    fn __iter__<'py>(slf: PyRef<'py, Self>) -> PyRef<'py, Self> {
        slf
    }

    fn __next__(&self) -> Option<PyMove> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).next()
    }
}

impl PySolution {
    fn made(&self) -> Vec<klondike_front::Move> {
        self.moves.iter().map(|made| made.made).collect()
    }
}

/// What was found out about a deal. It is neither true nor false: ask its verdict.
///
/// >>> from klondike_solver import Verdict, solve
/// >>> decision = solve("solvitaire:19")
/// >>> decision.verdict is Verdict.UNWINNABLE
/// True
/// >>> decision.reason
/// 'every line of play that matters was searched'
#[pyclass(frozen, name = "Decision", module = "klondike_solver")]
pub(crate) struct PyDecision {
    table: Table,
    decision: Decision,
    seconds: f64,
    bounds: Bounds,
}

#[pymethods]
impl PyDecision {
    /// Whether it can be won: one of three.
    #[getter]
    fn verdict(&self) -> PyVerdict {
        PyVerdict(self.decision.verdict.name())
    }

    /// The solution, if it is winnable.
    #[getter]
    fn solution(&self) -> PyResult<Option<PySolution>> {
        solution_of(&self.decision.verdict)
    }

    /// Why it cannot be won, in words, if it is unwinnable.
    #[getter]
    fn reason(&self) -> Option<String> {
        self.evidence().map(ToString::to_string)
    }

    /// The kind of that reason: "blocked" (cards wait for each other), "refuted" or "searched".
    #[getter]
    fn reason_kind(&self) -> Option<&'static str> {
        self.evidence().map(Evidence::name)
    }

    /// The limit that was hit, if it is undecided: "states", "memory" or "time".
    #[getter]
    fn limit(&self) -> Option<&'static str> {
        limit_of(&self.decision.verdict)
    }

    /// States that were stored by the search, those of the game of draw 1 that it asks among them.
    #[getter]
    fn states(&self) -> u64 {
        self.decision.stats.states + self.decision.stats.oracle_states
    }

    /// Seconds that the search took.
    #[getter]
    fn seconds(&self) -> f64 {
        self.seconds
    }

    /// A certificate of the verdict, which `check` and other programs can check.
    ///
    /// The proof of a loss is searched anew, within the limits of `solve` or those given here.
    ///
    /// Raises:
    ///     LimitError: If a limit is hit before the proof is complete.
    ///     UnsupportedError: If certificates cannot say these rules: reversed groups, or a last
    ///         pass by ones.
    ///
    /// >>> from klondike_solver import check, solve
    /// >>> check(solve("solvitaire:1").certificate()).verdict
    /// <Verdict.UNWINNABLE: 'unwinnable'>
    #[pyo3(signature = (*, time_limit = None, max_states = None, memory = None))]
    fn certificate<'py>(
        &self,
        py: Python<'py>,
        time_limit: Option<f64>,
        max_states: Option<Whole>,
        memory: Option<Whole>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let given = Bounds::read(time_limit, max_states, memory)?;
        let bounds = Bounds {
            time: given.time.or(self.bounds.time),
            states: given.states.or(self.bounds.states),
            memory: if memory.is_some() {
                given.memory
            } else {
                self.bounds.memory
            },
            ..given
        };
        let mut out = Vec::new();
        let proved = bounds.ask(py, &self.table, |solver| {
            solver.prove(&self.table, &mut out)
        })?;
        proved.map_err(|error| of_question(&error))?;
        Ok(PyBytes::new(py, &out))
    }

    fn __bool__(&self) -> PyResult<bool> {
        no_truth("a decision")
    }

    fn __repr__(&self) -> String {
        match &self.decision.verdict {
            Verdict::Winnable(solution) => {
                format!("<Decision winnable in {} moves>", solution.moves().len())
            }
            Verdict::Unwinnable(evidence) => format!("<Decision unwinnable, {}>", evidence.name()),
            Verdict::Undecided(limit) => format!("<Decision undecided, limit of {limit}>"),
        }
    }
}

impl PyDecision {
    fn evidence(&self) -> Option<&Evidence> {
        match &self.decision.verdict {
            Verdict::Unwinnable(evidence) => Some(evidence),
            _ => None,
        }
    }
}

/// Whether a deal can be won: with a replayed solution if so, with the reason if not.
///
/// Args:
///     about: A Deal, a Position, or a text of either such as "solvitaire:3".
///     rules: Rules, or the name of a set of them; standard, or those of the position.
///     time_limit: Most seconds.
///     max_states: Most states to store.
///     memory: Most bytes for the tables of the search; half of the machine's if left out.
///     threads: Threads that search, 1 to 1024. With one the answer repeats itself exactly; with
///         more the verdict is the same, and the solution may differ.
///     no_lemmas: Names of proven lemmas that the search does without, such as ["relaxation"]. The
///         verdict is the same if no limit is hit.
///
/// Raises:
///     DealError: If the text is no deal or does not fit the rules.
///     ArgumentError: If a limit is not a number that it can be.
///     KeyboardInterrupt: Soon after Ctrl-C.
///
/// >>> from klondike_solver import solve
/// >>> solve("solvitaire:3").verdict
/// <Verdict.WINNABLE: 'winnable'>
/// >>> solve("klondike:2312", max_states=10).limit
/// 'states'
#[pyfunction]
#[pyo3(signature = (about, rules = None, *, time_limit = None, max_states = None, memory = None,
    threads = None, no_lemmas = None))]
#[allow(clippy::too_many_arguments)] // keywords of Python
pub(crate) fn solve(
    py: Python<'_>,
    about: About,
    rules: Option<RulesArg>,
    time_limit: Option<f64>,
    max_states: Option<Whole>,
    memory: Option<Whole>,
    threads: Option<Whole>,
    no_lemmas: Option<List<String>>,
) -> PyResult<PyDecision> {
    let bounds = Bounds::read(time_limit, max_states, memory)?.without(no_lemmas)?;
    let threads = crate::args::threads(threads, 1)?;
    let table = about.table(rules)?;
    let start = Instant::now();
    let decision = if threads == 1 {
        let stop = StopFlag::default();
        let solver = bounds.solver(table.rules(), stop.clone());
        ask_here(py, solver, &stop, |solver| solver.decide(&table))?
    } else {
        bounds.ask(py, &table, |solver| solver.threads(threads).decide(&table))?
    };
    let seconds = start.elapsed().as_secs_f64();
    let decision = decision.map_err(|error| of_question(&error))?;
    Ok(PyDecision {
        table,
        decision,
        seconds,
        bounds,
    })
}

/// A certificate that was checked.
#[pyclass(frozen, name = "Verified", module = "klondike_solver")]
pub(crate) struct PyVerified(Verified);

#[pymethods]
impl PyVerified {
    /// The verdict that it proves, never undecided.
    #[getter]
    fn verdict(&self) -> PyVerdict {
        PyVerdict(match self.0.verdict() {
            ProvedVerdict::Winnable => "winnable",
            ProvedVerdict::Unwinnable => "unwinnable",
        })
    }

    /// The position that it is about.
    #[getter]
    fn start(&self) -> PyPosition {
        PyPosition::new(self.0.start.clone())
    }

    /// The rules that it is about.
    #[getter]
    fn rules(&self) -> PyRules {
        PyRules(Arc::clone(self.0.start.rules()))
    }

    /// Moves of the solution, or positions of the sets that show a loss.
    #[getter]
    fn entries(&self) -> u64 {
        self.0.entries
    }

    fn __repr__(&self) -> String {
        format!("<Verified {}>", self.0.verdict().name())
    }
}

/// The bytes of a certificate, or the path of its file.
pub(crate) enum CertificateArg {
    Bytes(Vec<u8>),
    File(PathBuf),
}

impl<'py> FromPyObject<'_, 'py> for CertificateArg {
    type Error = PyErr;
    const INPUT_TYPE: PyStaticExpr = type_hint_union!(
        type_hint_identifier!("builtins", "bytes"),
        type_hint_identifier!("builtins", "str"),
        pyo3::type_hint_subscript!(
            type_hint_identifier!("os", "PathLike"),
            type_hint_identifier!("builtins", "str")
        )
    );

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<CertificateArg> {
        if let Ok(bytes) = given.cast::<PyBytes>() {
            return Ok(CertificateArg::Bytes(bytes.as_bytes().to_vec()));
        }
        let path = given.extract().map(CertificateArg::File);
        path.map_err(|_| PyTypeError::new_err("write the bytes of a certificate, or a path"))
    }
}

/// Checks a certificate, by code that shares no search with `solve`.
///
/// Args:
///     certificate: Its bytes, or the path of a file.
///     about: The deal or position that it must be about; otherwise look at `start`.
///     rules: The rules that it must be about, with `about`.
///     max_entries: Most moves or positions in it; a position takes up to 44 bytes of memory.
///
/// Raises:
///     CertificateError: If it proves nothing, or is about another game.
///     LimitError: If it has more than `max_entries`.
///     KlondikeError: If the file cannot be read.
///
/// >>> from klondike_solver import check, solve
/// >>> check(solve("solvitaire:3").certificate(), "solvitaire:3").verdict
/// <Verdict.WINNABLE: 'winnable'>
#[pyfunction]
#[pyo3(signature = (certificate, about = None, rules = None, *, max_entries = None))]
pub(crate) fn check(
    py: Python<'_>,
    certificate: CertificateArg,
    about: Option<About>,
    rules: Option<RulesArg>,
    max_entries: Option<Whole>,
) -> PyResult<PyVerified> {
    let mut limits = CheckLimits::default();
    if let Some(most) = max_entries {
        limits = limits.entries(most.within("max_entries", 0..=i64::MAX)?);
    }
    let wanted = match about {
        Some(about) => Some(about.table(rules)?),
        None if rules.is_some() => {
            return Err(argument("rules", "they go with `about`, which is left out"));
        }
        None => None,
    };
    let checked = ask(py, |stop| {
        let stop = || stop.load(Ordering::Relaxed);
        let checked = match &certificate {
            CertificateArg::Bytes(bytes) => check_until(&bytes[..], &limits, stop),
            CertificateArg::File(path) => {
                let unread = |error| format!("{}: {error}", path.display());
                let file = File::open(path).map_err(unread);
                check_until(file.map_err(KlondikeError::new_err)?, &limits, stop)
            }
        };
        checked.map_err(|error| match error.problem {
            Problem::TooManyEntries(_) => LimitError::new_err(error.to_string()),
            _ => CertificateError::new_err(error.to_string()),
        })
    })?;
    let verified = checked?;
    if let Some(wanted) = wanted {
        let found = verified.start.rules();
        if found != wanted.rules() {
            let words = format!("it is about other rules: {found}");
            return Err(CertificateError::new_err(words));
        }
        if verified.start != wanted {
            return Err(CertificateError::new_err("it is about another deal"));
        }
    }
    Ok(PyVerified(verified))
}
