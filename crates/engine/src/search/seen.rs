//! The states that a search with unlimited redeals has visited.
//!
//! Two states that differ in the waste only share a key. With lemma `waste-dominance` the table
//! says of each key which sizes of the waste were visited, as far as they matter: one in the value
//! of the key, the few others in a table of their own.

use std::sync::{Arc, Mutex};

use rustc_hash::FxHashSet;

use super::concurrent::Table;
use super::threads::{SharedBudget, lock};
use super::{Budget, Limit};
use klondike_lemmas::kplus::{Game, State, talon};
use klondike_lemmas::prune::Lemmas;
use klondike_lemmas::prune::waste_dominance::{self, Compared, MARK, MORE, compare};

/// The states visited, with or without the dominance of wastes.
#[derive(Debug)]
pub(super) enum Seen {
    /// Keys without the waste, with values of [`compare`], and the sizes kept apart. The states to
    /// be stored again, by keys with the waste; the values of their keys have the [`MARK`].
    Dominated(Table<9>, Table<1>, Arc<Mutex<FxHashSet<u64>>>),
    /// Keys with the class of the waste; the value is 1 if the state is to be stored again.
    Exact(Table<1>),
}

impl Seen {
    /// An empty table for searches of the game with these lemmas.
    pub(super) fn new(game: &Game, lemmas: Lemmas) -> Seen {
        if waste_dominance::is_on(game, lemmas) {
            Seen::Dominated(Table::default(), Table::default(), Arc::default())
        } else {
            Seen::Exact(Table::default())
        }
    }

    /// Whether [`Seen::new`] would make a table like this one.
    pub(super) fn fits(&self, game: &Game, lemmas: Lemmas) -> bool {
        matches!(self, Seen::Dominated(..)) == waste_dominance::is_on(game, lemmas)
    }

    pub(super) fn clear(&mut self) {
        match self {
            Seen::Dominated(table, apart, again) => {
                table.own().clear();
                apart.own().clear();
                lock(again).clear();
            }
            Seen::Exact(table) => table.own().clear(),
        }
    }

    /// Makes room for at least so many states; no account is kept of it.
    pub(super) fn reserve(&mut self, states: usize) {
        match self {
            Seen::Dominated(table, apart, _) => {
                table.own().reserve(states);
                apart.own().reserve(states);
            }
            Seen::Exact(table) => table.own().reserve(states),
        }
    }

    /// Stores the state and counts it as visited; returns whether it was new and not dominated.
    #[inline]
    pub(super) fn visit(
        &mut self,
        game: &Game,
        state: &State,
        budget: &mut Budget,
    ) -> Result<bool, Limit> {
        let waste = talon::waste_class(game, state) as u8;
        let new = self.store(game, state.key(), waste, budget)?;
        budget.count_if(new)
    }

    /// As [`Seen::visit`], by the key and the class of the waste; the state is not counted.
    #[inline(always)]
    pub(super) fn store(
        &mut self,
        game: &Game,
        key: u64,
        waste: u8,
        budget: &mut Budget,
    ) -> Result<bool, Limit> {
        if let Seen::Dominated(Table::Own(table), ..) = self {
            // Most states are new or dominated, and then there is no more to do.
            let slot = table.find(key);
            let is_marked = slot.value.is_some_and(|value| value & MARK != 0);
            match compare(game, slot.value, waste) {
                Compared::New(value) => {
                    return table.set(slot, key, value, budget).map(|()| true);
                }
                Compared::Dominated if !is_marked => return Ok(false),
                Compared::Dominated | Compared::Apart(_) => {}
            }
        }
        self.store_beside(game, key, waste, budget)
    }

    /// As [`Seen::store`], by all that is known of the key, and for several threads.
    #[inline(never)]
    fn store_beside(
        &mut self,
        game: &Game,
        key: u64,
        waste: u8,
        budget: &mut Budget,
    ) -> Result<bool, Limit> {
        let once = |value| (value != Some(0)).then_some(0);
        let (table, apart, again) = match self {
            Seen::Dominated(table, apart, again) => (table, apart, again),
            Seen::Exact(table) => return table.store(with_waste(key, waste), once, budget),
        };
        let (mut apart_from, mut marked) = (None, false);
        let new = |value: Option<u16>| {
            marked = value.is_some_and(|value| value & MARK != 0);
            match compare(game, value, waste) {
                Compared::New(value) => Some(value),
                Compared::Dominated => None,
                Compared::Apart(any) => {
                    apart_from = Some(any);
                    None
                }
            }
        };
        if table.store(key, new, budget)? {
            return Ok(true);
        }
        if marked && lock(again).remove(&with_waste(key, waste)) {
            return Ok(true);
        }
        let Some(any) = apart_from else {
            return Ok(false);
        };
        if any && is_dominated_by(apart, game, key, waste)
            || !apart.store(with_waste(key, waste), once, budget)?
        {
            return Ok(false);
        }
        table.change(key, |value| value.unwrap_or_default() | MORE, budget)?;
        Ok(true)
    }

