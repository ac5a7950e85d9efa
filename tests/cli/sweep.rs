//! `klondike sweep`: every combination on the same deals, and a run that goes on.

use std::process::Output;

use crate::common_cli::klondike;

fn sweep(args: &[&str]) -> Output {
    klondike(&[&["sweep"], args].concat())
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

fn rows(output: &Output) -> Vec<serde_json::Value> {
    assert!(output.status.success(), "{}", text(&output.stderr));
    let lines = text(&output.stdout);
    let lines = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap());
    lines.collect()
}

const DIFFERENCES: [&str; 8] = [
    "--player",
    "kortsmit-simplest:s0=5,s1=0,s2=0,s3=5",
    "--rules",
    "kortsmit",
    "--vary",
    "diff=1..3",
    "--vary",
    "draw=1,3",
];

#[test]
fn every_combination_plays_what_simulate_plays() {
    let args = [&DIFFERENCES[..], &["--games", "300", "--json"]].concat();
    let swept = rows(&sweep(&args));
    assert_eq!(swept.len(), 6);
    assert_eq!(
        swept,
        rows_without_times(&sweep(&[&args[..], &["--threads", "3"]].concat()), &swept)
    );
    for row in &swept {
        let (draw, diff) = (&row["values"]["draw"], &row["values"]["diff"]);
        let player = format!("{},diff={}", DIFFERENCES[1], diff.as_str().unwrap());
        let simulated = rows(&klondike(&[
            "simulate",
            "--player",
            &player,
            "--rules",
            "kortsmit",
            "--draw",
            draw.as_str().unwrap(),
            "--games",
            "300",
            "--json",
        ]));
        assert_eq!(row["player"], *player);
        for same in [
            "wins",
            "rules",
            "information",
            "player_seed",
            "scheme",
            "first",
        ] {
            assert_eq!(row[same], simulated[0][same], "{same}");
        }
        assert_eq!(row["wilson"], simulated[0]["wilson"]);
    }
    // Draw 1 is easier.
    let wins = |i: usize| swept[i]["wins"].as_u64().unwrap();
    assert!(wins(0) > wins(1) && wins(4) > wins(5));
}

#[test]
fn where_redeals_are_limited_games_are_worth_what_simulate_says() {
    let games = ["--rules", "vegas3", "--games", "100"];
    let player = ["--player", "kortsmit-greedy", "--vary", "s1=100,500"];
    let args = [&player[..], &games, &["--json"]].concat();
    for row in rows(&sweep(&args)) {
        let player = row["player"].as_str().unwrap();
        let simulate = ["simulate", "--json", "--player", player];
        let simulated = &rows(&klondike(&[&simulate[..], &games].concat()))[0];
        assert!(row["vegas"]["per_game"]["interval"].is_object(), "{row}");
        assert_eq!(row["vegas"], simulated["vegas"]);
    }
    let words = text(&sweep(&[&player[..], &games].concat()).stdout);
    assert_eq!(words.matches("; in Vegas -").count(), 2, "{words}");
}

/// The rows with the times of others.
fn rows_without_times(output: &Output, others: &[serde_json::Value]) -> Vec<serde_json::Value> {
    let mut all = rows(output);
    for (row, other) in all.iter_mut().zip(others) {
        row["seconds_per_game"] = other["seconds_per_game"].clone();
    }
    all
}

