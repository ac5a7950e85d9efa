//! What `klondike_solver.cluster` needs of Rust: the records of a range of deals as a table, and
//! from such tables a run again.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use arrow_array::{BooleanArray, Int64Array, StringArray, UInt32Array, UInt64Array};
use klondike_contract::ExportAnswer;
use klondike_contract::runs::{Manifest, RunLimits};
use klondike_front::{DealRange, Rules};
use klondike_game::deal::seed::Seed;
use klondike_lab::contents::Contents;
use klondike_lab::directory::RunDirectory;
use klondike_lab::export::rows;
use klondike_lab::import::records;
use klondike_lab::record::{Piece, SetAside, Timed};
use klondike_lab::run::{self, FIRST_STATES, Machine};
use klondike_lab::task::Task;
use klondike_lab::{manifest, sessions};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule};

use crate::advise::confidence_of;
use crate::args::{RulesArg, Whole, rules_or_standard};
use crate::arrow::{ArrowTable, Columns, Growing, column};
use crate::ask::ask;
use crate::error::{argument, with_words};
use crate::estimate::{PyEstimate, View, of_run, of_task};

/// Most records in a block of a run.
const BLOCK: usize = 1 << 16;

/// The records of a range of deals: a table with the columns of `klondike export --times`.
#[pyclass(frozen, name = "Records", module = "klondike_solver._klondike")]
pub(crate) struct PyRecords {
    table: ArrowTable,
    hard: Vec<i64>,
}

#[pymethods]
impl PyRecords {
    /// The seeds of the deals without a record: the first search did not decide them.
    #[getter]
    fn hard(&self) -> Vec<i64> {
        self.hard.clone()
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

/// The seed as a number of a column; all of a range fit if its ends do.
fn number(seed: &Seed) -> PyResult<i64> {
    let number = seed.to_string().parse();
    number.map_err(|_| argument("deals", "a seed does not fit into 64 bits with a sign"))
}

fn columns(rows: &[(i64, ExportAnswer)]) -> Columns {
    fn text(
        rows: &[(i64, ExportAnswer)],
        of: fn(&ExportAnswer) -> Option<&'static str>,
    ) -> arrow_array::ArrayRef {
        column::<StringArray, _>(rows.iter().map(|(_, row)| of(row)))
    }
    let whole = |of: fn(&ExportAnswer) -> u64| {
        column::<UInt64Array, _>(rows.iter().map(|(_, row)| Some(of(row))))
    };
    let seeds = rows.iter().map(|(seed, _)| Some(*seed));
    let weaker = rows.iter().map(|(_, row)| row.weaker_rules);
    let moves = rows.iter().map(|(_, row)| row.moves);
    vec![
        ("seed", column::<Int64Array, _>(seeds), false),
        ("verdict", text(rows, |row| Some(row.verdict)), false),
        ("proof", text(rows, |row| row.proof), true),
        ("weaker_rules", column::<BooleanArray, _>(weaker), true),
        ("limit", text(rows, |row| row.limit), true),
        ("moves", column::<UInt32Array, _>(moves), true),
        ("states", whole(|row| row.states), false),
        ("oracle_states", whole(|row| row.oracle_states), false),
        ("certificate", text(rows, |row| row.certificate), true),
        (
            "microseconds",
            whole(|row| row.microseconds.unwrap_or_default()),
            false,
        ),
    ]
}

/// The deals, the rules and what else the records depend on.
struct Asked {
    rules: Arc<Rules>,
    range: DealRange,
    task: Task,
    manifest: Manifest,
}

impl Asked {
    fn read(
        deals: &str,
        rules: Option<RulesArg>,
        max_states: Option<Whole>,
        first_states: Option<Whole>,
        memory: Whole,
        certify: f64,
    ) -> PyResult<Asked> {
        let range: Result<DealRange, _> = deals.trim().parse();
        let range = range.map_err(|error| argument("deals", error))?;
        if !(0.0..=1.0).contains(&certify) {
            return Err(argument("certify", "write a share from 0 to 1"));
        }
        let states = |name, states: Whole| states.within(name, 0..=i64::MAX);
        let max_states = max_states.map(|given| states("max_states", given));
        let first_states = first_states.map(|given| states("first_states", given));
        let limits = RunLimits {
            first_states: first_states.transpose()?.unwrap_or(FIRST_STATES),
            max_states: max_states.transpose()?,
            memory_bytes: memory.within("memory", 1..=i64::MAX)?,
            seconds: None,
            share_hard: false,
        };
        let rules = rules_or_standard(rules);
        let task = Task::new(&rules, range.clone()).map_err(|error| of_task(&error))?;
        number(&task.seed(0))?;
        number(&task.seed(task.count()))?;
        Ok(Asked {
            manifest: manifest::new_run(&rules, &range, limits, certify),
            rules,
            range,
            task,
        })
    }

    fn table(&self, contents: &Contents) -> PyResult<PyRecords> {
        let mut table = Growing::new(columns);
        for row in rows(contents, true) {
            table.push((number(&row.seed)?, row));
        }
        let hard = contents.set_aside.iter();
        let hard = hard.map(|mark| number(&self.task.seed(mark.offset)));
        Ok(PyRecords {
            table: table.finish(),
            hard: hard.collect::<PyResult<_>>()?,
        })
    }
}

/// Does something in a directory that is gone afterwards.
fn in_temporary<T>(py: Python<'_>, work: impl FnOnce(&Path) -> PyResult<T>) -> PyResult<T> {
    let temporary = py.import("tempfile")?.call_method0("TemporaryDirectory")?;
    let done = work(&temporary.getattr("name")?.extract::<PathBuf>()?);
    temporary.call_method0("cleanup")?;
    done
}

/// The records of a range of deals, which are those of `estimate` with the same limits; without
/// those of deals that the first search does not decide, if it is `first_only`.
#[pyfunction]
#[pyo3(signature = (deals, rules, *, max_states, first_states, memory, certify, first_only,
    threads = 1))]
