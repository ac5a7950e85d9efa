//! `klondike prove`: decides a deal and writes the certificate of the verdict.

use std::fs::{self, File};
use std::io::{BufReader, BufWriter};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::deal_source::DealSource;
use crate::limit_args::{LimitArgs, stop_on_interrupt};
use crate::output::Output;
use crate::progress::Progress;
use crate::rules_args::RulesArgs;
use crate::whole_file::WholeFile;
use crate::{About, CliError, Status};
use klondike_check::{CheckLimits, check};
use klondike_contract::{Envelope, ProveAnswer, VerdictName};
use klondike_engine::prove::certify::{Certified, CertifyError, certify};
use klondike_engine::prune::Lemmas;
use klondike_engine::search::{Limit, Limits};
use klondike_game::table::Table;

/// Decide a deal and write a certificate of the verdict
///
/// Example: `klondike prove solvitaire:1 --draw 1 -o deal.kc`, then `klondike check deal.kc`. The
/// certificate is checked as soon as it is made. Ctrl-C ends it without a file, with exit status
/// 130.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The file to write
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,

    /// Do not check the certificate that was made
    #[arg(long)]
    no_check: bool,

    #[command(flatten)]
    source: DealSource,

    #[command(flatten)]
    rules: RulesArgs,

    #[command(flatten)]
    limits: LimitArgs,
}

impl Args {
    pub(super) fn run(&self, output: &mut Output) -> Result<Status, CliError> {
        let rules = self.rules.rules()?;
        let mut sources = self.source.open(&rules)?;
        let source = sources
            .next()
            .ok_or_else(|| CliError::Data("there is no deal in the input".to_owned()))??;
        if sources.next().is_some() {
            return Err(CliError::usage(
                "more than one deal: a certificate is about one",
            ));
        }
        let table = source.table(&rules)?;
        let failed = |error: &dyn std::fmt::Display| {
            CliError::Data(format!("{}: {error}", self.output.display()))
        };
        let name = self.output.display();
        let file = WholeFile::new(&self.output).map_err(|error| failed(&error))?;
        // No thread is to spare: a certificate is the same every time.
        let limits = self.limits.start(1, &stop_on_interrupt()?, &Arc::default());
        let progress = Progress::new(Some(1), 0);
        progress.say(source.label.clone());
        let made = make(&table, &limits, file.part());
        drop(progress);
        let certified = match made {
            Ok(certified) => certified,
            Err(error) => {
                let (verdict, limit) = match &error {
                    CertifyError::Undecided(limit) => (VerdictName::Undecided, *limit),
                    CertifyError::DoesNotFit(limit) => (VerdictName::Unwinnable, *limit),
                    CertifyError::Io(error) => return Err(failed(error)),
                    other => return Err(other).of_deal(&source),
                };
                if output.json() {
                    let answer = ProveAnswer {
                        verdict,
                        limit: Some(limit.into()),
                        file: None,
                        certificate: None,
                        proof: None,
                        entries: None,
                        bytes: None,
                        checked: false,
                    };
                    output.envelope(&Envelope::of_deal(&source.label, &rules, answer))?;
                } else if let CertifyError::Undecided(_) = error {
                    output.text(&format!("{}: undecided ({limit})\n", source.label))?;
                } else {
                    output.text(&format!("{}: {error}\n", source.label))?;
                }
                return Ok(match limit {
                    Limit::Interrupt => Status::Interrupted,
                    _ => Status::Undecided,
                });
            }
        };
        if !self.no_check {
            check_file(file.part()).map_err(|error| {
                CliError::Data(format!(
                    "internal error, the certificate made proves nothing: {error}"
                ))
            })?;
        }
        let bytes = fs::metadata(file.part())
            .map_err(|error| failed(&error))?
            .len();
        file.finish().map_err(|error| failed(&error))?;
        let (verdict, proof, entries) = match certified {
            Certified::Winnable { moves } => (VerdictName::Winnable, "solution", moves),
            Certified::Blocked => (VerdictName::Unwinnable, "blocked", 0),
            Certified::Refuted => (VerdictName::Unwinnable, "refuted", 0),
            Certified::Closed { draw_one, main } => {
                (VerdictName::Unwinnable, "closed set", draw_one + main)
            }
            Certified::ClosedTable { positions } => {
                (VerdictName::Unwinnable, "closed table set", positions)
            }
        };
        if output.json() {
            let answer = ProveAnswer {
                verdict,
                limit: None,
                file: Some(name.to_string()),
                certificate: None,
                proof: Some(proof),
                entries: Some(entries),
                bytes: Some(bytes),
                checked: !self.no_check,
            };
            output.envelope(&Envelope::of_deal(&source.label, &rules, answer))?;
        } else {
            let how = match certified {
                Certified::Winnable { .. } => format!("a solution of {entries} moves"),
                Certified::Blocked => "blocked from the start".to_owned(),
                Certified::Refuted => "refuted from the start".to_owned(),
                Certified::Closed { .. } => format!("a closed set of {entries} positions"),
                Certified::ClosedTable { .. } => {
                    format!("a closed set of {entries} positions at the table")
                }
            };
            let checked = if self.no_check { "" } else { ", checked" };
            output.text(&format!(
                "{}: {verdict}, {how}; {bytes} bytes in {name}{checked}\n",
                source.label
            ))?;
        }
        output.wrote(&self.output)?;
        Ok(Status::Answered)
    }
}

fn make(table: &Table, limits: &Limits, part: &Path) -> Result<Certified, CertifyError> {
    let file = BufWriter::new(File::create(part)?);
    certify(table, Lemmas::ALL, limits, file)
}

fn check_file(path: &Path) -> Result<(), Box<dyn std::error::Error>> {
    let file = BufReader::new(File::open(path)?);
    check(file, &CheckLimits::default().entries(u64::MAX))?;
    Ok(())
}
