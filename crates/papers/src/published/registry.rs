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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_player_of_the_list_exists() {
        for name in PLAYERS.map(|entry| entry.name) {
            assert_eq!(name.parse::<PlayerName>().unwrap().to_string(), name);
        }
        for text in [
            "yan:level=2,queens=both",
            "yan:level=2,oracle=yes,dead-states=no",
            "kortsmit-point:diff=none,first=-3",
            "milas-mcts:seconds=0.5,policy=uct,give-up=none,forced=no",
            "milas-hop:trajectories=5,oracle=no",
            "donkersteeg:score=average,heuristics=yes,worlds=game",
            "tree:iterations=10,worlds=5,late=9,c=0.5,base=4.2,relaxation=never",
            "tree:seconds=0.5,facts=64",
            "hop:iterations=10,unknown=0.3",
            "bjarnason-nested:first=none,level=2",
            "bjarnason-nested:level=1,remember=no",
            "bjarnason-nested:level=3,oracle=no",
            "bjarnason-hop:samples=10,level=1,remember=no",
            "bjarnason-hop:samples=3,worlds=common",
            "bjarnason-uct:trajectories=50,trees=50,width=2,c=0.5,rollout=random",
            "bjarnason-uct:worlds=mean,oracle=no,avoid=game",
        ] {
            assert!(text.parse::<PlayerName>().is_ok(), "{text}");
        }
    }

    #[test]
    fn wrong_names_say_what_there_is() {
        for (text, part) in [
            ("nobody", "no player `nobody`; known: random "),
            ("", "no player ``"),
            ("yan:level", "`level` is no parameter"),
            ("yan:level=x", "level must be a number from 0 to 9"),
            ("yan:level=1,level=2", "takes no `level` (or not twice)"),
            (
                "yan:depth=1",
                "takes no `depth` (or not twice); known: level queens waste",
            ),
            ("random:x=1", "takes no `x` (or not twice); known: limit"),
            ("yan:queens=one", "queens must be either or both"),
            ("kortsmit-greedy:diff=14", "from 0 to 13 or `none`"),
            ("kortsmit-greedy:s0=3000000000", "s0 must be a whole number"),
            ("milas-mcts:seconds=-1", "seconds must be a time"),
            ("milas-mcts:seconds=1,iterations=5", "without iterations"),
            ("tree:seconds=-1", "seconds must be a time"),
            ("tree:seconds=1e19", "at most a year"),
            ("tree:c=nan", "c must be a number within ±100"),
            ("tree:budget=0", "budget must be a number from 1"),
            ("bjarnason-uct:oracle=no", "takes no `oracle`"),
            ("bjarnason-greedy:avoid=own", "takes no `avoid`"),
            ("bjarnason-uct:worlds=yes", "worlds must be"),
            (
                "bjarnason-uct:worlds=won,width=2",
                "worlds must be no where",
            ),
            ("hop:seconds=1", "the player hop takes no `seconds`"),
        ] {
            let error = text.parse::<PlayerName>().unwrap_err().to_string();
            assert!(error.contains(part), "{text}: {error}");
        }
    }
}
