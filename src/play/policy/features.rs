//! The heuristics H1 and H2 of Bjarnason, Tadepalli & Fern 2007: weighted features of a position whose
//! cards are all known.
//!
//! Each card adds, with its rank counted from ace 0 to king 12 (weights of H1 / H2):
//! on the foundation (5 − rank) / 5; face down rank − 13; in the talon, reachable by drawing, 0 / 1; face
//! down as its twin is −5 / −1; over a lower card of its suit −5 / −1; over one of the two cards that it
//! could be put on −10 / −5.
//!
//! Open, and chosen here: two face-down twins count once each; a card is *over* those that lie face
//! down under it in its pile, whether it lies face down itself or not, and counts once for each of the two
//! features, over however many cards it is.

use crate::card::{Card, CardSet, Rank, Suit};
use crate::play::{Board, Turn};
use crate::rules::MAX_PILES;
use crate::table::{Move, PileIndex};

/// The weights of a heuristic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weights {
    /// For a card on the foundation: this less `foundation_rank` times its rank.
    pub foundation: i32,
    /// See [`Weights::foundation`].
    pub foundation_rank: i32,
    /// For a talon card that drawing can reach.
    pub reachable: i32,
    /// For a face-down card whose twin lies face down too.
    pub twins: i32,
    /// For a card over a lower one of its suit.
    pub over_suit: i32,
    /// For a card over one that it could be put on.
    pub over_parent: i32,
}

impl Weights {
    /// The first stage's.
    pub const H1: Weights = Weights {
        foundation: 5,
        foundation_rank: 1,
        reachable: 0,
        twins: -5,
        over_suit: -5,
        over_parent: -10,
    };

    /// The second stage's, and the one of a single stage.
    pub const H2: Weights = Weights {
        foundation: 5,
        foundation_rank: 0,
        reachable: 1,
        twins: -1,
        over_suit: -1,
        over_parent: -5,
    };

    /// The value of a position.
    #[must_use]
    pub fn value(&self, board: &Board) -> i32 {
        let FaceDown { piles, all } = FaceDown::new(board);
        let mut value = self.twins * (all & all.twins()).len() as i32;
        for suit in Suit::ALL {
            let founded = (1..=board.foundation(suit)).filter_map(Rank::new);
            value += founded.map(|rank| self.founded(rank)).sum::<i32>();
        }
        if self.reachable != 0 {
            value += self.reachable * board.reachable().count_ones() as i32;
        }
        for (pile, mut buried) in piles.into_iter().enumerate().take(board.pile_count()) {
            let face_up = board.face_up(pile);
            value += face_up.map(|card| self.over(card, buried)).sum::<i32>();
            for card in board.face_down(pile) {
                buried.remove(card);
                value += hidden(card) + self.over(card, buried);
            }
        }
        value
    }

    /// What a turn adds to the value of a position, the face-down cards of which are `face_down`.
    #[must_use]
    pub(super) fn gain(&self, board: &Board, face_down: &FaceDown, turn: Turn) -> i32 {
        let over = |card, pile: PileIndex| self.over(card, face_down.piles[pile.get()]);
        let mut gain = match (turn.made, board.card_of(turn)) {
            (Move::PileToPile { from, to, count }, _) => {
                let mut gain = 0;
                for card in board.top_cards(from.get(), count) {
                    gain += over(card, to) - over(card, from);
                }
                gain
            }
            (Move::WasteToFoundation, Some(card)) => self.founded(card.rank()),
            (Move::WasteToPile { to }, Some(card)) => over(card, to),
            (Move::PileToFoundation { from }, Some(card)) => {
                self.founded(card.rank()) - over(card, from)
            }
            (Move::FoundationToPile { to, .. }, Some(card)) => {
                over(card, to) - self.founded(card.rank())
            }
            (Move::Draw | Move::Redeal, _) | (_, None) => 0,
        };
        if let Some((_, card)) = revealed(board, turn) {
            // It stays over the same cards.
            gain -= hidden(card);
            let twins = !(card.set().twins() & face_down.all).is_empty();
            gain -= 2 * self.twins * i32::from(twins);
        }
        if turn.place.is_some() && self.reachable != 0 {
            let count = |places: u64| places.count_ones() as i32;
            gain +=
                self.reachable * (count(board.reachable_after(turn)) - count(board.reachable()));
        }
        gain
    }

