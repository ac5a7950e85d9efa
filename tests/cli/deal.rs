//! `klondike deal` and `klondike rules` run as programs, with good input and bad input of every
//! kind. A bad one ends with status 1 or 2 and exactly one line on standard error.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::Stdio;

use klondike_game::deal::format::Format;
use klondike_game::deal::seed::{Scheme, Seed};

use crate::common_cli::{command, read, with_input};
use crate::rows::each_row;

struct Ran {
    status: i32,
    out: String,
    err: String,
}

fn klondike(arguments: &[&str], input: &[u8]) -> Ran {
    let (status, out, err) = read(&with_input(arguments, input));
    Ran { status, out, err }
}

fn good(arguments: &[&str], input: &[u8]) -> String {
    let ran = klondike(arguments, input);
    assert_eq!((ran.status, ran.err.as_str()), (0, ""), "{arguments:?}");
    ran.out
}

/// A file with this content; every caller needs its own name.
fn file(name: &str, content: &[u8]) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, content).expect("a writable target directory");
    path.to_str().expect("a text").to_owned()
}

/// The text of the deal klondike-solver:12.
fn text(format: Format) -> String {
    let deal = Scheme::KlondikeSolver.deal(&Seed::from(12_u64));
    format
        .write(&deal.expect("in range"))
        .expect("a standard deal")
}

const DECK: &str = "083032054023123044053061112132082064062114071111024052094021034042011092104051\
    093113033102022014043063013084103122133124012134072041101073074031081121091131";

#[test]
fn bad_data_is_one_line_and_status_1() {
    let json = text(Format::Solvitaire);
    let board = text(Format::Pysol);
    let own = text(Format::Klondike);
    let bad_json = file("bad.json", json.replace("]]", "]").as_bytes());
    let empty = file("empty.txt", b"");
    let comment = file("comment.txt", b"# nothing here\n\n");
    let binary = file(
        "binary.bin",
        &[0x7f, b'E', b'L', b'F', 0, 0xff, 0xfe, 10, 0],
    );
    let many = file(
        "many.txt",
        format!("{DECK}\n\n# two\nsolvitaire:3\n{}\n", &DECK[1..]).as_bytes(),
    );
    let missing = file("missing.txt", own.replace(" 3H", "").as_bytes());
    let twice = file(
        "twice.txt",
        board.replace("Talon: 3H", "Talon: 8H").as_bytes(),
    );
    let mid = file(
        "mid.txt",
        own.replace("2: <3D> 6C", "2: <3D>\nwaste: 6C").as_bytes(),
    );
    let wrong_run = file("run.json", json.replace("3d", "3D").as_bytes());
    let folder = env!("CARGO_TARGET_TMPDIR");
    let absent = format!("{folder}/absent/deals.txt");
    #[rustfmt::skip]
    let cases: &[(&[&str], &[u8], &[&str])] = &[
        (&[&missing], b"", &["missing.txt: ", "line 1: 1 card missing: 3H"]),
        (&[&twice], b"",
            &["twice.txt: line 2: pile 1, card 1: the card 8H stands twice, first in line 1, \
             stock, card 1"]),
        (&[&bad_json], b"", &["bad.json: line 1: not the JSON of a deal: "]),
        (&[&wrong_run], b"", &["run.json: line 1: pile 2: 6C cannot lie face up on 3D"]),
        (&[&mid], b"", &["mid.txt: line "]),
        (&[&DECK[1..]], b"", &["argument 1: 155 digits, but a deck string has 156"]),
        (&["solvitaire:1", &DECK[1..]], b"", &["argument 2: 155 digits"]),
        (&[&many], b"", &["many.txt: line 5: 155 digits"]),
        (&[&empty], b"", &["empty.txt: no deal in it: it is empty"]),
        (&[&comment], b"", &["comment.txt: no deal in it: it is empty"]),
        (&[&binary], b"", &["binary.bin: line 1: not a text in UTF-8 but binary data"]),
        (&[&absent], b"", &["no such file, and not a deal", "absent/deals.txt"]),
        (&[folder], b"", &["directory"]),
        (&["-"], b"", &["standard input: no deal in it"]),
        (&["-"], b"hello\n", &["standard input: line 1: `hello` is not a deal"]),
        (&["-"], b"\n\nsolvitaire:99999999999\n",
            &["standard input: line 3: seed 99999999999 is out of range: the seeds of solvitaire \
             are -2147483648 to 4294967295"]),
        (&["-"], b"solvitare:9\n",
            &["standard input: line 1: there is no seed scheme `solvitare`"]),
        (&["12345678901234567890"], b"",
            &["argument 1: the number `12345678901234567890` does not say what it is"]),
        (&["8H 3D"], b"", &["argument 1: 50 cards missing: AC"]),
        (&["a\nb"], b"", &["`a\\nb`: no such file"]),
        (&[""], b"", &["``: no such file"]),
        (&["--format", "pysol", "-"], DECK.as_bytes(),
            &["standard input: line 1: pile 1, card 1: `083"]),
        (&["--to", "pysol", "klondike:1", "--piles", "triangle:6"], b"",
            &["klondike:1: the format pysol is for 52 cards"]),
        (&["--suits", "2", "--piles", "1,2", DECK], b"",
            &["argument 1: the format deck-string is for 52 cards"]),
    ];
    let check = |arguments: &[&str], input: &[u8], wanted: &[&str]| {
        let ran = klondike(arguments, input);
        assert_eq!(ran.status, 1, "{}", ran.err);
        assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
        assert!(ran.err.starts_with("klondike: error: "), "{}", ran.err);
        for part in wanted {
            assert!(ran.err.contains(part), "{part}: {}", ran.err);
        }
        assert!(!ran.err.contains("panicked"), "{}", ran.err);
    };
    each_row(
        cases,
        |(arguments, ..)| format!("{arguments:?}"),
        |(arguments, input, wanted)| {
            check(&[&["deal"], *arguments].concat(), input, wanted);
        },
    );
}

