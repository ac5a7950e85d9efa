//! Closed sets of positions at the table, for losses under any rules.
//!
//! Written from section 9 of `docs/certificate.md`: reads the set from the file, and checks that
//! every needed move from each of its positions leads to a position of the set or to a lost one.

use std::hash::BuildHasher;
use std::io::Read;

use hashbrown::{DefaultHashBuilder, HashSet, HashTable};

use super::board::{Ground, Row, TablePosition};
use super::{Bounds, CheckError, Place, Problem, waiting};
use crate::certificate::Reader;
use klondike_game::table::Table;

/// Rows in one piece of memory.
const PIECE: usize = 1 << 12;

/// Most positions outside the set that are remembered because they are lost.
const MAX_REMEMBERED: usize = 1 << 19;

/// Checks that a position is lost.
pub(super) fn check_loss(
    reader: &mut Reader<impl Read>,
    start: &Table,
    bounds: &Bounds<'_>,
) -> Result<u64, CheckError> {
    let (ground, first) = Ground::new(start);
    let set = Set::read(reader, &ground, bounds)?;
    let mut closure = Closure::new(&ground, &set);
    for number in 0..set.len {
        let place = Place::Table(number as u64 + 1);
        bounds.go_on(place)?;
        closure
            .check(&set.row(number))
            .map_err(|problem| place.error(problem))?;
    }
    if !closure.covers(&first) {
        return Err(Place::Start.error(Problem::NotCovered));
    }
    Ok(set.len as u64)
}

/// The positions of a certificate.
struct Set {
    width: usize,
    len: usize,
    pieces: Vec<Vec<u8>>,
    /// Their numbers, by their bytes.
    index: HashTable<u32>,
    hasher: DefaultHashBuilder,
}

impl Set {
    /// Reads the set. Memory grows with the positions that are there, not with the count.
    fn read(
        reader: &mut Reader<impl Read>,
        ground: &Ground,
        bounds: &Bounds<'_>,
    ) -> Result<Set, CheckError> {
        let failed = |number, error| Place::Table(number).format(error);
        let count = reader.count().map_err(|error| failed(0, error))?;
        let most = bounds.max_entries.min(u64::from(u32::MAX));
        if count > most {
            return Err(Place::Table(0).error(Problem::TooManyEntries(most)));
        }
        let mut set = Set::new(ground.width());
        let mut row: Row = [0; 32];
        for number in 1..=count {
            bounds.go_on(Place::Table(number))?;
            reader
                .row(&mut row[..set.width], number == 1)
                .map_err(|error| failed(number, error))?;
            set.push(&row);
        }
        set.build_index();
        Ok(set)
    }

    fn new(width: usize) -> Set {
        Set {
            width,
            len: 0,
            pieces: Vec::new(),
            index: HashTable::new(),
            hasher: DefaultHashBuilder::default(),
        }
    }

    /// Appends a position that is not in the set.
    fn push(&mut self, row: &Row) {
        if self.len.is_multiple_of(PIECE) {
            self.pieces.push(Vec::with_capacity(PIECE * self.width));
        }
        if let Some(piece) = self.pieces.last_mut() {
            piece.extend_from_slice(&row[..self.width]);
        }
        self.len += 1;
    }

    /// Makes all positions so far be found.
    fn build_index(&mut self) {
        let mut index = HashTable::with_capacity(self.len);
        for number in 0..self.len {
            let hash = self.hash(&self.row(number));
            index.insert_unique(hash, number as u32, |_| unreachable!("room was made"));
        }
        self.index = index;
    }

    fn row(&self, number: usize) -> Row {
        let begin = number % PIECE * self.width;
        let mut row = [0; 32];
        row[..self.width].copy_from_slice(&self.pieces[number / PIECE][begin..begin + self.width]);
        row
    }

    fn hash(&self, row: &Row) -> u64 {
        self.hasher.hash_one(row)
    }

    fn contains(&self, row: &Row) -> bool {
        self.index
            .find(self.hash(row), |&number| self.row(number as usize) == *row)
            .is_some()
    }
}

/// Decides whether positions are covered by a set.
struct Closure<'a> {
    ground: &'a Ground,
    set: &'a Set,
    /// Some positions that are lost because cards wait for each other.
    lost: HashSet<Row>,
}

