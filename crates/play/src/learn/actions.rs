//! The actions of a learner: the moves of a game, numbered.
//!
//! A move from pile to pile is named by the two piles alone, because they fix the number of cards:
//! a card on the target takes one rank, the cards of a run have different ranks, and an empty pile
//! takes a king, which is the lowest of its run. Only where empty piles take any card does the
//! number of cards belong to the action.

use std::fmt;

use crate::board::Board;
use klondike_game::card::Suit;
use klondike_game::rules::{Redeals, Rules, Spaces};
use klondike_game::table::{Move, PileIndex};

/// The actions under some rules, in games that begin with a deal.
///
/// In this order, with `P` piles and `S` suits: draw, redeal, waste to foundation, waste to pile
/// (`P`), pile to foundation (`P`), foundation to pile (`S * P`, suit by suit), pile to pile
/// (`P * (P - 1)`, source by source; each with a number for every count of cards where empty piles
/// take any card), and the last pass where the rules have one. With the standard rules there are
/// 87.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Actions {
    piles: usize,
    suits: usize,
    /// Numbers for the counts of cards between two piles: 1 where the piles fix the count.
    counts: usize,
    /// Whether the rules have a last pass by ones.
    last_pass: bool,
}

const REDEAL: usize = 1;
const WASTE_UP: usize = 2;
const WASTE: usize = 3;

impl Actions {
    /// The actions under these rules.
    #[must_use]
    pub fn new(rules: &Rules) -> Actions {
        Actions {
            piles: rules.layout().pile_count(),
            suits: rules.deck().suit_count(),
            counts: match rules.spaces() {
                Spaces::Any => rules.deck().rank_count(),
                Spaces::Kings | Spaces::Nothing => 1,
            },
            last_pass: rules.redeals() == Redeals::LastPassByOnes,
        }
    }

    fn pile_up(&self) -> usize {
        WASTE + self.piles
    }

    fn back(&self) -> usize {
        self.pile_up() + self.piles
    }

    fn between(&self) -> usize {
        self.back() + self.suits * self.piles
    }

    /// Number of actions.
    #[must_use]
    #[allow(clippy::len_without_is_empty)] // there is always a draw
    pub fn len(&self) -> usize {
        self.last_pass() + usize::from(self.last_pass)
    }

    fn last_pass(&self) -> usize {
        self.between() + self.piles * (self.piles - 1) * self.counts
    }

    /// The number of a move of these rules.
    #[must_use]
    pub fn number(&self, made: Move) -> usize {
        match made {
            Move::Draw => 0,
            Move::Redeal => REDEAL,
            Move::LastPass => self.last_pass(),
            Move::WasteToFoundation => WASTE_UP,
            Move::WasteToPile { to } => WASTE + to.get(),
            Move::PileToFoundation { from } => self.pile_up() + from.get(),
            Move::FoundationToPile { suit, to } => {
                self.back() + suit.index() * self.piles + to.get()
            }
            Move::PileToPile { from, to, count } => {
                let (from, to) = (from.get(), to.get());
                let pair = from * (self.piles - 1) + to - usize::from(to > from);
                let count = if self.counts > 1 { count - 1 } else { 0 };
                self.between() + pair * self.counts + usize::from(count)
            }
        }
    }

    /// The move of an action on a board, legal or not; `None` if it can be none.
    ///
    /// # Panics
    /// If there is no such action.
    #[must_use]
    pub fn made(&self, action: usize, board: &Board) -> Option<Move> {
        assert!(action < self.len(), "no action {action}");
        let pile = PileIndex::new;
        Some(match action {
            0 => Move::Draw,
            REDEAL => Move::Redeal,
            _ if action == self.last_pass() => Move::LastPass,
            WASTE_UP => Move::WasteToFoundation,
            _ if action < self.pile_up() => Move::WasteToPile {
                to: pile(action - WASTE),
            },
            _ if action < self.back() => Move::PileToFoundation {
                from: pile(action - self.pile_up()),
            },
            _ if action < self.between() => {
                let rest = action - self.back();
                Move::FoundationToPile {
                    suit: Suit::ALL[rest / self.piles],
                    to: pile(rest % self.piles),
                }
            }
            _ => {
                let (from, to, count) = self.piles_of(action);
                let count = match count {
                    Some(count) => count,
                    None => count_between(board, from, to)?,
                };
                Move::PileToPile {
                    from: pile(from),
                    to: pile(to),
                    count,
                }
            }
        })
    }

    /// The piles of an action from pile to pile, and how many cards move if it says so.
    fn piles_of(&self, action: usize) -> (usize, usize, Option<u8>) {
        let rest = action - self.between();
        let (pair, count) = (rest / self.counts, rest % self.counts);
        let (from, to) = (pair / (self.piles - 1), pair % (self.piles - 1));
        let count = (self.counts > 1).then_some(count as u8 + 1);
        (from, to + usize::from(to >= from), count)
    }

    /// What an action is called: `draw`, `redeal`, `last-pass`, or source and target, such as
    /// `W>3`, `5>F`, `C>3` (from the foundation of clubs), `5>3`, and `5>3*2` for two cards where
    /// the piles do not say how many.
    #[must_use]
    pub fn name(&self, action: usize) -> impl fmt::Display {
        match action {
            0 => "draw".to_owned(),
            REDEAL => "redeal".to_owned(),
            _ if action == self.last_pass() => "last-pass".to_owned(),
            WASTE_UP => "W>F".to_owned(),
            _ if action < self.pile_up() => format!("W>{}", action - WASTE + 1),
            _ if action < self.back() => format!("{}>F", action - self.pile_up() + 1),
            _ if action < self.between() => {
                let rest = action - self.back();
                let suit = Suit::ALL[rest / self.piles].letter();
                format!("{suit}>{}", rest % self.piles + 1)
            }
            _ => {
                let (from, to, count) = self.piles_of(action);
                let count = count.map_or_else(String::new, |count| format!("*{count}"));
                format!("{}>{}{count}", from + 1, to + 1)
            }
        }
    }
}

/// How many cards may move between two piles, one or more: as many as make the lowest one fit its
/// target.
fn count_between(board: &Board, from: usize, to: usize) -> Option<u8> {
    let top = board.top(from)?;
    let count = match board.top(to) {
        Some(target) => target.rank().get().checked_sub(top.rank().get())?,
        None => board.face_up_count(from) as u8,
    };
    (count > 0).then_some(count)
}
