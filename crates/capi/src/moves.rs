//! Moves, places and cards as numbers.

use klondike_front::{Card, Move, PileIndex, Suit, Table};

use crate::border::Failure;

/// The place of the stock. A pile has its number, from 1 at the left.
pub const KLONDIKE_STOCK: u8 = 0;
/// The place of the waste.
pub const KLONDIKE_WASTE: u8 = 20;
/// The place of the foundation of clubs. Those of diamonds, hearts and spades follow: 22 to 24.
pub const KLONDIKE_FOUNDATION: u8 = 21;
/// Where the waste goes for the last pass by ones; by a redeal it goes to the stock.
pub const KLONDIKE_LAST_PASS: u8 = 25;

/// A move: take `count` cards from one place and put them on another. A draw, a redeal and the last
/// pass (KLONDIKE_LAST_PASS) turn them over, every other move keeps their order. Under reversed
/// groups a draw keeps it, too.
///
/// A card is a number: 16 times its suit (clubs 0, diamonds 1, hearts 2, spades 3) and its rank
/// (ace 1 to king 13). So 0x1C is the queen of diamonds, and 0 is no card.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KlondikeMove {
    /// The place where the cards come from.
    pub from: u8,
    /// The place where they go.
    pub to: u8,
    /// How many cards move.
    pub count: u8,
    /// The card that moves: of a run the lowest, of a draw the one that can be played then, of a
    /// redeal and of the last pass 0.
    pub card: u8,
    /// The face-down card that the move turns up, or 0.
    pub turns_up: u8,
}

/// The number of a card.
pub(crate) fn number(card: Card) -> u8 {
    16 * card.suit().index() as u8 + card.rank().get()
}

fn foundation(suit: Suit) -> u8 {
    KLONDIKE_FOUNDATION + suit.index() as u8
}

/// The suit of the foundation at this place.
pub(crate) fn suit_at(place: u8) -> Option<Suit> {
    Suit::ALL
        .into_iter()
        .find(|&suit| foundation(suit) == place)
}

/// The pile at this place.
pub(crate) fn pile_at(table: &Table, place: u8) -> Option<PileIndex> {
    let piles = 1..=table.piles().len();
    piles
        .contains(&place.into())
        .then(|| PileIndex::new(usize::from(place) - 1))
}

/// A legal move of this table as numbers.
pub(crate) fn describe(table: &Table, made: Move) -> KlondikeMove {
    let place = |pile: PileIndex| pile.get() as u8 + 1;
    let card = table.moved_card(made);
    let to_foundation = || card.map_or(0, |card| foundation(card.suit()));
    let drawn = table.draw_count().min(table.stock().len());
    let (from, to, count) = match made {
        Move::Draw => (KLONDIKE_STOCK, KLONDIKE_WASTE, drawn as u8),
        Move::Redeal => (KLONDIKE_WASTE, KLONDIKE_STOCK, table.waste().len() as u8),
        Move::LastPass => (
            KLONDIKE_WASTE,
            KLONDIKE_LAST_PASS,
            table.waste().len() as u8,
        ),
        Move::WasteToFoundation => (KLONDIKE_WASTE, to_foundation(), 1),
        Move::WasteToPile { to } => (KLONDIKE_WASTE, place(to), 1),
        Move::PileToFoundation { from } => (place(from), to_foundation(), 1),
        Move::PileToPile { from, to, count } => (place(from), place(to), count),
        Move::FoundationToPile { suit, to } => (foundation(suit), place(to), 1),
    };
    let card = match made {
        Move::Draw if table.rules().reversed_groups() => table.stock().next(),
        Move::Draw => table.stock().nth(drawn.saturating_sub(1)),
        _ => card,
    };
    let turned = match made {
        Move::PileToFoundation { from } | Move::PileToPile { from, .. } => {
            let pile = &table.piles()[from.get()];
            let uncovers = usize::from(count) == pile.face_up().len();
            pile.face_down().last().copied().filter(|_| uncovers)
        }
        _ => None,
    };
    KlondikeMove {
        from,
        to,
        count,
        card: card.map_or(0, number),
        turns_up: turned.map_or(0, number),
    }
}

/// The legal move of this table that has these numbers; its cards are not looked at.
pub(crate) fn read(table: &Table, given: KlondikeMove) -> Result<Move, Failure> {
    let KlondikeMove {
        from, to, count, ..
    } = given;
    let illegal =
        |reason: &str| Failure::data(format!("`made`: {count} from {from} to {to}: {reason}"));
    let (from_pile, to_pile) = (pile_at(table, from), pile_at(table, to));
    let made = match (from_pile, to_pile, suit_at(from), suit_at(to)) {
        (Some(from), Some(to), ..) => Move::PileToPile { from, to, count },
        (Some(from), _, _, Some(_)) => Move::PileToFoundation { from },
        (_, Some(to), Some(suit), _) => Move::FoundationToPile { suit, to },
        (_, Some(to), ..) if from == KLONDIKE_WASTE => Move::WasteToPile { to },
        (.., Some(_)) if from == KLONDIKE_WASTE => Move::WasteToFoundation,
        _ if (from, to) == (KLONDIKE_STOCK, KLONDIKE_WASTE) => Move::Draw,
        _ if (from, to) == (KLONDIKE_WASTE, KLONDIKE_STOCK) => Move::Redeal,
        _ if (from, to) == (KLONDIKE_WASTE, KLONDIKE_LAST_PASS) => Move::LastPass,
        _ => return Err(illegal("no move goes from the one place to the other")),
    };
    table
        .check(made)
        .map_err(|error| illegal(&error.to_string()))?;
    let legal = describe(table, made);
    if (legal.from, legal.to, legal.count) != (from, to, count) {
        let reason = format!("the legal move is {} to {}", legal.count, legal.to);
        return Err(illegal(&reason));
    }
    Ok(made)
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use klondike_front::{DealId, Rules};

    use super::*;

    #[test]
    fn the_card_of_a_draw_is_the_top_of_the_waste_after_it() {
        let changes = [
            "draw=3",
            "draw=5",
            "reversed-groups=yes",
            "redeals=last-pass-by-ones",
        ];
        for rules in changes.map(|text| Arc::new(Rules::with_changes(text).unwrap())) {
            let deal: DealId = "klondike:1".parse().unwrap();
            let deal = deal.deal(rules.deck(), rules.layout()).unwrap();
            let mut table = Table::new(rules, &deal).unwrap();
            let mut draws = 0;
            while let Some(made) = [Move::Draw, Move::LastPass]
                .into_iter()
                .find(|&made| table.check(made).is_ok())
            {
                let described = describe(&table, made);
                table.make(made).unwrap();
                let top = table.waste().last().map_or(0, |&card| number(card));
                assert_eq!(described.card, top, "{made:?}");
                draws += 1;
            }
            assert!(draws > 4);
        }
    }
}
