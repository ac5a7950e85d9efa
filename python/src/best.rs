//! `shortest` and `best_score`: the best solutions and the best scores.

use std::sync::Arc;

use klondike_engine::prove::best::{Fewest, NoFewest, fewest_passes};
use klondike_engine::prove::fewest_moves;
use klondike_front::{BestScore, Count, Limit, Shortest, Table, Verdict};
use klondike_game::table::notation::Notation;
use klondike_lemmas::prune::Lemmas;
use pyo3::prelude::*;

use crate::args::{About, Bounds, RulesArg, Whole};
use crate::ask::ask;
use crate::error::{KlondikeError, UnsupportedError, argument, with_words, without_answer};
use crate::position::PyMove;
use crate::solve::{PySolution, PyVerdict, no_truth, solution_of};

/// What is known of the shortest solutions of a deal.
///
/// >>> from klondike_solver import shortest
/// >>> found = shortest("klondike:1", max_states=10_000)
/// >>> found.at_least <= found.length
/// True
#[pyclass(frozen, name = "Shortest", module = "klondike_solver")]
pub(crate) struct PyShortest {
    verdict: Verdict,
    length: u32,
    at_least: u32,
    limit: Option<Limit>,
    /// What is counted.
    unit: &'static str,
}

impl From<Shortest> for PyShortest {
    fn from(found: Shortest) -> PyShortest {
        PyShortest {
            verdict: found.verdict,
            length: found.length.into(),
            at_least: found.at_least.into(),
            limit: found.limit,
            unit: "moves",
        }
    }
}

impl From<Fewest> for PyShortest {
    fn from(found: Fewest) -> PyShortest {
        PyShortest {
            verdict: found.verdict,
            // The first pass needs no redeal.
            length: found.redeals + 1,
            at_least: found.at_least + 1,
            limit: found.limit,
            unit: "passes",
        }
    }
}

#[pymethods]
impl PyShortest {
    /// Whether the deal can be won: one of three.
    #[getter]
    fn verdict(&self) -> PyVerdict {
        PyVerdict(self.verdict.name())
    }

    /// The shortest solution known, if it is winnable.
    #[getter]
    fn solution(&self) -> PyResult<Option<PySolution>> {
        solution_of(&self.verdict)
    }

    /// The length of that solution, in moves as they were to be counted, or in passes.
    #[getter]
    fn length(&self) -> Option<u32> {
        matches!(self.verdict, Verdict::Winnable(_)).then_some(self.length)
    }

    /// No solution is shorter than this, in the same unit. It says nothing if `length` is None.
    #[getter]
    fn at_least(&self) -> u32 {
        self.at_least
    }

    /// Whether no solution is shorter than the one known.
    #[getter]
    fn is_proved(&self) -> bool {
        self.length().is_some_and(|length| self.at_least >= length)
    }

    /// The limit that ended the search, if one did: "states", "memory" or "time".
    #[getter]
    fn limit(&self) -> Option<&'static str> {
        self.limit.map(Limit::name)
    }

    fn __bool__(&self) -> PyResult<bool> {
        no_truth("a length")
    }

    fn __repr__(&self) -> String {
        let (unit, at_least) = (self.unit, self.at_least);
        match (self.length(), self.is_proved()) {
            (None, _) => format!("<Shortest {}>", self.verdict),
            (Some(length), true) => format!("<Shortest {length} {unit}, proved>"),
            (Some(length), false) => format!("<Shortest {length} {unit}, at least {at_least}>"),
        }
    }
}

