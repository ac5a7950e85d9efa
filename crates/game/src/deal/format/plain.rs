//! Our own text of a deal.
//!
//! ```text
//! # a number sign starts a comment
//! stock: 7S 2C        first drawn first; without this line the stock is empty
//! 1: KS               every pile, bottom to top
//! 2: <3C> 9S          face-down cards in <>
//! 3: <5D> <4H> AC
//! ```
//!
//! It is the text of a position without the lines that only positions have (`waste`,
//! `foundations`, `redeals`, `last pass`, `double move`), and of a game that was begun without
//! those of the game (`deal`, `rules`, `seconds`, `moves`).

use crate::card::Card;
use crate::deal::Deal;
use crate::deal::format::places::{Place, Tally, check_fresh};
use crate::deal::format::{Fault, FormatError, short};
use crate::rules::{Deck, Layout};

/// Keys of the lines that are not piles.
const KEYS: [&str; 10] = [
    "stock",
    "waste",
    "foundations",
    "redeals",
    "last pass",
    "double move",
    "deal",
    "rules",
    "seconds",
    "moves",
];

/// Whether a line starts with a key of this format or a pile's number.
pub(super) fn is_key_line(line: &str) -> bool {
    line.split_once(':').is_some_and(|(key, _)| {
        let key = key.trim().to_ascii_lowercase();
        KEYS.contains(&key.as_str()) || is_pile_key(&key)
    })
}

/// Whether a line names the deal of a game that was begun, and so all piles.
pub(super) fn is_deal_line(line: &str) -> bool {
    line.split_once(':')
        .is_some_and(|(key, _)| key.trim().eq_ignore_ascii_case("deal"))
}

/// Whether a line is that of a pile.
pub(super) fn is_pile_line(line: &str) -> bool {
    line.split_once(':')
        .is_some_and(|(key, _)| is_pile_key(key.trim()))
}

fn is_pile_key(key: &str) -> bool {
    !key.is_empty() && key.len() <= 3 && key.bytes().all(|b| b.is_ascii_digit())
}

/// A deal as far as its lines were read.
struct Board {
    tally: Tally,
    /// The cards of each pile and how many of them lie face down.
    piles: Vec<Option<(Vec<Card>, usize)>>,
    stock: Option<Vec<Card>>,
}

impl Board {
    /// Reads the line with this number, which is not empty.
    fn read_line(&mut self, line: &str, number: usize) -> Result<(), FormatError> {
        let (key, value) = line.split_once(':').ok_or_else(|| {
            Fault::Syntax(format!(
                "`{}` has no colon; write for example `stock: 7S 2C` or `2: <3C> 9S`",
                short(line).escape_debug()
            ))
        })?;
        let key = key.trim().to_ascii_lowercase();
        let is_second = match key.as_str() {
            "stock" => {
                let words = value.split_whitespace();
                let cards = self.tally.add_words(words, Some(number), Place::Stock)?;
                self.stock.replace(cards).is_some()
            }
            "waste" | "foundations" | "redeals" | "last pass" | "double move" => {
                if !is_nothing(&key, value) {
                    return Err(Fault::MidGame(format!("it has a line `{key}`")).into());
                }
                false
            }
            "deal" | "rules" | "seconds" | "moves" => {
                return Err(Fault::MidGame(format!("it has a line `{key}`")).into());
            }
            _ => {
                let index = self.pile_index(&key)?;
                let pile = self.tally.add_pile(value, number, index + 1)?;
                self.piles[index].replace(pile).is_some()
            }
        };
        if is_second {
            return Err(Fault::Syntax(format!("a second line `{key}`")).into());
        }
        Ok(())
    }

    fn pile_index(&self, key: &str) -> Result<usize, Fault> {
        let piles = self.piles.len();
        (0..piles)
            .find(|pile| (pile + 1).to_string() == key)
            .ok_or_else(|| {
                let key = short(key);
                Fault::Syntax(format!(
                    "`{}` is neither a pile (1 to {piles}) nor `stock`",
                    key.escape_debug()
                ))
            })
    }
}

pub(super) fn read(text: &str, deck: Deck, layout: &Layout) -> Result<Deal, FormatError> {
    let mut board = Board {
        tally: Tally::new(deck),
        piles: vec![None; layout.pile_count()],
        stock: None,
    };
    for (i, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if !line.is_empty() {
            board
                .read_line(line, i + 1)
                .map_err(|error| error.in_line(i + 1))?;
        }
    }
    let mut piles = Vec::with_capacity(board.piles.len());
    for (pile, number) in board.piles.into_iter().zip(1..) {
        piles.push(pile.ok_or_else(|| {
            Fault::Syntax(format!(
                "there is no line for pile {number}; if the pile is empty, write `{number}:`"
            ))
        })?);
    }
    board.tally.finish()?;
    let shapes = piles.iter().map(|(cards, down)| (cards.len(), *down));
    check_fresh(layout, shapes)?;
    let piles = piles.into_iter().map(|(cards, _)| cards).collect();
    Ok(Deal::new(deck, piles, board.stock.unwrap_or_default())?)
}

/// Whether a line for positions says that no move was made: `foundations: C0 D0`, or 0.
fn is_nothing(key: &str, value: &str) -> bool {
    let is_empty_foundation = |word: &str| {
        let suit = word.strip_suffix('0');
        key == "foundations" && suit.is_some_and(|suit| "CDHScdhs".contains(suit))
    };
    value
        .split_whitespace()
        .all(|word| word == "0" || is_empty_foundation(word))
}

pub(super) fn write(deal: &Deal) -> String {
    let mut text = String::from("stock:");
    for card in deal.stock() {
        text.push_str(&format!(" {card}"));
    }
    text.push('\n');
    for (i, pile) in deal.piles().enumerate() {
        text.push_str(&format!("{}:", i + 1));
        if let Some((top, hidden)) = pile.split_last() {
            for card in hidden {
                text.push_str(&format!(" <{card}>"));
            }
            text.push_str(&format!(" {top}"));
        }
        text.push('\n');
    }
    text
}
