//! The standard line of lonelybot: `card:from▸to` and `=`.
//!
//! An `=` is a draw, or only a redeal if the stock is empty. Places are `D` for stock and waste,
//! the piles' numbers and the suits' symbols. A run is named by its lowest card, tens are `10`.

use crate::card::{Card, Rank, Suit};
use crate::table::notation::{Place, Reader, Reason, Step, between, places};
use crate::table::{Move, PileIndex};

const HINT: &str = "= or CARD:FROM▸TO with D, a pile or a suit symbol, such as 10♥:D▸5";

fn place(text: &str) -> Option<Place> {
    let mut chars = text.chars();
    match (chars.next()?, chars.next()) {
        (c @ '1'..='7', None) => Some(Place::Pile(PileIndex::new(c as usize - '1' as usize))),
        ('D', None) => Some(Place::Waste),
        (c, None) if !c.is_ascii() => Suit::from_char(c).map(Place::Foundation),
        _ => None,
    }
}

pub(super) fn read(reader: &mut Reader, token: &str) -> Result<(), Reason> {
    let unknown = || Reason::Unknown(HINT);
    if token == "=" {
        let wanted = if reader.table.stock().len() == 0 {
            Move::Redeal
        } else {
            Move::Draw
        };
        return reader.make(wanted).map(|_| ());
    }
    let (card, ends) = token.split_once(':').ok_or_else(unknown)?;
    let card: Card = card.parse().map_err(|_| unknown())?;
    let (from, to) = ends.split_once(['▸', '>']).ok_or_else(unknown)?;
    let from = place(from).ok_or_else(unknown)?;
    let to = place(to).ok_or_else(unknown)?;
    let run = |from, to| reader.run(from, to, card);
    let wanted = between((from, to), |_| Some(card), run, HINT)?;
    reader.make_with(wanted, card).map(|_| ())
}

pub(super) fn write(steps: &[Step]) -> String {
    let place = |place: Place| match place {
        Place::Waste => "D".to_owned(),
        Place::Foundation(suit) => suit.symbol().to_string(),
        Place::Pile(pile) => pile.to_string(),
    };
    let tokens: Vec<String> = steps
        .iter()
        .map(|step| match places(step) {
            None => {
                debug_assert_eq!(step.stock_empty, step.made == Move::Redeal);
                "=".to_owned()
            }
            Some((from, to)) => {
                let card = step.card();
                let rank = if card.rank() == Rank::new(10).expect("a rank") {
                    "10".to_owned()
                } else {
                    card.rank().to_string()
                };
                let suit = card.suit().symbol();
                format!("{rank}{suit}:{}▸{}", place(from), place(to))
            }
        })
        .collect();
    tokens.join("  ")
}
