//! The board that PySol's generators write, and Klondike-Solver and Freecell Solver's tools read.
//!
//! ```text
//! Talon: 3H TD 2D …
//! 8H
//! <3D> 6C
//! …
//! ```
//!
//! The talon is written first drawn first, the piles bottom to top with face-down cards in `<>`.
//! Tens are `T` or `10`. A pile may start with `: `. A line `Foundations: H-0 …` may come first. A
//! board without any `<>` is a fresh deal if its piles have the right heights.

use crate::card::Card;
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

/// The text after `key` and a colon.
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

/// A board as far as its lines were read.
struct Board {
    tally: Tally,
    talon: Option<Vec<Card>>,
    /// The cards of each pile and how many of them are marked as face down.
    piles: Vec<(Vec<Card>, usize)>,
}

impl Board {
    /// Reads the line with this number.
    fn read_line(&mut self, line: &str, number: usize) -> Result<(), FormatError> {
        if let Some(value) = strip_key(line, "foundations") {
            let played = value.split_whitespace().find(|word| !word.ends_with("-0"));
            played.map_or(Ok(()), |word| {
                let word = word.escape_debug();
                Err(Fault::MidGame(format!("the foundation `{word}` is not empty")).into())
            })
        } else if let Some(value) = strip_key(line, "talon") {
            if self.talon.is_some() {
                return Err(Fault::Syntax("a second line `Talon:`".to_owned()).into());
            }
            let words = stock(value)?.split_whitespace();
            self.talon = Some(self.tally.add_words(words, Some(number), Place::Stock)?);
            Ok(())
        } else {
            if self.piles.len() == PILES {
                return Err(Fault::Syntax(format!("a line after pile {PILES}")).into());
            }
            let cards = line.strip_prefix(':').unwrap_or(line);
            let pile = self.piles.len() + 1;
            self.piles.push(self.tally.add_pile(cards, number, pile)?);
            Ok(())
        }
    }
}

/// The cards of the stock in the line of the talon.
fn stock(talon: &str) -> Result<&str, Fault> {
    // Games::Solitaire::Verify writes `waste ==> stock <==`.
    match talon.split_once("==>") {
        None => Ok(talon),
        Some((waste, stock)) if waste.trim().is_empty() => {
            Ok(stock.trim_end().trim_end_matches("<=="))
        }
        Some(_) => Err(Fault::MidGame("cards lie on the waste".to_owned())),
    }
}

pub(super) fn read(text: &str) -> Result<Deal, FormatError> {
    let mut board = Board {
        tally: Tally::new(Deck::FULL),
        talon: None,
        piles: Vec::new(),
    };
    for (i, line) in text.lines().enumerate() {
        let line = line.trim();
        if !line.is_empty() && !line.starts_with('#') {
            board
                .read_line(line, i + 1)
                .map_err(|error| error.in_line(i + 1))?;
        }
    }
    let Board {
        tally,
        talon,
        piles,
    } = board;
    let talon = talon.ok_or_else(|| Fault::Syntax("there is no line `Talon: ...`".to_owned()))?;
    tally.finish()?;
    let marked = piles.iter().any(|(_, face_down)| *face_down > 0);
    let shapes = piles.iter().map(|(cards, face_down)| {
        let dealt = cards.len().saturating_sub(1);
        (cards.len(), if marked { *face_down } else { dealt })
    });
    check_fresh(&Layout::standard(), shapes)?;
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
        // After the key, every T is a ten.
        let (key, cards) = text.split_at("Talon:".len());
        text = format!("{key}{}", cards.replace('T', "10"));
    }
    text
}
