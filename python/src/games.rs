//! Games for the environments of `klondike_solver.env`: the border of `klondike_play::learn`.
//!
//! The environments make the NumPy arrays, and the games write into them.

use std::str::FromStr;
use std::sync::Arc;

use klondike_front::{Card, Deal, Rules, svg};
use klondike_game::card::CardSet;
use klondike_game::deal::seed::{DealId, DealRange, Scheme, Seed, looks_like_seed};
use klondike_game::table::picture::{Style, draw_partly};
use klondike_game::table::start::Start;
use klondike_play::learn::{Form, Games, Outcomes, Reward, Rows, Setting, Source, StepError};
use klondike_play::{Board, Session, seeded};
use numpy::{Element, PyReadonlyArrayDyn, PyReadwriteArrayDyn};
use pyo3::exceptions::PyTypeError;
use pyo3::inspect::PyStaticExpr;
use pyo3::prelude::*;
use pyo3::{type_hint_identifier, type_hint_union};

use crate::args::{self, RulesArg, Whole, rules_or_standard, start_of};
use crate::deal::PyDeal;
use crate::error::{DealError, MoveError, argument, with_words};
use crate::judge::Judge;
use crate::position::{MoveArg, PyPosition};
use crate::rules::PyRules;

/// Deals of which a game takes one, if none are given: as many as fit the seeds of Gymnasium.
const ALL_DEALS: u64 = i64::MAX as u64;

/// An array that the games write into.
pub(crate) struct Out<'py, T: Element>(PyReadwriteArrayDyn<'py, T>);

impl<'py, T: Element> FromPyObject<'_, 'py> for Out<'py, T> {
    type Error = PyErr;
    const INPUT_TYPE: PyStaticExpr = type_hint_identifier!("numpy", "ndarray");

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<Out<'py, T>> {
        let array = given.extract().map(Out);
        array.map_err(|_| PyTypeError::new_err("an array of another type"))
    }
}

impl<T: Element> Out<'_, T> {
    fn slice(&mut self, length: usize) -> PyResult<&mut [T]> {
        let slice = self.0.as_slice_mut().ok();
        let slice = slice.filter(|slice| slice.len() == length);
        slice.ok_or_else(|| PyTypeError::new_err("an array of another shape"))
    }
}

/// Actions, a number for each game.
pub(crate) struct ActionsArg<'py>(PyReadonlyArrayDyn<'py, i64>);

impl<'py> FromPyObject<'_, 'py> for ActionsArg<'py> {
    type Error = PyErr;
    const INPUT_TYPE: PyStaticExpr = type_hint_identifier!("numpy", "ndarray");

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<ActionsArg<'py>> {
        let array = given.extract().map(ActionsArg);
        array.map_err(|_| PyTypeError::new_err("an array of other numbers than int64"))
    }
}

/// The deal that a game begins with: a seed, cards as text, or a deal.
pub(crate) enum DealArg {
    Text(String),
    Deal(PyDeal),
}

impl<'py> FromPyObject<'_, 'py> for DealArg {
    type Error = PyErr;
    const INPUT_TYPE: PyStaticExpr = type_hint_union!(
        <PyDeal as pyo3::PyTypeInfo>::TYPE_HINT,
        type_hint_identifier!("builtins", "str")
    );

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<DealArg> {
        if let Ok(deal) = given.cast::<PyDeal>() {
            return Ok(DealArg::Deal(deal.get().clone()));
        }
        given
            .extract()
            .map(DealArg::Text)
            .map_err(|_| PyTypeError::new_err("deal: write a Deal, or a text such as solvitaire:3"))
    }
}

