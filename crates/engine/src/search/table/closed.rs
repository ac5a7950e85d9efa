//! Closed sets of table states: the certificate of a loss under rules that no K+ state covers.
//!
//! The set is grown breadth-first from the start until every move from one of its states leads to a
//! state of the set or to a dead end. Safe moves are made first, and only needed moves are looked
//! at: `docs/proofs/table.md` proves that this is enough.
//! `docs/certificate.md`, section 9, specifies the bytes of a state. This module writes them; the
//! checker reads them with code of its own.

use super::state::{Ground, MOST_STEPS, Pile, State};
use super::visited::{Visit, Visited};
use crate::search::closed::NotClosed;
use crate::search::{Budget, Limits};
use klondike_game::card::Card;
use klondike_game::rules::MAX_PILES;
use klondike_game::table::{Move, Table};
use klondike_lemmas::prune::Lemmas;

/// A state in the bytes of a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    bytes: [u8; ROW_BYTES],
    len: usize,
}

impl AsRef<[u8]> for Row {
    fn as_ref(&self) -> &[u8] {
        &self.bytes[..self.len]
    }
}

/// No state takes more bytes: one for each pile, suit and rank, for the waste and the redeals.
const ROW_BYTES: usize = MAX_PILES + 4 + 13 + 2;

/// States from which play does not lead out of the set but into lost states.
pub struct ClosedSet {
    rows: Rows,
    /// The numbers of the states in ascending order of their bytes.
    order: Vec<u32>,
}

impl ClosedSet {
    /// The set for a position that is lost.
    ///
    /// The same position and limits on states and memory give the same set.
    ///
    /// # Errors
    /// If the position can be won, or a limit is hit.
    pub fn new(table: &Table, limits: &Limits) -> Result<ClosedSet, NotClosed> {
        let mut start = table.clone();
        if let Some(from) = table.pending() {
            let forced = Move::PileToFoundation { from };
            start.make(forced).expect("a pending double move is legal");
        }
        let (ground, state) = Ground::new(&start);
        let mut growth = Growth {
            rows: Rows::new(&start, &ground),
            ground,
            budget: Budget::new(limits.without_helpers()),
            again: Vec::new(),
        };
        growth.run(state)?;
        let order = growth.rows.visited.sort();
        Ok(ClosedSet {
            rows: growth.rows,
            order,
        })
    }

    /// Number of states.
    #[must_use]
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether no state is needed: the first one waits for itself.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// The states as bytes, in ascending order.
    #[must_use]
    pub fn rows(&self) -> impl ExactSizeIterator<Item = Row> + '_ {
        let key = |number: u32| self.rows.visited.row(number as usize);
        self.order.iter().map(move |&n| self.rows.bytes_of(key(n)))
    }
}

struct Growth {
    ground: Ground,
    rows: Rows,
    budget: Budget,
    /// States to look at again because they were reached with more redeals left.
    again: Vec<u32>,
}

impl Growth {
    fn run(&mut self, start: State) -> Result<(), NotClosed> {
        let mut steps = Vec::with_capacity(MOST_STEPS);
        self.add(start)?;
        let mut next = 0;
        loop {
            let number = match self.again.pop() {
                Some(number) => number as usize,
                None if next < self.rows.visited.len() => {
                    next += 1;
                    next - 1
                }
                None => return Ok(()),
            };
            if next % 1024 == 1 {
                self.budget.check()?;
            }
            let state = self.rows.state(&self.ground, number);
            steps.clear();
            self.ground.steps(&state, Lemmas::ALL, &mut steps);
            for &step in &steps {
                let mut next = state;
                self.ground.apply(&mut next, step);
                self.add(next)?;
            }
        }
    }

    /// Adds what comes of a state by safe moves, unless it is known or lost.
    fn add(&mut self, mut state: State) -> Result<(), NotClosed> {
        while let Some(step) = self.ground.safe_step(&state, Lemmas::ALL) {
            self.ground.apply(&mut state, step);
        }
        if self.ground.is_won(&state) {
            return Err(NotClosed::Won);
        }
        let (key, words) = self.rows.key(&self.ground, &state);
        let key = &key[..words];
        let visited = &mut self.rows.visited;
        if visited.is_known(key) || self.ground.is_dead(&state) {
            return Ok(());
        }
        if let Visit::Better(number) = visited.visit(key, &mut self.budget)? {
            self.budget.make_room(&mut self.again, 1)?;
            self.again.push(number as u32);
        }
        Ok(())
    }
}

/// The states found, as bytes.
struct Rows {
    width: usize,
    suits: usize,
    /// Lowest face-up card of each pile at the start.
    base: Vec<Option<Card>>,
    visited: Visited,
}

