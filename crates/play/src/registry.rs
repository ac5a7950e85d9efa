//! Players by name: `NAME` or `NAME:KEY=VALUE,…`, as the command line takes them.
//!
//! Every player has an [`Entry`] in its own file, which reads its parameters. To add a player,
//! write its entry and add a row to a list of players.

use std::ops::RangeInclusive;
use std::str::FromStr;
use std::time::Duration;

use crate::player::AnyPlayer;
use klondike_engine::search::clock::{self, Clock};

/// A player that can be asked for by name.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    /// The name.
    pub name: &'static str,
    /// What the player is, and its parameters.
    pub help: &'static str,
    /// The rule set of the paper that describes the player; `None` for our own.
    pub rules: Option<&'static str>,
    /// Makes the player from the parameters given.
    pub make: fn(&mut Given<'_>) -> Result<AnyPlayer, PlayerError>,
}

/// Makes the player that a text names, one of `players`.
///
/// # Errors
/// If there is no such player, or it does not take these parameters.
pub fn make(players: &[&Entry], text: &str) -> Result<AnyPlayer, PlayerError> {
    let entry = entry(players, text)?;
    let mut given = Given::new(text)?;
    let player = (entry.make)(&mut given)?;
    given.finish()?;
    Ok(player)
}

/// The entry of the player that a text names, whatever its parameters.
///
/// # Errors
/// If there is no such player.
pub fn entry<'a>(players: &[&'a Entry], text: &str) -> Result<&'a Entry, PlayerError> {
    let (name, _) = text.split_once(':').unwrap_or((text, ""));
    let found = players.iter().find(|entry| entry.name == name);
    found.copied().ok_or_else(|| PlayerError::Name {
        name: shortened(name),
        known: players.iter().map(|entry| entry.name).collect(),
    })
}

fn shortened(text: &str) -> String {
    text.chars().take(60).collect()
}

/// What a real number must be.
const REAL: &str = "a number within ±100";
/// What a score must be.
const SCORE: &str = "a whole number within ±1,000,000";
/// What a time for a decision must be.
const SECONDS: &str = "a time such as 0.5, at most a year, without iterations";
/// A time by a clock.
pub type OnClock = (Clock, Duration);

/// Most seconds for a decision: a year, which every clock can add.
const MOST_SECONDS: f64 = 365.0 * 86_400.0;

/// The parameters given to a player. Each is taken once, with its default.
///
/// All methods return an error if the value given is not one that the parameter can have.
#[derive(Debug)]
pub struct Given<'a> {
    name: &'a str,
    pairs: Vec<(&'a str, &'a str)>,
    /// The keys asked for.
    known: Vec<&'static str>,
}

#[allow(clippy::missing_errors_doc)] // see the type
impl<'a> Given<'a> {
    fn new(text: &'a str) -> Result<Given<'a>, PlayerError> {
        let (name, rest) = text.split_once(':').unwrap_or((text, ""));
        let pair = |pair: &'a str| {
            pair.split_once('=')
                .ok_or_else(|| PlayerError::NoPair(shortened(pair)))
        };
        if rest.is_empty() && text.ends_with(':') {
            return Err(PlayerError::NoParameters(shortened(name)));
        }
        let pairs = rest.split(',').filter(|pair| !pair.is_empty()).map(pair);
        Ok(Given {
            name,
            pairs: pairs.collect::<Result<_, _>>()?,
            known: Vec::new(),
        })
    }

