//! The published and printed solutions in the notations of three other programs.

use std::sync::Arc;

use klondike_game::card::Card;
use klondike_game::deal::Deal;
use klondike_game::rules::Rules;
use klondike_game::table::notation::{Counts, Notation};
use klondike_game::table::{Move, Table};
use serde_json::Value;

use crate::common;
use crate::rows::each_row;

struct Line {
    start: Table,
    json: Value,
}

impl Line {
    fn text(&self, notation: Notation) -> &str {
        let key = match notation {
            Notation::Minimal => "minimal_klondike",
            Notation::KlondikeSolver => "klondike_solver",
            Notation::Lonelybot => "lonelybot_standard",
            other => panic!("{other} is not in the file"),
        };
        self.json[key].as_str().unwrap()
    }

    fn count(&self, key: &str) -> usize {
        self.json["counts"][key].as_u64().unwrap() as usize
    }
}

fn lines() -> Vec<Line> {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/datasets/vectors/solutions.jsonl"
    );
    let lines: Vec<Line> = std::fs::read_to_string(path)
        .unwrap()
        .lines()
        .map(|line| {
            let json: Value = serde_json::from_str(line).unwrap();
            let draw = json["draw"].as_u64().unwrap() as u8;
            let rules = Rules::standard_draw(draw).unwrap();
            let order: Vec<Card> = json["deal"]
                .as_str()
                .unwrap()
                .split_whitespace()
                .map(|card| card.parse().unwrap())
                .collect();
            let deal = Deal::from_row_order(rules.deck(), rules.layout(), &order).unwrap();
            let start = Table::new(Arc::new(rules), &deal).unwrap();
            Line { start, json }
        })
        .collect();
    assert_eq!(lines.len(), 12);
    lines
}

const FOREIGN: [Notation; 3] = [
    Notation::Minimal,
    Notation::KlondikeSolver,
    Notation::Lonelybot,
];

