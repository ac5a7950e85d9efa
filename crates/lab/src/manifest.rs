//! What a run is about: rules, deals and limits, the content of `run.json`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use super::checkpoint::{self, CheckpointError};
use super::run_error::{FORMAT, MANIFEST, RunError};
use klondike_contract::runs::{Manifest, RunLimits};
use klondike_game::deal::seed::{DealRange, Scheme, Seed, SeedError};
use klondike_game::rules::Rules;

/// The word in `run.json` that says what it is.
const KIND: &str = "estimate-run";

/// Whether the limits `new` allow at least what `old` allows, and differ from it.
fn raise(new: RunLimits, old: RunLimits) -> bool {
    let states = |limits: RunLimits| limits.max_states.unwrap_or(u64::MAX);
    let seconds = |limits: RunLimits| limits.seconds.unwrap_or(f64::INFINITY);
    new != old
        && new.first_states == old.first_states
        && new.share_hard == old.share_hard
        && states(new) >= states(old)
        && new.memory_bytes >= old.memory_bytes
        && seconds(new) >= seconds(old)
}

/// What a new run is about.
#[must_use]
pub fn new_run(rules: &Rules, range: &DealRange, limits: RunLimits, certify: f64) -> Manifest {
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

/// The JSON of the `run.json` in a directory, if there is one.
///
/// # Errors
/// If it cannot be read, or is no JSON.
pub(super) fn json_in(path: &Path) -> Result<Option<serde_json::Value>, RunError> {
    checkpoint::load(&path.join(MANIFEST)).map_err(|error| match error {
        CheckpointError::NotOne { path, reason } => RunError::Manifest { path, reason },
        error => error.into(),
    })
}

/// What the run in a directory is about, if there is one.
///
/// # Errors
/// If `run.json` cannot be read or used.
pub fn saved_in(path: &Path) -> Result<Option<Manifest>, RunError> {
    let Some(value) = json_in(path)? else {
        return Ok(None);
    };
    let file = path.join(MANIFEST);
    let not_one = |reason: String| RunError::Manifest {
        path: file.clone(),
        reason,
    };
    let format = value.get("format").and_then(serde_json::Value::as_u64);
    match (value.get("kind").and_then(|kind| kind.as_str()), format) {
        (Some(KIND), Some(format)) if format == u64::from(FORMAT) => {}
        (Some(KIND), Some(format)) => return Err(RunError::Format { path: file, format }),
        _ => return Err(not_one(format!("it is not of the kind {KIND}"))),
    }
    let manifest: Manifest =
        serde_json::from_value(value).map_err(|error| not_one(error.to_string()))?;
    range(&manifest).map_err(|error| not_one(error.to_string()))?;
    Ok(Some(manifest))
}

/// Versions of the programs that made the records.
#[must_use]
pub fn programs(manifest: &Manifest) -> BTreeSet<String> {
    let mut programs = manifest.programs.clone();
    if programs.is_empty() {
        programs.insert(manifest.program.clone());
    }
    programs
}

/// Says that the records were made by programs of these versions.
pub(super) fn set_programs(manifest: &mut Manifest, programs: BTreeSet<String>) {
    manifest.program = env!("CARGO_PKG_VERSION").to_owned();
    let alone = programs.len() == 1 && programs.contains(&manifest.program);
    manifest.programs = if alone { BTreeSet::new() } else { programs };
}

/// The deals.
///
/// # Errors
/// If scheme or seeds are not ones.
pub fn range(manifest: &Manifest) -> Result<DealRange, SeedError> {
    let first: Seed = manifest.first.parse()?;
    DealRange::from_first(manifest.scheme.parse::<Scheme>()?, &first, manifest.deals)
}

/// The seed of the deal at `offset`.
#[must_use]
pub fn seed_text(manifest: &Manifest, offset: u64) -> String {
    match manifest.first.parse::<Seed>() {
        Ok(first) => first.plus(offset).to_string(),
        Err(_) => format!("{}+{offset}", manifest.first),
    }
}

/// A checksum of what every record depends on: rules and the numbering of the deals.
pub(super) fn identity(manifest: &Manifest) -> u32 {
    // Names in ascending order, in whatever order they are kept.
    let rules: BTreeMap<_, _> = manifest.rules.as_object().into_iter().flatten().collect();
    let rules = serde_json::to_string(&rules).unwrap_or_default();
    let text = format!("{rules}\n{}\n{}", manifest.scheme, manifest.first);
    crc32fast::hash(text.as_bytes())
}

/// Goes on from `saved`: with more deals if they are asked for, and with higher limits if
/// `raise_limits`.
pub(super) fn go_on(
    asked: &Manifest,
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
        ("program version", &saved.program, &asked.program),
        ("scheme", &saved.scheme, &asked.scheme),
        ("first seed", &saved.first, &asked.first),
        (
            "share to certify",
            &saved.certify.to_string(),
            &asked.certify.to_string(),
        ),
    ];
    for (what, saved, wanted) in pairs {
        if saved != wanted {
            return Err(other(what, saved.clone(), wanted.clone()));
        }
    }
    let fields = saved.rules.as_object().into_iter().flatten();
    for (field, saved) in fields {
        let wanted = &asked.rules[field];
        if saved != wanted {
            let what = format!("rule `{field}`");
            return Err(other(&what, saved.to_string(), wanted.to_string()));
        }
    }
    if asked.deals < saved.deals {
        let (saved, wanted) = (saved.deals.to_string(), asked.deals.to_string());
        return Err(other("number of deals", saved, wanted));
    }
    let (old, new) = (saved.limits, asked.limits);
    let mut going_on = Manifest {
        deals: asked.deals,
        ..saved.clone()
    };
    if old == new {
        return Ok(going_on);
    }
    if raise_limits && raise(new, old) {
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
        lower: !raise(new, old),
    })
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
        let manifest = new_run(&Rules::standard(), &range, limits, 0.0);
        let text = "{\"draw\":3,\"piles\":[1,2,3,4,5,6,7],\"ranks\":13,\"redeals\":\"unlimited\",\
                    \"runs\":\"partial\",\"spaces\":\"kings\",\"suits\":4,\"worrying_back\":true}\n\
                    klondike\n1";
        assert_eq!(identity(&manifest), crc32fast::hash(text.as_bytes()));
        let more = Manifest {
            deals: 9,
            certify: 0.5,
            ..manifest.clone()
        };
        assert_eq!(identity(&more), identity(&manifest));
        let other = Manifest {
            first: "2".to_owned(),
            ..manifest.clone()
        };
        assert_ne!(identity(&other), identity(&manifest));
    }
}
