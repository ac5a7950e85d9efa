//! Every kind of request is answered by its schema, and says the same as the libraries.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use klondike_contract::schema;
use klondike_engine::search::clock::system_clock;
use klondike_service::{Control, Request, answer};
use serde_json::{Value, json};

/// Answers of the service, checked against their schemas.
struct Service {
    validators: BTreeMap<&'static str, jsonschema::Validator>,
    requests: BTreeMap<&'static str, jsonschema::Validator>,
}

impl Service {
    fn new() -> Service {
        let validators = |schemas: Vec<(&'static str, Value)>| {
            let one = |(kind, schema): (&'static str, Value)| {
                (kind, jsonschema::draft202012::new(&schema).unwrap())
            };
            schemas.into_iter().map(one).collect()
        };
        Service {
            validators: validators(schema::all()),
            requests: validators(klondike_service::schema::requests()),
        }
    }

    fn valid(validator: &jsonschema::Validator, value: &Value) {
        let errors: Vec<String> = validator
            .iter_errors(value)
            .map(|error| format!("{error} at {}", error.instance_path()))
            .collect();
        assert!(errors.is_empty(), "{errors:?}\n{value:#}");
    }

    fn ask_with(&self, request: &Value, control: &Control) -> Value {
        Service::valid(&self.requests[request["kind"].as_str().unwrap()], request);
        let request = Request::from_json(&request.to_string()).unwrap();
        let answer = answer(&request, control).unwrap();
        let answer: Value = serde_json::from_str(&answer).unwrap();
        Service::valid(&self.validators[answer["kind"].as_str().unwrap()], &answer);
        answer
    }

    fn ask(&self, request: Value) -> Value {
        self.ask_with(&request, &Control::new(system_clock))
    }
}

#[test]
fn every_kind_is_answered_by_its_schema() {
    let service = Service::new();
    let certificate =
        service.ask(json!({"kind": "prove", "deal": "solvitaire:1"}))["certificate"].clone();
    let mut asked = BTreeSet::new();
    for (request, kind) in [
        (
            json!({"kind": "position", "deal": "klondike:3"}),
            "position",
        ),
        (
            json!({"kind": "position", "deal": "klondike:3", "moves": "draw*2", "boards": true,
                "rules": "vegas3"}),
            "position",
        ),
        (
            json!({"kind": "solve", "deal": "klondike:3", "boards": true}),
            "solve",
        ),
        (json!({"kind": "solve", "deal": "solvitaire:1"}), "solve"),
        (
            json!({"kind": "solve", "deal": "solvitaire:1", "goal": "fewest-passes"}),
            "solve",
        ),
        (
            json!({"kind": "solve", "deal": "solvitaire:1", "goal": "best-score",
                "limits": {"states": 1000}}),
            "solve",
        ),
        (
            json!({"kind": "solve", "deal": "klondike:5", "goal": "shortest", "rules": "draw1",
                "counting": "flips", "limits": {"states": 1000, "memory_bytes": 50_000_000}}),
            "solve",
        ),
        (json!({"kind": "analyse", "deal": "klondike:3"}), "analyse"),
        (
            json!({"kind": "analyse", "deal": "klondike:3", "moves": "draw*2", "game": true}),
            "analyse",
        ),
        (
            json!({"kind": "explain", "deal": "solvitaire:1"}),
            "explain",
        ),
        (
            json!({"kind": "explain", "deal": "klondike:1", "rules": {"draw": 1}}),
            "explain",
        ),
        (
            json!({"kind": "check", "certificate": certificate}),
            "check",
        ),
        (json!({"kind": "check", "certificate": "AAAA"}), "check"),
        (json!({"kind": "grade", "deal": "klondike:3"}), "grade"),
        (
            json!({"kind": "advise", "deal": "klondike:3", "iterations": 20}),
            "advise",
        ),
        (
            json!({"kind": "player-move", "deal": "klondike:3", "iterations": 20, "seed": 4}),
            "player-move",
        ),
        (
            json!({"kind": "player-move", "deal": "klondike:3", "iterations": 5,
                "rules": {"draw": 3, "redeals": 2}}),
            "player-move",
        ),
        (
            json!({"kind": "convert", "deal": "klondike:3", "moves": "draw", "format": "pysol"}),
            "convert",
        ),
        (
            json!({"kind": "svg", "deal": "klondike:3", "caption": "a & b"}),
            "svg",
        ),
        (
            json!({"kind": "generate", "count": 2, "from": {"scheme": "pysol", "seed": 7}}),
            "generate-list",
        ),
        (
            json!({"kind": "generate", "grade": [1, 3]}),
            "generate-list",
        ),
        (json!({"kind": "formats"}), "formats"),
        (json!({"kind": "schemes"}), "schemes"),
        (json!({"kind": "rule-sets"}), "rule-sets"),
    ] {
        let answer = service.ask(request.clone());
        assert_eq!(answer["kind"], kind, "{request}");
        asked.insert(request["kind"].as_str().unwrap().to_owned());
    }
    asked.insert("prove".to_owned());
    let all: BTreeSet<String> = klondike_service::request::KINDS
        .iter()
        .map(|&kind| kind.to_owned())
        .collect();
    assert_eq!(asked, all);
    let progress = serde_json::from_str(&Control::new(system_clock).watch.progress()).unwrap();
    Service::valid(&service.validators["progress"], &progress);
    let error = Request::from_json("{}").unwrap_err().to_json();
    let error = serde_json::from_str(&error).unwrap();
    Service::valid(&service.validators["error"], &error);
}

