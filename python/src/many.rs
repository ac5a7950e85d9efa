//! `solve_many` and its answer: the verdicts of many deals as one table of Arrow.
//!
//! Libraries of Python take the table by the PyCapsule interface of Arrow (see its specification at
//! arrow.apache.org, "The Arrow PyCapsule Interface"), without copies and without pyarrow.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Instant;

use arrow_array::builder::{Float64Builder, StringBuilder, UInt32Builder, UInt64Builder};
use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{ArrayRef, RecordBatch, RecordBatchIterator};
use arrow_schema::ffi::FFI_ArrowSchema;
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use klondike_batch::parallel::Workers;
use klondike_front::{Decision, Limit, StopFlag, Table, Verdict};
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError};
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

use crate::args::{self, Bounds, RulesArg, Whole};
use crate::ask::ask_until;
use crate::deals::{Deals, Job};
use crate::error::of_question;
use crate::solve::PyVerdict;

/// Rows of a batch of the table.
const BATCH: usize = 1 << 16;

/// What a row says in any case, and then what is only there if it is asked for.
static COLUMNS: LazyLock<[Field; 8]> = LazyLock::new(|| {
    [
        Field::new("deal", DataType::Utf8, false),
        Field::new("verdict", DataType::Utf8, false),
        Field::new("reason_kind", DataType::Utf8, true),
        Field::new("limit", DataType::Utf8, true),
        Field::new("moves", DataType::UInt32, true),
        Field::new("states", DataType::UInt64, false),
        Field::new("solution", DataType::Utf8, true),
        Field::new("seconds", DataType::Float64, false),
    ]
});

/// What is asked for beside the verdicts.
#[derive(Clone, Copy)]
struct Wanted {
    solutions: bool,
    times: bool,
}

impl Wanted {
    fn schema(self) -> SchemaRef {
        let wanted = COLUMNS
            .iter()
            .filter(|column| match column.name().as_str() {
                "solution" => self.solutions,
                "seconds" => self.times,
                _ => true,
            });
        Arc::new(Schema::new(wanted.cloned().collect::<Vec<_>>()))
    }
}

/// A deal that was decided.
struct Row {
    deal: String,
    decision: Decision,
    solution: Option<String>,
    seconds: f64,
}

impl Row {
    fn is_interrupted(&self) -> bool {
        matches!(self.decision.verdict, Verdict::Undecided(Limit::Interrupt))
    }
}

/// The rows of the batch that grows.
#[derive(Default)]
struct Columns {
    rows: usize,
    deal: StringBuilder,
    verdict: StringBuilder,
    reason_kind: StringBuilder,
    limit: StringBuilder,
    moves: UInt32Builder,
    states: UInt64Builder,
    solution: StringBuilder,
    seconds: Float64Builder,
}

impl Columns {
    fn push(&mut self, row: Row) {
        let (mut reason, mut limit, mut moves) = (None, None, None);
        match &row.decision.verdict {
            Verdict::Winnable(solution) => moves = Some(solution.moves().len() as u32),
            Verdict::Unwinnable(evidence) => reason = Some(evidence.name()),
            Verdict::Undecided(hit) => limit = Some(hit.name()),
        }
        let stats = row.decision.stats;
        self.rows += 1;
        self.deal.append_value(row.deal);
        self.verdict.append_value(row.decision.verdict.name());
        self.reason_kind.append_option(reason);
        self.limit.append_option(limit);
        self.moves.append_option(moves);
        self.states.append_value(stats.states + stats.oracle_states);
        self.solution.append_option(row.solution);
        self.seconds.append_value(row.seconds);
    }

