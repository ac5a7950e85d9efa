//! The referee: properties under random play of every rule variant, and one written scenario for
//! each rule.

use crate::common;
use std::collections::HashSet;
use std::sync::Arc;

use crate::common::{random_deal, random_move, random_position, replay, rng, variants};
use klondike_game::card::{Card, CardSet, Suit};
use klondike_game::rules::{Deck, Layout, Redeals, Rules, RulesBuilder, Runs, Spaces};
use klondike_game::table::notation::Notation;
use klondike_game::table::position::{Position, read_position, write_position};
use klondike_game::table::{IllegalMove, Move, PileIndex, Table, TableError};
use rand::RngExt;

/// All variants on a deck of several layouts.
fn all_rules() -> Vec<Arc<Rules>> {
    let mut all = variants(Deck::new(4, 4).unwrap(), &Layout::triangle(4).unwrap());
    all.extend(variants(
        Deck::new(2, 5).unwrap(),
        &Layout::rectangle(3, 1).unwrap(),
    ));
    all.extend(variants(
        Deck::new(3, 3).unwrap(),
        &Layout::new(vec![0, 4, 2]).unwrap(),
    ));
    let unlimited = all.iter();
    let unlimited = unlimited.filter(|rules| rules.redeals() == Redeals::Unlimited);
    let last_pass = unlimited.map(|rules| rules.to_builder().redeals(Redeals::LastPassByOnes));
    let last_pass: Vec<_> = last_pass
        .map(|rules| Arc::new(rules.build().unwrap()))
        .collect();
    all.extend(last_pass);
    let groups = all.iter().filter(|rules| rules.draw_count() > 1);
    let groups = groups.filter_map(|rules| rules.to_builder().reversed_groups(true).build().ok());
    all.extend(groups.map(Arc::new).collect::<Vec<_>>());
    all.push(Arc::new(Rules::standard()));
    all
}

fn all_cards(table: &Table) -> Vec<Card> {
    let founded = table.rules().deck().suits().iter().flat_map(|&suit| {
        let height = table.foundation(suit);
        table
            .rules()
            .deck()
            .cards()
            .filter(move |card| card.suit() == suit && card.rank().get() <= height)
    });
    founded
        .chain(table.piles().iter().flat_map(|pile| pile.cards().to_vec()))
        .chain(table.stock())
        .chain(table.waste().iter().copied())
        .collect()
}

/// Every move that can be written down for a table of this size, and some beyond it.
fn all_syntactic_moves(table: &Table) -> Vec<Move> {
    let piles = || (0..table.piles().len() + 2).map(PileIndex::new);
    let mut all = vec![Move::Draw, Move::Redeal, Move::LastPass];
    all.push(Move::WasteToFoundation);
    for to in piles() {
        all.push(Move::WasteToPile { to });
        all.push(Move::PileToFoundation { from: to });
        all.extend(Suit::ALL.map(|suit| Move::FoundationToPile { suit, to }));
        for from in piles() {
            all.extend((0..=15).map(|count| Move::PileToPile { from, to, count }));
            all.push(Move::PileToPile {
                from,
                to,
                count: u8::MAX,
            });
        }
    }
    all
}

