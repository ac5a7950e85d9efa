//! Positions in mid-game as plain text, as JSON, and as the JSON of Solvitaire and lonelybot.

use std::sync::Arc;

use klondike_game::card::Card;
use klondike_game::deal::format::Format;
use klondike_game::deal::format::file::Item;
use klondike_game::deal::seed::{DealId, Scheme, Seed};
use klondike_game::rules::{Deck, Layout, Redeals, Rules, Runs};
use klondike_game::table::notation::Notation;
use klondike_game::table::picture::{Style, draw};
use klondike_game::table::position::{Position, read_partly_known, read_position, write_position};
use klondike_game::table::saved::SavedGame;
use klondike_game::table::solvitaire::{read_solvitaire, write_solvitaire};
use klondike_game::table::start::Start;
use klondike_game::table::{Pile, PileIndex, Table};

use crate::rows::each_fault;

fn rules() -> Arc<Rules> {
    let rules = Rules::builder()
        .deck(Deck::new(4, 4).unwrap())
        .layout(Layout::triangle(3).unwrap())
        .runs(Runs::PartialIfPlayed);
    Arc::new(rules.build().unwrap())
}

const TEXT: &str = "redeals: 2\ndouble move: 2\nfoundations: C2 D0 H1 S0\nwaste: 4H 4D\n\
    stock: 4C 2D\n1: 4S 3H 2S\n2: <AS> <AD> 3S 2H\n3: <3C> 3D\n";

#[test]
fn the_text_round_trips() {
    let table = read_position(&rules(), TEXT).unwrap();
    assert_eq!(write_position(&table), TEXT);
    assert_eq!(table.redeals_used(), 2);
    assert_eq!(table.pending(), Some(PileIndex::new(1)));
    let free = "# a comment\n\nFoundations: s0 HA c2 # ranks by letter\n STOCK:4c 2d\n\
        waste:  4h 4d\n3: <3C> 3D\n2: <AS> <AD> 3S 2H\n1: 4S 3H 2S\n redeals : 2\n\
        double move:2";
    assert_eq!(read_position(&rules(), free).unwrap(), table);
}