    /// The batch of the rows so far; the next one begins.
    fn finish(&mut self, schema: &SchemaRef) -> Result<RecordBatch, ArrowError> {
        self.rows = 0;
        let all: [ArrayRef; 8] = [
            Arc::new(self.deal.finish()),
            Arc::new(self.verdict.finish()),
            Arc::new(self.reason_kind.finish()),
            Arc::new(self.limit.finish()),
            Arc::new(self.moves.finish()),
            Arc::new(self.states.finish()),
            Arc::new(self.solution.finish()),
            Arc::new(self.seconds.finish()),
        ];
        let wanted = COLUMNS.iter().zip(all);
        let wanted = wanted.filter(|(column, _)| schema.column_with_name(column.name()).is_some());
        RecordBatch::try_new(
            Arc::clone(schema),
            wanted.map(|(_, column)| column).collect(),
        )
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
    schema: SchemaRef,
    batches: Vec<RecordBatch>,
    counts: BTreeMap<PyVerdict, usize>,
    interrupted: bool,
}

#[pymethods]
impl PyDecisions {
    /// How many deals have each verdict; a verdict that none has is not there.
    #[getter]
    fn counts(&self) -> BTreeMap<PyVerdict, usize> {
        self.counts.clone()
    }

    /// Whether Ctrl-C ended it before all deals were decided: the first ones are here.
    #[getter]
    fn interrupted(&self) -> bool {
        self.interrupted
    }

    fn __len__(&self) -> usize {
        self.counts.values().sum()
    }

    fn __repr__(&self) -> String {
        let counts = self.counts.iter().rev();
        let counts: Vec<_> = counts
            .map(|(verdict, count)| format!("{count} {}", verdict.0))
            .collect();
        let end = if self.interrupted {
            ", interrupted"
        } else {
            ""
        };
        let all = self.__len__();
        format!("<Decisions of {all} deals: {}{end}>", counts.join(", "))
    }

    /// The table as a stream of the Arrow C interface; any number of times.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema; // a wish that the interface lets a producer pass over
        let batches = self.batches.clone().into_iter().map(Ok);
        let reader = RecordBatchIterator::new(batches, Arc::clone(&self.schema));
        let stream = FFI_ArrowArrayStream::new(Box::new(reader));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    /// The columns of the table by the Arrow C interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = FFI_ArrowSchema::try_from(&*self.schema).map_err(|error| of_arrow(&error))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }
}

fn of_arrow(error: &ArrowError) -> PyErr {
    PyRuntimeError::new_err(error.to_string())
}

/// The table that grows while deals are decided.
struct Growing {
    schema: SchemaRef,
    columns: Columns,
    batches: Vec<RecordBatch>,
    counts: BTreeMap<PyVerdict, usize>,
    interrupted: bool,
}

impl Growing {
    fn push(&mut self, row: Row) -> PyResult<()> {
        let verdict = PyVerdict(row.decision.verdict.name());
        *self.counts.entry(verdict).or_default() += 1;
        self.columns.push(row);
        if self.columns.rows == BATCH {
            self.end_batch()?;
        }
        Ok(())
    }

    fn end_batch(&mut self) -> PyResult<()> {
        let batch = self.columns.finish(&self.schema);
        self.batches.push(batch.map_err(|error| of_arrow(&error))?);
        Ok(())
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
        let seconds = start.elapsed().as_secs_f64();
        let solution = match &decision.verdict {
            Verdict::Winnable(solution) if self.wanted.solutions => Some(solution.to_string()),
            _ => None,
        };
        Ok(Row {
            deal,
            decision,
            solution,
            seconds,
        })
    }

    fn decision(&self, table: &Table, stop: &StopFlag) -> PyResult<Decision> {
        let solver = self.bounds.solver(table.rules(), stop.clone());
        solver.decide(table).map_err(|error| of_question(&error))
    }

