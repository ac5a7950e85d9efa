//! `grade`: how hard a deal is.

use klondike_lemmas::prune::Lemmas;
use klondike_play::grade::grade;

use crate::request::RequestedGame;
use crate::start::Played;
use crate::{Control, Refusal};

pub(crate) fn answer(game: &RequestedGame, control: &Control) -> Result<String, Refusal> {
    let played = Played::known(game)?;
    let mut limits = control.limits(&game.limits);
    limits.helpers = None;
    let graded = grade(&played.now, Lemmas::ALL, &limits);
    let graded = graded.map_err(|why| crate::grade::refused(&why, &why))?;
    played.envelope(crate::grade::answer(played.now.rules(), &graded))
}