/// A bad deal among good ones is an error with its line, in text on standard error and in JSON
/// among the answers; the others are answered.
#[test]
fn the_deals_after_a_bad_one_are_shown() {
    let two = format!("klondike:1\n\"two\nlines\"\n{}\nklondike:2\n", &DECK[1..]);
    let arguments = ["deal", "--to", "exact", "-"];
    let ran = klondike(&arguments, two.as_bytes());
    assert_eq!((ran.status, ran.out.lines().count()), (1, 2), "{}", ran.err);
    let errors: Vec<&str> = ran.err.lines().collect();
    assert_eq!(errors.len(), 3, "{errors:?}");
    let ran = klondike(&[&arguments[..], &["--json"]].concat(), two.as_bytes());
    assert_eq!((ran.status, ran.err.as_str()), (1, ""));
    let lines = ran.out.lines().map(serde_json::from_str);
    let lines: Vec<serde_json::Value> = lines.collect::<Result<_, _>>().expect("JSON");
    assert_eq!(lines.len(), 5);
    assert_eq!(
        (&lines[0]["deal"], &lines[4]["deal"]),
        (&"klondike:1".into(), &"klondike:2".into())
    );
    for ((line, error), number) in lines[1..4].iter().zip(errors).zip(2..) {
        let label = format!("standard input:{number}");
        assert_eq!(
            (&line["line"], &line["deal"]),
            (&number.into(), &label.into())
        );
        assert_eq!(line["kind"], "error");
        let message = line["message"].as_str().expect("a text");
        let help = line["help"]
            .as_str()
            .map_or_else(String::new, |help| format!("; {help}"));
        assert_eq!(
            error,
            format!("klondike: error: standard input: {message}{help}")
        );
    }
    // An argument has no line.
    let ran = klondike(&["deal", "--json", "8H 3D", "klondike:1"], b"");
    assert_eq!((ran.status, ran.out.lines().count()), (1, 2), "{}", ran.err);
    let error: serde_json::Value =
        serde_json::from_str(ran.out.lines().next().unwrap_or_default()).expect("JSON");
    assert_eq!(
        (&error["deal"], error.get("line")),
        (&"argument 1".into(), None)
    );
    // JSON whose last brace is missing ends where the next one begins.
    let json = text(Format::Solvitaire).replace('\n', " ");
    let cut = format!("{}\n{json}\n", json.trim_end().trim_end_matches('}'));
    let ran = klondike(&arguments, cut.as_bytes());
    assert_eq!(
        (ran.status, ran.out.lines().count(), ran.err.lines().count()),
        (1, 1, 1)
    );
}

