//! What a run is about: rules, deals and limits, the content of `run.json`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::checkpoint::{self, CheckpointError};
use super::run_error::{FORMAT, MANIFEST, RunError};
use klondike_game::deal::seed::{DealRange, Scheme, Seed, SeedError};
use klondike_game::rules::Rules;

/// The word in `run.json` that says what it is.
const KIND: &str = "estimate-run";

/// What bounds the search for each deal of a run.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, JsonSchema, Serialize, Deserialize)]
pub struct RunLimits {
    /// Most states of the first search of a deal. What it does not decide is set aside.
    pub first_states: u64,
    /// Most states of the last search of a deal; `None` for no bound.
    pub max_states: Option<u64>,
    /// Most memory of all searches together, in bytes.
    pub memory_bytes: u64,
    /// Most seconds of each search of a deal; `None` for no bound. With a bound the records
    /// depend on the machine.
    pub seconds: Option<f64>,
    /// Whether threads without a deal help with hard ones. Then states and solutions recorded of
    /// the deals that were set aside vary from run to run.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub share_hard: bool,
}

impl RunLimits {
    /// Whether what is recorded of a deal follows from the deal and these limits.
    #[must_use]
    pub fn are_deterministic(self) -> bool {
        self.seconds.is_none() && !self.share_hard
    }

    /// Whether these limits allow at least what `old` allows, and differ from it.
    fn raise(self, old: RunLimits) -> bool {
        let states = |limits: RunLimits| limits.max_states.unwrap_or(u64::MAX);
        let seconds = |limits: RunLimits| limits.seconds.unwrap_or(f64::INFINITY);
        self != old
            && self.first_states == old.first_states
            && self.share_hard == old.share_hard
            && states(self) >= states(old)
            && self.memory_bytes >= old.memory_bytes
            && seconds(self) >= seconds(old)
    }
}

/// What a run is about: the content of `run.json`.
#[derive(Clone, Debug, PartialEq, JsonSchema, Serialize, Deserialize)]
pub struct Manifest {
    kind: String,
    format: u32,
    /// Version of the program that may go on with the run.
    pub program: String,
    /// Versions of the programs that made the records, if not only that one.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    programs: BTreeSet<String>,
    /// The rules as JSON.
    pub rules: serde_json::Value,
    /// The rules in words.
    pub rules_text: String,
    /// Seed scheme of the deals.
    pub scheme: String,
    /// Seed of the first deal, in decimal digits.
    pub first: String,
    /// Number of deals.
    pub deals: u64,
    /// What bounds the search for each deal.
    pub limits: RunLimits,
    /// How often the limits were raised.
    pub level: u32,
    /// Share of the deals whose verdicts are checked by certificates, `0.0..=1.0`.
    pub certify: f64,
}

impl Manifest {
    /// What a new run is about.
    #[must_use]
    pub fn new(rules: &Rules, range: &DealRange, limits: RunLimits, certify: f64) -> Manifest {
        Manifest {
            kind: KIND.to_owned(),
            format: FORMAT,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            programs: BTreeSet::new(),
            rules: serde_json::to_value(rules).unwrap_or_default(),
            rules_text: rules.to_string(),
            scheme: range.scheme().to_string(),
            first: range.ends().0.to_string(),
            deals: range.count_left().unwrap_or(u64::MAX),
            limits,
            level: 0,
            certify,
        }
    }

    /// What the run in a directory is about, if there is one.
    ///
    /// # Errors
    /// If `run.json` cannot be read or used.
    pub fn saved_in(path: &Path) -> Result<Option<Manifest>, RunError> {
        let file = path.join(MANIFEST);
        let Some(value) = checkpoint::load::<serde_json::Value>(&file)? else {
            return Ok(None);
        };
        let not_one = |reason: String| CheckpointError::NotOne {
            path: file.clone(),
            reason,
        };
        let format = value.get("format").and_then(serde_json::Value::as_u64);
        match (value.get("kind").and_then(|kind| kind.as_str()), format) {
            (Some(KIND), Some(format)) if format == u64::from(FORMAT) => {}
            (Some(KIND), Some(format)) => return Err(RunError::Format { path: file, format }),
            _ => return Err(not_one(format!("it is not of the kind {KIND}")).into()),
        }
        let manifest: Manifest =
            serde_json::from_value(value).map_err(|error| not_one(error.to_string()))?;
        manifest
            .range()
            .map_err(|error| not_one(error.to_string()))?;
        Ok(Some(manifest))
    }

    /// Versions of the programs that made the records.
    #[must_use]
    pub fn programs(&self) -> BTreeSet<String> {
        let mut programs = self.programs.clone();
        if programs.is_empty() {
            programs.insert(self.program.clone());
        }
        programs
    }

    /// Says that the records were made by programs of these versions.
    pub(super) fn set_programs(&mut self, programs: BTreeSet<String>) {
        self.program = env!("CARGO_PKG_VERSION").to_owned();
        let alone = programs.len() == 1 && programs.contains(&self.program);
        self.programs = if alone { BTreeSet::new() } else { programs };
    }

