//! Tests of the tests: the engine with one wrong rule put into it must fail the suite.
//!
//! Each [`Mutant`] is an edit of the sources. A copy of the package is edited, built and tested;
//! nothing wrong ever stands in the engine itself. Some of the rules look right and passed
//! thousands of deals in other programs.
//!
//! `cargo test --release --test prove mutants:: -- --ignored --nocapture` (a build for every
//! mutant); with `KLONDIKE_MUTANT=name,name` only these.

mod wrong_losses;
mod wrong_rules;
mod wrong_talons;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

struct Mutant {
    name: &'static str,
    file: &'static str,
    from: &'static str,
    to: &'static str,
}

fn all_mutants() -> impl Iterator<Item = &'static Mutant> {
    let rules = wrong_rules::MUTANTS.iter().chain(wrong_losses::MUTANTS);
    rules.chain(wrong_talons::MUTANTS)
}

/// Mutants that no test tells from the engine: they are only not proved.
const NOT_CAUGHT: [&str; 2] = [
    "safe-moves-in-every-context",
    "cards-with-holds-are-drawn-in-chains",
];

/// Copies the package without what is built or hidden.
fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name();
        if name == "target" || name.to_string_lossy().starts_with('.') {
            continue;
        }
        let place = to.join(&name);
        if entry.file_type().unwrap().is_dir() {
            copy(&entry.path(), &place);
        } else {
            fs::copy(entry.path(), place).unwrap();
        }
    }
}

/// The tests that must catch the mutants, as arguments of `cargo test`; those that catch most are
/// first. Modules of `tests/engine`, and the unit tests of the engine and of the lemmas.
const SUITES: [[&str; 3]; 14] = [
    ["--test", "engine", "fuzz_states::"],
    ["--test", "engine", "agree::"],
    ["--test", "engine", "reveals::"],
    ["--test", "engine", "refute::"],
    ["--test", "engine", "kplus::"],
    ["--test", "engine", "reach_order::"],
    ["--test", "engine", "passes::"],
    ["--test", "engine", "last_pass::"],
    ["--test", "engine", "reversed_groups::"],
    ["--test", "engine", "shortest::"],
    ["--test", "engine", "whole_runs::"],
    ["--test", "engine", "decide::"],
    ["--package", "klondike-engine", "--lib"],
    ["--package", "klondike-lemmas", "--lib"],
];

/// The same for mutants of the checker.
const SUITES_OF_CHECKER: [[&str; 3]; 1] = [["--package", "klondike-check", "--lib"]];

/// Runs `cargo` in the copy, with a profile that builds quickly; tells whether it succeeded.
fn cargo(package: &Path, target: &Path, arguments: &[&str]) -> bool {
    let mut command = Command::new(env!("CARGO"));
    command
        .current_dir(package)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .args(arguments)
        .args(["--release", "--target-dir"])
        .arg(target);
    for profile in [
        "profile.release.codegen-units=16",
        "profile.release.debug=false",
        "profile.release.incremental=true",
    ] {
        command.args(["--config", profile]);
    }
    command.status().unwrap().success()
}

/// The first of the suites that fails, each built only when those before it passed.
fn caught_by(package: &Path, target: &Path, suites: &[[&'static str; 3]]) -> Option<String> {
    let passes = |suite: &[&str; 3]| cargo(package, target, &[&["test"], &suite[..]].concat());
    let caught = suites.iter().find(|suite| !passes(suite));
    caught.map(|suite| suite.join(" "))
}

/// The suites that must catch a mutant of this file.
fn suites_for(file: &str) -> &'static [[&'static str; 3]] {
    match file.starts_with("crates/check/") {
        true => &SUITES_OF_CHECKER,
        false => &SUITES,
    }
}

/// The text of the mutant's file with the wrong rule in it.
fn mutated(package: &Path, mutant: &Mutant) -> String {
    let text = fs::read_to_string(package.join(mutant.file)).unwrap();
    let found = text.matches(mutant.from).count();
    assert_eq!(
        found, 1,
        "{}: the text to replace stands {found} times in {}; fit the mutant to the new text",
        mutant.name, mutant.file
    );
    text.replace(mutant.from, mutant.to)
}

/// A mutant that no longer fits the sources would go unnoticed until the long test runs.
#[test]
fn every_wrong_rule_has_its_place() {
    for mutant in all_mutants() {
        mutated(Path::new(env!("CARGO_MANIFEST_DIR")), mutant);
    }
}

#[test]
#[ignore = "builds the package once for every mutant"]
fn every_wrong_rule_is_caught() {
    let source = Path::new(env!("CARGO_MANIFEST_DIR"));
    let place = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("mutants");
    let (package, target) = (place.join("package"), place.join("target"));
    let _ = fs::remove_dir_all(&package);
    let only = std::env::var("KLONDIKE_MUTANT").ok();
    let chosen = |mutant: &&Mutant| {
        let only = only.as_ref();
        only.is_none_or(|names| names.split(',').any(|name| name == mutant.name))
    };
    copy(source, &package);
    let mutants: Vec<_> = all_mutants().filter(chosen).collect();
    for suites in [&SUITES[..], &SUITES_OF_CHECKER[..]] {
        if mutants
            .iter()
            .any(|mutant| suites_for(mutant.file) == suites)
        {
            let fails = caught_by(&package, &target, suites);
            assert_eq!(fails, None, "what is right fails");
        }
    }
    let mut wrong = Vec::new();
    for mutant in mutants {
        let _ = fs::remove_dir_all(&package);
        copy(source, &package);
        let text = mutated(&package, mutant);
        fs::write(package.join(mutant.file), text).unwrap();
        assert!(
            cargo(&package, &target, &["build", "--lib"]),
            "{} does not build",
            mutant.name
        );
        let caught = caught_by(&package, &target, suites_for(mutant.file));
        let result = match &caught {
            Some(suite) => format!("caught by {suite}"),
            None => "NOT CAUGHT".to_owned(),
        };
        println!("{}: {result}", mutant.name);
        if caught.is_some() == NOT_CAUGHT.contains(&mutant.name) {
            wrong.push(mutant.name);
        }
    }
    assert!(wrong.is_empty(), "not as expected: {wrong:?}");
}
