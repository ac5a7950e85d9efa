//! The screen of `klondike play`: cards drawn on a terminal, moves by single keys.
//!
//! [`Screen::key`] and [`Screen::draw`] know nothing of a real terminal, so that tests can press
//! keys and read what is drawn; [`run`] connects them to one.

use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::layout::{Constraint, Layout};
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};
use ratatui::{DefaultTerminal, Frame};

use super::Deals;
use super::sitting::Sitting;
use crate::{About as _, CliError, INTERRUPTED};
use klondike_game::card::{self, Card, Rank};
use klondike_game::table::{Move, Pile, PileIndex, Table};

/// The line of keys at the bottom, those that nobody can guess first. A narrow screen shows fewer.
const KEYS: [&str; 8] = [
    "? keys",
    "q quit",
    "space draw",
    "u undo",
    "h hint",
    "m make it",
    "r redo",
    "n next deal",
];

/// Rows below the table: a blank one, two for the message, one for the keys.
const BELOW: usize = 4;

/// What the keys do.
const HELP: &str = "\
space  draw, or turn the waste back
1-9 w f, then 1-9 f
       move from a pile, the waste or a foundation, to a pile or a foundation
11 22  a pile twice, ww: its card to the foundation
esc    forget where the move begins
u r    undo, redo
h m    show a hint, make it
t      say whether the deal can still be won (looks at the hidden cards)
e      end the game by itself, once no card is face down
n      next deal
q      quit

any key goes back to the game";

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
    NextDeal,
}

/// What is on the screen beside the cards.
struct Screen {
    title: String,
    color: bool,
    from: Option<Place>,
    message: String,
    /// The moves of the last hint, as long as the position is the one it was for.
    hint: Vec<Move>,
    /// Whether the list of keys is shown.
    help: bool,
    /// Whether the next deal was asked for once, in a game that goes on.
    sure: bool,
}

/// Plays until the person leaves.
pub(super) fn run(
    sitting: &mut Sitting,
    title: String,
    deals: &mut Deals<'_>,
    color: bool,
) -> Result<(), CliError> {
    // A request to terminate must not leave the terminal as the screen needs it.
    ctrlc::set_handler(|| {
        ratatui::restore();
        std::process::exit(i32::from(INTERRUPTED));
    })
    .about("cannot watch for Ctrl-C")?;
    let mut terminal = ratatui::try_init().about(TERMINAL)?;
    let played = play(&mut terminal, sitting, Screen::new(title, color), deals);
    ratatui::try_restore().about(TERMINAL)?;
    played
}

const TERMINAL: &str = "cannot use the terminal";

fn play(
    terminal: &mut DefaultTerminal,
    sitting: &mut Sitting,
    mut screen: Screen,
    deals: &mut Deals<'_>,
) -> Result<(), CliError> {
    loop {
        terminal
            .draw(|frame| screen.draw(sitting, frame))
            .about(TERMINAL)?;
        match event::read().about(TERMINAL)? {
            Event::Key(key) if key.kind != KeyEventKind::Release => {
                match screen.key(sitting, key) {
                    Flow::On => {}
                    Flow::Leave => return Ok(()),
                    Flow::NextDeal => {
                        let (title, table) = deals.next()?;
                        sitting.restart(table);
                        screen = Screen::new(title, screen.color);
                    }
                }
            }
            _ => {}
        }
    }
}

impl Screen {
    fn new(title: String, color: bool) -> Screen {
        Screen {
            title,
            color,
            from: None,
            message: String::new(),
            hint: Vec::new(),
            help: false,
            sure: false,
        }
    }

