//! All players by name, ours and the published ones.

use std::fmt;
use std::str::FromStr;

use super::{bjarnason, donkersteeg, kortsmit, milas, multistage, random, yan};
use klondike_play::AnyPlayer;
use klondike_play::registry::{Entry, PlayerError, make};
use klondike_play::{hop, tree};

/// All players.
pub const PLAYERS: [&Entry; 18] = [
    &random::TURNS,
    &random::MOVES,
    &yan::ENTRY,
    &kortsmit::SIMPLEST,
    &kortsmit::GREEDY,
    &kortsmit::POINT,
    &donkersteeg::HIDDEN,
    &donkersteeg::ONCE,
    &milas::RANDOM,
    &milas::HOP,
    &milas::MCTS,
    &multistage::ENTRY,
    &bjarnason::RANDOM,
    &bjarnason::GREEDY,
    &bjarnason::HOP,
    &bjarnason::UCT,
    &hop::ENTRY,
    &tree::ENTRY,
];

/// The name of a player with its parameters; always one that exists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlayerName(String);

impl PlayerName {
    /// A new player of this name.
    #[must_use]
    pub fn player(&self) -> AnyPlayer {
        make(&PLAYERS, &self.0).expect("checked when the name was made")
    }
}

impl fmt::Display for PlayerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for PlayerName {
    type Err = PlayerError;

    fn from_str(text: &str) -> Result<PlayerName, PlayerError> {
        make(&PLAYERS, text)?;
        Ok(PlayerName(text.to_owned()))
    }
}
