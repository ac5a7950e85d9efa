//! Blocking sets: the named examples of `docs/blocking.md`, and thousands of small games in which
//! what the analysis says is compared with all positions that can be reached at the table.

use crate::common;
use std::collections::HashSet;
use std::sync::Arc;

use klondike_game::card::{Card, CardSet, Rank};
use klondike_game::deal::Deal;
use klondike_game::rules::{Deck, Layout, Redeals, Rules, Runs, Spaces};
use klondike_game::table::Table;
use klondike_lab::count::Locks;
use klondike_lemmas::kplus::Game;
use klondike_lemmas::prune::Lemmas;
use klondike_lemmas::prune::blocking::explain::{Explanation, Place, Wait, explain};
use klondike_lemmas::prune::blocking::{self, Blocked};
use rand::seq::SliceRandom;

fn card(name: &str) -> Card {
    name.parse().unwrap()
}

fn cards(names: &str) -> CardSet {
    names.split_whitespace().map(card).collect()
}

/// A standard deal whose piles begin, at the bottom, with the named cards, except that the last
/// named card of a pile is its top if there are too few; `talon` are the first cards of the stock.
/// Everything else is filled in from a shuffled deck.
fn deal(piles: [&str; 7], talon: &str, seed: u64) -> Deal {
    let named = |text: &str| text.split_whitespace().map(card).collect::<Vec<_>>();
    let mut rest: Vec<Card> = Deck::FULL.cards().collect();
    rest.shuffle(&mut common::rng(seed));
    for text in piles.iter().chain([&talon]) {
        for used in named(text) {
            rest.retain(|&other| other != used);
        }
    }
    let mut dealt = Vec::new();
    for (i, text) in piles.iter().enumerate() {
        let mut pile = named(text);
        let top = pile.pop();
        while pile.len() < i {
            pile.push(rest.pop().unwrap());
        }
        pile.push(top.unwrap_or_else(|| rest.pop().unwrap()));
        dealt.push(pile);
    }
    let stock = [named(talon), rest].concat();
    Deal::new(Deck::FULL, dealt, stock).unwrap()
}

fn blocked(table: &Table) -> Option<(Blocked, Explanation)> {
    let game = Game::deciding(table).unwrap();
    let start = game.start();
    let found = blocking::blocked(&game, &start, Lemmas::ALL);
    assert!(found.is_none() || blocking::is_refuted(&game, &start, Lemmas::ALL));
    found.map(|found| (found, explain(&game, &start, &found)))
}

/// The blocking set of a standard deal, which must have one for the draw counts 1 to 4.
fn expect(deal: &Deal, never_moved: &str) -> Vec<(Blocked, Explanation)> {
    (1..=4)
        .map(|draw| {
            let rules = Arc::new(Rules::standard_draw(draw).unwrap());
            let (found, explained) = blocked(&Table::new(rules, deal).unwrap())
                .unwrap_or_else(|| panic!("draw {draw} finds nothing in {deal:?}"));
            let named = cards(never_moved);
            assert!(
                (named - found.never_moved).is_empty(),
                "draw {draw}: {named:?}"
            );
            (found, explained)
        })
        .collect()
}

#[test]
fn a_card_over_both_parents_and_a_lower_card_of_its_suit() {
    for (pile, set) in [
        ("AH 3S 3C 2H", "AH 3S 3C 2H"),
        ("3C AH 3S 2H", "AH 3S 3C 2H"),
        ("9S KD 4H 2C 9C JD 8H", "9S KD 4H 2C 9C JD 8H"),
    ] {
        for seed in 0..20 {
            let deal = deal(["", "", "", "", "", "", pile], "", seed);
            assert!(Locks::new(&Rules::standard()).blocked(&deal));
            for (found, explained) in expect(&deal, set) {
                let top = card(pile.split_whitespace().last().unwrap());
                assert!(found.never_up.contains(top));
                let stuck = &explained.piles.last().unwrap();
                assert_eq!((stuck.pile, stuck.card), (7, top));
                let Wait::OneOf { cards, .. } = &stuck.to_pile else {
                    panic!("{stuck:?}");
                };
                let under = Place::Under {
                    stays: top,
                    pile: 7,
                };
                assert_eq!(cards.len(), 2);
                assert!(cards.iter().all(|one| one.place == under), "{stuck}");
            }
        }
    }
    // Three of the four are not enough.
    let freed = ["", "", "", "", "", "", "AH 3S KD QD JD TD 2H"];
    let game = (0..20).filter(|&seed| {
        let deal = deal(freed, "3C", seed);
        let rules = Arc::new(Rules::standard_draw(1).unwrap());
        blocked(&Table::new(rules, &deal).unwrap()).is_none()
    });
    assert!(game.count() > 10);
}

