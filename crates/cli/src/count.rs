//! `klondike count`: exact numbers of deals, and of orders in which a talon can be taken.

use crate::numbers::{Places, grouped, percent_of, ratio};
use crate::output::Output;
use crate::progress::Progress;
use crate::rules_args::RulesArgs;
use crate::values::{threads, whole};
use crate::{CliError, Status};
use klondike_contract::counts::Counted;
use klondike_contract::{CountAnswer, Envelope};
use klondike_game::rules::{Redeals, Rules};
use klondike_lab::count::locks;
use klondike_lab::count::one_move::{self, Deuce};
use klondike_lab::count::{self, Share};

/// Count kinds of deals exactly
///
/// Definitions and formulae: docs/counting.md. Examples: `klondike count unplayable --draw 1`,
/// `klondike count blocked --deals 1000000`, `klondike count draws 24 3`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// Deals in which drawing is the only legal move, however often one draws
    Unplayable {
        #[command(flatten)]
        rules: RulesArgs,
    },
    /// Deals whose only move is that of an ace to the foundation, and it opens nothing
    OneMove {
        #[command(flatten)]
        rules: RulesArgs,
    },
    /// Deals that a single pile blocks (type I); with --deals also those that are locked (type II)
    Blocked(BlockedArgs),
    /// Orders in which all N cards of a talon can be taken, draw count K
    Draws {
        /// Cards of the talon
        #[arg(value_name = "N", value_parser = whole::<usize>(..))]
        cards: usize,

        /// Cards turned at once
        #[arg(value_name = "K", value_parser = whole::<usize>(..))]
        draw: usize,
    },
}

#[derive(Debug, clap::Args)]
struct BlockedArgs {
    /// Estimate the share of locked deals (type II) from this many random deals
    #[arg(long, value_name = "N", value_parser = whole::<u64>(..))]
    deals: Option<u64>,

    /// Seed of the random deals
    #[arg(
        long,
        value_name = "S",
        default_value_t = 1,
        requires = "deals",
        value_parser = whole::<u64>(..),
    )]
    seed: u64,

    #[command(flatten)]
    rules: RulesArgs,
}

/// Confidence of the intervals of samples.
const CONFIDENCE: f64 = 0.95;

const UNPLAYABLE: &str = "Drawing to the end of the stock never makes a legal move other than \
    draws and redeals. Counted: choices of the face-up cards and of the talon cards that draws \
    turn up; each stands for equally many deals.";
const UNPLAYABLE_REVERSED: &str = "Drawing to the end of the stock, and after a redeal once more, \
    never makes a legal move other than draws and redeals: draws that reverse their groups then \
    turn up other cards. Counted: choices of the face-up cards and of the talon cards that draws \
    turn up; each stands for equally many deals.";
const UNPLAYABLE_LAST_PASS: &str = "Drawing to the end of the stock, and card by card in the last \
    pass, never makes a legal move other than draws and redeals. Counted: choices of the face-up \
    cards and of the talon cards; each stands for equally many deals.";
const ONE_MOVE: &str = "At the start, draws and redeals apart, exactly one move is legal, and it \
    takes an ace to the foundation; after it nothing else is legal.";
const BLOCKED: &str = "In some pile a card lies above all cards it could be put on and above a \
    lower card of its suit (type I).";
const LOCKED: &str = "Cards of several piles hold each other: each lies over covered cards and \
    has all cards it could be put on, and a lower card of its suit, among the covered ones (type \
    II).";
const DRAWS: &str =
    "Orders in which all cards of a talon can be taken one after the other, redeals unlimited.";

impl Args {
    pub(super) fn run(&self, output: &mut Output) -> Result<Status, CliError> {
        match &self.what {
            What::Unplayable { rules } => {
                let rules = rules.rules()?;
                let share = count::unplayable(&rules);
                print("unplayable", unplayable(&rules), &rules, &share, output)?;
            }
            What::OneMove { rules } => count_one_move(&*rules.rules()?, output)?,
            What::Blocked(args) => args.run(output)?,
            What::Draws { cards, draw } => draws(*cards, *draw, output)?,
        }
        Ok(Status::Answered)
    }
}

/// What an unplayable deal is under these rules.
fn unplayable(rules: &Rules) -> &'static str {
    match (rules.reversed_groups(), rules.redeals()) {
        (_, Redeals::LastPassByOnes) => UNPLAYABLE_LAST_PASS,
        // Without a redeal there is no second pass.
        (false, _) | (true, Redeals::Limited(0)) => UNPLAYABLE,
        (true, _) => UNPLAYABLE_REVERSED,
    }
}

