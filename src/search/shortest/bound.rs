//! Lower bounds on what is left of a shortest solution. Proofs: `docs/shortest.md`.
//!
//! A solution moves every card that is not up to its foundation, and draws the whole stock once.
//! Everything else it does is *extra*: putting a card on a pile, and drawing a talon card again
//! after a redeal. [`Marks`] are disjoint sets of cards, of each of which every solution gives some
//! card something extra.

use crate::card::Card;
use crate::kplus::{Game, Move, State};
use crate::search::shortest::Count;
use crate::search::shortest::graph::Step;
use crate::search::shortest::relax::{Passes, Relaxation};

/// Most sets that are kept.
const MOST_MARKS: usize = 40;

/// Disjoint sets of cards that are not up. Of each of the first `any`, every solution puts a card
/// on a pile; of the others it does so or leaves a talon card over to the next pass.
#[derive(Clone, Copy, Debug)]
pub struct Marks {
    sets: [u64; MOST_MARKS],
    any: u8,
    len: u8,
}

impl Default for Marks {
    fn default() -> Marks {
        Marks {
            sets: [0; MOST_MARKS],
            any: 0,
            len: 0,
        }
    }
}

/// A position from which there is no solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lost;

/// What the bounds need to know of a game.
#[derive(Debug)]
pub struct Bounds<'a> {
    game: &'a Game,
    count: Count,
    /// The order in which cards are tried to be left out of a set.
    order: Vec<Card>,
}

impl Marks {
    /// The sets of the first kind.
    #[must_use]
    pub fn any(&self) -> &[u64] {
        &self.sets[..usize::from(self.any)]
    }

    /// The sets of the second kind.
    #[must_use]
    pub fn current(&self) -> &[u64] {
        &self.sets[usize::from(self.any)..usize::from(self.len)]
    }

    fn new(any: &[u64], current: &[u64]) -> Marks {
        let mut marks = Marks::default();
        for &set in any.iter().chain(current).take(MOST_MARKS) {
            marks.sets[usize::from(marks.len)] = set;
            marks.len += 1;
        }
        marks.any = any.len().min(MOST_MARKS) as u8;
        marks
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
            let stock = state.talon_places().count_ones() as usize - state.waste();
            moves += stock.div_ceil(self.game.draw_count());
        }
        moves as u16
    }

    /// What the sets are worth beside [`Bounds::base`].
    #[must_use]
    #[inline]
    pub fn extra(&self, marks: &Marks) -> u16 {
        let current = marks.current().len().div_ceil(self.game.draw_count());
        (marks.any().len() + current) as u16
    }

    /// Adds to sets that hold in `state` as many as can be found.
    ///
    /// # Errors
    /// If there is no solution at all.
    pub fn complete(&self, state: &State, marks: &mut Marks) -> Result<(), Lost> {
        let relaxation = Relaxation::new(self.game, state);
        let mut left = relaxation.candidates();
        for set in marks.any().iter().chain(marks.current()) {
            left &= !set;
        }
        let draws = self.count.counts_draws();
        let mut any = Vec::new();
        let mut current = Vec::new();
        if !(draws && self.game.draw_count() == 1) {
            relaxation.extend(&mut left, Passes::Any, &self.order, &mut any);
        }
        if draws {
            relaxation.extend(&mut left, Passes::Current, &self.order, &mut current);
        }
        if any.contains(&0) || current.contains(&0) {
            return Err(Lost);
        }
        if !any.is_empty() || !current.is_empty() {
            *marks = Marks::new(
                &[marks.any(), &any].concat(),
                &[marks.current(), &current].concat(),
            );
        }
        Ok(())
    }

    /// The sets of a state that still hold after a step.
    ///
    /// # Errors
    /// If one of them is empty: there is no solution.
    #[inline]
    pub fn after(&self, marks: &Marks, step: &Step) -> Result<Marks, Lost> {
        let card = step.made.card().set().bits();
        let piled = !matches!(step.made, Move::Stack(_) | Move::DrawToFoundation(_));
        // After a redeal every card of the talon was left over.
        let over = if step.redeal {
            step.to.state().talon().bits() | card
        } else {
            0
        };
        let mut kept = Marks::default();
        for (place, &set) in marks.sets[..usize::from(marks.len)].iter().enumerate() {
            let any = place < usize::from(marks.any);
            if (piled && set & card != 0) || (!any && set & over != 0) {
                continue;
            }
            if set & !card == 0 {
                return Err(Lost);
            }
            kept.sets[usize::from(kept.len)] = set & !card;
            kept.len += 1;
            kept.any += u8::from(any);
        }
        Ok(kept)
    }
}
