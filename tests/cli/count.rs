//! `klondike count` run as a program: every published figure, the shape of its JSON, bad input.

use crate::common_cli;
use serde_json::Value;

use crate::common_cli::{Ran, read};

fn klondike(arguments: &[&str]) -> Ran {
    read(&common_cli::klondike(&[&["count"], arguments].concat()))
}

fn good(arguments: &[&str]) -> String {
    let (status, out, err) = klondike(arguments);
    assert_eq!((status, err.as_str()), (0, ""), "{arguments:?}");
    out
}

fn json(arguments: &[&str]) -> Vec<Value> {
    good(&[arguments, &["--json"]].concat())
        .lines()
        .map(|line| serde_json::from_str(line).expect("a JSON object"))
        .collect()
}

const BLOCKED: &str = "952628704275585774781929328392634005105712508518715873034240000000";

#[test]
fn every_published_figure_comes_out() {
    for (arguments, count) in [
        (&["unplayable"][..], "72099595172416"),
        (&["unplayable", "--draw", "1"], "89367495137280"),
        (&["draws", "24", "3"], "104244550813439400"),
        (&["draws", "12", "4"], "28483"),
    ] {
        let [object] = &json(arguments)[..] else {
            panic!("one line for {arguments:?}");
        };
        assert_eq!(object["count"], count, "{arguments:?}");
        // The same digits, in groups, in the text for people.
        let text = good(arguments).replace(',', "");
        assert!(text.contains(count), "{text}");
    }
}

#[test]
fn text_has_groups_totals_shares_and_definitions() {
    let text = good(&["unplayable"]);
    for part in [
        "72,099,595,172,416 of 28,837,689,349,669,200 (0.250018628 %)",
        "draw 3",
        "never makes a legal move",
    ] {
        assert!(text.contains(part), "{text}");
    }
    for (rules, definition) in [
        (&["--reversed-groups"][..], "and after a redeal once more"),
        (
            &["--reversed-groups", "--redeals", "0"],
            "end of the stock never",
        ),
        (
            &["--redeals", "last-pass-by-ones"],
            "card by card in the last pass",
        ),
    ] {
        let text = good(&[&["unplayable"], rules].concat());
        assert!(text.contains(definition), "{text}");
    }
    let text = good(&["unplayable", "--draw", "1"]);
    assert!(text.contains("(0.0000177015506 %)"), "{text}");
    let text = good(&["one-move"]);
    assert!(text.contains("(0.098212063 %)"), "{text}");
    let text = good(&["blocked"]);
    assert!(text.contains("(1.18106900 %)"), "{text}");
    assert!(text.replace(',', "").contains(BLOCKED), "{text}");
    assert!(good(&["draws", "24", "3"]).starts_with("24 cards, draw 3: 104,244,550,813,439,400\n"));
}

#[test]
fn json_objects_have_their_fields() {
    let object = &json(&["unplayable", "--ranks", "9", "--suits", "4"])[0];
    assert_eq!(
        (&object["kind"], &object["version"]),
        (&"count".into(), &1.into())
    );
    assert_eq!(object["what"], "unplayable");
    assert_eq!(object["rules"]["ranks"], 9);
    assert!(object["total"].is_string() && object["share"].is_f64());
    assert!(
        object["definition"]
            .as_str()
            .is_some_and(|text| !text.contains('\n'))
    );

    let lines = json(&["one-move"]);
    let deuces: Vec<&Value> = lines.iter().map(|line| &line["deuce"]).collect();
    assert_eq!(deuces, ["may-follow", "must-not"]);
    for line in &lines {
        assert!(line["tableau"]["count"].is_string() && line["talon"]["share"].is_f64());
    }

    let object = &json(&["draws", "5", "2"])[0];
    assert_eq!((&object["cards"], &object["draw"]), (&5.into(), &2.into()));
    assert_eq!(object["count"], "30");
}

#[test]
fn a_sample_follows_the_exact_count() {
    let arguments = ["blocked", "--deals", "20000", "--seed", "2"];
    let lines = json(&arguments);
    assert_eq!((lines.len(), &lines[0]["count"]), (2, &BLOCKED.into()));
    let sample = &lines[1];
    assert_eq!(
        (&sample["kind"], &sample["what"]),
        (&"count".into(), &"locked".into())
    );
    assert_eq!(
        (&sample["deals"], &sample["seed"]),
        (&20_000.into(), &2.into())
    );
    let share = sample["share"].as_f64().expect("a number");
    assert_eq!(
        share,
        sample["locked"].as_f64().expect("a number") / 20_000.0
    );
    for interval in ["wilson", "clopper_pearson"] {
        let end = |end: &str| sample[interval][end].as_f64().expect("a number");
        assert!(end("low") < share && share < end("high"));
        // Around De Ruiter's 2.17 %.
        assert!(end("low") < 0.0225 && end("high") > 0.0209, "{sample}");
    }
    // On a smaller layout, whose exact count takes no time: the same seed, the same sample.
    let small = [&arguments[..], &["--piles", "4,5"]].concat();
    assert_eq!(json(&small), json(&small));
    let text = good(&small);
    assert!(text.contains("95 % Wilson") && text.contains("95 % Clopper-Pearson"));
}

/// Where the exact count would be too large there is still the sample.
#[test]
fn a_sample_needs_no_exact_count() {
    let (status, out, err) = klondike(&["blocked", "--piles", "8,8,8,8,8", "--deals", "100"]);
    assert_eq!(status, 0);
    assert!(out.trim_start().starts_with("locked deals: "), "{out}");
    assert!(err.contains("states of the piles together"), "{err}");
    assert!(err.contains("use fewer or lower piles"), "{err}");
}

#[test]
fn bad_input_is_one_line_and_status_2() {
    for (arguments, part) in [
        (&["draws", "0", "3"][..], "a talon of 0 cards"),
        (&["draws", "24", "0"], "draw 0"),
        (&["draws", "1001", "3"], "1 to 1000"),
        (&["draws", "24"], "<K>"),
        (&["draws", "x", "3"], "'x'"),
        (&["draws", "-1", "3"], "-1"),
        (&["blocked", "--deals", "0"], "0 deals to sample"),
        (&["blocked", "--seed", "5"], "--deals"),
        (
            &["blocked", "--piles", "13,13,13,13"],
            "exact count needs more than",
        ),
        (&["unplayable", "--draw", "25"], "25"),
        (&["unplayable", "--rules", "no-such"], "no-such"),
        (&["unplayable", "--ranks", "5"], "28 cards"),
        (&["everything"], "everything"),
    ] {
        let (status, out, err) = klondike(arguments);
        assert_eq!((status, out.as_str()), (2, ""), "{arguments:?}: {err}");
        assert_eq!(err.lines().count(), 1, "{err}");
        assert!(err.contains(part), "{arguments:?}: {err}");
    }
}
