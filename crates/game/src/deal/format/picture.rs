//! The picture that `klondike deal` and `klondike play --plain` draw, read back.
//!
//! ```text
//! stock: 24 (3H TD …)   redeals used: 1     the card drawn first first; without a list unknown
//! waste: 8H QD [2C]                         the playable card in brackets; or a `-`
//! foundations: 2C AD -H -S                  the highest card of each
//!
//!    1    2    3 …                          the numbers of the piles
//!   4S  (AS)  ??  …                         a row: face-down cards in brackets, or unknown
//! ```
//!
//! A card belongs to the pile in whose column it stands: that of the last digit of the number. The
//! text becomes our own text of a position, once every card has been checked in its place.

use crate::card::{Card, ParseCardError, Rank, Suit};
use crate::deal::Deal;
use crate::deal::format::places::{Place, Tally};
use crate::deal::format::{Fault, FormatError, short};
use crate::rules::Deck;

/// The signs of a card that is not known.
const UNKNOWN: [&str; 2] = ["??", "##"];

/// Whether a picture starts with this line: the stock is a number of cards.
pub(super) fn starts_picture(line: &str) -> bool {
    let rest = line.split_once(':').filter(|(key, _)| is_key(key, "stock"));
    let number = rest.and_then(|(_, value)| value.split_whitespace().next());
    number.is_some_and(|word| word.bytes().all(|byte| byte.is_ascii_digit()))
}

/// Whether this is the line with the numbers of the piles.
pub(super) fn is_numbers(line: &str) -> bool {
    let mut words = line.split_whitespace().zip(1_usize..).peekable();
    words.peek().is_some() && words.all(|(word, number)| word == number.to_string())
}

fn is_key(key: &str, wanted: &str) -> bool {
    key.trim().eq_ignore_ascii_case(wanted)
}

/// A picture as far as its lines were read, as the words of our own text.
struct Board {
    tally: Tally,
    redeals: Option<String>,
    last_pass: bool,
    double_move: Option<String>,
    foundations: Vec<String>,
    waste: Vec<String>,
    stock: Vec<String>,
    /// For each pile the column of its number, the words of its cards, and the row of the last.
    piles: Vec<(usize, Vec<String>, usize)>,
    rows: usize,
}

/// Our own text of the position that a picture shows, with `??` for unknown cards.
pub(crate) fn to_plain(text: &str, deck: Deck, piles: usize) -> Result<String, FormatError> {
    let mut board = Board {
        tally: Tally::new(deck),
        redeals: None,
        last_pass: false,
        double_move: None,
        foundations: Vec::new(),
        waste: Vec::new(),
        stock: Vec::new(),
        piles: Vec::new(),
        rows: 0,
    };
    for (line, number) in text.lines().zip(1..) {
        let line = without_colour(line);
        if !line.trim().is_empty() && !line.trim_start().starts_with('#') || board.in_rows(&line) {
            let read = board.read_line(&line, number, piles);
            read.map_err(|error| error.in_line(number))?;
        }
    }
    if board.piles.is_empty() {
        return Err(Fault::Syntax("there is no line with the numbers of the piles".into()).into());
    }
    let unknown = |words: &[String]| words.iter().any(|word| word == "??");
    let piles = board.piles.iter().any(|(_, words, _)| unknown(words));
    if !piles && !unknown(&board.stock) && !unknown(&board.waste) {
        board.tally.finish()?;
    }
    Ok(board.into_text())
}

/// The line without what makes a terminal show it in colour.
fn without_colour(line: &str) -> String {
    let mut parts = line.split("\x1b[");
    let mut text = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let code = part.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';');
        text.push_str(code.strip_prefix('m').unwrap_or(part));
    }
    text
}

impl Board {
    /// Whether a line that begins with `##` is a row of hidden cards, and not a comment.
    fn in_rows(&self, line: &str) -> bool {
        !self.piles.is_empty() && line.trim_start().starts_with("##")
    }

