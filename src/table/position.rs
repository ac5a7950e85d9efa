//! A position in mid-game as plain text and as JSON, for every rule variant.
//!
//! ```text
//! # anything after a number sign is a comment
//! redeals: 1                   redeals used so far; without the line 0
//! double move: 3               the pile whose top card must go up next; usually no such line
//! foundations: C3 D0 H1 S0     highest rank on each; without the line nothing
//! waste: 4H KD                 the playable card last; without the line nothing
//! stock: 7S 2C                 the card drawn first first; without the line nothing
//! 1: KS QH                     every pile, bottom to top
//! 2: <3C> <5D> 9S              face-down cards in <>
//! 3:
//! ```
//!
//! The rules are not part of the text. A deal before play is a position like any other.

use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::card::{Card, ParseCardError, Rank, Suit};
use crate::rules::Rules;
use crate::table::{Pile, PileIndex, Table, TableError, TableParts};

/// Reads the plain text form of a position.
///
/// # Errors
/// The first line that cannot be read, with its number; or what is wrong with the position.
pub fn read_position(rules: &Arc<Rules>, text: &str) -> Result<Table, PositionError> {
    let parts = read_parts(rules, text)?;
    table_of(rules, parts)
}

fn table_of(rules: &Arc<Rules>, parts: TableParts) -> Result<Table, PositionError> {
    Table::from_parts(Arc::clone(rules), parts).map_err(|error| PositionError {
        line: None,
        reason: Reason::Table(error),
    })
}

/// How an unknown card is written.
pub const UNKNOWN: &str = "??";

/// A position of which some cards are not known.
#[derive(Clone, Debug)]
pub struct PartlyKnown {
    /// The position with the unknown cards filled in, in the order of the deck: one of those that are possible.
    pub table: Table,
    /// How many cards of the talon were filled in.
    pub unknown_talon: usize,
}

/// Reads the plain text form of a position in which face-down cards and cards of the stock and the waste
/// may be [`UNKNOWN`]. Face-down cards are written `??`, with or without `<>`.
///
/// # Errors
/// As [`read_position`]; also if there are not as many unknown places as cards that lie nowhere else.
pub fn read_partly_known(rules: &Arc<Rules>, text: &str) -> Result<PartlyKnown, PositionError> {
    let without: Vec<String> = text.lines().map(without_unknown).collect();
    let known = read_parts(rules, &without.join("\n"))?;
    let mut missing = rules.deck().card_set();
    let named = known.piles.iter().flat_map(Pile::cards);
    let played = Suit::ALL.into_iter().flat_map(|suit| {
        let height = known.foundations[suit.index()];
        (1..=height).filter_map(move |rank| Some(Card::new(Rank::new(rank)?, suit)))
    });
    for &card in named.chain(&known.stock).chain(&known.waste) {
        missing.remove(card);
    }
    for card in played {
        missing.remove(card);
    }
    let (cards, mut unknown_talon, mut places) = (missing.len(), 0, 0);
    let mut filled = String::new();
    for (i, line) in text.lines().enumerate() {
        let (code, _) = line.split_once('#').unwrap_or((line, ""));
        let key = code.split(':').next().unwrap_or_default().trim();
        let talon = ["stock", "waste"]
            .iter()
            .any(|name| key.eq_ignore_ascii_case(name));
        let mut open = false;
        for word in code.split_inclusive(char::is_whitespace) {
            if !is_unknown(word.trim_end()) {
                let bare = word.trim();
                open |= bare.parse::<Card>().is_ok();
                filled.push_str(word);
                continue;
            }
            places += 1;
            if open && !talon {
                return Err(PositionError {
                    line: Some(i + 1),
                    reason: Reason::UnknownOnTop,
                });
            }
            if let Some(card) = missing.next() {
                unknown_talon += usize::from(talon);
                let word = if talon {
                    format!("{card} ")
                } else {
                    format!("<{card}> ")
                };
                filled.push_str(&word);
            }
        }
        filled.push('\n');
    }
    if places != cards {
        return Err(PositionError {
            line: None,
            reason: Reason::Unknown { places, cards },
        });
    }
    let parts = read_parts(rules, &filled)?;
    Ok(PartlyKnown {
        table: table_of(rules, parts)?,
        unknown_talon,
    })
}

