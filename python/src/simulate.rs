//! `simulate` and `players`: how often players win.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use arrow_array::{Float64Array, StringArray, UInt64Array};
use klondike_batch::interval::Interval;
use klondike_batch::machine;
use klondike_front::{DealId, DealRange, Notation, Table};
use klondike_lab::paired::Pairs;
use klondike_lab::plots::chart::{Chart, Curve, Point};
use klondike_papers::published::{PLAYERS, PlayerName};
use klondike_papers::simulate::{
    Experiment, GameResult, SimulateError, SimulatedGame, Totals, run,
};
use pyo3::exceptions::{PyRuntimeError, PyTypeError};
use pyo3::inspect::PyStaticExpr;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;
use pyo3::{type_hint_identifier, type_hint_subscript, type_hint_union};

use crate::advise::confidence_of;
use crate::args::{self, RulesArg, Whole, rules_or_standard};
use crate::arrow::{ArrowTable, Columns, Growing, column};
use crate::bar::with_bar;
use crate::error::{DealError, KlondikeError, argument};

/// All players that can be asked for by name, with what each is and its parameters. What begins
/// with "thoughtful" looks at the hidden cards.
///
/// >>> from klondike_solver import players
/// >>> sorted(players())[:3]
/// ['bjarnason-greedy', 'bjarnason-hop', 'bjarnason-nested']
#[pyfunction]
pub(crate) fn players() -> BTreeMap<&'static str, &'static str> {
    let described = PLAYERS.iter().map(|entry| (entry.name, entry.help));
    described.collect()
}

/// The name of a player with its parameters, or several.
pub(crate) struct PlayersArg(Vec<PlayerName>);

impl<'py> FromPyObject<'_, 'py> for PlayersArg {
    type Error = PyErr;
    const INPUT_TYPE: PyStaticExpr = type_hint_union!(
        type_hint_identifier!("builtins", "str"),
        type_hint_subscript!(
            type_hint_identifier!("collections.abc", "Sequence"),
            type_hint_identifier!("builtins", "str")
        )
    );

    fn extract(given: Borrowed<'_, 'py, PyAny>) -> PyResult<PlayersArg> {
        let names = match given.extract::<String>() {
            Ok(name) => vec![name],
            Err(_) => given.extract::<Vec<String>>().map_err(|_| {
                PyTypeError::new_err("write the name of a player such as \"tree\", or a list")
            })?,
        };
        let wrong = |error| argument("players", error);
        if names.is_empty() {
            return Err(argument("players", "name at least one"));
        }
        let names = names.iter().map(|name| name.parse().map_err(wrong));
        Ok(PlayersArg(names.collect::<PyResult<_>>()?))
    }
}

/// What one player won.
#[pyclass(frozen, name = "PlayerResult", module = "klondike_solver")]
#[derive(Clone)]
pub(crate) struct PyPlayerResult {
    player: String,
    rule_set: Option<&'static str>,
    totals: Totals,
    confidence: f64,
}

impl PyPlayerResult {
    fn interval(&self, of: fn(u64, u64, f64) -> Interval) -> Interval {
        of(self.totals.wins, self.totals.games, self.confidence)
    }

    fn per_game(&self, sum: u64) -> Option<f64> {
        let games = self.totals.games;
        (games > 0).then(|| sum as f64 / games as f64)
    }

    fn row(&self) -> Curve {
        let wilson = self.interval(Interval::wilson);
        let point = |share| Point {
            x: 0.0,
            y: share,
            interval: Some(wilson),
        };
        Curve {
            name: self.player.clone(),
            published: Vec::new(),
            ours: self.share().map(point).into_iter().collect(),
        }
    }
}

#[pymethods]
impl PyPlayerResult {
    /// The player with its parameters.
    #[getter]
    fn player(&self) -> String {
        self.player.clone()
    }

