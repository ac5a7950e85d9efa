//! The screen of `klondike play`: cards drawn on a terminal, moves by single keys.
//!
//! [`Screen::key`] and [`Screen::draw`] know nothing of a real terminal, so that tests can press
//! keys and read what is drawn; [`run`] connects them to one.

use std::io;

use ratatui::Frame;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;

use super::sitting::Sitting;
use klondike_game::card::{self, Card, Rank};
use klondike_game::table::{Move, Pile, PileIndex};

const HELP: &str = "space draw  1-9 w f from, then 1-9 f to  u undo  h hint  m make the hint  t \
    truth  esc cancel  q quit";

/// Where a move begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    Waste,
    Foundation,
    Pile(PileIndex),
}

/// Whether the game goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flow {
    On,
    Leave,
}

/// What is on the screen beside the cards.
struct Screen {
    title: String,
    color: bool,
    from: Option<Place>,
    message: String,
    /// The moves of the last hint, as long as the position is the one it was for.
    hint: Vec<Move>,
}

/// Plays until the person leaves.
///
/// # Errors
/// If the terminal cannot be used.
pub(super) fn run(sitting: &mut Sitting, title: String, color: bool) -> io::Result<()> {
    let mut screen = Screen::new(title, color);
    let mut terminal = ratatui::try_init()?;
    let played = loop {
        if let Err(error) = terminal.draw(|frame| screen.draw(sitting, frame)) {
            break Err(error);
        }
        match event::read() {
            Ok(Event::Key(key)) if key.kind != KeyEventKind::Release => {
                if screen.key(sitting, key) == Flow::Leave {
                    break Ok(());
                }
            }
            Ok(_) => {}
            Err(error) => break Err(error),
        }
    };
    ratatui::try_restore()?;
    played
}

impl Screen {
    fn new(title: String, color: bool) -> Screen {
        Screen {
            title,
            color,
            from: None,
            message: String::new(),
            hint: Vec::new(),
        }
    }

