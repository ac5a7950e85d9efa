//! `analyse`: what the legal moves are worth, and which move lost the game.

use klondike_contract::{
    AnalyseAnswer, JudgedGame, JudgedMove, NumberedMove, PlayedMove, VerdictName,
};
use klondike_engine::prove::analyse::{Loss, legal_moves, losing_move};
use klondike_engine::prove::{Verdict, decide};
use klondike_engine::search::Limits;
use klondike_game::table::{Move, Table};
use klondike_lemmas::prune::Lemmas;

use crate::request::{AnalyseOptions, RequestedGame};
use crate::start::Played;
use crate::{Control, Refusal};

pub(crate) fn answer(
    game: &RequestedGame,
    options: AnalyseOptions,
    control: &Control,
) -> Result<String, Refusal> {
    let played = Played::known(game)?;
    let limits = control.limits(&game.limits);
    // The moves are about as hard as the position: each part gets a share of the time left.
    let verdict = decide(&played.now, Lemmas::ALL, &half(&limits)).map_err(Refusal::program)?;
    let moves = judged(&played.now, &half(&limits))?;
    let judged_game = match options.game {
        true => Some(judge(&played, &limits)?),
        false => None,
    };
    let count = |verdict| moves.iter().filter(|one| one.verdict == verdict).count();
    played.envelope(AnalyseAnswer {
        verdict: (&verdict.verdict).into(),
        winning_moves: count(VerdictName::Winnable),
        undecided_moves: count(VerdictName::Undecided),
        critical: None,
        game: judged_game,
        lost_share: None,
        moves,
    })
}

/// The limits with half of the time that is left.
fn half(limits: &Limits) -> Limits {
    Limits {
        deadline: limits.deadline.map(|deadline| deadline.halfway()),
        ..limits.clone()
    }
}

/// The legal moves with their verdicts.
fn judged(table: &Table, limits: &Limits) -> Result<Vec<JudgedMove>, Refusal> {
    let choices = legal_moves(table, Lemmas::ALL, limits).map_err(Refusal::program)?;
    let one = |made, verdict: &Verdict| {
        let made = played_move(table, made)?;
        Ok(JudgedMove {
            text: made.written.clone(),
            made,
            verdict: verdict.into(),
        })
    };
    choices
        .iter()
        .map(|choice| one(choice.made, &choice.verdict))
        .collect()
}

fn played_move(table: &Table, made: Move) -> Result<PlayedMove, Refusal> {
    PlayedMove::make(&mut table.clone(), made).map_err(Refusal::program)
}

/// Which move lost the game, and the verdicts of all positions.
fn judge(played: &Played, limits: &Limits) -> Result<JudgedGame, Refusal> {
    let (start, moves) = (&played.start, &played.moves);
    let loss = losing_move(start, moves, Lemmas::ALL, limits).map_err(Refusal::program)?;
    let verdicts = (0..=moves.len()).map(|played| match loss.winnable_after(played) {
        Some(true) => VerdictName::Winnable,
        Some(false) => VerdictName::Unwinnable,
        None => VerdictName::Undecided,
    });
    let (mut lost_by, mut instead) = (None, Vec::new());
    if let Loss::At(number) = loss {
        let mut before = start.clone();
        for &made in &moves[..number] {
            before.make(made).map_err(Refusal::program)?;
        }
        let made = played_move(&before, moves[number])?;
        lost_by = Some(NumberedMove {
            number: number + 1,
            text: made.written.clone(),
            made,
        });
        let choices = judged(&before, limits)?.into_iter();
        let winning = choices.filter(|choice| choice.verdict == VerdictName::Winnable);
        instead = winning.map(|choice| choice.text).collect();
    }
    Ok(JudgedGame {
        outcome: loss.name(),
        lost_by,
        instead,
        verdicts: verdicts.collect(),
    })
}
