//! The heuristics H1 and H2 of Bjarnason, Tadepalli & Fern 2007: weighted features of a position
//! whose cards are all known.
//!
//! Each card adds, with its rank counted from ace 0 to king 12 (weights of H1 / H2):
//!
//! | card | adds |
//! | --- | --- |
//! | on the foundation | (5 − rank) / 5 |
//! | face down | rank − 13 |
//! | in the talon, reachable by drawing | 0 / 1 |
//! | face down as its twin is | −5 / −1 |
//! | over a lower card of its suit | −5 / −1 |
//! | over one of the two cards that it could be put on | −10 / −5 |
//!
//! Open, and chosen here: two face-down twins count once each. A card is *over* the cards that lie
//! face down under it in its pile, whether it lies face down itself or not. It counts once for each
//! of the two features, over however many cards it is.

use klondike_game::card::{Card, CardSet, Rank, Suit};
use klondike_play::Board;

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
        let mut value = self.reachable * board.reachable().count_ones() as i32;
        for suit in Suit::ALL {
            for rank in (1..=board.foundation(suit)).filter_map(Rank::new) {
                value += self.foundation - self.foundation_rank * from_ace(rank);
            }
        }
        let mut face_down = CardSet::EMPTY;
        for pile in 0..board.pile_count() {
            let mut buried: CardSet = board.face_down(pile).collect();
            face_down |= buried;
            for card in board.face_up(pile) {
                value += self.over(card, buried);
            }
            for card in board.face_down(pile) {
                buried.remove(card);
                value += from_ace(card.rank()) - 13 + self.over(card, buried);
            }
        }
        value + self.twins * (face_down & face_down.twins()).len() as i32
    }

    /// What a card over these adds.
    fn over(&self, card: Card, buried: CardSet) -> i32 {
        let is_lower = |other: Card| other.suit() == card.suit() && other.rank() < card.rank();
        let over_suit = buried.into_iter().any(is_lower);
        let over_parent = !(buried & card.set().parents()).is_empty();
        self.over_suit * i32::from(over_suit) + self.over_parent * i32::from(over_parent)
    }
}

/// The rank counted from ace 0.
fn from_ace(rank: Rank) -> i32 {
    i32::from(rank.get()) - 1
}
