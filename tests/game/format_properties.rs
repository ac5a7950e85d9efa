//! Properties of the deal formats: every deal comes back from every text, and no text whatever
//! makes a reader panic or gives anything but a deal or a one-line error.

use klondike_game::card::Card;
use klondike_game::deal::Deal;
use klondike_game::deal::format::file::Items;
use klondike_game::deal::format::{Format, parse_any};
use klondike_game::deal::seed::{DealId, DealRange, Scheme, Seed};
use klondike_game::rules::{Deck, Layout};
use klondike_game::table::solvitaire::read_solvitaire;
use proptest::prelude::*;
use proptest::test_runner::FileFailurePersistence;

fn standard() -> Layout {
    Layout::triangle(7).expect("28 cards")
}

fn full_deal() -> impl Strategy<Value = Deal> {
    let cards: Vec<Card> = Deck::FULL.cards().collect();
    Just(cards)
        .prop_shuffle()
        .prop_map(|cards| Deal::from_row_order(Deck::FULL, &standard(), &cards).expect("a deck"))
}

/// Any deck and any layout that it is large enough for.
fn any_deal() -> impl Strategy<Value = Deal> {
    (
        1..=4_u8,
        1..=13_u8,
        any::<u64>(),
        prop::collection::vec(0..=8_u8, 1..=13),
    )
        .prop_map(|(suits, ranks, seed, heights)| {
            let deck = Deck::new(suits, ranks).expect("in range");
            let mut left = deck.len() as u8;
            let heights = heights
                .into_iter()
                .map(|height| {
                    let height = height.min(left);
                    left -= height;
                    height
                })
                .collect();
            let layout = Layout::new(heights).expect("not more than the deck");
            Scheme::Klondike
                .deal_for(&Seed::from(seed), deck, &layout)
                .expect("our scheme deals everything")
        })
}

/// Reads a text in every way there is; every error must be one line.
fn read_all_ways(text: &str, deck: Deck, layout: &Layout) {
    let one_line = |error: String| assert!(!error.contains(['\n', '\r']), "{error:?}");
    for format in Format::ALL {
        match format.read(text, deck, layout) {
            Ok(deal) => assert_eq!((deal.deck(), deal.layout()), (deck, layout)),
            Err(error) => one_line(error.to_string()),
        }
    }
    if let Err(error) = parse_any(text, deck, layout) {
        one_line(error.to_string());
    }
    if let Err(error) = read_solvitaire(text, deck) {
        one_line(error.to_string());
    }
    if let Err(error) = text.parse::<DealRange>() {
        one_line(error.to_string());
    }
}