    /// What a card of this rank on the foundation adds.
    #[inline]
    fn founded(&self, rank: Rank) -> i32 {
        self.foundation - self.foundation_rank * (i32::from(rank.get()) - 1)
    }

    /// What a card over these adds.
    #[inline]
    fn over(&self, card: Card, buried: CardSet) -> i32 {
        let Cares { lower, parents } = CARES[card.index()];
        self.over_suit * i32::from(!(buried & lower).is_empty())
            + self.over_parent * i32::from(!(buried & parents).is_empty())
    }
}

/// What a face-down card adds.
#[inline]
fn hidden(card: Card) -> i32 {
    i32::from(card.rank().get()) - 1 - 13
}

/// The cards that count if a card lies over them.
#[derive(Clone, Copy)]
struct Cares {
    /// The lower ones of its suit.
    lower: CardSet,
    /// Those that it could be put on.
    parents: CardSet,
}

/// Those of each card, by its index.
const CARES: [Cares; Card::COUNT] = {
    let none = Cares {
        lower: CardSet::EMPTY,
        parents: CardSet::EMPTY,
    };
    let mut cares = [none; Card::COUNT];
    let mut i = 0;
    while i < Card::COUNT {
        if let Some(card) = Card::from_index(i) {
            cares[i].parents = card.set().parents();
            // Cards go by rank first, so that the next lower one has its entry.
            if let Some(below) = card.predecessor() {
                cares[i].lower = cares[below.index()].lower;
                cares[i].lower.insert(below);
            }
        }
        i += 1;
    }
    cares
};

/// The face-down cards of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct FaceDown {
    piles: [CardSet; MAX_PILES],
    all: CardSet,
}

impl FaceDown {
    /// Those of this position.
    pub(super) fn new(board: &Board) -> FaceDown {
        let mut piles = [CardSet::EMPTY; MAX_PILES];
        let mut all = CardSet::EMPTY;
        for (pile, cards) in piles.iter_mut().enumerate().take(board.pile_count()) {
            *cards = board.face_down(pile).collect();
            all |= *cards;
        }
        FaceDown { piles, all }
    }

    /// Those left after a turn from `board`.
    pub(super) fn make(&mut self, board: &Board, turn: Turn) {
        if let Some((pile, card)) = revealed(board, turn) {
            self.piles[pile.get()].remove(card);
            self.all.remove(card);
        }
    }
}

