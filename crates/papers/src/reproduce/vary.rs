//! Combinations of values of parameters: of a player, and of the game.

use std::collections::BTreeMap;
use std::str::FromStr;
use std::sync::Arc;

use crate::published::PlayerName;
use klondike_game::rules::{Layout, Rules, RulesError};
use klondike_play::registry::PlayerError;

/// Most values of a parameter, and most combinations.
pub const MOST: usize = 100_000;

/// A parameter and the values it takes: `NAME=A..B`, `NAME=A..B..STEP` or `NAME=A,B,C`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Vary {
    name: String,
    values: Vec<String>,
}

impl Vary {
    /// The name of the parameter.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Its values, as they are written.
    #[must_use]
    pub fn values(&self) -> &[String] {
        &self.values
    }
}

impl FromStr for Vary {
    type Err = VaryError;

    fn from_str(text: &str) -> Result<Vary, VaryError> {
        let wrong = || VaryError::Text(text.chars().take(60).collect());
        let (name, values) = text.split_once('=').ok_or_else(wrong)?;
        if name.is_empty() || values.is_empty() {
            return Err(wrong());
        }
        let values = match values.split_once("..") {
            None => values.split(',').map(str::to_owned).collect(),
            Some((from, rest)) => {
                let (to, step) = rest.split_once("..").unwrap_or((rest, "1"));
                range(from, to, step)
                    .ok_or_else(wrong)?
                    .map_err(VaryError::Values)?
            }
        };
        let distinct: std::collections::BTreeSet<&String> = values.iter().collect();
        if distinct.len() < values.len() || values.iter().any(String::is_empty) {
            return Err(wrong());
        }
        Ok(Vary {
            name: name.to_owned(),
            values,
        })
    }
}

/// The numbers from `from` to `to`, both ends included, written with as many decimal places as the
/// longest of the three; an error if they are too many.
fn range(from: &str, to: &str, step: &str) -> Option<Result<Vec<String>, String>> {
    let number = |text: &str| text.parse::<f64>().ok().filter(|n| n.abs() <= 1e9);
    let (first, last, wide) = (number(from)?, number(to)?, number(step)?);
    let places = |text: &str| text.split_once('.').map_or(0, |(_, digits)| digits.len());
    let places = places(from).max(places(to)).max(places(step));
    if wide <= 0.0 || last < first || places > 9 {
        return None;
    }
    // A little more, so that rounding does not cost the last value.
    let count = ((last - first) / wide + 1e-9).floor() as usize + 1;
    if count > MOST {
        return Some(Err(format!("{from}..{to}")));
    }
    let values = (0..count).map(|i| format!("{:.places$}", first + i as f64 * wide));
    Some(Ok(values.collect()))
}

/// A player and rules with one value of each parameter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// The player.
    pub player: PlayerName,
    /// The rules.
    pub rules: Arc<Rules>,
    /// The values of the parameters.
    pub values: BTreeMap<String, String>,
    order: Vec<String>,
}

impl Setting {
    /// The value of a parameter; empty if it is none of these.
    #[must_use]
    pub fn value(&self, name: &str) -> &str {
        self.values.get(name).map_or("", String::as_str)
    }

    /// `NAME=VALUE, NAME=VALUE`.
    #[must_use]
    pub fn text(&self) -> String {
        self.text_without("")
    }

    /// The same without one parameter.
    #[must_use]
    pub fn text_without(&self, name: &str) -> String {
        let others = self.order.iter().filter(|other| *other != name);
        let words: Vec<String> = others
            .map(|other| format!("{other}={}", self.value(other)))
            .collect();
        words.join(", ")
    }

    /// A text that tells it from all others.
    #[must_use]
    pub fn name(&self) -> String {
        let rules = serde_json::to_string(&*self.rules).expect("a plain object");
        format!("{}, {rules}", self.player)
    }
}

/// The parameters of the game that can be varied.
const OF_RULES: [&str; 2] = ["draw", "talon"];

