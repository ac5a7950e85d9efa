//! Files and streams with any number of deals, taken apart lazily.
//!
//! Deals may stand one to a line or as blocks (JSON, boards of PySol, our own text), in any
//! mixture. Between deals, blank lines and lines that start with `#` are skipped. This covers
//! Klondike-Solver's deal files, with their `Game: N` lines.
//!
//! A block of our own text, and a picture, ends with the first blank line after its piles. A board
//! ends with its seventh pile or a blank line. JSON ends with its last brace, or before a line that
//! begins with one: deals have no objects in objects, so a brace was forgotten. A line such as
//! `klondike:5` is a deal of its own, and ends whatever was not finished before it.

use std::io::{self, BufRead, Read};

use crate::deal::Deal;
use crate::deal::format::{
    Fault, Format, FormatError, detect_or_fault, line, picture, plain, pysol,
};
use crate::deal::seed::{DealId, Scheme};
use crate::rules::{Deck, Layout};

/// Most bytes of one deal.
const LIMIT: usize = 1_000_000;

/// The text of one deal or position, cut out of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Item {
    /// The line of the file in which the text starts. `None` if it is not from a file.
    line: Option<usize>,
    text: String,
}

impl Item {
    /// A text that is not from a file.
    #[must_use]
    pub fn from_text(text: String) -> Item {
        Item { line: None, text }
    }

    /// Another text in the place of this one.
    pub(crate) fn with_text(&self, text: String) -> Item {
        let line = self.line;
        Item { line, text }
    }

    /// The line of the file in which the text starts, counted from 1. `None` if it is not from a
    /// file.
    #[must_use]
    pub fn line(&self) -> Option<usize> {
        self.line
    }

    /// The text itself.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The format of the text: the given one, or the one that is recognised.
    ///
    /// # Errors
    /// If no format is given and the text looks like none.
    pub fn format(&self, given: Option<Format>) -> Result<Format, FormatError> {
        given
            .map_or_else(|| detect_or_fault(&self.text), Ok)
            .map_err(|error| self.locate(error))
    }

    /// Reads the deal.
    ///
    /// # Errors
    /// If the text is not such a deal. The error counts the lines of the whole file.
    pub fn read(&self, format: Format, deck: Deck, layout: &Layout) -> Result<Deal, FormatError> {
        format
            .read(&self.text, deck, layout)
            .map_err(|error| self.locate(error))
    }

    /// Makes the lines of an error about this text lines of the file.
    pub(crate) fn locate(&self, error: FormatError) -> FormatError {
        match self.line {
            None => error,
            Some(line) => error.in_text_from(line),
        }
    }
}

/// How a deal stands in a file, by its first line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Line,
    Json,
    Board,
    Plain,
    Picture,
}

/// The deals of a file or stream, one after the other.
///
/// ```
/// use klondike_game::deal::format::file::Items;
/// use klondike_game::rules::{Deck, Layout};
///
/// let file = "# two deals\nsolvitaire:3\n\nGame: 12\n";
/// let layout = Layout::standard();
/// let mut count = 0;
/// for item in Items::new(file.as_bytes(), None, &layout) {
///     let item = item?;
///     let deal = item.read(item.format(None)?, Deck::FULL, &layout)?;
///     assert_eq!(deal.stock().len(), 24);
///     count += 1;
/// }
/// assert_eq!(count, 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Items<R> {
    reader: R,
    format: Option<Format>,
    piles: usize,
    /// Number of the last line read.
    line: usize,
    /// A line that belongs to the next deal.
    ahead: Option<String>,
    any: bool,
    ended: bool,
}

impl<R: BufRead> Items<R> {
    /// The deals that `reader` holds, all in this format, or in any mixture of formats if it is
    /// `None`.
    ///
    /// A deal in our own text has a line for every pile of `layout`.
    pub fn new(reader: R, format: Option<Format>, layout: &Layout) -> Items<R> {
        Items {
            reader,
            format,
            piles: layout.pile_count(),
            line: 0,
            ahead: None,
            any: false,
            ended: false,
        }
    }

    fn fault(&self, fault: Fault) -> ReadError {
        ReadError::Format(FormatError::from(fault).in_line(self.line))
    }

    /// The next line without its end; `None` at the end of the file.
    fn next_line(&mut self) -> Result<Option<String>, ReadError> {
        if let Some(line) = self.ahead.take() {
            self.line += 1;
            return Ok(Some(line));
        }
        let mut bytes = Vec::new();
        let mut limited = self.reader.by_ref().take(LIMIT as u64 + 1);
        if limited.read_until(b'\n', &mut bytes)? == 0 {
            return Ok(None);
        }
        self.line += 1;
        if bytes.len() > LIMIT {
            if bytes.last() != Some(&b'\n') {
                self.reader.skip_until(b'\n')?;
            }
            return Err(self.fault(Fault::TooLong));
        }
        if bytes.contains(&0) {
            // No text has this: the rest would be as bad.
            self.ended = true;
            return Err(self.fault(Fault::Binary));
        }
        let mut line = String::from_utf8(bytes).map_err(|_| self.fault(Fault::Binary))?;
        line.truncate(line.trim_end_matches(['\n', '\r']).len());
        if self.line == 1 && line.starts_with('\u{feff}') {
            line.remove(0);
        }
        Ok(Some(line))
    }

    fn put_back(&mut self, line: String) {
        self.line -= 1;
        self.ahead = Some(line);
    }

