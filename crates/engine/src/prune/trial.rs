//! Trials: optional tests are made while they pay.
//!
//! A test that proves states unwinnable may be left out for any state: then the state is searched.
//! So a search measures whether a test is worth its time on the present deal.

/// The use of an optional test so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct Trial {
    chances: u64,
    made: u64,
    /// How many of those made refuted the state.
    refuted: u64,
}

impl Trial {
    /// Whether to make the test now: always at first, later if it refutes one state in five, and
    /// else only sometimes, to see whether that has changed.
    #[must_use]
    #[inline]
    pub fn pays(&mut self) -> bool {
        self.chances += 1;
        self.made < 4_096 || self.refuted * 5 >= self.made || self.chances.is_multiple_of(64)
    }

    /// Notes the result of a test.
    #[inline]
    pub fn note(&mut self, refuted: bool) {
        self.made += 1;
        self.refuted += u64::from(refuted);
    }
}
