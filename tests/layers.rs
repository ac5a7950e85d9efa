//! The order of the layers: what each part of the crate may import.
//!
//! Every path that begins with `crate::` in `src/` must lead to a module that stands before its
//! own in the order below, or into its own. The checker of certificates must share no code with
//! the searches, so it may import much less.

#![allow(clippy::unwrap_used)] // in helpers of the tests

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// From the ground up. A module may import those before it.
const ORDER: [&str; 17] = [
    "card",
    "rules",
    "deal",
    "table",
    "kplus",
    "prune",
    "parallel",
    "search",
    "prove",
    "interval",
    "play",
    "grade",
    "published",
    "estimate",
    "reproduce",
    "patience",
    "cli",
];

/// All that the checker may import.
const CHECKER: [&str; 5] = ["card", "rules", "deal", "table", "prove::certificate"];

fn sources(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
}

/// The code of a file without comments and without its test module at the end.
fn code(text: &str) -> String {
    text.split("\n#[cfg(test)]\nmod tests")
        .next()
        .unwrap()
        .lines()
        .map(|line| line.split("//").next().unwrap())
        .collect::<Vec<_>>()
        .join("\n")
}

/// The first two parts of every path after `crate::`, groups in braces taken apart.
fn imports(code: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for rest in code.split("crate::").skip(1) {
        for path in first_parts(rest, 2) {
            found.insert(path);
        }
    }
    found
}

/// The paths that `rest` begins with, cut after `depth` parts.
fn first_parts(rest: &str, depth: usize) -> Vec<String> {
    let rest = rest.trim_start();
    if depth == 0 {
        return vec![String::new()];
    }
    if let Some(group) = rest.strip_prefix('{') {
        return members(group)
            .into_iter()
            .flat_map(|member| first_parts(member, depth))
            .collect();
    }
    let end = rest
        .find(|c: char| !(c.is_alphanumeric() || c == '_'))
        .unwrap_or(rest.len());
    let (name, after) = rest.split_at(end);
    match after.trim_start().strip_prefix("::") {
        None => vec![name.to_owned()],
        Some(after) => first_parts(after, depth - 1)
            .into_iter()
            .map(|tail| match tail.as_str() {
                "" => name.to_owned(),
                tail => format!("{name}::{tail}"),
            })
            .collect(),
    }
}

