//! Dead ends: positions from which no card of the talon will ever be played and none turned up, so that the game cannot be won.
//!
//! A turn *lasts* if it takes a card of the talon or turns one up. **Statement.** If [`Board::is_dead_end`] says so, no sequence of turns
//! leads to one that lasts; if there is a card in the talon or face down, the game is lost. **Conditions.** At most eight piles, runs move in
//! parts, spaces take kings or nothing, all cards are known. What was before does not matter.
//!
//! **Argument.** Take a sequence of turns of which the last one is the first that lasts. Until then the talon and what of it can be
//! reached stay as they are, and so do the cards face down, the set *open* of all cards face up, in the tableau or on the foundations, and its part *B*,
//! the lowest face-up cards of the piles with face-down ones, which stay in their piles. Three sets hold at least the cards that are said
//! here, at first and after each rule by which a card is taken off them:
//!
//! - *free*: the cards that lie in the tableau with nothing on them at some time before the last turn. At first all of *open*.
//! - *up*: the cards that lie on their foundation at some time before the last turn. At first *open* without *B*.
//! - *next*: the cards that the last turn may bring to their foundation. They are those of which all lower ones of the suit are in *up*.
//!
//! 1. A card is not in *up* if a lower one of its suit is not: that one is never on its foundation.
//! 2. A card *p* of the tableau that is covered by *c* now is not free if *c* is not in *up* and the twin of *p* is not free: *c*, which never goes
//!    up and is no king, can leave *p* only for the other card that it can lie on, and that would have to lie in the tableau with nothing on it. If *p*
//!    moves, *c* moves with it.
//! 3. Neither *p* nor its twin is free if each is covered by a card that is not in *up*: the first of
//!    these two cards to leave would need the other's place.
//! 4. A card on its foundation is not free if worrying back is not allowed, or if it is no king and neither card that it can lie on
//!    is free.
//! 5. A card of the tableau that is not free is not in *up*, and not in *next*: it would lie there with nothing on it just before it goes up.
//!
//! Each rule rests on what the sets say before it. They are used as long as one takes a card off. Now the last turn plays a card *x*, which is in reach in the talon or in
//! *B*: to its foundation, and it is in *next*; or on a free card; or as a king to an empty pile. If there is no such pile now, take
//! the first that gets empty. It has no face-down cards, and its lowest card is the one of now, which goes up or to another
//! card: it is in *up*, or it is no king and can lie on a free one. If nothing of this is true of any *x*, there is no such turn. ∎
//!
//! Some dead ends are not seen. *Source:* own. *Switch:* `early=no` of `bjarnason-uct`. *Tests:* here, by going through all positions that
//! can be reached.

use super::sets::{Reach, are_told, over_face_down};
use super::{Board, NEXT, NONE};
use crate::card::{Card, CardSet};
use crate::rules::Spaces;

/// The cards of each suit, by its index.
const SUITS: [u64; 4] = {
    let mut sets = [0; 4];
    let mut suit = 0;
    while suit < 4 {
        let mut rank = 0;
        while rank < Card::COUNT / 4 {
            sets[suit] |= 1 << NEXT[suit][rank];
            rank += 1;
        }
        suit += 1;
    }
    sets
};

