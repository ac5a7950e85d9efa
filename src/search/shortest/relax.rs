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

/// Things that a solution may do beside what every solution does: putting cards on a pile (from the
/// talon, from their dealt place, or back from the foundation), and leaving talon cards over to the
/// next pass.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Events {
    /// Cards that are put on a pile.
    pub piled: u64,
    /// Talon cards that are left over when the waste is turned.
    pub over: u64,
}

impl Events {
    /// Neither is in the other.
    #[must_use]
    pub const fn without(self, other: Events) -> Events {
        Events {
            piled: self.piled & !other.piled,
            over: self.over & !other.over,
        }
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.piled | self.over == 0
    }
}

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

impl<'a> Relaxation<'a> {
    /// Questions about `state`.
    #[must_use]
    pub fn new(game: &'a Game, state: &State) -> Relaxation<'a> {
        let visible = state.visible().bits();
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
            up: moves::on_foundations(state),
            back: if game.worrying_back() { u64::MAX } else { 0 },
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

    /// Whether all cards can go up if none of the events in `barred` ever happens.
    ///
    /// # Errors
    /// If not: events of `barred` that are enough to prevent it.
    pub fn wins_without(&self, barred: Events) -> Result<(), Events> {
        let all = self.game.cards().bits();
        let kings = self.game.kings().bits();
        let entering = kings & !self.free;
        let (mut tableau, mut uncovered, mut up) = (self.tableau, self.uncovered, self.up);
        let (mut roots, mut empty) = (self.anchored, self.empty);
        let mut in_place = self.in_place;
        let mut new_kings = kings & !up;
        // Talon cards that may be left over can be had at any time, others when they are on top.
        let anytime = self.talon & !barred.over;
        let mut playable = anytime;
        let mut cut = self.waste;
        let mut front = Events::default();
        loop {
            let before = (tableau, uncovered, up, roots, empty);
            let mut places = with_twins(uncovered) >> 4;
            if empty > 0 {
                places |= entering;
            }
            front.piled |= places & (roots | playable | up & self.back);
            places &= !barred.piled;
            let new_up = (ACES | successors(up)) & all & !up & (uncovered | playable);
            let new_tableau = (playable | up & self.back) & places;
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
            // Nothing more happens before the next draw.
            let gone = tableau | up;
            let next = (ACES | successors(up)) & all;
            let mut pilable = with_twins(uncovered) >> 4;
            if empty > 0 {
                pilable |= entering;
            }
            let missing = barred.over & !gone;
            let wanted = missing & (next | pilable & !barred.piled);
            front.over |= missing & (next | pilable);
            loop {
                if missing & (next | pilable) == 0 || cut > self.len {
                    front.piled &= barred.piled;
                    return Err(front);
                }
                let mut place = cut;
                let mut exposed = 0;
                while place > 0 {
                    place -= 1;
                    exposed |= self.row[place];
                    if self.row[place] & gone == 0 {
                        break;
                    }
                }
                if exposed & wanted & !playable != 0 {
                    playable = anytime | exposed;
                    break;
                }
                // It would be put on a pile if that were not barred.
                front.piled |= exposed & pilable;
                cut = if cut == self.len {
                    self.len + 1
                } else {
                    (cut + self.game.draw_count()).min(self.len)
                };
            }
        }
    }

    /// Moves events that are still `left` into new sets, of each of which every solution has one,
    /// until `enough` sets are there.
    pub(super) fn extend(
        &self,
        left: &mut Events,
        order: &[Card],
        marks: &mut Vec<Events>,
        enough: impl Fn(&[Events]) -> bool,
    ) {
        while !enough(marks)
            && let Err(mut mark) = self.wins_without(*left)
        {
            for &card in order {
                let bit = card.set().bits();
                for event in [
                    Events {
                        piled: bit,
                        over: 0,
                    },
                    Events {
                        piled: 0,
                        over: bit,
                    },
                ] {
                    if mark.without(event) != mark
                        && let Err(less) = self.wins_without(mark.without(event))
                    {
                        mark = less;
                    }
                }
            }
            marks.push(mark);
            *left = left.without(mark);
            if mark.is_empty() {
                // Lost: not even with everything allowed.
                return;
            }
        }
    }
}
