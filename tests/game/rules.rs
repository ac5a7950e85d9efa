//! Rules, decks and layouts: their names, their texts and what they refuse.

use crate::common;
use klondike_game::rules::{Deck, Layout, Redeals, Rules};

#[test]
fn every_named_rule_set_exists_and_differs_from_the_others() {
    let all: Vec<Rules> = Rules::NAMES
        .iter()
        .map(|(name, _)| Rules::named(name).unwrap())
        .collect();
    for (i, a) in all.iter().enumerate() {
        for b in &all[i + 1..] {
            assert_ne!(a, b);
        }
    }
    let error = Rules::named("las-vegas").unwrap_err().to_string();
    assert!(error.contains("las-vegas") && error.contains("vegas3"));
}

#[test]
fn wrong_parameters_are_refused_with_their_value() {
    for (rules, text) in [
        (Rules::builder().draw_count(0), "draw 0"),
        (Rules::builder().draw_count(25), "draw 25"),
        (
            Rules::builder().deck(Deck::new(2, 5).unwrap()),
            "28 cards, but the deck has only 10",
        ),
    ] {
        let error = rules.build().unwrap_err().to_string();
        assert!(error.contains(text), "{error}");
    }
    assert!(Deck::new(5, 13).is_err() && Deck::new(0, 13).is_err());
    assert!(Deck::new(4, 14).is_err() && Deck::new(4, 0).is_err());
    assert!(Layout::new(vec![]).is_err() && Layout::new(vec![1; 14]).is_err());
}

#[test]
fn layouts_are_read_in_all_three_forms() {
    let layout = |s: &str| s.parse::<Layout>();
    assert_eq!(layout("triangle:7").unwrap().card_count(), 28);
    assert_eq!(layout("rectangle:6x3").unwrap().heights(), [3; 6]);
    assert_eq!(layout("0,2,1").unwrap().to_string(), "0,2,1");
    for bad in [
        "",
        "1,,2",
        "triangle:",
        "rectangle:3",
        "300",
        "rectangle:9x9",
        "a",
    ] {
        assert!(layout(bad).is_err(), "{bad}");
    }
}

#[test]
fn small_decks_hold_the_lowest_ranks_of_the_first_suits() {
    let deck = Deck::new(2, 3).unwrap();
    let names: Vec<String> = deck.cards().map(|card| card.to_string()).collect();
    assert_eq!(names, ["AC", "2C", "3C", "AD", "2D", "3D"]);
    assert_eq!(deck.card_set().len(), deck.len());
    assert_eq!(deck.kings().len(), 2);
}

