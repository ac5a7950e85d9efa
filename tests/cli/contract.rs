//! The contract of `--json`: the program is run with every command, each line is checked against
//! the schema of its kind, and the schemas against the files in `schema/`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use serde_json::Value;

use crate::common_cli::{folder, good, klondike, read, with_input};
use crate::rows::each_row;

/// The schemas by kind, as `klondike schema` prints them.
fn schemas() -> BTreeMap<String, Value> {
    let lines = good(&klondike(&["--json", "schema"]));
    let one = |line: &str| {
        let answer: Value = serde_json::from_str(line).unwrap();
        let name = answer["name"].as_str().unwrap().to_owned();
        (name, answer["schema"].clone())
    };
    lines.lines().map(one).collect()
}

/// Checks lines of `--json` and gives their kinds.
struct Checker {
    validators: BTreeMap<String, jsonschema::Validator>,
    seen: BTreeSet<String>,
}

impl Checker {
    fn new() -> Checker {
        let validator = |schema: &Value| jsonschema::draft202012::new(schema).unwrap();
        let schemas = schemas();
        Checker {
            validators: schemas
                .iter()
                .map(|(kind, schema)| (kind.clone(), validator(schema)))
                .collect(),
            seen: BTreeSet::new(),
        }
    }

    /// Runs the program, checks every line that it prints, and gives the lines.
    fn run(&mut self, arguments: &[&str], input: &str) -> Vec<Value> {
        let output = with_input(&[&["--json"], arguments].concat(), input.as_bytes());
        let (status, out, error) = read(&output);
        assert!(matches!(status, 0 | 1 | 3), "{arguments:?}: {error}");
        assert!(!out.is_empty(), "{arguments:?}: {error}");
        self.check(&out, &arguments.join(" "))
    }

    /// Checks every line of a text, and gives the lines.
    fn check(&mut self, text: &str, of: &str) -> Vec<Value> {
        let lines = text.lines().map(|line| serde_json::from_str(line).unwrap());
        let lines: Vec<Value> = lines.collect();
        for line in &lines {
            let kind = line["kind"].as_str().unwrap();
            let validator = &self.validators[kind];
            let errors: Vec<String> = validator
                .iter_errors(line)
                .map(|error| format!("{} at {}", error, error.instance_path()))
                .collect();
            assert!(errors.is_empty(), "{of}: {errors:?}\n{line:#}");
            self.seen.insert(kind.to_owned());
        }
        lines
    }

    /// As [`Checker::run`], of words with spaces between.
    fn say(&mut self, words: &str) -> Vec<Value> {
        self.run(&words.split(' ').collect::<Vec<_>>(), "")
    }
}

/// Commands, and the only kind of line that each prints: options never change it.
#[rustfmt::skip]
const COMMANDS: &[(&str, &str)] = &[
    ("solve", "solve klondike:1..6 solvitaire:1"),
    ("solve", "solve --boards --notation minimal solvitaire:3"),
    ("solve", "solve --rules yan klondike:1..3"),
    ("solve", "solve --max-states 10 klondike:2312"),
    ("solve", "solve --shortest --draw 1 --ranks 6 --piles triangle:4 klondike:1..8"),
    ("solve", "solve --fewest-passes klondike:1..3 solvitaire:1"),
    ("solve", "solve --best-score --ranks 6 --piles triangle:4 klondike:1..8"),
    ("solve", "solve --best-score --fewest-moves --ranks 6 --piles triangle:4 klondike:1..8"),
    ("deal", "deal klondike:1"),
    ("deal", "deal --to pysol klondike:1..2"),
    ("deal", "deal --to exact klondike:3"),
    ("format", "deal --list-formats"),
    ("scheme", "deal --list-schemes"),
    ("rules", "rules"),
    ("rules", "rules --show --draw 1 --redeals 2"),
    ("analyse", "analyse klondike:1 solvitaire:1"),
    ("analyse", "analyse --critical klondike:3"),
    ("analyse", "analyse --max-states 10 klondike:2312"),
    ("analyse", "analyse --game draw*3 solvitaire:3"),
    ("analyse", "analyse --lost-share --ranks 4 --piles triangle:3 klondike:1"),
    ("analyse", "analyse --lost-share --walks 5 --max-states 2000 klondike:1"),
    ("advise", "advise klondike:1 --iterations 20"),
    ("advise", "advise solvitaire:1 --iterations 5"),
    ("grade", "grade klondike:1 solvitaire:1"),
    ("grade", "grade --max-states 10 klondike:2312"),
    ("generate", "generate 2"),
    ("generate", "generate --unwinnable --to klondike 2"),
    ("generate", "generate --grade 2..9 1"),
    ("generate", "generate --shortest cards:1.. --draw 1 --ranks 6 --piles triangle:4 1"),
    ("generate", "generate --needs-worrying-back --ranks 6 --piles triangle:5 1"),
    ("bound", "bound --deals 50"),
    ("count", "count unplayable --draw 1"),
    ("count", "count one-move"),
    ("count", "count blocked --deals 500"),
    ("count", "count draws 8 3"),
    ("player", "simulate --list-players"),
    ("simulate", "simulate --player random --games 20"),
    ("sweep", "sweep --player kortsmit-simplest --rules kortsmit --vary diff=1..2 --games 5"),
    ("experiment", "reproduce"),
    ("reproduce", "reproduce kortsmit --games 5"),
    ("patience-list", "patience list"),
    ("patience-show", "patience show shifting"),
    ("patience-schema", "patience schema"),
    ("patience-mcts", "patience mcts shifting --games 2 --depth 5 --playouts 2"),
    ("patience-mcts", "patience mcts shifting --games 2 --depth 5 --playouts 2 --each"),
    ("patience-sweep", "patience sweep shifting --games 2 --playouts 2 --vary depth=3,5"),
    ("patience-published", "patience published --games 1 --searches 1 --playouts 1 --depth 1"),
    ("schema", "schema"),
    ("schema", "schema solve"),
];

