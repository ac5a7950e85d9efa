//! Closed sets of K+ states: the certificate of a loss that the relaxation does not show.
//!
//! A set is grown until no needed move leaves it, except into positions that the relaxation shows
//! to be lost. Nothing here depends on the path to a position, and draws are taken in the
//! macro-moves of lemma `postponed-draws` (its section 9.3), so the sets are smaller than what the
//! plain search visits. What an entry of the draw-1 set reaches (lemma `reach-order`) needs no
//! entry of its own. Proof: `docs/proofs/closed-sets.md`.
//! [`redeals`] is the same for limited redeals, [`holds`] for whole runs,
//! [`table::closed`](super::table::closed) on table states. Nothing here has to be trusted: the
//! checker finds the moves by itself.

pub mod holds;
pub mod redeals;

use std::collections::BTreeMap;
use std::hash::BuildHasherDefault;

use hashbrown::HashMap;
use rustc_hash::FxHasher;

use super::draw_one::DrawOne;
use super::visited::KeyTable;
use super::{Budget, Job, Limit, Limits};
use klondike_lemmas::kplus::{Game, State, talon};
use klondike_lemmas::prune::reach_order::Cards;
use klondike_lemmas::prune::{Lemma, Lemmas, blocking, offer};

/// Why there is no closed set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotClosed {
    /// A win was found.
    Won,
    /// A limit was hit.
    Stopped(Limit),
}

impl From<Limit> for NotClosed {
    fn from(limit: Limit) -> NotClosed {
        NotClosed::Stopped(limit)
    }
}

/// Closed sets of positions, one of which covers the start.
#[derive(Debug)]
pub struct ClosedSets<'a> {
    game: &'a Game,
    /// Positions closed under safe moves that are lost in draw 1, as keys.
    draw_one: Vec<u64>,
    /// Positions of other draw counts, as keys with the class of the waste.
    main: Vec<u64>,
}

impl<'a> ClosedSets<'a> {
    /// The closed sets of a game that is lost.
    ///
    /// # Errors
    /// If there are none: a win was found, or a limit was hit.
    pub fn new(game: &'a Game, limits: &Limits) -> Result<ClosedSets<'a>, NotClosed> {
        let mut growth = Growth {
            job: Job::new(game, Lemmas::ALL, limits.clone()),
            draw_one: DrawOneSet::default(),
        };
        let mut main = MainSet::default();
        if game.draw_count() == 1 {
            growth.close_draw_one(closed_in_draw_one(game, game.start()))?;
        } else {
            growth.close_main(&mut main, game.start())?;
        }
        Ok(ClosedSets {
            game,
            draw_one: growth.draw_one.into_entries(),
            main: main.into_undominated(game.draw_count()),
        })
    }

    /// The positions of the draw-1 set as the numbers that `number` gives them, in increasing
    /// order, and those of the main set, with their waste, likewise. It takes no more memory.
    #[must_use]
    pub fn into_numbers(
        self,
        number: impl Fn(&State) -> u64,
        number_with_waste: impl Fn(&State) -> u64,
    ) -> (Vec<u64>, Vec<u64>) {
        let (mut draw_one, mut main) = (self.draw_one, self.main);
        let state =
            |key, waste| State::from_key(self.game, key, waste).expect("a key that a state had");
        for entry in &mut draw_one {
            *entry = number(&state(*entry, 0));
        }
        for entry in &mut main {
            let waste = *entry as u8 % (1 << WASTE_BITS);
            *entry = number_with_waste(&state(*entry >> WASTE_BITS, waste));
        }
        draw_one.sort_unstable();
        main.sort_unstable();
        (draw_one, main)
    }
}

/// Whether the relaxation alone covers the first position.
#[must_use]
pub fn is_blocked(game: &Game) -> bool {
    let closed = closed_in_draw_one(game, game.start());
    let dead_in_draw_one = || blocking::is_dead_in_draw_one(game, &closed, Lemmas::ALL);
    if game.draw_count() == 1 {
        return dead_in_draw_one();
    }
    let rested = at_rest(game, game.start());
    blocking::is_dead(game, &rested, Lemmas::ALL, true) || dead_in_draw_one()
}

/// More memory than a list of entries takes while it is empty: its place in the table while that
/// grows.
const BYTES_OF_A_LIST: u64 = 128;

/// Most lost positions that are remembered to save time.
const MAX_REMEMBERED: usize = 1 << 20;

/// Positions that the relaxation shows to be lost. If memory runs out it forgets them.
#[derive(Default)]
struct Dead {
    keys: KeyTable<1>,
}

impl Dead {
    fn contains(&self, key: u64) -> bool {
        self.keys.find(key).value.is_some()
    }

