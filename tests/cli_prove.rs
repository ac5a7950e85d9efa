//! The commands `prove` and `check`, end to end: certificates of every kind, wrong ones, several at
//! once, limits, bad arguments.

#![allow(clippy::unwrap_used)] // a test may panic

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::Value;

fn klondike(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_klondike"))
        .args(arguments)
        .output()
        .unwrap()
}

fn file(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_file(&path);
    path.to_str().unwrap().to_owned()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Proves a deal and gives the certificate's file.
fn prove(name: &str, arguments: &[&str]) -> String {
    let file = file(name);
    let output = klondike(&[&["prove", "-o", &file], arguments].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    file
}

#[test]
fn certificates_of_every_kind_are_verified_together() {
    let won = prove("won.kc", &["solvitaire:3"]);
    let blocked = prove("blocked.kc", &["solvitaire:1"]);
    let closed = prove("closed.kc", &["--draw", "1", "solvitaire:263"]);
    let other_rules = prove("yan.kc", &["--rules", "yan", "solvitaire:2"]);
    let output = klondike(&["check", &won, &blocked, &closed, &other_rules]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let out = text(&output.stdout);
    assert_eq!(out.matches("VERIFIED winnable").count(), 2, "{out}");
    assert_eq!(out.matches("VERIFIED unwinnable").count(), 2, "{out}");
    let output = klondike(&["check", "--json", &closed]);
    let object: Value = serde_json::from_str(text(&output.stdout).trim()).unwrap();
    assert_eq!(object["verdict"], "unwinnable");
    assert_eq!(object["rules"]["draw"], 1);
}

#[test]
fn a_broken_certificate_fails_and_the_others_are_still_checked() {
    let good = prove("good.kc", &["solvitaire:4"]);
    let broken = file("broken.kc");
    let mut bytes = fs::read(&good).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    fs::write(&broken, &bytes).unwrap();
    let cut = file("cut.kc");
    fs::write(&cut, &fs::read(&good).unwrap()[..20]).unwrap();
    let empty = file("empty.kc");
    fs::write(&empty, b"").unwrap();
    let output = klondike(&["check", &broken, &cut, &empty, &good]);
    assert_eq!(output.status.code(), Some(1));
    let (out, err) = (text(&output.stdout), text(&output.stderr));
    assert_eq!(out.matches("VERIFIED").count(), 1, "{out}");
    for name in ["broken.kc", "cut.kc", "empty.kc"] {
        assert!(
            out.contains(name) || err.contains(name),
            "{name}: {out}{err}"
        );
    }
}

#[test]
fn nothing_is_written_when_a_limit_is_hit_or_no_certificate_exists() {
    let limited = file("limited.kc");
    let output = klondike(&[
        "prove",
        "-o",
        &limited,
        "--max-states",
        "5",
        "solvitaire:1434",
    ]);
    assert_eq!(output.status.code(), Some(3));
    // Lost with three passes, won with more: there is no weaker game that is lost.
    let narrow = file("narrow.kc");
    let output = klondike(&["prove", "-o", &narrow, "--rules", "vegas3", "solvitaire:3"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("no certificate"));
    for name in [limited, narrow] {
        assert!(!PathBuf::from(&name).exists(), "{name}");
        assert!(!PathBuf::from(name + ".part").exists());
    }
}

#[test]
fn wrong_arguments_are_one_line() {
    for (arguments, status) in [
        (&["prove", "solvitaire:1"][..], 2),
        (&["prove", "-o", "x.kc", "solvitaire:1..2"], 2),
        (&["check"], 2),
        (&["check", "no/such/file.kc"], 1),
    ] {
        let output = klondike(arguments);
        let lines = text(&output.stderr).lines().count();
        assert_eq!(output.status.code(), Some(status), "{arguments:?}");
        assert_eq!(lines, 1, "{arguments:?}: {}", text(&output.stderr));
    }
}
