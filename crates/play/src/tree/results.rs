//! How much the leaves under the moves of a decision differ, for the intervals of money.

use super::Edge;
use crate::judge::Judged;

/// What this decision found under each of its moves; what was kept of the one before has no part.
#[derive(Debug, Default)]
pub(super) struct Results {
    first: u32,
    sums: Vec<Sums>,
}

/// Of the leaves under a move their number, the sum of their values, and that of the squares.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    count: u32,
    values: f64,
    squares: f64,
}

impl Results {
    /// Begins a decision between so many moves, whose edges follow each other.
    pub(super) fn begin(&mut self, first: u32, moves: u32) {
        self.first = first;
        self.sums.clear();
        self.sums.resize(moves as usize, Sums::default());
    }

    /// Counts the value of a leaf under a move.
    pub(super) fn add(&mut self, edge: u32, value: f32) {
        let sums = &mut self.sums[(edge - self.first) as usize];
        let value = f64::from(value);
        sums.count += 1;
        sums.values += value;
        sums.squares += value * value;
    }

    /// What is to be said of the moves of the decision.
    pub(super) fn judged(&self, edges: &[Edge]) -> impl Iterator<Item = Judged> {
        let judged = edges.iter().zip(&self.sums);
        judged.map(|(edge, sums)| Judged {
            exit: edge.exit,
            visits: edge.visits,
            value: f64::from(edge.value),
            deviation: sums.deviation(),
            unknowns: edge.unknowns,
        })
    }
}

impl Sums {
    /// The deviation of the values. Of a single value no more is known than that all lie between 0
    /// and 1.
    fn deviation(&self) -> f64 {
        let count = match self.count {
            0 | 1 => return 0.5,
            _ => f64::from(self.count),
        };
        let spread = self.squares - self.values * self.values / count;
        (spread / (count - 1.0)).max(0.0).sqrt()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deviations_are_those_of_the_values() {
        let mut results = Results::default();
        results.begin(0, 1);
        results.add(0, 1.0);
        results.begin(7, 3);
        for value in [0.25, 0.5, 0.75] {
            results.add(8, value);
        }
        results.add(9, 0.125);
        let found: Vec<f64> = results.sums.iter().map(Sums::deviation).collect();
        assert_eq!(found, [0.5, 0.25, 0.5]);
    }
}
