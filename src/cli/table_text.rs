//! A table drawn for people; the one place where commands get it from.

use crate::card::{Card, Color, Rank};
use crate::cli::output::Style;
use crate::table::Table;

/// Draws the table with all cards known; every line ends with a line feed.
pub(super) fn draw(table: &Table, style: Style) -> String {
    let mut text = String::from("stock:");
    for card in table.stock() {
        text.push_str(&format!(" {}", show(card, style)));
    }
    text.push_str("\nwaste:");
    for &card in table.waste() {
        text.push_str(&format!(" {}", show(card, style)));
    }
    text.push_str("\nfoundations:");
    for &suit in table.rules().deck().suits() {
        text.push(' ');
        match Rank::new(table.foundation(suit)) {
            Some(rank) => text.push_str(&show(Card::new(rank, suit), style)),
            None => text.push('-'),
        }
    }
    text.push_str("\n\n");
    let height = table.piles().iter().map(|pile| pile.cards().len()).max();
    for row in 0..height.unwrap_or(0) {
        let mut line = String::new();
        for pile in table.piles() {
            line.push_str(&match pile.cards().get(row) {
                None => "     ".to_owned(),
                Some(&card) if row < pile.face_down().len() => {
                    format!("({}) ", show(card, style))
                }
                Some(&card) => format!(" {}  ", show(card, style)),
            });
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

fn show(card: Card, style: Style) -> String {
    let text = if style.symbols {
        card.pretty()
    } else {
        card.to_string()
    };
    if style.color && card.color() == Color::Red {
        format!("\x1b[31m{text}\x1b[0m")
    } else {
        text
    }
}
