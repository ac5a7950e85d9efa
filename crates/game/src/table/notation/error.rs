//! What can be wrong with a game in a notation.

use crate::card::Card;
use crate::table::notation::Notation;
use crate::table::{IllegalMove, PileIndex};

/// Why a text is not a game, or a game cannot be written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotationError {
    /// The notation has names for seven piles only.
    #[error(
        "the notation `{notation}` is for seven piles, but the game has {found}; use `klondike`"
    )]
    Piles {
        /// The notation.
        notation: Notation,
        /// Number of piles in the game.
        found: usize,
    },
    /// A token cannot be read or played.
    #[error("token {number} `{}`: {reason}", .token.escape_debug())]
    Token {
        /// Number of the token, counted from 1.
        number: usize,
        /// The token, cut after 40 characters.
        token: String,
        /// What is wrong with it.
        #[source]
        reason: Reason,
    },
    /// A move cannot be written.
    #[error("move {number}: {reason}")]
    Move {
        /// Number of the move, counted from 1.
        number: usize,
        /// What is wrong with it.
        #[source]
        reason: Reason,
    },
    /// Not the name of a notation.
    #[error(
        "there is no notation `{}`; known: {}",
        .0.escape_debug(),
        Notation::ALL.map(Notation::name).join(" ")
    )]
    Name(String),
}

/// What is wrong with a single token or move.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Reason {
    /// Not a token of the notation; the text describes one.
    #[error("not a move; expected {0}")]
    Unknown(&'static str),
    /// The referee refuses the move.
    #[error(transparent)]
    Illegal(#[from] IllegalMove),
    /// The text names another card than the one that lies there.
    #[error("{named} is not there, but {found}")]
    OtherCard {
        /// Card of the text.
        named: Card,
        /// Card on the table.
        found: Card,
    },
    /// The card of the text does not lie face up in its place.
    #[error("{0} does not lie face up there")]
    NotThere(Card),
    /// A card goes to the foundation of another suit.
    #[error("{0} is of another suit")]
    OtherFoundation(Card),
    /// The last moves turned up no card in this pile.
    #[error("no card of pile {0} was just uncovered")]
    NoFlip(PileIndex),
    /// The notation does not say how many cards move, and several numbers are legal.
    #[error("the notation does not tell which of several runs moves")]
    Ambiguous,
    /// The notation has no sign for a redeal that no draw follows.
    #[error("the notation has no sign for a redeal that no draw follows")]
    RedealAlone,
    /// The notation has no sign for the last pass by ones.
    #[error("the notation has no sign for the last pass by ones; use `klondike`")]
    LastPass,
}
