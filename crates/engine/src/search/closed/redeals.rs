//! Closed sets with redeals: K+ states with the exact waste and the redeals left, for losses that
//! limited redeals cause.
//!
//! The set is grown as [`super::ClosedSets`] are, by the moves of the search with limited redeals.
//! It takes no draw-1 set: redeals bound what can be played after a loss in draw 1. Proof:
//! `docs/proofs/closed-sets-redeals.md`.

use super::NotClosed;
use crate::kplus::{Game, State, moves};
use crate::prune::{Lemmas, blocking};
use crate::search::passes::{self, Passes, Visited};
use crate::search::shortest::relax::Relaxation;
use crate::search::{Budget, Limits};

/// A closed set of states with their redeals left, which covers the start.
#[derive(Debug)]
pub struct ClosedRedeals {
    states: Visited,
}

impl ClosedRedeals {
    /// The closed set of a game that is lost.
    ///
    /// # Errors
    /// If there is none: a win was found, or a limit was hit.
    pub fn new(passes: &Passes, limits: &Limits) -> Result<ClosedRedeals, NotClosed> {
        let game = passes.game();
        let mut growth = Growth {
            game,
            budget: Budget::new(limits.without_helpers()),
            states: Visited::new(Lemmas::ALL),
            open: Vec::new(),
        };
        growth.cover(game.start(), passes.redeals())?;
        let mut offered = Vec::new();
        while let Some((state, left)) = growth.open.pop() {
            if growth.states.most(state.key_with_waste(game)) > Some(left) {
                // It was reached with more redeals since.
                continue;
            }
            offered.clear();
            passes::push(game, Lemmas::ALL, &state, left, &mut offered);
            for &made in &offered {
                let redeals = passes::redeals_for(game, &state, made);
                growth.cover(game.apply(&state, made), left - redeals)?;
            }
        }
        Ok(ClosedRedeals {
            states: growth.states,
        })
    }

    /// Number of states.
    #[must_use]
    pub fn len(&self) -> usize {
        self.states.iter().count()
    }

    /// Whether no state is needed: the relaxation alone covers the start.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.states.iter().next().is_none()
    }

    /// The states of `game` as the numbers that `number` gives them with their redeals left, in
    /// increasing order.
    ///
    /// # Panics
    /// If the set is that of another game.
    #[must_use]
    pub fn into_numbers(self, game: &Game, number: impl Fn(&State, u8) -> u64) -> Vec<u64> {
        let states = self.states.iter().map(|(key, left)| {
            let state = State::from_key_with_waste(game, key);
            number(&state.expect("a key that a state had"), left)
        });
        let mut numbers: Vec<u64> = states.collect();
        numbers.sort_unstable();
        numbers
    }
}

struct Growth<'a> {
    game: &'a Game,
    budget: Budget,
    states: Visited,
    open: Vec<(State, u8)>,
}

impl Growth<'_> {
    fn cover(&mut self, state: State, left: u8) -> Result<(), NotClosed> {
        let game = self.game;
        let state = at_rest(game, state);
        let left = left.min(state.talon_len() as u8);
        let key = state.key_with_waste(game);
        if self.states.most(key) >= Some(left) {
            return Ok(());
        }
        if state.all_up() {
            return Err(NotClosed::Won);
        }
        if !Relaxation::new(game, &state).wins_within(usize::from(left))
            || blocking::is_dead(game, &state, Lemmas::ALL, true)
        {
            return Ok(());
        }
        self.states.visit(key, left, &mut self.budget)?;
        self.budget.make_room(&mut self.open, 1)?;
        self.open.push((state, left));
        Ok(())
    }
}

/// The state after all safe moves that cost no redeal.
fn at_rest(game: &Game, mut state: State) -> State {
    while let Some(made) = passes::forced(game, Lemmas::ALL, &state, &moves::legal(game, &state)) {
        state = game.apply(&state, made);
    }
    state
}
