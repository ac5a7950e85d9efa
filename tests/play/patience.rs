//! The general engine of patience games: move for move the table's on Klondike, and its own rules
//! checked on every shipped game. The JSON schema accepts what the reader accepts.
use std::sync::Arc;

use klondike_game::card::{Card, Suit};
use klondike_game::deal::Deal;
use klondike_game::deal::seed::{DealId, Scheme};
use klondike_game::rules::{Redeals, Rules, Spaces};
use klondike_game::table::{self, PileIndex, Table};
use klondike_patience::{Move, Patience, PatiencePosition, notation};
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::{Value, json};

/// The move of the table that is the same; `None` for turning up a card, which it does by itself.
fn of_table(made: Move, suits: &[Suit]) -> Option<table::Move> {
    let pile = |index: u8| PileIndex::new(usize::from(index));
    Some(match made {
        Move::TableauToFoundation { from, .. } => {
            table::Move::PileToFoundation { from: pile(from) }
        }
        Move::TurnOverTableau { .. } => return None,
        Move::TalonToFoundation { .. } => table::Move::WasteToFoundation,
        Move::TableauToTableau { from, to, count } => table::Move::PileToPile {
            from: pile(from),
            to: pile(to),
            count,
        },
        Move::FoundationToTableau { from, to } => table::Move::FoundationToPile {
            suit: suits[usize::from(from)],
            to: pile(to),
        },
        Move::TurnOverStock => table::Move::Draw,
        Move::Redeal => table::Move::Redeal,
        Move::TalonToTableau { to } => table::Move::WasteToPile { to: pile(to) },
    })
}

fn assert_same(position: &PatiencePosition, table: &Table) {
    let piles: Vec<_> = position.piles().collect();
    assert_eq!(piles, table.piles());
    assert!(position.stock().eq(table.stock()));
    assert_eq!(position.talon(), table.waste());
    for &suit in table.rules().deck().suits() {
        let foundation = &position.foundations()[suit.index()];
        assert_eq!(foundation.len(), usize::from(table.foundation(suit)));
        assert!(foundation.iter().all(|card| card.suit() == suit));
    }
    assert_eq!(position.score(), table.foundation_count());
    assert_eq!(position.is_won(), table.is_won());
}

/// A random walk on both engines: the same moves are legal at every step, and lead to the same
/// cards in the same places. Gives the number of steps.
fn walk(game: &Arc<Patience>, rules: &Arc<Rules>, deal: &Deal, random: &mut ChaCha8Rng) -> usize {
    let suits = rules.deck().suits();
    let mut position = PatiencePosition::from_row_order(game, &deal.row_order()).unwrap();
    let mut table = Table::new(Arc::clone(rules), deal).unwrap();
    assert_same(&position, &table);
    for step in 0..300 {
        let moves = position.legal_moves();
        let mut mine: Vec<_> = moves
            .iter()
            .map(|&made| of_table(made, suits).expect("cards turn up at once"))
            .collect();
        let mut theirs = table.legal_moves();
        mine.sort();
        theirs.sort();
        assert_eq!(mine, theirs, "step {step} of {deal:?}");
        // Walks that only move cards back and forth see little: foundations come first, often.
        let up: Vec<Move> = moves.iter().copied().filter(|m| m.gain() > 0).collect();
        let some = if !up.is_empty() && random.random_bool(0.5) {
            &up
        } else {
            &moves
        };
        let Some(&made) = some.choose(random) else {
            return step;
        };
        position.make(made).unwrap();
        table.make(of_table(made, suits).unwrap()).unwrap();
        // On the shipped Klondike turning a card up is a move: then it is made at once.
        while let Some(made) = position
            .legal_moves()
            .into_iter()
            .find(|made| of_table(*made, suits).is_none())
        {
            position.make(made).unwrap();
        }
        assert_same(&position, &table);
    }
    300
}

#[test]
fn klondike_is_the_tables_game_move_for_move() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    let mut steps = 0;
    for (name, draw) in [("klondike", 1), ("klondike-draw3", 3)] {
        let game = klondike_patience::shipped(name).unwrap();
        let rules = Arc::new(Rules::standard_draw(draw).unwrap());
        for number in 0..2000 {
            let deal = DealId::new(Scheme::Klondike, u64::from(number as u32).into())
                .unwrap()
                .deal(rules.deck(), rules.layout())
                .unwrap();
            assert_eq!(
                PatiencePosition::deal(&game, number),
                PatiencePosition::from_row_order(&game, &deal.row_order()).unwrap()
            );
            steps += walk(&game, &rules, &deal, &mut random);
        }
    }
    assert!(steps > 1_000_000, "{steps}");
}

