//! Deals as texts, in the formats of this program and of its peers.
//!
//! [`Format::read`] and [`Format::write`] are for one deal in a known format, [`parse_any`] finds
//! out the format itself, and [`file::Items`] takes a file or stream of many deals apart. None of them
//! panics on any input; every error is one line and says where in the text it is.
//!
//! A text that shows a game in progress is no deal and refused as such ([`Fault::MidGame`]); the
//! readers of positions are above, with the table.

pub mod file;
mod line;
pub(crate) mod places;
mod plain;
mod pysol;
pub(crate) mod solvitaire;

use std::fmt;
use std::str::FromStr;

use crate::card::{Card, ParseCardError};
use crate::deal::seed::{DealId, Scheme, SeedError, looks_like_seed};
use crate::deal::{Deal, DealError};
use crate::rules::{Deck, Layout};

pub use places::Place;

/// A way to write a deal down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Our own text, for every deck and layout: a line `stock: 3H TD …` (the card drawn first
    /// first) and a line `2: <3D> 6C` for each pile, bottom to top, face-down cards in `<>`.
    ///
    /// `#` starts a comment. It is the plain text of a position that has not been played yet.
    Klondike,
    /// All cards in one line in the order in which they are dealt: the tableau row by row, then
    /// the stock, first drawn first; a `|` may stand between. For every deck and layout.
    RowOrder,
    /// Solvitaire's JSON. The last card of `stock` is drawn first; a suit in lower case is a card
    /// face down.
    Solvitaire,
    /// What lonelybot's `lonecli print` prints: Solvitaire's JSON with a key `foundation`.
    Lonelybot,
    /// 156 digits, three to a card, in row order: Klondike-Solver's and MinimalKlondike's deck.
    DeckString,
    /// MinimalKlondike's cards in one line: the piles bottom to top, then the stock with the card
    /// drawn first *last*. It looks just like [`Format::RowOrder`], so it is never guessed.
    MinimalKlondike,
    /// The board of PySol and Klondike-Solver: a line `Talon: …` and a line for each pile.
    Pysol,
    /// [`Format::Pysol`] with `10` instead of `T`.
    Pysol10,
    /// [`Format::Pysol`] with `: ` before each pile, as Freecell Solver's tools write it. This
    /// is the one that Klondike-Solver reads whatever the line ends are.
    FcSolve,
    /// An item of Klondike-Solver's deal files: `Game: N` (one of its seeds), the board of
    /// [`Format::Pysol`] or the digits of [`Format::DeckString`], which is what is written.
    KlondikeSolver,
    /// `SCHEME:N`, a deal by its seed. Written as a number of the scheme `exact`.
    Seed,
    /// The number of the scheme [`Scheme::Exact`], with or without `exact:` before it.
    Exact,
    /// The number of the scheme [`Scheme::Microsoft`], with or without `microsoft:` before it.
    Microsoft,
}

impl Format {
    /// All formats, ours first.
    pub const ALL: [Format; 13] = [
        Format::Klondike,
        Format::RowOrder,
        Format::Solvitaire,
        Format::Lonelybot,
        Format::DeckString,
        Format::MinimalKlondike,
        Format::Pysol,
        Format::Pysol10,
        Format::FcSolve,
        Format::KlondikeSolver,
        Format::Seed,
        Format::Exact,
        Format::Microsoft,
    ];

