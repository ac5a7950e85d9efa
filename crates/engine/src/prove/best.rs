//! The best solutions: shortest ones, and those with the fewest passes through the talon.
//!
//! Both begin with the verdict of [`decide`], which is fast for nearly all deals. Every solution
//! returned here was replayed on the referee, and its length counted there.

use std::sync::Arc;

use crate::prove::{Solution, Verdict, WrongSolution, decide};
use crate::search::shortest::graph::{Graph, game_of};
use crate::search::shortest::{Count, Ended, News, ShortestSearch, line};
use crate::search::{Budget, Limit, Limits};
use klondike_game::rules::Redeals;
use klondike_game::table::{Table, TableParts};
use klondike_lemmas::kplus::{Game, Unsupported};
use klondike_lemmas::prune::Lemmas;

/// What is known of the shortest solutions of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Shortest {
    /// Whether it can be won; with the shortest solution known if so.
    pub verdict: Verdict,
    /// Length of that solution, in moves as the [`Count`] counts; 0 if there is none.
    pub length: u16,
    /// No solution is shorter than this, in the same moves; 0 if there is none, or none is known.
    pub at_least: u16,
    /// What stopped the search, if it was stopped.
    pub limit: Option<Limit>,
    /// Nodes stored and expanded.
    pub nodes: (u64, u64),
    /// Most memory of the search's own tables, in bytes.
    pub memory_bytes: u64,
}

impl Shortest {
    /// Whether the solution is proved to be a shortest one.
    #[must_use]
    pub fn is_proved(&self) -> bool {
        matches!(self.verdict, Verdict::Winnable(_)) && self.at_least >= self.length
    }
}

/// Searches for a shortest solution of the position on `table`, as `count` counts.
///
/// `report` gets every better solution and every better lower bound, as lengths.
///
/// # Errors
/// That the rules are outside what the K+ state covers.
///
/// # Panics
/// If the referee refuses a solution or counts it differently, which would be an error in this
/// crate.
pub fn shortest(
    table: &Table,
    count: Count,
    lemmas: Lemmas,
    limits: &Limits,
    report: &mut dyn FnMut(News),
) -> Result<Shortest, Unsupported> {
    let lengths = Lengths::any(count);
    shortest_up_to(table, lengths, lemmas, limits, report)
}

/// Which solutions are looked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lengths {
    /// What counts as a move.
    pub count: Count,
    /// Most moves of a solution.
    pub most: u16,
}

impl Lengths {
    /// Solutions of any length.
    #[must_use]
    pub const fn any(count: Count) -> Lengths {
        Lengths {
            count,
            most: u16::MAX,
        }
    }
}

/// As [`shortest`], but for solutions of at most [`Lengths::most`] moves only, which is quicker: if
/// there are none, [`Shortest::at_least`] is above that number, and the solution known may not be a
/// shortest one.
///
/// # Errors
/// As [`shortest`].
///
/// # Panics
/// As [`shortest`].
pub fn shortest_up_to(
    table: &Table,
    lengths: Lengths,
    lemmas: Lemmas,
    limits: &Limits,
    report: &mut dyn FnMut(News),
) -> Result<Shortest, Unsupported> {
    let game = game_of(table)?;
    let decision = decide(table, lemmas, limits).expect("the referee accepts the solution");
    let decided = Decided {
        table,
        game: &game,
        verdict: decision.verdict,
        memory_bytes: decision.stats.memory_bytes,
    };
    Ok(shorten(decided, lengths, limits, report))
}

/// A position that was decided.
pub(super) struct Decided<'a> {
    pub(super) table: &'a Table,
    pub(super) game: &'a Game,
    pub(super) verdict: Verdict,
    /// Most memory that it took.
    pub(super) memory_bytes: u64,
}

