//! Whatever file or folder a command writes because the user named it, it says so on standard
//! error, and standard output stays what a program reads.

use std::path::Path;

use crate::common_cli::{folder, klondike, read_all, with_input};
use crate::rows::each_row;

/// Commands, and what each writes. `IN` is a folder with runs, `OUT` an empty one.
const WRITERS: [(&str, &[&str]); 14] = [
    ("estimate --deals 2 --dir OUT/run", &["OUT/run"]),
    (
        "export IN/strict --output OUT/table.csv",
        &["OUT/table.csv"],
    ),
    ("report IN/strict -o OUT/page.html", &["OUT/page.html"]),
    (
        "report IN/strict --svg OUT/svg --png OUT/png -o OUT/page.html",
        &["OUT/svg", "OUT/png", "OUT/page.html"],
    ),
    ("merge IN/strict IN/more -o OUT/all.json", &["OUT/all.json"]),
    ("merge IN/strict IN/more -o OUT/all", &["OUT/all"]),
    (
        "compare IN/free IN/strict -o OUT/both.json",
        &["OUT/both.json"],
    ),
    ("deal --svg OUT/deal.svg klondike:1", &["OUT/deal.svg"]),
    ("prove klondike:1 -o OUT/deal.kc", &["OUT/deal.kc"]),
    (
        "bound --deals 2 --draw 1 --checkpoint OUT/bound.json",
        &["OUT/bound.json"],
    ),
    (
        "simulate --player random --games 2 --output OUT/games.csv",
        &["OUT/games.csv"],
    ),
    (
        "sweep --player random --vary draw=1,3 --games 2 --dir OUT/kept --plot OUT/plot.svg",
        &["OUT/plot.svg", "OUT/kept"],
    ),
    ("site -o OUT/site", &["OUT/site"]),
    ("man --dir OUT/pages", &["OUT/pages"]),
];

/// Standard output of a command that goes well, and what it says that it wrote.
fn wrote(words: &[String], input: &[u8]) -> (String, Vec<String>) {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let (status, out, error) = read_all(&with_input(&words, input));
    assert_eq!(status, 0, "{error}");
    let said = error.lines().map(str::to_owned).collect();
    (out, said)
}

#[test]
fn what_is_written_is_said() {
    let (from, to) = (folder("wrote-in"), folder("wrote-out"));
    for name in ["text", "json"] {
        std::fs::create_dir(to.join(name)).unwrap();
    }
    for (name, options) in [
        ("strict", vec!["--no-worrying-back"]),
        ("free", vec![]),
        ("more", vec!["--no-worrying-back", "--from", "3"]),
    ] {
        let dir = from.join(name).display().to_string();
        let run = ["estimate", "--deals", "2", "--dir", &dir];
        klondike(&[&run[..], &options[..]].concat());
    }
    each_row(
        WRITERS,
        |(line, _)| (*line).to_owned(),
        |(line, files)| {
            let placed = |text: &str, to: &Path| {
                let text = text.replace("IN", &from.display().to_string());
                text.replace("OUT", &to.display().to_string())
            };
            let check = |to: &Path, json: &[&str]| {
                let words = line.split(' ').chain(json.iter().copied());
                let words: Vec<String> = words.map(|word| placed(word, to)).collect();
                let (out, said) = wrote(&words, b"");
                let files = files.iter().map(|file| placed(file, to));
                let files: Vec<String> = files.collect();
                let wanted = files.iter().map(|file| format!("wrote {file}"));
                assert!(said.iter().cloned().eq(wanted), "{said:?}");
                assert!(files.iter().all(|file| Path::new(file).exists()));
                out
            };
            let out = check(&to.join("text"), &[]);
            assert!(!out.lines().any(|line| line.starts_with("wrote ")), "{out}");
            if ["man", "export", "deal"]
                .iter()
                .any(|name| line.starts_with(name))
            {
                return; // without JSON, or without an answer
            }
            for line in check(&to.join("json"), &["--json"]).lines() {
                serde_json::from_str::<serde_json::Value>(line).unwrap();
            }
        },
    );
}

#[test]
fn a_game_that_is_kept_says_where() {
    let file = folder("wrote-game").join("game.txt").display().to_string();
    let words = ["play", "klondike:5", "--save", &file].map(str::to_owned);
    let (_, said) = wrote(&words, b"d\n");
    assert_eq!(said, [format!("wrote {file}")]);
    let (_, said) = wrote(&["play".to_owned(), "klondike:5".to_owned()], b"d\n");
    assert!(said.is_empty(), "{said:?}");
}