    fn key(&mut self, sitting: &mut Sitting, key: KeyEvent) -> Flow {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return match key.code {
                KeyCode::Char('c') => Flow::Leave,
                _ => Flow::On,
            };
        }
        self.message.clear();
        match key.code {
            KeyCode::Char('q') => return Flow::Leave,
            KeyCode::Esc => self.from = None,
            KeyCode::Char(' ' | 'd') => self.after(sitting.draw().map_err(|e| e.to_string())),
            KeyCode::Char('u') => {
                let undone = sitting.undo();
                let nothing = "there is nothing to undo".to_owned();
                self.after(if undone { Ok(()) } else { Err(nothing) });
            }
            KeyCode::Char('h') => self.ask(sitting),
            KeyCode::Char('m') => {
                let moves = std::mem::take(&mut self.hint);
                let made = moves.iter().try_for_each(|&made| sitting.make(made));
                let empty = moves
                    .is_empty()
                    .then(|| "ask for a hint first: h".to_owned());
                self.after(made.map_err(|error| error.to_string()));
                self.message = empty.unwrap_or_default();
            }
            KeyCode::Char('t') => self.message = sitting.truth(),
            KeyCode::Char(letter) => {
                if let Some(place) = place(letter, sitting) {
                    self.choose(sitting, place);
                }
            }
            _ => {}
        }
        if sitting.table().is_won() {
            self.message = format!("You have won in {} moves.", sitting.moves_made());
        }
        Flow::On
    }

    fn after(&mut self, made: Result<(), String>) {
        self.from = None;
        self.hint.clear();
        self.message = made.err().unwrap_or_default();
    }

    fn ask(&mut self, sitting: &Sitting) {
        match sitting.hints() {
            Err(text) => self.message = text,
            Ok(hints) => {
                if let Some(best) = hints.into_iter().next() {
                    self.message = best.text + &best.chance.in_words();
                    self.hint = best.moves;
                }
            }
        }
    }

    /// A place was named: the one that a move begins at, or the one that it ends at.
    fn choose(&mut self, sitting: &mut Sitting, place: Place) {
        let Some(from) = self.from else {
            self.from = Some(place);
            return;
        };
        // The same place twice sends its card up.
        let to = if from == place {
            Place::Foundation
        } else {
            place
        };
        let fits = |made: &Move| ends(*made) == Some((from, to));
        let made = sitting.table().legal_moves().into_iter().find(fits);
        let made = made.ok_or_else(|| "no such move".to_owned());
        self.after(made.and_then(|made| sitting.make(made).map_err(|error| error.to_string())));
    }

    fn card(&self, card: Card) -> Span<'static> {
        let text = format!(" {} ", card.pretty());
        if !self.color {
            return Span::raw(text);
        }
        let color = match card.color() {
            card::Color::Red => Color::Red,
            card::Color::Black => Color::Black,
        };
        Span::styled(text, Style::new().fg(color).bg(Color::White))
    }

    fn label(&self, text: String, place: Place) -> Span<'static> {
        if self.from != Some(place) {
            return Span::raw(text);
        }
        Span::styled(
            text.replacen(' ', ">", 1),
            Style::new().add_modifier(Modifier::REVERSED),
        )
    }

    fn draw(&self, sitting: &Sitting, frame: &mut Frame<'_>) {
        let table = sitting.table();
        let mut lines = vec![Line::raw(format!(
            "{}   move {}",
            self.title,
            sitting.moves_made()
        ))];
        lines.push(Line::raw(""));
        let mut head = vec![
            Span::raw(format!("stock {:2}  ", table.stock().len())),
            self.label(" w ".to_owned(), Place::Waste),
        ];
        let waste = table.waste();
        for &card in &waste[waste.len().saturating_sub(3)..] {
            head.extend([self.card(card), Span::raw(" ")]);
        }
        head.push(Span::raw("   "));
        head.push(self.label(" f ".to_owned(), Place::Foundation));
        for &suit in table.rules().deck().suits() {
            head.push(match Rank::new(table.foundation(suit)) {
                Some(rank) => self.card(Card::new(rank, suit)),
                None => Span::raw(format!(" -{} ", suit.symbol())),
            });
            head.push(Span::raw(" "));
        }
        lines.extend([Line::from(head), Line::raw("")]);
        let piles = table.piles();
        let numbers = (0..piles.len()).flat_map(|i| {
            let label = self.label(format!(" {} ", i + 1), Place::Pile(PileIndex::new(i)));
            [label, Span::raw("   ")]
        });
        lines.push(numbers.collect());
        let height = piles.iter().map(|pile| pile.cards().len()).max();
        for row in 0..height.unwrap_or(0) {
            let cells = piles
                .iter()
                .flat_map(|pile| [self.cell(pile, row), Span::raw("  ")]);
            lines.push(cells.collect());
        }
        lines.extend([
            Line::raw(""),
            Line::raw(self.message.clone()),
            Line::raw(HELP),
        ]);
        frame.render_widget(Paragraph::new(lines), frame.area());
    }

    fn cell(&self, pile: &Pile, row: usize) -> Span<'static> {
        match pile.cards().get(row) {
            None => Span::raw("    "),
            Some(_) if row < pile.face_down().len() => Span::raw(" ▒▒ "),
            Some(&card) => self.card(card),
        }
    }
}

fn place(letter: char, sitting: &Sitting) -> Option<Place> {
    match letter {
        'w' => Some(Place::Waste),
        'f' => Some(Place::Foundation),
        _ => {
            let number = letter.to_digit(10)? as usize;
            let pile = number.checked_sub(1)?;
            (pile < sitting.table().piles().len()).then(|| Place::Pile(PileIndex::new(pile)))
        }
    }
}

