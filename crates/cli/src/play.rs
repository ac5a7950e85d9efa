//! `klondike play`: a person plays, at a terminal with keys or line by line through a pipe.

mod lines;
mod screen;
mod sitting;

use std::io::{self, IsTerminal as _};
use std::sync::Arc;
use std::time::Duration;

use crate::deal_source::{DealSource, Sources};
use crate::output::Output;
use crate::rules_args::RulesArgs;
use crate::values::read_seconds;
use crate::{About, CliError, Status};
use klondike_game::deal::seed::{DealId, Scheme, Seed};
use klondike_game::rules::Rules;
use klondike_game::table::Table;
use sitting::Sitting;

/// Play deals yourself, with undo and hints
///
/// Hints come from the hidden-card player of `klondike advise`: it sees what you see and the order
/// of the talon, which one free pass through it shows. Only the question whether the deal can still
/// be won looks at the hidden cards. Without a deal, and after the last one, deals of the scheme
/// klondike come by chance. Examples: `klondike play`, `klondike play solvitaire:22 --draw 1`,
/// `klondike play deals.txt`, `echo 'd d h' | klondike play klondike:5`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    source: DealSource,

    /// Most seconds to think about a hint
    #[arg(long, value_name = "SECONDS", value_parser = read_seconds, default_value = "1")]
    time_limit: Duration,

    /// Think about hints for this many iterations instead: the same hints every time
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    iterations: Option<u32>,

    /// Play line by line, as through a pipe, instead of on the whole screen
    #[arg(long)]
    plain: bool,

    #[command(flatten)]
    rules: RulesArgs,
}

impl Args {
    pub(super) fn run(&self, output: &mut Output) -> Result<Status, CliError> {
        if output.json() {
            return Err(CliError::usage("play is for people and knows no --json"));
        }
        if self.source.reads_stdin() {
            return Err(CliError::usage(
                "`-`: standard input is for your moves; put the deals into a file",
            ));
        }
        let rules = self.rules.rules()?;
        let mut deals = Deals {
            named: match self.source.is_empty() {
                true => Box::new(std::iter::empty()),
                false => self.source.open(&rules)?,
            },
            rules: &rules,
        };
        let (title, table) = deals.next()?;
        let mut sitting = Sitting::new(table, self.iterations, self.time_limit);
        if self.plain || !io::stdin().is_terminal() || !io::stdout().is_terminal() {
            lines::run(&mut sitting, title, &mut deals, output)?;
        } else {
            output.flush()?;
            screen::run(&mut sitting, title, &mut deals, output.style().color)?;
        }
        Ok(Status::Answered)
    }
}

/// The deals to play: the named ones, and then others by chance.
struct Deals<'a> {
    named: Sources<'a>,
    rules: &'a Arc<Rules>,
}

impl Deals<'_> {
    /// The next deal, with its name.
    fn next(&mut self) -> Result<(String, Table), CliError> {
        if let Some(source) = self.named.next() {
            let source = source?;
            let table = source.table(self.rules)?;
            return Ok((source.label, table));
        }
        let number = Seed::from(rand::random_range(1..=999_999_u64));
        let id = DealId::new(Scheme::Klondike, number).map_err(CliError::usage)?;
        let deal = id.deal(self.rules.deck(), self.rules.layout());
        let deal = deal.map_err(|error| CliError::usage(format!("{id}: {error}")))?;
        let table = Table::new(Arc::clone(self.rules), &deal).about(&id)?;
        Ok((id.to_string(), table))
    }
}
