//! `klondike estimate`, `merge` and `export` run as programs: records that agree with `solve`, that
//! do not depend on threads, shards, limits raised later or the moments at which the program was
//! killed, and directories that are damaged, full, locked or of another run.

use crate::common_cli;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use klondike_lab::record::{Outcome, Piece};
use klondike_lab::segment::{self, Segment};
use serde_json::Value;

use crate::common_cli::{Ran, read};

fn command(name: &str, arguments: &[&str]) -> Command {
    common_cli::command(&[&[name], arguments].concat())
}

fn klondike(name: &str, arguments: &[&str]) -> Ran {
    read(&command(name, arguments).output().unwrap())
}

/// What a command prints that must work and say nothing on standard error.
fn answer(name: &str, arguments: &[&str]) -> String {
    let (status, out, err) = klondike(name, arguments);
    assert_eq!((status, err.as_str()), (0, ""), "{name} {arguments:?}");
    out
}

/// The error of a command that must fail, which is one line.
fn error(name: &str, arguments: &[&str], expected: i32) -> String {
    let (status, _, err) = klondike(name, arguments);
    assert_eq!(status, expected, "{name} {arguments:?}: {err}");
    assert_eq!(err.lines().count(), 1, "{err}");
    err
}

fn estimate(dir: &str, arguments: &[&str]) -> Value {
    let all = [&["--dir", dir, "--json"], arguments].concat();
    serde_json::from_str(&answer("estimate", &all)).unwrap()
}

/// A directory that does not exist yet; every caller needs its own name.
fn absent(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("estimate-{name}"));
    let _ = fs::remove_dir_all(&path);
    let _ = fs::remove_file(&path);
    path.to_str().unwrap().to_owned()
}

fn file(dir: &str, name: &str) -> PathBuf {
    Path::new(dir).join(name)
}

fn text(dir: &str, name: &str) -> String {
    fs::read_to_string(file(dir, name)).unwrap()
}

/// All that is decided, in the order of the seeds.
fn records(dir: &str) -> String {
    answer("export", &[dir])
}

fn segments(dir: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).into_iter().flatten();
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "seg"))
        .collect();
    paths.sort();
    paths
}

/// Quick deals of a full deck.
const DRAW_ONE: [&str; 2] = ["--draw", "1"];

/// Budgets so small that many deals are set aside.
const TIGHT: [&str; 2] = ["--first-states", "300"];

#[test]
fn records_are_what_solve_says() {
    for (rules, deals) in [
        (&["--draw", "1"][..], 300),
        (&["--draw", "3"], 60),
        (&["--redeals", "1", "--ranks", "5", "--piles", "1,2,3"], 60),
    ] {
        let dir = absent("solve");
        let count = deals.to_string();
        let result = estimate(&dir, &[&["--deals", &count], rules].concat());
        let seeds = format!("klondike:1..{deals}");
        // With more threads the longer searches have help, and other numbers of states.
        let alone = ["--json", "--no-solution", "--threads", "1", &seeds];
        let solved = answer("solve", &[&alone[..], rules].concat());
        let rows = answer("export", &[&dir, "--format", "jsonl", "--times"]);
        assert_eq!(rows.lines().count(), deals);
        let mut winnable = 0;
        for (number, (row, solved)) in rows.lines().zip(solved.lines()).enumerate() {
            let row: Value = serde_json::from_str(row).unwrap();
            let solved: Value = serde_json::from_str(solved).unwrap();
            assert_eq!(row["seed"], (number + 1).to_string());
            for field in ["verdict", "states", "oracle_states"] {
                assert_eq!(row[field], solved[field], "{row} {solved}");
            }
            assert_eq!(row["proof"], solved["evidence"]["proof"]);
            let weaker = solved["evidence"].get("weaker_rules").is_some();
            if row["verdict"] == "winnable" {
                winnable += 1;
                assert!(row["moves"].as_u64().unwrap() > 0);
            } else {
                assert_eq!(row["weaker_rules"], weaker);
            }
            assert!(row["microseconds"].is_u64() && row["certificate"].is_null());
        }
        let summary = &result["summary"];
        assert_eq!(result["complete"], true);
        assert_eq!(summary["deals"], deals);
        assert_eq!(summary["verdicts"]["winnable"], winnable);
        assert_eq!(summary["verdicts"]["undecided"], 0);
        let lost = &summary["proofs"];
        let proofs = ["blocked", "refuted", "searched"].map(|proof| lost[proof].as_u64().unwrap());
        assert_eq!(proofs.iter().sum::<u64>() as usize, deals - winnable);
        assert_eq!(
            result["estimate"]["share"].as_f64(),
            Some(winnable as f64 / deals as f64)
        );
        let saved: Value = serde_json::from_str(&text(&dir, "summary.json")).unwrap();
        assert_eq!(saved["verdicts"], summary["verdicts"]);
        let times: Value = serde_json::from_str(&text(&dir, "times.json")).unwrap();
        assert_eq!(times["kind"], "estimate-times");
    }
}

