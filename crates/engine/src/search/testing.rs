//! Small deals for the tests of searches.

use klondike_game::card::Card;
use klondike_game::deal::Deal;
use klondike_game::rules::{Deck, Layout, Rules, RulesBuilder};
use klondike_game::table::Table;
use klondike_lemmas::prune::{Lemma, Lemmas};
use rand::RngExt;
use rand::rngs::StdRng;
use rand::seq::SliceRandom;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// All lemmas, none, or a few left out.
pub(super) fn some_lemmas(rng: &mut StdRng) -> Lemmas {
    match rng.random_range(0..3) {
        0 => Lemmas::ALL,
        1 => Lemmas::NONE,
        _ => Lemma::ALL
            .into_iter()
            .filter(|_| rng.random_bool(0.3))
            .fold(Lemmas::ALL, Lemmas::without),
    }
}

/// A deal of four suits and few ranks, with piles of the same height.
pub(super) struct SmallDeal {
    deck: Deck,
    layout: Layout,
    cards: Vec<Card>,
}

impl SmallDeal {
    /// A random one with so many ranks.
    pub(super) fn random(rng: &mut StdRng, ranks: RangeInclusive<u8>) -> SmallDeal {
        let deck = Deck::new(4, rng.random_range(ranks)).unwrap();
        let piles = rng.random_range(3..=5);
        let height = rng.random_range(2..=4).min(deck.len() / piles);
        let mut cards: Vec<Card> = deck.cards().collect();
        cards.shuffle(rng);
        SmallDeal {
            deck,
            layout: Layout::rectangle(piles as u8, height as u8).unwrap(),
            cards,
        }
    }

    /// The deal on the table under these rules, but for their deck and piles.
    pub(super) fn table(&self, rules: RulesBuilder) -> Table {
        let rules: Rules = rules
            .deck(self.deck)
            .layout(self.layout.clone())
            .build()
            .unwrap();
        let deal = Deal::from_row_order(self.deck, rules.layout(), &self.cards).unwrap();
        Table::new(Arc::new(rules), &deal).unwrap()
    }
}
