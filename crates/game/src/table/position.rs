//! A position in mid-game as plain text and as JSON, for every rule variant.
//!
//! ```text
//! # a number sign starts a comment
//! redeals: 1                   redeals used so far; without this line 0
//! last pass: yes               the last pass by ones has begun; usually not there
//! double move: 3               the pile whose top card must go up next; usually not there
//! foundations: C3 D0 H1 S0     highest rank on each; without this line they are empty
//! waste: 4H KD                 the playable card last; without this line it is empty
//! stock: 7S 2C                 first drawn first; without this line it is empty
//! 1: KS QH                     every pile, bottom to top
//! 2: <3C> <5D> 9S              face-down cards in <>
//! 3:
//! ```
//!
//! The rules are not part of the text. A deal before the first move is a position, too.

mod error;
mod json;
mod unknown;

use std::sync::Arc;

use crate::card::{Card, Rank, Suit};
use crate::rules::Rules;
use crate::table::{Pile, PileIndex, Table, TableParts};

pub use error::PositionError;
use error::Reason;
pub use json::{Position, PositionPile};
pub(in crate::table) use unknown::has_unknown;
pub use unknown::{PartlyKnown, UNKNOWN, read_partly_known};

/// Reads the plain text form of a position.
///
/// # Errors
/// The first line that cannot be read, with its number; or what is wrong with the position.
///
/// ```
/// use std::sync::Arc;
/// use klondike_game::rules::{Deck, Layout, Rules};
/// use klondike_game::table::position::{read_position, write_position};
///
/// let rules = Rules::builder().deck(Deck::new(1, 4)?).layout(Layout::rectangle(1, 2)?);
/// let text = "foundations: C1\nwaste:\nstock: 4C\n1: <2C> 3C\n";
/// let table = read_position(&Arc::new(rules.build()?), text)?;
/// assert_eq!(write_position(&table), text);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn read_position(rules: &Arc<Rules>, text: &str) -> Result<Table, PositionError> {
    let parts = read_parts(rules, text)?;
    Ok(Table::from_parts(Arc::clone(rules), parts)?)
}

fn read_parts(rules: &Arc<Rules>, text: &str) -> Result<TableParts, PositionError> {
    let mut parts = TableParts::default();
    let mut piles: Vec<Option<Pile>> = vec![None; rules.layout().pile_count()];
    let mut seen: Vec<String> = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let error = |reason: Reason| reason.in_line(i + 1);
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let (key, value) = line
            .split_once(':')
            .ok_or_else(|| error(Reason::NoKey(short(line))))?;
        let key = key.trim().to_ascii_lowercase();
        if seen.contains(&key) {
            return Err(error(Reason::Twice(short(&key))));
        }
        read_line(&mut parts, &mut piles, &key, value.trim()).map_err(error)?;
        seen.push(key);
    }
    for (i, pile) in piles.into_iter().enumerate() {
        let missing = || Reason::NoPile(PileIndex::new(i)).of_text();
        parts.piles.push(pile.ok_or_else(missing)?);
    }
    Ok(parts)
}

fn read_line(
    parts: &mut TableParts,
    piles: &mut [Option<Pile>],
    key: &str,
    value: &str,
) -> Result<(), Reason> {
    let count = piles.len();
    let pile = |text: &str| {
        pile_index(text, count).ok_or_else(|| Reason::Key {
            key: short(text),
            piles: count,
        })
    };
    match key {
        "redeals" => {
            parts.redeals_used = value.parse().map_err(|_| Reason::Number(short(value)))?;
        }
        "last pass" => {
            parts.last_pass = match value {
                "yes" => true,
                "no" => false,
                _ => return Err(Reason::YesOrNo(short(value))),
            };
        }
        "double move" => parts.pending = Some(pile(value)?),
        "foundations" => parts.foundations = read_foundations(value)?,
        "waste" => parts.waste = read_cards(value)?,
        "stock" => parts.stock = read_cards(value)?,
        _ => piles[pile(key)?.get()] = Some(read_pile(value)?),
    }
    Ok(())
}

/// Reads the number of a pile without leading zeros or signs, so that no pile has two names.
fn pile_index(text: &str, piles: usize) -> Option<PileIndex> {
    (0..piles)
        .map(PileIndex::new)
        .find(|index| index.to_string() == text)
}

fn read_cards(text: &str) -> Result<Vec<Card>, Reason> {
    text.split_whitespace()
        .map(|word| Ok(word.parse()?))
        .collect()
}

fn read_foundations(text: &str) -> Result<[u8; 4], Reason> {
    let mut heights = [None; 4];
    for word in text.split_whitespace() {
        let bad = || Reason::Foundation(short(word));
        let letter = word.chars().next().ok_or_else(bad)?;
        let suit = Suit::from_char(letter).ok_or_else(bad)?;
        let rank = &word[letter.len_utf8()..];
        let mut letters = rank.chars();
        // A rank by number, as this program writes it, or by letter, as people write it.
        let height = match (rank.parse::<u8>(), letters.next(), letters.next()) {
            (Ok(number), ..) if number == 0 || Rank::new(number).is_some() => number,
            (Err(_), Some(letter), None) => Rank::from_char(letter).ok_or_else(bad)?.get(),
            _ => return Err(bad()),
        };
        if heights[suit.index()].replace(height).is_some() {
            return Err(bad());
        }
    }
    Ok(heights.map(Option::unwrap_or_default))
}

fn read_pile(text: &str) -> Result<Pile, Reason> {
    let mut cards = Vec::new();
    let mut face_down = 0;
    for word in text.split_whitespace() {
        let hidden = word
            .strip_prefix('<')
            .and_then(|rest| rest.strip_suffix('>'));
        let card: Card = hidden.unwrap_or(word).parse()?;
        if hidden.is_some() {
            if face_down < cards.len() {
                return Err(Reason::FaceDown(card));
            }
            face_down += 1;
        }
        cards.push(card);
    }
    Ok(Pile::new(cards, face_down))
}

/// Writes the plain text form of a position, which [`read_position`] reads.
#[must_use]
pub fn write_position(table: &Table) -> String {
    let position = Position::from(table);
    let mut text = String::new();
    let mut line = |key: &str, words: String| {
        text.push_str(key);
        text.push(':');
        if !words.is_empty() {
            text.push(' ');
            text.push_str(&words);
        }
        text.push('\n');
    };
    if position.redeals_used > 0 {
        line("redeals", position.redeals_used.to_string());
    }
    if position.last_pass {
        line("last pass", "yes".to_owned());
    }
    if let Some(pile) = position.double_move {
        line("double move", pile.to_string());
    }
    let foundations: Vec<String> = table
        .rules()
        .deck()
        .suits()
        .iter()
        .map(|&suit| format!("{}{}", suit.letter(), table.foundation(suit)))
        .collect();
    line("foundations", foundations.join(" "));
    line("waste", position.waste.join(" "));
    line("stock", position.stock.join(" "));
    for (i, pile) in position.piles.iter().enumerate() {
        let hidden = pile.face_down.iter().map(|card| format!("<{card}>"));
        let words: Vec<String> = hidden.chain(pile.face_up.iter().cloned()).collect();
        line(&(i + 1).to_string(), words.join(" "));
    }
    text
}

/// The start of a text, to be shown in an error.
fn short(text: &str) -> String {
    text.chars().take(40).collect()
}
