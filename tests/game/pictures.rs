//! Tables drawn as text.

use std::sync::Arc;

use crate::common;
use klondike_game::deal::format::Format;
use klondike_game::deal::format::file::Item;
use klondike_game::deal::seed::DealId;
use klondike_game::rules::{Deck, Layout, Rules, Runs};
use klondike_game::table::Table;
use klondike_game::table::picture::{Style, draw, draw_partly};
use klondike_game::table::position::read_position;
use klondike_game::table::start::{Start, StartError};

fn table() -> Table {
    let rules = Rules::builder()
        .deck(Deck::new(4, 4).unwrap())
        .layout(Layout::triangle(3).unwrap())
        .runs(Runs::PartialIfPlayed);
    let text = "redeals: 1\nfoundations: C2 D1 H1 S0\nwaste: 4H 4D\nstock: 4C 2D\n\
        1: 4S 3H 2S\n2: <AS> 3S 2H\n3: <3C> 3D\ndouble move: 2";
    read_position(&Arc::new(rules.build().unwrap()), text).unwrap()
}

#[test]
fn letters_and_face_down_cards_as_backs() {
    let expected = "\
stock: 2   redeals used: 1
waste: 4H [4D]
foundations: 2C AD AH -S
double move: the top card of pile 2 must go up

   1    2    3
  4S   ??   ??
  3H   3S   3D
  2S   2H
";
    assert_eq!(draw(&table(), Style::default()), expected);
}

#[test]
fn symbols_and_all_cards() {
    let style = Style::default().symbols(true).thoughtful(true);
    let expected = "\
stock: 2 (4♣ 2♦)   redeals used: 1
waste: 4♥ [4♦]
foundations: 2♣ A♦ A♥ -♠
double move: the top card of pile 2 must go up

   1    2    3
  4♠  (A♠) (3♣)
  3♥   3♠   3♦
  2♠   2♥
";
    assert_eq!(draw(&table(), style), expected);
}

#[test]
fn colour_adds_only_escape_sequences_around_red_cards() {
    let painted = draw(&table(), Style::default().color(true));
    let plain = painted.replace("\x1b[31m", "").replace("\x1b[0m", "");
    assert_eq!(plain, draw(&table(), Style::default()));
    assert!(painted.contains("  4S   ??   ??\n"), "{painted}");
    assert!(painted.contains("  \x1b[31m3H\x1b[0m   3S   \x1b[31m3D\x1b[0m\n"));
    assert!(painted.contains("2C \x1b[31mAD\x1b[0m \x1b[31mAH\x1b[0m -S\n"));
}

#[test]
fn empty_places_are_shown() {
    let rules = Rules::builder()
        .deck(Deck::new(1, 2).unwrap())
        .layout(Layout::new(vec![0, 1]).unwrap());
    let text = "stock: AC\n1:\n2: 2C\n";
    let table = read_position(&Arc::new(rules.build().unwrap()), text).unwrap();
    let expected = "stock: 1\nwaste: -\nfoundations: -C\n\n   1    2\n       2C\n";
    assert_eq!(draw(&table, Style::default()), expected);
}

fn read(text: &str, rules: &Arc<Rules>) -> Result<Table, StartError> {
    let item = Item::from_text(text.to_owned());
    let format = item.format(None).unwrap();
    assert_eq!(format, Format::Picture, "{text}");
    Start::read(&item, format, rules).map(|start| start.table(rules).unwrap())
}

