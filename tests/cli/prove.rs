//! The commands `prove` and `check`, end to end: certificates of every kind, wrong ones, several at
//! once, limits, bad arguments.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::python::python;

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

/// Losses that limited redeals, whole runs, or any card in spaces cause.
#[test]
fn losses_under_other_rules_are_proved_by_other_sets() {
    let with_redeals = ("closed set with redeals", "positions with redeals\n");
    let with_holds = ("closed set with holds", "positions with holds\n");
    let at_table = ("closed table set", "positions at the table\n");
    for (number, rules, (proof, words)) in [
        (4, &["--rules", "vegas1"][..], with_redeals),
        (39, &["--rules", "vegas3"], with_redeals),
        (30_000_002, &["--draw", "1", "--runs", "whole"], with_holds),
        (40, &["--spaces", "any"], at_table),
        (41, &["--rules", "vegas1", "--spaces", "any"], at_table),
    ] {
        let deal = format!("klondike:{number}");
        let file = prove("table.kc", &[rules, &[&deal]].concat());
        let output = klondike(&["check", "--json", &file]);
        assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
        let object: Value = serde_json::from_str(text(&output.stdout).trim()).unwrap();
        assert_eq!(object["verdict"], "unwinnable");
        assert_eq!(object["proof"], proof);
        assert_eq!(object["carried_over"], false);
        assert!(object["entries"].as_u64().unwrap() > 10);
        let output = klondike(&["check", &file]);
        let out = text(&output.stdout);
        assert!(out.contains(words), "{out}");
        let output = klondike(&["check", "--max-entries", "10", &file]);
        assert_eq!(output.status.code(), Some(1));
        assert!(text(&output.stdout).contains("more than 10 entries"));
    }
}