#[test]
fn random_play_keeps_every_property_of_the_referee() {
    let mut rng = rng(11);
    let (mut played, mut wins) = (0, 0);
    for rules in all_rules() {
        for _ in 0..common::share(4) {
            let mut table = random_deal(&mut rng, &rules);
            let mut before: Vec<Table> = Vec::new();
            let mut undos = Vec::new();
            for _ in 0..60 {
                let cards = all_cards(&table);
                assert_eq!(cards.len(), rules.deck().len(), "{table:?}");
                let set: CardSet = cards.into_iter().collect();
                assert_eq!(set, rules.deck().card_set());

                let legal: HashSet<Move> = table.legal_moves().into_iter().collect();
                assert_eq!(
                    legal.len(),
                    table.legal_moves().len(),
                    "a move stands twice"
                );
                for wanted in all_syntactic_moves(&table) {
                    let allowed = table.check(wanted).is_ok();
                    assert_eq!(allowed, legal.contains(&wanted), "{wanted:?} {table:?}");
                    if !allowed {
                        let old = table.clone();
                        assert_eq!(
                            table.make(wanted).unwrap_err(),
                            old.check(wanted).unwrap_err()
                        );
                        assert_eq!(table, old, "a refused move changes nothing");
                    }
                }

                let same = Table::from_parts(Arc::clone(&rules), table.to_parts()).unwrap();
                assert_eq!(same, table);
                let text = write_position(&table);
                assert_eq!(read_position(&rules, &text).unwrap(), table, "{text}");
                let json = serde_json::to_string(&Position::from(&table)).unwrap();
                let position: Position = serde_json::from_str(&json).unwrap();
                assert_eq!(position.into_table(&rules).unwrap(), table, "{json}");

                before.push(table.clone());
                let Some((_, undo)) = random_move(&mut rng, &mut table) else {
                    before.pop();
                    break;
                };
                undos.push(undo);
                played += 1;
            }
            wins += usize::from(table.is_won());
            while let Some(undo) = undos.pop() {
                table.undo(undo);
                assert_eq!(Some(table.clone()), before.pop());
            }
        }
    }
    assert!(
        played > common::share(50_000) && wins > common::share(50),
        "{played} moves, {wins} wins"
    );
}

#[test]
fn games_are_read_as_they_are_written() {
    let mut rng = rng(12);
    let mut rules = all_rules();
    for runs in common::RUNS {
        for spaces in common::SPACES {
            let seven = Rules::builder().runs(runs).spaces(spaces);
            rules.extend([
                Arc::new(seven.clone().build().unwrap()),
                Arc::new(
                    seven
                        .draw_count(1)
                        .redeals(Redeals::Limited(2))
                        .build()
                        .unwrap(),
                ),
            ]);
        }
    }
    let mut written = [0; 4];
    for rules in rules {
        let start = random_position(&mut rng, &rules, 10);
        let mut table = start.clone();
        let mut moves = Vec::new();
        for _ in 0..150 {
            match random_move(&mut rng, &mut table) {
                Some((made, _)) => moves.push(made),
                None => break,
            }
        }
        for (i, notation) in Notation::ALL.into_iter().enumerate() {
            let text = match notation.write(&start, &moves) {
                Ok(text) => text,
                Err(error) => {
                    let error = error.to_string();
                    let seven = rules.layout().pile_count() == 7;
                    assert!(
                        !seven && error.contains("for seven piles")
                            || notation == Notation::Minimal
                                && (error.contains("has no sign for a redeal")
                                    || rules.spaces() == Spaces::Any
                                        && error.contains("which of several runs")),
                        "{notation}: {error}"
                    );
                    continue;
                }
            };
            let read = notation.read(&start, &text).unwrap_or_else(|error| {
                panic!("{notation}: {error}\n{text}\n{moves:?}");
            });
            if notation == Notation::Minimal {
                // A redeal is read where the next draw stands, so only the end is the same.
                assert_eq!(replay(&start, &read), table);
            } else {
                assert_eq!(read, moves, "{notation}: {text}");
            }
            written[i] += 1;
        }
    }
    assert!(
        written[0] > 1000 && written[1..].iter().all(|&n| n > 5),
        "{written:?}"
    );
}

/// Rules for a scenario: 16 cards, three piles.
fn small() -> RulesBuilder {
    Rules::builder()
        .deck(Deck::new(4, 4).unwrap())
        .layout(Layout::triangle(3).unwrap())
}

fn table(rules: RulesBuilder, text: &str) -> Table {
    read_position(&Arc::new(rules.build().unwrap()), text).unwrap()
}

fn pile(number: usize) -> PileIndex {
    PileIndex::new(number - 1)
}