    fn remember(&mut self, key: u64, budget: &mut Budget) {
        let slot = self.keys.find(key);
        if self.keys.len() >= MAX_REMEMBERED || self.keys.set(slot, key, 0, budget).is_err() {
            self.keys.clear();
        }
    }
}

/// Positions closed under safe moves that are lost in draw 1.
#[derive(Default)]
struct DrawOneSet {
    /// Keys without the waste: [`ENTRY`], [`COVERED`] or [`COVERED_FROM_MORE`].
    keys: KeyTable<2>,
    /// What lemma `reach-order` looks at in the entries, by their cards in dealt place.
    cards: HashMap<u64, Vec<Cards>, BuildHasherDefault<FxHasher>>,
    /// States that wait to be looked at, and whether they come of states with more cards in dealt
    /// place; by their number of cards there and in the talon. Those with more are looked at first:
    /// what lies below them needs no entry of its own.
    open: BTreeMap<(u32, usize), Vec<(State, bool)>>,
}

/// The state is an entry.
const ENTRY: u16 = 0;
/// The state is covered, or waits to be, whatever it comes of.
const COVERED: u16 = 1;
/// The same if it comes of a state with more cards in dealt place.
const COVERED_FROM_MORE: u16 = 2;

/// Positions of other draw counts.
#[derive(Default)]
struct MainSet {
    entries: Entries,
    dead: Dead,
    open: Vec<State>,
    oracle: DrawOne,
}

/// Bits for the size of a waste below the key of a position.
const WASTE_BITS: u32 = 5;

/// The positions of the main set: keys with the size of the waste, 0 for a pure one. Every key that
/// is there with another size is there with 0 as well, and that entry has the value 1.
#[derive(Default)]
struct Entries(KeyTable<1>);

impl Entries {
    fn insert(&mut self, key: u64, waste: u8, budget: &mut Budget) -> Result<(), Limit> {
        let pure = key << WASTE_BITS;
        self.0
            .set(self.0.find(pure), pure, u16::from(waste != 0), budget)?;
        if waste != 0 {
            let entry = pure | u64::from(waste);
            self.0.set(self.0.find(entry), entry, 0, budget)?;
        }
        Ok(())
    }

    /// Whether one of these, or one that reaches all talon cards that this one reaches, is there
    /// (lemma `waste-dominance`).
    fn covers(&self, key: u64, waste: u8, draw_count: usize) -> bool {
        let key = key << WASTE_BITS;
        match waste {
            0 => self.0.find(key).value.is_some(),
            _ => self.has_any(key, waste, draw_count),
        }
    }

    /// As [`Entries::covers`], by an entry other than this one itself.
    fn covers_by_another(&self, key: u64, waste: u8, draw_count: usize) -> bool {
        let key = key << WASTE_BITS;
        match waste {
            0 => self.0.find(key).value == Some(1),
            _ => match usize::from(waste).checked_sub(draw_count) {
                Some(less) => self.has_any(key, less as u8, draw_count),
                None => false,
            },
        }
    }

    /// Whether there is an entry with this size of the waste or one that is smaller by full draws;
    /// no pure one is.
    fn has_any(&self, key: u64, waste: u8, draw_count: usize) -> bool {
        (1..=waste)
            .rev()
            .step_by(draw_count)
            .any(|waste| self.0.find(key | u64::from(waste)).value.is_some())
    }
}

struct Growth<'a> {
    job: Job<'a>,
    draw_one: DrawOneSet,
}

