//! Deals: every published test vector, dealt by seed, written and read in every format; the orders
//! of the cards; and texts of any format.

use klondike_game::card::Card;
use klondike_game::deal::format::Format;
use klondike_game::deal::seed::{DealId, Scheme, Seed};
use klondike_game::deal::{Deal, DealError};
use klondike_game::rules::{Deck, Layout};

fn layout() -> Layout {
    Layout::triangle(7).expect("28 cards")
}

fn row_text(deal: &Deal) -> String {
    let words: Vec<String> = deal.row_order().iter().map(Card::to_string).collect();
    words.join(" ")
}

#[test]
fn every_scheme_deals_as_its_program_does() {
    let mut rows_of = std::collections::BTreeMap::new();
    let files = [
        include_str!("../../datasets/vectors/deals.csv"),
        include_str!("../../datasets/vectors/ksolve.csv"),
    ];
    for line in files.iter().flat_map(|file| file.lines().skip(1)) {
        let fields: Vec<&str> = line.split(',').collect();
        let scheme: Scheme = fields[0].parse().unwrap();
        let seed: Seed = fields[1].parse().unwrap();
        let deal = scheme.deal(&seed).unwrap();
        assert_eq!(row_text(&deal), fields[2], "{scheme}:{seed}");
        let id: DealId = format!("{scheme}:{seed}").parse().unwrap();
        assert_eq!(id.deal(Deck::FULL, &layout()).unwrap(), deal);
        if matches!(scheme, Scheme::Exact | Scheme::Microsoft) {
            assert_eq!(scheme.seed_of(&deal), Some(seed));
        }
        *rows_of.entry(scheme).or_insert(0) += 1;
    }
    // All schemes but our own and the alias of the three PySol kinds have 30 rows each, KSolve's 8.
    assert_eq!(rows_of.len(), Scheme::ALL.len() - 2);
    assert_eq!(rows_of.remove(&Scheme::Ksolve), Some(8));
    assert!(rows_of.values().all(|&rows| rows == 30));
}

#[test]
fn every_format_is_read_and_written() {
    let mut deals = 0;
    for line in include_str!("../../datasets/vectors/formats.jsonl").lines() {
        let row: serde_json::Value = serde_json::from_str(line).unwrap();
        let column = |name: &str| row[name].as_str().unwrap().to_owned();
        let id: DealId = format!("{}:{}", column("scheme"), column("seed"))
            .parse()
            .unwrap();
        let deal = id.deal(Deck::FULL, &layout()).unwrap();
        assert_eq!(row_text(&deal), column("draw_order"));

        let words = |cards: &[Card]| {
            let words: Vec<String> = cards.iter().map(Card::to_string).collect();
            words.join(" ")
        };
        let piles: Vec<String> = deal.piles().map(words).collect();
        assert_eq!(serde_json::json!(piles), row["piles_bottom_to_top"]);
        assert_eq!(words(deal.stock()), column("stock_first_drawn_first"));

        let json = Format::Solvitaire.write(&deal).unwrap();
        let value: serde_json::Value = serde_json::from_str(&json).unwrap();
        assert_eq!(value, row["solvitaire_json"]);
        let published = row["solvitaire_json"].to_string();
        let read = Format::Solvitaire.read(&published, Deck::FULL, &layout());
        assert_eq!(read.as_ref(), Ok(&deal));

        for (format, name) in [
            (Format::RowOrder, "draw_order"),
            (Format::Lonelybot, "lonelybot_print"),
            (Format::DeckString, "deckstring156"),
            (Format::KlondikeSolver, "deckstring156"),
            (Format::MinimalKlondike, "minimal_klondike_cards"),
            (Format::Pysol, "pysol_text"),
            (Format::FcSolve, "pysol_text_colon"),
            (Format::Pysol10, "pysol_text_10"),
            (Format::Exact, "lonelybot_exact"),
            (Format::Microsoft, "microsoft"),
        ] {
            let published = column(name);
            let read = format.read(&published, Deck::FULL, &layout());
            assert_eq!(read.as_ref(), Ok(&deal), "{} {format}", column("id"));
            let written = format.write(&deal).unwrap();
            // A number is written with its scheme; the stock of a row is set off by a bar.
            let bare = match format {
                Format::Exact => written.replace("exact:", ""),
                Format::Microsoft => written.replace("microsoft:", ""),
                Format::RowOrder => written.replace(" |", ""),
                _ => written,
            };
            if published.ends_with('\n') {
                assert_eq!(bare, published, "{} {format}", column("id"));
            } else {
                assert_eq!(bare.trim_end(), published.trim_end(), "{format}");
                assert!(bare.ends_with('\n'));
            }
        }
        deals += 1;
    }
    assert_eq!(deals, 10);
}