    /// The name that [`FromStr`] reads and [`Display`](fmt::Display) writes.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Format::Klondike => "klondike",
            Format::RowOrder => "row-order",
            Format::Solvitaire => "solvitaire",
            Format::Lonelybot => "lonelybot",
            Format::DeckString => "deck-string",
            Format::MinimalKlondike => "minimal-klondike",
            Format::Pysol => "pysol",
            Format::Pysol10 => "pysol-10",
            Format::FcSolve => "fc-solve",
            Format::KlondikeSolver => "klondike-solver",
            Format::Seed => "seed",
            Format::Exact => "exact",
            Format::Microsoft => "microsoft",
        }
    }

    /// What the format is, in a few words.
    #[must_use]
    pub const fn about(self) -> &'static str {
        match self {
            Format::Klondike => "our own text, for every deck and layout",
            Format::RowOrder => "all cards in a line, tableau row by row, then the stock",
            Format::Solvitaire => "JSON of Solvitaire",
            Format::Lonelybot => "JSON that lonelybot prints",
            Format::DeckString => "156 digits of Klondike-Solver and MinimalKlondike",
            Format::MinimalKlondike => "cards in a line, pile by pile (never guessed)",
            Format::Pysol => "board of PySol and Klondike-Solver",
            Format::Pysol10 => "the same with 10 instead of T",
            Format::FcSolve => "the same with `: ` before each pile",
            Format::KlondikeSolver => "item of a Klondike-Solver deal file",
            Format::Seed => "SCHEME:N, such as solvitaire:22",
            Format::Exact => "lonelybot's number of the permutation",
            Format::Microsoft => "number in the log of Microsoft Solitaire Collection",
        }
    }

    /// Whether the format can hold deals of 52 cards and piles of 1 to 7 only.
    ///
    /// [`Format::Seed`] reads other deals too, but writes only these.
    #[must_use]
    pub const fn standard_only(self) -> bool {
        !matches!(
            self,
            Format::Klondike | Format::RowOrder | Format::Solvitaire | Format::Seed
        )
    }

    /// The format that a text seems to be in, by its first signs; `None` if it is like none.
    ///
    /// A line of cards is taken as [`Format::RowOrder`], never as [`Format::MinimalKlondike`].
    #[must_use]
    pub fn detect(text: &str) -> Option<Format> {
        let text = text.trim_start_matches('\u{feff}').trim();
        let first = text
            .lines()
            .map(str::trim)
            .find(|line| !line.is_empty() && !line.starts_with('#'))?;
        if first.starts_with('{') {
            let lonelybot = text.contains("\"foundation\"");
            return Some(if lonelybot {
                Format::Lonelybot
            } else {
                Format::Solvitaire
            });
        }
        if pysol::starts_board(first) {
            return Some(pysol::detect(text));
        }
        if plain::is_key_line(first) {
            return Some(Format::Klondike);
        }
        if file::game_number(first).is_some() {
            return Some(Format::KlondikeSolver);
        }
        if looks_like_seed(first) {
            return Some(Format::Seed);
        }
        if line::is_deck_string(first) {
            return Some(Format::DeckString);
        }
        let word = first.trim_start_matches('|').trim_start();
        let word = word.split([' ', '\t', '|']).next()?;
        word.parse::<Card>().ok().map(|_| Format::RowOrder)
    }

    /// Reads one deal.
    ///
    /// `deck` and `layout` say what the deal must be like; the text does not.
    ///
    /// # Errors
    /// If the text is not such a deal in this format.
    pub fn read(self, text: &str, deck: Deck, layout: &Layout) -> Result<Deal, FormatError> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        if text.contains('\0') {
            return Err(Fault::Binary.into());
        }
        if text.trim().is_empty() {
            return Err(Fault::Empty.into());
        }
        if self.standard_only() && !is_standard(deck, layout) {
            return Err(Fault::StandardOnly(self).into());
        }
        match self {
            Format::Klondike => plain::read(text, deck, layout),
            Format::RowOrder => line::read_row_order(text, deck, layout),
            Format::Solvitaire | Format::Lonelybot => solvitaire::read(self, text, deck, layout),
            Format::DeckString => line::read_deck_string(text),
            Format::MinimalKlondike => line::read_minimal_klondike(text),
            Format::Pysol | Format::Pysol10 | Format::FcSolve => pysol::read(text),
            Format::KlondikeSolver => file::read_klondike_solver(text),
            Format::Seed => Ok(text.trim().parse::<DealId>()?.deal(deck, layout)?),
            Format::Exact => read_number(Scheme::Exact, text),
            Format::Microsoft => read_number(Scheme::Microsoft, text),
        }
    }

    /// Writes one deal; the text ends with a line feed.
    ///
    /// # Errors
    /// If the format holds only deals of 52 cards and piles of 1 to 7 and this is another.
    pub fn write(self, deal: &Deal) -> Result<String, FormatError> {
        let standard = is_standard(deal.deck(), &deal.layout());
        if (self.standard_only() || self == Format::Seed) && !standard {
            return Err(Fault::StandardOnly(self).into());
        }
        Ok(match self {
            Format::Klondike => plain::write(deal),
            Format::RowOrder => line::write_row_order(deal),
            Format::Solvitaire => solvitaire::write(deal),
            Format::Lonelybot => solvitaire::write_lonelybot(deal),
            Format::DeckString | Format::KlondikeSolver => line::write_deck_string(deal),
            Format::MinimalKlondike => line::write_minimal_klondike(deal),
            Format::Pysol | Format::Pysol10 | Format::FcSolve => pysol::write(self, deal),
            Format::Seed | Format::Exact => write_number(Scheme::Exact, deal),
            Format::Microsoft => write_number(Scheme::Microsoft, deal),
        })
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(text: &str) -> Result<Format, UnknownFormat> {
        Format::ALL
            .into_iter()
            .find(|format| format.name() == text)
            .ok_or_else(|| UnknownFormat(short(text)))
    }
}