impl Rows {
    fn new(start: &Table, ground: &Ground) -> Rows {
        let deck = ground.deck;
        let width = ground.pile_count() + deck.suit_count() + deck.rank_count() + 2;
        let piles = start.piles().iter();
        Rows {
            width,
            suits: deck.suit_count(),
            base: piles.map(|pile| pile.face_up().first().copied()).collect(),
            // The redeals left are the last byte, and so in the first word of a key.
            visited: Visited::new(width.div_ceil(4), 0xFF),
        }
    }

    fn bytes(&self, ground: &Ground, state: &State) -> [u8; ROW_BYTES] {
        let mut row = [0; ROW_BYTES];
        let piles = &state.piles[..ground.pile_count()];
        let (hidden, rest) = row.split_at_mut(piles.len());
        let (lies, rest) = rest.split_at_mut(ground.deck.rank_count());
        let (up, rest) = rest.split_at_mut(self.suits);
        for (byte, pile) in hidden.iter_mut().zip(piles) {
            *byte = pile.hidden;
        }
        up.copy_from_slice(&state.foundations[..self.suits]);
        let top_rank = ground.deck.rank_count();
        let mut put = |card: Card, how: usize| {
            lies[top_rank - usize::from(card.rank().get())] |=
                (how << (2 * (card.index() % 4))) as u8;
        };
        for pile in piles {
            if let (0, Some(&base)) = (pile.hidden, pile.up().first()) {
                put(base, 3);
            }
            for pair in pile.up().windows(2) {
                put(pair[1], 1 + pair[0].index() % 2);
            }
        }
        rest[0] = ground.waste_that_matters(&state.talon);
        rest[1] = state.talon.left;
        row
    }

    /// The key and its number of words; see [`Rows::bytes_of`].
    fn key(&self, ground: &Ground, state: &State) -> ([u32; ROW_BYTES / 4 + 1], usize) {
        let row = self.bytes(ground, state);
        let mut key = [0; ROW_BYTES / 4 + 1];
        let words = self.width.div_ceil(4);
        let mut end = self.width;
        // The last four bytes come first, then all others in their order.
        for place in [0].into_iter().chain((1..words).rev()) {
            let begin = end.saturating_sub(4);
            for &byte in &row[begin..end] {
                key[place] = key[place] << 8 | u32::from(byte);
            }
            end = begin;
        }
        (key, words)
    }

    fn bytes_of(&self, key: &[u32]) -> Row {
        let mut bytes = [0; ROW_BYTES];
        let mut end = self.width;
        for place in [0].into_iter().chain((1..key.len()).rev()) {
            let begin = end.saturating_sub(4);
            let word = key[place].to_be_bytes();
            bytes[begin..end].copy_from_slice(&word[4 - (end - begin)..]);
            end = begin;
        }
        Row {
            bytes,
            len: self.width,
        }
    }

    fn state(&self, ground: &Ground, number: usize) -> State {
        let row = self.bytes_of(self.visited.row(number));
        let count = ground.pile_count();
        let (hidden, rest) = row.bytes.split_at(count);
        let (lies, rest) = rest.split_at(ground.deck.rank_count());
        let (up, rest) = rest.split_at(self.suits);
        let mut state = State {
            foundations: [0; 4],
            piles: [Pile::EMPTY; MAX_PILES],
            talon: ground.talon,
        };
        state.foundations[..self.suits].copy_from_slice(up);
        // The cards on each parent, and those that lie lowest in a pile.
        let mut on = [None; Card::COUNT];
        let mut lowest = Vec::new();
        let mut in_talon = [false; Card::COUNT];
        for card in ground.deck.cards() {
            let byte = lies[ground.deck.rank_count() - usize::from(card.rank().get())];
            match byte >> (2 * (card.index() % 4)) & 3 {
                0 => {
                    let up = state.foundations[card.suit().index()];
                    in_talon[card.index()] = card.rank().get() > up;
                }
                3 => lowest.push(card),
                twin => {
                    let class = card.set().parents();
                    let parent = class.into_iter().nth(usize::from(twin) - 1);
                    if let Some(parent) = parent {
                        on[parent.index()] = Some(card);
                    }
                }
            }
        }
        let mut lowest = lowest.into_iter();
        for (i, pile) in state.piles[..count].iter_mut().enumerate() {
            pile.hidden = hidden[i];
            for &card in &ground.hidden[i][..usize::from(pile.hidden)] {
                in_talon[card.index()] = false;
            }
            let mut next = match usize::from(pile.hidden) {
                0 => lowest.next(),
                hidden => {
                    let base = ground.hidden[i].get(hidden).copied().or(self.base[i]);
                    if let Some(base) = base {
                        in_talon[base.index()] = false;
                    }
                    base
                }
            };
            while let Some(card) = next {
                pile.push(card);
                next = on[card.index()];
            }
        }
        state.talon.keep(|card| in_talon[card.index()]);
        (state.talon.waste, state.talon.left) = (rest[0], rest[1]);
        state
    }
}
