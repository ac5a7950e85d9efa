//! `klondike reproduce`: every experiment gives every row, and its words say what the rows say.

#![allow(clippy::unwrap_used)] // in helpers of the tests

use std::process::{Command, Output};

use klondike::reproduce::{experiments, figures};

fn reproduce(args: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_klondike");
    Command::new(program)
        .arg("reproduce")
        .args(args)
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn without_a_name_all_experiments_are_listed() {
    let listed = text(&reproduce(&[]).stdout);
    for experiment in experiments() {
        assert!(listed.contains(&experiment.id) && listed.contains(&experiment.source));
    }
}

#[test]
fn every_experiment_gives_every_row() {
    for experiment in experiments() {
        // A game of four or five rollouts takes minutes.
        if experiment.id == "yan-deep" {
            continue;
        }
        let output = reproduce(&[&experiment.id, "--games", "2", "--json"]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let rows: Vec<serde_json::Value> = text(&output.stdout)
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let figures = figures(&experiment.id);
        assert_eq!(rows.len(), figures.len());
        for (row, figure) in rows.iter().zip(figures) {
            assert_eq!(row["kind"], "reproduce");
            assert_eq!(row["what"], figure.what);
            assert_eq!(row["published"], figure.published);
            assert_eq!(row["games"], 2);
            assert!(row["seconds"].as_f64().unwrap() > 0.0);
        }
    }
}

#[test]
fn rows_are_the_same_for_any_number_of_threads() {
    let ours = |threads: &str| {
        let args = ["kortsmit", "--games", "300", "--csv", "--threads", threads];
        let output = reproduce(&args);
        assert!(output.status.success());
        let rows: Vec<String> = text(&output.stdout)
            .lines()
            .map(|line| {
                // All but the times at the end.
                let cells: Vec<&str> = line.rsplitn(3, ',').collect();
                cells[2].to_owned()
            })
            .collect();
        rows
    };
    let one = ours("1");
    assert_eq!(one, ours("3"));
    assert_eq!(one.len(), figures("kortsmit").len() + 1);
    assert!(one.iter().any(|row| row.contains(",agree,")), "{one:?}");
}

#[test]
fn what_is_asked_for_wrongly_is_explained() {
    let output = reproduce(&["nobody"]);
    assert_eq!(output.status.code(), Some(2));
    let errors = text(&output.stderr);
    assert!(errors.contains("nobody") && errors.contains("kortsmit-difference"));
    assert_eq!(
        reproduce(&["yan", "--csv", "--json"]).status.code(),
        Some(2)
    );
}
