//! The turns of a position in the greedy order of Bjarnason et al. 2009, rank after rank: none is listed before its rank is
//! asked for. For players that make one of the first rank that has any, which most of the time is one of the first.

use super::sets::{
    Reach, Tops, across_from, are_told, bits, ends_of_foundations, holds, over_face_down, piles_of,
    tops_of,
};
use super::{Board, Turn};
use crate::card::{CardSet, Suit};
use crate::table::{Move, PileIndex};

/// The last place in the order.
pub(crate) const LAST_RANK: u32 = 5;

/// The place of a turn in the greedy order of Bjarnason et al. 2009, best first: tableau to foundation
/// with a reveal; any to the foundation; tableau to tableau with a reveal; talon to tableau; foundation to
/// tableau; tableau to tableau without a reveal.
pub(crate) fn rank(board: &Board, turn: Turn) -> u32 {
    match turn.made {
        Move::PileToFoundation { .. } if board.reveals(turn.made) => 0,
        Move::PileToFoundation { .. } | Move::WasteToFoundation => 1,
        Move::PileToPile { .. } if board.reveals(turn.made) => 2,
        Move::WasteToPile { .. } => 3,
        Move::FoundationToPile { .. } => 4,
        Move::PileToPile { .. } | Move::Draw | Move::Redeal => LAST_RANK,
    }
}

/// The turns of a position by rank, without [idle](Board::is_idle) ones.
pub(crate) struct Ranked<'a> {
    board: &'a Board,
    reach: &'a Reach,
    tops: Tops,
    /// The top cards that go up.
    up: CardSet,
    /// What goes up, what some pile takes, and the highest cards of the foundations.
    next: CardSet,
    to_piles: CardSet,
    highest: CardSet,
    /// The lowest face-up cards of the piles with face-down ones.
    over: CardSet,
}