/// A shortest solution, or the best one within the limits, with the length that none is below.
///
/// Args:
///     about: A Deal, a Position, or a text of either such as "solvitaire:3".
///     rules: Rules, or the name of a set of them; standard, or those of the position.
///     count: What counts: "cards" (card moves), "draws" (and draws), "flips" (and cards turned
///         up) or "redeals" (card moves, draws and redeals); or "passes" through the talon.
///     time_limit: Most seconds.
///     max_states: Most states to store.
///     memory: Most bytes for the tables of the search; half of the machine's if left out.
///
/// Raises:
///     DealError: If the text is no deal or does not fit the rules.
///     UnsupportedError: If the rules have no such search, such as whole runs.
///     KeyboardInterrupt: Soon after Ctrl-C.
///
/// >>> from klondike_solver import Deal, Rules, shortest
/// >>> deal = Deal.from_cards([["2C"], ["3C", "AC"]], [], suits=1, ranks=3)
/// >>> print(shortest(deal, Rules(suits=1, ranks=3, piles=[1, 2])).solution)
/// AC:2>F 2C:1>F 3C:2>F
#[pyfunction]
#[pyo3(signature = (about, rules = None, *, count = "draws", time_limit = None, max_states = None,
    memory = None))]
#[allow(clippy::too_many_arguments)] // keywords of Python
pub(crate) fn shortest(
    py: Python<'_>,
    about: About,
    rules: Option<RulesArg>,
    count: &str,
    time_limit: Option<f64>,
    max_states: Option<Whole>,
    memory: Option<Whole>,
) -> PyResult<PyShortest> {
    let bounds = Bounds::read(time_limit, max_states, memory)?;
    if count == "passes" {
        return passes(py, &about.table(rules)?, bounds);
    }
    let count = count_named("count", count, &["passes"])?;
    let table = about.table(rules)?;
    let found = bounds.ask(py, &table, |solver| solver.shortest(&table, count))?;
    found
        .map(PyShortest::from)
        .map_err(|error| without_answer("no shortest solutions", &error))
}

/// A solution with the fewest passes through the talon.
fn passes(py: Python<'_>, table: &Table, bounds: Bounds) -> PyResult<PyShortest> {
    let found = ask(py, |stop| {
        fewest_passes(table, Lemmas::ALL, &bounds.limits(Arc::clone(stop)))
    })?;
    found.map(PyShortest::from).map_err(|error| match error {
        NoFewest::LastPass => UnsupportedError::new_err(error.to_string()),
        error => KlondikeError::new_err(error.to_string()),
    })
}

/// The way of counting of this name, which the argument has. It may have `others` beside.
pub(crate) fn count_named(argument_name: &str, name: &str, others: &[&str]) -> PyResult<Count> {
    let found = Count::ALL.into_iter().find(|count| count.name() == name);
    found.ok_or_else(|| {
        let names = Count::ALL.map(Count::name);
        let names: Vec<&str> = names.iter().chain(others).copied().collect();
        let names = names.join(", ");
        argument(
            argument_name,
            format!("there is no such way of counting; known: {names}"),
        )
    })
}

/// What is known of the most cards that can be on the foundations.
///
/// >>> from klondike_solver import best_score
/// >>> best_score("solvitaire:1")
/// <BestScore 9 cards, proved>
#[pyclass(frozen, name = "BestScore", module = "klondike_solver")]
pub(crate) struct PyBestScore {
    start: Table,
    best: BestScore,
    /// The length of the line and the least that it can be, if a shortest one was asked for.
    length: Option<(u32, u32)>,
}

#[pymethods]
impl PyBestScore {
    /// Whether the deal can be won: one of three.
    #[getter]
    fn verdict(&self) -> PyVerdict {
        PyVerdict(self.best.verdict.name())
    }

    /// Cards on the foundations after `moves`.
    #[getter]
    fn cards(&self) -> u8 {
        self.best.score
    }

    /// No line of play brings more cards there.
    #[getter]
    fn at_most(&self) -> u8 {
        self.best.at_most
    }

    /// Whether no line of play brings more cards there than `moves`.
    #[getter]
    fn is_proved(&self) -> bool {
        self.best.is_proved()
    }

    /// What the cards are worth in Vegas, in dollars: five for each, less one for each card of the
    /// deck.
    #[getter]
    fn vegas(&self) -> i32 {
        klondike_engine::prove::score::vegas_score(self.best.score, self.start.rules().deck().len())
    }

