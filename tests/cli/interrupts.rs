//! Ctrl-C in commands about many deals: what was answered is kept, and the message says how to go
//! on so that no deal is left out and none is answered twice.

use std::io::{self, BufRead as _, BufReader};
use std::process::{Command, Stdio};
use std::{fs, thread};

use serde_json::{Value, json};

use crate::common_cli::command;
use crate::rows::each_row;

/// Interrupts the command, of a file if there is one, after its first answer; gives all lines of
/// answers, and its last words.
fn interrupted(words: &str, file: Option<&str>) -> (Vec<String>, String) {
    let mut child = command(&words.split(' ').chain(file).collect::<Vec<_>>())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // Both are read at once, since a pipe that is full stops the command.
    let errors = child.stderr.take().unwrap();
    let errors = thread::spawn(move || io::read_to_string(errors).unwrap());
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut lines = vec![answers.next().unwrap().unwrap()];
    let pid = child.id().to_string();
    let kill = Command::new("kill").args(["-INT", &pid]).status().unwrap();
    assert!(kill.success());
    lines.extend(answers.map(Result::unwrap));
    let error = errors.join().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{error}");
    (lines, error)
}

#[test]
fn the_message_says_how_to_go_on() {
    each_row(
        &[
            "solve --quiet klondike:1..1000000",
            "solve --quiet --threads 2 klondike:1..1000000",
            "solve --json --no-solution klondike:1..1000000",
            "grade --quiet klondike:1..1000000",
            "analyse --json klondike:1..1000000",
        ],
        ToString::to_string,
        |words| {
            let (lines, error) = interrupted(words, None);
            let next = format!("klondike:{}..1000000", lines.len() + 1);
            let command = words.replace("klondike:1..1000000", &next);
            let wanted = format!("klondike: interrupted; to go on: klondike {command}\n");
            assert_eq!(error, wanted);
        },
    );
    let (lines, error) = interrupted("generate 1000000 --draw 3 --to row-order --labels", None);
    let number = |text: &str| text.parse::<u64>().unwrap();
    let labels = lines
        .iter()
        .filter_map(|line| line.strip_prefix("# klondike:"));
    let labels: Vec<u64> = labels.map(number).collect();
    let last = *labels.last().unwrap();
    let (_, rest) = error
        .split_once("klondike generate --from klondike:")
        .unwrap();
    let (next, rest) = rest.split_once(' ').unwrap();
    let left = 1_000_000 - labels.len();
    assert_eq!(
        rest,
        format!("{left} --draw 3 --to row-order --labels\n"),
        "{error}"
    );
    // What was looked at after the last deal found is not looked at again.
    for deal in last + 1..number(next) {
        let deal = format!("klondike:{deal}");
        let solved = command(&["solve", "--quiet", &deal]).output().unwrap();
        assert_eq!(solved.stdout, b"unwinnable\n", "{deal}");
    }
    assert!(number(next) > last, "{error}");
}

/// Of deals in a file, in any order and with wrong ones between them, what is printed ends at the
/// line that the message names.
#[test]
fn the_message_names_the_line() {
    let file = format!("{}/down.txt", env!("CARGO_TARGET_TMPDIR"));
    let lines = (1..=100_000).rev().map(|number| match number % 3 {
        0 => format!("bad{number}\n"),
        _ => format!("klondike:{number}\n"),
    });
    fs::write(&file, lines.collect::<String>()).unwrap();
    each_row(
        &[
            "solve --quiet --draw 12 --threads 1",
            "solve --quiet --draw 12 --threads 2",
            "solve --json --no-solution --draw 3 --threads 2",
            "grade --quiet --threads 1",
            "analyse --json",
        ],
        ToString::to_string,
        |words| {
            let (lines, error) = interrupted(words, Some(&file));
            let last = error.lines().last().unwrap();
            let (begin, line) = match last.rsplit_once(" in line ") {
                Some((begin, line)) => (begin, line),
                None => last.rsplit_once(':').unwrap(),
            };
            let line: usize = line.parse().unwrap();
            let answered = match begin.contains("begin with deal") {
                true => line - 1,
                false => line,
            };
            assert!(begin.contains("interrupted; to go on, begin "), "{error}");
            assert_eq!(lines.len(), answered, "{error}");
        },
    );
}

/// Searches for the best of each deal say so, too, and are asked again where one was cut short.
#[test]
fn searches_one_after_the_other_say_how_to_go_on() {
    let words = "solve --json --shortest=cards --draw 1 klondike:1..100000";
    let (lines, error) = interrupted(words, None);
    let last: serde_json::Value = serde_json::from_str(lines.last().unwrap()).unwrap();
    let next = lines.len() + usize::from(last["limit"] != "interrupt");
    let wanted = words.replace(":1..", &format!(":{next}.."));
    assert_eq!(
        error,
        format!("klondike: interrupted; to go on: klondike {wanted}\n")
    );
}

/// Games of patience that were not all played say so.
#[test]
fn a_cut_row_is_not_complete() {
    let words =
        "patience sweep klondike --games 20 --playouts 1 --threads 1 --json --vary searches=1,100";
    let (lines, error) = interrupted(words, None);
    assert!(error.contains("interrupted"), "{error}");
    let rows: Vec<Value> = lines
        .iter()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(
        (&rows[0]["games"], &rows[0]["complete"]),
        (&json!(20), &json!(true))
    );
    for row in &rows[1..] {
        assert!(
            row["games"].as_u64() < Some(20) && row["complete"] == false,
            "{row}"
        );
    }
}
