//! The plain form of `klondike play`: words in, pictures out. For pipes, tests, and any terminal.

use std::io::{self, BufRead};

use super::Deals;
use super::sitting::{Hint, Sitting};
use crate::output::Output;
use crate::{About, CliError};
use klondike_game::table::notation::Notation;
use klondike_game::table::picture;

pub(super) const HELP: &str = "\
Moves: d draws (or turns the waste back), 9H:4>5 moves the run from the nine of hearts from pile 4 to 5; W is the
waste, F the foundation, so 7C:W>5 and AS:3>F. 4>5, W>5, 4>F are enough where only one move is meant.
u undoes, r redoes, h gives a hint, a all hints, t says whether the deal can still be won (this looks at the hidden
cards), e ends a game without face-down cards by itself, n begins the next deal, q leaves, ? shows this.
";

/// Most hints shown at once.
const HINTS: usize = 5;

pub(super) fn run(
    sitting: &mut Sitting,
    title: String,
    deals: &mut Deals<'_>,
    output: &mut Output,
) -> Result<(), CliError> {
    let style = output.style().thoughtful(false);
    output.text(&format!("{title}\n{HELP}"))?;
    let mut lines = io::stdin().lock().split(b'\n');
    let mut show = true;
    loop {
        if show {
            output.text(&format!("\n{}", picture::draw(sitting.table(), style)))?;
        }
        if sitting.table().is_won() {
            let count = sitting.moves_made();
            output.text(&format!("You have won in {count} moves.\n"))?;
            return Ok(());
        }
        output.text("> ")?;
        output.flush()?;
        let Some(line) = lines.next() else {
            output.text("\n")?;
            return Ok(());
        };
        let line = line.about("standard input")?;
        // Bytes that are no text are wrong words like others.
        let line = String::from_utf8_lossy(&line);
        let before = sitting.table().clone();
        for word in line.split_whitespace() {
            match command(sitting, word) {
                Reply::Done => {}
                Reply::Leave => return Ok(()),
                Reply::Next => {
                    let (title, table) = deals.next()?;
                    sitting.restart(table);
                    output.text(&format!("{title}\n"))?;
                }
                Reply::Say(text) => output.text(&text)?,
                Reply::Refuse(text) => {
                    // What stands behind a wrong word was not meant for this position.
                    output.text(&text)?;
                    break;
                }
            }
        }
        show = before != *sitting.table();
    }
}

/// What comes of a word.
pub(super) enum Reply {
    Done,
    Leave,
    /// The next deal is wanted.
    Next,
    Say(String),
    Refuse(String),
}

/// Does what a word says.
pub(super) fn command(sitting: &mut Sitting, word: &str) -> Reply {
    match word {
        "d" => match sitting.draw() {
            Ok(()) => Reply::Done,
            Err(reason) => Reply::Refuse(format!("{reason}\n")),
        },
        "u" if sitting.undo() => Reply::Done,
        "u" => Reply::Refuse("There is nothing to undo.\n".to_owned()),
        "r" if sitting.redo() => Reply::Done,
        "r" => Reply::Refuse("There is nothing to redo.\n".to_owned()),
        "e" => match sitting.finish() {
            Ok(()) => Reply::Done,
            Err(reason) => Reply::Refuse(format!("{reason}\n")),
        },
        "n" => Reply::Next,
        "h" => Reply::Say(hints(sitting, 1)),
        "a" => Reply::Say(hints(sitting, HINTS)),
        "t" => Reply::Say(format!("{}\n", sitting.truth())),
        "q" => Reply::Leave,
        "?" => Reply::Say(HELP.to_owned()),
        _ => match move_of(sitting, word) {
            Ok(()) => Reply::Done,
            Err(text) => Reply::Refuse(text),
        },
    }
}

fn hints(sitting: &Sitting, count: usize) -> String {
    match sitting.hints() {
        Err(text) => format!("{text}\n"),
        Ok(hints) => {
            let line = |hint: &Hint| {
                let moves = Notation::Klondike.write(sitting.table(), &hint.moves);
                let moves = moves.unwrap_or_else(|error| error.to_string());
                format!("{moves}{}\n", hint.chance.in_words())
            };
            hints.iter().take(count).map(line).collect()
        }
    }
}

/// Makes the move that a word names, in full or by its ends.
fn move_of(sitting: &mut Sitting, word: &str) -> Result<(), String> {
    let table = sitting.table();
    let moves = if word.contains(':') || !word.contains('>') {
        let shown: String = word.chars().take(20).collect();
        Notation::Klondike.read(table, word).map_err(|_| {
            format!(
                "`{}` is no move here (? shows what is)\n",
                shown.escape_debug()
            )
        })?
    } else {
        let ends = format!(":{}", word.to_ascii_uppercase());
        let mut fitting = table.legal_moves();
        fitting.retain(|&made| {
            let text = Notation::Klondike.write(table, &[made]);
            text.is_ok_and(|text| text.ends_with(&ends))
        });
        if fitting.len() > 1 {
            let texts = fitting
                .iter()
                .map(|&made| Notation::Klondike.write(table, &[made]));
            let texts: Vec<String> = texts.filter_map(Result::ok).collect();
            return Err(format!("Which one: {}?\n", texts.join(" ")));
        }
        if fitting.is_empty() {
            let shown: String = word.chars().take(20).collect();
            return Err(format!(
                "`{}` is no move here (? shows what is)\n",
                shown.escape_debug()
            ));
        }
        fitting
    };
    sitting.make(&moves).map_err(|reason| format!("{reason}\n"))
}
