//! `klondike estimate`: the share of winnable deals, from deciding many of them.

use std::env;
use std::path::PathBuf;
use std::sync::Arc;

use crate::limit_args::{LimitArgs, stop_on_interrupt};
use crate::numbers::{Places, grouped};
use crate::output::Output;
use crate::range_args::RangeArgs;
use crate::rules_args::RulesArgs;
use crate::shell::command_line;
use crate::values::{read_confidence, whole};
use crate::{CliError, Status, progress};
use klondike_contract::runs::{Audits, Manifest, RunLimits, Summary};
use klondike_contract::{Envelope, EstimateAnswer};
use klondike_game::rules::Rules;
use klondike_lab::directory::RunDirectory;
use klondike_lab::manifest;
use klondike_lab::run::{self, FIRST_STATES, Machine, Tally};
use klondike_lab::sessions;
use klondike_lab::summary::{self, CONFIDENCE};
use klondike_lab::task::Task;
use klondike_lab::text;

/// Estimate the share of winnable deals by deciding many
///
/// Every decided deal goes into the directory at once. After Ctrl-C (exit status 130),
/// `kill -9`, a full disk or a loss of power the same command goes on; with more --deals it adds
/// some. Example: `klondike estimate --deals 10000 --draw 3 --dir runs/draw3`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    range: RangeArgs,

    /// Directory of the run, made if there is none
    #[arg(long, value_name = "DIR")]
    dir: PathBuf,

    /// Decide only part I of N equal parts of the deals, such as 1/4; each in its own directory
    #[arg(long, value_name = "I/N", value_parser = read_shard)]
    shard: Option<Shard>,

    /// Confidence of the intervals
    #[arg(long, value_name = "LEVEL", default_value_t = CONFIDENCE, value_parser = read_confidence)]
    confidence: f64,

    /// Make and check certificates of the verdicts of this share of the deals, such as 0.01
    #[arg(long, value_name = "SHARE", default_value = "0", value_parser = read_share)]
    certify: f64,

    /// Most states of the first search of a deal; deals that need more are finished last
    #[arg(long, value_name = "N", default_value_t = FIRST_STATES, value_parser = whole::<u64>(..))]
    first_states: u64,

    /// Let threads that find no deal help with the hard ones that are finished last
    ///
    /// Verdicts are the same, but the states and the solution recorded of such a deal vary from run
    /// to run. Without it records do not depend on the number of threads.
    #[arg(long)]
    share_hard: bool,

    /// Go on with higher limits, and decide what was undecided again
    #[arg(long)]
    raise_limits: bool,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    rules: RulesArgs,
}

/// A part of the deals: `index` of `of`, from 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shard {
    index: u64,
    of: u64,
}

fn read_shard(text: &str) -> Result<Shard, String> {
    let parts = text.split_once('/').and_then(|(index, of)| {
        let shard = Shard {
            index: index.parse().ok()?,
            of: of.parse().ok()?,
        };
        (1..=shard.of).contains(&shard.index).then_some(shard)
    });
    parts.ok_or_else(|| "write a part as I/N, from 1/N to N/N".to_owned())
}

fn read_share(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(share) if (0.0..=1.0).contains(&share) => Ok(share),
        _ => Err("a share is a number from 0 to 1".to_owned()),
    }
}

impl Shard {
    /// The part's first deal and number of deals, of `deals` deals. The parts differ by one deal
    /// at most, and together they are all deals.
    fn part(self, deals: u64) -> (u64, u64) {
        let up_to = |index: u64| {
            let end = u128::from(deals) * u128::from(index) / u128::from(self.of);
            u64::try_from(end).unwrap_or(deals)
        };
        let first = up_to(self.index - 1);
        (first, up_to(self.index) - first)
    }
}

impl Args {
    pub(super) fn run(&self, output: &mut Output) -> Result<Status, CliError> {
        let rules = self.rules.rules()?;
        let (task, asked) = self.plan(&rules)?;
        let stop = stop_on_interrupt()?;
        let (mut directory, contents) = RunDirectory::open(&self.dir, &asked, self.raise_limits)?;
        if contents.damaged > 0 {
            eprintln!(
                "klondike: note: {} bytes of the records are no whole blocks, and their deals are \
                 decided again",
                grouped(contents.damaged)
            );
        }

        let mut bar: Option<progress::Progress> = None;
        let mut tally = Tally::default();
        let machine = Machine {
            threads: self.limits.threads(),
            stop,
            first_step_only: false,
        };
        directory.begin(&sessions::now(command(), machine.threads))?;
        let complete = run::run(&mut directory, &task, contents, &machine, |now| {
            let bar = bar
                .get_or_insert_with(|| progress::Progress::new(Some(task.count()), now.recorded()));
            bar.say(self.message(now));
            bar.reach(now.recorded());
            tally = now;
        })?;
        drop(bar);
        let (contents, summary) = directory.summarize()?;
        let answer = EstimateAnswer {
            dir: Some(self.dir.display().to_string()),
            complete,
            damaged_bytes: contents.damaged,
            estimate: summary::estimate(&summary, self.confidence),
            run: directory.manifest().clone(),
            summary,
        };
        let audits = contents.check_audits();
        let open = answer.summary.open();
        output.answer(Envelope::of_rules(&rules, answer), |answer| {
            summary_text(&answer.summary, self.confidence)
        })?;
        output.flush()?;
        audits?;
        if complete {
            output.wrote(&self.dir)?;
            return Ok(match open {
                0 => Status::Answered,
                _ => Status::Undecided,
            });
        }
        eprintln!(
            "klondike: interrupted with {} of {} deals done; the same command goes on from {}",
            grouped(tally.recorded()),
            grouped(task.count()),
            self.dir.display()
        );
        Ok(Status::Interrupted)
    }

