//! Keeps games: in a file, if one is named, in the record, if there is one, and in words for the
//! end of the program, however it ends.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::ending;
use super::record::{Record, Row};
use super::sitting::Sitting;
use crate::shell::{as_argument, command_line};
use crate::whole_file::WholeFile;

/// What stands at the top of a saved game.
const HEAD: &str = "# A game of Klondike. `klondike play` goes on with it.\n";

pub(super) struct Keeper {
    /// Where the game is saved after every move.
    file: Option<PathBuf>,
    /// What the end of the program prints of games that were left for others.
    earlier: String,
    /// What the end of the program prints.
    words: Words,
    /// The games of the person, if they are counted.
    record: Option<Record>,
    /// Whether the game under way stands in the record.
    recorded: bool,
    /// What the record says that was not shown yet.
    news: Option<String>,
}

/// Words that the end of the program prints; also an end by a signal.
#[derive(Clone, Default)]
pub(super) struct Words(Arc<Mutex<Last>>);

/// What is left to do at the end.
#[derive(Default)]
struct Last {
    text: String,
    /// The record, and the game that the end leaves unfinished.
    left: Option<(Record, Row)>,
}

impl Words {
    /// The words, which are not given again. A game that is left now goes into the record.
    pub(super) fn take(&self) -> String {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let Last { mut text, left } = std::mem::take(&mut *last);
        if let Some((mut record, row)) = left {
            text.push_str(&format!("{}\n", record.add(row)));
        }
        text
    }

    fn set(&self, last: Last) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = last;
    }
}

impl Keeper {
    pub(super) fn new(file: Option<PathBuf>, record: Option<Record>) -> Keeper {
        let news = record.as_ref().and_then(Record::opening);
        Keeper {
            file,
            earlier: String::new(),
            words: Words::default(),
            record,
            recorded: false,
            news,
        }
    }

    /// What the record says since it was opened or a game was added to it.
    pub(super) fn news(&mut self) -> Option<String> {
        self.news.take()
    }

    pub(super) fn words(&self) -> Words {
        self.words.clone()
    }

    /// The file that everything is in, if there is one.
    pub(super) fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// Keeps the game as it is now.
    ///
    /// # Errors
    /// If the file cannot be written. The words are kept all the same.
    pub(super) fn keep(&mut self, sitting: &Sitting) -> Result<(), String> {
        if sitting.table().is_won() {
            self.add(sitting);
        }
        let name = self.file.as_ref().map(|file| file.display().to_string());
        // A game in a file can be gone on with, unless it is lost.
        let ends = sitting.moves_made() > 0 && (name.is_none() || sitting.is_known_lost());
        let record = self.record.as_ref().filter(|_| ends && !self.recorded);
        self.words.set(Last {
            text: self.earlier.clone() + &ending::of(sitting, name.as_deref()),
            left: record.map(|record| (record.clone(), Row::of(sitting))),
        });
        match &self.file {
            Some(file) => write(file, sitting),
            None => Ok(()),
        }
    }

    /// The game has ended: it goes into the record, once.
    fn add(&mut self, sitting: &Sitting) {
        if let Some(record) = self.record.as_mut().filter(|_| !self.recorded) {
            self.recorded = true;
            self.news = Some(record.add(Row::of(sitting)));
        }
    }

    /// Another game follows. A file has room for one game, so the moves of this one are printed in
    /// full. A deal that is passed over without a move is lost: who sees it may know why.
    pub(super) fn leave(&mut self, sitting: &Sitting) {
        self.earlier.push_str(&ending::of(sitting, None));
        self.add(sitting);
        self.recorded = false;
    }

    /// Saves the game, in a file of the deal's name if none was named. Gives words that say where.
    ///
    /// # Errors
    /// If the file cannot be written.
    pub(super) fn save(&mut self, sitting: &Sitting) -> Result<String, String> {
        let file = self
            .file
            .clone()
            .unwrap_or_else(|| free_name(sitting.label()));
        write(&file, sitting)?;
        let line = command_line(["play", &as_argument(&file.display().to_string())]);
        self.file = Some(file);
        Ok(format!("Saved, now and after each move: {line}"))
    }
}

fn write(path: &Path, sitting: &Sitting) -> Result<(), String> {
    let error = |what: &dyn std::fmt::Display| format!("cannot save {}: {what}", path.display());
    let game = sitting.to_saved().map_err(|bad| error(&bad))?;
    let written = WholeFile::new(path).and_then(|file| {
        fs::write(file.part(), format!("{HEAD}{game}"))?;
        file.finish()
    });
    written.map_err(|bad| error(&bad))
}

/// A name after the deal that no file has yet.
fn free_name(label: &str) -> PathBuf {
    let words = label.split(|c: char| !c.is_ascii_alphanumeric());
    let words: Vec<&str> = words.filter(|word| !word.is_empty()).collect();
    let stem: String = words.join("-").chars().take(40).collect();
    let numbers = std::iter::once(String::new()).chain((2..).map(|n| format!("-{n}")));
    let mut names = numbers.map(|number| PathBuf::from(format!("{stem}{number}.txt")));
    let free = names.find(|name| !name.exists());
    free.unwrap_or_else(|| PathBuf::from("game.txt"))
}
