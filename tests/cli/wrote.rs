//! Whatever file or folder a command writes because the user named it, it says so on standard
//! error, and standard output stays what a program reads.

use std::path::Path;

use crate::common_cli::{folder, klondike, read_all, with_input};
use crate::rows::each_row;

/// Commands, and what each writes. `IN` is a folder with runs, `OUT` an empty one.
const WRITERS: [(&str, &[&str]); 15] = [
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
        "simulate --player random --games 2 --trace OUT/trace.jsonl",
        &["OUT/trace.jsonl"],
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
            if line.starts_with("site") && !klondike_server::has_engine() {
                return; // built before scripts/wasm.sh; tests/service/server.rs has what it says
            }
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

/// A link to what is not there stays a link, and `-` is not the name of a file by accident.
#[cfg(unix)]
#[test]
fn what_is_no_file_is_not_replaced() {
    let folder = folder("wrote-links");
    let link = folder.join("page.html");
    let _ = std::fs::remove_file(&link);
    std::os::unix::fs::symlink("nowhere", &link).unwrap();
    let run = folder.join("run");
    let words = [
        "estimate",
        "--deals",
        "2",
        "--dir",
        &run.display().to_string(),
    ]
    .map(str::to_owned);
    wrote(&words, b"");
    for (to, message) in [
        (link.display().to_string(), "is a link to what is not there"),
        ("-".to_owned(), "only a file can be written"),
    ] {
        let mut command =
            crate::common_cli::command(&["report", &run.display().to_string(), "-o", &to]);
        let output = crate::common_cli::feed(command.current_dir(&folder), b"");
        let (status, _, error) = crate::common_cli::read(&output);
        assert_eq!(status, 1);
        assert!(error.contains(message), "{error}");
    }
    assert!(link.is_symlink());
    assert!(!folder.join("-").exists());
}

/// A disk that is full is an error also for help.
#[cfg(target_os = "linux")]
#[test]
fn help_that_cannot_be_written_is_an_error() {
    for words in [
        &["--help"][..],
        &["solve", "--help"],
        &["--version"],
        &["deal", "klondike:1"],
    ] {
        let full = std::fs::File::options()
            .write(true)
            .open("/dev/full")
            .unwrap();
        let mut command = crate::common_cli::command(words);
        let output = command
            .stdout(full)
            .stderr(std::process::Stdio::piped())
            .output()
            .unwrap();
        let error = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(1), "{words:?}");
        assert!(
            error.contains("cannot write the output"),
            "{words:?}: {error}"
        );
    }
}