/// Wrong command lines, and what the error must say.
#[rustfmt::skip]
const WRONG: &[(&str, &str)] = &[
    ("deal --draw 0 solvitaire:1", "invalid value '0' for '--draw <N>'"),
    ("deal --draw 25 solvitaire:1", "write a whole number from 1 to 24"),
    ("deal --draw three solvitaire:1", "'three'"),
    ("deal --redeals -1 solvitaire:1", "-1"),
    ("deal --redeals often solvitaire:1", "write a number, `unlimited` or"),
    ("deal --runs all solvitaire:1", "write partial, whole or partial-if-played"),
    ("deal --spaces queens solvitaire:1", "write kings, any or nothing"),
    ("deal --piles triangle solvitaire:1", "is not a layout"),
    ("deal --piles rectangle:9x9 solvitaire:1", "81 cards"),
    ("deal --suits 5 klondike:1", "write a whole number from 1 to 4"),
    ("deal --suits 2 --ranks 5 klondike:1", "the piles need 28 cards, but the deck has only 10; \
        give fewer, such as --piles triangle:3"),
    ("deal --suits 3 solvitaire:1", "the scheme solvitaire deals 52 cards"),
    ("deal --rules las-vegas solvitaire:1", "there is no rule set `las-vegas`"),
    ("deal --seed greenfelt:0", "the seeds of greenfelt are 1 to 2147483646"),
    ("deal --seed solvitaire:5..1", "the range 5..1 is empty"),
    ("deal --seed 12", "write SCHEME:N"),
    ("deal --seed solvitare:12", "known: klondike solvitaire"),
    ("deal solvitare:12", "there is no seed scheme `solvitare`; known: klondike"),
    ("deal solvitaire:x", "`x` is not a seed"),
    ("deal exact:80658175170943878571660636856403766975289505440883277824000000000000",
        "is out of range: the seeds of exact are 0 to \
         80658175170943878571660636856403766975289505440883277823999999999999"),
    ("deal --format chess -", "there is no deal format `chess`; known: klondike picture row-order"),
    ("deal --to chess solvitaire:1", "there is no deal format `chess`"),
    ("deal --to pysol --check solvitaire:1", "cannot be used with"),
    ("deal", "no deal: give a file"),
    ("deal - -", "can be read only once"),
    ("deal --colour", "unexpected argument '--colour'"),
    ("dael", "tip: a similar subcommand exists: 'deal'"),
    ("rules --draw 0", "write a whole number from 1 to 24"),
];

#[test]
fn a_wrong_command_line_is_one_line_and_status_2() {
    each_row(
        WRONG,
        |(words, _)| (*words).to_owned(),
        |(words, wanted)| {
            let ran = klondike(&words.split(' ').collect::<Vec<_>>(), b"");
            assert_eq!((ran.status, ran.out.as_str()), (2, ""), "{}", ran.err);
            assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
            assert!(ran.err.starts_with("klondike: error: "), "{}", ran.err);
            assert!(ran.err.contains(wanted), "{}", ran.err);
        },
    );
}

#[test]
fn one_deal_in_every_format_comes_out_the_same() {
    let wanted = text(Format::RowOrder);
    for format in Format::ALL {
        let text = text(format);
        let name = file(&format!("deal-{format}.txt"), text.as_bytes());
        let known = ["--format", format.name()];
        let guessed: &[&str] = &[];
        let ways: &[&[&str]] = if format == Format::MinimalKlondike {
            &[&known]
        } else {
            &[&known, guessed]
        };
        for way in ways {
            let convert = [&["deal", "--to", "row-order"], *way].concat();
            let from = |deal: &str| good(&[&convert[..], &[deal]].concat(), text.as_bytes());
            assert_eq!(from(&name), wanted, "{format} from a file");
            assert_eq!(from("-"), wanted, "{format} from standard input");
            assert_eq!(from(text.trim_end()), wanted, "{format} as an argument");
        }
        let written = good(&["deal", "--to", format.name(), "klondike-solver:12"], b"");
        assert_eq!(written, text);
        assert_eq!(
            good(&["deal", "--check", &name, "--format", format.name()], b""),
            ""
        );
    }
}

