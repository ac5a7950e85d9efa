//! Every command of the README and of the book's pages for users runs, in an empty folder: the
//! lines of their `sh` blocks. What a page shows of the output is printed. The page of commands and
//! the table of docs/players.md are what program and script print.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::python::python;
use crate::rows::each_row;

/// The pages whose commands are run.
const PAGES: [&str; 7] = [
    "README.md",
    "docs/tutorial.md",
    "docs/guides.md",
    "docs/rules.md",
    "docs/json.md",
    "docs/serve.md",
    "docs/why-check.md",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A command of a page, without its comment, and the lines that the page shows of what it prints.
struct Shown {
    page: &'static str,
    command: String,
    output: Vec<String>,
}

/// The commands of the `sh` blocks of a page. A `text` block right after one shows what the last
/// command prints; `...` stands for lines that are left out.
fn commands(page: &'static str) -> Vec<Shown> {
    let text = std::fs::read_to_string(root().join(page)).unwrap();
    let mut commands: Vec<Shown> = Vec::new();
    let (mut inside, mut follows) = ("", false);
    for line in text.lines() {
        match (inside, line) {
            ("", "```sh") => inside = "sh",
            ("", "```text") if follows => inside = "output",
            ("", _) if line.starts_with("```") => (inside, follows) = ("other", false),
            ("", _) => follows &= line.is_empty(),
            (_, "```") => (inside, follows) = ("", inside == "sh"),
            ("sh", _) => commands.push(Shown {
                page,
                command: line
                    .split(" #")
                    .next()
                    .unwrap_or_default()
                    .trim()
                    .to_owned(),
                output: Vec::new(),
            }),
            ("output", _) if line != "..." => {
                let last = commands.last_mut().expect("a command before its output");
                last.output.push(line.to_owned());
            }
            _ => {}
        }
    }
    commands
}

/// The words of a command as every shell takes them: quotes hold a word together, and outside of
/// them nothing stands that `zsh` reads as the pattern of a file name.
fn words(command: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    for (number, part) in command.split('\'').enumerate() {
        if number % 2 == 1 {
            words.last_mut().unwrap().push_str(part);
            continue;
        }
        assert!(!part.contains(['*', '?', '[']), "quote this for zsh");
        let mut pieces = part.split(' ');
        words.last_mut().unwrap().push_str(pieces.next().unwrap());
        words.extend(pieces.map(str::to_owned));
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Runs a command of a page in `folder`, where only the data of the project can be reached.
fn run(shown: &Shown, folder: &Path) {
    let command = shown.command.replace("cargo run --release --", "klondike");
    let words = words(&command);
    if words[1] == "site" && !klondike_server::has_engine() {
        return; // the page says itself what must be built before
    }
    let mut program = match words[0].as_str() {
        "klondike" => Command::new(env!("CARGO_BIN_EXE_klondike")),
        "python3" => match python(&command) {
            Some(python) => python,
            None => return,
        },
        other => panic!("nothing runs `{other}`"),
    };
    program.args(words[1..].iter().map(|word| {
        if word.starts_with("datasets/") || word.starts_with("scripts/") {
            root().join(word).into_os_string()
        } else {
            word.into()
        }
    }));
    program.current_dir(folder);
    if words.iter().any(|word| word == "serve") {
        return serve(program);
    }
    let output = program.output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    let complaint = errors.lines().find(|line| !line.starts_with("wrote "));
    assert_eq!(complaint, None, "it complains");
    let printed = String::from_utf8_lossy(&output.stdout);
    let printed = printed.replace(&format!("{}/", root().display()), "");
    let mut lines = printed.lines();
    for wanted in &shown.output {
        let found = lines.any(|line| line.trim_end() == wanted.trim_end());
        assert!(found, "the page shows `{wanted}`, it prints:\n{printed}");
    }
}

/// A server says where it is, and runs until a signal ends it. It takes a free port here.
fn serve(mut program: Command) {
    let mut server = program
        .args(["--port", "0"])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let out = server.stdout.take().unwrap();
    BufReader::new(out).read_line(&mut line).unwrap();
    server.kill().unwrap();
    server.wait().unwrap();
    assert!(line.contains("http://127.0.0.1:"), "{line}");
}

#[test]
fn every_command_of_readme_and_book_runs() {
    let mut rows = Vec::new();
    for page in PAGES {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR"))
            .join("pages")
            .join(page);
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        let mut commands = commands(page);
        // All tests, this one among them.
        commands.retain(|shown| shown.command != "cargo test --release");
        assert!(
            commands.len() >= 3,
            "{page}: only {} commands",
            commands.len()
        );
        rows.extend(commands.into_iter().map(|shown| (folder.clone(), shown)));
    }
    each_row(
        rows,
        |(_, shown)| format!("{}: `{}`", shown.page, shown.command),
        |(folder, shown)| run(shown, folder),
    );
}

/// `UPDATE_COMMANDS=1 cargo test --release --test cli readme::` writes the page anew.
#[test]
fn the_page_of_commands_is_the_help_of_the_program() {
    let help = |arguments: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_klondike"))
            .args(arguments)
            .arg("--help")
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    let mut page = "# Commands\n\nWhat `klondike COMMAND --help` says.\n".to_owned();
    let all = help(&[]);
    page.push_str(&format!("\n```text\n{all}```\n"));
    let listed = all.split("Commands:\n").nth(1).unwrap();
    let names = listed
        .lines()
        .map_while(|line| line.split_whitespace().next());
    for name in names.filter(|&name| name != "help") {
        let text = help(&[name]);
        page.push_str(&format!("\n## {name}\n\n```text\n{text}```\n"));
    }
    let file = root().join("docs/commands.md");
    if std::env::var_os("UPDATE_COMMANDS").is_some() {
        std::fs::write(&file, &page).unwrap();
    }
    let found = std::fs::read_to_string(file).unwrap_or_default();
    assert!(
        found == page,
        "docs/commands.md is not the help of the program"
    );
}

/// Every page of the book exists, and every page of docs/ is in the book.
#[test]
fn the_book_has_every_page() {
    let summary = std::fs::read_to_string(root().join("docs/SUMMARY.md")).unwrap();
    let docs = root().join("docs");
    let mut pages = Vec::new();
    files(&docs, &mut pages);
    for page in pages {
        let name = page.strip_prefix(&docs).unwrap().display().to_string();
        if name.ends_with(".md") && name != "SUMMARY.md" {
            assert!(summary.contains(&format!("({name})")), "{name}");
        }
    }
    for link in summary.split('(').skip(1) {
        let page = link.split(')').next().unwrap();
        assert!(root().join("docs").join(page).exists(), "{page}");
    }
}

/// Files of a folder and of the folders in it.
fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, found);
        } else {
            found.push(path);
        }
    }
}