#[test]
fn solutions_have_as_many_moves_as_those_of_solve() {
    let dir = absent("moves");
    estimate(&dir, &["--deals", "20", "--draw", "1"]);
    let rows = answer("export", &[&dir, "--format", "jsonl"]);
    let alone = ["--json", "--threads", "1", "--draw", "1", "klondike:1..20"];
    let solved = answer("solve", &alone);
    let mut seen = 0;
    for (row, solved) in rows.lines().zip(solved.lines()) {
        let row: Value = serde_json::from_str(row).unwrap();
        let solved: Value = serde_json::from_str(solved).unwrap();
        let Some(moves) = row["moves"].as_u64() else {
            continue;
        };
        let counts = &solved["solution"]["counts"];
        let parts = ["card_moves", "draws", "redeals"].map(|part| counts[part].as_u64().unwrap());
        assert_eq!(moves, parts.iter().sum::<u64>(), "{row} {counts}");
        seen += 1;
    }
    assert!(seen > 10);
}

#[test]
fn threads_change_nothing() {
    let mut first: Option<(String, String)> = None;
    for threads in ["1", "2", "5"] {
        let dir = absent(&format!("threads-{threads}"));
        let arguments = [
            "--deals",
            "150",
            "--max-states",
            "20000",
            "--threads",
            threads,
        ];
        estimate(
            &dir,
            &[&arguments[..], &TIGHT, &["--certify", "0.1"]].concat(),
        );
        let found = (records(&dir), text(&dir, "summary.json"));
        assert!(found.0.contains("undecided,,,states"), "the limits are hit");
        assert_eq!(*first.get_or_insert(found.clone()), found);
    }
}

#[test]
fn small_memory_is_shared_by_fewer_searches_and_changes_nothing() {
    // One step takes all the memory there is, so one deal is searched at a time.
    let results = ["1", "4"].map(|threads| {
        let dir = absent(&format!("memory-{threads}"));
        let arguments = ["--deals", "60", "--memory", "13MB", "--threads", threads];
        estimate(&dir, &arguments);
        records(&dir)
    });
    assert_eq!(results[0], results[1]);
    assert!(
        results[0].contains("undecided,,,memory"),
        "the limit is hit"
    );
}

#[test]
fn runs_grow_and_limits_can_be_raised() {
    let dir = absent("raise");
    let run = |deals: &str, more: &[&str]| {
        estimate(&dir, &[&["--deals", deals], &TIGHT[..], more].concat())
    };
    run("60", &["--max-states", "2000"]);
    let low = run("120", &["--max-states", "2000"]);
    let undecided = |result: &Value| result["summary"]["verdicts"]["undecided"].as_u64().unwrap();
    assert!(undecided(&low) > 5);
    let before = records(&dir);
    assert_eq!(
        run("120", &["--max-states", "2000"])["summary"],
        low["summary"]
    );
    assert_eq!(segments(&dir).len(), 2, "nothing new was written");

    let all = ["--dir", &dir, "--deals", "120", "--max-states"];
    let with = |limit: &str, more: &[&str]| {
        error("estimate", &[&all[..], &[limit], &TIGHT, more].concat(), 2)
    };
    let text = with("30000", &[]);
    assert!(
        text.contains("limit of states of this run is 2000, not 30000"),
        "{text}"
    );
    assert!(text.contains("--raise-limits"), "{text}");
    let text = with("1000", &["--raise-limits"]);
    assert!(text.contains("give the same limits"), "{text}");
    assert_eq!(records(&dir), before);

    let high = run("120", &["--max-states", "30000", "--raise-limits"]);
    assert!(undecided(&high) < undecided(&low));
    let fresh = absent("raise-fresh");
    let arguments = ["--deals", "120", "--max-states", "30000"];
    let direct = estimate(&fresh, &[&arguments[..], &TIGHT].concat());
    assert_eq!(records(&dir), records(&fresh));
    assert_eq!(high["summary"], direct["summary"]);
    // What was decided before was not decided again.
    let size = |path: &PathBuf| fs::metadata(path).unwrap().len();
    let sizes: Vec<u64> = segments(&dir).iter().map(size).collect();
    assert!(sizes[2] < sizes[0], "{sizes:?}");
    run("120", &["--max-states", "30000"]);
}

