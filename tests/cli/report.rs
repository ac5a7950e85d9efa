//! `klondike report` and `klondike compare` run as programs: pages and JSON that say what the
//! records say, pictures, comparisons of the same deals, and bad input.

use crate::common_cli;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use crate::common_cli::{Ran, read};

fn klondike(arguments: &[&str]) -> Ran {
    read(&common_cli::klondike(arguments))
}

fn answer(arguments: &[&str]) -> String {
    let (status, out, err) = klondike(arguments);
    // Status 3: a run left deals undecided.
    let undecided = status == 3 && arguments[0] == "estimate";
    assert!(status == 0 || undecided, "{arguments:?}: {status}");
    assert_eq!(err, "", "{arguments:?}");
    out
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&answer(&[arguments, &["--json"]].concat())).unwrap()
}

fn error(arguments: &[&str], expected: i32) -> String {
    let (status, _, err) = klondike(arguments);
    assert_eq!(status, expected, "{arguments:?}: {err}");
    assert_eq!(err.lines().count(), 1, "{err}");
    err
}

/// A path where nothing is; every caller needs its own name.
fn absent(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("report-{name}"));
    let _ = fs::remove_dir_all(&path);
    let _ = fs::remove_file(&path);
    path.to_str().unwrap().to_owned()
}

fn run(name: &str, arguments: &[&str]) -> String {
    let dir = absent(name);
    answer(&[&["estimate", "--dir", &dir], arguments].concat());
    dir
}

/// Seed and verdict of every record.
fn verdicts(dir: &str) -> BTreeMap<u64, String> {
    let rows = answer(&["export", dir]);
    let row = |row: &str| {
        let mut cells = row.split(',');
        let seed = cells.next().unwrap().parse().unwrap();
        (seed, cells.next().unwrap().to_owned())
    };
    rows.lines().skip(1).map(row).collect()
}

fn close(number: &Value, to: f64) -> bool {
    (number.as_f64().unwrap() - to).abs() < 1e-9
}

fn files(dir: &str) -> Vec<String> {
    let entries = fs::read_dir(dir).unwrap();
    let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name();
    let mut names: Vec<String> = entries
        .map(|entry| name(entry).into_string().unwrap())
        .collect();
    names.sort();
    names
}

