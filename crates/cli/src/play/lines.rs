//! The plain form of `klondike play`: words in, pictures out. For pipes, tests, and any terminal.

use std::io::{self, BufRead};

use super::Session;
use super::command::{Command, HELP, Reply};
use super::hints::Hint;
use super::picker::{Picked, Picker, Place};
use super::sitting::Sitting;
use crate::lines::counted;
use crate::output::Output;
use crate::{About, CliError, Status};
use klondike_game::table::notation::Notation;
use klondike_game::table::picture;
use klondike_game::table::{Move, Table};

/// How cards are moved line by line.
const MOVES: &str = "\
d        draw, or turn the waste back
45 w5 7f the move from pile 4 to 5, from the waste to 5, from
         7 to the foundation; 44 and ww: to the foundation
9H:4>5   the run from the nine of hearts from pile 4 to 5; so
         do 7C:W>5, AS:3>F, 4>5, W>5, draw*3, redeal,
         last-pass
";

pub(super) fn run(session: &mut Session<'_>, output: &mut Output) -> Result<Status, CliError> {
    let style = output
        .style()
        .thoughtful(session.sitting.settings.thoughtful);
    output.text(&format!("{}\n{MOVES}{HELP}", session.sitting.label()))?;
    let mut lines = io::stdin().lock().split(b'\n');
    let mut show = true;
    let mut picker = Picker::default();
    loop {
        if let Some(text) = session.keeper.news() {
            output.text(&format!("{text}\n"))?;
        }
        if show {
            let sitting = &session.sitting;
            let board = picture::draw(sitting.table(), style);
            output.text(&format!("\n{}\n{board}", sitting.status()))?;
            if sitting.all_up() && !sitting.table().is_won() {
                output.text("All cards are up: e ends the game by itself.\n")?;
            }
        }
        if session.sitting.table().is_won() {
            let count = session.sitting.moves_made();
            let moves = counted(count as u64, "move");
            output.text(&format!("You have won in {moves}.\n"))?;
            return Ok(Status::Answered);
        }
        output.text("> ")?;
        output.flush()?;
        let Some(line) = lines.next() else {
            output.text("\n")?;
            return Ok(Status::Answered);
        };
        let line = line.about("standard input")?;
        // Bytes that are no text are wrong words like others.
        let line = String::from_utf8_lossy(&line);
        let before = session.sitting.table().clone();
        for word in line.split_whitespace() {
            match obey(session, &mut picker, word) {
                Reply::Leave => {
                    output.text("\n")?;
                    return Ok(Status::Answered);
                }
                Reply::Next => {
                    session.next_deal()?;
                    output.text(&format!("{}\n", session.sitting.label()))?;
                }
                Reply::Say(text) | Reply::NoHelp(text) => output.text(&format!("{text}\n"))?,
                Reply::Hints(hints) => {
                    output.text(&in_notation(session.sitting.table(), &hints))?;
                }
                Reply::Help => output.text(&format!("{MOVES}{HELP}"))?,
                Reply::Refuse(text) => {
                    // What stands behind a wrong word was not meant for this position.
                    output.text(&format!("{text}\n"))?;
                    break;
                }
                Reply::Done | Reply::Save => {}
            }
        }
        show = before != *session.sitting.table();
        // A line may also bring help, or the next deal.
        if let Err(text) = session.keeper.keep(&session.sitting) {
            output.text(&format!("{text}\n"))?;
        }
    }
}

/// Does what a word says.
fn obey(session: &mut Session<'_>, picker: &mut Picker, word: &str) -> Reply {
    let mut letters = word.chars();
    if let (Some(letter), None) = (letters.next(), letters.next())
        && let Some(command) = Command::of(letter)
    {
        picker.clear();
        return session.obey(command);
    }
    if word.eq_ignore_ascii_case("esc") {
        picker.clear();
        return Reply::Done;
    }
    let sitting = &mut session.sitting;
    let places = word
        .chars()
        .map(|letter| Place::of(letter, sitting.table()));
    if let Some(places) = places.collect::<Option<Vec<Place>>>() {
        return by_places(sitting, picker, &places);
    }
    picker.clear();
    moves_of(sitting.table(), word)
        .and_then(|moves| sitting.make(&moves).map_err(|reason| reason.to_string()))
        .into()
}

/// Makes the moves that places name, two each.
fn by_places(sitting: &mut Sitting, picker: &mut Picker, places: &[Place]) -> Reply {
    for &place in places {
        match picker.pick(sitting.table(), place) {
            Picked::Begin => {}
            Picked::Nothing => return Reply::Refuse("There is no such move.".to_owned()),
            Picked::Several => {
                let question = which(sitting.table(), &picker.choices);
                picker.clear();
                return Reply::Refuse(question);
            }
            Picked::Move(made) => {
                if let Err(reason) = sitting.make(&[made]) {
                    return Reply::Refuse(reason.to_string());
                }
            }
        }
    }
    Reply::Done
}

fn which(table: &Table, moves: &[Move]) -> String {
    let texts = moves
        .iter()
        .map(|&made| Notation::Klondike.write(table, &[made]));
    let texts: Vec<String> = texts.filter_map(Result::ok).collect();
    format!("Which one: {}?", texts.join(" "))
}

fn in_notation(table: &Table, hints: &[Hint]) -> String {
    let line = |hint: &Hint| {
        let moves = Notation::Klondike.write(table, &hint.moves);
        let moves = moves.unwrap_or_else(|error| error.to_string());
        format!("{moves}{}\n", hint.chance.in_words())
    };
    hints.iter().map(line).collect()
}

/// The moves that a word names, in full or by their ends.
fn moves_of(table: &Table, word: &str) -> Result<Vec<Move>, String> {
    let shown: String = word.chars().take(20).collect();
    let no_move = format!(
        "`{}` is no move here (? shows what is)",
        shown.escape_debug()
    );
    if word.contains(':') || !word.contains('>') {
        return Notation::Klondike.read(table, word).map_err(|_| no_move);
    }
    let ends = format!(":{}", word.to_ascii_uppercase());
    let mut fitting = table.legal_moves();
    fitting.retain(|&made| {
        let text = Notation::Klondike.write(table, &[made]);
        text.is_ok_and(|text| text.ends_with(&ends))
    });
    match fitting[..] {
        [] => Err(no_move),
        [_] => Ok(fitting),
        _ => Err(which(table, &fitting)),
    }
}
