//! `advise`: the next moves as a person sees the position.

use klondike_front::{Advice, Advised, Opinion, Solver, Table, Thinking};
use klondike_game::table::start::Start;
use klondike_play::Goal;
use pyo3::prelude::*;

use crate::args::{self, About, RulesArg, Whole, rules_or_standard, seconds, start_of};
use crate::ask::ask;
use crate::error::{DealError, argument, with_words, without_answer};
use crate::position::PyMove;
use crate::solve::no_truth_but;

/// A next move with its chance of winning, among all orders of the hidden cards.
#[pyclass(frozen, name = "Advised", module = "klondike_solver")]
pub(crate) struct PyAdvised {
    moves: Vec<PyMove>,
    advised: Advised,
}

#[pymethods]
impl PyAdvised {
    /// The moves: those before the last one only turn the talon, or can be taken back.
    #[getter]
    fn moves(&self) -> Vec<PyMove> {
        self.moves.clone()
    }

    /// The estimated chance of winning, 0 to 1, if the move was tried.
    #[getter]
    fn chance(&self) -> Option<f64> {
        self.advised.chance.map(|chance| chance.estimate)
    }

    /// The ends of the interval of that chance.
    #[getter]
    fn interval(&self) -> Option<(f64, f64)> {
        let interval = self.advised.chance?.interval;
        Some((interval.low, interval.high))
    }

    /// What the game is expected to be worth in Vegas after it, played for money, if it was tried.
    #[getter]
    fn worth(&self) -> Option<f64> {
        self.advised.worth.map(|worth| worth.estimate)
    }

    /// The ends of the interval of that worth.
    #[getter]
    fn worth_interval(&self) -> Option<(f64, f64)> {
        let interval = self.advised.worth?.interval;
        Some((interval.low, interval.high))
    }

    /// How often it was tried.
    #[getter]
    fn visits(&self) -> u32 {
        self.advised.visits
    }

    /// How often it stayed unknown whether an order of the hidden cards could be won after it.
    #[getter]
    fn unknown(&self) -> u32 {
        self.advised.unknowns
    }

    fn __repr__(&self) -> String {
        let moves: Vec<_> = self.moves.iter().map(PyMove::written).collect();
        let after = match (self.chance(), self.worth()) {
            (Some(chance), _) => format!("chance {:.0} %", 100.0 * chance),
            (None, Some(worth)) => format!("expected {worth:+.2}"),
            (None, None) => "not tried".to_owned(),
        };
        format!("<Advised {}, {after}>", moves.join(" "))
    }
}

/// What a person who does not see the hidden cards can play next.
///
/// >>> from klondike_solver import advise
/// >>> advice = advise("klondike:5", iterations=50)
/// >>> advice.verdict, len(advice.moves) > 1
/// ('open', True)
#[pyclass(frozen, name = "Advice", module = "klondike_solver")]
pub(crate) struct PyAdvice {
    start: Table,
    advice: Advice,
}

impl PyAdvice {
    fn opinion(&self) -> Option<&Opinion> {
        match &self.advice {
            Advice::Open { opinion, .. } => Some(opinion),
            _ => None,
        }
    }
}

