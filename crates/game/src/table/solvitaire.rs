//! Positions in mid-game as JSON: Solvitaire's, and the one that lonelybot prints.
//!
//! The formats of deals read the JSON itself; here it becomes a position. The JSON cannot hold
//! redeals used or a pending double move. This module needs the cargo feature `formats`.

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
        pending: None,
    })
}

/// Writes a position as Solvitaire's JSON, on one line with a line feed.
///
/// `None` if redeals were used or a double move is pending, which the JSON cannot hold.
#[must_use]
pub fn write_solvitaire(table: &Table) -> Option<String> {
    if table.redeals_used() > 0 || table.pending().is_some() {
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    use crate::deal::seed::{Scheme, Seed};
    use crate::rules::Rules;

    #[test]
    fn positions_of_a_game_round_trip() {
        let rules = Arc::new(Rules::standard());
        let (mut positions, mut played) = (0, 0);
        for seed in 0..20_u64 {
            let deal = Scheme::Klondike.deal(&Seed::from(seed)).unwrap();
            let mut table = Table::new(Arc::clone(&rules), &deal).unwrap();
            for step in 0..60 {
                let Some(text) = write_solvitaire(&table) else {
                    assert!(table.redeals_used() > 0);
                    break;
                };
                let parts = read_solvitaire(&text, Deck::FULL).unwrap();
                assert_eq!(parts, table.to_parts());
                let read = Table::from_parts(Arc::clone(&rules), parts).unwrap();
                assert_eq!(read, table);
                positions += 1;
                played += usize::from(table.foundation_count() > 0);
                let moves = table.legal_moves();
                // Any play that moves cards to the foundations.
                let wanted = moves[(step * 7 + seed as usize) % moves.len()];
                table.make(wanted).unwrap();
            }
        }
        assert!(positions > 400 && played > 100, "{positions} {played}");
    }

    #[test]
    fn lonelybots_foundations_are_read() {
        let text = r#"{"tableau piles": [["2h", "3S"], []], "stock": ["2S"], "waste": ["3H", "2D"],
            "foundation": [["AH"], ["AD"], ["AC", "2C", "3C"], ["AS"]]}"#;
        let parts = |text: &str| read_solvitaire(text, Deck::new(4, 3).unwrap());
        let error = parts(text).unwrap_err().to_string();
        assert_eq!(error, "1 card missing: 3D");
        let parts = parts(&text.replace("\"2D\"]", "\"2D\", \"3d\"]")).unwrap();
        assert_eq!(parts.foundations, [3, 1, 1, 1]);
        let waste: Vec<String> = parts.waste.iter().map(Card::to_string).collect();
        assert_eq!(waste, ["3H", "2D", "3D"]);
        assert_eq!(parts.piles[0].face_down().len(), 1);
    }

    #[test]
    fn a_foundation_must_grow_from_the_ace() {
        let text = r#"{"tableau piles": [["3S"]], "foundations": ["AS", "3S"]}"#;
        let deck = Deck::new(4, 3).unwrap();
        let error = read_solvitaire(text, deck).unwrap_err().to_string();
        assert_eq!(
            error,
            "foundations, card 2: the card 3S stands twice, first in pile 1, card 1"
        );
        let error = read_solvitaire(&text.replace(r#"["3S"]"#, ""), deck).unwrap_err();
        let shown = error.to_string();
        assert_eq!(shown, "foundations, card 2: 3S cannot lie on AS");
    }
}
