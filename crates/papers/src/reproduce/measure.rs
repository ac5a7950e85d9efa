//! What published figures count.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::sample::Job;

/// What is counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, JsonSchema, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// Share of the games that are won, in percent.
    #[default]
    Share,
    /// Mean number of card moves of won games.
    WonMoves,
    /// Mean number of moves of won games, draws and redeals included.
    WonRounds,
    /// Mean number of card moves of lost games.
    LostMoves,
    /// Mean number of cards on the foundations at the end of lost games.
    LostFoundation,
    /// Mean number of face-down cards at the end of lost games.
    LostFaceDown,
    /// Mean number of talon cards at the end of lost games.
    LostTalon,
    /// Share of the games that end with `from` to `to` cards on the foundations, in percent.
    Foundation,
    /// Share of the games that are won with `from` to `to` card moves, in percent.
    WonBetween,
    /// Share of the won games that take `from` card moves or more, in percent.
    LongWins,
    /// Share of the games that take `from` card moves or more, in percent.
    LongGames,
    /// Games won for each million card moves, if games end after `to` of them.
    WinsPerMillion,
    /// Share of the deals that can be won, in percent.
    Winnable,
    /// Share of the deals that can be won without worrying back, in percent.
    WinnableStrict,
    /// Share, of the deals that can be won, of those that need worrying back, in percent.
    NeedsWorryingBack,
    /// Share of the deals that are refuted without search, in percent.
    Refuted,
    /// Share, of the deals that cannot be won, of those that are refuted without search, in
    /// percent.
    RefutedLost,
    /// Share of the deals in which cards of several piles hold each other (type II), in percent.
    Locked,
    /// Share of the deals in which the top of the last pile is blocked by those under it, in
    /// percent.
    Capped,
    /// Exact share of the unplayable deals, in percent.
    Unplayable,
    /// Exact share of the deals whose only move is an ace of the tableau, in percent.
    OneMoveTableau,
    /// Exact share of the deals whose only move is an ace of the talon, in percent.
    OneMoveTalon,
    /// Exact share of the deals that one pile blocks (type I), in percent.
    Blocked,
    /// Exact number of orders in which a talon of `from` cards can be taken.
    Orders,
}

impl Measure {
    /// Whether it is in percent.
    #[must_use]
    pub fn is_share(self) -> bool {
        use Measure as M;
        !matches!(
            self,
            M::WonMoves
                | M::WonRounds
                | M::LostMoves
                | M::LostFoundation
                | M::LostFaceDown
                | M::LostTalon
                | M::WinsPerMillion
                | M::Orders
        )
    }

    /// What is done with the deals for it, without a player; `None` if it takes games.
    pub(super) fn job(self) -> Option<Job> {
        use Measure as M;
        match self {
            M::Winnable => Some(Job::Decide { strict: false }),
            M::WinnableStrict | M::NeedsWorryingBack => Some(Job::Decide { strict: true }),
            M::Refuted => Some(Job::Refute),
            M::RefutedLost => Some(Job::RefuteLost),
            M::Locked | M::Capped => Some(Job::Lock),
            _ => None,
        }
    }

    pub(super) fn is_exact(self) -> bool {
        use Measure as M;
        matches!(
            self,
            M::Unplayable | M::OneMoveTableau | M::OneMoveTalon | M::Blocked | M::Orders
        )
    }
}
