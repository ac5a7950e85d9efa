//! Dominant turns are those of the printed rule.

use std::sync::Arc;

use klondike_game::card::Card;
use klondike_game::deal::seed::{Scheme, Seed};
use klondike_game::rules::Rules;
use klondike_game::table::{Move, Table};
use klondike_play::dominant::Dominances;
use klondike_play::{Board, Information, Session, Turn, seeded};
use rand::RngExt;

/// The printed rule, read off the position: the card's rank and the four foundations.
fn may_go_up_safely(board: &Board, card: Card) -> bool {
    let up = board.foundations();
    let suit = card.suit().index();
    let rank = card.rank().get();
    let twin = card.suit().twin().index();
    (0..4).all(|other| match other {
        _ if other == suit => up[other] + 1 == rank,
        _ if other == twin => up[other] + 3 >= rank,
        _ => up[other] + 2 >= rank,
    })
}

/// What the rule says of a turn, from the position after it.
fn is_dominant(board: &Board, turn: Turn) -> bool {
    let mut after = *board;
    after.make_turn(turn);
    match turn.made {
        Move::WasteToFoundation => {
            let place = usize::from(turn.place.unwrap());
            may_go_up_safely(board, board.talon_card(place).unwrap())
        }
        Move::PileToFoundation { from } => may_go_up_safely(board, board.top(from.get()).unwrap()),
        Move::PileToPile { from, count, .. } => {
            usize::from(count) < board.face_up_count(from.get())
                && may_go_up_safely(board, after.top(from.get()).unwrap())
        }
        _ => false,
    }
}

#[test]
fn turns_are_narrowed_to_the_dominant_ones() {
    let rules = Arc::new(Rules::standard());
    let (mut safe, mut critical, mut neither) = (0, 0, 0);
    for seed in 0..60_u64 {
        let deal = Scheme::Klondike.deal(&Seed::from(seed)).unwrap();
        let table = Table::new(Arc::clone(&rules), &deal).unwrap();
        let session = Session::new(&table, Information::TalonKnown);
        let mut rng = seeded(seed);
        let mut board = session.view().shuffled_world(&mut rng);
        for _ in 0..150 {
            let mut turns = Vec::new();
            board.useful_turns(&mut turns);
            let mut expected = turns.clone();
            expected.retain(|&turn| is_dominant(&board, turn));
            for turn in &expected {
                match turn.made {
                    Move::PileToPile { .. } => critical += 1,
                    _ => safe += 1,
                }
            }
            if expected.is_empty() {
                neither += 1;
                expected.clone_from(&turns);
            }
            let before = turns.clone();
            Dominances::NONE.narrow(&board, &mut turns);
            assert_eq!(turns, before);
            Dominances::ALL.narrow(&board, &mut turns);
            assert_eq!(turns, expected);
            if turns.is_empty() {
                break;
            }
            let chosen = rng.random_range(0..turns.len() as u32);
            board.make_turn(turns[chosen as usize]);
        }
    }
    assert!(
        safe > 300 && critical > 30 && neither > 1_000,
        "{safe} {critical} {neither}"
    );
}
