//! Records as tables that other programs read: CSV, lines of JSON, and Parquet.
//!
//! One row per deal, in the order of the seeds; the columns stand in `docs/winnability.md`. The
//! time is left out unless it is asked for, so that two exports of the same deals under the same
//! limits are the same, byte for byte. Parquet needs the cargo feature `parquet`.

use std::io::{self, Write};
use std::str::FromStr;

use super::contents::Contents;
use super::record::{Audit, ShortVerdict, Timed};
use klondike_contract::ExportAnswer;
use klondike_game::deal::seed::Seed;

/// A form of tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Comma-separated values with a line of names.
    Csv,
    /// One JSON object per line.
    JsonLines,
    /// Apache Parquet.
    Parquet,
}

impl Form {
    /// The word on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Form::Csv => "csv",
            Form::JsonLines => "jsonl",
            Form::Parquet => "parquet",
        }
    }
}

impl FromStr for Form {
    type Err = String;

    fn from_str(text: &str) -> Result<Form, String> {
        [Form::Csv, Form::JsonLines, Form::Parquet]
            .into_iter()
            .find(|form| form.name() == text)
            .ok_or_else(|| "there is no such form; known: csv, jsonl, parquet".to_owned())
    }
}

fn row(deal: &Timed, first: &Seed, times: bool) -> ExportAnswer {
    let record = deal.record;
    let (mut proof, mut limit, mut moves) = (None, None, None);
    match record.outcome {
        ShortVerdict::Winnable(count) => moves = Some(count),
        ShortVerdict::Unwinnable(how) => proof = Some((how, false)),
        ShortVerdict::UnwinnableWeaker(how) => proof = Some((how, true)),
        ShortVerdict::Undecided(hit) => limit = Some(hit.name()),
    }
    ExportAnswer {
        seed: first.plus(record.offset),
        verdict: record.outcome.name(),
        proof: proof.map(|(how, _)| how.name()),
        weaker_rules: proof.map(|(_, weaker)| weaker),
        limit,
        moves,
        states: record.states,
        oracle_states: record.oracle_states,
        certificate: match record.audit {
            Audit::NotAsked => None,
            audit => Some(audit.name()),
        },
        microseconds: times.then_some(deal.microseconds),
    }
}

/// The rows of all records of a run, with the microseconds of each if `times`.
pub fn rows(contents: &Contents, times: bool) -> impl Iterator<Item = ExportAnswer> {
    let first: Seed = contents.manifest.first.parse().unwrap_or(Seed::from(0_u64));
    contents
        .deals
        .iter()
        .map(move |deal| row(deal, &first, times))
}

/// Writes all records of a run, with the microseconds of each if `times`.
///
/// # Errors
/// If `out` cannot be written, or the form has no room for the seeds.
pub fn export(
    contents: &Contents,
    form: Form,
    times: bool,
    out: impl Write + Send,
) -> Result<(), ExportError> {
    match form {
        Form::Csv => csv_table(rows(contents, times), times, out),
        Form::JsonLines => json_lines(rows(contents, times), out),
        Form::Parquet => parquet_table(contents, times, out),
    }
}

const COLUMNS: [&str; 10] = [
    "seed",
    "verdict",
    "proof",
    "weaker_rules",
    "limit",
    "moves",
    "states",
    "oracle_states",
    "certificate",
    "microseconds",
];

fn csv_table(
    rows: impl Iterator<Item = ExportAnswer>,
    times: bool,
    out: impl Write,
) -> Result<(), ExportError> {
    // The conversion of the library loses what kind of error it is, so a closed pipe.
    let error = |error: csv::Error| {
        ExportError::Io(match error.into_kind() {
            csv::ErrorKind::Io(error) => error,
            other => io::Error::other(format!("{other:?}")),
        })
    };
    // The names are written here, so that they are there without rows too.
    let mut builder = csv::WriterBuilder::new();
    let mut writer = builder.has_headers(false).from_writer(out);
    let columns = &COLUMNS[..if times { 10 } else { 9 }];
    writer.write_record(columns).map_err(error)?;
    for row in rows {
        writer.serialize(row).map_err(error)?;
    }
    writer.flush().map_err(ExportError::Io)
}

fn json_lines(
    rows: impl Iterator<Item = ExportAnswer>,
    mut out: impl Write,
) -> Result<(), ExportError> {
    for row in rows {
        serde_json::to_writer(&mut out, &row).map_err(|error| ExportError::Io(error.into()))?;
        out.write_all(b"\n").map_err(ExportError::Io)?;
    }
    out.flush().map_err(ExportError::Io)
}

#[cfg(not(feature = "parquet"))]
fn parquet_table(_: &Contents, _: bool, _: impl Write) -> Result<(), ExportError> {
    Err(ExportError::NotBuilt)
}