    /// Decides the deals in parallel, up to the first one whose search was interrupted.
    fn run(&self, deals: Deals, stop: &StopFlag, done: &AtomicU64) -> PyResult<Growing> {
        let mut table = Growing {
            schema: self.wanted.schema(),
            columns: Columns::default(),
            batches: Vec::new(),
            counts: BTreeMap::new(),
            interrupted: false,
        };
        let all = deals.count_left();
        let ended = AtomicBool::new(false);
        let workers = Workers {
            threads: self.threads,
            block: 1,
            stop: &ended,
        };
        workers.run(
            deals.take_while(|_| !stop.is_raised()),
            || (),
            |(), job| self.decide(job, stop),
            |rows| -> PyResult<()> {
                for row in rows {
                    let row = row.inspect_err(|_| stop.raise())?;
                    let interrupted = ended.load(Ordering::Relaxed) || row.is_interrupted();
                    if interrupted {
                        ended.store(true, Ordering::Relaxed);
                        return Ok(());
                    }
                    table.push(row)?;
                    done.fetch_add(1, Ordering::Relaxed);
                }
                Ok(())
            },
        )?;
        if table.columns.rows > 0 {
            table.end_batch()?;
        }
        table.interrupted = all != Some(done.load(Ordering::Relaxed));
        Ok(table)
    }
}

/// The verdicts of many deals, on all processors: a table in the order of the deals.
///
/// Each deal is searched by one thread, so the table does not depend on their number, unless a
/// limit on time or memory is hit. Ctrl-C ends it, and what is decided by then is the answer.
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
    threads = None, solutions = false, times = false, progress = true))]
#[allow(clippy::too_many_arguments)] // keywords of Python
pub(crate) fn solve_many(
    py: Python<'_>,
    deals: Deals,
    rules: Option<RulesArg>,
    time_limit: Option<f64>,
    max_states: Option<Whole>,
    memory: Option<Whole>,
    threads: Option<Whole>,
    solutions: bool,
    times: bool,
    progress: bool,
) -> PyResult<PyDecisions> {
    let bounds = Bounds::read(time_limit, max_states, memory)?;
    let threads = args::threads(threads, args::processors())?;
    deals.check(rules.as_ref())?;
    let bar = Bar::new(py, &deals, progress)?;
    let many = Many {
        rules,
        bounds: Bounds {
            memory: bounds.memory / threads as u64,
            ..bounds
        },
        threads,
        wanted: Wanted { solutions, times },
    };
    let done = AtomicU64::new(0);
    let mut shown = 0;
    let mut show = |py: Python<'_>| {
        let now = done.load(Ordering::Relaxed);
        let more = now - std::mem::replace(&mut shown, now);
        bar.add(py, more)
    };
    let set = Arc::new(AtomicBool::new(false));
    let stop = StopFlag::from(Arc::clone(&set));
    let (table, interrupt) = ask_until(py, &set, || many.run(deals, &stop, &done), &mut show);
    if let Some(interrupt) = interrupt
        && !interrupt.is_instance_of::<PyKeyboardInterrupt>(py)
    {
        return Err(interrupt);
    }
    show(py)?;
    bar.close(py)?;
    let table = table?;
    Ok(PyDecisions {
        schema: table.schema,
        batches: table.batches,
        counts: table.counts,
        interrupted: table.interrupted,
    })
}

/// The bar of `klondike_solver._progress`, if one is wanted.
struct Bar(Option<Py<PyAny>>);

impl Bar {
    fn new(py: Python<'_>, deals: &Deals, wanted: bool) -> PyResult<Bar> {
        if !wanted {
            return Ok(Bar(None));
        }
        let module = py.import("klondike_solver._progress")?;
        let bar = module.call_method1("bar", (deals.count_left(),))?;
        Ok(Bar(Some(bar.unbind())))
    }

    fn add(&self, py: Python<'_>, more: u64) -> PyResult<()> {
        match &self.0 {
            Some(bar) => bar.call_method1(py, "update", (more,)).map(drop),
            None => Ok(()),
        }
    }

    fn close(&self, py: Python<'_>) -> PyResult<()> {
        match &self.0 {
            Some(bar) => bar.call_method0(py, "close").map(drop),
            None => Ok(()),
        }
    }
}
