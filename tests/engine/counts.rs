//! Exact counts of deals, compared with all deals of small decks at the table.

mod blocked;
mod draws;
mod locks;
mod one_move;
mod unplayable;

use klondike_game::card::Card;
use klondike_game::deal::Deal;
use klondike_game::rules::Rules;

/// Calls `visit` with every deal of the deck of `rules`, each once.
fn for_each_deal(rules: &Rules, mut visit: impl FnMut(&Deal)) {
    let mut cards: Vec<Card> = rules.deck().cards().collect();
    permute(&mut cards, 0, &mut |order| {
        visit(&Deal::from_pile_order(rules.deck(), rules.layout(), order).unwrap());
    });
}

fn permute(cards: &mut [Card], from: usize, visit: &mut impl FnMut(&[Card])) {
    if from == cards.len() {
        visit(cards);
    }
    for i in from..cards.len() {
        cards.swap(from, i);
        permute(cards, from + 1, visit);
        cards.swap(from, i);
    }
}