#[test]
fn an_unplayable_deal_blocks_all_cards() {
    // Donkersteeg: all fifteen cards that can be had with draw 3 are of even rank.
    for seed in 0..20 {
        let mut random = common::rng(seed);
        let even = |card: &Card| card.rank().get().is_multiple_of(2);
        let (mut evens, mut rest): (Vec<Card>, Vec<Card>) = Deck::FULL.cards().partition(even);
        evens.shuffle(&mut random);
        rest.extend(evens.drain(15..));
        rest.shuffle(&mut random);
        let mut pile = |height: usize| {
            let mut pile: Vec<Card> = rest.drain(..height - 1).collect();
            pile.push(evens.pop().unwrap());
            pile
        };
        let piles = (1..=7).map(&mut pile).collect();
        let stock = (0..8).flat_map(|_| pile(3)).collect();
        let deal = Deal::new(Deck::FULL, piles, stock).unwrap();
        let table = Table::new(Arc::new(Rules::standard()), &deal).unwrap();
        let (found, explained) = blocked(&table).unwrap();
        assert_eq!(found.never_up, CardSet::ALL);
        assert_eq!(found.never_moved.len(), 28);
        assert_eq!((explained.piles.len(), explained.talon.len()), (7, 24));
    }
    // Draw 1: kings on top, the queens and aces face down.
    let piles = [
        "KC",
        "KS",
        "KH",
        "KD",
        "QC QS QH QD 2C",
        "AC AS AH AD 2S",
        "JC JS 2H",
    ];
    // The last one is filled up with cards of the talon, none of which can be played.
    let deal = deal(piles, "", 1);
    let table = Table::new(Arc::new(Rules::standard_draw(1).unwrap()), &deal);
    let (found, _) = blocked(&table.unwrap()).unwrap();
    assert!(found.never_up.len() >= 48, "{:?}", found.never_up);
}

#[test]
fn cards_of_several_piles_that_hold_each_other() {
    let standard = Rules::standard();
    // 5S waits for red sixes under 7C, 7C for red eights under 5S (De Ruiter's type II).
    let two = [
        "",
        "",
        "",
        "",
        "",
        "8H 8D 2C 3C 9C 5S",
        "6H 6D 2S QC QD KD 7C",
    ];
    let two = two.map(|pile| pile.replace("2C 3C", "3C TC"));
    // The same in a ring of three: 5S needs what 7C covers, 7C what 9H covers, 9H what 5S covers.
    let three = [
        "",
        "",
        "",
        "",
        "TC TS 3C KD 5S",
        "6H 6D 3H 2S KH 7C",
        "8H 8D 4H 2C JH JD 9H",
    ];
    for (piles, stuck) in [
        (two.each_ref().map(String::as_str), "5S 7C 8H 8D 6H 6D"),
        (three, "5S 7C 9H TC TS 6H 6D 8H 8D"),
    ] {
        for seed in 0..20 {
            let deal = deal(piles, "", seed);
            let locks = Locks::new(&standard);
            assert!((cards("8H 8D 6H 6D") - locks.covered(&deal)).is_empty());
            for (found, explained) in expect(&deal, stuck) {
                assert!(found.never_up.contains(card("5S")));
                let text = explained.to_string();
                assert!(text.contains("6D is under 7C in pile"), "{text}");
            }
        }
    }
}

