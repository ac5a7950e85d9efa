//! `estimate` and its answer: the share of winnable deals, by the runs of `klondike estimate`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use klondike_batch::interval::Interval;
use klondike_batch::machine;
use klondike_contract::runs::{Estimate, Manifest, RunLimits};
use klondike_contract::{Envelope, EstimateAnswer, ReportAnswer};
use klondike_front::{DealRange, Rules};
use klondike_game::deal::seed::SeedError;
use klondike_lab::contents::Contents;
use klondike_lab::directory::RunDirectory;
use klondike_lab::export::rows;
use klondike_lab::plots::report::Plot;
use klondike_lab::report::{Source, report_on};
use klondike_lab::run::{self, FIRST_STATES, Machine};
use klondike_lab::run_error::RunError;
use klondike_lab::task::{Task, TaskError};
use klondike_lab::{manifest, sessions, summary};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::advise::confidence_of;
use crate::args::{self, Bounds, RulesArg, Whole, rules_or_standard};
use crate::arrow::{ArrowTable, Growing};
use crate::bar::with_bar;
use crate::error::{DealError, KlondikeError, argument, with_words};
use crate::many::{Row, Wanted};
use crate::solve::PyVerdict;

/// The share of winnable deals, with its intervals and plots, and a table with a row for each deal,
/// which pyarrow, polars, pandas, duckdb and others take as it is.
///
/// A row has the columns of `solve_many`: `deal`, `verdict`, `reason_kind`, `limit`, `moves`,
/// `states`, and `seconds` of processor time if they are asked for. In a notebook the share shows
/// as a plot, as it changes from deal to deal.
///
/// >>> from klondike_solver import Verdict, estimate
/// >>> found = estimate("solvitaire:1..200", max_states=100_000)
/// >>> found.counts[Verdict.WINNABLE], round(found.share, 2)
/// (157, 0.79)
/// >>> low, high = found.wilson
/// >>> low < found.share < high
/// True
#[pyclass(frozen, name = "Estimate", module = "klondike_solver")]
pub(crate) struct PyEstimate {
    answer: Envelope<EstimateAnswer>,
    report: ReportAnswer,
    table: ArrowTable,
    /// What it is called, and all that the run has found.
    pub(crate) source: (String, Box<Contents>),
    pub(crate) interrupted: bool,
}

impl PyEstimate {
    fn estimate(&self) -> &Estimate {
        &self.answer.answer().estimate
    }

    fn all_plots(&self) -> Vec<Plot<'_>> {
        let run = &self.report.runs[0];
        let mut plots = Plot::of_run(run);
        plots.extend(Plot::of_all(&self.report));
        plots
    }
}

pub(crate) fn ends(interval: Interval) -> (f64, f64) {
    (interval.low, interval.high)
}

#[pymethods]
impl PyEstimate {
    /// How many deals have each of the three verdicts. Hard deals that an interrupted run has set
    /// aside are undecided.
    #[getter]
    fn counts(&self) -> BTreeMap<PyVerdict, u64> {
        let summary = &self.answer.answer().summary;
        let counts = [
            summary.verdicts.winnable,
            summary.verdicts.unwinnable,
            summary.open(),
        ];
        PyVerdict::ALL.into_iter().zip(counts).collect()
    }

    /// The winnable deals as a share of the decided ones, 0 to 1, if there are any.
    #[getter]
    fn share(&self) -> Option<f64> {
        self.estimate().share
    }

    /// The ends of Wilson's interval of the share, 0 to 1: undecided deals count as lost at its
    /// lower end, and as winnable at its upper one.
    #[getter]
    fn wilson(&self) -> (f64, f64) {
        ends(self.estimate().wilson)
    }

    /// The ends of the interval of Clopper and Pearson, which covers the share with at least the
    /// confidence, with undecided deals both ways as well.
    #[getter]
    fn clopper_pearson(&self) -> (f64, f64) {
        ends(self.estimate().clopper_pearson)
    }

    /// The confidence of the intervals, above 0 and below 1.
    #[getter]
    fn confidence(&self) -> f64 {
        self.estimate().confidence
    }

