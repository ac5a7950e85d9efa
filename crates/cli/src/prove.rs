//! `klondike prove`: decides a deal and writes the certificate of the verdict.

use std::fs::{self, File};
use std::io::BufWriter;
use std::path::PathBuf;
use std::sync::Arc;

use crate::check::check_file;
use crate::deal_source::{DealSource, Source};
use crate::limit_args::{LimitArgs, stop_on_interrupt};
use crate::output::Output;
use crate::progress::Progress;
use crate::rules_args::RulesArgs;
use crate::whole_file::WholeFile;
use crate::{About, CliError, Status};
use klondike_contract::{Envelope, LimitName, ProveAnswer};
use klondike_front::{Certified, CertifyError, CheckLimits, Error, Rules, Table};

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

/// What can be said of a deal: that there is a certificate, or why not.
type Made = Result<Certified, CertifyError>;

impl Args {
    pub(super) fn run(&self, output: &mut Output) -> Result<Status, CliError> {
        let rules = self.rules.rules()?;
        let source = self.one_deal(&rules)?;
        let (made, answer) = self.answer(&source, &source.table(&rules)?)?;
        let status = match answer.limit {
            None => Status::Answered,
            Some(LimitName::Interrupt) => Status::Interrupted,
            Some(_) => Status::Undecided,
        };
        let answer = Envelope::of_deal(&source.label, &rules, answer);
        output.answer(answer, |answer| in_words(&source.label, &made, answer))?;
        if made.is_ok() {
            output.wrote(&self.output)?;
        }
        Ok(status)
    }

    fn one_deal(&self, rules: &Arc<Rules>) -> Result<Source, CliError> {
        let mut sources = self.source.open(rules)?;
        let none = || CliError::Data("there is no deal in the input".to_owned());
        let source = sources.next().ok_or_else(none)??;
        match sources.next() {
            None => Ok(source),
            Some(_) => Err(CliError::usage(
                "more than one deal: a certificate is about one",
            )),
        }
    }

    /// Writes and checks the certificate, unless a limit is hit.
    fn answer(&self, source: &Source, table: &Table) -> Result<(Made, ProveAnswer), CliError> {
        let name = self.output.display().to_string();
        let file = WholeFile::new(&self.output).about(&name)?;
        let solver = self.limits.solver(table.rules(), stop_on_interrupt()?);
        let progress = Progress::new(Some(1), 0);
        progress.say(source.label.clone());
        let part = BufWriter::new(File::create(file.part()).about(&name)?);
        let made = solver.prove(table, part);
        let certified = match made {
            Ok(certified) => certified,
            Err(Error::Certificate(CertifyError::Io(error))) => return Err(error).about(&name),
            Err(Error::Certificate(error @ CertifyError::NotInFormat(_))) => {
                return Err(CliError::usage(error));
            }
            Err(Error::Certificate(error)) => match ProveAnswer::of_error(&error) {
                Some(answer) => return Ok((Err(error), answer)),
                None => return Err(error).of_deal(source),
            },
            Err(error) => return Err(error).of_deal(source),
        };
        if !self.no_check {
            let limits = CheckLimits::default().entries(u64::MAX);
            check_file(file.part(), &limits, &progress)
                .about("internal error, the certificate made proves nothing")?;
        }
        drop(progress);
        let bytes = fs::metadata(file.part()).about(&name)?.len();
        file.finish().about(&name)?;
        let answer = ProveAnswer {
            file: Some(name),
            checked: !self.no_check,
            ..ProveAnswer::made(certified, bytes)
        };
        Ok((Ok(certified), answer))
    }
}

fn in_words(label: &str, made: &Made, answer: &ProveAnswer) -> String {
    let certified = match made {
        Ok(certified) => certified,
        Err(CertifyError::Undecided(limit)) => return format!("{label}: undecided ({limit})\n"),
        Err(error) => return format!("{label}: {error}\n"),
    };
    let how = certified.claim.in_words(certified.entries as u64);
    let bytes = answer.bytes.unwrap_or(0);
    let name = answer.file.as_deref().unwrap_or_default();
    let checked = if answer.checked { ", checked" } else { "" };
    let verdict = answer.verdict;
    format!("{label}: {verdict}, {how}; {bytes} bytes in {name}{checked}\n")
}
