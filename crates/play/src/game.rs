//! The game between a player and the cards, from a position to its end.

use crate::board::Board;
use crate::information::Information;
use crate::player::{AnyPlayer, Counters, Player};
use crate::view::{Session, View};
use klondike_game::table::{Move, Table};

/// How a game ended.
///
/// Every game ends: it stops when the last [`PATIENCE`] moves neither turned a card up nor took a
/// talon card. No move turns a card face down or puts one back into the talon. So at most 52 moves
/// do one of these, and a game has at most 53 · `PATIENCE` moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// All cards are on the foundations.
    Won,
    /// The player gave up, or there was no legal move.
    GivenUp,
    /// Too many moves made no progress.
    Stale,
    /// The watcher of [`play_until`] ended it.
    Stopped,
}

/// Most moves, draws and redeals included, between two that turn a card up or take a talon card.
///
/// A pass through a talon of 24 at draw 1 is 25 moves, so this leaves room for far more than any
/// sensible detour. It stops players that go round in circles.
pub const PATIENCE: u32 = 200_000;

/// A game under way: a [`Session`] with a player who sees a [`View`], or a [`Board`] with a player
/// who sees all cards.
pub trait Playable {
    /// What the player sees.
    type Seen;

    /// What the player sees now.
    fn seen(&self) -> &Self::Seen;

    /// The true position.
    fn truth(&self) -> &Board;

    /// Makes a move. Returns whether it turned a card up.
    ///
    /// # Errors
    /// If the move is not legal.
    fn try_make(&mut self, made: Move) -> Result<bool, WrongChoice>;
}

impl Playable for Session {
    type Seen = View;

    fn seen(&self) -> &View {
        self.view()
    }

    fn truth(&self) -> &Board {
        self.truth()
    }

    fn try_make(&mut self, made: Move) -> Result<bool, WrongChoice> {
        let revealed = self.make(made).map_err(|_| WrongChoice(made))?;
        Ok(revealed.is_some())
    }
}

impl Playable for Board {
    type Seen = Board;

    fn seen(&self) -> &Board {
        self
    }

    fn truth(&self) -> &Board {
        self
    }

    fn try_make(&mut self, made: Move) -> Result<bool, WrongChoice> {
        if !self.is_legal(made) {
            return Err(WrongChoice(made));
        }
        Ok(self.make(made).is_some())
    }
}

/// Lets a player play from the position of `game` to the end. Appends its moves to `moves`.
///
/// The caller calls [`Player::new_game`] before.
///
/// # Errors
/// If the player chose a move that is not legal. `moves` then holds those before it.
pub fn play<G: Playable>(
    game: &mut G,
    player: &mut (impl Player<G::Seen> + ?Sized),
    moves: &mut Vec<Move>,
) -> Result<Ending, WrongChoice> {
    play_until(game, player, moves, |_| false)
}

/// As [`play`], but the game ends when `is_over` says so of the true position.
///
/// `is_over` is asked before the first move and after every move of a card. The player does not
/// know of it, so up to there the game is that of [`play`].
///
/// # Errors
/// As [`play`].
pub fn play_until<G: Playable>(
    game: &mut G,
    player: &mut (impl Player<G::Seen> + ?Sized),
    moves: &mut Vec<Move>,
    mut is_over: impl FnMut(&Board) -> bool,
) -> Result<Ending, WrongChoice> {
    let mut no_progress = 0;
    let mut drew = false;
    loop {
        if game.truth().is_won() {
            return Ok(Ending::Won);
        }
        if !drew && is_over(game.truth()) {
            return Ok(Ending::Stopped);
        }
        let Some(made) = player.choose(game.seen()) else {
            return Ok(Ending::GivenUp);
        };
        let revealed = game.try_make(made)?;
        moves.push(made);
        drew = made.is_of_stock();
        if revealed || matches!(made, Move::WasteToFoundation | Move::WasteToPile { .. }) {
            no_progress = 0;
        } else {
            no_progress += 1;
        }
        if no_progress == PATIENCE {
            return Ok(Ending::Stale);
        }
    }
}

/// Where a game begins.
#[derive(Clone, Copy, Debug)]
pub struct Start<'a> {
    /// The cards.
    pub table: &'a Table,
    /// What a player with hidden cards knows of the talon.
    pub information: Information,
    /// Where the player's random numbers come from.
    pub seed: u64,
}

/// How a game went.
#[derive(Clone, Copy, Debug)]
pub struct Played {
    /// How it ended.
    pub ending: Ending,
    /// The last position.
    pub last: Board,
    /// What the player did.
    pub counters: Counters,
}

/// Lets any player play a game from its start until it ends or `is_over` ends it, as in
/// [`play_until`]. Appends the moves to `moves`.
///
/// # Errors
/// As [`play`].
pub fn play_game(
    player: &mut AnyPlayer,
    start: Start<'_>,
    moves: &mut Vec<Move>,
    is_over: impl FnMut(&Board) -> bool,
) -> Result<Played, WrongChoice> {
    let Start { table, seed, .. } = start;
    match player {
        AnyPlayer::Hidden(player) => {
            let session = Session::new(table, start.information);
            play_whole(session, &mut **player, seed, moves, is_over)
        }
        AnyPlayer::Thoughtful(player) => {
            play_whole(Board::new(table), &mut **player, seed, moves, is_over)
        }
    }
}

fn play_whole<G: Playable>(
    mut game: G,
    player: &mut (impl Player<G::Seen> + ?Sized),
    seed: u64,
    moves: &mut Vec<Move>,
    is_over: impl FnMut(&Board) -> bool,
) -> Result<Played, WrongChoice> {
    player.new_game(seed);
    let ending = play_until(&mut game, player, moves, is_over)?;
    Ok(Played {
        ending,
        last: *game.truth(),
        counters: player.counters(),
    })
}

/// Replays a game on the referee. Returns whether it ends with all cards on the foundations.
///
/// # Errors
/// If the referee refuses a move.
pub fn replay(start: &Table, moves: &[Move]) -> Result<bool, WrongChoice> {
    let mut table = start.clone();
    for &made in moves {
        table.make(made).map_err(|_| WrongChoice(made))?;
    }
    Ok(table.is_won())
}

/// A player chose a move that is not legal: the player is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the player chose the illegal move {0:?}")]
pub struct WrongChoice(pub Move);
