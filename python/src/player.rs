//! Players by name in the games of `klondike_solver.env`.

use std::sync::{Mutex, PoisonError};

use klondike_papers::published::PlayerName;
use klondike_play::AnyPlayer;
use pyo3::prelude::*;

use crate::error::argument;
use crate::games::PyGames;

/// A player of this program by its name, for the environments in `klondike_solver.env`: use
/// `Baseline` there.
#[pyclass(frozen, name = "Player", module = "klondike_solver._klondike")]
pub(crate) struct PyPlayer(Mutex<AnyPlayer>);

#[pymethods]
impl PyPlayer {
    #[new]
    fn new(name: &str) -> PyResult<PyPlayer> {
        let name: PlayerName = name.parse().map_err(|error| argument("player", error))?;
        Ok(PyPlayer(Mutex::new(name.player())))
    }

    /// Whether it looks at hidden cards.
    #[getter]
    fn is_thoughtful(&self) -> bool {
        let player = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        matches!(*player, AnyPlayer::Thoughtful(_))
    }

    /// A new game begins: it forgets the last one, and its random numbers come from this seed.
    fn new_game(&self, seed: u64) {
        let mut player = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &mut *player {
            AnyPlayer::Hidden(player) => player.new_game(seed),
            AnyPlayer::Thoughtful(player) => player.new_game(seed),
        }
    }

    /// The action that it chooses in a game, or `None` if it gives up.
    fn action(&self, py: Python<'_>, games: &PyGames, game: usize) -> PyResult<Option<usize>> {
        let session = games.session(game);
        if session.view().is_won() {
            return Ok(None);
        }
        let chosen = py.detach(|| {
            let mut player = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            match &mut *player {
                AnyPlayer::Hidden(player) => player.choose(session.view()),
                AnyPlayer::Thoughtful(player) => player.choose(session.truth()),
            }
        });
        py.check_signals()?;
        Ok(chosen.map(|made| games.action_of_move(made)))
    }
}