#[test]
fn a_deal_is_known_again_by_its_key_and_its_text() {
    let service = Service::new();
    let by_number = service.ask(json!({"kind": "position", "deal": "solvitaire:3"}));
    let key = by_number["key"].as_str().unwrap();
    assert_eq!(key.len(), 39);
    for other in [key, by_number["deal_text"].as_str().unwrap()] {
        let read = service.ask(json!({"kind": "position", "deal": other}));
        assert_eq!(read["board"], by_number["board"]);
        assert_eq!(
            (&read["key"], &read["deal"]),
            (&by_number["key"], &by_number["key"])
        );
    }
}

#[test]
fn positions_count_passes_and_draws() {
    let service = Service::new();
    let at = |moves: &str| {
        service.ask(
            json!({"kind": "position", "deal": "klondike:3", "moves": moves,
            "rules": {"draw": 5, "redeals": 1}}),
        )
    };
    let numbers = |answer: &Value| {
        ["pass", "redeals_left", "draws_left"].map(|name| answer[name].as_u64().unwrap())
    };
    assert_eq!(numbers(&at("")), [1, 1, 5]);
    assert_eq!(numbers(&at("draw*4")), [1, 1, 1]);
    let turned = at("draw*5 redeal");
    assert_eq!(numbers(&turned), [2, 0, 5]);
    assert_eq!(turned["text"], "draw*5 redeal");
    assert_eq!(turned["played"].as_array().unwrap().len(), 6);
    let unlimited = service.ask(json!({"kind": "position", "deal": "klondike:3"}));
    assert_eq!(unlimited.get("redeals_left"), None);
}

/// Unknown cards are nowhere in an answer, and what needs them is refused.
#[test]
fn unknown_cards_stay_unknown() {
    let service = Service::new();
    let open = service.ask(json!({"kind": "position", "deal": "klondike:3"}));
    let text = open["deal_text"].as_str().unwrap();
    let hide = |word: &str| match word.starts_with('<') {
        true => "_".to_owned(),
        false => word.to_owned(),
    };
    let line = |line: &str| line.split(' ').map(hide).collect::<Vec<_>>().join(" ");
    let hidden: Vec<String> = text.lines().map(line).collect();
    let hidden = hidden.join("\n");
    let seen = service.ask(json!({"kind": "position", "deal": hidden}));
    assert_eq!(seen["unknown"], 21);
    assert_eq!(seen.get("key"), None);
    for pile in seen["board"]["piles"].as_array().unwrap() {
        assert!(
            pile["face_down"]
                .as_array()
                .unwrap()
                .iter()
                .all(|card| card == "??")
        );
    }
    for made in seen["legal"].as_array().unwrap() {
        assert_eq!(made.get("turns_up"), None);
    }
    let moves = |answer: &Value| -> Vec<Value> {
        let legal = answer["legal"].as_array().unwrap().iter();
        legal.map(|made| made["move"].clone()).collect()
    };
    assert_eq!(moves(&seen), moves(&open));
    // The advice is that on the open deal, of which it looks at no face-down card.
    let advise = |deal: &str| {
        let request = json!({"kind": "advise", "deal": deal, "iterations": 30});
        service.ask(request)["moves"].clone()
    };
    assert_eq!(advise(&hidden), advise("klondike:3"));

    let refused = |request: Value| {
        let request = Request::from_json(&request.to_string()).unwrap();
        answer(&request, &Control::new(system_clock))
            .unwrap_err()
            .message
    };
    assert_eq!(
        refused(json!({"kind": "solve", "deal": hidden})),
        "21 cards are not known, and this question needs all of them"
    );
    assert_eq!(
        refused(json!({"kind": "position", "deal": hidden, "moves": "2D:4>6"})),
        "move 1 needs a card that is not known"
    );

    // With limited redeals a stock that was not turned yet may be unknown, too.
    let all_hidden: Vec<String> = hidden
        .lines()
        .map(|line| match line.starts_with("stock:") {
            true => format!("stock:{}", " ??".repeat(24)),
            false => line.to_owned(),
        })
        .collect();
    let all_hidden = all_hidden.join("\n");
    let advise = |rules: &str| json!({"kind": "advise", "deal": all_hidden, "rules": rules, "iterations": 30});
    let moves = service.ask(advise("vegas3"))["moves"].clone();
    assert!(!moves.as_array().unwrap().is_empty());
    let message = refused(advise("standard"));
    assert!(
        message.contains("cards of the stock and the waste are unknown"),
        "{message}"
    );
}

