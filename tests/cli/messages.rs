//! What the program says when something is wrong: the words name the mistake and how to mend it.

use crate::common_cli::{good, klondike, read, with_input};
use crate::rows::each_row;

/// The only line of an error, and the status. `TMP` in a word is the folder for the tests' files.
fn error(words: &str) -> (i32, String) {
    let word = |word: &str| word.replace("TMP", env!("CARGO_TARGET_TMPDIR"));
    let words: Vec<String> = words.split(' ').map(word).collect();
    let output = klondike(&words.iter().map(String::as_str).collect::<Vec<_>>());
    let (status, _, error) = read(&output);
    assert_eq!(error.lines().count(), 1, "{words:?}: {error}");
    let length = error.replace(env!("CARGO_TARGET_TMPDIR"), "TMP").len();
    assert!(length < 400, "{words:?}: {error}");
    (status, error)
}

/// What a row is called.
fn command(row: &&(&str, &str)) -> String {
    row.0.to_owned()
}

/// A command line that is wrong, and what the error says.
const WRONG_OPTIONS: &[(&str, &str)] = &[
    (
        "solve --draw x klondike:1",
        "write a whole number from 1 to 24",
    ),
    (
        "solve --draw -1 klondike:1",
        "write a whole number from 1 to 24",
    ),
    (
        "solve --max-states -1 klondike:1",
        "write a whole number of at least 0",
    ),
    ("generate -5", "write a whole number of at least 1"),
    (
        "generate --shortest 99999",
        "lengths are the numbers from 0 to 65535",
    ),
    (
        "simulate --player random --games -3",
        "write a whole number of at least 1",
    ),
    ("bound --deals -3", "write a whole number of at least 1"),
    ("count draws -8 3", "write a whole number of at least 0"),
    (
        "solve --no-lemma luck klondike:1",
        "[possible values: safe-foundation, ",
    ),
    (
        "solve --draw 0 klondike:1",
        "write a whole number from 1 to 24",
    ),
    (
        "solve --threads 99999999 klondike:1",
        "write a whole number from 1 to 1024",
    ),
    ("solve --memory foo klondike:1", "write a size such as 8GiB"),
    ("solve --time-limit -1 klondike:1", "a number of at least 0"),
    ("solve --max-states x klondike:1", "write a whole number"),
    ("solve --time-limit 1e20 klondike:1", "and below 1e19"),
    (
        "solve --max-states 18446744073709551616 klondike:1",
        "write a smaller number",
    ),
    ("solve --piles 1,2,300 klondike:1", "heights up to 255"),
    ("serve --port abc", "write a whole number from 0 to 65535"),
    ("serve --listen 300.1.1.1", "such as 127.0.0.1"),
    ("serve --memory 12MiB", "the program itself takes 12 MiB"),
    (
        "simulate --player random --scheme exact --games 3",
        "no sample; use another scheme",
    ),
    (
        "sweep --player random --vary draw=1..2 --scheme microsoft",
        "no sample; use another scheme",
    ),
    (
        "count one-move --rules vegas1",
        "not counted without redeals; count them with --redeals unlimited",
    ),
    (
        "count blocked --piles 13,13,13,13",
        "or a sample: --deals N",
    ),
    (
        "check --rules vegas3 --spaces any some.kc",
        "name it with --deal",
    ),
    (
        "generate --needs-worrying-back --rules kortsmit 1",
        "add --worrying-back",
    ),
    ("generate --max-states 0 1", "with a limit of 0"),
    ("generate --time-limit 0 1", "with a limit of 0"),
    ("deal --svg - klondike:1", "./- is one of this name"),
    ("bound --deals 5 --checkpoint -", "./- is one of this name"),
    ("play --record - klondike:6", "./- is one of this name"),
    (
        "solve --worrying-back --no-worrying-back klondike:1",
        "cannot be used with '--no-worrying-back'",
    ),
    (
        "simulate",
        "--player NAME, or --compare A,B; --list-players",
    ),
    ("solve Klondike:3", "did you mean `klondike`?"),
    ("solve KlondikeSolver:3", "did you mean `klondike-solver`?"),
    (
        "sweep --player random --vary diff=1..100000000",
        "more than 100000 values",
    ),
    (
        "reproduce kortsmit --games 2 --plot TMP/x.gif",
        "end the name in .svg or .png",
    ),
    (
        "export --json --format csv TMP",
        "leave --format and --output out",
    ),
    ("schema nothing", "there is no such kind of answers"),
    ("completions bash --json", "knows no --json"),
    ("play -", "standard input is for your moves"),
    (
        "deal --svg TMP/x.svg klondike:1..2",
        "a picture is of one deal",
    ),
];

