//! `klondike simulate` run as a program: the same games whatever the threads, files that a run
//! goes on from, comparisons, interruptions, and bad input.

use crate::common_cli;
use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::common_cli::{Ran, read, wait_until};

fn command(arguments: &[&str]) -> Command {
    common_cli::command(&[&["simulate"], arguments].concat())
}

fn klondike(arguments: &[&str]) -> Ran {
    read(&command(arguments).output().expect("the program runs"))
}

/// A result without what depends on the clock.
fn timeless(line: &str) -> Value {
    let mut object: Value = serde_json::from_str(line).expect("a JSON object");
    let fields = object.as_object_mut().expect("an object");
    for name in ["seconds", "seconds_per_game", "longest_seconds", "crc32"] {
        fields.remove(name);
    }
    object
}

fn json(arguments: &[&str]) -> Vec<Value> {
    let (status, out, err) = klondike(&[arguments, &["--json"]].concat());
    assert_eq!((status, err.as_str()), (0, ""), "{arguments:?}");
    out.lines().map(timeless).collect()
}

/// A file that does not exist yet; every caller needs its own name.
fn absent(name: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_file(&path);
    path.to_str().expect("a text").to_owned()
}

const GREEDY: [&str; 4] = ["--player", "kortsmit-greedy", "--rules", "kortsmit"];

#[test]
fn threads_change_nothing() {
    let with = |threads: &str| {
        let file = absent(&format!("simulate-threads-{threads}.jsonl"));
        let more = ["--games", "400", "--threads", threads, "--output", &file];
        let summary = json(&[&GREEDY[..], &more].concat());
        let games = fs::read_to_string(&file).expect("the games");
        (summary, games.lines().map(timeless).collect::<Vec<_>>())
    };
    let one = with("1");
    assert_eq!(one.1.len(), 401);
    assert_eq!(with("3"), one);
    let summary = &one.0[0];
    assert_eq!(
        (&summary["games"], &summary["complete"]),
        (&400.into(), &true.into())
    );
    let wins = one.1.iter().filter(|game| game["result"] == "won").count();
    assert_eq!(summary["wins"], wins);
    // About 16 % are won; four standard errors are 7 %.
    assert!((36..=92).contains(&wins), "{wins}");
    let sum: u64 = one.1[1..]
        .iter()
        .filter_map(|game| game["moves"].as_u64())
        .sum();
    assert_eq!(summary["moves_per_game"].as_f64(), Some(sum as f64 / 400.0));
}

/// The same games are won, field by field, under rules that allow less than those under which
/// losses are proven, and by players of both kinds; games that end as lost were not won, and are no
/// longer than they were.
#[test]
fn games_that_end_when_lost_are_no_other_games() {
    let sets: [(&str, &[&str]); 7] = [
        ("kortsmit-greedy", &["--rules", "kortsmit"]),
        ("kortsmit-greedy", &["--draw", "3", "--redeals", "2"]),
        ("yan:level=1", &["--rules", "yan"]),
        ("random", &["--draw", "1", "--spaces", "any"]),
        (
            "milas-hop:trajectories=4",
            &["--draw", "1", "--no-worrying-back"],
        ),
        (
            "bjarnason-uct:trajectories=20",
            &["--information", "waste-top"],
        ),
        ("tree:iterations=20", &["--redeals", "1"]),
    ];
    for (i, (player, rules)) in sets.into_iter().enumerate() {
        let games = |more: &[&str]| {
            let name = format!("simulate-lost-{i}-{}.jsonl", more.len());
            let file = absent(&name);
            let first = ["--player", player, "--games", "20", "--output", &file];
            let result = json(&[&first[..], rules, more].concat());
            let text = fs::read_to_string(&file).expect("the games");
            let games: Vec<Value> = text.lines().skip(1).map(timeless).collect();
            (result[0]["wins"].clone(), games)
        };
        let (wins, whole) = games(&[]);
        let (same, short) = games(&["--stop-when-lost"]);
        assert_eq!(wins, same, "{player}");
        assert_eq!(whole.len(), 20);
        let mut stopped = 0;
        for (whole, short) in whole.iter().zip(&short) {
            if short["result"] == "lost" {
                stopped += 1;
                assert_ne!(whole["result"], "won", "{player}");
                for count in ["moves", "card_moves", "decisions", "planner_calls"] {
                    assert!(short[count].as_u64() <= whole[count].as_u64(), "{player}");
                }
            } else {
                assert_eq!(whole, short, "{player}");
            }
        }
        // Where any card may go to an empty pile nothing is proven.
        assert_eq!(stopped > 1, !rules.contains(&"any"), "{player} {stopped}");
    }
}