/// What cannot be won stays so: one move loses a game, and `verdicts` has it all.
#[test]
fn a_lost_game_says_where_it_was_lost() {
    let service = Service::new();
    let verdict = |moves: &str| {
        service.ask(json!({"kind": "solve", "deal": "klondike:71", "moves": moves}))["verdict"]
            .clone()
    };
    // The moves of a solution, until another move loses.
    let mut moves = String::new();
    let mut verdicts = vec![verdict("")];
    while verdicts.last().unwrap() == "winnable" {
        let ask =
            |kind: &str| service.ask(json!({"kind": kind, "deal": "klondike:71", "moves": moves}));
        let analysis = ask("analyse");
        let judged = analysis["moves"].as_array().unwrap();
        let losing = judged.iter().find(|made| made["verdict"] == "unwinnable");
        let solved = ask("solve");
        let made = losing.unwrap_or(&solved["solution"]["moves"][0])["move"]
            .as_str()
            .unwrap();
        moves = format!("{moves} {made}");
        verdicts.push(verdict(&moves));
        assert!(verdicts.len() < 20, "no move loses: {moves}");
    }
    let request = json!({"kind": "analyse", "deal": "klondike:71", "moves": moves, "game": true});
    let game = service.ask(request)["game"].clone();
    assert_eq!(game["outcome"], "lost");
    assert_eq!(game["verdicts"], Value::Array(verdicts.clone()));
    assert_eq!(game["lost_by"]["number"], verdicts.len() - 1);
    assert!(!game["instead"].as_array().unwrap().is_empty());
}

#[test]
fn caps_hold_whatever_is_asked_and_a_stop_is_an_answer() {
    let service = Service::new();
    let mut control = Control::new(system_clock);
    control.caps.states = Some(10);
    let request =
        json!({"kind": "solve", "deal": "klondike:2312", "limits": {"states": 1_000_000}});
    let answer = service.ask_with(&request, &control);
    assert_eq!(
        (&answer["verdict"], &answer["limit"]),
        (&json!("undecided"), &json!("states"))
    );

    let mut control = Control::new(system_clock);
    control.caps.time = Some(Duration::ZERO);
    let list = service.ask_with(&json!({"kind": "generate", "count": 100}), &control);
    assert_eq!(
        (&list["limit"], &list["next"]),
        (&json!("time"), &json!("klondike:1"))
    );

    let control = Control::new(system_clock);
    control.stop.store(true, Ordering::Relaxed);
    let request = json!({"kind": "solve", "deal": "klondike:2312"});
    assert_eq!(service.ask_with(&request, &control)["limit"], "interrupt");
}

/// A player that thinks long can be stopped, and then plays by what it knows.
#[test]
fn a_thought_of_the_player_ends_at_its_limits() {
    let service = Service::new();
    let long = json!({"kind": "player-move", "deal": "klondike:3", "iterations": 100_000});
    let with = |limits: Value| {
        let mut request = long.clone();
        request["limits"] = limits;
        request
    };
    let mut vegas = with(json!({"time_ms": 1}));
    vegas["rules"] = "vegas1".into();
    let stopped = Control::new(system_clock);
    stopped.stop.store(true, Ordering::Relaxed);
    let mut advice = long.clone();
    advice["kind"] = "advise".into();
    for (request, control, limit) in [
        (advice, stopped.clone(), "interrupt"),
        (long.clone(), stopped, "interrupt"),
        (vegas, Control::new(system_clock), "time"),
        (
            with(json!({"time_ms": 1})),
            Control::new(system_clock),
            "time",
        ),
        (
            with(json!({"states": 1})),
            Control::new(system_clock),
            "states",
        ),
    ] {
        let answer = service.ask_with(&request, &control);
        assert_eq!(answer["limit"], limit, "{answer:#}");
        // It gives up no game because it had no time.
        let line = match request["kind"] == "advise" {
            true => &answer["moves"][0]["line"],
            false => &answer["line"],
        };
        assert!(line.is_object(), "{answer:#}");
    }
}

