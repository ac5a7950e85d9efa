//! Directories of `klondike estimate` that are locked, damaged or full, and runs that are killed or
//! interrupted: nothing that is decided is lost.

use std::fs;
use std::process::{Child, Command, Stdio};

use serde_json::Value;

use crate::common_cli::{read, wait_until};
use crate::estimate::{
    DRAW_ONE, TIGHT, absent, answer, command, error, estimate, file, klondike, records, segments,
    text,
};

#[test]
fn one_process_at_a_time_writes() {
    let dir = absent("lock");
    let start = ["--dir", &dir, "--deals", "10", "--draw", "1"];
    answer("estimate", &start);
    let lock = fs::File::open(file(&dir, "lock")).unwrap();
    lock.try_lock().unwrap();
    let text = error("estimate", &start, 1);
    assert!(
        text.contains("another process is at the same run"),
        "{text}"
    );
    assert_eq!(records(&dir).lines().count(), 11, "reading needs no lock");
    drop(lock);
    answer("estimate", &start);

    let checkpoint = absent("bound.json");
    let bound = ["--deals", "10", "--checkpoint", &checkpoint];
    answer("bound", &bound);
    let lock = fs::File::open(format!("{checkpoint}.lock")).unwrap();
    lock.try_lock().unwrap();
    let text = error("bound", &bound, 1);
    assert!(
        text.contains("another process is at the same run"),
        "{text}"
    );
}

