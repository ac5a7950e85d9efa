//! Seed schemes, ranges and their texts.

use klondike_game::card::Card;
use klondike_game::deal::seed::{DealId, DealRange, Scheme, Seed, SeedError, looks_like_seed};
use klondike_game::rules::{Deck, Layout};

fn seed(text: &str) -> Seed {
    text.parse().unwrap()
}

fn row(scheme: Scheme, text: &str) -> String {
    let cards = scheme.deal(&seed(text)).unwrap().row_order();
    let words: Vec<String> = cards.iter().map(Card::to_string).collect();
    words.join(" ")
}

#[test]
fn both_ends_of_every_range_are_dealt_and_the_numbers_beside_them_refused() {
    for scheme in Scheme::ALL
        .into_iter()
        .filter(|scheme| scheme.is_available())
    {
        let (first, last) = scheme.range();
        for inside in [&first, &last] {
            let deal = scheme.deal(inside).unwrap();
            assert_eq!(*deal.layout(), Layout::standard());
        }
        let lowest: i64 = first.to_string().parse().unwrap();
        for outside in [Seed::from(lowest - 1), last.plus(1)] {
            let error = scheme.deal(&outside).unwrap_err().to_string();
            let range = format!("the seeds of {scheme} are {first} to {last}");
            assert!(error.contains(&range), "{error}");
        }
    }
}

#[test]
fn negative_seeds_are_those_of_the_32_bit_programs() {
    for (low, high) in [("-2", "4294967294"), ("-2147483648", "2147483648")] {
        for scheme in [Scheme::Solvitaire, Scheme::KlondikeSolver] {
            assert_eq!(row(scheme, low), row(scheme, high));
        }
    }
    let special = row(Scheme::KlondikeSolver, "-1");
    assert_eq!(special, row(Scheme::KlondikeSolver, "1878604981"));
    assert_ne!(special, row(Scheme::KlondikeSolver, "4294967295"));
    let none = Scheme::Solvitaire.deal(&seed("-1")).unwrap_err();
    assert_eq!(none, SeedError::NoSeed);
}

#[test]
fn pysol_chooses_the_generator_by_the_number() {
    assert_eq!(row(Scheme::Pysol, "31999"), row(Scheme::PysolMs, "31999"));
    assert_eq!(row(Scheme::Pysol, "32000"), row(Scheme::PysolfcMt, "32000"));
}

#[test]
fn every_other_scheme_is_for_the_standard_deal_only() {
    let small = Deck::new(2, 4).unwrap();
    let layout = Layout::triangle(2).unwrap();
    for scheme in Scheme::ALL {
        let deal = scheme.deal_for(&seed("7"), small, &layout);
        if scheme == Scheme::Klondike {
            assert_eq!(deal.unwrap().deck(), small);
        } else {
            assert_eq!(deal, Err(SeedError::StandardOnly(scheme)));
        }
    }
    let large = Layout::triangle(7).unwrap();
    let error = Scheme::Klondike.deal_for(&seed("7"), small, &large);
    let (layout, deck) = (28, 8);
    assert_eq!(error, Err(SeedError::TooFewCards { layout, deck }));
}

#[test]
fn names_and_ranges_are_read_as_they_are_written() {
    for scheme in Scheme::ALL {
        assert_eq!(scheme.to_string().parse(), Ok(scheme));
    }
    let range: DealRange = "klondike-solver:-2..3".parse().unwrap();
    assert_eq!(range.count_left(), Some(6));
    assert_eq!(range.to_string().parse(), Ok(range.clone()));
    let ids: Vec<String> = range.map(|id| id.to_string()).collect();
    assert_eq!(ids.len(), 6);
    assert_eq!(
        (ids[0].as_str(), ids[5].as_str()),
        ("klondike-solver:-2", "klondike-solver:3")
    );
    let one: DealRange = "exact:5".parse().unwrap();
    assert_eq!(
        one.map(|id| id.to_string()).collect::<Vec<_>>(),
        ["exact:5"]
    );
    let highest: DealRange = "klondike:18446744073709551614..18446744073709551615"
        .parse()
        .unwrap();
    assert_eq!(highest.count(), 2);
}

