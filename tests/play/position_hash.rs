//! Position hashes tell positions apart.

use std::collections::HashMap;
use std::fmt::Debug;
use std::hash::Hash;
use std::sync::Arc;

use klondike_game::card::Card;
use klondike_game::deal::seed::{Scheme, Seed};
use klondike_game::rules::{Layout, Redeals, Rules, Runs, Spaces};
use klondike_game::table::Table;
use klondike_play::{Board, seeded};
use rand::RngExt;

/// Asserts that a number stands for one thing and a thing for one number.
fn assert_one_to_one<T: Clone + Debug + Eq + Hash>(
    known: &mut (HashMap<u64, T>, HashMap<T, u64>),
    hash: u64,
    thing: &T,
) {
    let thing_of_hash = known.0.entry(hash).or_insert_with(|| thing.clone());
    assert_eq!(thing_of_hash, thing);
    assert_eq!(*known.1.entry(thing.clone()).or_insert(hash), hash);
}

/// Random play with worrying back, under all rules and with up to 13 piles: equal hashes belong
/// to equal arrangements or positions, and the other way round.
#[test]
fn hashes_tell_positions_apart() {
    let mut turns = Vec::new();
    for seed in 0..108_u64 {
        let mut rng = seeded(seed);
        let runs = [Runs::Whole, Runs::Partial, Runs::PartialIfPlayed][seed as usize % 3];
        let spaces = [Spaces::Kings, Spaces::Any, Spaces::Nothing][seed as usize / 3 % 3];
        let layout = match seed / 9 % 6 {
            0 => Layout::triangle(7).unwrap(),
            more => Layout::new(vec![2; 8 + more as usize]).unwrap(),
        };
        let redeals = match seed % 4 {
            2 => Redeals::LastPassByOnes,
            3 => Redeals::Limited(3),
            _ => Redeals::Unlimited,
        };
        let rules = Rules::standard().to_builder().runs(runs).spaces(spaces);
        let reversed = redeals != Redeals::LastPassByOnes && seed % 5 == 0;
        let rules = rules.layout(layout).redeals(redeals);
        let rules = Arc::new(rules.reversed_groups(reversed).build().unwrap());
        let (deck, layout) = (rules.deck(), rules.layout());
        let deal = Scheme::Klondike.deal_for(&Seed::from(seed), deck, layout);
        let dealt = Board::new(&Table::new(rules, &deal.unwrap()).unwrap());
        let mut arrangements = Default::default();
        let mut positions = Default::default();
        for _ in 0..4 {
            let mut board = dealt;
            for _ in 0..80 {
                let piles: Vec<Vec<Card>> = (0..board.pile_count())
                    .map(|pile| board.face_up(pile).collect())
                    .collect();
                let arrangement = (piles, board.foundations());
                assert_one_to_one(&mut arrangements, board.tableau_hash(), &arrangement);
                let down: Vec<usize> = (0..board.pile_count())
                    .map(|pile| board.face_down_count(pile))
                    .collect();
                let redeals = match redeals {
                    Redeals::Unlimited => None,
                    Redeals::Limited(_) => Some(board.redeals_used()),
                    Redeals::LastPassByOnes => Some(u32::from(board.in_last_pass())),
                };
                let row = 0..if reversed { board.talon_len() } else { 0 };
                let row: Vec<_> = row.map(|place| board.talon_card(place)).collect();
                let talon = (board.waste_len(), board.talon_len(), redeals, row);
                let position = (arrangement, down, board.pending(), talon);
                assert_one_to_one(&mut positions, board.position_hash(), &position);
                turns.clear();
                board.turns(&mut turns);
                if turns.is_empty() {
                    break;
                }
                let chosen = rng.random_range(0..turns.len() as u32) as usize;
                board.make_turn(turns[chosen]);
            }
        }
    }
}