#[test]
fn other_runs_are_refused_and_left_alone() {
    let dir = absent("other");
    let start = [
        "--dir", &dir, "--deals", "40", "--memory", "1GiB", "--draw", "1",
    ];
    answer("estimate", &start);
    let kept = (records(&dir), text(&dir, "run.json"));
    for (more, part) in [
        (&["--draw", "2"][..], "its set of rules is"),
        (&["--no-worrying-back"], "its set of rules is"),
        (&["--piles", "1,2,3"], "its set of rules is"),
        (
            &["--scheme", "solvitaire"],
            "its scheme is klondike, not solvitaire",
        ),
        (&["--from", "2"], "its first seed is 1, not 2"),
        (&["--deals", "39"], "its number of deals is 40, not 39"),
        (&["--certify", "0.5"], "its share to certify is 0, not 0.5"),
        (&["--memory", "2GiB"], "the limit of memory of this run is"),
        (
            &["--time-limit", "9"],
            "limit of time of this run is none, not 9",
        ),
        (
            &["--max-states", "9"],
            "limit of states of this run is none",
        ),
        (
            &["--first-states", "9"],
            "limit of states of the first search",
        ),
    ] {
        let mut arguments: Vec<&str> = Vec::new();
        for pair in start.chunks(2) {
            if more.len() == 1 || pair[0] != more[0] {
                arguments.extend(pair);
            }
        }
        arguments.extend(more);
        let text = error("estimate", &arguments, 2);
        assert!(text.contains(part), "{more:?}: {text}");
    }
    assert_eq!((records(&dir), text(&dir, "run.json")), kept);
    // Without --memory a run goes on with what it began with.
    answer("estimate", &["--dir", &dir, "--deals", "40", "--draw", "1"]);

    let manifest = file(&dir, "run.json");
    for (text, part) in [
        (
            kept.1.replace("0.1.0", "0.0.1"),
            "its program version is 0.0.1",
        ),
        (
            kept.1.replace("\"format\": 1", "\"format\": 2"),
            "has format 2",
        ),
        (kept.1.replace("estimate-run", "x"), "is not of the kind"),
        (kept.1[..40].to_owned(), "is no checkpoint"),
    ] {
        fs::write(&manifest, text).unwrap();
        let (status, _, err) = klondike("estimate", &start);
        assert!(status != 0 && err.contains(part), "{err}");
    }
    // Records of another run among those of this one.
    fs::write(
        &manifest,
        kept.1.replace("\"first\": \"1\"", "\"first\": \"2\""),
    )
    .unwrap();
    let text = error("export", &[&dir], 1);
    assert!(text.contains("other rules, scheme or first seed"), "{text}");
    fs::write(&manifest, &kept.1).unwrap();
    assert_eq!(records(&dir), kept.0);
}

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
        let left = records(&dir).lines().count() - 1;
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

/// Waits until there are `count` segments or the program has ended; tells whether it runs.
fn wait_for_segments(child: &mut Child, dir: &str, count: usize) -> bool {
    loop {
        if child.try_wait().unwrap().is_some() {
            return false;
        }
        if segments(dir).len() >= count {
            return true;
        }
        std::thread::yield_now();
    }
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
        wait_for_segments(&mut child, &dir, count);
        // It may have ended by itself, on a fast machine.
        let _ = child.kill();
        child.wait().unwrap();
    }
    let (status, _, err) = klondike("estimate", &[&["--dir", &dir], &arguments[..]].concat());
    assert_eq!(status, 0, "{err}");
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