    fn kind(&self, first: &str) -> Kind {
        match self.format {
            Some(Format::Solvitaire | Format::Lonelybot) => Kind::Json,
            Some(Format::Pysol | Format::Pysol10 | Format::FcSolve) => Kind::Board,
            Some(Format::Klondike) => Kind::Plain,
            Some(Format::Picture) => Kind::Picture,
            Some(Format::KlondikeSolver) if pysol::starts_board(first) => Kind::Board,
            Some(_) => Kind::Line,
            None if first.starts_with('{') => Kind::Json,
            None if pysol::starts_board(first) => Kind::Board,
            None if picture::starts_picture(first) => Kind::Picture,
            None if plain::is_key_line(first) => Kind::Plain,
            None => Kind::Line,
        }
    }

    fn next_item(&mut self) -> Result<Option<Item>, ReadError> {
        let first = loop {
            match self.next_line()? {
                None => return Ok(None),
                Some(line) if is_nothing(&line) => {}
                Some(line) => break line,
            }
        };
        let line = Some(self.line);
        let kind = self.kind(first.trim());
        let mut block = Block::new(kind, self.piles);
        block.push(&first);
        while !block.complete() {
            let Some(next) = self.next_line()? else {
                break;
            };
            if block.ends_before(&next) {
                self.put_back(next);
                break;
            }
            block.push(&next);
            if block.text.len() > LIMIT {
                return Err(self.fault(Fault::TooLong));
            }
        }
        let text = block.text;
        Ok(Some(Item { line, text }))
    }
}

impl<R: BufRead> Iterator for Items<R> {
    type Item = Result<Item, ReadError>;

    /// The next text. After a bad one others may follow, but none after an error of the reader, or
    /// in a file that is no text.
    fn next(&mut self) -> Option<Result<Item, ReadError>> {
        if self.ended {
            return None;
        }
        let item = self.next_item().transpose();
        self.ended |= matches!(item, None | Some(Err(ReadError::Io(_))));
        if item.is_none() && !self.any {
            return Some(Err(ReadError::Format(Fault::Empty.into())));
        }
        self.any = true;
        item
    }
}

/// Whether a line between deals is skipped.
fn is_nothing(line: &str) -> bool {
    let line = line.trim();
    line.is_empty() || line.starts_with('#')
}

/// The lines of one deal, as far as they were read.
struct Block {
    kind: Kind,
    wanted_piles: usize,
    text: String,
    piles: usize,
    /// In JSON: the open braces and brackets, whether the last character is in a text, and whether
    /// it is a backslash there.
    depth: usize,
    in_text: bool,
    escaped: bool,
}

impl Block {
    fn new(kind: Kind, piles: usize) -> Block {
        Block {
            kind,
            wanted_piles: if kind == Kind::Board {
                pysol::PILES
            } else {
                piles
            },
            text: String::new(),
            piles: 0,
            depth: 0,
            in_text: false,
            escaped: false,
        }
    }

    fn push(&mut self, line: &str) {
        match self.kind {
            Kind::Json => self.count_braces(line),
            Kind::Board if !is_nothing(line) && !pysol::is_head(line) => self.piles += 1,
            Kind::Picture if picture::is_numbers(line) => self.piles = self.wanted_piles,
            Kind::Plain if plain::is_deal_line(line) => self.piles = self.wanted_piles,
            Kind::Plain if plain::is_pile_line(line) => self.piles += 1,
            _ => {}
        }
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn count_braces(&mut self, line: &str) {
        for c in line.chars() {
            match c {
                _ if self.escaped => self.escaped = false,
                '\\' if self.in_text => self.escaped = true,
                '"' => self.in_text = !self.in_text,
                '{' | '[' if !self.in_text => self.depth += 1,
                '}' | ']' if !self.in_text => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
        }
    }

    fn complete(&self) -> bool {
        match self.kind {
            Kind::Line => true,
            Kind::Json => self.depth == 0 && !self.in_text,
            Kind::Board => self.piles >= self.wanted_piles,
            Kind::Plain | Kind::Picture => false,
        }
    }

    /// Whether the block is complete without `line`.
    fn ends_before(&self, line: &str) -> bool {
        let blank = line.trim().is_empty();
        match self.kind {
            Kind::Board | Kind::Plain | Kind::Picture | Kind::Json
                if line.trim().parse::<DealId>().is_ok() =>
            {
                true
            }
            Kind::Board => blank || pysol::is_head(line) && self.piles > 0,
            Kind::Plain | Kind::Picture => blank && self.piles >= self.wanted_piles,
            Kind::Json => line.starts_with('{'),
            Kind::Line => false,
        }
    }
}

/// The number in a line `Game: N` of a Klondike-Solver deal file.
pub(super) fn game_number(line: &str) -> Option<&str> {
    let line = line.trim();
    let (head, rest) = line.split_at_checked(4)?;
    head.eq_ignore_ascii_case("game")
        .then(|| rest.trim_start_matches([':', '#', ' ', '\t']))
}

/// Reads an item of a Klondike-Solver deal file.
pub(super) fn read_klondike_solver(text: &str) -> Result<Deal, FormatError> {
    let first = text.lines().find(|line| !is_nothing(line));
    let first = first.unwrap_or_default().trim();
    if let Some(number) = game_number(first) {
        let scheme = Scheme::KlondikeSolver;
        return Ok(scheme.deal(&scheme.read_seed(number)?)?);
    }
    if pysol::starts_board(first) {
        return pysol::read(text);
    }
    line::read_deck_string(text)
}

/// Why the next deal of a file cannot be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// Reading failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The bytes are not a text of deals.
    #[error(transparent)]
    Format(#[from] FormatError),
}
