//! The best score of a position: the most cards that can be on the foundations, and its worth in
//! money.
//!
//! It begins with the verdict of [`decide`]: a deal that can be won has the best score there is.
//! The line to the score is replayed on the referee, and the cards are counted there.

use crate::prove::{Verdict, decide};
use crate::search::score::{ScoreNews, Scored};
use crate::search::shortest::line;
use crate::search::{Budget, Limit, Limits};
use klondike_game::table::{Move, Table};
use klondike_lemmas::kplus::Unsupported;
use klondike_lemmas::kplus::realize;
use klondike_lemmas::prune::Lemmas;

/// What is known of the best score of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BestScore {
    /// Whether the position can be won.
    pub verdict: Verdict,
    /// Cards on the foundations after `moves`, as the referee counts them.
    pub score: u8,
    /// No line of play brings more cards there.
    pub at_most: u8,
    /// A line from the position to this score.
    pub moves: Vec<Move>,
    /// What stopped the search, if it was stopped before the score was proved.
    pub limit: Option<Limit>,
    /// States visited by the searches for the verdict.
    pub verdict_states: u64,
    /// States stored by the search for the score.
    pub states: u64,
    /// Most memory of a search's own tables, in bytes.
    pub memory_bytes: u64,
}

impl BestScore {
    /// Whether the score is proved to be the best.
    #[must_use]
    pub fn is_proved(&self) -> bool {
        self.score == self.at_most
    }
}

/// The worth of a score in money under the rules of Vegas: a deck costs one unit for each of its
/// `cards` (52), and each card on the foundations pays five.
#[must_use]
pub fn vegas_score(score: u8, cards: usize) -> i32 {
    5 * i32::from(score) - cards as i32
}

/// Finds the most cards that can be on the foundations at the same time, from the position on
/// `table`.
///
/// The verdict may take half of the limits on time and states, the search for the score takes what
/// is left. `report` gets better scores and better upper bounds as they are found.
///
/// # Errors
/// That the rules are outside what the K+ state covers.
///
/// # Panics
/// If the referee refuses a line or counts other cards, which would be an error in this crate.
pub fn best_score(
    table: &Table,
    lemmas: Lemmas,
    limits: &Limits,
    report: &mut dyn FnMut(ScoreNews),
) -> Result<BestScore, Unsupported> {
    let game = Scored::new(table)?;
    let cards = table.rules().deck().len() as u8;
    let half = Limits {
        max_states: limits.max_states.map(|states| states / 2),
        deadline: limits.deadline.map(|deadline| deadline.halfway()),
        ..limits.clone()
    };
    let decision = decide(table, lemmas, &half).expect("the referee accepts the solution");
    let mut known = BestScore {
        verdict: decision.verdict,
        score: cards,
        at_most: cards,
        moves: Vec::new(),
        limit: None,
        verdict_states: decision.stats.states + decision.stats.oracle_states,
        states: 0,
        memory_bytes: decision.stats.memory_bytes,
    };
    match &known.verdict {
        Verdict::Winnable(solution) => {
            known.moves = solution.moves().to_vec();
            return Ok(known);
        }
        // Not all cards can get up.
        Verdict::Unwinnable(_) => known.at_most = cards - 1,
        Verdict::Undecided(_) => {}
    }
    let used = known.verdict_states;
    let mut budget = Budget::new(Limits {
        max_states: limits.max_states.map(|states| states.saturating_sub(used)),
        helpers: None,
        ..limits.clone()
    });
    let found = game.search(lemmas, known.at_most, &mut budget, report);
    let mut moves = line::realize(table, &found.line).expect("a line of legal moves");
    let mut after = play(table, &moves);
    if found.wins {
        let rest = realize::finish(&after).expect("a position that is won");
        after = play(&after, &rest);
        moves.extend(rest);
    }
    assert_eq!(after.foundation_count(), usize::from(found.score));
    known.score = found.score;
    known.at_most = found.at_most;
    known.moves = moves;
    known.limit = found.limit;
    known.states = budget.states();
    known.memory_bytes = known.memory_bytes.max(budget.most_bytes());
    if found.score == cards {
        let solution = super::Solution::replay(table, known.moves.clone());
        known.verdict = Verdict::Winnable(solution.expect("all cards are up"));
    } else if found.at_most < cards && matches!(known.verdict, Verdict::Undecided(_)) {
        known.verdict = Verdict::Unwinnable(super::Evidence::Searched);
    }
    Ok(known)
}

pub(super) fn play(table: &Table, moves: &[Move]) -> Table {
    let mut after = table.clone();
    for &made in moves {
        after.make(made).expect("a legal move of this position");
    }
    after
}
