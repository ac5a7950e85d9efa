//! A game that was begun, as text: its deal, its rules, and the moves so far.
//!
//! ```text
//! # a number sign starts a comment
//! deal: klondike:5           the deal by its number, or the lines of a position in its place
//! rules: draw=1 redeals=2    what differs from the standard rules; without this line nothing
//! seconds: 73                how long it was played; without this line 0
//! help: cards                all cards were shown; `yes`: any other help; without this line none
//! moves: draw*3 9H:4>5       in our notation, on as many lines of this kind as needed
//! ```
//!
//! Whoever reads a position ([`Start::read`](crate::table::start::Start::read)) may read a game:
//! the position is the one after its moves.

use std::fmt;
use std::sync::Arc;

use crate::deal::seed::{DealId, SeedError};
use crate::rules::{Rules, RulesError};
use crate::table::notation::{Notation, NotationError};
use crate::table::position::{PositionError, read_position, write_position};
use crate::table::{IllegalMove, Move, Table, TableError};

/// Columns of a line of moves.
const WIDTH: usize = 96;

/// A game that was begun.
///
/// ```
/// use klondike_game::table::saved::SavedGame;
///
/// let game = SavedGame::read("deal: solvitaire:3\nrules: draw=1\nmoves: draw*2\n")?;
/// assert_eq!((game.moves().len(), game.table().waste().len()), (2, 2));
/// assert_eq!(SavedGame::read(&game.to_string())?, game);
/// # Ok::<(), klondike_game::table::saved::SavedGameError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedGame {
    deal: Option<DealId>,
    start: Table,
    moves: Vec<Move>,
    /// The table after the moves.
    table: Table,
    seconds: u64,
    help: Help,
}

/// What help the person had in a game, from none to most.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Help {
    /// Cards that lie face down were hidden, and nobody was asked.
    #[default]
    None,
    /// All cards were shown.
    Cards,
    /// Any other help.
    Yes,
}