#[pymethods]
impl PyAdvice {
    /// As text: "open"; "winnable" if nothing is hidden any more; "unwinnable" for every order of
    /// the hidden cards; "hopeless": all orders that were drawn are proven lost; or, for money,
    /// "end": no move is worth more than to end the game after those of `solution`.
    #[getter]
    fn verdict(&self) -> &'static str {
        match &self.advice {
            Advice::Open { .. } => "open",
            Advice::Solved { .. } => "winnable",
            Advice::Lost => "unwinnable",
            Advice::Hopeless { .. } => "hopeless",
            Advice::End { .. } => "end",
        }
    }

    /// The next moves, the one that the player would make first; none unless it is open.
    #[getter]
    fn moves(&self) -> PyResult<Vec<PyAdvised>> {
        let Advice::Open { moves, .. } = &self.advice else {
            return Ok(Vec::new());
        };
        let one = |advised: &Advised| {
            Ok(PyAdvised {
                moves: PyMove::line(&self.start, &advised.moves)?,
                advised: advised.clone(),
            })
        };
        moves.iter().map(one).collect()
    }

    /// The moves that win, if nothing is hidden any more; those to end the game with.
    #[getter]
    fn solution(&self) -> PyResult<Option<Vec<PyMove>>> {
        match &self.advice {
            Advice::Solved { moves, .. } | Advice::End { moves, .. } => {
                PyMove::line(&self.start, moves).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// What the game is worth in Vegas if it is ended at once, five for each card up less those of
    /// the deck, if it is open and played for money.
    #[getter]
    fn worth_now(&self) -> Option<f64> {
        let money = self.opinion()?.money?;
        Some(money.worth(money.up as f64))
    }

    /// The upper end of the interval for the chance of winning, if it is hopeless.
    #[getter]
    fn chance_at_most(&self) -> Option<f64> {
        match &self.advice {
            Advice::Hopeless { chance_at_most, .. } => Some(*chance_at_most),
            _ => None,
        }
    }

    /// Orders of the hidden cards that were drawn, if it is open or hopeless.
    #[getter]
    fn worlds_drawn(&self) -> Option<u32> {
        match &self.advice {
            Advice::Hopeless { drawn, .. } => Some(*drawn),
            _ => self.opinion().map(|opinion| opinion.drawn),
        }
    }

    /// How many of them are not proven lost, if it is open.
    #[getter]
    fn worlds_not_lost(&self) -> Option<u32> {
        self.opinion().map(|opinion| opinion.alive)
    }

    fn __bool__(&self) -> PyResult<bool> {
        no_truth_but("advice", "answer.verdict == 'unwinnable'")
    }

    fn __repr__(&self) -> PyResult<String> {
        Ok(match self.moves()?.first() {
            Some(first) => format!("<Advice {}>", first.__repr__()),
            None => format!("<Advice {}>", self.verdict()),
        })
    }
}

/// The next moves of a position of which the face-down cards are not known, with the chance of
/// winning after each, or with what the game is expected to be worth in Vegas.
///
/// Args:
///     about: A Deal, a Position (its face-down cards are not looked at), or a text, in which a
///         face-down card may be `??`.
///     rules: Rules, or the name of a set of them; standard, or those of the position.
///     time_limit: Seconds to think, 0 or more.
///     iterations: Think for so many iterations instead, which gives the same advice every time.
///     seed: Where the random numbers come from, 0 to 2**32 - 1; 1 if left out.
///     confidence: Of the intervals, above 0 and below 1.
///     goal: "win", or "money": five for each card up at the end, less the cards of the deck.
///
/// Raises:
///     ArgumentError: If an argument has a value that it cannot have.
///     DealError: If the text is no position, or cards of the stock or the waste are unknown.
///     UnsupportedError: If there is no advice for these rules, such as a layout that is too large.
///     KeyboardInterrupt: Soon after Ctrl-C.
///
/// >>> from klondike_solver import Position, advise
/// >>> position = Position("klondike:5")
/// >>> best = advise(position, iterations=50).moves[0]
/// >>> for move in best.moves:
/// ...     position.play(move)
#[pyfunction]
#[pyo3(signature = (about, rules = None, *, time_limit = 2.0, iterations = None, seed = None,
    confidence = 0.95, goal = "win"))]
#[allow(clippy::too_many_arguments)] // keywords of Python
pub(crate) fn advise(
    py: Python<'_>,
    about: About,
    rules: Option<RulesArg>,
    time_limit: f64,
    iterations: Option<Whole>,
    seed: Option<Whole>,
    confidence: f64,
    goal: &str,
) -> PyResult<PyAdvice> {
    let start = seen(about, rules)?;
    let time = seconds("time_limit", time_limit)?;
    let known = Goal::WORDS.iter().find(|(word, _)| *word == goal);
    let &(_, goal) = known.ok_or_else(|| argument("goal", "write \"win\" or \"money\""))?;
    let thinking = Thinking::default()
        .goal(goal)
        .seed(args::seed(seed)?)
        .confidence(confidence_of(confidence)?);
    let thinking = match iterations {
        Some(number) => {
            let number = number.within("iterations", 1..=u32::MAX.into())?;
            thinking.iterations(number as u32)
        }
        None => thinking.time(time),
    };
    let advice = ask(py, |stop| {
        let solver = Solver::new(start.rules().clone()).stop(stop.clone().into());
        solver.advise(&start, &thinking)
    })?;
    let advice = advice.map_err(|error| without_answer("no advice for these rules", &error))?;
    Ok(PyAdvice { start, advice })
}

/// A confidence level.
pub(crate) fn confidence_of(given: f64) -> PyResult<f64> {
    match given > 0.0 && given < 1.0 {
        true => Ok(given),
        false => Err(argument(
            "confidence",
            "a confidence is above 0 and below 1, such as 0.99",
        )),
    }
}

/// The table of a position in which face-down cards may be unknown.
fn seen(about: About, rules: Option<RulesArg>) -> PyResult<Table> {
    let About::Text(text) = about else {
        return about.table(rules);
    };
    let rules = rules_or_standard(rules);
    match start_of(&text, None, &rules)? {
        Start::Partly(partly) if partly.unknown_talon > 0 => {
            let (cards, are) = match partly.unknown_talon {
                1 => ("card", "is"),
                _ => ("cards", "are"),
            };
            Err(DealError::new_err(format!(
                "{} {cards} of the stock and the waste {are} unknown; look through them once and \
                 write them down",
                partly.unknown_talon
            )))
        }
        Start::Partly(partly) => Ok(partly.table),
        start => start.table(&rules).map_err(with_words!(DealError)),
    }
}
