//! `solve_many` and its answer: the verdicts of many deals as one table.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use arrow_array::{Float64Array, StringArray, UInt32Array, UInt64Array};
use klondike_batch::machine;
use klondike_batch::parallel::Workers;
use klondike_front::{Decision, Limit, StopFlag, Table, Verdict};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::args::{self, Bounds, List, RulesArg, Whole};
use crate::arrow::{ArrowTable, Columns, Growing, column};
use crate::bar::with_bar;
use crate::deals::{Deals, Job};
use crate::error::of_question;
use crate::solve::{PyVerdict, limit_of};

/// What is asked for beside the verdicts.
#[derive(Clone, Copy)]
pub(crate) struct Wanted {
    pub(crate) solutions: bool,
    pub(crate) times: bool,
}

/// A deal that was decided.
pub(crate) struct Row {
    pub(crate) deal: String,
    pub(crate) verdict: &'static str,
    pub(crate) reason_kind: Option<&'static str>,
    pub(crate) limit: Option<&'static str>,
    pub(crate) moves: Option<u32>,
    pub(crate) states: u64,
    pub(crate) solution: Option<String>,
    pub(crate) seconds: f64,
}

impl Wanted {
    /// What a row says of a deal that took this time.
    fn row(self, deal: String, decision: &Decision, seconds: f64) -> Row {
        let (mut reason_kind, mut moves, mut text) = (None, None, None);
        match &decision.verdict {
            Verdict::Winnable(solution) => {
                moves = Some(solution.moves().len() as u32);
                text = self.solutions.then(|| solution.to_string());
            }
            Verdict::Unwinnable(evidence) => reason_kind = Some(evidence.name()),
            Verdict::Undecided(_) => {}
        }
        Row {
            deal,
            verdict: decision.verdict.name(),
            reason_kind,
            limit: limit_of(&decision.verdict),
            moves,
            states: decision.stats.states + decision.stats.oracle_states,
            solution: text,
            seconds,
        }
    }

    pub(crate) fn columns(self, rows: &[Row]) -> Columns {
        let text = |of: fn(&Row) -> Option<&str>| column::<StringArray, _>(rows.iter().map(of));
        let mut columns = vec![
            ("deal", text(|row| Some(&row.deal)), false),
            ("verdict", text(|row| Some(row.verdict)), false),
            ("reason_kind", text(|row| row.reason_kind), true),
            ("limit", text(|row| row.limit), true),
            (
                "moves",
                column::<UInt32Array, _>(rows.iter().map(|row| row.moves)),
                true,
            ),
            (
                "states",
                column::<UInt64Array, _>(rows.iter().map(|row| Some(row.states))),
                false,
            ),
        ];
        if self.solutions {
            columns.push(("solution", text(|row| row.solution.as_deref()), true));
        }
        if self.times {
            let seconds = rows.iter().map(|row| Some(row.seconds));
            columns.push(("seconds", column::<Float64Array, _>(seconds), false));
        }
        columns
    }
}

/// The verdicts of many deals, in the order of the deals: a table that pyarrow, polars, pandas,
/// duckdb and others take as it is.
///
/// A row has what a `Decision` says: `deal` (its seed or its text), `verdict` ("winnable",
/// "unwinnable" or "undecided"), `reason_kind`, `limit`, `moves` (how many its solution has),
/// `states`, and if they are asked for `solution` (as text) and `seconds`.
///
/// >>> from klondike_solver import Verdict, solve_many
/// >>> decisions = solve_many("solvitaire:1..20")
/// >>> len(decisions), decisions.counts[Verdict.WINNABLE]
/// (20, 17)
#[pyclass(frozen, name = "Decisions", module = "klondike_solver")]
pub(crate) struct PyDecisions {
    table: ArrowTable,
    counts: BTreeMap<PyVerdict, usize>,
    interrupted: bool,
}

#[pymethods]
impl PyDecisions {
    /// How many deals have each of the three verdicts.
    #[getter]
    fn counts(&self) -> BTreeMap<PyVerdict, usize> {
        self.counts.clone()
    }

    /// Whether Ctrl-C ended it: the deals that were decided by then are here, the first ones.
    #[getter]
    fn interrupted(&self) -> bool {
        self.interrupted
    }

    fn __len__(&self) -> usize {
        self.counts.values().sum()
    }