#[test]
fn a_chain_through_the_talon() {
    // No lock of covered cards: 6D is in the talon. But it can go to a pile only on a black
    // seven, and both lie under 5S as well.
    let piles = ["", "", "", "", "", "", "6H 7C 7S 2S QC QD 5S"];
    for seed in 0..20 {
        let deal = deal(piles, "6D", seed);
        assert!(!Locks::new(&Rules::standard()).blocked(&deal));
        for (found, explained) in expect(&deal, "6H 7C 7S 2S 5S") {
            assert!(found.never_up.contains(card("2S")));
            let stuck = explained.piles.last().unwrap();
            assert_eq!(stuck.card, card("5S"));
            let text = stuck.to_string();
            assert!(
                text.contains("6D never comes from the talon to a pile"),
                "{text}"
            );
            let json = serde_json::to_value(stuck).unwrap();
            assert_eq!((&json["pile"], &json["card"]), (&7.into(), &"5S".into()));
            assert_eq!(json["under"][0], "6H");
            let parents = json["to_pile"]["cards"].as_array().unwrap();
            let of = |name: &str| parents.iter().find(|one| one["card"] == name).unwrap();
            assert_eq!(of("6D")["place"], "talon");
            let under = serde_json::json!(
                {"card": "6H", "place": "under", "stays": "5S", "pile": 7}
            );
            assert_eq!(of("6H"), &under);
        }
    }
}

/// What really can happen from a position: everything that legal moves reach.
struct Reached {
    won: bool,
    /// Cards that are on the foundation in some position.
    up: CardSet,
    /// Cards of the piles that lie elsewhere in some position.
    moved: CardSet,
}

/// All positions that can be reached, or `None` if there are more than `most`.
fn explore(start: &Table, most: usize) -> Option<Reached> {
    let mut reached = Reached {
        won: false,
        up: CardSet::EMPTY,
        moved: CardSet::EMPTY,
    };
    let limited = start.rules().redeals() != Redeals::Unlimited;
    let mut seen = HashSet::new();
    let mut open = vec![start.clone()];
    while let Some(table) = open.pop() {
        let parts = table.to_parts();
        for &suit in table.rules().deck().suits() {
            for height in 1..=table.foundation(suit) {
                reached.up.insert(Card::new(Rank::new(height)?, suit));
            }
        }
        for (now, dealt) in table.piles().iter().zip(start.piles()) {
            let same = now.cards().iter().zip(dealt.cards());
            let in_place = same.take_while(|(now, dealt)| now == dealt).count();
            reached.moved |= dealt.cards()[in_place..].iter().copied().collect();
        }
        reached.won |= table.is_won();
        let key = (
            parts.piles,
            parts.foundations,
            parts.stock,
            parts.waste,
            // Unlimited redeals are counted too, but nothing depends on them.
            limited.then_some(parts.redeals_used),
        );
        if !seen.insert(key) {
            continue;
        }
        if seen.len() > most {
            return None;
        }
        for made in table.legal_moves() {
            let mut next = table.clone();
            next.make(made).unwrap();
            open.push(next);
        }
    }
    Some(reached)
}

/// Random small games with standard building.
fn small_rules(suits: u8, ranks: u8, piles: &[u8]) -> Vec<Arc<Rules>> {
    let mut all = Vec::new();
    for draw in 1..=4 {
        for worrying_back in [true, false] {
            for spaces in [Spaces::Kings, Spaces::Any] {
                let rules = Rules::builder()
                    .deck(Deck::new(suits, ranks).unwrap())
                    .layout(Layout::new(piles.to_vec()).unwrap())
                    .draw_count(draw)
                    .worrying_back(worrying_back)
                    .spaces(spaces);
                all.push(Arc::new(rules.build().unwrap()));
            }
        }
    }
    all
}

/// Whether the explanation contradicts what can be reached: a reason that is none.
fn check_reasons(explained: &Explanation, found: &Blocked, reached: &Reached, table: &Table) {
    for stuck in &explained.piles {
        assert!(!reached.moved.contains(stuck.card), "{stuck} in {table:?}");
        assert!(!reached.up.contains(stuck.card), "{stuck} in {table:?}");
        let pile = table.piles()[stuck.pile - 1].cards();
        assert_eq!(pile[..stuck.under.len()], stuck.under);
        assert_eq!(pile[stuck.under.len()], stuck.card);
        let Wait::Lower { card: lower } = &stuck.to_foundation else {
            panic!("{stuck}");
        };
        assert_eq!(lower.card.suit(), stuck.card.suit());
        assert!(lower.card <= stuck.card && !reached.up.contains(lower.card));
        let parents = match &stuck.to_pile {
            Wait::OneOf { cards, .. } => cards.clone(),
            _ => Vec::new(),
        };
        for one in parents.iter().chain([lower]) {
            match one.place {
                Place::Under { stays, pile } => {
                    assert!(found.never_moved.contains(one.card), "{stuck}");
                    let pile = table.piles()[pile - 1].cards();
                    let place = |card| pile.iter().position(|&other| other == card);
                    assert!(place(one.card).unwrap() < place(stays).unwrap());
                }
                Place::Talon => assert!(table.stock().any(|other| other == one.card)),
                Place::Stuck { pile } => {
                    assert_eq!(explained.piles.iter().filter(|p| p.pile == pile).count(), 1);
                }
                // In a fresh deal every face-up card is open, and the foundations are empty.
                _ => panic!("{stuck} in {table:?}"),
            }
        }
    }
    assert!(!explained.piles.is_empty());
}