    /// The rule set of the player's paper, if it is another one than that of the games.
    #[getter]
    fn rule_set(&self) -> Option<&'static str> {
        self.rule_set
    }

    /// Games that it played.
    #[getter]
    fn games(&self) -> u64 {
        self.totals.games
    }

    /// Games that it won.
    #[getter]
    fn wins(&self) -> u64 {
        self.totals.wins
    }

    /// Their share, 0 to 1, if there are games.
    #[getter]
    fn share(&self) -> Option<f64> {
        self.per_game(self.totals.wins)
    }

    /// The ends of Wilson's interval of the share.
    #[getter]
    fn wilson(&self) -> (f64, f64) {
        let interval = self.interval(Interval::wilson);
        (interval.low, interval.high)
    }

    /// The ends of the interval of Clopper and Pearson, which covers the share with at least the
    /// confidence.
    #[getter]
    fn clopper_pearson(&self) -> (f64, f64) {
        let interval = self.interval(Interval::clopper_pearson);
        (interval.low, interval.high)
    }

    /// Games that went round in circles.
    #[getter]
    fn stale(&self) -> u64 {
        self.totals.stale
    }

    /// Mean number of moves of a game, draws and redeals included.
    #[getter]
    fn moves_per_game(&self) -> Option<f64> {
        self.per_game(self.totals.moves)
    }

    /// Mean number of decisions of a game.
    #[getter]
    fn decisions_per_game(&self) -> Option<f64> {
        self.per_game(self.totals.decisions)
    }

    /// Mean time of a game.
    #[getter]
    fn seconds_per_game(&self) -> Option<f64> {
        let games = self.totals.games;
        (games > 0).then(|| self.totals.seconds / games as f64)
    }

    fn __repr__(&self) -> String {
        let (low, high) = self.wilson();
        format!(
            "<PlayerResult {}: {} of {} games won, {:.1} to {:.1} %>",
            self.player,
            self.totals.wins,
            self.totals.games,
            100.0 * low,
            100.0 * high
        )
    }
}

/// Two players on the same deals.
#[pyclass(frozen, name = "Comparison", module = "klondike_solver")]
#[derive(Clone, Copy)]
pub(crate) struct PyComparison {
    pairs: Pairs,
    confidence: f64,
}

#[pymethods]
impl PyComparison {
    /// The second player's share of wins less the first's, if there are games.
    #[getter]
    fn difference(&self) -> Option<f64> {
        self.pairs.difference(self.confidence).difference
    }

    /// The ends of Agresti and Min's interval of the difference.
    #[getter]
    fn interval(&self) -> (f64, f64) {
        let interval = self.pairs.interval(self.confidence);
        (interval.low, interval.high)
    }

    /// The chance, 0 to 1, of a difference as great if there is none: McNemar's exact test.
    #[getter]
    fn mcnemar_p(&self) -> f64 {
        self.pairs.mcnemar()
    }

    /// Deals won by both, only the first, only the second, and neither.
    #[getter]
    fn deals(&self) -> (u64, u64, u64, u64) {
        let Pairs {
            both,
            only_first,
            only_second,
            neither,
        } = self.pairs;
        (both, only_first, only_second, neither)
    }

    fn __repr__(&self) -> String {
        let (low, high) = self.interval();
        format!(
            "<Comparison: the second less the first {:.1} to {:.1} %>",
            100.0 * low,
            100.0 * high
        )
    }
}

/// Games that players played: their shares of wins, and a table with a row for each game, which
/// pyarrow, polars, pandas, duckdb and others take as it is.
///
/// A row has `deal` (its seed), `player` (its number from 0), `result` ("won", "given-up", "stale"
/// or "lost"), `moves`, `card_moves`, what lies at the end on the foundations (`foundation`), face
/// down (`face_down`) and in the talon (`talon`), `decisions`, `planner_calls`, and if they are
/// asked for `line` (its moves as text, which `Position.play` and `analyse` read) and `seconds`.
/// In a notebook the shares show as a plot.
///
/// >>> from klondike_solver import simulate
/// >>> games = simulate(["random", "kortsmit-greedy"], games=200)
/// >>> [result.games for result in games.results], len(games)
/// ([200, 200], 400)
/// >>> games.results[0].wins < games.results[1].wins
/// True
#[pyclass(frozen, name = "Simulation", module = "klondike_solver")]
pub(crate) struct PySimulation {
    table: ArrowTable,
    results: Vec<PyPlayerResult>,
    comparison: Option<PyComparison>,
    interrupted: bool,
}

#[pymethods]
impl PySimulation {
    /// What each player won, in the order of the players.
    #[getter]
    fn results(&self) -> Vec<PyPlayerResult> {
        self.results.clone()
    }

