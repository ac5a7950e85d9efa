//! Our own text of a deal.
//!
//! ```text
//! # anything after a number sign is a comment
//! stock: 7S 2C        the card drawn first first; without the line nothing
//! 1: KS               every pile, bottom to top
//! 2: <3C> 9S          face-down cards in <>
//! 3: <5D> <4H> AC
//! ```
//!
//! It is the text of a position in mid-game without the lines that are for positions only
//! (`waste`, `foundations`, `redeals`, `double move`).

use crate::card::Card;
use crate::deal::Deal;
use crate::deal::format::places::{Place, Tally, check_fresh};
use crate::deal::format::{Fault, FormatError, short};
use crate::rules::{Deck, Layout};

/// Keys of the lines that are not piles.
const KEYS: [&str; 5] = ["stock", "waste", "foundations", "redeals", "double move"];

/// Whether a line starts as one of this format does: with one of its keys or a pile's number.
pub(super) fn is_key_line(line: &str) -> bool {
    line.split_once(':').is_some_and(|(key, _)| {
        let key = key.trim().to_ascii_lowercase();
        KEYS.contains(&key.as_str()) || is_pile_key(&key)
    })
}

/// Whether a line is that of a pile.
pub(super) fn is_pile_line(line: &str) -> bool {
    line.split_once(':')
        .is_some_and(|(key, _)| is_pile_key(key.trim()))
}

fn is_pile_key(key: &str) -> bool {
    !key.is_empty() && key.len() <= 3 && key.bytes().all(|b| b.is_ascii_digit())
}

pub(super) fn read(text: &str, deck: Deck, layout: &Layout) -> Result<Deal, FormatError> {
    let mut tally = Tally::new(deck);
    let mut piles: Vec<Option<(Vec<Card>, usize)>> = vec![None; layout.pile_count()];
    let mut stock: Option<Vec<Card>> = None;
    for (i, line) in text.lines().enumerate() {
        let number = i + 1;
        let fault = |text: String| FormatError::from(Fault::Syntax(text)).in_line(number);
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let (key, value) = line.split_once(':').ok_or_else(|| {
            let line = short(line);
            fault(format!(
                "`{}` has no colon; write for example `stock: 7S 2C` or `2: <3C> 9S`",
                line.escape_debug()
            ))
        })?;
        let key = key.trim().to_ascii_lowercase();
        let twice = || fault(format!("a second line `{key}`"));
        match key.as_str() {
            "stock" => {
                let words = value.split_whitespace();
                let cards = tally.add_words(words, Some(number), Place::Stock)?;
                if stock.replace(cards).is_some() {
                    return Err(twice());
                }
            }
            "waste" | "foundations" | "redeals" | "double move" => {
                if !is_nothing(value) {
                    let fault = Fault::MidGame(format!("it has a line `{key}`"));
                    return Err(FormatError::from(fault).in_line(number));
                }
            }
            _ => {
                let index = (0..piles.len())
                    .find(|pile| (pile + 1).to_string() == key)
                    .ok_or_else(|| {
                        fault(format!(
                            "`{}` is neither a pile (1 to {}) nor `stock`",
                            short(&key).escape_debug(),
                            piles.len()
                        ))
                    })?;
                let pile = tally.add_pile(value, number, index + 1)?;
                if piles[index].replace(pile).is_some() {
                    return Err(twice());
                }
            }
        }
    }
    let piles = piles
        .into_iter()
        .enumerate()
        .map(|(i, pile)| {
            let pile_number = i + 1;
            pile.ok_or_else(|| {
                Fault::Syntax(format!(
                    "there is no line for pile {pile_number}; if the pile is empty, write `{pile_number}:`"
                ))
                .into()
            })
        })
        .collect::<Result<Vec<_>, FormatError>>()?;
    tally.finish()?;
    check_fresh(
        layout,
        piles.iter().map(|(cards, down)| (cards.len(), *down)),
    )?;
    let piles = piles.into_iter().map(|(cards, _)| cards).collect();
    Ok(Deal::new(deck, piles, stock.unwrap_or_default())?)
}

/// Whether a line for positions says that nothing has happened yet: no word but such as `0`,
/// `C0`.
fn is_nothing(value: &str) -> bool {
    value
        .split_whitespace()
        .all(|word| word == "0" || word.len() == 2 && word.ends_with('0'))
}

pub(super) fn write(deal: &Deal) -> String {
    let mut text = String::from("stock:");
    for card in deal.stock() {
        text.push_str(&format!(" {card}"));
    }
    text.push('\n');
    for (i, pile) in deal.piles().iter().enumerate() {
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