/// A closed set can have millions of positions; what would be too large to send is not made.
#[test]
fn the_limits_of_the_server_bound_certificates() {
    let service = Service::new();
    let mut control = Control::new(system_clock);
    let request = json!({"kind": "prove", "deal": "klondike:51000663", "rules": "draw1"});
    let whole = service.ask_with(&request, &control);
    assert_eq!(
        (&whole["proof"], &whole["checked"]),
        (&json!("closed set"), &json!(true))
    );
    control.caps.certificate = Some(whole["bytes"].as_u64().unwrap() - 1);
    let cut = service.ask_with(&request, &control);
    assert_eq!(
        (&cut["verdict"], &cut["limit"]),
        (&json!("unwinnable"), &json!("memory"))
    );
    assert_eq!(cut.get("certificate"), None);

    // The checker takes memory for each position, so the limit on memory is one on positions.
    let check = json!({"kind": "check", "certificate": whole["certificate"]});
    control.caps.memory = Some(1 << 20);
    let refused = service.ask_with(&check, &control);
    let error = refused["error"].as_str().unwrap();
    assert!(error.contains("more than 1000 entries"), "{error}");
    control.caps.memory = Some(1 << 30);
    assert_eq!(service.ask_with(&check, &control)["verified"], true);

    // A file can be made to take long, so the limit on time and the stop flag hold, too.
    control.caps.time = Some(Duration::ZERO);
    let stopped = service.ask_with(&check, &control);
    let error = stopped["error"].as_str().unwrap();
    assert!(error.contains("the check was stopped here"), "{error}");
    control.caps.time = None;
    control.stop.store(true, Ordering::Relaxed);
    assert_eq!(service.ask_with(&check, &control), stopped);
}

/// Every look at this clock takes a millisecond.
fn slow_clock() -> Duration {
    static LOOKS: AtomicU64 = AtomicU64::new(0);
    Duration::from_millis(LOOKS.fetch_add(1, Ordering::Relaxed))
}

/// A certificate and its check share the time: if it ends in the check, the certificate is given
/// unchecked.
#[test]
fn a_certificate_is_checked_in_the_time_that_is_left() {
    let service = Service::new();
    let mut control = Control::new(slow_clock);
    let request = json!({"kind": "prove", "deal": "klondike:51000663", "rules": "draw1"});
    control.caps.time = Some(Duration::from_secs(3600));
    let begin = slow_clock();
    let whole = service.ask_with(&request, &control);
    let time = slow_clock() - begin;
    assert_eq!(whole["checked"], true);
    assert!(time.as_millis() as u64 > whole["entries"].as_u64().unwrap());
    control.caps.time = Some(time - Duration::from_millis(20));
    let unchecked = service.ask_with(&request, &control);
    assert_eq!(unchecked["checked"], false);
    assert_eq!(unchecked["certificate"], whole["certificate"]);
}

#[test]
fn an_explanation_groups_the_digits_of_what_was_searched() {
    let request = json!({"kind": "explain", "deal": "solvitaire:31", "rules": "draw1"});
    let answer = Service::new().ask(request);
    let text = answer["text"].as_str().unwrap();
    let (_, searched) = text.split_once("searched: ").unwrap();
    let (thousands, rest) = searched.split_once(',').unwrap();
    assert!(
        thousands.parse::<u16>().is_ok() && rest[..3].parse::<u16>().is_ok(),
        "{text}"
    );
}

/// All waits of an explanation name cards of its set, and a card waits for none that is free.
#[test]
fn explanations_are_closed() {
    let service = Service::new();
    let mut explained = 0;
    for number in 1..60 {
        let request = json!({"kind": "explain", "deal": format!("solvitaire:{number}")});
        let answer = service.ask(request);
        if answer["proof"] != "blocked" {
            continue;
        }
        explained += 1;
        let cards: BTreeSet<&str> = answer["cards"]
            .as_array()
            .unwrap()
            .iter()
            .map(|card| card.as_str().unwrap())
            .collect();
        for wait in answer["waits"].as_array().unwrap() {
            assert!(cards.contains(wait["card"].as_str().unwrap()));
            for other in wait["for"].as_array().unwrap() {
                assert!(cards.contains(other.as_str().unwrap()));
            }
            let why = wait["why"].as_str().unwrap();
            assert!(answer["text"].as_str().unwrap().contains(why));
        }
    }
    assert!(explained > 3, "{explained}");
}
