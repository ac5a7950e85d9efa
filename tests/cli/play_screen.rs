//! `klondike play` on the screen of a terminal: what is drawn, and how it ends.

use std::os::unix::process::ExitStatusExt as _;

use rustix::process::{Pid, Signal, kill_process};

use crate::common_cli;
use crate::common_cli::folder;
use crate::terminal::Terminal;

const SIZE: (u16, u16) = (80, 24);

fn play(arguments: &[&str], size: (u16, u16)) -> Terminal {
    let mut command = common_cli::command(&[&["play"], arguments].concat());
    Terminal::start(command.env("TERM", "xterm-256color"), size)
}

fn has(terminal: &Terminal, text: &str) -> bool {
    let text = text.as_bytes();
    terminal.sent.windows(text.len()).any(|at| at == text)
}

/// The terminal is given back as it was.
fn assert_restored(terminal: &Terminal) {
    assert!(has(terminal, "\x1b[?1049h"), "the screen was entered");
    assert!(has(terminal, "\x1b[?1049l"), "and left");
}

#[test]
fn a_game_is_played_with_keys() {
    for size in [(60, 20), SIZE, (120, 40)] {
        let mut terminal = play(&["solvitaire:3", "--draw", "1"], size);
        terminal.wait_for("q quit");
        let shown = terminal.shown();
        assert!(shown.starts_with("solvitaire:3   0:"), "{shown}");
        assert!(
            shown.contains("\ndraw 1   move 0   pass 1   redeals unlimited\n"),
            "{shown}"
        );
        assert!(
            shown.contains("\n 4♣    ▒▒    ▒▒    ▒▒    ▒▒    ▒▒    ▒▒\n"),
            "{shown}"
        );
        terminal.press(" ");
        terminal.wait_for("move 1   pass 1");
        terminal.wait_for("stock 23   w  8♥");
        // The cursor of the arrow keys: from the first pile to the second.
        terminal.press("\x1b[C");
        terminal.wait_for("[1]");
        terminal.press("\x1b[C\r");
        terminal.wait_for(">2]");
        terminal.press("\x1b");
        terminal.wait_for("[2]");
        terminal.press("?");
        terminal.wait_for("Any key goes back to the game.");
        terminal.press("xt");
        terminal.wait_for("It can still be won.");
        // Leaving is asked about, and what was played is printed.
        terminal.press("q");
        terminal.wait_for("q once more leaves this game; s saves it.");
        terminal.press("q");
        assert_eq!(terminal.end().code(), Some(0));
        assert_restored(&terminal);
        assert!(has(
            &terminal,
            "klondike analyse --game draw solvitaire:3 --draw 1\r\n"
        ));
    }
}

#[test]
fn ctrl_l_draws_the_screen_anew() {
    let mut terminal = play(&["klondike:1"], SIZE);
    terminal.wait_for("q quit");
    let clear = "\x1b[2J";
    assert!(!has(&terminal, clear));
    terminal.press("\x0c ");
    terminal.wait_for("move 1");
    assert!(has(&terminal, clear));
    assert!(terminal.shown().starts_with("klondike:1   0:"));
    terminal.press("qq");
    assert_eq!(terminal.end().code(), Some(0));
}

/// A whole game, each move of the solution by its keys.
#[test]
fn a_whole_game_is_won_on_the_screen() {
    let mut terminal = play(&["klondike:5", "--draw", "1", "--thoughtful"], SIZE);
    terminal.wait_for("next ");
    for _ in 0..40 {
        terminal.press("hm");
    }
    terminal.press("h");
    terminal.wait_for("(this wins");
    // The rest by itself, as soon as that is possible.
    for _ in 0..150 {
        terminal.press("hm");
    }
    terminal.wait_for("You have won in ");
    terminal.press("q");
    assert_eq!(terminal.end().code(), Some(0));
    assert!(has(&terminal, "klondike:5: won in "));
}

/// Esc and Ctrl-C stop a hint that takes ten minutes, and the game goes on, also with what was
/// typed meanwhile.
#[test]
fn a_long_hint_is_stopped() {
    let mut terminal = play(&["klondike:1", "--time-limit", "600"], SIZE);
    terminal.wait_for("q quit");
    for (key, draws) in [("\x1b", 1), ("\x03", 2)] {
        terminal.press("h");
        terminal.wait_for("Thinking … (esc stops it)");
        terminal.press(" ");
        terminal.press(key);
        terminal.wait_for(&format!("move {draws}"));
    }
    terminal.press("h");
    terminal.wait_for("Thinking");
    terminal.press("\x1b");
    terminal.wait_for("\nStopped.\n");
    terminal.press("\x03");
    assert_eq!(terminal.end().code(), Some(130));
    assert_restored(&terminal);
}