fn squeeze(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn every_known_line_is_the_same_won_game_in_all_notations_and_is_written_back() {
    for line in lines() {
        let moves = Notation::KlondikeSolver
            .read(&line.start, line.text(Notation::KlondikeSolver))
            .unwrap();
        assert!(common::replay(&line.start, &moves).is_won());
        for notation in FOREIGN {
            let text = line.text(notation);
            let read = notation.read(&line.start, text).unwrap();
            assert_eq!(read, moves, "{notation}");
            let written = notation.write(&line.start, &moves).unwrap();
            assert_eq!(squeeze(&written), squeeze(text), "{notation}");
        }
        let own = Notation::Klondike.write(&line.start, &moves).unwrap();
        assert_eq!(Notation::Klondike.read(&line.start, &own).unwrap(), moves);
    }
}

#[test]
fn counts_are_those_of_the_programs() {
    for line in lines() {
        let moves = Notation::Lonelybot
            .read(&line.start, line.text(Notation::Lonelybot))
            .unwrap();
        let counts = Counts::of(&line.start, &moves).unwrap();
        assert_eq!(counts.card_moves, line.count("card_moves"));
        assert_eq!(counts.draws, line.count("draws"));
        assert_eq!(counts.redeals, line.count("redeals"));
        assert_eq!(counts.flips, line.count("flips"));
        assert_eq!(counts.klondike_solver(), line.count("klondike_solver"));
        assert_eq!(counts.minimal(), line.count("minimal_klondike"));
        assert_eq!(counts.lonelybot(), line.count("lonelybot_standard"));
    }
}

/// Start and moves of the line of Klondike-Solver for its own deal 12, draw 3.
fn twelve() -> (Table, Vec<Move>) {
    let line = lines().swap_remove(2);
    let text = line.text(Notation::KlondikeSolver);
    let moves = Notation::KlondikeSolver.read(&line.start, text).unwrap();
    (line.start, moves)
}

#[test]
fn our_own_notation_reads_as_documented() {
    let (start, moves) = twelve();
    let text = Notation::Klondike.write(&start, &moves[..26]).unwrap();
    assert_eq!(
        text,
        "AC:5>F 2C:5>F draw*3 TH:W>5 9S:4>5 7C:4>1 draw QS:W>4 JH:7>4 draw*3 8C:W>7 3C:W>F \
         draw redeal draw*2 6H:W>1 4H:W>6 AS:W>F draw*3"
    );
    assert_eq!(
        Notation::Klondike
            .read(&start, " ac:5>f\n2♣:5>F  DRAW*3 10h:w>5 ")
            .unwrap(),
        moves[..6]
    );
    let worried = Notation::Klondike.read(&start, "AC:5>F 2C:5>F").unwrap();
    assert_eq!(worried.len(), 2);
    assert_eq!(Notation::Klondike.read(&start, "").unwrap(), []);
}

/// Games of the deal of [`twelve`] with a fault, and how the error begins.
#[rustfmt::skip]
const FAULTS: &[(Notation, &str, &str)] = &[
    (Notation::Klondike, "AC:5>F jump", "token 2 `jump`: not a move; expected draw"),
    (Notation::Klondike, "draw*0", "token 1 `draw*0`: not a move"),
    (Notation::Klondike, "draw*9", "token 1 `draw*9`: the stock is empty"),
    (Notation::Klondike, "AC:5>W", "token 1 `AC:5>W`: not a move"),
    (Notation::Klondike, "AC:0>F", "token 1 `AC:0>F`: not a move"),
    (Notation::Klondike, "2C:5>F", "token 1 `2C:5>F`: 2C is not there, but AC"),
    (Notation::Klondike, "AC:9>1", "token 1 `AC:9>1`: there is no pile 9"),
    (Notation::Klondike, "AC:8>F", "token 1 `AC:8>F`: there is no pile 8"),
    (Notation::Klondike, "AC:W>1", "token 1 `AC:W>1`: there is no card to move"),
    (Notation::Klondike, "KC:4>1", "token 1 `KC:4>1`: KC does not lie face up there"),
    (Notation::Klondike, "AC:5>1", "token 1 `AC:5>1`: pile 1 does not take AC"),
    (Notation::Minimal, "JB @@ J", "token 4 `J`: not a move; expected @ or two"),
    (Notation::Minimal, "JC", "token 1 `JC`: AC is of another suit"),
    (Notation::Minimal, "JM", "token 1 `JM`: not a move"),
    (Notation::Minimal, "FL", "token 1 `FL`: pile 7 does not take 8H"),
    (Notation::KlondikeSolver, "5C F4", "token 2 `F4`: no card of pile 4"),
    (Notation::KlondikeSolver, "5C F5 F5", "token 3 `F5`: no card of pile 5"),
    (Notation::KlondikeSolver, "NEW", "token 1 `NEW`: no redeal while"),
    (Notation::KlondikeSolver, "5C-2", "token 1 `5C-2`: not a move"),
    (Notation::KlondikeSolver, "51-300", "token 1 `51-300`: not a move"),
    (Notation::KlondikeSolver, "DRx", "token 1 `DRx`: not a move"),
    (Notation::KlondikeSolver, "5S", "token 1 `5S`: AC is of another suit"),
    (Notation::Lonelybot, "A♣:5▸♠", "token 1 `A♣:5▸♠`: AC is of another suit"),
    (Notation::Lonelybot, "A♣:5▸8", "token 1 `A♣:5▸8`: not a move"),
    (Notation::Lonelybot, "A♠:5▸♠", "token 1 `A♠:5▸♠`: AS is not there, but AC"),
];

#[test]
fn faults_are_named_with_token_and_reason() {
    let (start, moves) = twelve();
    each_row(
        FAULTS,
        |(notation, text, _)| format!("{}: {text}", notation.name()),
        |(notation, text, message)| {
            let error = notation.read(&start, text).unwrap_err().to_string();
            assert!(error.starts_with(message), "{error}");
        },
    );
    let error = Notation::Klondike.write(&start, &moves[1..]).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("move 5: pile 5 does not take TH"),
        "{error}"
    );
    let mut pass = vec![Move::Draw; 8];
    assert_eq!(Notation::Minimal.write(&start, &pass).unwrap(), "@@@@@@@@");
    pass.push(Move::Redeal);
    let error = Notation::Minimal
        .write(&start, &pass)
        .unwrap_err()
        .to_string();
    assert!(
        error.starts_with("move 9: the notation has no sign"),
        "{error}"
    );
    let error = "chess".parse::<Notation>().unwrap_err().to_string();
    assert!(error.contains("klondike-solver"), "{error}");
    for notation in Notation::ALL {
        assert_eq!(notation.name().parse(), Ok(notation));
    }
}

#[test]
fn foreign_notations_are_for_seven_piles() {
    let mut rng = common::rng(3);
    let rules = common::random_rules(&mut rng, 12);
    let table = common::random_deal(&mut rng, &rules);
    for notation in FOREIGN {
        let error = notation.read(&table, "").unwrap_err().to_string();
        assert!(
            error.contains("is for seven piles, but the game has"),
            "{error}"
        );
        assert_eq!(notation.write(&table, &[]).unwrap_err().to_string(), error);
    }
}
