//! States of draw 1 that are proved dead or alive, to compare others with by lemma `reach-order`.
//!
//! They stand in lists, by their cards in dealt place. A list holds only those that say the most:
//! dead states that no other one reaches, live states that reach no other one.

use std::hash::BuildHasherDefault;

use hashbrown::HashMap;
use rustc_hash::FxHasher;

use super::{Budget, Limit};
use crate::kplus::{Game, State};
use crate::prune::reach_order::Cards;

/// The end of a list.
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, Debug)]
struct Entry {
    cards: Cards,
    next: u32,
}

/// Where the lists with the same cards in dealt place begin.
#[derive(Clone, Copy, Debug)]
struct Lists {
    dead: u32,
    alive: u32,
}

/// What is proved of the states of one game.
#[derive(Debug)]
pub(super) struct Facts {
    lists: HashMap<u32, Lists, BuildHasherDefault<FxHasher>>,
    entries: Vec<Entry>,
    /// The list of entries that may be used again.
    unused: u32,
}

impl Default for Facts {
    fn default() -> Facts {
        Facts {
            lists: HashMap::default(),
            entries: Vec::new(),
            unused: NONE,
        }
    }
}

impl Facts {
    /// Whether `state` is alive, if what is proved of others says so.
    pub(super) fn find(&self, game: &Game, state: &State) -> Option<bool> {
        let lists = self.lists.get(&state.in_place_code())?;
        let cards = Cards::of(state);
        if self.any(lists.dead, |dead| dead.reaches(cards, game)) {
            return Some(false);
        }
        self.any(lists.alive, |alive| cards.reaches(alive, game))
            .then_some(true)
    }

    fn any(&self, mut at: u32, is_it: impl Fn(Cards) -> bool) -> bool {
        while at != NONE {
            let entry = &self.entries[at as usize];
            if is_it(entry.cards) {
                return true;
            }
            at = entry.next;
        }
        false
    }

    /// Notes that `state` is alive, or dead.
    ///
    /// # Errors
    /// If the memory limit leaves no room.
    pub(super) fn learn(
        &mut self,
        game: &Game,
        state: &State,
        alive: bool,
        budget: &mut Budget,
    ) -> Result<(), Limit> {
        budget.make_room(&mut self.entries, 1)?;
        if self.lists.len() == self.lists.capacity() {
            let old = self.lists.allocation_size();
            budget.take_bytes(2 * old as u64 + 64)?;
            self.lists.reserve(1);
            budget.give_bytes(old as u64);
        }
        let none = Lists {
            dead: NONE,
            alive: NONE,
        };
        let lists = self.lists.entry(state.in_place_code()).or_insert(none);
        let first = if alive {
            &mut lists.alive
        } else {
            &mut lists.dead
        };
        let cards = Cards::of(state);
        // What the new one says already goes.
        let mut before = NONE;
        let mut at = *first;
        while at != NONE {
            let Entry { cards: other, next } = self.entries[at as usize];
            let (one, two) = if alive {
                (cards, other)
            } else {
                (other, cards)
            };
            if one.reaches(two, game) {
                return Ok(());
            }
            if two.reaches(one, game) {
                match before {
                    NONE => *first = next,
                    _ => self.entries[before as usize].next = next,
                }
                self.entries[at as usize].next = self.unused;
                self.unused = at;
            } else {
                before = at;
            }
            at = next;
        }
        let entry = Entry {
            cards,
            next: *first,
        };
        if self.unused == NONE {
            *first = self.entries.len() as u32;
            self.entries.push(entry);
        } else {
            *first = self.unused;
            self.unused = self.entries[self.unused as usize].next;
            self.entries[*first as usize] = entry;
        }
        Ok(())
    }
}
