//! `klondike grade`: how hard deals are, in the order in which they were asked for.

use std::fmt::Write as _;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::deal_source::{DealName, DealSource, Source};
use crate::limit_args::{LimitArgs, stop_on_interrupt};
use crate::output::Output;
use crate::progress::Progress;
use crate::rules_args::RulesArgs;
use crate::{About, CliError, Status};
use klondike_batch::interval::Interval;
use klondike_batch::parallel::Workers;
use klondike_contract::Envelope;
use klondike_game::rules::Rules;
use klondike_lemmas::prune::Lemmas;
use klondike_play::grade::{self, GAMES, Graded, NotGraded, Rating};

/// Say how hard deals are, from 1 (easy) to 10
///
/// A deal that can be won gets a grade: how likely it is that somebody wins it who does not see the
/// face-down cards (docs/difficulty.md). Each grade has about a tenth of the winnable deals of its
/// rules. Deals that cannot be won have no grade. Under the standard rules with --draw 1 and
/// --draw 3 a grade comes with an estimated chance, under others with the share of games that a
/// simple player wins. Rules without a name may take some seconds once, to see where the tenths
/// end. Grades under the named rules never change.
///
/// Examples: `klondike grade klondike:1..20`, `klondike grade --rules vegas3 --quiet deals.txt`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    source: DealSource,

    /// Print the grade alone, or the verdict where there is none
    #[arg(long, short)]
    quiet: bool,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    rules: RulesArgs,
}

/// What is known of the chance of winning.
fn in_words(rating: &Rating) -> String {
    if let Some(chance) = rating.chance {
        let chance = 100.0 * chance;
        return format!("estimated chance with hidden cards: {chance:.0} %");
    }
    let wins = rating.features.wins;
    let Interval { low, high } = Interval::wilson(wins.into(), GAMES.into(), 0.95);
    format!(
        "a simple player wins {:.1} % of {GAMES} games ({:.1} to {:.1})",
        100.0 * f64::from(wins) / f64::from(GAMES),
        100.0 * low,
        100.0 * high
    )
}

impl Args {
    pub(super) fn run(&self, output: &mut Output) -> Result<Status, CliError> {
        let rules = self.rules.rules()?;
        let stop = stop_on_interrupt()?;
        let threads = self.limits.threads();
        let spare = Arc::default();
        let grade = |source: Result<Source, CliError>| {
            let source = source?;
            let table = source.table(&rules)?;
            let mut limits = self.limits.start(threads, &stop, &spare);
            limits.helpers = None;
            match grade::grade(&table, Lemmas::ALL, &limits) {
                Err(error @ NotGraded::TooFewWinnable) => Err(CliError::usage(error)),
                graded => Ok((graded.of_deal(&source)?, source)),
            }
        };
        let progress = Progress::new(self.source.count(), 0);
        let mut status = Status::Answered;
        let mut last = None;
        let take = |answers: Vec<Result<(Graded, Source), CliError>>| -> Result<(), CliError> {
            // The first answer after an interruption may be cut short, and others must not follow.
            if stop.load(Ordering::Relaxed) {
                return Ok(());
            }
            for answer in answers {
                let is_open = |graded: &Graded| graded.limit().is_some();
                progress.answered(matches!(&answer, Ok((graded, _)) if is_open(graded)));
                last = DealName::of(&answer, |(_, source)| source);
                let answer = progress.aside(|| output.unless_bad(answer, &mut status))?;
                if answer.as_ref().is_some_and(|(graded, _)| is_open(graded)) {
                    status = status.max(Status::Undecided);
                }
                progress.aside(|| match answer {
                    Some((graded, source)) => self.show(&source, &graded, &rules, output),
                    // As many lines as deals.
                    None if self.quiet && !output.json() => output.text("error\n"),
                    None => Ok(()),
                })?;
            }
            Ok(output.flush()?)
        };
        let workers = Workers {
            threads,
            block: 1,
            stop: &stop,
        };
        let sources = self.source.open(&rules)?;
        workers.run(sources, || (), |(), source| grade(source), take)?;
        if stop.load(Ordering::Relaxed) {
            output.flush()?;
            eprintln!(
                "klondike: interrupted; {}",
                self.source.go_on_after(last.as_ref())
            );
            return Ok(Status::Interrupted);
        }
        Ok(status)
    }

    fn show(
        &self,
        source: &Source,
        graded: &Graded,
        rules: &Rules,
        output: &mut Output,
    ) -> std::io::Result<()> {
        let label = &source.label;
        if output.json() {
            let answer = klondike_service::grade::answer(rules, graded);
            return output.envelope(&Envelope::of_deal(label, rules, answer));
        }
        let verdict = graded.verdict();
        let mut text = String::new();
        let _ = match graded {
            Graded::Winnable(rating) if self.quiet => writeln!(text, "{}", rating.grade),
            _ if self.quiet => writeln!(text, "{verdict}"),
            Graded::Winnable(rating) => writeln!(
                text,
                "{label}: grade {} of 10, {}",
                rating.grade,
                in_words(rating)
            ),
            Graded::WithoutScale(limit) => writeln!(
                text,
                "{label}: {verdict}, no grade (limit hit while the scale of the rules was made: \
                 {limit})"
            ),
            Graded::Undecided(limit) => {
                writeln!(text, "{label}: {verdict}, no grade (limit hit: {limit})")
            }
            Graded::Unwinnable => writeln!(text, "{label}: {verdict}, no grade"),
        };
        output.text(&text)
    }
}