    /// The moves that bring the cards there; `play` of a Position makes them.
    #[getter]
    fn moves(&self) -> PyResult<Vec<PyMove>> {
        PyMove::line(&self.start, &self.best.moves)
    }

    /// Those moves as text, which `play` takes as well.
    #[getter]
    fn line(&self) -> PyResult<String> {
        let text = Notation::Klondike.write(&self.start, &self.best.moves);
        text.map_err(with_words!(MoveError))
    }

    /// The length of `moves`, in moves as `fewest_moves` counts them, if that was asked for.
    #[getter]
    fn length(&self) -> Option<u32> {
        self.length.map(|(length, _)| length)
    }

    /// No line of play to the best score is shorter than this, in the same moves.
    #[getter]
    fn length_at_least(&self) -> Option<u32> {
        self.length.map(|(_, at_least)| at_least)
    }

    /// The limit that ended the search, if one did: "states", "memory" or "time".
    #[getter]
    fn limit(&self) -> Option<&'static str> {
        self.best.limit.map(Limit::name)
    }

    fn __bool__(&self) -> PyResult<bool> {
        no_truth("a best score")
    }

    fn __repr__(&self) -> String {
        let (cards, at_most) = (self.best.score, self.best.at_most);
        match self.best.is_proved() {
            true => format!("<BestScore {cards} cards, proved>"),
            false => format!("<BestScore {cards} cards, at most {at_most}>"),
        }
    }
}

/// The most cards that can be on the foundations, also of a deal that cannot be won.
///
/// Args:
///     about: A Deal, a Position, or a text of either such as "solvitaire:3".
///     rules: Rules, or the name of a set of them; standard, or those of the position.
///     fewest_moves: Whether to look for a line with the fewest moves, too, and what counts: as
///         `count` of `shortest`, but for passes.
///     time_limit: Most seconds.
///     max_states: Most states to store.
///     memory: Most bytes for the tables of the search; half of the machine's if left out.
///
/// Raises:
///     ArgumentError: If an argument has a value that it cannot have.
///     DealError: If the text is no deal or does not fit the rules.
///     UnsupportedError: If the rules have no such search.
///     KeyboardInterrupt: Soon after Ctrl-C.
///
/// >>> from klondike_solver import Position, best_score
/// >>> best = best_score("solvitaire:3")
/// >>> best
/// <BestScore 52 cards, proved>
/// >>> position = Position("solvitaire:3")
/// >>> position.play(best.line)
/// >>> position.is_won
/// True
#[pyfunction]
#[pyo3(signature = (about, rules = None, *, fewest_moves = None, time_limit = None,
    max_states = None, memory = None))]
#[allow(clippy::too_many_arguments)] // keywords of Python
pub(crate) fn best_score(
    py: Python<'_>,
    about: About,
    rules: Option<RulesArg>,
    fewest_moves: Option<&str>,
    time_limit: Option<f64>,
    max_states: Option<Whole>,
    memory: Option<Whole>,
) -> PyResult<PyBestScore> {
    let bounds = Bounds::read(time_limit, max_states, memory)?;
    let count = fewest_moves.map(|count| count_named("fewest_moves", count, &[]));
    let count = count.transpose()?;
    let start = about.table(rules)?;
    let Some(count) = count else {
        let best = bounds.ask(py, &start, |solver| solver.best_score(&start))?;
        let best = best.map_err(|error| without_answer("no best scores", &error))?;
        return Ok(PyBestScore {
            start,
            best,
            length: None,
        });
    };
    let known = ask(py, |stop| {
        let limits = bounds.limits(Arc::clone(stop));
        fewest_moves::fewest_moves(&start, count, Lemmas::ALL, &limits, &mut |_| ())
    })?;
    let known = known.map_err(|error| without_answer("no fewest moves", &error.into()))?;
    let mut best = known.best;
    best.limit = known.limit;
    Ok(PyBestScore {
        start,
        best,
        length: Some((known.length, known.at_least)),
    })
}
