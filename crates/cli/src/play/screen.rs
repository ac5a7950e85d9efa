//! The screen of `klondike play`: cards drawn on a terminal, moves by single keys.
//!
//! [`Screen::key`] and [`Screen::draw`] know nothing of a real terminal, so that tests can press
//! keys and read what is drawn; [`run`] connects them to one.

mod cursor;
mod drawing;
#[cfg(test)]
mod tests;
mod words;

use std::collections::VecDeque;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::Duration;

use ratatui::DefaultTerminal;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{EnterAlternateScreen, enable_raw_mode};
use ratatui::layout::{Position, Rect};

use super::Session;
use super::command::{Command, HELP, Reply};
use super::picker::{Picked, Picker, Place};
use super::sitting::{Sitting, clock_text};
use crate::lines::counted;
use crate::{About as _, CliError, Status};
use cursor::Spot;
use klondike_game::table::Move;

/// How cards are moved on the screen.
const MOVES: &str = "\
space d  draw, or turn the waste back
1-9 w f  a pile, the waste, the foundations: the place where
         a move begins, then the place where it ends; a pile
         twice, or ww: its card to the foundation
arrows   go to a place; enter: the move begins or ends there
esc      forget where the move begins; stop a long hint
";

/// Most letters of a message below the table. A longer one takes a page.
const MESSAGE: usize = 110;

/// How often the clock is drawn.
const TICK: Duration = Duration::from_secs(1);

/// How often the program looks whether it has an answer.
const MOMENT: Duration = Duration::from_millis(10);

const TERMINAL: &str = "cannot use the terminal";

/// Whether the game goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Flow {
    On,
    Leave,
    Interrupted,
    NextDeal,
    /// What another program wrote on the terminal is to go.
    Redraw,
    /// The shell is wanted for a while.
    Suspend,
}

/// What is on the screen beside the cards.
#[derive(Default)]
struct Screen {
    color: bool,
    picker: Picker,
    /// Where the arrow keys are, once one was pressed.
    cursor: Option<Spot>,
    message: String,
    /// A text that is shown in place of the table until the next key.
    page: Option<String>,
    /// What was asked for once, and is done when it is asked for again.
    sure: Option<Command>,
}

/// Plays until the person leaves.
pub(super) fn run(session: &mut Session<'_>, color: bool) -> Result<Status, CliError> {
    let mut terminal = ratatui::try_init().about(TERMINAL)?;
    let screen = Screen {
        color,
        message: session.keeper.news().unwrap_or_default(),
        ..Screen::default()
    };
    let played = play(&mut terminal, session, screen);
    ratatui::try_restore().about(TERMINAL)?;
    played
}

fn play(
    terminal: &mut DefaultTerminal,
    session: &mut Session<'_>,
    mut screen: Screen,
) -> Result<Status, CliError> {
    let mut typed = VecDeque::new();
    loop {
        draw(terminal, &screen, &session.sitting)?;
        let Some(Event::Key(key)) = next_event(&mut typed)? else {
            continue;
        };
        if key.kind == KeyEventKind::Release {
            continue;
        }
        let flow = if screen.page.is_none() && command(key).is_some_and(Command::is_slow) {
            "Thinking … (esc stops it)".clone_into(&mut screen.message);
            draw(terminal, &screen, &session.sitting)?;
            let stop = Arc::clone(&session.sitting.stop);
            until_stopped(&stop, &mut typed, || screen.key(session, key))?
        } else {
            screen.key(session, key)
        };
        match flow {
            Flow::On => {}
            Flow::Leave => return Ok(Status::Answered),
            Flow::Interrupted => return Ok(Status::Interrupted),
            Flow::Redraw => clear(terminal).about(TERMINAL)?,
            Flow::Suspend => {
                session.sitting.stop_clock();
                suspend(terminal).about(TERMINAL)?;
                session.sitting.start_clock();
            }
            Flow::NextDeal => {
                "Looking for the next deal … (esc stops it)".clone_into(&mut screen.message);
                draw(terminal, &screen, &session.sitting)?;
                let stop = Arc::clone(&session.sitting.stop);
                screen.reset();
                if !until_stopped(&stop, &mut typed, || session.next_deal())?? {
                    "Stopped; the game goes on.".clone_into(&mut screen.message);
                }
                // The search may have shown how far it is.
                clear(terminal).about(TERMINAL)?;
            }
        }
        if let Err(text) = session.keeper.keep(&session.sitting) {
            screen.message = text;
        } else if let Some(text) = session.keeper.news() {
            screen.message = format!("{} {text}", screen.message).trim().to_owned();
        }
    }
}