impl DealArg {
    /// Where the cards come from, and what the deal is called if it has no number.
    fn source(self, rules: &Arc<Rules>) -> PyResult<(Source, Option<String>)> {
        let cards = |deal: Deal, name| (Source::Cards(deal), Some(name));
        let text = match self {
            DealArg::Deal(deal) => {
                let name = deal.label();
                return Ok(cards(deal.deal, name));
            }
            DealArg::Text(text) => text,
        };
        if looks_like_seed(text.trim()) {
            let id = DealId::from_str(text.trim()).map_err(with_words!(DealError))?;
            return Ok((Source::Number(id), None));
        }
        match start_of(&text, None, rules)? {
            Start::Deal(deal) => {
                let name = deal.to_string();
                Ok(cards(deal, name))
            }
            _ => Err(DealError::new_err(
                "a game of the environment begins with a deal of which all cards are known",
            )),
        }
    }
}

/// Games side by side, for the environments in `klondike_solver.env`: use those.
#[pyclass(name = "Games", module = "klondike_solver._klondike")]
#[derive(Clone)]
pub(crate) struct PyGames {
    games: Games,
    /// What the deals are called that have no number.
    names: Vec<Option<String>>,
    judges: Vec<Judge>,
    /// States that a judge may store for an answer, if one is asked.
    judge_states: Option<u64>,
}

impl PyGames {
    fn index(&self, game: Whole) -> PyResult<usize> {
        let game = game.within("game", 0..=self.games.len() as i64 - 1)?;
        Ok(game as usize)
    }

    pub(crate) fn session(&self, game: Whole) -> PyResult<&Session> {
        Ok(self.games.session(self.index(game)?))
    }

    pub(crate) fn action_of_move(&self, made: klondike_front::Move) -> usize {
        self.games.actions().number(made)
    }

    fn position_of(&self, board: &Board) -> PyResult<PyPosition> {
        let table = board.to_table(&self.games.setting().rules);
        Ok(PyPosition::new(table.map_err(with_words!(DealError))?))
    }

    fn check_action(&self, action: Whole) -> PyResult<usize> {
        let last = self.games.actions().len() - 1;
        let action = action.within("action", 0..=last as i64)?;
        Ok(action as usize)
    }
}

