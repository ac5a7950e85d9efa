//! Advice as an answer of the contract, for the service and for the command.

use klondike_contract::{AdviceAnswer, AdviceVerdict, AdvisedMove, Line};
use klondike_engine::prove::score::vegas_score;
use klondike_game::table::notation::NotationError;
use klondike_game::table::{Move, Table};
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
        worth: None,
        worth_now: None,
        moves: Vec::new(),
        worlds: 0,
        worlds_drawn: 0,
        worlds_not_lost: 0,
        confidence,
        limit: None,
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
        Advice::End { moves, .. } => {
            answer.verdict = AdviceVerdict::End;
            answer.solution = Some(Line::seen(table, moves)?);
            let (cards, deck) = (cards_up_after(table, moves), table.rules().deck().len());
            let worth = f64::from(vegas_score(cards as u8, deck));
            (answer.worth, answer.worth_now) = (Some(worth), Some(worth));
        }
        Advice::Open { moves, opinion, .. } => {
            let best = moves.first().and_then(|best| best.worth);
            answer.worth = best.map(|worth| worth.estimate);
            answer.worth_now = opinion.money.map(|money| money.worth(money.up as f64));
            answer.worlds = opinion.worlds;
            answer.worlds_drawn = opinion.drawn;
            answer.worlds_not_lost = opinion.alive;
            answer.moves = advised_moves(table, moves)?;
            answer.limit = opinion.limit.map(Into::into);
        }
    }
    Ok(answer)
}

/// The cards on the foundations after these moves.
fn cards_up_after(table: &Table, moves: &[Move]) -> usize {
    let mut after = table.clone();
    for &made in moves {
        if after.make(made).is_err() {
            break;
        }
    }
    after.foundation_count()
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
            worth: one.worth.map(|worth| worth.estimate),
            worth_interval: one.worth.map(|worth| worth.interval),
            visits: one.visits,
            unknown: one.unknowns,
        })
    };
    moves.iter().map(one).collect()
}