#[test]
fn wrong_options_say_what_is_right() {
    each_row(WRONG_OPTIONS, command, |&&(words, part)| {
        let (status, error) = error(words);
        assert_eq!(status, 2, "{error}");
        assert!(!error.contains("'-- -"), "{error}");
        assert!(error.contains(part), "{error}");
    });
}

/// A command line about wrong data, and what the error says.
const WRONG_DATA: &[(&str, &str)] = &[
    ("solve 3", "such as klondike:3"),
    (
        "solve nofile.txt",
        "`nofile.txt`: no such file, and not a deal",
    ),
    (
        "prove klondike:1 -o /dev/null",
        "exists but is not a regular file",
    ),
    (
        "estimate --deals 4 --dir Cargo.toml",
        "is a file: name a directory",
    ),
    (
        "estimate --deals 4 --dir src",
        "is not empty: name an empty directory",
    ),
];

#[test]
fn wrong_data_say_what_is_right() {
    each_row(WRONG_DATA, command, |&&(words, part)| {
        let (status, error) = error(words);
        assert!(matches!(status, 1 | 2), "{status}");
        assert!(error.contains(part), "{error}");
    });
}

#[test]
fn answers_have_no_words_that_mean_nothing() {
    let grade = good(&klondike(&["grade", "klondike:1"]));
    assert!(
        grade.contains("estimated chance with hidden cards: 35 %"),
        "{grade}"
    );
    let game = good(&klondike(&["patience", "show", "klondike"]));
    assert!(game.contains("moves: pile to foundation, "), "{game}");
    assert!(!game.contains("TABLEAUTOFOUNDATION"), "{game}");
    let one = good(&klondike(&["solve", "--no-solution", "solvitaire:1"]));
    assert!(!one.contains(" 1 states"), "{one}");
}

#[test]
fn shells_and_man_get_what_they_need() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = good(&klondike(&["completions", shell]));
        assert!(
            script.contains("klondike") && script.contains("solve"),
            "{shell}"
        );
    }
    let script = good(&klondike(&["completions", "bash"]));
    let help = good(&klondike(&["solve", "--help"]));
    for text in [script, help] {
        assert!(text.contains("draw1-oracle"), "the names of the lemmas");
    }
    let page = good(&klondike(&["man"]));
    assert!(page.contains(".TH klondike 1"), "{page}");
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("man");
    good(&klondike(&["man", "--dir", folder.to_str().unwrap()]));
    let solve = std::fs::read_to_string(folder.join("klondike-solve.1")).unwrap();
    assert!(solve.contains("shortest"), "{solve}");
}

/// Verdicts and generated deals keep the numbers of their deals where that is asked for.
#[test]
fn deals_keep_their_numbers() {
    let quiet = good(&klondike(&[
        "solve",
        "--quiet",
        "--labels",
        "klondike:1..2",
    ]));
    assert_eq!(quiet, "klondike:1 winnable\nklondike:2 winnable\n");
    for format in ["klondike", "pysol", "deck-string"] {
        let arguments = [
            "generate",
            "--to",
            format,
            "--labels",
            "--from",
            "klondike:1",
            "2",
        ];
        let deals = good(&klondike(&arguments));
        let labels: Vec<&str> = deals
            .lines()
            .filter(|line| line.starts_with("# "))
            .collect();
        assert_eq!(labels, ["# klondike:1", "# klondike:2"], "{deals}");
        let read = with_input(&["solve", "--quiet", "-"], deals.as_bytes());
        assert_eq!(good(&read), "winnable\nwinnable\n");
    }
}