    fn read_line(&mut self, line: &str, number: usize, piles: usize) -> Result<(), FormatError> {
        if !self.piles.is_empty() {
            return self.read_row(line, number);
        }
        if is_numbers(line) {
            let found = words(line);
            if found.len() != piles {
                let fault = format!("{} piles, but the rules have {piles}", found.len());
                return Err(Fault::Syntax(fault).into());
            }
            let ends = found.iter().map(|&(_, end, _)| (end, Vec::new(), 0));
            self.piles = ends.collect();
            return Ok(());
        }
        match line.split_once(':') {
            Some((key, value)) if is_key(key, "stock") => self.read_stock(value, number),
            Some((key, value)) if is_key(key, "waste") => {
                let value = value.replace(['[', ']'], " ");
                let words = value.split_whitespace().filter(|&word| word != "-");
                self.waste = self.add_words(words, number, Place::Waste)?;
                Ok(())
            }
            Some((key, value)) if is_key(key, "foundations") => {
                self.read_foundations(value, number)
            }
            Some((key, _)) if is_key(key, "last pass") => {
                self.last_pass = true;
                Ok(())
            }
            Some((key, value)) if is_key(key, "double move") => {
                let pile = value
                    .split_whitespace()
                    .find(|word| word.parse::<u8>().is_ok());
                self.double_move = pile.map(str::to_owned);
                Ok(())
            }
            _ => {
                let line = short(line.trim());
                Err(Fault::Syntax(format!(
                    "`{}` is no line of a picture: write `stock: 24 (3H …)`, `waste: 8H [2C]`, \
                     `foundations: 2C -D -H AS`, the numbers of the piles, and rows of cards",
                    line.escape_debug()
                ))
                .into())
            }
        }
    }

    /// The words of cards, each counted in its place.
    fn add_words<'a>(
        &mut self,
        words: impl Iterator<Item = &'a str>,
        line: usize,
        place: fn(usize) -> Place,
    ) -> Result<Vec<String>, FormatError> {
        let mut cards = Vec::new();
        for (word, number) in words.zip(1..) {
            cards.push(self.add(word, line, place(number))?);
        }
        Ok(cards)
    }

    fn add(&mut self, word: &str, line: usize, place: Place) -> Result<String, FormatError> {
        if UNKNOWN.contains(&word) {
            return Ok("??".to_owned());
        }
        let card = card(word, line, place)?;
        self.tally.add(card, Some(line), place)?;
        Ok(card.to_string())
    }

    fn read_stock(&mut self, value: &str, line: usize) -> Result<(), FormatError> {
        let (cards, redeals) = match value.split_once("redeals used:") {
            None => (value, None),
            Some((cards, redeals)) => (cards, Some(redeals.trim().to_owned())),
        };
        self.redeals = redeals;
        let (count, list) = cards.split_once('(').unwrap_or((cards, ""));
        let bad = || {
            Fault::Syntax(format!(
                "`{}` is no stock",
                short(value.trim()).escape_debug()
            ))
        };
        let count: usize = count.trim().parse().map_err(|_| bad())?;
        if count > Card::COUNT {
            return Err(bad().into());
        }
        if !cards.contains('(') {
            self.stock = vec!["??".to_owned(); count];
            return Ok(());
        }
        let list = list.trim_end().strip_suffix(')').ok_or_else(bad)?;
        self.stock = self.add_words(list.split_whitespace(), line, Place::Stock)?;
        match self.stock.len() {
            found if found == count => Ok(()),
            found => {
                let fault = format!("the stock has {count} cards, but {found} are listed");
                Err(Fault::Syntax(fault).into())
            }
        }
    }

    fn read_foundations(&mut self, value: &str, line: usize) -> Result<(), FormatError> {
        for (word, number) in value.split_whitespace().zip(1..) {
            let place = Place::Foundation(number);
            let (suit, height) = match empty_foundation(word) {
                Some(suit) => (suit, 0),
                None => {
                    let card = card(word, line, place)?;
                    (card.suit(), card.rank().get())
                }
            };
            for rank in (1..=height).filter_map(Rank::new) {
                self.tally.add(Card::new(rank, suit), Some(line), place)?;
            }
            self.foundations.push(format!("{}{height}", suit.letter()));
        }
        Ok(())
    }

    fn read_row(&mut self, line: &str, number: usize) -> Result<(), FormatError> {
        self.rows += 1;
        for (start, end, word) in words(line) {
            let column = self
                .piles
                .iter()
                .position(|&(at, ..)| start <= at && at <= end);
            let Some(column) = column else {
                return Err(Fault::Syntax(format!(
                    "`{}` (column {}) stands below the number of no pile",
                    short(word).escape_debug(),
                    start + 1
                ))
                .into());
            };
            let place = Place::Pile {
                pile: column + 1,
                card: self.rows,
            };
            let error = |text: &str| {
                Err(FormatError::of_card(
                    Fault::Syntax(text.into()),
                    Some(number),
                    place,
                ))
            };
            let (_, cards, last) = &self.piles[column];
            if *last + 1 != self.rows {
                return error("there is no card above it");
            }
            let inner = word
                .strip_prefix('(')
                .and_then(|rest| rest.strip_suffix(')'));
            let name = inner.unwrap_or(word);
            let down = inner.is_some() || UNKNOWN.contains(&name);
            if down
                && cards
                    .last()
                    .is_some_and(|card| !card.starts_with(['<', '?']))
            {
                return error("the face-down card lies on a face-up one");
            }
            let card = self.add(name, number, place)?;
            let (_, cards, last) = &mut self.piles[column];
            *last = self.rows;
            cards.push(match down && card != "??" {
                true => format!("<{card}>"),
                false => card,
            });
        }
        Ok(())
    }

    fn into_text(self) -> String {
        let mut text = String::new();
        let mut line = |key: &str, words: &[String]| {
            let words = words.join(" ");
            text.push_str(&format!("{key}: {words}"));
            text.push('\n');
        };
        if let Some(redeals) = self.redeals {
            line("redeals", &[redeals]);
        }
        if self.last_pass {
            line("last pass", &["yes".to_owned()]);
        }
        if let Some(pile) = self.double_move {
            line("double move", &[pile]);
        }
        line("foundations", &self.foundations);
        line("waste", &self.waste);
        line("stock", &self.stock);
        for ((_, cards, _), number) in self.piles.iter().zip(1..) {
            line(&number.to_string(), cards);
        }
        text
    }
}

