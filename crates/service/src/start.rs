//! The game that a request is about: its deal read, its moves made.

use std::sync::Arc;

use ethnum::U256;
use klondike_contract::{Answer, Envelope};
use klondike_game::card::{Card, CardSet};
use klondike_game::deal::format::Format;
use klondike_game::deal::format::file::Item;
use klondike_game::deal::seed::{DealId, Scheme, Seed};
use klondike_game::deal::{Deal, ParseDealError};
use klondike_game::rules::{Deck, Rules};
use klondike_game::table::notation::Notation;
use klondike_game::table::position::UNKNOWN;
use klondike_game::table::start::{Start, StartError};
use klondike_game::table::{Move, Table};
use serde::Serialize;

use crate::Refusal;
use crate::request::{MOST_MOVES, RequestedGame};

/// A game in progress.
pub(crate) struct Played {
    /// How answers name the deal: as it was asked for if that is short, else its key.
    pub(crate) label: String,
    /// The format of the deal.
    pub(crate) format: Format,
    /// The position before the moves.
    pub(crate) start: Table,
    /// The moves.
    pub(crate) moves: Vec<Move>,
    /// The position after them.
    pub(crate) now: Table,
    /// The deal, if the game begins with one.
    pub(crate) deal: Option<Deal>,
    /// Cards of `start` whose places are not known: they lie in one of the possible orders.
    pub(crate) unknown: CardSet,
}

impl Played {
    /// Reads the deal and makes the moves.
    pub(crate) fn new(game: &RequestedGame) -> Result<Played, Refusal> {
        let rules = &game.rules.0;
        let (format, start, deal, unknown) = read_start(&game.deal, rules)?;
        let mut played = Played {
            label: String::new(),
            format,
            now: start.clone(),
            start,
            moves: Vec::new(),
            deal,
            unknown,
        };
        let read = Notation::Klondike.read(&played.start, &game.moves);
        played.moves = read.map_err(|error| Refusal::data(format!("the moves: {error}")))?;
        if played.moves.len() > MOST_MOVES {
            let message = format!("a game has at most {MOST_MOVES} moves");
            return Err(Refusal::data(format!("the moves: {message}")));
        }
        played.play()?;
        played.label = match format {
            Format::Seed => game.deal.trim().to_owned(),
            _ => played.key().unwrap_or_else(|| "position".to_owned()),
        };
        Ok(played)
    }

    /// As [`Played::new`], but no card may be unknown.
    pub(crate) fn known(game: &RequestedGame) -> Result<Played, Refusal> {
        let played = Played::new(game)?;
        match played.unknown.len() {
            0 => Ok(played),
            count => Err(Refusal::data(format!(
                "{count} cards are not known, and this question needs all of them"
            ))
            .with_help("`advise` and `player-move` need no face-down card")),
        }
    }

    /// Makes the moves; none may turn up a card that is not known.
    fn play(&mut self) -> Result<(), Refusal> {
        for (number, &made) in (1..).zip(&self.moves) {
            let hidden = |table: &Table| -> usize {
                table
                    .piles()
                    .iter()
                    .map(|pile| pile.face_down().len())
                    .sum()
            };
            let before = hidden(&self.now);
            let moved = self.now.moved_card(made);
            self.now
                .make(made)
                .map_err(|error| Refusal::program(format!("move {number}: {error}")))?;
            let turned = match made {
                Move::PileToFoundation { from } | Move::PileToPile { from, .. } => {
                    let turns = hidden(&self.now) < before;
                    self.now.piles()[from.get()].top().filter(|_| turns)
                }
                _ => None,
            };
            if let Some(card) = [moved, turned]
                .into_iter()
                .flatten()
                .find(|&card| self.hides(card))
            {
                let _ = card; // its name is one of several that are possible
                return Err(
                    Refusal::data(format!("move {number} needs a card that is not known"))
                        .with_help("write the card into the deal in place of its `??`"),
                );
            }
        }
        Ok(())
    }

    /// Whether the place of a card is not known.
    pub(crate) fn hides(&self, card: Card) -> bool {
        self.unknown.contains(card)
    }

    /// The rules of the game.
    pub(crate) fn rules(&self) -> &Arc<Rules> {
        self.start.rules()
    }

    /// The deal in 39 characters.
    pub(crate) fn key(&self) -> Option<String> {
        match self.unknown.is_empty() {
            true => write_key(self.deal.as_ref()?),
            false => None,
        }
    }

