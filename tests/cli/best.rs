//! `klondike solve --shortest` and `--fewest-passes`, end to end.

use std::process::Output;

use crate::common_cli::{klondike, text};

/// A small game, so that the search takes no time.
const SMALL: [&str; 8] = [
    "--suits", "4", "--ranks", "5", "--piles", "1,2,3,4", "--draw", "3",
];

fn solve(more: &[&str]) -> Output {
    klondike(&[&["solve"], more, &SMALL].concat())
}

fn json(output: &Output) -> serde_json::Value {
    serde_json::from_str(text(output).lines().next().unwrap()).unwrap()
}

#[test]
fn all_ways_of_counting_agree_with_the_counts_of_the_solution() {
    let mut proved = 0;
    for seed in 1..=6 {
        let deal = format!("klondike:{seed}");
        for count in ["cards", "draws", "flips", "redeals"] {
            let output = solve(&["--json", &format!("--shortest={count}"), &deal]);
            assert!(output.status.success());
            let found = json(&output);
            if found["verdict"] != "winnable" {
                continue;
            }
            let counts = &found["solution"]["counts"];
            let number = |name: &str| counts[name].as_u64().unwrap();
            let length = match count {
                "cards" => number("card_moves"),
                "draws" => number("card_moves") + number("draws"),
                "flips" => number("card_moves") + number("draws") + number("flips"),
                _ => number("card_moves") + number("draws") + number("redeals"),
            };
            let fewest = &found["fewest"];
            assert_eq!(fewest["length"], length);
            assert_eq!(fewest["at_least"], length);
            assert_eq!(fewest["proved"], true);
            assert_eq!(fewest["counting"], count);
            proved += 1;
        }
    }
    assert!(proved >= 8, "{proved}");
}

#[test]
fn draws_are_the_default_and_quiet_prints_one_line() {
    let default = text(&solve(&["--shortest", "--quiet", "klondike:1..6"]));
    let named = text(&solve(&["--shortest=draws", "--quiet", "klondike:1..6"]));
    assert_eq!(default, named);
    assert_eq!(default.lines().count(), 6);
    assert!(default.contains("proved shortest"), "{default}");
}

#[test]
fn the_fewest_passes_are_enough_and_one_less_is_not() {
    let output = solve(&["--json", "--fewest-passes", "klondike:1..20"]);
    let mut compared = 0;
    for line in text(&output).lines() {
        let found: serde_json::Value = serde_json::from_str(line).unwrap();
        if found["verdict"] != "winnable" {
            // Nothing is said of the length of a solution that does not exist.
            assert!(found["fewest"].is_null() && found["limit"].is_null());
            continue;
        }
        let (deal, passes) = (
            found["deal"].as_str().unwrap(),
            found["fewest"]["length"].as_u64().unwrap(),
        );
        let with = |redeals: u64| {
            let redeals = redeals.to_string();
            text(&solve(&["--quiet", "--redeals", &redeals, deal]))
                .trim()
                .to_owned()
        };
        assert_eq!(with(passes - 1), "winnable");
        if passes > 1 {
            assert_eq!(with(passes - 2), "unwinnable");
            compared += 1;
        }
    }
    assert!(compared > 0);
}

#[test]
fn limits_leave_the_best_solution_and_a_lower_bound() {
    let output = klondike(&[
        "--json",
        "solve",
        "--shortest",
        "--max-states",
        "2000",
        "klondike-solver:1",
    ]);
    assert_eq!(output.status.code(), Some(3));
    let found = json(&output);
    assert_eq!(
        (&found["verdict"], &found["fewest"]["proved"]),
        (&"winnable".into(), &false.into())
    );
    assert_eq!(found["limit"], "states");
    let (length, at_least) = (
        found["fewest"]["length"].as_u64().unwrap(),
        found["fewest"]["at_least"].as_u64().unwrap(),
    );
    // Klondike-Solver proves 117 with its 21 flips, and so do we.
    assert!(
        at_least > 60 && at_least <= 96 && length >= 96,
        "{at_least} {length}"
    );
}

#[test]
fn what_cannot_be_asked_is_said_in_one_line() {
    for (arguments, part) in [
        (
            &["solve", "--shortest=x", "klondike:1"][..],
            "cards, draws, flips, redeals",
        ),
        (
            &["solve", "--shortest", "--fewest-passes", "klondike:1"],
            "cannot be used with",
        ),
        (
            &["solve", "--shortest", "--runs", "whole", "klondike:1"],
            "not every part of a run",
        ),
        (
            &[
                "solve",
                "--fewest-passes",
                "--redeals",
                "last-pass-by-ones",
                "klondike:1",
            ],
            "ask with unlimited redeals",
        ),
        (
            &["analyse", "--critical", "--redeals", "2", "klondike:1"],
            "no critical moves",
        ),
        (
            &["analyse", "--lost-share", "--runs", "whole", "klondike:1"],
            "no share of lost positions",
        ),
    ] {
        let output = klondike(arguments);
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{error}");
        assert!(
            error.contains(part) && error.lines().count() == 1,
            "{error}"
        );
    }
}