/// Gives the terminal to the shell until it brings the game back to the front. Where there is no
/// shell that could, the system ignores it, and the game goes on at once.
fn suspend(terminal: &mut DefaultTerminal) -> io::Result<()> {
    terminal.show_cursor()?;
    ratatui::try_restore()?;
    #[cfg(unix)]
    signal_hook::low_level::raise(signal_hook::consts::SIGTSTP)?;
    enable_raw_mode()?;
    execute!(io::stdout(), EnterAlternateScreen)?;
    clear(terminal)
}

/// Lets the next picture be drawn in full. `Terminal::clear` also asks where the cursor is, which
/// is an error on a terminal that does not answer.
fn clear(terminal: &mut DefaultTerminal) -> io::Result<()> {
    let size = terminal.size()?;
    terminal.resize(Rect::from((Position::ORIGIN, size)))
}

/// What was typed while the program thought, or what is typed before the next tick.
fn next_event(typed: &mut VecDeque<Event>) -> Result<Option<Event>, CliError> {
    if let Some(event) = typed.pop_front() {
        return Ok(Some(event));
    }
    let any = event::poll(TICK).about(TERMINAL)?;
    any.then(event::read).transpose().about(TERMINAL)
}

/// Does what takes a while. Esc and Ctrl-C raise the flag that stops it; other keys are for later.
fn until_stopped<T: Send>(
    stop: &AtomicBool,
    typed: &mut VecDeque<Event>,
    work: impl FnOnce() -> T + Send,
) -> Result<T, CliError> {
    stop.store(false, Ordering::Relaxed);
    thread::scope(|scope| {
        let working = scope.spawn(work);
        while !working.is_finished() {
            let event = event::poll(MOMENT).and_then(|any| any.then(event::read).transpose());
            match event {
                Ok(None) => {}
                Ok(Some(Event::Key(key))) if stops(key) => stop.store(true, Ordering::Relaxed),
                Ok(Some(event)) => typed.push_back(event),
                Err(error) => {
                    stop.store(true, Ordering::Relaxed);
                    return Err(error).about(TERMINAL);
                }
            }
        }
        let done = working.join();
        Ok(done.unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
    })
}

fn stops(key: KeyEvent) -> bool {
    let ctrl_c = key.code == KeyCode::Char('c') && key.modifiers.contains(KeyModifiers::CONTROL);
    key.kind != KeyEventKind::Release && (key.code == KeyCode::Esc || ctrl_c)
}

fn draw(
    terminal: &mut DefaultTerminal,
    screen: &Screen,
    sitting: &Sitting,
) -> Result<(), CliError> {
    let clock = clock_text(sitting.elapsed());
    let drawn = terminal.draw(|frame| screen.draw(sitting, &clock, frame));
    drawn.map(|_| ()).about(TERMINAL)
}

/// The command of a key.
fn command(key: KeyEvent) -> Option<Command> {
    match key.code {
        KeyCode::Char(letter) => Command::of(letter),
        _ => None,
    }
}

impl Screen {
    /// Forgets everything about the last game.
    fn reset(&mut self) {
        *self = Screen {
            color: self.color,
            ..Screen::default()
        };
    }

    fn key(&mut self, session: &mut Session<'_>, key: KeyEvent) -> Flow {
        if key.modifiers.contains(KeyModifiers::CONTROL) {
            return match key.code {
                KeyCode::Char('c') => Flow::Interrupted,
                KeyCode::Char('l') => Flow::Redraw,
                KeyCode::Char('z') if cfg!(unix) => Flow::Suspend,
                _ => Flow::On,
            };
        }
        if self.page.take().is_some() {
            return Flow::On;
        }
        self.message.clear();
        let sure = self.sure.take();
        let choices = std::mem::take(&mut self.picker.choices);
        let flow = match (key.code, command(key)) {
            (KeyCode::Char(digit), _) if !choices.is_empty() && digit.is_ascii_digit() => {
                self.choose(session, &choices, digit);
                Flow::On
            }
            (_, Some(command)) => self.obey(session, command, sure == Some(command)),
            (KeyCode::Esc, _) => {
                self.picker.clear();
                Flow::On
            }
            (KeyCode::Enter, _) => self.enter(session),
            (KeyCode::Char(letter), _) => {
                if let Some(place) = Place::of(letter, session.sitting.table()) {
                    self.pick(session, place);
                }
                Flow::On
            }
            (code, _) => {
                let piles = session.sitting.table().piles().len();
                self.cursor = Spot::moved(self.cursor, code, piles).or(self.cursor);
                Flow::On
            }
        };
        let sitting = &session.sitting;
        if sitting.table().is_won() && self.message.is_empty() {
            let (count, time) = (sitting.moves_made(), clock_text(sitting.elapsed()));
            let moves = counted(count as u64, "move");
            self.message = format!("You have won in {moves} and {time}. n: the next deal.");
        }
        flow
    }

    fn obey(&mut self, session: &mut Session<'_>, command: Command, sure: bool) -> Flow {
        self.picker.clear();
        let leaves = session.sitting.is_under_way();
        match session.obey(command) {
            Reply::Done | Reply::Save => {}
            // The reason of a loss has many lines, and a narrow screen has two for a message.
            Reply::Say(text) | Reply::NoHelp(text)
                if text.contains('\n') || text.chars().count() > MESSAGE =>
            {
                self.page = Some(text + "\n");
            }
            Reply::Say(text) | Reply::NoHelp(text) | Reply::Refuse(text) => self.message = text,
            Reply::Hints(hints) => {
                let table = session.sitting.table();
                match (command, &hints[..]) {
                    (Command::Hints, _) => self.page = Some(words::of_hints(table, &hints)),
                    (_, [best, ..]) => self.message = words::of_hint(table, best),
                    _ => {}
                }
            }
            Reply::Help => self.page = Some(format!("{MOVES}{HELP}")),
            Reply::Next if sure || !leaves => return Flow::NextDeal,
            // What is in a file can be gone on with.
            Reply::Leave if sure || !leaves || session.keeper.file().is_some() => {
                return Flow::Leave;
            }
            Reply::Next => {
                self.sure = Some(command);
                "n once more leaves this game for the next deal.".clone_into(&mut self.message);
            }
            Reply::Leave => {
                self.sure = Some(command);
                "q once more leaves this game; s saves it.".clone_into(&mut self.message);
            }
        }
        Flow::On
    }

    /// Enter is pressed: what it does depends on the place of the cursor.
    fn enter(&mut self, session: &mut Session<'_>) -> Flow {
        match self.cursor {
            None => Flow::On,
            Some(Spot::Stock) => self.obey(session, Command::Draw, false),
            Some(Spot::At(place)) => {
                self.pick(session, place);
                Flow::On
            }
        }
    }

    fn pick(&mut self, session: &mut Session<'_>, place: Place) {
        let sitting = &mut session.sitting;
        match self.picker.pick(sitting.table(), place) {
            Picked::Begin => {}
            Picked::Nothing => "There is no such move.".clone_into(&mut self.message),
            Picked::Several => {
                self.message = words::of_choices(sitting.table(), &self.picker.choices);
            }
            Picked::Move(made) => self.make(session, made),
        }
    }

    fn choose(&mut self, session: &mut Session<'_>, choices: &[Move], digit: char) {
        let place = digit.to_digit(10).and_then(|n| n.checked_sub(1));
        match place.and_then(|place| choices.get(place as usize)) {
            Some(&made) => self.make(session, made),
            None => "There is no such move.".clone_into(&mut self.message),
        }
    }

    fn make(&mut self, session: &mut Session<'_>, made: Move) {
        self.picker.clear();
        if let Err(reason) = session.sitting.make(&[made]) {
            self.message = reason.to_string();
        }
    }
}
