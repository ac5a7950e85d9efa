//! `klondike bound` run as a program: the same counts whatever the threads, interruptions and
//! their checkpoints, and parameters that do not go together.

use crate::common_cli;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::common_cli::{Ran, read, wait_until};

fn command(arguments: &[&str]) -> Command {
    common_cli::command(&[&["bound"], arguments].concat())
}

fn klondike(arguments: &[&str]) -> Ran {
    read(&command(arguments).output().expect("the program runs"))
}

/// The result without what depends on the clock.
fn result(out: &str) -> Value {
    let mut object: Value = serde_json::from_str(out).expect("a JSON object");
    let fields = object.as_object_mut().expect("an object");
    let seconds = fields.remove("seconds_per_deal").expect("the time");
    assert!(seconds.as_f64().is_some_and(|seconds| seconds > 0.0));
    object
}

fn json(arguments: &[&str]) -> Value {
    let (status, out, err) = klondike(&[arguments, &["--json"]].concat());
    assert_eq!((status, err.as_str()), (0, ""), "{arguments:?}");
    result(&out)
}

/// A file that does not exist yet; every caller needs its own name.
fn absent(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_file(&path);
    path.to_str().expect("a text").to_owned()
}

#[test]
fn counts_shares_and_bound_belong_together() {
    let object = json(&["--deals", "3000", "--draw", "3"]);
    assert_eq!(
        (&object["kind"], &object["deals"]),
        (&"bound".into(), &3000.into())
    );
    assert_eq!(object["complete"], true);
    let refuted = |means: &str| object[means]["refuted"].as_u64().expect("a number");
    assert!(0 < refuted("plain"));
    assert!(refuted("plain") < refuted("twins") && refuted("twins") < refuted("everything"));
    let everything = &object["everything"];
    assert_eq!(
        everything["share"].as_f64(),
        Some(refuted("everything") as f64 / 3000.0)
    );
    // About 13 % are refuted, and four standard errors are 2.5 %.
    assert!((everything["share"].as_f64().expect("a number") - 0.13).abs() < 0.025);
    let low = everything["clopper_pearson"]["low"].as_f64();
    assert_eq!(
        object["winnable_at_most"].as_f64(),
        low.map(|low| 1.0 - low)
    );
    let (status, text, _) = klondike(&["--deals", "3000", "--confidence", "0.95"]);
    assert_eq!(status, 0);
    assert!(text.contains("3,000 deals, klondike from seed 1"), "{text}");
    assert!(
        text.contains("of all deals are winnable") && text.contains("95 % "),
        "{text}"
    );
}

#[test]
fn threads_change_nothing() {
    let arguments = [
        "--deals",
        "2500",
        "--scheme",
        "solvitaire",
        "--from",
        "-100",
        "--draw",
        "1",
    ];
    // Solvitaire's seed -1 is none.
    let (status, _, err) = klondike(&arguments);
    assert_eq!(status, 2);
    assert!(err.contains("-1"), "{err}");
    let arguments = ["--deals", "2500", "--scheme", "solvitaire", "--from", "7"];
    let with = |threads: &str| json(&[&arguments[..], &["--threads", threads]].concat());
    let one = with("1");
    assert_eq!(one["first"], "7");
    for threads in ["2", "5"] {
        assert_eq!(with(threads), one);
    }
    assert_eq!(json(&arguments), one);
}

#[test]
fn a_run_goes_on_from_its_checkpoint() {
    let file = absent("bound-resume.json");
    let run = |deals: &str| json(&["--deals", deals, "--checkpoint", &file]);
    // A run cut short at 700 deals, gone on with to 2,500, and once more with nothing left to do.
    let part = run("700");
    assert_eq!(part, json(&["--deals", "700"]));
    let fresh = json(&["--deals", "2500"]);
    assert_eq!(run("2500"), fresh);
    assert_eq!(run("2500"), fresh);
    assert!(!PathBuf::from(format!("{file}.tmp")).exists());
    // It really goes on, and does not start again: a checkpoint with made-up counts shows.
    let text = fs::read_to_string(&file).expect("the checkpoint");
    let mut saved: Value = serde_json::from_str(&text).expect("JSON");
    let count = |value: &Value| value["everything"]["refuted"].as_u64().expect("a number");
    saved["everything"] = (count(&fresh) + 100).into();
    fs::write(&file, saved.to_string()).expect("writable");
    assert_eq!(count(&run("2500")), count(&fresh) + 100);
}

