//! `klondike play` run as a program, through a pipe: moves, undo, hints, the truth, saved games,
//! and what is refused.

use std::io::{Read as _, Write as _};
use std::process::{Command, Stdio};

use crate::common_cli;
use crate::common_cli::{Ran, folder, read};

fn play(arguments: &[&str], input: &str) -> Ran {
    read(&common_cli::with_input(
        &[&["play"], arguments].concat(),
        input.as_bytes(),
    ))
}

fn good(arguments: &[&str], input: &str) -> String {
    let (status, out, error) = play(arguments, input);
    assert_eq!((status, error.as_str()), (0, ""), "{out}");
    out
}

#[test]
fn moves_are_made_and_taken_back() {
    let start = good(&["solvitaire:3"], "");
    assert!(start.starts_with("solvitaire:3\n"));
    assert!(start.contains("\ndraw 3   move 0   pass 1   redeals unlimited\n"));
    assert!(start.contains("stock: 24\nwaste: -\n"), "{start}");
    let board = start.split("\n\n").nth(2).unwrap();
    assert!(board.contains("??") && !board.contains('('), "{board}");
    let drawn = good(&["solvitaire:3"], "d\n");
    assert!(drawn.contains("stock: 21\nwaste: 8H QD [2C]\n"), "{drawn}");
    let undone = good(&["solvitaire:3"], "d\nu\nu\nq\n");
    assert!(undone.contains("There is nothing to undo."), "{undone}");
    assert_eq!(undone.matches("stock: 24").count(), 2);
    // A whole pass through the talon, and the waste turned back.
    let words = "d ".repeat(9);
    let round = good(&["solvitaire:3"], &words);
    assert!(round.contains("redeals used: 1"), "{round}");
    let again = good(&["solvitaire:3"], "d\nu\nr\nr\n");
    assert_eq!(again.matches("stock: 21").count(), 2);
    assert!(again.contains("There is nothing to redo."), "{again}");
    let wrong = good(&["solvitaire:3"], "4>5 d\n9X:1>2\nxyzzy\n");
    assert_eq!(wrong.matches("is no move here").count(), 3, "{wrong}");
    assert!(
        !wrong.contains("stock: 21"),
        "what follows a wrong word is not done"
    );
}

/// The solution of a deal, typed in, wins; the last hint is the same line.
#[test]
fn a_solution_typed_in_wins() {
    let solve = common_cli::klondike(&["solve", "--json", "--draw", "1", "klondike:5"]);
    let json: serde_json::Value = serde_json::from_slice(&solve.stdout).unwrap();
    let moves = json["solution"]["text"].as_str().unwrap();
    let out = good(&["klondike:5", "--draw", "1"], moves);
    assert!(out.contains("You have won in "), "{out}");
    let words: Vec<&str> = moves.split(' ').collect();
    let almost = words[..words.len() - 1].join(" ");
    let out = good(&["klondike:5", "--draw", "1"], &format!("{almost}\nt\nh\n"));
    assert!(out.contains("It can still be won.\n"), "{out}");
    assert!(out.contains("All cards are up: e ends the game by itself.\n"));
    let hint = out
        .lines()
        .find(|line| line.contains("(this wins)"))
        .unwrap();
    assert!(hint.contains(words[words.len() - 1]), "{hint}");
}

/// Deals come from arguments and files in turn, and others by chance after the last one.
#[test]
fn the_next_deal_begins() {
    let file = folder("play-next").join("deals.txt");
    std::fs::write(&file, "klondike:8\n").unwrap();
    let path = file.to_str().unwrap();
    let out = good(&["solvitaire:3", path], "d n e\nn\nq\n");
    assert!(out.starts_with("solvitaire:3\n"), "{out}");
    assert!(out.contains("> klondike:8\n"), "{out}");
    assert!(out.contains("Some cards are still face down.\n"), "{out}");
    assert!(
        out.lines().any(|line| line.starts_with("> klondike:")),
        "{out}"
    );
}