#[test]
fn rules_read_back_from_json_and_what_is_missing_is_standard() {
    let read = |text: &str| serde_json::from_str::<Rules>(text);
    for (name, _) in Rules::NAMES {
        let rules = Rules::named(name).unwrap();
        let json = serde_json::to_string(&rules).unwrap();
        assert_eq!(read(&json).unwrap(), rules, "{name}");
    }
    assert_eq!(read("{}").unwrap(), Rules::standard());
    assert_eq!(
        read(r#"{"draw": 1, "redeals": 0}"#).unwrap(),
        Rules::named("vegas1").unwrap()
    );
    assert_eq!(
        read(r#"{"runs": "whole", "redeals": "unlimited"}"#).unwrap(),
        Rules::named("yan").unwrap()
    );
    assert_eq!(read(r#"{"redeals": null}"#).unwrap(), Rules::standard());
    let last_pass = Rules::builder().redeals(Redeals::LastPassByOnes);
    let last_pass = last_pass.build().unwrap();
    let json = serde_json::to_string(&last_pass).unwrap();
    assert!(json.contains(r#""redeals":"last-pass-by-ones""#), "{json}");
    assert_eq!(read(&json).unwrap(), last_pass);
    let changes = "redeals=last-pass-by-ones";
    assert_eq!(Rules::with_changes(changes).unwrap(), last_pass);
}

#[test]
fn reversed_groups_are_written_where_they_are_and_mean_nothing_with_draw_1() {
    let reversed = Rules::builder().reversed_groups(true).build().unwrap();
    let json = serde_json::to_string(&reversed).unwrap();
    assert!(json.ends_with(r#","reversed_groups":true}"#), "{json}");
    assert_eq!(serde_json::from_str::<Rules>(&json).unwrap(), reversed);
    assert_eq!(
        Rules::with_changes("reversed-groups=yes").unwrap(),
        reversed
    );
    assert_eq!(reversed.changes(), [("reversed-groups", "yes".to_owned())]);
    assert!(reversed.to_string().ends_with(", groups reversed"));
    let standard = serde_json::to_string(&Rules::standard()).unwrap();
    assert!(!standard.contains("reversed"), "{standard}");
    let draw_1 = reversed.to_builder().draw_count(1).build().unwrap();
    assert_eq!(draw_1, Rules::named("draw1").unwrap());
    let both = reversed.to_builder().redeals(Redeals::LastPassByOnes);
    let refused = both.build().unwrap_err().to_string();
    assert!(refused.ends_with("do not go together: take one of them"));
}

#[test]
fn wrong_rules_in_json_are_refused_and_the_error_says_what_is_right() {
    let all_fields = "`suits`, `ranks`, `piles`, `draw`, `redeals`, `worrying_back`, `runs`, \
                      `spaces`, `reversed_groups`";
    for (text, part) in [
        (r#"{"draws": 1}"#, all_fields),
        (r#"{"draw": 300}"#, "draw 300: the draw count is 1 to 24"),
        (r#"{"suits": 5}"#, "5 suits: a deck has 1 to 4"),
        (r#"{"ranks": 400}"#, "400 ranks: a suit has 1 to 13"),
        (r#"{"piles": []}"#, "0 piles: a layout has 1 to 13"),
        (r#"{"piles": [256, 1]}"#, "the piles need 257 cards"),
        (r#"{"piles": [18446744073709551615, 1]}"#, "the piles need"),
        (r#"{"ranks": 3}"#, "28 cards, but the deck has only 12"),
        (r#"{"redeals": -1}"#, "write a number, `unlimited` or"),
        (
            r#"{"redeals": "ever"}"#,
            "write a number, `unlimited` or `last-pass-by-ones`",
        ),
        (
            r#"{"redeals": true}"#,
            "a number of redeals, `unlimited` or `last-pass-by-ones`",
        ),
        (
            r#"{"runs": "short"}"#,
            "write partial, whole or partial-if-played",
        ),
        (r#"{"spaces": "aces"}"#, "write kings, any or nothing"),
        (r#"{"worrying_back": 1}"#, "expected a boolean"),
    ] {
        let error = serde_json::from_str::<Rules>(text).unwrap_err().to_string();
        assert!(error.contains(part), "{text}: {error}");
    }
}

#[test]
fn what_differs_from_the_standard_rules_comes_back_as_rules() {
    let variants = common::variants(Deck::new(3, 5).unwrap(), &Layout::triangle(3).unwrap());
    let named = Rules::NAMES.map(|(name, _)| Rules::named(name).unwrap());
    let small = Rules::builder()
        .deck(Deck::new(2, 8).unwrap())
        .layout(Layout::triangle(4).unwrap());
    let small = small.build().unwrap();
    for rules in named
        .into_iter()
        .chain([small])
        .chain(variants.iter().map(|rules| Rules::clone(rules)))
    {
        let words: Vec<String> = rules
            .changes()
            .iter()
            .map(|(n, v)| format!("{n}={v}"))
            .collect();
        assert_eq!(Rules::with_changes(&words.join(" ")), Ok(rules));
    }
    for bad in [
        "draw",
        "draw=x",
        "drow=1",
        "worrying-back=maybe",
        "suits=5",
        "draw=0",
    ] {
        let error = Rules::with_changes(bad).unwrap_err().to_string();
        assert!(
            error.contains(bad.split('=').next_back().unwrap()),
            "{error}"
        );
    }
}
