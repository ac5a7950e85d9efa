//! What a player is.
//!
//! A [`Player`] gets a [`View`], which holds nothing that a person at the table could not know. A
//! *thoughtful* player, a `Player<Board>`, gets a [`Board`] with every card known. So the types say
//! who sees hidden cards.

use std::fmt;

use crate::board::Board;
use crate::view::View;
use klondike_game::table::Move;

/// What a player did since its game began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Positions in which it chose between moves. Moves without a choice do not count, such as
    /// the draws to a talon card that was chosen.
    pub decisions: u64,
    /// Calls of the solver, or rollouts.
    pub planner_calls: u64,
}

/// Somebody who plays: with hidden cards, or with all cards known as a `Player<Board>`.
///
/// What it does may depend only on what it was shown since [`Player::new_game`] and on the seed
/// given there, so that a game can be repeated.
pub trait Player<Seen = View> {
    /// A new game begins: forget the last one, and take all random numbers from `seed`.
    fn new_game(&mut self, seed: u64);

    /// The move to make, a legal one, or `None` to give up.
    fn choose(&mut self, seen: &Seen) -> Option<Move>;

    /// What was done since the game began.
    fn counters(&self) -> Counters;
}

/// A player of one kind or the other.
pub enum AnyPlayer {
    /// It plays with hidden cards.
    Hidden(Box<dyn Player + Send>),
    /// It knows all cards.
    Thoughtful(Box<dyn Player<Board> + Send>),
}

impl AnyPlayer {
    /// A player with hidden cards.
    pub fn hidden(player: impl Player + Send + 'static) -> AnyPlayer {
        AnyPlayer::Hidden(Box::new(player))
    }

    /// A player that knows all cards.
    pub fn thoughtful(player: impl Player<Board> + Send + 'static) -> AnyPlayer {
        AnyPlayer::Thoughtful(Box::new(player))
    }
}

impl fmt::Debug for AnyPlayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            AnyPlayer::Hidden(_) => "Hidden",
            AnyPlayer::Thoughtful(_) => "Thoughtful",
        })
    }
}