/// There is no format with this name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownFormat(String);

impl fmt::Display for UnknownFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "there is no deal format `{}`; known:",
            self.0.escape_debug()
        )?;
        for format in Format::ALL {
            write!(f, " {format}")?;
        }
        Ok(())
    }
}

impl std::error::Error for UnknownFormat {}

/// Reads one deal in whatever format it is.
///
/// # Errors
/// If the text is like no format, or wrong in the one it is like.
pub fn parse_any(text: &str, deck: Deck, layout: &Layout) -> Result<(Format, Deal), FormatError> {
    let format = detect_or_fault(text)?;
    Ok((format, format.read(text, deck, layout)?))
}

/// [`Format::detect`], or the reason why there is nothing to detect.
pub(crate) fn detect_or_fault(text: &str) -> Result<Format, FormatError> {
    if text.contains('\0') {
        return Err(Fault::Binary.into());
    }
    if text.trim_matches('\u{feff}').trim().is_empty() {
        return Err(Fault::Empty.into());
    }
    Format::detect(text).ok_or_else(|| {
        let line = text.lines().find(|line| !line.trim().is_empty());
        let line = line.unwrap_or_default().trim();
        let digits = !line.is_empty() && line.bytes().all(|b| b.is_ascii_digit());
        FormatError::from(if digits {
            Fault::BareNumber(short(line))
        } else {
            Fault::Unknown(short(line))
        })
    })
}

fn is_standard(deck: Deck, layout: &Layout) -> bool {
    deck == Deck::FULL && layout.heights() == [1, 2, 3, 4, 5, 6, 7]
}

fn read_number(scheme: Scheme, text: &str) -> Result<Deal, FormatError> {
    let text = text.trim();
    let number = text
        .strip_prefix(scheme.name())
        .and_then(|rest| rest.strip_prefix(':'))
        .unwrap_or(text);
    Ok(scheme.deal(&number.parse()?)?)
}

fn write_number(scheme: Scheme, deal: &Deal) -> String {
    let seed = scheme
        .seed_of(deal)
        .expect("a standard deal, checked, in a scheme that numbers all");
    format!("{scheme}:{seed}\n")
}

/// Why a text is not a deal, and where in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FormatError {
    line: Option<usize>,
    place: Option<Place>,
    fault: Box<Fault>,
}

impl FormatError {
    /// The line at fault, counted from 1, if it is one line's.
    #[must_use]
    pub fn line(&self) -> Option<usize> {
        self.line
    }

    /// The card at fault, if it is one card's.
    #[must_use]
    pub fn place(&self) -> Option<Place> {
        self.place
    }