#[test]
fn the_json_round_trips() {
    let table = read_position(&rules(), TEXT).unwrap();
    let json = serde_json::to_string(&Position::from(&table)).unwrap();
    assert!(json.starts_with(r#"{"redeals_used":2,"double_move":2,"foundations":[2,0,1,0],"#));
    let read: Position = serde_json::from_str(&json).unwrap();
    assert_eq!(read.into_table(&rules()).unwrap(), table);
}

/// What is replaced in the text, by what, and how the error of [`read_partly_known`] begins.
const UNKNOWN_FAULTS: &[(&str, &str, &str)] = &[
    (
        "<AS>",
        "?? ??",
        "the number of unknown cards (`??`) is 2, \
         but the number of cards that lie nowhere else is 1",
    ),
    ("<AS>", "", "the number of unknown cards (`??`) is 0, but"),
    (
        "3S 2H",
        "3S ??",
        "line 7: an unknown card (`??`) lies on a face-up one",
    ),
    (
        "<AS> <AD> 3S 2H",
        "<AS> <AD> 3S ?",
        "line 7: `?` is not a card",
    ),
];

#[test]
fn unknown_cards_are_filled_in_where_they_are_missing() {
    let text = TEXT
        .replace("<AS> <AD>", "?? <??>")
        .replace("<3C>", "?? # not 3C\n");
    let text = text.replace(" 3D\n", "\n").replace("4C 2D", "4C ??");
    let text = text
        .replace("??  # not", "?? 3D # not")
        .replace("?? # not", "?? 3D # not");
    let read = read_partly_known(&rules(), &text).unwrap();
    assert_eq!(read.unknown_talon, 1);
    let hidden: Vec<Card> = read
        .table
        .piles()
        .iter()
        .flat_map(Pile::face_down)
        .copied()
        .collect();
    assert_eq!(hidden.len(), 3);
    assert_eq!(read.table.stock().len(), 2);
    let known = read_partly_known(&rules(), TEXT).unwrap();
    assert_eq!(known.table, read_position(&rules(), TEXT).unwrap());
    assert_eq!(known.unknown_talon, 0);
    each_fault(TEXT, UNKNOWN_FAULTS, |text| {
        read_partly_known(&rules(), text).unwrap_err().to_string()
    });
}

/// What is replaced in the text, by what, and how the error of [`read_position`] begins.
const FAULTS: &[(&str, &str, &str)] = &[
    (
        "redeals: 2",
        "redeals: two",
        "line 1: `two` is not a number",
    ),
    (
        "redeals: 2",
        "redeals: 1000000001",
        "1000000001 redeals used, but 1000000000 are the most allowed",
    ),
    ("redeals: 2", "redeals", "line 1: `redeals` has no colon"),
    ("double move: 2", "double move: 4", "line 2: `4` is neither"),
    (
        "double move: 2",
        "double move: 1",
        "no double move can be pending on pile 1",
    ),
    ("D0", "D99", "line 3: `D99` is not a foundation"),
    ("D0", "D5", "the foundation D cannot hold 5 cards"),
    ("D0", "C0", "line 3: `C0` is not a foundation"),
    ("waste: 4H 4D", "waste: 4H 4X", "line 4: `4X` is not a card"),
    (
        "stock:",
        "talon:",
        "line 5: `talon` is neither a pile (1 to 3)",
    ),
    ("1: 4S", "2: 4S", "line 7: `2` stands twice"),
    ("3S 2H", "3S <2H>", "line 7: the face-down card 2H lies"),
    ("3: <3C> 3D", "", "pile 3 is missing"),
    (
        "3: <3C> 3D",
        "3: <3C> <3D>",
        "the top card of pile 3 lies face down",
    ),
    ("3: <3C> 3D", "4: <3C> 3D", "line 8: `4` is neither"),
    (
        "3: <3C> 3D",
        "3: 3C 3D",
        "pile 3: 3D cannot lie face up on 3C",
    ),
    ("3: <3C> 3D", "3: 3D", "1 card missing: 3C"),
];

#[test]
fn errors_name_line_and_fault() {
    each_fault(TEXT, FAULTS, |text| {
        let error = read_position(&rules(), text).unwrap_err();
        let shown = error.to_string();
        assert_eq!(error.line().is_some(), shown.starts_with("line"));
        shown
    });
}

#[test]
fn positions_of_a_game_round_trip() {
    let rules = Arc::new(Rules::standard());
    let (mut positions, mut played) = (0, 0);
    for seed in 0..20_u64 {
        let deal = Scheme::Klondike.deal(&Seed::from(seed)).unwrap();
        let mut table = Table::new(Arc::clone(&rules), &deal).unwrap();
        for step in 0..60 {
            let Some(text) = write_solvitaire(&table) else {
                assert!(table.redeals_used() > 0);
                break;
            };
            let parts = read_solvitaire(&text, Deck::FULL).unwrap();
            assert_eq!(parts, table.to_parts());
            let read = Table::from_parts(Arc::clone(&rules), parts).unwrap();
            assert_eq!(read, table);
            positions += 1;
            played += usize::from(table.foundation_count() > 0);
            let moves = table.legal_moves();
            // Any play that moves cards to the foundations.
            let wanted = moves[(step * 7 + seed as usize) % moves.len()];
            table.make(wanted).unwrap();
        }
    }
    assert!(positions > 400 && played > 100, "{positions} {played}");
}

/// Nothing but a number of redeals tells these positions from a fresh deal.
#[test]
fn positions_after_redeals_alone_round_trip() {
    let rules = Rules::builder().redeals(Redeals::Limited(100)).build();
    let rules = Arc::new(rules.unwrap());
    let id: DealId = "solvitaire:2".parse().unwrap();
    let deal = id.deal(rules.deck(), rules.layout()).unwrap();
    let mut table = Table::new(Arc::clone(&rules), &deal).unwrap();
    for redeals in 0..=100 {
        assert_eq!(table.redeals_used(), redeals);
        for text in [
            write_position(&table),
            draw(&table, Style::default().thoughtful(true)),
        ] {
            let item = Item::from_text(text.clone());
            let format = item.format(None).unwrap();
            let start = Start::read(&item, format, &rules).unwrap();
            assert_eq!(start.table(&rules).unwrap(), table, "{text}");
        }
        // The last redeal leads to no other.
        let passed = Notation::Klondike.read(&table, "draw*8 redeal");
        for made in passed.unwrap_or_default() {
            table.make(made).unwrap();
        }
    }
}

/// In the last pass by ones: text, JSON, picture, saved game; Solvitaire's JSON cannot hold it.
#[test]
fn positions_in_the_last_pass_round_trip() {
    let rules = Rules::builder().redeals(Redeals::LastPassByOnes);
    let rules = Arc::new(rules.build().unwrap());
    let id: DealId = "klondike:7".parse().unwrap();
    let deal = id.deal(rules.deck(), rules.layout()).unwrap();
    let start = Table::new(Arc::clone(&rules), &deal).unwrap();
    let line = "draw*8 redeal draw*8 last-pass draw*3";
    let moves = Notation::Klondike.read(&start, line).unwrap();
    assert_eq!(Notation::Klondike.write(&start, &moves).unwrap(), line);
    for notation in Notation::ALL.into_iter().skip(1) {
        let error = notation.write(&start, &moves).unwrap_err().to_string();
        assert!(error.contains("no sign for the last pass"), "{error}");
    }
    let game = SavedGame::new(Some(id), start, moves).unwrap();
    assert_eq!(SavedGame::read(&game.to_string()).unwrap(), game);
    let table = game.table();
    assert!(table.in_last_pass() && table.waste().len() == 3);

    let text = write_position(table);
    assert!(text.starts_with("redeals: 2\nlast pass: yes\n"), "{text}");
    assert_eq!(read_position(&rules, &text).unwrap(), *table);
    let none = text.replace("last pass: yes\n", "");
    assert!(!read_position(&rules, &none).unwrap().in_last_pass());
    let error = read_position(&Arc::new(Rules::standard()), &text).unwrap_err();
    assert!(error.to_string().contains("the rules have none"), "{error}");
    let error = read_position(&rules, &text.replace("yes", "maybe")).unwrap_err();
    assert_eq!(error.to_string(), "line 2: `maybe` is not `yes` or `no`");

    let json = serde_json::to_string(&Position::from(table)).unwrap();
    assert!(json.contains(r#""last_pass":true"#), "{json}");
    let read: Position = serde_json::from_str(&json).unwrap();
    assert_eq!(read.into_table(&rules).unwrap(), *table);
    let picture = draw(table, Style::default().thoughtful(true));
    let item = Item::from_text(picture);
    let read = Start::read(&item, Format::Picture, &rules).unwrap();
    assert_eq!(read.table(&rules).unwrap(), *table);
    assert_eq!(write_solvitaire(table), None);
}

#[test]
fn lonelybots_foundations_are_read() {
    let text = r#"{"tableau piles": [["2h", "3S"], []], "stock": ["2S"], "waste": ["3H", "2D"],
        "foundation": [["AH"], ["AD"], ["AC", "2C", "3C"], ["AS"]]}"#;
    let parts = |text: &str| read_solvitaire(text, Deck::new(4, 3).unwrap());
    let error = parts(text).unwrap_err().to_string();
    assert_eq!(error, "1 card missing: 3D");
    let parts = parts(&text.replace("\"2D\"]", "\"2D\", \"3d\"]")).unwrap();
    assert_eq!(parts.foundations, [3, 1, 1, 1]);
    let waste: Vec<String> = parts.waste.iter().map(Card::to_string).collect();
    assert_eq!(waste, ["3H", "2D", "3D"]);
    assert_eq!(parts.piles[0].face_down().len(), 1);
}

#[test]
fn a_foundation_must_grow_from_the_ace() {
    let text = r#"{"tableau piles": [["3S"]], "foundations": ["AS", "3S"]}"#;
    let deck = Deck::new(4, 3).unwrap();
    let error = read_solvitaire(text, deck).unwrap_err().to_string();
    assert_eq!(
        error,
        "foundations, card 2: the card 3S stands twice, first in pile 1, card 1"
    );
    let error = read_solvitaire(&text.replace(r#"["3S"]"#, ""), deck).unwrap_err();
    let shown = error.to_string();
    assert_eq!(shown, "foundations, card 2: 3S cannot lie on AS");
}
