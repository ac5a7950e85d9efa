//! The board that PySol's generators write, and Klondike-Solver and Freecell Solver's tools read.
//!
//! ```text
//! Talon: 3H TD 2D …
//! 8H
//! <3D> 6C
//! …
//! ```
//!
//! The talon has the card drawn first first, the piles stand bottom to top with face-down cards
//! in `<>`. Tens are `T` or `10`; a pile may start with `: `; a line `Foundations: H-0 …` may
//! stand first. A board without any `<>` is taken as a fresh deal if its piles are high enough.

use crate::deal::Deal;
use crate::deal::format::places::{Place, Tally, check_fresh};
use crate::deal::format::{Fault, Format, FormatError};
use crate::rules::{Deck, Layout};

/// Lines of a board that are piles.
pub(super) const PILES: usize = 7;

/// Whether a board starts with this line.
pub(super) fn starts_board(line: &str) -> bool {
    is_head(line) || line.starts_with(':')
}

/// Whether a line is that of the talon or the foundations.
pub(super) fn is_head(line: &str) -> bool {
    let line = line.trim();
    strip_key(line, "talon").is_some()
        || strip_key(line, "foundations").is_some_and(|rest| rest.contains('-'))
}

/// What stands after `key` and a colon.
fn strip_key<'a>(line: &'a str, key: &str) -> Option<&'a str> {
    let (head, rest) = line.split_once(':')?;
    head.trim().eq_ignore_ascii_case(key).then_some(rest)
}

/// Which of the three kinds of board a text is.
pub(super) fn detect(text: &str) -> Format {
    if text.lines().any(|line| line.trim_start().starts_with(':')) {
        Format::FcSolve
    } else if text.contains("10") {
        Format::Pysol10
    } else {
        Format::Pysol
    }
}

pub(super) fn read(text: &str) -> Result<Deal, FormatError> {
    let layout = Layout::triangle(PILES as u8).expect("28 cards");
    let mut tally = Tally::new(Deck::FULL);
    let mut talon = None;
    let mut piles = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let number = i + 1;
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let mid_game = |text: String| FormatError::from(Fault::MidGame(text)).in_line(number);
        if let Some(value) = strip_key(line, "foundations") {
            if let Some(word) = value.split_whitespace().find(|word| !word.ends_with("-0")) {
                return Err(mid_game(format!(
                    "the foundation `{}` is not empty",
                    word.escape_debug()
                )));
            }
        } else if let Some(value) = strip_key(line, "talon") {
            if talon.is_some() {
                let fault = Fault::Syntax("a second line `Talon:`".to_owned());
                return Err(FormatError::from(fault).in_line(number));
            }
            // Games::Solitaire::Verify writes `waste ==> stock <==`.
            let stock = match value.split_once("==>") {
                None => value,
                Some((waste, stock)) if waste.trim().is_empty() => {
                    stock.trim_end().trim_end_matches("<==")
                }
                Some(_) => return Err(mid_game("cards lie on the waste".to_owned())),
            };
            let words = stock.split_whitespace();
            talon = Some(tally.add_words(words, Some(number), Place::Stock)?);
        } else {
            let cards = line.strip_prefix(':').unwrap_or(line);
            if piles.len() == PILES {
                let fault = Fault::Syntax(format!("a line after pile {PILES}"));
                return Err(FormatError::from(fault).in_line(number));
            }
            piles.push(tally.add_pile(cards, number, piles.len() + 1)?);
        }
    }
    let talon = talon.ok_or_else(|| Fault::Syntax("there is no line `Talon: ...`".to_owned()))?;
    tally.finish()?;
    let marked = piles.iter().any(|(_, face_down)| *face_down > 0);
    let shapes = piles.iter().map(|(cards, face_down)| {
        let hidden = if marked {
            *face_down
        } else {
            cards.len().saturating_sub(1)
        };
        (cards.len(), hidden)
    });
    check_fresh(&layout, shapes)?;
    let piles = piles.into_iter().map(|(cards, _)| cards).collect();
    Ok(Deal::new(Deck::FULL, piles, talon)?)
}

/// `format` is one of the three kinds of board.
pub(super) fn write(format: Format, deal: &Deal) -> String {
    let mut text = String::from("Talon:");
    for card in deal.stock() {
        text.push_str(&format!(" {card}"));
    }
    text.push('\n');
    for pile in deal.piles() {
        let mut words = Vec::new();
        if format == Format::FcSolve {
            words.push(":".to_owned());
        }
        if let Some((top, hidden)) = pile.split_last() {
            words.extend(hidden.iter().map(|card| format!("<{card}>")));
            words.push(top.to_string());
        }
        text.push_str(&words.join(" "));
        text.push('\n');
    }
    if format == Format::Pysol10 {
        // The only T's besides those of the key `Talon` are tens.
        let (key, cards) = text.split_at("Talon:".len());
        text = format!("{key}{}", cards.replace('T', "10"));
    }
    text
}
