//! The record of a person's games: a line of JSON for each, and the share that was won.
//!
//! A deal counts once, the first time: who tries one again knows its cards. Games in which the
//! program helped are counted apart.

use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::sitting::Sitting;
use crate::lines::counted;
use crate::numbers::{estimate, ratio};
use crate::{About as _, CliError};
use klondike_batch::interval::Interval;
use klondike_game::rules::Rules;

/// The confidence of the interval.
const LEVEL: f64 = 0.95;

fn to_append(file: &Path) -> io::Result<File> {
    OpenOptions::new().append(true).create(true).open(file)
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

    /// Adds a game that has ended. Gives the share of games won of its kind, in words, or says that
    /// the file cannot be written.
    pub(super) fn add(&mut self, row: Row) -> String {
        let mut line = serde_json::to_string(&row).expect("a plain object");
        line.push('\n');
        let written = to_append(&self.file).and_then(|mut file| file.write_all(line.as_bytes()));
        self.rows.push(row.clone());
        match written {
            Ok(()) => self.standing(&row),
            Err(error) => format!("cannot write {}: {error}", self.file.display()),
        }
    }

    /// The share of games won that are of the kind of this one, in words.
    fn standing(&self, game: &Row) -> String {
        let mut seen = HashSet::new();
        let kind = self.rows.iter().filter(|row| row.is_of_the_kind_of(game));
        let first = kind.filter(|row| seen.insert(&row.deal));
        let (helped, alone): (Vec<&Row>, Vec<&Row>) = first.partition(|row| row.helped);
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
            ..row("a", true)
        };
        let vegas = Row {
            rules: Rules::named("vegas3").unwrap(),
            ..row("a", true)
        };
        let rows = [
            row("a", false),
            row("a", true),
            hidden.clone(),
            vegas,
            row("b", true),
        ];
        let kept = record(&rows);
        let wilson = estimate(Some(0.5), Interval::wilson(1, 2, LEVEL));
        assert_eq!(
            kept.standing(&row("c", true)),
            format!("Record: 1 of 2 games won, {wilson}.")
        );
        assert!(
            kept.standing(&hidden)
                .starts_with("Record: 1 of 1 game won, 100 %")
        );
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
