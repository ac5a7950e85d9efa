//! `klondike check`: checks certificates.

use std::cell::Cell;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use crate::deal_source::DealSource;
use crate::numbers::grouped;
use crate::output::Output;
use crate::progress::Progress;
use crate::rules_args::RulesArgs;
use crate::values::whole;
use crate::{CliError, Status, printable};
use klondike_contract::CheckAnswer;
use klondike_front::{CheckLimits, Table, Verified, check_until};

/// Check certificates
///
/// Prints for each file what it proves, or what is wrong with it and where. The exit status is 0
/// if all are verified and 1 if not.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The certificates
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,

    /// Most moves or positions in a certificate; a position takes up to 44 bytes of memory
    #[arg(
        long,
        value_name = "N",
        default_value_t = CheckLimits::default().max_entries,
        value_parser = whole::<u64>(..),
    )]
    max_entries: u64,

    /// The deal that the certificates must be about, under the rules that the options below give
    ///
    /// SCHEME:N or a deal as text. A certificate of another deal or other rules is rejected.
    #[arg(long, value_name = "DEAL")]
    deal: Option<String>,

    #[command(flatten)]
    rules: RulesArgs,
}

/// Moves or positions that are looked at before progress says so.
const SAY_EVERY: u64 = 10_000;

impl Args {
    pub(super) fn run(&self, output: &mut Output) -> Result<Status, CliError> {
        let limits = CheckLimits::default().entries(self.max_entries);
        let wanted = self.wanted()?;
        let progress = Progress::new(Some(self.files.len() as u64), 0);
        let mut rejected = 0;
        for path in &self.files {
            let name = path.display().to_string();
            let result = check_file(path, &limits, &progress).and_then(|verified| match &wanted {
                Some(wanted) => about(wanted, verified),
                None => Ok(verified),
            });
            rejected += usize::from(result.is_err());
            progress.add(1);
            let written = progress.aside(|| write(output, &name, &result));
            written.map_err(|error| unwritten(&error))?;
        }
        drop(progress);
        output.flush().map_err(|error| unwritten(&error))?;
        match rejected {
            0 => Ok(Status::Answered),
            _ => Err(CliError::Data(format!(
                "{rejected} of {} certificates rejected",
                self.files.len()
            ))),
        }
    }
}

impl Args {
    /// The start that the certificates must be about.
    fn wanted(&self) -> Result<Option<Table>, CliError> {
        let Some(text) = &self.deal else {
            return match self.rules.any() {
                true => Err(CliError::usage(
                    "the rules are those of the deal that the certificates must be about: name it \
                     with --deal",
                )),
                false => Ok(None),
            };
        };
        let rules = self.rules.rules()?;
        let source = DealSource::one(text, None);
        let mut sources = source.open(&rules)?;
        match (sources.next().transpose()?, sources.next()) {
            (Some(only), None) => only.table(&rules).map(Some),
            _ => Err(CliError::usage("--deal: certificates are about one deal")),
        }
    }
}

/// Writes what a certificate proves, or what is wrong with it.
fn write(output: &mut Output, name: &str, result: &Result<Verified, String>) -> io::Result<()> {
    if output.json() {
        return output.envelope(&CheckAnswer::envelope(name, result));
    }
    let name = printable(name);
    match result {
        Ok(verified) => output.text(&verified.report(&name)),
        Err(error) => output.text(&format!("REJECTED {name}: {error}\n")),
    }
}

/// Also when a pipe is closed before the end: status 0 would say that everything is verified.
fn unwritten(error: &io::Error) -> CliError {
    CliError::Data(format!("cannot write the output: {error}"))
}

/// Checks the certificate in a file, and says how far it is.
pub(super) fn check_file(
    path: &Path,
    limits: &CheckLimits,
    progress: &Progress,
) -> Result<Verified, String> {
    let file = File::open(path).map_err(|error| format!("cannot be opened: {error}"))?;
    let name = printable(&path.display().to_string());
    let looked_at = Cell::new(0_u64);
    let watch = || {
        let entries = looked_at.get() + 1;
        looked_at.set(entries);
        if entries.is_multiple_of(SAY_EVERY) {
            progress.say(format!("{name}: {} looked at", grouped(entries)));
        }
        false
    };
    check_until(file, limits, watch).map_err(|error| error.to_string())
}

/// Refuses what is not about the start that is wanted.
fn about(wanted: &Table, verified: Verified) -> Result<Verified, String> {
    let rules = verified.start.rules();
    if rules != wanted.rules() {
        return Err(format!("it is about other rules: {rules}"));
    }
    if verified.start != *wanted {
        return Err("it is about another deal; without --deal it is shown".to_owned());
    }
    Ok(verified)
}
