//! Deals in one line: all cards in row order, MinimalKlondike's cards, and the 156 digits of
//! Klondike-Solver and MinimalKlondike.

use crate::card::{Card, Rank, Suit};
use crate::deal::Deal;
use crate::deal::format::places::{Place, Tally};
use crate::deal::format::{Fault, FormatError, short};
use crate::rules::{Deck, Layout};

/// Suits of the deck string by their digit, from 1.
const DIGIT_SUITS: [Suit; 4] = [Suit::Clubs, Suit::Diamonds, Suit::Hearts, Suit::Spades];

/// Digits of a deck string.
const DIGITS: usize = 156;

pub(super) fn read_row_order(text: &str, deck: Deck, layout: &Layout) -> Result<Deal, FormatError> {
    let tableau = layout.card_count();
    let text = match text.split_once('|') {
        None => text.to_owned(),
        Some((before, after)) => {
            let found = before.split_whitespace().count();
            if found != tableau {
                let fault = format!("{found} cards before the `|`, but {tableau} in the tableau");
                return Err(Fault::Syntax(fault).into());
            }
            format!("{before} {after}")
        }
    };
    let cards = read_cards(&text, deck)?;
    Ok(Deal::from_row_order(deck, layout, &cards)?)
}

/// Reads all cards of the deck.
fn read_cards(text: &str, deck: Deck) -> Result<Vec<Card>, FormatError> {
    let mut tally = Tally::new(deck);
    let cards = tally.add_words(text.split_whitespace(), None, Place::Card)?;
    tally.finish()?;
    Ok(cards)
}

pub(super) fn write_row_order(deal: &Deal) -> String {
    let cards = deal.row_order();
    let (tableau, stock) = cards.split_at(cards.len() - deal.stock().len());
    format!("{} | {}", words(tableau), words(stock))
        .trim()
        .to_owned()
        + "\n"
}

fn words(cards: &[Card]) -> String {
    let words: Vec<String> = cards.iter().map(Card::to_string).collect();
    words.join(" ")
}

pub(super) fn read_minimal_klondike(text: &str) -> Result<Deal, FormatError> {
    let mut cards = read_cards(text, Deck::FULL)?;
    cards[28..].reverse();
    let layout = Layout::standard();
    Ok(Deal::from_pile_order(Deck::FULL, &layout, &cards)?)
}

pub(super) fn write_minimal_klondike(deal: &Deal) -> String {
    let mut cards = deal.pile_order().to_vec();
    cards[28..].reverse();
    words(&cards) + "\n"
}

/// Whether a line is meant as a deck string: it has more digits than any seed.
pub(super) fn is_deck_string(line: &str) -> bool {
    let start: String = line.chars().take(80).collect();
    start.len() == 80 && start.bytes().all(|b| b.is_ascii_digit())
}

pub(super) fn read_deck_string(text: &str) -> Result<Deal, FormatError> {
    let text = text.trim();
    if let Some((i, c)) = text.chars().enumerate().find(|(_, c)| !c.is_ascii_digit()) {
        let fault = format!(
            "a deck string is of digits only, but its character {} is `{}`",
            i + 1,
            c.escape_debug()
        );
        return Err(Fault::Syntax(fault).into());
    }
    if text.len() != DIGITS {
        let fault = format!(
            "{} digits, but a deck string has {DIGITS}, three for each card",
            text.len()
        );
        return Err(Fault::Syntax(fault).into());
    }
    let mut tally = Tally::new(Deck::FULL);
    let mut cards = Vec::with_capacity(Card::COUNT);
    for (i, digits) in text.as_bytes().chunks_exact(3).enumerate() {
        let place = Place::Card(i + 1);
        let card = digits_card(digits).ok_or_else(|| {
            let digits = short(&String::from_utf8_lossy(digits));
            let fault = Fault::Syntax(format!(
                "the digits `{digits}` are no card: \
                 01 to 13 for the rank, then 1 C, 2 D, 3 H or 4 S"
            ));
            FormatError::of_card(fault, None, place)
        })?;
        tally.add(card, None, place)?;
        cards.push(card);
    }
    tally.finish()?;
    let layout = Layout::standard();
    Ok(Deal::from_row_order(Deck::FULL, &layout, &cards)?)
}

fn digits_card(digits: &[u8]) -> Option<Card> {
    let &[tens, ones, suit] = digits else {
        return None;
    };
    let rank = Rank::new(10 * (tens - b'0') + (ones - b'0'))?;
    let suit = *DIGIT_SUITS.get(usize::from(suit - b'0').checked_sub(1)?)?;
    Some(Card::new(rank, suit))
}

pub(super) fn write_deck_string(deal: &Deal) -> String {
    let mut text = String::with_capacity(DIGITS + 1);
    for card in deal.row_order() {
        let suit = DIGIT_SUITS.iter().position(|&suit| suit == card.suit());
        let digit = suit.expect("all four suits are in the list") + 1;
        text.push_str(&format!("{:02}{digit}", card.rank().get()));
    }
    text + "\n"
}
