//! Beams: short searches that interrupt a long one and follow only the most promising nodes.
//!
//! On deals that can be won, the number of states of a depth-first search depends on the order of
//! moves: one bad choice near the root has to be searched to its end. A [beam](super::shortest)
//! does not commit itself to a choice, and its cost depends on its width alone. So a search that
//! has run for a while pauses for a narrow beam, and later for wider ones. Each takes a small part
//! of the time spent so far.
//!
//! A beam proves nothing and prunes nothing: it finds a line of legal moves that wins, or nothing.
//! The nodes that it meets count as states of the search that it interrupts.

use std::slice;

use super::{Job, Limit, shortest};
use klondike_lemmas::kplus::{Game, Move, State};
use klondike_lemmas::prune::{self, Lemmas};

/// A beam and when it comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Beam {
    /// States that the search visits between the beam before and this one. It is also the most
    /// nodes that the beam may meet: as a rule it meets a tenth of that, but worrying back has no
    /// bound of its own.
    after: u64,
    /// Nodes that go on from each depth.
    width: usize,
}

const fn beam(after: u64, width: usize) -> Beam {
    Beam { after, width }
}

/// The beams of a search. Each takes about a tenth of the time the search took before it.
///
/// Earlier beams cost on average as much as they save, because most short searches end soon. In
/// draw 1 states cost so little that no beam pays.
const BEAMS: [Beam; 5] = [
    beam(200_000, 200),
    beam(600_000, 800),
    beam(2_200_000, 3_000),
    beam(7_000_000, 10_000),
    beam(20_000_000, 30_000),
];

/// The beams of a search. There are none in draw 1, none where empty columns take any card, and
/// none if a lemma that beams use is switched off.
pub(super) fn of(game: &Game, lemmas: Lemmas) -> &'static [Beam] {
    if game.draw_count() > 1 && !game.any_card_enters() && prune::beams::are_on(lemmas) {
        &BEAMS
    } else {
        &[]
    }
}

/// Searches for a win from `root`; the nodes met count as states.
///
/// The beam is left out if it might take memory that other threads need for their tables.
///
/// # Errors
/// The limit that stopped it. If memory runs out it ends early instead.
pub(super) fn search(
    job: &mut Job<'_>,
    root: &State,
    beam: Beam,
) -> Result<Option<Vec<Move>>, Limit> {
    if !job
        .budget
        .has_plenty(beam.width as u64 * shortest::beam::BYTES)
    {
        return Ok(None);
    }
    let size = (beam.width, beam.after);
    shortest::beam::win(job, root, size)
}

/// When a search pauses: for the next beam, and when it has visited as many states as it may.
#[derive(Clone, Debug)]
pub(super) struct Pauses {
    /// States to visit until the next pause, and how many these were at first.
    left: u64,
    granted: u64,
    /// States that may be visited after it.
    rest: u64,
    /// States until the next beam when `granted` was set; [`u64::MAX`] if there is none.
    to_beam: u64,
    beams: slice::Iter<'static, Beam>,
}

/// Why a search pauses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pause {
    /// For this beam.
    Beam(Beam),
    /// It has visited as many states as it was allowed.
    End,
}

impl Default for Pauses {
    /// No beams, and no end.
    fn default() -> Pauses {
        Pauses::new(&[], u64::MAX)
    }
}

impl Pauses {
    /// Pauses for these beams, and after so many states.
    pub(super) fn new(beams: &'static [Beam], states: u64) -> Pauses {
        let mut pauses = Pauses {
            left: 0,
            granted: 0,
            rest: 0,
            to_beam: beams.first().map_or(u64::MAX, |beam| beam.after),
            beams: beams.iter(),
        };
        pauses.allow(states);
        pauses
    }

    /// Allows so many states from now on, instead of what was allowed before.
    pub(super) fn allow(&mut self, states: u64) {
        self.to_beam -= self.granted - self.left;
        self.granted = states.min(self.to_beam);
        self.left = self.granted;
        self.rest = states - self.granted;
    }

    /// Counts a state.
    #[inline]
    pub(super) fn count(&mut self) {
        self.left = self.left.saturating_sub(1);
    }

    /// Whether there is a pause now.
    #[inline]
    pub(super) fn is_due(&self) -> bool {
        self.left == 0
    }

    /// What the pause that is due is for. After a beam the search goes on with what it was allowed
    /// before.
    #[cold]
    pub(super) fn take(&mut self) -> Pause {
        debug_assert!(self.is_due());
        if self.to_beam > self.granted {
            return Pause::End;
        }
        let Some(beam) = self.beams.next() else {
            return Pause::End;
        };
        let next = self.beams.as_slice().first();
        self.to_beam = next.map_or(u64::MAX, |beam| beam.after);
        self.granted = 0;
        self.allow(self.rest);
        Pause::Beam(*beam)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pauses_come_after_as_many_states_as_said() {
        const BEAMS: [Beam; 3] = [beam(5, 1), beam(7, 2), beam(9, 3)];
        let mut pauses = Pauses::new(&BEAMS, 8);
        let mut seen = Vec::new();
        for state in 1..=60 {
            pauses.count();
            while pauses.is_due() {
                let pause = pauses.take();
                seen.push((state, pause));
                if pause == Pause::End {
                    pauses.allow(8);
                }
            }
        }
        let expected = [
            (5, Pause::Beam(BEAMS[0])),
            (8, Pause::End),
            (12, Pause::Beam(BEAMS[1])),
            (16, Pause::End),
            (21, Pause::Beam(BEAMS[2])),
            (24, Pause::End),
            (32, Pause::End),
            (40, Pause::End),
            (48, Pause::End),
            (56, Pause::End),
        ];
        assert_eq!(seen, expected);
        let mut none = Pauses::default();
        none.count();
        assert!(!none.is_due());
    }
}
