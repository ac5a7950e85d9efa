//! The states that a search with unlimited redeals has visited.
//!
//! Two states that differ in the waste only share a key. With lemma `waste-dominance` the table
//! says of each key which sizes of the waste were visited, as far as they matter: one in the value
//! of the key, the few others in a table of their own.

use std::sync::Arc;

use super::concurrent::Table;
use super::threads::SharedBudget;
use super::{Budget, Limit};
use klondike_lemmas::kplus::{Game, State, talon};
use klondike_lemmas::prune::Lemmas;
use klondike_lemmas::prune::waste_dominance::{self, Compared, MORE, compare};

/// The states visited, with or without the dominance of wastes.
#[derive(Debug)]
pub(super) enum Seen {
    /// Keys without the waste, with values of [`compare`], and the sizes kept apart.
    Dominated(Table<9>, Table<1>),
    /// Keys with the class of the waste.
    Exact(Table<1>),
}

impl Seen {
    /// An empty table for searches of the game with these lemmas.
    pub(super) fn new(game: &Game, lemmas: Lemmas) -> Seen {
        if waste_dominance::is_on(game, lemmas) {
            Seen::Dominated(Table::default(), Table::default())
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
            Seen::Dominated(table, apart) => {
                table.own().clear();
                apart.own().clear();
            }
            Seen::Exact(table) => table.own().clear(),
        }
    }

    /// Makes room for at least so many states; no account is kept of it.
    pub(super) fn reserve(&mut self, states: usize) {
        match self {
            Seen::Dominated(table, apart) => {
                table.own().reserve(states);
                apart.own().reserve(states);
            }
            Seen::Exact(table) => table.own().reserve(states),
        }
    }

    /// Brings the slots of keys, with the classes of their wastes, into the cache, all at the same
    /// time.
    #[inline]
    pub(super) fn fetch(&self, states: impl Iterator<Item = (u64, u8)>) {
        match self {
            Seen::Dominated(table, _) => table.fetch(states.map(|(key, _)| key)),
            Seen::Exact(table) => table.fetch(states.map(|(key, waste)| with_waste(key, waste))),
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
        let new = self.store(game, state.key(game), waste, budget)?;
        budget.count_if(new)
    }

    /// As [`Seen::visit`], by the key and the class of the waste; the state is not counted.
    #[inline]
    pub(super) fn store(
        &mut self,
        game: &Game,
        key: u64,
        waste: u8,
        budget: &mut Budget,
    ) -> Result<bool, Limit> {
        let once = |value: Option<u16>| value.is_none().then_some(0);
        let (table, apart) = match self {
            Seen::Dominated(table, apart) => (table, apart),
            Seen::Exact(table) => return table.store(with_waste(key, waste), once, budget),
        };
        let mut apart_from = None;
        let new = |value| match compare(game, value, waste) {
            Compared::New(value) => Some(value),
            Compared::Dominated => None,
            Compared::Apart(any) => {
                apart_from = Some(any);
                None
            }
        };
        if table.store(key, new, budget)? {
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
            Seen::Dominated(table, apart) => {
                table.share(|_| true, pool, budget)?;
                apart.share(|_| true, pool, budget)
            }
            Seen::Exact(table) => table.share(|_| true, pool, budget),
        }
    }

    /// The shared tables for another thread.
    pub(super) fn for_helper(&self) -> Seen {
        match self {
            Seen::Dominated(table, apart) => {
                Seen::Dominated(table.for_helper(), apart.for_helper())
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

    /// A state is left out exactly if one with the same key that was visited reaches as much.
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
                for _ in 0..16 {
                    let waste = below(state.talon_len() + 1) as u8;
                    let state = state.with_waste(waste);
                    let reach = talon::playable(&game, &state);
                    let dominated = kept.iter().any(|&other| reach & !other == 0);
                    let new = seen.visit(&game, &state, &mut budget).unwrap();
                    assert_eq!(new, !dominated, "draw {draw_count}, waste {waste}");
                    if new {
                        kept.push(reach);
                    }
                }
                assert_eq!(budget.states(), kept.len() as u64);
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