fn run(from: usize, to: usize, count: u8) -> Move {
    Move::PileToPile {
        from: pile(from),
        to: pile(to),
        count,
    }
}

/// Pile 1 holds 4S; pile 2 the run 4C 3D 2S over AS; 3H lies in pile 3.
const RUN: &str = "foundations: D2 H2 C1\nstock: 2C 3C 3S 4D 4H\n1: 4S\n2: <AS> 4C 3D 2S\n3: 3H\n";

#[test]
fn partial_runs_may_be_split_anywhere() {
    let mut table = table(small(), RUN);
    assert_eq!(
        table.check(run(2, 1, 3)),
        Err(IllegalMove::DoesNotFit("4C".parse().unwrap(), pile(1)))
    );
    table.make(run(2, 1, 2)).unwrap();
    assert_eq!(write_position(&table).lines().nth(3), Some("1: 4S 3D 2S"));
    table.make(run(1, 3, 1)).unwrap();
    assert_eq!(table.piles()[2].cards().len(), 2);
}

#[test]
fn whole_runs_move_only_with_every_face_up_card() {
    let mut table = table(small().runs(Runs::Whole), RUN);
    assert_eq!(table.check(run(2, 1, 2)), Err(IllegalMove::Run));
    assert_eq!(table.check(run(2, 3, 1)), Err(IllegalMove::Run));
    table.make(run(3, 1, 1)).unwrap();
    // The king's run may take the empty pile, and the card under it turns up.
    let undo = table.make(run(2, 3, 3)).unwrap();
    assert!(undo.revealed());
    assert_eq!(table.piles()[1].face_up(), ["AS".parse().unwrap()]);
}

#[test]
fn a_split_run_must_be_followed_by_the_uncovered_card() {
    let mut table = table(small().runs(Runs::PartialIfPlayed), RUN);
    // 2S alone would uncover 3D, which fits the foundation; 3D 2S would uncover 4C, which does not.
    assert_eq!(table.check(run(2, 1, 2)), Err(IllegalMove::Run));
    table.make(run(2, 3, 1)).unwrap();
    assert_eq!(table.pending(), Some(pile(2)));
    let forced = Move::PileToFoundation { from: pile(2) };
    assert_eq!(table.legal_moves(), [forced]);
    assert_eq!(
        table.check(Move::Draw),
        Err(IllegalMove::DoubleMovePending(pile(2)))
    );
    let undo = table.make(forced).unwrap();
    assert_eq!(table.pending(), None);
    table.undo(undo);
    assert_eq!(table.pending(), Some(pile(2)));
}

#[test]
fn a_whole_run_under_the_double_move_rule_leaves_nothing_pending() {
    let mut table = table(small().runs(Runs::PartialIfPlayed), RUN);
    table.make(run(3, 1, 1)).unwrap();
    table.make(run(2, 3, 3)).unwrap();
    assert_eq!(table.pending(), None);
    assert!(table.check(Move::Draw).is_ok());
}

/// Pile 3 is empty; 3H (no king) and 4C (the highest rank) could go there.
const SPACE: &str =
    "foundations: D2 H2 C1\nstock: 2C 3C 3S 4D 4H\n1: <4S> 3H\n2: <AS> 4C 3D 2S\n3:\n";

#[test]
fn empty_piles_take_what_the_rule_says() {
    for (spaces, three, four) in [
        (Spaces::Kings, false, true),
        (Spaces::Any, true, true),
        (Spaces::Nothing, false, false),
    ] {
        let table = table(small().spaces(spaces), SPACE);
        assert_eq!(table.check(run(1, 3, 1)).is_ok(), three, "{spaces}");
        assert_eq!(table.check(run(2, 3, 3)).is_ok(), four, "{spaces}");
        assert_eq!(table.check(run(2, 3, 1)).is_ok(), three, "{spaces}");
    }
}