#[test]
fn a_range_is_a_stream_of_deals_that_can_be_read_again() {
    let rows = good(
        &["deal", "--seed", "klondike:1..3", "--to", "row-order"],
        b"",
    );
    assert_eq!(rows.lines().count(), 3);
    for format in ["klondike", "pysol", "solvitaire", "lonelybot", "exact"] {
        let texts = good(&["deal", "--to", format, "klondike:1..3"], b"");
        let again = good(&["deal", "--to", "row-order", "-"], texts.as_bytes());
        assert_eq!(again, rows, "{format}");
    }
}

#[test]
fn a_klondike_solver_file_is_read_whole() {
    let board = text(Format::Pysol);
    let content = format!("# games\nGame: 12\n{DECK}\n{board}{board}Game: 12\n");
    let name = file("games.txt", content.as_bytes());
    let rows = good(&["deal", "--to", "row-order", &name], b"");
    assert_eq!(rows, text(Format::RowOrder).repeat(5));
    let labels = good(&["deal", "--json", &name], b"");
    let lines: Vec<serde_json::Value> = labels
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let label = |i: usize| {
        lines[i]["deal"]
            .as_str()
            .unwrap()
            .rsplit(':')
            .next()
            .unwrap()
    };
    assert_eq!(
        (label(0), label(1), label(2), label(4)),
        ("2", "3", "4", "20")
    );
    assert_eq!(lines[2]["format"], "pysol");
}

#[test]
fn the_answers_around_an_error_are_printed() {
    let ran = klondike(
        &["deal", "--to", "exact", "-"],
        b"exact:1\nexact:2\n52\nexact:3\n",
    );
    let answers = "exact:1\nexact:2\nexact:3\n";
    assert_eq!((ran.status, ran.out.as_str()), (1, answers));
    assert!(ran.err.contains("line 3: the number `52`"), "{}", ran.err);
}

#[test]
fn text_without_a_terminal_is_ascii_and_shows_every_card() {
    let shown = good(&["deal", "solvitaire:1"], b"");
    assert!(
        shown.is_ascii() && shown.starts_with("# solvitaire:1\n"),
        "{shown}"
    );
    assert!(!shown.contains('\x1b'));
    let row = good(&["deal", "--to", "row-order", "solvitaire:1"], b"");
    for card in row.split_whitespace().filter(|word| *word != "|") {
        assert_eq!(shown.matches(card).count(), 1, "{card}: {shown}");
    }
}

#[test]
fn json_of_a_small_deal_and_of_a_position() {
    let rules = ["--suits", "2", "--ranks", "3", "--piles", "triangle:2"];
    let run = |deal: &str, input: &str| -> serde_json::Value {
        let all = [&["deal", "--json", deal], &rules[..]].concat();
        serde_json::from_str(&good(&all, input.as_bytes())).unwrap()
    };
    let own = "stock: AC 3D 2D\n1: AD\n2: <3C> 2C\n";
    let wanted = serde_json::json!({
        "kind": "deal", "version": 1, "deal": "standard input:1", "format": "klondike",
        "rules": {
            "suits": 2, "ranks": 3, "piles": [1, 2], "draw": 3, "redeals": "unlimited",
            "worrying_back": true, "runs": "partial", "spaces": "kings",
        },
        "board": {
            "redeals_used": 0, "foundations": [0, 0, 0, 0], "waste": [],
            "stock": ["AC", "3D", "2D"],
            "piles": [
                {"face_down": [], "face_up": ["AD"]},
                {"face_down": ["3C"], "face_up": ["2C"]},
            ],
        },
    });
    assert_eq!(run("-", own), wanted);
    let position = r#"{"tableau piles": [[], ["3c", "2C"]], "stock": ["2D"],
        "waste": ["AC", "3D"], "foundations": ["AD"]}"#;
    let found = run("-", position);
    assert_eq!(found["board"]["waste"], serde_json::json!(["AC", "3D"]));
    assert_eq!(
        found["board"]["foundations"],
        serde_json::json!([0, 1, 0, 0])
    );
    let back = [&["deal", "--to", "solvitaire", "-"], &rules[..]].concat();
    let again = good(&back, position.as_bytes());
    assert_eq!(run("-", &again), found);
    let to_pysol = [&["deal", "--to", "pysol", "-"], &rules[..]].concat();
    let ran = klondike(&to_pysol, position.as_bytes());
    assert_eq!(ran.status, 1);
    assert!(
        ran.err.contains("cannot hold this game in progress"),
        "{}",
        ran.err
    );
}

