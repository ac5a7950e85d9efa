//! Solvitaire's JSON, and the JSON that lonelybot prints: the same with another key.
//!
//! ```text
//! {"tableau piles": [["8H"], ["3d", "6C"], …], "stock": ["KC", …, "3H"]}
//! ```
//!
//! Piles are written bottom to top. The *last* card of the stock is drawn first. A suit in lower
//! case is a card face down. `waste` (last card playable) and `foundations` (a list of cards) may
//! follow. lonelybot has `foundation` instead (four lists: hearts, diamonds, clubs, spades).

use serde::{Deserialize, Serialize};

use crate::card::{Card, ParseCardError, Rank};
use crate::deal::Deal;
use crate::deal::format::places::{Place, Tally, check_fresh};
use crate::deal::format::{Fault, Format, FormatError};
use crate::rules::{Deck, Layout};

/// The JSON before any card is checked.
#[derive(Debug, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Json {
    #[serde(rename = "tableau piles")]
    pub(crate) piles: Vec<Vec<String>>,
    #[serde(default)]
    pub(crate) stock: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) waste: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) foundations: Option<Vec<String>>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) foundation: Option<Vec<Vec<String>>>,
}

/// The content of the JSON, with cards checked: those of the deck, each once.
#[derive(Debug)]
pub(crate) struct Board {
    /// Cards of each pile, bottom to top, and how many of them lie face down.
    pub(crate) piles: Vec<(Vec<Card>, usize)>,
    /// The stock, first drawn first.
    pub(crate) stock: Vec<Card>,
    /// The waste, playable card last.
    pub(crate) waste: Vec<Card>,
    /// Number of cards on each foundation.
    pub(crate) foundations: [u8; 4],
}

/// Reads the JSON of a deal or position. `format` is Solvitaire or lonelybot.
pub(crate) fn read_board(format: Format, text: &str, deck: Deck) -> Result<Board, FormatError> {
    let json = read_json(format, text)?;
    let mut tally = Tally::new(deck);
    let piles = json.piles.iter().zip(1..);
    let piles = piles.map(|(words, pile)| read_pile(&mut tally, words, pile));
    let piles = piles.collect::<Result<Vec<_>, FormatError>>()?;
    let mut list = |words: &[String], place: fn(usize) -> Place| {
        words
            .iter()
            .enumerate()
            .map(|(i, word)| Ok(add_card(&mut tally, word, place(i + 1))?.0))
            .collect::<Result<Vec<Card>, FormatError>>()
    };
    let mut stock = list(&json.stock, Place::Stock)?;
    stock.reverse();
    let waste = list(json.waste.as_deref().unwrap_or_default(), Place::Waste)?;
    let mut played = json.foundations.unwrap_or_default();
    played.extend(json.foundation.unwrap_or_default().into_iter().flatten());
    let foundations = heights(&list(&played, Place::Foundation)?)?;
    tally.finish()?;
    Ok(Board {
        piles,
        stock,
        waste,
        foundations,
    })
}

/// Reads the JSON and checks that its keys are those of the format.
fn read_json(format: Format, text: &str) -> Result<Json, FormatError> {
    let json: Json = serde_json::from_str(text.trim_end()).map_err(|error| {
        // As in all errors, the line goes before the message, not after it.
        let shown = error.to_string();
        let end = format!(" at line {} column {}", error.line(), error.column());
        let reason = shown.strip_suffix(&end).unwrap_or(&shown);
        let fault = Fault::Json(format!("{reason} (column {})", error.column()));
        FormatError::from(fault).in_line(error.line().max(1))
    })?;
    match format {
        Format::Lonelybot if json.foundations.is_some() => {
            Err(Fault::Json("lonelybot has no key `foundations`".to_owned()).into())
        }
        Format::Solvitaire if json.foundation.is_some() => {
            let reason = "Solvitaire has no key `foundation`; this is the format lonelybot";
            Err(Fault::Json(reason.to_owned()).into())
        }
        _ => Ok(json),
    }
}

/// The cards of a pile and how many of them lie face down.
fn read_pile(
    tally: &mut Tally,
    words: &[String],
    pile: usize,
) -> Result<(Vec<Card>, usize), FormatError> {
    let mut cards = Vec::new();
    let mut face_down = 0;
    for (i, word) in words.iter().enumerate() {
        let place = Place::Pile { pile, card: i + 1 };
        let (card, hidden) = add_card(tally, word, place)?;
        if hidden {
            if face_down < cards.len() {
                let fault = format!("the face-down card {card} lies on a face-up one");
                return Err(FormatError::of_card(Fault::Syntax(fault), None, place));
            }
            face_down += 1;
        }
        cards.push(card);
    }
    Ok((cards, face_down))
}

