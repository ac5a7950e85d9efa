//! Every command of the README and of the book's pages for users runs: lines of their `sh` blocks
//! that begin with `klondike` or `cargo run --release --`, in an empty folder. The page of
//! commands and the table of docs/players.md are what program and script print.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::python::python;
use crate::rows::each_row;

/// The pages whose commands are run.
const PAGES: [&str; 5] = [
    "README.md",
    "docs/tutorial.md",
    "docs/guides.md",
    "docs/rules.md",
    "docs/json.md",
];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The commands of a page, without their comments.
fn commands(page: &str) -> Vec<String> {
    let text = std::fs::read_to_string(root().join(page)).unwrap();
    let mut commands = Vec::new();
    let mut inside = false;
    for line in text.lines() {
        if line.starts_with("```") {
            inside = line == "```sh";
        } else if inside {
            let command = line.split(" #").next().unwrap_or_default();
            commands.push(command.trim().to_owned());
        }
    }
    commands
}

/// Runs a command of a page in `folder`, where only the data of the project can be reached.
fn run(command: &str, folder: &Path) {
    let arguments = command
        .strip_prefix("klondike ")
        .or_else(|| command.strip_prefix("cargo run --release -- "))
        .expect("something runs this command");
    let arguments = arguments.split_whitespace().map(|word| {
        if word.starts_with("datasets/") {
            root().join(word).into_os_string()
        } else {
            word.into()
        }
    });
    let output = Command::new(env!("CARGO_BIN_EXE_klondike"))
        .args(arguments)
        .current_dir(folder)
        .output()
        .unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    assert_eq!(errors, "", "it complains");
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
        commands.retain(|command| command != "cargo test --release");
        assert!(commands.len() >= 3, "{page}: only {commands:?}");
        rows.extend(
            commands
                .into_iter()
                .map(|command| (folder.clone(), page, command)),
        );
    }
    each_row(
        rows,
        |(_, page, command)| format!("{page}: `{command}`"),
        |(folder, _, command)| run(command, folder),
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
    let mut pages = vec![root().join("README.md"), root().join("benches/README.md")];
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
    // These two are being rewritten.
    long.retain(|place| !place.contains("proofs.md") && !place.contains("shortest.md"));
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
    assert!(document.contains(&table), "docs/players.md has not:\n{table}");
}
