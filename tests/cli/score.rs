//! `klondike solve --best-score`, end to end.

use std::process::Output;

use crate::common_cli::{klondike, text};

fn json(output: &Output) -> Vec<serde_json::Value> {
    text(output)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

/// A small game, so that the search takes no time.
const SMALL: [&str; 8] = [
    "--suits", "4", "--ranks", "6", "--piles", "2,3,4,5", "--draw", "3",
];

fn best(more: &[&str]) -> Output {
    klondike(&[&["solve", "--best-score"], more, &SMALL].concat())
}

#[test]
fn scores_go_with_verdicts_and_fewer_passes_get_no_more_up() {
    let mut scores = Vec::new();
    for redeals in ["unlimited", "1", "0"] {
        let output = best(&["--json", "--redeals", redeals, "klondike:1..30"]);
        assert!(output.status.success());
        let found = json(&output);
        assert_eq!(found.len(), 30);
        for one in &found {
            let score = &one["score"];
            let cards = score["cards"].as_u64().unwrap();
            assert_eq!(score["proved"], true);
            assert_eq!(score["of"], 24);
            assert_eq!(one["verdict"] == "winnable", cards == 24);
            assert_eq!(score["at_most"], cards);
            assert_eq!(score["vegas"], 5 * cards as i64 - 24);
            let line = &score["line"];
            assert_eq!(line["text"].as_str().unwrap().is_empty(), cards == 0);
            assert_eq!(line["counts"]["card_moves"] == 0, cards == 0);
        }
        let row: Vec<u64> = found
            .iter()
            .map(|one| one["score"]["cards"].as_u64().unwrap())
            .collect();
        scores.push(row);
    }
    let mut less = 0;
    for pair in scores.windows(2) {
        for (more, fewer) in pair[0].iter().zip(&pair[1]) {
            assert!(more >= fewer);
            less += usize::from(more > fewer);
        }
    }
    assert!(less > 0);
    assert!(scores[0].iter().any(|&score| score < 24) && scores[0].contains(&24));
}

#[test]
fn text_says_score_proof_and_money() {
    let output = text(&klondike(&["solve", "--best-score", "solvitaire:3"]));
    assert!(output.contains(" best score "), "{output}");
    let quiet = text(&best(&["--quiet", "klondike:1..5"]));
    assert_eq!(quiet.lines().count(), 5);
    for line in quiet.lines() {
        assert!(line.contains("proved best; Vegas "), "{line}");
    }
}

#[test]
fn each_lemma_may_be_switched_off() {
    let with = text(&best(&["--quiet", "klondike:1..10"]));
    for lemma in [
        "safe-foundation",
        "relaxation",
        "waste-dominance",
        "twin-order",
    ] {
        let without = text(&best(&["--quiet", "--no-lemma", lemma, "klondike:1..10"]));
        assert_eq!(with, without, "{lemma}");
    }
}

#[test]
fn the_passes_come_from_the_rules() {
    let output = klondike(&[
        "--json",
        "solve",
        "--best-score",
        "--rules",
        "vegas3",
        "klondike:1",
    ]);
    let found = &json(&output)[0];
    let score = &found["score"];
    assert_eq!(score["vegas"], 5 * score["cards"].as_i64().unwrap() - 52);
    assert!(score["line"]["counts"]["redeals"].as_u64().unwrap() <= 2);
}

/// A lost deal whose best score takes more states than that.
fn within_500_states(more: &[&str]) -> Output {
    let limits = ["--max-states", "500", "--threads", "1", "--draw", "3"];
    let task = ["solve", "--best-score", "solvitaire:22"];
    klondike(&[&task[..], &limits[..], more].concat())
}

#[test]
fn limits_leave_a_score_and_an_upper_bound() {
    let output = within_500_states(&["--json"]);
    assert_eq!(output.status.code(), Some(3));
    let found = &json(&output)[0];
    assert_eq!(
        (&found["score"]["proved"], &found["limit"]),
        (&false.into(), &"states".into())
    );
    assert!(found["score"]["cards"].as_u64() < found["score"]["at_most"].as_u64());
}

#[test]
fn fewest_moves_go_with_the_score_and_are_no_more_than_without() {
    let plain = json(&best(&["--json", "klondike:1..12"]));
    for counting in ["cards", "draws", "flips", "redeals"] {
        let option = format!("--fewest-moves={counting}");
        let output = best(&["--json", &option, "klondike:1..12"]);
        assert!(output.status.success());
        let found = json(&output);
        assert_eq!(found.len(), plain.len());
        for (one, without) in found.iter().zip(&plain) {
            assert_eq!(one["goal"], "best-score");
            assert_eq!(one["score"]["cards"], without["score"]["cards"]);
            let fewest = &one["fewest"];
            assert_eq!(fewest["counting"], counting);
            assert_eq!(fewest["proved"], true);
            assert_eq!(fewest["length"], fewest["at_least"]);
            assert!(without["fewest"].is_null());
            let length = fewest["length"].as_u64().unwrap();
            let counted = |line: &serde_json::Value| {
                let number = |name: &str| line["score"]["line"]["counts"][name].as_u64().unwrap();
                match counting {
                    "cards" => number("card_moves"),
                    "redeals" => number("card_moves") + number("draws") + number("redeals"),
                    "flips" => number("card_moves") + number("draws") + number("flips"),
                    _ => number("card_moves") + number("draws"),
                }
            };
            assert_eq!(length, counted(one));
            assert!(length <= counted(without));
        }
    }
}

#[test]
fn fewest_moves_are_in_the_text_and_limits_leave_a_bound() {
    let quiet = text(&best(&["--quiet", "--fewest-moves", "klondike:1..5"]));
    assert_eq!(quiet.lines().count(), 5);
    for line in quiet.lines() {
        assert!(line.contains(" moves, proved fewest; Vegas "), "{line}");
    }
    let output = within_500_states(&["--fewest-moves"]);
    assert_eq!(output.status.code(), Some(3));
    let output = text(&output);
    assert!(output.contains(" moves, at least ") && output.contains("(limit hit: states)"));
}

#[test]
fn what_cannot_be_asked_is_said_in_one_line() {
    for (arguments, part) in [
        (
            &["solve", "--best-score", "--shortest", "klondike:1"][..],
            "cannot be used with",
        ),
        (
            &["solve", "--best-score", "--fewest-passes", "klondike:1"],
            "cannot be used with",
        ),
        (
            &["solve", "--best-score", "--runs", "whole", "klondike:1"],
            "not every part of a run",
        ),
        (&["solve", "--fewest-moves", "klondike:1"], "--best-score"),
        (
            &["solve", "--best-score", "--fewest-moves=days", "klondike:1"],
            "no such way of counting",
        ),
        (
            &[
                "solve",
                "--best-score",
                "--fewest-moves",
                "--runs",
                "whole",
                "klondike:1",
            ],
            "no fewest moves: not every part of a run may be moved",
        ),
        (
            &[
                "solve",
                "--best-score",
                "--fewest-moves",
                "--spaces",
                "any",
                "klondike:1",
            ],
            "no fewest moves: empty piles take other cards than kings",
        ),
        (&["solve", "--best-score=5", "klondike:1"], "--best-score"),
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
