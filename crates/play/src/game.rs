//! The game between a player and the cards, from a position to its end.

use std::fmt;

use crate::board::Board;
use crate::information::Information;
use crate::player::{AnyPlayer, Counters, Player, ThoughtfulPlayer};
use crate::view::Session;
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

/// Counts moves without progress.
#[derive(Default)]
struct Watch {
    no_progress: u32,
}

impl Watch {
    /// Counts a move. Returns whether the game may go on.
    fn may_go_on(&mut self, made: Move, revealed: bool) -> bool {
        if revealed || matches!(made, Move::WasteToFoundation | Move::WasteToPile { .. }) {
            self.no_progress = 0;
        } else {
            self.no_progress += 1;
        }
        self.no_progress < PATIENCE
    }
}

/// Lets a player play from where the session stands to the end. Appends its moves to `moves`.
///
/// The caller calls [`Player::new_game`] before.
///
/// # Errors
/// If the player chose a move that is not legal. `moves` then holds those before it.
pub fn play<P: Player + ?Sized>(
    session: &mut Session,
    player: &mut P,
    moves: &mut Vec<Move>,
) -> Result<Ending, WrongChoice> {
    play_until(session, player, moves, |_| false)
}

/// The same, but the game ends when `is_over` says so of the true position. It is asked before the
/// first move and after every move of a card. The player does not know of it, so up to there the
/// game is that of [`play`].
///
/// # Errors
/// As [`play`].
pub fn play_until<P: Player + ?Sized>(
    session: &mut Session,
    player: &mut P,
    moves: &mut Vec<Move>,
    mut is_over: impl FnMut(&Board) -> bool,
) -> Result<Ending, WrongChoice> {
    let mut watch = Watch::default();
    let mut drew = false;
    loop {
        if session.view().is_won() {
            return Ok(Ending::Won);
        }
        if !drew && is_over(session.truth()) {
            return Ok(Ending::Stopped);
        }
        let Some(made) = player.choose(session.view()) else {
            return Ok(Ending::GivenUp);
        };
        let revealed = session.make(made).map_err(|_| WrongChoice(made))?;
        moves.push(made);
        drew = made.is_of_stock();
        if !watch.may_go_on(made, revealed.is_some()) {
            return Ok(Ending::Stale);
        }
    }
}

/// Lets a player who knows all cards play to the end. Appends its moves to `moves`.
///
/// # Errors
/// As [`play`].
pub fn play_thoughtful<P: ThoughtfulPlayer + ?Sized>(
    board: &mut Board,
    player: &mut P,
    moves: &mut Vec<Move>,
) -> Result<Ending, WrongChoice> {
    play_thoughtful_until(board, player, moves, |_| false)
}

/// [`play_thoughtful`] with the watcher of [`play_until`].
///
/// # Errors
/// As [`play`].
pub fn play_thoughtful_until<P: ThoughtfulPlayer + ?Sized>(
    board: &mut Board,
    player: &mut P,
    moves: &mut Vec<Move>,
    mut is_over: impl FnMut(&Board) -> bool,
) -> Result<Ending, WrongChoice> {
    let mut watch = Watch::default();
    let mut drew = false;
    loop {
        if board.is_won() {
            return Ok(Ending::Won);
        }
        if !drew && is_over(board) {
            return Ok(Ending::Stopped);
        }
        let Some(made) = player.choose(board) else {
            return Ok(Ending::GivenUp);
        };
        if !board.is_legal(made) {
            return Err(WrongChoice(made));
        }
        let revealed = board.make(made);
        moves.push(made);
        drew = made.is_of_stock();
        if !watch.may_go_on(made, revealed.is_some()) {
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
    match player {
        AnyPlayer::Hidden(player) => {
            let mut session = Session::new(start.table, start.information);
            player.new_game(start.seed);
            let ending = play_until(&mut session, &mut **player, moves, is_over)?;
            let (last, counters) = (*session.truth(), player.counters());
            Ok(Played {
                ending,
                last,
                counters,
            })
        }
        AnyPlayer::Thoughtful(player) => {
            let mut last = Board::new(start.table);
            player.new_game(start.seed);
            let ending = play_thoughtful_until(&mut last, &mut **player, moves, is_over)?;
            let counters = player.counters();
            Ok(Played {
                ending,
                last,
                counters,
            })
        }
    }
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongChoice(pub Move);

impl fmt::Display for WrongChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the player chose the illegal move {:?}", self.0)
    }
}

impl std::error::Error for WrongChoice {}
