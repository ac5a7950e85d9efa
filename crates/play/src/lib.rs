//! Hidden-card play: what a player sees, what a player is, the game between them, and our players.
//!
//! An internal crate: users take `klondike`, and all of this may change with any version.
//!
//! A [`Player`] gets a [`View`], which does not hold the face-down cards, so no player can look at
//! them, on purpose or by mistake. A `Player<Board>` gets a [`Board`] with every card known.
//! [`play`] runs a game to its end, [`play_game`] runs a game of any player. Every game ends,
//! whatever the player does (see [`Ending`]).
//!
//! Our players are [`tree`] and [`hop`]. Each submodule imports only those above it in this list:
//!
//! | module | what it is |
//! | --- | --- |
//! | `rng`, `best` | random numbers; the best of several values |
//! | `goal` | what a player plays for |
//! | [`board`] | the playing position, fast to copy |
//! | `information`, `view` | what a player sees |
//! | `player`, `game`, [`registry`] | players, games, players by name |
//! | [`optimum`] | what best play wins, for small games |
//! | [`learn`] | games for learners: actions and observations as numbers |
//! | [`oracle`] | positions that are proven lost |
//! | [`turns`], [`dominant`], [`rollout`] | players that think in turns; random play |
//! | `reach` | what drawing can bring |
//! | `classes`, [`prior`], `chance` | moves in K+; which is likely the best; chances of winning |
//! | [`belief`], `worlds` | what may lie face down |
//! | `judge` | a player that decides by worlds and the solver |
//! | [`hop`], [`tree`] | the two players |

pub mod advice;
pub mod belief;
mod best;
pub mod board;
mod chance;
mod classes;
pub mod dominant;
mod game;
mod goal;
pub mod grade;
pub mod hop;
mod information;
mod judge;
pub mod learn;
pub mod optimum;
pub mod oracle;
mod player;
pub mod prior;
mod reach;
pub mod registry;
mod rng;
pub mod rollout;
pub mod tree;
pub mod turns;
mod view;
mod worlds;

pub use best::Best;
pub use board::{Board, Turn};
pub use chance::Calibration;
pub use game::{
    Ending, PATIENCE, Playable, Played, Start, WrongChoice, play, play_game, play_until, replay,
};
pub use goal::Goal;
pub use information::{Information, UnknownInformation};
pub use judge::{BeliefPlayer, Candidate, Money, Opinion, Thought};
pub use player::{AnyPlayer, Counters, Player};
pub use rng::{Rng, mix, seeded};
pub use view::{Session, View, fill_at_random};
