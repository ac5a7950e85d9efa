//! Trials: optional tests are made while they pay.
//!
//! A test that proves states unwinnable may be left out for any state: then the state is searched.
//! So a search measures whether a test is worth its time on the present deal. That depends most on
//! how many cards are still in dealt place, so it is measured for each such number by itself.

use crate::kplus::State;

/// The use of an optional test so far, by the number of cards in dealt place.
#[derive(Clone, Debug, Default)]
pub struct Trials([Trial; NUMBERS]);

/// Larger numbers of cards count as one less than this.
const NUMBERS: usize = 32;

/// The use of an optional test so far in like states.
#[derive(Clone, Copy, Debug, Default)]
pub struct Trial {
    chances: u64,
    made: u64,
    /// How many of those made refuted the state.
    refuted: u64,
}

impl Trials {
    /// That of states like this one.
    #[must_use]
    #[inline]
    pub fn of(&mut self, state: &State) -> &mut Trial {
        &mut self.0[(state.in_place_sum() as usize).min(NUMBERS - 1)]
    }
}

impl Trial {
    /// Whether to make the test now: always at first, later if it refutes one state in three, and
    /// else only sometimes, to see whether that has changed.
    #[must_use]
    #[inline]
    pub fn pays(&mut self) -> bool {
        self.chances += 1;
        self.made < 256 || self.refuted * 3 >= self.made || self.chances.is_multiple_of(64)
    }

    /// Notes the result of a test.
    #[inline]
    pub fn note(&mut self, refuted: bool) {
        self.made += 1;
        self.refuted += u64::from(refuted);
    }
}