/// The kinds that no command prints before it ends, or none at all: `tests/service` checks them.
#[rustfmt::skip]
const OF_THE_SERVICE: [&str; 14] = [
    "convert", "error", "explain", "formats", "generate-list", "hello", "player-move", "position",
    "progress", "rule-sets", "schemes", "serve", "site", "svg",
];

/// The kinds of the lines, each once.
fn kinds(lines: Vec<Value>) -> Vec<String> {
    let kinds = lines
        .iter()
        .map(|line| line["kind"].as_str().unwrap().to_owned());
    kinds.collect::<BTreeSet<String>>().into_iter().collect()
}

#[test]
fn every_command_answers_by_its_schema() {
    let mut check = Checker::new();
    each_row(
        COMMANDS,
        |(_, command)| (*command).to_owned(),
        |(kind, command)| assert_eq!(kinds(check.say(command)), [*kind]),
    );
    say_what_needs_files(&mut check);
    let silent = OF_THE_SERVICE.iter().copied();
    let all: BTreeSet<&str> = check.validators.keys().map(String::as_str).collect();
    let seen = check.seen.iter().map(String::as_str);
    assert_eq!(all, seen.chain(silent).collect(), "every kind was seen");
}

/// The names of the commands, those of groups as `patience list`, and the help of each.
fn helps() -> Vec<(String, String)> {
    let mut found = Vec::new();
    let mut open = vec![String::new()];
    while let Some(command) = open.pop() {
        let words = command.split_whitespace().chain(["--help"]);
        let help = good(&klondike(&words.collect::<Vec<_>>()));
        let inner = help.lines().skip_while(|line| *line != "Commands:").skip(1);
        let inner = inner.take_while(|line| !line.is_empty());
        // Descriptions that go on in the next line stand further right.
        let names = inner.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
        let names: Vec<_> = names.filter(|name| !matches!(*name, "" | "help")).collect();
        if names.is_empty() {
            found.push((command, help));
        } else {
            open.extend(
                names
                    .iter()
                    .map(|name| format!("{command} {name}").trim().to_owned()),
            );
        }
    }
    found
}

/// What help says of --json is true: who shows it prints lines of JSON, which the tests here check
/// against their schemas; the others refuse it.
#[test]
fn commands_take_json_or_leave_it_out_of_their_help() {
    let files = [
        "prove", "check", "estimate", "merge", "report", "compare", "export", "serve", "site",
    ];
    let helps = helps();
    assert!(helps.len() > 30, "{}", helps.len());
    for (command, help) in helps {
        let checked = COMMANDS
            .iter()
            .any(|(_, words)| words.starts_with(&command))
            || files.contains(&command.as_str());
        assert_eq!(help.contains("--json"), checked, "{command}");
        if !checked {
            let words: &[&str] = match command.as_str() {
                "completions" => &["bash"],
                "patience play" => &["shifting"],
                _ => &[],
            };
            let words = command.split(' ').chain(words.iter().copied());
            let (status, out, error) =
                read(&klondike(&words.chain(["--json"]).collect::<Vec<_>>()));
            assert_eq!((status, out.as_str()), (2, ""), "{command}");
            assert!(error.contains("knows no --json"), "{command}: {error}");
        }
    }
}

