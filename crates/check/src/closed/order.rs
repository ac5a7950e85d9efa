//! What an entry of the draw-1 set reaches: section 4.2 of `docs/certificate.md`.

use hashbrown::HashMap;

use crate::position::{KplusGame, KplusPosition, View, twins};
use klondike_game::card::CardSet;
use klondike_game::rules::MAX_PILES;

/// Visible cards and talon of the entries, by their cards in place.
#[derive(Default)]
pub(super) struct Entries(HashMap<[u8; MAX_PILES], Vec<(CardSet, CardSet)>>);

impl Entries {
    pub(super) fn add(&mut self, position: &KplusPosition, view: &View) {
        let entries = self.0.entry(position.in_place).or_default();
        entries.push((view.visible, position.talon));
    }

    /// Whether the position is below an entry; by draws alone unless it has `fewer` cards in place
    /// than the entry that it comes of.
    pub(super) fn lead_to(
        &self,
        game: &KplusGame,
        position: &KplusPosition,
        view: &View,
        fewer: bool,
    ) -> bool {
        let Some(entries) = self.0.get(&position.in_place) else {
            return false;
        };
        let kings_that_stay = game.kings - game.entering;
        entries.iter().any(|&(visible, talon)| {
            let leave = visible - view.visible;
            let arrive = view.visible - visible;
            let draws_alone = leave.is_empty() && (arrive - talon).is_empty();
            let moves = (twins(leave) & arrive).is_empty()
                && (game.worrying_back || (arrive - talon).is_empty());
            (position.talon - talon).is_empty()
                && (arrive & kings_that_stay).is_empty()
                && (draws_alone || (fewer && moves))
        })
    }
}