/// The heights of the foundations on which these cards lie, each suit's from the ace up.
fn heights(played: &[Card]) -> Result<[u8; 4], FormatError> {
    let mut heights = [0; 4];
    for (i, card) in played.iter().enumerate() {
        let height = &mut heights[card.suit().index()];
        if card.rank().get() != *height + 1 {
            let fault = match Rank::new(*height) {
                None => format!("{card} cannot lie on an empty foundation"),
                Some(rank) => format!("{card} cannot lie on {}", Card::new(rank, card.suit())),
            };
            let place = Place::Foundation(i + 1);
            return Err(FormatError::of_card(Fault::Syntax(fault), None, place));
        }
        *height += 1;
    }
    Ok(heights)
}

/// Reads a card. Solvitaire also takes the numbers of the ace, jack, queen and king.
pub(super) fn read_card(word: &str) -> Result<Card, ParseCardError> {
    let rank = word.trim_end_matches(|c: char| !c.is_ascii_digit());
    let name = match rank {
        "1" => "A",
        "11" => "J",
        "12" => "Q",
        "13" => "K",
        other => other,
    };
    let suit = &word[rank.len()..];
    format!("{name}{suit}").parse().or_else(|_| word.parse())
}

/// Reads and counts a card. True if it lies face down.
fn add_card(tally: &mut Tally, word: &str, place: Place) -> Result<(Card, bool), FormatError> {
    let card = read_card(word).map_err(|error| FormatError::of_card(error, None, place))?;
    tally.add(card, None, place)?;
    Ok((card, word.ends_with(|c: char| c.is_ascii_lowercase())))
}

pub(super) fn read(
    format: Format,
    text: &str,
    deck: Deck,
    layout: &Layout,
) -> Result<Deal, FormatError> {
    let board = read_board(format, text, deck)?;
    board.to_deal(deck, layout)
}

impl Board {
    /// The deal, if nothing was played yet.
    pub(crate) fn to_deal(&self, deck: Deck, layout: &Layout) -> Result<Deal, FormatError> {
        if !self.waste.is_empty() {
            return Err(Fault::MidGame("cards lie on the waste".to_owned()).into());
        }
        if self.foundations != [0; 4] {
            return Err(Fault::MidGame("cards lie on the foundations".to_owned()).into());
        }
        let shapes = self.piles.iter();
        check_fresh(layout, shapes.map(|(cards, down)| (cards.len(), *down)))?;
        let piles = self.piles.iter().map(|(cards, _)| cards.clone()).collect();
        Ok(Deal::new(deck, piles, self.stock.clone())?)
    }
}

/// The text of a card: tens are `10`, the suit in lower case if the card lies face down.
pub(crate) fn card_text(card: Card, face_down: bool) -> String {
    let suit = card.suit().letter();
    let suit = if face_down {
        suit.to_ascii_lowercase()
    } else {
        suit
    };
    match card.rank().get() {
        10 => format!("10{suit}"),
        _ => format!("{}{suit}", card.rank().letter()),
    }
}

/// The texts of a pile's cards; the first `face_down` lie face down.
pub(crate) fn pile_texts(cards: &[Card], face_down: usize) -> Vec<String> {
    cards
        .iter()
        .enumerate()
        .map(|(i, &card)| card_text(card, i < face_down))
        .collect()
}

fn json_of(deal: &Deal) -> Json {
    let pile = |cards: &[Card]| pile_texts(cards, cards.len().saturating_sub(1));
    let stock = deal.stock().iter().rev();
    Json {
        piles: deal.piles().map(pile).collect(),
        stock: stock.map(|&card| card_text(card, false)).collect(),
        waste: None,
        foundations: None,
        foundation: None,
    }
}

pub(super) fn write(deal: &Deal) -> String {
    serde_json::to_string(&json_of(deal)).expect("lists of texts") + "\n"
}

/// Line breaks and blanks as `lonecli print` has them.
pub(super) fn write_lonelybot(deal: &Deal) -> String {
    let list = |words: &Vec<String>| serde_json::to_string(words).expect("a list of texts");
    let json = json_of(deal);
    let piles: Vec<String> = json.piles.iter().map(list).collect();
    format!(
        "{{\"tableau piles\": [\n{}\n],\"stock\": {},\"waste\": [],\n\
         \"foundation\": [[],[],[],[]]}}\n",
        piles.join(",\n"),
        list(&json.stock)
    )
}
