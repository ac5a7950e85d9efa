//! The states of whole runs that searches have visited, and those of them that are lost.
//!
//! States that differ in waste or holds only share a key. They stand in a list, each with the
//! number of the next one. A state is needless if one of them covers it by lemmas `fewer-holds` and
//! `waste-dominance`, and was visited in the same search or is lost. A new state takes the place of
//! one that it covers, or of one that no longer counts, so that lists stay short.

use std::hash::BuildHasher;

use rustc_hash::{FxBuildHasher, FxHashSet};

use super::number_index::NumberIndex;
use super::{Budget, Limit};
use klondike_lemmas::kplus::holds::Holds;
use klondike_lemmas::kplus::{Game, State, talon};
use klondike_lemmas::prune::waste_dominance::{Compared, compare};
use klondike_lemmas::prune::{Lemmas, fewer_holds, waste_dominance};

/// What is known of states, of one search or several that follow each other.
#[derive(Debug)]
pub(super) struct SeenHolds {
    fewer_holds: bool,
    waste_dominance: bool,
    /// The first entry of each key.
    index: NumberIndex,
    entries: Vec<Entry>,
    /// Number of the search under way.
    search: u32,
    /// By number of a search whether all that it visited is lost.
    lost: Vec<bool>,
    /// The number of a search that stands for what is lost by itself.
    of_lost: u32,
    /// Visits of this search to be made again.
    again: FxHashSet<HeldKey>,
}

/// What tells states apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct HeldKey {
    /// The key of the state.
    pub(super) key: u64,
    /// The class of its waste; 0 in draw 1.
    pub(super) waste: u8,
    pub(super) holds: Holds,
}

