//! A grade as an answer of the contract, for the service and for the command.

use std::fmt;

use klondike_contract::{ErrorCode, Features, GradeAnswer, VerdictName};
use klondike_game::rules::Rules;
use klondike_play::grade::{GAMES, Graded, NotGraded, WIDTHS, version};

use crate::Refusal;

/// What is known of a deal of these rules.
#[must_use]
pub fn answer(rules: &Rules, graded: &Graded) -> GradeAnswer {
    let rating = graded.rating();
    GradeAnswer {
        verdict: match graded {
            Graded::Winnable(_) | Graded::WithoutScale(_) => VerdictName::Winnable,
            Graded::Unwinnable => VerdictName::Unwinnable,
            Graded::Undecided(_) => VerdictName::Undecided,
        },
        limit: graded.limit().map(Into::into),
        grade_version: version(rules),
        grade: rating.map(|rating| rating.grade.get()),
        // Four digits: more would be noise.
        chance: rating
            .and_then(|rating| rating.chance)
            .map(|chance| (chance * 1e4).round() / 1e4),
        features: rating.map(|rating| Features {
            games: GAMES,
            wins: rating.features.wins,
            cards: rating.features.cards,
            beam: WIDTHS.get(rating.features.beam as usize).copied(),
        }),
    }
}

/// The refusal of a deal that gets no grade, in the words of `error`.
pub(crate) fn refused(why: &NotGraded, error: impl fmt::Display) -> Refusal {
    let refusal = Refusal::data(error);
    match why {
        NotGraded::TooFewWinnable => refusal.with_code(ErrorCode::NoGrades),
        _ => refusal,
    }
}