/// A file of whole games is not gone on with by games that end when they are lost.
#[test]
fn games_that_end_when_lost_have_files_of_their_own() {
    let file = absent("simulate-lost.csv");
    let more = ["--games", "3", "--output", &file];
    json(&[&GREEDY[..], &more].concat());
    let (status, _, error) = klondike(&[&GREEDY[..], &more, &["--stop-when-lost"]].concat());
    assert_eq!(status, 2);
    assert!(error.contains("stop when lost"), "{error}");
    let other = absent("simulate-lost-only.csv");
    let more = ["--games", "3", "--output", &other, "--stop-when-lost"];
    let (_, text, _) = klondike(&[&GREEDY[..], &more].concat());
    assert!(text.contains("when they were proven lost"), "{text}");
    let (status, _, error) = klondike(&[&GREEDY[..], &more[..4]].concat());
    assert_eq!(status, 2);
    assert!(
        error.contains("stop when lost: true, asked for not there"),
        "{error}"
    );
}

/// Two runs at a time would write into each other's lines.
#[test]
fn one_process_at_a_time_writes_a_file() {
    let file = absent("simulate-locked.jsonl");
    let run = ["--games", "3", "--output", &file];
    json(&[&GREEDY[..], &run].concat());
    let before = fs::read(&file).unwrap();
    let lock = fs::File::open(&file).unwrap();
    lock.try_lock().unwrap();
    let (status, _, error) = klondike(&[&GREEDY[..], &["--games", "5"], &run[2..]].concat());
    assert_eq!(status, 1);
    assert!(
        error.contains("another process is at the same run"),
        "{error}"
    );
    assert_eq!(fs::read(&file).unwrap(), before);
    drop(lock);
    let rows = json(&[&GREEDY[..], &["--games", "5"], &run[2..]].concat());
    assert_eq!(rows[0]["games"], 5);
}

/// Comparisons of games that end when they are lost: each player plays as if it were alone, for any
/// number of threads, and a run goes on from its file.
#[test]
fn comparisons_may_end_games_when_lost() {
    let run = |games: &str, threads: &str, file: &str| {
        let players = "yan,bjarnason-nested";
        let first = ["--compare", players, "--stop-when-lost", "--games", games];
        json(&[&first[..], &["--threads", threads, "--output", file]].concat())
    };
    let (one, three) = (absent("simulate-lost-1.csv"), absent("simulate-lost-3.csv"));
    let whole = run("90", "1", &one);
    run("41", "3", &three);
    assert_eq!(run("90", "2", &three), whole);
    for (i, player) in ["yan", "bjarnason-nested"].into_iter().enumerate() {
        let alone = json(&["--player", player, "--stop-when-lost", "--games", "90"]);
        assert_eq!(alone[0], whole[i]);
        let plain = json(&["--player", player, "--games", "90"]);
        assert_eq!(plain[0]["wins"], whole[i]["wins"]);
        assert_ne!(plain[0]["lost"], whole[i]["lost"]);
    }
}