    /// What is wrong.
    #[must_use]
    pub fn fault(&self) -> &Fault {
        &self.fault
    }

    /// The same error in this line, unless it names one already.
    pub(crate) fn in_line(mut self, line: usize) -> FormatError {
        self.line.get_or_insert(line);
        self
    }

    /// The same error, whose text starts in line `start` of something larger.
    pub(crate) fn in_text_from(mut self, start: usize) -> FormatError {
        self.line = Some(self.line.unwrap_or(1) + start - 1);
        if let Fault::Twice {
            line: Some(line), ..
        } = &mut *self.fault
        {
            *line += start - 1;
        }
        self
    }

    pub(crate) fn at(mut self, place: Place) -> FormatError {
        self.place = Some(place);
        self
    }
}

impl<F: Into<Fault>> From<F> for FormatError {
    fn from(fault: F) -> FormatError {
        FormatError {
            line: None,
            place: None,
            fault: Box::new(fault.into()),
        }
    }
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        if let Some(place) = self.place {
            write!(f, "{place}: ")?;
        }
        self.fault.fmt(f)
    }
}

impl std::error::Error for FormatError {}

/// What is wrong with a text that should be a deal.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Fault {
    /// There is no deal at all.
    Empty,
    /// Bytes that are no UTF-8 text.
    Binary,
    /// A single deal of more than a million bytes.
    TooLong,
    /// A text like no format; it starts like this.
    Unknown(String),
    /// A number without the scheme that it belongs to.
    BareNumber(String),
    /// Not the JSON it should be; the text says why.
    Json(String),
    /// Not a card.
    Card(ParseCardError),
    /// A card that stood before.
    Twice {
        /// The card.
        card: Card,
        /// Line of the first one, if the text has several.
        line: Option<usize>,
        /// Place of the first one.
        place: Place,
    },
    /// The cards are not those of the deck.
    Deal(DealError),
    /// What should be a seed is none.
    Seed(SeedError),
    /// The format is for 52 cards and piles of 1 to 7 only.
    StandardOnly(Format),
    /// A game in progress; the text says by what that can be seen.
    MidGame(String),
    /// Something else is not as the format has it; the text says what.
    Syntax(String),
}

impl From<ParseCardError> for Fault {
    fn from(error: ParseCardError) -> Fault {
        Fault::Card(error)
    }
}

impl From<DealError> for Fault {
    fn from(error: DealError) -> Fault {
        Fault::Deal(error)
    }
}

impl From<SeedError> for Fault {
    fn from(error: SeedError) -> Fault {
        Fault::Seed(error)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Empty => f.write_str("no deal in it: it is empty"),
            Fault::Binary => f.write_str("not a text in UTF-8 but binary data"),
            Fault::TooLong => f.write_str("more than a million bytes for one deal"),
            Fault::Unknown(text) => write!(
                f,
                "`{}` is not a deal in any known format",
                text.escape_debug()
            ),
            Fault::BareNumber(text) => write!(
                f,
                "the number `{text}` does not say what it is: write SCHEME:N, such as exact:N (a deck string has 156 digits)"
            ),
            Fault::Json(text) => write!(f, "not the JSON of a deal: {text}"),
            Fault::Card(error) => error.fmt(f),
            Fault::Twice { card, line, place } => {
                write!(f, "the card {card} stands twice, first in ")?;
                if let Some(line) = line {
                    write!(f, "line {line}, ")?;
                }
                place.fmt(f)
            }
            Fault::Deal(error) => error.fmt(f),
            Fault::Seed(error) => error.fmt(f),
            Fault::StandardOnly(format) => write!(
                f,
                "the format {format} is for 52 cards and piles 1,2,3,4,5,6,7 only; the format klondike holds every deal"
            ),
            Fault::MidGame(text) => {
                write!(f, "a game in progress, not a fresh deal: {text}")
            }
            Fault::Syntax(text) => f.write_str(text),
        }
    }
}

/// The start of a text, to be shown in an error.
fn short(text: &str) -> String {
    text.chars().take(40).collect()
}
