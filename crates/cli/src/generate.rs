//! `klondike generate`: deals that are proved winnable, or unwinnable, on demand.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::limit_args::{LimitArgs, stop_on_interrupt};
use crate::lines::counted;
use crate::numbers::grouped;
use crate::output::Output;
use crate::progress::Progress;
use crate::rules_args::RulesArgs;
use crate::shell::command_line;
use crate::values::{read_count, whole};
use crate::{About, CliError, Status, arguments};
use clap::parser::ValueSource;
use klondike_contract::{Envelope, Fewest, GenerateAnswer, VerdictName};
use klondike_engine::search::Limits;
use klondike_engine::search::shortest::Count;
use klondike_game::deal::format::Format;
use klondike_game::deal::seed::{DealId, DealRange};
use klondike_play::grade::Grade;
use klondike_play::grade::generate::{
    Found, GenerateSettings, Generated, MAX_STATES, Range, Wanted, generate,
};

/// Print deals that are proved winnable, or unwinnable
///
/// Deals are taken in the order of their numbers and printed as SCHEME:N or in a format. The same
/// command prints the same deals on every machine, unless --time-limit or --memory is hit. A deal
/// that is undecided within the limits (a million states, if nothing else is said) is passed over.
///
/// Examples: `klondike generate 100`, `klondike generate --draw 1 --from pysol:32000 20`,
/// `klondike generate --unwinnable --to solvitaire 5`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// How many deals
    #[arg(
        value_name = "COUNT",
        default_value_t = 10,
        value_parser = whole::<u64>(1..),
    )]
    count: u64,

    /// The deal to begin with (`klondike deal --list-schemes`); the next numbers follow
    #[arg(long, value_name = "SCHEME:N", default_value = "klondike:1")]
    from: DealId,

    /// Most deals to try; without it the search goes on until the scheme has no more
    ///
    /// Some rules and limits leave no deal, or hardly any, to be found.
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..))]
    most: Option<u64>,

    /// Deals that cannot be won
    #[arg(long)]
    unwinnable: bool,

    /// Deals that can be won, but only with cards moved back from the foundations
    #[arg(long, conflicts_with_all = ["unwinnable", "no_worrying_back"])]
    needs_worrying_back: bool,

    /// Deals of these grades, 1 (easy) to 10: A..B with both ends, A.., ..B or a number
    ///
    /// `klondike grade` says what grades are.
    #[arg(long, value_name = "A..B", conflicts_with = "unwinnable")]
    grade: Option<Range<Grade>>,

    /// Deals whose shortest solution has so many moves: A..B with both ends, A.., ..B or a number
    ///
    /// `COUNT:A..B` says what counts, as `--shortest=COUNT` of `klondike solve` does, such as
    /// `flips:100..110`; without it card moves and draws do. A deal counts only if its length is
    /// proved within the limits, which takes seconds for a deal.
    #[arg(
        long,
        value_name = "COUNT:A..B",
        value_parser = read_lengths,
        conflicts_with = "unwinnable",
    )]
    shortest: Option<(Count, Range<u16>)>,

    /// Write the deals in this format instead of by number (`klondike deal --list-formats`)
    #[arg(long, value_name = "FORMAT")]
    to: Option<Format>,

    /// With --to: print the number of each deal as a comment before it
    #[arg(long, requires = "to")]
    labels: bool,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    rules: RulesArgs,
}

fn read_lengths(text: &str) -> Result<(Count, Range<u16>), String> {
    match text.split_once(':') {
        Some((count, range)) => Ok((read_count(count)?, range.parse()?)),
        None => Ok((Count::default(), text.parse()?)),
    }
}

