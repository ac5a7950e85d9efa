//! `klondike estimate` and `export` run as programs: records that agree with `solve` and do not
//! depend on threads or on limits raised later, certificates, exports, and runs that are refused.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::common_cli::{self, Ran, read};

pub(crate) fn command(name: &str, arguments: &[&str]) -> Command {
    common_cli::command(&[&[name], arguments].concat())
}

pub(crate) fn klondike(name: &str, arguments: &[&str]) -> Ran {
    read(&command(name, arguments).output().unwrap())
}

/// What a command prints that must work and say nothing on standard error. Status 3 says that
/// something is undecided.
pub(crate) fn answer(name: &str, arguments: &[&str]) -> String {
    let (status, out, err) = klondike(name, arguments);
    assert!(matches!(status, 0 | 3), "{name} {arguments:?}: {status}");
    assert_eq!(err, "", "{name} {arguments:?}");
    if let Ok(json) = serde_json::from_str::<Value>(&out) {
        let summary = &json["summary"];
        let open = |value: &Value| value.as_u64().is_some_and(|count| count > 0);
        let undecided = open(&summary["verdicts"]["undecided"]) || open(&summary["set_aside"]);
        assert_eq!(status == 3, name == "estimate" && undecided, "{json:#}");
    }
    out
}

/// The error of a command that must fail, which is one line.
pub(crate) fn error(name: &str, arguments: &[&str], expected: i32) -> String {
    let (status, _, err) = klondike(name, arguments);
    assert_eq!(status, expected, "{name} {arguments:?}: {err}");
    assert_eq!(err.lines().count(), 1, "{err}");
    err
}

pub(crate) fn estimate(dir: &str, arguments: &[&str]) -> Value {
    let all = [&["--dir", dir, "--json"], arguments].concat();
    serde_json::from_str(&answer("estimate", &all)).unwrap()
}

/// A directory that does not exist yet; every caller needs its own name.
pub(crate) fn absent(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("estimate-{name}"));
    let _ = fs::remove_dir_all(&path);
    let _ = fs::remove_file(&path);
    path.to_str().unwrap().to_owned()
}

pub(crate) fn file(dir: &str, name: &str) -> PathBuf {
    Path::new(dir).join(name)
}

pub(crate) fn text(dir: &str, name: &str) -> String {
    fs::read_to_string(file(dir, name)).unwrap()
}

/// All that is decided, in the order of the seeds; that something is missing is said besides.
pub(crate) fn records(dir: &str) -> String {
    let (status, out, err) = klondike("export", &[dir]);
    assert_eq!(status, 0, "{err}");
    out
}

pub(crate) fn segments(dir: &str) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).into_iter().flatten();
    let mut paths: Vec<PathBuf> = entries
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|end| end == "seg"))
        .collect();
    paths.sort();
    paths
}

/// Quick deals of a full deck.
pub(crate) const DRAW_ONE: [&str; 2] = ["--draw", "1"];

/// Budgets so small that many deals are set aside.
pub(crate) const TIGHT: [&str; 2] = ["--first-states", "300"];

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
        (&["--draw", "2"][..], "its rule `draw` is 1, not 2"),
        (&["--no-worrying-back"], "its rule `worrying_back` is true"),
        (&["--piles", "1,2,3"], "its rule `piles` is [1,2,3,4"),
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
        (kept.1[..40].to_owned(), "put a copy of it back"),
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

/// Verdicts of a run, in the order of the seeds, and whether all of each record is the same.
fn verdicts(dir: &str) -> Vec<String> {
    let rows = records(dir);
    let verdict = |row: &str| row.split(',').take(2).collect::<Vec<_>>().join(" ");
    rows.lines().map(verdict).collect()
}

#[test]
fn hard_deals_are_shared_only_if_that_is_asked_for() {
    let alone = absent("share-alone");
    let deals = ["--deals", "80", "--first-states", "15000"];
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
        if states(one) <= 15000 {
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
    let store = concat!(env!("CARGO_MANIFEST_DIR"), "/crates/lab/tests/store");
    for command in ["report", "merge"] {
        let text = error(command, &[store, "-o", &out], 1);
        assert!(text.contains("--features parquet"), "{text}");
        assert!(!Path::new(&out).exists());
    }
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
    assert!(text.contains("is not empty"), "{text}");
    let text = error("estimate", &["--deals", "5", "--dir", "/dev/null/x"], 1);
    assert!(
        text.contains("cannot make the directory /dev/null/x"),
        "{text}"
    );
}
