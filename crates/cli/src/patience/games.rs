//! `klondike patience list` and `show`.

use super::game;
use crate::CliError;
use crate::output::Output;
use crate::values::whole;
use klondike_contract::{Envelope, PatienceListAnswer, PatienceSchemaAnswer, PatienceShowAnswer};
use klondike_patience::{PatiencePosition, SCHEMA, SHIPPED, notation, picture};

#[derive(Debug, clap::Args)]
pub(super) struct ShowArgs {
    /// A shipped game or a file
    #[arg(value_name = "GAME")]
    game: String,

    /// Show this deal as well
    #[arg(long, value_name = "N", value_parser = whole::<u64>(..))]
    deal: Option<u64>,
}

pub(super) fn schema(output: &mut Output) -> Result<(), CliError> {
    if !output.json() {
        return Ok(output.text(SCHEMA)?);
    }
    let schema = serde_json::from_str(SCHEMA).expect("a shipped file, tested");
    Ok(output.envelope(&Envelope::of_nothing(PatienceSchemaAnswer { schema }))?)
}

pub(super) fn list(output: &mut Output) -> Result<(), CliError> {
    for (name, _, about) in SHIPPED {
        if output.json() {
            output.envelope(&Envelope::of_nothing(PatienceListAnswer { name, about }))?;
        } else {
            output.text(&format!("{name:<20} {about}\n"))?;
        }
    }
    Ok(())
}

impl ShowArgs {
    pub(super) fn run(&self, output: &mut Output) -> Result<(), CliError> {
        let game = game(&self.game)?;
        if output.json() && self.deal.is_some() {
            return Err(CliError::usage(
                "--deal shows a picture of a deal, and --json nothing but the rules: leave one of \
                them out",
            ));
        }
        if output.json() {
            let description = notation::write(&game);
            output.envelope(&Envelope::of_nothing(PatienceShowAnswer { description }))?;
            return Ok(());
        }
        output.text(&picture::rules(&game))?;
        if let Some(number) = self.deal {
            let position = PatiencePosition::deal(&game, number);
            output.text(&format!("\n{}", picture::draw(&position, output.style())))?;
        }
        Ok(())
    }
}
