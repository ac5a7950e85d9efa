//! Positions in mid-game as JSON: Solvitaire's, and the one that lonelybot prints.
//!
//! The formats of deals read the JSON itself; here it becomes a position. The JSON cannot hold
//! redeals used, the last pass or a pending double move. This module needs the cargo feature
//! `formats`.

use crate::card::Card;
use crate::deal::format::solvitaire::{Json, card_text, pile_texts, read_board};
use crate::deal::format::{Format, FormatError};
use crate::rules::Deck;
use crate::table::{Pile, Table, TableParts};

/// Reads a position from the JSON of Solvitaire or, if it has the key `foundation`, of lonelybot.
///
/// The cards are those of `deck`, each once. [`Table::from_parts`] checks whether they are a
/// position of some rules.
///
/// ```
/// use klondike_game::rules::Deck;
/// use klondike_game::table::solvitaire::read_solvitaire;
///
/// let text = r#"{"tableau piles": [["3d", "AC"], []], "stock": ["2D", "2C"],
///     "waste": ["3C"], "foundations": ["AD"]}"#;
/// let parts = read_solvitaire(text, Deck::new(2, 3)?)?;
/// assert_eq!(parts.foundations, [0, 1, 0, 0]);
/// assert_eq!(parts.stock[0].to_string(), "2C");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the text is not such JSON, or its cards are not those of `deck`.
pub fn read_solvitaire(text: &str, deck: Deck) -> Result<TableParts, FormatError> {
    let format = match Format::detect(text) {
        Some(Format::Lonelybot) => Format::Lonelybot,
        _ => Format::Solvitaire,
    };
    let board = read_board(format, text, deck)?;
    let piles = board.piles.into_iter();
    Ok(TableParts {
        piles: piles.map(|(cards, down)| Pile::new(cards, down)).collect(),
        foundations: board.foundations,
        stock: board.stock,
        waste: board.waste,
        redeals_used: 0,
        last_pass: false,
        pending: None,
    })
}

/// Writes a position as Solvitaire's JSON, on one line with a line feed.
///
/// `None` if redeals were used, in the last pass by ones, or if a double move is pending: the JSON
/// cannot hold these.
#[must_use]
pub fn write_solvitaire(table: &Table) -> Option<String> {
    if table.redeals_used() > 0 || table.in_last_pass() || table.pending().is_some() {
        return None;
    }
    let texts = |cards: &[Card]| cards.iter().map(|&card| card_text(card, false)).collect();
    let mut stock: Vec<Card> = table.stock().collect();
    stock.reverse();
    let played: Vec<Card> = table.to_parts().played().collect();
    let json = Json {
        piles: table
            .piles()
            .iter()
            .map(|pile| pile_texts(pile.cards(), pile.face_down().len()))
            .collect(),
        stock: texts(&stock),
        waste: Some(texts(table.waste())),
        foundations: Some(texts(&played)),
        foundation: None,
    };
    Some(serde_json::to_string(&json).expect("lists of texts") + "\n")
}
