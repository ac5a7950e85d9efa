//! The record of a person's games: a line of JSON for each, and the share that was won.
//!
//! A deal counts once, the first time, under whatever rules: who tries one again knows its cards.
//! Games in which the program helped are counted apart.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::sitting::Sitting;
use crate::lines::counted;
use crate::numbers::{estimate, ratio};
use crate::whole_file::check_place;
use crate::{About as _, CliError};
use klondike_batch::interval::Interval;
use klondike_game::rules::{Deck, Layout, Rules};

/// The confidence of the interval.
const LEVEL: f64 = 0.95;

fn to_append(file: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).append(true).create(true).open(file)
}

/// Writes a line behind the others, also where the last one has no end.
fn append(file: &Path, line: &str) -> io::Result<()> {
    let mut file = to_append(file)?;
    let mut last = [b'\n'];
    if file.seek(SeekFrom::End(0))? > 0 {
        file.seek(SeekFrom::End(-1))?;
        file.read_exact(&mut last)?;
    }
    let end = if last == [b'\n'] { "" } else { "\n" };
    file.write_all(format!("{end}{line}\n").as_bytes())
}

/// A game that has ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Row {
    deal: String,
    rules: Rules,
    /// Whether all cards were shown.
    thoughtful: bool,
    won: bool,
    moves: u64,
    seconds: u64,
    /// Whether the program was asked, or a move taken back that showed a hidden card.
    helped: bool,
}

impl Row {
    pub(super) fn of(sitting: &Sitting) -> Row {
        Row {
            deal: sitting.name(),
            rules: Rules::clone(sitting.start().rules()),
            thoughtful: sitting.settings.thoughtful,
            won: sitting.table().is_won(),
            moves: sitting.moves_made() as u64,
            seconds: sitting.elapsed().as_secs(),
            helped: sitting.helped,
        }
    }

    /// What decides which cards lie where: a number deals others to another deck or layout.
    fn cards(&self) -> (&str, Deck, &Layout) {
        (&self.deal, self.rules.deck(), self.rules.layout())
    }

    fn is_of_the_kind_of(&self, other: &Row) -> bool {
        self.thoughtful == other.thoughtful && self.rules == other.rules
    }
}

/// The record, and its file.
#[derive(Clone, Debug)]
pub(super) struct Record {
    file: PathBuf,
    rows: Vec<Row>,
}

impl Record {
    /// The record in this file; an empty one if there is no file yet.
    ///
    /// # Errors
    /// If the file cannot be read and written, or holds something else.
    pub(super) fn open(file: &Path) -> Result<Record, CliError> {
        let name = file.display();
        check_place(file).about(&name)?;
        // A file that cannot be written is better known before the games than after them.
        to_append(file).about(&name)?;
        let text = fs::read_to_string(file).about(&name)?;
        let row = |(number, line): (usize, &str)| {
            serde_json::from_str(line).map_err(|error| {
                CliError::Data(format!(
                    "{name}: line {} is no game of a record ({error}); delete it, or name another \
                     file",
                    number + 1
                ))
            })
        };
        let rows = text.lines().enumerate().map(row);
        Ok(Record {
            file: file.to_owned(),
            rows: rows.collect::<Result<_, _>>()?,
        })
    }

    /// What to say of it before a game, if it has any.
    pub(super) fn opening(&self) -> Option<String> {
        self.rows.last().map(|last| self.standing(last))
    }

    /// Adds a game that has ended. Gives the share of games won of its kind, in words.
    ///
    /// # Errors
    /// If the file cannot be written. The game is not counted then.
    pub(super) fn add(&mut self, row: Row) -> Result<String, String> {
        let line = serde_json::to_string(&row).expect("a plain object");
        append(&self.file, &line)
            .map_err(|error| format!("cannot write {}: {error}", self.file.display()))?;
        self.rows.push(row.clone());
        Ok(self.standing(&row))
    }

    /// The share of games won that are of the kind of this one, in words.
    fn standing(&self, game: &Row) -> String {
        let mut seen = HashSet::new();
        let first = self.rows.iter().filter(|row| seen.insert(row.cards()));
        let kind = first.filter(|row| row.is_of_the_kind_of(game));
        let (helped, alone): (Vec<&Row>, Vec<&Row>) = kind.partition(|row| row.helped);
        let games = alone.len() as u64;
        let wins = alone.iter().filter(|row| row.won).count() as u64;
        let share = estimate(ratio(wins, games), Interval::wilson(wins, games, LEVEL));
        let mut text = match games {
            0 => "Record: no game yet".to_owned(),
            _ => format!("Record: {wins} of {} won, {share}", counted(games, "game")),
        };
        if !helped.is_empty() {
            let wins = helped.iter().filter(|row| row.won).count();
            text += &format!("; with help {wins} of {}", helped.len());
        }
        text + "."
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(deal: &str, won: bool) -> Row {
        Row {
            deal: deal.to_owned(),
            rules: Rules::standard(),
            thoughtful: true,
            won,
            moves: 3,
            seconds: 2,
            helped: false,
        }
    }

    fn record(rows: &[Row]) -> Record {
        Record {
            file: PathBuf::new(),
            rows: rows.to_vec(),
        }
    }

    #[test]
    fn a_deal_counts_once_and_kinds_of_games_apart() {
        let hidden = Row {
            thoughtful: false,
            ..row("c", true)
        };
        let vegas = Row {
            rules: Rules::named("vegas3").unwrap(),
            ..row("d", true)
        };
        // Its cards are known from the game with all cards shown.
        let again = Row {
            thoughtful: false,
            ..row("b", false)
        };
        let rows = [
            row("a", false),
            row("a", true),
            hidden.clone(),
            vegas,
            row("b", true),
            again,
        ];
        let kept = record(&rows);
        let wilson = estimate(Some(0.5), Interval::wilson(1, 2, LEVEL));
        assert_eq!(
            kept.standing(&row("e", true)),
            format!("Record: 1 of 2 games won, {wilson}.")
        );
        assert!(
            kept.standing(&hidden)
                .starts_with("Record: 1 of 1 game won, 100 %")
        );
    }

    /// A game that cannot be written is not counted, and one that is has a line of its own.
    #[test]
    fn what_counts_is_in_the_file() {
        let folder = std::env::temp_dir().join(format!("klondike-record-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let mut kept = Record {
            file: folder.clone(),
            rows: Vec::new(),
        };
        let error = kept.add(row("a", true)).unwrap_err();
        assert!(error.contains("cannot write"), "{error}");
        assert!(kept.rows.is_empty());
        let file = folder.join("record.jsonl");
        fs::write(&file, serde_json::to_string(&row("a", true)).unwrap()).unwrap();
        let mut kept = Record::open(&file).unwrap_or_else(|_| panic!("a record"));
        kept.add(row("b", false)).unwrap();
        kept.add(row("c", false)).unwrap();
        let read = Record::open(&file).unwrap_or_else(|_| panic!("a record"));
        assert_eq!((read.rows.len(), read.rows), (3, kept.rows));
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn games_with_help_are_no_games_of_the_person() {
        let helped = Row {
            helped: true,
            ..row("a", true)
        };
        let kept = record(&[helped]);
        let text = kept.standing(&row("b", true));
        assert_eq!(text, "Record: no game yet; with help 1 of 1.");
    }
}
