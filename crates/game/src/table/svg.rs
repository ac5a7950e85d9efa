//! A position as a picture: SVG, without fonts or files of its own.

use std::fmt::Write as _;

use crate::card::{Card, CardSet, Color, Rank};
use crate::table::{Pile, Table};

/// Width and height of a card, and the space between cards.
const CARD: (usize, usize) = (60, 84);
const GAP: usize = 12;
/// How much of a covered card shows, face down and face up.
const SHOWS: (usize, usize) = (10, 24);
const STYLE: &str = "svg:root{color-scheme:light dark}\
    text{font:600 17px sans-serif}.b{font-size:34px;text-anchor:middle}\
    .k{fill:#1a1a1a}.r{fill:#c2182b}.c{fill:#fff;stroke:#8a8f98}.d{fill:#4a6fa5;stroke:#2f4a75}\
    .n{fill:#fff}.e{fill:none;stroke:#8a8f98;stroke-dasharray:4}\
    .t{fill:#24292f;font-size:15px;font-weight:400}\
    @media(prefers-color-scheme:dark){.t{fill:#d8dee4}}";

/// Draws a position as SVG, with a caption below it.
///
/// Face-down cards show their backs. Of the waste the last three cards are shown. The picture is
/// the same on every machine, and fits light and dark pages.
///
/// ```
/// use std::sync::Arc;
/// use klondike::{Deal, Rules, Table, svg};
///
/// let table = Table::new(Arc::new(Rules::standard()), &"klondike:1".parse::<Deal>()?)?;
/// assert!(svg::draw(&table, "klondike:1").starts_with("<svg "));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn draw(table: &Table, caption: &str) -> String {
    draw_partly(table, CardSet::EMPTY, caption)
}

/// As [`draw`], for a table of which some cards are `unknown`: in the waste they show their backs.
#[must_use]
pub fn draw_partly(table: &Table, unknown: CardSet, caption: &str) -> String {
    let columns = table
        .piles()
        .len()
        .max(3 + table.rules().deck().suits().len());
    let mut body = String::new();
    let stock = table.stock().len();
    if stock == 0 {
        empty(&mut body, column(0), GAP);
    } else {
        back(&mut body, column(0), GAP);
        text(&mut body, (column(0), GAP), "n", &stock.to_string());
    }
    let waste = table.waste();
    let shown = &waste[waste.len().saturating_sub(3)..];
    for (number, &card) in shown.iter().enumerate() {
        let x = column(1) + number * SHOWS.1;
        if unknown.contains(card) {
            back(&mut body, x, GAP);
        } else {
            face(&mut body, x, GAP, card);
        }
    }
    if shown.is_empty() {
        empty(&mut body, column(1), GAP);
    }
    let suits = table.rules().deck().suits();
    for (number, &suit) in suits.iter().enumerate() {
        let x = column(columns - suits.len() + number);
        match Rank::new(table.foundation(suit)) {
            Some(rank) => face(&mut body, x, GAP, Card::new(rank, suit)),
            None => empty(&mut body, x, GAP),
        }
    }
    let top = CARD.1 + 2 * GAP + GAP / 2;
    let mut bottom = top + CARD.1;
    for (number, pile) in table.piles().iter().enumerate() {
        bottom = bottom.max(draw_pile(&mut body, column(number), top, pile));
    }
    let (width, height) = (column(columns), bottom + GAP + 24);
    text(&mut body, (GAP - 6, bottom + GAP - 4), "t", caption);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\" role=\"img\"><title>{}</title>\
         <style>{STYLE}</style>\n{body}</svg>\n",
        escaped(caption)
    )
}

fn column(number: usize) -> usize {
    GAP + number * (CARD.0 + GAP)
}

/// Draws a pile and gives where it ends.
fn draw_pile(body: &mut String, x: usize, top: usize, pile: &Pile) -> usize {
    let mut y = top;
    for _ in pile.face_down() {
        back(body, x, y);
        y += SHOWS.0;
    }
    for &card in pile.face_up() {
        face(body, x, y, card);
        y += SHOWS.1;
    }
    let last = match (pile.face_up().len(), pile.face_down().len()) {
        (0, 0) => {
            empty(body, x, y);
            0
        }
        (0, _) => SHOWS.0,
        _ => SHOWS.1,
    };
    y - last + CARD.1
}

fn rectangle(body: &mut String, x: usize, y: usize, class: &str) {
    let (width, height) = CARD;
    let _ = writeln!(
        body,
        "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\" rx=\"6\" \
         class=\"{class}\"/>"
    );
}

fn empty(body: &mut String, x: usize, y: usize) {
    rectangle(body, x, y, "e");
}

fn back(body: &mut String, x: usize, y: usize) {
    rectangle(body, x, y, "d");
}

fn face(body: &mut String, x: usize, y: usize, card: Card) {
    let class = match card.color() {
        Color::Red => "r",
        Color::Black => "k",
    };
    rectangle(body, x, y, "c");
    text(body, (x, y), class, &card.pretty());
    let (x, y) = (x + CARD.0 / 2, y + CARD.1 / 2 + 14);
    let symbol = card.suit().symbol();
    let _ = writeln!(
        body,
        "<text x=\"{x}\" y=\"{y}\" class=\"b {class}\">{symbol}</text>"
    );
}

/// Writes into the corner of a card.
fn text(body: &mut String, (x, y): (usize, usize), class: &str, text: &str) {
    let (x, y) = (x + 6, y + 19);
    let text = escaped(text);
    let _ = writeln!(
        body,
        "<text x=\"{x}\" y=\"{y}\" class=\"{class}\">{text}</text>"
    );
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
}
