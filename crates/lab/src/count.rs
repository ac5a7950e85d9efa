//! Exact counts of deals, and of orders in which a talon can be taken.
//!
//! One file per kind of count; the definitions, formulae and arguments stand in
//! `docs/counting.md`. The figures they reproduce are those of De Ruiter, "Counting Classes of
//! Klondike Solitaire Configurations" (2012), and Donkersteeg (2010), section 3.1.

use std::fmt;

use num_bigint::BigUint;
use num_traits::{ToPrimitive, Zero};

use klondike_game::rules::Deck;

pub mod blocked;
pub mod draws;
pub mod locks;
pub mod one_move;
mod open;
pub mod unplayable;

pub use blocked::blocked;
pub use draws::draws;
pub use locks::{LockSample, Locks, sample_locked};
pub use one_move::{Deuce, OneMove, one_move};
pub use unplayable::unplayable;

/// How many of equally likely things have a property, exactly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Share {
    count: BigUint,
    total: BigUint,
}

impl Share {
    /// `count` of `total`.
    ///
    /// # Panics
    /// If `total` is zero or less than `count`: there is no such share.
    #[must_use]
    pub fn new(count: BigUint, total: BigUint) -> Share {
        assert!(!total.is_zero() && count <= total, "a share is at most all");
        Share { count, total }
    }

    /// How many have the property.
    #[must_use]
    pub fn count(&self) -> &BigUint {
        &self.count
    }

    /// How many there are.
    #[must_use]
    pub fn total(&self) -> &BigUint {
        &self.total
    }

    /// The share as a number, `0.0..=1.0`, to the precision of `f64`.
    #[must_use]
    pub fn to_f64(&self) -> f64 {
        match (self.count.to_f64(), self.total.to_f64()) {
            (Some(count), Some(total)) if total.is_finite() => count / total,
            _ => f64::NAN,
        }
    }

    /// The share as a decimal fraction with `digits` places after the point, rounded to nearest.
    #[must_use]
    pub fn decimal(&self, digits: u32) -> String {
        let scale = BigUint::from(10_u8).pow(digits);
        let scaled = (&self.count * &scale * 2_u8 + &self.total) / (&self.total * 2_u8);
        let (whole, places) = (&scaled / &scale, &scaled % &scale);
        if digits == 0 {
            whole.to_string()
        } else {
            format!("{whole}.{places:0>width$}", width = digits as usize)
        }
    }

    /// The same share of another total: for instance of all deals instead of all choices of open
    /// cards. `None` if it is no whole number of them.
    #[must_use]
    pub fn of(&self, total: &BigUint) -> Option<Share> {
        let scaled = &self.count * total;
        (!total.is_zero() && (&scaled % &self.total).is_zero())
            .then(|| Share::new(scaled / &self.total, total.clone()))
    }

    /// The same share of all deals of a deck: of all orders of its cards.
    #[must_use]
    pub fn of_deals(&self, deck: Deck) -> Option<Share> {
        self.of(&factorial(deck.len()))
    }
}

/// `72099595172416 of 28837689349669200 (0.0025001863)`.
impl fmt::Display for Share {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} ({})", self.count, self.total, self.decimal(10))
    }
}

impl From<&Share> for klondike_contract::counts::Share {
    fn from(share: &Share) -> Self {
        Self {
            count: share.count.to_string(),
            total: share.total.to_string(),
            share: share.to_f64(),
        }
    }
}

/// `n!`.
#[must_use]
pub fn factorial(n: usize) -> BigUint {
    (1..=n).map(BigUint::from).product()
}

/// Why something was not counted.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CountError {
    /// A talon of no cards, or of more than the limit.
    #[error("a talon of {cards} cards: it has 1 to {limit}")]
    TalonLength {
        /// Cards asked for.
        cards: usize,
        /// Most cards allowed.
        limit: usize,
    },
    /// A draw count of no cards.
    #[error("draw 0: at least one card must be turned")]
    DrawCount,
    /// The exact count would need too many intermediate results.
    #[error("the exact count needs more than {limit} {what}: use fewer or lower piles")]
    TooLarge {
        /// What would be too many.
        what: &'static str,
        /// How many are allowed.
        limit: usize,
    },
    /// No deals were to be sampled, or too many.
    #[error("{0} deals to sample: ask for 1 to {most}", most = locks::MAX_SAMPLES)]
    Samples(u64),
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_round_print_and_change_their_total() {
        let share = Share::new(BigUint::from(2_u8), BigUint::from(3_u8));
        assert_eq!(share.decimal(4), "0.6667");
        assert_eq!(share.decimal(0), "1");
        assert_eq!(
            share.of(&BigUint::from(12_u8)).unwrap().count(),
            &8_u8.into()
        );
        assert_eq!(share.of(&BigUint::from(10_u8)), None);
        let json = serde_json::to_value(klondike_contract::counts::Share::from(&share)).unwrap();
        assert_eq!((&json["count"], &json["total"]), (&"2".into(), &"3".into()));
        assert_eq!(json["share"].as_f64(), Some(2.0 / 3.0));
        assert_eq!(
            Share::new(1_u8.into(), 1_u8.into()).to_string(),
            "1 of 1 (1.0000000000)"
        );
    }
}
