//! Cards that are not known are `??` in every format that has words for cards.

use std::sync::Arc;

use klondike_game::card::{Card, CardSet};
use klondike_game::deal::Deal;
use klondike_game::deal::format::Format;
use klondike_game::deal::format::file::Item;
use klondike_game::rules::Rules;
use klondike_game::table::Table;
use klondike_game::table::position::PartlyKnown;
use klondike_game::table::start::Start;

use crate::rows::each_row;

/// The formats that have words for cards.
const WORDS: [Format; 9] = [
    Format::Klondike,
    Format::Picture,
    Format::RowOrder,
    Format::Solvitaire,
    Format::Lonelybot,
    Format::MinimalKlondike,
    Format::Pysol,
    Format::Pysol10,
    Format::FcSolve,
];

fn rules() -> Arc<Rules> {
    Arc::new(Rules::standard())
}

fn deal() -> Deal {
    "solvitaire:22".parse().unwrap()
}

/// The text with `??` in place of the cards, however the format writes them.
fn without(mut text: String, cards: CardSet) -> String {
    for card in cards {
        let suit = card.suit().letter();
        let ranks = match card.rank().get() {
            10 => ["10", "T"].map(str::to_owned),
            _ => [card.rank().letter().to_string(), String::new()],
        };
        for rank in ranks.iter().filter(|rank| !rank.is_empty()) {
            for suit in [suit, suit.to_ascii_lowercase()] {
                text = text.replace(&format!("({rank}{suit})"), " ?? ");
                text = text.replace(&format!("{rank}{suit}"), "??");
            }
        }
    }
    text
}

fn read(text: &str, format: Format) -> Result<Start, String> {
    let item = Item::from_text(text.to_owned());
    Start::read(&item, format, &rules()).map_err(|error| error.to_string())
}

fn partly(text: &str, format: Format) -> PartlyKnown {
    match read(text, format) {
        Ok(Start::Partly(partly)) => *partly,
        other => panic!("{other:?} of {text}"),
    }
}

/// All face-down cards are unknown, or some of them, or some of the stock as well.
#[test]
fn every_format_with_words_for_cards_takes_unknown_ones() {
    let table = Table::new(rules(), &deal()).unwrap();
    let piles = table.piles().iter();
    let down: CardSet = piles
        .flat_map(|pile| pile.face_down().iter().copied())
        .collect();
    let some: CardSet = down.filter(|card| card.index() % 3 == 0).collect();
    let stock: CardSet = table.stock().take(2).collect();
    let cases = [(down, 0), (some, 0), (some | stock, 2)];
    let rows = WORDS
        .into_iter()
        .flat_map(|format| cases.map(|case| (format, case)));
    each_row(
        rows,
        |(format, (unknown, _))| format!("{format}, {} unknown", unknown.len()),
        |&(format, (unknown, in_talon))| {
            let text = without(format.write(&deal()).unwrap(), unknown);
            let read = partly(&text, format);
            assert_eq!(read.unknown, unknown);
            assert_eq!(read.unknown_talon, in_talon);
            for (found, wanted) in read.table.piles().iter().zip(table.piles()) {
                assert_eq!(found.face_up(), wanted.face_up());
                let known = |&(_, card): &(&Card, &Card)| !unknown.contains(*card);
                let down = found.face_down().iter().zip(wanted.face_down());
                assert!(down.filter(known).all(|(found, wanted)| found == wanted));
            }
            // It is recognised, except where that cannot be.
            let found = Item::from_text(text).format(None).unwrap();
            assert!(
                found == format || format == Format::MinimalKlondike,
                "{found}"
            );
        },
    );
}

#[test]
fn what_is_wrong_with_unknown_cards_is_said() {
    let line = Format::RowOrder.write(&deal()).unwrap();
    let cards: Vec<&str> = line.split_whitespace().collect();
    let first = cards[0];
    for (text, format, wanted) in [
        (
            line.replace(cards[1], "?? ??"),
            Format::RowOrder,
            "the number of unknown cards (`??`) is 2, but the number of cards that lie nowhere \
             else is 1",
        ),
        (
            line.replace(first, "??"),
            Format::RowOrder,
            "pile 1 has an unknown card (`??`) that is face up: write the card",
        ),
        (
            "0101??".to_owned(),
            Format::DeckString,
            "the format deck-string cannot hold cards that are not known; with unknown cards use \
             `advise`, and write the deal in the format klondike, with `??` for each of them",
        ),
    ] {
        assert_eq!(read(&text, format).unwrap_err(), wanted);
    }
    // An error of the rest names the line and the place in the text as it is.
    let board = Format::Pysol.write(&deal()).unwrap();
    let mut lines: Vec<String> = board.lines().map(str::to_owned).collect();
    let known = lines[3].split(' ').next().unwrap().to_owned();
    lines[3] = lines[3].replace(&known, "??");
    lines[5] += " <";
    let error = read(&lines.join("\n"), Format::Pysol).unwrap_err();
    assert!(
        error.starts_with("line 6: pile 5, card 6: `<` is not a card"),
        "{error}"
    );
}

/// What is written is read as the same again, in the formats that have a sign for unknown cards.
#[test]
fn unknown_cards_are_written() {
    let table = Table::new(rules(), &deal()).unwrap();
    let piles = table.piles().iter();
    let down: CardSet = piles
        .flat_map(|pile| pile.face_down().iter().copied())
        .collect();
    let stock = table.stock().next().into_iter().collect();
    let text = without(Format::Pysol.write(&deal()).unwrap(), down | stock);
    let read = partly(&text, Format::Pysol);
    let start = Start::Partly(Box::new(read.clone()));
    for format in Format::ALL {
        match start.write(format) {
            Ok(text) => {
                let again = partly(&text, format);
                assert_eq!(again.to_position(), read.to_position(), "{text}");
                assert_eq!(again.unknown, read.unknown);
                for card in down {
                    assert!(!text.contains(&card.to_string()), "{card} in {text}");
                }
            }
            Err(error) => {
                let words = format!("the format {format} cannot hold the cards that are not known");
                assert!(error.to_string().starts_with(&words), "{error}");
            }
        }
    }
    let holds = |format: &Format| start.write(*format).is_ok();
    let wanted = [Format::Klondike, Format::Picture, Format::RowOrder];
    assert!(Format::ALL.into_iter().filter(holds).eq(wanted));
    let position = read.to_position();
    let down = position.piles.iter().flat_map(|pile| &pile.face_down);
    assert!(down.clone().count() == 21 && down.clone().all(|card| card == "??"));
    assert_eq!(
        position.stock.iter().filter(|card| *card == "??").count(),
        1
    );
}
