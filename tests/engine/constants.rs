//! The lines of code that `docs/proofs.md` names are in the code.

use std::path::Path;

/// A text with single spaces for all white space, as lines may be broken elsewhere.
fn flat(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_lines_that_proofs_depend_on_are_in_the_code() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let proofs = std::fs::read_to_string(root.join("docs/proofs.md")).unwrap();
    let (_, table) = proofs.split_once("| proof | file | line |").unwrap();
    let mut count = 0;
    for row in table.lines().skip(2).take_while(|row| row.starts_with('|')) {
        let columns: Vec<&str> = row
            .split('|')
            .map(|column| column.trim().trim_matches('`'))
            .collect();
        let (file, line) = (columns[2], columns[3].replace('¦', "|"));
        let code = std::fs::read_to_string(root.join("crates/engine/src").join(file)).unwrap();
        assert!(
            flat(&code).contains(&line),
            "{file} has no `{line}`: does its proof still hold?"
        );
        count += 1;
    }
    assert!(count > 25, "{count}");
}