    /// The difference between two players, if there are two.
    #[getter]
    fn comparison(&self) -> Option<PyComparison> {
        self.comparison
    }

    /// Whether Ctrl-C ended it: the games that had ended by then are here, of the first deals.
    #[getter]
    fn interrupted(&self) -> bool {
        self.interrupted
    }

    fn __len__(&self) -> usize {
        let games = self.results.iter().map(|result| result.totals.games);
        games.sum::<u64>() as usize
    }

    fn __repr__(&self) -> String {
        let results: Vec<_> = self.results.iter().map(PyPlayerResult::__repr__).collect();
        let end = match self.interrupted {
            true => ", interrupted",
            false => "",
        };
        format!("<Simulation {}{end}>", results.join(" "))
    }

    fn _repr_svg_(&self) -> PyResult<String> {
        let chart = Chart::Rows {
            axis: "share of games won".to_owned(),
            rows: self.results.iter().map(PyPlayerResult::row).collect(),
        };
        let svg = chart.svg();
        svg.map_err(|error| PyRuntimeError::new_err(error.to_string()))
    }

    /// The table as a stream of the Arrow C interface; any number of times.
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        let _ = requested_schema; // a wish that the interface lets a producer pass over
        self.table.stream(py)
    }

    /// The columns of the table by the Arrow C interface.
    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        self.table.schema(py)
    }
}

/// The moves of a game as text.
fn line(experiment: &Experiment, game: &SimulatedGame) -> String {
    let rules = &experiment.rules;
    let seed = game.seed.parse().expect("the seed of a deal");
    let id = DealId::new(experiment.deals.scheme(), seed).expect("a deal that was played");
    let deal = id.deal(rules.deck(), rules.layout());
    let deal = deal.expect("a deal that was played");
    let table = Table::new(Arc::clone(rules), &deal).expect("a deal that was played");
    let line = Notation::Klondike.write(&table, &game.line);
    line.expect("moves that were made")
}

fn columns(experiment: &Experiment, times: bool, games: &[SimulatedGame]) -> Columns {
    let scheme = experiment.deals.scheme().name();
    let number = |of: fn(&SimulatedGame) -> u64| {
        column::<UInt64Array, _>(games.iter().map(|game| Some(of(game))))
    };
    let deals = games
        .iter()
        .map(|game| Some(format!("{scheme}:{}", game.seed)));
    let results = games.iter().map(|game| Some(game.result.name()));
    let mut columns = vec![
        ("deal", column::<StringArray, _>(deals), false),
        ("player", number(|game| game.player as u64 - 1), false),
        ("result", column::<StringArray, _>(results), false),
        ("moves", number(|game| game.moves), false),
        ("card_moves", number(|game| game.card_moves), false),
        ("foundation", number(|game| game.foundation), false),
        ("face_down", number(|game| game.face_down), false),
        ("talon", number(|game| game.talon), false),
        ("decisions", number(|game| game.decisions), false),
        ("planner_calls", number(|game| game.planner_calls), false),
    ];
    if experiment.keep_lines {
        let lines = games.iter().map(|game| Some(line(experiment, game)));
        columns.push(("line", column::<StringArray, _>(lines), false));
    }
    if times {
        let seconds = games.iter().map(|game| Some(game.seconds));
        columns.push(("seconds", column::<Float64Array, _>(seconds), false));
    }
    columns
}

fn of_simulate(error: &SimulateError) -> PyErr {
    match error {
        SimulateError::Deal(..) | SimulateError::Table(..) => DealError::new_err(error.to_string()),
        _ => KlondikeError::new_err(error.to_string()),
    }
}

/// How the games are played and shown.
struct Settings {
    threads: usize,
    confidence: f64,
    times: bool,
}

