//! The reader of Brewis' notation: what it accepts, and where and how its errors say to mend a
//! file.

use klondike_patience::SHIPPED;
use klondike_patience::notation::{read, write};

use crate::rows::each_row;

const KLONDIKE: &str = SHIPPED[0].1;

fn error(from: &str, to: &str) -> String {
    assert!(KLONDIKE.contains(from), "{from}");
    let text = KLONDIKE.replacen(from, to, 1);
    read("x", &text).unwrap_err().to_string()
}

#[test]
fn what_is_written_is_read_again_and_means_the_same() {
    for (name, text, _) in SHIPPED {
        let game = read(name, text).unwrap();
        let again = write(&game);
        assert_eq!(read(name, &again.to_string()).unwrap(), game);
    }
}

#[test]
fn fields_that_the_listings_leave_out_have_the_values_of_klondike() {
    let text =
        KLONDIKE
            .replacen("\"moveStacks\": 1,", "", 1)
            .replacen("\"stackAnySuit\": 0,", "", 1);
    assert_ne!(text, KLONDIKE);
    assert_eq!(read("x", &text), read("x", KLONDIKE));
}

/// What is replaced in the file of Klondike, by what, and how the error begins.
#[rustfmt::skip]
const MISTAKES: &[(&str, &str, &str)] = &[
    ("\"numSuits\": 4", "\"numSuits\": 5", "numSuits: this is 5; write a whole number from 1 to 4"),
    ("\"numSuits\": 4,", "", "numSuits: this field is missing; add it: number of suits, 1 to 4"),
    ("\"numSuits\"", "\"num_suits\"", "num_suits: there is no such field; write `numSuits`"),
    ("\"maxOneInTalon\": 0", "\"maxOneInTalon\": true",
        "maxOneInTalon: this is true; write 1 for yes or 0 for no"),
    ("[1, 1, 1, 1, 1, 1, 1]", "[1, 1, 1, 1, 1, 1]",
        "moves: this is [1,1,1,1,1,1]; list seven times 1 (allowed) or 0 (not), for \
         TABLEAUTOFOUNDATION, TURNOVERTABLEAU,"),
    ("[1, 1, 1, 1, 1, 1, 1]", "[1, 1, 1, 1, 1, 0, 1]",
        "moves[5]: TURNOVERSTOCK is 0, but 24 cards lie in the stock"),
    ("[1, 1, 1, 1, 1, 1, 1]", "[1, 0, 1, 1, 1, 1, 1]",
        "moves[1]: TURNOVERTABLEAU is 0, but cards are dealt face down"),
    ("[1, 1, 1, 1, 1, 1, 1]", "[0, 1, 1, 1, 1, 1, 1]", "moves[0]: TABLEAUTOFOUNDATION is 0, but"),
    ("[1, 1, 1, 1, 1, 1, 1]", "[1, 1, 0, 1, 1, 1, 0]",
        "moves[2]: TALONTOFOUNDATION is 0, but TALONTOTABLEAU is 0 too"),
    ("\"numTableaus\": 7", "\"numTableaus\": 10",
        "tableau.numTableaus: the piles take 55 cards, but the deck has only 52; deal fewer"),
    ("\"cardsOnEmptySpace\": [13]", "\"cardsOnEmptySpace\": [13, 13]",
        "tableau.cardsOnEmptySpace: this is [13,13]; list each rank once"),
    ("\"cards per suit\": 13", "\"cards per suit\": 12",
        "tableau.cardsOnEmptySpace: this is [13]; list ranks from 1 to 12"),
    ("\"cardsOnFoundationBottom\": [1]", "\"cardsOnFoundationBottom\": []",
        "foundation.cardsOnFoundationBottom: no card may begin"),
    ("\"cardsOnFoundationBottom\": [1]", "\"cardsOnFoundationBottom\": 1",
        "foundation.cardsOnFoundationBottom: this is 1; list ranks"),
    ("\"stackByColour\": 0", "\"stackByColour\": -1",
        "foundation.stackByColour: this is -1; write 1 for yes"),
    ("\"tableau\":", "\"tableau\"", "this is not JSON as it should be: expected `:` at line"),
    ("\"numSuits\": 4,", "\"numSuits\": 4, \"numSuits\": 3,",
        "this is not JSON as it should be: the field `numSuits` stands twice at line 2"),
    ("\"numSuits\": 4,", "\"type\": 7, \"numSuits\": 4,", "type: this is 7; write a text"),
    ("\"numSuits\": 4,", "\"numSuits\": 4, \"extensions\": {\"drawCount\": 0},",
        "extensions.drawCount: this is 0; write a whole number from 1 to 52"),
    ("\"numSuits\": 4,", "\"numSuits\": 4, \"extensions\": {\"heights\": [1, 2]},",
        "extensions.heights: this is [1,2]; list 7 whole numbers"),
    ("\"numSuits\": 4,", "\"numSuits\": 4, \"extensions\": {\"redeals\": \"none\"},",
        "extensions.redeals: this is \"none\"; write a whole number from 0 on"),
    ("\"numSuits\": 4,", "\"numSuits\": 4, \"extensions\": {\"draw\": 3},",
        "extensions.draw: there is no such field; take it out, or use one of drawCount"),
    ("\"numSuits\": 4,", "\"numSuits\": 4, \"extensions\": [],",
        "extensions: this is []; write an object"),
];

#[test]
fn errors_say_where_and_how_to_mend_it() {
    each_row(
        MISTAKES,
        |(from, to, _)| format!("{from} becomes {to}"),
        |&&(from, to, expected)| {
            let shown = error(from, to);
            assert!(shown.starts_with(expected), "{shown}");
            assert!(shown.contains("; "), "{shown}");
        },
    );
    let text = KLONDIKE
        .replacen("\"maxOneInTalon\": 0", "\"maxOneInTalon\": 1", 1)
        .replacen(
            "\"numSuits\": 4,",
            "\"numSuits\": 4, \"extensions\": {\"drawCount\": 3},",
            1,
        );
    let shown = read("x", &text).unwrap_err();
    assert_eq!(shown.place(), "extensions.drawCount");
    let text = KLONDIKE
        .replacen("\"stackByColour\": 0", "\"stackByColour\": 1", 1)
        .replace("\"stackAnySuit\": 0", "\"stackAnySuit\": 1");
    let shown = read("x", &text).unwrap_err();
    assert_eq!(shown.place(), "foundation.stackByColour");
    assert_eq!(read("x", "[]").unwrap_err().place(), "");
}
