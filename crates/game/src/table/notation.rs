//! Moves as text: this program's own notation and those of three other solvers.
//!
//! Every text belongs to a start [`Table`]. Reading replays the text on the referee, so the moves
//! it gives are legal. Writing replays the moves, so that runs, flips and redeals are written as
//! the other program writes them. [`Counts`] counts the moves of a game as each program does.

use std::fmt;
use std::str::FromStr;

use crate::card::{Card, Suit};
use crate::table::{IllegalMove, Move, PileIndex, Table};

mod error;
mod klondike_solver;
mod lonelybot;
mod minimal;
mod own;

pub use error::{NotationError, Reason};

/// A way to write moves.
///
/// ```
/// use std::sync::Arc;
/// use klondike::{Deal, Move, Notation, Rules, Table};
///
/// let start = Table::new(Arc::new(Rules::standard()), &"solvitaire:3".parse::<Deal>()?)?;
/// let moves = Notation::Klondike.read(&start, "draw*2 draw")?;
/// assert_eq!(moves, [Move::Draw; 3]);
/// assert_eq!(Notation::KlondikeSolver.write(&start, &moves)?, "DR3");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Notation {
    /// This program's own: `draw`, `draw*3`, `redeal`, `last-pass`, `7C:W>5`, `9H:4>5`, `AS:3>F`,
    /// `3H:F>2`.
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

    /// The name that [`FromStr`] reads and [`Display`](fmt::Display) writes.
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
    /// The first token that is not a move of the notation, or whose move is illegal; or a number
    /// of piles that the notation has no names for.
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
    /// If a move is illegal, or the notation cannot express it.
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
            if made == Move::LastPass && self != Notation::Klondike {
                return Err(error(Reason::LastPass));
            }
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
        f.pad(self.name())
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

/// Replays the moves while they are read.
struct Reader {
    table: Table,
    moves: Vec<Move>,
}

impl Reader {
    /// Makes a move. True if it turned up a card.
    fn make(&mut self, wanted: Move) -> Result<bool, Reason> {
        let undo = self.table.make(wanted).map_err(Reason::Illegal)?;
        self.moves.push(wanted);
        Ok(undo.revealed())
    }

    /// Makes the draws that this number in a text asks for, at least one; `hint` is for errors.
    fn draw(&mut self, count: &str, hint: &'static str) -> Result<(), Reason> {
        let count = count.parse::<u32>().ok().filter(|&count| count > 0);
        for _ in 0..count.ok_or(Reason::Unknown(hint))? {
            self.make(Move::Draw)?;
        }
        Ok(())
    }

    /// Makes a move that takes the card `named` according to the text.
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

    /// The move of the run that begins with `card`, which must lie face up in the pile.
    fn run(&self, from: PileIndex, to: PileIndex, card: Card) -> Result<Move, Reason> {
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
        let count = (up.len() - place) as u8;
        Ok(Move::PileToPile { from, to, count })
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
    /// The moved card of a move that is not of the stock.
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

/// The move between two places, which `run` finds for two piles; `hint` is for errors.
///
/// `card` is the card that moves, if it is known: it must be of the suit of its foundation.
fn between(
    (from, to): (Place, Place),
    card: impl Fn(Move) -> Option<Card>,
    run: impl FnOnce(PileIndex, PileIndex) -> Result<Move, Reason>,
    hint: &'static str,
) -> Result<Move, Reason> {
    let (wanted, suit) = match (from, to) {
        (Place::Pile(from), Place::Pile(to)) => return run(from, to),
        (Place::Waste, Place::Pile(to)) => return Ok(Move::WasteToPile { to }),
        (Place::Waste, Place::Foundation(suit)) => (Move::WasteToFoundation, suit),
        (Place::Pile(from), Place::Foundation(suit)) => (Move::PileToFoundation { from }, suit),
        (Place::Foundation(suit), Place::Pile(to)) => (Move::FoundationToPile { suit, to }, suit),
        (_, Place::Waste) | (Place::Foundation(_), Place::Foundation(_)) => {
            return Err(Reason::Unknown(hint));
        }
    };
    match card(wanted) {
        Some(card) if card.suit() != suit => Err(Reason::OtherFoundation(card)),
        _ => Ok(wanted),
    }
}

/// Source and target of a move that moves cards; `None` for draws, redeals and the last pass.
fn places(step: &Step) -> Option<(Place, Place)> {
    let foundation = || Place::Foundation(step.card().suit());
    Some(match step.made {
        Move::Draw | Move::Redeal | Move::LastPass => return None,
        Move::WasteToFoundation => (Place::Waste, foundation()),
        Move::WasteToPile { to } => (Place::Waste, Place::Pile(to)),
        Move::PileToFoundation { from } => (Place::Pile(from), foundation()),
        Move::PileToPile { from, to, .. } => (Place::Pile(from), Place::Pile(to)),
        Move::FoundationToPile { to, .. } => (foundation(), Place::Pile(to)),
    })
}

/// How many moves of each kind a game has, to compare its length with those that other programs
/// print.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "formats", derive(serde::Serialize))]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Counts {
    /// Moves of a card or a run.
    pub card_moves: usize,
    /// Draws.
    pub draws: usize,
    /// Redeals; the one for the last pass counts, too.
    pub redeals: usize,
    /// Face-down cards turned up.
    pub flips: usize,
}

impl Counts {
    /// Counts the moves of a game that begins with `start`.
    ///
    /// # Errors
    /// If a move is illegal.
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
                Move::Redeal | Move::LastPass => counts.redeals += 1,
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
