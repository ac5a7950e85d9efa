//! The answer of `solve`: a verdict, or a best solution.

use klondike_engine::prove::best::{Fewest as FewestRedeals, Shortest};
use klondike_engine::prove::score::{BestScore, vegas_score};
use klondike_engine::prove::{Decision, Evidence, Verdict};
use klondike_engine::search::shortest::Count;
use klondike_game::rules::Rules;
use klondike_lemmas::prune::blocking::explain::Explanation;
use serde::{Deserialize, Serialize};

use crate::{LimitName, Line, VerdictName};

/// Whether a deal can be won, and how, or how well.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SolveAnswer {
    /// What was asked for.
    pub goal: Goal,
    /// Whether the deal can be won.
    pub verdict: VerdictName,
    /// The limit that ended the search before its goal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<LimitName>,
    /// The replayed solution.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub solution: Option<Line>,
    /// Why the deal cannot be won.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evidence: Option<Reason>,
    /// How short the solution, or the line to the best score, is.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fewest: Option<Fewest>,
    /// The best score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<Score>,
    /// The engine that answered: `kplus` or `table`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub engine: Option<&'static str>,
    /// States of the search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub states: Option<u64>,
    /// States of the search with fewer rules that guides it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub oracle_states: Option<u64>,
    /// States proved lost without a search below them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dead_ends: Option<u64>,
    /// Most memory of the tables of states, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_bytes: Option<u64>,
    /// The time of the search.
    pub microseconds: u64,
}

impl SolveAnswer {
    /// As much as a verdict says, without the line of play and the time.
    #[must_use]
    pub fn new(goal: Goal, verdict: &Verdict) -> SolveAnswer {
        SolveAnswer {
            goal,
            verdict: verdict.into(),
            limit: match verdict {
                Verdict::Undecided(limit) => Some((*limit).into()),
                _ => None,
            },
            solution: None,
            evidence: match verdict {
                Verdict::Unwinnable(evidence) => Some(evidence.into()),
                _ => None,
            },
            fewest: None,
            score: None,
            engine: None,
            states: None,
            oracle_states: None,
            dead_ends: None,
            memory_bytes: None,
            microseconds: 0,
        }
    }

    /// Whether a deal can be won.
    #[must_use]
    pub fn win(decision: &Decision) -> SolveAnswer {
        let stats = decision.stats;
        SolveAnswer {
            engine: Some(decision.engine.name()),
            states: Some(stats.states),
            oracle_states: Some(stats.oracle_states),
            dead_ends: Some(stats.dead_ends),
            memory_bytes: Some(stats.memory_bytes),
            ..SolveAnswer::new(Goal::Win, &decision.verdict)
        }
    }

    /// How short a solution is, as `count` counts.
    #[must_use]
    pub fn shortest(count: Count, known: &Shortest) -> SolveAnswer {
        let won = matches!(known.verdict, Verdict::Winnable(_));
        SolveAnswer {
            limit: known.limit.map(Into::into),
            fewest: won.then(|| Fewest {
                counting: count.name(),
                length: known.length.into(),
                at_least: known.at_least.into(),
                proved: known.is_proved(),
                states: None,
            }),
            states: Some(known.nodes.0),
            memory_bytes: Some(known.memory_bytes),
            ..SolveAnswer::new(Goal::Shortest, &known.verdict)
        }
    }

    /// With how few passes a deal can be won.
    #[must_use]
    pub fn fewest_passes(known: &FewestRedeals) -> SolveAnswer {
        let won = matches!(known.verdict, Verdict::Winnable(_));
        SolveAnswer {
            limit: known.limit.map(Into::into),
            fewest: won.then(|| Fewest {
                counting: "passes",
                length: known.redeals + 1,
                at_least: known.at_least + 1,
                proved: known.is_proved(),
                states: None,
            }),
            ..SolveAnswer::new(Goal::FewestPasses, &known.verdict)
        }
    }

    /// How many of the `cards` of the deck can be on the foundations, by the line of play `line`.
    #[must_use]
    pub fn best_score(known: &BestScore, cards: usize, line: Option<Line>) -> SolveAnswer {
        SolveAnswer {
            limit: known.limit.map(Into::into),
            score: Some(Score {
                cards: known.score,
                at_most: known.at_most,
                proved: known.is_proved(),
                of: cards,
                vegas: vegas_score(known.score, cards),
                line,
            }),
            states: Some(known.states),
            memory_bytes: Some(known.memory_bytes),
            ..SolveAnswer::new(Goal::BestScore, &known.verdict)
        }
    }
}

/// What `solve` looks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Goal {
    /// Any solution.
    #[default]
    Win,
    /// A shortest solution.
    Shortest,
    /// A solution with the fewest passes through the talon.
    FewestPasses,
    /// The most cards on the foundations.
    BestScore,
}

/// How short a line of play is.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Fewest {
    /// What is counted: `cards`, `draws`, `flips`, `redeals` or `passes`.
    pub counting: &'static str,
    /// The length of the line.
    pub length: u32,
    /// No line is shorter than this.
    pub at_least: u32,
    /// Whether the line is proved to be a shortest one.
    pub proved: bool,
    /// States of the search for it, if it was one of its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub states: Option<u64>,
}

/// The most cards on the foundations.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Score {
    /// Cards on the foundations after the line.
    pub cards: u8,
    /// No line gets more.
    pub at_most: u8,
    /// Whether the score is proved to be the best.
    pub proved: bool,
    /// Cards of the deck.
    pub of: usize,
    /// What the score is worth in Vegas: 5 for each card less 1 for each card of the deck.
    pub vegas: i32,
    /// The line of play.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<Line>,
}

/// Why a deal cannot be won.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Reason {
    /// `blocked`: cards wait for each other; `refuted`: shown without a search; `searched`: all
    /// positions that matter were searched.
    pub proof: &'static str,
    /// The rules it was proved for, if they allow more than those asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub weaker_rules: Option<Rules>,
    /// The cards that wait for each other, if it is blocked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub blocking_set: Option<Explanation>,
}

impl From<&Evidence> for Reason {
    fn from(evidence: &Evidence) -> Reason {
        Reason {
            proof: evidence.name(),
            weaker_rules: match evidence {
                Evidence::WeakerRules(rules, _) => Some(Rules::clone(rules)),
                _ => None,
            },
            blocking_set: match evidence.itself() {
                Evidence::Blocked(set) => Some(set.explain()),
                _ => None,
            },
        }
    }
}
