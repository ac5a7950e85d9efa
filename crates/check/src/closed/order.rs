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

#[cfg(test)]
mod tests {
    use super::*;
    use hashbrown::HashSet;
    use klondike_game::card::Card;
    use klondike_game::deal::Deal;
    use klondike_game::rules::{Deck, Layout, Rules, Spaces};
    use klondike_game::table::Table;
    use rand::rngs::StdRng;
    use rand::seq::{IndexedRandom, SliceRandom};
    use rand::{RngExt, SeedableRng};
    use std::sync::Arc;

    /// The numbers of all positions that moves which leave every card in place lead to, or draws
    /// alone.
    fn reached(game: &KplusGame, from: KplusPosition, draws_alone: bool) -> HashSet<u64> {
        let mut reached = HashSet::from([game.number(&from, false)]);
        let mut open = vec![from];
        while let Some(at) = open.pop() {
            let view = game.view(&at);
            let to_tableau = at.talon & view.places;
            let to_foundation = at.talon & view.next_up;
            let mut next: Vec<_> = to_tableau
                .map(|card| game.draw_to_tableau(at, card))
                .collect();
            next.extend(to_foundation.map(|card| game.draw_to_foundation(at, card)));
            if !draws_alone {
                let up = view.free & view.available & view.next_up;
                let back = game.may_come_back(&at) & view.places;
                next.extend(up.map(|card| game.stack(at, view.anchored, card)));
                next.extend(back.map(|card| game.come_back(at, card)));
            }
            next.retain(|next| reached.insert(game.number(next, false)));
            open.extend(next);
        }
        reached
    }

    fn random_game(rng: &mut StdRng) -> Option<KplusGame> {
        let deck = Deck::new(rng.random_range(3..=4), rng.random_range(2..=3)).unwrap();
        let piles = (0..rng.random_range(1..=3)).map(|_| rng.random_range(1..=4));
        let layout = Layout::new(piles.collect::<Vec<u8>>()).unwrap();
        if layout.card_count() > deck.len() || deck.len() - layout.card_count() > 6 {
            return None;
        }
        let mut cards: Vec<Card> = deck.cards().collect();
        cards.shuffle(rng);
        let deal = Deal::from_row_order(deck, &layout, &cards).unwrap();
        let rules = Rules::builder()
            .deck(deck)
            .layout(layout)
            .draw_count(1)
            .worrying_back(rng.random())
            .spaces([Spaces::Kings, Spaces::Nothing][usize::from(rng.random::<bool>())])
            .build()
            .unwrap();
        let table = Table::new(Arc::new(rules), &deal).unwrap();
        KplusGame::new(&table).map(|(game, _)| game)
    }

    /// Pairs of positions that can lie on a table, whether or not play leads to them.
    #[test]
    fn what_is_below_an_entry_is_reached_from_it() {
        let mut rng = StdRng::seed_from_u64(22);
        let (mut below, mut by_draws) = (0, 0);
        for _ in 0..600 {
            let Some(game) = random_game(&mut rng) else {
                continue;
            };
            let piles = game.dealt.iter().map(|pile| pile.len() as u64 + 1);
            let ranks = game.kings.first().unwrap().rank().get();
            let foundations = (u64::from(ranks) + 1).pow(game.suits.len() as u32);
            let numbers = (piles.product::<u64>() * foundations) << game.talon.len();
            let positions: Vec<_> = (0..numbers.min(200_000))
                .filter_map(|number| game.position(number, false))
                .filter(|position| game.can_lie(&game.view(position)))
                .collect();
            for &entry in positions.sample(&mut rng, 8) {
                let mut entries = Entries::default();
                entries.add(&entry, &game.view(&entry));
                for fewer in [true, false] {
                    let reached = reached(&game, entry, !fewer);
                    for other in &positions {
                        if entries.lead_to(&game, other, &game.view(other), fewer) {
                            assert!(
                                reached.contains(&game.number(other, false)),
                                "{entry:?} {other:?}"
                            );
                            *(if fewer { &mut below } else { &mut by_draws }) += 1;
                        }
                    }
                }
            }
        }
        assert!(below > 5_000 && by_draws > 1_000, "{below} {by_draws}");
    }
}