    /// Whether Ctrl-C ended it: the deals that were decided by then are here, not all of them the
    /// first ones. With `dir` the same call goes on from there.
    #[getter]
    fn interrupted(&self) -> bool {
        self.interrupted
    }

    /// Whether each deal that was asked for has its record here. Where some have none, others are
    /// still at work on them, or the run was interrupted, or records were lost.
    #[getter]
    fn complete(&self) -> bool {
        self.answer.answer().complete
    }

    /// The names of its plots: "growth" (the share after the first deals), "states", "times",
    /// "lengths" (of solutions), "shares" and "differences" (beside published ones) and "decided".
    /// Those that there are no data for are missing.
    #[getter]
    fn plots(&self) -> Vec<&'static str> {
        self.all_plots().into_iter().map(Plot::name).collect()
    }

    /// A plot as a text of SVG; if no name is given "growth", or "shares" of a single deal.
    ///
    /// Raises:
    ///     ArgumentError: If there is no such plot.
    ///     RuntimeError: If it cannot be drawn.
    #[pyo3(signature = (plot = None))]
    fn svg(&self, plot: Option<&str>) -> PyResult<String> {
        let plots = self.all_plots();
        let found = match plot {
            None => plots
                .iter()
                .find(|plot| matches!(plot.name(), "growth" | "shares")),
            Some(name) => plots.iter().find(|plot| plot.name() == name),
        };
        let found = found.ok_or_else(|| {
            let known = self.plots().join(", ");
            argument("plot", format!("there is no such plot; known: {known}"))
        })?;
        let svg = found.svg();
        svg.map_err(|error| PyRuntimeError::new_err(error.to_string()))
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        self.svg(None)
    }

    /// What `klondike estimate --json` prints of it, as a text of JSON.
    fn json(&self) -> PyResult<String> {
        serde_json::to_string(&self.answer)
            .map_err(|error| PyRuntimeError::new_err(error.to_string()))
    }

    fn __len__(&self) -> usize {
        self.answer.answer().summary.deals as usize
    }

    fn __repr__(&self) -> String {
        let answer = self.answer.answer();
        let (found, asked) = (answer.summary.looked_at(), answer.run.deals);
        let deals = match found == asked {
            true => asked.to_string(),
            false => format!("{found} of {asked}"),
        };
        let open = answer.summary.open();
        let share = match self.share() {
            Some(share) => format!("{:.1} % winnable", 100.0 * share),
            None => "nothing decided".to_owned(),
        };
        let (low, high) = self.wilson();
        let end = if self.interrupted {
            ", interrupted"
        } else {
            ""
        };
        format!(
            "<Estimate {share}, {:.1} to {:.1} %, of {deals} deals, {open} undecided{end}>",
            100.0 * low,
            100.0 * high
        )
    }

    /// The table as a stream of the Arrow C interface; any number of times.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema; // a wish that the interface lets a producer pass over
        self.table.stream(py)
    }

    /// The columns of the table by the Arrow C interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        self.table.schema(py)
    }
}

/// What is to be decided and how.
struct Plan {
    task: Task,
    asked: Manifest,
    raise_limits: bool,
    threads: usize,
    view: View,
}

impl Plan {
    /// Decides what the run in `dir` has no record of. Without `kept` the directory is one that
    /// nobody sees.
    fn run(
        &self,
        dir: &Path,
        kept: bool,
        stop: &Arc<AtomicBool>,
        done: &AtomicU64,
    ) -> PyResult<PyEstimate> {
        let opened = RunDirectory::open(dir, &self.asked, self.raise_limits);
        let (mut directory, contents) = opened.map_err(of_run)?;
        let machine = Machine {
            threads: self.threads,
            stop: Arc::clone(stop),
            first_step_only: false,
        };
        let session = sessions::now("klondike_solver.estimate".to_owned(), self.threads);
        directory.begin(&session).map_err(of_run)?;
        let complete = run::run(&mut directory, &self.task, contents, &machine, |now| {
            done.store(now.recorded(), Ordering::Relaxed);
        });
        let complete = complete.map_err(of_run)?;
        self.view.of(&directory, complete, kept)
    }
}

