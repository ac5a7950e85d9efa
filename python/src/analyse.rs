//! `analyse`: what the moves of a position are worth, and those of a game that was played.

use std::sync::Arc;

use klondike_batch::interval::Interval;
use klondike_engine::prove::analyse::Loss;
use klondike_front::{Choice, Table, Verdict};
use klondike_lab::analysis::{self, Analysis, AnalysisError, Judgement, LostShare, NewLimits};
use klondike_lab::lost::Walked;
use pyo3::prelude::*;

use crate::args::{About, Bounds, RulesArg, Whole};
use crate::ask::ask;
use crate::error::{KlondikeError, UnsupportedError, argument};
use crate::position::{GameArg, PyMove};
use crate::solve::{PySolution, PyVerdict, limit_of, no_truth, solution_of};

/// A legal move and the verdict on the position after it.
#[pyclass(frozen, name = "Choice", module = "klondike_solver")]
pub(crate) struct PyChoice {
    made: PyMove,
    verdict: Verdict,
}

#[pymethods]
impl PyChoice {
    /// The move.
    #[getter(r#move)]
    fn made(&self) -> PyMove {
        self.made.clone()
    }

    /// Whether the game can be won after it: one of three.
    #[getter]
    fn verdict(&self) -> PyVerdict {
        PyVerdict(self.verdict.name())
    }

    /// A solution of the position after it, if it is winnable.
    #[getter]
    fn solution(&self) -> PyResult<Option<PySolution>> {
        solution_of(&self.verdict)
    }

    /// The limit that was hit, if it is undecided: "states", "memory" or "time".
    #[getter]
    fn limit(&self) -> Option<&'static str> {
        limit_of(&self.verdict)
    }

    fn __bool__(&self) -> PyResult<bool> {
        no_truth("a choice")
    }

    fn __repr__(&self) -> String {
        format!("<Choice {} {}>", self.made.written(), self.verdict)
    }
}

/// What the moves of a position are worth.
///
/// >>> from klondike_solver import Verdict, analyse
/// >>> analysis = analyse("klondike:5")
/// >>> [str(choice.move) for choice in analysis.choices if choice.verdict is Verdict.WINNABLE]
/// ['draw', 'AC:5>F', '7H:4>2']
#[pyclass(frozen, name = "Analysis", module = "klondike_solver")]
pub(crate) struct PyAnalysis {
    start: Table,
    analysis: Analysis,
    game: Option<PyJudgedGame>,
    lost_share: Option<PyLostShare>,
}

#[pymethods]
impl PyAnalysis {
    /// Whether the game can be won: one of three.
    #[getter]
    fn verdict(&self) -> PyVerdict {
        PyVerdict(self.analysis.verdict.name())
    }

    /// A solution, if it is winnable.
    #[getter]
    fn solution(&self) -> PyResult<Option<PySolution>> {
        solution_of(&self.analysis.verdict)
    }

    /// All legal moves, each with the verdict on the position after it.
    #[getter]
    fn choices(&self) -> PyResult<Vec<PyChoice>> {
        let choice = |choice: &Choice| {
            Ok(PyChoice {
                made: PyMove::at(&self.start, choice.made)?,
                verdict: choice.verdict.clone(),
            })
        };
        self.analysis.choices.iter().map(choice).collect()
    }

    /// Where the critical moves stand in the solution, from 0, if they were asked for and there
    /// is a solution.
    ///
    /// A move is critical if the game can be won after it, and after no other that the next move
    /// could not take back.
    #[getter]
    fn critical(&self) -> Option<Vec<usize>> {
        let critical = self.analysis.critical.as_ref();
        critical.map(|critical| critical.moves.clone())
    }

    /// Moves of the solution of which a limit hid whether they are critical.
    #[getter]
    fn critical_undecided(&self) -> Option<usize> {
        let critical = self.analysis.critical.as_ref();
        critical.map(|critical| critical.undecided)
    }

    /// Which move lost the game that was played, if one was given.
    #[getter]
    fn game(&self) -> Option<PyJudgedGame> {
        self.game.clone()
    }

    /// What share of the positions that play can reach is lost, if that was asked for.
    #[getter]
    fn lost_share(&self) -> Option<PyLostShare> {
        self.lost_share.clone()
    }

    fn __bool__(&self) -> PyResult<bool> {
        no_truth("an analysis")
    }

    fn __repr__(&self) -> String {
        let choices = &self.analysis.choices;
        let winnable = choices
            .iter()
            .filter(|choice| matches!(choice.verdict, Verdict::Winnable(_)));
        let undecided = choices
            .iter()
            .filter(|choice| matches!(choice.verdict, Verdict::Undecided(_)));
        let open = match undecided.count() {
            0 => String::new(),
            count => format!(", {count} undecided"),
        };
        format!(
            "<Analysis {}, {} of {} moves keep it winnable{open}>",
            self.analysis.verdict,
            winnable.count(),
            choices.len()
        )
    }
}

