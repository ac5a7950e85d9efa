//! Keeps games: in a file, if one is named, in the record, if there is one, and in words for the
//! end of the program, however it ends.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

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
    /// What the end of the program does.
    end: End,
    /// What the record says that was not shown yet.
    news: Option<String>,
}

/// What the end of the program does; also an end by a signal.
#[derive(Clone)]
pub(super) struct End(Arc<Mutex<Last>>);

/// What is left to do at the end.
#[derive(Default)]
struct Last {
    /// What it prints of games that were left for others.
    earlier: String,
    /// What it prints of the game under way.
    text: String,
    /// The games of the person, if they are counted.
    record: Option<Record>,
    /// Whether the game under way stands in the record.
    recorded: bool,
    /// The game that the end leaves unfinished.
    unfinished: Option<Row>,
}

impl Last {
    /// Adds a game to the record, unless it stands there. Gives what the record says then.
    fn add(&mut self, row: Row) -> Result<Option<String>, String> {
        self.unfinished = None;
        let Some(record) = self.record.as_mut().filter(|_| !self.recorded) else {
            return Ok(None);
        };
        let standing = record.add(row)?;
        self.recorded = true;
        Ok(Some(standing))
    }
}

impl End {
    fn lock(&self) -> MutexGuard<'_, Last> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The words to print, which are not given again. A game that is left now goes into the record.
    ///
    /// # Errors
    /// If the record cannot be written. The words are there all the same.
    pub(super) fn take(&self) -> (String, Result<(), String>) {
        let mut last = self.lock();
        let mut text = std::mem::take(&mut last.earlier) + &std::mem::take(&mut last.text);
        let unfinished = last.unfinished.take();
        let added = unfinished.map_or(Ok(None), |row| last.add(row));
        let added = added.map(|news| {
            let news = news.map_or_else(String::new, |news| news + "\n");
            text.push_str(&news);
        });
        (text, added)
    }
}

impl Keeper {
    pub(super) fn new(file: Option<PathBuf>, record: Option<Record>) -> Keeper {
        let news = record.as_ref().and_then(Record::opening);
        let last = Last {
            record,
            ..Last::default()
        };
        Keeper {
            file,
            end: End(Arc::new(Mutex::new(last))),
            news,
        }
    }

    /// What the record says since it was opened or a game was added to it.
    pub(super) fn news(&mut self) -> Option<String> {
        self.news.take()
    }

    /// What the end of the program does.
    pub(super) fn end(&self) -> End {
        self.end.clone()
    }

    /// The file that everything is in, if there is one.
    pub(super) fn file(&self) -> Option<&Path> {
        self.file.as_deref()
    }

    /// Keeps the game as it is now.
    ///
    /// # Errors
    /// If the file or the record cannot be written. The words are kept all the same.
    pub(super) fn keep(&mut self, sitting: &Sitting) -> Result<(), String> {
        let name = self.file.as_ref().map(|file| file.display().to_string());
        let mut last = self.end.lock();
        last.text = ending::of(sitting, name.as_deref());
        // A game in a file can be gone on with, unless it is lost.
        let ends = sitting.moves_made() > 0 && (name.is_none() || sitting.is_known_lost());
        last.unfinished = ends.then(|| Row::of(sitting));
        let added = match sitting.table().is_won() {
            true => last.add(Row::of(sitting)),
            false => Ok(None),
        };
        drop(last);
        let added = added.map(|news| self.news = news.or(self.news.take()));
        match &self.file {
            Some(file) => write(file, sitting).and(added),
            None => added,
        }
    }

    /// Another game follows. A file has room for one game, so the moves of this one are printed in
    /// full. A deal that is passed over without a move is lost: who sees it may know why.
    ///
    /// # Errors
    /// If the record cannot be written.
    pub(super) fn leave(&mut self, sitting: &Sitting) -> Result<(), String> {
        let mut last = self.end.lock();
        let news = last.add(Row::of(sitting))?;
        last.recorded = false;
        last.text.clear();
        last.earlier.push_str(&ending::of(sitting, None));
        drop(last);
        self.news = news.or(self.news.take());
        Ok(())
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
