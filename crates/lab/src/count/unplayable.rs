//! Unplayable deals: not a single card can be moved, however often one draws.
//!
//! Published for the standard layout by Donkersteeg (2010, 3.1.1: draw 3, by brute force) and
//! De Ruiter (2012: draws 3 and 1, by a dynamic programme).

use num_bigint::BigUint;

use super::open::{classes, close_for_space, has_space, open_places, still_choices, top_count};
use super::{Share, factorial};
use klondike_game::rules::{Parameters, Redeals, Rules};

/// Counts the unplayable choices of open cards.
///
/// A deal is unplayable if drawing to the end of the stock never makes any other move legal. The
/// open cards are the tops of the piles that have cards, and the talon cards that draws turn up:
/// every draw-count-th one and the last, or, if draws reverse their groups, the first of each group
/// and after a redeal the last of each. The share is of all pairs (set of tops, set of open
/// talon cards), `N! / (tops! · talon! · (N − tops − talon)!)` for `N` cards; each pair stands for
/// equally many deals, so [`Share::of_deals`] gives the number of deals.
///
/// Run rule, number of redeals and worrying back make no difference: a dealt pile has one face-up
/// card, one pass shows every card that drawing alone can turn up, and the foundation is empty. A
/// pile that is empty from the start makes every deal playable in which an open card may go there.
#[must_use]
pub fn unplayable(rules: &Rules) -> Share {
    let Parameters {
        deck,
        layout: _,
        draw_count,
        redeals,
        reversed_groups,
        worrying_back: _,
        runs: _,
        // By `close_for_space`.
        spaces: _,
    } = rules.parameters();
    let mut classes = classes(deck);
    if has_space(rules) {
        close_for_space(&mut classes, rules);
    }
    let tops = top_count(rules);
    // A last pass by ones shows every card.
    let draw_count = match redeals {
        Redeals::LastPassByOnes => 1,
        Redeals::Unlimited | Redeals::Limited(_) => draw_count.into(),
    };
    let mut talon = open_places(rules.talon_len(), draw_count).len();
    if reversed_groups && redeals != Redeals::Limited(0) {
        // A group of one card has no other end.
        talon *= 2;
        talon -= usize::from(rules.talon_len() % draw_count == 1);
    }
    let cards = deck.len();
    let hidden = cards - tops - talon;
    let total = factorial(cards) / (factorial(tops) * factorial(talon) * factorial(hidden));
    let count = BigUint::from(still_choices(&classes, tops, talon));
    Share::new(count, total)
}
