//! `klondike advise` run as a program: ranked moves, the same answer every time, and positions that
//! are wrong.

use serde_json::Value;

use crate::common_cli::{Ran, read, with_input};

fn advise(arguments: &[&str], input: &str) -> Ran {
    read(&with_input(
        &[&["advise"], arguments].concat(),
        input.as_bytes(),
    ))
}

/// A position with too few unknown cards.
const POSITION: &str = "\
foundations: C2 D3 HA S0
waste: 9C KD
stock: 5S JH 4C # the card drawn first first
1: KC QH JC TH
2: ?? 9S
3: ?? ?? 6D
4: KS QD JS TD
5: ?? <??> 8C 7D
6: TC 9D
7: ?? ?? QC
";

#[test]
fn moves_are_ranked_and_the_answer_repeats() {
    let arguments = ["--iterations", "60", "solvitaire:3"];
    let (status, text, error) = advise(&arguments, "");
    assert_eq!((status, error.as_str()), (0, ""));
    assert!(text.starts_with(" 1. draw"), "{text}");
    assert!(text.contains("orders of the hidden cards drawn"), "{text}");
    assert_eq!(advise(&arguments, "").1, text);
    let (_, json, _) = advise(&["--json", "--iterations", "60", "solvitaire:3"], "");
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["verdict"], "open");
    let moves = json["moves"].as_array().unwrap();
    assert_eq!(moves.len(), text.lines().count() - 1);
    let visits = |i: usize| moves[i]["visits"].as_u64().unwrap();
    for (i, one) in moves.iter().enumerate() {
        let number = |value: &Value| value.as_f64().unwrap();
        let interval = &one["interval"];
        assert!(number(&interval["low"]) <= number(&one["chance"]));
        assert!(number(&one["chance"]) <= number(&interval["high"]));
        assert!(i == 0 || visits(i) <= visits(i - 1));
    }
    assert!(json["worlds_not_lost"].as_u64() <= json["worlds_drawn"].as_u64());
}

/// The move ranked first is the one tried most. Where another one has a higher chance, a line says
/// so, and nowhere else.
#[test]
fn a_higher_chance_than_that_of_the_first_move_is_named() {
    let chance = |line: &str| {
        let before = line.split(" %").next().unwrap();
        before
            .split(' ')
            .next_back()
            .unwrap()
            .parse::<u32>()
            .unwrap()
    };
    for (deal, wanted) in [
        (
            "klondike:1",
            Some("move 1 is the one tried most; the highest chance is that of move 2, tried "),
        ),
        ("klondike:2", None),
    ] {
        let (_, text, _) = advise(&["--iterations", "60", deal], "");
        let lines: Vec<&str> = text.lines().collect();
        let said = lines.iter().find(|line| line.starts_with("move 1 "));
        assert_eq!(said.is_some(), wanted.is_some(), "{text}");
        assert!(
            said.is_none_or(|said| said.starts_with(wanted.unwrap())),
            "{text}"
        );
        assert_eq!(
            chance(lines[1]) > chance(lines[0]),
            wanted.is_some(),
            "{text}"
        );
    }
}

/// The same position with all face-down cards written out gives the same advice: nobody looks at
/// them.
#[test]
fn cards_that_lie_face_down_are_not_looked_at() {
    let known = "stock: 3C 2D\nfoundations: C2 D0 H1 S0\n\
                 1: 4S 3H 2S\n2: <AS> <AD> 3S 2H\n3: <4C> <3D> 4H\n4: 4D\n";
    let rules = [
        "--ranks",
        "4",
        "--piles",
        "3,4,3,1",
        "--draw",
        "1",
        "--iterations",
        "40",
        "-",
    ];
    let first = advise(&rules, known);
    assert_eq!((first.0, first.2.as_str()), (0, ""), "{}", first.1);
    for other in [
        known
            .replace("<AS> <AD>", "?? ??")
            .replace("<4C> <3D>", "?? ??"),
        known
            .replace("<AS>", "<3D>")
            .replace("<4C> <3D>", "<4C> <AS>"),
    ] {
        assert_eq!(advise(&rules, &other), first);
    }
}