/// A loss that is one only because kings do not go to empty piles.
#[test]
fn losses_without_spaces_are_proved_on_abstract_positions() {
    let deal = "klondike:21";
    let output = klondike(&["solve", "--quiet", deal]);
    assert_eq!(text(&output.stdout), "winnable\n");
    let file = prove("nothing.kc", &["--spaces", "nothing", deal]);
    let output = klondike(&["check", "--json", &file]);
    let object: Value = serde_json::from_str(text(&output.stdout).trim()).unwrap();
    assert_eq!(object["verdict"], "unwinnable");
    assert_ne!(object["proof"], "closed table set");
    assert_eq!(object["carried_over"], false);
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
fn nothing_is_written_when_a_limit_is_hit() {
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
    // Lost in 53 states of the search, but more positions are needed to show it.
    let narrow = file("narrow.kc");
    let arguments = [
        "prove",
        "-o",
        &narrow,
        "--rules",
        "vegas1",
        "--spaces",
        "any",
        "--max-states",
        "1000",
        "klondike:41",
    ];
    let output = klondike(&arguments);
    assert_eq!(output.status.code(), Some(3));
    let out = text(&output.stdout);
    assert!(
        out.contains("unwinnable") && out.contains("raise --max-states"),
        "{out}"
    );
    let output = klondike(&[&arguments[..], &["--json"]].concat());
    let object: Value = serde_json::from_str(text(&output.stdout).trim()).unwrap();
    assert_eq!(object["verdict"], "unwinnable");
    assert_eq!(
        (&object["limit"], &object["checked"]),
        (&"states".into(), &false.into())
    );
    for name in [limited, narrow] {
        assert!(!PathBuf::from(&name).exists(), "{name}");
        assert!(!PathBuf::from(name + ".part").exists());
    }
}

/// No deal has a certificate under them, so the command line is at fault.
#[test]
fn rules_that_the_format_has_not_are_refused() {
    let name = file("reversed.kc");
    let output = klondike(&["prove", "--reversed-groups", "-o", &name, "klondike:9"]);
    assert_eq!(output.status.code(), Some(2));
    let error = text(&output.stderr);
    assert!(
        error.contains("their format has no reversed groups"),
        "{error}"
    );
    assert!(!PathBuf::from(name).exists());
}

/// A new name takes the place of whatever has it, so it must not be a device or a directory.
#[test]
fn only_files_are_replaced() {
    let directory = file("directory.kc");
    let _ = fs::remove_dir(&directory);
    fs::create_dir(&directory).unwrap();
    let mut targets = vec![directory];
    if cfg!(unix) {
        targets.push("/dev/null".to_owned());
    }
    for target in targets {
        let output = klondike(&["prove", "-o", &target, "solvitaire:1"]);
        assert_eq!(output.status.code(), Some(1));
        let error = text(&output.stderr);
        assert!(error.contains("not a regular file"), "{error}");
        assert!(!PathBuf::from(&target).is_file());
        assert!(!PathBuf::from(target + ".part").exists());
    }
    // An older certificate is replaced, and a link to it stays one.
    let old = prove("old.kc", &["solvitaire:3"]);
    let before = fs::read(&old).unwrap();
    #[cfg(unix)]
    let name = {
        let link = file("link.kc");
        std::os::unix::fs::symlink(&old, &link).unwrap();
        link
    };
    #[cfg(not(unix))]
    let name = old.clone();
    let output = klondike(&["prove", "-o", &name, "solvitaire:1"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    assert_ne!(fs::read(&old).unwrap(), before);
    assert!(cfg!(not(unix)) || fs::symlink_metadata(&name).unwrap().is_symlink());
}

/// Exit status 0 says that all files are verified, so it must not come of a closed pipe.
#[test]
fn a_reader_that_closes_the_pipe_does_not_make_a_check_succeed() {
    let good = prove("piped.kc", &["solvitaire:3"]);
    let mut files = vec![good.as_str(); 2000];
    files.push("no/such/file.kc");
    let mut child = Command::new(env!("CARGO_BIN_EXE_klondike"))
        .arg("check")
        .args(files)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Neither what is printed nor the error has a reader.
    drop(child.stdout.take());
    drop(child.stderr.take());
    assert_eq!(child.wait().unwrap().code(), Some(1));
}

/// Whoever names a file must not be able to print a line that says VERIFIED.
#[cfg(unix)]
#[test]
fn names_of_files_are_one_line() {
    let name = file("a\nVERIFIED winnable b.kc");
    fs::write(&name, b"nothing").unwrap();
    let output = klondike(&["check", &name]);
    assert_eq!(output.status.code(), Some(1));
    let out = text(&output.stdout);
    assert_eq!(out.lines().count(), 1, "{out}");
    assert!(out.starts_with("REJECTED ") && out.contains("a\\nVERIFIED"));
    let output = klondike(&["check", "--json", &name]);
    let object: Value = serde_json::from_str(text(&output.stdout).trim()).unwrap();
    assert_eq!(object["file"], name);
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

/// A certificate can be asked for the deal and the rules that it must be about, and both checkers
/// print the deal.
#[test]
fn certificates_are_about_the_deal_that_is_asked_for() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("about.kc");
    let path = path.to_str().unwrap();
    let run = |arguments: &[&str]| {
        let output = crate::common_cli::klondike(arguments);
        let (status, out, _) = crate::common_cli::read(&output);
        (status, out)
    };
    assert_eq!(run(&["prove", "solvitaire:1", "-o", path]).0, 0);
    let (status, shown) = run(&["check", "--deal", "solvitaire:1", path]);
    assert_eq!(status, 0, "{shown}");
    let dealt = run(&["deal", "--to", "klondike", "solvitaire:1"]).1;
    let piles: Vec<&str> = dealt.lines().filter(|line| line.contains(": <")).collect();
    assert_eq!(piles.len(), 6);
    for (arguments, part) in [
        (&["--deal", "solvitaire:2"][..], "another deal"),
        (
            &["--deal", "solvitaire:1", "--draw", "1"],
            "other rules: 4 suits",
        ),
    ] {
        let (status, out) = run(&[&["check", path], arguments].concat());
        assert_eq!(status, 1, "{out}");
        assert!(out.starts_with("REJECTED") && out.contains(part), "{out}");
    }
    let Some(mut python) = python("the deal that the Python checker prints") else {
        return;
    };
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/check_certificate.py");
    let output = python.args([script, path]).output().unwrap();
    let python = text(&output.stdout);
    for pile in piles {
        assert!(
            shown.contains(pile) && python.contains(pile),
            "{pile}\n{python}"
        );
    }
}