#[test]
fn small_decks_agree_with_all_reachable_positions() {
    let mut random = common::rng(3);
    let (mut refuted, mut plainly, mut skipped, mut any) = (0, 0, 0, 0);
    for (suits, ranks, piles, deals) in [
        (2, 4, &[1, 2, 3][..], 600),
        (2, 5, &[1, 2, 3], 500),
        (2, 5, &[3, 3], 400),
        (3, 3, &[1, 2, 3], 400),
        (4, 3, &[2, 3, 3], 400),
        (4, 3, &[1, 2, 3, 4], 400),
        (4, 4, &[4, 5, 4], 240),
        (1, 6, &[1, 3], 60),
        (3, 4, &[0, 3, 4], 60),
    ] {
        for rules in small_rules(suits, ranks, piles) {
            for _ in 0..deals {
                let table = common::random_deal(&mut random, &rules);
                let game = Game::deciding(&table).unwrap();
                let start = game.start();
                let is_refuted = blocking::is_refuted(&game, &start, Lemmas::ALL);
                let plain = blocked(&table);
                assert_eq!(
                    plain.is_some(),
                    blocking::is_dead(&game, &start, Lemmas::ALL, false)
                );
                if !is_refuted {
                    assert!(plain.is_none());
                    continue;
                }
                let Some(reached) = explore(&table, 30_000) else {
                    skipped += 1;
                    continue;
                };
                refuted += 1;
                assert!(!reached.won, "refuted and won: {table:?} under {rules}");
                if let Some((found, explained)) = plain {
                    plainly += 1;
                    any += usize::from(rules.spaces() == Spaces::Any);
                    let wrong = found.never_up & reached.up;
                    assert!(wrong.is_empty(), "{wrong:?} go up in {table:?}");
                    let wrong = found.never_moved & reached.moved;
                    assert!(wrong.is_empty(), "{wrong:?} move in {table:?}");
                    check_reasons(&explained, &found, &reached, &table);
                }
            }
        }
    }
    println!(
        "{refuted} refuted deals, {plainly} of them plainly ({any} with any card in empty piles), \
         {skipped} too large"
    );
    assert!(plainly > 1000 && any > 200 && refuted > plainly && skipped * 10 < refuted);
}

/// A refutation under looser rules holds under stricter ones: none of these deals can be won.
#[test]
fn refutations_carry_over_to_stricter_rules() {
    use klondike_lab::bound::Covering;
    let mut random = common::rng(4);
    let mut refuted = 0;
    for runs in [Runs::Partial, Runs::Whole, Runs::PartialIfPlayed] {
        for spaces in [Spaces::Kings, Spaces::Any, Spaces::Nothing] {
            for redeals in [Redeals::Unlimited, Redeals::Limited(0), Redeals::Limited(2)] {
                for draw in 1..=3 {
                    let rules = Rules::builder()
                        .deck(Deck::new(2, 4).unwrap())
                        .layout(Layout::new(vec![1, 2, 3]).unwrap())
                        .runs(runs)
                        .spaces(spaces)
                        .redeals(redeals)
                        .draw_count(draw);
                    let rules = Arc::new(rules.build().unwrap());
                    let covering = Covering::new(&rules).unwrap();
                    for _ in 0..40 {
                        let mut order: Vec<Card> = rules.deck().cards().collect();
                        order.shuffle(&mut random);
                        let deal =
                            Deal::from_row_order(rules.deck(), rules.layout(), &order).unwrap();
                        if covering.refute(&deal).unwrap().is_some() {
                            let table = Table::new(Arc::clone(&rules), &deal).unwrap();
                            assert!(!explore(&table, usize::MAX).unwrap().won, "{table:?}");
                            refuted += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(refuted > 100, "{refuted}");
}
