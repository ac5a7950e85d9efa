//! The JSON form of a position.

use std::sync::Arc;

use crate::card::{Card, CardSet, Suit};
use crate::rules::Rules;
use crate::table::position::error::{PositionError, Reason};
use crate::table::position::{UNKNOWN, pile_index};
use crate::table::{Pile, Table, TableParts};

/// The JSON form of a position.
///
/// Cards are texts such as `"TH"`, and `"??"` where a card is not known; [`Position::into_table`]
/// checks them. With the cargo feature
/// `formats` the type can be serialized and deserialized.
///
/// ```
/// use std::sync::Arc;
/// use klondike_game::deal::Deal;
/// use klondike_game::rules::Rules;
/// use klondike_game::table::{Table, position::Position};
///
/// let rules = Arc::new(Rules::standard());
/// let table = Table::new(Arc::clone(&rules), &"solvitaire:3".parse::<Deal>()?)?;
/// let position = Position::from(&table);
/// assert_eq!(position.piles[6].face_down.len(), 6);
/// assert_eq!(position.into_table(&rules)?, table);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[cfg_attr(
    feature = "formats",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct Position {
    /// Redeals used so far.
    #[cfg_attr(feature = "formats", serde(default))]
    pub redeals_used: u32,
    /// Whether the last pass by ones has begun, under `redeals` of `last-pass-by-ones`.
    #[cfg_attr(
        feature = "formats",
        serde(default, skip_serializing_if = "std::ops::Not::not")
    )]
    pub last_pass: bool,
    /// The pile, counted from 1, whose top card must go to the foundation in the next move.
    #[cfg_attr(
        feature = "formats",
        serde(default, skip_serializing_if = "Option::is_none")
    )]
    pub double_move: Option<u8>,
    /// Highest rank number on each foundation: clubs, diamonds, hearts, spades; 0 for none.
    #[cfg_attr(feature = "formats", serde(default))]
    pub foundations: [u8; 4],
    /// The waste, the playable card last.
    #[cfg_attr(feature = "formats", serde(default))]
    pub waste: Vec<String>,
    /// The stock, first drawn first.
    #[cfg_attr(feature = "formats", serde(default))]
    pub stock: Vec<String>,
    /// The piles, leftmost first.
    pub piles: Vec<PositionPile>,
}

/// One pile of a [`Position`].
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[cfg_attr(
    feature = "formats",
    derive(serde::Serialize, serde::Deserialize),
    serde(deny_unknown_fields)
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[non_exhaustive]
pub struct PositionPile {
    /// The face-down cards, bottom to top.
    #[cfg_attr(feature = "formats", serde(default))]
    pub face_down: Vec<String>,
    /// The face-up cards, bottom to top.
    #[cfg_attr(feature = "formats", serde(default))]
    pub face_up: Vec<String>,
}

impl Position {
    /// Puts [`UNKNOWN`] in place of these cards.
    pub fn hide(&mut self, unknown: CardSet) {
        let down = self.piles.iter_mut();
        let down = down.flat_map(|pile| pile.face_down.iter_mut());
        for text in down.chain(&mut self.stock).chain(&mut self.waste) {
            if text.parse().is_ok_and(|card| unknown.contains(card)) {
                UNKNOWN.clone_into(text);
            }
        }
    }
}

impl From<&Table> for Position {
    fn from(table: &Table) -> Position {
        let texts = |cards: &[Card]| cards.iter().map(Card::to_string).collect();
        Position {
            redeals_used: table.redeals_used(),
            last_pass: table.in_last_pass(),
            double_move: table.pending().map(|pile| pile.get() as u8 + 1),
            foundations: Suit::ALL.map(|suit| table.foundation(suit)),
            waste: texts(table.waste()),
            stock: table.stock().map(|card| card.to_string()).collect(),
            piles: table
                .piles()
                .iter()
                .map(|pile| PositionPile {
                    face_down: texts(pile.face_down()),
                    face_up: texts(pile.face_up()),
                })
                .collect(),
        }
    }
}

impl Position {
    /// The position on a table with these rules.
    ///
    /// # Errors
    /// If a text is not a card, `double_move` is not a pile, or [`Table::from_parts`] refuses the
    /// position.
    pub fn into_table(self, rules: &Arc<Rules>) -> Result<Table, PositionError> {
        let parts = self.to_parts().map_err(Reason::of_text)?;
        Ok(Table::from_parts(Arc::clone(rules), parts)?)
    }

    fn to_parts(&self) -> Result<TableParts, Reason> {
        let count = self.piles.len();
        let pending = self.double_move.map(|number| {
            let key = number.to_string();
            pile_index(&key, count).ok_or(Reason::Key { key, piles: count })
        });
        let pile = |pile: &PositionPile| {
            let mut all = cards(&pile.face_down)?;
            let face_down = all.len();
            all.extend(cards(&pile.face_up)?);
            Ok(Pile::new(all, face_down))
        };
        Ok(TableParts {
            pending: pending.transpose()?,
            piles: self.piles.iter().map(pile).collect::<Result<_, Reason>>()?,
            foundations: self.foundations,
            stock: cards(&self.stock)?,
            waste: cards(&self.waste)?,
            redeals_used: self.redeals_used,
            last_pass: self.last_pass,
        })
    }
}

fn cards(texts: &[String]) -> Result<Vec<Card>, Reason> {
    let card = |text: &String| Ok(text.parse::<Card>()?);
    texts.iter().map(card).collect()
}
