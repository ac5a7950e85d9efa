//! What is refused, and in which words.

use std::time::Duration;

use klondike_service::{Control, Fault, Request, answer};

/// The refusal of a request, as one text.
fn refused(request: &str) -> (Fault, String) {
    let read = Request::from_json(request);
    let refusal = read
        .and_then(|request| answer(&request, &Control::new(|| Duration::ZERO)))
        .unwrap_err();
    (refusal.fault, refusal.to_string())
}

#[test]
fn refusals_name_the_field_and_what_would_be_right() {
    for (request, wanted) in [
        (
            "{",
            "the request is no JSON: EOF while parsing an object at line 1 column 1",
        ),
        (
            "[]",
            "the request is no JSON object; write for example {\"kind\": \"solve\", \"deal\": \
             \"klondike:3\"}",
        ),
        (
            r#"{"kind":"solve","kind":"grade","deal":"klondike:3"}"#,
            "the field `kind` stands twice at line 1 column 22",
        ),
        (
            r#"{"kind":"solve","deal":"klondike:3","rules":{"draw":1,"draw":3}}"#,
            "the field `draw` stands twice at line 1 column 60",
        ),
        (r#"{"kind":"solve"}"#, "the field `deal` is missing"),
        (r#"{"kind":"solve","deal":3}"#, "`deal`: write a text"),
        (
            r#"{"kind":"solve","deal":"klondike:3","limits":{"time":3}}"#,
            "there is no field `time` in `limits`; known: time_ms, states, memory_bytes",
        ),
        (
            r#"{"kind":"solve","deal":"klondike:3","limits":{"states":-1}}"#,
            "`limits.states`: write a whole number of at least 0",
        ),
        (
            r#"{"kind":"solve","deal":"klondike:3","goal":"win all"}"#,
            "`goal`: there is no `win all`; known: win, shortest, fewest-passes, best-score",
        ),
        (
            r#"{"kind":"solve","deal":"klondike:3","goal":"best-score","counting":"draws"}"#,
            "`counting` is for the goal `shortest`",
        ),
        (
            r#"{"kind":"solve","deal":"klondike:3","more":1}"#,
            "there is no field `more`; known: deal, moves, rules, limits, goal, counting, boards",
        ),
        (
            r#"{"kind":"position","deal":"klondike:3","boards":"yes"}"#,
            "`boards`: write true or false",
        ),
        (
            r#"{"kind":"solve","deal":"klondike:3","rules":{"draw":30}}"#,
            "`rules`: draw 30: the draw count is 1 to 24",
        ),
        (
            r#"{"kind":"solve","deal":"klondike:3","rules":{"drawn":1}}"#,
            "there is no field `drawn` in `rules`; known: suits, ranks, piles, draw, redeals, \
             worrying_back, runs, spaces, reversed_groups",
        ),
        (
            r#"{"kind":"solve","deal":"klondike:3","rules":7}"#,
            "`rules`: write the name of a rule set or an object such as {\"draw\": 1}",
        ),
        (
            r#"{"kind":"solve","deal":"klondike:3","limits":[1,2]}"#,
            "`limits`: write an object",
        ),
        (
            r#"{"kind":"generate","from":["klondike",1]}"#,
            "`from`: write an object",
        ),
        (
            r#"{"kind":"generate","count":101}"#,
            "`count`: write a whole number from 1 to 100",
        ),
        (
            r#"{"kind":"generate","grade":[5,2]}"#,
            "`grade`: write the lowest and the highest grade, 1 to 10",
        ),
        (
            r#"{"kind":"generate","from":{"scheme":"greenfelt","seed":0}}"#,
            "`from.seed`: seed 0 is out of range: the seeds of greenfelt are 1 to 2147483646",
        ),
        (
            r#"{"kind":"advise","deal":"klondike:3","iterations":0}"#,
            "`iterations`: write a whole number from 1 to 100000",
        ),
    ] {
        assert_eq!(
            refused(request),
            (Fault::Request, wanted.to_owned()),
            "{request}"
        );
    }
}

/// Programs need not look at the words.
#[test]
fn rules_without_grades_are_known_by_a_code() {
    let control = Control::new(|| Duration::ZERO);
    let code = |request: &str| {
        let refusal = Request::from_json(request).and_then(|request| answer(&request, &control));
        let answer = refusal.unwrap_err().to_json();
        serde_json::from_str::<serde_json::Value>(&answer).unwrap()["code"].clone()
    };
    let rules = r#""rules":{"spaces":"nothing"}"#;
    let generate = format!(r#"{{"kind":"generate","grade":[1,10],{rules}}}"#);
    assert_eq!(code(&generate), "no-grades");
    let grade = format!(r#"{{"kind":"grade","deal":"klondike:11",{rules}}}"#);
    assert_eq!(code(&grade), "no-grades");
    assert!(code(r#"{"kind":"grade","deal":"AS AS"}"#).is_null());
}

/// The words are those of the command line.
#[test]
fn deals_and_moves_that_are_none_are_refused_with_their_place() {
    for (request, wanted) in [
        (
            r#"{"kind":"solve","deal":"AS AS"}"#,
            "the deal: card 2: the card AS stands twice, first in card 1; write each card of the \
             deck once",
        ),
        (
            r#"{"kind":"solve","deal":"klondike:3","moves":"draw*30"}"#,
            "the moves: token 1 `draw*30`: the stock is empty, there is nothing to draw",
        ),
        (
            r#"{"kind":"check","certificate":"no base64"}"#,
            "`certificate`: no base64: Invalid symbol 32, offset 2.",
        ),
    ] {
        assert_eq!(
            refused(request),
            (Fault::Data, wanted.to_owned()),
            "{request}"
        );
    }
}

#[test]
fn long_requests_are_refused_before_they_are_read() {
    let long = format!(r#"{{"kind":"solve","deal":"{}"}}"#, "A".repeat(1_000_000));
    let error = Request::from_json_up_to(&long, 65_536, 1 << 20).unwrap_err();
    assert_eq!(
        error.message,
        "the request is too long: it has more than 65536 bytes"
    );
    let certificate = format!(
        r#"{{"kind":"check","certificate":"{}"}}"#,
        "A".repeat(100_000)
    );
    assert!(Request::from_json_up_to(&certificate, 65_536, 1 << 20).is_ok());
    let other = long.replace("deal", "certificate");
    assert!(Request::from_json_up_to(&other, 65_536, 1 << 24).is_err());
}

/// Whatever is sent, nothing panics, and the message is one line.
#[test]
fn garbage_is_refused() {
    let deals = [
        "",
        " ",
        "\0",
        "klondike:",
        "x",
        "x123",
        "1: KS",
        "{\"tableau piles\": []}",
        "??",
    ];
    let long = "9".repeat(10_000);
    let deep = "[".repeat(10_000);
    for deal in deals.into_iter().chain([&long[..], &deep[..]]) {
        for kind in klondike_service::request::KINDS {
            let request = serde_json::json!({"kind": kind, "deal": deal}).to_string();
            if matches!(
                kind,
                "formats" | "schemes" | "rule-sets" | "generate" | "check"
            ) {
                assert_eq!(refused(&request).0, Fault::Request);
                continue;
            }
            let (fault, text) = refused(&request);
            assert_eq!(fault, Fault::Data, "{deal:?}: {text}");
            assert!(!text.contains('\n') && text.len() < 600, "{text:?}");
        }
    }
    assert_eq!(refused(&deep).0, Fault::Request);
}