#[test]
fn hints_are_ranked_and_the_truth_is_said_on_request_only() {
    let arguments = ["solvitaire:3", "--iterations", "60"];
    let one = good(&arguments, "h\n");
    let all = good(&arguments, "a\n");
    assert_eq!(one.matches("% to win").count(), 1);
    assert!(all.matches("% to win").count() > 1, "{all}");
    assert!(!all.contains("It can"), "{all}");
    let shown = good(&arguments, "t\n");
    assert!(shown.contains("It can be won.\n"), "{shown}");
    let vegas = good(
        &["solvitaire:3", "--rules", "vegas3", "--iterations", "60"],
        "h\n",
    );
    assert_eq!(vegas.matches(" in Vegas)").count(), 1, "{vegas}");
    let yan = good(
        &["solvitaire:3", "--rules", "yan", "--iterations", "60"],
        "h\n",
    );
    assert_eq!(yan.matches("% to win").count(), 1, "{yan}");
    let wide = good(&["klondike:1", "--piles", "1,1,1"], "h\n");
    assert!(wide.contains("No hints for these rules yet: "), "{wide}");
    assert!(wide.contains("But t says"), "{wide}");
}

#[test]
fn wrong_command_lines_are_refused() {
    for (arguments, message) in [
        (&["solvitaire:3", "--json"][..], "knows no --json"),
        (&["-"][..], "standard input is for your moves"),
        (&["solvitaire:3", "--ranks", "8"][..], "solvitaire:3: "),
        (&["solvitaire:3", "--winnable"][..], "cannot be used with"),
        (
            &["--grade", "11"][..],
            "grades are the numbers from 1 to 10",
        ),
    ] {
        let (status, out, error) = play(arguments, "");
        assert_eq!((status, out.as_str()), (2, ""), "{error}");
        assert!(error.contains(message), "{error}");
    }
}

/// What is printed at the end is a command: it runs as it stands.
#[test]
fn the_moves_are_printed_with_a_command_that_runs() {
    let run = |line: &str| {
        let folder = std::path::Path::new(env!("CARGO_BIN_EXE_klondike"))
            .parent()
            .unwrap();
        let path = std::env::join_paths([folder]).unwrap();
        let output = Command::new("/bin/sh")
            .args(["-c", line])
            .env("PATH", path)
            .output();
        let (status, out, error) = read(&output.unwrap());
        assert_eq!((status, error.as_str()), (0, ""), "{line}: {out}");
        out
    };
    let line = |out: &str| {
        let found = out
            .lines()
            .find(|line| line.starts_with("klondike analyse"));
        found.unwrap_or_else(|| panic!("{out}")).to_owned()
    };
    let out = good(
        &["solvitaire:3", "--draw", "1", "--no-worrying-back"],
        "d d d u q",
    );
    assert!(out.contains("\nsolvitaire:3: 2 moves, 0:"), "{out}");
    let command = line(&out);
    assert_eq!(
        command,
        "klondike analyse --game 'draw*2' solvitaire:3 --draw 1 --no-worrying-back"
    );
    assert!(run(&command).contains("the game: can still be won"));
    // A deal without a number, a position, and a game that is won.
    let deal = common_cli::text(&common_cli::klondike(&[
        "deal",
        "--to",
        "row-order",
        "klondike:5",
    ]));
    let out = good(&[deal.trim()], "d");
    assert!(line(&out).contains(" exact:"), "{out}");
    run(&line(&out));
    let small = "AC 2C 3C 4C | 5C 6C";
    let rules = ["--suits", "1", "--ranks", "6", "--piles", "2,2"];
    let out = good(&[&[small][..], &rules[..]].concat(), "d\n");
    assert!(line(&out).contains("'AC 2C 3C 4C | 5C 6C'"), "{out}");
    run(&line(&out));
    let position = "foundations: C3\nwaste: 4C\nstock: 6C\n1: 5C\n2:\n";
    let out = good(&[&[position][..], &rules[..]].concat(), "wf 11 d wf");
    assert!(out.contains("You have won in 4 moves."), "{out}");
    let start = out.find("klondike analyse").unwrap();
    assert!(run(&out[start..]).contains("the game: can still be won"));
    // Without moves there is nothing to say.
    assert!(!good(&["klondike:5"], "d u q").contains("analyse"));
}

#[test]
fn places_name_moves_as_on_the_screen() {
    let small =
        "foundations: C1 D3 H3 S0\nstock: 4C 4D 4H\nwaste: 2S\n1: 4S\n2: <2C> 3S\n3: <AS> 3C";
    let rules = ["--ranks", "4", "--piles", "1,2,3"];
    let out = good(
        &[&[small][..], &rules[..]].concat(),
        "f1\n3H:F>1 2 1\nu 4\n11 1 esc 1 1\n",
    );
    assert!(out.contains("Which one: 3D:F>1 3H:F>1?"), "{out}");
    assert!(out.contains("There is no such move."), "{out}");
    assert!(out.contains("`4` is no move here"), "{out}");
}

