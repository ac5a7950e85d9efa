//! Moves as text: this program's own notation and those of three other solvers.
//!
//! Every text is relative to a start [`Table`]: reading replays it on the referee, so that what
//! comes back is a list of legal moves, and writing replays the moves, so that runs, flips and
//! redeals are written as the other program would. [`Counts`] counts a line in each program's way.

use std::fmt;
use std::str::FromStr;

use crate::card::{Card, Suit};
use crate::table::{IllegalMove, Move, PileIndex, Table};

mod klondike_solver;
mod lonelybot;
mod minimal;
mod own;

/// A way to write moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Notation {
    /// This program's own: `draw`, `draw*3`, `redeal`, `7C:W>5`, `9H:4>5`, `AS:3>F`, `3H:F>2`.
    Klondike,
    /// The letters of MinimalKlondike: `@@@AJ HG`. Seven piles only.
    Minimal,
    /// The codes of Klondike-Solver's `/MOVES`: `DR3 W5 74-2 F7 NEW`. Seven piles only.
    KlondikeSolver,
    /// The standard line of lonelybot: `A♣:5▸♣  =  10♥:D▸5`. Seven piles only.
    Lonelybot,
}

impl Notation {
    /// All notations.
    pub const ALL: [Notation; 4] = [
        Notation::Klondike,
        Notation::Minimal,
        Notation::KlondikeSolver,
        Notation::Lonelybot,
    ];

    /// The name under which the notation is asked for.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Notation::Klondike => "klondike",
            Notation::Minimal => "minimal",
            Notation::KlondikeSolver => "klondike-solver",
            Notation::Lonelybot => "lonelybot",
        }
    }

    /// Reads the moves of a game that begins with `start`.
    ///
    /// An empty text is the game without moves.
    ///
    /// # Errors
    /// The first token that is no move of the notation, or a move that is illegal where it
    /// stands; or another number of piles than the notation has names for.
    pub fn read(self, start: &Table, text: &str) -> Result<Vec<Move>, NotationError> {
        self.check_piles(start)?;
        let mut reader = Reader {
            table: start.clone(),
            moves: Vec::new(),
        };
        let tokens = match self {
            Notation::Minimal => minimal::tokens(text),
            _ => text.split_whitespace().collect(),
        };
        let mut flips = klondike_solver::Flips::default();
        for (i, token) in tokens.into_iter().enumerate() {
            match self {
                Notation::Klondike => own::read(&mut reader, token),
                Notation::Minimal => minimal::read(&mut reader, token),
                Notation::KlondikeSolver => klondike_solver::read(&mut reader, &mut flips, token),
                Notation::Lonelybot => lonelybot::read(&mut reader, token),
            }
            .map_err(|reason| NotationError::Token {
                number: i + 1,
                token: token.chars().take(40).collect(),
                reason,
            })?;
        }
        Ok(reader.moves)
    }

    /// Writes the moves of a game that begins with `start`.
    ///
    /// # Errors
    /// If a move is illegal where it stands or the notation cannot express it.
    pub fn write(self, start: &Table, moves: &[Move]) -> Result<String, NotationError> {
        self.check_piles(start)?;
        let mut table = start.clone();
        let mut steps = Vec::with_capacity(moves.len());
        for (i, &made) in moves.iter().enumerate() {
            let card = table.moved_card(made);
            let unique = self != Notation::Minimal || minimal::is_unique(&table, made);
            let stock_empty = table.stock().len() == 0;
            let error = |reason| NotationError::Move {
                number: i + 1,
                reason,
            };
            let undo = table
                .make(made)
                .map_err(|illegal| error(Reason::Illegal(illegal)))?;
            if !unique {
                return Err(error(Reason::Ambiguous));
            }
            steps.push(Step {
                made,
                card,
                revealed: undo.revealed(),
                stock_empty,
            });
        }
        match self {
            Notation::Klondike => Ok(own::write(&steps)),
            Notation::Minimal => minimal::write(&steps),
            Notation::KlondikeSolver => Ok(klondike_solver::write(&steps)),
            Notation::Lonelybot => Ok(lonelybot::write(&steps)),
        }
    }

    fn check_piles(self, start: &Table) -> Result<(), NotationError> {
        let found = start.piles().len();
        if self == Notation::Klondike || found == 7 {
            Ok(())
        } else {
            Err(NotationError::Piles {
                notation: self,
                found,
            })
        }
    }
}