/// Where redeals are limited, games are worth five for each card up, less the deck: as the file of
/// the games says.
#[test]
fn games_with_limited_redeals_are_worth_money() {
    let file = absent("simulate-vegas.jsonl");
    let games = ["--player", "kortsmit-greedy", "--games", "200"];
    let vegas = ["--rules", "vegas3", "--output", &file];
    let answer = &json(&[&games[..], &vegas].concat())[0];
    let text = fs::read_to_string(&file).expect("the games");
    let worth = |line: &str| 5.0 * timeless(line)["foundation"].as_f64().unwrap() - 52.0;
    let worth: Vec<f64> = text.lines().skip(1).map(worth).collect();
    let mean = worth.iter().sum::<f64>() / 200.0;
    let per_game = &answer["vegas"]["per_game"];
    assert!((per_game["mean"].as_f64().unwrap() - mean).abs() < 1e-9);
    let squares: f64 = worth.iter().map(|one| (one - mean).powi(2)).sum();
    let half = 1.971_957 * (squares / 199.0 / 200.0).sqrt();
    let low = per_game["interval"]["low"].as_f64().unwrap();
    assert!((low - (mean - half)).abs() < 1e-4);
    let ahead = worth.iter().filter(|&&one| one > 0.0).count();
    assert!(ahead > 0);
    assert_eq!(answer["vegas"]["ahead"], ahead);

    // Two players deal by deal: the difference of their means, and an interval of single deals.
    let pair = ["--compare", "random,kortsmit-greedy", "--games", "200"];
    let compared = json(&[&pair[..], &["--rules", "vegas3"]].concat());
    let mean = |answer: &Value| answer["vegas"]["per_game"]["mean"].as_f64().unwrap();
    let more = &compared[2]["vegas"];
    let difference = mean(&compared[1]) - mean(&compared[0]);
    assert!((more["mean"].as_f64().unwrap() - difference).abs() < 1e-9);
    assert!(difference > 5.0 && more["interval"]["low"].as_f64().unwrap() > 0.0);
    assert!(json(&pair)[2]["vegas"].is_null());

    let unlimited = &json(&games)[0];
    let cut_short = &json(&[&games[..], &["--rules", "vegas3", "--stop-when-lost"]].concat())[0];
    for answer in [unlimited, cut_short] {
        assert!(answer["vegas"].is_null());
    }
}

#[test]
fn a_game_does_not_depend_on_where_the_run_begins() {
    let games = |from: &str, count: &str, name: &str| {
        let file = absent(name);
        let more = ["--from", from, "--games", count, "--output", &file];
        json(&[&GREEDY[..], &more].concat());
        let text = fs::read_to_string(&file).expect("the games");
        text.lines().skip(1).map(timeless).collect::<Vec<_>>()
    };
    let all = games("1", "60", "simulate-all.jsonl");
    assert_eq!(games("41", "20", "simulate-part.jsonl"), all[40..]);
}

#[test]
fn a_run_goes_on_from_its_file() {
    for suffix in ["csv", "jsonl"] {
        let file = absent(&format!("simulate-resume.{suffix}"));
        let run =
            |games: &str| json(&[&GREEDY[..], &["--games", games, "--output", &file]].concat());
        run("70");
        // The end of a run that was killed while it wrote a line.
        let whole = fs::read_to_string(&file).expect("the games");
        fs::write(&file, &whole[..whole.len() - 9]).expect("writable");
        let fresh = json(&[&GREEDY[..], &["--games", "150"]].concat());
        assert_eq!(run("150"), fresh);
        assert_eq!(run("150"), fresh);
        // It really goes on: the times of the first games are those of the first run.
        let text = fs::read_to_string(&file).expect("the games");
        let cut = whole.trim_end().rfind('\n').expect("several lines");
        assert!(text.starts_with(&whole[..cut]));

        for (more, status, part) in [
            (&["--games", "149"][..], 2, "holds 150 deals already"),
            (
                &["--games", "150", "--player-seed", "2"],
                2,
                "games of another run (player seed: 1, asked for 2)",
            ),
            (
                &["--games", "150", "--from", "2"],
                2,
                "games of another run (first: \"1\", asked for \"2\")",
            ),
            (
                &["--games", "150", "--draw", "1"],
                2,
                "games of another run (rules: {",
            ),
        ] {
            let (code, out, err) = klondike(&[&GREEDY[..], more, &["--output", &file]].concat());
            assert_eq!((code, out.as_str()), (status, ""), "{err}");
            assert!(err.contains(part) && err.lines().count() == 1, "{err}");
        }
        assert_eq!(fs::read_to_string(&file).expect("it is left alone"), text);
        // Players of another version may have other defaults.
        let version = format!("\"program\":\"{}\"", env!("CARGO_PKG_VERSION"));
        let older = text.replacen(&version, "\"program\":\"0.0.9\"", 1);
        let bare = text.replacen("\"version\":2", "\"version\":1", 1);
        for (content, part) in [
            (older.as_str(), "another run (program: \"0.0.9\""),
            (&bare, "another run (version: 1, asked for 2"),
            ("seed,wins\n1,0\n", "something else than games"),
        ] {
            fs::write(&file, content).expect("writable");
            let (code, _, err) = klondike(&[&GREEDY[..], &["--output", &file]].concat());
            assert!(code == 2 && err.contains(part), "{err}");
            assert_eq!(fs::read_to_string(&file).expect("left alone"), content);
        }
        // A row of another deal.
        let rows: Vec<&str> = text.lines().collect();
        let last = rows.len() - 1;
        let without = [&rows[..last - 1], &rows[last..], &[""]]
            .concat()
            .join("\n");
        fs::write(&file, without).expect("writable");
        let (code, _, err) = klondike(&[&GREEDY[..], &["--output", &file]].concat());
        assert!(code == 1 && err.contains("not the game of deal"), "{err}");
    }
}