    fn __repr__(&self) -> String {
        let counts = self.counts.iter().rev().filter(|(_, count)| **count > 0);
        let mut parts: Vec<_> = counts
            .map(|(verdict, count)| format!("{count} {}", verdict.0))
            .collect();
        if self.interrupted {
            parts.push("interrupted".to_owned());
        }
        let deals = match self.__len__() {
            1 => "1 deal".to_owned(),
            count => format!("{count} deals"),
        };
        match parts.is_empty() {
            true => format!("<Decisions of {deals}>"),
            false => format!("<Decisions of {deals}: {}>", parts.join(", ")),
        }
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

/// How the deals are decided.
struct Many {
    rules: Option<RulesArg>,
    bounds: Bounds,
    threads: usize,
    wanted: Wanted,
}

impl Many {
    fn decide(&self, job: Job, stop: &StopFlag) -> PyResult<Row> {
        let (deal, table) = job.table(self.rules.as_ref())?;
        let start = Instant::now();
        let decision = self.decision(&table, stop)?;
        Ok(self
            .wanted
            .row(deal, &decision, start.elapsed().as_secs_f64()))
    }

    fn decision(&self, table: &Table, stop: &StopFlag) -> PyResult<Decision> {
        let solver = self.bounds.solver(table.rules(), stop.clone());
        solver.decide(table).map_err(|error| of_question(&error))
    }

    /// Decides the deals in parallel, up to the first one whose search was interrupted.
    fn run(&self, deals: Deals, set: &Arc<AtomicBool>, done: &AtomicU64) -> PyResult<PyDecisions> {
        let stop = StopFlag::from(Arc::clone(set));
        let mut table = Growing::new(|rows: &[Row]| self.wanted.columns(rows));
        let mut counts = BTreeMap::from(PyVerdict::ALL.map(|verdict| (verdict, 0)));
        let ended = AtomicBool::new(false);
        let workers = Workers {
            threads: self.threads,
            block: 1,
            stop: &ended,
        };
        workers.run(
            deals.take_while(|_| !stop.is_raised()),
            || (),
            |(), job| self.decide(job, &stop),
            |rows| -> PyResult<()> {
                for row in rows {
                    let row = row.inspect_err(|_| stop.raise())?;
                    if row.limit == Some(Limit::Interrupt.name()) {
                        ended.store(true, Ordering::Relaxed);
                    }
                    if ended.load(Ordering::Relaxed) {
                        return Ok(());
                    }
                    *counts.entry(PyVerdict(row.verdict)).or_default() += 1;
                    table.push(row);
                    done.fetch_add(1, Ordering::Relaxed);
                }
                Ok(())
            },
        )?;
        Ok(PyDecisions {
            table: table.finish(),
            counts,
            interrupted: false,
        })
    }
}

/// The verdicts of many deals, on all processors: a table in the order of the deals.
///
/// Each deal is searched by one thread, so the table does not depend on their number, unless a
/// limit on time or memory is hit. Ctrl-C ends it, and what is decided by then is the answer; a
/// second Ctrl-C raises `KeyboardInterrupt`.
///
/// Args:
///     deals: A range such as "klondike:1..5000", both ends included, or any number of what
///         `solve` takes.
///     rules: Rules, or the name of a set of them; standard, or those of each position.
///     time_limit: Most seconds for each deal.
///     max_states: Most states to store for each deal.
///     memory: Most bytes for the tables of all searches together, which share it equally; half
///         of the machine's if left out.
///     threads: Threads, 1 to 1024; if left out, as many as this process may use.
///     no_lemmas: Names of proven lemmas that the searches do without, as for `solve`.
///     solutions: Whether the table has a column `solution`.
///     times: Whether the table has a column `seconds`.
///     progress: Whether a bar shows how far it is, after two seconds.
///
/// Raises:
///     DealError: If one is no deal or does not fit the rules; the message says which.
///     ArgumentError: If a limit is not a number that it can be.
///
/// >>> from klondike_solver import solve_many
/// >>> solve_many(f"solvitaire:{seed}" for seed in [1, 3])
/// <Decisions of 2 deals: 1 winnable, 1 unwinnable>
#[pyfunction]
#[pyo3(signature = (deals, rules = None, *, time_limit = None, max_states = None, memory = None,
    threads = None, no_lemmas = None, solutions = false, times = false, progress = true))]
#[allow(clippy::too_many_arguments)] // keywords of Python
pub(crate) fn solve_many(
    py: Python<'_>,
    deals: Deals,
    rules: Option<RulesArg>,
    time_limit: Option<f64>,
    max_states: Option<Whole>,
    memory: Option<Whole>,
    threads: Option<Whole>,
    no_lemmas: Option<List<String>>,
    solutions: bool,
    times: bool,
    progress: bool,
) -> PyResult<PyDecisions> {
    let bounds = Bounds::read(time_limit, max_states, memory)?.without(no_lemmas)?;
    let threads = args::threads(threads, machine::processors())?;
    deals.check(rules.as_ref())?;
    let many = Many {
        rules,
        bounds: Bounds {
            memory: bounds.memory / threads as u64,
            ..bounds
        },
        threads,
        wanted: Wanted { solutions, times },
    };
    let all = deals.count_left();
    let work = |stop: &Arc<_>, done: &_| many.run(deals, stop, done);
    let (decisions, interrupted) = with_bar(py, all, progress, work)?;
    Ok(PyDecisions {
        interrupted,
        ..decisions
    })
}