impl fmt::Display for Notation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Notation {
    type Err = NotationError;

    fn from_str(text: &str) -> Result<Notation, NotationError> {
        Notation::ALL
            .into_iter()
            .find(|notation| notation.name() == text)
            .ok_or_else(|| NotationError::Name(text.chars().take(40).collect()))
    }
}

/// Replays what is read.
struct Reader {
    table: Table,
    moves: Vec<Move>,
}

impl Reader {
    /// Makes a move; tells whether it turned up a card.
    fn make(&mut self, wanted: Move) -> Result<bool, Reason> {
        let undo = self.table.make(wanted).map_err(Reason::Illegal)?;
        self.moves.push(wanted);
        Ok(undo.revealed())
    }

    /// Makes a move that the text says takes `named`.
    fn make_with(&mut self, wanted: Move, named: Card) -> Result<bool, Reason> {
        match self.table.moved_card(wanted) {
            Some(found) if found == named => self.make(wanted),
            Some(found) => Err(Reason::OtherCard { named, found }),
            None => Err(self
                .table
                .check(wanted)
                .map_or_else(Reason::Illegal, |()| Reason::NotThere(named))),
        }
    }

    /// How many cards lie from `card` upwards, if it lies face up in the pile.
    fn count_from(&self, from: PileIndex, card: Card) -> Result<u8, Reason> {
        let pile = self
            .table
            .piles()
            .get(from.get())
            .ok_or(Reason::Illegal(IllegalMove::NoSuchPile(from)))?;
        let up = pile.face_up();
        let place = up
            .iter()
            .position(|&c| c == card)
            .ok_or(Reason::NotThere(card))?;
        Ok((up.len() - place) as u8)
    }
}

/// One move while writing.
struct Step {
    made: Move,
    /// The (lowest) card moved.
    card: Option<Card>,
    revealed: bool,
    /// Whether the stock was empty before the move.
    stock_empty: bool,
}

impl Step {
    /// The moved card of a move that is neither a draw nor a redeal.
    fn card(&self) -> Card {
        self.card.expect("a legal move of a card takes one")
    }
}

/// A place that a card comes from or goes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Waste,
    Pile(PileIndex),
    Foundation(Suit),
}

/// Source and target of a move that moves cards; `None` for draws and redeals.
fn places(step: &Step) -> Option<(Place, Place)> {
    let foundation = || Place::Foundation(step.card().suit());
    Some(match step.made {
        Move::Draw | Move::Redeal => return None,
        Move::WasteToFoundation => (Place::Waste, foundation()),
        Move::WasteToPile { to } => (Place::Waste, Place::Pile(to)),
        Move::PileToFoundation { from } => (Place::Pile(from), foundation()),
        Move::PileToPile { from, to, .. } => (Place::Pile(from), Place::Pile(to)),
        Move::FoundationToPile { to, .. } => (foundation(), Place::Pile(to)),
    })
}

/// Why a text is not a game, or a game cannot be written.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NotationError {
    /// The notation has names for seven piles only.
    Piles {
        /// The notation asked for.
        notation: Notation,
        /// Piles of the game.
        found: usize,
    },
    /// A token cannot be read or played.
    Token {
        /// Number of the token, counted from 1.
        number: usize,
        /// The token, cut after 40 characters.
        token: String,
        /// What is wrong with it.
        reason: Reason,
    },
    /// A move cannot be written.
    Move {
        /// Number of the move, counted from 1.
        number: usize,
        /// What is wrong with it.
        reason: Reason,
    },
    /// Not the name of a notation.
    Name(String),
}