    fn key(&mut self, sitting: &mut Sitting, key: KeyEvent) -> Flow {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return match key.code {
                KeyCode::Char('c') => Flow::Leave,
                _ => Flow::On,
            };
        }
        if std::mem::take(&mut self.help) {
            return Flow::On;
        }
        self.message.clear();
        let sure = std::mem::take(&mut self.sure);
        match key.code {
            KeyCode::Char('q') => return Flow::Leave,
            KeyCode::Esc => self.from = None,
            KeyCode::Char(' ' | 'd') => self.after(sitting.draw().map_err(|e| e.to_string())),
            KeyCode::Char('u') => {
                let undone = sitting.undo();
                let nothing = "there is nothing to undo".to_owned();
                self.after(if undone { Ok(()) } else { Err(nothing) });
            }
            KeyCode::Char('r') => {
                let redone = sitting.redo();
                let nothing = "there is nothing to redo".to_owned();
                self.after(if redone { Ok(()) } else { Err(nothing) });
            }
            KeyCode::Char('e') => self.after(sitting.finish()),
            KeyCode::Char('n') => {
                if sure || sitting.moves_made() == 0 || sitting.table().is_won() {
                    return Flow::NextDeal;
                }
                self.sure = true;
                self.message = "n once more leaves this game for the next deal".to_owned();
            }
            KeyCode::Char('?') => self.help = true,
            KeyCode::Char('h') => self.ask(sitting),
            KeyCode::Char('m') => {
                let moves = std::mem::take(&mut self.hint);
                self.after(if moves.is_empty() {
                    Err("ask for a hint first: h".to_owned())
                } else {
                    sitting.make(&moves).map_err(|error| error.to_string())
                });
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
                    self.message = in_words(sitting.table(), &best.moves) + &best.chance.in_words();
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
        self.after(made.and_then(|made| sitting.make(&[made]).map_err(|error| error.to_string())));
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
        let area = frame.area();
        let (width, height) = (usize::from(area.width), usize::from(area.height));
        let lines = if self.help {
            HELP.lines().map(Line::raw).collect()
        } else {
            self.table(sitting, height.saturating_sub(BELOW))
        };
        let below = if self.help { 0 } else { BELOW };
        let needed_width = lines.iter().map(Line::width).max().unwrap_or(0);
        let needed_height = lines.len() + below;
        if needed_width > width || needed_height > height {
            let text = format!(
                "The screen has {width} columns and {height} rows; {needed_width} and \
                {needed_height} are needed. q quits."
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
        if !self.help {
            let text = Paragraph::new(self.message.as_str()).wrap(Wrap { trim: true });
            frame.render_widget(text, message);
            frame.render_widget(keys_that_fit(width), keys);
        }
    }

    /// The table. Face-down cards take one row together if the rows do not suffice for all of them.
    fn table(&self, sitting: &Sitting, rows: usize) -> Vec<Line<'static>> {
        let table = sitting.table();
        let title = format!("{}   move {}", self.title, sitting.moves_made());
        let mut lines = vec![
            Line::raw(title),
            Line::raw(""),
            self.head(table),
            Line::raw(""),
        ];
        let piles = table.piles();
        let numbers = (0..piles.len()).flat_map(|i| {
            let label = self.label(format!(" {} ", i + 1), Place::Pile(PileIndex::new(i)));
            [label, Span::raw("   ")]
        });
        lines.push(numbers.collect());
        let height = |short| piles.iter().map(|pile| self.cells(pile, short).len()).max();
        let short = lines.len() + height(false).unwrap_or(0) > rows;
        let columns: Vec<_> = piles.iter().map(|pile| self.cells(pile, short)).collect();
        for row in 0..height(short).unwrap_or(0) {
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
        Line::from(head)
    }

    /// The cards of a pile from the bottom up.
    fn cells(&self, pile: &Pile, short: bool) -> Vec<Span<'static>> {
        let down = pile.face_down().len();
        let hidden = match short && down > 1 {
            true => vec![Span::raw(format!(" {down}▒ "))],
            false => vec![Span::raw(" ▒▒ "); down],
        };
        let face_up = pile.face_up().iter().map(|&card| self.card(card));
        hidden.into_iter().chain(face_up).collect()
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

/// Moves as the screen shows the cards: `7♣ waste to 5`.
fn in_words(table: &Table, moves: &[Move]) -> String {
    let mut table = table.clone();
    let place = |place| match place {
        Place::Waste => "waste".to_owned(),
        Place::Foundation => "foundation".to_owned(),
        Place::Pile(pile) => pile.to_string(),
    };
    let mut words = Vec::new();
    for group in moves.chunk_by(|a, b| *a == Move::Draw && *b == Move::Draw) {
        let card = table.moved_card(group[0]);
        words.push(match (ends(group[0]), card) {
            (Some((from, to)), Some(card)) => {
                format!("{} {} to {}", card.pretty(), place(from), place(to))
            }
            _ if group[0] == Move::Redeal => "turn the waste back".to_owned(),
            _ if group.len() == 1 => "draw".to_owned(),
            _ => format!("draw {} times", group.len()),
        });
        for &made in group {
            if table.make(made).is_err() {
                return "this hint is for another position".to_owned();
            }
        }
    }
    words.join(", ")
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

    use klondike_game::rules::{self, Deck, Rules};
    use klondike_game::table::position::read_position;

    fn sitting() -> Sitting {
        let rules = Rules::builder()
            .deck(Deck::new(4, 4).unwrap())
            .layout(rules::Layout::triangle(3).unwrap());
        let text = "foundations: C2 D1 H1 S0\nwaste: 4H 4D\nstock: 4C 2D\n\
            1: 4S 3H 2S\n2: <AS> 3S 2H\n3: <3C> 3D";
        let table = read_position(&Arc::new(rules.build().unwrap()), text).unwrap();
        Sitting::new(table, Some(50), Duration::ZERO)
    }

    fn drawn(screen: &Screen, sitting: &Sitting) -> String {
        drawn_at((80, 24), screen, sitting)
    }

    fn drawn_at((width, height): (u16, u16), screen: &Screen, sitting: &Sitting) -> String {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        terminal.draw(|frame| screen.draw(sitting, frame)).unwrap();
        let buffer = terminal.backend().buffer();
        let rows = buffer.content().chunks(usize::from(width));
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
    fn a_small_screen_says_so_and_a_low_one_stacks_face_down_cards() {
        let (mut screen, sitting) = (Screen::new(String::new(), false), sitting());
        let text = drawn(&screen, &sitting);
        assert!(
            text.contains("? keys  q quit  space draw  u undo"),
            "{text}"
        );
        let text = drawn_at((30, 10), &screen, &sitting);
        assert!(text.contains("10 rows; 49 and 12 are needed."), "{text}");
        assert!(!text.contains("stock"), "{text}");
        let text = drawn_at((50, 12), &screen, &sitting);
        assert!(
            text.contains("\n? keys  q quit  space draw  u undo  h hint  r redo\n"),
            "{text}"
        );
        screen.help = true;
        let text = drawn(&screen, &sitting);
        assert!(text.contains("u r    undo, redo"), "{text}");

        let deal = "klondike:1".parse::<klondike_game::deal::Deal>().unwrap();
        let table = Table::new(Arc::new(Rules::standard()), &deal).unwrap();
        let sitting = Sitting::new(table, Some(50), Duration::ZERO);
        let screen = Screen::new(String::new(), false);
        assert!(!drawn(&screen, &sitting).contains("6▒"));
        assert!(drawn_at((80, 12), &screen, &sitting).contains(" 6▒"));
    }

    #[test]
    fn a_hint_is_one_turn_that_can_be_undone_and_redone() {
        let (mut screen, mut sitting) = (Screen::new(String::new(), false), sitting());
        let start = sitting.table().clone();
        press(&mut screen, &mut sitting, "h");
        assert!(screen.message.contains(" to "), "{}", screen.message);
        assert!(!screen.message.contains('>'), "{}", screen.message);
        press(&mut screen, &mut sitting, "m");
        let after = sitting.table().clone();
        assert_ne!(after, start);
        press(&mut screen, &mut sitting, "u");
        assert_eq!(sitting.table(), &start);
        press(&mut screen, &mut sitting, "r");
        assert_eq!(sitting.table(), &after);
        press(&mut screen, &mut sitting, "r");
        assert_eq!(screen.message, "there is nothing to redo");
    }

    #[test]
    fn the_next_deal_and_the_end_are_asked_for() {
        let (mut screen, mut sitting) = (Screen::new(String::new(), false), sitting());
        press(&mut screen, &mut sitting, "e");
        assert_eq!(screen.message, "Some cards are still face down.");
        let n = KeyEvent::from(KeyCode::Char('n'));
        assert_eq!(screen.key(&mut sitting, n), Flow::NextDeal);
        press(&mut screen, &mut sitting, " n");
        assert!(
            screen.message.starts_with("n once more"),
            "{}",
            screen.message
        );
        assert_eq!(screen.key(&mut sitting, n), Flow::NextDeal);
    }

    #[test]
    fn a_game_known_to_be_lost_has_no_hints_until_it_is_undone() {
        let deal = "solvitaire:1".parse::<klondike_game::deal::Deal>().unwrap();
        let rules = Arc::new(Rules::standard());
        let table = Table::new(rules, &deal).unwrap();
        let mut sitting = Sitting::new(table, Some(20), Duration::ZERO);
        let mut screen = Screen::new(String::new(), false);
        // Random moves until the game is lost.
        let mut turn = 0;
        while sitting.truth() == "It can still be won." {
            let moves = sitting.table().legal_moves();
            turn += 1;
            sitting.make(&[moves[turn % moves.len()]]).unwrap();
        }
        press(&mut screen, &mut sitting, "h");
        assert_eq!(screen.message, "It cannot be won any more.");
        if turn > 0 {
            press(&mut screen, &mut sitting, "uh");
            assert_ne!(screen.message, "It cannot be won any more.");
        }
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
