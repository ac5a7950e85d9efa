//! Keeps games: in a file, if one is named, and in words for the end of the program, however it
//! ends.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::ending;
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
}

/// Words that the end of the program prints; also an end by a signal.
#[derive(Clone, Default)]
pub(super) struct Words(Arc<Mutex<String>>);

impl Words {
    /// The words, which are not given again.
    pub(super) fn take(&self) -> String {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn set(&self, text: String) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = text;
    }
}

impl Keeper {
    pub(super) fn new(file: Option<PathBuf>) -> Keeper {
        Keeper {
            file,
            earlier: String::new(),
            words: Words::default(),
        }
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
    pub(super) fn keep(&self, sitting: &Sitting) -> Result<(), String> {
        let name = self.file.as_ref().map(|file| file.display().to_string());
        self.words
            .set(self.earlier.clone() + &ending::of(sitting, name.as_deref()));
        match &self.file {
            Some(file) => write(file, sitting),
            None => Ok(()),
        }
    }

    /// Another game follows. A file has room for one game, so the moves of this one are printed in
    /// full.
    pub(super) fn leave(&mut self, sitting: &Sitting) {
        self.earlier.push_str(&ending::of(sitting, None));
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