impl<'a> Ranked<'a> {
    /// Those of a position with these talon cards in reach; `None` where turns are not told as sets.
    #[inline(always)]
    pub(crate) fn new(board: &'a Board, reach: &'a Reach) -> Option<Ranked<'a>> {
        debug_assert_eq!(*reach, Reach::new(board));
        if !are_told(board) {
            return None;
        }
        let cards = tops_of(board);
        let tops = Tops::new(board);
        let (next, highest) = ends_of_foundations(board);
        let kings = CardSet::from_bits(tops.to_empty);
        Some(Ranked {
            board,
            reach,
            up: next & cards,
            next,
            to_piles: cards.children() | kings,
            highest,
            over: over_face_down(board),
            tops,
        })
    }

    /// Whether there is a turn that lasts: one that takes a card of the talon or turns one up.
    #[inline]
    pub(crate) fn any_lasts(&self) -> bool {
        let wanted = self.reach.cards | self.over;
        let goes = self.reach.cards & self.next | wanted & self.to_piles | self.over & self.up;
        !goes.is_empty()
    }

    /// Appends the turns of this rank: those of the talon by place, others by pile, and then by the pile that takes the card.
    #[inline(always)]
    pub(crate) fn push(&self, rank: u32, turns: &mut Vec<Turn>) {
        match rank {
            0 => self.push_up(self.up & self.over, turns),
            1 => {
                for place in bits(self.reach.places_of(self.next, self.board)) {
                    let (place, made) = (Some(place), Move::WasteToFoundation);
                    turns.push(Turn { place, made });
                }
                self.push_up(self.up - self.over, turns);
            }
            2 => self.push_reveals(turns),
            3 => self.push_talon(turns),
            4 => self.push_back(turns),
            _ => self.push_across(turns),
        }
    }

    /// Top cards that go up. One that lies on face-down cards turns the next of these up.
    #[inline(always)]
    fn push_up(&self, cards: CardSet, turns: &mut Vec<Turn>) {
        if cards.is_empty() {
            return;
        }
        let piles = piles_of(cards, &self.board.top[..self.board.pile_count()]);
        for from in bits(piles.into()) {
            let from = PileIndex::new(from.into());
            let (place, made) = (None, Move::PileToFoundation { from });
            turns.push(Turn { place, made });
        }
    }

    /// Whole runs over face-down cards.
    #[inline(always)]
    fn push_reveals(&self, turns: &mut Vec<Turn>) {
        let cards = self.over & self.to_piles;
        if cards.is_empty() {
            return;
        }
        let bases = &self.board.base[..self.board.pile_count()];
        for from in bits(piles_of(cards, bases).into()) {
            let from = usize::from(from);
            let takers = self.tops.takers(bases[from]);
            self.push_run(from, takers, turns);
        }
    }

    #[inline(always)]
    fn push_talon(&self, turns: &mut Vec<Turn>) {
        for place in bits(self.reach.places_of(self.to_piles, self.board)) {
            let takers = self.tops.takers(self.board.talon[usize::from(place)]);
            for to in bits(takers.into()) {
                let to = PileIndex::new(to.into());
                let (place, made) = (Some(place), Move::WasteToPile { to });
                turns.push(Turn { place, made });
            }
        }
    }

    #[inline]
    fn push_back(&self, turns: &mut Vec<Turn>) {
        if !self.board.terms.worrying_back || (self.highest & self.to_piles).is_empty() {
            return;
        }
        for suit in Suit::ALL {
            let card = self.board.foundation_top(suit);
            if !holds(self.to_piles, card) {
                continue;
            }
            for to in bits(self.tops.takers(card).into()) {
                let to = PileIndex::new(to.into());
                let (place, made) = (None, Move::FoundationToPile { suit, to });
                turns.push(Turn { place, made });
            }
        }
    }

    /// Runs that turn nothing up.
    #[inline]
    fn push_across(&self, turns: &mut Vec<Turn>) {
        let board = self.board;
        for from in 0..board.pile_count() {
            let height = board.up[from];
            if height == 0 {
                continue;
            }
            let base = board.base[from];
            let mut takers = self.tops.takers_of_run(board.top[from], base, height);
            takers &= !if board.down[from] == 0 {
                self.tops.empty
            } else {
                self.tops.takers(base)
            };
            self.push_run(from, takers, turns);
        }
    }

    #[inline]
    fn push_run(&self, from: usize, takers: u8, turns: &mut Vec<Turn>) {
        for to in bits(takers.into()) {
            turns.push(across_from(self.board, from, PileIndex::new(to.into())));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deal::seed::{Scheme, Seed};
    use crate::play::policy::dice;
    use crate::rules::{Deck, Layout, Rules, Spaces};
    use crate::table::{Pile, Table, TableParts};
    use rand::RngExt;
    use std::sync::Arc;

    /// The turns of each rank are those of the order, as they are listed, under all rules that have sets of turns, in random play.
    #[test]
    fn turns_of_every_rank_are_found() {
        let mut found = [0; LAST_RANK as usize + 1];
        for seed in 0..120_u64 {
            let mut rng = dice(seed);
            let rules = Rules::builder()
                .deck([Deck::FULL, Deck::FULL, Deck::new(3, 11).unwrap()][seed as usize % 3])
                .layout(Layout::triangle(4 + seed as u8 % 4).unwrap())
                .draw_count(1 + seed as u8 % 4)
                .spaces([Spaces::Kings, Spaces::Nothing][usize::from(seed % 7 == 3)])
                .worrying_back(seed % 5 != 1);
            let rules = Arc::new(rules.build().unwrap());
            let deal = Scheme::Klondike.deal_for(&Seed::from(seed), rules.deck(), rules.layout());
            let mut board = Board::new(&Table::new(rules, &deal.unwrap()).unwrap());
            for _ in 0..200 {
                let mut busy = Vec::new();
                board.busy_turns(&mut busy);
                let reach = Reach::new(&board);
                let ranked = Ranked::new(&board, &reach).unwrap();
                let lasts = |turn: &Turn| turn.place.is_some() || board.reveals(turn.made);
                assert_eq!(ranked.any_lasts(), busy.iter().any(lasts));
                for order in 0..=LAST_RANK {
                    let mut of_rank = Vec::new();
                    ranked.push(order, &mut of_rank);
                    let mut expected = busy.clone();
                    expected.retain(|&turn| rank(&board, turn) == order);
                    assert_eq!(of_rank, expected, "{order} {board:?}");
                    found[order as usize] += of_rank.len();
                }
                if busy.is_empty() {
                    break;
                }
                board.make_turn(busy[rng.random_range(0..busy.len() as u32) as usize]);
            }
        }
        assert!(found.iter().all(|&count| count > 100), "{found:?}");
    }

    /// A position in mid-game.
    fn board() -> Board {
        let cards = |text: &str| {
            let words = text.split_whitespace();
            words.map(|word| word.parse().unwrap()).collect::<Vec<_>>()
        };
        let pile = |text: &str, down| Pile::new(cards(text), down);
        let piles = vec![
            pile("KC 3C", 1),
            pile("9D 8S", 0),
            pile("KS 7H", 1),
            pile("4D", 0),
            pile("KH QC", 0),
            pile("3H", 0),
            pile("9H", 0),
        ];
        let foundations = [2, 3, 2, 2];
        let mut talon = cards("3S QS 4S");
        let all = piles.iter().flat_map(|pile| pile.cards().iter().copied());
        let laid: Vec<crate::card::Card> = all.chain(talon.iter().copied()).collect();
        for i in 0..crate::card::Card::COUNT {
            let card = crate::card::Card::from_index(i).unwrap();
            let up = card.rank().get() <= foundations[card.suit().index()];
            if !up && !laid.contains(&card) {
                talon.push(card);
            }
        }
        let parts = TableParts {
            piles,
            foundations,
            stock: talon,
            waste: Vec::new(),
            redeals_used: 0,
            pending: None,
        };
        Board::new(&Table::from_parts(Arc::new(Rules::standard()), parts).unwrap())
    }

    #[test]
    fn turns_stand_in_the_order_of_the_paper() {
        let board = board();
        let mut turns = Vec::new();
        board.turns(&mut turns);
        let pile = PileIndex::new;
        for (place, made, wanted) in [
            (None, Move::PileToFoundation { from: pile(0) }, 0),
            (None, Move::PileToFoundation { from: pile(5) }, 1),
            (
                None,
                Move::PileToPile {
                    from: pile(2),
                    to: pile(1),
                    count: 1,
                },
                2,
            ),
            (
                None,
                Move::PileToPile {
                    from: pile(1),
                    to: pile(6),
                    count: 1,
                },
                5,
            ),
        ] {
            let turn = Turn { place, made };
            assert!(turns.contains(&turn), "{turn:?} in {turns:?}");
            assert_eq!(rank(&board, turn), wanted, "{turn:?}");
        }
        for turn in turns {
            let wanted = match turn.made {
                Move::WasteToFoundation => 1,
                Move::WasteToPile { .. } => 3,
                Move::FoundationToPile { .. } => 4,
                _ => continue,
            };
            assert_eq!(rank(&board, turn), wanted);
        }
    }
}
