//! Advice as an answer of the contract, for the service and for the command.

use klondike_contract::{AdviceAnswer, AdviceVerdict, AdvisedMove, Line};
use klondike_game::table::Table;
use klondike_game::table::notation::NotationError;
use klondike_play::advice::{Advice, Advised};

/// Advice for the position at `table`, with intervals of this confidence.
///
/// # Errors
/// If the advice is for another position.
pub fn answer(
    table: &Table,
    advice: &Advice,
    confidence: f64,
) -> Result<AdviceAnswer, NotationError> {
    let mut answer = AdviceAnswer {
        verdict: AdviceVerdict::Open,
        chance_at_most: None,
        solution: None,
        moves: Vec::new(),
        worlds: 0,
        worlds_drawn: 0,
        worlds_not_lost: 0,
        confidence,
    };
    match advice {
        Advice::Solved { moves, .. } => {
            answer.verdict = AdviceVerdict::Winnable;
            answer.solution = Some(Line::seen(table, moves)?);
        }
        Advice::Lost => answer.verdict = AdviceVerdict::Unwinnable,
        Advice::Hopeless {
            drawn,
            chance_at_most,
            ..
        } => {
            answer.verdict = AdviceVerdict::Hopeless;
            answer.chance_at_most = Some(*chance_at_most);
            answer.worlds_drawn = *drawn;
        }
        Advice::Open { moves, opinion, .. } => {
            answer.worlds = opinion.worlds;
            answer.worlds_drawn = opinion.drawn;
            answer.worlds_not_lost = opinion.alive;
            answer.moves = advised_moves(table, moves)?;
        }
    }
    Ok(answer)
}

/// The moves of advice for the position at `table`.
pub(crate) fn advised_moves(
    table: &Table,
    moves: &[Advised],
) -> Result<Vec<AdvisedMove>, NotationError> {
    let one = |one: &Advised| {
        Ok(AdvisedMove {
            line: Line::seen(table, &one.moves)?,
            chance: one.chance.map(|chance| chance.estimate),
            interval: one.chance.map(|chance| chance.interval),
            visits: one.visits,
            unknown: one.unknowns,
        })
    };
    moves.iter().map(one).collect()
}
