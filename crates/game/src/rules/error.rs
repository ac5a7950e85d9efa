//! What can be wrong with rules.

use crate::rules::{MAX_PILES, Rules};

/// What is wrong with a set of rules, or with the text of one of its parameters.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RulesError {
    /// The number of suits is not in `1..=4`.
    #[error("{0} suits: a deck has 1 to 4")]
    Suits(u64),
    /// The number of ranks is not in `1..=13`.
    #[error("{0} ranks: a suit has 1 to 13")]
    Ranks(u64),
    /// The number of piles is not in `1..=13`.
    #[error("{0} piles: a layout has 1 to {MAX_PILES}")]
    Piles(usize),
    /// The draw count is not in `1..=24`.
    #[error("draw {0}: the draw count is 1 to 24")]
    DrawCount(u64),
    /// Two ways to turn the talon that do not go together.
    #[error("reversed groups and a last pass by ones do not go together: take one of them")]
    ReversedLastPass,
    /// The piles hold more cards than the deck.
    #[error("the piles need {cards} cards, but the deck has only {deck}")]
    LayoutTooLarge {
        /// Cards the piles would hold.
        cards: usize,
        /// Cards the deck has.
        deck: usize,
    },
    /// Not the text of a layout.
    #[error(
        "`{}` is not a layout: write heights up to 255 (1,2,3), triangle:7 or rectangle:6x3",
        .0.escape_debug()
    )]
    LayoutText(String),
    /// Not the text of a rule for redeals.
    #[error(
        "`{}` redeals: write a number, `unlimited` or `last-pass-by-ones`",
        .0.escape_debug()
    )]
    RedealsText(String),
    /// Not the name of a run rule.
    #[error("`{}` runs: write partial, whole or partial-if-played", .0.escape_debug())]
    RunsText(String),
    /// Not the name of a rule for empty piles.
    #[error("`{}` spaces: write kings, any or nothing", .0.escape_debug())]
    SpacesText(String),
    /// Not a parameter with its value.
    #[error(
        "`{}` is not a parameter of the rules with its value: \
         write for example draw=1, redeals=2 or worrying-back=no",
        .0.escape_debug()
    )]
    Change(String),
    /// A parameter is there a second time.
    #[error("`{}` is there a second time", .0.escape_debug())]
    Twice(String),
    /// Not the name of a rule set.
    #[error(
        "there is no rule set `{}`; known: {}",
        .0.escape_debug(),
        Rules::NAMES.map(|(name, _)| name).join(" ")
    )]
    Name(String),
}
