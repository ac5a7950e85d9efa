//! Hidden-card play: what a player sees, what a player is, and the game between them.
//!
//! A [`Player`] gets a [`View`], which holds nothing that a person at the table could not know: the
//! face-down cards are not in it, so no player can look at them, on purpose or by mistake. A
//! [`ThoughtfulPlayer`] gets a [`Board`] with every card known; the two traits are different so that
//! types say who peeks. [`play`] and [`play_thoughtful`] run a game to its end, which comes by rule
//! whatever the player does (see [`Ending`]); [`play_until`] lets somebody who sees all cards end it before.
//!
//! The module stands on the referee's [`Table`] and is itself the ground for `simulate`. [`policy`]
//! has the published players, one file each.

use std::fmt;
use std::str::FromStr;

use crate::rules::{Redeals, Rules};
use crate::table::{Move, Table};

pub mod advice;
pub mod analysis;
pub mod board;
mod chance;
mod classes;
mod grounded;
pub mod hop;
pub(crate) mod oracle;
pub mod policy;
pub mod prior;
pub mod roster;
pub mod tree;
mod view;
pub mod worlds;

pub use board::{Board, Turn};
pub use chance::Calibration;
pub use grounded::{Candidate, Opinion, Thought};
pub(crate) use view::shuffle;
pub use view::{Session, View};

/// What a player knows of the talon before its cards are turned.
///
/// Face-down cards of the tableau are never known, face-up cards always are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Information {
    /// The order of the whole talon is known from the start: with unlimited redeals a first pass
    /// through the talon costs nothing, and the waste is fanned, so that it shows every card.
    TalonKnown,
    /// Only the top card of the waste is visible. The player remembers every card that was ever on
    /// top, and where in the talon it lies: the order of the talon never changes, so that a card seen
    /// once is known for good.
    WasteTop,
    /// Every card that is turned to the waste is seen, and remembered; the stock is unknown before.
    Turned,
}

impl Information {
    /// All options.
    pub const ALL: [Information; 3] = [
        Information::TalonKnown,
        Information::WasteTop,
        Information::Turned,
    ];

    /// The usual option for the rules: the talon is known if redeals are unlimited, and otherwise
    /// seen as it is turned.
    #[must_use]
    pub fn usual(rules: &Rules) -> Information {
        match rules.redeals() {
            Redeals::Unlimited => Information::TalonKnown,
            Redeals::Limited(_) => Information::Turned,
        }
    }

    /// The name of the option on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Information::TalonKnown => "talon-known",
            Information::WasteTop => "waste-top",
            Information::Turned => "turned",
        }
    }
}

impl fmt::Display for Information {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Information {
    type Err = UnknownInformation;

