//! What a player thinks of a position and of its moves.

use crate::chance::Calibration;
use klondike_engine::search::Limit;
use klondike_game::table::Move;

/// What a player thinks of a position.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Thought {
    /// Nothing is hidden, and these moves win.
    Solved(Vec<Move>),
    /// Proven: nothing is hidden, and no moves win; or no move leads on; or every world there is is
    /// lost.
    Lost,
    /// All of so many worlds, drawn uniformly from those that agree with what is seen, are proven
    /// lost. Others, if there are any, may be won.
    Hopeless {
        /// Worlds drawn.
        drawn: u32,
    },
    /// Played for money: the most is to make these moves and to end the game. With nothing hidden
    /// they bring the most cards up.
    Best(Vec<Move>),
    /// Something is hidden.
    Open(Opinion),
}

/// What a player thinks of the moves of a position.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Opinion {
    /// The moves, the one the player would make first.
    pub candidates: Vec<Candidate>,
    /// Worlds that the moves were tried in: drawn uniformly from those that agree with what is seen
    /// and are not proven lost.
    pub worlds: u32,
    /// Worlds drawn uniformly from those that agree with what is seen.
    pub drawn: u32,
    /// Those of `drawn` that are not proven lost.
    pub alive: u32,
    /// Whether every world that agrees with what is seen was looked at, each once, instead of a
    /// sample.
    pub complete: bool,
    /// The limit that ended the thinking early.
    pub limit: Option<Limit>,
    /// What the values are worth.
    pub calibration: Calibration,
    /// What ending the game is worth, if it is played for money.
    pub money: Option<Money>,
}

/// A game of Vegas that may be ended at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Money {
    /// Cards of the deck, one unit each.
    pub deck: usize,
    /// The most cards up if it is ended here, five units each.
    pub up: usize,
}

impl Money {
    /// What so many cards up are worth.
    #[must_use]
    pub fn worth(self, cards: f64) -> f64 {
        5.0 * cards - self.deck as f64
    }
}

impl Opinion {
    /// The share of worlds that are not proven lost, 0 to 1; 1 if none was drawn.
    #[must_use]
    pub fn share(&self) -> f64 {
        match self.drawn {
            0 => 1.0,
            drawn => f64::from(self.alive) / f64::from(drawn),
        }
    }

    /// The estimated chance of winning after a move, 0 to 1, if the move was tried.
    #[must_use]
    pub fn chance(&self, candidate: &Candidate) -> Option<f64> {
        let tried = candidate.visits > 0 && self.money.is_none();
        tried.then(|| self.calibration.chance(candidate.value * self.share()))
    }

    /// What the game is expected to be worth after a move if it is played for money, and the
    /// standard error of that, if the move was tried.
    #[must_use]
    pub fn worth(&self, candidate: &Candidate) -> Option<(f64, f64)> {
        let money = self.money.filter(|_| candidate.visits > 0)?;
        let deck = money.deck as f64;
        // Worlds are drawn anew or again: there are no more than were drawn.
        let sample = match self.complete {
            true => candidate.visits,
            false => candidate.visits.min(self.worlds),
        };
        let error = 5.0 * deck * candidate.deviation / f64::from(sample).sqrt();
        // Values are means in single precision: further digits are noise.
        let worth = (money.worth(deck * candidate.value) * 1e4).round() / 1e4;
        Some((worth, error))
    }
}

/// A move with what leads to it.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Candidate {
    /// Moves at the table. All but the last can be taken back or only turn the talon.
    pub moves: Vec<Move>,
    /// How often it was tried.
    pub visits: u32,
    /// Its value in a world that is not proven lost, 0 to 1. [`Opinion::chance`] turns it into a
    /// chance of winning.
    pub value: f64,
    /// For money: how much the values of single worlds deviate from it.
    pub deviation: f64,
    /// How often the planner could not tell whether the world could be won after it.
    pub unknowns: u32,
}

#[cfg(test)]
mod tests {
    use super::*;
    use klondike_game::rules::Rules;

    /// Values are of worlds not proven lost; the chance is of all worlds.
    #[test]
    fn chances_count_the_worlds_that_are_proven_lost() {
        let candidate = Candidate {
            moves: Vec::new(),
            visits: 1,
            value: 0.6,
            deviation: 0.1,
            unknowns: 0,
        };
        let calibration = Calibration::of_tree(&Rules::standard());
        let mut opinion = Opinion {
            candidates: Vec::new(),
            worlds: 3,
            drawn: 4,
            alive: 3,
            complete: false,
            limit: None,
            calibration,
            money: None,
        };
        assert_eq!(
            opinion.chance(&candidate),
            Some(calibration.chance(0.75 * 0.6))
        );
        (opinion.drawn, opinion.alive) = (0, 0);
        assert_eq!(opinion.chance(&candidate), Some(calibration.chance(0.6)));
        // Of a move that was not tried nothing is known.
        let untried = Candidate {
            visits: 0,
            value: 0.0,
            ..candidate.clone()
        };
        assert_eq!(opinion.chance(&untried), None);
        // For money a value is a share of the deck: 31.2 cards here.
        opinion.money = Some(Money { deck: 52, up: 4 });
        let four = Candidate {
            visits: 4,
            ..candidate.clone()
        };
        let (worth, error) = opinion.worth(&four).unwrap();
        assert!((worth - (5.0 * 31.2 - 52.0)).abs() < 1e-9);
        let single = Candidate {
            value: f64::from(0.6_f32),
            ..four.clone()
        };
        assert_eq!(opinion.worth(&single).map(|(worth, _)| worth), Some(104.0));
        // Four visits, three worlds.
        assert!((error - 26.0 / 3.0_f64.sqrt()).abs() < 1e-9);
        assert_eq!(
            (opinion.chance(&four), opinion.worth(&untried)),
            (None, None)
        );
    }
}
