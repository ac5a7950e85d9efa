//! Lower bounds on what is left of a shortest solution. Proofs:
//! `docs/proofs/shortest-solutions.md`, sections 16.3 to 16.5.
//!
//! A solution moves every card that is not up to its foundation, and draws the whole stock once.
//! All other moves are *extra*: a card is put on a pile, or a talon card is drawn again after a
//! redeal. [`Marks`] are disjoint sets of cards. In every solution, each set has a card with an
//! extra move.

use crate::search::shortest::Count;
use crate::search::shortest::graph::Step;
use crate::search::shortest::relax::{Events, Relaxation};
use klondike_game::card::Card;
use klondike_lemmas::kplus::{Game, Move, State};

/// Most sets that are kept.
const MOST_MARKS: usize = 40;

/// Disjoint sets of events, of each of which at least one happens in every solution.
#[derive(Clone, Copy, Debug)]
pub struct Marks {
    sets: [Events; MOST_MARKS],
    len: u8,
}

impl Default for Marks {
    fn default() -> Marks {
        Marks {
            sets: [Events::default(); MOST_MARKS],
            len: 0,
        }
    }
}

/// Events that fit into [`PackedMarks`].
const PACKED: usize = 36;
const NONE: u8 = 0xff;
const OVER: u8 = 0x40;
const LAST: u8 = 0x80;

/// [`Marks`] in little memory: as many of the sets as fit, each event one byte.
#[derive(Clone, Copy, Debug)]
pub(super) struct PackedMarks([u8; PACKED]);

/// A position from which there is no solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lost;

/// The bounds of one game.
#[derive(Debug)]
pub struct Bounds<'a> {
    game: &'a Game,
    count: Count,
    /// The order in which cards are tried to be left out of a set.
    order: Vec<Card>,
}

impl Marks {
    /// The sets.
    #[must_use]
    pub fn sets(&self) -> &[Events] {
        &self.sets[..usize::from(self.len)]
    }

    pub(super) fn pack(&self) -> PackedMarks {
        let mut packed = [NONE; PACKED];
        let mut len = 0;
        for set in self.sets() {
            let begin = len;
            for (kind, mut cards) in [(0, set.piled), (OVER, set.over)] {
                while cards != 0 && len < PACKED {
                    packed[len] = kind | cards.trailing_zeros() as u8;
                    cards &= cards - 1;
                    len += 1;
                }
                if cards != 0 {
                    // Part of a set would be no set.
                    packed[begin..].fill(NONE);
                    return PackedMarks(packed);
                }
            }
            packed[len - 1] |= LAST;
        }
        PackedMarks(packed)
    }

    pub(super) fn unpack(packed: &PackedMarks) -> Marks {
        let mut marks = Marks::default();
        let mut set = Events::default();
        for &byte in packed.0.iter().take_while(|&&byte| byte != NONE) {
            let card = 1 << (byte & 0x3f);
            if byte & OVER == 0 {
                set.piled |= card;
            } else {
                set.over |= card;
            }
            if byte & LAST != 0 {
                marks.push(set);
                set = Events::default();
            }
        }
        marks
    }

    fn push(&mut self, set: Events) {
        if let Some(place) = self.sets.get_mut(usize::from(self.len)) {
            *place = set;
            self.len += 1;
        }
    }
}

impl<'a> Bounds<'a> {
    /// The bounds of `game`.
    #[must_use]
    pub fn new(game: &'a Game, count: Count) -> Bounds<'a> {
        Bounds {
            game,
            count,
            order: game.cards().collect(),
        }
    }

    /// Cards that are not up, and draws that are needed at least.
    #[must_use]
    #[inline]
    pub fn base(&self, state: &State) -> u16 {
        let up = state.on_foundations().len();
        let mut moves = self.game.cards().len() - up;
        if self.count.counts_draws() {
            let stock = state.talon_len() - state.waste();
            moves += stock.div_ceil(self.game.draw_count());
        }
        moves as u16
    }

    /// What the sets are worth beside [`Bounds::base`].
    #[must_use]
    #[inline]
    pub fn extra(&self, marks: &Marks) -> u16 {
        self.worth(marks.sets().iter())
    }

    /// Putting a card on a pile is one move more. Of the cards left over as many as the draw count
    /// can be drawn again at once.
    fn worth<'m>(&self, sets: impl Iterator<Item = &'m Events>) -> u16 {
        let (mut piled, mut over) = (0, 0_usize);
        for set in sets {
            if set.over == 0 {
                piled += 1;
            } else {
                over += 1;
            }
        }
        piled + over.div_ceil(self.game.draw_count()) as u16
    }

    /// Adds to sets that hold in `state` as many as can be found, until they are worth `enough`.
    ///
    /// # Errors
    /// If there is no solution at all.
    pub fn complete(&self, state: &State, marks: &mut Marks, enough: u16) -> Result<(), Lost> {
        let relaxation = Relaxation::new(self.game, state);
        let mut left = Events {
            piled: u64::MAX,
            over: 0,
        };
        let mut over = if self.count.counts_draws() {
            u64::MAX
        } else {
            0
        };
        for set in marks.sets() {
            left = left.without(*set);
            over &= !set.over;
        }
        let mut new = Vec::new();
        let old = *marks;
        let enough = |new: &[Events]| self.worth(old.sets().iter().chain(new)) >= enough;
        relaxation.extend(&mut left, &self.order, &mut new, enough);
        if over != 0 && !new.contains(&Events::default()) {
            left.over = over;
            relaxation.extend(&mut left, &self.order, &mut new, enough);
        }
        if new.contains(&Events::default()) {
            return Err(Lost);
        }
        for set in new {
            marks.push(set);
        }
        Ok(())
    }

    /// The sets of the state `from` that still hold after a step.
    #[must_use]
    #[inline]
    pub fn after(&self, from: &State, marks: &Marks, step: &Step) -> Marks {
        let card = step.made.card().set().bits();
        let happened = Events {
            piled: match step.made {
                Move::Stack(_) | Move::DrawToFoundation(_) => 0,
                _ => card,
            },
            // After a redeal every card of the talon was left over.
            over: if step.redeal { from.talon().bits() } else { 0 },
        };
        let mut kept = Marks::default();
        for &set in marks.sets() {
            if set.without(happened) == set {
                kept.push(set);
            }
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packed_marks_come_back_and_what_does_not_fit_is_left_out_whole() {
        let mut marks = Marks::default();
        for place in 0..30 {
            let set = Events {
                piled: 1 << place,
                over: if place % 3 == 0 { 3 << (place + 10) } else { 0 },
            };
            marks.push(set);
        }
        let back = Marks::unpack(&marks.pack());
        let kept = back.sets().len();
        assert!(kept > 15 && kept < 30, "{kept}");
        assert_eq!(back.sets(), &marks.sets()[..kept]);
    }
}
