//! What every format says about texts that are no deal: the fault and its place.

use klondike_game::deal::format::Format::{self, *};
use klondike_game::deal::format::file::Items;
use klondike_game::deal::format::parse_any;
use klondike_game::deal::seed::{Scheme, Seed};
use klondike_game::rules::{Deck, Layout};

use crate::rows::each_row;

/// Reads the text of deal klondike-solver:12 in `format` after replacing `from` by `to`; gives
/// the error.
fn error(format: Format, from: &str, to: &str) -> String {
    let layout = Layout::triangle(7).expect("28 cards");
    let deal = Scheme::KlondikeSolver
        .deal(&Seed::from(12_u64))
        .expect("in range");
    let text = format.write(&deal).expect("a standard deal");
    let damaged = text.replacen(from, to, 1);
    assert_ne!(text, damaged, "{format}: {from}");
    let error = format
        .read(&damaged, Deck::FULL, &layout)
        .expect_err("damaged");
    error.to_string()
}

/// What is replaced in the text of a format, by what, and how the error begins.
#[rustfmt::skip]
const FAULTS: &[(Format, &str, &str, &str)] = &[
    (Klondike, "1: 8H", "1: 8X", "line 2: pile 1, card 1: `8X` is not a card"),
    (Klondike, "1: 8H", "1: JH",
        "line 8: pile 7, card 7: the card JH stands twice, first in line 2, pile 1, card 1"),
    (Klondike, " 9C KC", " 9C", "1 card missing: KC"),
    (Klondike, "1: 8H\n", "", "there is no line for pile 1"),
    (Klondike, "1: 8H", "9: 8H", "line 2: `9` is neither a pile (1 to 7) nor `stock`"),
    (Klondike, "1: 8H", "8H", "line 2: `8H` has no colon"),
    (Klondike, "2: <3D>", "2: 3D",
        "a game in progress, not a fresh deal: pile 2 has 0 face-down cards"),
    (Klondike, "1: 8H", "waste: 8H\n1:",
        "line 2: a game in progress, not a fresh deal: it has a line `waste`"),
    (Klondike, "2: <3D>", "1:\n2: <3D>", "line 3: a second line `1`"),
    (RowOrder, "8H", "8H8H", "card 1: `8H8H` is not a card"),
    (RowOrder, "8H", "3D", "card 2: the card 3D stands twice, first in card 1"),
    (RowOrder, " KC", "", "1 card missing: KC"),
    (RowOrder, "8H 3D", "8H | 3D", "1 cards before the `|`, but 28 in the tableau"),
    (Solvitaire, "\"8H\"", "\"8X\"", "pile 1, card 1: `8X` is not a card"),
    (Solvitaire, "\"3H\"", "\"8H\"",
        "stock, card 24: the card 8H stands twice, first in pile 1, card 1"),
    (Solvitaire, ",\"3H\"", "", "1 card missing: 3H"),
    (Solvitaire, "\"3d\"", "\"3D\"",
        "a game in progress, not a fresh deal: pile 2 has 0 face-down"),
    (Solvitaire, "\"stock\"", "\"shoe\"", "line 1: not the JSON of a deal: unknown field `shoe`"),
    (Solvitaire, "[\"8H\"],", "", "1 card missing: 8H"),
    (Solvitaire, "]}", "]", "line 1: not the JSON of a deal: EOF while parsing"),
    (Solvitaire, "]}", "],\"foundation\":[]}",
        "not the JSON of a deal: Solvitaire has no key `foundation`"),
    (Solvitaire, "]}", "],\"waste\":[\"3D\"]}", "waste, card 1: the card 3D stands twice"),
    (Solvitaire, "\"8H\"", "\"##\"", "pile 1, card 1: `##` is not a card"),
    (Lonelybot, "\"foundation\"", "\"foundations\"",
        "line 10: not the JSON of a deal: invalid type"),
    (Lonelybot, "[\"8H\"],\n", "[\"8H\"]\n", "line 3: not the JSON of a deal: expected `,` or `]`"),
    (DeckString, "083", "83", "155 digits, but a deck string has 156"),
    (DeckString, "083", "0083", "157 digits, but a deck string has 156"),
    (DeckString, "083", "08H", "a deck string is of digits only, but its character 3 is `H`"),
    (DeckString, "083", "143", "card 1: the digits `143` are no card"),
    (DeckString, "083", "085", "card 1: the digits `085` are no card"),
    (DeckString, "083", "032", "card 2: the card 3D stands twice, first in card 1"),
    (MinimalKlondike, "3H", "", "1 card missing: 3H"),
    (Pysol, "Talon:", "Tallow:", "line 1: pile 1, card 1: `Tallow:` is not a card"),
    (Pysol, "<3D> 6C", "3D <6C>",
        "line 3: pile 2, card 2: the face-down card 6C lies on a face-up one"),
    (Pysol, "<3D> 6C", "6C", "1 card missing: 3D"),
    (Pysol, "8H\n<3D> 6C", "8H <3D> 6C",
        "line 2: pile 1, card 2: the face-down card 3D lies on a face-up one"),
    (Pysol, "8H\n<3D>", "<8H> 3D\n",
        "a game in progress, not a fresh deal: pile 1 has 2 cards, but 1 are dealt to it"),
    (Pysol, "8H\n<3D> 6C\n<5S>", "<8H> <3D> 6C\n<5S>", "6 piles, but 7 are dealt"),
    (Pysol, "Talon:", "Foundations: H-0 C-A D-0 S-0\nTalon:",
        "line 1: a game in progress, not a fresh deal: the foundation `C-A`"),
    (Pysol, "Talon: 3H", "Talon: 3H ==>",
        "line 1: a game in progress, not a fresh deal: cards lie on the waste"),
    (Pysol10, "10S", "1S", "line 8: pile 7, card 5: `1S` is not a card"),
    (FcSolve, "Talon:", ":", "line 8: a line after pile 7"),
    (KlondikeSolver, "083", "Game: 083", "`083"),
    (Format::Seed, "exact", "exakt", "there is no seed scheme `exakt`; known:"),
    (Exact, "exact:", "exact:9", "seed 96"),
    (Microsoft, "microsoft:", "microsoft:x", "`x"),
];

