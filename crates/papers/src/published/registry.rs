//! All players by name, ours and the published ones.

use std::fmt;
use std::str::FromStr;

use super::{bjarnason, donkersteeg, kortsmit, milas, multistage, random, steps, yan};
use klondike_game::rules::{Parameters, Redeals, Rules, Runs, Spaces};
use klondike_play::AnyPlayer;
use klondike_play::registry::{Entry, PlayerError, entry, make};
use klondike_play::{hop, tree};

/// All players.
pub const PLAYERS: [&Entry; 19] = [
    &random::TURNS,
    &random::MOVES,
    &yan::ENTRY,
    &kortsmit::SIMPLEST,
    &kortsmit::GREEDY,
    &kortsmit::POINT,
    &donkersteeg::HIDDEN,
    &donkersteeg::ONCE,
    &steps::ENTRY,
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

    /// The rule set of the player's paper, if it is not the one of these rules. Papers play it with
    /// several draw counts, decks and layouts, so these do not count.
    #[must_use]
    pub fn plays_other_rules_than(&self, rules: &Rules) -> Option<&'static str> {
        let entry = entry(&PLAYERS, &self.0).expect("checked when the name was made");
        let name = entry.rules?;
        let own = Rules::named(name).expect("tested below");
        (moves(&own) != moves(rules)).then_some(name)
    }
}

/// What rules say of the moves, without the cards and how many are drawn.
fn moves(rules: &Rules) -> (Redeals, bool, Runs, Spaces, bool) {
    let Parameters {
        deck: _,
        layout: _,
        draw_count: _,
        redeals,
        worrying_back,
        runs,
        spaces,
        reversed_groups,
    } = rules.parameters();
    (redeals, worrying_back, runs, spaces, reversed_groups)
}

impl fmt::Display for PlayerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
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
    use crate::reproduce::{experiments, figures};

    /// The rule set of a player is the one with which its published figures are reproduced.
    #[test]
    fn players_play_the_rules_of_their_figures() {
        let figures = experiments()
            .into_iter()
            .flat_map(|experiment| figures(&experiment.id));
        let mut seen = Vec::new();
        for figure in figures {
            let Some(text) = &figure.player else { continue };
            let own = entry(&PLAYERS, text).unwrap();
            assert_eq!(own.rules, figure.rule_set(), "{}", figure.what);
            seen.push(own.name);
        }
        for entry in PLAYERS {
            assert_eq!(
                entry.rules.is_some(),
                seen.contains(&entry.name),
                "{}",
                entry.name
            );
        }
    }

    #[test]
    fn rules_of_a_paper_are_its_own_whatever_is_drawn() {
        let other = |player: &str, rules: &str| {
            let rules = Rules::with_changes(rules).unwrap();
            let player: PlayerName = player.parse().unwrap();
            player.plays_other_rules_than(&rules)
        };
        assert_eq!(other("yan:level=1", ""), Some("yan"));
        assert_eq!(other("yan", "runs=whole"), None);
        assert_eq!(other("yan", "runs=whole draw=1"), None);
        assert_eq!(other("bjarnason-greedy", ""), None);
        assert_eq!(other("bjarnason-greedy", "redeals=2"), Some("standard"));
        assert_eq!(other("tree", "redeals=2"), None);
    }
}
