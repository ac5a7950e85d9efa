//! Verdicts: whether a deal can be won, and the evidence.
//!
//! [`decide`] picks the engine that covers the rules, searches, and replays every solution on the
//! referee before it is returned. Modules above this one see replayed solutions only.

pub mod analyse;
pub mod best;
#[cfg(feature = "certificates")]
pub mod certify;
pub mod fewest_moves;
pub mod score;
mod verdict;

use std::fmt;
use std::sync::Arc;

use klondike_lemmas::kplus::{self, Game, realize};
use klondike_lemmas::prune::blocking::Refutation;
use klondike_lemmas::prune::blocking::explain::BlockingSet;
use klondike_lemmas::prune::{Lemmas, weaker_rules};

use crate::search::passes::Passes;
use crate::search::shortest::line;
use crate::search::whole_runs::WholeRuns;
use crate::search::{self, Job, Limit, Limits, Outcome, Reason, Stats};
use klondike_game::table::Move::{self as TableMove, PileToFoundation};
use klondike_game::table::Table;

pub use verdict::{Evidence, Solution, Verdict, WrongSolution};

/// Which engine answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Engine {
    /// The search over K+ states.
    KPlus,
    /// The search over table states.
    Table,
}

impl Engine {
    /// The word used in text and JSON.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Engine::KPlus => "kplus",
            Engine::Table => "table",
        }
    }
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A verdict and how it was reached.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Decision {
    /// The verdict.
    pub verdict: Verdict,
    /// The engine that answered.
    pub engine: Engine,
    /// What the search did.
    pub stats: Stats,
}

/// Decides whether the game on `table` can be won.
///
/// Rules that the K+ state covers are searched there. Other rules first ask the K+ game of the same
/// position under [relaxed rules](klondike_game::rules::Rules::relaxed): if that game cannot be
/// won, this one cannot; if it can, its solution may be one here. If that does not decide,
/// limited redeals are searched on K+ states with the redeals left ([`search::passes`]), whole runs
/// on K+ states with holds ([`search::whole_runs`]), and all else on table states. Where there may
/// be a last pass by ones, the game of a player who never takes it is asked before that: its
/// solutions are solutions. Where draws reverse their groups and no redeal is left, the
/// [same game without](Table::without_reversed_groups) is decided.
///
/// In the middle of a double move its second half is the only legal move, so the position after it
/// is decided (`docs/abstraction.md`, section 8). The relaxed game of the position before it may be
/// won by other moves, and says nothing.
///
/// # Errors
/// If a solution found is refused by the referee, which is a bug.
pub fn decide(table: &Table, lemmas: Lemmas, limits: &Limits) -> Result<Decision, WrongSolution> {
    match table.pending() {
        Some(from) => decide_after(table, PileToFoundation { from }, lemmas, limits),
        None => decide_at_rest(table, lemmas, limits),
    }
}

/// Decides a position whose only legal move is `forced`.
fn decide_after(
    table: &Table,
    forced: TableMove,
    lemmas: Lemmas,
    limits: &Limits,
) -> Result<Decision, WrongSolution> {
    let mut after = table.clone();
    after.make(forced).expect("a pending double move is legal");
    let decision = decide_at_rest(&after, lemmas, limits)?;
    let verdict = match decision.verdict {
        Verdict::Winnable(solution) => {
            let moves = std::iter::once(forced).chain(solution.moves().iter().copied());
            Verdict::Winnable(Solution::replay(table, moves.collect())?)
        }
        // The reason is one of the position after the move. No other evidence says that.
        Verdict::Unwinnable(_) => Verdict::Unwinnable(Evidence::Searched),
        undecided @ Verdict::Undecided(_) => undecided,
    };
    Ok(Decision {
        verdict,
        ..decision
    })
}

