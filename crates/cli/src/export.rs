//! `klondike export`: the records of a run as a table.

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::PathBuf;

use crate::output::Output;
use crate::whole_file::WholeFile;
use crate::{CliError, Status};
use klondike_contract::Envelope;
use klondike_lab::contents::Contents;
use klondike_lab::export::{ExportError, Form, export, rows};

/// Write the records of a run as CSV, lines of JSON or Parquet
///
/// One row per deal, in the order of the seeds (see docs/winnability.md). Example:
/// `klondike export runs/draw3 --format csv -o draw3.csv`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Directory of the run
    #[arg(value_name = "DIR")]
    dir: PathBuf,

    /// Form of the table: csv, jsonl or parquet [default: csv]
    #[arg(long, value_name = "FORM")]
    format: Option<Form>,

    /// Leave out records that are damaged, in place of an error
    #[arg(long)]
    allow_damaged: bool,

    /// Also write the microseconds that each deal took
    #[arg(long)]
    times: bool,

    /// File to write, in place of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Args {
    pub(super) fn run(&self, output: &mut Output) -> Result<Status, CliError> {
        if output.json() {
            return self.answers(output);
        }
        let contents = Contents::read(&self.dir, self.allow_damaged)?;
        output.lacks_records(&self.dir, contents.missing())?;
        let form = self.format.unwrap_or(Form::Csv);
        let Some(path) = &self.output else {
            let stdout = BufWriter::new(io::stdout());
            return match export(&contents, form, self.times, stdout) {
                Ok(()) => Ok(Status::Answered),
                Err(ExportError::Io(error)) => Err(CliError::Output(error)),
                Err(error) => Err(CliError::usage(error)),
            };
        };
        let failed = |error: &dyn std::fmt::Display| {
            CliError::Data(format!("cannot write {}: {error}", path.display()))
        };
        let table = WholeFile::new(path).map_err(|error| failed(&error))?;
        let file = File::create(table.part()).map_err(|error| failed(&error))?;
        match export(&contents, form, self.times, BufWriter::new(file)) {
            Ok(()) => table.finish().map_err(|error| failed(&error))?,
            Err(ExportError::Io(error)) => return Err(failed(&error)),
            Err(error) => return Err(CliError::usage(error)),
        }
        output.wrote(path)?;
        Ok(Status::Answered)
    }

    /// Prints a line of the contract for each record.
    fn answers(&self, output: &mut Output) -> Result<Status, CliError> {
        if self.format.is_some() || self.output.is_some() {
            return Err(CliError::usage(
                "--json prints answers to standard output: leave --format and --output out, or \
                take --format jsonl for a file of plain rows",
            ));
        }
        let contents = Contents::read(&self.dir, self.allow_damaged)?;
        output.lacks_records(&self.dir, contents.missing())?;
        let manifest = &contents.manifest;
        for row in rows(&contents, self.times) {
            let deal = format!("{}:{}", manifest.scheme, row.seed);
            let rules = manifest.rules.clone();
            output.envelope(&Envelope::of_saved_rules(rules, row).about_deal(deal))?;
        }
        Ok(Status::Answered)
    }
}