/// Where a move begins and ends.
fn ends(made: Move) -> Option<(Place, Place)> {
    Some(match made {
        Move::Draw | Move::Redeal => return None,
        Move::WasteToFoundation => (Place::Waste, Place::Foundation),
        Move::WasteToPile { to } => (Place::Waste, Place::Pile(to)),
        Move::PileToFoundation { from } => (Place::Pile(from), Place::Foundation),
        Move::PileToPile { from, to, .. } => (Place::Pile(from), Place::Pile(to)),
        Move::FoundationToPile { to, .. } => (Place::Foundation, Place::Pile(to)),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::time::Duration;

    use ratatui::Terminal;
    use ratatui::backend::TestBackend;
    use ratatui::buffer::Cell;

    use klondike_game::rules::{Deck, Layout, Rules};
    use klondike_game::table::position::read_position;

    fn sitting() -> Sitting {
        let rules = Rules::builder()
            .deck(Deck::new(4, 4).unwrap())
            .layout(Layout::triangle(3).unwrap());
        let text = "foundations: C2 D1 H1 S0\nwaste: 4H 4D\nstock: 4C 2D\n\
            1: 4S 3H 2S\n2: <AS> 3S 2H\n3: <3C> 3D";
        let table = read_position(&Arc::new(rules.build().unwrap()), text).unwrap();
        Sitting::new(table, Some(50), Duration::ZERO)
    }

    fn drawn(screen: &Screen, sitting: &Sitting) -> String {
        let mut terminal = Terminal::new(TestBackend::new(110, 16)).unwrap();
        terminal.draw(|frame| screen.draw(sitting, frame)).unwrap();
        let buffer = terminal.backend().buffer();
        let rows = buffer.content().chunks(110);
        let text = rows.map(|row| row.iter().map(Cell::symbol).collect::<String>());
        text.map(|row| row.trim_end().to_owned() + "\n").collect()
    }

    fn press(screen: &mut Screen, sitting: &mut Sitting, keys: &str) {
        for key in keys.chars() {
            let flow = screen.key(sitting, KeyEvent::from(KeyCode::Char(key)));
            assert_eq!(flow, Flow::On);
        }
    }

    #[test]
    fn the_cards_are_drawn_and_hidden_ones_are_not_shown() {
        let (mut screen, mut sitting) = (Screen::new("a deal".to_owned(), true), sitting());
        let text = drawn(&screen, &sitting);
        let expected = "\
a deal   move 0

stock  2   w  4♥   4♦      f  2♣   A♦   A♥   -♠

 1     2     3
 4♠    ▒▒    ▒▒
 3♥    3♠    3♦
 2♠    2♥


";
        assert!(text.starts_with(expected), "{text}");
        press(&mut screen, &mut sitting, "2");
        assert!(drawn(&screen, &sitting).contains("\n 1    >2     3\n"));
    }

    #[test]
    fn keys_make_moves_and_take_them_back() {
        let (mut screen, mut sitting) = (Screen::new(String::new(), false), sitting());
        let start = sitting.table().clone();
        // The two of hearts goes up by its pile's key twice.
        press(&mut screen, &mut sitting, "22");
        assert_eq!(
            sitting
                .table()
                .foundation(klondike_game::card::Suit::Hearts),
            2
        );
        press(&mut screen, &mut sitting, "u");
        assert_eq!(sitting.table(), &start);
        press(&mut screen, &mut sitting, "u");
        assert_eq!(screen.message, "there is nothing to undo");
        press(&mut screen, &mut sitting, "13");
        assert_eq!(sitting.table().piles()[2].cards().len(), 3);
        press(&mut screen, &mut sitting, "31");
        assert_eq!(screen.message, "");
        press(&mut screen, &mut sitting, "w1");
        assert_eq!(screen.message, "no such move");
        press(&mut screen, &mut sitting, " ");
        assert_eq!(sitting.moves_made(), 3);
        let escape = KeyEvent::from(KeyCode::Esc);
        press(&mut screen, &mut sitting, "1");
        assert_eq!(screen.key(&mut sitting, escape), Flow::On);
        assert_eq!(screen.from, None);
    }

    #[test]
    fn hints_are_made_until_the_game_is_won() {
        let (mut screen, mut sitting) = (Screen::new(String::new(), false), sitting());
        press(&mut screen, &mut sitting, "m");
        assert_eq!(screen.message, "ask for a hint first: h");
        press(&mut screen, &mut sitting, "t");
        assert_eq!(screen.message, "It can still be won.");
        for _ in 0..20 {
            if !sitting.table().is_won() {
                press(&mut screen, &mut sitting, "hm");
            }
        }
        assert!(
            screen.message.starts_with("You have won in "),
            "{}",
            screen.message
        );
        let leave = KeyEvent::from(KeyCode::Char('q'));
        assert_eq!(screen.key(&mut sitting, leave), Flow::Leave);
        let leave = KeyEvent::new(KeyCode::Char('c'), KeyModifiers::CONTROL);
        assert_eq!(screen.key(&mut sitting, leave), Flow::Leave);
    }
}