#[test]
fn redeals_are_counted_and_the_last_draw_may_be_short() {
    let mut table = table(small().redeals(Redeals::Limited(1)), SPACE);
    let cards = |text: &str| -> Vec<Card> {
        text.split_whitespace()
            .map(|card| card.parse().unwrap())
            .collect()
    };
    assert_eq!(table.check(Move::Redeal), Err(IllegalMove::StockNotEmpty));
    table.make(Move::Draw).unwrap();
    assert_eq!(table.waste(), cards("2C 3C 3S"));
    let undo = table.make(Move::Draw).unwrap();
    assert_eq!(table.waste(), cards("2C 3C 3S 4D 4H"));
    table.undo(undo);
    assert_eq!(table.stock().collect::<Vec<_>>(), cards("4D 4H"));
    table.make(Move::Draw).unwrap();
    assert_eq!(table.check(Move::Draw), Err(IllegalMove::StockEmpty));
    table.make(Move::Redeal).unwrap();
    assert_eq!(table.stock().collect::<Vec<_>>(), cards("2C 3C 3S 4D 4H"));
    assert_eq!(table.redeals_used(), 1);
    table.make(Move::Draw).unwrap();
    table.make(Move::Draw).unwrap();
    assert_eq!(table.check(Move::Redeal), Err(IllegalMove::NoRedealLeft));
}

/// Two passes turn each group around and back; the last group may be short.
#[test]
fn reversed_groups_put_the_first_card_drawn_on_top() {
    let mut table = table(small().reversed_groups(true), SPACE);
    let cards = |text: &str| -> Vec<Card> {
        let cards = text.split_whitespace().map(|card| card.parse().unwrap());
        cards.collect()
    };
    let start = table.clone();
    let mut undos = Vec::new();
    for (made, waste) in [
        (Move::Draw, "3S 3C 2C"),
        (Move::Draw, "3S 3C 2C 4H 4D"),
        (Move::Redeal, ""),
        (Move::Draw, "2C 3C 3S"),
        (Move::Draw, "2C 3C 3S 4D 4H"),
    ] {
        undos.push(table.make(made).unwrap());
        assert_eq!(table.waste(), cards(waste));
    }
    for undo in undos.into_iter().rev() {
        table.undo(undo);
    }
    assert_eq!(table, start);
}

/// Without a redeal left the groups of the stock may as well be turned around at once: each move is
/// legal in both games or in none, and leads to the same cards.
#[test]
fn reversed_groups_without_a_redeal_are_a_game_of_another_stock() {
    let mut rng = rng(44);
    let (mut games, mut played) = (0, 0);
    for rules in all_rules() {
        for _ in 0..8 {
            let mut table = random_deal(&mut rng, &rules);
            for _ in 0..rng.random_range(0..60) {
                if random_move(&mut rng, &mut table).is_none() {
                    break;
                }
            }
            let used_up = rules.redeals() == Redeals::Limited(table.redeals_used());
            let same = table.without_reversed_groups();
            assert_eq!(same.is_some(), used_up && rules.reversed_groups());
            let Some(mut same) = same else {
                continue;
            };
            games += 1;
            for _ in 0..60 {
                assert!(!same.rules().reversed_groups());
                assert_eq!(same.legal_moves(), table.legal_moves(), "{rules}");
                assert_eq!((same.waste(), same.piles()), (table.waste(), table.piles()));
                let Some((made, _)) = random_move(&mut rng, &mut table) else {
                    break;
                };
                same.make(made).unwrap();
                played += 1;
            }
        }
    }
    assert!(games > 50 && played > 1_000, "{games} {played}");
}

