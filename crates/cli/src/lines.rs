//! Lines of play as text.

use std::fmt::Write as _;
use std::io::{IsTerminal as _, stdout};
use std::time::Duration;

use ratatui::crossterm::terminal;

use klondike_contract::{LimitName, Line};
use klondike_game::table::notation::Counts;

/// Adds a line of play, which `name` names, to a text.
pub(super) fn push_line(text: &mut String, line: &Line, name: &str) {
    let Counts {
        card_moves,
        draws,
        redeals,
        ..
    } = line.counts;
    let _ = writeln!(
        text,
        "  replayed {name}: {card_moves} card moves, {draws} draws, {redeals} redeals"
    );
    push_wrapped(text, &line.text);
}

/// Ends the first line of a text with the limit that was hit.
pub(super) fn push_limit(text: &mut String, limit: Option<LimitName>) {
    if let Some(limit) = limit {
        let _ = write!(text, " (limit hit: {limit})");
    }
    text.push('\n');
}

/// A number with its unit: `1 state`, `2 states`.
pub(super) fn counted(number: u64, unit: &str) -> String {
    format!("{number} {unit}{}", if number == 1 { "" } else { "s" })
}

/// A time in milliseconds: `12.3 ms`.
pub(super) fn milliseconds(microseconds: u64) -> String {
    format!("{:.1} ms", microseconds as f64 / 1e3)
}

/// A time in a unit that suits it.
pub(super) fn short_time(seconds: f64) -> String {
    if seconds >= 1.0 {
        format!("{seconds:.2} s")
    } else if seconds >= 1e-3 {
        format!("{:.2} ms", 1e3 * seconds)
    } else {
        format!("{:.2} µs", 1e6 * seconds)
    }
}

/// A time in whole microseconds.
pub(super) fn whole_microseconds(time: Duration) -> u64 {
    u64::try_from(time.as_micros()).unwrap_or(u64::MAX)
}

/// Columns of lines: a hundred, or those of a narrower terminal.
fn width() -> usize {
    const WIDTH: usize = 100;
    let terminal = stdout().is_terminal().then(terminal::size);
    terminal
        .and_then(Result::ok)
        .map_or(WIDTH, |(columns, _)| WIDTH.min(columns.into()))
}

/// Adds words in indented lines that end between words.
pub(super) fn push_wrapped(text: &mut String, words: &str) {
    const INDENT: &str = "   ";
    let most = self::width();
    let mut column = INDENT.len();
    text.push_str(INDENT);
    for word in words.split_whitespace() {
        let width = word.chars().count() + 1;
        if column > INDENT.len() && column + width > most {
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
