//! Players by name in the games of `klondike_solver.env`.

use std::sync::{Mutex, MutexGuard, PoisonError};

use klondike_papers::published::PlayerName;
use klondike_play::AnyPlayer;
use pyo3::prelude::*;

use crate::args::Whole;
use crate::error::argument;
use crate::games::PyGames;

/// A player of this program by its name, for the environments in `klondike_solver.env`: use
/// `Baseline` there.
#[pyclass(frozen, name = "Player", module = "klondike_solver._klondike")]
pub(crate) struct PyPlayer {
    is_thoughtful: bool,
    player: Mutex<AnyPlayer>,
}

impl PyPlayer {
    fn lock(&self) -> MutexGuard<'_, AnyPlayer> {
        self.player.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[pymethods]
impl PyPlayer {
    #[new]
    fn new(name: &str) -> PyResult<PyPlayer> {
        let name: PlayerName = name.parse().map_err(|error| argument("player", error))?;
        let player = name.player();
        Ok(PyPlayer {
            is_thoughtful: matches!(player, AnyPlayer::Thoughtful(_)),
            player: Mutex::new(player),
        })
    }

    /// Whether it looks at hidden cards.
    #[getter]
    fn is_thoughtful(&self) -> bool {
        self.is_thoughtful
    }

    /// A new game begins: it forgets the last one, and its random numbers come from this seed.
    fn new_game(&self, py: Python<'_>, seed: u64) {
        py.detach(|| match &mut *self.lock() {
            AnyPlayer::Hidden(player) => player.new_game(seed),
            AnyPlayer::Thoughtful(player) => player.new_game(seed),
        });
    }

    /// The action that it chooses in a game, or `None` if it gives up.
    fn action(&self, py: Python<'_>, games: &PyGames, game: Whole) -> PyResult<Option<usize>> {
        let session = games.session(game)?;
        if session.view().is_won() {
            return Ok(None);
        }
        let chosen = py.detach(|| match &mut *self.lock() {
            AnyPlayer::Hidden(player) => player.choose(session.view()),
            AnyPlayer::Thoughtful(player) => player.choose(session.truth()),
        });
        Ok(chosen.map(|made| games.action_of_move(made)))
    }
}
