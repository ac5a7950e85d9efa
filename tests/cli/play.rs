//! `klondike play` run as a program, through a pipe: moves, undo, hints, the truth, and what is
//! refused.

use crate::common_cli;
use crate::common_cli::{Ran, read};

fn play(arguments: &[&str], input: &str) -> Ran {
    read(&common_cli::with_input(
        &[&["play"], arguments].concat(),
        input.as_bytes(),
    ))
}

fn good(arguments: &[&str], input: &str) -> String {
    let (status, out, error) = play(arguments, input);
    assert_eq!((status, error.as_str()), (0, ""), "{out}");
    out
}

#[test]
fn moves_are_made_and_taken_back() {
    let start = good(&["solvitaire:3"], "");
    assert!(start.starts_with("solvitaire:3\n"));
    assert!(start.contains("stock: 24\nwaste: -\n"), "{start}");
    let board = start.split("\n\n").nth(2).unwrap();
    assert!(board.contains("##") && !board.contains('('), "{board}");
    let drawn = good(&["solvitaire:3"], "d\n");
    assert!(drawn.contains("stock: 21\nwaste: 8H QD [2C]\n"), "{drawn}");
    let undone = good(&["solvitaire:3"], "d\nu\nu\nq\n");
    assert!(undone.contains("There is nothing to undo."), "{undone}");
    assert_eq!(undone.matches("stock: 24").count(), 2);
    // A whole pass through the talon, and the waste turned back.
    let words = "d ".repeat(9);
    let round = good(&["solvitaire:3"], &words);
    assert!(round.contains("redeals used: 1"), "{round}");
    let again = good(&["solvitaire:3"], "d\nu\nr\nr\n");
    assert_eq!(again.matches("stock: 21").count(), 2);
    assert!(again.contains("There is nothing to redo."), "{again}");
    let wrong = good(&["solvitaire:3"], "4>5 d\n9X:1>2\nxyzzy\n");
    assert_eq!(wrong.matches("is no move here").count(), 3, "{wrong}");
    assert!(
        !wrong.contains("stock: 21"),
        "what follows a wrong word is not done"
    );
}

/// The solution of a deal, typed in, wins; the last hint is the same line.
#[test]
fn a_solution_typed_in_wins() {
    let solve = common_cli::klondike(&["solve", "--json", "--draw", "1", "klondike:5"]);
    let json: serde_json::Value = serde_json::from_slice(&solve.stdout).unwrap();
    let moves = json["solution"]["text"].as_str().unwrap();
    let out = good(&["klondike:5", "--draw", "1"], moves);
    assert!(out.contains("You have won in "), "{out}");
    let words: Vec<&str> = moves.split(' ').collect();
    let almost = words[..words.len() - 1].join(" ");
    let out = good(&["klondike:5", "--draw", "1"], &format!("{almost}\nt\nh\n"));
    assert!(out.contains("It can still be won.\n"), "{out}");
    let hint = out.lines().rev().find(|line| line.contains(">F")).unwrap();
    assert!(hint.contains(words[words.len() - 1]), "{hint}");
}

/// Deals come from arguments and files in turn, and others by chance after the last one.
#[test]
fn the_next_deal_begins() {
    let file = std::env::temp_dir().join(format!("klondike-play-{}", std::process::id()));
    std::fs::write(&file, "klondike:8\n").unwrap();
    let path = file.to_str().unwrap();
    let out = good(&["solvitaire:3", path], "d n e\nn\nq\n");
    assert!(out.starts_with("solvitaire:3\n"), "{out}");
    assert!(out.contains("> klondike:8\n"), "{out}");
    assert!(out.contains("Some cards are still face down.\n"), "{out}");
    assert!(
        out.lines().any(|line| line.starts_with("> klondike:")),
        "{out}"
    );
}

/// A request to terminate gives the terminal back as it was.
#[cfg(target_os = "linux")]
#[test]
fn sigterm_leaves_the_screen() {
    use std::io::Read;
    use std::os::unix::process::ExitStatusExt as _;

    use rustix::process::{Pid, Signal, kill_process};
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    let name = ptsname(&master, Vec::new()).unwrap();
    let slave = || {
        std::fs::File::options()
            .read(true)
            .write(true)
            .open(name.to_str().unwrap())
    };
    let size = rustix::termios::Winsize {
        ws_row: 24,
        ws_col: 80,
        ws_xpixel: 0,
        ws_ypixel: 0,
    };
    rustix::termios::tcsetwinsize(&master, size).unwrap();
    let mut child = common_cli::command(&["play", "klondike:1"])
        .stdin(slave().unwrap())
        .stdout(slave().unwrap())
        .spawn()
        .unwrap();
    let mut terminal = std::fs::File::from(master);
    let (mut seen, mut block) = (Vec::new(), [0; 4096]);
    let has = |seen: &[u8], text: &[u8]| seen.windows(text.len()).any(|at| at == text);
    while !has(&seen, b"keys") {
        let read = terminal.read(&mut block).unwrap();
        seen.extend_from_slice(&block[..read]);
    }
    kill_process(Pid::from_child(&child), Signal::TERM).unwrap();
    let status = child.wait().unwrap();
    // The end of what a terminal says is an error on Linux.
    while let Ok(read @ 1..) = terminal.read(&mut block) {
        seen.extend_from_slice(&block[..read]);
    }
    assert_eq!((status.code(), status.signal()), (Some(130), None));
    assert!(has(&seen, b"\x1b[?1049h"), "the screen was entered");
    assert!(has(&seen, b"\x1b[?1049l"), "and left");
}

#[test]
fn hints_are_ranked_and_the_truth_is_said_on_request_only() {
    let arguments = ["solvitaire:3", "--iterations", "60"];
    let one = good(&arguments, "h\n");
    let all = good(&arguments, "a\n");
    assert_eq!(one.matches("% to win").count(), 1);
    assert!(all.matches("% to win").count() > 1, "{all}");
    assert!(!all.contains("It can"), "{all}");
    let shown = good(&arguments, "t\n");
    assert!(
        shown.contains("It cannot be won any more.") || shown.contains("It can still be won."),
        "{shown}"
    );
    let vegas = good(&["solvitaire:3", "--rules", "vegas3"], "h\n");
    assert!(
        vegas.contains("No hints for these rules: redeals are limited."),
        "{vegas}"
    );
}

#[test]
fn wrong_command_lines_are_refused() {
    for (arguments, message) in [
        (&["solvitaire:3", "--json"][..], "knows no --json"),
        (&["-"][..], "standard input is for your moves"),
        (&["solvitaire:3", "--ranks", "8"][..], "solvitaire:3: "),
    ] {
        let (status, out, error) = play(arguments, "");
        assert_eq!((status, out.as_str()), (2, ""), "{error}");
        assert!(error.contains(message), "{error}");
    }
}