impl Args {
    pub(super) fn run(&self, output: &mut Output) -> Result<Status, CliError> {
        let wanted = self.wanted()?;
        let stop = stop_on_interrupt()?;
        let (scheme, first) = (self.from.scheme(), self.from.seed().clone());
        let deals = DealRange::new(scheme, first, scheme.range().1).map_err(CliError::usage)?;
        let most = self.most.and_then(|most| usize::try_from(most).ok());
        let deals = deals.take(most.unwrap_or(usize::MAX));
        let progress = Progress::new(Some(self.count), 0);
        let tried = AtomicU64::new(0);
        let limits = || {
            let number = tried.fetch_add(1, Ordering::Relaxed) + 1;
            progress.say(format!("({} tried)", grouped(number)));
            self.limits_of_one(&stop)
        };
        let search = GenerateSettings {
            threads: self.limits.threads(),
            limits: &limits,
            stop: &stop,
        };
        let mut first = true;
        let done = generate(&wanted, deals, self.count, &search, |found| {
            progress.aside(|| self.show(found, &wanted, first, output))?;
            output.flush()?;
            first = false;
            progress.add(1);
            Ok::<(), CliError>(())
        })?;
        drop(progress);
        self.end(done, output)
    }

    fn wanted(&self) -> Result<Wanted, CliError> {
        let rules = self.rules.rules()?;
        if self.limits.is_nothing() {
            return Err(CliError::usage("with a limit of 0 no deal is ever found"));
        }
        let not_under = if self.needs_worrying_back {
            if !rules.worrying_back() {
                return Err(CliError::usage(
                    "--needs-worrying-back: these rules let no card come back; add --worrying-back",
                ));
            }
            let without = rules.to_builder().worrying_back(false).build();
            Some(Arc::new(without.map_err(CliError::usage)?))
        } else {
            None
        };
        Ok(Wanted {
            rules,
            unwinnable: self.unwinnable,
            not_under,
            grades: self.grade,
            lengths: self.shortest,
        })
    }

    /// Says why there are no more deals than these, and where to go on.
    fn end(&self, done: Generated, output: &mut Output) -> Result<Status, CliError> {
        output.flush()?;
        if done.undecided > 0 {
            eprintln!(
                "klondike: passed over as undecided within the limits: {}",
                counted(done.undecided, "deal")
            );
        }
        // A search that has tried all that it may is at its end, also where Ctrl-C came last.
        if done.interrupted && self.most != Some(done.tried) {
            eprintln!(
                "klondike: interrupted after {} of {} deals; to go on: {}",
                done.found,
                self.count,
                self.rest(&done, self.most.map(|most| most - done.tried))
            );
            return Ok(Status::Interrupted);
        }
        if done.found < self.count {
            let found = format!("found {} of {}", done.found, self.count);
            return Err(CliError::Data(match self.most {
                Some(most) if done.tried == most => format!(
                    "tried {}, as many as --most allows; {found}; for the next: {}",
                    counted(most, "deal"),
                    self.rest(&done, self.most)
                ),
                _ => format!(
                    "the scheme {} has no more deals; {found}",
                    self.from.scheme().name()
                ),
            }));
        }
        Ok(Status::Answered)
    }

    /// The command that goes on with the deals that are left and tries at most so many.
    fn rest(&self, done: &Generated, most: Option<u64>) -> String {
        let (scheme, seed) = (self.from.scheme(), self.from.seed());
        let next = DealId::new(scheme, seed.plus(done.tried)).unwrap_or(self.from.clone());
        let words = std::env::args_os().skip(1);
        let words = words.map(|word| word.to_string_lossy().into_owned());
        let left = self.count - done.found;
        from_there(words.collect(), self.count, &next, left, most)
    }

    /// The limits of one deal, which one thread decides, so that it does the same every time.
    fn limits_of_one(&self, stop: &Arc<AtomicBool>) -> Limits {
        let threads = self.limits.threads();
        let mut limits = self.limits.start(threads, stop, &Arc::default());
        limits.helpers = None;
        limits.max_states.get_or_insert(MAX_STATES);
        limits
    }

    /// The length of the shortest solution, where that was asked for.
    fn fewest(&self, found: &Found) -> Option<Fewest> {
        let (counting, length) = (self.shortest.as_ref()?.0, u32::from(found.shortest?));
        Some(Fewest {
            counting: counting.name(),
            length,
            at_least: length,
            proved: true,
            states: None,
        })
    }

