//! What the moves of a position and those of a game are worth, with all cards known.

use crate::lost::{Reached, Walked, count_reached, walk};
use klondike_engine::prove::analyse::{
    Choice, CriticalMoves, Loss, critical_moves, legal_moves, losing_move,
};
use klondike_engine::prove::{Verdict, WrongSolution, decide};
use klondike_engine::search::{Limit, Limits};
use klondike_game::table::{IllegalMove, Move, Table};
use klondike_lemmas::kplus::Unsupported;
use klondike_lemmas::prune::Lemmas;

/// The bounds of one search that starts now. The deadline is that of the whole analysis.
pub type NewLimits<'a> = &'a dyn Fn() -> Limits;

/// Whether a deal can be won, now and after each move.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// Whether it can be won now.
    pub verdict: Verdict,
    /// The legal moves with their verdicts.
    pub choices: Vec<Choice>,
    /// The critical moves of the solution, if they were asked for and there is a solution.
    pub critical: Option<CriticalMoves>,
}

/// Decides a position and each legal move. `critical` asks for the critical moves of the solution:
/// those after which the game can be won, and after no other that the next move could not take
/// back.
///
/// # Errors
/// If the rules have no critical moves, or a solution is wrong.
pub fn analyse(
    table: &Table,
    critical: bool,
    limits: NewLimits<'_>,
) -> Result<Analysis, AnalysisError> {
    // The moves are about as hard as the position: they get the other half of the time.
    let verdict = decide(table, Lemmas::ALL, &half(limits()))?.verdict;
    let choices = legal_moves(table, Lemmas::ALL, &limits())?;
    let critical = match &verdict {
        Verdict::Winnable(solution) if critical => Some(
            critical_moves(table, solution.moves(), Lemmas::ALL, &limits())
                .map_err(AnalysisError::Critical)?,
        ),
        _ => None,
    };
    Ok(Analysis {
        verdict,
        choices,
        critical,
    })
}

/// The limits with half of the time that is left.
fn half(limits: Limits) -> Limits {
    Limits {
        deadline: limits.deadline.map(|deadline| deadline.halfway()),
        ..limits
    }
}

/// Which move lost a game.
#[derive(Clone, Debug)]
pub struct Judgement {
    /// The move, if one did.
    pub loss: Loss,
    /// The position before that move; otherwise the start.
    pub before: Table,
    /// The moves that kept the game winnable there.
    pub instead: Vec<Move>,
}

/// Finds the move that lost a game, and what would have kept it.
///
/// # Errors
/// If a move is illegal or a solution is wrong.
pub fn judge(
    start: &Table,
    moves: &[Move],
    limits: NewLimits<'_>,
) -> Result<Judgement, AnalysisError> {
    let loss = losing_move(start, moves, Lemmas::ALL, &limits())?;
    let (mut before, mut instead) = (start.clone(), Vec::new());
    if let Loss::At(number) = loss {
        before = after(start, &moves[..number])?;
        instead = legal_moves(&before, Lemmas::ALL, &limits())?
            .into_iter()
            .filter(|choice| matches!(choice.verdict, Verdict::Winnable(_)))
            .map(|choice| choice.made)
            .collect();
    }
    Ok(Judgement {
        loss,
        before,
        instead,
    })
}

/// The position after some moves.
///
/// # Errors
/// If a move is illegal.
pub fn after(start: &Table, moves: &[Move]) -> Result<Table, IllegalMove> {
    let mut table = start.clone();
    for &made in moves {
        table.make(made)?;
    }
    Ok(table)
}

/// Positions that are counted unless the limits give another number.
const MOST_POSITIONS: u64 = 1_000_000;

/// Random moves after which the walks are decided.
const WALKED: [u32; 5] = [5, 10, 20, 40, 80];

/// How many of the reachable positions are lost.
#[derive(Clone, Debug)]
pub enum LostShare {
    /// All positions were counted.
    Counted(Reached),
    /// Positions on random walks were decided, as there are more positions than this limit allows.
    Walked(Limit, Vec<Walked>),
}

/// Counts the reachable positions that are lost, or decides those on random walks.
///
/// # Errors
/// If the rules are not supported.
pub fn lost_share(
    table: &Table,
    walks: u32,
    seed: u64,
    limits: NewLimits<'_>,
) -> Result<LostShare, AnalysisError> {
    let mut bounds = half(limits());
    bounds.max_states = Some(bounds.max_states.unwrap_or(MOST_POSITIONS));
    let counted = count_reached(table, &bounds).map_err(AnalysisError::Lost)?;
    match counted {
        Ok(reached) => Ok(LostShare::Counted(reached)),
        Err(Limit::Interrupt) => Ok(LostShare::Walked(Limit::Interrupt, Vec::new())),
        Err(limit) => walk(table, walks, &WALKED, seed, limits)
            .map(|walked| LostShare::Walked(limit, walked))
            .map_err(AnalysisError::Lost),
    }
}

/// Why there is no analysis.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum AnalysisError {
    /// There are no critical moves under these rules.
    #[error("no critical moves: {0}; without them every legal move has its verdict all the same")]
    Critical(Unsupported),
    /// Lost positions cannot be counted under these rules.
    #[error(
        "no share of lost positions: {0}; ask for partial runs, unlimited redeals and kings in \
         empty piles"
    )]
    Lost(Unsupported),
    /// A move is illegal.
    #[error(transparent)]
    Move(#[from] IllegalMove),
    /// A solution is wrong, which is a bug.
    #[error(transparent)]
    Solution(#[from] WrongSolution),
}
