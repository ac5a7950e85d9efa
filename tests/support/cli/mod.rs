//! Runs the program for the tests of the command line.

#![allow(dead_code)] // every test file uses its own part of this
#![allow(clippy::unwrap_used)] // a program that cannot be started must stop the test

use std::io::Write;
use std::process::{Command, Output, Stdio};

/// Status, standard output and standard error of a run.
pub(crate) type Ran = (i32, String, String);

/// The program with these arguments, not started yet.
pub(crate) fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_klondike"));
    command.args(arguments);
    command
}

/// Runs the program, which reads `input`.
pub(crate) fn with_input(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = command(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that ends early does not read it all.
    let _ = child.stdin.take().unwrap().write_all(input);
    child.wait_with_output().unwrap()
}

/// Runs the program without input.
pub(crate) fn klondike(arguments: &[&str]) -> Output {
    with_input(arguments, b"")
}

/// What a run left behind.
pub(crate) fn read(output: &Output) -> Ran {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    let status = output.status.code().expect("no signal ended it");
    (status, text(&output.stdout), text(&output.stderr))
}

/// What a run printed.
pub(crate) fn text(output: &Output) -> String {
    read(output).1
}

/// What a run printed that must have gone well and said nothing on standard error.
pub(crate) fn good(output: &Output) -> String {
    let (status, out, error) = read(output);
    assert_eq!((status, error.as_str()), (0, ""), "{out}");
    out
}
