//! `klondike patience`: general patience games by hand and by tree search.

mod args;
pub(crate) mod games;
mod hand;
pub(crate) mod published;
pub(crate) mod runs;
mod sweep;

use std::path::Path;
use std::sync::Arc;

use crate::output::Output;
use crate::{About, CliError, Status};
use klondike_patience::{Patience, notation};

/// Play general patience games, described in JSON files, by hand and by tree search
///
/// GAME is a shipped game (`klondike patience list`) or a file in the notation of Brewis (2017),
/// which docs/patience.md documents. Deals are numbered: the deal N is klondike:N for the game's
/// deck. Examples: `klondike patience play sir-tommy`, `klondike patience mcts klondike --games
/// 50`, `klondike patience sweep shifting --games 50 --vary searches=10..50..20 --vary
/// depth=20,100`. Ctrl-C ends when the games in progress have ended and shows what was played, a
/// second one ends at once.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    what: Subcommand,
}

#[derive(Debug, clap::Subcommand)]
enum Subcommand {
    /// List the shipped games
    List,
    /// Show the rules of a game, or with --json its description, and optionally a deal
    Show(games::ShowArgs),
    /// Print the JSON schema of game files
    Schema,
    /// Play by hand: type the number of a move, `u` to undo, `h` for a hint, `q` to leave
    Play(hand::PlayArgs),
    /// Let the tree search play many deals, and count
    Mcts(runs::MctsArgs),
    /// The same for every combination of several values of its parameters, on the same deals
    Sweep(sweep::SweepArgs),
    /// Set the thesis' figures beside ours
    Published(published::PublishedArgs),
}

impl Args {
    pub(super) fn run(&self, output: &mut Output) -> Result<Status, CliError> {
        match &self.what {
            Subcommand::List => games::list(output)?,
            Subcommand::Schema => games::schema(output)?,
            Subcommand::Show(args) => args.run(output)?,
            Subcommand::Play(args) => args.run(output)?,
            Subcommand::Mcts(args) => return args.run(output),
            Subcommand::Sweep(args) => return args.run(output),
            Subcommand::Published(args) => return args.run(output),
        }
        Ok(Status::Answered)
    }
}

/// The shipped game of this name, or the one in this file.
fn game(name: &str) -> Result<Arc<Patience>, CliError> {
    if let Some(game) = klondike_patience::shipped(name) {
        return Ok(game);
    }
    let shown: String = name.chars().take(80).collect();
    if !Path::new(name).exists() {
        let names = klondike_patience::SHIPPED
            .map(|(name, _, _)| name)
            .join(", ");
        return Err(CliError::usage(format!(
            "`{shown}`: no such file, and not a shipped game: use one of {names}"
        )));
    }
    let text = std::fs::read_to_string(name)
        .map_err(|error| CliError::Data(format!("cannot read {shown}: {error}")))?;
    let game = notation::read(name, &text).about(&shown)?;
    Ok(Arc::new(game))
}