#[test]
fn the_page_says_what_the_records_say() {
    let one = run(
        "one",
        &["--deals", "1200", "--draw", "1", "--certify", "0.02"],
    );
    let three = run("three", &["--deals", "120", "--max-states", "5000"]);
    let before = (files(&one), files(&three));
    let (page, svg, png) = (absent("page.html"), absent("svg"), absent("png"));
    let all = [
        "report", &one, &three, "-o", &page, "--svg", &svg, "--png", &png,
    ];
    let report = json(&all);
    assert_eq!((files(&one), files(&three)), before, "runs are only read");
    let page = fs::read_to_string(page).unwrap();

    // Nothing from elsewhere, and nothing that runs.
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    let left = page.replace("http://www.w3.org/2000/svg", "");
    for part in [
        "http", "<script", "<link", "src=", "href", "url(", "@import", "<img",
    ] {
        assert!(!left.contains(part), "{part}");
    }
    for (open, close) in [("<svg", "</svg>"), ("<table", "</table>"), ("<tr", "</tr>")] {
        assert_eq!(page.matches(open).count(), page.matches(close).count());
    }
    // Three pictures of all runs, four of each.
    // Each picture for wide and narrow screens.
    assert_eq!(
        page.matches("<svg role=\"img\" aria-label=").count(),
        2 * 11
    );
    let of = |class: &str| {
        page.matches(&format!("<div class=\"{class}\"><svg"))
            .count()
    };
    assert_eq!((of("wide"), of("narrow")), (11, 11));
    // A telephone of 370 pixels shows the narrow ones in full size, and no text has fewer than 11.
    assert_eq!(page.matches("viewBox=\"0 0 340 ").count(), 11);
    for text in page.split("font-size=\"").skip(1) {
        let size = text.split('"').next().unwrap();
        assert!(size.parse::<f64>().unwrap() >= 11.0, "{size}");
    }

    let found = verdicts(&one);
    let count = |verdict: &str| found.values().filter(|v| *v == verdict).count();
    let (won, lost) = (count("winnable"), count("unwinnable"));
    assert_eq!(
        (won + lost, report["runs"][0]["name"].as_str()),
        (1200, Some("report-one"))
    );
    let share = format!("<td>{:.1} %</td>", 100.0 * won as f64 / 1200.0);
    let won_text = format!("1,{:03} deals are winnable, {lost} unwinnable", won - 1000);
    let facts = [
        share.as_str(),
        &won_text,
        "<td>1,200</td>",
        "81.945 ± 0.084 %",
        "90.48 ± 0.12 %",
        "(5,910,579 deals)",
        "seeds 1 to 1200",
        "were made and checked, and held",
        "None was refused.",
        "<td class=\"text\">Blake &amp; Gent 2026</td>",
        "<tr><th>limits</th><td>",
        "MiB for all searches</td>",
        "No verdict was checked by a certificate.",
    ];
    for fact in facts {
        assert!(page.contains(fact), "{fact}");
    }
    // The published interval and that of the difference are two things.
    let beside = &report["runs"][1]["published"][0];
    assert!(close(&beside["interval"]["low"], 0.819_45 - 0.000_84));
    let ours = report["runs"][1]["estimate"]["share"].as_f64().unwrap();
    assert!(close(&beside["difference"], ours - 0.819_45));
    let ends = ["low", "high"].map(|end| beside["difference_interval"][end].as_f64().unwrap());
    assert_eq!(beside["agrees"], (ends[0]..=ends[1]).contains(&0.0));
    let summary = &report["runs"][0]["summary"];
    let held = &summary["audits"]["held"];
    assert!(page.contains(&format!("; {held} were made and checked")));
    let hardest = &summary["hardest"][0];
    let seed = hardest["seed"].as_str().unwrap();
    assert!(page.contains(&format!("<tr><td>{seed}</td><td class=\"text\">")));
    let undecided = &report["runs"][1]["summary"]["verdicts"]["undecided"];
    assert!(undecided.as_u64().unwrap() > 5);
    assert!(page.contains(&format!("{undecided} deals are undecided: {undecided} hit")));
    assert_eq!(
        page.matches("undecided counted as lost").count(),
        2,
        "only draw 3, in both its pictures"
    );

    // The curve ends with the estimate.
    for run in report["runs"].as_array().unwrap() {
        let growth = run["growth"].as_array().unwrap();
        let last = growth.last().unwrap();
        assert_eq!(last["deals"], run["summary"]["deals"]);
        assert_eq!(last["winnable"], run["summary"]["verdicts"]["winnable"]);
        assert_eq!(last["wilson"], run["estimate"]["wilson"]);
        assert_eq!(growth[0]["deals"], 1);
        let deals: Vec<_> = growth.iter().map(|at| at["deals"].as_u64()).collect();
        assert!(deals.is_sorted_by(|a, b| a < b) && deals.len() > 50);
    }
    let point = &report["runs"][0]["growth"][30];
    let first = point["deals"].as_u64().unwrap();
    let among = found.range(..=first).filter(|deal| deal.1 == "winnable");
    assert_eq!(point["winnable"], among.count());

    // The pictures as files.
    let mut expected = Vec::new();
    for number in ["1", "2"] {
        for name in ["growth", "lengths", "states", "times"] {
            expected.push(format!("{number}-{name}"));
        }
    }
    expected.extend(["decided", "differences", "shares"].map(str::to_owned));
    let ended = |end: &str| -> Vec<String> {
        expected
            .iter()
            .map(|name| format!("{name}.{end}"))
            .collect()
    };
    assert_eq!(files(&svg), ended("svg"));
    assert_eq!(files(&png), ended("png"));
    for name in ended("svg") {
        let text = fs::read_to_string(Path::new(&svg).join(name)).unwrap();
        let themed = [
            ("#282828", "text"),
            ("#FFFFFF", "page"),
            ("#E1E1E1", "line"),
            ("#0072B2", "winnable"),
            ("#5A5A5A", "undecided"),
        ];
        let text = themed.iter().fold(text, |text, (fixed, name)| {
            text.replace(&format!("\"{fixed}\""), &format!("\"var(--{name})\""))
        });
        assert!(page.contains(text.trim()), "the page has the same picture");
    }
    // All published figures, by name.
    let shares = fs::read_to_string(Path::new(&svg).join("shares.svg")).unwrap();
    for name in ["Blake &amp; Gent 2026", "Dang et al. 2025", "lonelybot"] {
        assert!(shares.contains(name), "{name}");
    }
    // How the runs were made.
    let session = &report["runs"][0]["sessions"][0];
    let quote = if one.contains(' ') { "'" } else { "" };
    let command =
        format!("klondike estimate --dir {quote}{one}{quote} --deals 1200 --draw 1 --certify 0.02");
    assert_eq!(session["command"], command.as_str());
    assert!(page.contains(&format!("<th>command</th><td>{command}</td>")));
    assert!(session["threads"].as_u64().unwrap() > 0);
    let started = session["started"].as_str().unwrap();
    assert!(
        started.starts_with("20") && started.ends_with('Z'),
        "{started}"
    );
    for name in ended("png") {
        let bytes = fs::read(Path::new(&png).join(name)).unwrap();
        assert!(bytes.starts_with(b"\x89PNG\r\n\x1a\n") && bytes.len() > 5000);
    }
}

