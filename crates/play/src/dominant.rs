//! The dominances of Milas' thesis (2025, section 3.2.3): which turns random play makes first.
//!
//! *Safe* turns bring a card to its foundation that is at most 3 ranks above the other foundation
//! of its colour and at most 2 above those of the other colour. *Critical* turns move a part of a
//! pile away and uncover a card that could go up safely. These are his rules, without proof; what
//! the solver prunes stands in [`klondike_lemmas::prune`].

use crate::board::{Board, Turn};
use klondike_game::card::{Card, CardSet, Rank, Suit};
use klondike_game::table::Move;

/// Which of the dominances hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dominances {
    /// Safe turns to the foundation.
    pub safe: bool,
    /// Parts of piles whose move lets a safe card go up.
    pub critical: bool,
}

impl Dominances {
    /// Both.
    pub const ALL: Dominances = Dominances {
        safe: true,
        critical: true,
    };

    /// Neither: no turn is dominant.
    pub const NONE: Dominances = Dominances {
        safe: false,
        critical: false,
    };

    /// What makes turns of a position dominant.
    fn at(self, board: &Board) -> Dominant {
        let up = board.foundations();
        let mut goals = CardSet::EMPTY;
        for suit in Suit::ALL {
            // The rank of the next card is one more than this.
            let height = up[suit.index()];
            let [one, other] = other_color(suit);
            if up[suit.twin().index()] + 2 >= height
                && up[one.index()].min(up[other.index()]) + 1 >= height
                && let Some(rank) = Rank::new(height + 1)
            {
                goals.insert(Card::new(rank, suit));
            }
        }
        Dominant { of: self, goals }
    }

    /// Leaves only the dominant turns, if there are any.
    pub fn narrow(self, board: &Board, turns: &mut Vec<Turn>) {
        let dominant = self.at(board);
        if turns.iter().any(|&turn| dominant.holds(board, turn)) {
            turns.retain(|&turn| dominant.holds(board, turn));
        }
    }
}

/// The suits of the colour that a suit does not have.
#[must_use]
pub fn other_color(suit: Suit) -> [Suit; 2] {
    match suit {
        Suit::Clubs | Suit::Spades => [Suit::Diamonds, Suit::Hearts],
        Suit::Diamonds | Suit::Hearts => [Suit::Clubs, Suit::Spades],
    }
}

/// Which turns of a position are dominant.
struct Dominant {
    of: Dominances,
    /// The cards that are next on their foundations and safe there.
    goals: CardSet,
}

impl Dominant {
    /// Whether a turn of the position is dominant.
    fn holds(&self, board: &Board, turn: Turn) -> bool {
        let is_goal = |card: Option<Card>| card.is_some_and(|card| self.goals.contains(card));
        match turn.made {
            Move::WasteToFoundation => {
                let place = turn.place.map(usize::from);
                self.of.safe && is_goal(place.and_then(|place| board.talon_card(place)))
            }
            Move::PileToFoundation { from } => self.of.safe && is_goal(board.top(from.get())),
            Move::PileToPile { from, count, .. } => {
                let (from, count) = (from.get(), usize::from(count));
                self.of.critical
                    && count < board.face_up_count(from)
                    && is_goal(board.face_up(from).nth(count))
            }
            _ => false,
        }
    }
}
