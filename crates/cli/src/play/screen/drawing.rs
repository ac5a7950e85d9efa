//! What the screen shows: the table, as much of it as there are rows for, and the lines below it.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};

use super::Screen;
use super::cursor::Spot;
use crate::play::picker::Place;
use crate::play::sitting::Sitting;
use klondike_game::card::{self, Card, Rank};
use klondike_game::table::{Pile, PileIndex, Table};

/// The line of keys at the bottom, those that nobody can guess first. A narrow screen shows fewer.
const KEYS: [&str; 9] = [
    "? keys",
    "q quit",
    "space draw",
    "u undo",
    "h hint",
    "m make it",
    "r redo",
    "s save",
    "n next deal",
];

/// Rows below the table: a blank one, two for the message, one for the keys.
const BELOW: usize = 4;

/// Columns of a pile.
const COLUMN: usize = 6;

/// Rows of a pile that no screen can do without.
const LEAST: usize = 5;

impl Screen {
    pub(super) fn draw(&self, sitting: &Sitting, clock: &str, frame: &mut Frame<'_>) {
        let area = frame.area();
        if let Some(page) = &self.page {
            let text = format!("{page}\nAny key goes back to the game.");
            frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: false }), area);
            return;
        }
        let (width, height) = (usize::from(area.width), usize::from(area.height));
        let lines = self.table(sitting, clock, width, height.saturating_sub(BELOW));
        let needed_width = lines.iter().map(Line::width).max().unwrap_or(0);
        let needed_height = lines.len() + BELOW;
        if needed_width > width || needed_height > height {
            let next = match self.message.as_str() {
                "" => "q quits.",
                message => message,
            };
            let text = format!(
                "The screen has {width} columns and {height} rows; {needed_width} and \
                {needed_height} are needed. {next}"
            );
            frame.render_widget(Paragraph::new(text).wrap(Wrap { trim: true }), area);
            return;
        }
        let [top, message, keys] = Layout::vertical([
            Constraint::Length(lines.len() as u16 + 1),
            Constraint::Length(2),
            Constraint::Length(1),
        ])
        .areas(area);
        frame.render_widget(Paragraph::new(lines), top);
        let text = Paragraph::new(self.message_now(sitting)).wrap(Wrap { trim: true });
        frame.render_widget(text, message);
        frame.render_widget(keys_that_fit(width), keys);
    }

    fn message_now(&self, sitting: &Sitting) -> &str {
        let over = sitting.table().is_won();
        match self.message.is_empty() && sitting.all_up() && !over {
            true => "All cards are up: e ends the game by itself.",
            false => &self.message,
        }
    }

    /// The table, in as many rows as there are, if that can be.
    fn table(
        &self,
        sitting: &Sitting,
        clock: &str,
        width: usize,
        rows: usize,
    ) -> Vec<Line<'static>> {
        let table = sitting.table();
        let mut title: String = sitting.label().to_owned();
        if title.chars().count() + clock.len() + 3 > width {
            let room = width.saturating_sub(clock.len() + 5);
            title = title.chars().take(room).collect::<String>() + " …";
        }
        let mut lines = vec![
            Line::raw(format!("{title}   {clock}")),
            Line::raw(sitting.status()),
            self.head(table),
        ];
        if sitting.settings.thoughtful {
            lines.extend(self.stock(table, width));
        }
        let numbers = (0..table.piles().len()).flat_map(|i| {
            let place = Place::Pile(PileIndex::new(i));
            let label = self.label(&(i + 1).to_string(), place);
            let gap = Span::raw(" ".repeat(COLUMN.saturating_sub(label.width())));
            [label, gap]
        });
        let numbers: Line<'_> = numbers.collect();
        let piles = table.piles().iter();
        let tallest = piles.map(|pile| pile.cards().len()).max().unwrap_or(0);
        // Blank lines only where there is room for them.
        if lines.len() + 1 + tallest + 2 <= rows {
            lines.insert(2, Line::raw(""));
        }
        lines.extend([Line::raw(""), numbers]);
        let rows = rows.saturating_sub(lines.len()).max(LEAST.min(tallest));
        let piles = table.piles().iter();
        let columns: Vec<_> = piles.map(|pile| self.cells(pile, rows, sitting)).collect();
        for row in 0..columns.iter().map(Vec::len).max().unwrap_or(0) {
            let cells = columns.iter().flat_map(|cells| {
                let cell = cells.get(row).cloned();
                [cell.unwrap_or_else(|| Span::raw("    ")), Span::raw("  ")]
            });
            lines.push(cells.collect());
        }
        lines
    }

    /// Stock, waste and foundations.
    fn head(&self, table: &Table) -> Line<'static> {
        let stock = format!("stock {:2}", table.stock().len());
        let mut head = vec![
            match self.cursor {
                Some(Spot::Stock) => Span::styled(stock, REVERSED),
                _ => Span::raw(stock),
            },
            Span::raw("  "),
            self.label("w", Place::Waste),
        ];
        let waste = table.waste();
        for &card in &waste[waste.len().saturating_sub(3)..] {
            head.extend([self.card(card), Span::raw(" ")]);
        }
        head.push(Span::raw("   "));
        head.push(self.label("f", Place::Foundation));
        for &suit in table.rules().deck().suits() {
            head.push(match Rank::new(table.foundation(suit)) {
                Some(rank) => self.card(Card::new(rank, suit)),
                None => Span::raw(format!(" -{} ", suit.symbol())),
            });
            head.push(Span::raw(" "));
        }
        Line::from(head)
    }

    /// The cards of the stock, in as many lines as they need.
    fn stock(&self, table: &Table, width: usize) -> Vec<Line<'static>> {
        let cards: Vec<Card> = table.stock().collect();
        let most = (width.saturating_sub(6) / 4).max(1);
        let line = |(number, cards): (usize, &[Card])| {
            let mut spans = vec![Span::raw(if number == 0 { "next  " } else { "      " })];
            spans.extend(cards.iter().map(|&card| self.bare(card, ["", "  "])));
            Line::from(spans)
        };
        cards.chunks(most).enumerate().map(line).collect()
    }

    /// The cards of a pile from the bottom up. If they have too few rows, the face-down cards take
    /// one together, and so do, if that is not enough, face-up cards in the middle of the run.
    fn cells(&self, pile: &Pile, rows: usize, sitting: &Sitting) -> Vec<Span<'static>> {
        let (down, up) = (pile.face_down(), pile.face_up());
        let mut cells = Vec::new();
        if down.len() > 1 && down.len() + up.len() > rows {
            cells.push(Span::raw(format!(" {}▒ ", down.len())));
        } else {
            cells.extend(down.iter().map(|&card| match sitting.settings.thoughtful {
                true => self.bare(card, ["(", ")"]),
                false => Span::raw(" ▒▒ "),
            }));
        }
        let rows = rows.saturating_sub(cells.len());
        if up.len() > rows && rows > 2 {
            let rest = &up[up.len() - (rows - 2)..];
            cells.push(self.card(up[0]));
            cells.push(Span::raw(format!(" +{:<2}", up.len() - 1 - rest.len())));
            cells.extend(rest.iter().map(|&card| self.card(card)));
        } else {
            cells.extend(up.iter().map(|&card| self.card(card)));
        }
        cells
    }

    fn card(&self, card: Card) -> Span<'static> {
        let text = format!(" {} ", card.pretty());
        match self.color {
            true => Span::styled(text, Style::new().fg(color(card)).bg(Color::White)),
            false => Span::raw(text),
        }
    }

    /// A card that the person may see although it does not lie open.
    fn bare(&self, card: Card, [before, behind]: [&str; 2]) -> Span<'static> {
        let text = format!("{before}{}{behind}", card.pretty());
        match (self.color, card.color()) {
            (true, card::Color::Red) => Span::styled(text, Style::new().fg(Color::Red)),
            _ => Span::raw(text),
        }
    }

    /// The name of a place, which shows whether a move begins there and whether the cursor is
    /// there.
    fn label(&self, name: &str, place: Place) -> Span<'static> {
        let begins = self.picker.from == Some(place);
        let here = self.cursor == Some(Spot::At(place));
        let (left, right) = match (begins, here) {
            (true, true) => (">", "]"),
            (true, false) => (">", " "),
            (false, true) => ("[", "]"),
            (false, false) => return Span::raw(format!(" {name} ")),
        };
        Span::styled(format!("{left}{name}{right}"), REVERSED)
    }
}

const REVERSED: Style = Style::new().add_modifier(Modifier::REVERSED);

fn color(card: Card) -> Color {
    match card.color() {
        card::Color::Red => Color::Red,
        card::Color::Black => Color::Black,
    }
}

/// The line of keys, as many as there is room for.
fn keys_that_fit(width: usize) -> String {
    let mut line = String::new();
    for key in KEYS {
        if line.len() + key.len() + 2 <= width {
            line.push_str(if line.is_empty() { "" } else { "  " });
            line.push_str(key);
        }
    }
    line
}
