//! What the proofs name is there: lines of code, pages, tests, and a row for every lemma.

use std::path::{Path, PathBuf};

use klondike_lemmas::prune::Lemma;

/// A file of the project.
fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// A file of the code, where `docs/proofs.md` says that its path begins.
fn read_code(path: &str) -> String {
    let below = match path.split(['/', '.']).next() {
        Some("crates") => "",
        Some("kplus" | "prune") => "crates/lemmas/src/",
        _ => "crates/engine/src/",
    };
    read(&format!("{below}{path}"))
}

/// The pages below `docs/proofs`, as paths from `docs`.
fn pages() -> Vec<String> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/proofs");
    let entries = std::fs::read_dir(folder).unwrap();
    let name = |path: PathBuf| format!("proofs/{}", path.file_name().unwrap().to_str().unwrap());
    entries.map(|entry| name(entry.unwrap().path())).collect()
}

/// The rows of tables whose first column begins with this text.
fn rows<'a>(text: &'a str, begin: &str) -> Vec<Vec<&'a str>> {
    text.lines()
        .filter(|line| line.starts_with(&format!("| {begin}")))
        .map(|line| line.split('|').skip(1).map(str::trim).collect())
        .collect()
}

/// A text with single spaces for all white space, as lines may be broken elsewhere.
fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_lines_that_proofs_depend_on_are_in_the_code() {
    let proofs = read("docs/proofs.md");
    let (_, table) = proofs.split_once("| proof | file | line |").unwrap();
    let mut count = 0;
    for row in table.lines().skip(2).take_while(|row| row.starts_with('|')) {
        let columns: Vec<&str> = row
            .split('|')
            .map(|column| column.trim().trim_matches('`'))
            .collect();
        let (file, line) = (columns[2], columns[3].replace('¦', "|"));
        assert!(
            flat(&read_code(file)).contains(&line),
            "{file} has no `{line}`: does its proof still hold?"
        );
        count += 1;
    }
    assert!(count > 25, "{count}");
}

#[test]
fn every_lemma_has_a_page_with_its_proof_and_a_row_in_the_ledger() {
    let (first, ledger) = (read("docs/proofs.md"), read("docs/proofs/ledger.md"));
    for lemma in Lemma::ALL {
        let name = format!("`{lemma}`");
        let row = &rows(&first, &format!("{name} |"))[0];
        let links: Vec<&str> = row[1].split("](").skip(1).collect();
        assert!(!links.is_empty(), "{name}: no page");
        let pages = links
            .iter()
            .map(|link| link.split([')', '#']).next().unwrap());
        let has_heading = pages.map(|page| read(&format!("docs/{page}"))).any(|page| {
            page.lines()
                .any(|line| line.starts_with('#') && line.contains(&name))
        });
        assert!(has_heading, "{name}: no page linked has it in a heading");
        let code = row[2]
            .split('`')
            .find(|word| word.ends_with(".rs"))
            .unwrap();
        let code = read_code(code);
        let names_its_page = links.iter().any(|link| {
            let page = link.split([')', '#']).next().unwrap();
            code.contains(&format!("docs/{page}"))
        });
        assert!(
            names_its_page,
            "{name}: its file does not name the page of its proof"
        );
        assert!(row[3].contains('`'), "{name} has no tests of its own");
        let rows = rows(&ledger, &name);
        assert_eq!(rows.len(), 1, "{name} in docs/proofs/ledger.md");
        assert_eq!(rows[0][1], "proved", "{name}");
    }
}

/// The files of Rust below a folder.
fn sources(folder: PathBuf, into: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(path, into);
        } else {
            into.push(path);
        }
    }
}

/// A search names the question, and few files the lemma.
#[test]
fn no_lemma_is_named_in_more_than_two_files_of_the_engine() {
    let mut files = Vec::new();
    let engine = Path::new(env!("CARGO_MANIFEST_DIR")).join("crates/engine/src");
    sources(engine, &mut files);
    for lemma in Lemma::ALL {
        let (module, switch) = (lemma.name().replace('-', "_"), format!("{lemma:?}"));
        let (module, switch) = (format!("{module}::"), format!("Lemma::{switch}"));
        let names = |path: &&PathBuf| {
            let text = std::fs::read_to_string(path).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap();
            let mut lines = code.lines().filter(|line| !line.trim().starts_with("//"));
            lines.any(|line| line.contains(&module) || line.contains(&switch))
        };
        let named: Vec<&PathBuf> = files.iter().filter(names).collect();
        assert!(named.len() <= 2, "{lemma}: {named:?}");
    }
    assert!(files.len() > 40);
}

#[test]
fn claims_of_the_ledger_have_a_status_and_tests_that_exist() {
    let ledger = read("docs/proofs/ledger.md");
    let mut count = 0;
    for part in ledger.split("| claim | status |").skip(1) {
        let table = part.lines().skip(2).take_while(|row| row.starts_with('|'));
        for row in table {
            let columns: Vec<&str> = row.split('|').map(str::trim).collect();
            let status = columns[2].split(':').next().unwrap();
            assert!(["proved", "published", "tested"].contains(&status), "{row}");
            assert!(!columns[4].is_empty(), "nothing would show it false: {row}");
            count += 1;
        }
    }
    assert!(count > 35, "{count}");
    for text in [ledger, read("docs/proofs.md")] {
        let named = text.split('`').filter(|word| word.starts_with("tests/"));
        for test in named.filter(|word| word.ends_with(".rs")) {
            read(test);
        }
    }
    let (first, checks) = (read("docs/proofs.md"), read("tests/support/kplus/check.rs"));
    for lemma in Lemma::ALL {
        let row = &rows(&first, &format!("`{lemma}` |"))[0];
        for name in row[3]
            .split('`')
            .skip(1)
            .step_by(2)
            .filter(|name| !name.contains('/'))
        {
            assert!(checks.contains(&format!("fn {name}(")), "{lemma}: {name}");
        }
    }
}

#[test]
fn pages_of_proofs_are_short_and_listed() {
    let (summary, first) = (read("docs/SUMMARY.md"), read("docs/proofs.md"));
    for page in pages() {
        let lines = read(&format!("docs/{page}")).lines().count();
        assert!(lines <= 400, "{page} has {lines} lines");
        let link = format!("]({page})");
        assert!(summary.contains(&link), "{page} is not in docs/SUMMARY.md");
        assert!(first.contains(&link), "{page} is not in docs/proofs.md");
    }
}
