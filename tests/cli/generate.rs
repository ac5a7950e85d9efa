//! `klondike generate`, end to end: the deals are those that `klondike solve` says they are, none
//! is left out, and the list does not depend on threads.

use std::fs;
use std::path::Path;

use crate::common_cli::with_input;
use crate::python::python;

fn text(arguments: &[&str], input: &str) -> String {
    let output = with_input(arguments, input.as_bytes());
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{arguments:?}: {error}");
    String::from_utf8(output.stdout).unwrap()
}

/// A small game with many unwinnable deals, some winnable only with worrying back.
const SMALL: [&str; 8] = [
    "--suits", "4", "--ranks", "6", "--piles", "2,3,4,5", "--draw", "3",
];

fn generate(more: &[&str]) -> Vec<String> {
    let all = text(&[&["generate"], more, &SMALL].concat(), "");
    all.lines().map(str::to_owned).collect()
}

/// The numbers from 1 to 500 of deals with this verdict.
fn solved(verdict: &str, more: &[&str]) -> Vec<String> {
    let arguments = [&["solve", "--quiet", "klondike:1..500"], more, &SMALL].concat();
    let verdicts = text(&arguments, "");
    assert_eq!(verdicts.lines().count(), 500);
    let numbered = verdicts.lines().zip(1..);
    let right = numbered.filter(|&(found, _)| found == verdict);
    right
        .map(|(_, number)| format!("klondike:{number}"))
        .collect()
}

#[test]
fn the_deals_are_the_first_with_the_verdict_and_none_is_left_out() {
    let winnable = solved("winnable", &[]);
    assert!(winnable.len() > 300 && winnable.len() < 400);
    let expected = &winnable[..300];
    for threads in ["1", "2", "5"] {
        assert_eq!(generate(&["300", "--threads", threads]), expected);
    }
    assert_eq!(
        generate(&["--unwinnable", "100"]),
        solved("unwinnable", &[])[..100]
    );
    let later = generate(&["5", "--from", "klondike:201"]);
    let from = winnable
        .iter()
        .position(|label| label == &later[0])
        .unwrap();
    assert!(from > 100 && later == winnable[from..from + 5]);
}

