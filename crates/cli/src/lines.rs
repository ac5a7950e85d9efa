//! Lines of play, written down: as JSON and as text.

use std::fmt::{self, Write as _};
use std::time::Duration;

use serde::Serialize;

use klondike_engine::search::Limit;
use klondike_game::table::notation::{Counts, Notation};
use klondike_game::table::{Move, Table};

/// A line of play in a notation.
#[derive(Serialize)]
pub(super) struct Line {
    notation: &'static str,
    moves: String,
    counts: Counts,
}

impl Line {
    /// Writes down `moves`, which are legal from `table`.
    pub(super) fn new(notation: Notation, table: &Table, moves: &[Move]) -> Result<Line, String> {
        let text = |bad: &dyn fmt::Display| bad.to_string();
        Ok(Line {
            notation: notation.name(),
            moves: notation.write(table, moves).map_err(|bad| text(&bad))?,
            counts: Counts::of(table, moves).map_err(|bad| text(&bad))?,
        })
    }

    /// Adds the line, which `name` names, to a text.
    pub(super) fn push(&self, text: &mut String, name: &str) {
        let Counts {
            card_moves,
            draws,
            redeals,
            ..
        } = self.counts;
        let _ = writeln!(
            text,
            "  replayed {name}: {card_moves} card moves, {draws} draws, {redeals} redeals"
        );
        push_wrapped(text, &self.moves);
    }
}

/// Ends the first line of a text with the limit that was hit.
pub(super) fn push_limit(text: &mut String, limit: Option<Limit>) {
    if let Some(limit) = limit {
        let _ = write!(text, " (limit hit: {limit})");
    }
    text.push('\n');
}

/// A time in milliseconds: `12.3 ms`.
pub(super) fn milliseconds(time: Duration) -> String {
    format!("{:.1} ms", time.as_secs_f64() * 1e3)
}

/// Adds words in lines of at most a hundred columns, indented.
fn push_wrapped(text: &mut String, words: &str) {
    const WIDTH: usize = 100;
    const INDENT: &str = "   ";
    let mut column = INDENT.len();
    text.push_str(INDENT);
    for word in words.split_whitespace() {
        let width = word.chars().count() + 1;
        if column > INDENT.len() && column + width > WIDTH {
            text.push('\n');
            text.push_str(INDENT);
            column = INDENT.len();
        }
        text.push(' ');
        text.push_str(word);
        column += width;
    }
    text.push('\n');
}