    fn show(
        &self,
        found: &Found,
        wanted: &Wanted,
        first: bool,
        output: &mut Output,
    ) -> Result<(), CliError> {
        let label = found.id.to_string();
        let text = self.to.map(|format| format.write(&found.deal)).transpose();
        let text = text.about(&label)?;
        if output.json() {
            let answer = GenerateAnswer {
                verdict: if wanted.unwinnable {
                    VerdictName::Unwinnable
                } else {
                    VerdictName::Winnable
                },
                needs_worrying_back: wanted.not_under.as_ref().map(|_| true),
                grade: found.grade.map(Grade::get),
                fewest: self.fewest(found),
                format: self.to.map(Format::name),
                text: text.map(|text| text.trim_end().to_owned()),
            };
            output.envelope(&Envelope::of_deal(label, &wanted.rules, answer))?;
            return Ok(());
        }
        let text = text.unwrap_or_else(|| format!("{label}\n"));
        // A blank line between blocks, so that they can be read again one by one.
        let blocks = text.trim_end().contains('\n');
        let gap = if blocks && !first { "\n" } else { "" };
        let end = if text.ends_with('\n') { "" } else { "\n" };
        let comment = match self.labels {
            true => format!("# {label}\n"),
            false => String::new(),
        };
        output.text(&format!("{gap}{comment}{text}{end}"))?;
        Ok(())
    }
}

/// The command that goes on where one of these arguments, for `count` deals, ended: it begins with
/// the deal `next`, asks for `left` deals, and tries at most `most`.
fn from_there(
    mut words: Vec<String>,
    count: u64,
    next: &DealId,
    left: u64,
    most: Option<u64>,
) -> String {
    for option in ["--from", "--most"] {
        if let Some(at) = words.iter().position(|word| word == option) {
            words.drain(at..(at + 2).min(words.len()));
        }
        let with_value = format!("{option}=");
        words.retain(|word| !word.starts_with(&with_value));
    }
    // The word without which the command is a command still, but one without a count.
    let has_count = |words: &[String]| {
        let line = std::iter::once("klondike").chain(words.iter().map(String::as_str));
        let found = arguments().try_get_matches_from(line).ok()?;
        let (_, found) = found.subcommand()?;
        Some(found.value_source("count") == Some(ValueSource::CommandLine))
    };
    if has_count(&words) == Some(true) {
        let without = |at: usize| [&words[..at], &words[at + 1..]].concat();
        let is_count = |at: &usize| words[*at].parse() == Ok(count);
        let mut fewer = (0..words.len()).filter(is_count).map(without);
        let fewer = fewer.find(|words| has_count(words) == Some(false));
        words = fewer.unwrap_or(words);
    }
    let command = words.iter().position(|word| word == "generate");
    let at = command.map_or(words.len(), |at| at + 1);
    let most = most.map(|most| format!("--most={most}"));
    let new = ["--from".to_owned(), next.to_string(), left.to_string()];
    words.splice(at..at, new.into_iter().chain(most));
    command_line(words.iter().map(String::as_str))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interrupted_command_goes_on_with_all_its_options() {
        let line = |words: &[&str]| {
            let most = words.contains(&"--most");
            let words = words.iter().map(|&word| word.to_owned()).collect();
            from_there(words, 4, &"pysol:40".parse().unwrap(), 3, most.then_some(9))
        };
        let start = "klondike generate --from pysol:40 3";
        assert_eq!(line(&["generate"]), start);
        assert_eq!(line(&["generate", "--from=pysol:7", "4"]), start);
        assert_eq!(
            line(&["generate", "--threads", "4", "4", "--from", "pysol:7"]),
            format!("{start} --threads 4")
        );
        assert_eq!(
            line(&["generate", "--most", "30", "4"]),
            format!("{start} --most=9")
        );
        assert_eq!(
            line(&[
                "--json",
                "generate",
                "--draw",
                "1",
                "4",
                "--shortest",
                "flips:1..90"
            ]),
            "klondike --json generate --from pysol:40 3 --draw 1 --shortest flips:1..90"
        );
    }
}
