//! The start of a game from a text: a fresh deal or a position in mid-game.
//!
//! The command line reads everything that it plays here. [`Start::read`] tries the text as a deal;
//! if it shows a game in progress, and the format has positions, it reads the position, or the game
//! if the text has its moves. Cards that are not known are `??` in every format that has words for
//! cards.

use std::sync::Arc;

use crate::card::Card;
use crate::deal::Deal;
use crate::deal::format::file::Item;
use crate::deal::format::unknown::{Filled, fill};
use crate::deal::format::{Fault, Format, FormatError, picture};
use crate::rules::Rules;
use crate::table::picture::{Style, draw};
use crate::table::position::{
    PartlyKnown, PositionError, has_unknown, read_partly_known, read_position, write_position,
};
use crate::table::saved::{SavedGame, SavedGameError};
use crate::table::{Pile, Table, TableError};

/// Where a game starts.
///
/// ```
/// use std::sync::Arc;
/// use klondike_game::deal::format::file::Item;
/// use klondike_game::rules::{Deck, Layout, Rules};
/// use klondike_game::table::start::Start;
///
/// let rules = Rules::builder().deck(Deck::new(1, 3)?).layout(Layout::rectangle(1, 1)?);
/// let rules = Arc::new(rules.build()?);
/// let item = Item::from_text("foundations: C1\nwaste: 2C\n1: 3C\n".to_owned());
/// let start = Start::read(&item, item.format(None)?, &rules)?;
/// assert!(matches!(start, Start::Position(_)));
/// assert_eq!(start.table(&rules)?.foundation_count(), 1);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// A fresh deal.
    Deal(Deal),
    /// A position in mid-game.
    Position(Box<Table>),
    /// A game that was begun: the position after its moves.
    Game(Box<SavedGame>),
    /// A deal or position of which some cards are not known.
    Partly(Box<PartlyKnown>),
}

impl Start {
    /// Reads a deal or a position in this format; see [`Item::format`].
    ///
    /// # Errors
    /// If the text is neither of them in this format, or does not fit the rules. The error counts
    /// the lines of the whole file.
    pub fn read(item: &Item, format: Format, rules: &Arc<Rules>) -> Result<Start, StartError> {
        // A picture becomes our own text, with the lines of that.
        let picture = match format {
            Format::Picture => {
                let plain =
                    picture::to_plain(item.text(), rules.deck(), rules.layout().pile_count());
                Some(plain.map_err(|error| item.locate(error))?)
            }
            _ => None,
        };
        let (text, line) = match &picture {
            Some(text) => (text.as_str(), None),
            None => (item.text(), item.line()),
        };
        if matches!(format, Format::Klondike | Format::Picture) && has_unknown(text) {
            let read = read_partly_known(rules, text);
            let read = read.map_err(|error| error.in_text_from(line))?;
            return Ok(Start::Partly(Box::new(read)));
        }
        if !matches!(format, Format::Klondike | Format::Picture) {
            let filled = fill(format, item.text(), rules.deck());
            if let Some(filled) = filled.map_err(|error| item.locate(error))? {
                return Start::partly(item, format, rules, filled);
            }
        }
        let error = match item.read(format, rules.deck(), rules.layout()) {
            Ok(deal) => return Ok(Start::Deal(deal)),
            Err(error) => error,
        };
        if !matches!(error.fault(), Fault::MidGame(_)) {
            return Err(error.into());
        }
        let table = match format {
            Format::Klondike if SavedGame::looks_like(item.text()) => {
                let read = SavedGame::read(item.text());
                let game = read.and_then(|game| game.check_rules(rules).map(|()| game));
                let game = game.map_err(|error| error.in_text_from(item.line()))?;
                return Ok(Start::Game(Box::new(game)));
            }
            Format::Klondike | Format::Picture => {
                let read = read_position(rules, text);
                read.map_err(|error| error.in_text_from(line))?
            }
            #[cfg(feature = "formats")]
            Format::Solvitaire | Format::Lonelybot => {
                let read = super::solvitaire::read_solvitaire(item.text(), rules.deck());
                let parts = read.map_err(|error| item.locate(error))?;
                let position = Table::from_parts(Arc::clone(rules), parts);
                let position = position.map_err(PositionError::from);
                position.map_err(|error| error.in_text_from(item.line()))?
            }
            _ => return Err(error.into()),
        };
        Ok(Start::Position(Box::new(table)))
    }

