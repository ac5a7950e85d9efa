//! What is kept of states with redeals left: where each was visited, and what is known of it.
//!
//! With lemma `fewer-redeals` what was found with one number of redeals says something of others.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::concurrent::Table;
use super::planner::memory::{Fact, Memory};
use super::threads::SharedBudget;
use super::{Budget, Limit};
use klondike_lemmas::prune::{Lemmas, fewer_redeals};

/// Where each state was visited with the most redeals left.
///
/// A key holds the state with its waste; the redeals left are the value, with a table for each
/// seven of them. Without lemma `fewer-redeals` each number of redeals has a table of its own.
#[derive(Debug)]
pub(super) struct SeenRedeals {
    tables: Vec<Table<3>>,
    fewer_redeals: bool,
    /// Visits to be made again. Each of several threads makes them itself.
    again: FxHashSet<(u64, u8)>,
}

const PER_TABLE: u8 = 7;

impl SeenRedeals {
    pub(super) fn new(lemmas: Lemmas) -> SeenRedeals {
        SeenRedeals {
            tables: Vec::new(),
            fewer_redeals: fewer_redeals::is_on(lemmas),
            again: FxHashSet::default(),
        }
    }

    pub(super) fn clear(&mut self) {
        for table in &mut self.tables {
            table.own().clear();
        }
        self.again.clear();
    }

    /// Says that a visit is to be made again.
    pub(super) fn visit_again(&mut self, key: u64, left: u8) {
        self.again.insert((key, left));
    }

    /// Notes a visit; returns whether no earlier visit makes it needless, or it is to be made
    /// again.
    pub(super) fn visit(&mut self, key: u64, left: u8, budget: &mut Budget) -> Result<bool, Limit> {
        let new = self.note(key, left, budget)?;
        let again = !new && !self.again.is_empty() && self.again.remove(&(key, left));
        budget.count_if(new || again)
    }

    fn note(&mut self, key: u64, left: u8, budget: &mut Budget) -> Result<bool, Limit> {
        let per_table = if self.fewer_redeals { PER_TABLE } else { 1 };
        let (own, rest) = (usize::from(left / per_table), u16::from(left % per_table));
        while self.tables.len() <= own {
            self.tables.push(Table::default());
        }
        let more = &self.tables[own + 1..];
        if self.fewer_redeals && more.iter().any(|table| table.find(key).is_some()) {
            return Ok(false);
        }
        let more_redeals = |most: Option<u16>| most.is_none_or(|most| most < rest).then_some(rest);
        self.tables[own].store(key, more_redeals, budget)
    }

    /// Turns the tables into shared ones. The root is in them, so there is one for each number of
    /// redeals left.
    ///
    /// # Errors
    /// If there is too little memory.
    pub(super) fn share(
        &mut self,
        pool: &Arc<SharedBudget>,
        budget: &mut Budget,
    ) -> Result<(), Limit> {
        let mut tables = self.tables.iter_mut();
        tables.try_for_each(|table| table.share(|_| true, pool, budget))
    }

    /// The shared tables for another thread.
    pub(super) fn for_helper(&self) -> SeenRedeals {
        SeenRedeals {
            tables: self.tables.iter().map(Table::for_helper).collect(),
            fewer_redeals: self.fewer_redeals,
            again: self.again.clone(),
        }
    }

    /// The most redeals with which a state was visited, with lemma `fewer-redeals`.
    pub(super) fn most(&self, key: u64) -> Option<u8> {
        let tables = self.tables.iter().enumerate().rev();
        let mut found = tables.filter_map(|(own, table)| Some((own, table.find(key)?)));
        let (own, rest) = found.next()?;
        Some(own as u8 * PER_TABLE + rest as u8)
    }

    /// The states visited, each with the most redeals, in no order; of tables that are not shared.
    pub(super) fn iter(&self) -> impl Iterator<Item = (u64, u8)> + '_ {
        let tables = self.tables.iter().enumerate();
        tables.flat_map(|(own, table)| {
            let more = &self.tables[own + 1..];
            let is_most = |key| more.iter().all(|table| table.find(key).is_none());
            let visits = table.iter().filter(move |&(key, _)| is_most(key));
            visits.map(move |(key, rest)| (key, own as u8 * PER_TABLE + rest as u8))
        })
    }
}

/// What a world remembers, with a memory for each number of redeals left.
#[derive(Clone, Debug, Default)]
pub(super) struct FactsByRedeals(pub(super) Vec<Memory>);

impl FactsByRedeals {
    /// For at most so many redeals left, which share the room for so many facts.
    pub(super) fn new(redeals: u8, facts: usize) -> FactsByRedeals {
        let count = usize::from(redeals) + 1;
        FactsByRedeals(vec![Memory::new(facts.div_ceil(count)); count])
    }

    /// What is known of the state with this key: that it is dead with as many redeals or more,
    /// alive with as many or fewer, or undecided with as many. Without lemma `fewer-redeals` only
    /// what is known with as many.
    pub(super) fn find(&self, lemmas: Lemmas, key: u64, left: u8) -> Option<Fact> {
        let left = usize::from(left);
        let own = self.0[left].find(key);
        if matches!(own, Some(Fact::Dead | Fact::Alive)) || !fewer_redeals::is_on(lemmas) {
            return own;
        }
        let has = |memories: &[Memory], fact| {
            let mut found = memories.iter().map(|memory| memory.find(key));
            found.any(|found| found == Some(fact))
        };
        if has(&self.0[left + 1..], Fact::Dead) {
            Some(Fact::Dead)
        } else if has(&self.0[..left], Fact::Alive) {
            Some(Fact::Alive)
        } else {
            own
        }
    }

    pub(super) fn learn(&mut self, key: u64, left: u8, fact: Fact) {
        self.0[usize::from(left)].learn(key, fact);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Limits;
    use klondike_lemmas::prune::Lemma;

    /// A visit is needless exactly if the state was visited with as many redeals or more; without
    /// the lemma, with as many.
    #[test]
    fn only_visits_with_more_redeals_make_others_needless() {
        let separate = Lemmas::ALL.without(Lemma::FewerRedeals);
        for (lemmas, covers) in [
            (
                Lemmas::ALL,
                (|before, left| before >= left) as fn(u8, u8) -> bool,
            ),
            (separate, |before, left| before == left),
        ] {
            for first in 0..=24 {
                for second in 0..=24 {
                    let mut visited = SeenRedeals::new(lemmas);
                    let mut budget = Budget::new(Limits::default());
                    assert!(visited.visit(7, first, &mut budget).unwrap());
                    let new = visited.visit(7, second, &mut budget).unwrap();
                    assert_eq!(new, !covers(first, second), "{first} {second}");
                    assert!(visited.visit(8, second, &mut budget).unwrap());
                }
            }
        }
    }
}