/// How the records of a run are shown.
pub(crate) struct View {
    pub(crate) rules: Arc<Rules>,
    /// The range of the deals, which is the name of the run in plots.
    pub(crate) deals: String,
    pub(crate) confidence: f64,
    pub(crate) times: bool,
}

impl View {
    /// The answer that the records in a directory give: of all deals that were asked for, if it is
    /// `complete` and none is missing.
    pub(crate) fn of(
        &self,
        directory: &RunDirectory,
        complete: bool,
        kept: bool,
    ) -> PyResult<PyEstimate> {
        let (contents, summary) = directory.summarize().map_err(of_run)?;
        contents.check_audits().map_err(of_run)?;
        let answer = EstimateAnswer {
            dir: kept.then(|| directory.path().display().to_string()),
            complete: complete && contents.deals.len() as u64 == directory.manifest().deals,
            damaged_bytes: contents.damaged,
            estimate: summary::estimate(&summary, self.confidence),
            run: directory.manifest().clone(),
            summary,
        };
        let table = self.table(&contents);
        let source = (self.deals.clone(), Source::Run(Box::new(contents)));
        let report = report_on(std::slice::from_ref(&source), self.confidence);
        let (name, Source::Run(contents)) = source else {
            unreachable!("it was made above");
        };
        Ok(PyEstimate {
            answer: Envelope::of_rules(&self.rules, answer),
            report: report.map_err(with_words!(KlondikeError))?,
            table,
            source: (name, contents),
            interrupted: false,
        })
    }

    fn table(&self, contents: &Contents) -> ArrowTable {
        let wanted = Wanted {
            solutions: false,
            times: self.times,
        };
        let mut table = Growing::new(|rows: &[Row]| wanted.columns(rows));
        for row in rows(contents, true) {
            table.push(Row {
                deal: format!("{}:{}", contents.manifest.scheme, row.seed),
                verdict: row.verdict,
                reason_kind: row.proof,
                limit: row.limit,
                moves: row.moves,
                states: row.states + row.oracle_states,
                solution: None,
                seconds: row.microseconds.unwrap_or_default() as f64 / 1e6,
            });
        }
        table.finish()
    }
}

pub(crate) fn of_task(error: &TaskError) -> PyErr {
    match error {
        TaskError::Seed(SeedError::NoSample(_)) | TaskError::TooMany => argument("deals", error),
        _ => DealError::new_err(error.to_string()),
    }
}

pub(crate) fn of_run(error: RunError) -> PyErr {
    match &error {
        // The directory holds other things, or a run with other arguments.
        RunError::Other { .. }
        | RunError::Limits { .. }
        | RunError::NotEmpty(_)
        | RunError::IsFile(_) => argument("dir", error),
        _ => KlondikeError::new_err(error.to_string()),
    }
}

