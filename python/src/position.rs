//! `Position` and `Move`.

use std::hash::{DefaultHasher, Hash, Hasher};

use klondike_contract::PlayedMove;
use klondike_front::{Card, Move, Notation, Suit, Table, Undo, svg};
use klondike_game::deal::format::Format;
use klondike_game::table::picture::{Style, draw};
use klondike_game::table::position::write_position;
use klondike_game::table::start::Start;
use pyo3::exceptions::PyTypeError;
use pyo3::inspect::PyStaticExpr;
use pyo3::prelude::*;
use pyo3::{type_hint_identifier, type_hint_subscript, type_hint_union};

use crate::args::{About, RulesArg, argument_of_format};
use crate::error::{MoveError, with_words};

/// A move at the table. Turning up a card is part of the move that uncovers it.
///
/// `str` writes it in the notation of this program: "draw", "redeal", "7C:W>5" (from the waste to
/// pile 5), "9H:4>5", "AS:3>F", "3H:F>2".
///
/// >>> from klondike_solver import Deal
/// >>> move = Deal("klondike:5").position().moves()[1]
/// >>> str(move), move.card, move.source, move.target
/// ('AC:5>F', 'AC', 'tableau 5', 'foundation')
#[pyclass(frozen, name = "Move", module = "klondike_solver")]
#[derive(Clone)]
pub(crate) struct PyMove {
    pub(crate) made: Move,
    moved: Option<Card>,
    played: PlayedMove,
}

impl PyMove {
    /// The move at this table, where it is legal; and makes it.
    pub(crate) fn make(table: &mut Table, made: Move) -> PyResult<PyMove> {
        let moved = table.moved_card(made);
        let played = PlayedMove::make(table, made).map_err(with_words!(MoveError))?;
        Ok(PyMove {
            made,
            moved,
            played,
        })
    }

    /// The move in the notation of this program.
    pub(crate) fn written(&self) -> &str {
        &self.played.written
    }

    /// The move at this table, where it is legal.
    pub(crate) fn at(table: &Table, made: Move) -> PyResult<PyMove> {
        PyMove::make(&mut table.clone(), made)
    }

    /// The line of these moves.
    pub(crate) fn line(start: &Table, moves: &[Move]) -> PyResult<Vec<PyMove>> {
        let mut table = start.clone();
        moves
            .iter()
            .map(|&made| PyMove::make(&mut table, made))
            .collect()
    }
}

#[pymethods]
impl PyMove {
    /// The card that moves: of a run the lowest, of a draw the one that can be played then.
    #[getter]
    fn card(&self) -> Option<String> {
        self.played.card.clone()
    }

    /// How many cards move.
    #[getter]
    fn count(&self) -> usize {
        self.played.count
    }

    /// Where they come from: "stock", "waste", "foundation", or "tableau 1" and so on.
    #[getter]
    fn source(&self) -> String {
        self.played.from.clone()
    }

    /// Where they go.
    #[getter]
    fn target(&self) -> String {
        self.played.to.clone()
    }

    fn __str__(&self) -> String {
        self.played.written.clone()
    }

    fn __repr__(&self) -> String {
        format!("<Move {}>", self.played.written)
    }

    fn __eq__(&self, other: &PyMove) -> bool {
        (self.made, self.moved) == (other.made, other.moved)
    }

    fn __hash__(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        (self.made, self.moved).hash(&mut hasher);
        hasher.finish()
    }
}

/// A move, or moves as text.
pub(crate) enum MoveArg {
    Move(Box<PyMove>),
    Text(String),
}

impl<'py> FromPyObject<'_, 'py> for MoveArg {
    type Error = PyErr;
    const INPUT_TYPE: PyStaticExpr = type_hint_union!(
        <PyMove as pyo3::PyTypeInfo>::TYPE_HINT,
        type_hint_identifier!("builtins", "str")
    );

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<MoveArg> {
        if let Ok(made) = given.cast::<PyMove>() {
            return Ok(MoveArg::Move(Box::new(made.get().clone())));
        }
        let text = given.extract().map(MoveArg::Text);
        text.map_err(|_| PyTypeError::new_err("write a Move, or moves as text such as draw*2"))
    }
}

/// The moves of a game: as text, or a list; or a single one.
pub(crate) enum GameArg {
    Text(String),
    Moves(Vec<PyMove>),
}

