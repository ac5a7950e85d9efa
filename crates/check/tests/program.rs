//! The program `klondike-check`: what it prints, and its exit statuses.

#![allow(clippy::unwrap_used)] // a test may panic

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;

use klondike_engine::prove::certify::certify;
use klondike_engine::search::Limits;
use klondike_game::deal::Deal;
use klondike_game::rules::Rules;
use klondike_game::table::Table;
use klondike_lemmas::prune::Lemmas;

/// Runs the program: its status, what it prints, and its errors.
fn run(arguments: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_klondike-check"))
        .args(arguments)
        .output()
        .unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    let status = output.status.code().unwrap();
    (status, text(output.stdout), text(output.stderr))
}

/// A certificate of a deal of draw 1, in a file of its own.
fn certificate(seed: &str) -> PathBuf {
    let deal: Deal = seed.parse().unwrap();
    let rules = Arc::new(Rules::named("draw1").unwrap());
    let table = Table::new(rules, &deal).unwrap();
    let mut bytes = Vec::new();
    certify(&table, Lemmas::ALL, &Limits::default(), &mut bytes).unwrap();
    let name = format!("{}.kc", seed.replace(':', "-"));
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, bytes).unwrap();
    path
}

#[test]
fn wins_and_losses_are_verified() {
    let (won, lost) = (certificate("klondike:5"), certificate("solvitaire:263"));
    let (status, out, err) = run(&[won.to_str().unwrap(), lost.to_str().unwrap()]);
    assert_eq!((status, err.as_str()), (0, ""));
    assert!(out.contains("VERIFIED winnable") && out.contains("VERIFIED unwinnable"));
    assert!(out.contains("draw 1"), "the rules are printed: {out}");
}

#[test]
fn a_broken_certificate_is_rejected() {
    let path = certificate("klondike:6");
    let mut bytes = fs::read(&path).unwrap();
    bytes.truncate(bytes.len() - 1);
    let broken = path.with_extension("broken");
    fs::write(&broken, bytes).unwrap();
    let (status, out, err) = run(&[broken.to_str().unwrap(), path.to_str().unwrap()]);
    assert_eq!(status, 1);
    assert!(out.starts_with("REJECTED") && out.contains("VERIFIED"));
    assert!(err.contains("1 of 2 certificates rejected"), "{err}");
    let (status, out, _) = run(&["no-such-file"]);
    assert!(status == 1 && out.contains("cannot be opened"), "{out}");
}

#[test]
fn wrong_command_lines_have_status_2() {
    for (arguments, part) in [
        (&[][..], "no certificate is named"),
        (&["--max-entries"], "needs a number"),
        (&["--max-entries", "x", "file"], "not a number of entries"),
        (&["--fast", "file"], "there is no option"),
    ] {
        let (status, out, err) = run(arguments);
        assert_eq!((status, out.as_str()), (2, ""), "{arguments:?}");
        assert!(err.contains(part) && err.lines().count() == 1, "{err}");
    }
    let (status, out, _) = run(&["--help"]);
    assert!(status == 0 && out.contains("usage:"));
}