/// Which card a move turns up is not known, also where the program filled one in.
#[test]
fn moves_do_not_name_the_card_that_they_turn_up() {
    let json = advise_json(&["--iterations", "1", "solvitaire:1"], "");
    assert_eq!(json["moves"][0]["line"]["text"], "AH:6>F");
    for one in json["moves"].as_array().unwrap() {
        for made in one["line"]["moves"].as_array().unwrap() {
            assert_eq!(made["turns_up"], Value::Null, "{made}");
        }
    }
}

#[test]
fn open_positions_are_solved() {
    let text = "foundations: C3 D4 H4 S4\n1: 4C\n2:\n3:\n";
    let rules = ["--ranks", "4", "--piles", "3,3,3", "-"];
    let (status, out, error) = advise(&rules, text);
    assert_eq!((status, error.as_str()), (0, ""));
    assert_eq!(out, "nothing is hidden any more; this wins:\n4C:1>F\n");
    let won = "foundations: C4 D4 H4 S4\n1:\n2:\n3:\n";
    assert_eq!(advise(&rules, won).0, 0);
}

/// Partial runs would win the first of these and win the second by another line.
#[test]
fn open_positions_of_whole_runs_are_solved_as_they_are() {
    let lost = "foundations: C9 D8 H11 S11\nwaste: 9D QC KD KC QD TD\nstock: KH TC\n\
        1: QS JD\n2:\n3: KS QH JC\n";
    let rules = "--draw 4 --no-worrying-back --runs whole --spaces any --piles 1,1,1 -";
    let rules: Vec<&str> = rules.split(' ').collect();
    let (_, out, error) = advise(&rules, lost);
    assert_eq!(
        (out.as_str(), error.as_str()),
        ("lost, whatever the hidden cards are\n", "")
    );
    let won = "foundations: C1 D0\nwaste: 2D 4D AD\nstock:\n1: <2C> 3C\n2:\n3: 4C 3D\n";
    let rules =
        "--draw 3 --worrying-back --runs whole --spaces any --suits 2 --ranks 4 --piles 1,1,1 -";
    let rules: Vec<&str> = rules.split(' ').collect();
    let (status, out, error) = advise(&rules, won);
    assert_eq!((status, error.as_str()), (0, ""));
    assert!(
        out.starts_with("nothing is hidden any more; this wins:\n"),
        "{out}"
    );
}

/// Where cards are hidden, it is said what the figures are of.
#[test]
fn figures_of_whole_runs_are_said_to_be_those_of_partial_ones() {
    let (_, out, _) = advise(&["--rules", "yan", "--iterations", "20", "klondike:1"], "");
    assert!(
        out.ends_with("those of partial runs, which allow more than whole ones\n"),
        "{out}"
    );
}

fn advise_json(arguments: &[&str], input: &str) -> Value {
    let (status, out, error) = advise(&[&["--json"], arguments].concat(), input);
    assert_eq!((status, error.as_str()), (0, ""));
    serde_json::from_str(&out).unwrap()
}

/// A pile of face-down cards of which only one order in very many can be won: all that are drawn
/// are lost, which proves nothing of the others.
#[test]
fn a_sample_without_hope_is_no_proof() {
    let hidden = "foundations: C13 D12 H12 S1\n1: ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? ?? 2S\n\
                  2: ?? KH\n3:\n4:\n5:\n6:\n7:\n";
    let mut known = String::from("foundations: C13 D12 H12 S1\n1:");
    for rank in ["K", "Q", "J", "T", "9", "8", "7", "6", "5", "4", "3"] {
        known += &format!(" <{rank}S>");
    }
    known += " 2S\n2: <KD> KH\n3:\n4:\n5:\n6:\n7:\n";
    let rules = ["--no-worrying-back", "--iterations", "40", "-"];
    let json = advise_json(&rules, hidden);
    assert_eq!(json["verdict"], "hopeless");
    assert_eq!(json["moves"].as_array().unwrap().len(), 0);
    assert_eq!(json["worlds_drawn"], 4_000);
    assert_eq!(json["worlds_not_lost"], 0);
    let most = json["chance_at_most"].as_f64().unwrap();
    assert!(most > 0.000_5 && most < 0.002, "{most}");
    let (_, text, _) = advise(&rules, hidden);
    assert!(text.starts_with("hopeless: all of 4,000 orders"), "{text}");
    // The truth, which nobody looks at, is one that is won.
    assert_eq!(advise_json(&rules, &known), json);
    let solved = with_input(
        &["solve", "--quiet", "--no-worrying-back", "-"],
        known.as_bytes(),
    );
    assert_eq!(read(&solved), (0, "winnable\n".to_owned(), String::new()));
}

