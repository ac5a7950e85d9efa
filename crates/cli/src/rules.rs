//! `klondike rules`: the named rule sets, and what the options make of them.

use crate::output::Output;
use crate::rules_args::RulesArgs;
use crate::{CliError, Status};
use klondike_contract::{Envelope, RulesAnswer};
use klondike_game::rules::Rules;

/// List the named rule sets, or with --show the rules that the options make
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Show all parameters of the rules that the other options make
    #[arg(long)]
    show: bool,

    #[command(flatten)]
    rules: RulesArgs,
}

impl Args {
    pub(super) fn run(&self, output: &mut Output) -> Result<Status, CliError> {
        let chosen = self.rules.rules()?;
        if self.show {
            return print(None, &chosen, output);
        }
        for named in Rules::NAMES {
            let rules = Rules::named(named.0).map_err(CliError::usage)?;
            print(Some(named), &rules, output)?;
        }
        Ok(Status::Answered)
    }
}

fn print(
    named: Option<(&str, &str)>,
    rules: &Rules,
    output: &mut Output,
) -> Result<Status, CliError> {
    if output.json() {
        let answer = RulesAnswer {
            name: named.map(|(name, _)| name.to_owned()),
            about: named.map(|(_, about)| about.to_owned()),
        };
        output.envelope(&Envelope::of_rules(rules, answer))?;
    } else {
        output.text(&match named {
            Some((name, about)) => format!("{name:<12} {about}\n"),
            None => format!("{rules}\n"),
        })?;
    }
    Ok(Status::Answered)
}