/// The same for random rules that both engines know: decks, layouts, draw counts, redeals, empty
/// piles, worrying back.
#[test]
fn variants_of_klondike_are_the_tables_games_too() {
    let mut random = ChaCha8Rng::seed_from_u64(2);
    let base: Value = serde_json::from_str(klondike_patience::SHIPPED[0].1).unwrap();
    let mut wins = 0;
    for number in 0..3000_u64 {
        let (suits, ranks) = (random.random_range(1..=4), random.random_range(2..=13_u8));
        let piles: Vec<u8> = (0..random.random_range(1..=7))
            .map(|_| random.random_range(0..=4))
            .collect();
        let deck = klondike_game::rules::Deck::new(suits, ranks).unwrap();
        let dealt: u8 = piles.iter().sum();
        if usize::from(dealt) > deck.len() {
            continue;
        }
        let spaces = [Spaces::Kings, Spaces::Any, Spaces::Nothing];
        let spaces = *spaces.choose(&mut random).unwrap();
        let redeals = match random.random_range(0..4) {
            0 => Redeals::Unlimited,
            limit => Redeals::Limited(limit - 1),
        };
        let draw = random.random_range(1..=4_u8);
        let worrying_back = random.random_bool(0.5);
        let rules = Rules::builder()
            .deck(deck)
            .layout(klondike_game::rules::Layout::new(piles.clone()).unwrap())
            .draw_count(draw)
            .redeals(redeals)
            .worrying_back(worrying_back)
            .spaces(spaces);
        let rules = Arc::new(rules.build().unwrap());
        let mut file = base.clone();
        file["numSuits"] = suits.into();
        file["cards per suit"] = ranks.into();
        file["moves"] = json!([1, 1, 1, 1, u8::from(worrying_back), 1, 1]);
        file["tableau"]["numTableaus"] = piles.len().into();
        file["tableau"]["dealTableau"] = 0.into();
        file["tableau"]["cardsOnEmptySpace"] = match spaces {
            Spaces::Kings => json!([ranks]),
            Spaces::Any => (1..=ranks).collect::<Vec<u8>>().into(),
            Spaces::Nothing => json!([]),
        };
        file["extensions"] = json!({
            "drawCount": draw,
            "redeals": match redeals {
                Redeals::Unlimited => json!("unlimited"),
                Redeals::Limited(limit) => json!(limit),
                Redeals::LastPassByOnes => unreachable!("the notation has no last pass"),
            },
            "heights": piles,
            "turnUpAtOnce": 1,
        });
        let game = Arc::new(notation::read("random", &file.to_string()).unwrap());
        let deal = DealId::new(Scheme::Klondike, number.into())
            .unwrap()
            .deal(rules.deck(), rules.layout())
            .unwrap();
        wins += usize::from(walk(&game, &rules, &deal, &mut random) < 300);
    }
    assert!(wins > 100, "{wins} walks ended");
}

/// On every shipped game: no card is lost or doubled, illegal moves are refused and change nothing,
/// the score is what lies on the foundations, and shuffling what is unseen changes nothing else.
#[test]
fn random_walks_keep_the_cards_together() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    for (name, _, _) in klondike_patience::SHIPPED {
        let game = klondike_patience::shipped(name).unwrap();
        for number in 0..200 {
            let mut position = PatiencePosition::deal(&game, number);
            for _ in 0..200 {
                let mut cards: Vec<Card> = position.stock().collect();
                cards.extend(position.talon());
                cards.extend(position.piles().flat_map(|pile| pile.cards().to_vec()));
                cards.extend(position.foundations().iter().flatten());
                cards.sort();
                cards.dedup();
                assert_eq!(cards.len(), 52);
                let mut shuffled = position.clone();
                shuffled.shuffle_unseen(&mut random);
                assert_eq!(shuffled.legal_moves(), position.legal_moves());
                assert_eq!(shuffled.talon(), position.talon());
                assert_eq!(shuffled.foundations(), position.foundations());
                for (one, other) in shuffled.piles().zip(position.piles()) {
                    assert_eq!(one.face_up(), other.face_up());
                }
                for (one, other) in shuffled.stock().zip(position.stock()) {
                    let (one, other) = (
                        position.seen().contains(one),
                        position.seen().contains(other),
                    );
                    assert_eq!(one, other, "known cards of the stock stay");
                }
                let moves = position.legal_moves();
                let absent = Move::TableauToTableau {
                    from: 0,
                    to: 0,
                    count: 1,
                };
                let before = position.clone();
                assert!(position.make(absent).is_err());
                assert_eq!(position, before);
                let Some(&made) = moves.choose(&mut random) else {
                    break;
                };
                let score = position.score() as i64;
                position.make(made).unwrap();
                assert_eq!(position.score() as i64, score + i64::from(made.gain()));
            }
        }
    }
}

