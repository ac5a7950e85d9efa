//! `klondike merge`: runs or summaries of parts joined to those of the whole.

use std::fs;
use std::path::{Path, PathBuf};

use crate::estimate::summary_text;
use crate::numbers::grouped;
use crate::output::Output;
use crate::values::read_confidence;
use crate::whole_file::check_place;
use crate::{About, CliError, Status};
use klondike_contract::runs::{SeedRange, Summary};
use klondike_contract::{Envelope, MergeAnswer};
use klondike_lab::checkpoint;
use klondike_lab::contents::Contents;
use klondike_lab::merge::merge;
use klondike_lab::summary::{self, CONFIDENCE, summarize};

/// Join runs of any ranges of deals, or their summaries
///
/// Directories are joined record by record to a new directory; where they overlap they must agree.
/// If the output is named like `all.json`, only a summary is written; then the sources may be
/// directories and summaries, of ranges that do not overlap. Example:
/// `klondike merge runs/part-1 runs/part-2 -o runs/all`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Directories of runs, or summaries of runs
    #[arg(value_name = "DIR", required = true)]
    sources: Vec<PathBuf>,

    /// Directory to make, or the summary to write
    #[arg(short, long, value_name = "DIR")]
    output: PathBuf,

    /// Leave out records that are damaged, in place of an error
    #[arg(long)]
    allow_damaged: bool,

    /// Confidence of the intervals that are printed
    #[arg(long, value_name = "LEVEL", default_value_t = CONFIDENCE, value_parser = read_confidence)]
    confidence: f64,
}

/// How many ranges of missing deals are printed.
const SHOWN: usize = 10;

impl Args {
    pub(super) fn run(&self, output: &mut Output) -> Result<Status, CliError> {
        let files = self.sources.iter().filter(|path| path.is_file()).count();
        let to_summary = self.output.extension().is_some_and(|end| end == "json");
        if to_summary || files == self.sources.len() {
            check_place(&self.output).about(format!("cannot write {}", self.output.display()))?;
            let summary = join_summaries(&self.sources, self.allow_damaged, output)?;
            checkpoint::save(&self.output, &summary::with_estimate(&summary))?;
            self.print(&summary, 0, &gaps(&summary), output)?;
            output.wrote(&self.output)?;
            return Ok(Status::Answered);
        }
        if files > 0 {
            return Err(CliError::usage(
                "directories and summaries cannot be joined with each other but to a summary: name \
                 the output like all.json",
            ));
        }
        let merged = merge(&self.sources, &self.output, self.allow_damaged)?;
        let summary = summarize(&merged.contents);
        self.print(&summary, merged.overlapping, &merged.missing, output)?;
        output.wrote(&self.output)?;
        Ok(Status::Answered)
    }

    fn print(
        &self,
        summary: &Summary,
        overlapping: u64,
        missing: &[SeedRange],
        output: &mut Output,
    ) -> Result<(), CliError> {
        if output.json() {
            output.envelope(&Envelope::of_saved_rules(
                summary.rules.clone(),
                MergeAnswer {
                    output: self.output.display().to_string(),
                    sources: self.sources.len(),
                    overlapping,
                    missing: missing.to_vec(),
                    estimate: summary::estimate(summary, self.confidence),
                    summary: summary.clone(),
                },
            ))?;
            return Ok(());
        }
        let mut text = summary_text(summary, self.confidence);
        if overlapping > 0 {
            text.push_str(&format!(
                "{} deals were in more than one run, with the same records.\n",
                grouped(overlapping)
            ));
        }
        if !missing.is_empty() {
            let deals: u64 = missing.iter().map(|range| range.deals).sum();
            text.push_str(&format!("Missing are {} deals:", grouped(deals)));
            for range in missing.iter().take(SHOWN) {
                let last = range.first.plus(range.deals - 1);
                text.push_str(&format!(" {}..{last}", range.first));
            }
            if missing.len() > SHOWN {
                text.push_str(&format!(" and {} more ranges", missing.len() - SHOWN));
            }
            text.push('\n');
        }
        Ok(output.text(&text)?)
    }
}

fn join_summaries(
    paths: &[PathBuf],
    allow_damaged: bool,
    output: &mut Output,
) -> Result<Summary, CliError> {
    let mut joined: Option<Summary> = None;
    for path in paths {
        let summary = read_summary(path, allow_damaged)?;
        output.lacks_records(path, summary.missing)?;
        let Some(joined) = &mut joined else {
            joined = Some(summary);
            continue;
        };
        summary::join(joined, &summary)
            .map_err(|error| CliError::Data(format!("{}: {error}", path.display())))?;
    }
    joined.ok_or_else(|| CliError::usage("there is nothing to join"))
}

/// The summary of a run directory, or that in a file.
pub(super) fn read_summary(path: &Path, allow_damaged: bool) -> Result<Summary, CliError> {
    if path.is_dir() {
        return Ok(summarize(&Contents::read(path, allow_damaged)?));
    }
    let error =
        |error: &dyn std::fmt::Display| CliError::Data(format!("{}: {error}", path.display()));
    let text = fs::read(path).map_err(|bad| error(&bad))?;
    summary::from_json(&text).map_err(|bad| error(&bad))
}

/// What lies between the ranges of a summary.
fn gaps(summary: &Summary) -> Vec<SeedRange> {
    let pairs = summary.ranges.iter().zip(summary.ranges.iter().skip(1));
    pairs
        .filter_map(|(one, next)| {
            let first = one.first.plus(one.deals);
            let deals = next.first.places_after(&first)?;
            Some(SeedRange { first, deals })
        })
        .collect()
}
