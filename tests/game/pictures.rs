//! Tables drawn as text.

use std::sync::Arc;

use klondike_game::rules::{Deck, Layout, Rules, Runs};
use klondike_game::table::Table;
use klondike_game::table::picture::{Style, draw};
use klondike_game::table::position::read_position;

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
  4S   ##   ##
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
    assert!(painted.contains("  4S   ##   ##\n"), "{painted}");
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