impl HeldKey {
    pub(super) fn of(game: &Game, state: &State, holds: Holds) -> HeldKey {
        HeldKey {
            key: state.key(),
            waste: talon::waste_class(game, state) as u8,
            holds,
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    at: HeldKey,
    /// The last search that visited it, or one that stands for what is lost.
    search: u32,
    /// The next entry with this key; 0, which is the first of its own key, for none.
    next: u32,
}

impl Entry {
    fn following(&self) -> Option<u32> {
        Some(self.next).filter(|&next| next != 0)
    }
}

impl SeenHolds {
    pub(super) fn new(game: &Game, lemmas: Lemmas) -> SeenHolds {
        SeenHolds {
            fewer_holds: fewer_holds::is_on(lemmas),
            waste_dominance: waste_dominance::is_on(game, lemmas),
            index: NumberIndex::default(),
            entries: Vec::new(),
            search: 0,
            lost: vec![true],
            of_lost: 0,
            again: FxHashSet::default(),
        }
    }

    /// Begins another search. Of those before only what was proved is kept.
    pub(super) fn begin(&mut self, budget: &mut Budget) -> Result<(), Limit> {
        budget.make_room(&mut self.lost, 1)?;
        self.search = self.lost.len() as u32;
        self.lost.push(false);
        self.again.clear();
        Ok(())
    }

    /// Forgets what is lost.
    pub(super) fn forget(&mut self) {
        self.lost.fill(false);
        self.of_lost = self.lost.len() as u32;
        self.lost.push(true);
    }

    /// Notes that all states that this search has visited are lost.
    pub(super) fn note_all_lost(&mut self) {
        self.lost[self.search as usize] = true;
    }

    /// Says that a visited state is to be visited again.
    pub(super) fn visit_again(&mut self, at: HeldKey) {
        self.again.insert(at);
    }

    /// Notes that a visited state is lost.
    pub(super) fn note_lost(&mut self, at: HeldKey) {
        let mut next = self.first(at.key);
        while let Some(number) = next {
            let entry = &mut self.entries[number as usize];
            if entry.at == at {
                entry.search = self.of_lost;
                return;
            }
            next = entry.following();
        }
    }

    fn first(&self, key: u64) -> Option<u32> {
        let hash = FxBuildHasher.hash_one(key);
        let is_it = |number: u32| self.entries[number as usize].at.key == key;
        self.index.find(hash, is_it)
    }

    /// The entries with this key.
    fn alike(&self, key: u64) -> impl Iterator<Item = &Entry> {
        let entry = |number: u32| &self.entries[number as usize];
        let following = move |old: &&Entry| old.following().map(entry);
        std::iter::successors(self.first(key).map(entry), following)
    }

    /// Whether the state or one that covers it was visited, in whichever search.
    pub(super) fn has(&self, game: &Game, at: &HeldKey) -> bool {
        self.alike(at.key).any(|old| self.covers(game, &old.at, at))
    }

    /// Whether another state that covers it was visited.
    pub(super) fn has_another(&self, game: &Game, at: &HeldKey) -> bool {
        let mut alike = self.alike(at.key).map(|old| &old.at);
        alike.any(|old| old != at && self.covers(game, old, at))
    }

    /// The states visited that no other one covers.
    pub(super) fn needed(&self, game: &Game) -> impl Iterator<Item = HeldKey> {
        let all = self.entries.iter().map(|entry| entry.at);
        all.filter(|at| !self.has_another(game, at))
    }

    /// Marks the state visited; returns whether that was needed, or is to be done again.
    pub(super) fn visit(
        &mut self,
        game: &Game,
        at: HeldKey,
        budget: &mut Budget,
    ) -> Result<bool, Limit> {
        let new = self.mark(game, at, budget)?;
        budget.count_if(new || self.again.remove(&at))
    }

    fn mark(&mut self, game: &Game, at: HeldKey, budget: &mut Budget) -> Result<bool, Limit> {
        let (mut last, mut reusable) = (None, None);
        let mut next = self.first(at.key);
        while let Some(number) = next {
            let old = self.entries[number as usize];
            let counts = old.search == self.search || self.lost[old.search as usize];
            if counts && self.covers(game, &old.at, &at) {
                return Ok(false);
            }
            if !counts || old.search == self.search && self.covers(game, &at, &old.at) {
                reusable = reusable.or(Some(number));
            }
            (last, next) = (next, old.following());
        }
        let number = match reusable {
            Some(number) => number,
            None => self.add(at, last, budget)?,
        };
        let entry = &mut self.entries[number as usize];
        (entry.at, entry.search) = (at, self.search);
        Ok(true)
    }

    /// Appends an entry behind the last one with its key.
    fn add(&mut self, at: HeldKey, last: Option<u32>, budget: &mut Budget) -> Result<u32, Limit> {
        budget.make_room(&mut self.entries, 1)?;
        let number = self.entries.len() as u32;
        if number == u32::MAX {
            return Err(Limit::Memory);
        }
        match last {
            Some(last) => self.entries[last as usize].next = number,
            None => {
                let entries = &self.entries;
                let hash = |number: u32| FxBuildHasher.hash_one(entries[number as usize].at.key);
                if self.index.is_full() {
                    self.index.grow(budget, hash)?;
                }
                self.index.insert(FxBuildHasher.hash_one(at.key), number);
            }
        }
        let search = self.search;
        self.entries.push(Entry {
            at,
            search,
            next: 0,
        });
        Ok(number)
    }

    /// Whether the old state, with the same key, can do all that the new one can.
    fn covers(&self, game: &Game, old: &HeldKey, new: &HeldKey) -> bool {
        let reaches_as_much = old.waste == new.waste
            || self.waste_dominance
                && compare(game, Some(old.waste.into()), new.waste) == Compared::Dominated;
        let holds_no_more =
            old.holds == new.holds || self.fewer_holds && old.holds.is_part_of(new.holds);
        reaches_as_much && holds_no_more
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Limits;
    use klondike_game::card::Card;
    use klondike_game::deal::Deal;
    use klondike_game::rules::Rules;
    use klondike_game::table::Table;
    use klondike_lemmas::prune::Lemma;
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use std::sync::Arc;

    /// A visit is needless exactly if the same or, with the lemmas, a state that reaches as many
    /// talon cards and holds no more was visited in the same search, or is lost.
    #[test]
    fn states_are_covered_by_those_that_can_do_as_much() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let rules = Arc::new(Rules::standard());
        let cards: Vec<Card> = rules.deck().cards().collect();
        let deal = Deal::from_pile_order(rules.deck(), rules.layout(), &cards).unwrap();
        let game = Game::new(&Table::new(rules, &deal).unwrap()).unwrap();
        let (mut news, mut covered) = (0, 0);
        for lemmas in [
            Lemmas::ALL,
            Lemmas::NONE,
            Lemmas::NONE.with(Lemma::FewerHolds),
        ] {
            for _ in 0..300 {
                let mut budget = Budget::new(Limits::default());
                let mut seen = SeenHolds::new(&game, lemmas);
                // What counts, with whether it is lost.
                let mut kept: Vec<(HeldKey, u64, bool)> = Vec::new();
                seen.begin(&mut budget).unwrap();
                for _ in 0..40 {
                    let state = game.start().with_waste(rng.random_range(0..=24));
                    let reach = talon::playable(&game, &state);
                    let at = HeldKey {
                        key: rng.random_range(0..2),
                        waste: talon::waste_class(&game, &state) as u8,
                        holds: Holds::from_bits(rng.random_range(0..8)),
                    };
                    let covers = |&(old, more, _): &(HeldKey, u64, bool)| {
                        let wastes = old.waste == at.waste
                            || lemmas.has(Lemma::WasteDominance) && reach & !more == 0;
                        let holds = old.holds == at.holds
                            || lemmas.has(Lemma::FewerHolds) && old.holds.is_part_of(at.holds);
                        old.key == at.key && wastes && holds
                    };
                    let needless = kept.iter().any(covers);
                    assert_eq!(seen.visit(&game, at, &mut budget).unwrap(), !needless);
                    if needless {
                        covered += 1;
                        continue;
                    }
                    news += 1;
                    let lost = rng.random_bool(0.2);
                    if lost {
                        seen.note_lost(at);
                    }
                    kept.push((at, reach, lost));
                    if rng.random_bool(0.1) {
                        if rng.random_bool(0.5) {
                            seen.note_all_lost();
                            kept.iter_mut().for_each(|(_, _, lost)| *lost = true);
                        }
                        if rng.random_bool(0.2) {
                            seen.forget();
                            kept.clear();
                        }
                        seen.begin(&mut budget).unwrap();
                        kept.retain(|&(_, _, lost)| lost);
                    }
                }
            }
        }
        assert!(news > 1_000 && covered > 1_000, "{news} {covered}");
    }
}