#[test]
fn the_last_pass_turns_card_by_card_and_ends_the_redeals() {
    let mut table = table(small().redeals(Redeals::LastPassByOnes), SPACE);
    assert_eq!(table.check(Move::LastPass), Err(IllegalMove::StockNotEmpty));
    for _ in 0..2 {
        table.make(Move::Draw).unwrap();
        table.make(Move::Draw).unwrap();
        table.make(Move::Redeal).unwrap();
    }
    table.make(Move::Draw).unwrap();
    table.make(Move::Draw).unwrap();
    let before = table.clone();
    let undo = table.make(Move::LastPass).unwrap();
    assert!(table.in_last_pass() && !before.in_last_pass());
    assert_eq!((table.redeals_used(), table.stock().len()), (3, 5));
    for drawn in 1..=5 {
        assert_eq!(table.draw_count(), 1);
        table.make(Move::Draw).unwrap();
        assert_eq!(table.waste().len(), drawn);
    }
    for refused in [Move::Redeal, Move::LastPass] {
        assert_eq!(table.check(refused), Err(IllegalMove::NoRedealLeft));
    }
    let parts = table.to_parts();
    let read = Table::from_parts(Arc::clone(table.rules()), parts.clone()).unwrap();
    assert_eq!(read, table);
    let other = Table::from_parts(Arc::new(small().build().unwrap()), parts);
    assert_eq!(other.unwrap_err(), TableError::LastPass);
    let mut again = before.clone();
    let undo_again = again.make(Move::LastPass).unwrap();
    assert_eq!(undo_again, undo);
    again.undo(undo);
    assert_eq!(again, before);
}

#[test]
fn other_rules_have_no_last_pass() {
    for redeals in [Redeals::Unlimited, Redeals::Limited(3)] {
        let mut table = table(small().redeals(redeals), SPACE);
        table.make(Move::Draw).unwrap();
        table.make(Move::Draw).unwrap();
        assert_eq!(table.check(Move::LastPass), Err(IllegalMove::NoLastPass));
    }
}

#[test]
fn an_empty_talon_can_be_neither_drawn_nor_turned() {
    let text = "foundations: C3 D3 H3 S1\n1: 4C\n2: <3S> 2S\n3: <4D> <4H> 4S\n";
    let table = table(small(), text);
    assert_eq!(table.check(Move::Draw), Err(IllegalMove::StockEmpty));
    assert_eq!(table.check(Move::Redeal), Err(IllegalMove::NothingThere));
}

#[test]
fn worrying_back_needs_the_rule_and_a_place() {
    let two = Move::FoundationToPile {
        suit: Suit::Diamonds,
        to: pile(1),
    };
    let text =
        "foundations: D2\nstock: AC AS AH 2H 3H 4H 3D 4D 2C\n1: <2S> 3C\n2: 3S\n3: <4C> 4S\n";
    let forbidden = table(small().worrying_back(false), text);
    assert_eq!(forbidden.check(two), Err(IllegalMove::WorryingBack));
    let mut allowed = table(small(), text);
    let before = allowed.clone();
    let undo = allowed.make(two).unwrap();
    assert_eq!(allowed.foundation(Suit::Diamonds), 1);
    assert_eq!(allowed.piles()[0].top(), Some("2D".parse().unwrap()));
    allowed.undo(undo);
    assert_eq!(allowed, before);
    for (suit, to, error) in [
        (Suit::Clubs, 1, IllegalMove::NothingThere),
        (
            Suit::Diamonds,
            3,
            IllegalMove::DoesNotFit("2D".parse().unwrap(), pile(3)),
        ),
        (Suit::Diamonds, 4, IllegalMove::NoSuchPile(pile(4))),
    ] {
        let wanted = Move::FoundationToPile { suit, to: pile(to) };
        assert_eq!(allowed.check(wanted), Err(error));
    }
}

#[test]
fn a_game_of_one_card_is_won_by_one_move() {
    let rules = Rules::builder()
        .deck(Deck::new(1, 1).unwrap())
        .layout(Layout::new(vec![0, 1]).unwrap());
    let mut rng = rng(13);
    let start = random_deal(&mut rng, &Arc::new(rules.build().unwrap()));
    assert!(!start.is_won());
    let end = replay(&start, &[Move::PileToFoundation { from: pile(2) }]);
    assert!(end.is_won());
    assert_eq!(end.legal_moves().len(), 2, "worrying back to either pile");
}
