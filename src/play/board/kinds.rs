//! The turns of a position by their kind, without parts of runs and without worrying back: found as sets of cards, and counted and
//! told only where they are asked for. For players that value kinds of turns.

use std::array;

use super::sets::{
    LOW, MOST_PILES, Reach, Tops, across_from, all_of, bits, equal, next_up, nth, pile_with,
    piles_of, place_with, spread, tops_of, word,
};
use super::{Board, Turn};
use crate::card::{Card, CardSet};
use crate::rules::{Redeals, Runs, Spaces};
use crate::table::Move;

/// The turns of a position but those with parts of runs, from the foundations and [idle](Board::is_idle) ones.
pub(crate) struct Kinds<'a> {
    board: &'a Board,
    tops: Tops,
    /// By suit the bit of the card that goes up next.
    next_of: [u64; 4],
    all: Movable,
}

/// What turns move, by their kind; for each of these cards and piles there is at least one turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Movable {
    /// Talon cards that go up.
    pub(crate) talon_up: CardSet,
    /// Talon cards that some pile takes.
    pub(crate) talon_down: CardSet,
    /// Top cards that go up.
    pub(crate) up: CardSet,
    /// Piles whose run another one takes, as bits.
    pub(crate) across: u8,
}

/// The talon cards in reach of the position that was asked about last: most turns leave them as they are.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LastReach {
    /// All that they depend on: the talon, the waste's length, redeals used where they are limited, and the rules.
    talon: [u8; Card::COUNT],
    waste: u8,
    redeals_used: u32,
    draw_count: u8,
    redeals: Redeals,
    reach: Reach,
}

impl LastReach {
    /// That of an empty talon.
    pub(crate) const NOTHING: LastReach = LastReach {
        talon: [super::NONE; Card::COUNT],
        waste: 0,
        redeals_used: 0,
        draw_count: 1,
        redeals: Redeals::Unlimited,
        reach: Reach::NOTHING,
    };

    /// The talon cards in reach of a position.
    #[inline]
    pub(crate) fn of(&mut self, board: &Board) -> Reach {
        let redeals_used = board.limited_redeals_used();
        let same = self.waste == board.waste
            && self.redeals_used == redeals_used
            && self.draw_count == board.terms.draw_count
            && self.redeals == board.terms.redeals
            && self.talon == board.talon;
        if !same {
            *self = LastReach {
                talon: board.talon,
                waste: board.waste,
                redeals_used,
                draw_count: board.terms.draw_count,
                redeals: board.terms.redeals,
                reach: Reach::new(board),
            };
        }
        debug_assert_eq!(self.reach, Reach::new(board));
        self.reach
    }
}