#[pymethods]
impl PyGames {
    /// So many games under these rules.
    #[allow(clippy::too_many_arguments)] // keywords of Python
    #[new]
    #[pyo3(signature = (
        count, rules, information, deals, observation, reward, max_steps, judge_states
    ))]
    fn new(
        count: Whole,
        rules: Option<RulesArg>,
        information: Option<&str>,
        deals: Option<&str>,
        observation: &str,
        reward: &str,
        max_steps: Option<Whole>,
        judge_states: Option<Whole>,
    ) -> PyResult<PyGames> {
        let rules = rules_or_standard(rules);
        let information = args::information(information, &rules)?;
        let deals = match deals {
            None => {
                let first = Seed::from(0_u64);
                DealRange::from_first(Scheme::Klondike, &first, ALL_DEALS)
            }
            Some(text) => text.parse(),
        };
        let form = match observation {
            "numbers" => Form::Numbers,
            "ones" => Form::Ones,
            other => {
                let words = format!("write \"numbers\" or \"ones\", not {other:?}");
                return Err(argument("observation", words));
            }
        };
        let reward = match reward {
            "win" => Reward::Win,
            "foundation" => Reward::Foundation,
            other => {
                let words = format!("write \"win\" or \"foundation\", not {other:?}");
                return Err(argument("reward", words));
            }
        };
        let states = |states: Whole| states.within("judge_states", 0..=i64::MAX);
        let judge_states = judge_states.map(states).transpose()?;
        let steps = |steps: Whole| steps.within("max_episode_steps", 1..=u32::MAX.into());
        let setting = Setting {
            rules,
            information,
            deals: deals.map_err(|error| argument("deals", error))?,
            form,
            reward,
            max_steps: max_steps.map(steps).transpose()?.map(|steps| steps as u32),
        };
        let count = count.within("num_envs", 1..=1 << 24)? as usize;
        let games = Games::new(setting, count).map_err(with_words!(DealError))?;
        Ok(PyGames {
            games,
            names: vec![None; count],
            judges: vec![Judge::default(); count],
            judge_states,
        })
    }

    fn __len__(&self) -> usize {
        self.games.len()
    }

    /// The rules.
    #[getter]
    fn rules(&self) -> PyRules {
        PyRules(Arc::clone(&self.games.setting().rules))
    }

    /// What is known of the talon.
    #[getter]
    fn information(&self) -> &'static str {
        self.games.setting().information.name()
    }

    /// The names of the actions, in the order of their numbers.
    #[getter]
    fn actions(&self) -> Vec<String> {
        let actions = self.games.actions();
        (0..actions.len())
            .map(|action| actions.name(action).to_string())
            .collect()
    }

    /// How many values each number of an observation can have.
    #[getter]
    fn sizes(&self) -> Vec<u32> {
        let sizes = self.games.layout().sizes();
        sizes.into_iter().map(u32::from).collect()
    }

    /// The length of an observation.
    #[getter]
    fn width(&self) -> usize {
        self.games.layout().len()
    }

    /// The cards, in the order of their numbers in an observation.
    #[getter]
    fn cards(&self) -> Vec<String> {
        let cards = self.games.layout().cards();
        cards.iter().map(ToString::to_string).collect()
    }

    /// From now on the deals of a game come from this stream, from its beginning.
    fn set_stream(&mut self, game: Whole, stream: u64) -> PyResult<()> {
        let game = self.index(game)?;
        self.games.set_stream(game, stream);
        Ok(())
    }

    /// An exception if no game can begin on this deal.
    fn check_deal(&self, deal: Option<DealArg>) -> PyResult<()> {
        let Some(deal) = deal else {
            return Ok(());
        };
        let (source, _) = deal.source(&self.games.setting().rules)?;
        let checked = self.games.check(&source);
        checked.map_err(with_words!(DealError))
    }

    /// Begins a game anew: on this deal, or on the next one of its stream.
    #[pyo3(signature = (game, deal = None))]
    fn reset(&mut self, game: Whole, deal: Option<DealArg>) -> PyResult<()> {
        let game = self.index(game)?;
        let rules = Arc::clone(&self.games.setting().rules);
        let (source, name) = match deal {
            None => (Source::Next, None),
            Some(deal) => deal.source(&rules)?,
        };
        let begun = self.games.reset(game, &source);
        begun.map_err(with_words!(DealError))?;
        self.names[game] = name;
        self.judges[game] = Judge::default();
        Ok(())
    }

    /// What the deal of a game is called.
    fn deal(&self, game: Whole) -> PyResult<String> {
        let game = self.index(game)?;
        let id = self.games.id(game).map(ToString::to_string);
        Ok(id.or_else(|| self.names[game].clone()).unwrap_or_default())
    }

    /// Writes what the player of a game sees, and which actions are legal.
    fn observe(
        &mut self,
        game: Whole,
        mut observations: Out<'_, u8>,
        mut masks: Out<'_, i8>,
    ) -> PyResult<()> {
        let game = self.index(game)?;
        let count = self.games.len();
        let width = self.games.layout().len();
        let mut rows = Rows {
            observations: observations.slice(count * width)?,
            masks: masks.slice(count * self.games.actions().len())?,
        };
        self.games.observe(game, &mut rows);
        Ok(())
    }

    /// Makes a step in every game. Gives the games that began anew instead.
    #[allow(clippy::too_many_arguments)] // the arrays of a step
    fn step(
        &mut self,
        py: Python<'_>,
        actions: ActionsArg<'_>,
        autoreset: bool,
        mut observations: Out<'_, u8>,
        mut masks: Out<'_, i8>,
        mut rewards: Out<'_, f64>,
        mut terminated: Out<'_, bool>,
        mut truncated: Out<'_, bool>,
        mut illegal: Out<'_, bool>,
    ) -> PyResult<Vec<usize>> {
        let count = self.games.len();
        let (width, kinds) = (self.games.layout().len(), self.games.actions().len());
        let actions = actions.0.as_slice().ok();
        let actions = actions.filter(|actions| actions.len() == count);
        let actions = actions
            .ok_or_else(|| argument("actions", format!("write {count} of them, one a game")))?;
        let mut rows = Rows {
            observations: observations.slice(count * width)?,
            masks: masks.slice(count * kinds)?,
        };
        let mut outcomes = Outcomes {
            rewards: rewards.slice(count)?,
            terminated: terminated.slice(count)?,
            truncated: truncated.slice(count)?,
            illegal: illegal.slice(count)?,
        };
        let games = &mut self.games;
        let over: Vec<usize> = (0..count).filter(|&game| games.is_over(game)).collect();
        let stepped = py.detach(|| games.step(actions, autoreset, &mut rows, &mut outcomes));
        stepped.map_err(|error| match error {
            StepError::NoAction { action, last } => argument(
                "action",
                format!("write a whole number from 0 to {last}, not {action}"),
            ),
            StepError::Over(_) => MoveError::new_err(error.to_string()),
        })?;
        for &game in &over {
            self.names[game] = None;
            self.judges[game] = Judge::default();
        }
        Ok(over)
    }

    /// The number of the action that makes this move in a game.
    fn action_of(&self, game: Whole, made: MoveArg) -> PyResult<usize> {
        let table = self.truth(game)?;
        let made = table.read_one(made)?;
        Ok(self.action_of_move(made))
    }

    /// Whether a game is won.
    fn is_won(&self, game: Whole) -> PyResult<bool> {
        Ok(self.session(game)?.view().is_won())
    }

    /// The true position of a game, with all cards known.
    fn truth(&self, game: Whole) -> PyResult<PyPosition> {
        self.position_of(self.session(game)?.truth())
    }

    /// A position that agrees with all that the player of a game has seen.
    fn world(&self, game: Whole, seed: u64) -> PyResult<PyPosition> {
        let view = self.session(game)?.view();
        self.position_of(&view.shuffled_world(&mut seeded(seed)))
    }

    /// Deals the unseen cards of a game anew.
    fn resample(&mut self, game: Whole, seed: u64) -> PyResult<()> {
        let game = self.index(game)?;
        self.games.resample(game, &mut seeded(seed));
        self.judges[game] = Judge::default();
        Ok(())
    }

    /// Whether a game can still be won; `None` if `judge_states` do not decide it.
    fn still_winnable(&mut self, py: Python<'_>, game: Whole) -> PyResult<Option<bool>> {
        let game = self.index(game)?;
        let Some(states) = self.judge_states else {
            return Ok(None);
        };
        let rules = &self.games.setting().rules;
        let board = self.games.session(game).truth();
        self.judges[game].ask(py, board, rules, states)
    }

    /// What the player of a game sees: "ansi" for letters, "svg" for a picture.
    fn picture(&self, game: Whole, kind: &str) -> PyResult<String> {
        let view = self.session(game)?.view();
        let unseen: CardSet = view.unseen();
        let cards: Vec<Card> = unseen.collect();
        let table = view.world(&cards).map_err(with_words!(DealError))?;
        Ok(match kind {
            "svg" => svg::draw_partly(&table, unseen, ""),
            _ => draw_partly(&table, unseen, Style::default()),
        })
    }

    /// The move of an action in a game as text, if it is legal.
    fn move_of(&self, game: Whole, action: Whole) -> PyResult<Option<String>> {
        let action = self.check_action(action)?;
        let Some(made) = self.games.legal(self.index(game)?, action) else {
            return Ok(None);
        };
        let table = self.truth(game)?;
        Ok(Some(table.name_of(made)?))
    }

    fn __copy__(&self) -> PyGames {
        self.clone()
    }

    fn __deepcopy__(&self, _memo: &Bound<'_, PyAny>) -> PyGames {
        self.clone()
    }
}
