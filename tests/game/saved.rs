//! Games that were begun, as text.

use std::sync::Arc;

use crate::common;
use crate::rows::each_fault;
use klondike_game::deal::Deal;
use klondike_game::deal::format::Format;
use klondike_game::deal::format::file::Items;
use klondike_game::rules::{Deck, Layout, Rules};
use klondike_game::table::position::read_position;
use klondike_game::table::saved::{Help, SavedGame};
use klondike_game::table::start::Start;
use klondike_game::table::{Move, Table};

/// A game of `steps` moves, chosen without sense.
fn played(start: &Table, steps: usize) -> Vec<Move> {
    let mut table = start.clone();
    let mut moves = Vec::new();
    for step in 0..steps {
        let legal = table.legal_moves();
        let Some(&made) = legal.get((step * 7) % legal.len().max(1)) else {
            break;
        };
        table.make(made).unwrap();
        moves.push(made);
    }
    moves
}

#[test]
fn games_of_all_rules_come_back_from_their_text() {
    for rules in common::variants(Deck::new(2, 5).unwrap(), &Layout::triangle(3).unwrap()) {
        let id: klondike_game::deal::seed::DealId = "klondike:7".parse().unwrap();
        let deal = id.deal(rules.deck(), rules.layout()).unwrap();
        let start = Table::new(Arc::clone(&rules), &deal).unwrap();
        let moves = played(&start, 40);
        for (id, start, help) in [
            (Some(id.clone()), start.clone(), Help::None),
            (Some(id), start.clone(), Help::Cards),
            (None, start, Help::Yes),
        ] {
            let game = SavedGame::new(id, start, moves.clone()).unwrap();
            let game = game.played(73, help);
            let text = game.to_string();
            assert!(text.lines().all(|line| line.len() <= 110), "{text}");
            assert_eq!(SavedGame::read(&text).as_ref(), Ok(&game), "{text}");
        }
    }
}

/// Everything that reads positions takes the position after the moves.
#[test]
fn a_game_in_a_file_of_deals_is_a_position() {
    let rules = Arc::new(Rules::standard());
    let file = "# saved\ndeal: klondike:5\nmoves: draw*2\nmoves: draw # a third\n\nsolvitaire:3\n";
    let items: Vec<_> = Items::new(file.as_bytes(), None, rules.layout())
        .map(Result::unwrap)
        .collect();
    assert_eq!(items.len(), 2);
    let format = items[0].format(None).unwrap();
    assert_eq!(format, Format::Klondike);
    let start = Start::read(&items[0], format, &rules).unwrap();
    assert_eq!(start.table(&rules).unwrap().waste().len(), 9);
    let other = Arc::new(Rules::standard_draw(1).unwrap());
    let error = Start::read(&items[0], format, &other).unwrap_err();
    assert_eq!(
        error.to_string(),
        "the game is played with other rules (standard) than were asked for (draw=1)"
    );
}

#[test]
fn a_game_from_a_position_has_its_lines() {
    let deal: Deal = "solvitaire:3".parse().unwrap();
    let mut table = Table::new(Arc::new(Rules::standard()), &deal).unwrap();
    table.make(Move::Draw).unwrap();
    let game = SavedGame::new(None, table.clone(), vec![Move::Draw]).unwrap();
    let text = game.to_string();
    assert!(text.contains("\nwaste: 8H QD 2C\n") && text.contains("\nmoves: draw\n"));
    let read = SavedGame::read(&text).unwrap();
    assert_eq!(read.start(), &table);
    let position: String = text.split_inclusive('\n').take(10).collect();
    assert_eq!(read_position(table.rules(), &position).unwrap(), table);
}

const GOOD: &str =
    "# a game\ndeal: klondike:5\nrules: draw=1\nseconds: 7\nmoves: draw\nmoves: draw*2\n";

/// What is replaced in it, by what, and how the error begins.
const FAULTS: &[(&str, &str, &str)] = &[
    (
        "klondike:5",
        "klondyke:5",
        "line 2: there is no seed scheme",
    ),
    ("klondike:5", "5", "line 2: "),
    (
        "draw=1",
        "draw=0",
        "line 3: draw 0: the draw count is 1 to 24",
    ),
    ("draw=1", "drow=1", "line 3: `drow=1` is not a parameter"),
    ("draw=1", "ranks=5", "line 3: the piles need 28 cards"),
    ("seconds: 7", "seconds: -7", "line 4: `-7` is not a number"),
    (
        "seconds: 7",
        "help: no",
        "line 4: `no` is not `cards` or `yes`",
    ),
    ("seconds", "deal", "line 4: a second line `deal`"),
    ("draw*2", "draw*0", "line 6: the moves: token 2 `draw*0`: "),
    ("draw*2", "AC:W>F", "line 6: the moves: token 2 `AC:W>F`: "),
    (
        "moves: draw\n",
        "moves: redeal\n",
        "line 5: the moves: token 1",
    ),
    (
        "seconds: 7",
        "1: AC",
        "line 4: cards beside the line `deal`",
    ),
    ("deal: klondike:5", "1: AC", "pile 2 is missing"),
    ("moves", "mooves", "line 5: cards beside"),
];

#[test]
fn errors_name_line_and_fault() {
    assert!(SavedGame::read(GOOD).is_ok());
    each_fault(GOOD, FAULTS, |text| {
        SavedGame::read(text).unwrap_err().to_string()
    });
    let error = SavedGame::read("deal: klondike:5\n").unwrap_err();
    assert!(error.to_string().starts_with("there is no line `moves:`"));
}