/// Decides a position without a double move under way.
fn decide_at_rest(
    table: &Table,
    lemmas: Lemmas,
    limits: &Limits,
) -> Result<Decision, WrongSolution> {
    if let Ok(game) = Game::deciding(table) {
        let (outcome, stats) = search_kplus(&game, lemmas, limits);
        let verdict = match outcome {
            Outcome::Found(line) => Verdict::Winnable(play_out(table, &line)?),
            Outcome::Exhausted(why) => Verdict::Unwinnable(evidence(&game, why)),
            Outcome::Stopped(limit) => Verdict::Undecided(limit),
        };
        return Ok(Decision {
            verdict,
            engine: Engine::KPlus,
            stats,
        });
    }
    if table.in_last_pass() {
        let same = table.without_last_pass().expect("rules with a last pass");
        return decide_same(table, &same, lemmas, limits);
    }
    let mut stats = Stats::default();
    let mut relaxed = Vec::new();
    if let Some(game) = weaker_rules::game(table, lemmas) {
        let (outcome, relaxed_stats) = search_kplus(&game, lemmas, limits);
        stats = relaxed_stats;
        let verdict = match outcome {
            Outcome::Found(line) => {
                let solution = play_out_as_it_is(table, &line);
                relaxed = line;
                solution.map(Verdict::Winnable)
            }
            Outcome::Exhausted(why) => Some(Verdict::Unwinnable(Evidence::WeakerRules(
                Arc::clone(game.rules()),
                Box::new(evidence(&game, why)),
            ))),
            Outcome::Stopped(Limit::Interrupt) => Some(Verdict::Undecided(Limit::Interrupt)),
            Outcome::Stopped(_) => None,
        };
        if let Some(verdict) = verdict {
            return Ok(Decision {
                verdict,
                engine: Engine::KPlus,
                stats,
            });
        }
    }
    if let Some(never_switching) = table.without_last_pass() {
        let left = left_of(limits, &stats);
        let decision = decide_at_rest(&never_switching, lemmas, &left)?;
        stats.add(&decision.stats);
        let verdict = match decision.verdict {
            Verdict::Winnable(solution) => Some(Verdict::Winnable(solution.at(table)?)),
            Verdict::Undecided(Limit::Interrupt) => Some(decision.verdict),
            Verdict::Unwinnable(_) | Verdict::Undecided(_) => None,
        };
        if let Some(verdict) = verdict {
            return Ok(Decision {
                verdict,
                engine: decision.engine,
                stats,
            });
        }
    }
    if let Some(same) = table.without_reversed_groups() {
        let mut decision = decide_same(table, &same, lemmas, &left_of(limits, &stats))?;
        decision.stats.add(&stats);
        return Ok(decision);
    }
    let left = left_of(limits, &stats);
    let (engine, (outcome, search_stats)) = if let Ok(passes) = Passes::new(table) {
        (Engine::KPlus, passes.solve(lemmas, &left))
    } else if let Ok(whole_runs) = WholeRuns::new(table) {
        (Engine::KPlus, whole_runs.solve(lemmas, &left, &relaxed))
    } else {
        (Engine::Table, search::table::solve(table, lemmas, &left))
    };
    stats.add(&search_stats);
    Ok(Decision {
        verdict: verdict_at_table(table, outcome)?,
        engine,
        stats,
    })
}

/// Decides a position by the same game under other rules: that of the last pass by ones is draw 1
/// without a redeal, and reversed groups without a redeal are a game of another stock.
fn decide_same(
    table: &Table,
    same: &Table,
    lemmas: Lemmas,
    limits: &Limits,
) -> Result<Decision, WrongSolution> {
    let decision = decide_at_rest(same, lemmas, limits)?;
    let verdict = match decision.verdict {
        Verdict::Winnable(solution) => Verdict::Winnable(solution.at(table)?),
        // In the last pass the relaxed rules are the same in both games, and so is the stock.
        Verdict::Unwinnable(why @ Evidence::WeakerRules(..)) if table.in_last_pass() => {
            Verdict::Unwinnable(why)
        }
        Verdict::Unwinnable(_) => Verdict::Unwinnable(Evidence::Searched),
        undecided @ Verdict::Undecided(_) => undecided,
    };
    Ok(Decision {
        verdict,
        ..decision
    })
}

/// What the limits leave after a search.
fn left_of(limits: &Limits, stats: &Stats) -> Limits {
    let mut left = limits.clone();
    if let Some(max) = &mut left.max_states {
        *max = max.saturating_sub(stats.states + stats.oracle_states);
    }
    left
}

/// The verdict of a search that finds moves at the table.
fn verdict_at_table(table: &Table, outcome: Outcome) -> Result<Verdict, WrongSolution> {
    Ok(match outcome {
        Outcome::Found(moves) => Verdict::Winnable(Solution::replay(table, moves)?),
        Outcome::Exhausted(_) => Verdict::Unwinnable(Evidence::Searched),
        Outcome::Stopped(limit) => Verdict::Undecided(limit),
    })
}

fn search_kplus(game: &Game, lemmas: Lemmas, limits: &Limits) -> (Outcome<kplus::Move>, Stats) {
    let mut job = Job::new(game, lemmas, limits.clone());
    let outcome = search::depth_first::solve(&mut job, &game.start());
    (outcome, job.finish())
}

/// Plays a K+ line to a won state at the table, and on until all cards are up.
fn play_out(table: &Table, line: &[kplus::Move]) -> Result<Solution, WrongSolution> {
    let moves = realize::realize(table, line).map_err(|error| WrongSolution(error.to_string()))?;
    let moves = realize::to_the_end(table, moves)
        .ok_or_else(|| WrongSolution("the line found does not end in a win".to_owned()))?;
    Solution::replay(table, moves)
}

/// As [`play_out`], under stricter rules: if the line is one under them, too, with cards put where
/// the fewest runs have to be parked.
fn play_out_as_it_is(table: &Table, line: &[kplus::Move]) -> Option<Solution> {
    let moves = realize::to_the_end(table, line::realize(table, line)?)?;
    Solution::replay(table, moves).ok()
}

/// The evidence for a loss of `game` from its start for this reason.
fn evidence(game: &Game, why: Reason) -> Evidence {
    match why {
        Reason::Refuted(Refutation::Plain(blocked)) => {
            Evidence::Blocked(Box::new(BlockingSet::new(game, blocked)))
        }
        Reason::Refuted(Refutation::Twins | Refutation::Everything) => Evidence::Refuted,
        Reason::Searched => Evidence::Searched,
    }
}