impl<'py> FromPyObject<'_, 'py> for GameArg {
    type Error = PyErr;
    const INPUT_TYPE: PyStaticExpr = type_hint_union!(
        <PyMove as pyo3::PyTypeInfo>::TYPE_HINT,
        type_hint_identifier!("builtins", "str"),
        type_hint_subscript!(
            type_hint_identifier!("collections.abc", "Iterable"),
            <PyMove as pyo3::PyTypeInfo>::TYPE_HINT
        )
    );

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<GameArg> {
        if let Ok(text) = given.extract() {
            return Ok(GameArg::Text(text));
        }
        if let Ok(made) = given.cast::<PyMove>() {
            return Ok(GameArg::Moves(vec![made.get().clone()]));
        }
        let words = || PyTypeError::new_err("write a Move, a list of them, or text such as draw*2");
        let moves = given.try_iter().map_err(|_| words())?.map(|made| {
            let made = made?;
            let made = made.cast::<PyMove>().map_err(|_| words())?;
            Ok(made.get().clone())
        });
        moves.collect::<PyResult<_>>().map(GameArg::Moves)
    }
}

impl GameArg {
    /// The moves, if they can be made one after the other from this table.
    pub(crate) fn read(self, start: &Table) -> PyResult<Vec<PyMove>> {
        let mut game = PyPosition::new(start.clone());
        game.play_all(self)?;
        Ok(game.history())
    }
}

/// A game in progress, with all cards known.
///
/// In a notebook it shows as a picture.
///
/// Args:
///     about: A Deal, another Position (it is copied), or a text of either.
///     rules: Rules, or the name of a set of them; standard if left out.
///
/// Raises:
///     DealError: If the text is none, or does not fit the rules.
///
/// >>> from klondike_solver import Position
/// >>> position = Position("solvitaire:3", "draw1")
/// >>> position.play("draw*2")
/// >>> position.waste
/// ['8H', 'QD']
/// >>> str(position.undo())
/// 'draw'
#[pyclass(name = "Position", module = "klondike_solver")]
pub(crate) struct PyPosition {
    table: Table,
    played: Vec<(PyMove, Undo)>,
}

impl PyPosition {
    pub(crate) fn new(table: Table) -> PyPosition {
        let played = Vec::new();
        PyPosition { table, played }
    }

    pub(crate) fn table(&self) -> &Table {
        &self.table
    }

    /// The move of an argument, if it is legal here.
    pub(crate) fn read_one(&self, made: MoveArg) -> PyResult<Move> {
        let moves = self.read(made)?;
        let one = <[Move; 1]>::try_from(moves);
        let [made] = one.map_err(|_| MoveError::new_err("write one move"))?;
        Ok(made)
    }

    /// The moves of an argument, if they are legal here.
    fn read(&self, moves: MoveArg) -> PyResult<Vec<Move>> {
        match moves {
            MoveArg::Text(text) => {
                let read = Notation::Klondike.read(&self.table, &text);
                read.map_err(with_words!(MoveError))
            }
            MoveArg::Move(made) => {
                let legal = self.table.check(made.made);
                legal.map_err(with_words!(MoveError))?;
                if self.table.moved_card(made.made) != made.moved {
                    let words = format!("{}: that card is not there", made.played.written);
                    return Err(MoveError::new_err(words));
                }
                Ok(vec![made.made])
            }
        }
    }

    /// Makes moves, or none of them.
    fn play_all(&mut self, moves: GameArg) -> PyResult<()> {
        let moves = match moves {
            GameArg::Text(text) => vec![MoveArg::Text(text)],
            GameArg::Moves(moves) => moves
                .into_iter()
                .map(|made| MoveArg::Move(Box::new(made)))
                .collect(),
        };
        let before = self.played.len();
        let played = moves.into_iter().try_for_each(|given| {
            let moves = self.read(given)?;
            moves.into_iter().try_for_each(|made| self.make(made))
        });
        if played.is_err() {
            while self.played.len() > before {
                self.undo()?;
            }
        }
        played
    }

    /// A legal move as text.
    pub(crate) fn name_of(&self, made: Move) -> PyResult<String> {
        Ok(PyMove::at(&self.table, made)?.played.written)
    }

    pub(crate) fn make(&mut self, made: Move) -> PyResult<()> {
        let described = PyMove::at(&self.table, made)?;
        let undo = self.table.make(made).map_err(with_words!(MoveError))?;
        self.played.push((described, undo));
        Ok(())
    }
}

fn texts(cards: impl IntoIterator<Item = Card>) -> Vec<String> {
    cards.into_iter().map(|card| card.to_string()).collect()
}

#[pymethods]
impl PyPosition {
    #[new]
    #[pyo3(signature = (about, rules = None))]
    fn of(about: About, rules: Option<RulesArg>) -> PyResult<PyPosition> {
        Ok(PyPosition::new(about.table(rules)?))
    }