/// The words of a line, each with its first and its last column from 0.
fn words(line: &str) -> Vec<(usize, usize, &str)> {
    let mut found = Vec::new();
    let mut start = None;
    let all = line.char_indices().chain([(line.len(), ' ')]);
    for (column, (at, c)) in all.enumerate() {
        match (c.is_whitespace(), start) {
            (false, None) => start = Some((column, at)),
            (true, Some((first, begin))) => {
                found.push((first, column - 1, &line[begin..at]));
                start = None;
            }
            _ => {}
        }
    }
    found
}

fn card(word: &str, line: usize, place: Place) -> Result<Card, FormatError> {
    word.parse()
        .map_err(|fault: ParseCardError| FormatError::of_card(fault, Some(line), place))
}

/// The suit of an empty foundation: `-C`.
fn empty_foundation(word: &str) -> Option<Suit> {
    let mut letters = word.strip_prefix('-')?.chars();
    let suit = Suit::from_char(letters.next()?)?;
    letters.next().is_none().then_some(suit)
}

/// What a fresh deal looks like with all cards shown.
pub(super) fn write(deal: &Deal) -> String {
    let cards: Vec<String> = deal.stock().iter().map(Card::to_string).collect();
    let mut text = match cards.len() {
        0 => "stock: 0\n".to_owned(),
        count => format!("stock: {count} ({})\n", cards.join(" ")),
    };
    text.push_str("waste: -\nfoundations:");
    for suit in deal.deck().suits() {
        text.push_str(&format!(" -{}", suit.letter()));
    }
    text.push_str("\n\n");
    let heights = deal.layout().heights();
    let numbers: String = (1..=heights.len()).map(|n| format!("{n:>4} ")).collect();
    text.push_str(numbers.trim_end());
    text.push('\n');
    for row in 0..heights.iter().copied().max().unwrap_or(0).into() {
        let cell = |pile: &[Card]| match pile.get(row) {
            None => "     ".to_owned(),
            Some(card) if row + 1 == pile.len() => format!("  {card} "),
            Some(card) => format!(" ({card})"),
        };
        let line: String = deal.piles().map(cell).collect();
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}