/// A game that was played: which move lost it.
///
/// >>> from klondike_solver import analyse
/// >>> game = analyse("klondike:5", game="7H:4>2 draw*8 redeal draw*8").game
/// >>> game.outcome, game.lost_at
/// ('winnable', None)
#[pyclass(frozen, name = "JudgedGame", module = "klondike_solver")]
#[derive(Clone)]
pub(crate) struct PyJudgedGame {
    moves: Vec<PyMove>,
    judged: Judgement,
}

#[pymethods]
impl PyJudgedGame {
    /// "winnable" if it can be won after its last move; "lost" by one of its moves, or
    /// "lost-before" the first one; "undecided" if a limit hid it.
    #[getter]
    fn outcome(&self) -> &'static str {
        self.judged.loss.name()
    }

    /// The number of the move that lost it, from 1, if one did.
    #[getter]
    fn lost_at(&self) -> Option<usize> {
        match self.judged.loss {
            Loss::At(number) => Some(number + 1),
            _ => None,
        }
    }

    /// The move that lost it, if one did.
    #[getter]
    fn lost_by(&self) -> Option<PyMove> {
        Some(self.moves[self.lost_at()? - 1].clone())
    }

    /// The moves that would have kept it winnable, in place of that one.
    #[getter]
    fn instead(&self) -> PyResult<Vec<PyMove>> {
        let moves = self.judged.instead.iter();
        moves
            .map(|&made| PyMove::at(&self.judged.before, made))
            .collect()
    }

    /// Whether it could be won at the start and after each move: what cannot be won stays so.
    #[getter]
    fn verdicts(&self) -> Vec<PyVerdict> {
        let verdict = |moves| {
            PyVerdict(match self.judged.loss.winnable_after(moves) {
                Some(true) => "winnable",
                Some(false) => "unwinnable",
                None => "undecided",
            })
        };
        (0..=self.moves.len()).map(verdict).collect()
    }

    fn __repr__(&self) -> String {
        match (self.lost_at(), self.lost_by()) {
            (Some(number), Some(made)) => {
                format!("<JudgedGame lost by move {number}, {}>", made.written())
            }
            _ => format!("<JudgedGame {}>", self.outcome()),
        }
    }
}

/// The positions on random walks after a number of moves.
#[pyclass(frozen, get_all, name = "Walked", module = "klondike_solver")]
#[derive(Clone)]
pub(crate) struct PyWalked {
    /// Random moves made.
    moves: u32,
    /// Walks after which the game can be won.
    winnable: u64,
    /// Walks after which it is lost.
    lost: u64,
    /// Walks after which it is undecided.
    undecided: u64,
    /// The ends of Wilson's 95 % interval for the share of walks that are lost, 0 to 1: undecided
    /// ones count as not lost at its lower end, and as lost at the upper one.
    interval: (f64, f64),
}

#[pymethods]
impl PyWalked {
    fn __repr__(&self) -> String {
        format!(
            "<Walked {} moves: {} winnable, {} lost, {} undecided>",
            self.moves, self.winnable, self.lost, self.undecided
        )
    }
}

/// How many of the positions that play can reach are lost: counted where they are few, or on random
/// walks.
#[pyclass(frozen, name = "LostShare", module = "klondike_solver")]
#[derive(Clone)]
pub(crate) struct PyLostShare(LostShare);

#[pymethods]
impl PyLostShare {
    /// Positions that can be reached, if they were counted.
    #[getter]
    fn positions(&self) -> Option<u64> {
        match &self.0 {
            LostShare::Counted(reached) => Some(reached.positions),
            LostShare::Walked(..) => None,
        }
    }

    /// Those of them that are lost.
    #[getter]
    fn lost(&self) -> Option<u64> {
        match &self.0 {
            LostShare::Counted(reached) => Some(reached.lost),
            LostShare::Walked(..) => None,
        }
    }

    /// Their share, 0 to 1.
    #[getter]
    fn share(&self) -> Option<f64> {
        Some(self.lost()? as f64 / self.positions()? as f64)
    }