fn print(
    what: &'static str,
    definition: &'static str,
    rules: &Rules,
    share: &Share,
    output: &mut Output,
) -> Result<(), CliError> {
    if output.json() {
        output.envelope(&Envelope::of_rules(
            rules,
            CountAnswer {
                what,
                definition,
                counted: Counted::Deals(share.into()),
            },
        ))?;
    } else {
        output.text(&format!(
            "{what} deals: {}\nRules: {rules}\n{definition}\n",
            of_total(share)
        ))?;
    }
    Ok(())
}

/// `1,234 of 56,789 (2.1729560 %)`.
fn of_total(share: &Share) -> String {
    format!(
        "{} of {} ({})",
        grouped(share.count()),
        grouped(share.total()),
        percent_of(share)
    )
}

fn count_one_move(rules: &Rules, output: &mut Output) -> Result<(), CliError> {
    if let Some(words) = one_move::not_counted(rules) {
        let instead = match rules.reversed_groups() {
            true => "--no-reversed-groups",
            false => "--redeals unlimited",
        };
        return Err(CliError::usage(format!(
            "one-move deals are not counted {words}; count them with {instead}"
        )));
    }
    if !output.json() {
        output.text(&format!("one-move deals\nRules: {rules}\n{ONE_MOVE}\n"))?;
    }
    for (deuce, words) in [
        (
            Deuce::MayFollow,
            "the two may follow its ace to the foundation",
        ),
        (Deuce::MustNot, "the two must not be playable either"),
    ] {
        let count::OneMove { tableau, talon } = count::one_move(rules, deuce);
        if output.json() {
            output.envelope(&Envelope::of_rules(
                rules,
                CountAnswer {
                    what: "one-move",
                    definition: ONE_MOVE,
                    counted: Counted::OneMove {
                        deuce,
                        tableau: (&tableau).into(),
                        talon: (&talon).into(),
                    },
                },
            ))?;
        } else {
            output.text(&format!(
                "If {words}:\n  ace on a pile:    {}\n  ace in the talon: {}\n",
                of_total(&tableau),
                of_total(&talon)
            ))?;
        }
    }
    Ok(())
}

impl BlockedArgs {
    fn run(&self, output: &mut Output) -> Result<(), CliError> {
        let rules = self.rules.rules()?;
        // What is wrong with the sample should be said before the exact count takes its time.
        if let Some(deals) = self.deals {
            locks::check_samples(deals).map_err(CliError::usage)?;
        }
        match (count::blocked(&rules), self.deals) {
            (Ok(share), _) => print("blocked", BLOCKED, &rules, &share, output)?,
            (Err(error), Some(_)) => {
                eprintln!("klondike: warning: blocked deals are not counted: {error}");
            }
            (Err(error), None) => {
                return Err(CliError::usage(format!("{error}, or a sample: --deals N")));
            }
        }
        let Some(deals) = self.deals else {
            return Ok(());
        };
        output.flush()?;
        let bar = Progress::new(Some(deals), 0);
        let sample = locks::sample_locked(&rules, deals, self.seed, threads(None), |more| {
            bar.add(more);
            true
        })
        .map_err(CliError::usage)?;
        drop(bar);
        let share = sample.locked as f64 / sample.deals as f64;
        let (wilson, exact) = (
            sample.wilson(CONFIDENCE),
            sample.clopper_pearson(CONFIDENCE),
        );
        if output.json() {
            output.envelope(&Envelope::of_rules(
                &rules,
                CountAnswer {
                    what: "locked",
                    definition: LOCKED,
                    counted: Counted::Sample {
                        seed: sample.seed,
                        deals: sample.deals,
                        blocked: sample.blocked,
                        locked: sample.locked,
                        share,
                        confidence: CONFIDENCE,
                        wilson,
                        clopper_pearson: exact,
                    },
                },
            ))?;
        } else {
            let places = Places::of_share(wilson);
            output.text(&format!(
                "\nlocked deals: {} of {} random ones, seed {} ({})\n  95 % Wilson:          \
                 {}\n  95 % Clopper-Pearson: {}\n  blocked among them:   {} ({})\n{LOCKED}\n",
                grouped(sample.locked),
                grouped(sample.deals),
                sample.seed,
                places.percent(share),
                places.percent_range(wilson),
                places.percent_range(exact),
                grouped(sample.blocked),
                places.percent(ratio(sample.blocked, sample.deals)),
            ))?;
        }
        Ok(())
    }
}

fn draws(cards: usize, draw: usize, output: &mut Output) -> Result<(), CliError> {
    let count = count::draws(cards, draw).map_err(CliError::usage)?;
    if output.json() {
        output.envelope(&Envelope::of_nothing(CountAnswer {
            what: "draws",
            definition: DRAWS,
            counted: Counted::Draws {
                cards,
                draw,
                count: count.to_string(),
            },
        }))?;
    } else {
        output.text(&format!(
            "{cards} cards, draw {draw}: {}\n{DRAWS}\n",
            grouped(&count)
        ))?;
    }
    Ok(())
}
