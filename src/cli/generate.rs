//! `klondike generate`: deals that are proved winnable, or unwinnable, on demand.
//!
//! Deals are decided in the order of their numbers, several at a time, and printed in that order; so
//! the list does not depend on the number of threads.

use std::str::FromStr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;
use serde::Serialize;

use crate::cli::limit_args::{LimitArgs, stop_on_interrupt};
use crate::cli::output::Output;
use crate::cli::progress::Progress;
use crate::cli::rules_args::RulesArgs;
use crate::cli::values::read_count;
use crate::cli::{CliError, Status};
use crate::deal::Deal;
use crate::deal::format::Format;
use crate::deal::seed::{DealId, DealRange};
use crate::grade::{self, Grade};
use crate::prove::best::shortest_up_to;
use crate::prove::{Verdict, decide};
use crate::prune::Lemmas;
use crate::rules::Rules;
use crate::search::parallel::SpareThreads;
use crate::search::shortest::Count;
use crate::search::{Limit, Limits};
use crate::table::Table;

/// Most states for each deal if nothing else is said: enough for nearly all, and the same on every
/// machine, as a limit on time would not be.
const MAX_STATES: u64 = 1_000_000;

/// Most deals that one thread decides before the answers are printed.
const AT_ONCE: u64 = 64;

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
    #[arg(value_name = "COUNT", default_value_t = 10, value_parser = clap::value_parser!(u64).range(1..))]
    count: u64,

    /// The deal to begin with (`klondike deal --list-schemes`); the next numbers follow
    #[arg(long, value_name = "SCHEME:N", default_value = "klondike:1", value_parser = read_id)]
    from: DealId,

    /// Deals that cannot be won
    #[arg(long)]
    unwinnable: bool,

    /// Deals that can be won, but only with cards moved back from the foundations
    #[arg(long, conflicts_with_all = ["unwinnable", "no_worrying_back"])]
    needs_worrying_back: bool,

    /// Deals of these grades, 1 (easy) to 10: A..B with both ends, A.., ..B or a number
    ///
    /// `klondike grade` says what grades are. They are for the standard rules with --draw 1 or --draw 3.
    #[arg(long, value_name = "A..B", value_parser = read_range::<Grade>, conflicts_with = "unwinnable")]
    grade: Option<Range<Grade>>,

    /// Deals whose shortest solution has so many moves: A..B with both ends, A.., ..B or a number
    ///
    /// `COUNT:A..B` says what counts, as `--shortest=COUNT` of `klondike solve` does, such as
    /// `flips:100..110`; without it card moves and draws do. A deal counts only if its length is proved
    /// within the limits, which takes seconds for a deal.
    #[arg(long, value_name = "COUNT:A..B", value_parser = read_lengths, conflicts_with = "unwinnable")]
    shortest: Option<(Count, Range<u16>)>,

    /// Write the deals in this format instead of by number (`klondike deal --list-formats`)
    #[arg(long, value_name = "FORMAT")]
    to: Option<Format>,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    rules: RulesArgs,
}

fn read_id(text: &str) -> Result<DealId, String> {
    text.parse::<DealId>().map_err(|error| error.to_string())
}

/// Numbers from the first to the last, both of them too; without an end on the sides where it has none.
#[derive(Clone, Debug)]
struct Range<T> {
    first: Option<T>,
    last: Option<T>,
}

impl<T: PartialOrd> Range<T> {
    fn contains(&self, number: T) -> bool {
        self.first.as_ref().is_none_or(|first| *first <= number)
            && self.last.as_ref().is_none_or(|last| number <= *last)
    }
}

fn read_range<T>(text: &str) -> Result<Range<T>, String>
where
    T: FromStr<Err: std::fmt::Display> + PartialOrd + Copy,
{
    let end = |text: &str| match text {
        "" => Ok(None),
        text => text
            .parse()
            .map(Some)
            .map_err(|error| format!("`{text}`: {error}")),
    };
    let (first, last) = match text.split_once("..") {
        Some((first, last)) => (end(first)?, end(last)?),
        None => (end(text)?, end(text)?),
    };
    match (first, last) {
        (None, None) => Err("write A..B, A.., ..B or a number".to_owned()),
        (Some(first), Some(last)) if last < first => {
            Err("the first number is above the last".to_owned())
        }
        _ => Ok(Range { first, last }),
    }
}