    /// The limit that the count hit, if walks were made: "states", "memory" or "time".
    #[getter]
    fn limit(&self) -> Option<&'static str> {
        match &self.0 {
            LostShare::Counted(_) => None,
            LostShare::Walked(limit, _) => Some(limit.name()),
        }
    }

    /// What was found on the walks after some numbers of moves; nothing if positions were counted.
    #[getter]
    fn walked(&self) -> Vec<PyWalked> {
        let LostShare::Walked(_, walked) = &self.0 else {
            return Vec::new();
        };
        let at = |at: &Walked| {
            let all = at.winnable + at.lost + at.undecided;
            let ends = Interval::both_ways(Interval::wilson, at.lost, at.undecided, all, 0.95);
            PyWalked {
                moves: at.moves,
                winnable: at.winnable,
                lost: at.lost,
                undecided: at.undecided,
                interval: (ends.low, ends.high),
            }
        };
        walked.iter().map(at).collect()
    }

    fn __repr__(&self) -> String {
        match (self.lost(), self.positions()) {
            (Some(lost), Some(all)) => format!("<LostShare {lost} of {all} positions>"),
            _ => format!("<LostShare on walks, {} points>", self.walked().len()),
        }
    }
}

/// What is asked about beside the legal moves.
struct Questions {
    critical: bool,
    game: Option<Vec<PyMove>>,
    /// Walks and their seed.
    lost_share: Option<(u32, u64)>,
}

impl Questions {
    fn answer(self, start: Table, limits: NewLimits<'_>) -> Result<PyAnalysis, AnalysisError> {
        let analysis = analysis::analyse(&start, self.critical, limits)?;
        let judge = |moves: Vec<PyMove>| {
            let made: Vec<_> = moves.iter().map(|one| one.made).collect();
            let judged = analysis::judge(&start, &made, limits)?;
            Ok::<_, AnalysisError>(PyJudgedGame { moves, judged })
        };
        let game = self.game.map(judge).transpose()?;
        let share = |(walks, seed)| analysis::lost_share(&start, walks, seed, limits);
        let lost_share = self.lost_share.map(share).transpose()?.map(PyLostShare);
        Ok(PyAnalysis {
            start,
            analysis,
            game,
            lost_share,
        })
    }
}

/// Whether a game can be won, now and after each legal move.
///
/// Args:
///     about: A Deal, a Position, or a text of either such as "solvitaire:3".
///     rules: Rules, or the name of a set of them; standard, or those of the position.
///     critical: Whether to look for the critical moves of the solution.
///     game: A game that was played from there, to find the move that lost it: its moves as a text
///         or a list, such as the `history` of a Position.
///     lost_share: Whether to find out what share of the positions that can be reached is lost: all
///         are counted if they are at most a million, or `max_states`; else random walks are made.
///     walks: Random walks, 1 to 1,000,000.
///     walk_seed: Where their random numbers come from, 0 or more.
///     time_limit: Most seconds for everything together.
///     max_states: Most states to store for each search.
///     memory: Most bytes for the tables of a search; half of the machine's if left out.
///
/// Raises:
///     DealError: If the text is no deal or does not fit the rules.
///     MoveError: If the game has an illegal move.
///     UnsupportedError: If the rules have no critical moves, or no share of lost positions, and it
///         is asked for.
///     KeyboardInterrupt: Soon after Ctrl-C.
///
/// >>> from klondike_solver import analyse
/// >>> analyse("klondike:5")
/// <Analysis winnable, 3 of 3 moves keep it winnable>
#[pyfunction]
#[pyo3(signature = (about, rules = None, *, critical = false, game = None, lost_share = false,
    walks = None, walk_seed = None, time_limit = None, max_states = None, memory = None))]
#[allow(clippy::too_many_arguments)] // keywords of Python
pub(crate) fn analyse(
    py: Python<'_>,
    about: About,
    rules: Option<RulesArg>,
    critical: bool,
    game: Option<GameArg>,
    lost_share: bool,
    walks: Option<Whole>,
    walk_seed: Option<Whole>,
    time_limit: Option<f64>,
    max_states: Option<Whole>,
    memory: Option<Whole>,
) -> PyResult<PyAnalysis> {
    let bounds = Bounds::read(time_limit, max_states, memory)?;
    let start = about.table(rules)?;
    for (name, given) in [("walks", &walks), ("walk_seed", &walk_seed)] {
        if given.is_some() && !lost_share {
            return Err(argument(name, "it goes with lost_share, which is left out"));
        }
    }
    let walks = walks.map_or(Ok(100), |walks| walks.within("walks", 1..=1_000_000))? as u32;
    let seed = walk_seed.map_or(Ok(1), |seed| seed.within("walk_seed", 0..=i64::MAX))?;
    let questions = Questions {
        critical,
        game: game.map(|game| game.read(&start)).transpose()?,
        lost_share: lost_share.then_some((walks, seed)),
    };
    let analysis = ask(py, |stop| {
        let limits = bounds.limits(Arc::clone(stop));
        questions.answer(start, &|| limits.clone())
    })?;
    analysis.map_err(|error| match error {
        AnalysisError::Critical(_) | AnalysisError::Lost(_) => {
            UnsupportedError::new_err(error.to_string())
        }
        _ => KlondikeError::new_err(error.to_string()),
    })
}
