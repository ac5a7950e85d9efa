//! A file of a store: a table of Parquet with the records of a range of deals.

use std::panic::{self, AssertUnwindSafe};

use bytes::Bytes;
use parquet::errors::ParquetError;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, Row};
use serde::Deserialize;
use sha2::{Digest, Sha256};

use super::about::{About, hex};
use crate::import::records;
use crate::record::Timed;
use klondike_game::deal::seed::Seed;

/// The name of the metadata.
const KEY: &str = "klondike";

/// The columns, as pyarrow writes them down for the checksum.
const SCHEMA: &str = "seed: int64 not null
verdict: string not null
proof: string
weaker_rules: bool
limit: string
moves: uint32
states: uint64 not null
oracle_states: uint64 not null
certificate: string
microseconds: uint64 not null";

/// What the metadata of a file say.
#[derive(Deserialize)]
struct Said {
    run: String,
    first: u64,
    last: u64,
    hard: Vec<u64>,
    sha256: String,
}

/// Why a file does not count.
#[derive(Debug)]
pub(super) struct Damaged;

impl From<ParquetError> for Damaged {
    fn from(_: ParquetError) -> Damaged {
        Damaged
    }
}

/// The records in the bytes of a file, and the seeds of the deals that it has given up.
pub(super) fn read(bytes: Vec<u8>, about: &About) -> Result<(Vec<Timed>, Vec<u64>), Damaged> {
    // The reader of Parquet panics at some files that are damaged.
    let read = panic::catch_unwind(AssertUnwindSafe(|| unpack(bytes, about)));
    read.unwrap_or(Err(Damaged))
}

fn unpack(bytes: Vec<u8>, about: &About) -> Result<(Vec<Timed>, Vec<u64>), Damaged> {
    let file = SerializedFileReader::new(Bytes::from(bytes))?;
    let metadata = file.metadata().file_metadata().key_value_metadata();
    let said = metadata.into_iter().flatten().find(|pair| pair.key == KEY);
    let said = said.and_then(|pair| pair.value.as_ref()).ok_or(Damaged)?;
    let said: Said = serde_json::from_str(said).map_err(|_| Damaged)?;

    let mut rows = file.get_row_iter(None)?.peekable();
    let mut text = match rows.peek() {
        Some(Ok(row)) => line(row.get_column_iter().map(|(name, _)| quoted(name))),
        _ => String::new(),
    };
    for row in rows {
        text.push_str(&cells(&row?));
    }
    let whole = format!(
        "{{\"run\": \"{}\", \"first\": {}, \"last\": {}, \"hard\": {:?}}}\n{SCHEMA}\n{text}",
        said.run, said.first, said.last, said.hard
    );
    if said.run != about.identity() || said.sha256 != hex(&Sha256::digest(whole)) {
        return Err(Damaged);
    }
    let records = records(text.as_bytes(), &Seed::from(about.first)).map_err(|_| Damaged)?;
    Ok((records, said.hard))
}

/// A row as pyarrow writes it as CSV: texts with quotes, of what is not there nothing.
fn cells(row: &Row) -> String {
    line(row.get_column_iter().map(|(_, field)| match field {
        Field::Null => String::new(),
        Field::Str(text) => quoted(text),
        other => other.to_string(),
    }))
}

fn quoted(text: &str) -> String {
    format!("\"{text}\"")
}

fn line(cells: impl Iterator<Item = String>) -> String {
    let mut line = cells.collect::<Vec<_>>().join(",");
    line.push('\n');
    line
}
