//! Deals as texts, in the formats of this program, of Solvitaire, lonelybot, Klondike-Solver,
//! MinimalKlondike, PySol, Freecell Solver and Microsoft Solitaire Collection.
//!
//! [`Format::read`] and [`Format::write`] are for one deal in a known format, [`parse_any`]
//! recognises the format itself, and [`file::Items`] takes a file or stream of many deals apart.
//! None of them panics on any input. Every error is one line and says where in the text it is.
//!
//! A text that shows a game in progress is not a deal ([`Fault::MidGame`]). Positions are read in
//! the table.
//!
//! ```
//! use klondike_game::deal::format::{Format, parse_any};
//! use klondike_game::rules::{Deck, Layout};
//!
//! let text = "stock: 3C\n1: AC\n2: <4C> 2C\n";
//! let (format, deal) = parse_any(text, Deck::new(1, 4)?, &Layout::triangle(2)?)?;
//! assert_eq!(format, Format::Klondike);
//! assert_eq!(Format::RowOrder.write(&deal)?, "AC 4C 2C | 3C\n");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod error;
pub mod file;
mod line;
pub(crate) mod picture;
pub(crate) mod places;
mod plain;
mod pysol;
#[cfg(feature = "formats")]
pub(crate) mod solvitaire;
pub(crate) mod unknown;

use std::fmt;
use std::str::FromStr;

use crate::card::Card;
use crate::deal::Deal;
use crate::deal::seed::{DealId, Scheme, looks_like_seed};
use crate::rules::{Deck, Layout};

pub use error::{Fault, FormatError, UnknownFormat};
pub use places::Place;

/// A way to write a deal down.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Our own text, for every deck and layout: a line `stock: 3H TD …` (first drawn first) and a
    /// line `2: <3D> 6C` for each pile, bottom to top, face-down cards in `<>`.
    ///
    /// `#` starts a comment. It is the plain text of a position before the first move.
    Klondike,
    /// The picture that `klondike deal` prints: stock, waste, foundations, and the piles as columns
    /// below their numbers. For every deck and layout.
    Picture,
    /// All cards in one line in the order in which they are dealt: the tableau row by row, then
    /// the stock, first drawn first. A `|` may stand between. For every deck and layout.
    RowOrder,
    /// Solvitaire's JSON. The last card of `stock` is drawn first; a suit in lower case is a card
    /// face down. Needs the cargo feature `formats`.
    Solvitaire,
    /// What lonelybot's `lonecli print` prints: Solvitaire's JSON with a key `foundation`. Needs
    /// the cargo feature `formats`.
    Lonelybot,
    /// 156 digits, three to a card, in row order: Klondike-Solver's and MinimalKlondike's deck.
    DeckString,
    /// MinimalKlondike's cards in one line: the piles bottom to top, then the stock with the card
    /// drawn first *last*. It looks like [`Format::RowOrder`], so it is never recognised.
    MinimalKlondike,
    /// The board of PySol and Klondike-Solver: a line `Talon: …` and a line for each pile.
    Pysol,
    /// [`Format::Pysol`] with `10` instead of `T`.
    Pysol10,
    /// [`Format::Pysol`] with `: ` before each pile, as Freecell Solver's tools write it.
    /// Klondike-Solver reads it with every kind of line end.
    FcSolve,
    /// An item of Klondike-Solver's deal files: `Game: N` (one of its seeds), the board of
    /// [`Format::Pysol`] or the digits of [`Format::DeckString`], which is what is written.
    KlondikeSolver,
    /// `SCHEME:N`, a deal by its seed. It is written as a number of the scheme `exact`.
    Seed,
    /// The number of the scheme [`Scheme::Exact`], with or without `exact:` before it.
    Exact,
    /// The number of the scheme [`Scheme::Microsoft`], with or without `microsoft:` before it.
    Microsoft,
}