#[test]
fn a_saved_game_goes_on() {
    let path = folder("play-saved").join("my game.txt");
    let file = path.to_str().unwrap();
    let options = ["klondike:5", "--draw", "1", "--save", file];
    let out = good(&options, "d d d");
    let lines = format!("klondike analyse --game '{file}'\n");
    assert!(out.contains(&lines), "{out}");
    assert!(out.contains(&format!("klondike play '{file}'\n")), "{out}");
    let text = std::fs::read_to_string(&path).unwrap();
    let wanted = "deal: klondike:5\nrules: draw=1\nseconds: 0\nmoves: draw*3\n";
    assert!(text.ends_with(wanted), "{text}");
    // It goes on where it was, with its rules, and is saved again.
    let out = good(&[file], "u d d");
    assert!(out.starts_with("klondike:5\n"), "{out}");
    assert!(out.contains("\ndraw 1   move 3   pass 1"), "{out}");
    assert!(
        std::fs::read_to_string(&path)
            .unwrap()
            .contains("moves: draw*4\n")
    );
    // Other commands read it: as the position, and as the game.
    let deal = common_cli::good(&common_cli::klondike(&["deal", "--draw", "1", file]));
    assert!(deal.contains("\nstock: 20 ("), "{deal}");
    let game = common_cli::good(&common_cli::klondike(&["analyse", "--game", file]));
    assert!(game.starts_with("klondike:5: winnable"), "{game}");
    assert!(game.contains("the game: can still be won"), "{game}");
    // What would be lost is not lost.
    for (arguments, message) in [
        (
            &["klondike:6", "--save", file][..],
            "the file is there already",
        ),
        (&[file, "--draw", "3"][..], "is played with other rules"),
    ] {
        let (status, out, error) = play(arguments, "");
        assert_eq!((status, out.as_str()), (2, ""), "{error}");
        assert!(error.contains(message), "{error}");
    }
    let (status, _, error) = read(&common_cli::klondike(&["solve", file]));
    assert_eq!(status, 1);
    assert!(
        error.contains("played with other rules (draw=1)"),
        "{error}"
    );
    // A byte order mark is no text, and what nobody else may read stays so.
    std::fs::write(&path, format!("\u{feff}{text}")).unwrap();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o600)).unwrap();
        assert!(good(&[file], "d").starts_with("klondike:5\n"));
        let mode = std::fs::metadata(&path).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600);
    }
    std::fs::write(&path, text.replace("draw*3", "draw*30")).unwrap();
    let (status, _, error) = play(&[file], "");
    assert_eq!(status, 1, "{error}");
    assert!(
        error.contains("my game.txt: line 5: the moves: token 1 `draw*30`"),
        "{error}"
    );
    let (status, _, error) = play(&["--save", "/nowhere/game.txt"], "");
    assert_eq!(status, 1, "{error}");
    assert!(error.contains("cannot save /nowhere/game.txt"), "{error}");
}

/// The key saves under the name of the deal, and never over another file.
#[test]
fn a_key_saves_the_game_under_the_name_of_its_deal() {
    let folder = folder("play-key");
    let play = |input: &str| {
        let mut command = common_cli::command(&["play", "klondike:5"]);
        command.current_dir(&folder);
        common_cli::good(&common_cli::feed(&mut command, input.as_bytes()))
    };
    assert!(play("d s d").contains("Saved, now and after each move: klondike play klondike-5.txt"));
    assert!(play("s").contains("klondike play klondike-5-2.txt"));
    let saved = std::fs::read_to_string(folder.join("klondike-5.txt")).unwrap();
    assert!(saved.ends_with("moves: draw*2\n"), "{saved}");
}

#[test]
fn deals_by_chance_can_be_chosen() {
    for options in [
        &["--winnable"][..],
        &["--grade", "1..3"],
        &["--grade", "1..3", "--draw", "1"],
        &["--grade", "1..3", "--rules", "vegas3"],
    ] {
        let out = good(options, "t q");
        assert!(out.contains("\n> It can be won.\n"), "{out}");
        let label = out.lines().next().unwrap();
        assert!(label.starts_with("klondike:"), "{out}");
        if options.len() > 1 {
            let arguments = [&["grade", "--quiet", label], &options[2..]].concat();
            let grade = common_cli::good(&common_cli::klondike(&arguments));
            assert!(
                (1..=3).contains(&grade.trim().parse().unwrap()),
                "{label}: {grade}"
            );
        }
    }
}

