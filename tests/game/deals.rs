//! Every published test vector of deals: dealt by seed, written and read in every format.

use klondike_game::card::Card;
use klondike_game::deal::Deal;
use klondike_game::deal::format::Format;
use klondike_game::deal::seed::{DealId, Scheme, Seed};
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
    for line in include_str!("../../datasets/vectors/deals.csv")
        .lines()
        .skip(1)
    {
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
    // All schemes but our own and the alias of the three PySol kinds have 30 rows each.
    assert_eq!(rows_of.len(), Scheme::ALL.len() - 2);
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
        let piles: Vec<String> = deal.piles().iter().map(|pile| words(pile)).collect();
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
