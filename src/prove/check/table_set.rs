//! Closed sets of positions at the table, for losses under any rules.
//!
//! Written from section 9 of `docs/certificate.md`: the set as the file holds it, and that every
//! needed move from each of its positions leads to one of it, or to a lost one.

use std::hash::BuildHasher;
use std::io::Read;

use hashbrown::{DefaultHashBuilder, HashSet, HashTable};

use super::board::{Ground, Position, Row};
use super::{CheckError, CheckLimits, Place, Problem, waiting};
use crate::prove::certificate::Reader;
use crate::table::Table;

/// Rows in one piece of memory.
const PIECE: usize = 1 << 12;

/// Most positions outside the set that are remembered because they are lost.
const MAX_REMEMBERED: usize = 1 << 19;

/// Checks that a position is lost.
pub(super) fn check_loss(
    reader: &mut Reader<impl Read>,
    start: &Table,
    limits: &CheckLimits,
) -> Result<u64, CheckError> {
    let (ground, first) = Ground::new(start);
    let set = Set::read(reader, &ground, limits)?;
    let mut closure = Closure {
        ground: &ground,
        set: &set,
        lost: HashSet::new(),
    };
    for number in 0..set.len {
        let place = Place::Table(number as u64 + 1);
        let Some(position) = ground.position(&set.row(number)) else {
            return Err(place.error(Problem::NoTablePosition));
        };
        if ground.is_won(&position) {
            return Err(place.error(Problem::Won));
        }
        let mut visit = |next: &_| closure.covers(next);
        if !ground.after_each_move(&position, &mut visit) {
            return Err(place.error(Problem::NotCovered));
        }
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
        limits: &CheckLimits,
    ) -> Result<Set, CheckError> {
        let failed = |number, error| Place::Table(number).format(error);
        let count = reader.count().map_err(|error| failed(0, error))?;
        let most = limits.max_entries.min(u64::from(u32::MAX));
        if count > most {
            return Err(Place::Table(0).error(Problem::TooManyEntries(most)));
        }
        let mut set = Set {
            width: ground.width(),
            len: 0,
            pieces: Vec::new(),
            index: HashTable::new(),
            hasher: DefaultHashBuilder::default(),
        };
        let mut row: Row = [0; 32];
        for number in 1..=count {
            let bytes = &mut row[..set.width];
            reader
                .row(bytes, number == 1)
                .map_err(|error| failed(number, error))?;
            if set.len.is_multiple_of(PIECE) {
                set.pieces.push(Vec::with_capacity(PIECE * set.width));
            }
            if let Some(piece) = set.pieces.last_mut() {
                piece.extend_from_slice(bytes);
            }
            set.len += 1;
        }
        let mut index = HashTable::with_capacity(set.len);
        for number in 0..set.len {
            let hash = set.hash(&set.row(number));
            // The rows increase, so that each is there once, and there is room for all.
            index.insert_unique(hash, number as u32, |_| unreachable!("room was made"));
        }
        set.index = index;
        Ok(set)
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

impl Closure<'_> {
    /// Whether the position is lost if no position of the set can be won.
    fn covers(&mut self, position: &Position) -> bool {
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
    fn has(&self, position: &Position) -> bool {
        let mut row = self.ground.row(position);
        let last = self.ground.width() - 1;
        (position.left..=self.ground.most_left(position)).any(|left| {
            row[last] = left;
            self.set.contains(&row)
        })
    }
}