#[test]
fn both_orders_round_trip_and_the_piles_are_dealt_row_by_row() {
    let layout = Layout::triangle(7).unwrap();
    let cards: Vec<Card> = Deck::FULL.cards().collect();
    let deal = Deal::from_row_order(Deck::FULL, &layout, &cards).unwrap();
    assert_eq!(deal.row_order(), cards);
    assert_eq!(deal.pile(0), [cards[0]]);
    assert_eq!(deal.pile(1), [cards[1], cards[7]]);
    assert_eq!(deal.pile(6).last(), Some(&cards[27]));
    assert_eq!(deal.stock()[0], cards[28]);
    let same = Deal::from_pile_order(Deck::FULL, &layout, deal.pile_order()).unwrap();
    assert_eq!(same, deal);
}

#[test]
fn wrong_cards_are_named() {
    let layout = Layout::triangle(7).unwrap();
    let mut cards: Vec<Card> = Deck::FULL.cards().collect();
    let last = cards.pop().unwrap();
    let deal = |cards: &[Card]| Deal::from_row_order(Deck::FULL, &layout, cards);
    assert_eq!(deal(&cards), Err(DealError::Missing(last.set())));
    cards.push(cards[0]);
    assert_eq!(deal(&cards), Err(DealError::Twice(cards[0])));
    let small = Deck::new(2, 3).unwrap();
    let error = Deal::new(small, vec![vec![last]], vec![]).unwrap_err();
    assert_eq!(error, DealError::NotInDeck(last));
}

#[test]
fn every_recognised_format_is_read() {
    let deal: Deal = "klondike-solver:12".parse().unwrap();
    for format in Format::ALL {
        // The cards of MinimalKlondike look like those in row order.
        if format != Format::MinimalKlondike && format.is_available() {
            let text = format.write(&deal).unwrap();
            assert_eq!(text.parse::<Deal>().as_ref(), Ok(&deal), "{format}");
        }
    }
    assert_eq!(format!("{deal}\n"), Format::Klondike.write(&deal).unwrap());
}

#[test]
fn errors_say_what_is_wrong_and_how_to_mend_it() {
    let deal: Deal = "klondike-solver:12".parse().unwrap();
    let twice = deal.to_string().replacen("1: 8H", "1: 3D", 1);
    let waste = format!("waste: 8H\n{deal}");
    for (text, wanted) in [
        (
            "",
            "no deal in it: it is empty; write a seed such as solvitaire:3, or",
        ),
        (
            "solvitare:3",
            "there is no seed scheme `solvitare`; known: klondike",
        ),
        (
            &twice,
            "line 3: pile 2, card 1: the card 3D stands twice, first in line 2, pile 1, \
             card 1; write each card of the deck once",
        ),
        (
            &waste,
            "line 1: a game in progress, not a fresh deal: it has a line `waste`; read it as a \
             position, or write the deal before play",
        ),
    ] {
        let error = text.parse::<Deal>().unwrap_err();
        let shown = error.to_string();
        assert!(shown.contains(wanted), "{shown}");
        assert!(!shown.contains('\n'));
        let ending = error.hint().unwrap_or_default();
        assert!(shown.ends_with(ending));
        assert!(shown.starts_with(&error.format_error().to_string()));
    }
}

#[test]
fn errors_of_json_show_what_it_looks_like() {
    let error = "{}".parse::<Deal>().unwrap_err().to_string();
    let wanted = "not the JSON of a deal: missing field `tableau piles` (column 2); write {";
    assert!(error.contains(wanted), "{error}");
}