/// Commands about files, and those that print several kinds.
fn say_what_needs_files(check: &mut Checker) {
    let compared = check.say("simulate --compare random,kortsmit-greedy --games 10");
    assert_eq!(kinds(compared), ["simulate", "simulate-comparison"]);

    let folder = folder("contract");
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    let trace = path("trace.jsonl");
    let games = [
        "simulate", "--player", "random", "--games", "3", "--boards", "--trace",
    ];
    check.run(&[&games[..], &[&trace]].concat(), "");
    let traced = check.check(&std::fs::read_to_string(&trace).unwrap(), "a trace");
    assert_eq!(
        (kinds(traced.clone()), traced.len()),
        (vec!["simulate-trace".to_owned()], 3)
    );
    let certificate = path("deal.kc");
    for deal in ["solvitaire:3", "solvitaire:1"] {
        check.run(&["prove", deal, "-o", &certificate], "");
        assert_eq!(check.run(&["check", &certificate], "")[0]["verified"], true);
    }
    std::fs::write(path("bad.kc"), "no certificate").unwrap();
    assert_eq!(
        check.run(&["check", &path("bad.kc")], "")[0]["verified"],
        false
    );
    let hard = ["prove", "--max-states", "10", "klondike:2312", "-o"];
    check.run(&[&hard[..], &[&path("hard.kc")]].concat(), "");

    let [free, strict, all] = ["free", "strict", "all"].map(path);
    check.run(&["estimate", "--deals", "40", "--dir", &free], "");
    let strict_run = [
        "estimate",
        "--deals",
        "40",
        "--no-worrying-back",
        "--dir",
        &strict,
    ];
    check.run(&strict_run, "");
    check.run(&["merge", &free, "-o", &all], "");
    check.run(&["report", &free, &strict], "");
    check.run(&["compare", &free, &strict], "");
    let rows = check.run(&["export", "--times", &free], "");
    assert_eq!((rows.len(), &rows[0]["deal"]), (40, &"klondike:1".into()));

    let mut more = rows[0].clone();
    assert!(check.validators["export"].is_valid(&more));
    more["more"] = 1.into();
    assert!(
        !check.validators["export"].is_valid(&more),
        "unknown fields are refused"
    );
}

/// A line that is no deal is an answer of its own, and the deals after it are answered.
#[test]
fn a_bad_line_is_an_answer_and_ends_nothing() {
    let mut check = Checker::new();
    let small = "--draw 1 --ranks 6 --piles triangle:4";
    for (kind, words) in [
        ("solve", "solve -".to_owned()),
        ("solve", format!("solve --shortest {small} -")),
        ("solve", format!("solve --fewest-passes {small} -")),
        ("solve", format!("solve --best-score {small} -")),
        ("analyse", format!("analyse {small} -")),
        ("grade", "grade -".to_owned()),
        ("deal", "deal -".to_owned()),
        ("deal", "deal --to klondike -".to_owned()),
    ] {
        let words: Vec<&str> = words.split(' ').collect();
        let lines = check.run(&words, "klondike:1\nklondike:one\nklondike:2\n");
        assert!(
            kinds(lines.clone())
                .iter()
                .eq(&BTreeSet::from([kind, "error"])),
            "{words:?}"
        );
        let deals = [0, 1, 2].map(|number| lines[number]["deal"].clone());
        assert_eq!(deals, ["klondike:1", "standard input:2", "klondike:2"]);
        assert_eq!(
            (&lines[1]["kind"], &lines[1]["line"]),
            (&"error".into(), &2.into())
        );
        let input = b"klondike:1\nklondike:one\n";
        let output = with_input(&[&["--json"], &words[..]].concat(), input);
        assert_eq!(read(&output).0, 1, "{words:?}");
    }
    // Commands about one deal end with it.
    for words in ["prove -o no-such-certificate.kc -", "advise -"] {
        let words: Vec<&str> = words.split(' ').collect();
        let lines = check.run(&words, "klondike:one\n");
        assert_eq!(kinds(lines), ["error"], "{words:?}");
    }
}