    /// An answer about this game as JSON.
    pub(crate) fn envelope<T: Answer>(&self, answer: T) -> Result<String, Refusal> {
        json(&Envelope::of_deal(&self.label, self.rules(), answer))
    }
}

/// An answer as JSON.
pub(crate) fn json(answer: &impl Serialize) -> Result<String, Refusal> {
    serde_json::to_string(answer).map_err(Refusal::program)
}

type ReadStart = (Format, Table, Option<Deal>, CardSet);

fn read_start(text: &str, rules: &Arc<Rules>) -> Result<ReadStart, Refusal> {
    if let Some(id) = read_key(text.trim()) {
        let deal = id.standard_deal().map_err(Refusal::data)?;
        let table = Table::new(Arc::clone(rules), &deal).map_err(Refusal::data)?;
        return Ok((Format::Exact, table, Some(deal), CardSet::EMPTY));
    }
    let item = Item::from_text(with_signs(text));
    let format = item.format(None).map_err(|error| bad_deal(error.into()))?;
    let start = Start::read(&item, format, rules).map_err(|error| match error {
        StartError::Deal(error) => bad_deal(error.into()),
        error => Refusal::data(format!("the deal: {error}")),
    })?;
    let table = start.table(rules);
    let table = table.map_err(|error| Refusal::data(format!("the deal: {error}")))?;
    let unknown = match &start {
        Start::Partly(partly) => partly.unknown,
        _ => CardSet::EMPTY,
    };
    let deal = match start {
        Start::Deal(deal) => Some(deal),
        Start::Position(_) | Start::Game(_) | Start::Partly(_) => None,
    };
    Ok((format, table, deal, unknown))
}

fn bad_deal(error: ParseDealError) -> Refusal {
    let refusal = Refusal::data(format!("the deal: {}", error.format_error()));
    match error.hint() {
        Some(hint) => refusal.with_help(hint),
        None => refusal,
    }
}

/// The text with `??` in place of `_`, the other sign of a card that is not known.
fn with_signs(text: &str) -> String {
    let word = |word: &str| match word.trim_end() {
        "_" | "<_>" => word.replace('_', UNKNOWN),
        _ => word.to_owned(),
    };
    text.split_inclusive(char::is_whitespace)
        .map(word)
        .collect()
}

/// What a key begins with, so that it looks like no other format.
const MARK: char = 'x';
/// Characters after the mark: 64^38 is more than 52!.
const DIGITS: usize = 38;
const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

/// The deal in 39 characters: the number of its permutation, in base 64.
fn write_key(deal: &Deal) -> Option<String> {
    if deal.deck() != Deck::FULL || !deal.layout().is_standard() {
        return None;
    }
    let seed = Scheme::Exact.seed_of(deal)?.to_string();
    let mut number = U256::from_str_radix(&seed, 10).ok()?;
    let mut digits = [0; DIGITS];
    for digit in digits.iter_mut().rev() {
        *digit = ALPHABET[(number % 64).as_usize()];
        number /= 64;
    }
    Some(MARK.to_string() + std::str::from_utf8(&digits).ok()?)
}

fn read_key(text: &str) -> Option<DealId> {
    let digits = text
        .strip_prefix(MARK)
        .filter(|digits| digits.len() == DIGITS)?;
    let mut number = U256::ZERO;
    for digit in digits.bytes() {
        let value = ALPHABET.iter().position(|&known| known == digit)?;
        number = number * 64 + U256::from(value as u64);
    }
    let seed: Seed = number.to_string().parse().ok()?;
    DealId::new(Scheme::Exact, seed).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_read_as_the_deal_it_was_made_of() {
        for deal in ["klondike:1", "solvitaire:3", "exact:0"] {
            let id: DealId = deal.parse().unwrap();
            let deal = id.standard_deal().unwrap();
            let key = write_key(&deal).unwrap();
            assert_eq!(key.len(), 39);
            let read = read_key(&key).unwrap();
            assert_eq!(read.standard_deal().unwrap(), deal);
        }
        let last = Scheme::Exact.range().1;
        let deal = Scheme::Exact.deal(&last).unwrap();
        assert_eq!(read_key(&write_key(&deal).unwrap()).unwrap().seed(), &last);
        assert_eq!(read_key(&format!("x{}", "_".repeat(38))), None);
    }
}