#[test]
fn summaries_can_be_reported_on_as_well() {
    let dir = run("brief", &["--deals", "50", "--draw", "1"]);
    let summary = format!("{dir}/summary.json");
    let (whole, brief) = (json(&["report", &dir]), json(&["report", &summary]));
    let (whole, brief) = (&whole["runs"][0], &brief["runs"][0]);
    for part in ["name", "summary", "estimate", "published"] {
        assert_eq!(whole[part], brief[part], "{part}");
    }
    assert!(brief["times"].is_null() && whole["times"].is_object());
    // Without -o the page goes to standard output; states and lengths need no records.
    let page = answer(&["report", &summary]);
    assert_eq!(page.matches("<svg").count(), 2 * 5);
    // A name that says something to HTML, and the same name twice.
    let odd = absent("<odd>&.json");
    fs::copy(&summary, &odd).unwrap();
    let page = answer(&["report", &odd, &odd]);
    assert!(page.contains("/report-&lt;odd&gt;&amp;</h2>"));
    assert!(page.contains("/report-&lt;odd&gt;&amp; (2)</h2>"));
    assert!(!page.contains("<odd>"));
}

#[test]
fn runs_on_the_same_deals_are_compared() {
    // Limits that leave a few deals undecided.
    let rules = ["--draw", "6", "--deals", "600", "--max-states"];
    let free = run("free", &[&rules[..], &["200000", "--from", "5"]].concat());
    let strict = [&rules[..], &["50000", "--no-worrying-back"]].concat();
    let strict = run("strict", &strict);
    let (a, b) = (verdicts(&free), verdicts(&strict));
    let mut expected: BTreeMap<&str, u64> = BTreeMap::new();
    for (seed, one) in &a {
        let Some(other) = b.get(seed) else { continue };
        let key = match (one.as_str(), other.as_str()) {
            ("winnable" | "undecided", "winnable") => "both",
            ("winnable", "unwinnable") => "only_free",
            ("unwinnable", "unwinnable" | "undecided") => "neither",
            ("winnable", "undecided") => "strict_open",
            ("undecided", "unwinnable") => "free_open",
            ("undecided", "undecided") => "both_open",
            other => panic!("{other:?} contradict each other"),
        };
        *expected.entry(key).or_default() += 1;
    }
    let saved = absent("pairs.json");
    // In either order.
    let found = json(&["compare", &strict, &free, "-o", &saved]);
    assert_eq!(found, json(&["compare", &free, &strict]));
    let counts = &found["comparison"];
    assert_eq!(counts["deals"], 596, "seeds 5 to 600");
    for part in [
        "both",
        "only_free",
        "neither",
        "strict_open",
        "free_open",
        "both_open",
    ] {
        let expected = expected.get(part).copied().unwrap_or(0);
        assert_eq!(counts[part], expected, "{part}");
    }
    assert!(
        expected["only_free"] > 0 && expected["strict_open"] > 0,
        "{expected:?}"
    );
    assert_eq!(counts["ranges"][0]["first"], "5");
    assert!(close(&found["published"]["share"], 0.0244));
    let text = answer(&["compare", &saved]);
    for part in [
        "596 deals of both",
        "Published: 2.4",
        "Winnable where more is allowed: ",
        "Winnable under the stricter rules: ",
        "Difference, deal by deal: +",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let number = |value: &Value| value.as_f64().unwrap();
    for (rules, run) in [("free", &free), ("strict", &strict)] {
        let interval = &found[rules]["wilson"];
        let share = number(&found[rules]["share"]);
        assert!(
            number(&interval["low"]) < share && share < number(&interval["high"]),
            "{run}"
        );
    }
    let difference = &found["difference"];
    let decided = ["both", "only_free", "neither"].map(|part| expected[part]);
    let expected = expected["only_free"] as f64 / decided.iter().sum::<u64>() as f64;
    assert!(close(&difference["difference"], expected), "{difference}");
    let [low, high] = ["low", "high"].map(|end| number(&difference["interval"][end]));
    assert!(low < expected && expected < high, "{difference}");
    let twice = error(&["compare", &saved, &saved], 1);
    assert!(twice.contains("in more than one"), "{twice}");

    let report = json(&["report", &strict, &free]);
    let pair = &report["pairs"][0];
    assert_eq!(
        (pair["free_run"].as_str(), pair["strict_run"].as_str()),
        (Some("report-free"), Some("report-strict"))
    );
    assert_eq!(pair["only_free"], counts["only_free"]);
    let page = answer(&["report", &strict, &free]);
    assert!(page.contains("The same deals under other rules"));

    // Four does not divide six: neither allows all that the other does.
    let other = run("other", &["--deals", "20", "--draw", "4"]);
    let text = error(&["compare", &free, &other], 2);
    assert!(text.contains("cannot be compared"), "{text}");
    let text = error(&["compare", &free, &saved], 2);
    assert!(text.contains("two directories"), "{text}");
}

#[test]
fn stored_summaries_join_and_agree_with_what_is_published() {
    let data = concat!(env!("CARGO_MANIFEST_DIR"), "/datasets/winnability");
    let folder = |name: &str| -> Vec<String> {
        let names = files(&format!("{data}/{name}"));
        let paths = names.iter().map(|file| format!("{data}/{name}/{file}"));
        paths.filter(|path| path.ends_with(".json")).collect()
    };
    let out = absent("stored.json");
    let mut seen = 0;
    for name in files(data) {
        if name == "compare" || name == "README.md" {
            continue;
        }
        let parts = folder(&name);
        let mut arguments = vec!["merge"];
        arguments.extend(parts.iter().map(String::as_str));
        arguments.extend(["-o", &out]);
        let joined = json(&arguments);
        let deals: u64 = parts
            .iter()
            .map(|path| {
                // The name says which deals these are.
                let stem = Path::new(path).file_stem().unwrap().to_str().unwrap();
                let (first, last) = stem.split_once('-').unwrap();
                let (first, last): (u64, u64) = (first.parse().unwrap(), last.parse().unwrap());
                let text = fs::read_to_string(path).unwrap();
                let summary: Value = serde_json::from_str(&text).unwrap();
                assert_eq!(summary["ranges"][0]["first"], first.to_string(), "{path}");
                assert_eq!(summary["deals"], last - first + 1, "{path}");
                last - first + 1
            })
            .sum();
        assert_eq!(joined["summary"]["deals"], deals, "{name}");
        let draw: u64 = name.rsplit_once("draw").unwrap().1.parse().unwrap();
        let rules = &joined["summary"]["rules"];
        assert_eq!(rules["draw"], draw, "{name}");
        assert_eq!(rules["worrying_back"], !name.contains("strict-"), "{name}");
        let whole = name.starts_with("whole");
        let runs = if whole { "whole" } else { "partial" };
        assert_eq!(rules["runs"], runs, "{name}");
        // With a hundred figures some may differ by chance; these two must not.
        if ["draw1", "draw3"].contains(&name.as_str()) {
            let report = json(&["report", &out]);
            let published = report["runs"][0]["published"].as_array().unwrap();
            assert!(published.len() > 1);
            assert!(published.iter().all(|one| one["agrees"] == true), "{name}");
        }
        seen += 1;
    }
    assert!(seen >= 3, "{seen} games");
    for name in files(&format!("{data}/compare")) {
        // Whatever is there must be comparisons, of a good number of deals together.
        let parts = folder(&format!("compare/{name}"));
        let mut arguments = vec!["compare"];
        arguments.extend(parts.iter().map(String::as_str));
        assert!(
            json(&arguments)["comparison"]["deals"].as_u64() >= Some(1000),
            "{name}"
        );
    }
}

#[cfg(unix)]
#[test]
fn a_page_that_does_not_fit_on_the_disk_leaves_the_one_of_before() {
    let dir = run("full", &["--deals", "20", "--draw", "1"]);
    let page = absent("full.html");
    fs::write(&page, "the page of before").unwrap();
    // Files of at most 1,024 bytes.
    let script = "ulimit -f 2; exec \"$0\" \"$@\"";
    let ran = std::process::Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_klondike")])
        .args(["report", &dir, "-o", &page])
        .output()
        .unwrap();
    let (status, _, err) = read(&ran);
    assert_eq!(status, 1, "{err}");
    assert!(err.contains("full.html"), "{err}");
    assert_eq!(fs::read_to_string(&page).unwrap(), "the page of before");
    assert_eq!(answer(&["report", &dir, "-o", &page]), "");
    assert!(fs::read_to_string(&page).unwrap().ends_with("</html>\n"));
}

#[test]
fn bad_input_is_one_line() {
    let dir = run("bad", &["--deals", "5", "--draw", "1"]);
    let nothing = absent("nothing");
    let text = error(&["report", &nothing], 1);
    assert!(text.contains("report-nothing"), "{text}");
    fs::create_dir(&nothing).unwrap();
    let text = error(&["report", &nothing], 1);
    assert!(text.contains("holds no run"), "{text}");
    let text = error(&["report", &format!("{dir}/run.json")], 1);
    assert!(text.contains("no summary"), "{text}");
    let text = error(&["report", &dir, "-o", "/nowhere/page.html"], 1);
    assert!(text.contains("cannot write /nowhere/page.html"), "{text}");
    let text = error(&["report", &dir, "--confidence", "95"], 2);
    assert!(text.contains("above 0 and below 1"), "{text}");
    let file = format!("{dir}/summary.json");
    let text = error(&["report", &dir, "--png", &file], 1);
    assert!(text.contains("cannot write"), "{text}");
    error(&["report"], 2);
    let text = error(&["compare", &file], 1);
    assert!(text.contains("no comparison of"), "{text}");
    let text = error(&["compare", &dir, &dir], 2);
    assert!(text.contains("cannot be compared"), "{text}");
}