/// The lines of a text, sorted.
#[derive(Default)]
struct Lines<'a> {
    deal: Option<(usize, &'a str)>,
    rules: Option<(usize, &'a str)>,
    seconds: Option<(usize, &'a str)>,
    help: Option<(usize, &'a str)>,
    moves: Vec<(usize, &'a str)>,
    /// All other lines. Those above are blank here, so that each line keeps its number.
    position: String,
}

impl<'a> Lines<'a> {
    fn of(text: &'a str) -> Result<Lines<'a>, SavedGameError> {
        let mut lines = Lines::default();
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        for (line, number) in text.lines().zip(1..) {
            let code = line.split('#').next().unwrap_or_default();
            let (key, value) = code.split_once(':').unwrap_or_default();
            let (key, value) = (key.trim().to_ascii_lowercase(), value.trim());
            let old = match key.as_str() {
                "deal" => lines.deal.replace((number, value)),
                "rules" => lines.rules.replace((number, value)),
                "seconds" => lines.seconds.replace((number, value)),
                "help" => lines.help.replace((number, value)),
                "moves" => {
                    lines.moves.push((number, value));
                    None
                }
                _ => {
                    lines.position.push_str(code);
                    None
                }
            };
            lines.position.push('\n');
            if old.is_some() {
                return Err(Reason::Twice(key).in_line(number));
            }
        }
        Ok(lines)
    }

    fn rules(&self) -> Result<Rules, SavedGameError> {
        let Some((line, text)) = self.rules else {
            return Ok(Rules::standard());
        };
        Rules::with_changes(text).map_err(|error| Reason::Rules(error).in_line(line))
    }

    /// The number of the deal, if it has one, and the table before the first move.
    fn start(&self, rules: Arc<Rules>) -> Result<(Option<DealId>, Table), SavedGameError> {
        let Some((line, text)) = self.deal else {
            return Ok((None, read_position(&rules, &self.position)?));
        };
        if let Some(at) = self
            .position
            .lines()
            .position(|line| !line.trim().is_empty())
        {
            return Err(Reason::DealAndPosition.in_line(at + 1));
        }
        let seed = |error| Reason::Deal(error).in_line(line);
        let id: DealId = text.parse().map_err(seed)?;
        let deal = id.deal(rules.deck(), rules.layout()).map_err(seed)?;
        let table = Table::new(rules, &deal).map_err(|error| Reason::Table(error).in_line(line))?;
        Ok((Some(id), table))
    }

    fn moves(&self, start: &Table) -> Result<Vec<Move>, SavedGameError> {
        let texts: Vec<&str> = self.moves.iter().map(|&(_, text)| text).collect();
        Notation::Klondike
            .read(start, &texts.join(" "))
            .map_err(|error| {
                let mut left = match error {
                    NotationError::Token { number, .. } => number,
                    _ => 1,
                };
                let line = self.moves.iter().find(|(_, text)| {
                    let words = text.split_whitespace().count();
                    let here = left <= words;
                    left -= words.min(left);
                    here
                });
                Reason::Moves(error).in_line(line.map_or(1, |&(line, _)| line))
            })
    }
}

impl SavedGame {
    /// Whether a text has a line that only games have.
    #[must_use]
    pub fn looks_like(text: &str) -> bool {
        let text = text.trim_start_matches('\u{feff}');
        let keys = text.lines().filter_map(|line| line.split_once(':'));
        let mut keys = keys.map(|(key, _)| key.trim().to_ascii_lowercase());
        keys.any(|key| matches!(key.as_str(), "deal" | "rules" | "seconds" | "moves"))
    }

    /// Reads a game.
    ///
    /// # Errors
    /// The first line that cannot be read, with its number; or what is wrong with the position that
    /// the game begins with.
    pub fn read(text: &str) -> Result<SavedGame, SavedGameError> {
        let lines = Lines::of(text)?;
        if lines.moves.is_empty() {
            return Err(Reason::NoMoves.of_text());
        }
        let (deal, start) = lines.start(Arc::new(lines.rules()?))?;
        let moves = lines.moves(&start)?;
        let seconds = match lines.seconds {
            None => 0,
            Some((line, text)) => {
                let bad = |_| Reason::Seconds(text.chars().take(40).collect()).in_line(line);
                text.parse().map_err(bad)?
            }
        };
        let help = match lines.help {
            None => Help::None,
            Some((_, "cards")) => Help::Cards,
            Some((_, "yes")) => Help::Yes,
            Some((line, text)) => {
                return Err(Reason::Help(text.chars().take(40).collect()).in_line(line));
            }
        };
        let game = SavedGame::new(deal, start, moves);
        let game = game.map_err(|illegal| Reason::Illegal(illegal).of_text())?;
        Ok(game.played(seconds, help))
    }

    /// A game that begins with `start`. `deal` is the number of the deal, if it has one and `start`
    /// is that deal.
    ///
    /// # Errors
    /// The first move that is illegal.
    pub fn new(
        deal: Option<DealId>,
        start: Table,
        moves: Vec<Move>,
    ) -> Result<SavedGame, IllegalMove> {
        let mut table = start.clone();
        for &made in &moves {
            table.make(made)?;
        }
        Ok(SavedGame {
            deal,
            start,
            moves,
            table,
            seconds: 0,
            help: Help::None,
        })
    }

    /// The same game, played for so many seconds with this help.
    #[must_use]
    pub fn played(self, seconds: u64, help: Help) -> SavedGame {
        SavedGame {
            seconds,
            help,
            ..self
        }
    }

    /// The number of the deal, if it has one.
    #[must_use]
    pub fn deal(&self) -> Option<&DealId> {
        self.deal.as_ref()
    }

    /// The table before the first move.
    #[must_use]
    pub fn start(&self) -> &Table {
        &self.start
    }

    /// The moves so far.
    #[must_use]
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The table after the moves.
    #[must_use]
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// How long the game was played, in seconds.
    #[must_use]
    pub fn seconds(&self) -> u64 {
        self.seconds
    }

    /// The help that the person had.
    #[must_use]
    pub fn help(&self) -> Help {
        self.help
    }

    /// Checks that the game is played with these rules.
    pub(in crate::table) fn check_rules(&self, rules: &Rules) -> Result<(), SavedGameError> {
        let found = self.start.rules();
        if **found == *rules {
            return Ok(());
        }
        let reason = Reason::OtherRules {
            found: found.changes_in_words(),
            given: rules.changes_in_words(),
        };
        Err(reason.of_text())
    }
}

/// Writes the text that [`SavedGame::read`] reads.
impl fmt::Display for SavedGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let rules = self.start.rules();
        match &self.deal {
            Some(id) => writeln!(f, "deal: {id}")?,
            None => f.write_str(&write_position(&self.start))?,
        }
        if !rules.changes().is_empty() {
            writeln!(f, "rules: {}", rules.changes_in_words())?;
        }
        writeln!(f, "seconds: {}", self.seconds)?;
        match self.help {
            Help::None => {}
            Help::Cards => writeln!(f, "help: cards")?,
            Help::Yes => writeln!(f, "help: yes")?,
        }
        let text = Notation::Klondike.write(&self.start, &self.moves);
        let text = text.map_err(|_| fmt::Error)?;
        let mut line = "moves:".to_owned();
        for word in text.split(' ') {
            if line.len() + 1 + word.len() > WIDTH {
                writeln!(f, "{line}")?;
                line = "moves:".to_owned();
            }
            if !word.is_empty() {
                line.push(' ');
                line.push_str(word);
            }
        }
        writeln!(f, "{line}")
    }
}

/// Why a text is not a game that was begun, and where.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct SavedGameError {
    line: Option<usize>,
    #[source]
    reason: Box<Reason>,
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
enum Reason {
    #[error("there is no line `moves:`; a game without moves has an empty one")]
    NoMoves,
    #[error("a second line `{0}`")]
    Twice(String),
    #[error("cards beside the line `deal`, which names them all")]
    DealAndPosition,
    #[error(transparent)]
    Deal(SeedError),
    #[error(transparent)]
    Table(TableError),
    #[error(transparent)]
    Rules(RulesError),
    #[error("`{}` is not a number of seconds", .0.escape_debug())]
    Seconds(String),
    #[error("`{}` is not `cards` or `yes`; without help there is no such line", .0.escape_debug())]
    Help(String),
    #[error("the moves: {0}")]
    Moves(NotationError),
    #[error(transparent)]
    Illegal(IllegalMove),
    #[error(transparent)]
    Position(PositionError),
    #[error("the game is played with other rules ({found}) than were asked for ({given})")]
    OtherRules { found: String, given: String },
}

impl Reason {
    fn of_text(self) -> SavedGameError {
        SavedGameError {
            line: None,
            reason: Box::new(self),
        }
    }

    fn in_line(self, line: usize) -> SavedGameError {
        SavedGameError {
            line: Some(line),
            reason: Box::new(self),
        }
    }
}

impl SavedGameError {
    /// The line at fault, counted from 1. `None` if the fault is not in one line.
    #[must_use]
    pub fn line(&self) -> Option<usize> {
        match &*self.reason {
            Reason::Position(error) => error.line(),
            _ => self.line,
        }
    }

    /// The same error, whose text starts in line `start` of something larger, if it does.
    pub(in crate::table) fn in_text_from(mut self, start: Option<usize>) -> SavedGameError {
        match (&mut *self.reason, start) {
            (Reason::Position(error), _) => *error = error.clone().in_text_from(start),
            (_, Some(start)) => self.line = self.line.map(|line| line + start - 1),
            _ => {}
        }
        self
    }
}

impl From<PositionError> for SavedGameError {
    fn from(error: PositionError) -> SavedGameError {
        Reason::Position(error).of_text()
    }
}

impl fmt::Display for SavedGameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}: ")?;
        }
        self.reason.fmt(f)
    }
}