fn position(name: &str, order: &str) -> PatiencePosition {
    let text = klondike_patience::SHIPPED
        .iter()
        .find(|(n, _, _)| *n == name)
        .unwrap()
        .1;
    let cards: Vec<Card> = order.split(' ').map(|c| c.parse().unwrap()).collect();
    let mut file: Value = serde_json::from_str(text).unwrap();
    file["numSuits"] = 4.into();
    file["cards per suit"] = 2.into();
    file["tableau"]["cardsOnEmptySpace"] = json!([2]);
    let game = notation::read(name, &file.to_string()).unwrap();
    PatiencePosition::from_row_order(&Arc::new(game), &cards).unwrap()
}

#[test]
fn sir_tommy_and_shifting_follow_their_rules() {
    let order = "2C AD 2H AC AS AH 2S 2D";
    let mut tommy = position("sir-tommy", order);
    let mut shifting = position("shifting", order);
    // In Shifting the two may also go to each of the three empty piles.
    for (game, more) in [(&mut tommy, 0), (&mut shifting, 3)] {
        game.make(Move::TurnOverStock).unwrap();
        // The talon holds a card: it must be played before the next is turned over.
        assert!(!game.legal_moves().contains(&Move::TurnOverStock));
        assert_eq!(game.legal_moves().len(), 4);
        game.make(Move::TalonToTableau { to: 1 }).unwrap();
        game.make(Move::TurnOverStock).unwrap();
        // An ace begins any foundation; the empty ones are alike, and named once.
        assert!(
            game.legal_moves()
                .contains(&Move::TalonToFoundation { to: 0 })
        );
        assert_eq!(game.legal_moves().len(), 1 + 4 + more);
        game.make(Move::TalonToTableau { to: 0 }).unwrap();
    }
    // Shifting: the ace may go on the two in any suit, the two to an empty pile; not in Sir Tommy.
    let onto = Move::TableauToTableau {
        from: 0,
        to: 1,
        count: 1,
    };
    let to_empty = Move::TableauToTableau {
        from: 1,
        to: 2,
        count: 1,
    };
    assert!(tommy.clone().make(onto).is_err());
    assert!(shifting.clone().make(onto).is_ok());
    assert!(shifting.clone().make(to_empty).is_ok());
    let ace_to_empty = Move::TableauToTableau {
        from: 0,
        to: 2,
        count: 1,
    };
    assert!(shifting.clone().make(ace_to_empty).is_err());
    // The two of clubs goes on the ace of diamonds: foundations are built in any suit.
    tommy
        .make(Move::TableauToFoundation { from: 0, to: 0 })
        .unwrap();
    tommy
        .make(Move::TableauToFoundation { from: 1, to: 0 })
        .unwrap();
    assert_eq!(tommy.score(), 2);
    // It is complete now: the next ace needs another.
    tommy.make(Move::TurnOverStock).unwrap();
    tommy.make(Move::TalonToTableau { to: 0 }).unwrap();
    tommy.make(Move::TurnOverStock).unwrap();
    assert_eq!(
        tommy
            .legal_moves()
            .iter()
            .filter(|m| m.gain() > 0)
            .collect::<Vec<_>>(),
        [&Move::TalonToFoundation { to: 1 }]
    );
}

#[test]
fn klondike_opposite_is_klondike_with_the_ranks_turned_round() {
    let game = klondike_patience::shipped("klondike-opposite").unwrap();
    let rules = Arc::new(Rules::standard_draw(1).unwrap());
    let mirror = |card: Card| {
        let rank = klondike_game::card::Rank::new(14 - card.rank().get()).unwrap();
        Card::new(rank, card.suit())
    };
    let straight = klondike_patience::shipped("klondike").unwrap();
    let mut random = ChaCha8Rng::seed_from_u64(4);
    for number in 0..300_u64 {
        let deal = DealId::new(Scheme::Klondike, number.into())
            .unwrap()
            .deal(rules.deck(), rules.layout())
            .unwrap();
        let order = deal.row_order();
        let turned: Vec<Card> = order.iter().copied().map(mirror).collect();
        let mut one = PatiencePosition::from_row_order(&straight, &order).unwrap();
        let mut other = PatiencePosition::from_row_order(&game, &turned).unwrap();
        for _ in 0..200 {
            let moves = one.legal_moves();
            assert_eq!(moves, other.legal_moves());
            let Some(&made) = moves.choose(&mut random) else {
                break;
            };
            one.make(made).unwrap();
            other.make(made).unwrap();
        }
    }
}

