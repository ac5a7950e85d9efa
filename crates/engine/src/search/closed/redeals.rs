//! Closed sets with redeals: K+ states with the exact waste and the redeals left, for losses that
//! limited redeals cause.
//!
//! The set is grown as the main set of [`super::ClosedSets`] is, by the moves of the search with
//! limited redeals; what is lost in draw 1 goes to a draw-1 set. Proof:
//! `docs/proofs/closed-sets-redeals.md`.

use super::{DrawOneSet, Growth, NotClosed, closed_in_draw_one};
use crate::search::draw_one::DrawOne;
use crate::search::passes::{self, Passes};
use crate::search::seen_redeals::SeenRedeals;
use crate::search::shortest::relax::Relaxation;
use crate::search::{Job, Limits};
use klondike_lemmas::kplus::{Game, State};
use klondike_lemmas::prune::{Lemmas, offer};

/// Closed sets one of which covers the start.
#[derive(Debug)]
pub struct ClosedRedeals<'a> {
    game: &'a Game,
    /// Positions closed under safe moves that are lost in draw 1, as keys.
    draw_one: Vec<u64>,
    /// The others, with the redeals left.
    states: SeenRedeals,
}

impl<'a> ClosedRedeals<'a> {
    /// The closed sets of a game that is lost.
    ///
    /// # Errors
    /// If there are none: a win was found, or a limit was hit.
    pub fn new(passes: &'a Passes, limits: &Limits) -> Result<ClosedRedeals<'a>, NotClosed> {
        let game = passes.game();
        let mut growth = Growth {
            job: Job::new(game, Lemmas::ALL, limits.clone()),
            draw_one: DrawOneSet::default(),
        };
        let mut set = RedealSet {
            states: SeenRedeals::new(Lemmas::ALL),
            open: Vec::new(),
            oracle: DrawOne::new(),
        };
        growth.cover_with_redeals(&mut set, game.start(), passes.redeals())?;
        let mut offered = Vec::new();
        while let Some((state, left)) = set.open.pop() {
            if set.states.most(state.key_with_waste()) > Some(left) {
                // It was reached with more redeals since.
                continue;
            }
            offered.clear();
            passes::push(game, Lemmas::ALL, &state, left, &mut offered);
            for &made in &offered {
                let redeals = passes::redeals_for(game, &state, made);
                growth.cover_with_redeals(&mut set, game.apply(&state, made), left - redeals)?;
            }
        }
        Ok(ClosedRedeals {
            game,
            draw_one: growth.draw_one.into_entries(),
            states: set.states,
        })
    }

    /// The positions of the draw-1 set as the numbers that `number` gives them, in increasing
    /// order, and those of the other set with their redeals left, likewise.
    #[must_use]
    pub fn into_numbers(
        self,
        number: impl Fn(&State) -> u64,
        number_with_redeals: impl Fn(&State, u8) -> u64,
    ) -> (Vec<u64>, Vec<u64>) {
        let had = "a key that a state had";
        let mut draw_one = self.draw_one;
        for entry in &mut draw_one {
            *entry = number(&State::from_key(self.game, *entry, 0).expect(had));
        }
        let states = self.states.iter().map(|(key, left)| {
            let state = State::from_key_with_waste(self.game, key).expect(had);
            number_with_redeals(&state, left)
        });
        let mut main: Vec<u64> = states.collect();
        draw_one.sort_unstable();
        main.sort_unstable();
        (draw_one, main)
    }
}

struct RedealSet {
    states: SeenRedeals,
    open: Vec<(State, u8)>,
    oracle: DrawOne,
}

impl Growth<'_> {
    fn cover_with_redeals(
        &mut self,
        set: &mut RedealSet,
        state: State,
        left: u8,
    ) -> Result<(), NotClosed> {
        let game = self.job.game;
        let state = at_rest(game, state);
        let left = left.min(state.talon_len() as u8);
        let key = state.key_with_waste();
        if set.states.most(key) >= Some(left) {
            return Ok(());
        }
        if state.all_up() {
            return Err(NotClosed::Won);
        }
        let closed = closed_in_draw_one(game, state);
        if self.is_known_in_draw_one(&closed)
            || !Relaxation::new(game, &state).wins_within(usize::from(left))
        {
            return Ok(());
        }
        if !set.oracle.is_alive(&mut self.job, &closed)? {
            return self.close_draw_one(closed);
        }
        set.states.visit(key, left, &mut self.job.budget)?;
        self.job.budget.make_room(&mut set.open, 1)?;
        set.open.push((state, left));
        Ok(())
    }
}

/// The state after all safe moves that cost no redeal.
fn at_rest(game: &Game, mut state: State) -> State {
    offer::rest_with_redeals(game, Lemmas::ALL, &mut state, &mut Vec::new());
    state
}