/// Prose ends at 100 columns. Tables and code may be longer, and so may what cannot be broken, such
/// as an address.
#[test]
fn lines_of_the_documentation_end_at_100_columns() {
    let mut pages = ["README.md", "CHANGELOG.md", "benches/README.md"]
        .map(|page| root().join(page))
        .to_vec();
    for folder in ["docs", "datasets"] {
        files(&root().join(folder), &mut pages);
    }
    let printed = root().join("docs/commands.md");
    let mut long = Vec::new();
    for page in pages {
        if page.extension().is_none_or(|end| end != "md") || page == printed {
            continue;
        }
        let mut code = false;
        for (number, line) in std::fs::read_to_string(&page).unwrap().lines().enumerate() {
            let text = line.trim_start();
            code ^= text.starts_with("```");
            let may_be_longer =
                code || text.starts_with('|') || line.starts_with("    ") || !text.contains(' ');
            if line.chars().count() > 100 && !may_be_longer {
                long.push(format!("{}:{}", page.display(), number + 1));
            }
        }
    }
    assert!(long.is_empty(), "longer than 100 columns: {long:#?}");
}

/// rustfmt breaks code, but no comments.
#[test]
fn comments_of_the_code_end_at_100_columns() {
    let (mut all, mut long) = (Vec::new(), Vec::new());
    for folder in [
        "benches",
        "crates",
        "fuzz/fuzz_targets",
        "python/src",
        "src",
        "tests",
    ] {
        files(&root().join(folder), &mut all);
    }
    for path in all {
        if path.extension().is_none_or(|end| end != "rs") {
            continue;
        }
        for (number, line) in std::fs::read_to_string(&path).unwrap().lines().enumerate() {
            if line.chars().count() > 100 && line.trim_start().starts_with("//") {
                long.push(format!("{}:{}", path.display(), number + 1));
            }
        }
    }
    assert!(long.is_empty(), "longer than 100 columns: {long:#?}");
}

#[test]
fn the_measured_players_are_those_of_the_data() {
    let Some(mut python) = python("the table of players in docs/players.md") else {
        return;
    };
    let output = python
        .args(["scripts/play_curve.py", "table"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(table.lines().count() > 10, "{table}");
    let document = include_str!("../../docs/players.md");
    assert!(
        document.contains(&table),
        "docs/players.md has not:\n{table}"
    );
}
