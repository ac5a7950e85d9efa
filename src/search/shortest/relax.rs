//! The relaxation behind the bounds: what can be reached at all when some cards may not be put on a
//! pile.
//!
//! It is that of lemma R (`docs/proofs.md`), asked another question: if no card of a set is ever put
//! on a pile, can all cards still go up? If not, every solution puts one of them on a pile.

use crate::card::Card;
use crate::kplus::{Game, MAX_PILES, MAX_TALON, State, moves};

const LOW_OF_PAIR: u64 = 0x5555_5555_5555_5555;

#[inline]
const fn with_twins(cards: u64) -> u64 {
    let low = (cards | cards >> 1) & LOW_OF_PAIR;
    low | low << 1
}

/// Bits swapped between the two colours of a rank.
#[inline]
const fn swap_colors(cards: u64) -> u64 {
    const LOW: u64 = 0x3333_3333_3333_3333;
    (cards & LOW) << 2 | (cards >> 2 & LOW)
}

/// The next higher cards of the suits.
#[inline]
const fn successors(cards: u64) -> u64 {
    swap_colors(cards) << 4
}

const ACES: u64 = 0b1111;

/// A state to ask questions about.
#[derive(Debug)]
pub struct Relaxation<'a> {
    game: &'a Game,
    tableau: u64,
    uncovered: u64,
    up: u64,
    back: u64,
    talon: u64,
    free: u64,
    anchored: u64,
    in_place: [u8; MAX_PILES],
    empty: u32,
    /// The talon in its order.
    row: [u64; MAX_TALON],
    len: usize,
    waste: usize,
}

/// When a talon card that is never put on a pile may go up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Passes {
    /// At any time.
    Any,
    /// Before the next redeal.
    Current,
}

impl<'a> Relaxation<'a> {
    /// Questions about `state`.
    #[must_use]
    pub fn new(game: &'a Game, state: &State) -> Relaxation<'a> {
        let visible = state.visible().bits();
        let up = moves::on_foundations(state);
        let mut row = [0; MAX_TALON];
        let mut len = 0;
        let mut places = state.talon_places();
        while places != 0 {
            row[len] = game.talon()[places.trailing_zeros() as usize].set().bits();
            places &= places - 1;
            len += 1;
        }
        Relaxation {
            game,
            tableau: visible,
            uncovered: visible & moves::available(state),
            up,
            back: if game.worrying_back() { up } else { 0 },
            talon: state.talon().bits(),
            free: state.free().bits(),
            anchored: state.anchored().bits(),
            in_place: state.in_place_counts(),
            empty: moves::empty_columns(game, state),
            row,
            len,
            waste: state.waste(),
        }
    }

    /// The cards that may have to be put on a pile: those in dealt place or in the talon.
    #[must_use]
    pub fn candidates(&self) -> u64 {
        self.game.cards().bits() & !self.up & !self.free
    }

    /// Whether all cards can go up if those of `barred` are never put on a pile, and talon cards
    /// of `barred` go up in these `passes`.
    ///
    /// # Errors
    /// If not: a subset of `barred` with which nothing else happens.
    pub fn wins_without(&self, barred: u64, passes: Passes) -> Result<(), u64> {
        let all = self.game.cards().bits();
        let kings = self.game.kings().bits();
        let entering = kings & !self.free;
        let (mut tableau, mut uncovered, mut up) = (self.tableau, self.uncovered, self.up);
        let (mut roots, mut empty) = (self.anchored, self.empty);
        let mut in_place = self.in_place;
        let mut new_kings = kings & !up;
        let mut playable = match passes {
            Passes::Any => self.talon,
            Passes::Current => self.talon & !barred,
        };
        let mut cut = self.waste;
        let mut front = 0;
        loop {
            let before = (tableau, uncovered, up, roots, empty);
            let mut places = with_twins(uncovered) >> 4;
            if empty > 0 {
                places |= entering;
            }
            front |= barred & (roots | self.talon) & places;
            places &= !barred;
            let new_up = (ACES | successors(up)) & all & !up & (uncovered | playable);
            let new_tableau = (playable | self.back) & places;
            up |= new_up;
            tableau |= new_tableau;
            uncovered |= new_tableau | with_twins(self.free & up) << 4 & tableau;
            if new_up & new_kings != 0 {
                empty += (new_up & new_kings).count_ones();
                new_kings &= !new_up;
                if up == all {
                    return Ok(());
                }
            }
            let mut leaving = roots & (up | places);
            roots &= !leaving;
            while leaving != 0 {
                let card = leaving.trailing_zeros() as usize;
                leaving &= leaving - 1;
                let pile = self.game.pile_of_index(card);
                in_place[pile] -= 1;
                let left = usize::from(in_place[pile]);
                if left == 0 {
                    empty += 1;
                } else {
                    let below = self.game.dealt()[pile][left - 1].set().bits();
                    tableau |= below;
                    uncovered |= below;
                    if left > 1 || below & kings == 0 {
                        roots |= below;
                    } else {
                        in_place[pile] = 0;
                    }
                }
            }
            uncovered |= with_twins(uncovered) & tableau;
            if before != (tableau, uncovered, up, roots, empty) {
                continue;
            }
            if passes == Passes::Any {
                return Err(front);
            }
            // Nothing more happens before the next draw.
            let next = (ACES | successors(up)) & all & !up;
            let gone = tableau | up;
            front |= next & barred & self.talon;
            loop {
                let mut place = cut;
                let mut exposed = 0;
                while place > 0 {
                    place -= 1;
                    exposed |= self.row[place];
                    if self.row[place] & gone == 0 {
                        break;
                    }
                }
                if exposed & next & !playable != 0 {
                    playable |= exposed & next;
                    break;
                }
                if cut == self.len {
                    return Err(front);
                }
                cut = (cut + self.game.draw_count()).min(self.len);
            }
        }
    }

    /// Moves cards that are still `left` into new sets, of each of which every solution puts a card
    /// on a pile (or leaves one of the talon over to the next pass).
    pub(super) fn extend(
        &self,
        left: &mut u64,
        passes: Passes,
        order: &[Card],
        marks: &mut Vec<u64>,
    ) {
        while let Err(mut mark) = self.wins_without(*left, passes) {
            for &card in order {
                let bit = card.set().bits();
                if mark & bit != 0
                    && let Err(less) = self.wins_without(mark & !bit, passes)
                {
                    mark = less;
                }
            }
            marks.push(mark);
            *left &= !mark;
            if mark == 0 {
                // Lost: not even with every card allowed.
                return;
            }
        }
    }
}