/// As [`shortest_up_to`], from the solution of a position that was decided.
pub(super) fn shorten(
    decided: Decided<'_>,
    lengths: Lengths,
    limits: &Limits,
    report: &mut dyn FnMut(News),
) -> Shortest {
    let Decided {
        table,
        game,
        verdict,
        memory_bytes,
    } = decided;
    let Lengths { count, most } = lengths;
    let mut known = Shortest {
        verdict,
        length: 0,
        at_least: 0,
        limit: None,
        nodes: (0, 0),
        memory_bytes,
    };
    let Verdict::Winnable(first) = &known.verdict else {
        if let Verdict::Undecided(limit) = known.verdict {
            known.limit = Some(limit);
        }
        return known;
    };
    let flips = count.of_flips(table);
    known.length = count.length(table, first.moves());
    report(News::Found(known.length));
    let root = Graph::new(game, count).read(table);
    let root = root.expect("the table the game was made from");
    let mut budget = Budget::new(limits.without_helpers());
    let mut with_flips = |news| {
        report(match news {
            News::Found(cost) => News::Found(cost + flips),
            News::AtLeast(cost) => News::AtLeast(cost + flips),
        });
    };
    let mut search = ShortestSearch::new(game, count, &mut with_flips);
    let below = known.length.min(most.saturating_add(1));
    let ended = search.run(&root, Some(below.saturating_sub(flips)), &mut budget);
    known.nodes = (search.stored() as u64, search.expanded);
    known.memory_bytes = known.memory_bytes.max(budget.most_bytes());
    let better = match ended {
        Ended::Shortest(line, cost) => {
            known.at_least = cost + flips;
            Some(line)
        }
        Ended::NoneBelow => {
            known.at_least = below.min(Count::MOST + flips);
            None
        }
        Ended::Stopped(limit, lower, better) => {
            known.at_least = lower + flips;
            known.limit = Some(limit);
            better.map(|(line, _)| line)
        }
    };
    if let Some(line) = better {
        let moves = line::realize(table, &line).expect("a line of legal moves");
        let length = count.length(table, &moves);
        assert!(length < known.length && length >= known.at_least);
        known.length = length;
        let solution = Solution::replay(table, moves).expect("a line that wins");
        known.verdict = Verdict::Winnable(solution);
    }
    known
}

/// What is known of the number of redeals that a win needs.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Fewest {
    /// Whether the position can be won at all under its rules; with a solution with the fewest
    /// redeals known if so.
    pub verdict: Verdict,
    /// Redeals of that solution from here on; the passes are one more.
    pub redeals: u32,
    /// No solution has fewer; 0 if there is none, or none is known.
    pub at_least: u32,
    /// What stopped the search, if it was stopped.
    pub limit: Option<Limit>,
}

impl Fewest {
    /// Whether the number of redeals is proved to be the least.
    #[must_use]
    pub fn is_proved(&self) -> bool {
        matches!(self.verdict, Verdict::Winnable(_)) && self.at_least >= self.redeals
    }
}

/// Why there are no fewest redeals.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum NoFewest {
    /// There may be a last pass by ones, beside which redeals have no order.
    #[error("no fewest passes with a last pass by ones; ask with unlimited redeals")]
    LastPass,
    /// A solution found was refused by the referee, which is a bug.
    #[error(transparent)]
    WrongSolution(#[from] WrongSolution),
}

/// Finds the fewest redeals with which the position on `table` can be won.
///
/// # Errors
/// If there may be a last pass by ones, or a solution found is refused by the referee, which is a
/// bug.
pub fn fewest_passes(table: &Table, lemmas: Lemmas, limits: &Limits) -> Result<Fewest, NoFewest> {
    if table.rules().redeals() == Redeals::LastPassByOnes {
        return Err(NoFewest::LastPass);
    }
    let verdict = decide(table, lemmas, limits)?.verdict;
    let mut known = Fewest {
        verdict,
        redeals: 0,
        at_least: 0,
        limit: None,
    };
    let Verdict::Winnable(solution) = &known.verdict else {
        if let Verdict::Undecided(limit) = known.verdict {
            known.limit = Some(limit);
        }
        return Ok(known);
    };
    let redeals = |solution: &Solution| {
        let redeal =
            |made: &&klondike_game::table::Move| **made == klondike_game::table::Move::Redeal;
        solution.moves().iter().filter(redeal).count() as u32
    };
    known.redeals = redeals(solution);
    while known.at_least < known.redeals {
        let rules = table.rules().to_builder();
        let rules = rules.redeals(Redeals::Limited(known.at_least)).build();
        let rules = Arc::new(rules.expect("checked rules but for the redeals"));
        let parts = TableParts {
            redeals_used: 0,
            ..table.to_parts()
        };
        let limited = Table::from_parts(rules, parts).expect("a position with fewer redeals");
        match decide(&limited, lemmas, limits)?.verdict {
            Verdict::Winnable(solution) => {
                known.redeals = redeals(&solution);
                known.verdict = Verdict::Winnable(solution);
                break;
            }
            Verdict::Unwinnable(_) => known.at_least += 1,
            Verdict::Undecided(limit) => {
                known.limit = Some(limit);
                break;
            }
        }
    }
    Ok(known)
}