fn read_lengths(text: &str) -> Result<(Count, Range<u16>), String> {
    match text.split_once(':') {
        Some((count, range)) => Ok((read_count(count)?, read_range(range)?)),
        None => Ok((Count::default(), read_range(text)?)),
    }
}

/// One line of `klondike generate --json`.
#[derive(Serialize)]
struct GeneratedJson<'a> {
    kind: &'static str,
    version: u32,
    label: &'a str,
    rules: &'a Rules,
    verdict: &'static str,
    /// Whether it cannot be won without; only where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    needs_worrying_back: Option<bool>,
    /// What `klondike grade` says; only where grades were asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    grade: Option<u8>,
    /// What is counted, and the length of a shortest solution; only where that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    counting: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shortest: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<&'a str>,
}

/// What is to be proved of a deal.
struct Wanted {
    rules: Arc<Rules>,
    unwinnable: bool,
    /// Rules under which it must not be winnable.
    not_under: Option<Arc<Rules>>,
    grades: Option<Range<Grade>>,
    lengths: Option<(Count, Range<u16>)>,
}

/// A deal that is wanted, and what was asked about it.
struct Found {
    deal: Deal,
    grade: Option<Grade>,
    /// Length of its shortest solutions.
    shortest: Option<u16>,
}

/// Whether a deal is one of those wanted.
enum Answer {
    Yes(Found),
    No,
    Undecided(Limit),
}

impl Wanted {
    fn look_at(&self, id: &DealId, limits: &Limits) -> Result<Answer, CliError> {
        let deal = id
            .deal(self.rules.deck(), self.rules.layout())
            .map_err(|error| CliError::Usage(format!("{id}: {error}")))?;
        // Most deals can be won without worrying back, and these are seen at once.
        if let Some(rules) = &self.not_under {
            match verdict(id, rules, &deal, limits)? {
                Verdict::Winnable(_) => return Ok(Answer::No),
                Verdict::Unwinnable(_) => {}
                Verdict::Undecided(limit) => return Ok(Answer::Undecided(limit)),
            }
        }
        let table = table(id, &self.rules, &deal)?;
        let mut found = Found {
            deal,
            grade: None,
            shortest: None,
        };
        let error = |error: &dyn std::fmt::Display| CliError::Data(format!("{id}: {error}"));
        let decision = decide(&table, Lemmas::ALL, limits).map_err(|bad| error(&bad))?;
        match decision.verdict {
            Verdict::Winnable(_) if self.unwinnable => return Ok(Answer::No),
            Verdict::Winnable(solution) => {
                if let Some(grades) = &self.grades {
                    let rating = grade::rate(&table, &solution).map_err(|bad| error(&bad))?;
                    if !grades.contains(rating.grade) {
                        return Ok(Answer::No);
                    }
                    found.grade = Some(rating.grade);
                }
            }
            Verdict::Unwinnable(_) if self.unwinnable => {}
            Verdict::Unwinnable(_) => return Ok(Answer::No),
            Verdict::Undecided(limit) => return Ok(Answer::Undecided(limit)),
        }
        if let Some((count, lengths)) = &self.lengths {
            let most = lengths.last.unwrap_or(u16::MAX);
            let known = shortest_up_to(&table, *count, most, Lemmas::ALL, limits, &mut |_| {});
            let known = known.map_err(|bad| {
                CliError::Usage(format!("no shortest solutions under these rules: {bad}"))
            })?;
            if known.at_least > most {
                return Ok(Answer::No);
            }
            if let Some(limit) = known.limit
                && !known.is_proved()
            {
                return Ok(Answer::Undecided(limit));
            }
            if !lengths.contains(known.length) {
                return Ok(Answer::No);
            }
            found.shortest = Some(known.length);
        }
        Ok(Answer::Yes(found))
    }
}

fn table(id: &DealId, rules: &Arc<Rules>, deal: &Deal) -> Result<Table, CliError> {
    Table::new(Arc::clone(rules), deal).map_err(|bad| CliError::Data(format!("{id}: {bad}")))
}

fn verdict(
    id: &DealId,
    rules: &Arc<Rules>,
    deal: &Deal,
    limits: &Limits,
) -> Result<Verdict, CliError> {
    let decision = decide(&table(id, rules, deal)?, Lemmas::ALL, limits);
    let decision = decision.map_err(|bad| CliError::Data(format!("{id}: {bad}")))?;
    Ok(decision.verdict)
}