/// The page, the server and the bindings use the crate of the contract without the command. Its
/// descriptions are for readers of JSON.
#[test]
fn the_contract_alone_has_all_kinds_and_says_nothing_of_rust() {
    let all = klondike_contract::schema::all();
    assert_eq!(all.len(), 32 + OF_THE_SERVICE.len());
    let alone: BTreeMap<String, Value> = all
        .into_iter()
        .map(|(kind, schema)| (kind.to_owned(), schema))
        .collect();
    assert_eq!(alone, schemas());
    for (kind, schema) in &alone {
        let text = schema.to_string();
        assert!(!text.contains("```"), "{kind}");
        assert_eq!(schema["description"], "An answer with what it is about.");
    }
}

/// `UPDATE_SCHEMAS=1 cargo test --release --test cli contract::` writes the files anew.
#[test]
fn the_schemas_in_the_repository_are_those_of_the_program() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("schema");
    let update = std::env::var_os("UPDATE_SCHEMAS").is_some();
    let schemas = schemas();
    for (kind, schema) in &schemas {
        let file = folder.join(format!("{kind}.json"));
        let text = format!("{schema:#}\n");
        if update {
            std::fs::write(&file, &text).unwrap();
        }
        let found = std::fs::read_to_string(&file).unwrap_or_default();
        assert_eq!(found, text, "{}", file.display());
    }
    assert_eq!(std::fs::read_dir(folder).unwrap().count(), schemas.len());
}

/// A program that knows no rules can play a solution back: it takes `count` cards from `from` and
/// puts them on `to`.
#[test]
fn solutions_play_back_without_rules() {
    let mut check = Checker::new();
    let solved = check.say("solve --boards klondike:1..5 solvitaire:3");
    let dealt = check.say("deal klondike:1..5 solvitaire:3");
    let mut moves = 0;
    for (solved, dealt) in solved.iter().zip(&dealt) {
        assert_eq!(solved["deal"], dealt["deal"]);
        let mut places = places(&dealt["board"]);
        for made in solved["solution"]["moves"].as_array().unwrap() {
            let end = |name: &str| match made[name].as_str().unwrap() {
                "foundation" => format!("foundation {}", &made["card"].as_str().unwrap()[1..]),
                place => place.to_owned(),
            };
            let from = places.get_mut(&end("from")).unwrap();
            let count = made["count"].as_u64().unwrap() as usize;
            let mut cards = from.split_off(from.len() - count);
            if let Some(up) = made["turns_up"].as_str() {
                assert_eq!(from.last().unwrap(), up);
            }
            // A pack that is turned over, or cards drawn one by one.
            if matches!(end("to").as_str(), "stock" | "waste") {
                cards.reverse();
            }
            places.get_mut(&end("to")).unwrap().extend(cards);
            assert_eq!(places, self::places(&made["board"]), "{made:#}");
            moves += 1;
        }
        assert!(places.iter().all(|(place, cards)| {
            cards.len()
                == if place.starts_with("foundation") {
                    13
                } else {
                    0
                }
        }));
    }
    assert!(moves > 400, "{moves}");
}

/// The cards of every place of a board, from the bottom up; the stock's first drawn last.
fn places(board: &Value) -> BTreeMap<String, Vec<String>> {
    let cards = |value: &Value| -> Vec<String> {
        let cards = value.as_array().unwrap().iter();
        cards
            .map(|card| card.as_str().unwrap().to_owned())
            .collect()
    };
    let mut stock = cards(&board["stock"]);
    stock.reverse();
    let mut places = BTreeMap::from([
        ("stock".to_owned(), stock),
        ("waste".to_owned(), cards(&board["waste"])),
    ]);
    for (number, pile) in (1..).zip(board["piles"].as_array().unwrap()) {
        let all = [cards(&pile["face_down"]), cards(&pile["face_up"])].concat();
        places.insert(format!("tableau {number}"), all);
    }
    for (suit, top) in "CDHS".chars().zip(board["foundations"].as_array().unwrap()) {
        let ranks = "A23456789TJQK".chars().take(top.as_u64().unwrap() as usize);
        let cards = ranks.map(|rank| format!("{rank}{suit}")).collect();
        places.insert(format!("foundation {suit}"), cards);
    }
    places
}
