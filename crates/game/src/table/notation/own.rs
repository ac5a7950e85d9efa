//! This program's own notation: `draw`, `draw*3`, `redeal`, `last-pass` and `card:from>to`, where a
//! place is the number of a pile, `W` for the waste or `F` for the foundation of the card's suit.
//!
//! A run is named by its lowest card, so the number of cards need not be written.

use crate::card::Card;
use crate::table::notation::{Place, Reader, Reason, Step, between, places};
use crate::table::{Move, PileIndex};

const HINT: &str = "draw, draw*N, redeal or CARD:FROM>TO with W, F or a pile, such as 9H:4>5";

/// The place of this text for a card.
fn place(text: &str, card: Card) -> Option<Place> {
    Some(match text {
        "W" | "w" => Place::Waste,
        "F" | "f" => Place::Foundation(card.suit()),
        _ => {
            let number: usize = text.parse().ok()?;
            Place::Pile(PileIndex::new(number.checked_sub(1).filter(|&n| n < 255)?))
        }
    })
}

pub(super) fn read(reader: &mut Reader, token: &str) -> Result<(), Reason> {
    let unknown = || Reason::Unknown(HINT);
    match token.to_ascii_lowercase().as_str() {
        "draw" => return reader.make(Move::Draw).map(|_| ()),
        "redeal" => return reader.make(Move::Redeal).map(|_| ()),
        "last-pass" => return reader.make(Move::LastPass).map(|_| ()),
        lower => {
            if let Some(count) = lower.strip_prefix("draw*") {
                return reader.draw(count, HINT);
            }
        }
    }
    let (card, ends) = token.split_once(':').ok_or_else(unknown)?;
    let card: Card = card.parse().map_err(|_| unknown())?;
    let (from, to) = ends.split_once('>').ok_or_else(unknown)?;
    let from = place(from, card).ok_or_else(unknown)?;
    let to = place(to, card).ok_or_else(unknown)?;
    let run = |from, to| reader.run(from, to, card);
    let wanted = between((from, to), |_| Some(card), run, HINT)?;
    reader.make_with(wanted, card).map(|_| ())
}

pub(super) fn write(steps: &[Step]) -> String {
    let place = |place: Place| match place {
        Place::Waste => "W".to_owned(),
        Place::Foundation(_) => "F".to_owned(),
        Place::Pile(pile) => pile.to_string(),
    };
    let mut tokens = Vec::new();
    for group in steps.chunk_by(|a, b| a.made == Move::Draw && b.made == Move::Draw) {
        tokens.push(match (places(&group[0]), group.len()) {
            (Some((from, to)), _) => format!("{}:{}>{}", group[0].card(), place(from), place(to)),
            (None, _) if group[0].made == Move::Redeal => "redeal".to_owned(),
            (None, _) if group[0].made == Move::LastPass => "last-pass".to_owned(),
            (None, 1) => "draw".to_owned(),
            (None, count) => format!("draw*{count}"),
        });
    }
    tokens.join(" ")
}
