//! Runs the program for the tests of the command line.

#![allow(dead_code)] // every test file uses its own part of this
#![allow(clippy::unwrap_used)] // a program that cannot be started must stop the test

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

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
    feed(&mut command(arguments), input)
}

/// Runs a program, which reads `input`.
pub(crate) fn feed(command: &mut Command, input: &[u8]) -> Output {
    let mut child = command
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

/// No test needs so long on any machine: what takes longer hangs.
pub(crate) const HANGS: Duration = Duration::from_secs(300);

/// Waits until `reached` says so; false if the program ends before that. Fails if the program
/// hangs.
pub(crate) fn wait_until(child: &mut Child, mut reached: impl FnMut() -> bool) -> bool {
    let begin = Instant::now();
    while !reached() {
        if child.try_wait().unwrap().is_some() {
            return reached();
        }
        if begin.elapsed() > HANGS {
            child.kill().unwrap();
            panic!("after {HANGS:?} the program is not where it should be");
        }
        // Spares the processor; nothing depends on how long it is.
        std::thread::sleep(Duration::from_millis(1));
    }
    true
}

/// An empty folder for a test of this name.
pub(crate) fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// What a run left behind, without the lines that say which files it wrote: those are for the
/// tests in `wrote.rs`.
pub(crate) fn read(output: &Output) -> Ran {
    let (status, out, error) = read_all(output);
    let others = error.split_inclusive('\n');
    let others = others.filter(|line| !line.starts_with("wrote "));
    (status, out, others.collect())
}

/// What a run left behind.
pub(crate) fn read_all(output: &Output) -> Ran {
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