#[test]
fn positions_without_a_move_are_unwinnable() {
    let text = "foundations: C0 D0 H0 S0\n1: ?? ?? 2S\n2: ?? ?? 2H\n3: 2C\n4: 2D\n";
    let json = advise_json(&["--ranks", "2", "--piles", "3,3,1,1", "-"], text);
    assert_eq!(json["verdict"], "unwinnable", "{json}");
    assert!(json.get("chance_at_most").is_none(), "{json}");
}

/// What was not tried has no chance; a single move is tried for its chance.
#[test]
fn chances_are_of_moves_that_were_tried() {
    let json = advise_json(&["--iterations", "1", "solvitaire:1"], "");
    let moves = json["moves"].as_array().unwrap();
    assert!(moves.len() > 1);
    for one in moves {
        let tried = one["visits"].as_u64().unwrap() > 0;
        assert_eq!(one["chance"].is_number(), tried);
        assert_eq!(one["interval"].is_object(), tried);
    }
    assert_eq!(
        moves.iter().filter(|one| one["chance"].is_number()).count(),
        1
    );
    let (_, text, _) = advise(&["--iterations", "1", "solvitaire:1"], "");
    assert_eq!(text.matches("not tried\n").count(), moves.len() - 1);

    let arguments = ["--iterations", "200", "solvitaire:29"];
    let json = advise_json(&arguments, "");
    let moves = json["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 1);
    assert!(moves[0]["chance"].as_f64().unwrap() > 0.05);
    let (_, text, _) = advise(&arguments, "");
    assert!(text.contains("there is no other move\n"), "{text}");
}

/// A move that was tried once has a wide interval.
#[test]
fn intervals_are_as_wide_as_tries_are_few() {
    let json = advise_json(&["--iterations", "400", "solvitaire:1"], "");
    let width = |one: &Value| {
        let end = |name: &str| one["interval"][name].as_f64().unwrap();
        end("high") - end("low")
    };
    let moves = json["moves"].as_array().unwrap();
    for one in moves {
        match one["visits"].as_u64().unwrap() {
            0 => {}
            1..10 => assert!(width(one) > 0.4, "{one}"),
            _ => assert!(width(one) > 0.1, "{one}"),
        }
    }
    assert!(width(&moves[0]) < 0.3, "{}", moves[0]);
}

#[test]
fn impossible_positions_are_refused_with_the_reason() {
    for (text, message) in [
        ("1: ??\n", "pile 2 is missing"),
        (POSITION, "the number of unknown cards (`??`) is 7, but"),
        (
            &POSITION
                .replace("9S", "?? 9S")
                .replace("?? ?? 6D", "?? 6D ??"),
            "line 6: an unknown card (`??`) lies on a face-up one",
        ),
        (
            "stock: 5X\n",
            "standard input: line 1: stock, card 1: `5X` is not a card",
        ),
        ("", "standard input: no deal in it: it is empty"),
    ] {
        let (status, out, error) = advise(&["-"], text);
        assert_eq!((status, out.as_str()), (1, ""), "{text}");
        assert!(
            error.starts_with("klondike: error: ") && error.contains(message),
            "{error}"
        );
        assert_eq!(error.lines().count(), 1);
    }
    let talon = "foundations: C3 D4 H4 S3\nstock: ?? ??\n1:\n2:\n3:\n";
    let (status, _, error) = advise(&["--ranks", "4", "--piles", "3,3,3", "-"], talon);
    assert_eq!(status, 1);
    assert!(
        error.contains("2 cards of the stock and the waste are unknown"),
        "{error}"
    );
    let (status, _, error) = advise(&["--piles", "1,1,1", "klondike:1"], "");
    assert_eq!(status, 2);
    assert!(error.contains("the layout is too large"), "{error}");
    // What lies on the waste was seen.
    let waste = "foundations: C3 D4 H4 S3\nwaste: ??\nstock: ??\n1:\n2:\n3:\n";
    let vegas = [
        "--rules", "vegas1", "--ranks", "4", "--piles", "3,3,3", "--goal", "money", "-",
    ];
    let (status, _, error) = advise(&vegas, waste);
    assert_eq!(status, 1);
    assert!(
        error.contains("2 cards of the stock and the waste are unknown"),
        "{error}"
    );
    let (status, _, error) = advise(&["solvitaire:1..3"], "");
    assert_eq!(status, 2);
    assert!(error.contains("advice is for one position"), "{error}");
    let (status, _, error) = advise(&["no-such-file"], "");
    assert_eq!(status, 1);
    assert!(error.contains("`no-such-file`: no such file"), "{error}");
}

/// A game on a phone: pictures may be typed in, and commands that need all cards say what to do.
#[test]
fn unknown_cards_are_for_advise_and_others_say_so() {
    let phone = "datasets/examples/phone.txt";
    let run = |arguments: &[&str]| {
        let mut command = crate::common_cli::command(arguments);
        let root = env!("CARGO_MANIFEST_DIR");
        read(&crate::common_cli::feed(command.current_dir(root), b""))
    };
    for command in ["solve", "play", "analyse", "grade"] {
        let (status, _, error) = run(&[command, "--draw", "1", phone]);
        assert_eq!(status, 1, "{command}");
        let wanted = "21 cards are not known (`??`); with unknown cards use `advise`: \
            klondike advise datasets/examples/phone.txt --draw 1\n";
        assert!(error.ends_with(wanted), "{error}");
    }
    // An unknown stock is no hindrance where a person would not have seen it either.
    let text = std::fs::read_to_string(format!("{}/{phone}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    let (_, piles) = text.split_once("\n1:").unwrap();
    let unseen = format!("stock:{}\n1:{piles}", " ??".repeat(24));
    let (status, _, error) = run(&["solve", "--rules", "vegas3", &unseen]);
    assert_eq!(status, 1);
    assert!(
        error.contains("45 cards are not known (`??`); with"),
        "{error}"
    );
    let (status, _, error) = run(&["solve", &unseen]);
    assert_eq!(status, 1);
    assert!(error.contains("look through them once"), "{error}");

    let (status, advice, error) = run(&["advise", phone, "--iterations", "30"]);
    assert_eq!((status, error.as_str()), (0, ""));
    // The picture shows what is not known, and says the same when it is read back.
    let (_, picture, _) = run(&["deal", phone]);
    assert!(picture.contains("\n  4C   ??   ??   ??"), "{picture}");
    let again = read(&with_input(
        &["advise", "-", "--iterations", "30"],
        picture.as_bytes(),
    ));
    assert_eq!(
        (again.0, again.1.as_str()),
        (0, advice.as_str()),
        "{}",
        again.2
    );
    // So do all formats that have words for cards: a board of PySol, a line of cards.
    let (_, line, _) = run(&["deal", "--to", "row-order", phone]);
    assert!(line.starts_with("4C ?? "), "{line}");
    let (_, known, _) = run(&["deal", "--to", "pysol", "klondike:1"]);
    let mut board = String::new();
    for word in known.split_inclusive([' ', '\n']) {
        match word.starts_with('<') {
            true => board.push_str("?? "),
            false => board.push_str(word),
        }
    }
    for text in [line, board] {
        let (status, _, error) = read(&with_input(&["solve", "-"], text.as_bytes()));
        assert_eq!(status, 1);
        let wanted = "(`??`); with unknown cards use `advise`: klondike advise -\n";
        assert!(error.ends_with(wanted), "{error}");
        let arguments = ["advise", "-", "--iterations", "10"];
        let (status, advice, error) = read(&with_input(&arguments, text.as_bytes()));
        assert_eq!((status, error.as_str()), (0, ""));
        assert!(
            advice.contains("orders of the hidden cards drawn"),
            "{advice}"
        );
    }
    // As JSON they are said to be unknown; a format without a sign for them says which has one.
    let (_, json, _) = run(&["deal", "--json", phone]);
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        json["board"]["piles"][2]["face_down"],
        serde_json::json!(["??", "??"])
    );
    let (status, _, error) = run(&["deal", "--to", "solvitaire", phone]);
    assert_eq!(status, 1);
    let wanted = "the format solvitaire cannot hold the cards that are not known here (`??`); \
        these can: klondike, picture, row-order\n";
    assert!(error.ends_with(wanted), "{error}");
    // The file of a picture shows the backs of cards that are not known, and says no verdict.
    let place = std::path::PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("phone.svg");
    let (status, _, error) = run(&["deal", "--svg", place.to_str().unwrap(), phone]);
    assert_eq!(status, 0, "{error}");
    let picture = std::fs::read_to_string(place).unwrap();
    assert!(picture.contains(": some cards are not known"));
    assert_eq!(
        picture.matches("class=\"d\"").count(),
        22,
        "21 of piles and the stock"
    );
    // The picture with all cards is a deal for every command.
    let (_, picture, _) = run(&["deal", "klondike:10", "solvitaire:1"]);
    let (status, out, error) = read(&with_input(&["solve", "-q", "-"], picture.as_bytes()));
    assert_eq!(
        (status, out.as_str(), error.as_str()),
        (0, "winnable\nunwinnable\n", "")
    );
}

/// The line that other commands print for unknown cards can be pasted, whatever the argument was.
#[cfg(unix)]
#[test]
fn the_line_for_unknown_cards_works_in_shells() {
    use std::process::Command;

    let root = env!("CARGO_MANIFEST_DIR");
    let phone = std::fs::read_to_string(format!("{root}/datasets/examples/phone.txt")).unwrap();
    let folder = crate::common_cli::folder("advise-line");
    std::fs::write(folder.join("-it's one.txt"), &phone).unwrap();
    let program = std::path::Path::new(env!("CARGO_BIN_EXE_klondike"));
    let path = format!("{}:/usr/bin:/bin", program.parent().unwrap().display());
    for arguments in [
        vec!["solve", phone.as_str()],
        vec!["solve", "--", "-it's one.txt"],
    ] {
        let mut command = crate::common_cli::command(&arguments);
        let (status, _, error) = read(&crate::common_cli::feed(command.current_dir(&folder), b""));
        assert_eq!((status, error.lines().count()), (1, 1), "{error}");
        let (_, line) = error.split_once("use `advise`: ").unwrap();
        for shell in ["bash", "zsh"] {
            let run = Command::new(shell)
                .args(["-c", &format!("{} --iterations 10", line.trim_end())])
                .current_dir(&folder)
                .env("PATH", &path)
                .output();
            let Ok(run) = run else {
                continue; // no such shell here
            };
            let (status, advice, error) = read(&run);
            assert_eq!((status, error.as_str()), (0, ""), "{shell}: {line}");
            assert!(advice.contains("orders of the hidden cards"), "{advice}");
        }
    }
    // Where `advise` can say nothing, no line is shown.
    let stock = phone.lines().find(|line| line.starts_with("stock:"));
    let unknown = format!("stock:{}", " ??".repeat(24));
    let hidden = phone.replacen(stock.unwrap(), &unknown, 1);
    let (status, _, error) = read(&with_input(&["solve", "-"], hidden.as_bytes()));
    assert_eq!(status, 1);
    let wanted = "24 cards of the stock and the waste are unknown";
    assert!(error.contains(wanted), "{error}");
    assert!(!error.contains("klondike advise"), "{error}");
}

/// With limited redeals a stock may have one card less than without a limit.
#[test]
fn the_limit_of_the_stock_is_the_one_of_the_rules() {
    let refused =
        |rules: &[&str]| advise(&[&["--iterations", "1", "klondike:1"], rules].concat(), "").2;
    let error = refused(&["--piles", "20", "--redeals", "2"]);
    assert!(error.contains("more than 31 cards in stock"), "{error}");
    assert_eq!(refused(&["--piles", "20"]), "");
    let error = refused(&["--piles", "19"]);
    assert!(error.contains("more than 32 cards in stock"), "{error}");
}

/// For money moves have a worth and no chance, and a stock that was not turned yet is not looked
/// at: its cards may be known, others, or unknown.
#[test]
fn advice_for_money_does_not_look_at_the_stock() {
    let known = "foundations: C0 D0 H0 S0\n\
        stock: QC TH 2S 4S 9C 6C JD QD KH TS 6H 7H 7C KC 8H 3H 8D KD 9D 9S AD AC 2C 4H\n1: 9H\n2: <KS> JS\n3: <TC> <7D> 8S\n4: <AH> <QH> <7S> QS\n\
        5: <AS> <8C> <3S> <5D> 5C\n6: <6S> <5S> <2H> <2D> <JC> JH\n\
        7: <5H> <3C> <4C> <3D> <TD> <6D> 4D\n";
    let (before, rest) = known.split_once("QC TH").unwrap();
    let other = format!("{before}TH QC{rest}");
    let mut unknown = String::new();
    for line in known.replace("<", " <").lines() {
        let hides = |word: &&str| line.starts_with("stock") && !word.ends_with(':');
        let words = line.split_whitespace().map(|word| {
            if hides(&word) || word.starts_with('<') {
                "??"
            } else {
                word
            }
        });
        unknown.push_str(&words.collect::<Vec<_>>().join(" "));
        unknown.push('\n');
    }
    for rules in ["vegas1", "vegas3"] {
        let arguments = [
            "--rules",
            rules,
            "--goal",
            "money",
            "--iterations",
            "100",
            "--json",
            "-",
        ];
        let [known, other, unknown] = [known, &other, &unknown].map(|text| {
            let (status, json, error) = advise(&arguments, text);
            assert_eq!((status, error.as_str()), (0, ""));
            json
        });
        assert_eq!(known, other);
        assert_eq!(known, unknown);
        let json: Value = serde_json::from_str(&known).unwrap();
        assert_eq!(
            (&json["verdict"], json["worth_now"].as_f64()),
            (&"open".into(), Some(-52.0))
        );
        let number = |value: &Value| value.as_f64().unwrap();
        let moves = json["moves"].as_array().unwrap();
        assert_eq!(number(&json["worth"]), number(&moves[0]["worth"]));
        for one in moves.iter().filter(|one| one["visits"] != 0) {
            assert!(one["chance"].is_null());
            let interval = &one["worth_interval"];
            assert!(number(&interval["low"]) <= number(&one["worth"]));
            assert!(number(&one["worth"]) <= number(&interval["high"]));
        }
    }
    // Nothing is left to gain: put up what can go up, and end the game.
    let last = "foundations: C2 D0 H0 S0\n1: 4D 3C\n2: <4C> <AD> <2D> <3D> <AH> 4S\n\
        3: <2H> <3H> <AS> <2S> <3S> 4H\n";
    let over = last.replace("C2", "C3").replace(" 3C", "");
    let rules = [
        "--rules", "vegas1", "--ranks", "4", "--piles", "2,6,6", "--goal", "money", "-",
    ];
    for (position, ending) in [(last, " after these moves:\n3C:1>F\n"), (&over, " here\n")] {
        let wanted = format!("no move is worth more than -1: end the game{ending}");
        assert_eq!(advise(&rules, position), (0, wanted, String::new()));
        let json = advise_json(&rules, position);
        assert_eq!(
            (&json["verdict"], json["worth"].as_f64()),
            (&"end".into(), Some(-1.0))
        );
        assert_eq!(json["worth_now"], json["worth"]);
    }
}