    fn take(&mut self, key: &'static str) -> Option<&'a str> {
        self.known.push(key);
        let at = self.pairs.iter().position(|&(name, _)| name == key)?;
        Some(self.pairs.remove(at).1)
    }

    /// The value of a parameter if it is given and `accepts` it.
    fn value<T: FromStr>(
        &mut self,
        key: &'static str,
        wanted: &str,
        accepts: impl FnOnce(&T) -> bool,
    ) -> Result<Option<T>, PlayerError> {
        let Some(text) = self.take(key) else {
            return Ok(None);
        };
        let value = text.parse().ok().filter(accepts);
        value.map(Some).ok_or_else(|| error(key, wanted))
    }

    /// A count.
    pub fn count(
        &mut self,
        key: &'static str,
        range: RangeInclusive<u32>,
        default: u32,
    ) -> Result<u32, PlayerError> {
        let given = self.given_count(key, range)?;
        Ok(given.unwrap_or(default))
    }

    /// A count without default.
    pub fn given_count(
        &mut self,
        key: &'static str,
        range: RangeInclusive<u32>,
    ) -> Result<Option<u32>, PlayerError> {
        let wanted = format!("a number from {} to {}", range.start(), range.end());
        self.value(key, &wanted, |count| range.contains(count))
    }

    /// A count or `none`.
    pub fn count_or_none(
        &mut self,
        key: &'static str,
        range: RangeInclusive<u32>,
        default: Option<u32>,
    ) -> Result<Option<u32>, PlayerError> {
        if let Some(at) = self.pairs.iter().position(|&pair| pair == (key, "none")) {
            self.known.push(key);
            self.pairs.remove(at);
            return Ok(None);
        }
        let (start, end) = (range.start(), range.end());
        let wanted = format!("a number from {start} to {end} or `none`");
        let given = self.value(key, &wanted, |count| range.contains(count))?;
        Ok(given.or(default))
    }

    /// A score.
    pub fn score(&mut self, key: &'static str, default: i32) -> Result<i32, PlayerError> {
        let accepts = |score: &i32| (-1_000_000..=1_000_000).contains(score);
        Ok(self.value(key, SCORE, accepts)?.unwrap_or(default))
    }

    /// A real number.
    pub fn real(&mut self, key: &'static str, default: f64) -> Result<f64, PlayerError> {
        Ok(self.given_real(key)?.unwrap_or(default))
    }

    /// A real number without default.
    pub fn given_real(&mut self, key: &'static str) -> Result<Option<f64>, PlayerError> {
        self.value(key, REAL, |real| (-100.0..=100.0).contains(real))
    }

    /// The parameters `iterations` and `seconds`, of which one at most may be given.
    pub fn iterations_or_seconds(&mut self) -> Result<(Option<u32>, Option<OnClock>), PlayerError> {
        let iterations = self.given_count("iterations", 1..=u32::MAX)?;
        let accepts = |seconds: &f64| (0.0..=MOST_SECONDS).contains(seconds);
        let seconds = self.value("seconds", SECONDS, accepts)?;
        if iterations.is_some() && seconds.is_some() {
            return Err(error("seconds", SECONDS));
        }
        let Some(seconds) = seconds else {
            return Ok((iterations, None));
        };
        match clock::SYSTEM {
            Some(clock) => Ok((iterations, Some((clock, Duration::from_secs_f64(seconds))))),
            None => Err(error(
                "seconds",
                "iterations instead: there is no clock here",
            )),
        }
    }

    /// One of several words.
    pub fn one_of<T: Copy>(
        &mut self,
        key: &'static str,
        words: &[(&str, T)],
        default: T,
    ) -> Result<T, PlayerError> {
        let Some(text) = self.take(key) else {
            return Ok(default);
        };
        let names: Vec<&str> = words.iter().map(|&(word, _)| word).collect();
        let found = words.iter().find(|&&(word, _)| word == text);
        found
            .map(|&(_, value)| value)
            .ok_or_else(|| error(key, names.join(" or ")))
    }

    /// `yes` or `no`.
    pub fn yes_no(&mut self, key: &'static str, default: bool) -> Result<bool, PlayerError> {
        self.one_of(key, &[("yes", true), ("no", false)], default)
    }

    /// Refuses what the player did not ask for.
    fn finish(self) -> Result<(), PlayerError> {
        match self.pairs.first() {
            None => Ok(()),
            Some((key, _)) if self.known.contains(key) => Err(PlayerError::Twice(shortened(key))),
            Some((key, _)) => Err(PlayerError::Key {
                key: shortened(key),
                player: self.name.to_owned(),
                known: self.known,
            }),
        }
    }
}

/// The error that a parameter cannot have the value given.
#[must_use]
pub fn error(key: &'static str, wanted: impl Into<String>) -> PlayerError {
    PlayerError::Value {
        key,
        wanted: wanted.into(),
    }
}

/// Why a text names no player.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlayerError {
    /// There is no such player.
    #[error("there is no player `{}`; known: {}", .name.escape_debug(), .known.join(" "))]
    Name {
        /// What was written.
        name: String,
        /// The players that there are.
        known: Vec<&'static str>,
    },
    /// A colon without parameters.
    #[error("`{0}:` has no parameters: write `{0}` or `{0}:KEY=VALUE`")]
    NoParameters(String),
    /// A parameter without a value.
    #[error("`{}` is no parameter of a player: write KEY=VALUE", .0.escape_debug())]
    NoPair(String),
    /// A parameter has two values.
    #[error("the parameter `{0}` is given twice: give it one value")]
    Twice(String),
    /// The player has no such parameter.
    #[error(
        "the player {player} takes no `{}`; known: {}",
        .key.escape_debug(),
        .known.join(" ")
    )]
    Key {
        /// What was written.
        key: String,
        /// The player.
        player: String,
        /// The parameters it has.
        known: Vec<&'static str>,
    },
    /// A parameter cannot have this value.
    #[error("{key} must be {wanted}")]
    Value {
        /// The parameter.
        key: &'static str,
        /// What it can be.
        wanted: String,
    },
}
