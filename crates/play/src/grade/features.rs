//! What the grade measures of a deal.
//!
//! **Nothing here may change**, as in `greedy.rs`. It rests on the rules of the game, on the order
//! of [`Board::turns`], and on xoshiro256++ seeded by SplitMix64; not on any search of this
//! program, and not on floating-point numbers.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};
use rustc_hash::FxHashSet;

use super::greedy::{Turns, make};
use crate::Board;
use klondike_game::card::{Card, CardSet};

/// Games that are played of each deal.
pub const GAMES: u32 = 1024;

/// The widths of the beams that are tried.
pub const WIDTHS: [usize; 7] = [1, 2, 4, 8, 16, 32, 64];

/// What is measured of a deal to grade it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Features {
    /// How many of [`GAMES`] games the frozen player wins, which does not see the face-down cards.
    pub wins: u32,
    /// Cards on the foundations at the end of these games, of all together.
    pub cards: u32,
    /// The narrowest beam, by its place among the [`WIDTHS`], with which the frozen search wins,
    /// which sees all cards; 7 if none does, and under all rules that have version 2 of the grade,
    /// which does not ask for it.
    pub beam: u32,
}

/// Plays the games of a position.
pub(super) fn measure(board: &Board) -> Features {
    let mut turns = Turns::default();
    let (mut wins, mut cards) = (0, 0);
    for number in 0..GAMES {
        let end = play(board, u64::from(number), &mut turns);
        wins += u32::from(end.is_won());
        cards += end.foundation_count() as u32;
    }
    Features {
        wins,
        cards,
        beam: WIDTHS.len() as u32,
    }
}

/// Measures a position for version 1: also how wide a beam must be to win.
pub(super) fn measure_with_beam(board: &Board) -> Features {
    let mut turns = Turns::default();
    let wide = |&width: &usize| beam_wins(board, width, &mut turns);
    let beam = WIDTHS.iter().position(wide).unwrap_or(WIDTHS.len());
    Features {
        beam: beam as u32,
        ..measure(board)
    }
}

/// Plays a game with hidden cards: each turn that makes sense, with a chance in proportion to its
/// weight, as long as there is one. Face-down cards are not looked at.
fn play(start: &Board, seed: u64, turns: &mut Turns) -> Board {
    let mut rng = Xoshiro256PlusPlus::seed_from_u64(seed);
    let mut board = *start;
    loop {
        turns.find(&board);
        let sum: u64 = turns.weighed.iter().map(|&(_, weight)| weight).sum();
        if sum == 0 {
            return board;
        }
        // The upper bits of a product: as good as uniform for sums as small as these.
        let mut place = ((u128::from(rng.next_u64()) * u128::from(sum)) >> 64) as u64;
        let chosen = turns.weighed.iter().find(|&&(_, weight)| {
            let here = place < weight;
            place = place.wrapping_sub(weight);
            here
        });
        let Some(&(turn, _)) = chosen else {
            return board;
        };
        make(&mut board, turn);
    }
}

/// Whether a search finds a win that goes ahead turn by turn and keeps the `width` best positions.
fn beam_wins(start: &Board, width: usize, turns: &mut Turns) -> bool {
    let dealt: Vec<Vec<Card>> = (0..start.pile_count())
        .map(|pile| {
            let mut cards: Vec<Card> = start.face_down(pile).collect();
            cards.reverse();
            cards.extend(start.base(pile));
            cards
        })
        .collect();
    let mut seen: FxHashSet<u128> = FxHashSet::default();
    let mut beam = vec![*start];
    let mut next: Vec<(i64, u64, Board)> = Vec::new();
    while !beam.is_empty() {
        next.clear();
        for board in &beam {
            turns.find(board);
            for &(turn, _) in &turns.weighed {
                let mut after = *board;
                make(&mut after, turn);
                if after.is_won() {
                    return true;
                }
                let key = key(&after, &dealt);
                if seen.insert(key) {
                    next.push((-value(&after), mixed(key), after));
                }
            }
        }
        next.sort_unstable_by_key(|&(value, mixed, _)| (value, mixed));
        next.truncate(width);
        beam.clear();
        beam.extend(next.iter().map(|&(_, _, board)| board));
    }
    false
}

/// How far a position has come.
fn value(board: &Board) -> i64 {
    let mut value = 3 * board.foundation_count() as i64 - 2 * board.talon_len() as i64;
    for pile in 0..board.pile_count() {
        for (place, card) in board.face_down(pile).enumerate() {
            // Low cards are needed first, all the more the deeper they lie.
            value -= 8 + (13 - i64::from(card.rank().get())) * (place as i64 + 1) / 6;
        }
    }
    value
}

/// All that matters of a position but which of two equal parents a run lies on.
fn key(board: &Board, dealt: &[Vec<Card>]) -> u128 {
    let mut key = board.waste_len() as u128;
    for height in board.foundations() {
        key = key << 4 | u128::from(height);
    }
    for (pile, dealt) in dealt.iter().enumerate() {
        let down = board.face_down_count(pile);
        let in_place = board.base(pile).is_some() && board.base(pile) == dealt.get(down).copied();
        key = key << 4 | (down as u128) << 1 | u128::from(in_place);
    }
    let talon = (0..board.talon_len()).filter_map(|place| board.talon_card(place));
    let talon: CardSet = talon.collect();
    key << 52 | u128::from(talon.bits())
}

/// The finishing step of SplitMix64 on both halves: puts positions of equal value in an order.
fn mixed(key: u128) -> u64 {
    let mut mixed = (key >> 64) as u64 ^ (key as u64).rotate_left(29);
    for factor in [0xbf58_476d_1ce4_e5b9, 0x94d0_49bb_1331_11eb_u64] {
        mixed = (mixed ^ mixed >> 30).wrapping_mul(factor);
    }
    mixed ^ mixed >> 31
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use klondike_game::deal::Deal;
    use klondike_game::rules::Rules;
    use klondike_game::table::Table;

    fn board(rules: &Arc<Rules>, cards: &[Card]) -> Board {
        let deal = Deal::from_row_order(rules.deck(), rules.layout(), cards).unwrap();
        Board::new(&Table::new(Arc::clone(rules), &deal).unwrap())
    }

    /// Cards that a game never turned up lie there in another order: the same game is played.
    #[test]
    fn the_frozen_player_does_not_look_at_face_down_cards() {
        let rules = Arc::new(Rules::standard());
        let mut turns = Turns::default();
        let mut compared = 0;
        for seed in 1..=40 {
            let id: klondike_game::deal::seed::DealId = format!("klondike:{seed}").parse().unwrap();
            let deal = id.deal(rules.deck(), rules.layout()).unwrap();
            let cards = deal.row_order();
            // The two lowest cards of the last pile: dealt in the first and in the second row.
            let [first, second] = [6, 12];
            assert_eq!(deal.pile(6)[..2], [cards[first], cards[second]]);
            let mut swapped = cards.to_vec();
            swapped.swap(first, second);
            for game in 0..5 {
                let end = play(&board(&rules, &cards), game, &mut turns);
                if end.face_down_count(6) < 2 {
                    continue;
                }
                compared += 1;
                let other = play(&board(&rules, &swapped), game, &mut turns);
                assert_eq!(end.foundations(), other.foundations(), "{seed}");
                assert_eq!(end.talon_len(), other.talon_len(), "{seed}");
                assert_eq!(end.hidden_count(), other.hidden_count(), "{seed}");
                for pile in 0..7 {
                    assert!(end.face_up(pile).eq(other.face_up(pile)), "{seed}");
                }
            }
        }
        assert!(compared > 50, "{compared}");
    }
}