#[test]
fn deals_that_need_worrying_back_cannot_be_won_without() {
    let found = generate(&["--needs-worrying-back", "2"]);
    let with = solved("winnable", &[]);
    let without = solved("winnable", &["--no-worrying-back"]);
    let expected: Vec<String> = with
        .into_iter()
        .filter(|label| !without.contains(label))
        .take(2)
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn deals_of_a_grade_are_those_that_grade_says() {
    let grades = text(&["grade", "--quiet", "klondike:1..80"], "");
    for (range, grades_wanted) in [
        ("2..3", 2..=3),
        ("9..", 9..=10),
        ("..1", 1..=1),
        ("5", 5..=5),
    ] {
        let expected: Vec<String> = (1..)
            .zip(grades.lines())
            .filter(|(_, grade)| {
                grade
                    .parse()
                    .is_ok_and(|grade| grades_wanted.contains(&grade))
            })
            .map(|(number, _)| format!("klondike:{number}"))
            .collect();
        assert!(expected.len() > 2, "{range}");
        let count = expected.len().to_string();
        for threads in ["1", "3"] {
            let arguments = ["generate", "--grade", range, "--threads", threads, &count];
            let found = text(&arguments, "");
            assert_eq!(found.lines().collect::<Vec<_>>(), expected, "{range}");
        }
    }
    let line = text(&["generate", "--grade", "2", "--json", "1"], "");
    let found: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!(found["grade"], 2);
}

/// Lengths of the shortest solutions of the winnable deals from 1 to 120, by number.
fn lengths(count: &str) -> Vec<(u64, u64)> {
    let counting = format!("--shortest={count}");
    let arguments = ["solve", "--json", &counting, "klondike:1..120"];
    let lines = text(&[&arguments[..], &SMALL].concat(), "");
    let mut found = Vec::new();
    for (number, line) in (1..).zip(lines.lines()) {
        let one: serde_json::Value = serde_json::from_str(line).unwrap();
        if one["verdict"] == "winnable" {
            assert_eq!(one["fewest"]["proved"], true);
            found.push((number, one["fewest"]["length"].as_u64().unwrap()));
        }
    }
    found
}

#[test]
fn deals_by_the_length_of_their_shortest_solutions() {
    for (count, prefix) in [("draws", ""), ("cards", "cards:")] {
        let lengths = lengths(count);
        let mut sorted: Vec<u64> = lengths.iter().map(|&(_, length)| length).collect();
        sorted.sort_unstable();
        let (low, high) = (sorted[sorted.len() / 3], sorted[2 * sorted.len() / 3]);
        for (range, wanted) in [
            (format!("{prefix}{low}..{high}"), low..=high),
            (format!("{prefix}..{low}"), 0..=low),
            (format!("{prefix}{high}.."), high..=999),
        ] {
            let those = lengths.iter().filter(|(_, length)| wanted.contains(length));
            let expected: Vec<String> = those
                .map(|(number, _)| format!("klondike:{number}"))
                .collect();
            let number = expected.len().to_string();
            for threads in ["1", "3"] {
                let found = generate(&[&number, "--shortest", &range, "--threads", threads]);
                assert_eq!(found, expected, "{range}");
            }
        }
    }
    let line = generate(&["1", "--json", "--shortest", "flips:1.."]).remove(0);
    let found: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!(found["fewest"]["counting"], "flips");
    assert!(found["fewest"]["length"].as_u64().unwrap() > 24);
}

#[test]
fn deals_come_in_formats_and_by_the_numbers_of_other_programs() {
    let numbers = text(
        &["generate", "--draw", "1", "--from", "pysol:32000", "3"],
        "",
    );
    assert_eq!(numbers.lines().count(), 3);
    assert!(numbers.lines().all(|line| line.starts_with("pysol:3200")));
    let same = ["generate", "--draw", "1", "--from", "pysol:32000", "3"];
    let boards = text(&[&same[..], &["--to", "solvitaire"]].concat(), "");
    let pysol = text(&[&same[..], &["--to", "pysol"]].concat(), "");
    let verdicts = |input: &str| text(&["solve", "--draw", "1", "--quiet", "-"], input);
    let winnable = "winnable\n".repeat(3);
    assert_eq!(verdicts(&boards), winnable);
    assert_eq!(verdicts(&pysol), winnable);
    let rows = |input: &str| text(&["deal", "--to", "row-order", "-"], input);
    assert_eq!(rows(&boards), rows(&numbers));
    assert_eq!(rows(&pysol), rows(&numbers));
}

#[test]
fn json_names_the_deal_the_rules_and_the_verdict() {
    let lines = generate(&["--json", "--unwinnable", "--to", "klondike", "2"]);
    assert_eq!(lines.len(), 2);
    for line in lines {
        let found: serde_json::Value = serde_json::from_str(&line).unwrap();
        assert_eq!(found["kind"], "generate");
        assert_eq!(found["verdict"], "unwinnable");
        assert_eq!(found["format"], "klondike");
        let written = found["text"].as_str().unwrap();
        let arguments = [&["solve", "--quiet", "-"][..], &SMALL].concat();
        assert_eq!(text(&arguments, written), "unwinnable\n");
    }
}

#[test]
fn undecided_deals_are_passed_over_and_counted() {
    let arguments = [&["generate", "20", "--max-states", "40"][..], &SMALL].concat();
    let output = with_input(&arguments, b"");
    assert!(output.status.success());
    let found = String::from_utf8(output.stdout).unwrap();
    let winnable = solved("winnable", &[]);
    assert_eq!(found.lines().count(), 20);
    assert!(
        found
            .lines()
            .all(|label| winnable.contains(&label.to_owned()))
    );
    let shown = String::from_utf8(output.stderr).unwrap();
    assert!(shown.contains("undecided within the limits"), "{shown}");
    // Also where there are too few: the scheme ends two deals later.
    let first = "klondike:18446744073709551614";
    let output = with_input(
        &["generate", "5", "--max-states", "1", "--from", first],
        b"",
    );
    let shown = String::from_utf8(output.stderr).unwrap();
    assert!(shown.contains("within the limits: 2 deals\n"), "{shown}");
    assert!(
        shown.ends_with("has no more deals; found 0 of 5\n"),
        "{shown}"
    );
}

/// A search that may find nothing ends after so many deals, and its advice goes on from there.
#[test]
fn no_more_deals_are_tried_than_allowed() {
    let number = |label: &str| {
        label
            .strip_prefix("klondike:")
            .unwrap()
            .parse::<u64>()
            .unwrap()
    };
    let all = generate(&["40"]);
    let within: Vec<String> = all
        .iter()
        .filter(|label| number(label) <= 30)
        .cloned()
        .collect();
    let output = with_input(
        &[&["generate", "40", "--most", "30"], &SMALL[..]].concat(),
        b"",
    );
    assert_eq!(output.status.code(), Some(1));
    let found = String::from_utf8(output.stdout).unwrap();
    assert!(found.lines().eq(within.iter().map(String::as_str)));
    let error = String::from_utf8(output.stderr).unwrap();
    let said = format!("found {} of 40", within.len());
    assert!(
        error.contains("tried 30 deals, as many as --most allows"),
        "{error}"
    );
    assert!(error.contains(&said), "{error}");
    let left = 40 - within.len();
    let next = format!("klondike generate --from klondike:31 {left} --most=30");
    assert!(error.contains(&next), "{error}");
    let rest = generate(&[&left.to_string(), "--from", "klondike:31", "--most=30"]);
    assert_eq!([within, rest].concat(), all);
    assert_eq!(generate(&["5", "--most", "30"]), all[..5]);
}

#[test]
fn the_script_of_the_winnable_lists_begins_as_they_do() {
    let Some(mut python) = python("the script of the winnable lists") else {
        return;
    };
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let lists = Path::new("datasets/winnable");
    let folder = std::env::temp_dir().join(format!("klondike-lists-{}", std::process::id()));
    fs::create_dir_all(folder.join(lists)).unwrap();
    python.arg(root.join("scripts/winnable.py"));
    python.args([env!("CARGO_BIN_EXE_klondike"), "6"]);
    let status = python.current_dir(&folder).status().unwrap();
    assert!(status.success());
    let mut made = 0;
    for list in fs::read_dir(folder.join(lists)).unwrap() {
        let list = list.unwrap();
        let whole = fs::read_to_string(root.join(lists).join(list.file_name())).unwrap();
        let begin = fs::read_to_string(list.path()).unwrap();
        assert_eq!(begin.lines().count(), 6);
        assert!(whole.starts_with(&begin), "{begin}");
        made += 1;
    }
    assert_eq!(made, 4);
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn what_cannot_be_asked_is_said_in_one_line() {
    for (arguments, status, part) in [
        (
            &["generate", "0"][..],
            2,
            "write a whole number of at least 1",
        ),
        (&["generate", "--from", "no:1"], 2, "no"),
        (
            &["generate", "--from", "solvitaire:1", "--piles", "1,2"],
            2,
            "solvitaire:1",
        ),
        (
            &["generate", "--needs-worrying-back", "--unwinnable"],
            2,
            "cannot be used with",
        ),
        (&["generate", "--grade", "0..3"], 2, "from 1 to 10"),
        (&["generate", "--grade", "5..3"], 2, "above the last"),
        (&["generate", "--grade", ".."], 2, "write A..B"),
        (
            &["generate", "--grade", "1", "--unwinnable"],
            2,
            "cannot be used with",
        ),
        (
            &["generate", "--shortest", "moves:1..9"],
            2,
            "no such way of counting",
        ),
        (
            &["generate", "--shortest", "1..9", "--runs", "whole"],
            2,
            "not every part of a run may be moved",
        ),
        (
            &["generate", "--from", "pysol-ms:8589934591", "9"],
            1,
            "no more deals",
        ),
    ] {
        let output = with_input(arguments, b"");
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(status), "{arguments:?} {error}");
        assert!(
            error.contains(part) && error.lines().count() == 1,
            "{arguments:?} {error}"
        );
    }
}