#[test]
fn faults_in_every_format_are_named_with_their_place() {
    each_row(
        FAULTS,
        |(format, from, to, _)| format!("{format}: {from:?} becomes {to:?}"),
        |&&(format, from, to, wanted)| {
            let found = error(format, from, to);
            assert!(found.starts_with(wanted), "{found}");
        },
    );
}

#[test]
fn what_is_like_no_format_is_said_to_be_so() {
    let layout = Layout::triangle(7).unwrap();
    let long = "123456789".repeat(7);
    for (text, wanted) in [
        ("", "no deal in it: it is empty"),
        (" \n\n", "no deal in it: it is empty"),
        ("\u{feff}", "no deal in it: it is empty"),
        ("a\0b", "not a text in UTF-8 but binary data"),
        ("hello", "`hello` is not a deal in any known format"),
        (
            &long,
            "the number `1234567891234567891234567891234567891234` does not say what it is",
        ),
        ("solvitare:1", "there is no seed scheme `solvitare`"),
        (
            "greenfelt:0",
            "seed 0 is out of range: the seeds of greenfelt are 1 to 2147483646",
        ),
        ("Game: x", "`x` is not a seed"),
    ] {
        let error = parse_any(text, Deck::FULL, &layout).unwrap_err();
        assert!(error.to_string().starts_with(wanted), "{text}: {error}");
    }
}

#[test]
fn a_position_without_any_move_made_is_a_deal_in_our_text() {
    let layout = Layout::triangle(2).unwrap();
    let deck = Deck::new(1, 4).unwrap();
    let text = "redeals: 0\nFoundations: C0\nwaste:\nstock: 4C # the king\n2: <2c> 3C\n1: A♣\n";
    let deal = Format::Klondike.read(text, deck, &layout).unwrap();
    assert_eq!(
        Format::Klondike.write(&deal).unwrap(),
        "stock: 4C\n1: AC\n2: <2C> 3C\n"
    );
}

#[test]
fn only_a_position_without_any_move_made_is_a_deal() {
    let layout = Layout::triangle(2).unwrap();
    let deck = Deck::new(1, 4).unwrap();
    for line in [
        "redeals: 10",
        "redeals: K0",
        "waste: C0",
        "foundations: X0",
        "foundations: C1",
    ] {
        let text = format!("{line}\nstock: 4C\n2: <2C> 3C\n1: AC\n");
        let error = Format::Klondike.read(&text, deck, &layout).unwrap_err();
        let key = line.split(':').next().unwrap();
        assert!(
            error.to_string().contains(&format!("a line `{key}`")),
            "{error}"
        );
    }
}

#[test]
fn errors_in_a_file_count_its_lines() {
    let layout = Layout::triangle(7).unwrap();
    let deal = Scheme::KlondikeSolver.deal(&Seed::from(12_u64)).unwrap();
    let json = Format::Lonelybot.write(&deal).unwrap();
    let board = Format::Pysol.write(&deal).unwrap();
    for (good, from, to, wanted) in [
        (
            &json,
            "\n],\"stock\"",
            "\n},\"stock\"",
            "line 10: not the JSON",
        ),
        (
            &board,
            "<3D> 6C",
            "<3D> 6D",
            "line 9: pile 7, card 2: the card 6D stands twice, first in line 4, pile 2, card 2",
        ),
    ] {
        let text = format!("solvitaire:7\n{}", good.replacen(from, to, 1));
        let mut items = Items::new(text.as_bytes(), None, &layout);
        let first = items.next().unwrap().unwrap();
        assert_eq!(first.format(None), Ok(Format::Seed));
        let second = items.next().unwrap().unwrap();
        let format = second.format(None).unwrap();
        let error = second.read(format, Deck::FULL, &layout).unwrap_err();
        assert!(error.to_string().starts_with(wanted), "{error}");
    }
}