#[test]
fn bad_texts_are_refused_with_the_reason() {
    for (text, reason) in [
        (
            "solvitare:1",
            "there is no seed scheme `solvitare`; known: klondike",
        ),
        ("12", "`12` names no scheme"),
        ("solvitaire:", "`` is not a seed"),
        ("solvitaire:x", "`x` is not a seed"),
        ("solvitaire:+1", "`+1` is not a seed"),
        ("solvitaire:1..", "`` is not a seed"),
        ("solvitaire:5..4", "the range 5..4 is empty"),
        ("solvitaire:-5..4", "seed -1 means"),
        ("solvitaire:4294967296", "seed 4294967296 is out of range"),
        ("greenfelt:0..9", "seed 0 is out of range"),
        ("greenfelt:1..2147483647", "seed 2147483647 is out of range"),
    ] {
        let error = text.parse::<DealRange>().unwrap_err().to_string();
        assert!(error.starts_with(reason), "{text}: {error}");
        assert!(!error.contains('\n'));
    }
    // More than 256 bits hold, with as many digits as are read.
    for (scheme, number) in [
        ("exact", "9".repeat(80)),
        ("solvitaire", format!("-{}", "9".repeat(79))),
    ] {
        let scheme: Scheme = scheme.parse().unwrap();
        let (first, last) = scheme.range();
        let wanted =
            format!("seed {number} is out of range: the seeds of {scheme} are {first} to {last}");
        let texts = [
            format!("{scheme}:{number}"),
            format!("{scheme}:{number}..{number}"),
        ];
        let error = texts[0].parse::<DealId>().unwrap_err();
        assert_eq!(error.to_string(), wanted);
        let error = texts[1].parse::<DealRange>().unwrap_err();
        assert_eq!(error.to_string(), wanted);
        let error = number.parse::<Seed>().unwrap_err().to_string();
        assert!(
            error.starts_with(&format!("seed {number} is out of range")),
            "{error}"
        );
    }
    let zeros = format!("exact:{}5", "0".repeat(79));
    assert_eq!(zeros.parse::<DealId>().unwrap().to_string(), "exact:5");
    let long = format!("exact:{}", "9".repeat(81));
    assert!(matches!(
        long.parse::<DealId>(),
        Err(SeedError::NotANumber(_))
    ));
    assert!(!looks_like_seed("1: KS") && !looks_like_seed("stock: 2C"));
    assert!(looks_like_seed("solvitare:1..3") && looks_like_seed("exact:x"));
}

/// Seeds of none and of three words, from Python's own generator.
#[test]
fn python_takes_seeds_of_any_length() {
    for (number, cards) in [
        (
            "0",
            "3S 7S QS KC 9S KH 5D AD QD KS 8S AS JH 3C JS 4H QC KD 6D 9H 7H TC 8D 3D 2H AH \
             7D TS JD 5H JC 6S 6C 9D 6H AC 4D 3H 2D 9C 4S 2S TD TH 5S 7C 2C 8C 8H 5C QH 4C",
        ),
        (
            "100000000000000000000",
            "9D 8H QH 9H 4H 2H AC 3D QC 9C TD KH JH AH QS JS 4S 7H KD KS 5C 7C 7D AS 9S 5D \
             JC 8D 4C AD JD 3H 3S 7S 3C 5S 2C TC 2D 2S TH 6D 6S 6C 5H KC 8S 6H QD TS 4D 8C",
        ),
    ] {
        assert_eq!(row(Scheme::PysolfcMt, number), cards);
    }
}

/// The three kinds of `ms` numbers differ above 2³¹; dealt by the package `pysol_cards`.
#[test]
fn large_ms_numbers_are_dealt_as_pysol_cards_does() {
    for (number, cards) in [
        (
            "2147483648",
            "TC 3D 2S 6S 2H QC QH TD KC JD 3H 8C KS 5D 8D 5C 8H 7C 4D 3C 7D 9H QS 7S 8S AS \
             TH JC 9C AH 4H JS TS 7H JH 5H 3S 6C 2C 9D QD 6H AD 9S 2D KH 4C KD 6D 4S 5S AC",
        ),
        (
            "4294967295",
            "AD 8H QC 2D JH 9C JS KD AS TH QH 6S 7D 8D JD 4H 5S 6D 7S 8C TC 9S 3S KS AH 5H \
             7C 4C KH 7H 4S 2S KC 5D TD 9H 2C 9D 6H 6C 3H 3D 8S 4D AC 2H QD 5C QS TS JC 3C",
        ),
        (
            "4294967297",
            "7H 7S AH 8C 9S 9C JH TS TC AC KD 5S 7D 5D 5H QH 3H 6C 6D 5C 3C 9H 3D 7C KS AS \
             JS 2D 4S AD QS 4D 9D 2H JD TD 2C JC 4C QD QC 2S 6H 8D TH 6S 3S 8H 4H KC KH 8S",
        ),
        (
            "8589934591",
            "AH 6H 4D 5S JS 2S TC JD TH TD 8S 7C 3H 8D 2C KH 4C QS 6C 6D 8C KS 8H KD 3S KC \
             7D TS JC 7H 2H 3C 5H 9H 4H AS 2D QD 5D AC 5C 9S QC JH AD QH 9D 7S 9C 6S 3D 4S",
        ),
    ] {
        assert_eq!(row(Scheme::PysolMs, number), cards);
    }
}