/// Verdicts of a run, in the order of the seeds, and whether all of each record is the same.
fn verdicts(dir: &str) -> Vec<String> {
    let rows = records(dir);
    let verdict = |row: &str| row.split(',').take(2).collect::<Vec<_>>().join(" ");
    rows.lines().map(verdict).collect()
}

#[test]
fn hard_deals_are_shared_only_if_that_is_asked_for() {
    let alone = absent("share-alone");
    let deals = ["--deals", "80", "--first-states", "30000"];
    estimate(&alone, &[&deals[..], &["--threads", "1"]].concat());
    // More threads than hard deals: those without one help. The verdicts are the same.
    let shared = absent("share-shared");
    let asked = [&deals[..], &["--threads", "6", "--share-hard"]].concat();
    let result = estimate(&shared, &asked);
    assert_eq!(verdicts(&shared), verdicts(&alone));
    let set_aside = records(&alone)
        .lines()
        .zip(records(&shared).lines())
        .map(|(one, other)| (one.to_owned(), other.to_owned()))
        .collect::<Vec<_>>();
    let mut hard = 0;
    for (one, other) in &set_aside[1..] {
        let column = |row: &str, at: usize| row.split(',').nth(at).unwrap().parse::<u64>();
        let states = |row: &str| column(row, 6).unwrap() + column(row, 7).unwrap();
        if states(one) <= 30000 {
            assert_eq!(one, other, "a deal of the first step is the same");
        } else {
            hard += 1;
        }
    }
    assert!(hard > 1, "{hard} hard deals");
    assert_eq!(result["run"]["limits"]["share_hard"], true);
    assert_eq!(result["summary"]["limits"][0]["share_hard"], true);
    let text = error("estimate", &[&["--dir", &shared], &deals[..]].concat(), 2);
    assert!(
        text.contains("sharing of hard deals of this run is true, not false"),
        "{text}"
    );
    // Records of such runs may differ and still agree.
    let joined = absent("share-joined");
    let merged = answer("merge", &[&shared, &alone, "-o", &joined, "--json"]);
    let merged: Value = serde_json::from_str(&merged).unwrap();
    assert_eq!(merged["overlapping"], 80);
    assert_eq!(verdicts(&joined), verdicts(&alone));
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
        assert!(wait_for_segments(&mut child, &dir, 1));
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

#[test]
fn parts_joined_are_the_whole() {
    let whole = absent("whole");
    let arguments = [&["--deals", "200", "--from", "1000"], &DRAW_ONE[..]].concat();
    estimate(&whole, &arguments);
    let parts: Vec<String> = (1..=3)
        .map(|part| {
            let dir = absent(&format!("part-{part}"));
            let shard = format!("{part}/3");
            estimate(&dir, &[&arguments[..], &["--shard", &shard]].concat());
            dir
        })
        .collect();
    let sizes: Vec<usize> = parts
        .iter()
        .map(|p| records(p).lines().count() - 1)
        .collect();
    assert_eq!(sizes, [66, 67, 67]);
    // In any order, and with the same deals in more than one of them.
    for (number, order) in [&[0, 1, 2][..], &[2, 0, 1, 1]].iter().enumerate() {
        let joined = absent(&format!("joined-{number}"));
        let mut arguments: Vec<&str> = order.iter().map(|&part| parts[part].as_str()).collect();
        arguments.extend(["-o", &joined, "--json"]);
        let result: Value = serde_json::from_str(&answer("merge", &arguments)).unwrap();
        assert_eq!(result["overlapping"], if number == 0 { 0 } else { 67 });
        assert_eq!(result["missing"], Value::Array(Vec::new()));
        assert_eq!(records(&joined), records(&whole));
        assert_eq!(text(&joined, "summary.json"), text(&whole, "summary.json"));
        let text = error("merge", &arguments, 1);
        assert!(text.contains("holds other things"), "{text}");
    }
    let summaries: Vec<String> = [1, 0, 2]
        .map(|part| file(&parts[part], "summary.json"))
        .map(|path| path.to_str().unwrap().to_owned())
        .to_vec();
    let joined = absent("joined.json");
    let mut arguments: Vec<&str> = summaries.iter().map(String::as_str).collect();
    arguments.extend(["-o", &joined]);
    answer("merge", &arguments);
    assert_eq!(
        fs::read_to_string(&joined).unwrap(),
        text(&whole, "summary.json")
    );
    let twice = error("merge", &[&summaries[0], &joined, "-o", &joined], 1);
    assert!(
        twice.contains("in more than one of the summaries"),
        "{twice}"
    );
    // To a summary anything can be joined; a directory needs records.
    let last = [&parts[2], &summaries[1], &parts[1]].map(String::as_str);
    let all = absent("all.json");
    answer("merge", &[&last[..], &["-o", &all]].concat());
    assert_eq!(
        fs::read_to_string(&all).unwrap(),
        text(&whole, "summary.json")
    );
    let nowhere = absent("joined-mixed");
    let mixed = error("merge", &[&summaries[0], &whole, "-o", &nowhere], 2);
    assert!(
        mixed.contains("cannot be joined with each other"),
        "{mixed}"
    );
}

#[test]
fn joined_runs_know_their_gaps_and_fill_them() {
    let (one, two) = (absent("gap-1"), absent("gap-2"));
    estimate(
        &one,
        &[&["--deals", "30", "--from", "11"], &DRAW_ONE[..]].concat(),
    );
    estimate(
        &two,
        &[&["--deals", "20", "--from", "61"], &DRAW_ONE[..]].concat(),
    );
    let joined = absent("gap-joined");
    let out = answer("merge", &[&two, &one, "-o", &joined]);
    assert!(out.contains("Missing are 20 deals: 41..60\n"), "{out}");
    let arguments = [&["--deals", "70", "--from", "11"], &DRAW_ONE[..]].concat();
    estimate(&joined, &arguments);
    let whole = absent("gap-whole");
    estimate(&whole, &arguments);
    assert_eq!(records(&joined), records(&whole));
}

#[test]
fn runs_with_different_limits_join_and_the_undecided_are_decided_again() {
    let (low, high, joined) = (absent("low"), absent("high"), absent("low-high"));
    let deals = |from, limit| {
        [
            &["--deals", "60", "--from", from, "--max-states", limit],
            &TIGHT[..],
        ]
        .concat()
    };
    estimate(&low, &deals("1", "2000"));
    estimate(&high, &deals("41", "30000"));
    answer("merge", &[&low, &high, "-o", &joined]);
    let open = records(&joined);
    let undecided = |records: &str, up_to: usize| {
        let rows = records.lines().skip(1).take(up_to);
        rows.filter(|row| row.contains("undecided")).count()
    };
    assert_eq!(undecided(&open, 40), undecided(&records(&low), 40));
    assert_eq!(
        undecided(&open, 100) - undecided(&open, 40),
        undecided(&records(&high), 60),
        "what was decided with the higher limits counts"
    );
    let arguments = ["--deals", "100", "--max-states", "30000"];
    let arguments = [&arguments[..], &TIGHT].concat();
    estimate(&joined, &arguments);
    let whole = absent("low-high-whole");
    estimate(&whole, &arguments);
    assert_eq!(records(&joined), records(&whole));
}

/// Writes the records of a segment again, changed.
fn change(path: &Path, change: impl Fn(&mut klondike_lab::record::Record)) {
    let contents = segment::read(&fs::read(path).unwrap()).unwrap();
    fs::remove_file(path).unwrap();
    let mut file = Segment::create(path, contents.head.unwrap()).unwrap();
    for block in contents.blocks {
        let mut piece = Piece::unpack(&block).unwrap();
        if let Piece::Decided(deals) = &mut piece {
            for deal in deals {
                change(&mut deal.record);
            }
        }
        file.append(&piece.pack()).unwrap();
    }
}

#[test]
fn runs_that_disagree_are_not_joined() {
    let (one, two, other) = (absent("agree-1"), absent("agree-2"), absent("agree-3"));
    let arguments = [&["--deals", "25"], &DRAW_ONE[..]].concat();
    estimate(&one, &arguments);
    estimate(&two, &arguments);
    let joined = absent("agree-joined");
    let join = |part: &str| {
        let text = error("merge", &[&one, &two, "-o", &joined], 1);
        assert!(text.contains(part), "{text}");
        assert!(!Path::new(&joined).exists(), "nothing is left behind");
    };
    let path = &segments(&two)[0];
    let saved = fs::read(path).unwrap();
    change(path, |record| {
        if record.offset == 7 {
            record.states += 1;
        }
    });
    join("disagree about the deal 8: their grounds or states differ");
    fs::write(path, &saved).unwrap();
    change(path, |record| {
        if record.offset == 7 {
            record.outcome = match record.outcome {
                Outcome::Winnable(_) => Outcome::Unwinnable(klondike_lab::record::Proof::Searched),
                _ => Outcome::Winnable(99),
            };
        }
    });
    join("disagree about the deal 8: one says");
    // The same in one directory is damage.
    fs::copy(&segments(&one)[0], file(&two, "records-000002.seg")).unwrap();
    let text = error("export", &[&two], 1);
    assert!(
        text.contains("two records of the deal 8 contradict"),
        "{text}"
    );

    for (arguments, part) in [
        (&["--deals", "5", "--draw", "2"][..], "their rules differ"),
        (
            &["--deals", "5", "--draw", "1", "--scheme", "solvitaire"],
            "their seed schemes differ",
        ),
    ] {
        let _ = fs::remove_dir_all(&other);
        estimate(&other, arguments);
        let text = error("merge", &[&one, &other, "-o", &joined], 1);
        assert!(text.contains(part), "{text}");
    }
    let text = error("merge", &[&one, "/no/such/run", "-o", &joined], 1);
    assert!(text.contains("holds no run"), "{text}");
}

#[test]
fn certificates_of_a_share_are_made_and_hold() {
    let all = absent("certify-all");
    let some = absent("certify-some");
    let arguments = [&["--deals", "60"], &DRAW_ONE[..]].concat();
    let audits = |dir: &str, share: &str| {
        estimate(dir, &[&arguments[..], &["--certify", share]].concat())["summary"]["audits"]
            .clone()
    };
    let expected = serde_json::json!({"held": 60, "impossible": 0, "over_limit": 0, "refused": 0});
    assert_eq!(audits(&all, "1"), expected);
    let held = audits(&some, "0.3")["held"].as_u64().unwrap();
    assert!((5..=35).contains(&held), "{held}");
    // The same facts, but for the certificates.
    let facts = |dir: &str| records(dir).replace(",held", ",");
    assert_eq!(facts(&all), facts(&some));
    // Losses under other rules have certificates as well.
    for rules in [["--spaces", "any"], ["--redeals", "0"], ["--runs", "whole"]] {
        let other = absent("certify-other");
        let small = ["--ranks", "4", "--piles", "1,2,3,4", "--certify", "1"];
        let result = estimate(
            &other,
            &[&["--deals", "80"], &small[..], &rules[..]].concat(),
        );
        let summary = &result["summary"];
        assert_eq!(summary["audits"]["held"], 80, "{rules:?}");
        assert_ne!(summary["verdicts"]["unwinnable"], 0);
    }
}

#[test]
fn exports_are_whole_files() {
    let dir = absent("export");
    estimate(
        &dir,
        &[&["--deals", "12", "--scheme", "solvitaire"], &DRAW_ONE[..]].concat(),
    );
    let out = absent("export.csv");
    answer("export", &[&dir, "--times", "-o", &out]);
    let table = fs::read_to_string(&out).unwrap();
    let names = "seed,verdict,proof,weaker_rules,limit,moves,states,oracle_states,certificate";
    assert_eq!(
        table.lines().next(),
        Some(format!("{names},microseconds").as_str())
    );
    let untimed = records(&dir);
    for (timed, untimed) in table.lines().zip(untimed.lines()) {
        assert_eq!(timed.rsplit_once(',').unwrap().0, untimed);
    }
    assert!(untimed.starts_with(&format!("{names}\n1,")), "{untimed}");
    let text = error("export", &[&dir, "-o", "/no/such/folder/file"], 1);
    assert!(text.contains("cannot write /no/such/folder/file"), "{text}");
    let text = error("export", &[&dir, "--format", "xls"], 2);
    assert!(text.contains("known: csv, jsonl, parquet"), "{text}");
    assert!(!Path::new(&format!("{out}.part")).exists());
}

#[cfg(not(feature = "parquet"))]
#[test]
fn parquet_is_an_option_of_the_build() {
    let dir = absent("no-parquet");
    estimate(&dir, &[&["--deals", "2"], &DRAW_ONE[..]].concat());
    let out = absent("no.parquet");
    let text = error("export", &[&dir, "--format", "parquet", "-o", &out], 2);
    assert!(text.contains("--features parquet"), "{text}");
    assert!(!Path::new(&out).exists() && !Path::new(&format!("{out}.part")).exists());
}

#[cfg(feature = "parquet")]
#[test]
fn parquet_holds_the_same_rows() {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    let dir = absent("parquet");
    estimate(
        &dir,
        &[&["--deals", "70", "--max-states", "300"], &TIGHT[..]].concat(),
    );
    let out = absent("rows.parquet");
    answer(
        "export",
        &[&dir, "--format", "parquet", "--times", "-o", &out],
    );
    let reader = SerializedFileReader::new(fs::File::open(&out).unwrap()).unwrap();
    let rows = answer("export", &[&dir, "--format", "jsonl", "--times"]);
    let mut count = 0;
    for (row, expected) in reader.get_row_iter(None).unwrap().zip(rows.lines()) {
        let row = row.unwrap().to_json_value();
        let mut expected: Value = serde_json::from_str(expected).unwrap();
        let seed: i64 = expected["seed"].as_str().unwrap().parse().unwrap();
        expected["seed"] = seed.into();
        assert_eq!(row, expected);
        count += 1;
    }
    assert_eq!(count, 70);
}

#[test]
fn bad_input_is_one_line_and_status_2() {
    let dir = absent("bad");
    for (arguments, part) in [
        (&[][..], "--deals"),
        (&["--deals", "0"], "'0'"),
        (&["--deals", "5", "--scheme", "exact"], "no sample"),
        (&["--deals", "5", "--scheme", "microsoft"], "no sample"),
        (&["--deals", "5", "--scheme", "xyz"], "xyz"),
        (&["--deals", "5", "--from", "-1"], "seed -1 is out of range"),
        (
            &["--deals", "18446744073709551615", "--from", "2"],
            "out of range",
        ),
        (
            &["--deals", "5", "--confidence", "99"],
            "above 0 and below 1",
        ),
        (&["--deals", "5", "--certify", "2"], "from 0 to 1"),
        (&["--deals", "5", "--certify", "NaN"], "from 0 to 1"),
        (&["--deals", "5", "--shard", "0/3"], "I/N"),
        (&["--deals", "5", "--shard", "4/3"], "I/N"),
        (&["--deals", "5", "--shard", "x"], "I/N"),
        (&["--deals", "5", "--shard", "3/6"], "more parts than deals"),
        (
            &["--deals", "5", "--scheme", "solvitaire", "--ranks", "12"],
            "klondike:N",
        ),
        (&["--deals", "5", "--draw", "0"], "'0'"),
    ] {
        let (status, out, err) = klondike("estimate", &[&["--dir", &dir], arguments].concat());
        assert_eq!((status, out.as_str()), (2, ""), "{arguments:?}: {err}");
        assert_eq!(err.lines().count(), 1, "{err}");
        assert!(err.contains(part), "{arguments:?}: {err}");
    }
    assert!(!Path::new(&dir).exists(), "nothing was begun");
    let text = error(
        "estimate",
        &["--deals", "5", "--dir", env!("CARGO_MANIFEST_DIR")],
        1,
    );
    assert!(text.contains("holds other things"), "{text}");
    let text = error("estimate", &["--deals", "5", "--dir", "/dev/null/x"], 1);
    assert!(text.contains("cannot write /dev/null/x"), "{text}");
}