fn is_unknown(word: &str) -> bool {
    word == UNKNOWN
        || word
            .strip_prefix('<')
            .and_then(|rest| rest.strip_suffix('>'))
            == Some(UNKNOWN)
}

/// The line without its words for unknown cards.
fn without_unknown(line: &str) -> String {
    let words = line.split_whitespace().filter(|&word| !is_unknown(word));
    words.collect::<Vec<_>>().join(" ")
}

fn read_parts(rules: &Arc<Rules>, text: &str) -> Result<TableParts, PositionError> {
    let mut parts = TableParts::default();
    let mut piles: Vec<Option<Pile>> = vec![None; rules.layout().pile_count()];
    let mut seen: Vec<String> = Vec::new();
    for (i, line) in text.lines().enumerate() {
        let error = |reason| PositionError {
            line: Some(i + 1),
            reason,
        };
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
    let whole = |reason| PositionError { line: None, reason };
    for (i, pile) in piles.into_iter().enumerate() {
        let pile = pile.ok_or_else(|| whole(Reason::NoPile(PileIndex::new(i))))?;
        parts.piles.push(pile);
    }
    Ok(parts)
}

fn read_line(
    parts: &mut TableParts,
    piles: &mut [Option<Pile>],
    key: &str,
    value: &str,
) -> Result<(), Reason> {
    match key {
        "redeals" => {
            parts.redeals_used = value.parse().map_err(|_| Reason::Number(short(value)))?;
        }
        "double move" => {
            let index = pile_index(value, piles.len())
                .ok_or_else(|| Reason::Key(short(value), piles.len()))?;
            parts.pending = Some(index);
        }
        "foundations" => parts.foundations = read_foundations(value)?,
        "waste" => parts.waste = read_cards(value)?,
        "stock" => parts.stock = read_cards(value)?,
        _ => {
            let index =
                pile_index(key, piles.len()).ok_or_else(|| Reason::Key(short(key), piles.len()))?;
            piles[index.get()] = Some(read_pile(value)?);
        }
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
        .map(|word| word.parse().map_err(Reason::Card))
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
        // A rank by number, as this program writes it, or by letter, as people do.
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
        let card: Card = hidden.unwrap_or(word).parse().map_err(Reason::Card)?;
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

/// The JSON form of a position.
///
/// Cards are texts such as `"TH"`. [`Position::into_table`] checks what was read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// Redeals used so far.
    #[serde(default)]
    pub redeals_used: u32,
    /// The pile, counted from 1, whose top card must go to the foundation in the next move.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub double_move: Option<u8>,
    /// Highest rank number on each foundation: clubs, diamonds, hearts, spades; 0 for none.
    #[serde(default)]
    pub foundations: [u8; 4],
    /// The waste, the playable card last.
    #[serde(default)]
    pub waste: Vec<String>,
    /// The stock, the card drawn first first.
    #[serde(default)]
    pub stock: Vec<String>,
    /// The piles, leftmost first.
    pub piles: Vec<PositionPile>,
}

/// One pile of a [`Position`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PositionPile {
    /// The face-down cards, bottom to top.
    #[serde(default)]
    pub face_down: Vec<String>,
    /// The face-up cards, bottom to top.
    #[serde(default)]
    pub face_up: Vec<String>,
}

impl From<&Table> for Position {
    fn from(table: &Table) -> Position {
        let texts = |cards: &[Card]| cards.iter().map(Card::to_string).collect();
        Position {
            redeals_used: table.redeals_used(),
            double_move: table.pending().map(|pile| pile.get() as u8 + 1),
            foundations: Suit::ALL.map(|suit| table.foundation(suit)),
            waste: texts(table.waste()),
            stock: table.stock().map(|card| card.to_string()).collect(),
            piles: table
                .piles()
                .iter()
                .map(|pile| PositionPile {
                    face_down: texts(pile.face_down()),
                    face_up: texts(pile.face_up()),
                })
                .collect(),
        }
    }
}

impl Position {
    /// The position on a table with these rules.
    ///
    /// # Errors
    /// What is wrong with the position.
    pub fn into_table(self, rules: &Arc<Rules>) -> Result<Table, PositionError> {
        let error = |reason| PositionError { line: None, reason };
        let cards = |texts: &[String]| {
            texts
                .iter()
                .map(|text| text.parse().map_err(|bad| error(Reason::Card(bad))))
                .collect::<Result<Vec<Card>, _>>()
        };
        let count = self.piles.len();
        let pending = match self.double_move {
            None => None,
            Some(number) => Some(
                pile_index(&number.to_string(), count)
                    .ok_or_else(|| error(Reason::Key(number.to_string(), count)))?,
            ),
        };
        let parts = TableParts {
            piles: self
                .piles
                .iter()
                .map(|pile| {
                    let mut all = cards(&pile.face_down)?;
                    let face_down = all.len();
                    all.extend(cards(&pile.face_up)?);
                    Ok(Pile::new(all, face_down))
                })
                .collect::<Result<_, _>>()?,
            foundations: self.foundations,
            stock: cards(&self.stock)?,
            waste: cards(&self.waste)?,
            redeals_used: self.redeals_used,
            pending,
        };
        Table::from_parts(Arc::clone(rules), parts).map_err(|bad| error(Reason::Table(bad)))
    }
}

/// Why a text is not a position, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionError {
    line: Option<usize>,
    reason: Reason,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Reason {
    NoKey(String),
    Twice(String),
    Key(String, usize),
    Number(String),
    Card(ParseCardError),
    Foundation(String),
    FaceDown(Card),
    NoPile(PileIndex),
    UnknownOnTop,
    Unknown { places: usize, cards: usize },
    Table(TableError),
}

impl PositionError {
    /// The line at fault, counted from 1, if it is one line's.
    #[must_use]
    pub fn line(&self) -> Option<usize> {
        self.line
    }
}

fn short(text: &str) -> String {
    text.chars().take(40).collect()
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        match &self.reason {
            Reason::NoKey(text) => write!(
                f,
                "`{}` has no colon; write for example `stock: 7S 2C` or `2: <3C> 9S`",
                text.escape_debug()
            ),
            Reason::Twice(key) => write!(f, "`{}` stands twice", key.escape_debug()),
            Reason::Key(key, piles) => write!(
                f,
                "`{}` is neither a pile (1 to {piles}) nor foundations, waste, stock, redeals or double move",
                key.escape_debug()
            ),
            Reason::Number(text) => {
                write!(f, "`{}` is not a number of redeals", text.escape_debug())
            }
            Reason::Card(error) => error.fmt(f),
            Reason::Foundation(word) => write!(
                f,
                "`{}` is not a foundation: write each suit once with its highest rank, such as C3 D0 HK",
                word.escape_debug()
            ),
            Reason::FaceDown(card) => {
                write!(f, "the face-down card {card} lies on a face-up one")
            }
            Reason::NoPile(pile) => {
                write!(f, "pile {pile} is missing; if it is empty, write `{pile}:`")
            }
            Reason::UnknownOnTop => {
                write!(f, "an unknown card (`??`) lies on a face-up one")
            }
            Reason::Unknown { places, cards } => write!(
                f,
                "the number of unknown cards (`??`) is {places}, but the number of cards that lie nowhere else is {cards}"
            ),
            Reason::Table(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for PositionError {}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Deck, Layout, Runs};

    fn rules() -> Arc<Rules> {
        let rules = Rules::builder()
            .deck(Deck::new(4, 4).unwrap())
            .layout(Layout::triangle(3).unwrap())
            .runs(Runs::PartialIfPlayed);
        Arc::new(rules.build().unwrap())
    }

    const TEXT: &str = "redeals: 2\ndouble move: 2\nfoundations: C2 D0 H1 S0\nwaste: 4H 4D\n\
        stock: 4C 2D\n1: 4S 3H 2S\n2: <AS> <AD> 3S 2H\n3: <3C> 3D\n";

    #[test]
    fn the_text_is_read_as_it_is_written_and_the_json_too() {
        let table = read_position(&rules(), TEXT).unwrap();
        assert_eq!(write_position(&table), TEXT);
        assert_eq!(table.redeals_used(), 2);
        assert_eq!(table.pending(), Some(PileIndex::new(1)));
        let json = serde_json::to_string(&Position::from(&table)).unwrap();
        assert!(json.starts_with(r#"{"redeals_used":2,"double_move":2,"foundations":[2,0,1,0],"#));
        let read: Position = serde_json::from_str(&json).unwrap();
        assert_eq!(read.into_table(&rules()).unwrap(), table);
        let free = "# a comment\n\nFoundations: s0 HA c2 # ranks by letter\n STOCK:4c 2d\n\
            waste:  4h 4d\n3: <3C> 3D\n2: <AS> <AD> 3S 2H\n1: 4S 3H 2S\n redeals : 2\ndouble move:2";
        assert_eq!(read_position(&rules(), free).unwrap(), table);
    }

    #[test]
    fn unknown_cards_are_filled_in_where_they_are_missing() {
        let text = TEXT
            .replace("<AS> <AD>", "?? <??>")
            .replace("<3C>", "?? # not 3C\n");
        let text = text.replace(" 3D\n", "\n").replace("4C 2D", "4C ??");
        let text = text
            .replace("??  # not", "?? 3D # not")
            .replace("?? # not", "?? 3D # not");
        let read = read_partly_known(&rules(), &text).unwrap();
        assert_eq!(read.unknown_talon, 1);
        let hidden: Vec<Card> = read
            .table
            .piles()
            .iter()
            .flat_map(Pile::face_down)
            .copied()
            .collect();
        assert_eq!(hidden.len(), 3);
        assert_eq!(read.table.stock().len(), 2);
        let known = read_partly_known(&rules(), TEXT).unwrap();
        assert_eq!(known.table, read_position(&rules(), TEXT).unwrap());
        assert_eq!(known.unknown_talon, 0);
        for (from, to, message) in [
            (
                "<AS>",
                "?? ??",
                "the number of unknown cards (`??`) is 2, but the number of cards that lie nowhere else is 1",
            ),
            ("<AS>", "", "the number of unknown cards (`??`) is 0, but"),
            (
                "3S 2H",
                "3S ??",
                "line 7: an unknown card (`??`) lies on a face-up one",
            ),
            (
                "<AS> <AD> 3S 2H",
                "<AS> <AD> 3S ?",
                "line 7: `?` is not a card",
            ),
        ] {
            let error = read_partly_known(&rules(), &TEXT.replace(from, to)).unwrap_err();
            assert!(error.to_string().starts_with(message), "{error}");
        }
    }

    #[test]
    fn errors_name_line_and_fault() {
        for (from, to, message) in [
            (
                "redeals: 2",
                "redeals: two",
                "line 1: `two` is not a number",
            ),
            ("redeals: 2", "redeals", "line 1: `redeals` has no colon"),
            ("double move: 2", "double move: 4", "line 2: `4` is neither"),
            (
                "double move: 2",
                "double move: 1",
                "no double move can be pending on pile 1",
            ),
            ("D0", "D99", "line 3: `D99` is not a foundation"),
            ("D0", "D5", "the foundation D cannot hold 5 cards"),
            ("D0", "C0", "line 3: `C0` is not a foundation"),
            ("waste: 4H 4D", "waste: 4H 4X", "line 4: `4X` is not a card"),
            (
                "stock:",
                "talon:",
                "line 5: `talon` is neither a pile (1 to 3)",
            ),
            ("1: 4S", "2: 4S", "line 7: `2` stands twice"),
            ("3S 2H", "3S <2H>", "line 7: the face-down card 2H lies"),
            ("3: <3C> 3D", "", "pile 3 is missing"),
            (
                "3: <3C> 3D",
                "3: <3C> <3D>",
                "the top card of pile 3 lies face down",
            ),
            ("3: <3C> 3D", "4: <3C> 3D", "line 8: `4` is neither"),
            (
                "3: <3C> 3D",
                "3: 3C 3D",
                "pile 3: 3D cannot lie face up on 3C",
            ),
            ("3: <3C> 3D", "3: 3D", "1 card missing: 3C"),
        ] {
            let text = TEXT.replace(from, to);
            assert_ne!(text, TEXT);
            let error = read_position(&rules(), &text).unwrap_err();
            let shown = error.to_string();
            assert!(shown.starts_with(message), "{to}: {shown}");
            assert_eq!(error.line().is_some(), shown.starts_with("line"));
        }
    }
}