    /// Reads a text whose unknown cards are filled in.
    fn partly(
        item: &Item,
        format: Format,
        rules: &Arc<Rules>,
        Filled { text, unknown }: Filled,
    ) -> Result<Start, StartError> {
        let start = Start::read(&item.with_text(text), format, rules)?;
        let table = start.table(rules).map_err(PositionError::from)?;
        let is_unknown = |card: &Card| unknown.contains(*card);
        let face_up = |pile: &Pile| pile.face_up().iter().any(is_unknown);
        if let Some(pile) = table.piles().iter().position(face_up) {
            let error = FormatError::from(Fault::UnknownFaceUp(pile + 1));
            return Err(item.locate(error).into());
        }
        let in_waste = table.waste().iter().filter(|card| is_unknown(card)).count();
        let unknown_talon = in_waste + table.stock().filter(is_unknown).count();
        Ok(Start::Partly(Box::new(PartlyKnown {
            table,
            unknown,
            unknown_talon,
        })))
    }

    /// Writes it in this format.
    ///
    /// # Errors
    /// If the format cannot hold it: most hold fresh deals only, and those of other programs have
    /// no sign for cards that are not known.
    pub fn write(&self, format: Format) -> Result<String, WriteError> {
        let text = match (self, format) {
            (Start::Deal(deal), _) => return format.write(deal).map_err(WriteError::Format),
            (Start::Partly(partly), _) => {
                let holds = |format: &Format| partly.write(*format).is_some();
                let others = || Format::ALL.into_iter().filter(holds).collect();
                let error = || WriteError::Unknown {
                    format,
                    others: others(),
                };
                return partly.write(format).ok_or_else(error);
            }
            (Start::Position(table), _) => write_mid_game(table, format),
            (Start::Game(game), _) => write_mid_game(game.table(), format),
        };
        text.ok_or(WriteError::MidGame(format))
    }

    /// The table as the game starts; where cards are not known, one that is possible.
    ///
    /// # Errors
    /// If deck or layout of a deal are not those of the rules. A position has been checked.
    pub fn table(&self, rules: &Arc<Rules>) -> Result<Table, TableError> {
        match self {
            Start::Deal(deal) => Table::new(Arc::clone(rules), deal),
            Start::Position(table) => Ok(Table::clone(table)),
            Start::Game(game) => Ok(game.table().clone()),
            Start::Partly(partly) => Ok(partly.table.clone()),
        }
    }
}

/// Writes a position in mid-game, if the format can hold it.
fn write_mid_game(table: &Table, format: Format) -> Option<String> {
    match format {
        Format::Klondike => Some(write_position(table)),
        Format::Picture => Some(draw(table, Style::default().thoughtful(true))),
        #[cfg(feature = "formats")]
        Format::Solvitaire => super::solvitaire::write_solvitaire(table),
        _ => None,
    }
}

/// Why a deal or position cannot be written in a format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum WriteError {
    /// The format does not hold such a deal.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The format holds fresh deals only.
    #[error("the format {0} cannot hold this game in progress; the format klondike can")]
    MidGame(Format),
    /// The format has no sign for unknown cards, or not for those of a game in progress.
    #[error(
        "the format {format} cannot hold the cards that are not known here (`??`); \
         these can: {}",
        names(others)
    )]
    Unknown {
        /// The format.
        format: Format,
        /// Those that can hold the cards.
        others: Vec<Format>,
    },
}

fn names(formats: &[Format]) -> String {
    let names: Vec<&str> = formats.iter().map(|format| format.name()).collect();
    names.join(", ")
}

/// Why a text is not the start of a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum StartError {
    /// The text is not a deal, and shows no game in progress.
    #[error(transparent)]
    Deal(#[from] FormatError),
    /// The text shows a game in progress, but is not a position of the rules.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// The text is of a game that was begun, but wrong.
    #[error(transparent)]
    Game(#[from] SavedGameError),
}

impl StartError {
    /// The line at fault, counted from 1. `None` if the fault is not in one line.
    #[must_use]
    pub fn line(&self) -> Option<usize> {
        match self {
            StartError::Deal(error) => error.line(),
            StartError::Position(error) => error.line(),
            StartError::Game(_) => None,
        }
    }

    /// How to mend the text; `None` if the message says it itself.
    #[must_use]
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            StartError::Deal(error) => error.fault().hint(),
            StartError::Position(_) | StartError::Game(_) => None,
        }
    }
}