    /// All legal moves, in a fixed order. The game is over if there is none.
    ///
    /// >>> from klondike_solver import Position
    /// >>> [str(move) for move in Position("klondike:5").moves()]
    /// ['draw', 'AC:5>F', '7H:4>2']
    fn moves(&self) -> PyResult<Vec<PyMove>> {
        let moves = self.table.legal_moves().into_iter();
        moves.map(|made| PyMove::at(&self.table, made)).collect()
    }

    /// Makes a move, several, or the moves of a text.
    ///
    /// Raises:
    ///     MoveError: If one is illegal. The position does not change then.
    ///
    /// >>> from klondike_solver import Position, solve
    /// >>> position = Position("solvitaire:3")
    /// >>> position.play(solve(position).solution)
    /// >>> position.is_won
    /// True
    /// >>> Position("solvitaire:3").play("redeal")
    /// Traceback (most recent call last):
    /// klondike_solver.MoveError: token 1 `redeal`: no redeal while the stock has cards
    fn play(slf: &Bound<'_, Self>, moves: GameArg) -> PyResult<()> {
        // What was given may have run code that looks at this position.
        slf.try_borrow_mut()?.play_all(moves)
    }

    /// Takes back the last move, and gives it.
    ///
    /// Raises:
    ///     MoveError: If there is none.
    fn undo(&mut self) -> PyResult<PyMove> {
        let none = || MoveError::new_err("there is no move to take back");
        let (made, undo) = self.played.pop().ok_or_else(none)?;
        self.table.undo(undo);
        Ok(made)
    }

    /// The moves that were played and not taken back.
    #[getter]
    fn history(&self) -> Vec<PyMove> {
        self.played.iter().map(|(made, _)| made.clone()).collect()
    }

    /// The rules of the game.
    #[getter]
    fn rules(&self) -> crate::rules::PyRules {
        crate::rules::PyRules(self.table.rules().clone())
    }

    /// The piles from the left, each from the bottom, with their face-down cards.
    #[getter]
    fn piles(&self) -> Vec<Vec<String>> {
        let piles = self.table.piles().iter();
        piles
            .map(|pile| texts(pile.cards().iter().copied()))
            .collect()
    }

    /// How many cards of each pile lie face down: the first ones.
    #[getter]
    fn face_down(&self) -> Vec<usize> {
        self.table
            .piles()
            .iter()
            .map(|pile| pile.face_down().len())
            .collect()
    }

    /// The stock, first drawn first.
    #[getter]
    fn stock(&self) -> Vec<String> {
        texts(self.table.stock())
    }

    /// The waste; the card that can be played is last.
    #[getter]
    fn waste(&self) -> Vec<String> {
        texts(self.table.waste().iter().copied())
    }

    /// How many cards lie on each foundation: clubs, diamonds, hearts, spades.
    #[getter]
    fn foundations(&self) -> Vec<u32> {
        Suit::ALL
            .map(|suit| u32::from(self.table.foundation(suit)))
            .to_vec()
    }

    /// How often the waste was turned back so far.
    #[getter]
    fn redeals_used(&self) -> u32 {
        self.table.redeals_used()
    }

    /// Whether all cards are on the foundations.
    #[getter]
    fn is_won(&self) -> bool {
        self.table.is_won()
    }

    /// A copy, without the moves that were played.
    fn copy(&self) -> PyPosition {
        PyPosition::new(self.table.clone())
    }

    /// The position in this format.
    ///
    /// Raises:
    ///     DealError: If the format cannot hold it; "klondike" can.
    #[pyo3(signature = (format = "klondike"))]
    fn write(&self, format: &str) -> PyResult<String> {
        let format: Format = argument_of_format(format)?;
        let text = Start::Position(Box::new(self.table.clone())).write(format);
        text.map_err(with_words!(DealError))
    }

    fn __str__(&self) -> String {
        draw(&self.table, Style::default().thoughtful(true))
    }

    fn __repr__(&self) -> String {
        let cards = self.table.foundation_count();
        let all = self.table.rules().deck().len();
        format!("<Position with {cards} of {all} cards on the foundations>")
    }

    fn _repr_svg_(&self) -> String {
        svg::draw(&self.table, "")
    }

    fn __eq__(&self, other: &PyPosition) -> bool {
        self.table == other.table
    }

    fn __reduce__<'py>(
        slf: &Bound<'py, Self>,
    ) -> (
        Bound<'py, pyo3::types::PyType>,
        (String, crate::rules::PyRules),
    ) {
        let position = slf.borrow();
        (
            slf.get_type(),
            (write_position(&position.table), position.rules()),
        )
    }
}
