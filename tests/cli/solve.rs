//! The command `solve`, end to end: verdicts, notations, limits, JSON, bad input, Ctrl-C.
use std::io::Write;
use std::process::{Command, Output, Stdio};
use std::sync::Arc;

use klondike_game::deal::seed::DealId;
use klondike_game::rules::Rules;
use klondike_game::table::Table;
use klondike_game::table::notation::Notation;
use serde_json::Value;

use crate::common_cli::wait_until;

fn klondike(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_klondike"))
        .arg("solve")
        .args(arguments)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn objects(output: &Output) -> Vec<Value> {
    stdout(output)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

#[test]
fn published_verdicts_of_the_first_deals() {
    let output = klondike(&["--quiet", "--seed", "solvitaire:1..4"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(
        stdout(&output),
        "unwinnable\nwinnable\nwinnable\nwinnable\n"
    );
}

#[test]
fn the_printed_solution_replays_in_every_notation_and_rule_set() {
    for (rules, seed) in [
        ("standard", "solvitaire:3"),
        ("draw1", "klondike:5"),
        ("vegas3", "solvitaire:2"),
        ("yan", "solvitaire:2"),
        ("donkersteeg", "solvitaire:2"),
    ] {
        for notation in Notation::ALL {
            let output = klondike(&[
                "--json",
                "--rules",
                rules,
                "--notation",
                notation.name(),
                seed,
            ]);
            assert_eq!(output.status.code(), Some(0), "{rules} {seed}");
            let object = &objects(&output)[0];
            assert_eq!(object["verdict"], "winnable");
            let rules = Arc::new(Rules::named(rules).unwrap());
            let deal = seed.parse::<DealId>().unwrap();
            let deal = deal.deal(rules.deck(), rules.layout()).unwrap();
            let mut table = Table::new(rules, &deal).unwrap();
            let text = object["solution"]["text"].as_str().unwrap();
            for made in notation.read(&table, text).unwrap() {
                table.make(made).unwrap();
            }
            assert!(table.is_won(), "{seed} in {}", notation.name());
        }
    }
}

#[test]
fn answers_do_not_depend_on_the_number_of_threads_nor_do_state_counts_of_quick_searches() {
    let run = |threads: &str| {
        let output = klondike(&["--json", "--threads", threads, "klondike:1..60"]);
        assert_eq!(output.status.code(), Some(0));
        objects(&output)
            .into_iter()
            .map(|mut object| {
                let states = object["states"].as_u64().unwrap();
                let oracle_states = object["oracle_states"].as_u64().unwrap();
                let fields = object.as_object_mut().unwrap();
                fields.remove("microseconds");
                fields.remove("memory_bytes");
                // Longer ones may have had help.
                if states + oracle_states >= 20_000 {
                    for name in ["states", "oracle_states", "dead_ends", "solution"] {
                        fields.remove(name);
                    }
                }
                object
            })
            .collect::<Vec<_>>()
    };
    let one = run("1");
    assert_eq!(one.len(), 60);
    assert!(
        one.iter()
            .zip(1..)
            .all(|(object, n)| object["deal"] == format!("klondike:{n}"))
    );
    assert_eq!(one, run("4"));
}

/// A search that one thread needs long for, alone and as the last of several deals.
#[test]
fn threads_share_a_single_deal_and_its_limits() {
    let output = klondike(&["--quiet", "--threads", "3", "klondike:463"]);
    assert_eq!(stdout(&output), "unwinnable\n");
    let output = klondike(&["--quiet", "--threads", "3", "--draw", "1", "klondike:969"]);
    assert_eq!(stdout(&output), "winnable\n");
    let output = klondike(&["--quiet", "--threads", "4", "klondike:1..3", "klondike:835"]);
    assert_eq!(
        stdout(&output),
        stdout(&klondike(&[
            "--quiet",
            "--threads",
            "1",
            "klondike:1..3",
            "klondike:835"
        ]))
    );
    for (limit, amount, name) in [
        ("--max-states", "100000", "states"),
        ("--memory", "16MB", "memory"),
        ("--time-limit", "0.01", "time"),
    ] {
        let output = klondike(&["--json", "--threads", "3", limit, amount, "klondike:2312"]);
        assert_eq!(output.status.code(), Some(3), "{limit}");
        let object = &objects(&output)[0];
        assert_eq!(object["verdict"], "undecided");
        assert_eq!(object["limit"], name);
        let states = object["states"].as_u64().unwrap() + object["oracle_states"].as_u64().unwrap();
        assert!(name != "states" || states <= 100_000, "{states}");
        let bytes = object["memory_bytes"].as_u64().unwrap();
        assert!(name != "memory" || bytes <= 16_000_000, "{bytes}");
    }
}

#[test]
fn json_says_which_engine_answered_and_why() {
    let output = klondike(&["--json", "solvitaire:1", "solvitaire:3"]);
    let objects_ = objects(&output);
    assert_eq!(objects_[0]["kind"], "solve");
    assert_eq!(objects_[0]["version"], 1);
    assert_eq!(objects_[0]["engine"], "kplus");
    assert_eq!(objects_[0]["rules"]["draw"], 3);
    assert_eq!(objects_[0]["evidence"]["proof"], "blocked");
    assert!(objects_[0]["solution"].is_null());
    assert!(objects_[1]["evidence"].is_null());
    assert_eq!(objects_[1]["solution"]["counts"]["flips"], 21);
    for (option, rules, engine) in [
        ("--rules", "vegas3", "kplus"),
        ("--rules", "yan", "kplus"),
        ("--spaces", "any", "kplus"),
        ("--piles", "4,5,6,6,6,6,6,6,7", "table"),
    ] {
        let output = klondike(&["--json", option, rules, "klondike:2"]);
        assert_eq!(objects(&output)[0]["engine"], engine);
    }
    let output = klondike(&["--json", "--rules", "yan", "solvitaire:1"]);
    let weaker = &objects(&output)[0]["evidence"]["weaker_rules"];
    assert_eq!(
        (&weaker["runs"], &weaker["draw"]),
        (&"partial".into(), &3.into())
    );
}

#[test]
fn limits_that_are_hit_give_undecided_and_status_3() {
    let hard = "solvitaire:1434";
    for (arguments, limit) in [
        (&["--max-states", "10"][..], "states"),
        (&["--time-limit", "0"], "time"),
        (&["--memory", "20kB"], "memory"),
    ] {
        let arguments = [arguments, &["--json", hard]].concat();
        let output = klondike(&arguments);
        assert_eq!(output.status.code(), Some(3), "{limit}");
        let object = &objects(&output)[0];
        assert_eq!(object["verdict"], "undecided");
        assert_eq!(object["limit"], limit);
        if limit == "states" {
            assert!(object["states"].as_u64().unwrap() <= 10);
        }
    }
    let output = klondike(&["--quiet", "--max-states", "10", hard, "solvitaire:1"]);
    assert_eq!(output.status.code(), Some(3));
    assert_eq!(stdout(&output), "undecided\nunwinnable\n");
}

#[test]
fn every_lemma_can_be_switched_off() {
    for lemma in klondike_lemmas::prune::Lemma::ALL {
        let output = klondike(&["--quiet", "--no-lemma", lemma.name(), "solvitaire:1..9"]);
        assert_eq!(output.status.code(), Some(0), "{lemma}");
        let verdicts = stdout(&output);
        assert_eq!(
            verdicts.lines().filter(|&word| word == "winnable").count(),
            8
        );
    }
}

#[test]
fn wrong_command_lines_are_named_in_one_line_with_status_2() {
    for (arguments, words) in [
        (&[][..], "no deal"),
        (&["--draw", "0", "solvitaire:1"], "draw"),
        (&["--no-lemma", "luck", "solvitaire:1"], "luck"),
        (&["--notation", "runes", "solvitaire:1"], "runes"),
        (&["--memory", "much", "solvitaire:1"], "much"),
        (&["--time-limit", "-1", "solvitaire:1"], "time-limit"),
        (&["--time-limit", "soon", "solvitaire:1"], "soon"),
        (&["--threads", "0", "solvitaire:1"], "threads"),
        (&["--rules", "home", "solvitaire:1"], "home"),
        (&["--boards", "solvitaire:1"], "add --json"),
        (
            &["--json", "--boards", "--quiet", "solvitaire:1"],
            "cannot be used with '--quiet'",
        ),
        (
            &["--json", "--boards", "--no-solution", "solvitaire:1"],
            "'--no-solution'",
        ),
        (&["solitaire:1"], "solitaire"),
        (&["solvitaire:99999999999"], "99999999999"),
    ] {
        let output = klondike(arguments);
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {stderr}");
        assert_eq!(stderr.lines().count(), 1, "{arguments:?}: {stderr}");
        assert!(stderr.contains(words), "{arguments:?}: {stderr}");
        assert!(output.stdout.is_empty());
    }
}

/// A deal that is none has a line of JSON; an argument that names no deal ends the command.
#[test]
fn json_errors_are_those_of_deals() {
    for (arguments, status, kind) in [
        (
            &["klondike:1", "stock: 3H TD", "klondike:2"][..],
            1,
            Some("error"),
        ),
        (&["klondike:1", "klondike:x", "klondike:2"], 2, None),
        (&["klondike:1", "nofile.txt", "klondike:2"], 1, None),
    ] {
        let output = klondike(&[&["--json"], arguments].concat());
        assert_eq!(output.status.code(), Some(status), "{arguments:?}");
        let answers = objects(&output);
        let second = answers.get(1).map(|answer| &answer["kind"]);
        assert_eq!(second.and_then(Value::as_str), kind, "{arguments:?}");
        assert_eq!(output.stderr.is_empty(), kind.is_some(), "{arguments:?}");
    }
}

#[test]
fn a_wrong_deal_among_good_ones_is_named() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_klondike"))
        .args(["solve", "--quiet", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let good = DealId::to_string(&"klondike:1".parse().unwrap());
    let deck = |id: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_klondike"))
            .args(["deal", "--to", "klondike-solver", id])
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let mut text = deck(&good) + &deck("klondike:2");
    text.push_str(&deck("klondike:3").trim_end()[1..]);
    let mut stdin = child.stdin.take().unwrap();
    stdin.write_all(text.as_bytes()).unwrap();
    drop(stdin);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let verdicts = stdout(&output);
    assert_eq!(verdicts.lines().nth(2), Some("error"), "{verdicts}");
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(stderr.lines().count(), 1, "{stderr}");
    assert!(
        stderr.contains("line 3") && stderr.contains("155"),
        "{stderr}"
    );
}

#[cfg(unix)]
#[test]
fn an_interrupt_ends_a_search_as_undecided() {
    // Without the lemmas this deal takes far longer than the test may; the signal ends it.
    let lemmas = [
        "relaxation",
        "draw1-oracle",
        "safe-foundation",
        "waste-dominance",
    ];
    let mut arguments = vec!["solve", "--json", "solvitaire:22"];
    for lemma in &lemmas {
        arguments.extend(["--no-lemma", lemma]);
    }
    let mut child = Command::new(env!("CARGO_BIN_EXE_klondike"))
        .args(arguments)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let pid = child.id().to_string();
    // The program may not yet listen for the signal; then it ends it at once. Wait until it has
    // a thread of its own for the search.
    let tasks = format!("/proc/{pid}/task");
    let few = || std::fs::read_dir(&tasks).is_ok_and(|tasks| tasks.count() < 3);
    assert!(wait_until(&mut child, || !few()));
    // Twice at once, as `timeout` does it.
    let kill = Command::new("kill")
        .args(["-INT", &pid, &pid])
        .status()
        .unwrap();
    assert!(kill.success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let object = &objects(&output)[0];
    assert_eq!(object["verdict"], "undecided");
    assert_eq!(object["limit"], "interrupt");
}

/// Another program may keep `solve --json -` open: each line is answered before the next one comes,
/// and when nobody reads any more the program ends, though its input is open.
#[test]
fn every_line_is_answered_at_once() {
    use std::io::{BufRead as _, BufReader, Write as _};

    // A pipe by another name is one, too.
    let other = if cfg!(unix) { "/dev/stdin" } else { "-" };
    for (quiet, input) in [(false, "-"), (true, "-"), (true, other)] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_klondike"))
            .args(["solve", if quiet { "--quiet" } else { "--json" }, input])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut input = child.stdin.take().unwrap();
        let mut output = BufReader::new(child.stdout.take().unwrap());
        for number in 1..=5 {
            if number == 3 {
                writeln!(input, "klondike:three").unwrap();
                let mut line = String::new();
                output.read_line(&mut line).unwrap();
                if quiet {
                    assert_eq!(line, "error\n");
                } else {
                    let answer: Value = serde_json::from_str(&line).unwrap();
                    assert_eq!(
                        (&answer["kind"], &answer["line"]),
                        (&"error".into(), &3.into())
                    );
                }
            }
            writeln!(input, "klondike:{number}").unwrap();
            let mut line = String::new();
            output.read_line(&mut line).unwrap();
            if quiet {
                assert!(line.ends_with("winnable\n"), "{line}");
            } else {
                let answer: Value = serde_json::from_str(&line).unwrap();
                // The number names the deal, not the line that it stands in.
                assert_eq!(answer["deal"], format!("klondike:{number}"));
            }
        }
        drop(output);
        // The answer to this one finds nobody.
        writeln!(input, "klondike:6").unwrap();
        assert_eq!(child.wait().unwrap().code(), Some(0));
    }
}