impl<'a> Kinds<'a> {
    /// Those of a position with these talon cards in reach; `None` with more than eight piles, spaces that take any card, or where the
    /// rest of a run must follow it.
    #[inline]
    pub(crate) fn new(board: &'a Board, reach: Reach) -> Option<Kinds<'a>> {
        debug_assert_eq!(reach, Reach::new(board));
        let terms = &board.terms;
        if board.pile_count() > MOST_PILES
            || terms.runs == Runs::PartialIfPlayed
            || terms.spaces == Spaces::Any
        {
            return None;
        }
        let cards = tops_of(board);
        let tops = Tops::new(board);
        let next_of = next_up(board);
        let next = CardSet::from_bits(all_of(next_of));
        let to_piles = cards.children() | CardSet::from_bits(tops.to_empty);
        let takes = piles_of(to_piles, &board.base[..MOST_PILES]);
        // Four cards have a rank; the mask drops what came from the next byte.
        let on_king = equal(word(&board.base) >> 2 & (LOW * 0x3F), terms.top_rank - 1);
        // A king that lies on nothing stays: to go to an empty pile changes nothing.
        let across = takes & !(on_king & equal(word(&board.down), 0));
        Some(Kinds {
            board,
            tops,
            next_of,
            all: Movable {
                talon_up: reach.cards & next,
                talon_down: reach.cards & to_piles,
                up: next & cards,
                across,
            },
        })
    }

    /// What all turns move.
    #[inline]
    pub(crate) fn all(&self) -> Movable {
        self.all
    }

    /// All kings.
    #[inline]
    pub(crate) fn kings(&self) -> CardSet {
        CardSet::from_bits(self.board.terms.kings())
    }

    /// The cards that go up next after which two foundations would differ by more than `limit`.
    #[inline]
    pub(crate) fn beyond(&self, limit: u8) -> CardSet {
        let highs = self.board.foundations();
        let suits = self.board.suit_count();
        // The foundation of a suit that there is not is never the lowest.
        let lows: [u8; 4] = array::from_fn(|i| if i < suits { highs[i] } else { u8::MAX });
        let mut beyond = 0;
        for suit in 0..4 {
            let own = highs[suit] + 1;
            let others = || (0..4).filter(|&other| other != suit);
            let low = others().fold(own, |low, other| low.min(lows[other]));
            let high = others().fold(own, |high, other| high.max(highs[other]));
            beyond |= u64::from(high - low > limit) * self.next_of[suit];
        }
        CardSet::from_bits(beyond)
    }

    /// Those of a set of piles that have most face-down cards, and how many these are; 0 of no pile.
    #[inline]
    pub(crate) fn over_most_face_down(&self, piles: u8) -> (u8, u8) {
        let down = (word(&self.board.down) + LOW) & spread(piles);
        let most = down.to_le_bytes().into_iter().fold(0, u8::max);
        (equal(down, most) & piles, most.saturating_sub(1))
    }

    /// How many turns move some of [all](Kinds::all).
    #[inline]
    pub(crate) fn count(&self, some: &Movable) -> u32 {
        // No card is both on a pile and in the talon.
        let mut count = (some.talon_up | some.up).len() as u32;
        (some.talon_down).for_each(|card| count += self.takers(card).count_ones());
        bits(some.across.into()).for_each(|pile| count += self.takers_of_run(pile).count_ones());
        count
    }

    /// The turn of this number, from 0, of those that are [counted](Kinds::count); `None` if there are no more than that.
    #[inline]
    pub(crate) fn turn(&self, some: &Movable, mut number: u32) -> Option<Turn> {
        let left = &mut number;
        if let Some(card) = nth_card(some.talon_up, left) {
            let (place, made) = (self.place(card), Move::WasteToFoundation);
            return Some(Turn { place, made });
        }
        for card in some.talon_down {
            if let Some(to) = nth(self.takers(card), left) {
                let (place, made) = (self.place(card), Move::WasteToPile { to });
                return Some(Turn { place, made });
            }
        }
        if let Some(card) = nth_card(some.up, left) {
            let from = pile_with(&self.board.top, card.index() as u8);
            let (place, made) = (None, Move::PileToFoundation { from });
            return Some(Turn { place, made });
        }
        bits(some.across.into()).find_map(|pile| {
            let to = nth(self.takers_of_run(pile), left)?;
            Some(across_from(self.board, pile.into(), to))
        })
    }

    /// The piles that take a talon card.
    #[inline]
    fn takers(&self, card: Card) -> u8 {
        self.tops.takers(card.index() as u8)
    }

    /// The piles that take the run of a pile.
    #[inline]
    fn takers_of_run(&self, pile: u8) -> u8 {
        self.tops.takers(self.board.base[usize::from(pile)])
    }

    /// The place of a talon card.
    #[inline]
    fn place(&self, card: Card) -> Option<u8> {
        place_with(&self.board.talon, card.index() as u8)
    }
}

/// The card number `left` of a set, or `None` if there are no more than that; `left` is then less by their number.
#[inline]
fn nth_card(cards: CardSet, left: &mut u32) -> Option<Card> {
    for card in cards {
        if *left == 0 {
            return Some(card);
        }
        *left -= 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deal::seed::{Scheme, Seed};
    use crate::play::policy::dice;
    use crate::rules::{Deck, Layout, Rules};
    use crate::table::Table;
    use rand::RngExt;
    use std::sync::Arc;

    fn is_kind(board: &Board, turn: Turn) -> bool {
        match turn.made {
            Move::FoundationToPile { .. } => false,
            Move::PileToPile { from, count, .. } => {
                board.up[from.get()] == count && !board.is_idle(turn.made)
            }
            _ => true,
        }
    }

    fn kind_of(turn: Turn) -> usize {
        match turn.made {
            Move::WasteToFoundation => 0,
            Move::WasteToPile { .. } => 1,
            Move::PileToFoundation { .. } => 2,
            _ => 3,
        }
    }

    fn parts_of(all: Movable) -> [Movable; 4] {
        let nothing = Movable {
            talon_up: CardSet::EMPTY,
            talon_down: CardSet::EMPTY,
            up: CardSet::EMPTY,
            across: 0,
        };
        let mut parts = [nothing; 4];
        parts[0].talon_up = all.talon_up;
        parts[1].talon_down = all.talon_down;
        parts[2].up = all.up;
        parts[3].across = all.across;
        parts
    }

    /// Random play under all rules that have kinds: they are the turns as they are listed.
    #[test]
    fn kinds_are_the_turns_that_are_listed() {
        let mut found = [0; 4];
        let mut last = LastReach::NOTHING;
        for seed in 0..240_u64 {
            let mut rng = dice(seed);
            let rules = Rules::builder()
                .deck([Deck::FULL, Deck::FULL, Deck::new(3, 11).unwrap()][seed as usize % 3])
                .layout(Layout::triangle(4 + seed as u8 % 4).unwrap())
                .draw_count(1 + seed as u8 % 4)
                .runs([Runs::Partial, Runs::Whole][seed as usize / 2 % 2])
                .spaces([Spaces::Kings, Spaces::Nothing][usize::from(seed % 7 == 3)])
                .redeals([Redeals::Unlimited, Redeals::Limited(2)][usize::from(seed % 6 == 4)])
                .worrying_back(seed % 5 != 1);
            let rules = Arc::new(rules.build().unwrap());
            let deal = Scheme::Klondike.deal_for(&Seed::from(seed), rules.deck(), rules.layout());
            let mut board = Board::new(&Table::new(rules, &deal.unwrap()).unwrap());
            let mut turns = Vec::new();
            for _ in 0..150 {
                turns.clear();
                board.turns(&mut turns);
                let mut expected = turns.clone();
                expected.retain(|&turn| is_kind(&board, turn));
                let kinds = Kinds::new(&board, last.of(&board)).unwrap();
                let all = kinds.all();
                assert!(
                    all.talon_down
                        .into_iter()
                        .all(|card| kinds.takers(card) != 0)
                );
                assert!(bits(all.across.into()).all(|pile| kinds.takers_of_run(pile) != 0));
                let count = kinds.count(&all);
                assert_eq!(kinds.turn(&all, count), None);
                let mut told: Vec<Turn> = (0..count)
                    .filter_map(|number| kinds.turn(&all, number))
                    .collect();
                // A kind alone has its turns in the same order.
                for (i, part) in parts_of(all).into_iter().enumerate() {
                    let of_part = (0..kinds.count(&part)).map(|number| kinds.turn(&part, number));
                    let of_part: Vec<Turn> = of_part.map(Option::unwrap).collect();
                    assert!(of_part.iter().all(|&turn| kind_of(turn) == i));
                    let expected = told.iter().filter(|&&turn| kind_of(turn) == i);
                    assert!(of_part.iter().eq(expected));
                    found[i] += usize::from(!of_part.is_empty());
                }
                told.sort_by_key(|turn| expected.iter().position(|other| other == turn));
                assert_eq!(told, expected, "{board:?}");
                if turns.is_empty() {
                    break;
                }
                let chosen = rng.random_range(0..turns.len() as u32);
                board.make_turn(turns[chosen as usize]);
            }
        }
        assert!(found.iter().all(|&count| count > 1_000), "{found:?}");
    }

    /// There are none where piles are too many or take and give cards otherwise.
    #[test]
    fn other_rules_have_no_kinds() {
        let rules = Rules::standard().to_builder();
        for rules in [
            rules.clone().runs(Runs::PartialIfPlayed),
            rules.clone().spaces(Spaces::Any),
            rules.layout(Layout::new(vec![1; 9]).unwrap()),
        ] {
            let rules = Arc::new(rules.build().unwrap());
            let deal = Scheme::Klondike.deal_for(&Seed::from(1_u64), rules.deck(), rules.layout());
            let board = Board::new(&Table::new(rules, &deal.unwrap()).unwrap());
            assert!(Kinds::new(&board, Reach::new(&board)).is_none());
        }
    }
}