#[test]
fn a_directory_is_gone_on_with_and_pictures_are_drawn() {
    let folder = std::env::temp_dir().join(format!("klondike-sweep-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    let dir = folder.join("run");
    let dir = dir.to_str().unwrap();
    let picture = folder.join("picture.svg");
    let args = |games: &'static str| {
        [
            &DIFFERENCES[..],
            &["--json", "--dir", dir, "--games", games],
        ]
        .concat()
    };
    rows(&sweep(&args("100")));
    let with_plot = [&args("250")[..], &["--plot", picture.to_str().unwrap()]].concat();
    let on = rows(&sweep(&with_plot));
    let at_once = [&DIFFERENCES[..], &["--json", "--games", "250"]].concat();
    assert_eq!(on, rows_without_times(&sweep(&at_once), &on));
    let svg = std::fs::read_to_string(&picture).unwrap();
    assert!(svg.contains("draw=1 here") && svg.contains("draw=3 here"));
    assert_eq!(svg.matches("<circle").count(), 6);
    // Other settings are refused, and fewer games.
    let other = sweep(&[&args("250")[..], &["--player-seed", "9"]].concat());
    assert_eq!(other.status.code(), Some(2));
    assert!(text(&other.stderr).contains("its seed of the players is 1, not 9"));
    assert_eq!(sweep(&args("249")).status.code(), Some(2));
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn rows_of_csv_have_a_column_for_each_parameter() {
    let args = [
        "--player",
        "random",
        "--vary",
        "talon=0,24",
        "--vary",
        "limit=5,50",
    ];
    let output = sweep(&[&args[..], &["--games", "20", "--csv"]].concat());
    assert!(output.status.success(), "{}", text(&output.stderr));
    let lines: Vec<String> = text(&output.stdout).lines().map(str::to_owned).collect();
    assert!(lines[0].starts_with("talon,limit,games,wins,"));
    assert_eq!(lines.len(), 5);
    assert!(lines[1].starts_with("0,5,20,0,0,") && lines[4].starts_with("24,50,20,"));
}

/// A mean of no won games is none, and no number that could be taken for one.
#[test]
fn without_wins_there_is_no_length_of_won_games() {
    let args = [
        "--player",
        "random:limit=1",
        "--vary",
        "draw=3",
        "--games",
        "5",
    ];
    let rows = rows(&sweep(&[&args[..], &["--json"]].concat()));
    assert_eq!(rows[0]["wins"], 0);
    assert!(rows[0].get("card_moves_per_won_game").is_none());
    let csv = text(&sweep(&[&args[..], &["--csv"]].concat()).stdout);
    assert!(csv.lines().nth(1).unwrap().contains(",,"), "{csv}");
    let words = text(&sweep(&args).stdout);
    assert!(words.contains("; – card moves per won game"), "{words}");
}

/// What would be known too late is said before anything is played.
#[test]
fn options_that_contradict_each_other_are_errors() {
    let args = ["--player", "random", "--vary", "draw=1,3"];
    let file = std::env::temp_dir().join(format!("klondike-sweep-{}.PNG", std::process::id()));
    let path = file.to_str().unwrap();
    for (more, part) in [
        (["--draw", "3"], "leave --draw out"),
        (["--plot", "no-such-directory/x.svg"], "no such directory"),
        (["--plot", "."], "that is a directory"),
        (["--plot", "-"], "give the name of a file"),
    ] {
        let output = sweep(&[&args[..], &more].concat());
        assert_eq!(output.status.code(), Some(2), "{more:?}");
        let error = text(&output.stderr);
        assert!(error.contains(part) && output.stdout.is_empty(), "{error}");
    }
    let talon = sweep(&["--player", "random", "--vary", "talon=24", "--piles", "1,2"]);
    assert!(text(&talon.stderr).contains("leave --piles out"));
    let drawn = sweep(&[&args[..], &["--games", "2", "--plot", path]].concat());
    assert!(drawn.status.success(), "{}", text(&drawn.stderr));
    assert!(std::fs::read(&file).unwrap().starts_with(b"\x89PNG"));
    std::fs::remove_file(&file).unwrap();
}

#[test]
fn wrong_parameters_are_errors_of_one_line() {
    for (args, part) in [
        (
            ["--player", "random", "--vary", "x=1..2"],
            "known: limit; of the game: draw talon",
        ),
        (["--player", "random", "--vary", "x"], "write NAME=A..B"),
        (
            ["--player", "yan", "--vary", "level=8..12"],
            "level must be a number from 0 to 9",
        ),
        (
            ["--player", "yan", "--vary", "draw=0..2"],
            "the draw count is 1 to 24",
        ),
        (
            ["--player", "nobody", "--vary", "x=1"],
            "there is no player `nobody`",
        ),
    ] {
        let output = sweep(&args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        let error = text(&output.stderr);
        assert!(
            error.lines().count() == 1 && error.contains(part),
            "{error}"
        );
    }
}

/// The best play deals that the sweep did not, the same games as `simulate` plays there.
#[test]
fn the_best_play_fresh_deals() {
    let folder = std::env::temp_dir().join(format!("klondike-sweep-best-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    let dir = folder.to_str().unwrap();
    let best = [
        "--games",
        "200",
        "--best",
        "2",
        "--best-games",
        "300",
        "--json",
        "--dir",
        dir,
    ];
    let args = [&DIFFERENCES[..], &best].concat();
    let all = rows(&sweep(&args));
    let (swept, fresh) = all.split_at(6);
    assert_eq!(fresh.len(), 2);
    assert!(
        swept
            .iter()
            .all(|row| row.get("rank").is_none() && row["first"] == "1")
    );
    let wins = |row: &serde_json::Value| row["wins"].as_u64().unwrap();
    let mut order: Vec<&serde_json::Value> = swept.iter().collect();
    order.sort_by_key(|row| std::cmp::Reverse(wins(row)));
    for (place, row) in fresh.iter().enumerate() {
        assert_eq!(
            (&row["rank"], &row["first"]),
            (&(place + 1).into(), &"201".into())
        );
        assert_eq!(row["values"], order[place]["values"]);
        assert_eq!(
            (&row["games"], &row["complete"]),
            (&300.into(), &true.into())
        );
    }
    let (player, draw) = (&fresh[0]["player"], &fresh[0]["values"]["draw"]);
    let words = [
        "simulate", "--rules", "kortsmit", "--from", "201", "--games", "300", "--json",
    ];
    let more = [
        "--player",
        player.as_str().unwrap(),
        "--draw",
        draw.as_str().unwrap(),
    ];
    assert_eq!(
        rows(&klondike(&[&words[..], &more].concat()))[0]["wins"],
        fresh[0]["wins"]
    );
    // The directory keeps both.
    assert_eq!(rows(&sweep(&args)), all);
    let fewer = sweep(
        &[
            &DIFFERENCES[..],
            &["--games", "200", "--best", "1", "--dir", dir],
        ]
        .concat(),
    );
    assert!(text(&fewer.stderr).contains("give --best-games 300 or more"));
    // Without --best the fresh deals do not matter.
    let plain = rows(&sweep(
        &[
            &DIFFERENCES[..],
            &["--games", "200", "--json", "--dir", dir],
        ]
        .concat(),
    ));
    assert_eq!(plain, swept);
    std::fs::remove_dir_all(&folder).unwrap();
    let csv = [&DIFFERENCES[..], &["--games", "20", "--best", "1", "--csv"]].concat();
    let csv = text(&sweep(&csv).stdout);
    let lines: Vec<&str> = csv.lines().collect();
    assert!(lines[0].ends_with("seconds_per_game,rank") && lines.len() == 8);
    assert!(lines[6].ends_with(',') && lines[7].ends_with(",1"));
    let words =
        text(&sweep(&[&DIFFERENCES[..], &["--games", "20", "--best", "1"]].concat()).stdout);
    assert!(
        words.contains(
            "\nThe best of 6 settings on 20 fresh deals, klondike from seed 21:\n1. diff="
        )
    );
}
