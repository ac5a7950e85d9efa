//! `klondike grade`, end to end: one answer for each deal, in their order, whatever the threads.

use crate::common_cli::with_input;

fn text(arguments: &[&str], input: &str) -> String {
    let output = with_input(arguments, input.as_bytes());
    let error = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{arguments:?}: {error}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn every_deal_gets_a_grade_or_the_reason_why_not() {
    let quiet = text(&["grade", "--quiet", "klondike:1..60"], "");
    let verdicts = text(&["solve", "--quiet", "klondike:1..60"], "");
    assert_eq!(quiet.lines().count(), 60);
    let mut unwinnable = 0;
    for (grade, verdict) in quiet.lines().zip(verdicts.lines()) {
        match grade.parse::<u8>() {
            Ok(number) => assert!((1..=10).contains(&number) && verdict == "winnable"),
            Err(_) => {
                assert_eq!([grade, verdict], ["unwinnable"; 2]);
                unwinnable += 1;
            }
        }
    }
    assert!(unwinnable > 2);
    for threads in ["1", "2", "5"] {
        let again = ["grade", "--quiet", "--threads", threads, "klondike:1..60"];
        assert_eq!(text(&again, ""), quiet);
    }
    let words = text(&["grade", "klondike:1..60"], "");
    for ((line, grade), number) in words.lines().zip(quiet.lines()).zip(1..) {
        let said = match grade {
            "unwinnable" => "unwinnable, no grade".to_owned(),
            grade => format!("grade {grade} of 10, estimated chance with hidden cards:"),
        };
        let begin = format!("klondike:{number}: {said}");
        assert!(line.starts_with(&begin), "{line}");
    }
}

#[test]
fn deals_come_from_wherever_solve_takes_them() {
    let numbers = text(
        &["grade", "--draw", "1", "--quiet", "pysol:32000..32004"],
        "",
    );
    let boards = text(&["deal", "--to", "solvitaire", "pysol:32000..32004"], "");
    let read = text(&["grade", "--draw", "1", "--quiet", "-"], &boards);
    assert_eq!(read, numbers);
}

#[test]
fn json_says_what_the_grade_is_made_of() {
    let lines = text(&["grade", "--json", "klondike:1..12"], "");
    let quiet = text(&["grade", "--quiet", "klondike:1..12"], "");
    for (line, quiet) in lines.lines().zip(quiet.lines()) {
        let found: serde_json::Value = serde_json::from_str(line).unwrap();
        assert_eq!(found["kind"], "grade");
        assert_eq!(found["grade_version"], 1);
        if quiet == "unwinnable" {
            assert_eq!(found["verdict"], "unwinnable");
            assert!(found.get("grade").is_none() && found.get("features").is_none());
            continue;
        }
        assert_eq!(found["grade"].to_string(), quiet);
        let chance = found["chance"].as_f64().unwrap();
        assert!(0.0 < chance && chance < 1.0);
        assert_eq!(found["features"]["games"], 1024);
        assert!(found["features"]["wins"].as_u64().unwrap() <= 1024);
    }
}

#[test]
fn other_rules_have_grades_without_a_chance() {
    let rules = ["--rules", "vegas3", "klondike:26"];
    let said = text(&[&["grade"], &rules[..]].concat(), "");
    let start = "klondike:26: grade 1 of 10, a simple player wins ";
    assert!(said.starts_with(start), "{said}");
    let line = text(&[&["grade", "--json"], &rules[..]].concat(), "");
    let found: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!(found["grade_version"], 2);
    assert!(found.get("chance").is_none(), "{found}");
    let features = found["features"].as_object().unwrap();
    assert!(features["cards"].as_u64().unwrap() > 0 && !features.contains_key("beam"));
    let made = text(&["generate", "--grade", "1", "--rules", "vegas3", "2"], "");
    for label in made.lines() {
        let quiet = text(&["grade", "--quiet", "--rules", "vegas3", label], "");
        assert_eq!(quiet, "1\n", "{label}");
    }
}

#[test]
fn what_has_no_grade_is_said_in_one_line() {
    let begun = text(&["deal", "--to", "klondike", "klondike:1"], "");
    assert!(!begun.is_empty());
    for (arguments, input, status, part) in [
        (&["grade"][..], "", 2, "no deal"),
        (&["grade", "no-such-file"], "", 1, "no such file"),
        (
            &["grade", "klondike:1", "-"],
            "nonsense",
            1,
            "standard input",
        ),
    ] {
        let output = with_input(arguments, input.as_bytes());
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(status), "{arguments:?} {error}");
        assert!(
            error.contains(part) && error.lines().count() == 1,
            "{arguments:?} {error}"
        );
    }
    let hopeless = ["grade", "--redeals", "0", "--spaces", "nothing"];
    let output = with_input(&[&hopeless[..], &["klondike:4063"]].concat(), b"");
    let error = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{error}");
    assert!(error.contains("too few of `klondike:82000001`"), "{error}");
    let output = with_input(&["grade", "--max-states", "1", "klondike:1"], b"");
    assert_eq!(output.status.code(), Some(3));
    let said = String::from_utf8(output.stdout).unwrap();
    assert_eq!(
        said,
        "klondike:1: undecided, no grade (limit hit: states)\n"
    );
}
