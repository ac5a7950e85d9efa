//! A table drawn as text for people.
//!
//! The first lines show stock, waste and foundations, the lines below show the piles, one column
//! each. [`Format::Picture`](crate::deal::format::Format::Picture) reads it back.

use crate::card::{Card, CardSet, Color, Rank};
use crate::table::{Pile, Table};

/// How to draw. The default is plain letters without colour, with face-down cards hidden.
///
/// ```
/// use std::sync::Arc;
/// use klondike_game::deal::Deal;
/// use klondike_game::rules::Rules;
/// use klondike_game::table::Table;
/// use klondike_game::table::picture::{Style, draw};
///
/// let table = Table::new(Arc::new(Rules::standard()), &"solvitaire:3".parse::<Deal>()?)?;
/// let picture = draw(&table, Style::default().symbols(true));
/// assert!(picture.starts_with("stock: 24\nwaste: -\nfoundations: -♣ -♦ -♥ -♠\n"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Style {
    /// Suit symbols (`♥`) instead of letters (`H`).
    pub symbols: bool,
    /// Red suits in red, by the escape sequences of terminals.
    pub color: bool,
    /// Show face-down cards (in parentheses) and the stock, as in thoughtful play.
    pub thoughtful: bool,
}

impl Style {
    /// The same style with suit symbols (`♥`) or letters (`H`).
    #[must_use]
    pub fn symbols(mut self, on: bool) -> Style {
        self.symbols = on;
        self
    }

    /// The same style with red suits in red, or without colour.
    #[must_use]
    pub fn color(mut self, on: bool) -> Style {
        self.color = on;
        self
    }

    /// The same style with face-down cards and the stock shown, or hidden.
    #[must_use]
    pub fn thoughtful(mut self, on: bool) -> Style {
        self.thoughtful = on;
        self
    }

    /// A text of two columns that shows the card.
    #[must_use]
    pub fn card(self, card: Card) -> String {
        let text = if self.symbols {
            card.pretty()
        } else {
            card.to_string()
        };
        self.paint(card.color(), text)
    }

    fn paint(self, color: Color, text: String) -> String {
        if self.color && color == Color::Red {
            format!("\x1b[31m{text}\x1b[0m")
        } else {
            text
        }
    }

    fn cards(self, cards: impl Iterator<Item = Card>) -> String {
        let texts: Vec<String> = cards.map(|card| self.card(card)).collect();
        texts.join(" ")
    }
}

/// Draws a table of which some cards are `unknown`, with all others shown.
#[must_use]
pub fn draw_partly(table: &Table, unknown: CardSet, style: Style) -> String {
    let style = style.thoughtful(true);
    let mut text = draw(table, style);
    for card in unknown {
        let shown = style.card(card);
        text = text.replace(&format!("({shown})"), " ?? ");
        text = text.replace(&shown, "??");
    }
    let lines = text.lines().map(|line| line.trim_end().to_owned() + "\n");
    lines.collect()
}

/// Draws the table. Every line ends with a line feed, without blanks before it.
#[must_use]
pub fn draw(table: &Table, style: Style) -> String {
    let known = if style.thoughtful {
        table.rules().deck().card_set()
    } else {
        CardSet::EMPTY
    };
    piles_under(head(table, style), table.piles(), known, style)
}

/// Draws piles under some lines. Face-down cards show if they are `known`, in parentheses.
#[must_use]
pub fn piles_under(mut lines: Vec<String>, piles: &[Pile], known: CardSet, style: Style) -> String {
    lines.push(String::new());
    lines.push((1..=piles.len()).map(|n| format!("{n:>4} ")).collect());
    let height = piles.iter().map(|pile| pile.cards().len()).max();
    for row in 0..height.unwrap_or(0) {
        let mut line = String::new();
        for pile in piles {
            // A column is five characters wide. Escape sequences take no width, so the card is
            // padded by hand.
            let hidden = row < pile.face_down().len();
            line.push_str(&match pile.cards().get(row) {
                None => "     ".to_owned(),
                Some(&card) if hidden && known.contains(card) => format!(" ({})", style.card(card)),
                Some(_) if hidden => "  ?? ".to_owned(),
                Some(&card) => format!("  {} ", style.card(card)),
            });
        }
        lines.push(line);
    }
    let mut text = String::new();
    for line in lines {
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

/// The lines over the piles.
fn head(table: &Table, style: Style) -> Vec<String> {
    let stock = table.stock();
    let mut stock_line = format!("stock: {}", stock.len());
    if style.thoughtful && stock.len() > 0 {
        stock_line.push_str(&format!(" ({})", style.cards(stock)));
    }
    if table.redeals_used() > 0 {
        stock_line.push_str(&format!("   redeals used: {}", table.redeals_used()));
    }
    let waste = match table.waste().split_last() {
        None => "waste: -".to_owned(),
        Some((&top, [])) => format!("waste: [{}]", style.card(top)),
        Some((&top, under)) => format!(
            "waste: {} [{}]",
            style.cards(under.iter().copied()),
            style.card(top)
        ),
    };
    let mut foundations = "foundations:".to_owned();
    for &suit in table.rules().deck().suits() {
        let sign = if style.symbols {
            suit.symbol()
        } else {
            suit.letter()
        };
        let rank = Rank::new(table.foundation(suit)).map_or('-', Rank::letter);
        foundations.push(' ');
        foundations.push_str(&style.paint(suit.color(), format!("{rank}{sign}")));
    }
    let mut lines = vec![stock_line, waste, foundations];
    if table.in_last_pass() {
        lines.push("last pass: draws turn one card, and no redeal is left".to_owned());
    }
    if let Some(pile) = table.pending() {
        lines.push(format!(
            "double move: the top card of pile {pile} must go up"
        ));
    }
    lines
}