impl Board {
    /// Whether it can be seen that no turn that lasts will ever come (see the file). All cards must be known; `reach` are
    /// the talon cards in reach.
    pub(crate) fn is_dead_end(&self, reach: &Reach) -> bool {
        debug_assert!(
            self.talon[..self.talon_len()]
                .iter()
                .all(|&card| card != NONE)
        );
        if !are_told(self) {
            return false;
        }
        let piles = self.pile_count();
        let mut face_up = 0_u64;
        let mut covered = [(0_u8, 0_u8); Card::COUNT];
        let mut count = 0;
        for pile in 0..piles {
            let mut card = self.top[pile];
            if card == NONE {
                continue;
            }
            face_up |= 1 << card;
            for _ in 1..self.up[pile] {
                let below = self.below[usize::from(card)];
                covered[count] = (below, card);
                count += 1;
                card = below;
                face_up |= 1 << card;
            }
        }
        let covered = &covered[..count];
        let mut foundations = 0;
        for (suit, &height) in SUITS.iter().zip(&self.foundations) {
            foundations |= suit & !(u64::MAX << (4 * height));
        }
        let children = |cards: u64| CardSet::from_bits(cards).children().bits();
        let twins = |cards: u64| CardSet::from_bits(cards).twins().bits();
        let kings = self.terms.kings();
        let over = over_face_down(self).bits();
        let wanted = reach.cards.bits() | over;

        let mut free = face_up | foundations;
        let (up, next) = loop {
            // Rule 5, then rule 1: of each suit what lies below the first card that does not go up.
            let able = foundations | face_up & free & !over;
            let (mut up, mut next) = (0, 0);
            for suit in SUITS {
                let missing = suit & !able;
                let lowest = missing & missing.wrapping_neg();
                up |= suit & lowest.wrapping_sub(1);
                next |= suit & (lowest | lowest.wrapping_sub(1));
            }
            next &= free | !face_up;
            // Rules 2 and 3.
            let mut stay = 0;
            for &(below, card) in covered {
                stay |= (!up >> card & 1) << below;
            }
            let mut less = free & !(stay & (!twins(free) | twins(stay)));
            // Rule 4.
            let back = if self.terms.worrying_back {
                children(less) | kings
            } else {
                0
            };
            less &= face_up | back;
            if less == free {
                break (up, next);
            }
            free = less;
        };
        if wanted & (next | children(free)) != 0 {
            return false;
        }
        if self.terms.spaces != Spaces::Kings || wanted & kings == 0 {
            return true;
        }
        // What can lie on another card is no king.
        let goes = up | children(free);
        !(0..piles).any(|pile| {
            let base = self.base[pile];
            base == NONE || self.down[pile] == 0 && goes >> base & 1 == 1
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deal::seed::{Scheme, Seed};
    use crate::play::Turn;
    use crate::play::policy::dice;
    use crate::rules::{Deck, Layout, Redeals, Rules};
    use crate::table::{Move, Table};
    use rand::RngExt;
    use std::collections::HashSet;
    use std::sync::Arc;

    fn lasts(board: &Board, turn: Turn) -> bool {
        turn.place.is_some() || board.reveals(turn.made)
    }

    /// Whether a turn that lasts can come, found by going through all positions, or `None` if they are too many.
    fn can_go_on(board: &Board) -> Option<bool> {
        let mut known = HashSet::from([*board]);
        let mut open = vec![*board];
        let mut turns = Vec::new();
        while let Some(board) = open.pop() {
            turns.clear();
            board.turns(&mut turns);
            if turns.iter().any(|&turn| lasts(&board, turn)) {
                return Some(true);
            }
            for &turn in &turns {
                let mut next = board;
                next.make_turn(turn);
                if known.insert(next) {
                    open.push(next);
                }
            }
            if known.len() > 3_000 {
                return None;
            }
        }
        Some(false)
    }

    /// Random play under all rules for which it is claimed, of whole and of small decks, up and down the foundations.
    #[test]
    fn dead_ends_have_no_way_on() {
        let [mut seen, mut missed, mut alive] = [0; 3];
        let decks = [(4, 13), (4, 13), (3, 11), (4, 6), (2, 8)];
        for seed in 0..2_000_u64 {
            let mut rng = dice(seed);
            let (suits, ranks) = decks[seed as usize % 5];
            let redeals = [Redeals::Unlimited, Redeals::Limited(1)][usize::from(seed % 6 == 4)];
            let rules = Rules::builder()
                .deck(Deck::new(suits, ranks).unwrap())
                .redeals(redeals)
                .layout(Layout::triangle(3 + seed as u8 % 5).unwrap())
                .draw_count(1 + seed as u8 % 4)
                .spaces([Spaces::Kings, Spaces::Nothing][usize::from(seed % 7 == 3)])
                .worrying_back(seed % 11 % 3 != 1);
            // Not every layout is for every deck.
            let Ok(rules) = rules.build() else { continue };
            let rules = Arc::new(rules);
            let deal = Scheme::Klondike.deal_for(&Seed::from(seed), rules.deck(), rules.layout());
            let mut board = Board::new(&Table::new(rules, &deal.unwrap()).unwrap());
            let mut turns = Vec::new();
            for _ in 0..60 {
                turns.clear();
                board.turns(&mut turns);
                if board.is_won() || turns.is_empty() {
                    break;
                }
                if board.hidden_count() + board.talon_len() > 0 {
                    let is_dead_end = board.is_dead_end(&Reach::new(&board));
                    match can_go_on(&board) {
                        Some(true) => {
                            alive += 1;
                            assert!(!is_dead_end, "{board:?}");
                        }
                        Some(false) if is_dead_end => seen += 1,
                        Some(false) => missed += 1,
                        None => {}
                    }
                }
                // Cards that can be taken back go up half of the time only.
                let made = loop {
                    let turn = turns[rng.random_range(0..turns.len() as u32) as usize];
                    let up = matches!(turn.made, Move::PileToFoundation { .. });
                    if !up || rng.random_bool(0.5) {
                        break turn;
                    }
                };
                board.make_turn(made);
            }
        }
        assert!(
            seen > 2_000 && alive > 10_000 && missed < seen,
            "{seen} {missed} {alive}"
        );
    }

    #[test]
    fn suits_are_sets_of_their_cards() {
        for (suit, set) in crate::card::Suit::ALL.into_iter().zip(SUITS) {
            let cards = CardSet::from_bits(set);
            assert_eq!(cards.len(), 13);
            assert!({ cards }.all(|card| card.suit() == suit));
        }
    }
}