#[test]
fn checkpoints_of_other_runs_are_refused() {
    let file = absent("bound-other.json");
    let start = ["--deals", "50", "--checkpoint", &file];
    json(&start);
    let kept = fs::read_to_string(&file).expect("the checkpoint");
    for (more, part) in [
        (&["--draw", "1"][..], "set of rules"),
        (&["--no-worrying-back"], "set of rules"),
        (
            &["--scheme", "solvitaire"],
            "its scheme is klondike, not solvitaire",
        ),
        (&["--from", "2"], "its first seed is 1, not 2"),
    ] {
        let (status, out, err) = klondike(&[&start[..], more].concat());
        assert_eq!((status, out.as_str()), (2, ""), "{more:?}");
        assert!(err.contains(part) && err.lines().count() == 1, "{err}");
    }
    let (status, _, err) = klondike(&["--deals", "49", "--checkpoint", &file]);
    assert_eq!(status, 2);
    assert!(err.contains("is 50, not at most 49"), "{err}");
    assert_eq!(fs::read_to_string(&file).expect("it is left alone"), kept);

    let cut = &kept[..kept.len() / 2];
    let swapped = kept.replace("\"everything\": ", "\"everything\": 9");
    let older = kept.replace("\"program\": \"", "\"program\": \"0.0.0-");
    let first = kept.replace("\"version\": 2", "\"version\": 1");
    let mut other: Value = serde_json::from_str(&kept).expect("JSON");
    other["analysed"]["spaces"] = "nothing".into();
    let other = other.to_string();
    for (text, code, part) in [
        (cut, 1, "is no checkpoint"),
        ("", 1, "is no checkpoint"),
        ("[1, 2]", 1, "is no checkpoint"),
        (&swapped, 2, "number of deals done"),
        (&older, 2, "program version is 0.0.0-"),
        (&first, 2, "its version is 1, not 2"),
        (&other, 2, "set of rules analysed"),
    ] {
        fs::write(&file, text).expect("writable");
        let (status, out, err) = klondike(&start);
        assert_eq!((status, out.as_str()), (code, ""), "{err}");
        assert!(err.contains(part) && err.lines().count() == 1, "{err}");
    }
    let (status, _, err) = klondike(&["--deals", "5", "--checkpoint", "/no/such/folder/file"]);
    assert_eq!(status, 1);
    assert!(err.contains("cannot write the checkpoint"), "{err}");
    for place in [env!("CARGO_TARGET_TMPDIR"), "/dev/zero"] {
        let (status, _, err) = klondike(&["--deals", "5", "--checkpoint", place]);
        assert_eq!(status, 1);
        assert!(err.contains("is not a regular file"), "{err}");
        assert!(!Path::new(&format!("{place}.lock")).exists());
    }
}

/// Interrupts a run that would take for ever, then goes on to as many deals as were done.
#[cfg(unix)]
#[test]
fn interrupted_runs_say_how_to_go_on() {
    for signal in ["-INT", "-TERM"] {
        let file = absent(&format!("bound{signal}.json"));
        let mut child = command(&["--deals", "1000000000000", "--checkpoint", &file, "--json"])
            .args(["--threads", "1"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        // The first checkpoint is written when the program listens to signals.
        assert!(wait_until(&mut child, || fs::exists(&file).unwrap()));
        let sent = Command::new("kill")
            .args([signal, &child.id().to_string()])
            .status();
        assert!(sent.expect("kill runs").success());
        let (status, out, err) = read(&child.wait_with_output().expect("it ends"));
        assert_eq!(status, 130, "{err}");
        assert!(
            err.contains("interrupted after") && err.contains(&file),
            "{err}"
        );

        let saved = fs::read_to_string(&file).expect("the checkpoint");
        let saved: Value = serde_json::from_str(&saved).expect("JSON");
        let done = saved["deals"].as_u64().expect("a number");
        let object: Value = serde_json::from_str(&out).expect("the result so far");
        assert_eq!(
            (&object["deals"], &object["complete"]),
            (&done.into(), &false.into())
        );
        let deals = (done + 300).to_string();
        let resumed = json(&["--deals", &deals, "--checkpoint", &file]);
        assert_eq!(resumed, json(&["--deals", &deals]));
    }
}

#[test]
fn stricter_rules_are_bounded_by_looser_ones() {
    let standard = json(&["--deals", "600"]);
    for (arguments, loosened) in [
        (&["--redeals", "2"][..], "redeals unlimited"),
        (&["--runs", "whole"], "runs partial"),
        (&["--runs", "partial-if-played"], "runs partial"),
    ] {
        let object = json(&[&["--deals", "600"], arguments].concat());
        assert_eq!(object["loosened"], Value::from(vec![loosened]));
        assert_eq!(object["everything"], standard["everything"]);
        assert_eq!(object["analysed"], standard["rules"]);
        let (_, text, _) = klondike(&[&["--deals", "5"], arguments].concat());
        assert!(
            text.contains(&format!("looser rules ({loosened})")),
            "{text}"
        );
    }
}

/// Where empty piles take nothing the relaxation is of that game itself, and refutes far more.
#[test]
fn games_without_spaces_are_bounded_themselves() {
    let refuted = |object: &Value| object["everything"]["refuted"].as_u64().expect("a number");
    let standard = json(&["--deals", "600"]);
    let nothing = json(&["--deals", "600", "--spaces", "nothing"]);
    assert_eq!(nothing["loosened"], Value::from(Vec::<Value>::new()));
    assert_eq!(nothing["analysed"], nothing["rules"]);
    assert!(refuted(&nothing) > 3 * refuted(&standard), "{nothing}");
}

#[test]
fn bad_input_is_one_line_and_status_2() {
    for (arguments, part) in [
        (&[][..], "--deals"),
        (&["--deals", "0"], "'0'"),
        (
            &["--deals", "5", "--piles", "1,1,1,1,1,1,1,1,1"],
            "too large",
        ),
        (&["--deals", "5", "--scheme", "exact"], "no sample"),
        (&["--deals", "5", "--scheme", "microsoft"], "no sample"),
        (&["--deals", "5", "--scheme", "xyz"], "xyz"),
        (
            &["--deals", "5", "--scheme", "solvitaire", "--ranks", "12"],
            "klondike:N",
        ),
        (&["--deals", "5", "--from", "-1"], "seed -1 is out of range"),
        (&["--deals", "5", "--from", "x"], "`x` is not a seed"),
        (
            &["--deals", "18446744073709551615", "--from", "2"],
            "out of range",
        ),
        (
            &["--deals", "5", "--confidence", "99"],
            "above 0 and below 1",
        ),
        (&["--deals", "5", "--threads", "0"], "'0'"),
        (&["--deals", "5", "--draw", "0"], "'0'"),
    ] {
        let (status, out, err) = klondike(arguments);
        assert_eq!((status, out.as_str()), (2, ""), "{arguments:?}: {err}");
        assert_eq!(err.lines().count(), 1, "{err}");
        assert!(err.contains(part), "{arguments:?}: {err}");
    }
}