    fn from_str(text: &str) -> Result<Information, UnknownInformation> {
        Information::ALL
            .into_iter()
            .find(|option| option.name() == text)
            .ok_or_else(|| UnknownInformation(text.chars().take(60).collect()))
    }
}

/// The text names no [`Information`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownInformation(String);

impl fmt::Display for UnknownInformation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` is no information option; known:",
            self.0.escape_debug()
        )?;
        Information::ALL
            .iter()
            .try_for_each(|option| write!(f, " {option}"))
    }
}

impl std::error::Error for UnknownInformation {}

/// What a player did since its game began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Positions in which it chose between moves. What follows without choice, such as drawing on to
    /// the talon card that was chosen, does not count.
    pub decisions: u64,
    /// Calls of the solver or of a rollout to its end: whatever the player tries worlds with.
    pub planner_calls: u64,
}

/// Somebody who plays with hidden cards.
///
/// What it does may depend only on what it was shown since [`Player::new_game`] and on the seed
/// given there, so that a game can be played again.
pub trait Player {
    /// A new game begins: forget the last one, and take all random numbers from `seed`.
    fn new_game(&mut self, seed: u64);

    /// The move to make, one of [`View::legal_moves`], or `None` to give up.
    fn choose(&mut self, view: &View) -> Option<Move>;

    /// The turn whose talon card the player is on its way to. Until that card lies open, what it chooses is
    /// [`Board::next_step`], so that [`play`] need not ask.
    fn under_way(&self) -> Option<Turn> {
        None
    }

    /// What was done since the game began.
    fn counters(&self) -> Counters;
}

/// Somebody who plays with all cards known, face-down ones and the talon included.
pub trait ThoughtfulPlayer {
    /// A new game begins: forget the last one, and take all random numbers from `seed`.
    fn new_game(&mut self, seed: u64);

    /// The move to make, one of [`Board::moves`], or `None` to give up.
    fn choose(&mut self, board: &Board) -> Option<Move>;

    /// What was done since the game began.
    fn counters(&self) -> Counters;
}

/// How a game ended.
///
/// Every game ends: a [`play`] loop stops when the last [`PATIENCE`] moves (and the rest of a way to a talon card, less
/// than two passes) neither turned a card up nor took a talon card. Nothing turns a card face down again or puts one
/// back to the talon, so that at most 52 moves do one of these, and a game has at most 53 · (`PATIENCE` + 100) moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ending {
    /// All cards are on the foundations.
    Won,
    /// The player gave up, or there was no legal move.
    GivenUp,
    /// Too many moves changed nothing that lasts.
    Stale,
    /// The watcher of [`play_until`] ended it.
    Stopped,
}

/// Most moves, draws and redeals included, between two that turn a card up or take a talon card.
///
/// A pass through a talon of 24 at draw 1 is 25 moves, so that this leaves room for far more than
/// any sensible detour; it is there for players that go round in circles.
pub const PATIENCE: u32 = 200_000;

/// Watches that a game does not go on for ever.
#[derive(Default)]
struct Watch {
    idle: u32,
}

impl Watch {
    /// Takes note of a move; tells whether the game may go on.
    fn may_go_on(&mut self, made: Move, revealed: bool) -> bool {
        if revealed || matches!(made, Move::WasteToFoundation | Move::WasteToPile { .. }) {
            self.idle = 0;
        } else {
            self.idle += 1;
        }
        self.idle < PATIENCE
    }

    /// [`Watch::may_go_on`] for that many draws and redeals.
    fn may_go_on_after_draws(&mut self, count: usize) -> bool {
        self.idle += count as u32;
        self.idle < PATIENCE
    }
}

/// Lets a player play from where the session stands to the end; its moves are appended to `moves`.
///
/// The caller says [`Player::new_game`] before.
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

/// The same, and ends the game when `is_over` says so of the true position: it is asked before the first move and after
/// every move of a card. The player does not learn of it, so that until then the game is that of [`play`].
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
    let mut draws = false;
    loop {
        if session.view().is_won() {
            return Ok(Ending::Won);
        }
        if !std::mem::take(&mut draws) && is_over(session.truth()) {
            return Ok(Ending::Stopped);
        }
        let Some(made) = player.choose(session.view()) else {
            return Ok(Ending::GivenUp);
        };
        let revealed = session.make(made).map_err(|_| WrongChoice(made))?;
        moves.push(made);
        draws = made.is_of_stock();
        if !watch.may_go_on(made, revealed.is_some()) {
            return Ok(Ending::Stale);
        }
        if made.is_of_stock()
            && let Some(turn) = player.under_way()
        {
            // Most moves of a game are draws.
            let count = moves.len();
            session.wind_to(turn, moves);
            if !watch.may_go_on_after_draws(moves.len() - count) {
                return Ok(Ending::Stale);
            }
        }
    }
}

/// Lets a player who knows all cards play to the end; its moves are appended to `moves`.
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
    let mut draws = false;
    loop {
        if board.is_won() {
            return Ok(Ending::Won);
        }
        if !std::mem::take(&mut draws) && is_over(board) {
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
        draws = made.is_of_stock();
        if !watch.may_go_on(made, revealed.is_some()) {
            return Ok(Ending::Stale);
        }
    }
}

/// Replays a game on the referee; tells whether it ends with all cards on the foundations.
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

/// The seed of the random numbers of one game: different for every deal, and independent of the order
/// in which and the threads on which games are played.
#[must_use]
pub fn game_seed(player_seed: u64, deal: u64) -> u64 {
    mix(player_seed, deal)
}

/// A number that looks random, from two: SplitMix64's finalizer (Steele, Lea & Flood 2014) over both.
#[inline]
fn mix(a: u64, b: u64) -> u64 {
    let mut x = a
        .wrapping_mul(0x9E37_79B9_7F4A_7C15)
        .wrapping_add(b)
        .wrapping_add(0x9E37_79B9_7F4A_7C15);
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}