#[allow(clippy::too_many_arguments)] // keywords of Python
pub(crate) fn decide_records(
    py: Python<'_>,
    deals: &str,
    rules: Option<RulesArg>,
    max_states: Option<Whole>,
    first_states: Option<Whole>,
    memory: Whole,
    certify: f64,
    first_only: bool,
    threads: usize,
) -> PyResult<PyRecords> {
    let asked = Asked::read(deals, rules, max_states, first_states, memory, certify)?;
    in_temporary(py, |dir| {
        ask(py, |stop| {
            let opened = RunDirectory::open(dir, &asked.manifest, false);
            let (mut directory, contents) = opened.map_err(of_run)?;
            let machine = Machine {
                threads,
                stop: Arc::clone(stop),
                first_step_only: first_only,
            };
            run::run(&mut directory, &asked.task, contents, &machine, |_| ()).map_err(of_run)?;
            let contents = Contents::read(dir, false).map_err(of_run)?;
            contents.check_audits().map_err(of_run)?;
            asked.table(&contents)
        })?
    })
}

/// The estimate that records give which others have decided: tables of CSV, each with the seeds of
/// deals that are set aside unless another table has them. They are written to the run in `dir`, if
/// it is given.
#[pyfunction]
#[pyo3(signature = (tables, deals, rules, *, max_states, first_states, memory, certify,
    interrupted = false, dir = None, confidence = 0.95, times = false))]
#[allow(clippy::too_many_arguments)] // keywords of Python
pub(crate) fn join_records(
    py: Python<'_>,
    tables: &Bound<'_, PyAny>,
    deals: &str,
    rules: Option<RulesArg>,
    max_states: Option<Whole>,
    first_states: Option<Whole>,
    memory: Whole,
    certify: f64,
    interrupted: bool,
    dir: Option<PathBuf>,
    confidence: f64,
    times: bool,
) -> PyResult<PyEstimate> {
    let asked = Asked::read(deals, rules, max_states, first_states, memory, certify)?;
    let view = View {
        rules: Arc::clone(&asked.rules),
        deals: asked.range.to_string(),
        confidence: confidence_of(confidence)?,
        times,
    };
    let write = |dir: &Path, kept| {
        let opened = RunDirectory::open(dir, &asked.manifest, false);
        let (mut directory, _) = opened.map_err(of_run)?;
        let session = sessions::now("klondike_solver.cluster".to_owned(), 1);
        directory.begin(&session).map_err(of_run)?;
        let first = asked.task.seed(0);
        let (mut block, mut marks) = (Vec::new(), Vec::new());
        for table in tables.try_iter()? {
            let (table, hard): (Bound<'_, PyBytes>, Vec<i64>) = table?.extract()?;
            marks.extend(hard.into_iter().map(|seed| SetAside {
                offset: Seed::from(seed).places_after(&first).unwrap_or(u64::MAX),
                step: 1,
            }));
            let more = records(table.as_bytes(), &first).map_err(with_words!(KlondikeError))?;
            // A piece has each deal once; of two records of a deal the reader takes care.
            let ends = block.last().zip(more.first());
            let follows = |(last, next): (&Timed, &Timed)| last.record.offset < next.record.offset;
            if block.len() >= BLOCK || !ends.is_none_or(follows) {
                append(&mut directory, &mut block)?;
            }
            block.extend(more);
        }
        append(&mut directory, &mut block)?;
        if !marks.is_empty() {
            directory.append(&Piece::SetAside(marks)).map_err(of_run)?;
        }
        let mut found = py.detach(|| view.of(&directory, true, kept))?;
        found.interrupted = interrupted;
        Ok(found)
    };
    match &dir {
        Some(dir) => write(dir, true),
        None => in_temporary(py, |dir| write(dir, false)),
    }
}

/// Writes records and forgets them.
fn append(directory: &mut RunDirectory, block: &mut Vec<Timed>) -> PyResult<()> {
    match std::mem::take(block) {
        records if records.is_empty() => Ok(()),
        records => directory.append(&Piece::Decided(records)).map_err(of_run),
    }
}
