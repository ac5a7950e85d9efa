//! Dead states: states from which no continuation of a rollout policy can win.
//!
//! A player at level n tries games of level n − 1 after every move, makes a move of its own if none
//! of them is won, and so on to the end of the game. Chance may decide which move it makes. A
//! *state* is a position and a level. It is *dead* if its game is lost whatever chance decides. A
//! game that comes to a dead state can end there: played on, it would be lost.
//!
//! **Statement.** Every state that [`DeadStates`] holds is dead.
//!
//! **Conditions.** Whether a game from a state is won depends on the state and on random numbers
//! drawn after it was reached. So a state must determine the moves, how the player chooses among
//! them, and when the game ends.
//!
//! **Argument.** By induction on the order in which states are added. The trace of a game lists the
//! states it came to; for each random choice, the states that the other moves would have led to;
//! and the failures, which are games one level down that were lost from a state not known to be
//! dead. A lost game ends where it is lost whatever chance decides: no move is left, or the rules
//! end it, or the state is dead, or the position is proven lost. From there the trace is read
//! backwards, up to the first failure and the first other state that is not known to be dead. Each
//! state read on the way was followed only by games one level down from dead states and by a move
//! to a dead state, whichever move chance could have chosen. So it is dead, and is added. Before
//! the point where reading stops, the loss may be bad luck.
//!
//! **Use.** Forgetting states proves nothing wrong. A game that ends early draws no more random
//! numbers; these are independent of all that come later, so the play of the player has the same
//! distribution. Won games are never cut short. States are compared by 64 bits of hash: two that
//! differ have the same with a chance of about 2⁻⁶⁴.

use rustc_hash::FxHashSet;

/// Something on the way of a game.
#[derive(Clone, Copy, Debug)]
enum Trace {
    /// The game came to this state.
    State(u64),
    /// A random choice could have led to this state.
    Other(u64),
    /// A game that was tried was lost; another time it may be won.
    Failure,
}

/// The dead states of a game, and the traces of the games under way.
#[derive(Clone, Debug)]
pub(super) struct DeadStates {
    /// If not, methods have no effect and no state is dead.
    in_use: bool,
    states: FxHashSet<u64>,
    most: usize,
    traces: Vec<Trace>,
}

/// Where the trace of a game begins.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark(usize);

/// Larger tables are freed before the next game: to clear them would take longer than most games.
const LARGE: usize = 1 << 14;

impl DeadStates {
    /// Not in use. When it is, all states are forgotten after `most` of them.
    pub(super) fn new(most: usize) -> DeadStates {
        DeadStates {
            in_use: false,
            states: FxHashSet::default(),
            most,
            traces: Vec::new(),
        }
    }

    /// Another deal begins, of which no state is known yet.
    pub(super) fn start(&mut self, in_use: bool) {
        self.in_use = in_use;
        self.traces.clear();
        if self.states.capacity() > LARGE {
            self.states = FxHashSet::default();
        } else {
            self.states.clear();
        }
    }

    /// Whether it is in use.
    pub(super) fn is_in_use(&self) -> bool {
        self.in_use
    }

    /// A game begins, perhaps within another one.
    pub(super) fn begin(&self) -> Mark {
        Mark(self.traces.len())
    }

    /// The game comes to a state. Returns whether it is dead.
    pub(super) fn enter(&mut self, state: impl FnOnce() -> u64) -> bool {
        if !self.in_use {
            return false;
        }
        let state = state();
        let known = self.states.contains(&state);
        if !known {
            self.traces.push(Trace::State(state));
        }
        known
    }

    /// A random choice could have led to this state, and led to another.
    pub(super) fn pass_by(&mut self, state: u64) {
        if self.in_use {
            self.traces.push(Trace::Other(state));
        }
    }

    /// A game that was tried from the current state was lost, but its state is not dead.
    pub(super) fn fail(&mut self) {
        if self.in_use {
            self.traces.push(Trace::Failure);
        }
    }

    /// The game is won.
    pub(super) fn win(&mut self, begin: Mark) {
        self.traces.truncate(begin.0);
    }

    /// The game is lost where it is, whatever chance decides. Returns whether the state where it
    /// began is dead, too.
    pub(super) fn lose(&mut self, begin: Mark) -> bool {
        let mut is_certain = self.in_use;
        while is_certain && self.traces.len() > begin.0 {
            match self.traces.pop() {
                Some(Trace::State(state)) => self.add(state),
                Some(Trace::Other(state)) => is_certain = self.states.contains(&state),
                Some(Trace::Failure) | None => is_certain = false,
            }
        }
        self.traces.truncate(begin.0);
        is_certain
    }

    /// Whether a state is known to be dead.
    #[cfg(test)]
    pub(super) fn holds(&self, state: u64) -> bool {
        self.states.contains(&state)
    }

    fn add(&mut self, state: u64) {
        if self.states.len() >= self.most {
            self.states.clear();
        }
        self.states.insert(state);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Plays a game through these traces and loses it. Returns whether it began dead.
    fn lose(dead: &mut DeadStates, game: impl FnOnce(&mut DeadStates)) -> bool {
        let begin = dead.begin();
        game(dead);
        dead.lose(begin)
    }

    #[test]
    fn what_may_have_been_bad_luck_is_not_added() {
        let mut dead = DeadStates::new(100);
        dead.start(true);
        // Chance could have gone to 9 from 2.
        assert!(!lose(&mut dead, |game| {
            assert!(!game.enter(|| 1));
            assert!(!game.enter(|| 2));
            game.pass_by(9);
            assert!(!game.enter(|| 3));
        }));
        assert_eq!(
            [1, 2, 3].map(|state| dead.holds(state)),
            [false, false, true]
        );
        // A game tried from 4 may be won another time.
        assert!(!lose(&mut dead, |game| {
            assert!(!game.enter(|| 4));
            game.fail();
            assert!(!game.enter(|| 5));
            assert!(game.enter(|| 3));
        }));
        assert_eq!([4, 5].map(|state| dead.holds(state)), [false, true]);
        // A game within it is its own. 9 is dead, and so is all that chance can lead to from 2.
        assert!(lose(&mut dead, |game| {
            assert!(!game.enter(|| 6));
            assert!(lose(game, |inner| assert!(!inner.enter(|| 9))));
            let won = game.begin();
            assert!(!game.enter(|| 8));
            game.win(won);
            assert!(!game.enter(|| 2));
            game.pass_by(9);
            assert!(game.enter(|| 3));
        }));
        assert_eq!(
            [2, 6, 8].map(|state| dead.holds(state)),
            [true, true, false]
        );
        assert!(lose(&mut dead, |_| ()));
    }

    #[test]
    fn nothing_is_dead_when_not_in_use_or_in_another_deal() {
        let mut dead = DeadStates::new(2);
        for in_use in [false, true] {
            dead.start(in_use);
            assert_eq!(dead.is_in_use(), in_use);
            let lost = lose(&mut dead, |game| {
                for state in 1..4 {
                    assert!(!game.enter(|| state));
                }
            });
            assert_eq!(lost, in_use);
            // Two are the most; the third one is added alone.
            assert_eq!(
                [1, 2, 3].map(|state| dead.holds(state)),
                [in_use, false, false]
            );
        }
        dead.start(true);
        assert!(!dead.enter(|| 1));
    }
}