/// A run of 120 deals written by three processes, and the arguments to go on with it.
fn run_in_three(name: &str) -> (String, [&'static str; 4]) {
    let dir = absent(name);
    for deals in ["40", "80", "120"] {
        estimate(&dir, &[&["--deals", deals], &DRAW_ONE[..]].concat());
    }
    assert_eq!(segments(&dir).len(), 3);
    (dir, ["--deals", "120", "--draw", "1"])
}

#[test]
fn torn_and_damaged_segments_cost_their_deals_only() {
    let (dir, same) = run_in_three("damage");
    let whole = records(&dir);
    let saved: Vec<Vec<u8>> = segments(&dir)
        .iter()
        .map(|p| fs::read(p).unwrap())
        .collect();
    type Damage = fn(&mut Vec<u8>);
    let damage: [(&str, Damage); 8] = [
        ("cut in the last block", |bytes| {
            bytes.truncate(bytes.len() - 1);
        }),
        ("cut in its frame", |bytes| bytes.truncate(30)),
        ("cut behind the head", |bytes| bytes.truncate(24)),
        ("cut in the head", |bytes| bytes.truncate(11)),
        ("nothing left", Vec::clear),
        ("a changed bit", |bytes| bytes[60] ^= 4),
        ("a changed length", |bytes| bytes[28] ^= 0xFF),
        ("rubbish behind it", |bytes| {
            bytes.extend(b"\xB1ok\n rubbish");
        }),
    ];
    for (what, change) in damage {
        for (number, path) in segments(&dir).iter().enumerate().take(3) {
            let mut bytes = saved[number].clone();
            change(&mut bytes);
            fs::write(path, &bytes).unwrap();
        }
        // What is left is shown only if the loss is known.
        if what != "rubbish behind it" {
            let silent = ["cut behind the head", "nothing left"].contains(&what);
            let (status, _, err) = klondike("export", &[&dir]);
            assert_eq!(
                (status, err.contains("--allow-damaged")),
                (i32::from(!silent), !silent)
            );
            let noted = err.contains("has no record of 120 of its deals");
            assert_eq!(noted, silent, "{err}");
        }
        let left = klondike("export", &["--allow-damaged", &dir]).1;
        let left = left.lines().count() - 1;
        assert_eq!(
            left,
            if what == "rubbish behind it" { 120 } else { 0 },
            "{what}"
        );
        let arguments = [&["--dir", &dir, "--json"], &same[..]].concat();
        let (status, out, err) = klondike("estimate", &arguments);
        assert_eq!(status, 0, "{what}: {err}");
        let result: Value = serde_json::from_str(&out).unwrap();
        let damaged = result["damaged_bytes"].as_u64().unwrap();
        let noted = err.contains("bytes of the records are no whole blocks");
        assert_eq!(damaged > 0, noted, "{what}: {err}");
        let silent = ["cut behind the head", "nothing left"].contains(&what);
        assert_eq!(damaged == 0, silent, "{what}");
        assert_eq!(records(&dir), whole, "{what}");
        for path in segments(&dir).iter().skip(3) {
            fs::remove_file(path).unwrap();
        }
    }
    // Between blocks that are whole nothing else is lost.
    for (path, bytes) in segments(&dir).iter().zip(&saved) {
        fs::write(path, bytes).unwrap();
    }
    let joined = [&saved[0][..], b"\xB1ok\ndamage", &saved[1][24..]].concat();
    fs::write(&segments(&dir)[0], joined).unwrap();
    fs::remove_file(&segments(&dir)[1]).unwrap();
    assert_eq!(records(&dir), whole);

    // A head that is wrong is not passed over: the file may be of another run.
    let first = &segments(&dir)[0];
    let mut bytes = saved[0].clone();
    bytes[9] ^= 1;
    fs::write(first, bytes).unwrap();
    let text = error("estimate", &[&["--dir", &dir], &same[..]].concat(), 1);
    assert!(text.contains("its head is damaged"), "{text}");
    fs::rename(first, file(&dir, "aside")).unwrap();
    estimate(&dir, &same);
    assert_eq!(records(&dir), whole);
}

/// A limit on the size of files cuts a write short as a full disk does.
#[cfg(unix)]
#[test]
fn a_full_disk_ends_a_run_and_loses_nothing() {
    let dir = absent("full");
    let whole = absent("full-whole");
    let arguments = ["--deals", "600", "--draw", "1"];
    estimate(&whole, &arguments);
    // Signals that are ignored stay so in the program, whose writes fail then.
    let script = "trap '' XFSZ; ulimit -f 2; exec \"$0\" \"$@\"";
    let limited = Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_klondike"), "estimate"])
        .args(["--dir", &dir])
        .args(arguments)
        .output()
        .unwrap();
    let (status, _, err) = read(&limited);
    assert_eq!(status, 1, "{err}");
    assert!(
        err.contains("cannot write") && err.contains("the same command goes on"),
        "{err}"
    );
    let (status, _, err) = klondike("estimate", &[&["--dir", &dir], &arguments[..]].concat());
    assert_eq!(status, 0, "{err}");
    assert_eq!(records(&dir), records(&whole));
    assert_eq!(text(&dir, "summary.json"), text(&whole, "summary.json"));
}

fn start(dir: &str, arguments: &[&str]) -> Child {
    command("estimate", &["--dir", dir])
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

#[test]
fn kill_changes_nothing() {
    let dir = absent("kill");
    let arguments = [
        &["--deals", "1200", "--max-states", "20000", "--threads", "2"],
        &TIGHT[..],
    ];
    let arguments = arguments.concat();
    for count in 1..=3 {
        let mut child = start(&dir, &arguments);
        wait_until(&mut child, || segments(&dir).len() >= count);
        // It may have ended by itself, on a fast machine.
        let _ = child.kill();
        child.wait().unwrap();
    }
    let (status, _, err) = klondike("estimate", &[&["--dir", &dir], &arguments[..]].concat());
    assert!(matches!(status, 0 | 3), "{err}");
    let whole = absent("kill-whole");
    estimate(&whole, &arguments);
    assert_eq!(records(&dir), records(&whole));
    assert_eq!(text(&dir, "summary.json"), text(&whole, "summary.json"));
}

/// As the quick version, at moments that have nothing to do with what the program does.
#[cfg(unix)]
#[test]
#[ignore = "takes minutes"]
fn kill_at_fifty_random_moments_changes_nothing() {
    let output = Command::new(concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/kill_test.sh"))
        .args(["50", "5000"])
        .env("KLONDIKE", env!("CARGO_BIN_EXE_klondike"))
        .output()
        .unwrap();
    let (status, out, err) = read(&output);
    assert_eq!(status, 0, "{out}{err}");
    assert!(out.starts_with("50 kills in "), "{out}");
}

#[cfg(unix)]
#[test]
fn interrupted_runs_say_how_to_go_on() {
    for signal in ["-INT", "-TERM"] {
        let dir = absent(&format!("interrupt{signal}"));
        let arguments = [
            "--deals",
            "1000000000",
            "--draw",
            "1",
            "--threads",
            "1",
            "--json",
        ];
        let mut child = start(&dir, &arguments);
        assert!(wait_until(&mut child, || !segments(&dir).is_empty()));
        let sent = Command::new("kill")
            .args([signal, &child.id().to_string()])
            .status();
        assert!(sent.unwrap().success());
        let (status, out, err) = read(&child.wait_with_output().unwrap());
        assert_eq!(status, 130, "{err}");
        assert!(
            err.contains("interrupted with") && err.contains(&dir),
            "{err}"
        );
        let result: Value = serde_json::from_str(&out).unwrap();
        assert_eq!(result["complete"], false);
        let done = result["summary"]["deals"].as_u64().unwrap();
        assert!(done > 0);
        assert_eq!(records(&dir).lines().count() as u64, done + 1);
        assert_eq!(result["summary"]["missing"], 1_000_000_000 - done);
    }
}

/// A limit on the size of files is an error like a full disk, and the run goes on without it.
#[cfg(unix)]
#[test]
fn a_limit_on_file_sizes_is_said() {
    let dir = absent("ulimit");
    let again = ["--dir", &dir, "--deals", "3000", "--draw", "1"];
    let script = "ulimit -f 2; exec \"$0\" \"$@\"";
    let output = Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_klondike"), "estimate"])
        .args(again)
        .output()
        .unwrap();
    let (status, _, err) = read(&output);
    assert_eq!(status, 1, "{err}");
    assert!(err.contains("File too large"), "{err}");
    assert!(err.contains("the same command goes on from there"), "{err}");
    let (status, _, err) = klondike("estimate", &again);
    assert_eq!(status, 0, "{err}");
    assert_eq!(records(&dir).lines().count(), 3001);
}