/// What is drawn with all cards shown is read back as the same position, however it is drawn and
/// however far it stands to the right.
#[test]
fn positions_of_all_rules_come_back_from_their_pictures() {
    let mut read_back = 0;
    for rules in common::variants(Deck::new(3, 5).unwrap(), &Layout::triangle(3).unwrap()) {
        for seed in 1..2 {
            let id: DealId = format!("klondike:{seed}").parse().unwrap();
            let deal = id.deal(rules.deck(), rules.layout()).unwrap();
            let mut table = Table::new(Arc::clone(&rules), &deal).unwrap();
            for step in 0..30 {
                let style = Style::default().thoughtful(true);
                let style = style.symbols(step % 2 == 0).color(step % 3 == 0);
                let text = draw(&table, style);
                assert_eq!(read(&text, &rules).as_ref(), Ok(&table), "{text}");
                let right: String = text.lines().map(|line| format!("   {line}\n")).collect();
                assert_eq!(read(&right, &rules).as_ref(), Ok(&table), "{right}");
                read_back += 1;
                let moves = table.legal_moves();
                let Some(&made) = moves.get((step * 7 + seed) % moves.len().max(1)) else {
                    break;
                };
                table.make(made).unwrap();
            }
        }
    }
    assert!(read_back > 1_000, "{read_back}");
}

#[test]
fn a_picture_without_its_hidden_cards_has_unknown_ones() {
    let table = table();
    let rules = table.rules();
    for text in [
        draw(&table, Style::default()).replace("stock: 2 ", "stock: 2 (4C 2D) "),
        draw(&table, Style::default())
            .replace("stock: 2 ", "stock: 2 (4C 2D) ")
            .replace("??", "##"),
    ] {
        let item = Item::from_text(text);
        let start = Start::read(&item, item.format(None).unwrap(), rules).unwrap();
        let Start::Partly(partly) = start else {
            panic!("{start:?}");
        };
        let unknown: Vec<String> = partly.unknown.map(|card| card.to_string()).collect();
        assert_eq!(
            (unknown.join(" ").as_str(), partly.unknown_talon),
            ("AS 3C", 0)
        );
        let drawn = draw_partly(&partly.table, partly.unknown, Style::default());
        assert!(drawn.contains("\n  4S   ??   ??\n"), "{drawn}");
        let again = Item::from_text(drawn);
        assert_eq!(
            Start::read(&again, Format::Picture, rules),
            Ok(Start::Partly(partly))
        );
    }
    // Without a list, the stock is unknown as well.
    let item = Item::from_text(draw(&table, Style::default()));
    let start = Start::read(&item, Format::Picture, rules).unwrap();
    assert!(matches!(start, Start::Partly(partly) if partly.unknown_talon == 2));
}

#[test]
fn errors_in_pictures_name_line_and_place() {
    let table = table();
    let good = draw(&table, Style::default().thoughtful(true));
    for (from, to, wanted) in [
        ("(3C)", "(3X)", "line 7: pile 3, card 1: `3X` is not a card"),
        (
            "(3C)",
            "(AS)",
            "line 7: pile 3, card 1: the card AS stands twice, first in line 7, pile 2",
        ),
        ("(3C)", " 3C", "pile 3: 3D cannot lie face up on 3C"),
        (
            " (3C)",
            "",
            "line 8: pile 3, card 2: there is no card above it",
        ),
        (
            "  3H ",
            " 3H  ",
            "line 8: `3H` (column 2) stands below the number of no pile",
        ),
        (
            "  2S ",
            " (2S)",
            "line 9: pile 1, card 3: the face-down card lies on a face-up one",
        ),
        (
            "stock: 2 ",
            "stock: 3 ",
            "line 1: the stock has 3 cards, but 2 are listed",
        ),
        (
            "(4C 2D)",
            "(4C 2D",
            "line 1: `2 (4C 2D   redeals used: 1` is no stock",
        ),
        ("[4D]", "[4E]", "line 2: waste, card 2: `4E` is not a card"),
        ("2C AD", "KC AD", "line 3: foundations, card 1: "),
        (
            "   1    2    3",
            "   1    2",
            "line 6: 2 piles, but the rules have 3",
        ),
        (
            "   1    2    3\n",
            "",
            "line 6: `4S  (AS) (3C)` is no line of a picture",
        ),
        ("[4D]", "", "1 card missing: 4D"),
        ("used: 1", "used: x", "`x` is not a number of redeals"),
    ] {
        let text = good.replacen(from, to, 1);
        assert_ne!(text, good, "{from}");
        let error = read(&text, table.rules()).unwrap_err().to_string();
        assert!(error.contains(wanted), "{to}: {error}");
    }
}
