//! `klondike play`: a person plays, at a terminal with keys or line by line through a pipe.

mod lines;
mod screen;
mod sitting;

use std::io::{self, IsTerminal as _};
use std::sync::Arc;
use std::time::Duration;

use crate::output::Output;
use crate::rules_args::RulesArgs;
use crate::values::read_seconds;
use crate::{About, CliError, Status};
use klondike_game::deal::seed::{DealId, Scheme, Seed};
use klondike_game::table::Table;
use sitting::Sitting;

/// Play a deal yourself, with undo and hints
///
/// Hints come from the hidden-card player of `klondike advise`: it sees what you see and the order
/// of the talon, which one free pass through it shows. Only the question whether the deal can still
/// be won looks at the hidden cards. Examples: `klondike play`, `klondike play solvitaire:22 --draw
/// 1`, `echo 'd d h' | klondike play klondike:5`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The deal: SCHEME:N; without it, one of the scheme klondike by chance
    #[arg(value_name = "SCHEME:N")]
    deal: Option<DealId>,

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
        let rules = self.rules.rules()?;
        let id = match &self.deal {
            Some(id) => id.clone(),
            None => {
                let number = Seed::from(rand::random_range(1..=999_999_u64));
                DealId::new(Scheme::Klondike, number).map_err(CliError::usage)?
            }
        };
        let deal = id.deal(rules.deck(), rules.layout());
        let deal = deal.map_err(|error| CliError::usage(format!("{id}: {error}")))?;
        let table = Table::new(Arc::clone(&rules), &deal).about(&id)?;
        let mut sitting = Sitting::new(table, self.iterations, self.time_limit);
        if self.plain || !io::stdin().is_terminal() || !io::stdout().is_terminal() {
            lines::run(&mut sitting, &id, output)?;
        } else {
            output.flush()?;
            screen::run(&mut sitting, id.to_string(), output.style().color)
                .about("cannot use the terminal")?;
        }
        Ok(Status::Answered)
    }
}
