//! Tells whether a Klondike solitaire deal can be won, and proves it.
//!
//! ```
//! use klondike::{Deal, Rules, Verdict};
//!
//! let deal: Deal = "solvitaire:3".parse()?;
//! match klondike::solve(&deal, &Rules::standard())? {
//!     Verdict::Winnable(solution) => println!("{solution}"),
//!     Verdict::Unwinnable(reason) => println!("{reason}"),
//!     Verdict::Undecided(limit) => println!("{limit}"),
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Deal`] reads itself from a seed or from any format that other programs write. [`solve`]
//! answers one question with default settings. A [`Solver`] has limits, several threads and a flag
//! to stop it, answers other questions too, and takes positions in mid-game ([`Table`]):
//!
//! | question | call |
//! | --- | --- |
//! | Can it be won? | [`solve`], [`Solver::solve`] |
//! | Which moves keep it winnable? | [`Solver::analyse`] |
//! | What is the shortest solution? | [`Solver::shortest`] |
//! | How many cards can get up, if it is lost? | [`Solver::best_score`] |
//! | Can a stranger check the verdict? | [`Solver::prove`] and [`check`] |
//! | What to play when cards are hidden? | [`Solver::advise`] |
//! | How hard is it? | [`Solver::grade`] |
//! | Which deals can be won? | [`Solver::generate`] |
//!
//! Nothing is printed that was not checked: the referee ([`Table`]) replays every solution, and
//! `check` shares no code with the search.
//!
//! # Features
//!
//! | feature | what it adds |
//! | --- | --- |
//! | `cli` (default) | the command `klondike`, and all features below |
//! | `full` | all features below |
//! | `certificates` | `Solver::prove` and `check` |
//! | `formats` | deals and positions in JSON, seeds of lonelybot's 2024 builds |
//! | `play` | `Solver::advise`, `Solver::grade`, `Solver::generate` |
//! | `threads` | several threads on one deal |

#[cfg(feature = "certificates")]
mod certificate;
mod error;
#[cfg(feature = "play")]
mod hidden;
mod solver;

#[cfg(feature = "certificates")]
pub use certificate::{Certified, CheckError, CheckLimits, Verified, check};
pub use error::Error;
#[cfg(feature = "play")]
pub use hidden::{Advice, Advised, Grade, Graded, Rating, Thinking};
pub use klondike_engine::prove::analyse::Choice;
pub use klondike_engine::prove::best::Shortest;
pub use klondike_engine::prove::score::BestScore;
pub use klondike_engine::prove::{Decision, Engine, Evidence, Solution, Verdict};
pub use klondike_engine::prune::{Lemma, Lemmas};
pub use klondike_engine::search::shortest::Count;
pub use klondike_engine::search::{Limit, Stats};
pub use klondike_game::card::{Card, Rank, Suit};
pub use klondike_game::deal::seed::{DealId, DealRange, Scheme, Seed};
pub use klondike_game::deal::{Deal, DealError, ParseDealError};
pub use klondike_game::rules::{
    Deck, Layout, Redeals, Rules, RulesBuilder, RulesError, Runs, Spaces,
};
pub use klondike_game::table::notation::Notation;
pub use klondike_game::table::{IllegalMove, Move, Table, TableError};
pub use solver::{Limits, Solver, Start, StopFlag};

/// Whether a deal can be won: with a replayed solution if so, with the reason if not.
///
/// It searches with one thread until it knows, which nearly always takes milliseconds, and can
/// take minutes for rare deals under rare rules: a [`Solver`] has limits.
///
/// ```
/// use klondike::{Deal, Rules, Verdict};
///
/// let deal: Deal = "klondike:5".parse()?;
/// let verdict = klondike::solve(&deal, &Rules::named("draw1")?)?;
/// assert!(matches!(verdict, Verdict::Winnable(_)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the deal does not fit the rules.
pub fn solve(deal: &Deal, rules: &Rules) -> Result<Verdict, Error> {
    Solver::new(rules.clone()).solve(deal)
}
