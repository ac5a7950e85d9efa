//! Prints: numbers that tell positions apart, for players that do not come back to where they were.
//!
//! A print is the sum of a number for every card and what it lies on, so that a move changes it by the
//! difference of two of them, and prints of positions ahead cost no board.

use super::{Board, NEXT, NONE, Turn};
use crate::card::{Card, Suit};
use crate::play::mix;
use crate::rules::MAX_PILES;
use crate::table::{Move, PileIndex};

/// What lies at the bottom of a pile lies on this and its number; numbers below are cards.
const BOTTOM: u64 = Card::COUNT as u64;
/// What is on its foundation lies on this.
const FOUNDATION: u64 = BOTTOM + MAX_PILES as u64;

/// The part of a card and of what it lies on.
#[inline]
fn part(card: u8, on: u64) -> u64 {
    mix(u64::from(card), on)
}

impl Board {
    /// A number that tells apart the arrangements of tableau and foundations of a game between two turns
    /// that cannot be taken back (reveals and talon cards): equal for equal ones, and different for
    /// different ones but for a chance of about 2⁻⁶⁴ for each two.
    #[must_use]
    pub(crate) fn tableau_print(&self) -> u64 {
        let mut print = 0_u64;
        for (pile, &top) in self.top[..self.pile_count()].iter().enumerate() {
            let mut card = top;
            while card != NONE {
                let below = self.below[usize::from(card)];
                print = print.wrapping_add(part(card, ground(below, pile)));
                card = below;
            }
        }
        for suit in Suit::ALL {
            for &card in &NEXT[suit.index()][..usize::from(self.foundation(suit))] {
                print = print.wrapping_add(part(card, FOUNDATION));
            }
        }
        print
    }

    /// A number that tells apart the positions of a deal, of which this one has this print: their arrangements, which cards
    /// lie face up, the waste, the redeals used where they are limited, and the move that must follow. Different for different
    /// ones but for a chance of about 2⁻⁶⁴ for each two.
    #[must_use]
    pub(crate) fn position_print(&self, print: u64) -> u64 {
        let [mut low, mut high] = [0, 0];
        for (pile, &count) in self.down.iter().enumerate() {
            let word = if pile < 8 { &mut low } else { &mut high };
            *word |= u64::from(count) << (8 * (pile % 8));
        }
        let talon = u64::from(self.limited_redeals_used()) << 8 | u64::from(self.waste);
        let print = mix(mix(print, low), talon);
        // Eight piles are all that most games have, and most rules ask for no move. The highest byte is no pile's.
        let more = high | u64::from(self.pending.wrapping_add(1)) << 56;
        if more == 0 { print } else { mix(print, more) }
    }

    /// The print after a turn, from the one before it.
    #[must_use]
    #[inline]
    pub(crate) fn print_after(&self, print: u64, turn: Turn) -> u64 {
        let up = |card| part(card, FOUNDATION);
        let on = |card, pile: PileIndex| part(card, ground(self.top[pile.get()], pile.get()));
        let off = |card: u8, pile: PileIndex| {
            let below = self.below[usize::from(card)];
            part(card, ground(below, pile.get()))
        };
        let change = match turn.made {
            Move::Draw | Move::Redeal => 0,
            Move::WasteToFoundation => up(self.fetched(turn)),
            Move::WasteToPile { to } => on(self.fetched(turn), to),
            Move::PileToFoundation { from } => {
                let card = self.top[from.get()];
                up(card).wrapping_sub(off(card, from))
            }
            Move::PileToPile { from, to, count } => {
                let card = self.card_at(from.get(), count);
                on(card, to).wrapping_sub(off(card, from))
            }
            Move::FoundationToPile { suit, to } => {
                let card = self.foundation_top(suit);
                on(card, to).wrapping_sub(up(card))
            }
        };
        print.wrapping_add(change)
    }
}

/// What a card lies on that lies on `below` in a pile.
#[inline]
fn ground(below: u8, pile: usize) -> u64 {
    match below {
        NONE => BOTTOM + pile as u64,
        below => u64::from(below),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deal::seed::{Scheme, Seed};
    use crate::play::policy::dice;
    use crate::rules::{Layout, Redeals, Rules, Runs, Spaces};
    use crate::table::Table;
    use rand::RngExt;
    use std::collections::HashMap;
    use std::sync::Arc;

    /// Random play forth and back, with up to 13 piles: prints follow the turns, and are equal for equal arrangements only, those
    /// of positions for equal positions only. And a card that lies face up or down on the same others, in every pile.
    #[test]
    fn prints_tell_arrangements_apart() {
        let mut turns = Vec::new();
        for seed in 0..108_u64 {
            let mut rng = dice(seed);
            let runs = [Runs::Whole, Runs::Partial, Runs::PartialIfPlayed][seed as usize % 3];
            let spaces = [Spaces::Kings, Spaces::Any, Spaces::Nothing][seed as usize / 3 % 3];
            let layout = match seed / 9 % 6 {
                0 => Layout::triangle(7).unwrap(),
                more => Layout::new(vec![2; 8 + more as usize]).unwrap(),
            };
            let redeals = [Redeals::Unlimited, Redeals::Limited(3)][usize::from(seed % 4 == 3)];
            let rules = Rules::standard().to_builder().runs(runs).spaces(spaces);
            let rules = Arc::new(rules.layout(layout).redeals(redeals).build().unwrap());
            let (deck, layout) = (rules.deck(), rules.layout());
            let deal = Scheme::Klondike.deal_for(&Seed::from(seed), deck, layout);
            let mut board = Board::new(&Table::new(rules, &deal.unwrap()).unwrap());
            let mut print = board.tableau_print();
            let (mut seen, mut positions) = (HashMap::new(), HashMap::new());
            for _ in 0..200 {
                let arrangement = (board.below, board.top, board.foundations);
                assert_eq!(*seen.entry(print).or_insert(arrangement), arrangement);
                let own = (board.waste, board.limited_redeals_used(), board.pending);
                let position = (arrangement, board.down, own);
                let print_here = board.position_print(print);
                assert_eq!(*positions.entry(print_here).or_insert(position), position);
                turns.clear();
                board.turns(&mut turns);
                if turns.is_empty() {
                    break;
                }
                let turn = turns[rng.random_range(0..turns.len() as u32) as usize];
                print = board.print_after(print, turn);
                board.make_turn(turn);
                assert_eq!(print, board.tableau_print(), "{turn:?}");
            }
            let arrangements: std::collections::HashSet<_> = seen.values().collect();
            assert_eq!(arrangements.len(), seen.len());
            let different: std::collections::HashSet<_> = positions.values().collect();
            assert_eq!(different.len(), positions.len());
            let piles = board.pile_count();
            let mut prints: Vec<u64> = (0..piles)
                .map(|pile| {
                    let mut other = board;
                    other.down[pile] ^= 1;
                    other.position_print(print)
                })
                .collect();
            prints.extend((0..piles).map(|pile| {
                let mut other = board;
                other.pending = pile as u8;
                other.position_print(print)
            }));
            prints.sort_unstable();
            prints.dedup();
            assert_eq!(prints.len(), 2 * piles);
        }
    }
}
