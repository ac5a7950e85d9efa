//! `klondike patience list` and `show`.

use serde::Serialize;
use serde_json::Value;

use super::game;
use crate::CliError;
use crate::output::Output;
use klondike_papers::patience::{Position, SHIPPED, notation, picture};

#[derive(Debug, clap::Args)]
pub(super) struct ShowArgs {
    /// A shipped game or a file
    #[arg(value_name = "GAME")]
    game: String,

    /// Show this deal as well
    #[arg(long, value_name = "N")]
    deal: Option<u64>,
}

/// A line of `list --json`.
#[derive(Serialize)]
struct ListJson {
    name: &'static str,
    about: &'static str,
}

pub(super) fn list(output: &mut Output) -> Result<(), CliError> {
    for (name, _, about) in SHIPPED {
        if output.json() {
            output.object("patience-game", &ListJson { name, about })?;
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
            // Nothing but the description, so that it can be a file again.
            let description: Value = notation::write(&game);
            output.bare_object(&description)?;
            return Ok(());
        }
        output.text(&picture::rules(&game))?;
        if let Some(number) = self.deal {
            let position = Position::deal(&game, number);
            output.text(&format!("\n{}", picture::draw(&position, output.style())))?;
        }
        Ok(())
    }
}
