//! `klondike report`: a page with the pictures and tables of runs.

use std::fs;
use std::path::{Path, PathBuf};

use crate::merge::read_summary;
use crate::output::Output;
use crate::values::read_confidence;
use crate::whole_file::WholeFile;
use crate::{CliError, Status};
use klondike_contract::{Envelope, ReportAnswer};
use klondike_lab::contents::Contents;
use klondike_lab::plots::report::Plot;
use klondike_lab::report::{Source, page, report_on};
use klondike_lab::summary::CONFIDENCE;

/// Show runs as a page of HTML with pictures, beside published figures
///
/// Several runs are compared with each other, and deal by deal where the rules of one allow all
/// that those of the other do. Runs are only read, and may be going on. Example: `klondike report
/// runs/draw1 runs/draw3 -o report.html`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Directories of runs, or summaries of runs (with fewer pictures)
    #[arg(value_name = "DIR", required = true)]
    sources: Vec<PathBuf>,

    /// Leave out records that are damaged, in place of an error
    #[arg(long)]
    allow_damaged: bool,

    /// The page to write, in place of standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Also write the pictures as SVG files to this directory
    #[arg(long, value_name = "DIR")]
    svg: Option<PathBuf>,

    /// Also write the pictures as PNG files to this directory
    #[arg(long, value_name = "DIR")]
    png: Option<PathBuf>,

    /// Confidence of the intervals
    #[arg(long, value_name = "LEVEL", default_value_t = CONFIDENCE, value_parser = read_confidence)]
    confidence: f64,
}

impl Args {
    pub(super) fn run(&self, output: &mut Output) -> Result<Status, CliError> {
        let mut sources = Vec::with_capacity(self.sources.len());
        for path in &self.sources {
            let source = if path.is_dir() {
                let contents = Contents::read(path, self.allow_damaged)?;
                output.lacks_records(path, contents.missing())?;
                Source::Run(Box::new(contents))
            } else {
                let summary = read_summary(path, self.allow_damaged)?;
                output.lacks_records(path, summary.missing)?;
                Source::Summary(Box::new(summary))
            };
            sources.push((name(path, 1), source));
        }
        // Where that is not enough, with the directory above.
        let names: Vec<String> = sources.iter().map(|source| source.0.clone()).collect();
        for (source, path) in sources.iter_mut().zip(&self.sources) {
            if names.iter().filter(|name| **name == source.0).count() > 1 {
                source.0 = name(path, 2);
            }
        }
        let report = report_on(&sources, self.confidence)?;
        drop(sources);
        self.write_pictures(&report, output)?;
        if let Some(path) = &self.output {
            write(path, page::html(&report)?.as_bytes())?;
            output.wrote(path)?;
        }
        if output.json() {
            output.envelope(&Envelope::of_nothing(report))?;
        } else if self.output.is_none() {
            output.text(&page::html(&report)?)?;
        }
        Ok(Status::Answered)
    }

    fn write_pictures(&self, report: &ReportAnswer, output: &mut Output) -> Result<(), CliError> {
        for folder in [&self.svg, &self.png].into_iter().flatten() {
            fs::create_dir_all(folder).map_err(|error| cannot_write(folder, &error))?;
        }
        for (name, plot) in Plot::named(report) {
            if let Some(folder) = &self.svg {
                write(&folder.join(format!("{name}.svg")), plot.svg()?.as_bytes())?;
            }
            if let Some(folder) = &self.png {
                plot.png(&folder.join(format!("{name}.png")))?;
            }
        }
        for folder in [&self.svg, &self.png].into_iter().flatten() {
            output.wrote(folder)?;
        }
        Ok(())
    }
}

fn cannot_write(path: &Path, error: &std::io::Error) -> CliError {
    CliError::Data(format!("cannot write {}: {error}", path.display()))
}

/// Writes a file that has its name only when it is whole: a full disk leaves the one of before.
fn write(path: &Path, bytes: &[u8]) -> Result<(), CliError> {
    let write = || {
        let file = WholeFile::new(path)?;
        fs::write(file.part(), bytes)?;
        file.finish()
    };
    write().map_err(|error| cannot_write(path, &error))
}

/// The last parts of a path that say something, without the end of a file's name.
fn name(path: &Path, parts: usize) -> String {
    let mut path = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    if path.is_file() {
        path.set_extension("");
    }
    if path.file_name().is_some_and(|last| last == "summary") {
        path.pop();
    }
    let names: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
    let first = names.len().saturating_sub(parts);
    names[first..].join("/")
}
