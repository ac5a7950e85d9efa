//! Exact counts of deals and of orders of the talon.

use klondike_batch::interval::Interval;
use serde::Serialize;

/// What was counted; the fields depend on it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CountAnswer {
    /// `unplayable`, `one-move`, `blocked`, `locked` or `draws`.
    pub what: &'static str,
    /// What that means.
    pub definition: &'static str,
    /// The count.
    #[serde(flatten)]
    pub counted: Counted,
}

/// What was counted.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum Counted {
    /// Deals, exactly.
    Deals(Share),
    /// One-move deals, exactly.
    OneMove {
        /// Whether the two of the ace's suit may follow it.
        deuce: Deuce,
        /// The ace is the top of a pile.
        tableau: Share,
        /// The ace is in the talon.
        talon: Share,
    },
    /// Orders in which a talon can be taken.
    Draws {
        /// Cards of the talon.
        cards: usize,
        /// Cards drawn at once.
        draw: usize,
        /// The number of orders, in decimal digits.
        count: String,
    },
    /// Random deals.
    Sample {
        /// Seed of the random deals.
        seed: u64,
        /// Deals looked at.
        deals: u64,
        /// Those that a single pile blocks (type I).
        blocked: u64,
        /// Those that are locked (type II; every blocked deal is locked).
        locked: u64,
        /// The share of locked deals.
        share: f64,
        /// Confidence of the intervals.
        confidence: f64,
        /// Wilson's interval.
        wilson: Interval,
        /// The interval of Clopper and Pearson.
        clopper_pearson: Interval,
    },
}

/// How many of equally likely cases have a property, exactly.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Share {
    /// Cases counted, in decimal digits: there may be 68.
    pub count: String,
    /// All cases.
    pub total: String,
    /// Their ratio.
    pub share: f64,
}

/// Whether a deal is still a one-move deal if the two of the ace's suit can follow the ace to the
/// foundation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Deuce {
    /// It is: the move of that two is not looked for. This gives the published share for aces on
    /// the tableau.
    MayFollow,
    /// It is not: the move of the ace must be the only one of the whole game.
    MustNot,
}
