//! Closed sets with holds: K+ states with what whole runs add to them, for losses that whole runs
//! cause.
//!
//! The set is grown as the main set of [`super::ClosedSets`] is, by the moves of whole runs. Only
//! the holds on the pairs of twins that the search needed are kept, so that one entry stands for
//! many positions; what is lost in draw 1 with partial runs goes to a draw-1 set. Proof:
//! `docs/proofs/closed-sets-holds.md`.

use super::{DrawOneSet, Growth, NotClosed, closed_in_draw_one};
use crate::search::draw_one::DrawOne;
use crate::search::seen_holds::{HeldKey, SeenHolds};
use crate::search::whole_runs::WholeRuns;
use crate::search::{Job, Limits};
use klondike_game::card::CardSet;
use klondike_lemmas::kplus::holds::Holds;
use klondike_lemmas::kplus::{Game, State, moves};
use klondike_lemmas::prune::{Lemmas, Trials, blocking, offer};

/// Closed sets one of which covers the start.
#[derive(Debug)]
pub struct ClosedHolds<'a> {
    game: &'a Game,
    /// Positions closed under safe moves that are lost in draw 1, as keys.
    draw_one: Vec<u64>,
    /// The others.
    held: SeenHolds,
}

impl<'a> ClosedHolds<'a> {
    /// The closed sets of a game that is lost.
    ///
    /// # Errors
    /// If there are none: a win was found, or a limit was hit.
    pub fn new(runs: &'a WholeRuns, limits: &Limits) -> Result<ClosedHolds<'a>, NotClosed> {
        let game = runs.game();
        let mut growth = Growth {
            job: Job::new(game, Lemmas::ALL, limits.clone()),
            draw_one: DrawOneSet::default(),
        };
        let mut set = HeldSet {
            kept: runs.kept_in_loss(limits)?,
            seen: SeenHolds::new(game, Lemmas::ALL),
            open: Vec::new(),
            oracle: DrawOne::new(),
            pairs: Trials::default(),
        };
        set.seen.begin(&mut growth.job.budget)?;
        growth.cover_with_holds(&mut set, game.start(), runs.holds())?;
        let mut offered = Vec::new();
        while let Some((state, holds)) = set.open.pop() {
            let key = HeldKey::of(game, &state, holds);
            if set.seen.has_another(game, &key) {
                // Another entry stands for it since.
                continue;
            }
            offered.clear();
            offer::push_whole_runs(game, Lemmas::ALL, &state, holds, &mut offered);
            for &made in &offered {
                let next = game.apply(&state, made);
                growth.cover_with_holds(&mut set, next, holds.after(&state, &next))?;
            }
        }
        Ok(ClosedHolds {
            game,
            draw_one: growth.draw_one.into_entries(),
            held: set.seen,
        })
    }

    /// The positions of the draw-1 set as the numbers that `number` gives them, in increasing
    /// order, and those of the other set with their holds, likewise.
    #[must_use]
    pub fn into_numbers(
        self,
        number: impl Fn(&State) -> u64,
        number_with_waste: impl Fn(&State) -> u64,
    ) -> (Vec<u64>, Vec<(u64, u64)>) {
        let game = self.game;
        let state = |key, waste| State::from_key(game, key, waste).expect("a key that a state had");
        let mut draw_one = self.draw_one;
        for entry in &mut draw_one {
            *entry = number(&state(*entry, 0));
        }
        let held = self.held.needed(game).map(|at| {
            let number = number_with_waste(&state(at.key, at.waste));
            (number, at.holds.bits())
        });
        let mut held: Vec<(u64, u64)> = held.collect();
        draw_one.sort_unstable();
        held.sort_unstable();
        (draw_one, held)
    }
}

struct HeldSet {
    /// The pairs of twins whose holds are kept.
    kept: CardSet,
    seen: SeenHolds,
    open: Vec<(State, Holds)>,
    oracle: DrawOne,
    /// Whether the order of twins is worth asking: the checker asks it always.
    pairs: Trials,
}

impl Growth<'_> {
    fn cover_with_holds(
        &mut self,
        set: &mut HeldSet,
        state: State,
        holds: Holds,
    ) -> Result<(), NotClosed> {
        let game = self.job.game;
        let (state, holds) = at_rest(game, state, holds);
        let kept = holds.of(set.kept);
        let key = HeldKey::of(game, &state, kept);
        if set.seen.has(game, &key) {
            return Ok(());
        }
        if state.all_up() {
            return Err(NotClosed::Won);
        }
        let closed = closed_in_draw_one(game, state);
        let (waits, pairs) = (holds.with_single_parents(&state), set.pairs.of(&state));
        if self.is_known_in_draw_one(&closed)
            || blocking::is_dead_with_holds(game, &state, waits, Lemmas::ALL, pairs)
        {
            return Ok(());
        }
        if !set.oracle.is_alive(&mut self.job, &closed)? {
            return self.close_draw_one(closed);
        }
        set.seen.visit(game, key, &mut self.job.budget)?;
        self.job.budget.make_room(&mut set.open, 1)?;
        set.open.push((state, kept));
        Ok(())
    }
}

/// The position after all moves that are offered alone.
fn at_rest(game: &Game, mut state: State, mut holds: Holds) -> (State, Holds) {
    loop {
        let sets = moves::legal(game, &state);
        let Some(made) = offer::forced(game, Lemmas::ALL, &state, &sets) else {
            return (state, holds);
        };
        let next = game.apply(&state, made);
        holds = holds.after(&state, &next);
        state = next;
    }
}
