//! A store of parts is read as the run that it amounts to, and what is damaged is noticed.
//!
//! `store` is what `klondike_solver.cluster.estimate(None, "draw1", deals="klondike:1..40",
//! store="store", part=20, first_states=300, max_states=20000, memory=1 << 30, certify=0.1)` wrote,
//! and `store.csv` the table of the run that `klondike_solver.cluster.export` made of it.

#![cfg(feature = "parquet")]

use std::fs;
use std::path::{Path, PathBuf};

use klondike_lab::contents::Contents;
use klondike_lab::export::{Form, export};
use klondike_lab::run_error::RunError;
use klondike_lab::variants::compare;

const PART: &str = "parts/klondike-00000000000000000001-00000000000000000020.parquet";
const HARD: &str = "hard/klondike-00000000000000000016.parquet";

/// A copy of the store for a test.
fn store(name: &str) -> PathBuf {
    let from = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/store");
    let to = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_dir_all(&to);
    for folder in ["", "parts", "hard"] {
        fs::create_dir_all(to.join(folder)).unwrap();
        for entry in fs::read_dir(from.join(folder)).unwrap() {
            let file = entry.unwrap().path();
            if file.is_file() {
                let copy = to.join(folder).join(file.file_name().unwrap());
                fs::copy(&file, copy).unwrap();
            }
        }
    }
    to
}

fn table(contents: &Contents) -> String {
    let mut table = Vec::new();
    export(contents, Form::Csv, true, &mut table).unwrap();
    String::from_utf8(table).unwrap()
}

#[test]
fn its_records_are_those_of_the_run() {
    let store = store("store-whole");
    let contents = Contents::read(&store, false).unwrap();
    assert_eq!(table(&contents), include_str!("store.csv"));
    assert_eq!(contents.manifest.rules_text.matches("draw 1").count(), 1);
    assert_eq!(contents.manifest.certify, 0.1);
    assert!(contents.set_aside.is_empty());
}

#[test]
fn what_is_not_there_is_missing() {
    let store = store("store-open");
    fs::remove_file(store.join(HARD)).unwrap();
    fs::write(store.join("hard/.16.tmp"), "of a task that was killed").unwrap();
    let contents = Contents::read(&store, false).unwrap();
    assert_eq!(contents.deals.len(), 39);
    assert_eq!(contents.set_aside.len(), 1);
    assert_eq!(contents.set_aside[0].offset, 15);
    // It counts as undecided, in its place.
    let verdicts = contents.verdicts();
    assert!(verdicts.is_sorted_by_key(|&(offset, _)| offset));
    assert_eq!(verdicts.len(), 40);
    assert!(verdicts.contains(&(15, None)));
    let mut stricter = Contents::read(&store, false).unwrap();
    stricter.manifest.rules["worrying_back"] = false.into();
    let compared = compare(&contents, &stricter).unwrap().unwrap();
    assert_eq!((compared.deals, compared.both_open), (40, 1));
    fs::remove_dir_all(store.join("hard")).unwrap();
    assert_eq!(Contents::read(&store, false).unwrap().deals.len(), 36);
}

#[test]
fn a_changed_byte_is_noticed_or_changes_nothing() {
    let store = store("store-damaged");
    let whole = table(&Contents::read(&store, false).unwrap());
    let path = store.join(PART);
    let bytes = fs::read(&path).unwrap();
    let mut noticed = 0;
    for at in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= [0x01, 0x80, 0xff][at % 3];
        fs::write(&path, changed).unwrap();
        match Contents::read(&store, false) {
            Ok(contents) => assert_eq!(table(&contents), whole, "byte {at}"),
            Err(RunError::Part(file)) => {
                assert_eq!(file, path);
                noticed += 1;
            }
            Err(other) => panic!("byte {at}: {other}"),
        }
    }
    assert!(noticed > bytes.len() / 2, "{noticed}");
    fs::write(&path, &bytes[..bytes.len() - 1]).unwrap();
    assert!(matches!(
        Contents::read(&store, false),
        Err(RunError::Part(_))
    ));
    assert_eq!(Contents::read(&store, true).unwrap().deals.len(), 23);
}

#[test]
fn parts_of_another_run_do_not_count() {
    let store = store("store-other");
    let file = store.join("run.json");
    let text = fs::read_to_string(&file).unwrap();
    fs::write(&file, text.replace("20000", "20001")).unwrap();
    assert!(matches!(
        Contents::read(&store, false),
        Err(RunError::Part(_))
    ));
    // More deals are the same run.
    fs::write(&file, text.replace("\"last\": 40", "\"last\": 50")).unwrap();
    let contents = Contents::read(&store, false).unwrap();
    assert_eq!((contents.deals.len(), contents.manifest.deals), (40, 50));
    fs::write(&file, text.replace("\"estimate\"", "\"simulate\"")).unwrap();
    let error = Contents::read(&store, false).unwrap_err().to_string();
    assert!(error.contains("its parts are of `simulate`"), "{error}");
}
