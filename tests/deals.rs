//! Every published test vector of deals: dealt by seed, written and read in every format.

use klondike::card::Card;
use klondike::deal::Deal;
use klondike::deal::seed::{DealId, Scheme, Seed};
use klondike::rules::{Deck, Layout};

fn layout() -> Layout {
    Layout::triangle(7).expect("28 cards")
}

fn row_text(deal: &Deal) -> String {
    let words: Vec<String> = deal.row_order().iter().map(Card::to_string).collect();
    words.join(" ")
}

#[test]
fn every_scheme_deals_as_its_program_does() {
    let mut rows_of = std::collections::BTreeMap::new();
    for line in include_str!("../datasets/vectors/deals.csv")
        .lines()
        .skip(1)
    {
        let fields: Vec<&str> = line.split(',').collect();
        let scheme: Scheme = fields[0].parse().unwrap();
        let seed: Seed = fields[1].parse().unwrap();
        let deal = scheme.deal(&seed).unwrap();
        assert_eq!(row_text(&deal), fields[2], "{scheme}:{seed}");
        let id: DealId = format!("{scheme}:{seed}").parse().unwrap();
        assert_eq!(id.deal(Deck::FULL, &layout()).unwrap(), deal);
        if matches!(scheme, Scheme::Exact | Scheme::Microsoft) {
            assert_eq!(scheme.seed_of(&deal), Some(seed));
        }
        *rows_of.entry(scheme).or_insert(0) += 1;
    }
    // All schemes but our own and the alias of the three PySol kinds have 30 rows each.
    assert_eq!(rows_of.len(), Scheme::ALL.len() - 2);
    assert!(rows_of.values().all(|&rows| rows == 30));
}
