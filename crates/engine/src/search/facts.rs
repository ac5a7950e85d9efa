//! States of draw 1 that are proved dead or alive, to compare others with by lemma `reach-order`.
//!
//! They stand in lists, by their cards in dealt place. A list holds only those that say the most:
//! dead states that no other one reaches, live states that reach no other one.

use std::hash::BuildHasherDefault;

use hashbrown::HashMap;
use rustc_hash::FxHasher;

use super::{Job, Limit};
use klondike_lemmas::kplus::{Game, State};
use klondike_lemmas::prune::reach_order::{self, Cards};

/// The states with the same cards in dealt place.
#[derive(Debug, Default)]
struct Lists {
    dead: Vec<Cards>,
    alive: Vec<Cards>,
}

/// What is proved of the states of one game.
#[derive(Debug, Default)]
pub(super) struct Facts {
    lists: HashMap<u64, Lists, BuildHasherDefault<FxHasher>>,
}

/// More memory than a fact takes, even if it begins a list: its place in the table while that
/// grows, and the room that its list keeps free.
const BYTES_OF_A_FACT: u64 = 512;

impl Facts {
    /// Whether `state` is alive, if what is proved of others says so.
    #[inline]
    pub(super) fn find(&self, job: &Job<'_>, state: &State) -> Option<bool> {
        if !reach_order::is_on(job.game, job.lemmas) {
            return None;
        }
        self.compare(job.game, state)
    }

    fn compare(&self, game: &Game, state: &State) -> Option<bool> {
        let lists = self.lists.get(&state.in_place_code())?;
        let cards = Cards::of(state);
        if lists.dead.iter().any(|dead| dead.reaches(cards, game)) {
            return Some(false);
        }
        let alive = lists.alive.iter();
        let reaches_one = alive.copied().any(|alive| cards.reaches(alive, game));
        reaches_one.then_some(true)
    }

    /// Notes that `state` is alive, or dead; returns whether states are compared at all.
    ///
    /// # Errors
    /// If the memory limit leaves no room.
    pub(super) fn learn(
        &mut self,
        job: &mut Job<'_>,
        state: &State,
        alive: bool,
    ) -> Result<bool, Limit> {
        let game = job.game;
        if !reach_order::is_on(game, job.lemmas) {
            return Ok(false);
        }
        let cards = Cards::of(state);
        let lists = self.lists.entry(state.in_place_code()).or_default();
        let list = if alive {
            &mut lists.alive
        } else {
            &mut lists.dead
        };
        // Whether what is known of the first state says the same of the second.
        let says = |first: Cards, second: Cards| match alive {
            true => second.reaches(first, game),
            false => first.reaches(second, game),
        };
        if !list.iter().any(|&known| says(known, cards)) {
            job.budget.take_bytes(BYTES_OF_A_FACT)?;
            list.retain(|&known| !says(cards, known));
            list.push(cards);
        }
        Ok(true)
    }
}
