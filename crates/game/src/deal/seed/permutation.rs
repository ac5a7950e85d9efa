//! Numbers of permutations: lonelybot's `exact` and the number in the log of Microsoft Solitaire
//! Collection.
//!
//! Both are mixed-radix numbers below 52!. Their digits are the places of the swaps of a shuffle,
//! so every deal has exactly one number in each.

use ethnum::I256;

use super::decks::{by_suit, from_pile_order, from_row_order};
use super::lonelybot;
use crate::card::{Card, Suit};
use crate::deal::Deal;

/// 52!, the number of deals.
pub(super) fn count() -> I256 {
    (1..=52).map(I256::new).product()
}

/// Takes the lowest digit off `number`: its remainder by `base`.
fn digit(number: &mut I256, base: usize) -> usize {
    let base = I256::from(base as u64);
    let remainder = *number % base;
    *number /= base;
    usize::try_from(remainder).expect("a seed that is not negative, below a small base")
}

/// Puts a digit of this base below the digits of `number`.
fn with_digit(number: I256, base: usize, digit: usize) -> I256 {
    number * I256::from(base as u64) + I256::from(digit as u64)
}

fn place(cards: &[Card], card: Card) -> usize {
    cards
        .iter()
        .position(|&other| other == card)
        .expect("both are permutations of the deck")
}

/// `number` is in `0..52!`.
pub(super) fn exact_deal(number: I256) -> Deal {
    let mut rest = number;
    let mut cards = lonelybot::deck();
    for i in 1..cards.len() {
        cards.swap(i, digit(&mut rest, i + 1));
    }
    from_pile_order(&cards)
}

/// Undoes the swaps of [`exact_deal`], the last one first. No earlier swap touched card `i` of the
/// deck, so the place of that card is the digit.
pub(super) fn exact_number(deal: &Deal) -> I256 {
    let mut cards = deal.pile_order().to_vec();
    let mut number = I256::ZERO;
    for (i, &card) in lonelybot::deck().iter().enumerate().skip(1).rev() {
        let j = place(&cards, card);
        number = with_digit(number, i + 1, j);
        cards.swap(i, j);
    }
    number
}

fn microsoft_deck() -> Vec<Card> {
    by_suit([Suit::Spades, Suit::Hearts, Suit::Clubs, Suit::Diamonds])
}

/// `number` is in `0..52!`.
pub(super) fn microsoft_deal(number: I256) -> Deal {
    let mut rest = number;
    let mut cards = microsoft_deck();
    for i in (1..cards.len()).rev() {
        cards.swap(i, digit(&mut rest, i + 1));
    }
    cards.reverse();
    from_row_order(&cards)
}

/// Repeats the swaps of [`microsoft_deal`]. Each swap puts a card into the place where it is at
/// the end. The first swap is the lowest digit.
pub(super) fn microsoft_number(deal: &Deal) -> I256 {
    let mut wanted = deal.row_order();
    wanted.reverse();
    let mut cards = microsoft_deck();
    let mut digits = vec![0; cards.len()];
    for i in (1..cards.len()).rev() {
        digits[i] = place(&cards, wanted[i]);
        cards.swap(i, digits[i]);
    }
    let mut number = I256::ZERO;
    for (i, &digit) in digits.iter().enumerate().skip(1) {
        number = with_digit(number, i + 1, digit);
    }
    number
}