/// Columns are written one after the other, in groups of rows that fit into memory.
#[cfg(feature = "parquet")]
fn parquet_table(
    contents: &Contents,
    times: bool,
    out: impl Write + Send,
) -> Result<(), ExportError> {
    use std::sync::Arc;

    use parquet::basic::Compression;
    use parquet::data_type::{BoolType, ByteArray, ByteArrayType, Int64Type};
    use parquet::file::properties::WriterProperties;
    use parquet::file::writer::SerializedFileWriter;
    use parquet::schema::parser::parse_message_type;

    const GROUP: usize = 1 << 20;

    let error = |error: parquet::errors::ParquetError| ExportError::Io(io::Error::other(error));
    let first: Seed = contents.manifest.first.parse().unwrap_or(Seed::from(0_u64));
    let number = |seed: &Seed| seed.to_string().parse::<i64>();
    let last = first.plus(contents.manifest.deals);
    if number(&first).is_err() || number(&last).is_err() {
        return Err(ExportError::Seeds);
    }
    let time = if times {
        "REQUIRED INT64 microseconds;"
    } else {
        ""
    };
    let schema = parse_message_type(&format!(
        "message records {{
            REQUIRED INT64 seed;
            REQUIRED BYTE_ARRAY verdict (UTF8);
            OPTIONAL BYTE_ARRAY proof (UTF8);
            OPTIONAL BOOLEAN weaker_rules;
            OPTIONAL BYTE_ARRAY limit (UTF8);
            OPTIONAL INT64 moves;
            REQUIRED INT64 states;
            REQUIRED INT64 oracle_states;
            OPTIONAL BYTE_ARRAY certificate (UTF8);
            {time}
        }}"
    ))
    .map_err(error)?;
    let properties = WriterProperties::builder()
        .set_compression(Compression::SNAPPY)
        .build();
    let mut file =
        SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties)).map_err(error)?;
    for deals in contents.deals.chunks(GROUP) {
        let rows: Vec<ExportAnswer> = deals.iter().map(|deal| row(deal, &first, times)).collect();
        let mut group = file.next_row_group().map_err(error)?;
        // Values that are there, and for each row whether there is one.
        macro_rules! column {
            ($kind:ty, $value:expr) => {{
                let values: Vec<Option<_>> = rows.iter().map($value).collect();
                let levels: Vec<i16> = values.iter().map(|v| i16::from(v.is_some())).collect();
                let values: Vec<_> = values.into_iter().flatten().collect();
                let column = group.next_column().map_err(error)?;
                let mut column = column.ok_or(ExportError::Seeds)?;
                column
                    .typed::<$kind>()
                    .write_batch(&values, Some(&levels), None)
                    .map_err(error)?;
                column.close().map_err(error)?;
            }};
        }
        let text = |text: &'static str| ByteArray::from(text);
        column!(Int64Type, |row: &ExportAnswer| number(&row.seed).ok());
        column!(ByteArrayType, |row: &ExportAnswer| Some(text(row.verdict)));
        column!(ByteArrayType, |row: &ExportAnswer| row.proof.map(text));
        column!(BoolType, |row: &ExportAnswer| row.weaker_rules);
        column!(ByteArrayType, |row: &ExportAnswer| row.limit.map(text));
        column!(Int64Type, |row: &ExportAnswer| row.moves.map(i64::from));
        column!(Int64Type, |row: &ExportAnswer| Some(row.states as i64));
        column!(Int64Type, |row: &ExportAnswer| Some(
            row.oracle_states as i64
        ));
        column!(ByteArrayType, |row: &ExportAnswer| row
            .certificate
            .map(text));
        if times {
            column!(Int64Type, |row: &ExportAnswer| row
                .microseconds
                .map(|us| us as i64));
        }
        group.close().map_err(error)?;
    }
    file.close().map_err(error)?;
    Ok(())
}

/// Why a table cannot be written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// It cannot be written.
    #[error(transparent)]
    Io(io::Error),
    /// The seeds do not fit into 64 bits with a sign.
    #[error("the seeds are too large for a column of Parquet: use csv or jsonl")]
    Seeds,
    /// This program was built without Parquet.
    #[error(
        "this program was built without Parquet: use csv or jsonl, or build it with \
         `cargo build --release --features parquet`"
    )]
    NotBuilt,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{Hit, Proof, Record};

    #[test]
    fn rows_say_what_applies_and_nothing_else() {
        let row = |outcome, audit, times| {
            let deal = Timed {
                record: Record {
                    offset: 4,
                    outcome,
                    states: 10,
                    oracle_states: 20,
                    audit,
                },
                microseconds: 7,
            };
            let row = super::row(&deal, &Seed::from(-3_i64), times);
            let mut out = Vec::new();
            csv_table(std::iter::once(row), times, &mut out).unwrap();
            let text = String::from_utf8(out).unwrap();
            text.lines().nth(1).unwrap().to_owned()
        };
        let won = row(ShortVerdict::Winnable(99), Audit::Held, false);
        assert_eq!(won, "1,winnable,,,,99,10,20,held");
        let lost = ShortVerdict::UnwinnableWeaker(Proof::Refuted);
        assert_eq!(
            row(lost, Audit::NotAsked, true),
            "1,unwinnable,refuted,true,,,10,20,,7"
        );
        assert_eq!(
            row(ShortVerdict::Undecided(Hit::Memory), Audit::NotAsked, false),
            "1,undecided,,,memory,,10,20,"
        );
    }
    #[cfg(feature = "parquet")]
    #[test]
    fn parquet_holds_the_rows_of_the_lines() {
        use parquet::file::reader::{FileReader, SerializedFileReader};
        use std::path::Path;

        let store = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/store");
        let contents = Contents::read(&store, false).unwrap();
        let mut file = Vec::new();
        export(&contents, Form::Parquet, true, &mut file).unwrap();
        let reader = SerializedFileReader::new(bytes::Bytes::from(file)).unwrap();
        let mut lines = Vec::new();
        export(&contents, Form::JsonLines, true, &mut lines).unwrap();
        let lines = String::from_utf8(lines).unwrap();
        let mut count = 0;
        for (row, line) in reader.get_row_iter(None).unwrap().zip(lines.lines()) {
            let mut expected: serde_json::Value = serde_json::from_str(line).unwrap();
            let seed: i64 = expected["seed"].as_str().unwrap().parse().unwrap();
            expected["seed"] = seed.into();
            for (name, field) in row.unwrap().get_column_iter() {
                assert_eq!(field.to_string(), expected[name].to_string(), "{name}");
            }
            count += 1;
        }
        assert_eq!(count, 40);
    }
}