/// All combinations of the values, the first parameter changing slowest.
///
/// # Errors
/// If the player has no such parameter and the game neither, a value is out of range, a
/// parameter is named twice (or in the player as well), or there are more than [`MOST`].
pub fn settings(
    player: &PlayerName,
    rules: &Arc<Rules>,
    vary: &[Vary],
) -> Result<Vec<Setting>, VaryError> {
    let mut count = 1_usize;
    for (i, one) in vary.iter().enumerate() {
        if vary[..i].iter().any(|other| other.name == one.name) {
            return Err(VaryError::Twice(one.name.clone()));
        }
        count = count.saturating_mul(one.values.len());
    }
    if count > MOST {
        return Err(VaryError::TooMany);
    }
    let mut all = vec![Setting {
        player: player.clone(),
        rules: Arc::clone(rules),
        values: BTreeMap::new(),
        order: vary.iter().map(|one| one.name.clone()).collect(),
    }];
    for one in vary {
        let mut next = Vec::with_capacity(all.len() * one.values.len());
        for setting in &all {
            for value in &one.values {
                next.push(with(setting, &one.name, value)?);
            }
        }
        all = next;
    }
    Ok(all)
}

fn with(setting: &Setting, name: &str, value: &str) -> Result<Setting, VaryError> {
    let mut setting = setting.clone();
    setting.values.insert(name.to_owned(), value.to_owned());
    if OF_RULES.contains(&name) {
        let number = value
            .parse::<u8>()
            .map_err(|_| VaryError::Value(name.to_owned(), value.to_owned()))?;
        let builder = setting.rules.to_builder();
        let builder = if name == "draw" {
            builder.draw_count(number)
        } else {
            let deck = setting.rules.deck().len() as u8;
            let dealt = deck
                .checked_sub(number)
                .ok_or_else(|| VaryError::Value(name.to_owned(), value.to_owned()))?;
            builder.layout(stairs(dealt).map_err(VaryError::Rules)?)
        };
        setting.rules = Arc::new(builder.build().map_err(VaryError::Rules)?);
        return Ok(setting);
    }
    let player = setting.player.to_string();
    let between = if player.contains(':') { ',' } else { ':' };
    setting.player = format!("{player}{between}{name}={value}")
        .parse()
        .map_err(VaryError::Player)?;
    Ok(setting)
}

/// Piles of 1, 2, 3, … cards, the last with what is left.
fn stairs(mut cards: u8) -> Result<Layout, RulesError> {
    let mut heights = Vec::new();
    while cards > 0 {
        let height = cards.min(heights.len() as u8 + 1);
        heights.push(height);
        cards -= height;
    }
    Layout::new(heights)
}

/// Why parameters cannot be varied.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum VaryError {
    /// Not a parameter with values.
    #[error("`{}` is no parameter with values: write NAME=A..B, NAME=A..B..STEP or NAME=A,B,C, \
         each value once, at most {MOST}", .0.escape_debug())]
    Text(String),
    /// Too many values.
    #[error(
        "`{}` has more than {MOST} values: take a larger step, NAME=A..B..STEP",
        .0.escape_debug()
    )]
    Values(String),
    /// A parameter stands twice.
    #[error("the parameter {} is given twice", .0.escape_debug())]
    Twice(String),
    /// Too many combinations.
    #[error("more than {MOST} combinations of values")]
    TooMany,
    /// A parameter of the game cannot have this value.
    #[error(
        "{0} cannot be {value}: write a whole number that fits the deck",
        value = .1.escape_debug()
    )]
    Value(String, String),
    /// The game cannot have these rules.
    #[error(transparent)]
    Rules(RulesError),
    /// The player has no such parameter or value.
    #[error("{0}{hint}", hint = of_the_game(.0))]
    Player(PlayerError),
}

/// The parameters of the game, where the player has none of a name.
fn of_the_game(error: &PlayerError) -> String {
    match error {
        PlayerError::Key { .. } => format!("; of the game: {}", OF_RULES.join(" ")),
        _ => String::new(),
    }
}