/// The card that a turn turns up, and its pile.
#[inline]
fn revealed(board: &Board, turn: Turn) -> Option<(PileIndex, Card)> {
    match turn.made {
        Move::PileToFoundation { from } | Move::PileToPile { from, .. }
            if board.reveals(turn.made) =>
        {
            Some((from, board.face_down(from.get()).next()?))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::deal::seed::{Scheme, Seed};
    use crate::play::policy::dice;
    use crate::rules::{Redeals, Rules, Runs};
    use crate::table::{Pile, Table, TableParts};
    use rand::RngExt;
    use std::sync::Arc;

    /// A position with these piles, face-down cards first, and the rest of the deck on the stock but
    /// for the cards of the foundations.
    fn board(piles: &[(&str, usize)], foundations: [u8; 4]) -> Board {
        let rules = Arc::new(Rules::standard());
        let mut rest = CardSet::from_bits((1 << Card::COUNT) - 1);
        let mut piles: Vec<Pile> = piles
            .iter()
            .map(|&(text, down)| {
                let words = text.split_whitespace();
                let cards: Vec<Card> = words.map(|word| word.parse().unwrap()).collect();
                cards.iter().for_each(|&card| {
                    rest.remove(card);
                });
                Pile::new(cards, down)
            })
            .collect();
        piles.resize(7, Pile::new(Vec::new(), 0));
        for card in rest {
            if card.rank().get() <= foundations[card.suit().index()] {
                rest.remove(card);
            }
        }
        let table = Table::from_parts(
            rules,
            TableParts {
                piles,
                foundations,
                stock: rest.collect(),
                waste: Vec::new(),
                redeals_used: 0,
                pending: None,
            },
        );
        Board::new(&table.unwrap())
    }

    /// Gains are differences of values, whatever the rules.
    #[test]
    fn gains_are_differences_of_values() {
        let mut turns = Vec::new();
        let mut reveals = 0;
        for seed in 0..90_u64 {
            let mut rng = dice(seed);
            let redeals = [Redeals::Unlimited, Redeals::Limited(1)][seed as usize % 2];
            let runs = [Runs::Whole, Runs::Partial, Runs::PartialIfPlayed][seed as usize / 2 % 3];
            let rules = Rules::standard().to_builder().redeals(redeals).runs(runs);
            let rules = rules.draw_count(1 + (seed / 6 % 3) as u8);
            let rules = Arc::new(rules.build().unwrap());
            let (deck, layout) = (rules.deck(), rules.layout());
            let deal = Scheme::Klondike.deal_for(&Seed::from(seed), deck, layout);
            let mut board = Board::new(&Table::new(rules, &deal.unwrap()).unwrap());
            let mut face_down = FaceDown::new(&board);
            for _ in 0..120 {
                turns.clear();
                board.turns(&mut turns);
                for &turn in &turns {
                    let mut after = board;
                    reveals += u32::from(after.make_turn(turn).is_some());
                    for weights in [Weights::H1, Weights::H2] {
                        let gain = weights.gain(&board, &face_down, turn);
                        assert_eq!(gain, weights.value(&after) - weights.value(&board));
                    }
                }
                if turns.is_empty() {
                    break;
                }
                let turn = turns[rng.random_range(0..turns.len() as u32) as usize];
                face_down.make(&board, turn);
                board.make_turn(turn);
                assert_eq!(face_down, FaceDown::new(&board));
            }
        }
        assert!(reveals > 500, "{reveals}");
    }

    /// Worked out by hand from the table of weights.
    #[test]
    fn values_are_those_worked_out_by_hand() {
        let both = |board: &Board| (Weights::H1.value(board), Weights::H2.value(board));
        // 52 cards in the talon, 17 places every three cards and the last one.
        assert_eq!(both(&board(&[], [0; 4])), (0, 18));
        // Ace, two and three up: 5 + 4 + 3 and 15; 49 cards in the talon.
        assert_eq!(both(&board(&[], [3, 0, 0, 0])), (12, 15 + 17));
        // 5S face down (rank 4): 4 − 13; 50 in the talon.
        let plain = board(&[("5S KH", 1)], [0; 4]);
        assert_eq!(both(&plain), (-9, -9 + 17));
        // 8S over the lower 5S: −5 / −1.
        let suit = board(&[("5S 8S", 1)], [0; 4]);
        assert_eq!(both(&suit), (-9 - 5, -9 - 1 + 17));
        // 8S over 9H, which it could be put on: 8 − 13, and −10 / −5.
        let parent = board(&[("9H 8S", 1)], [0; 4]);
        assert_eq!(both(&parent), (-5 - 10, -5 - 5 + 17));
        // The twins 5S and 5C face down: −9 each, and −5 / −1 each; a card between them is over 5S of its suit
        // and lies face down itself (rank 5: −8).
        let twins = board(&[("5S 6S 5C KH", 3)], [0; 4]);
        assert_eq!(
            both(&twins),
            (-9 - 9 - 8 - 5 - 5 - 5, -9 - 9 - 8 - 1 - 1 - 1 + 16)
        );
        // Face up under it is nothing that it is over.
        let run = board(&[("9H 8S", 0)], [0; 4]);
        assert_eq!(both(&run), (0, 17));
    }
}
