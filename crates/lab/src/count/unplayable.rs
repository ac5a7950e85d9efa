//! Unplayable deals: not a single card can be moved, however often one draws.
//!
//! Published for the standard layout by Donkersteeg (2010, 3.1.1: draw 3, by brute force) and
//! De Ruiter (2012: draws 3 and 1, by a dynamic programme).

use num_bigint::BigUint;

use super::open::{classes, close_for_space, has_space, open_places, still_choices, top_count};
use super::{Share, factorial};
use klondike_game::rules::Rules;

/// Counts the unplayable choices of open cards.
///
/// A deal is unplayable if drawing to the end of the stock never makes any other move legal. The
/// open cards are the tops of the piles that have cards, and the talon cards that draws turn up:
/// every draw-count-th one and the last. The share is of all pairs (set of tops, set of open
/// talon cards), `N! / (tops! · talon! · (N − tops − talon)!)` for `N` cards; each pair stands for
/// equally many deals, so [`Share::of_deals`] gives the number of deals.
///
/// Run rule, redeals and worrying back make no difference: a dealt pile has one face-up card, one
/// pass shows every card that drawing alone can turn up, and the foundation is empty. A pile
/// that is empty from the start makes every deal playable in which an open card may go there.
#[must_use]
pub fn unplayable(rules: &Rules) -> Share {
    let mut classes = classes(rules.deck());
    if has_space(rules) {
        close_for_space(&mut classes, rules);
    }
    let tops = top_count(rules);
    let talon = open_places(rules.talon_len(), rules.draw_count()).len();
    let cards = rules.deck().len();
    let hidden = cards - tops - talon;
    let total = factorial(cards) / (factorial(tops) * factorial(talon) * factorial(hidden));
    let count = BigUint::from(still_choices(&classes, tops, talon));
    Share::new(count, total)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::count::testing::for_each_deal;
    use klondike_game::rules::{Deck, Layout, Redeals, Spaces};
    use klondike_game::table::{Move, Table};

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

    /// Plays draws only, at the table, and looks for any other legal move.
    fn is_unplayable(table: &mut Table) -> bool {
        loop {
            let moves = table.legal_moves();
            if moves.iter().any(|made| !made.is_of_stock()) {
                return false;
            }
            if table.make(Move::Draw).is_err() {
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
            let rules = Rules::builder()
                .deck(Deck::new(suits, ranks).unwrap())
                .layout(Layout::new(piles).unwrap())
                .draw_count(draw)
                .spaces(spaces)
                .redeals(Redeals::Limited(0))
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
        assert!(seen_some >= 6, "only {seen_some} games have such deals");
    }
}