fn read_bytes_all_ways(bytes: &[u8], deck: Deck, layout: &Layout) {
    for format in Format::ALL.map(Some).into_iter().chain([None]) {
        let mut lines = None;
        for item in Items::new(bytes, format, layout) {
            let Ok(item) = item else { break };
            assert!(item.line() > lines, "items come in order");
            lines = item.line();
            if let Ok(found) = item.format(format) {
                let _ = item.read(found, deck, layout);
            }
        }
    }
    read_all_ways(&String::from_utf8_lossy(bytes), deck, layout);
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: Some(Box::new(FileFailurePersistence::WithSource("regressions"))),
        ..ProptestConfig::default()
    })]

    #[test]
    fn every_format_holds_every_deal(deal in full_deal()) {
        for format in Format::ALL {
            let text = format.write(&deal).expect("a standard deal");
            let read = format.read(&text, Deck::FULL, &standard());
            prop_assert_eq!(read.as_ref(), Ok(&deal), "{}: {}", format, text);
            // Recognised without a name, but for the one that cannot be.
            if format != Format::MinimalKlondike {
                let (_, found) = parse_any(&text, Deck::FULL, &standard()).expect("our own text");
                prop_assert_eq!(&found, &deal, "{}: {}", format, text);
            }
            // The same from a file with other line ends.
            let text = text.replace('\n', "\r\n");
            let file = format!("# before\r\n\r\n{text}\r\n{text}");
            let guess = (format != Format::MinimalKlondike).then_some(None);
            for given in [Some(Some(format)), guess].into_iter().flatten() {
                let items: Vec<_> = Items::new(file.as_bytes(), given, &standard()).collect();
                prop_assert_eq!(items.len(), 2, "{}: {}", format, text);
                for item in items {
                    let item = item.expect("a text");
                    let found = item.format(given).expect("our own text");
                    let read = item.read(found, Deck::FULL, &standard());
                    prop_assert_eq!(read.as_ref(), Ok(&deal), "{}: {}", format, text);
                }
            }
        }
    }

    #[test]
    fn decks_and_layouts_of_every_size_round_trip_where_the_format_has_them(deal in any_deal()) {
        let layout = deal.layout();
        for format in [
            Format::Klondike,
            Format::Picture,
            Format::RowOrder,
            Format::Solvitaire,
        ] {
            let text = format.write(&deal).expect("a format for all deals");
            let read = format.read(&text, deal.deck(), layout);
            prop_assert_eq!(read.as_ref(), Ok(&deal), "{}: {}", format, text);
            let (found, read) = parse_any(&text, deal.deck(), layout).expect("our own text");
            prop_assert_eq!((found, &read), (format, &deal));
        }
        if *layout != standard() || deal.deck() != Deck::FULL {
            for format in Format::ALL.into_iter().filter(|format| format.standard_only()) {
                prop_assert!(format.write(&deal).is_err());
                let error = format.read("5", deal.deck(), layout).expect_err("not standard");
                prop_assert!(error.to_string().contains("52 cards"), "{}", error);
            }
        }
    }

    #[test]
    fn the_two_numbers_of_a_deal_give_it_back(deal in full_deal()) {
        for scheme in [Scheme::Exact, Scheme::Microsoft] {
            let seed = scheme.seed_of(&deal).expect("a standard deal");
            prop_assert_eq!(scheme.deal(&seed), Ok(deal.clone()));
        }
    }

    #[test]
    fn every_64_bit_number_is_a_deal_or_out_of_range(number in any::<u64>(), low in any::<u32>()) {
        for scheme in Scheme::ALL {
            for number in [number, low.into()] {
                let seed = Seed::from(number);
                let (first, last) = scheme.range();
                let inside = first <= seed && seed <= last;
                prop_assert_eq!(scheme.deal(&seed).is_ok(), inside, "{}:{}", scheme, number);
                let text = format!("{scheme}:{number}");
                let id = text.parse::<DealId>();
                prop_assert_eq!(id.map(|id| id.to_string()).ok(), inside.then_some(text));
            }
        }
    }

    #[test]
    fn any_bytes_are_read_without_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        read_bytes_all_ways(&bytes, Deck::FULL, &standard());
    }

    /// Texts made of the pieces that the formats are made of.
    #[test]
    fn any_heap_of_pieces_is_read_without_panic(
        pieces in prop::collection::vec(prop::sample::select(&PIECES[..]), 0..60),
    ) {
        let text: String = pieces.concat();
        read_bytes_all_ways(text.as_bytes(), Deck::FULL, &standard());
        let layout = Layout::triangle(2).expect("3 cards");
        read_bytes_all_ways(text.as_bytes(), Deck::new(1, 4).expect("in range"), &layout);
    }

    /// Real texts with a few bytes changed, put in, or cut off.
    #[test]
    fn damaged_deals_are_read_without_panic(
        deal in full_deal(),
        format in prop::sample::select(&Format::ALL[..]),
        damage in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>(), 0..4_u8), 1..4),
    ) {
        let mut bytes = format.write(&deal).expect("a standard deal").into_bytes();
        for (place, byte, how) in damage {
            if bytes.is_empty() {
                break;
            }
            let i = place.index(bytes.len());
            match how {
                0 => bytes[i] = byte,
                1 => bytes.insert(i, byte),
                2 => { bytes.remove(i); }
                _ => bytes.truncate(i),
            }
        }
        read_bytes_all_ways(&bytes, Deck::FULL, &standard());
    }
}

const PIECES: [&str; 51] = [
    "stock: 2 (AC 2c)\n",
    "   1    2\n",
    " (3D)",
    "  ??",
    " ",
    "\n",
    "\r\n",
    "\t",
    ":",
    ": ",
    "#",
    "|",
    "<",
    ">",
    "<AC>",
    "<TH> ",
    "AC ",
    "2c ",
    "10H ",
    "T♥ ",
    "stock:",
    "waste:",
    "foundations:",
    "redeals:",
    "double move:",
    "1:",
    "2: ",
    "7:",
    "Talon: ",
    "Foundations: H-0 ",
    "==>",
    "<==",
    "Game: 12",
    "Game",
    "{",
    "}",
    "[",
    "]",
    "\"",
    "\\",
    ",",
    "\"tableau piles\": ",
    "\"stock\": [",
    "\"foundation\": [",
    "\"AC\"",
    "011",
    "052999",
    "exact:",
    "solvitaire:",
    "..",
    "-1",
];
