//! What can be wrong with the text of a deal, and where.

use std::fmt;

use crate::card::{Card, ParseCardError};
use crate::deal::DealError;
use crate::deal::format::{Format, Place};
use crate::deal::seed::SeedError;

/// There is no format with this name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "there is no deal format `{}`; known: {}",
    .0.escape_debug(),
    Format::ALL.map(Format::name).join(" ")
)]
pub struct UnknownFormat(pub(super) String);

/// Why a text is not a deal, and where in it.
///
/// The message is one line: the line of the text, the place of the card and the fault, as far as
/// they are known. The [`source`](std::error::Error::source) is the [`Fault`].
///
/// ```
/// use klondike_game::deal::format::{Fault, Format, Place};
/// use klondike_game::rules::{Deck, Layout};
///
/// let text = "stock: 3C\n1: AC\n2: <4C> 2X\n";
/// let read = Format::Klondike.read(text, Deck::new(1, 4)?, &Layout::triangle(2)?);
/// let error = read.unwrap_err();
/// assert_eq!(error.line(), Some(3));
/// assert_eq!(error.place(), Some(Place::Pile { pile: 2, card: 2 }));
/// assert!(matches!(error.fault(), Fault::Card(_)));
/// assert!(error.to_string().starts_with("line 3: pile 2, card 2: `2X` is not a card"));
/// # Ok::<(), klondike_game::rules::RulesError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct FormatError {
    line: Option<usize>,
    place: Option<Place>,
    #[source]
    fault: Box<Fault>,
}

impl FormatError {
    /// This fault of a card in this line and place.
    pub(crate) fn of_card(
        fault: impl Into<Fault>,
        line: Option<usize>,
        place: Place,
    ) -> FormatError {
        FormatError {
            line,
            place: Some(place),
            fault: Box::new(fault.into()),
        }
    }

    /// The line at fault, counted from 1. `None` if the fault is not in one line.
    #[must_use]
    pub fn line(&self) -> Option<usize> {
        self.line
    }

    /// The place of the card at fault. `None` if the fault is not in one card.
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

    /// The same error of a text as a whole.
    pub(super) fn without_line(mut self) -> FormatError {
        self.line = None;
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

/// What is wrong with a text that should be a deal.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Fault {
    /// The text holds no deal at all.
    #[error("no deal in it: it is empty")]
    Empty,
    /// Bytes that are not UTF-8 text.
    #[error("not a text in UTF-8 but binary data")]
    Binary,
    /// A single deal of more than a million bytes.
    #[error("more than a million bytes for one deal")]
    TooLong,
    /// A text that looks like no format; it starts like this.
    #[error("`{}` is not a deal in any known format", .0.escape_debug())]
    Unknown(String),
    /// A number without the scheme that it belongs to.
    #[error(
        "the number `{0}` does not say what it is: \
         write SCHEME:N, such as klondike:3 or solvitaire:3 (a deck string has 156 digits)"
    )]
    BareNumber(String),
    /// Not the JSON it should be; the text says why.
    #[error("not the JSON of a deal: {0}")]
    Json(String),
    /// Not a card.
    #[error(transparent)]
    Card(#[from] ParseCardError),
    /// A card that stood before.
    #[error(
        "the card {card} stands twice, first in {}{place}",
        .line.map_or_else(String::new, |line| format!("line {line}, "))
    )]
    Twice {
        /// The card.
        card: Card,
        /// Line of the first one, if the text has several.
        line: Option<usize>,
        /// Place of the first one.
        place: Place,
    },
    /// The cards are not those of the deck.
    #[error(transparent)]
    Deal(#[from] DealError),
    /// The text looks like a seed but is not one.
    #[error(transparent)]
    Seed(#[from] SeedError),
    /// The format is for 52 cards and piles of 1 to 7 only.
    #[error(
        "the format {0} is for 52 cards and piles 1,2,3,4,5,6,7 only; \
         the format klondike holds every deal"
    )]
    StandardOnly(Format),
    /// A game in progress; the text says what shows it.
    #[error("a game in progress, not a fresh deal: {0}")]
    MidGame(String),
    /// The number of unknown cards is not that of the cards that the text does not name.
    #[error(
        "the number of unknown cards (`??`) is {places}, \
         but the number of cards that lie nowhere else is {cards}"
    )]
    UnknownCards {
        /// Unknown cards in the text.
        places: usize,
        /// Cards that it does not name.
        cards: usize,
    },
    /// An unknown card lies where every card is face up.
    #[error("pile {0} has an unknown card (`??`) that is face up: write the card")]
    UnknownFaceUp(usize),
    /// The format is a number of a deal, which has no unknown cards.
    #[error(
        "the format {0} cannot hold cards that are not known; with unknown cards use `advise`, \
         and write the deal in the format klondike, with `??` for each of them"
    )]
    NoUnknownCards(Format),
    /// The text breaks a rule of the format in another way; the message names it.
    #[error("{0}")]
    Syntax(String),
    /// The format needs the cargo feature `formats`, which this build does not have.
    #[error(
        "the format {0} is off in this build: build the crate with its cargo feature `formats`"
    )]
    Off(Format),
}

impl Fault {
    /// How to mend a text with this fault, in a few words that begin with a verb. `None` if the
    /// message says it itself.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        const WRITE_A_DEAL: &str = "write a seed such as solvitaire:3, or all 52 cards, such as \
            `stock: 3H TD ...` and a line `1: 8H`, `2: <3D> 6C` for each pile";
        match self {
            Fault::Empty | Fault::Unknown(_) => Some(WRITE_A_DEAL),
            Fault::Binary | Fault::TooLong => Some("give the text of one deal"),
            Fault::Json(_) => Some(
                "write {\"tableau piles\": [[\"8H\"], [\"3d\", \"6C\"], ...], \"stock\": [...]} \
                 with the card drawn first last",
            ),
            Fault::Twice { .. } | Fault::Deal(_) => Some("write each card of the deck once"),
            Fault::MidGame(_) => Some("read it as a position, or write the deal before play"),
            Fault::BareNumber(_)
            | Fault::Card(_)
            | Fault::Seed(_)
            | Fault::StandardOnly(_)
            | Fault::Off(_)
            | Fault::UnknownCards { .. }
            | Fault::UnknownFaceUp(_)
            | Fault::NoUnknownCards(_)
            | Fault::Syntax(_) => None,
        }
    }

    /// The hint as the end of a message.
    pub(in crate::deal) fn then_hint(&self) -> String {
        self.hint()
            .map_or_else(String::new, |hint| format!("; {hint}"))
    }
}
