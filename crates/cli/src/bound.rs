//! `klondike bound`: an upper bound on winnability from deals that are refuted without search.

use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::limit_args::stop_on_interrupt;
use crate::numbers::{Places, grouped, or_nothing};
use crate::output::Output;
use crate::range_args::{RangeArgs, ThreadArgs};
use crate::rules_args::RulesArgs;
use crate::values::{read_confidence, read_file_to_write};
use crate::whole_file::check_place;
use crate::{About, CliError, Status, progress};
use klondike_contract::Envelope;
use klondike_contract::runs::Refuted;
use klondike_lab::bound::{self, Counts, Progress, Task};
use klondike_lab::checkpoint;
use klondike_lab::text;

/// Bound the share of winnable deals from above, without search
///
/// Counts the deals that are proven unwinnable as they are dealt. Ctrl-C ends a run in good order,
/// with what was found so far and exit status 130; with --checkpoint the same command, also with
/// more --deals, goes on from there. Example:
/// `klondike bound --deals 100000 --draw 1 --checkpoint bound1.json`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    range: RangeArgs,

    /// Confidence of the intervals
    #[arg(long, value_name = "LEVEL", default_value = "0.99", value_parser = read_confidence)]
    confidence: f64,

    #[command(flatten)]
    threads: ThreadArgs,

    /// File to keep the progress in, and to go on from
    #[arg(long, value_name = "FILE", value_parser = read_file_to_write)]
    checkpoint: Option<PathBuf>,

    #[command(flatten)]
    rules: RulesArgs,
}

/// Time between two writings of the checkpoint.
const SAVE_EVERY: Duration = Duration::from_secs(5);

impl Args {
    pub(super) fn run(&self, output: &mut Output) -> Result<Status, CliError> {
        let rules = self.rules.rules()?;
        let range = self.range.all()?;
        let task = Task::new(&rules, range)?;
        let _lock = self.lock()?;
        let mut progress = self.load(&task)?;
        let stop = stop_on_interrupt()?;
        // Now rather than after hours: is there a place for it?
        self.save(&progress)?;

        let bar = progress::Progress::new(Some(task.deals().count()), progress.counts().deals);
        let mut saved = Instant::now();
        bound::run(
            &task,
            &mut progress,
            self.threads.count(),
            &stop,
            |progress| {
                let all = bound::answer(&task, progress, self.confidence).everything;
                let share = Places::of_share(all.wilson).percent(all.share);
                bar.say(format!("({share} refuted)"));
                bar.reach(progress.counts().deals);
                if saved.elapsed() >= SAVE_EVERY {
                    self.save(progress)?;
                    saved = Instant::now();
                }
                Ok::<(), CliError>(())
            },
        )?;
        drop(bar);
        self.save(&progress)?;
        self.print(&task, &progress, output)?;
        if progress.counts().deals == task.deals().count() {
            if let Some(path) = &self.checkpoint {
                output.wrote(path)?;
            }
            return Ok(Status::Answered);
        }
        let what = format!(" after {} deals", grouped(progress.counts().deals));
        output.interrupted(&what, self.checkpoint.as_deref(), "--checkpoint FILE")
    }

    /// Held as long as the checkpoint is written, by a lock on a file beside it: the checkpoint
    /// itself is replaced each time.
    fn lock(&self) -> Result<Option<File>, CliError> {
        let Some(path) = &self.checkpoint else {
            return Ok(None);
        };
        check_place(path).about(format!("cannot write {}", path.display()))?;
        let mut beside = path.clone().into_os_string();
        beside.push(".lock");
        Ok(Some(checkpoint::lock(Path::new(&beside))?))
    }

    fn load(&self, task: &Task) -> Result<Progress, CliError> {
        let Some(path) = &self.checkpoint else {
            return Ok(task.start());
        };
        let Some(progress) = checkpoint::load(path)? else {
            return Ok(task.start());
        };
        task.accept(&progress)?;
        Ok(progress)
    }

    fn save(&self, progress: &Progress) -> Result<(), CliError> {
        if let Some(path) = &self.checkpoint {
            checkpoint::save(path, progress)?;
        }
        Ok(())
    }

    fn print(&self, task: &Task, progress: &Progress, output: &mut Output) -> Result<(), CliError> {
        let answer = bound::answer(task, progress, self.confidence);
        if !output.json() {
            let rows = [answer.plain, answer.twins, answer.everything];
            output.text(&self.text(task, progress, &rows))?;
            return Ok(());
        }
        output.envelope(&Envelope::of_rules(task.deals().rules(), answer))?;
        Ok(())
    }

    fn text(&self, task: &Task, progress: &Progress, rows: &[Refuted; 3]) -> String {
        let counts: Counts = progress.counts();
        let level = text::level(self.confidence);
        let mut text = format!("Rules: {}\n", task.deals().rules());
        if !task.covering().loosened().is_empty() {
            text.push_str(&format!(
                "Analysed with looser rules ({}): what is lost under them is lost under these.\n",
                task.covering().loosened().join(", ")
            ));
        }
        text.push_str(&format!(
            "{} deals, {} from seed {}; refuted without search:\n",
            grouped(counts.deals),
            self.range.first.scheme,
            self.range.first.from
        ));
        for (name, row) in [
            "plain relaxation",
            "with the order of twins",
            "with everything",
        ]
        .iter()
        .zip(rows)
        {
            let places = Places::of_share(row.wilson);
            text.push_str(&format!(
                "  {name:<24} {:>12}  {:>9}   Wilson {}, Clopper-Pearson {}\n",
                grouped(row.refuted),
                places.percent(row.share),
                places.percent_range(row.wilson),
                places.percent_range(row.clopper_pearson),
            ));
        }
        let places = Places::of_share(rows[2].clopper_pearson);
        text.push_str(&format!(
            "At most {} of all deals are winnable (1 less the lower end of the two-sided {level} % \
             Clopper-Pearson interval).\n{} per deal and thread.\n",
            places.percent_at_most(counts.winnable_at_most(self.confidence)),
            or_nothing(progress.seconds_per_deal(), |seconds| format!(
                "{:.3} ms",
                1000.0 * seconds
            )),
        ));
        text
    }
}