impl Format {
    /// All formats, ours first.
    pub const ALL: [Format; 14] = [
        Format::Klondike,
        Format::Picture,
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
            Format::Picture => "picture",
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
            Format::Picture => "what `klondike deal` prints, for every deck and layout",
            Format::RowOrder => "all cards in a line, tableau row by row, then the stock",
            Format::Solvitaire => "JSON of Solvitaire",
            Format::Lonelybot => "JSON that lonelybot prints",
            Format::DeckString => "156 digits of Klondike-Solver and MinimalKlondike",
            Format::MinimalKlondike => "cards in a line, pile by pile (never recognised)",
            Format::Pysol => "board of PySol and Klondike-Solver",
            Format::Pysol10 => "the same with 10 instead of T",
            Format::FcSolve => "the same with `: ` before each pile",
            Format::KlondikeSolver => "item of a Klondike-Solver deal file",
            Format::Seed => "SCHEME:N, such as solvitaire:22",
            Format::Exact => "lonelybot's number of the permutation",
            Format::Microsoft => "number in the log of Microsoft Solitaire Collection",
        }
    }

    /// Whether this build reads and writes the format. It does not if the format needs the cargo
    /// feature `formats` and that is off.
    #[must_use]
    pub const fn is_available(self) -> bool {
        let is_json = matches!(self, Format::Solvitaire | Format::Lonelybot);
        !is_json || cfg!(feature = "formats")
    }

    /// Whether the format can hold deals of 52 cards and piles of 1 to 7 only.
    ///
    /// [`Format::Seed`] reads other deals too, but writes only these.
    #[must_use]
    pub const fn standard_only(self) -> bool {
        !matches!(
            self,
            Format::Klondike
                | Format::Picture
                | Format::RowOrder
                | Format::Solvitaire
                | Format::Seed
        )
    }

    /// The format that the beginning of a text looks like; `None` if it looks like none.
    ///
    /// A line of cards is [`Format::RowOrder`], never [`Format::MinimalKlondike`].
    ///
    /// ```
    /// use klondike_game::deal::format::Format;
    ///
    /// assert_eq!(Format::detect("solvitaire:3"), Some(Format::Seed));
    /// assert_eq!(Format::detect("Talon: 3H TD 2D"), Some(Format::Pysol));
    /// assert_eq!(Format::detect("3H TD 2D"), Some(Format::RowOrder));
    /// assert_eq!(Format::detect("a letter"), None);
    /// ```
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
        if picture::starts_picture(first) {
            return Some(Format::Picture);
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
        let is_card = word == "??" || word.parse::<Card>().is_ok();
        is_card.then_some(Format::RowOrder)
    }

    /// Reads one deal.
    ///
    /// The text does not name deck and layout; the deal must have these.
    ///
    /// # Errors
    /// If the text is not such a deal in this format, or the format needs the cargo feature
    /// `formats` and that is off.
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
            Format::Picture => {
                let text = picture::to_plain(text, deck, layout.pile_count())?;
                // The lines of that text are not those of the picture.
                plain::read(&text, deck, layout).map_err(FormatError::without_line)
            }
            Format::RowOrder => line::read_row_order(text, deck, layout),
            #[cfg(feature = "formats")]
            Format::Solvitaire | Format::Lonelybot => solvitaire::read(self, text, deck, layout),
            #[cfg(not(feature = "formats"))]
            Format::Solvitaire | Format::Lonelybot => Err(Fault::Off(self).into()),
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
    /// If the format holds only deals of 52 cards and piles of 1 to 7 and this is another, or the
    /// format needs the cargo feature `formats` and that is off.
    pub fn write(self, deal: &Deal) -> Result<String, FormatError> {
        let standard = is_standard(deal.deck(), deal.layout());
        if (self.standard_only() || self == Format::Seed) && !standard {
            return Err(Fault::StandardOnly(self).into());
        }
        Ok(match self {
            Format::Klondike => plain::write(deal),
            Format::Picture => picture::write(deal),
            Format::RowOrder => line::write_row_order(deal),
            #[cfg(feature = "formats")]
            Format::Solvitaire => solvitaire::write(deal),
            #[cfg(feature = "formats")]
            Format::Lonelybot => solvitaire::write_lonelybot(deal),
            #[cfg(not(feature = "formats"))]
            Format::Solvitaire | Format::Lonelybot => return Err(Fault::Off(self).into()),
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

/// Reads one deal in any format that can be recognised, and says which one it is.
///
/// # Errors
/// If the text looks like no format, or is wrong in the format that it looks like.
pub fn parse_any(text: &str, deck: Deck, layout: &Layout) -> Result<(Format, Deal), FormatError> {
    let format = detect_or_fault(text)?;
    Ok((format, format.read(text, deck, layout)?))
}

/// [`Format::detect`], or why the text has no format.
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
    deck == Deck::FULL && layout.is_standard()
}

fn read_number(scheme: Scheme, text: &str) -> Result<Deal, FormatError> {
    let text = text.trim();
    let number = text
        .strip_prefix(scheme.name())
        .and_then(|rest| rest.strip_prefix(':'))
        .unwrap_or(text);
    Ok(scheme.deal(&scheme.read_seed(number)?)?)
}

fn write_number(scheme: Scheme, deal: &Deal) -> String {
    let seed = scheme
        .seed_of(deal)
        .expect("a standard deal, checked, in a scheme that numbers all");
    format!("{scheme}:{seed}\n")
}

/// Our own text of a deal, with a line feed at the end.
pub(super) fn plain_text(deal: &Deal) -> String {
    plain::write(deal)
}

/// The start of a text, to be shown in an error.
fn short(text: &str) -> String {
    text.chars().take(40).collect()
}
