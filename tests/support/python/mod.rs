//! Python, for the tests of the project's scripts.

use std::io::Write;
use std::process::Command;

/// The interpreter: `python3`, or the one that `KLONDIKE_PYTHON` names. Without it the test fails
/// where `CI` is set. Elsewhere the caller leaves `what` out, and the terminal says so.
pub(crate) fn python(what: &str) -> Option<Command> {
    let name = std::env::var("KLONDIKE_PYTHON").unwrap_or_else(|_| "python3".to_owned());
    let runs = Command::new(&name).arg("--version").output();
    if runs.is_ok_and(|output| output.status.success()) {
        return Some(Command::new(name));
    }
    let message = format!("NOT TESTED: {what}, because `{name}` does not run");
    assert!(std::env::var_os("CI").is_none(), "{message}");
    // Not `eprintln`: the harness hides what a test that succeeds prints.
    let _ = writeln!(std::io::stderr(), "\n{message}\n");
    None
}

#[test]
fn scripts_can_run() {
    python("that scripts run");
}

#[test]
fn a_missing_python_is_a_failure_in_ci_and_elsewhere_said_aloud() {
    let this_program = std::env::current_exe().expect("the program of the tests");
    let without_python = |ci: Option<&str>| {
        let mut command = Command::new(&this_program);
        command.args(["python::scripts_can_run", "--exact"]);
        command.env("KLONDIKE_PYTHON", "no-such-python");
        command.env_remove("CI").envs(ci.map(|value| ("CI", value)));
        let output = command.output().expect("the tests run");
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        (
            output.status.success(),
            text(&output.stdout),
            text(&output.stderr),
        )
    };
    let (success, out, error) = without_python(None);
    assert!(success && out.contains("1 passed"), "{out}");
    assert!(error.contains("\nNOT TESTED: that scripts run"), "{error}");
    let (success, out, _) = without_python(Some("true"));
    assert!(
        !success && out.contains("NOT TESTED: that scripts run"),
        "{out}"
    );
}