/// The parts between the commas of a group, up to its closing brace.
fn members(group: &str) -> Vec<&str> {
    let (mut depth, mut begin) = (0, 0);
    let mut found = Vec::new();
    for (at, c) in group.char_indices() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => {
                found.push(&group[begin..at]);
                break;
            }
            '}' => depth -= 1,
            ',' if depth == 0 => {
                found.push(&group[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    found.retain(|member| !member.trim().is_empty());
    found
}

/// What is wrong with one file, `name` being its path in `src`, such as `prove/check.rs`.
fn faults(name: &str, text: &str) -> Vec<String> {
    let layer = name.split(['/', '.']).next().unwrap();
    if layer == "lib" {
        return Vec::new();
    }
    let place = |module: &str| ORDER.iter().position(|&other| other == module);
    let own = match layer {
        "main" => ORDER.len(),
        _ => match place(layer) {
            Some(own) => own,
            None => return vec![format!("{name}: `{layer}` has no place in the order")],
        },
    };
    let mut faults = Vec::new();
    for path in imports(&code(text)) {
        let module = path.split("::").next().unwrap();
        let allowed = if name.starts_with("prove/check") || name == "prove/certificate.rs" {
            CHECKER.contains(&module) || CHECKER.contains(&path.as_str())
        } else {
            place(module).is_some_and(|other| other <= own)
        };
        if !allowed {
            faults.push(format!("{name} imports crate::{path}"));
        }
    }
    faults
}

#[test]
fn imports_point_up_the_list_only() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut files = Vec::new();
    sources(&root, &mut files);
    assert!(files.len() > 5);
    let mut all = Vec::new();
    for file in files {
        let name = file.strip_prefix(&root).unwrap();
        let parts: Vec<&str> = name.iter().map(|part| part.to_str().unwrap()).collect();
        all.extend(faults(
            &parts.join("/"),
            &fs::read_to_string(&file).unwrap(),
        ));
    }
    assert!(
        all.is_empty(),
        "against the order of layers:\n{}",
        all.join("\n")
    );
}

/// The modules of a layer that import each other in a circle, directly or around corners.
fn in_circles(layer: &str, files: &[(String, String)]) -> Vec<String> {
    let module = |name: &str| {
        let rest = name.strip_prefix(layer)?.strip_prefix('/')?;
        Some(rest.split(['/', '.']).next()?.to_owned())
    };
    let mut edges = BTreeMap::<String, BTreeSet<String>>::new();
    for (name, text) in files {
        let Some(own) = module(name) else { continue };
        let targets = imports(&code(text)).into_iter().filter_map(|path| {
            let target = path.strip_prefix(layer)?.strip_prefix("::")?.to_owned();
            (target != own).then_some(target)
        });
        edges.entry(own.clone()).or_default().extend(targets);
    }
    // Modules that import nothing of the rest are in no circle.
    loop {
        let left: BTreeSet<String> = edges.keys().cloned().collect();
        edges.retain(|_, targets| targets.iter().any(|target| left.contains(target)));
        if edges.len() == left.len() {
            return left.into_iter().collect();
        }
    }
}

#[test]
fn players_import_each_other_in_no_circle() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut paths = Vec::new();
    sources(&root, &mut paths);
    let files: Vec<(String, String)> = paths
        .iter()
        .map(|path| {
            let name = path.strip_prefix(&root).unwrap();
            (
                name.to_str().unwrap().replace('\\', "/"),
                fs::read_to_string(path).unwrap(),
            )
        })
        .collect();
    for layer in ["play", "published"] {
        assert_eq!(in_circles(layer, &files), [""; 0], "{layer}");
    }
}

#[test]
fn circles_are_seen() {
    let file = |name: &str, text: &str| (name.to_owned(), text.to_owned());
    let files = [
        file("play/a.rs", "use crate::play::b::X;"),
        file("play/b/c.rs", "use crate::play::{a::Y, d};"),
        file("play/d.rs", "use crate::card::Card;"),
    ];
    assert_eq!(in_circles("play", &files), ["a", "b"]);
    assert_eq!(in_circles("play", &files[1..]), [""; 0]);
}

#[test]
fn the_test_sees_what_it_should() {
    assert_eq!(
        faults("table.rs", "use crate::card::Card;\n// crate::cli\n"),
        [""; 0]
    );
    assert_eq!(
        faults("deal/seed.rs", "fn f() -> crate::search::table::Options {}"),
        ["deal/seed.rs imports crate::search::table"]
    );
    assert_eq!(
        faults(
            "rules.rs",
            "use crate::{card, deal::{Deal, format}, search::{self, brute}};"
        ),
        [
            "rules.rs imports crate::deal::Deal",
            "rules.rs imports crate::deal::format",
            "rules.rs imports crate::search::brute",
            "rules.rs imports crate::search::self",
        ]
    );
    assert_eq!(
        faults("helpers.rs", ""),
        ["helpers.rs: `helpers` has no place in the order"]
    );
    assert_eq!(
        faults(
            "search.rs",
            "x\n#[cfg(test)]\nmod tests { use crate::play::x; }"
        ),
        [""; 0]
    );
    assert_eq!(
        faults(
            "prove/check.rs",
            "use crate::prove::certificate::Certificate;\nuse crate::prove::Verdict;\n\
             use crate::table::Table;\nuse crate::{kplus, search::Limits};"
        ),
        [
            "prove/check.rs imports crate::kplus",
            "prove/check.rs imports crate::prove::Verdict",
            "prove/check.rs imports crate::search::Limits",
        ]
    );
}
