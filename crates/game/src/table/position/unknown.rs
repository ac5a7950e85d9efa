//! Positions of which some cards are not known.
//!
//! The text is read twice: first without the unknown cards, to learn which cards are missing, then
//! with the missing cards filled in.

use std::sync::Arc;

use crate::card::{Card, CardSet};
use crate::deal::format::Format;
use crate::rules::Rules;
use crate::table::picture::{Style, draw_partly};
use crate::table::position::error::{PositionError, Reason};
use crate::table::position::{Position, read_parts, write_position};
use crate::table::{Pile, Table, TableParts};

/// The sign of an unknown card in a text.
pub const UNKNOWN: &str = "??";

/// A position of which some cards are not known.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PartlyKnown {
    /// One of the possible positions: the unknown cards are filled in, in the order of the deck.
    pub table: Table,
    /// The cards that were filled in.
    pub unknown: CardSet,
    /// How many cards of the talon were filled in.
    pub unknown_talon: usize,
}

impl PartlyKnown {
    /// The position in a format that has a sign for unknown cards: our own text and the picture,
    /// and for a fresh deal a line of cards.
    #[must_use]
    pub fn write(&self, format: Format) -> Option<String> {
        let rules = self.table.rules();
        let mut text = match format {
            Format::Klondike => write_position(&self.table),
            Format::Picture => {
                return Some(draw_partly(&self.table, self.unknown, Style::default()));
            }
            Format::RowOrder => {
                let plain = write_position(&self.table);
                let deal = Format::Klondike.read(&plain, rules.deck(), rules.layout());
                Format::RowOrder.write(&deal.ok()?).ok()?
            }
            _ => return None,
        };
        for card in self.unknown {
            let card = card.to_string();
            text = text.replace(&format!("<{card}>"), UNKNOWN);
            text = text.replace(&card, UNKNOWN);
        }
        Some(text)
    }

    /// The JSON form of the position, with [`UNKNOWN`] in place of unknown cards.
    #[must_use]
    pub fn to_position(&self) -> Position {
        let mut position = Position::from(&self.table);
        position.hide(self.unknown);
        position
    }
}

/// Reads the plain text form of a position in which face-down cards and cards of the stock and
/// the waste may be [`UNKNOWN`]. Face-down cards are written `??`, with or without `<>`.
///
/// ```
/// use std::sync::Arc;
/// use klondike_game::rules::{Deck, Layout, Rules};
/// use klondike_game::table::position::read_partly_known;
///
/// let rules = Rules::builder().deck(Deck::new(1, 4)?).layout(Layout::rectangle(1, 2)?);
/// let read = read_partly_known(&Arc::new(rules.build()?), "stock: ?? 4C\n1: ?? 3C\n")?;
/// assert_eq!(read.unknown_talon, 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`read_position`](super::read_position); also if the number of unknown places is not that of
/// the cards that lie nowhere else.
pub fn read_partly_known(rules: &Arc<Rules>, text: &str) -> Result<PartlyKnown, PositionError> {
    let without: Vec<String> = text.lines().map(without_unknown).collect();
    let missing = missing_cards(rules, &read_parts(rules, &without.join("\n"))?);
    let cards = missing.len();
    let mut filler = Filler {
        missing,
        text: String::new(),
        places: 0,
        in_talon: 0,
    };
    for (line, number) in text.lines().zip(1..) {
        filler
            .fill_line(line)
            .map_err(|reason| reason.in_line(number))?;
    }
    let places = filler.places;
    if places != cards {
        return Err(Reason::Unknown { places, cards }.of_text());
    }
    let parts = read_parts(rules, &filler.text)?;
    Ok(PartlyKnown {
        table: Table::from_parts(Arc::clone(rules), parts)?,
        unknown: missing,
        unknown_talon: filler.in_talon,
    })
}

/// The cards of the deck that lie nowhere.
fn missing_cards(rules: &Rules, known: &TableParts) -> CardSet {
    let in_piles = known.piles.iter().flat_map(Pile::cards);
    let others = in_piles.chain(&known.stock).chain(&known.waste).copied();
    let found: CardSet = known.played().chain(others).collect();
    rules.deck().card_set() - found
}

/// Writes a text anew with missing cards in place of unknown ones.
struct Filler {
    /// The cards that are not used yet.
    missing: CardSet,
    text: String,
    /// Number of unknown cards so far.
    places: usize,
    /// How many of them were filled in in the talon.
    in_talon: usize,
}

impl Filler {
    fn fill_line(&mut self, line: &str) -> Result<(), Reason> {
        let (code, _) = line.split_once('#').unwrap_or((line, ""));
        let key = code.split(':').next().unwrap_or_default().trim();
        let is_talon = key.eq_ignore_ascii_case("stock") || key.eq_ignore_ascii_case("waste");
        let mut on_face_up = false;
        for word in code.split_inclusive(char::is_whitespace) {
            if !is_unknown(word.trim_end()) {
                on_face_up |= word.trim().parse::<Card>().is_ok();
                self.text.push_str(word);
                continue;
            }
            self.places += 1;
            if on_face_up && !is_talon {
                return Err(Reason::UnknownOnTop);
            }
            if let Some(card) = self.missing.next() {
                self.in_talon += usize::from(is_talon);
                self.text.push_str(&if is_talon {
                    format!("{card} ")
                } else {
                    format!("<{card}> ")
                });
            }
        }
        self.text.push('\n');
        Ok(())
    }
}

/// Whether a text has unknown cards.
pub(in crate::table) fn has_unknown(text: &str) -> bool {
    let code = text
        .lines()
        .map(|line| line.split('#').next().unwrap_or_default());
    code.flat_map(str::split_whitespace).any(is_unknown)
}

fn is_unknown(word: &str) -> bool {
    let hidden = word
        .strip_prefix('<')
        .and_then(|rest| rest.strip_suffix('>'));
    hidden.unwrap_or(word) == UNKNOWN
}

/// The line without its words for unknown cards.
fn without_unknown(line: &str) -> String {
    let words = line.split_whitespace().filter(|&word| !is_unknown(word));
    words.collect::<Vec<_>>().join(" ")
}