impl<'a> Closure<'a> {
    fn new(ground: &'a Ground, set: &'a Set) -> Closure<'a> {
        Closure {
            ground,
            set,
            lost: HashSet::new(),
        }
    }

    /// Checks that an entry is a position that is not won and that play does not leave the set.
    fn check(&mut self, row: &Row) -> Result<(), Problem> {
        let position = self.ground.position(row).ok_or(Problem::NoTablePosition)?;
        if self.ground.is_won(&position) {
            return Err(Problem::Won);
        }
        let ground = self.ground;
        if ground.after_each_move(&position, &mut |next| self.covers(next)) {
            Ok(())
        } else {
            Err(Problem::NotCovered)
        }
    }

    /// Whether the position is lost if no position of the set can be won.
    fn covers(&mut self, position: &TablePosition) -> bool {
        if self.has(position) {
            return true;
        }
        let rested = self.ground.at_rest(*position);
        if rested != *position && self.has(&rested) {
            return true;
        }
        let row = self.ground.row(&rested);
        if self.lost.contains(&row) {
            return true;
        }
        let lost = waiting::is_dead(self.ground, &rested);
        if lost && self.lost.len() < MAX_REMEMBERED {
            self.lost.insert(row);
        }
        lost
    }

    /// Whether the set has the position, or one that differs only in that more redeals are left.
    fn has(&self, position: &TablePosition) -> bool {
        let mut row = self.ground.row(position);
        let last = self.ground.width() - 1;
        (position.left..=self.ground.most_left(position)).any(|left| {
            row[last] = left;
            self.set.contains(&row)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use klondike_engine::search::{Limits, Outcome, brute};
    use klondike_game::card::Card;
    use klondike_game::deal::Deal;
    use klondike_game::rules::{Deck, Layout, Redeals, Rules, Runs, Spaces};
    use klondike_game::table::Move;
    use rand::rngs::StdRng;
    use rand::seq::{IndexedRandom, SliceRandom};
    use rand::{RngExt, SeedableRng};
    use std::collections::BTreeSet;
    use std::sync::Arc;

    /// The bytes of all positions that the referee's moves reach from `table`, and of all that
    /// differ from these in the waste and the redeals left only.
    fn all_rows(ground: &Ground, table: &Table) -> BTreeSet<Row> {
        let mut seen = std::collections::HashSet::from([table.clone()]);
        let mut open = vec![table.clone()];
        let mut rows = BTreeSet::new();
        while let Some(table) = open.pop() {
            if table.pending().is_none() {
                let (_, mut position) = Ground::new(&table);
                let len = position.talon.len() as u8;
                for waste in 0..=len {
                    for left in 0..=ground.most_left(&position) {
                        (position.waste, position.left) = (waste, left);
                        rows.insert(ground.row(&position));
                    }
                }
            }
            for made in table.legal_moves() {
                let mut next = table.clone();
                next.make(made).unwrap();
                if made == Move::Redeal {
                    // Any number of redeals is among the bytes above.
                    let parts = klondike_game::table::TableParts {
                        redeals_used: 0,
                        ..next.to_parts()
                    };
                    next = Table::from_parts(Arc::clone(next.rules()), parts).unwrap();
                }
                if seen.insert(next.clone()) {
                    open.push(next);
                }
            }
        }
        rows
    }

    /// The largest set that the checker accepts: all positions, less those that are won or do not
    /// stay in the set, until nothing changes.
    fn largest_set(ground: &Ground, mut rows: BTreeSet<Row>) -> Set {
        loop {
            let mut set = Set::new(ground.width());
            for row in &rows {
                set.push(row);
            }
            set.build_index();
            let before = rows.len();
            let mut closure = Closure::new(ground, &set);
            rows.retain(|row| closure.check(row).is_ok());
            if rows.len() == before {
                return set;
            }
        }
    }

    /// Whatever certificate anybody could write: a game is proved lost exactly if it is.
    #[test]
    fn the_largest_sets_cover_exactly_the_lost_deals() {
        let mut rng = StdRng::seed_from_u64(43);
        let (mut won, mut dead, mut searched) = (0, 0, 0);
        while won < 800 || dead < 300 || searched < 400 {
            let deck = Deck::new(rng.random_range(1..=4), rng.random_range(2..=4)).unwrap();
            let piles = (0..rng.random_range(1..=3)).map(|_| rng.random_range(0..=4));
            let layout = Layout::new(piles.collect()).unwrap();
            if layout.card_count() > deck.len() || deck.len() > 9 {
                continue;
            }
            let redeals = [0, 1, 2].map(Redeals::Limited);
            let redeals = [&redeals[..], &[Redeals::Unlimited]].concat();
            let rules = Rules::builder()
                .deck(deck)
                .layout(layout.clone())
                .draw_count(rng.random_range(1..=3))
                .redeals(*redeals.choose(&mut rng).unwrap())
                .runs(
                    *[Runs::Partial, Runs::Whole, Runs::PartialIfPlayed]
                        .choose(&mut rng)
                        .unwrap(),
                )
                .spaces(
                    *[Spaces::Kings, Spaces::Any, Spaces::Nothing]
                        .choose(&mut rng)
                        .unwrap(),
                )
                .worrying_back(rng.random())
                .build()
                .unwrap();
            let mut cards: Vec<Card> = deck.cards().collect();
            cards.shuffle(&mut rng);
            let deal = Deal::from_row_order(deck, &layout, &cards).unwrap();
            let table = Table::new(Arc::new(rules), &deal).unwrap();
            let few = Limits {
                max_states: Some(3_000),
                ..Limits::default()
            };
            let can_be_won = match brute::solve_within(&table, &few).0 {
                Outcome::Found(_) => true,
                Outcome::Exhausted(_) => false,
                Outcome::Stopped(_) => continue,
            };
            let (ground, first) = Ground::new(&table);
            // Most losses need no set.
            let (count, most) = if can_be_won {
                (&mut won, 800)
            } else if waiting::is_dead(&ground, &ground.at_rest(first)) {
                (&mut dead, 300)
            } else {
                (&mut searched, 400)
            };
            if *count >= most {
                continue;
            }
            *count += 1;
            let rows = all_rows(&ground, &table);
            for row in &rows {
                let position = ground.position(row).unwrap();
                assert_eq!(ground.row(&position), *row);
            }
            let set = largest_set(&ground, rows);
            let covered = Closure::new(&ground, &set).covers(&first);
            assert_eq!(covered, !can_be_won, "{} {cards:?}", table.rules());
        }
    }
}
