//! How much the leaves under the moves of a decision differ, for the intervals of money.

use super::Edge;
use crate::judge::Judged;

/// For each move of the decision the sum of the values of the leaves under it, and that of their
/// squares.
#[derive(Debug, Default)]
pub(super) struct Results {
    first: u32,
    sums: Vec<[f64; 2]>,
}

impl Results {
    /// Begins a decision between so many moves, whose edges follow each other.
    pub(super) fn begin(&mut self, first: u32, moves: u32) {
        self.first = first;
        self.sums.clear();
        self.sums.resize(moves as usize, [0.0; 2]);
    }

    /// Counts the value of a leaf under a move.
    pub(super) fn add(&mut self, edge: u32, value: f32) {
        let [sum, squares] = &mut self.sums[(edge - self.first) as usize];
        let value = f64::from(value);
        *sum += value;
        *squares += value * value;
    }

    /// What is to be said of the moves of the decision.
    pub(super) fn judged(&self, edges: &[Edge]) -> impl Iterator<Item = Judged> {
        let judged = edges.iter().zip(&self.sums);
        judged.map(|(edge, &sums)| Judged {
            exit: edge.exit,
            visits: edge.visits,
            value: f64::from(edge.value),
            deviation: deviation(edge.visits, sums),
            unknowns: edge.unknowns,
        })
    }
}

/// The deviation of so many values with these sums of them and of their squares. Of a single value
/// no more is known than that all lie between 0 and 1.
fn deviation(count: u32, [sum, squares]: [f64; 2]) -> f64 {
    let count = match count {
        0 | 1 => return 0.5,
        _ => f64::from(count),
    };
    let spread = squares - sum * sum / count;
    (spread / (count - 1.0)).max(0.0).sqrt()
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
        let found = [0, 3, 1].iter().zip(&results.sums);
        let found: Vec<f64> = found
            .map(|(&count, &sums)| deviation(count, sums))
            .collect();
        assert_eq!(found, [0.5, 0.25, 0.5]);
    }
}
