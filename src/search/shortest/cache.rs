//! The marks of nodes that were met lately, so that they need not be found again.

use crate::search::shortest::bound::Marks;

/// Number of places; a power of two.
const PLACES: usize = 1 << 14;

/// Marks by number of node. A later node takes the place of an earlier one.
#[derive(Debug)]
pub(super) struct Cache {
    places: Vec<(u32, Marks)>,
}

impl Cache {
    pub(super) fn new() -> Cache {
        Cache {
            places: vec![(u32::MAX, Marks::default()); PLACES],
        }
    }

    /// Bytes it takes.
    pub(super) const BYTES: u64 = (PLACES * size_of::<(u32, Marks)>()) as u64;

    pub(super) fn get(&self, number: u32) -> Option<&Marks> {
        let (owner, marks) = &self.places[number as usize & (PLACES - 1)];
        (*owner == number).then_some(marks)
    }

    pub(super) fn set(&mut self, number: u32, marks: &Marks) {
        self.places[number as usize & (PLACES - 1)] = (number, *marks);
    }
}