#[test]
fn a_thoughtful_game_shows_everything() {
    let out = good(&["solvitaire:3", "--thoughtful"], "h m h\nq");
    assert!(out.contains("stock: 24 ("), "{out}");
    assert!(out.contains(" (this wins, with "), "{out}");
    let out = good(&["solvitaire:1", "--thoughtful"], "h");
    assert!(
        out.contains("It cannot be won: cards wait for each other:\n  "),
        "{out}"
    );
    // Under limited redeals, too.
    let out = good(&["solvitaire:2", "--thoughtful", "--rules", "vegas3"], "h");
    assert!(out.contains(" (this wins, with "), "{out}");
}

/// The line is a solution: typed in, it wins.
#[test]
fn a_thoughtful_game_shows_a_line_that_wins() {
    let start = ["solvitaire:3", "--thoughtful"];
    let out = good(&start, "l");
    let (_, shown) = out
        .split_once(" moves that win; h and m show and make the next:\n")
        .unwrap();
    let lines = shown.lines().take_while(|line| line.starts_with("    "));
    let line = lines.collect::<Vec<_>>().join(" ");
    assert!(good(&start, &line).contains("You have won in "), "{line}");
    let lost = good(&["solvitaire:1", "--thoughtful"], "l");
    assert!(lost.contains("It cannot be won: "), "{lost}");
    let hidden = good(&["solvitaire:3"], "l");
    assert!(hidden.contains("only with --thoughtful"), "{hidden}");
}

/// What is said of the record last.
fn standing(out: &str) -> &str {
    let lines = out.lines().rev();
    let mut found = lines.filter_map(|line| line.trim_start_matches("> ").strip_prefix("Record: "));
    found.next().unwrap_or_else(|| panic!("{out}"))
}

/// Games won, left for the next, quit; each deal once, and those with help apart.
#[test]
fn a_record_has_the_share_of_games_won() {
    let file = folder("play-record").join("record.jsonl");
    let record = ["--record", file.to_str().unwrap()];
    let play = |arguments: &[&str], input: &str| good(&[arguments, &record].concat(), input);
    let solve = common_cli::klondike(&["solve", "--json", "--draw", "1", "klondike:5"]);
    let json: serde_json::Value = serde_json::from_slice(&solve.stdout).unwrap();
    let line = json["solution"]["text"].as_str().unwrap();
    let draw1 = ["--draw", "1", "--thoughtful"];
    let of = |deal: &'static str| [&[deal], &draw1[..]].concat();
    // Without a move nothing is played.
    assert!(!play(&of("klondike:5"), "q").contains("Record"));
    assert_eq!(
        standing(&play(&of("klondike:5"), line)),
        "1 of 1 game won, 100 %, 21 to 100 %."
    );
    // Left after a move, and the end of the input is one as well.
    let out = play(&of("klondike:6"), "d\n");
    assert_eq!(
        out.matches("Record: ").count(),
        2,
        "before the game and after it: {out}"
    );
    assert_eq!(standing(&out), "1 of 2 games won, 50 %, 9 to 91 %.");
    // A second try does not count.
    assert_eq!(
        standing(&play(&of("klondike:6"), "d d q")),
        "1 of 2 games won, 50 %, 9 to 91 %."
    );
    // The next deal takes the place of one that was only looked at, and is left itself.
    let out = play(
        &[&of("klondike:7")[..], &["klondike:8"]].concat(),
        "n d h q",
    );
    assert_eq!(
        standing(&out),
        "1 of 3 games won, 33 %, 6 to 79 %; with help 0 of 1."
    );
    // Other games are other records; undo helps where cards are hidden.
    assert_eq!(
        standing(&play(&["klondike:9"], "d u d q")),
        "no game yet; with help 0 of 1."
    );
    assert_eq!(
        standing(&play(&["klondike:10", "--thoughtful"], "d u d q")),
        "0 of 1 game won, 0 %, 0 to 79 %."
    );
    // What is saved is not at its end, unless it is lost.
    let saved = file.with_file_name("game.txt");
    let save = ["--save", saved.to_str().unwrap()];
    let before = std::fs::read_to_string(&file).unwrap();
    let (status, _, _) = self::play(&[&of("klondike:11")[..], &save, &record].concat(), "d q");
    assert_eq!(
        (status, std::fs::read_to_string(&file).unwrap()),
        (0, before)
    );
    // Its file keeps the help, and that all cards were shown.
    let saved = saved.to_str().unwrap();
    let has = |line| std::fs::read_to_string(saved).unwrap().contains(line);
    let on = |mode: &[&str], input| {
        self::play(&[&[saved, record[0], record[1]], mode].concat(), input).1
    };
    on(&["--thoughtful"], "d q");
    assert!(has("\nhelp: cards\n"));
    let begun = std::fs::read(saved).unwrap();
    assert_eq!(standing(&on(&[], "n q")), "no game yet; with help 0 of 1.");
    std::fs::write(saved, begun).unwrap();
    on(&["--thoughtful"], "h q");
    assert!(has("\nhelp: yes\n"));
    // The same number deals other cards to another deck. What is refused has not helped.
    let small = ["--suits", "1", "--ranks", "2", "--piles", "1,1"];
    play(&[&["klondike:12"], &small[..]].concat(), "1f 2f");
    assert_eq!(
        standing(&play(&["klondike:12"], "l\nd q")),
        "0 of 1 game won, 0 %, 0 to 79 %; with help 0 of 1."
    );
    // Nor has a hint that could not be given.
    assert_eq!(
        standing(&play(&["klondike:13", "--piles", "1,1,1"], "d h q")),
        "0 of 1 game won, 0 %, 0 to 79 %."
    );
    // A file of something else is refused before a game.
    let text = std::fs::read_to_string(&file).unwrap();
    assert_eq!(text.lines().count(), 11);
    std::fs::write(&file, text.replacen("\"won\":true", "\"won\":1", 1)).unwrap();
    let (status, out, error) = self::play(&[&of("klondike:5")[..], &record].concat(), "d");
    assert_eq!((status, out.as_str()), (1, ""));
    assert!(error.contains("line 1 is no game of a record") && error.contains("delete it"));
    #[cfg(unix)]
    {
        let (status, _, error) = self::play(&["--record", "/dev/full", "klondike:5"], "d");
        assert_eq!(status, 1);
        assert!(error.contains("not a regular file"), "{error}");
    }
}

