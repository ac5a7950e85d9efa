//! The links of the documentation, and the pages that code, messages and data point to: every file
//! and every heading that is named is there. Links to other sites are not fetched.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

use crate::rows::each_row;

/// A page: the anchors of its headings, and where it links to.
#[derive(Debug, Default, PartialEq)]
struct Page {
    anchors: BTreeSet<String>,
    links: Vec<String>,
}

/// The anchor that GitHub and mdBook give a heading: letters, digits, `-` and `_`; spaces are `-`.
fn anchor(heading: &str) -> String {
    let kept = |c: char| c.is_alphanumeric() || "-_".contains(c);
    let spaced = heading.trim().replace(' ', "-").to_lowercase();
    spaced.chars().filter(|&c| kept(c)).collect()
}

impl Page {
    fn read(text: &str) -> Page {
        let (mut page, mut heading) = (Page::default(), None);
        for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
            match event {
                Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                    page.links.push(dest_url.into_string());
                }
                Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
                Event::Text(part) | Event::Code(part) => {
                    if let Some(heading) = &mut heading {
                        heading.push_str(&part);
                    }
                }
                Event::End(TagEnd::Heading(_)) => {
                    let first = anchor(&heading.take().unwrap_or_default());
                    let later = (1..).map(|number| format!("{first}-{number}"));
                    let mut names = std::iter::once(first.clone()).chain(later);
                    let free = names.find(|name| !page.anchors.contains(name));
                    page.anchors.extend(free);
                }
                _ => {}
            }
        }
        page
    }
}

/// The pages of a folder and of the folders in it.
fn pages(folder: &Path, found: &mut BTreeMap<PathBuf, Page>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            pages(&path, found);
        } else if path.extension().is_some_and(|end| end == "md") {
            let page = Page::read(&std::fs::read_to_string(&path).unwrap());
            found.insert(path.canonicalize().unwrap(), page);
        }
    }
}

#[test]
fn headings_and_links_are_read() {
    let text = "# One `--two`\n[a](b.md#c) ![d](e.svg)\n```\n[no](link)\n```\n## Same\n### Same\n";
    let page = Page::read(text);
    assert_eq!(page.links, ["b.md#c", "e.svg"]);
    assert!(page.anchors.iter().eq(["one---two", "same", "same-1"]));
}

#[test]
fn every_link_of_the_documentation_leads_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all = BTreeMap::new();
    for folder in ["docs", "benches", "datasets"] {
        pages(&root.join(folder), &mut all);
    }
    for name in ["README.md", "CHANGELOG.md", "web/README.md"] {
        let path = root.join(name).canonicalize().unwrap();
        let page = Page::read(&std::fs::read_to_string(&path).unwrap());
        all.insert(path, page);
    }
    let links = all.iter().flat_map(|(path, page)| {
        let links = page.links.iter().filter(|link| !link.contains("://"));
        links.map(move |link| (path, link))
    });
    each_row(
        links,
        |(path, link)| format!("{}: {link}", path.display()),
        |(path, link)| {
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let target = match file {
                "" => (*path).clone(),
                _ => {
                    let target = path.parent().unwrap().join(file);
                    target.canonicalize().expect("no such file")
                }
            };
            let anchors = all.get(&target).map(|page| &page.anchors);
            let known = anchors.is_some_and(|anchors| anchors.contains(heading));
            assert!(heading.is_empty() || known, "no such heading");
        },
    );
}

/// The pages of `docs` that a text points to, with their headings: `docs/log/play.md#milas`.
fn pointers(text: &str) -> impl Iterator<Item = &str> {
    let begins = text.match_indices("docs/").map(|(place, _)| &text[place..]);
    let cut = begins.map(|rest| {
        let ends = |c: char| !(c.is_ascii_alphanumeric() || "/-_.#".contains(c));
        rest[..rest.find(ends).unwrap_or(rest.len())].trim_end_matches('.')
    });
    cut.filter(|pointer| pointer.contains(".md"))
}

/// The files of a folder and of the folders in it whose names end so.
fn files(folder: &Path, ends: &[&str], found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap_or_default();
        if path.is_dir() && !["node_modules", "target"].contains(&name) {
            files(&path, ends, found);
        } else if path
            .extension()
            .is_some_and(|end| ends.iter().any(|one| end == *one))
        {
            found.push(path);
        }
    }
}

#[test]
fn pointers_are_read() {
    let text = "why (docs/log/play.md#milas), docs/a-b.md. docs/page.png docs/c.md";
    assert!(pointers(text).eq(["docs/log/play.md#milas", "docs/a-b.md", "docs/c.md"]));
}

/// A person who reads why a published figure differs finds the page and its section.
#[test]
fn every_page_that_code_and_data_point_to_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut found = Vec::new();
    for folder in [
        "crates",
        "src",
        "web",
        "python",
        "datasets/published",
        "schema",
    ] {
        files(
            &root.join(folder),
            &["rs", "toml", "js", "json", "pyi"],
            &mut found,
        );
    }
    assert!(found.len() > 200);
    let mut all = BTreeMap::new();
    pages(&root.join("docs"), &mut all);
    each_row(
        &found,
        |path| path.display().to_string(),
        |path| {
            let text = std::fs::read_to_string(path).unwrap();
            for pointer in pointers(&text) {
                let (file, heading) = pointer.split_once('#').unwrap_or((pointer, ""));
                let target = root.join(file).canonicalize();
                let page = target.ok().and_then(|target| all.get(&target));
                let page = page.unwrap_or_else(|| panic!("{pointer}: no such page"));
                let known = heading.is_empty() || page.anchors.contains(heading);
                assert!(known, "{pointer}: no such heading");
            }
            for why in text.lines().filter(|line| line.starts_with("why = ")) {
                assert!(
                    pointers(why).all(|pointer| pointer.contains('#')),
                    "{why}: no heading"
                );
            }
        },
    );
}
