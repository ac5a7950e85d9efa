//! `klondike compare`: the same deals under two sets of rules.

use std::fs;
use std::path::{Path, PathBuf};

use crate::numbers::{estimate, grouped};
use crate::output::Output;
use crate::values::read_confidence;
use crate::whole_file::check_place;
use crate::{About, CliError, Status};
use klondike_contract::runs::Variants;
use klondike_contract::{CompareAnswer, Envelope};
use klondike_lab::checkpoint;
use klondike_lab::contents::Contents;
use klondike_lab::summary::CONFIDENCE;
use klondike_lab::text;
use klondike_lab::variants;

/// Compare runs on the same deals under two sets of rules, one of which allows more
///
/// Of the deals that can be won, how many need what the stricter rules forbid? What one run leaves
/// undecided is settled by the other where that is proven. Files are taken as comparisons of other
/// deals, written with -o before, and joined. Example: `klondike compare runs/draw3 runs/strict3`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Two directories of runs, or comparisons to join
    #[arg(value_name = "DIR", required = true)]
    sources: Vec<PathBuf>,

    /// Leave out records that are damaged, in place of an error
    #[arg(long)]
    allow_damaged: bool,

    /// Also write the comparison to this file
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// Confidence of the interval
    #[arg(long, value_name = "LEVEL", default_value_t = CONFIDENCE, value_parser = read_confidence)]
    confidence: f64,
}

impl Args {
    pub(super) fn run(&self, output: &mut Output) -> Result<Status, CliError> {
        let variants = self.variants()?;
        if let Some(path) = &self.output {
            check_place(path).about(format!("cannot write {}", path.display()))?;
            checkpoint::save(path, &variants)?;
            output.wrote(path)?;
        }
        let rules = variants.free.clone();
        let answer = Envelope::of_saved_rules(rules, variants::answer(variants, self.confidence));
        output.answer(answer, |answer| in_words(answer, self.confidence))?;
        Ok(Status::Answered)
    }

    fn variants(&self) -> Result<Variants, CliError> {
        if let Some(missing) = self.sources.iter().find(|path| !path.exists()) {
            let message = format!("{}: no such file or directory", missing.display());
            return Err(CliError::Data(message));
        }
        let folders = self.sources.iter().filter(|path| path.is_dir()).count();
        match self.sources.as_slice() {
            [one, other] if folders == 2 => {
                let read = |path| Contents::read(path, self.allow_damaged);
                let (one, other) = (read(one)?, read(other)?);
                let compared = variants::compare(&one, &other)?;
                compared.ok_or_else(|| CliError::usage(variants::NOT_COMPARABLE))
            }
            files if folders == 0 => join(files),
            _ => Err(CliError::usage(
                "name two directories of runs, or only comparisons",
            )),
        }
    }
}

fn in_words(answer: &CompareAnswer, confidence: f64) -> String {
    let variants = &answer.comparison;
    let mut text = format!(
        "Allows more: {}\n\
         Stricter:    {}\n\
         {} deals of both:\n  \
           winnable under both         {:>12}\n  \
           only where more is allowed  {:>12}\n  \
           winnable under neither      {:>12}\n  \
           undecided                   {:>12}\n\
         Winnable where more is allowed: {}\n\
         Winnable under the stricter rules: {}\n\
         Difference, deal by deal: {}\n\
         Of the winnable deals, those that need what the stricter rules forbid: {}\n\
         Intervals at {} %: Wilson's, that of the difference Agresti and Min's; undecided deals \
         count both ways.\n",
        variants.free_text,
        variants.strict_text,
        grouped(variants.deals),
        grouped(variants.both),
        grouped(variants.only_free),
        grouped(variants.neither),
        grouped(variants.strict_open + variants.free_open + variants.both_open),
        estimate(answer.free.share, answer.free.wilson),
        estimate(answer.strict.share, answer.strict.wilson),
        text::difference(&answer.difference),
        estimate(answer.share, answer.wilson),
        text::level(confidence),
    );
    if let Some(published) = &answer.published {
        text.push_str(&format!(
            "Published: {} ({})\n",
            estimate(Some(published.share), published.interval),
            published.source
        ));
    }
    text
}

fn join(files: &[PathBuf]) -> Result<Variants, CliError> {
    let error = |path: &Path, error: &dyn std::fmt::Display| {
        CliError::Data(format!("{}: {error}", path.display()))
    };
    let mut joined: Option<Variants> = None;
    for path in files {
        let text = fs::read(path).map_err(|bad| error(path, &bad))?;
        let variants = variants::from_json(&text).map_err(|bad| error(path, &bad))?;
        match &mut joined {
            Some(joined) => variants::join(joined, &variants).map_err(|bad| error(path, &bad))?,
            None => joined = Some(variants),
        }
    }
    joined.ok_or_else(|| CliError::usage("there is nothing to compare"))
}
