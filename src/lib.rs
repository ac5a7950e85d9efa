//! Decides deals of Klondike solitaire: winnable with a replayed solution, unwinnable with the
//! grounds for it, or undecided because a limit was hit.
//!
//! ```
//! use klondike::deal::seed::DealId;
//! use klondike::prove::{self, Verdict};
//! use klondike::prune::Lemmas;
//! use klondike::rules::Rules;
//! use klondike::search::Limits;
//! use klondike::table::Table;
//! use std::sync::Arc;
//!
//! let rules = Arc::new(Rules::standard());
//! let deal = "solvitaire:3".parse::<DealId>()?.deal(rules.deck(), rules.layout())?;
//! let table = Table::new(rules, &deal)?;
//! let decision = prove::decide(&table, Lemmas::ALL, &Limits::default())?;
//! let Verdict::Winnable(solution) = decision.verdict else {
//!     panic!("this deal can be won");
//! };
//! // The solution has been replayed already; here is how.
//! let mut replay = table;
//! for &made in solution.moves() {
//!     replay.make(made)?;
//! }
//! assert!(replay.is_won());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The modules, each standing on those above it:
//!
//! | module | what it is |
//! | --- | --- |
//! | [`card`] | suits, ranks, cards, sets of cards |
//! | [`rules`] | the parameters of a game, and named rule sets |
//! | [`deal`] | the cards before play; formats and seeds of other programs |
//! | [`table`] | the referee: the plain game, every rule variant |
//! | [`kplus`] | the packed state in which drawing is no move |
//! | [`prune`] | proven rules that let a search leave something out |
//! | [`parallel`] | jobs on several threads, results in order |
//! | [`search`] | the searches, their limits and their tables of states |
//! | [`prove`] | verdicts and the grounds for them |
//! | [`interval`] | confidence intervals for a share |
//! | [`play`] | views, our players and games with hidden cards |
//! | [`grade`] | how hard a deal is for who does not see all cards |
//! | [`published`] | players of published papers, and all players by name |
//! | [`estimate`] | counts and intervals over many deals |
//! | [`reproduce`] | published figures of players, and the games that stand for them |
//! | [`patience`] | general patience games from a JSON notation |
//! | [`cli`] | the command line |

pub mod card;
pub mod cli;
pub mod deal;
pub mod estimate;
pub mod grade;
pub mod interval;
pub mod kplus;
pub mod parallel;
pub mod patience;
pub mod play;
pub mod prove;
pub mod prune;
pub mod published;
pub mod reproduce;
pub mod rules;
pub mod search;
pub mod table;