/// Ctrl-C records the game as the last line left it: with the help that moved no card.
#[cfg(unix)]
#[test]
fn an_interrupted_game_is_recorded_with_its_help() {
    let file = folder("play-interrupted-record").join("record.jsonl");
    let words = ["play", "--plain", "klondike:5", "--iterations", "10"];
    let record = ["--record", file.to_str().unwrap()];
    let mut child = common_cli::command(&[&words[..], &record].concat())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut out = child.stdout.take().unwrap();
    input.write_all(b"d\nh\n").unwrap();
    // The third prompt stands behind the hint.
    let mut text = Vec::new();
    while text.windows(3).filter(|&end| end == b"\n> ").count() < 3 {
        let mut byte = [0];
        out.read_exact(&mut byte).unwrap();
        text.extend(byte);
    }
    let pid = child.id().to_string();
    let kill = Command::new("kill").args(["-INT", &pid]).status().unwrap();
    assert!(kill.success());
    let mut rest = String::new();
    out.read_to_string(&mut rest).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{rest}");
    assert_eq!(standing(&rest), "no game yet; with help 0 of 1.");
    let rows = std::fs::read_to_string(&file).unwrap();
    assert!(rows.ends_with("\"helped\":true}\n") && rows.lines().count() == 1);
}

/// Only a file with a game is one to go on with.
#[test]
fn a_file_of_something_else_is_not_advised() {
    let file = common_cli::folder("play-other").join("notes.txt");
    std::fs::write(&file, "milk, bread\n").unwrap();
    let name = file.display().to_string();
    let (status, _, error) = play(&["klondike:6", "--save", &name], "");
    assert_eq!(status, 2);
    assert!(
        error.ends_with("the file is there already; name another\n"),
        "{error}"
    );
    let doubled = "deal: klondike:5\nrules: draw=1 draw=3\nmoves: draw\n";
    std::fs::write(&file, doubled).unwrap();
    let (status, _, error) = play(&[&name], "");
    assert_eq!(status, 1);
    assert!(error.contains("`draw` is there a second time"), "{error}");
}
