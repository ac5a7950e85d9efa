//! `grade`: how hard a deal is.

use klondike_contract::{Features, GradeAnswer, VerdictName};
use klondike_lemmas::prune::Lemmas;
use klondike_play::grade::{GAMES, Graded, WIDTHS, grade, version};

use crate::request::RequestedGame;
use crate::start::Played;
use crate::{Control, Refusal};

pub(crate) fn answer(game: &RequestedGame, control: &Control) -> Result<String, Refusal> {
    let played = Played::known(game)?;
    let mut limits = control.limits(&game.limits);
    limits.helpers = None;
    let graded = grade(&played.now, Lemmas::ALL, &limits).map_err(Refusal::data)?;
    let rating = graded.rating();
    played.envelope(GradeAnswer {
        verdict: match graded {
            Graded::Winnable(_) | Graded::WithoutScale(_) => VerdictName::Winnable,
            Graded::Unwinnable => VerdictName::Unwinnable,
            Graded::Undecided(_) => VerdictName::Undecided,
        },
        limit: graded.limit().map(Into::into),
        grade_version: version(played.now.rules()),
        grade: rating.map(|rating| rating.grade.get()),
        chance: rating
            .and_then(|rating| rating.chance)
            .map(|chance| (chance * 1e4).round() / 1e4),
        features: rating.map(|rating| Features {
            games: GAMES,
            wins: rating.features.wins,
            cards: rating.features.cards,
            beam: WIDTHS.get(rating.features.beam as usize).copied(),
        }),
    })
}
