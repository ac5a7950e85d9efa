//! `klondike reproduce`: every experiment gives every row, and its words say what the rows say.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use crate::python::python;
use klondike_papers::reproduce::{experiments, figures};

fn reproduce(args: &[&str]) -> Output {
    let program = env!("CARGO_BIN_EXE_klondike");
    Command::new(program)
        .arg("reproduce")
        .args(args)
        .output()
        .unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// One game of it takes as long as all other experiments.
const SLOW: &str = "bjarnason-2009-deep";

#[test]
fn without_a_name_all_experiments_are_listed() {
    let listed = text(&reproduce(&[]).stdout);
    for experiment in experiments() {
        assert!(listed.contains(&experiment.id) && listed.contains(&experiment.source));
    }
}

#[test]
fn every_experiment_gives_every_row() {
    every_row(|id| id != SLOW);
}

/// `cargo test --release --test cli reproduce:: -- --ignored`
#[test]
#[ignore = "a quarter of a minute"]
fn the_slow_experiment_gives_every_row() {
    every_row(|id| id == SLOW);
}

fn every_row(chosen: impl Fn(&str) -> bool) {
    for experiment in experiments()
        .iter()
        .filter(|experiment| chosen(&experiment.id))
    {
        // Games of slow players take seconds; deals of draw 7 and more take long to decide.
        let games = match experiment.id.as_str() {
            "winnability"
            | "milas-mcts"
            | "milas-hop"
            | "milas-search"
            | "yan-deep"
            | "bjarnason-2009"
            | SLOW
            | "bjarnason-2007"
            | "bjarnason-2007-deep" => "1",
            _ => "2",
        };
        let output = reproduce(&[&experiment.id, "--games", games, "--json"]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let rows: Vec<serde_json::Value> = text(&output.stdout)
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let figures = figures(&experiment.id);
        assert_eq!(rows.len(), figures.len());
        for (row, figure) in rows.iter().zip(figures) {
            assert_eq!(row["kind"], "reproduce");
            assert_eq!(row["what"], figure.what);
            assert_eq!(row["published"].as_f64(), figure.published);
            if figure.games == 0 {
                assert!(row["count"].is_string(), "{row}");
                continue;
            }
            assert_eq!(row["games"].to_string(), games);
            assert!(row["seconds"].as_f64().unwrap() > 0.0);
        }
    }
}

#[test]
fn rows_are_the_same_for_any_number_of_threads() {
    let ours = |threads: &str| {
        let args = ["kortsmit", "--games", "300", "--csv", "--threads", threads];
        let output = reproduce(&args);
        assert!(output.status.success());
        let rows: Vec<String> = text(&output.stdout)
            .lines()
            .map(|line| {
                // All but the times at the end.
                let cells: Vec<&str> = line.rsplitn(3, ',').collect();
                cells[2].to_owned()
            })
            .collect();
        rows
    };
    let one = ours("1");
    assert_eq!(one, ours("3"));
    assert_eq!(one.len(), figures("kortsmit").len() + 1);
    assert!(one.iter().any(|row| row.contains(",agree,")), "{one:?}");
}

#[test]
fn what_is_asked_for_wrongly_is_explained() {
    let output = reproduce(&["nobody"]);
    assert_eq!(output.status.code(), Some(2));
    let errors = text(&output.stderr);
    assert!(errors.contains("nobody") && errors.contains("kortsmit-difference"));
    assert_eq!(
        reproduce(&["yan", "--csv", "--json"]).status.code(),
        Some(2)
    );
    // Nothing is played without a name, so what is asked of the games is a mistake.
    for args in [&["--csv"][..], &["--games", "3"]] {
        assert_eq!(reproduce(args).status.code(), Some(2), "{args:?}");
    }
    let late = reproduce(&["kortsmit", "--plot", "no-such-directory/x.svg"]);
    assert_eq!(late.status.code(), Some(2));
    assert!(text(&late.stderr).contains("no such directory"));
    assert!(late.stdout.is_empty());
}

/// A directory of its own for a test.
fn folder(name: &str) -> std::path::PathBuf {
    let name = format!("klondike-reproduce-{name}-{}", std::process::id());
    let folder = std::env::temp_dir().join(name);
    let _ = std::fs::remove_dir_all(&folder);
    folder
}

/// All cells of CSV but the times, and the picture.
fn cells(output: &Output) -> Vec<String> {
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
        .lines()
        .map(|line| line.rsplitn(3, ',').nth(2).unwrap().to_owned())
        .collect()
}

#[test]
fn a_directory_is_gone_on_with_by_the_same_run_only() {
    let place = folder("dir");
    let dir = place.to_str().unwrap();
    let run = |games: &str, more: &[&str]| {
        let args = ["kortsmit", "--csv", "--games", games];
        reproduce(&[&args[..], more].concat())
    };
    cells(&run("200", &["--dir", dir]));
    // More games; then nothing is left to be done.
    let more = cells(&run("500", &["--dir", dir]));
    assert_eq!(more, cells(&run("500", &[])));
    let saved = std::fs::read(place.join("samples.json")).unwrap();
    assert_eq!(more, cells(&run("500", &["--dir", dir])));
    assert_eq!(saved, std::fs::read(place.join("samples.json")).unwrap());
    let other = run("500", &["--dir", dir, "--player-seed", "2"]);
    assert_eq!(other.status.code(), Some(2));
    let error = text(&other.stderr);
    assert!(
        error.contains("its seed of the players is 1, not 2"),
        "{error}"
    );
    // A file that was changed by hand is no file of games.
    let samples = place.join("samples.json");
    let text_of = std::fs::read_to_string(&samples).unwrap();
    let wins = text_of.find("\"wins\": ").unwrap() + 8;
    let mut edited = text_of.clone();
    edited.insert(wins, '9');
    std::fs::write(&samples, edited).unwrap();
    let wrong = run("500", &["--dir", dir]);
    assert_eq!(wrong.status.code(), Some(1));
    let error = text(&wrong.stderr);
    assert!(
        error.contains("its numbers contradict each other"),
        "{error}"
    );
    std::fs::write(&samples, text_of).unwrap();
    let fewer = run("100", &["--dir", dir]);
    assert_eq!(fewer.status.code(), Some(2));
    assert!(text(&fewer.stderr).contains("holds 500 games"));
    std::fs::remove_dir_all(&place).unwrap();
}

#[test]
fn pictures_show_published_points_beside_ours() {
    let place = folder("plot");
    std::fs::create_dir_all(&place).unwrap();
    for (id, words) in [
        (
            "kortsmit-difference",
            vec!["draw 1 here", "draw 3 published"],
        ),
        ("kortsmit-formula", vec!["piles of 1, 2", "published"]),
        (
            "milas-efficiency",
            vec!["wins per million moves", "limit of moves", "draw 3 here"],
        ),
    ] {
        let file = place.join(format!("{id}.svg"));
        let output = reproduce(&[id, "--games", "20", "--plot", file.to_str().unwrap()]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let svg = std::fs::read_to_string(&file).unwrap();
        for word in words {
            assert!(svg.contains(word), "{id}: {word}");
        }
    }
    std::fs::remove_dir_all(&place).unwrap();
}

/// The counts are those of De Ruiter and Donkersteeg, digit for digit.
#[test]
fn exact_counts_agree_with_the_published_ones() {
    let mut exact = 0;
    let lines = ["counts", "orders"].map(|id| {
        let output = reproduce(&[id, "--json", "--games", "1"]);
        text(&output.stdout)
    });
    for line in lines.concat().lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        if row["published_count"].is_string() {
            assert_eq!(row["agree"], true, "{row}");
            assert_eq!(row["published_count"], row["count"]);
            exact += 1;
        }
    }
    assert_eq!(exact, 3 + 49);
}

/// What can be won without worrying back can be won, and the shares of the three columns fit.
#[test]
fn columns_of_winnable_deals_fit_each_other() {
    let output = reproduce(&["blake-gent-4", "--games", "3", "--json"]);
    let rows: Vec<serde_json::Value> = text(&output.stdout)
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(rows.len(), 3);
    let share = |spaces: &str| {
        let row = rows
            .iter()
            .find(|row| row["what"] == *format!("empty piles take {spaces}"));
        row.unwrap()["interval"]["high"].as_f64().unwrap()
    };
    assert!(share("nothing") <= share("kings") && share("kings") <= share("any"));
}

/// What the paper leaves open is said in its row, and what chance does at the end of all rows.
#[test]
fn readings_and_chance_are_named() {
    let run = |args: &[&str]| {
        let ran = reproduce(&[&["kortsmit", "--games", "50"], args].concat());
        assert!(ran.status.success(), "{}", text(&ran.stderr));
        text(&ran.stdout)
    };
    let words = run(&[]);
    let rows = words.lines().filter(|line| line.starts_with("Kings move"));
    assert_eq!(rows.count(), 2, "{words}");
    assert_eq!(words.matches("  reading: the text says draw 3").count(), 2);
    let differ = words.matches(": differ\n").count();
    let sampled = differ + words.matches(": agree\n").count();
    let end = format!(
        "\n{differ} of {sampled} sampled rows differ; \
         chance alone makes on average at most 5 % differ\n"
    );
    assert!(sampled > 20 && words.ends_with(&end), "{words}");
    // The paper's intervals stay at 95 %.
    assert!(run(&["--confidence", "0.99"]).contains("at most 5 % differ"));
    assert!(run(&["--confidence", "0.9"]).contains("at most 10 % differ"));
    // Exact counts differ for other reasons.
    assert!(!text(&reproduce(&["orders"]).stdout).contains("chance"));
}

/// The script of the page makes a row of every line, of exact counts and of games.
#[test]
fn the_script_of_the_tables_takes_what_the_command_prints() {
    for (experiment, games, shown) in [
        ("orders", &[][..], "| A(3, 3) | 1 | 1 | exact | agree |"),
        ("kortsmit-foundations", &["--games", "20"], " | 20 |"),
        ("yan", &["--games", "20"], " | 20 |"),
    ] {
        let Some(mut python) = python("the script of the tables of reproduction") else {
            return;
        };
        let lines = reproduce(&[&[experiment, "--json"], games].concat()).stdout;
        let rows = text(&lines).lines().count();
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        python.arg(root.join("scripts/reproduction_table.py"));
        python.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = python.spawn().unwrap();
        child.stdin.take().unwrap().write_all(&lines).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{experiment}");
        let table = text(&output.stdout);
        // Two lines more are those of the head.
        let found = table.lines().filter(|line| line.starts_with('|')).count();
        assert!(rows > 2 && found == rows + 2, "{table}");
        assert!(table.contains(shown), "{table}");
    }
}
