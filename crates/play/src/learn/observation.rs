//! What a learner sees, as numbers.
//!
//! An observation has a number for each card, which says where it lies, and some counts. It is all
//! that a [`View`] holds of the cards, and so all that is known of the hidden ones: equal
//! observations mean equal chances for every order of the unseen cards. The order of the cards in
//! a pile need not be written, as they lie by rank.

use crate::view::View;
use klondike_game::card::Card;
use klondike_game::rules::{MAX_PILES, Redeals, Rules, Runs};

/// A number of a card says that the player has not seen it, or that it is on its foundation;
/// numbers of piles, places of the waste and places of the stock follow.
const UNSEEN: u8 = 0;
const UP: u8 = 1;
const PILE: u8 = 2;

/// Most numbers of an observation.
const MOST_NUMBERS: usize = Card::COUNT + MAX_PILES + 4;

/// Most redeals that are counted.
const MOST_REDEALS: u32 = 254;

/// How the numbers of an observation are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// As they are.
    Numbers,
    /// Each as so many numbers as it has values: 1 for its value and 0 for all others.
    Ones,
}

/// What an observation consists of, under some rules and in games that begin with a deal.
///
/// With `P` piles and `T` cards in the talon, in this order:
///
/// * for each card of the deck, by rank and in each rank by suit, where it lies: 0 unseen, 1 on its
///   foundation, `2 + i` face up in pile `i`, `2 + P + i` in the waste under `i` cards,
///   `2 + P + T + i` in the stock, drawn after `i` others;
/// * the face-down cards of each pile;
/// * the cards of the waste, and of the stock;
/// * the redeals that are left, at most 254 (0 if they have no end);
/// * the pile, from 1, whose uncovered card must go to the foundation next, or 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The place of each card by [`Card::index`].
    place: [u8; Card::COUNT],
    cards: Vec<Card>,
    heights: Vec<u8>,
    talon: u8,
    redeals: Redeals,
    has_pending: bool,
    /// How many numbers are written, and where the ones of each begin.
    width: usize,
    ones: Option<Vec<usize>>,
}

impl Layout {
    /// The layout under these rules.
    #[must_use]
    pub fn new(rules: &Rules, form: Form) -> Layout {
        let mut cards: Vec<Card> = rules.deck().cards().collect();
        cards.sort_by_key(|card| card.index());
        let mut place = [0; Card::COUNT];
        for (number, card) in cards.iter().enumerate() {
            place[card.index()] = number as u8;
        }
        let heights = rules.layout().heights().to_vec();
        let tableau: usize = heights.iter().map(|&height| usize::from(height)).sum();
        let mut layout = Layout {
            place,
            talon: (cards.len() - tableau) as u8,
            cards,
            heights,
            redeals: rules.redeals(),
            has_pending: rules.runs() == Runs::PartialIfPlayed,
            width: 0,
            ones: None,
        };
        layout.width = layout.count();
        if form == Form::Ones {
            let mut begins = Vec::new();
            layout.width = 0;
            for size in layout.sizes() {
                begins.push(layout.width);
                layout.width += usize::from(size);
            }
            layout.ones = Some(begins);
        }
        layout
    }

    /// The cards, in the order of their numbers.
    #[must_use]
    pub fn cards(&self) -> &[Card] {
        &self.cards
    }

    /// How many numbers an observation has, before ones are made of them.
    fn count(&self) -> usize {
        self.cards.len() + self.heights.len() + 4
    }

    /// How many numbers are written.
    #[must_use]
    #[allow(clippy::len_without_is_empty)] // a deck has cards
    pub fn len(&self) -> usize {
        self.width
    }

    /// How many values each number can have, from 0.
    #[must_use]
    pub fn sizes(&self) -> Vec<u8> {
        let piles = self.heights.len() as u8;
        let mut sizes = vec![PILE + piles + 2 * self.talon; self.cards.len()];
        sizes.extend(self.heights.iter().map(|&height| height.max(1)));
        sizes.extend([self.talon + 1; 2]);
        sizes.push(match self.redeals {
            Redeals::Unlimited => 1,
            Redeals::LastPassByOnes => 2,
            Redeals::Limited(most) => most.min(MOST_REDEALS) as u8 + 1,
        });
        sizes.push(if self.has_pending { piles + 1 } else { 1 });
        sizes
    }

    /// Writes what the player sees into a slice of [`Layout::len`] numbers.
    ///
    /// # Panics
    /// If it is shorter.
    pub fn write(&self, view: &View, out: &mut [u8]) {
        let Some(ones) = &self.ones else {
            return self.write_numbers(view, &mut out[..self.count()]);
        };
        let mut numbers = [0; MOST_NUMBERS];
        let numbers = &mut numbers[..self.count()];
        self.write_numbers(view, numbers);
        out.fill(0);
        for (&begin, &number) in ones.iter().zip(&*numbers) {
            out[begin + usize::from(number)] = 1;
        }
    }

    fn write_numbers(&self, view: &View, out: &mut [u8]) {
        let board = view.board();
        let piles = self.heights.len();
        let (cards, counts) = out.split_at_mut(self.cards.len());
        cards.fill(UP);
        for card in view.unseen() {
            cards[usize::from(self.place[card.index()])] = UNSEEN;
        }
        for (pile, count) in counts[..piles].iter_mut().enumerate() {
            for card in board.face_up(pile) {
                cards[usize::from(self.place[card.index()])] = PILE + pile as u8;
            }
            *count = board.face_down_count(pile) as u8;
        }
        let (waste, len) = (board.waste_len(), board.talon_len());
        let first = PILE + piles as u8;
        for place in 0..len {
            let Some(card) = board.talon_card(place) else {
                continue;
            };
            cards[usize::from(self.place[card.index()])] = match place.checked_sub(waste) {
                None => first + (waste - 1 - place) as u8,
                Some(after) => first + self.talon + after as u8,
            };
        }
        let redeals = match self.redeals {
            Redeals::Unlimited => 0,
            Redeals::LastPassByOnes => u32::from(!board.in_last_pass()),
            Redeals::Limited(most) => most.saturating_sub(board.redeals_used()).min(MOST_REDEALS),
        };
        let pending = board.pending().map_or(0, |pile| pile.get() as u8 + 1);
        let rest = [waste as u8, (len - waste) as u8, redeals as u8, pending];
        counts[piles..].copy_from_slice(&rest);
    }
}