#[test]
fn a_closed_pipe_ends_the_program_quietly() {
    let deals = "klondike:0..18446744073709551615";
    let mut child = command(&["deal", "--to", "row-order", deals])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut out = BufReader::new(child.stdout.take().expect("piped"));
    let mut line = String::new();
    out.read_line(&mut line).expect("text");
    assert_eq!(line.split_whitespace().count(), 53);
    drop(out);
    let output = child.wait_with_output().expect("it ends");
    assert!(output.status.success());
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn lists_and_rules() {
    let formats = good(&["deal", "--list-formats"], b"");
    assert_eq!(formats.lines().count(), Format::ALL.len());
    let schemes = good(&["deal", "--list-schemes", "--json"], b"");
    assert_eq!(schemes.lines().count(), Scheme::ALL.len());
    for line in schemes.lines() {
        let value: serde_json::Value = serde_json::from_str(line).unwrap();
        assert!(value["name"].as_str().unwrap().parse::<Scheme>().is_ok());
    }
    assert!(good(&["rules"], b"").contains("\nvegas3 "));
    let arguments = [
        "rules", "--show", "--json", "--rules", "vegas3", "--draw", "2",
    ];
    let more = ["--no-worrying-back", "--piles", "triangle:3"];
    let shown = good(&[&arguments[..], &more].concat(), b"");
    let value: serde_json::Value = serde_json::from_str(&shown).unwrap();
    assert_eq!(value["rules"]["draw"], 2);
    assert_eq!(value["rules"]["redeals"], 2);
    assert_eq!(value["rules"]["worrying_back"], false);
    assert_eq!(value["rules"]["piles"], serde_json::json!([1, 2, 3]));
    assert!(good(&["--help"], b"").contains("deal"));
    assert!(good(&["--version"], b"").starts_with("klondike "));
}

#[test]
fn positions_in_our_text_are_shown_converted_and_checked() {
    let rules = ["--suits", "2", "--ranks", "3", "--piles", "triangle:2"];
    let run = |arguments: &[&str], input: &str| {
        klondike(
            &[&["deal"], arguments, &rules[..]].concat(),
            input.as_bytes(),
        )
    };
    let text = "redeals: 2\nfoundations: C0 D1\nwaste: AC 3D\nstock: 2D\n1:\n2: <3C> 2C\n";
    let two = format!("# two positions\n{text}\n{text}");
    let ran = run(&["--to", "klondike", "-"], &two);
    assert_eq!((ran.err.as_str(), ran.out), ("", format!("{text}\n{text}")));
    let shown = run(&["-"], text).out;
    assert!(shown.contains("redeals used: 2"), "{shown}");
    // Solvitaire's JSON has no place for redeals.
    assert_eq!(run(&["--to", "solvitaire", "-"], text).status, 1);
    let fresh = text.replace("redeals: 2\n", "");
    let json = run(&["--to", "solvitaire", "-"], &fresh).out;
    assert_eq!(run(&["--to", "klondike", "-"], &json).out, fresh);
    for (from, to, wanted) in [
        (
            "2D\n1:",
            "XD\n1:",
            "standard input: line 12: `XD` is not a card",
        ),
        (
            "<3C> 2C",
            "<3C> <2C>",
            "standard input: line 9: the top card of pile 2 lies face down",
        ),
    ] {
        let input = format!("# two\n{text}\n{}", text.replace(from, to));
        let ran = run(&["--check", "-"], &input);
        assert_eq!((ran.status, ran.out.as_str()), (1, ""));
        let message = format!("klondike: error: {wanted}");
        assert!(ran.err.starts_with(&message), "{}", ran.err);
    }
}

#[test]
fn the_caption_of_a_picture_fits_below_it() {
    let place = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("caption.svg");
    let deal = "exact:15700715726010349203560361416802187031203626927972869715596952323621";
    good(&["deal", "--svg", place.to_str().unwrap(), deal], b"");
    let picture = fs::read_to_string(place).unwrap();
    let caption = picture
        .split(['<', '>'])
        .find(|text| text.contains("exact:"));
    let caption = caption.expect("the deal is named");
    assert!(caption.starts_with("exact:157007157260…52323621: can be won, in "));
    assert!(caption.chars().count() < 60, "{caption}");
}