    /// The deals to decide, and what the run is about.
    fn plan(&self, rules: &Arc<Rules>) -> Result<(Task, Manifest), CliError> {
        let (skip, deals) = match self.shard {
            Some(shard) => shard.part(self.range.deals),
            None => (0, self.range.deals),
        };
        if self.shard.is_some_and(|shard| shard.of > self.range.deals) {
            return Err(CliError::usage("there are more parts than deals"));
        }
        // The whole range must be one, whatever the part.
        self.range.all()?;
        let range = self.range.first.range(skip, deals)?;
        let task = Task::new(rules, range.clone())?;
        let saved = manifest::saved_in(&self.dir)?;
        let limits = RunLimits {
            first_states: self.first_states,
            max_states: self.limits.max_states(),
            // The machine's share is looked up once, when the run begins.
            memory_bytes: match (self.limits.memory_was_given(), &saved) {
                (false, Some(saved)) => saved.limits.memory_bytes,
                _ => self.limits.search_memory(),
            },
            seconds: self.limits.seconds(),
            share_hard: self.share_hard,
        };
        let asked = manifest::new_run(rules, &range, limits, self.certify);
        Ok((task, asked))
    }

    fn message(&self, tally: Tally) -> String {
        let open = tally.undecided + tally.set_aside;
        let estimate =
            summary::estimate_of(tally.winnable, tally.unwinnable, open, self.confidence);
        let places = Places::of_share(estimate.wilson);
        format!(
            "({} winnable, {}, {} undecided, {} set aside)",
            places.percent(estimate.share),
            places.percent_range(estimate.wilson),
            grouped(tally.undecided),
            grouped(tally.set_aside)
        )
    }
}

/// This command, as a shell reads it.
fn command() -> String {
    let arguments = env::args_os().skip(1);
    let arguments: Vec<String> = arguments
        .map(|argument| argument.to_string_lossy().into_owned())
        .collect();
    command_line(arguments.iter().map(String::as_str))
}

/// What a summary says, for people.
pub(super) fn summary_text(summary: &Summary, confidence: f64) -> String {
    let estimate = summary::estimate(summary, confidence);
    let places = Places::of_share(estimate.wilson);
    let (proofs, hits) = (summary.proofs, summary.hits);
    let mut text = format!(
        "Rules: {}\n{} deals, {}",
        summary.rules_text,
        grouped(summary.looked_at()),
        summary.scheme
    );
    if let (Some(first), 1) = (summary.ranges.first(), summary.ranges.len()) {
        text.push_str(&format!(" from seed {}", first.first));
    } else {
        text.push_str(&format!(" in {} ranges", summary.ranges.len()));
    }
    text.push_str(&format!(
        ":\n  winnable   {:>12}\n  unwinnable {:>12}   {} blocked, {} refuted, {} searched",
        grouped(summary.verdicts.winnable),
        grouped(summary.verdicts.unwinnable),
        grouped(proofs.blocked),
        grouped(proofs.refuted),
        grouped(proofs.searched)
    ));
    if proofs.weaker_rules > 0 {
        text.push_str(&format!(
            "; {} of them under weaker rules",
            grouped(proofs.weaker_rules)
        ));
    }
    text.push_str(&format!("\n  undecided  {:>12}", grouped(summary.open())));
    if summary.open() > 0 {
        text.push_str(&format!(
            "   limit of states {}, memory {}, time {}; {} set aside and not finished",
            grouped(hits.states),
            grouped(hits.memory),
            grouped(hits.time),
            grouped(summary.set_aside)
        ));
    }
    text.push_str(&format!(
        "\n{} of the decided deals are winnable; {} % intervals, with the undecided both ways:\n  \
         Wilson {}, Clopper-Pearson {}\n",
        places.percent(estimate.share),
        text::level(confidence),
        places.percent_range(estimate.wilson),
        places.percent_range(estimate.clopper_pearson),
    ));
    push_audits(&mut text, &summary.audits);
    text
}

fn push_audits(text: &mut String, audits: &Audits) {
    if *audits != Audits::default() {
        text.push_str(&format!(
            "{} verdicts were checked by certificates and held",
            grouped(audits.held)
        ));
        for (count, words) in [
            (audits.impossible, "have no certificate under these rules"),
            (audits.over_limit, "were over the limits"),
            (audits.refused, "were refused"),
        ] {
            if count > 0 {
                text.push_str(&format!("; {} {words}", grouped(count)));
            }
        }
        text.push_str(".\n");
    }
}