impl Args {
    pub(super) fn run(&self, output: &mut Output) -> Result<Status, CliError> {
        let rules = self.rules.rules()?;
        let not_under = if self.needs_worrying_back {
            let without = rules.to_builder().worrying_back(false).build();
            Some(Arc::new(without.map_err(CliError::usage)?))
        } else {
            None
        };
        let wanted = Wanted {
            rules,
            unwinnable: self.unwinnable,
            not_under,
            grades: self.grade.clone(),
            lengths: self.shortest.clone(),
        };
        if wanted.grades.is_some() {
            grade::covers(&wanted.rules).map_err(CliError::usage)?;
        }
        let stop = stop_on_interrupt()?;
        let (scheme, first) = (self.from.scheme(), self.from.seed().clone());
        let mut deals = DealRange::new(scheme, first, scheme.range().1).map_err(CliError::usage)?;
        let threads = self.limits.threads();
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .map_err(|error| CliError::Data(format!("cannot start the threads: {error}")))?;
        let progress = Progress::new(Some(self.count), 0);
        let (mut found, mut undecided) = (0, 0_u64);
        while found < self.count {
            let most = AT_ONCE * threads as u64;
            let number = (2 * (self.count - found)).clamp(threads as u64, most);
            let ids: Vec<DealId> = deals.by_ref().take(number as usize).collect();
            if ids.is_empty() {
                let scheme = scheme.name();
                return Err(CliError::Data(format!(
                    "the scheme {scheme} has no more deals; found {found} of {}",
                    self.count
                )));
            }
            let look = |id: &DealId| wanted.look_at(id, &self.limits_of_one(&stop));
            let answers: Vec<_> = pool.install(|| ids.par_iter().map(look).collect());
            for (id, answer) in ids.iter().zip(answers) {
                match answer? {
                    Answer::Yes(one) if found < self.count => {
                        progress.aside(|| self.show(id, &one, &wanted, found == 0, output))?;
                        found += 1;
                        progress.add(1);
                    }
                    Answer::Undecided(Limit::Interrupt) => return Ok(Status::Interrupted),
                    Answer::Undecided(_) if found < self.count => undecided += 1,
                    _ => {}
                }
            }
            progress.add(0);
            if stop.load(Ordering::Relaxed) && found < self.count {
                return Ok(Status::Interrupted);
            }
        }
        drop(progress);
        if undecided > 0 {
            eprintln!("klondike: {undecided} deals were undecided within the limits, passed over");
        }
        Ok(Status::Answered)
    }

    /// The limits of one deal, which one thread decides, so that it does the same every time.
    fn limits_of_one(&self, stop: &Arc<AtomicBool>) -> Limits {
        let spare = Arc::new(SpareThreads::default());
        let mut limits = self.limits.start(self.limits.threads(), stop, &spare);
        limits.helpers = None;
        limits.max_states.get_or_insert(MAX_STATES);
        limits
    }

    fn show(
        &self,
        id: &DealId,
        found: &Found,
        wanted: &Wanted,
        first: bool,
        output: &mut Output,
    ) -> Result<(), CliError> {
        let label = id.to_string();
        let text = self.to.map(|format| format.write(&found.deal)).transpose();
        let text = text.map_err(|error| CliError::Data(format!("{label}: {error}")))?;
        if output.json() {
            output.object(&GeneratedJson {
                kind: "generated",
                version: 1,
                label: &label,
                rules: &wanted.rules,
                verdict: if wanted.unwinnable {
                    "unwinnable"
                } else {
                    "winnable"
                },
                needs_worrying_back: wanted.not_under.as_ref().map(|_| true),
                grade: found.grade.map(Grade::get),
                counting: self.shortest.as_ref().map(|(count, _)| count.name()),
                shortest: found.shortest,
                format: self.to.map(Format::name),
                text: text.as_deref().map(str::trim_end),
            })?;
            return Ok(());
        }
        let text = text.unwrap_or_else(|| format!("{label}\n"));
        // A blank line between blocks, so that they can be read again one by one.
        let blocks = text.trim_end().contains('\n');
        let gap = if blocks && !first { "\n" } else { "" };
        let end = if text.ends_with('\n') { "" } else { "\n" };
        output.text(&format!("{gap}{text}{end}"))?;
        Ok(())
    }
}
