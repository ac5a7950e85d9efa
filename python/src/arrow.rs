//! Tables of Arrow, as libraries of Python take them.
//!
//! They take a table by the PyCapsule interface of Arrow (see its specification at
//! arrow.apache.org, "The Arrow PyCapsule Interface"), without copies and without pyarrow.

use std::sync::Arc;

use arrow_array::ffi_stream::FFI_ArrowArrayStream;
use arrow_array::{ArrayRef, RecordBatch, RecordBatchIterator};
use arrow_schema::ffi::FFI_ArrowSchema;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

/// Rows of a batch of a table.
const BATCH: usize = 1 << 16;

/// Columns by name, and whether they have nulls.
pub(crate) type Columns = Vec<(&'static str, ArrayRef, bool)>;

/// A table that is complete.
pub(crate) struct ArrowTable {
    /// At least one, since it knows the columns.
    batches: Vec<RecordBatch>,
}

impl ArrowTable {
    /// A stream of its batches.
    pub(crate) fn stream<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let batches = self.batches.clone().into_iter().map(Ok);
        let reader = RecordBatchIterator::new(batches, self.batches[0].schema());
        let stream = FFI_ArrowArrayStream::new(Box::new(reader));
        PyCapsule::new_with_value(py, stream, c"arrow_array_stream")
    }

    /// Its columns.
    pub(crate) fn schema<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        let schema = self.batches[0].schema();
        let schema = FFI_ArrowSchema::try_from(&*schema)
            .map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        PyCapsule::new_with_value(py, schema, c"arrow_schema")
    }
}

/// A table to which rows are added.
pub(crate) struct Growing<R, F> {
    columns: F,
    rows: Vec<R>,
    batches: Vec<RecordBatch>,
}

impl<R, F: Fn(&[R]) -> Columns> Growing<R, F> {
    pub(crate) fn new(columns: F) -> Growing<R, F> {
        Growing {
            columns,
            rows: Vec::new(),
            batches: Vec::new(),
        }
    }

    pub(crate) fn push(&mut self, row: R) {
        self.rows.push(row);
        if self.rows.len() == BATCH {
            self.end_batch();
        }
    }

    fn end_batch(&mut self) {
        let columns = (self.columns)(&self.rows);
        let batch = RecordBatch::try_from_iter_with_nullable(columns);
        let batch = batch.expect("the columns have a value for each row");
        self.batches.push(batch);
        self.rows.clear();
    }

    pub(crate) fn finish(mut self) -> ArrowTable {
        if !self.rows.is_empty() || self.batches.is_empty() {
            self.end_batch();
        }
        ArrowTable {
            batches: self.batches,
        }
    }
}

/// A column of the values of an iterator.
pub(crate) fn column<T: arrow_array::Array + FromIterator<V> + 'static, V>(
    values: impl Iterator<Item = V>,
) -> ArrayRef {
    Arc::new(values.collect::<T>())
}