    /// The deals.
    ///
    /// # Errors
    /// If scheme or seeds are not ones.
    pub fn range(&self) -> Result<DealRange, SeedError> {
        let first: Seed = self.first.parse()?;
        DealRange::from_first(self.scheme.parse::<Scheme>()?, &first, self.deals)
    }

    /// The seed of the deal at `offset`.
    #[must_use]
    pub fn seed_text(&self, offset: u64) -> String {
        match self.first.parse::<Seed>() {
            Ok(first) => first.plus(offset).to_string(),
            Err(_) => format!("{}+{offset}", self.first),
        }
    }

    /// A checksum of what every record depends on: rules and the numbering of the deals.
    pub(super) fn identity(&self) -> u32 {
        // Names in ascending order, in whatever order they are kept.
        let rules: BTreeMap<_, _> = self.rules.as_object().into_iter().flatten().collect();
        let rules = serde_json::to_string(&rules).unwrap_or_default();
        let text = format!("{rules}\n{}\n{}", self.scheme, self.first);
        crc32fast::hash(text.as_bytes())
    }

    /// Goes on from `saved`: with more deals if they are asked for, and with higher limits if
    /// `raise_limits`.
    pub(super) fn go_on(
        &self,
        saved: &Manifest,
        raise_limits: bool,
        path: &Path,
    ) -> Result<Manifest, RunError> {
        let other = |what: &str, saved: String, asked: String| RunError::Other {
            path: path.to_owned(),
            what: what.to_owned(),
            saved,
            asked,
        };
        let number = |limit: Option<u64>| limit.map_or("none".to_owned(), |n| n.to_string());
        let seconds = |limits: RunLimits| limits.seconds.map_or("none".into(), |s| s.to_string());
        let pairs = [
            ("program version", &saved.program, &self.program),
            ("scheme", &saved.scheme, &self.scheme),
            ("first seed", &saved.first, &self.first),
            (
                "share to certify",
                &saved.certify.to_string(),
                &self.certify.to_string(),
            ),
        ];
        for (what, saved, asked) in pairs {
            if saved != asked {
                return Err(other(what, saved.clone(), asked.clone()));
            }
        }
        let fields = saved.rules.as_object().into_iter().flatten();
        for (field, saved) in fields {
            let asked = &self.rules[field];
            if saved != asked {
                let what = format!("rule `{field}`");
                return Err(other(&what, saved.to_string(), asked.to_string()));
            }
        }
        if self.deals < saved.deals {
            let (saved, asked) = (saved.deals.to_string(), self.deals.to_string());
            return Err(other("number of deals", saved, asked));
        }
        let (old, new) = (saved.limits, self.limits);
        let mut going_on = Manifest {
            deals: self.deals,
            ..saved.clone()
        };
        if old == new {
            return Ok(going_on);
        }
        if raise_limits && new.raise(old) {
            going_on.limits = new;
            going_on.level += 1;
            return Ok(going_on);
        }
        let limits = [
            (
                "limit of states of the first search",
                old.first_states.to_string(),
                new.first_states.to_string(),
            ),
            (
                "limit of states",
                number(old.max_states),
                number(new.max_states),
            ),
            (
                "limit of memory",
                format!("{} bytes", old.memory_bytes),
                format!("{} bytes", new.memory_bytes),
            ),
            ("limit of time", seconds(old), seconds(new)),
            (
                "sharing of hard deals",
                old.share_hard.to_string(),
                new.share_hard.to_string(),
            ),
        ];
        let differs = limits.into_iter().find(|(_, saved, asked)| saved != asked);
        let (what, saved, asked) = differs.unwrap_or_default();
        Err(RunError::Limits {
            what,
            saved,
            asked,
            lower: !new.raise(old),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_identity_of_a_run_is_that_of_the_specification() {
        let range = DealRange::from_first(Scheme::Klondike, &Seed::from(1_u64), 5).unwrap();
        let limits = RunLimits {
            first_states: 1,
            max_states: None,
            memory_bytes: 1,
            seconds: None,
            share_hard: false,
        };
        let manifest = Manifest::new(&Rules::standard(), &range, limits, 0.0);
        let text = "{\"draw\":3,\"piles\":[1,2,3,4,5,6,7],\"ranks\":13,\"redeals\":\"unlimited\",\
                    \"runs\":\"partial\",\"spaces\":\"kings\",\"suits\":4,\"worrying_back\":true}\n\
                    klondike\n1";
        assert_eq!(manifest.identity(), crc32fast::hash(text.as_bytes()));
        let more = Manifest {
            deals: 9,
            certify: 0.5,
            ..manifest.clone()
        };
        assert_eq!(more.identity(), manifest.identity());
        let other = Manifest {
            first: "2".to_owned(),
            ..manifest.clone()
        };
        assert_ne!(other.identity(), manifest.identity());
    }
}
