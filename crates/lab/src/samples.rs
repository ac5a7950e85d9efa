//! The sums of several samples of games, kept in a directory so that a run goes on after any
//! interruption.
//!
//! A directory belongs to one run: it knows its settings, and a run with others is refused. Sums
//! are enough to go on from, because every sample is played in the order of its deals: the sums of
//! the first `n` deals say which deal is next. `samples.json` is replaced in one step
//! ([`checkpoint::save`]).

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::checkpoint::{self, CheckpointError};

const FILE: &str = "samples.json";
const KIND: &str = "samples";
/// Changes when the sums that are kept do.
const VERSION: u32 = 2;

/// Time between two writings.
const SAVE_EVERY: Duration = Duration::from_secs(1);

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Saved<T> {
    kind: String,
    version: u32,
    /// Version of the program: another one may play otherwise.
    program: String,
    settings: BTreeMap<String, String>,
    samples: BTreeMap<String, T>,
}

/// Sums that can be looked at for contradictions, as a file that was edited or damaged has them.
pub trait Kept {
    /// Whether they can be the sums of games.
    fn is_possible(&self) -> bool;
}

/// The sums of the samples of one run, in memory or in a directory.
#[derive(Debug)]
pub struct Samples<T> {
    place: Option<(PathBuf, File)>,
    settings: BTreeMap<String, String>,
    samples: BTreeMap<String, T>,
    saved: Instant,
}

impl<T: Clone + Default + Serialize + DeserializeOwned + Kept> Samples<T> {
    /// Opens `directory`, or makes it; without one nothing is kept. `settings` are names and values
    /// of all that the results depend on.
    ///
    /// # Errors
    /// If the directory is of a run with other settings, another process is at it, or it cannot be
    /// read or written.
    pub fn open(
        directory: Option<&Path>,
        settings: &[(&'static str, String)],
    ) -> Result<Samples<T>, CheckpointError> {
        let asked = settings
            .iter()
            .map(|(name, value)| ((*name).to_owned(), value.clone()))
            .collect();
        let mut samples = Samples {
            place: None,
            settings: asked,
            samples: BTreeMap::new(),
            saved: Instant::now(),
        };
        let Some(directory) = directory else {
            return Ok(samples);
        };
        std::fs::create_dir_all(directory).map_err(|source| CheckpointError::Write {
            path: directory.to_owned(),
            source,
        })?;
        let lock = checkpoint::lock(&directory.join("lock"))?;
        let path = directory.join(FILE);
        if let Some(saved) = checkpoint::load::<Saved<serde_json::Value>>(&path)? {
            let program = env!("CARGO_PKG_VERSION").to_owned();
            checkpoint::expect_same([
                ("kind", saved.kind, KIND.to_owned()),
                ("version", saved.version.to_string(), VERSION.to_string()),
                ("program version", saved.program, program),
            ])?;
            checkpoint::expect_same(settings.iter().map(|(what, asked)| {
                let saved = saved.settings.get(*what).cloned();
                let saved = saved.unwrap_or_else(|| "not there".to_owned());
                (*what, saved, asked.clone())
            }))?;
            for (name, sums) in saved.samples {
                let not_one = |reason: String| CheckpointError::NotOne {
                    path: path.clone(),
                    reason: format!("{name}: {reason}"),
                };
                let sums: T =
                    serde_json::from_value(sums).map_err(|error| not_one(error.to_string()))?;
                if !sums.is_possible() {
                    return Err(not_one("its numbers contradict each other".to_owned()));
                }
                samples.samples.insert(name, sums);
            }
        }
        samples.place = Some((path, lock));
        // Now rather than after hours: is there a place for it?
        samples.save()?;
        Ok(samples)
    }

    /// What the sample of this name gave so far.
    #[must_use]
    pub fn get(&self, sample: &str) -> T {
        self.samples.get(sample).cloned().unwrap_or_default()
    }

    /// Changes the sums of a sample; writes all sums about every second.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn change(
        &mut self,
        sample: &str,
        change: impl FnOnce(&mut T),
    ) -> Result<(), CheckpointError> {
        match self.samples.get_mut(sample) {
            Some(sums) => change(sums),
            None => change(self.samples.entry(sample.to_owned()).or_default()),
        }
        if self.saved.elapsed() >= SAVE_EVERY {
            self.save()?;
        }
        Ok(())
    }

    /// Writes all sums.
    ///
    /// # Errors
    /// If they cannot be written.
    pub fn save(&mut self) -> Result<(), CheckpointError> {
        if let Some((path, _)) = &self.place {
            let saved = Saved {
                kind: KIND.to_owned(),
                version: VERSION,
                program: env!("CARGO_PKG_VERSION").to_owned(),
                settings: self.settings.clone(),
                samples: self.samples.clone(),
            };
            checkpoint::save(path, &saved)?;
        }
        self.saved = Instant::now();
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Kept for u64 {
        fn is_possible(&self) -> bool {
            *self < 1000
        }
    }

    #[test]
    fn a_directory_gives_back_what_it_was_given_to_the_same_run_only() {
        let folder = std::env::temp_dir().join(format!("klondike-samples-{}", std::process::id()));
        let open = |value: &str| Samples::<u64>::open(Some(&folder), &[("seed", value.to_owned())]);
        let mut samples = open("1").unwrap();
        assert_eq!(samples.get("a"), 0);
        samples.change("a", |sum| *sum += 5).unwrap();
        assert!(matches!(open("1"), Err(CheckpointError::Locked(_))));
        samples.save().unwrap();
        drop(samples);
        assert_eq!(open("1").unwrap().get("a"), 5);
        let error = open("2").unwrap_err().to_string();
        assert!(error.contains("its seed is 1, not 2"), "{error}");
        // Sums of an older version, which may have been other ones, are refused for what they are.
        let text = std::fs::read_to_string(folder.join(FILE)).unwrap();
        let old = text
            .replace("\"version\": 2", "\"version\": 1")
            .replace("5", "{\"x\": 5}");
        std::fs::write(folder.join(FILE), old).unwrap();
        let error = open("1").unwrap_err().to_string();
        assert!(error.contains("its version is 1, not 2"), "{error}");
        std::fs::write(folder.join(FILE), text.replace('5', "5000")).unwrap();
        let error = open("1").unwrap_err().to_string();
        assert!(
            error.contains("a: its numbers contradict each other"),
            "{error}"
        );
        std::fs::write(folder.join(FILE), "{}").unwrap();
        assert!(matches!(open("1"), Err(CheckpointError::NotOne { .. })));
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
