//! The fewest moves that bring a position to its best score.
//!
//! It begins with the best score. If the position can be won, the answer is a shortest solution.
//! Otherwise the search for the line starts once the score is proved. Every line is replayed on the
//! referee, and its length counted there.

use crate::prove::Verdict;
use crate::prove::best::{Decided, Lengths, shorten};
use crate::prove::score::{BestScore, best_score, play};
use crate::search::score::ScoreNews;
use crate::search::shortest::graph::{Graph, game_of};
use crate::search::shortest::score::ScoreSearch;
use crate::search::shortest::{Count, Ended, News, line};
use crate::search::{Budget, Limit, Limits};
use klondike_game::table::Table;
use klondike_lemmas::kplus::Unsupported;
use klondike_lemmas::prune::Lemmas;

/// What is known of the shortest lines to the best score of a position.
#[derive(Clone, Debug)]
pub struct FewestMoves {
    /// The best score, and the shortest line known to the score known.
    pub best: BestScore,
    /// Length of that line.
    pub length: u32,
    /// No line to the best score is shorter.
    pub at_least: u32,
    /// What stopped the search for the score or that for the line, if one was stopped.
    pub limit: Option<Limit>,
    /// States stored by the search for the line.
    pub states: u64,
}

impl FewestMoves {
    /// Whether the score is proved to be the best, and no line to it is shorter.
    #[must_use]
    pub fn is_proved(&self) -> bool {
        self.best.is_proved() && self.at_least >= self.length
    }
}

/// News of the searches, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FewestNews {
    /// Of the search for the score.
    Score(ScoreNews),
    /// Of the search for the line, in lengths.
    Moves(News),
}

/// Finds a line with the fewest moves, as `count` counts, of those from the position on `table` to
/// its best score.
///
/// The limits are for everything together: what [`best_score`] leaves of them is for the line.
///
/// # Errors
/// That the rules are outside what shortest solutions cover.
///
/// # Panics
/// If the referee refuses a line or counts differently, which would be an error in this crate.
pub fn fewest_moves(
    table: &Table,
    count: Count,
    lemmas: Lemmas,
    limits: &Limits,
    report: &mut dyn FnMut(FewestNews),
) -> Result<FewestMoves, Unsupported> {
    let game = game_of(table)?;
    let score_news = &mut |news| report(FewestNews::Score(news));
    let best = best_score(table, lemmas, limits, score_news)?;
    let length = count.length_of_line(table, &best.moves, &play(table, &best.moves));
    // A move puts up one card at most, and the best score is no lower than the one known.
    let missing = usize::from(best.score).saturating_sub(table.foundation_count());
    let mut known = FewestMoves {
        length,
        at_least: missing as u32,
        limit: best.limit,
        states: 0,
        best,
    };
    if !known.best.is_proved() {
        return Ok(known);
    }
    let used = known.best.verdict_states + known.best.states;
    let limits = Limits {
        max_states: limits.max_states.map(|states| states.saturating_sub(used)),
        helpers: None,
        ..limits.clone()
    };
    let mut news = |news| report(FewestNews::Moves(news));
    if let Verdict::Winnable(_) = &known.best.verdict {
        let decided = Decided {
            table,
            game: &game,
            verdict: known.best.verdict.clone(),
            memory_bytes: known.best.memory_bytes,
        };
        let shortest = shorten(decided, Lengths::any(count), &limits, &mut news);
        known.length = u32::from(shortest.length);
        known.at_least = known.at_least.max(u32::from(shortest.at_least));
        known.limit = shortest.limit;
        known.states = shortest.nodes.0;
        known.best.memory_bytes = shortest.memory_bytes;
        if let Verdict::Winnable(solution) = &shortest.verdict {
            known.best.moves = solution.moves().to_vec();
        }
        known.best.verdict = shortest.verdict;
        return Ok(known);
    }
    let root = Graph::new(&game, count).read(table);
    let root = root.expect("the table the game was made from");
    let mut budget = Budget::new(limits);
    let mut search = ScoreSearch::new(&game, count, known.best.score, lemmas, &mut news);
    let below = u16::try_from(known.length).ok();
    let better = match search.run(&root, below, &mut budget) {
        Ended::Shortest(line, cost) => {
            known.at_least = u32::from(cost);
            Some(line)
        }
        Ended::NoneBelow => {
            known.at_least = known.length.min(u32::from(Count::MOST));
            None
        }
        Ended::Stopped(limit, lower, better) => {
            known.at_least = known.at_least.max(u32::from(lower));
            known.limit = Some(limit);
            better.map(|(line, _)| line)
        }
    };
    known.states = search.stored() as u64;
    known.best.memory_bytes = known.best.memory_bytes.max(budget.most_bytes());
    if let Some(line) = better {
        let moves = line::realize(table, &line).expect("a line of legal moves");
        let end = play(table, &moves);
        let length = count.length_of_line(table, &moves, &end);
        assert_eq!(end.foundation_count(), usize::from(known.best.score));
        assert!(length < known.length && length >= known.at_least);
        known.length = length;
        known.best.moves = moves;
    }
    Ok(known)
}
