//! Unplayable deals.

use std::sync::Arc;

use super::for_each_deal;
use klondike_game::rules::{Deck, Layout, Redeals, Rules, Spaces};
use klondike_game::table::{Move, Table};
use klondike_lab::count::{factorial, unplayable};
use num_bigint::BigUint;

#[test]
fn the_published_numbers_come_out() {
    let draw3 = unplayable(&Rules::standard());
    assert_eq!(draw3.count().to_string(), "72099595172416");
    assert_eq!(draw3.total().to_string(), "28837689349669200");
    assert_eq!(draw3.decimal(9), "0.002500186");
    let draw1 = unplayable(&Rules::standard_draw(1).unwrap());
    assert_eq!(draw1.count().to_string(), "89367495137280");
    let total = factorial(52) / (factorial(7) * factorial(24) * factorial(21));
    assert_eq!(draw1.total(), &total);
    // One in 5,649,223.
    let one_in = (draw1.total() + draw1.count() / 2_u8) / draw1.count();
    assert_eq!(one_in, BigUint::from(5_649_223_u32));
    let deals = draw1.of_deals(Deck::FULL).unwrap();
    assert_eq!(deals.total(), &factorial(52));
    assert_eq!(deals.to_f64(), draw1.to_f64());
}

/// Plays draws and redeals only, at the table, and looks for any other legal move.
fn is_unplayable(table: &mut Table) -> bool {
    loop {
        let moves = table.legal_moves();
        if moves.iter().any(|made| !made.is_of_stock()) {
            return false;
        }
        if table.make(Move::Draw).is_err() && table.make(Move::Redeal).is_err() {
            return true;
        }
    }
}

#[test]
fn every_deal_of_small_decks_agrees_with_the_table() {
    let mut seen_some = 0;
    for (suits, ranks, piles, draw, spaces) in [
        (1, 6, vec![1, 2], 1, Spaces::Kings),
        (2, 3, vec![1, 2], 2, Spaces::Kings),
        (2, 3, vec![3], 1, Spaces::Kings),
        (2, 4, vec![2, 3], 3, Spaces::Kings),
        (2, 4, vec![2, 0, 2], 3, Spaces::Kings),
        (2, 4, vec![2, 0, 2], 3, Spaces::Nothing),
        (2, 4, vec![1, 0], 8, Spaces::Any),
        (2, 4, vec![1, 2, 3], 1, Spaces::Any),
        (4, 2, vec![1, 1], 3, Spaces::Kings),
        (4, 2, vec![2, 2, 1], 2, Spaces::Kings),
        (4, 1, vec![1, 1], 1, Spaces::Kings),
        (3, 3, vec![1, 2, 2], 2, Spaces::Kings),
        (3, 3, vec![0, 4], 4, Spaces::Kings),
    ] {
        // Only draws that reverse their groups show more after a redeal.
        for (redeals, reversed) in [(0, false), (0, true), (1, true)] {
            let rules = Rules::builder()
                .deck(Deck::new(suits, ranks).unwrap())
                .layout(Layout::new(piles.clone()).unwrap())
                .draw_count(draw)
                .spaces(spaces)
                .redeals(Redeals::Limited(redeals))
                .reversed_groups(reversed)
                .build()
                .unwrap();
            let shared = Arc::new(rules.clone());
            let mut count = 0_u32;
            for_each_deal(&rules, |deal| {
                let mut table = Table::new(Arc::clone(&shared), deal).unwrap();
                count += u32::from(is_unplayable(&mut table));
            });
            let share = unplayable(&rules).of_deals(rules.deck()).unwrap();
            assert_eq!(share.count(), &BigUint::from(count), "{rules}");
            seen_some += u32::from(count > 0);
        }
    }
    assert!(seen_some >= 18, "only {seen_some} games have such deals");
}