/// A row that was changed by hand is an error that names the line; without the lines from there on
/// the run goes on.
#[test]
fn changed_rows_are_found_by_their_checksums() {
    for (suffix, head) in [("csv", 2), ("jsonl", 1)] {
        let file = absent(&format!("simulate-checksum.{suffix}"));
        let asked = [&GREEDY[..], &["--games", "30", "--output", &file]].concat();
        let fresh = json(&asked);
        let text = fs::read_to_string(&file).expect("the games");
        let rows: Vec<&str> = text.lines().collect();
        let lost = rows.iter().position(|row| row.contains("given-up"));
        let lost = lost.expect("a game given up");
        for (old, new) in [("given-up", "won"), ("given-up", "gone-up"), ("e", "f")] {
            let mut rows: Vec<String> = rows.iter().map(|&row| row.to_owned()).collect();
            let place = rows[lost]
                .rfind(old)
                .or(rows[lost].rfind('0'))
                .expect("a zero");
            rows[lost].replace_range(place..place + old.len(), new);
            fs::write(&file, rows.join("\n") + "\n").expect("writable");
            let (code, out, err) = klondike(&asked);
            assert_eq!((code, out.as_str()), (1, ""), "{err}");
            let parts = [format!("line {}: ", lost + 1), "checksum".to_owned()];
            assert!(parts.iter().all(|part| err.contains(part)), "{err}");
            assert!(err.contains("delete all lines from there on"), "{err}");
        }
        // Rows of another run, whose deals have the same numbers.
        let other = absent(&format!("simulate-checksum-other.{suffix}"));
        json(&["--player", "random", "--games", "30", "--output", &other]);
        let others = fs::read_to_string(&other).expect("the games");
        let others: Vec<&str> = others.lines().skip(head).collect();
        let mixed = [&rows[..head], &others[..], &[""]].concat().join("\n");
        fs::write(&file, mixed).expect("writable");
        let (code, _, err) = klondike(&asked);
        assert!(
            code == 1 && err.contains(&format!("line {}: ", head + 1)),
            "{err}"
        );
        // As the message says.
        fs::write(&file, rows[..lost].join("\n") + "\n").expect("writable");
        assert_eq!(json(&asked), fresh);
    }
}

/// The checksum of the files of games, so that a test can write rows of its own.
fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(!0, |sum, &byte| {
        (0..8).fold(sum ^ u32::from(byte), |sum, _| match sum & 1 {
            1 => sum >> 1 ^ 0xedb8_8320,
            _ => sum >> 1,
        })
    })
}

/// A row whose checksum is right must still be one of a game: a won game has all cards up.
#[test]
fn rows_must_be_of_games() {
    let file = absent("simulate-rows.csv");
    let asked = [&GREEDY[..], &["--games", "1", "--output", &file]].concat();
    json(&asked);
    let text = fs::read_to_string(&file).expect("the games");
    let row = text.lines().last().expect("a game");
    let head = &text[..text.len() - row.len() - 1];
    for (row, possible) in [
        ("1,1,won,110,80,52,0,0,40,0,0.1", true),
        ("1,1,won,110,80,51,0,1,40,0,0.1", false),
        ("1,1,won,110,80,52,1,0,40,0,0.1", false),
        ("1,1,given-up,110,80,52,0,0,40,0,0.1", false),
        ("1,1,given-up,110,80,20,20,20,40,0,0.1", false),
        ("1,1,given-up,110,111,20,20,12,40,0,0.1", false),
        ("1,1,given-up,99999999999999,80,20,20,12,40,0,0.1", false),
    ] {
        let sum = crc32(format!("{head}{row}").as_bytes());
        fs::write(&file, format!("{head}{row},{sum:08x}\n")).expect("writable");
        let (code, _, err) = klondike(&asked);
        assert_eq!(code, i32::from(!possible), "{row}: {err}");
        assert!(
            possible || err.contains("line 3: numbers that no game has"),
            "{err}"
        );
    }
}

