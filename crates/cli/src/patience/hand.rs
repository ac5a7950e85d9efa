//! `klondike patience play`: a person plays, line by line, at a terminal or through a pipe.

use std::io::{self, BufRead};

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

use super::args::PlayerArgs;
use super::game;
use crate::output::Output;
use crate::values::whole;
use crate::{About, CliError};
use klondike_game::table::picture::Style;
use klondike_patience::mcts::best_move;
use klondike_patience::player::{Settings, Unknown};
use klondike_patience::{PatiencePosition, picture};

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
        let number = self.deal.unwrap_or_else(|| rand::random_range(1..=999_999));
        let mut sitting = Sitting {
            settings: self.hints.settings()?,
            random: ChaCha8Rng::seed_from_u64(self.hints.seed()),
            before: Vec::new(),
            position: PatiencePosition::deal(&game, number),
        };
        output.text(&format!("{}, deal {number}\n{HELP}", game.name()))?;
        let mut lines = io::stdin().lock().lines();
        let mut show = true;
        loop {
            if show {
                output.text(&sitting.board(output.style()))?;
            }
            if sitting.position.is_won() {
                return Ok(());
            }
            output.text("> ")?;
            output.flush()?;
            let Some(line) = lines.next() else {
                return Ok(output.text("\n")?);
            };
            let line = line.about("standard input")?;
            let said = match line.trim() {
                "q" => return Ok(()),
                text => sitting.answer(text)?,
            };
            show = said.is_none();
            output.text(&said.unwrap_or_default())?;
        }
    }
}

/// A game as somebody plays it.
struct Sitting {
    settings: Settings,
    random: ChaCha8Rng,
    /// The positions before this one, for undo.
    before: Vec<PatiencePosition>,
    position: PatiencePosition,
}

impl Sitting {
    /// The position and its moves, and how the game stands if it is at an end.
    fn board(&self, style: Style) -> String {
        let position = &self.position;
        let moves = position.legal_moves();
        let mut text = format!("\n{}\n", picture::draw(position, style));
        for (number, &made) in (1..).zip(&moves) {
            let words = picture::describe(position, made, style);
            text.push_str(&format!("{number:>3}  {words}\n"));
        }
        if position.is_won() {
            text.push_str(&format!("You have won in {} moves.\n", self.before.len()));
        } else if moves.is_empty() {
            text.push_str("There is no move left: u takes the last one back.\n");
        }
        text
    }

    /// Does what a line says, and says something to it unless the position is another one.
    fn answer(&mut self, text: &str) -> Result<Option<String>, CliError> {
        let moves = self.position.legal_moves();
        Ok(match text {
            "" => Some(String::new()),
            "u" => match self.before.pop() {
                Some(before) => {
                    self.position = before;
                    None
                }
                None => Some("There is nothing to undo.\n".to_owned()),
            },
            "h" => Some(self.hint()),
            text => {
                let index = text.parse::<usize>().ok().and_then(|n| n.checked_sub(1));
                match index.and_then(|index| moves.get(index)) {
                    Some(&made) => {
                        let before = self.position.clone();
                        let made = self.position.make(made);
                        made.map_err(|error| CliError::Data(error.to_string()))?;
                        self.before.push(before);
                        None
                    }
                    None => {
                        let shown: String = text.chars().take(20).collect();
                        Some(format!(
                            "no move `{}`; choose 1 to {}. {HELP}",
                            shown.escape_debug(),
                            moves.len()
                        ))
                    }
                }
            }
        })
    }

    fn hint(&mut self) -> String {
        let mut known = self.position.clone();
        if self.settings.unknown == Unknown::Peek {
            known.see_everything();
        }
        let moves = self.position.legal_moves();
        let best = best_move(&known, &self.settings.search, &[], &mut self.random);
        match best.and_then(|made| moves.iter().position(|&other| other == made)) {
            Some(index) => format!("Perhaps {}.\n", index + 1),
            None => "There is no move left.\n".to_owned(),
        }
    }
}