fn play(
    experiment: &Experiment,
    settings: &Settings,
    stop: &Arc<AtomicBool>,
    done: &AtomicU64,
) -> PyResult<PySimulation> {
    let mut table =
        Growing::new(|games: &[SimulatedGame]| columns(experiment, settings.times, games));
    let mut totals = vec![Totals::default(); experiment.players.len()];
    let mut pairs = Pairs::default();
    let take = |games: Vec<SimulatedGame>, count: u64| {
        for deal in games.chunks_exact(totals.len()) {
            for (totals, game) in totals.iter_mut().zip(deal) {
                totals.add(game);
            }
            if let [first, second] = deal {
                let won = |game: &SimulatedGame| game.result == GameResult::Won;
                pairs.add(won(first), won(second));
            }
        }
        for game in games {
            table.push(game);
        }
        done.fetch_add(count, Ordering::Relaxed);
        Ok(())
    };
    run(experiment, 0, settings.threads, stop, take)
        .map_err(|error: SimulateError| of_simulate(&error))?;
    let confidence = settings.confidence;
    let players = experiment.players.iter().zip(totals);
    let result = |(player, totals): (&PlayerName, Totals)| PyPlayerResult {
        player: player.to_string(),
        rule_set: player.plays_other_rules_than(&experiment.rules),
        totals,
        confidence,
    };
    let results: Vec<_> = players.map(result).collect();
    let compared = results.len() == 2;
    Ok(PySimulation {
        table: table.finish(),
        results,
        comparison: compared.then_some(PyComparison { pairs, confidence }),
        interrupted: false,
    })
}

/// Lets players play the same deals, and counts their wins.
///
/// A game depends on the deal, the player and `seed` alone, so the answer does not depend on the
/// threads. Ctrl-C ends it when the games under way have ended, and those are the answer; a second
/// Ctrl-C raises `KeyboardInterrupt` then.
///
/// Args:
///     players: The name of a player with its parameters, such as "yan" or "tree:iterations=100",
///         or several; `players()` has all.
///     rules: Rules, or the name of a set of them; standard if left out.
///     games: Deals for each player, 1 or more; 1,000 if left out.
///     first: The first deal; the next numbers follow.
///     information: What is known of the talon: "talon-known", "waste-top" or "turned"; if left
///         out, the first with unlimited redeals, and otherwise the last.
///     seed: Where the random numbers of the players come from, 0 to 2**32 - 1; 1 if left out.
///     confidence: Of the intervals, above 0 and below 1.
///     stop_when_lost: Whether a game ends when it is proven lost: lost ones are shorter then.
///     threads: Threads, 1 to 1024; if left out, as many as this process may use.
///     lines: Whether the table has a column `line`.
///     times: Whether the table has a column `seconds`.
///     progress: Whether a bar shows how far it is, after two seconds.
///
/// Raises:
///     ArgumentError: If an argument has a value that it cannot have.
///     DealError: If the deals do not fit the rules.
///
/// >>> from klondike_solver import simulate
/// >>> simulate("kortsmit-greedy", "kortsmit", games=100).results
/// [<PlayerResult kortsmit-greedy: 14 of 100 games won, 8.5 to 22.1 %>]
#[pyfunction]
#[pyo3(signature = (players, rules = None, *, games = None, first = "klondike:1",
    information = None, seed = None, confidence = 0.95, stop_when_lost = false, threads = None,
    lines = false, times = false, progress = true))]
#[allow(clippy::too_many_arguments)] // keywords of Python
pub(crate) fn simulate(
    py: Python<'_>,
    players: PlayersArg,
    rules: Option<RulesArg>,
    games: Option<Whole>,
    first: &str,
    information: Option<&str>,
    seed: Option<Whole>,
    confidence: f64,
    stop_when_lost: bool,
    threads: Option<Whole>,
    lines: bool,
    times: bool,
    progress: bool,
) -> PyResult<PySimulation> {
    let rules = rules_or_standard(rules);
    let first: DealId = first.parse().map_err(|error| argument("first", error))?;
    let games = match games {
        Some(games) => games.within("games", 1..=i64::MAX)?,
        None => 1000,
    };
    let information = args::information(information, &rules)?;
    let deals = DealRange::from_first(first.scheme(), first.seed(), games);
    let experiment = Experiment {
        rules,
        deals: deals.map_err(|error| argument("games", error))?,
        players: players.0,
        information,
        seed: args::seed(seed)?,
        stop_when_lost,
        keep_lines: lines,
    };
    let settings = Settings {
        threads: args::threads(threads, machine::processors())?,
        confidence: confidence_of(confidence)?,
        times,
    };
    let work = |stop: &Arc<_>, done: &_| play(&experiment, &settings, stop, done);
    let (simulation, interrupted) = with_bar(py, Some(games), progress, work)?;
    Ok(PySimulation {
        interrupted,
        ..simulation
    })
}