    /// Says that a stored state, by its key and the class of its waste, is to be stored again. It
    /// counts as stored until then.
    pub(super) fn store_again(
        &mut self,
        key: u64,
        waste: u8,
        budget: &mut Budget,
    ) -> Result<(), Limit> {
        match self {
            Seen::Dominated(table, _, again) => {
                lock(again).insert(with_waste(key, waste));
                table.change(key, |value| value.unwrap_or_default() | MARK, budget)
            }
            Seen::Exact(table) => table.set(with_waste(key, waste), 1, budget),
        }
    }

    /// Turns the tables into shared ones.
    ///
    /// # Errors
    /// If there is too little memory.
    pub(super) fn share(
        &mut self,
        pool: &Arc<SharedBudget>,
        budget: &mut Budget,
    ) -> Result<(), Limit> {
        match self {
            Seen::Dominated(table, apart, _) => {
                table.share(|_| true, pool, budget)?;
                apart.share(|_| true, pool, budget)
            }
            Seen::Exact(table) => table.share(|_| true, pool, budget),
        }
    }

    /// The shared tables for another thread.
    pub(super) fn for_helper(&self) -> Seen {
        match self {
            Seen::Dominated(table, apart, again) => {
                Seen::Dominated(table.for_helper(), apart.for_helper(), Arc::clone(again))
            }
            Seen::Exact(table) => Seen::Exact(table.for_helper()),
        }
    }
}

/// Whether a size of the waste that is smaller by whole draws, or the same, is kept apart.
#[inline]
fn is_dominated_by(apart: &Table<1>, game: &Game, key: u64, waste: u8) -> bool {
    let mut sizes = (1..=waste).rev().step_by(game.draw_count());
    sizes.any(|waste| apart.find(with_waste(key, waste)).is_some())
}

/// A key with the class of the waste, which is below 32.
#[inline]
fn with_waste(key: u64, waste: u8) -> u64 {
    key << 5 | u64::from(waste)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Limits;
    use klondike_game::card::Card;
    use klondike_game::deal::Deal;
    use klondike_game::rules::Rules;
    use klondike_game::table::Table;
    use klondike_lemmas::kplus::moves;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    /// A state is left out exactly if one with the same key that was visited reaches as much, and
    /// it is not to be stored again.
    #[test]
    fn sizes_of_the_waste_are_dominated_as_their_reachable_cards_say() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut below = |most: usize| rng.random_range(0..most);
        let mut apart = 0;
        for draw_count in 2..=24 {
            let rules = Arc::new(Rules::builder().draw_count(draw_count).build().unwrap());
            let cards: Vec<Card> = rules.deck().cards().collect();
            let deal = Deal::from_pile_order(rules.deck(), rules.layout(), &cards).unwrap();
            let game = Game::new(&Table::new(rules, &deal).unwrap()).unwrap();
            let mut state = game.start();
            for _ in 0..40 {
                let mut budget = Budget::new(Limits::default());
                let (mut seen, mut kept) = (Seen::new(&game, Lemmas::ALL), Vec::<u64>::new());
                let (mut marked, mut stored) = (Vec::new(), 0);
                for _ in 0..24 {
                    let waste = below(state.talon_len() + 1) as u8;
                    let state = state.with_waste(waste);
                    let reach = talon::playable(&game, &state);
                    let dominated = kept.iter().any(|&other| reach & !other == 0);
                    let class = talon::waste_class(&game, &state) as u8;
                    let again = marked.iter().position(|&other| other == class);
                    let new = seen.visit(&game, &state, &mut budget).unwrap();
                    let expected = !dominated || again.is_some();
                    assert_eq!(new, expected, "draw {draw_count}, waste {waste}");
                    if let Some(again) = again {
                        marked.swap_remove(again);
                    } else if new {
                        kept.push(reach);
                    }
                    stored += u64::from(new);
                    if new && below(3) == 0 {
                        let key = state.key();
                        seen.store_again(key, class, &mut budget).unwrap();
                        marked.push(class);
                    }
                }
                assert_eq!(budget.states(), stored);
                apart += usize::from(kept.len() > 3);
                let moves: Vec<_> = moves::legal(&game, &state).iter().collect();
                if !moves.is_empty() {
                    state = game.apply(&state, moves[below(moves.len())]);
                }
            }
        }
        assert!(apart > 100, "{apart}");
    }
}