impl Growth<'_> {
    /// Grows the draw-1 set until it covers the closed `state` and all that can come of it.
    fn close_draw_one(&mut self, state: State) -> Result<(), NotClosed> {
        self.wait_in_draw_one(state, u32::MAX)?;
        let mut next = Vec::new();
        while let Some((state, fewer)) = self.draw_one.pop(&mut self.job.budget) {
            if !self.enter_draw_one(&state, fewer)? {
                continue;
            }
            next.clear();
            offer::push_next_in_draw_one(self.job.game, &state, &mut next);
            let in_place = state.in_place_sum();
            for &state in &next {
                self.wait_in_draw_one(state, in_place)?;
            }
        }
        Ok(())
    }

    /// Puts off a closed state that comes of one with so many cards in dealt place, unless it is
    /// covered.
    fn wait_in_draw_one(&mut self, state: State, in_place: u32) -> Result<(), NotClosed> {
        let fewer = state.in_place_sum() < in_place;
        let set = &mut self.draw_one;
        let slot = set.keys.find(state.key());
        match slot.value {
            Some(ENTRY | COVERED) => return Ok(()),
            Some(_) if fewer => return Ok(()),
            _ => {}
        }
        if state.all_face_up() {
            return Err(NotClosed::Won);
        }
        let value = if fewer { COVERED_FROM_MORE } else { COVERED };
        let budget = &mut self.job.budget;
        set.keys.set(slot, state.key(), value, budget)?;
        let open = set.open.entry((state.in_place_sum(), state.talon_len()));
        let open = open.or_default();
        budget.make_room(open, 1)?;
        open.push((state, fewer));
        Ok(())
    }

    /// Makes a state that has waited an entry, unless it is covered; returns whether it is one now.
    fn enter_draw_one(&mut self, state: &State, fewer: bool) -> Result<bool, NotClosed> {
        let game = self.job.game;
        let set = &mut self.draw_one;
        let slot = set.keys.find(state.key());
        if slot.value == Some(ENTRY)
            || set.is_below_an_entry(game, state, fewer)
            || blocking::is_dead_in_draw_one(game, state, Lemmas::ALL)
        {
            return Ok(false);
        }
        self.job.budget.count_state()?;
        set.keys
            .set(slot, state.key(), ENTRY, &mut self.job.budget)?;
        let code = state.in_place_code();
        if !set.cards.contains_key(&code) {
            self.job.budget.take_bytes(BYTES_OF_A_LIST)?;
        }
        let cards = set.cards.entry(code).or_default();
        self.job.budget.make_room(cards, 1)?;
        cards.push(Cards::of(state));
        Ok(true)
    }

    /// Grows the main set, and with it the draw-1 set, until they cover `state` and all that can
    /// come of it.
    fn close_main(&mut self, main: &mut MainSet, state: State) -> Result<(), NotClosed> {
        self.cover_main(main, state)?;
        // The proof of closed sets needs the first move of a shortest line.
        let lemmas = Lemmas::ALL.without(Lemma::ShuttleOrder);
        let mut offered = Vec::new();
        while let Some(state) = main.open.pop() {
            let (key, waste) = (state.key(), talon::waste_class(self.job.game, &state) as u8);
            let draw_count = self.job.game.draw_count();
            if main.entries.covers_by_another(key, waste, draw_count) {
                continue;
            }
            offered.clear();
            offer::push(self.job.game, lemmas, &state, &mut offered);
            for &made in &offered {
                let next = self.job.game.apply(&state, made);
                self.cover_main(main, next)?;
            }
        }
        Ok(())
    }

    /// Whether a position is known to be lost in draw 1. It is closed under safe moves and comes of
    /// none of the draw-1 set.
    fn is_known_in_draw_one(&self, closed: &State) -> bool {
        let (game, known) = (self.job.game, &self.draw_one);
        let key = closed.key();
        known.keys.find(key).value.is_some() || known.is_below_an_entry(game, closed, true)
    }

    fn cover_main(&mut self, main: &mut MainSet, state: State) -> Result<(), NotClosed> {
        let game = self.job.game;
        let state = at_rest(game, state);
        let (key, waste) = (state.key(), talon::waste_class(game, &state) as u8);
        let exact = key << WASTE_BITS | u64::from(waste);
        if main.entries.covers(key, waste, game.draw_count()) || main.dead.contains(exact) {
            return Ok(());
        }
        if game.is_won(&state) {
            return Err(NotClosed::Won);
        }
        let closed = closed_in_draw_one(game, state);
        if self.is_known_in_draw_one(&closed) {
            return Ok(());
        }
        if blocking::is_dead(game, &state, Lemmas::ALL, true) {
            main.dead.remember(exact, &mut self.job.budget);
            return Ok(());
        }
        let alive = main.oracle.is_alive(&mut self.job, &closed)?;
        if !alive {
            return self.close_draw_one(closed);
        }
        self.job.budget.count_state()?;
        main.entries.insert(key, waste, &mut self.job.budget)?;
        self.job.budget.make_room(&mut main.open, 1)?;
        main.open.push(state);
        Ok(())
    }
}

