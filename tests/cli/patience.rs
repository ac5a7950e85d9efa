//! `klondike patience` run as a program: by hand through a pipe, statistics that do not depend on
//! threads, sweeps, published figures, and files that are wrong.

use crate::common_cli;
use std::fs;
use std::path::PathBuf;

use serde_json::Value;

use crate::common_cli::{Ran, read};

fn with_input(arguments: &[&str], input: &str) -> Ran {
    read(&common_cli::with_input(
        &[&["patience"], arguments].concat(),
        input.as_bytes(),
    ))
}

fn klondike(arguments: &[&str]) -> Ran {
    with_input(arguments, "")
}

fn good(arguments: &[&str]) -> String {
    let (status, out, err) = klondike(arguments);
    assert_eq!((status, err.as_str()), (0, ""), "{arguments:?}");
    out
}

/// A JSON line without what depends on the clock.
fn timeless(line: &str) -> Value {
    let mut value: Value = serde_json::from_str(line).unwrap();
    let fields = value.as_object_mut().unwrap();
    assert!(fields.remove("seconds_per_game").is_some() || fields.remove("seconds").is_some());
    value
}

fn file(name: &str, text: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

const QUICK: [&str; 6] = ["--searches", "3", "--playouts", "1", "--depth", "10"];

#[test]
fn games_are_listed_shown_and_can_be_files_again() {
    let list = good(&["list"]);
    for name in ["klondike", "sir-tommy", "shifting", "klondike-opposite"] {
        assert!(
            list.lines()
                .any(|line| line.split(' ').next() == Some(name))
        );
        let json = good(&["show", name, "--json"]);
        let path = file(&format!("shown-{name}.json"), &json);
        assert_eq!(good(&["show", name]), good(&["show", &path]));
    }
    assert!(good(&["show", "klondike", "--deal", "1"]).contains("stock: 24"));
    let schema: Value = serde_json::from_str(&good(&["schema"])).unwrap();
    assert!(schema["properties"]["numSuits"].is_object());
}

#[test]
fn a_game_by_hand_has_moves_undo_hints_and_clear_complaints() {
    let input = "1\nu\nu\nh\n99\nx\n1\n\nq\n";
    let (status, out, err) = with_input(&["play", "sir-tommy", "--deal", "1"], input);
    assert_eq!((status, err.as_str()), (0, ""));
    assert!(out.starts_with("sir-tommy, deal 1\n"), "{out}");
    assert!(out.contains("  1  turn over a card of the stock\n"));
    assert!(out.contains("There is nothing to undo.\n"));
    assert!(out.contains("Perhaps 1.\n"));
    assert!(out.contains("no move `99`; choose 1 to 1. Type the number"));
    assert!(out.contains("no move `x`; choose 1 to 1."));
    assert_eq!(
        out.matches("stock: 52\n").count(),
        2,
        "at first and after undo"
    );
    assert_eq!(out.matches("stock: 51\n").count(), 2);
    // The input may simply end.
    let (status, out, _) = with_input(&["play", "klondike", "--deal", "3"], "1\n");
    assert_eq!(status, 0);
    assert!(out.contains("??"));
    let (status, _, err) = with_input(&["play", "klondike", "--json"], "");
    assert_eq!(status, 2);
    assert!(err.contains("knows no --json"));
}

/// The moves that the tree search shows lead a person to the same win.
#[test]
fn a_small_game_is_won_by_hand_as_the_search_wins_it() {
    let shown: Value = serde_json::from_str(&good(&["show", "sir-tommy", "--json"])).unwrap();
    let mut game = shown["description"].clone();
    game["cards per suit"] = 2.into();
    game["tableau"]["cardsOnEmptySpace"] = serde_json::json!([]);
    let path = file("small-tommy.json", &game.to_string());
    let moves = good(&["mcts", &path, "--games", "1", "--moves"]);
    assert!(moves.contains("won: 8 cards on the foundations"), "{moves}");
    let mut input = String::new();
    for words in moves
        .lines()
        .skip(1)
        .take_while(|line| !line.contains(": "))
    {
        // Ask for the position, find the move by its words, play it.
        let (_, out, _) = with_input(&["play", &path, "--deal", "1"], &input);
        let shown = out
            .lines()
            .rev()
            .find(|line| line.trim_start().ends_with(words));
        let number = shown.unwrap().split_whitespace().next().unwrap();
        input.push_str(&format!("{number}\n"));
    }
    let (status, out, _) = with_input(&["play", &path, "--deal", "1"], &input);
    assert_eq!(status, 0);
    assert!(out.contains("You have won in "), "{out}");
}

#[test]
fn statistics_do_not_depend_on_threads_and_ranges_join() {
    let run = |more: &[&str]| {
        let base = ["mcts", "shifting", "--json"];
        good(&[&base[..], &QUICK, more].concat())
    };
    let one = run(&["--games", "40", "--threads", "1"]);
    let sums = timeless(one.trim());
    assert_eq!(
        sums,
        timeless(run(&["--games", "40", "--threads", "3"]).trim())
    );
    assert_eq!(sums["games"], 40);
    assert_eq!(sums["kind"], "patience-mcts");
    let each = |more: &[&str]| -> Vec<Value> {
        run(&[more, &["--each"]].concat())
            .lines()
            .map(timeless)
            .collect()
    };
    let all = each(&["--games", "40"]);
    let halves = [
        each(&["--games", "15"]),
        each(&["--from", "16", "--games", "25"]),
    ];
    assert_eq!(all, halves.concat());
    let csv = ["mcts", "shifting", "--games", "40", "--each", "--csv"];
    let csv = good(&[&csv[..], &QUICK].concat());
    for (line, game) in csv.lines().skip(1).zip(&all) {
        assert_eq!(line.split(',').nth(1), game["end"].as_str());
    }
    let won = all.iter().filter(|game| game["end"] == "won").count();
    assert_eq!(sums["won"], won);
    let score: u64 = all.iter().map(|game| game["score"].as_u64().unwrap()).sum();
    assert_eq!(sums["score"]["mean"], score as f64 / 40.0);
    assert_ne!(all, each(&["--games", "40", "--seed", "2"]));
    assert_ne!(all, each(&["--games", "40", "--unknown", "peek"]));
}

/// The mean of one game has no interval, in no form.
#[test]
fn one_game_has_no_interval() {
    let base = ["mcts", "shifting", "--games", "1"];
    let json = timeless(good(&[&base[..], &QUICK, &["--json"]].concat()).trim());
    assert!(json["score"]["mean"].is_number() && json["score"]["interval"].is_null());
    let csv = good(&[&base[..], &QUICK, &["--csv"]].concat());
    let [names, cells] = [0, 1].map(|i| csv.lines().nth(i).unwrap().split(',').collect::<Vec<_>>());
    let cell = |name| cells[names.iter().position(|other| *other == name).unwrap()];
    assert!(!cell("score").is_empty() && cell("score_low").is_empty());
    let each = good(&[&base[..], &QUICK, &["--each", "--json"]].concat());
    assert_eq!(timeless(each.trim())["kind"], "patience-mcts");
}

#[test]
fn a_sweep_has_a_line_for_every_combination() {
    let base = ["sweep", "sir-tommy", "--games", "4", "--depth", "5"];
    let vary = ["--vary", "searches=1..5..2", "--vary", "playouts=1,2"];
    let csv = good(&[&base[..], &vary, &["--csv"]].concat());
    let lines: Vec<Vec<&str>> = csv.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(lines.len(), 1 + 6);
    assert_eq!(lines[0][1..4], ["searches", "playouts", "depth"]);
    let pairs: Vec<_> = lines[1..]
        .iter()
        .map(|cells| (cells[1], cells[2]))
        .collect();
    let expected = [
        ("1", "1"),
        ("1", "2"),
        ("3", "1"),
        ("3", "2"),
        ("5", "1"),
        ("5", "2"),
    ];
    assert_eq!(pairs, expected);
    assert!(lines.iter().all(|cells| cells.len() == lines[0].len()));
    let json = good(&[&base[..], &vary, &["--json"]].concat());
    // A combination alone gives the same.
    let alone = [
        "mcts",
        "sir-tommy",
        "--games",
        "4",
        "--depth",
        "5",
        "--searches",
        "3",
    ];
    let alone = good(&[&alone[..], &["--playouts", "2", "--json"]].concat());
    let mut alone = timeless(alone.trim());
    alone["kind"] = "patience-sweep".into();
    assert_eq!(timeless(json.lines().nth(3).unwrap()), alone);
    assert_eq!(good(&[&base[..], &vary].concat()).lines().count(), 2 + 6);
}

#[test]
fn every_published_figure_has_a_row() {
    let base = ["published", "--games", "3"];
    let json = good(&[&base[..], &QUICK, &["--json"]].concat());
    let rows: Vec<Value> = json.lines().map(timeless).collect();
    let ids: Vec<&str> = rows.iter().map(|row| row["id"].as_str().unwrap()).collect();
    let expected = [
        "klondike-share",
        "klondike-share-sweeps",
        "klondike-share-100",
        "klondike-moves",
        "sir-tommy-share",
        "sir-tommy-share-100",
        "sir-tommy-score",
        "sir-tommy-deviation",
        "sir-tommy-moves",
        "shifting-share",
    ];
    assert_eq!(ids, expected);
    assert!(rows.iter().all(|row| row["games"] == 3));
    assert!(
        rows.iter()
            .all(|row| row["unknown"] == "sample" && row["seed"] == 1)
    );
    let csv = good(&[&base[..], &QUICK, &["--csv"]].concat());
    assert_eq!(csv.lines().count(), 1 + expected.len());
    for (line, row) in csv.lines().skip(1).zip(&rows) {
        assert_eq!(line.split(',').nth(2), row["measure"].as_str());
    }
    assert_eq!(
        good(&[&base[..], &QUICK].concat()).lines().count(),
        2 + expected.len()
    );
}

#[test]
fn what_is_wrong_is_said_in_a_line() {
    let base = good(&["show", "klondike", "--json"]);
    let wrong = file(
        "wrong.json",
        &base.replace("\"numSuits\":4", "\"numSuits\":7"),
    );
    let broken = file("broken.json", "{\"numSuits\" 4}");
    for (arguments, status, words) in [
        (
            vec!["show", &wrong],
            1,
            "wrong.json: numSuits: this is 7; write a whole number from 1 to 4",
        ),
        (
            vec!["show", &broken],
            1,
            "this is not JSON as it should be: expected `:` at line 1",
        ),
        (
            vec!["show", "freecell"],
            2,
            "`freecell`: no such file, and not a shipped game: use one of klondike,",
        ),
        (
            vec!["mcts", "klondike", "--csv", "--json"],
            2,
            "--csv and --json exclude each other",
        ),
        (
            vec!["show", "klondike", "--json", "--deal", "1"],
            2,
            "leave one of them out",
        ),
        (
            vec!["sweep", "klondike", "--vary", "searches=1,2,1"],
            2,
            "a value stands twice",
        ),
        (
            vec!["mcts", "klondike", "--exploration", "1"],
            2,
            "--exploration belongs to --tree uct",
        ),
        (
            vec!["mcts", "klondike", "--unknown", "guess"],
            2,
            "use one of: sample peek",
        ),
        (
            vec!["sweep", "klondike", "--vary", "search=1"],
            2,
            "there is no such parameter; use one of searches, playouts",
        ),
        (
            vec![
                "sweep", "klondike", "--vary", "depth=1", "--vary", "depth=2",
            ],
            2,
            "--vary names depth twice",
        ),
    ] {
        let (code, out, err) = klondike(&arguments);
        assert_eq!(code, status, "{arguments:?}: {err}");
        assert_eq!(out, "");
        assert_eq!(err.lines().count(), 1, "{err}");
        assert!(err.contains(words), "{err}");
    }
}
