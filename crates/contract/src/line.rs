//! Lines of play: each move says what goes from where to where, so that a program that shows them
//! needs no rules.

use klondike_game::card::Card;
use klondike_game::rules::Redeals;
use klondike_game::table::notation::{Counts, Notation, NotationError};
use klondike_game::table::position::Position;
use klondike_game::table::{Move, PileIndex, Table};
use serde::Serialize;

/// A line of play.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Line {
    /// The notation of `text`.
    pub notation: &'static str,
    /// The moves in that notation.
    pub text: String,
    /// How many moves of each kind there are.
    pub counts: Counts,
    /// The moves, one by one.
    pub moves: Vec<PlayedMove>,
}

/// A move of a line, as an observer of the game sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlayedMove {
    /// The move in the notation `klondike`: `7C:W>5`, `draw`, `redeal`, `last-pass`.
    #[serde(rename = "move")]
    pub written: String,
    /// The card that moves: of a run the lowest, of a draw the one that can be played then. A
    /// redeal and the last pass have none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub card: Option<String>,
    /// How many cards move.
    pub count: usize,
    /// Where they come from: `stock`, `waste`, `foundation` or `tableau N`, N from 1.
    pub from: String,
    /// Where they go.
    pub to: String,
    /// Whether the first card of a draw lies on top, and the last one lowest. Left out where it
    /// does not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub reversed: bool,
    /// The face-down card that the move turns up, where it is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub turns_up: Option<String>,
    /// The position after the move, where it was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub board: Option<Position>,
}

impl Line {
    /// The line of `moves`, which are legal from `start`; with the position after every move if
    /// `boards` is set.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use klondike_contract::Line;
    /// use klondike_game::deal::Deal;
    /// use klondike_game::rules::Rules;
    /// use klondike_game::table::{Table, notation::Notation};
    ///
    /// let start = Table::new(Arc::new(Rules::standard()), &"solvitaire:3".parse::<Deal>()?)?;
    /// let moves = Notation::Klondike.read(&start, "draw*3 3H:W>1")?;
    /// let line = Line::new(Notation::Minimal, &start, &moves, false)?;
    /// assert_eq!(line.moves[3].from, "waste");
    /// assert_eq!(line.moves[3].to, "tableau 1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If a move is illegal, or the notation cannot express it.
    pub fn new(
        notation: Notation,
        start: &Table,
        moves: &[Move],
        boards: bool,
    ) -> Result<Line, NotationError> {
        let mut table = start.clone();
        let played = moves.iter().map(|&made| {
            let mut played = PlayedMove::make(&mut table, made)?;
            played.board = boards.then(|| Position::from(&table));
            Ok(played)
        });
        Ok(Line {
            notation: notation.name(),
            moves: played.collect::<Result<_, NotationError>>()?,
            text: notation.write(start, moves)?,
            counts: Counts::of(start, moves)?,
        })
    }

    /// The line in our own notation, without the cards that it turns up: whoever plays with hidden
    /// cards does not know them.
    ///
    /// # Errors
    /// If a move is illegal.
    pub fn seen(start: &Table, moves: &[Move]) -> Result<Line, NotationError> {
        let mut line = Line::new(Notation::Klondike, start, moves, false)?;
        // With limited redeals the first pass shows the stock.
        let rules = start.rules();
        let mut unseen =
            matches!(rules.redeals(), Redeals::Limited(_)) && start.redeals_used() == 0;
        for (described, &made) in line.moves.iter_mut().zip(moves) {
            described.turns_up = None;
            unseen &= made != Move::Redeal;
            if unseen && made == Move::Draw {
                described.card = None;
            }
        }
        Ok(line)
    }
}

impl PlayedMove {
    /// Makes a move at the table, and describes it.
    ///
    /// # Errors
    /// If the move is illegal.
    pub fn make(table: &mut Table, made: Move) -> Result<PlayedMove, NotationError> {
        let written = Notation::Klondike.write(table, &[made])?;
        let waste = table.waste().len();
        let moved = table.moved_card(made);
        let undo = table
            .make(made)
            .expect("a move that could be written is legal");
        let pile = |pile: PileIndex| format!("tableau {pile}");
        let foundation = || "foundation".to_owned();
        let (from, to, count) = match made {
            Move::Draw => ("stock".into(), "waste".into(), table.waste().len() - waste),
            Move::Redeal | Move::LastPass => ("waste".into(), "stock".into(), waste),
            Move::WasteToFoundation => ("waste".into(), foundation(), 1),
            Move::WasteToPile { to } => ("waste".into(), pile(to), 1),
            Move::PileToFoundation { from } => (pile(from), foundation(), 1),
            Move::PileToPile { from, to, count } => (pile(from), pile(to), usize::from(count)),
            Move::FoundationToPile { to, .. } => (foundation(), pile(to), 1),
        };
        let card = match made {
            Move::Draw => table.waste().last().copied(),
            _ => moved,
        };
        let turned = match made {
            Move::PileToFoundation { from } | Move::PileToPile { from, .. } => {
                table.piles()[from.get()].top().filter(|_| undo.revealed())
            }
            _ => None,
        };
        let text = |card: Card| card.to_string();
        Ok(PlayedMove {
            written,
            reversed: made == Move::Draw && table.rules().reversed_groups(),
            card: card.map(text),
            count,
            from,
            to,
            turns_up: turned.map(text),
            board: None,
        })
    }
}
