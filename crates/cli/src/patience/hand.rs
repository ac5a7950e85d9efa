//! `klondike patience play`: a person plays, line by line, at a terminal or through a pipe.

use std::io::{self, BufRead};

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::args::PlayerArgs;
use super::game;
use crate::output::Output;
use crate::values::whole;
use crate::{About, CliError};
use klondike_patience::mcts::best_move;
use klondike_patience::player::Unknown;
use klondike_patience::{Position, picture};

#[derive(Debug, clap::Args)]
pub(super) struct PlayArgs {
    /// A shipped game or a file
    #[arg(value_name = "GAME")]
    game: String,

    /// Number of the deal; without it, one by chance
    #[arg(long, value_name = "N", value_parser = whole::<u64>(..))]
    deal: Option<u64>,

    #[command(flatten)]
    hints: PlayerArgs,
}

const HELP: &str = "Type the number of a move, u to undo the last one, h for a hint, q to leave.\n";

impl PlayArgs {
    pub(super) fn run(&self, output: &mut Output) -> Result<(), CliError> {
        if output.json() {
            return Err(CliError::usage("play is for people and knows no --json"));
        }
        let game = game(&self.game)?;
        let settings = self.hints.settings()?;
        let number = self.deal.unwrap_or_else(|| rand::random_range(1..=999_999));
        let mut random = ChaCha8Rng::seed_from_u64(self.hints.seed());
        let mut positions = vec![Position::deal(&game, number)];
        output.text(&format!("{}, deal {number}\n{HELP}", game.name()))?;
        let mut lines = io::stdin().lock().lines();
        let mut show = true;
        loop {
            let Some(position) = positions.last().cloned() else {
                return Ok(()); // Not reached: the first position is never undone.
            };
            let moves = position.legal_moves();
            if show {
                let style = output.style();
                output.text(&format!("\n{}\n", picture::draw(&position, style)))?;
                for (i, &made) in moves.iter().enumerate() {
                    let words = picture::describe(&position, made, style);
                    output.text(&format!("{:>3}  {words}\n", i + 1))?;
                }
            }
            if position.is_won() {
                output.text(&format!("You have won in {} moves.\n", positions.len() - 1))?;
                return Ok(());
            }
            if moves.is_empty() && show {
                output.text("There is no move left: u takes the last one back.\n")?;
            }
            output.text("> ")?;
            output.flush()?;
            let line = match lines.next() {
                None => {
                    output.text("\n")?;
                    return Ok(());
                }
                Some(line) => line.about("standard input")?,
            };
            show = true;
            match line.trim() {
                "" => show = false,
                "q" => return Ok(()),
                "u" if positions.len() > 1 => {
                    positions.pop();
                }
                "u" => {
                    show = false;
                    output.text("There is nothing to undo.\n")?;
                }
                "h" => {
                    show = false;
                    let mut known = position.clone();
                    if settings.unknown == Unknown::Peek {
                        known.see_everything();
                    }
                    let hint = best_move(&known, &settings.search, &[], &mut random)
                        .and_then(|made| moves.iter().position(|&other| other == made));
                    output.text(&match hint {
                        Some(index) => format!("Perhaps {}.\n", index + 1),
                        None => "There is no move left.\n".to_owned(),
                    })?;
                }
                text => {
                    let index = text.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
                    match index.and_then(|index| moves.get(index)) {
                        Some(&made) => {
                            let mut next = position;
                            next.make(made)
                                .map_err(|error| CliError::Data(error.to_string()))?;
                            positions.push(next);
                        }
                        None => {
                            show = false;
                            let shown: String = text.chars().take(20).collect();
                            output.text(&format!(
                                "no move `{}`; choose 1 to {}. {HELP}",
                                shown.escape_debug(),
                                moves.len()
                            ))?;
                        }
                    }
                }
            }
        }
    }
}