/// The share of winnable deals, from deciding all of a range, on all processors.
///
/// It is the run of `klondike estimate`: all deals get a search with few states first, and the hard
/// ones are finished last. Records do not depend on the threads, unless a limit on time is hit.
/// Ctrl-C ends it, and what is decided by then is the answer; a second Ctrl-C raises
/// `KeyboardInterrupt`.
///
/// Args:
///     deals: A range such as "klondike:1..10000", both ends included.
///     rules: Rules, or the name of a set of them; standard if left out.
///     dir: A directory that keeps the records as they are made: the same call goes on from there
///         after whatever ended it, with more deals if the range ends later. `klondike report`,
///         `merge`, `export` and `estimate` take it, too. Without it nothing is kept.
///     confidence: Of the intervals, above 0 and below 1.
///     certify: The share of the deals, 0 to 1, whose verdicts are checked by certificates.
///     time_limit: Most seconds of each search of a deal.
///     max_states: Most states to store for each deal.
///     first_states: Most states of the first search of a deal; ten million if left out.
///     memory: Most bytes for the tables of all searches together; half of the machine's if left
///         out, or what the run in `dir` began with.
///     threads: Threads, 1 to 1024; if left out, as many as this process may use.
///     share_hard: Whether threads that find no deal help with the hard ones. Verdicts are the
///         same, but the states and the solution of such a deal vary from run to run.
///     raise_limits: Whether the run in `dir` goes on with higher limits, and decides again what
///         was undecided.
///     times: Whether the table has a column `seconds`.
///     progress: Whether a bar shows how far it is, after two seconds.
///
/// Raises:
///     ArgumentError: If an argument has a value that it cannot have, or `dir` holds something
///         else.
///     DealError: If the deals do not fit the rules.
///     KlondikeError: If `dir` cannot be read or written, or a certificate proves no verdict.
///
/// >>> from klondike_solver import estimate
/// >>> estimate("solvitaire:1..100", "draw1")
/// <Estimate 86.0 % winnable, 77.9 to 91.5 %, of 100 deals, 0 undecided>
#[pyfunction]
#[pyo3(signature = (deals, rules = None, *, dir = None, confidence = 0.95, certify = 0.0,
    time_limit = None, max_states = None, first_states = None, memory = None, threads = None,
    share_hard = false, raise_limits = false, times = false, progress = true))]
#[allow(clippy::too_many_arguments)] // keywords of Python
pub(crate) fn estimate(
    py: Python<'_>,
    deals: &str,
    rules: Option<RulesArg>,
    dir: Option<PathBuf>,
    confidence: f64,
    certify: f64,
    time_limit: Option<f64>,
    max_states: Option<Whole>,
    first_states: Option<Whole>,
    memory: Option<Whole>,
    threads: Option<Whole>,
    share_hard: bool,
    raise_limits: bool,
    times: bool,
    progress: bool,
) -> PyResult<PyEstimate> {
    if dir.as_ref().is_some_and(|dir| dir.as_os_str().is_empty()) {
        return Err(argument("dir", "write the path of a directory"));
    }
    if raise_limits && dir.is_none() {
        return Err(argument("raise_limits", "only a run in `dir` goes on"));
    }
    let range: Result<DealRange, _> = deals.trim().parse();
    let range = range.map_err(|error| argument("deals", error))?;
    if !(0.0..=1.0).contains(&certify) {
        return Err(argument("certify", "write a share from 0 to 1"));
    }
    let memory_given = memory.is_some();
    let bounds = Bounds::read(time_limit, max_states, memory)?;
    let first_states = match first_states {
        Some(states) => states.within("first_states", 0..=i64::MAX)?,
        None => FIRST_STATES,
    };
    let rules = rules_or_standard(rules);
    let task = Task::new(&rules, range.clone()).map_err(|error| of_task(&error))?;
    let saved = dir.as_deref().map(manifest::saved_in).transpose();
    let saved = saved.map_err(of_run)?.flatten();
    let limits = RunLimits {
        first_states,
        max_states: bounds.states,
        memory_bytes: match (memory_given, saved) {
            (false, Some(saved)) => saved.limits.memory_bytes,
            _ => bounds.memory,
        },
        seconds: bounds.time.map(|time| time.as_secs_f64()),
        share_hard,
    };
    let plan = Plan {
        asked: manifest::new_run(&rules, &range, limits, certify),
        task,
        raise_limits,
        threads: args::threads(threads, machine::processors())?,
        view: View {
            rules,
            deals: range.to_string(),
            confidence: confidence_of(confidence)?,
            times,
        },
    };
    let count = plan.task.count();
    let run = |dir: &Path, kept| {
        let work = |stop: &Arc<_>, done: &_| plan.run(dir, kept, stop, done);
        with_bar(py, Some(count), progress, work)
    };
    let (found, interrupted) = match &dir {
        Some(dir) => run(dir, true)?,
        None => {
            let temporary = py.import("tempfile")?.call_method0("TemporaryDirectory")?;
            let ended = run(&temporary.getattr("name")?.extract::<PathBuf>()?, false);
            temporary.call_method0("cleanup")?;
            ended?
        }
    };
    Ok(PyEstimate {
        interrupted,
        ..found
    })
}