impl DrawOneSet {
    /// Takes out a state that waits, of those with the most cards in dealt place and in the talon.
    fn pop(&mut self, budget: &mut Budget) -> Option<(State, bool)> {
        loop {
            let mut most = self.open.last_entry()?;
            if let Some(state) = most.get_mut().pop() {
                return Some(state);
            }
            // Not as soon as it is empty: what follows the last of them often has as many.
            let bytes = size_of::<(State, bool)>() * most.remove().capacity();
            budget.give_bytes(bytes as u64);
        }
    }

    fn into_entries(self) -> Vec<u64> {
        self.keys.into_keys(|value| value == ENTRY)
    }

    /// Whether an entry reaches `state`, by draws alone unless `fewer` cards are in dealt place
    /// than in the entry that `state` comes of.
    fn is_below_an_entry(&self, game: &Game, state: &State, fewer: bool) -> bool {
        let cards = Cards::of(state);
        let entries = self.cards.get(&state.in_place_code());
        let mut entries = entries.into_iter().flatten();
        entries.any(|entry| match fewer {
            true => entry.reaches(cards, game),
            false => entry.draws_to(cards, game),
        })
    }
}

impl MainSet {
    /// The entries that no other one dominates, in the memory of the table.
    fn into_undominated(self, draw_count: usize) -> Vec<u64> {
        let mut entries = self.entries.0.into_keys(|_| true);
        entries.sort_unstable();
        // Entries of one key follow each other, the pure one first: all others dominate that one.
        let (mut kept, mut begin) = (0, 0);
        while begin < entries.len() {
            let key = entries[begin] >> WASTE_BITS;
            let rest = entries[begin..].iter();
            let len = rest
                .take_while(|&&entry| entry >> WASTE_BITS == key)
                .count();
            let mut residues = 0_u32;
            for at in begin + usize::from(len > 1)..begin + len {
                let residue = entries[at] as usize % (1 << WASTE_BITS) % draw_count;
                if residues >> residue & 1 == 0 {
                    residues |= 1 << residue;
                    entries[kept] = entries[at];
                    kept += 1;
                }
            }
            begin += len;
        }
        entries.truncate(kept);
        entries
    }
}

/// The state after all safe moves of draw 1.
fn closed_in_draw_one(game: &Game, mut state: State) -> State {
    offer::close_in_draw_one(game, Lemmas::ALL, &mut state, &mut Vec::new());
    state
}

/// The state after all forced moves of draw counts other than 1.
fn at_rest(game: &Game, mut state: State) -> State {
    offer::rest(game, Lemmas::ALL, &mut state, &mut Vec::new());
    state
}

#[cfg(test)]
mod tests {
    use super::*;
    use klondike_game::deal::seed::DealId;
    use klondike_game::rules::Rules;
    use klondike_game::table::Table;
    use std::sync::Arc;

    /// The memory of states that no longer wait is given back; otherwise twice as much is counted.
    #[test]
    fn a_set_fits_in_little_memory() {
        let id: DealId = "klondike:51001424".parse().unwrap();
        let rules = Arc::new(Rules::builder().draw_count(1).build().unwrap());
        let deal = id.deal(rules.deck(), rules.layout()).unwrap();
        let game = Game::new(&Table::new(rules, &deal).unwrap()).unwrap();
        let limits = Limits {
            memory_bytes: Some(3 << 20),
            ..Limits::default()
        };
        let sets = ClosedSets::new(&game, &limits).unwrap();
        assert_eq!(sets.draw_one.len(), 23_541);
    }
}
