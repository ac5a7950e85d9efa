//! The turns of a position by their kind, without parts of runs and without worrying back: found as sets of cards, and counted and
//! told only where they are asked for. For players that value kinds of turns.

use super::sets::{
    MOST_PILES, Reach, Tops, across_from, bits, ends_of_foundations, nth, pile_with, piles_of,
    tops_of,
};
use super::{Board, Turn};
use crate::card::{Card, CardSet};
use crate::rules::{Redeals, Runs, Spaces};
use crate::table::Move;

/// The turns of a position but those with parts of runs, from the foundations and [idle](Board::is_idle) ones.
pub(crate) struct Kinds<'a> {
    board: &'a Board,
    tops: Tops,
    /// The talon cards in reach that go up, and those that some pile takes.
    talon_up: CardSet,
    talon_down: CardSet,
    /// The top cards that go up.
    up: CardSet,
    /// The piles whose run another one takes.
    across: u8,
}

/// Turns of one kind with the same card or run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A talon card to its foundation.
    TalonUp(Card),
    /// A talon card to a pile.
    TalonDown(Card),
    /// A top card to its foundation.
    Up(Card),
    /// The run of this pile to another one.
    Across(u8),
}

/// Where the turns of a kind go to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Targets(u8);

impl Targets {
    /// How many turns there are.
    #[inline]
    pub(crate) fn count(self) -> u32 {
        self.0.count_ones()
    }
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
        let (next, _) = ends_of_foundations(board);
        let kings = CardSet::from_bits(tops.to_empty);
        let to_piles = cards.children() | kings;
        let mut across = piles_of(to_piles, &board.base[..MOST_PILES]);
        if tops.to_empty != 0 {
            // A king that lies on nothing stays: to go to an empty pile changes nothing.
            for pile in bits(piles_of(kings, &board.base[..MOST_PILES]).into()) {
                across &= !(u8::from(board.down[usize::from(pile)] == 0) << pile);
            }
        }
        Some(Kinds {
            board,
            tops,
            talon_up: reach.cards & next,
            talon_down: reach.cards & to_piles,
            up: next & cards,
            across,
        })
    }

    /// Shows `visit` the kinds that there are.
    #[inline]
    pub(crate) fn visit(&self, mut visit: impl FnMut(Kind)) {
        self.talon_up.for_each(|card| visit(Kind::TalonUp(card)));
        self.talon_down
            .for_each(|card| visit(Kind::TalonDown(card)));
        self.up.for_each(|card| visit(Kind::Up(card)));
        bits(self.across.into()).for_each(|pile| visit(Kind::Across(pile)));
    }

    /// The piles that turns of a kind go to, as bits; one bit for the foundation. There is at least one.
    #[inline]
    pub(crate) fn targets(&self, kind: Kind) -> Targets {
        Targets(match kind {
            Kind::TalonUp(_) | Kind::Up(_) => 1,
            Kind::TalonDown(card) => self.tops.takers(card.index() as u8),
            Kind::Across(pile) => self.tops.takers(self.board.base[usize::from(pile)]),
        })
    }

    /// The turn of this number, from 0, of those of a kind with these targets. If there are no more than that, `None`, and the number is
    /// less by theirs.
    #[inline]
    pub(crate) fn turn(&self, kind: Kind, targets: Targets, number: &mut u32) -> Option<Turn> {
        let to = nth(targets.0, number)?;
        let (place, made) = match kind {
            Kind::TalonUp(card) => (self.place(card), Move::WasteToFoundation),
            Kind::TalonDown(card) => (self.place(card), Move::WasteToPile { to }),
            Kind::Up(card) => {
                let from = pile_with(&self.board.top, card.index() as u8);
                (None, Move::PileToFoundation { from })
            }
            Kind::Across(pile) => return Some(across_from(self.board, pile.into(), to)),
        };
        Some(Turn { place, made })
    }

    /// The place of a talon card.
    #[inline]
    fn place(&self, card: Card) -> Option<u8> {
        let card = card.index() as u8;
        let place = self.board.talon.iter().position(|&other| other == card)?;
        Some(place as u8)
    }
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
                let mut told = Vec::new();
                kinds.visit(|kind| {
                    let targets = kinds.targets(kind);
                    assert!(targets.count() > 0, "{kind:?} {board:?}");
                    for number in 0..targets.count() {
                        told.extend(kinds.turn(kind, targets, &mut { number }));
                    }
                    let mut over = targets.count() + 2;
                    assert_eq!(kinds.turn(kind, targets, &mut over), None);
                    assert_eq!(over, 2);
                    found[match kind {
                        Kind::TalonUp(_) => 0,
                        Kind::TalonDown(_) => 1,
                        Kind::Up(_) => 2,
                        Kind::Across(_) => 3,
                    }] += 1;
                });
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
