//! The words of the project: what its authors agreed not to write stands nowhere.

use std::path::Path;

use crate::rows::each_row;

/// Old-fashioned words, for which there is always a plainer one.
const AVOIDED: [&str; 9] = [
    "told",
    "come to",
    "comes to",
    "came to",
    "by lot",
    "by lots",
    "what of",
    "dear",
    "to and fro",
];

/// Ends of the names of files that people write.
const TEXTS: [&str; 12] = [
    "rs", "md", "js", "mjs", "ts", "html", "css", "sh", "py", "toml", "yml", "txt",
];

/// Folders of others, of what is built, and of what papers say.
const OTHERS: [&str; 4] = ["node_modules", "target", "vendor", "datasets"];

/// The avoided words that a text has, also across the lines of a comment.
fn avoided(text: &str) -> Vec<&'static str> {
    let sign = |word: &&str| !word.chars().all(|c| "/!#*>".contains(c));
    let words: Vec<&str> = text.split_whitespace().filter(sign).collect();
    let text = words.join(" ").to_lowercase();
    let inside = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
    let stands = |word: &&str| {
        text.match_indices(word).any(|(at, _)| {
            let (before, behind) = (&text[..at], &text[at + word.len()..]);
            !inside(before.chars().next_back()) && !inside(behind.chars().next())
        })
    };
    AVOIDED.into_iter().filter(stands).collect()
}

/// The files of a folder and of the folders in it, with their texts.
fn texts(folder: &Path, found: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        let end = path.extension().unwrap_or_default().to_string_lossy();
        if path.is_dir() && !OTHERS.contains(&&*name) {
            texts(&path, found);
        } else if TEXTS.contains(&&*end) && !path.ends_with(file!()) {
            let text = std::fs::read_to_string(&path).unwrap();
            found.push((path.display().to_string(), text));
        }
    }
}

#[test]
fn avoided_words_are_found() {
    let text = "/// A card may come\n    /// to the table, as Told;\n// untold, dearest";
    assert_eq!(avoided(text), ["told", "come to"]);
}

#[test]
fn no_file_has_a_word_to_avoid() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = Vec::new();
    for folder in [
        "benches", "crates", "docs", "fuzz", "python", "scripts", "src", "tests", "web",
    ] {
        texts(&root.join(folder), &mut all);
    }
    for name in ["README.md", "CHANGELOG.md"] {
        let text = std::fs::read_to_string(root.join(name)).unwrap();
        all.push((name.to_owned(), text));
    }
    assert!(all.len() > 500, "{} files are not all", all.len());
    each_row(
        all,
        |(name, _)| name.clone(),
        |(_, text)| assert_eq!(avoided(text), [""; 0]),
    );
}