/// Ctrl-C ends the game as what it is, and the moves are not lost.
#[test]
fn ctrl_c_ends_with_its_status() {
    let folder = folder("play-interrupt");
    let file = folder.join("game.txt");
    let mut terminal = play(&["klondike:1", "--save", file.to_str().unwrap()], SIZE);
    terminal.wait_for("q quit");
    terminal.press("  ");
    terminal.wait_for("move 2");
    terminal.press("\x03");
    let status = terminal.end();
    assert_eq!((status.code(), status.signal()), (Some(130), None));
    assert_restored(&terminal);
    assert!(has(&terminal, "klondike:1: 2 moves, "));
    assert!(
        std::fs::read_to_string(&file)
            .unwrap()
            .ends_with("moves: draw*2\n")
    );
    // A saved game is left without a question.
    let mut terminal = play(&[file.to_str().unwrap()], SIZE);
    terminal.wait_for("move 2");
    terminal.press("q");
    assert_eq!(terminal.end().code(), Some(0));
}

/// A request to terminate gives the terminal back as it was, and neither the moves nor the game are
/// lost.
#[test]
fn sigterm_leaves_the_screen() {
    let record = folder("play-terminated").join("record.jsonl");
    let mut terminal = play(&["klondike:1", "--record", record.to_str().unwrap()], SIZE);
    terminal.wait_for("q quit");
    terminal.press(" ");
    terminal.wait_for("move 1");
    kill_process(Pid::from_child(&terminal.child), Signal::TERM).unwrap();
    let status = terminal.end();
    assert_eq!((status.code(), status.signal()), (Some(130), None));
    assert_restored(&terminal);
    assert!(has(&terminal, "klondike analyse --game draw klondike:1"));
    assert!(has(&terminal, "Record: 0 of 1 game won, 0 %, 0 to 79 %."));
    assert_eq!(std::fs::read_to_string(record).unwrap().lines().count(), 1);
}

/// The record is shown before the game and after it.
#[test]
fn the_record_is_shown_on_the_screen() {
    let record = folder("play-record-screen").join("record.jsonl");
    let options = ["--thoughtful", "--record", record.to_str().unwrap()];
    let played = [&["play", "klondike:1"], &options[..]].concat();
    common_cli::with_input(&played, b"d q");
    let mut terminal = play(&[&["klondike:2"], &options[..]].concat(), SIZE);
    terminal.wait_for("Record: 0 of 1 game won, 0 %, 0 to 79 %.");
    terminal.press("l");
    terminal.wait_for("that win; h and m show and make the next:");
    terminal.press("x ");
    terminal.wait_for("move 1");
    terminal.press("qq");
    assert_eq!(terminal.end().code(), Some(0));
    let end = "Record: 0 of 1 game won, 0 %, 0 to 79 %; with help 0 of 1.";
    assert!(has(&terminal, end));
    assert_eq!(std::fs::read_to_string(record).unwrap().lines().count(), 2);
}

/// A terminal that can only print lines gets lines.
#[test]
fn a_dumb_terminal_gets_lines() {
    let mut terminal = Terminal::start(
        common_cli::command(&["play", "klondike:1"]).env("TERM", "dumb"),
        (80, 80),
    );
    terminal.wait_for("\n>\n");
    terminal.press("q\n");
    assert_eq!(terminal.end().code(), Some(0));
    assert!(!has(&terminal, "\x1b[?1049h"), "no screen was entered");
}

#[test]
fn ctrl_c_line_by_line_ends_with_its_status() {
    let mut terminal = play(&["klondike:1", "--plain"], (80, 80));
    terminal.wait_for("\n>\n");
    terminal.press("d\n");
    terminal.wait_for("move 1");
    kill_process(Pid::from_child(&terminal.child), Signal::INT).unwrap();
    let status = terminal.end();
    assert_eq!((status.code(), status.signal()), (Some(130), None));
    assert!(has(&terminal, "klondike analyse --game draw klondike:1"));
}