/// The text says what was played, with the digits that its intervals deserve; a mean of nothing is
/// a dash, and not in the JSON.
#[test]
fn answers_say_what_was_played_and_how_exactly_it_is_known() {
    let asked = [&GREEDY[..], &["--games", "20"]].concat();
    let (_, text, _) = klondike(&asked);
    for part in [
        "Rules: 4 suits x 13 ranks, ",
        "20 deals, klondike from seed 1; talon-known; seed of the players 1",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    // No share has more than one place: 20 games say no more.
    let shares = text
        .lines()
        .find(|line| line.contains("games won"))
        .expect("the result");
    let places = |word: &str| {
        word.trim_matches(',')
            .split_once('.')
            .map_or(0, |(_, end)| end.len())
    };
    assert!(shares.split(' ').all(|word| places(word) <= 1), "{shares}");

    let asked = [
        "--player", "random", "--games", "5", "--ranks", "1", "--piles", "1",
    ];
    let won = json(&asked);
    assert_eq!(won[0]["wins"], 5);
    assert!(won[0].get("lost").is_none(), "{won:?}");
    assert!(klondike(&asked).1.contains("per lost game: – card moves"));
}

#[test]
fn comparisons_pair_the_deals() {
    let file = absent("simulate-compare.csv");
    let arguments = [
        "--compare",
        "yan,yan:level=1,queens=both",
        "--rules",
        "yan",
        "--games",
        "120",
    ];
    let result = json(&[&arguments[..], &["--output", &file]].concat());
    let [first, second, pairs] = &result[..] else {
        panic!("{result:?}");
    };
    assert_eq!(second["player"], "yan:level=1,queens=both");
    assert_eq!(pairs["kind"], "simulate-comparison");
    let number = |object: &Value, name: &str| object[name].as_f64().expect("a number");
    assert_eq!(
        number(pairs, "both") + number(pairs, "only_first"),
        number(first, "wins")
    );
    assert_eq!(
        number(pairs, "both") + number(pairs, "only_second"),
        number(second, "wins")
    );
    let difference = (number(second, "wins") - number(first, "wins")) / 120.0;
    assert!((number(pairs, "difference") - difference).abs() < 1e-12);
    assert!(number(&pairs["interval"], "low") < difference && number(pairs, "mcnemar_p") < 0.01);
    assert_eq!(
        pairs["shares"],
        serde_json::json!([first["share"], second["share"]])
    );
    // The first player plays as if it were alone.
    let alone = json(&["--player", "yan", "--rules", "yan", "--games", "120"]);
    assert_eq!(&alone[0], first);
    // A deal that one player only has played is played again.
    let text = fs::read_to_string(&file).expect("the games");
    let cut = text.trim_end().rfind('\n').expect("several lines") + 1;
    fs::write(&file, &text[..cut]).expect("writable");
    assert_eq!(
        json(&[&arguments[..], &["--output", &file]].concat()),
        result
    );
    let (_, text, _) = klondike(&arguments);
    assert!(
        text.contains("McNemar p = ") && text.contains("won by both"),
        "{text}"
    );
}

/// Interrupts a run that would take for ever, then goes on with it.
#[cfg(unix)]
#[test]
fn interrupted_runs_say_how_to_go_on() {
    let file = absent("simulate-interrupt.csv");
    let mut child = command(&[&GREEDY[..], &["--games", "1000000000", "--output", &file]].concat())
        .args(["--threads", "1"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // The first games are written when the program listens to signals.
    let lines = || fs::read_to_string(&file).map_or(0, |text| text.lines().count());
    assert!(wait_until(&mut child, || lines() >= 5));
    let sent = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(sent.expect("kill runs").success());
    let (status, out, err) = read(&child.wait_with_output().expect("it ends"));
    assert_eq!(status, 130, "{err}");
    assert!(
        err.contains("interrupted after") && err.contains(&file),
        "{err}"
    );
    assert!(out.contains("games won"), "{out}");
    let done = fs::read_to_string(&file)
        .expect("the games")
        .lines()
        .count()
        - 2;
    let games = (done + 50).to_string();
    let resumed = json(&[&GREEDY[..], &["--games", &games, "--output", &file]].concat());
    assert_eq!(resumed, json(&[&GREEDY[..], &["--games", &games]].concat()));
}

/// The trace of an interrupted run holds the games that the summary counts.
#[cfg(unix)]
#[test]
fn an_interrupted_trace_has_the_games_so_far() {
    let file = absent("simulate-interrupt-trace.jsonl");
    let part = format!("{file}.part");
    let long = ["--games", "1000000000", "--threads", "1", "--json"];
    let mut child = command(&[&GREEDY[..], &long, &["--trace", &file]].concat())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let written = || fs::metadata(&part).is_ok_and(|part| part.len() > 0);
    assert!(wait_until(&mut child, written));
    let sent = Command::new("kill")
        .args(["-INT", &child.id().to_string()])
        .status();
    assert!(sent.expect("kill runs").success());
    let (status, out, err) = read(&child.wait_with_output().expect("it ends"));
    assert_eq!(status, 130, "{err}");
    let end = format!("; {file} holds their games; the same command begins again\n");
    assert!(err.ends_with(&end), "{err}");
    let summary: Value = serde_json::from_str(&out).unwrap();
    let lines = fs::read_to_string(&file).unwrap().lines().count();
    assert_eq!(
        (&summary["games"], &summary["complete"]),
        (&lines.into(), &false.into())
    );
}

#[test]
fn information_changes_what_is_known() {
    let run = |option: &[&str]| {
        let arguments = [
            "--player",
            "milas-hop:trajectories=2,rollout=40,limit=30",
            "--games",
            "4",
        ];
        json(&[&arguments[..], option].concat())
    };
    assert_eq!(run(&[]), run(&["--information", "talon-known"]));
    assert_eq!(run(&["--redeals", "1"])[0]["information"], "turned");
    let known = &run(&[])[0];
    let top = &run(&["--information", "waste-top"])[0];
    // It must look through the talon first.
    assert!(top["moves_per_game"].as_f64() > known["moves_per_game"].as_f64());
}

#[test]
fn bad_input_is_one_line_and_status_2() {
    let player = ["--player", "random"];
    for (arguments, part) in [
        (&[][..], "--player"),
        (&["--player", "nobody"], "no player `nobody`"),
        (
            &["--player", "yan:level=99"],
            "level must be a number from 0 to 9",
        ),
        (&["--compare", "random"], "two players with a comma"),
        (&["--compare", "random,nobody"], "no player `nobody`"),
        (&["--compare", "random:limit=3,x=4,yan"], "x"),
        (&["--output", "/dev/null"], "no regular file"),
        (&["--output", "-"], "no regular file"),
        (
            &["--player", "tree:iterations=5,seconds=1"],
            "without iterations",
        ),
        (&["--compare", "nobody,random"], "no player `nobody`"),
        (&["--games", "0"], "'0'"),
        (&["--information", "all"], "`all` is no information option"),
        (&["--scheme", "xyz"], "xyz"),
        (&["--confidence", "1"], "above 0 and below 1"),
        (&["--ranks", "12", "--scheme", "solvitaire"], "klondike:N"),
        (&["--threads", "0"], "'0'"),
    ] {
        let both = arguments
            .iter()
            .any(|&word| word == "--player" || word == "--compare");
        let before = if both || arguments.is_empty() {
            &[][..]
        } else {
            &player[..]
        };
        let (status, out, err) = klondike(&[before, arguments].concat());
        assert_eq!((status, out.as_str()), (2, ""), "{arguments:?}: {err}");
        assert_eq!(err.lines().count(), 1, "{err}");
        assert!(err.contains(part), "{arguments:?}: {err}");
    }
    let (status, _, err) =
        klondike(&[&player[..], &["--output", "/no/such/folder/x.csv"]].concat());
    assert_eq!(status, 1);
    assert!(err.contains("cannot write /no/such/folder/x.csv"), "{err}");
    let (status, out, _) = klondike(&["--list-players"]);
    assert_eq!(status, 0);
    assert!(
        out.lines().count() > 10 && out.contains("milas-mcts"),
        "{out}"
    );
}

/// A player of other rules may lose every game; who meant its paper's rules learns their name.
#[test]
fn players_of_other_rules_are_named() {
    let note = "The paper of yan has other rules: --rules yan\n";
    let few = ["--games", "5"];
    let words = |args: &[&str]| klondike(&[args, &few].concat()).1;
    assert!(words(&["--player", "yan"]).contains(note));
    assert!(!words(&["--player", "yan", "--rules", "yan", "--draw", "1"]).contains("other rules"));
    let both = words(&["--compare", "bjarnason-greedy,yan:level=0"]);
    assert!(
        both.contains("The paper of yan:level=0 has") && both.matches("other rules").count() == 1
    );
    let answer = |args: &[&str]| json(&[args, &few].concat())[0]["rule_set"].clone();
    assert_eq!(answer(&["--player", "yan"]), "yan");
    assert_eq!(answer(&["--player", "yan", "--rules", "yan"]), Value::Null);
    let (_, list, _) = klondike(&["--list-players"]);
    assert!(list.contains("waste=N, oracle=yes|no\n                     --rules yan\n"));
    let swept = common_cli::command(&[
        "sweep", "--player", "yan", "--vary", "waste=0", "--games", "5",
    ]);
    assert!(read(&{ swept }.output().unwrap()).1.contains(note));
}

/// A trace has the games that the summary counts; its moves lead from the deal to its numbers.
#[test]
fn a_trace_has_every_move_of_every_game() {
    let file = absent("simulate-trace.jsonl");
    let play = |more: &[&str]| {
        let run = [&GREEDY[..], &["--games", "30", "--trace", &file], more].concat();
        let (status, out, err) = klondike(&[&run[..], &["--json"]].concat());
        assert_eq!((status, err.as_str()), (0, ""));
        let summary: Value = serde_json::from_str(out.lines().next().unwrap()).unwrap();
        let text = fs::read_to_string(&file).unwrap();
        let games = text.lines().map(|line| serde_json::from_str(line).unwrap());
        (summary, games.collect::<Vec<Value>>())
    };
    let (summary, games) = play(&[]);
    let numbers = |game: &Value, name: &str| -> Vec<u64> {
        let list = game[name].as_array().unwrap().iter();
        list.map(|number| number.as_u64().unwrap()).collect()
    };
    let won = |game: &&Value| game["result"] == "won";
    assert_eq!(summary["wins"], games.iter().filter(won).count());
    let mut moves = 0;
    for (number, game) in games.iter().enumerate() {
        assert_eq!(game["deal"], format!("klondike:{}", number + 1));
        let count = game["line"]["moves"].as_array().unwrap().len();
        moves += count;
        let [foundation, down, talon] =
            ["foundation", "face_down", "talon"].map(|name| numbers(game, name));
        assert_eq!((foundation[0], down[0], talon[0]), (0, 21, 24));
        assert_eq!([foundation.len(), down.len(), talon.len()], [count + 1; 3]);
        assert_eq!(won(&game), *foundation.last().unwrap() == 52);
        assert!(down.is_sorted_by(|a, b| a >= b) && talon.is_sorted_by(|a, b| a >= b));
        assert!(game["line"]["moves"][0].get("board").is_none());
    }
    assert_eq!(
        summary["moves_per_game"].as_f64(),
        Some(moves as f64 / 30.0)
    );
    // The line of a won game is a solution; other commands read it.
    let game = games.iter().find(won).unwrap();
    let (deal, line) = (&game["deal"], &game["line"]["text"]);
    let args = [
        "analyse",
        "--rules",
        "kortsmit",
        "--game",
        line.as_str().unwrap(),
        deal.as_str().unwrap(),
    ];
    let (status, out, _) = read(&{ common_cli::command(&args) }.output().unwrap());
    assert!(status == 0 && out.contains("won"), "{out}");
    // The same for any number of threads, and with the positions.
    assert_eq!(play(&["--threads", "3"]).1, games);
    let (_, boards) = play(&["--boards"]);
    let last = boards[0]["line"]["moves"]
        .as_array()
        .unwrap()
        .last()
        .unwrap();
    let up: u64 = numbers(&last["board"], "foundations").iter().sum();
    assert_eq!(Some(&up), numbers(&boards[0], "foundation").last());
    let (status, _, err) = klondike(&[&GREEDY[..], &["--boards"]].concat());
    assert!(status == 2 && err.contains("--trace"), "{err}");
}
