//! How moves are chosen on the way down the tree.

use crate::goal::Goal;

/// How a move is chosen on the way down. N are the visits of all moves of the node, n those of the
/// move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    /// UCB1 (Auer, Cesa-Bianchi & Fischer 2002): the highest value + c·√(ln N / n), moves without a
    /// visit first.
    Ucb1,
    /// PUCB (Rosin 2011) in the form of Silver et al. 2017: the highest value + c·p·√(N + 1) / (1 +
    /// n) with p the chance that the move is the best before anything is tried (`prior`). A move
    /// without a visit has the value of the node.
    Prior,
}

impl Selection {
    /// The factor c that won the most games (`docs/play.md`).
    #[must_use]
    pub const fn usual(self, goal: Goal) -> f64 {
        match (self, goal) {
            (Selection::Ucb1, Goal::Win) => 0.4,
            (Selection::Prior, Goal::Win) => 1.0,
            (Selection::Ucb1, Goal::Money) => 0.2,
            (Selection::Prior, Goal::Money) => 0.5,
        }
    }
}