/// Foundations that begin in the middle go round the corner, by colour.
#[test]
fn foundations_by_colour_go_round_the_corner() {
    let mut file: Value = serde_json::from_str(klondike_patience::SHIPPED[1].1).unwrap();
    file["cards per suit"] = 3.into();
    file["numSuits"] = 3.into();
    file["tableau"]["cardsOnEmptySpace"] = json!([]);
    file["foundation"]["cardsOnFoundationBottom"] = json!([3]);
    file["foundation"]["stackAnySuit"] = 0.into();
    file["foundation"]["stackByColour"] = 1.into();
    let game = Arc::new(notation::read("colour", &file.to_string()).unwrap());
    let order = "3D AH 2D 3H AD 2H 3C AC 2C";
    let cards: Vec<Card> = order.split(' ').map(|c| c.parse().unwrap()).collect();
    let mut position = PatiencePosition::from_row_order(&game, &cards).unwrap();
    for to in [1, 1, 1, 2, 2, 2, 0, 0, 0] {
        position.make(Move::TurnOverStock).unwrap();
        position.make(Move::TalonToFoundation { to }).unwrap();
    }
    assert!(position.is_won());
}

fn schema() -> jsonschema::Validator {
    let schema: Value = serde_json::from_str(klondike_patience::SCHEMA).unwrap();
    jsonschema::meta::validate(&schema).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}

#[test]
fn the_schema_accepts_the_shipped_files() {
    let schema = schema();
    for (name, text, _) in klondike_patience::SHIPPED {
        let file: Value = serde_json::from_str(text).unwrap();
        if let Err(error) = schema.validate(&file) {
            panic!("{name}: {error}");
        }
        let written = notation::write(&klondike_patience::shipped(name).unwrap());
        assert!(schema.is_valid(&written), "{name}: {written}");
    }
}

/// Every field left out, or given another value: the schema and the reader agree, but for what the
/// schema cannot know, and then the reader is the stricter one.
#[test]
fn schema_and_reader_refuse_the_same() {
    let schema = schema();
    let values = [
        json!(null),
        json!(true),
        json!(-1),
        json!(0),
        json!(1),
        json!(2),
        json!(4),
        json!(5),
        json!(13),
        json!(14),
        json!(52),
        json!(53),
        json!(1.5),
        json!("1"),
        json!("unlimited"),
        json!([]),
        json!([0]),
        json!([1]),
        json!([1, 1]),
        json!([13]),
        json!([14]),
        json!([1, 0, 1, 0, 1, 0, 1]),
        json!([1, 1, 1, 1, 1, 1, 2]),
        json!([1, 2, 3, 4, 5, 6, 7]),
        json!({}),
    ];
    // What only the reader can know.
    let beyond = [
        "the piles take",
        "is 0, but",
        "ranks from 1 to",
        "maxOneInTalon",
        "list 7 whole",
    ];
    let (mut both_refuse, mut both_accept, mut stricter) = (0, 0, 0);
    let text = klondike_patience::SHIPPED[5].1;
    let base: Value = serde_json::from_str(text).unwrap();
    let mut places: Vec<(Option<&str>, &str)> = vec![(None, "type"), (None, "surplus")];
    let names = |object: &'static str| -> Vec<&'static str> {
        match object {
            "tableau" => vec![
                "numTableaus",
                "dealTableau",
                "talonToAnyTableau",
                "tableauToAnyTableau",
                "moveStacks",
                "stackAnySuit",
                "stackAsc",
                "cardsOnEmptySpace",
            ],
            "foundation" => vec![
                "stackAsc",
                "cardsOnFoundationBottom",
                "stackAnySuit",
                "stackByColour",
            ],
            _ => vec!["drawCount", "redeals", "heights", "turnUpAtOnce"],
        }
    };
    for field in ["numSuits", "cards per suit", "moves", "maxOneInTalon"] {
        places.push((None, field));
    }
    for object in ["tableau", "foundation", "extensions"] {
        places.push((None, object));
        places.push((Some(object), "surplus"));
        places.extend(names(object).into_iter().map(|field| (Some(object), field)));
    }
    for (object, field) in places {
        let mut changed = Vec::new();
        for value in values.iter().map(Some).chain([None]) {
            let mut file = base.clone();
            let at = match object {
                Some(object) => &mut file[object],
                None => &mut file,
            };
            let map = at.as_object_mut().unwrap();
            match value {
                Some(value) => {
                    map.insert(field.to_owned(), value.clone());
                }
                None => {
                    map.remove(field);
                }
            }
            changed.push(file);
        }
        for file in changed {
            let by_schema = schema.is_valid(&file);
            match notation::read("x", &file.to_string()) {
                Ok(_) => {
                    assert!(by_schema, "only the schema refuses {file}");
                    both_accept += 1;
                }
                Err(_) if !by_schema => both_refuse += 1,
                Err(error) => {
                    let error = error.to_string();
                    assert!(
                        beyond.iter().any(|words| error.contains(words)),
                        "only the reader refuses {file}: {error}"
                    );
                    stricter += 1;
                }
            }
        }
    }
    assert!(both_refuse > 300 && both_accept > 50 && stricter > 3);
}
