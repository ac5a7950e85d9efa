//! `klondike rules`: the named rule sets, and what the options make of them.

use serde::Serialize;

use crate::output::Output;
use crate::rules_args::RulesArgs;
use crate::{CliError, Status};
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

/// One line of `klondike rules --json`.
#[derive(Serialize)]
struct RulesJson<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    about: Option<&'a str>,
    rules: &'a Rules,
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
        output.object(
            "rules",
            &RulesJson {
                name: named.map(|(name, _)| name),
                about: named.map(|(_, about)| about),
                rules,
            },
        )?;
    } else {
        output.text(&match named {
            Some((name, about)) => format!("{name:<12} {about}\n"),
            None => format!("{rules}\n"),
        })?;
    }
    Ok(Status::Answered)
}