/// What is wrong with a single token or move.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reason {
    /// Not a token of the notation; the text says what one looks like.
    Unknown(&'static str),
    /// The referee refuses the move.
    Illegal(IllegalMove),
    /// The text names another card than the one that lies there.
    OtherCard {
        /// Card of the text.
        named: Card,
        /// Card on the table.
        found: Card,
    },
    /// The card of the text is not face up where the text says.
    NotThere(Card),
    /// A card goes to a foundation that is not of its suit.
    OtherFoundation(Card),
    /// The last moves turned up no card in this pile.
    NoFlip(PileIndex),
    /// The notation does not say how many cards move, and several numbers are legal.
    Ambiguous,
    /// The notation has no sign for a redeal that no draw follows.
    RedealAlone,
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reason::Unknown(hint) => write!(f, "not a move; expected {hint}"),
            Reason::Illegal(illegal) => illegal.fmt(f),
            Reason::OtherCard { named, found } => {
                write!(f, "{named} is not there, but {found}")
            }
            Reason::NotThere(card) => write!(f, "{card} does not lie face up there"),
            Reason::OtherFoundation(card) => write!(f, "{card} is of another suit"),
            Reason::NoFlip(pile) => write!(f, "no card of pile {pile} was just uncovered"),
            Reason::Ambiguous => {
                f.write_str("the notation does not tell which of several runs moves")
            }
            Reason::RedealAlone => {
                f.write_str("the notation has no sign for a redeal that no draw follows")
            }
        }
    }
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NotationError::Piles { notation, found } => write!(
                f,
                "the notation `{notation}` is for seven piles, but the game has {found}; use `klondike`"
            ),
            NotationError::Token {
                number,
                token,
                reason,
            } => write!(f, "token {number} `{}`: {reason}", token.escape_debug()),
            NotationError::Move { number, reason } => write!(f, "move {number}: {reason}"),
            NotationError::Name(text) => {
                write!(f, "there is no notation `{}`; known:", text.escape_debug())?;
                for notation in Notation::ALL {
                    write!(f, " {notation}")?;
                }
                Ok(())
            }
        }
    }
}

impl std::error::Error for NotationError {}

/// What a game consists of, for comparing its length with what other programs print.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, serde::Serialize)]
pub struct Counts {
    /// Moves of a card or run from place to place.
    pub card_moves: usize,
    /// Draws.
    pub draws: usize,
    /// Redeals.
    pub redeals: usize,
    /// Face-down cards turned up.
    pub flips: usize,
}

impl Counts {
    /// Counts the moves of a game that begins with `start`.
    ///
    /// # Errors
    /// If a move is illegal where it stands.
    pub fn of(start: &Table, moves: &[Move]) -> Result<Counts, NotationError> {
        let mut table = start.clone();
        let mut counts = Counts::default();
        for (i, &made) in moves.iter().enumerate() {
            let undo = table.make(made).map_err(|illegal| NotationError::Move {
                number: i + 1,
                reason: Reason::Illegal(illegal),
            })?;
            match made {
                Move::Draw => counts.draws += 1,
                Move::Redeal => counts.redeals += 1,
                _ => counts.card_moves += 1,
            }
            counts.flips += usize::from(undo.revealed());
        }
        Ok(counts)
    }

    /// The moves Klondike-Solver counts: card moves, draws and flips.
    #[must_use]
    pub const fn klondike_solver(self) -> usize {
        self.card_moves + self.draws + self.flips
    }

    /// The moves MinimalKlondike counts: card moves and draws.
    #[must_use]
    pub const fn minimal(self) -> usize {
        self.card_moves + self.draws
    }

    /// The tokens of lonelybot's standard line: card moves, draws and redeals.
    #[must_use]
    pub const fn lonelybot(self) -> usize {
        self.card_moves + self.draws + self.redeals
    }
}
