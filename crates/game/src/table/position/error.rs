//! What can be wrong with the text of a position, and where.

use std::fmt;

use crate::card::{Card, ParseCardError};
use crate::table::{PileIndex, TableError};

/// Why a text is not a position, and where.
///
/// The message is one line: the line of the text, if the fault is in one, and what is wrong.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct PositionError {
    line: Option<usize>,
    #[source]
    reason: Reason,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Reason {
    #[error(
        "`{}` has no colon; write for example `stock: 7S 2C` or `2: <3C> 9S`",
        .0.escape_debug()
    )]
    NoKey(String),
    #[error("`{}` stands twice", .0.escape_debug())]
    Twice(String),
    #[error(
        "`{}` is neither a pile (1 to {piles}) \
         nor foundations, waste, stock, redeals, last pass or double move",
        .key.escape_debug()
    )]
    Key { key: String, piles: usize },
    #[error("`{}` is not a number of redeals", .0.escape_debug())]
    Number(String),
    #[error("`{}` is not `yes` or `no`", .0.escape_debug())]
    YesOrNo(String),
    #[error(transparent)]
    Card(#[from] ParseCardError),
    #[error(
        "`{}` is not a foundation: \
         write each suit once with its highest rank, such as C3 D0 HK",
        .0.escape_debug()
    )]
    Foundation(String),
    #[error("the face-down card {0} lies on a face-up one")]
    FaceDown(Card),
    #[error("pile {0} is missing; if it is empty, write `{0}:`")]
    NoPile(PileIndex),
    #[error("an unknown card (`??`) lies on a face-up one")]
    UnknownOnTop,
    #[error(
        "the number of unknown cards (`??`) is {places}, \
         but the number of cards that lie nowhere else is {cards}"
    )]
    Unknown { places: usize, cards: usize },
    #[error(transparent)]
    Table(#[from] TableError),
}

impl Reason {
    /// The error of a whole text.
    pub(super) fn of_text(self) -> PositionError {
        PositionError {
            line: None,
            reason: self,
        }
    }

    /// The error in this line, counted from 1.
    pub(super) fn in_line(self, line: usize) -> PositionError {
        PositionError {
            line: Some(line),
            reason: self,
        }
    }
}

impl PositionError {
    /// The line at fault, counted from 1. `None` if the fault is not in one line.
    #[must_use]
    pub fn line(&self) -> Option<usize> {
        self.line
    }

    /// The same error, whose text starts in line `start` of something larger, if it does.
    pub(in crate::table) fn in_text_from(mut self, start: Option<usize>) -> PositionError {
        if let Some(start) = start {
            self.line = Some(self.line.unwrap_or(1) + start - 1);
        }
        self
    }
}

impl From<TableError> for PositionError {
    fn from(error: TableError) -> PositionError {
        Reason::Table(error).of_text()
    }
}

impl fmt::Display for PositionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        self.reason.fmt(f)
    }
}
