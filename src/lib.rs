//! Decides Klondike solitaire deals: winnable with a replayed solution, unwinnable with a proof, or
//! undecided with the limit that was hit.
//!
//! ```
//! use klondike::{Deal, Rules, Verdict};
//!
//! let deal: Deal = "solvitaire:3".parse()?; // or all 52 cards, in any format of other programs
//! match klondike::solve(&deal, &Rules::standard())? {
//!     Verdict::Winnable(solution) => println!("{solution}"),
//!     Verdict::Unwinnable(reason) => println!("{reason}"),
//!     Verdict::Undecided(limit) => println!("{limit}"),
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A certificate lets a stranger check the verdict. [`check`] shares with the search only cards,
//! rules and the referee:
//!
//! ```
//! # #[cfg(feature = "full")] {
//! use klondike::{CheckLimits, Deal, Rules, Solver};
//!
//! let deal: Deal = "solvitaire:1".parse()?;
//! let mut certificate = Vec::new();
//! Solver::new(Rules::standard()).prove(&deal, &mut certificate)?;
//! let verified = klondike::check(&certificate[..], &CheckLimits::default())?;
//! assert_eq!(verified.verdict(), "unwinnable");
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A hint for a person who does not see the face-down cards:
//!
//! ```
//! # #[cfg(feature = "full")] {
//! use klondike::{Advice, Deal, Notation, Rules, Solver, Table, Thinking};
//!
//! let solver = Solver::new(Rules::standard());
//! let table = Table::new(solver.rules().clone(), &"klondike:1".parse::<Deal>()?)?;
//! let thinking = Thinking { iterations: Some(20), ..Thinking::default() };
//! if let Advice::Open(moves, _) = solver.advise(&table, &thinking)? {
//!     println!("{}", Notation::Klondike.write(&table, &moves[0].moves)?);
//! }
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | question about a [`Deal`], or a [`Table`] in mid-game | call |
//! | --- | --- |
//! | Can it be won? | [`solve`], [`Solver::solve`] |
//! | Which moves keep it winnable? | [`Solver::analyse`] |
//! | What is the shortest solution? | [`Solver::shortest`] |
//! | How many cards can reach the foundations? | [`Solver::best_score`] |
//! | Can a stranger check the verdict? | [`Solver::prove`] and [`check`] |
//! | What to play when cards are hidden? | [`Solver::advise`] |
//! | How hard is it? | [`Solver::grade`] |
//! | Which deals can be won? | [`Solver::generate`] |
//!
//! [`Limits`] bound an answer in time, states and memory. Some examples below name items by the
//! crate they live in, such as `klondike_game::deal::Deal`; here it is `klondike::Deal`.
//!
//! | cargo feature | what it adds |
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
pub use certificate::{
    Certified, CertifyError, CheckError, CheckLimits, Claim, Place, Problem, Verified, check,
};
pub use error::Error;
#[cfg(feature = "play")]
pub use hidden::{
    Advice, Advised, Candidate, Features, Grade, Graded, Interval, NoBelief, NotGraded, Opinion,
    Rating, Thinking,
};
pub use klondike_engine::kplus::Unsupported;
pub use klondike_engine::prove::analyse::Choice;
pub use klondike_engine::prove::best::Shortest;
pub use klondike_engine::prove::score::BestScore;
pub use klondike_engine::prove::{Decision, Engine, Evidence, Solution, Verdict, WrongSolution};
pub use klondike_engine::prune::blocking::explain::Explanation;
pub use klondike_engine::prune::{Lemma, Lemmas, UnknownLemma};
pub use klondike_engine::search::shortest::Count;
pub use klondike_engine::search::{Limit, Stats};
pub use klondike_game::card::{Card, CardSet, Color, ParseCardError, Rank, Suit};
pub use klondike_game::deal::seed::{DealId, DealRange, Scheme, Seed, SeedError};
pub use klondike_game::deal::{Deal, DealError, ParseDealError};
pub use klondike_game::rules::{
    Deck, Layout, Redeals, Rules, RulesBuilder, RulesError, Runs, Spaces,
};
pub use klondike_game::table::notation::{Notation, NotationError};
pub use klondike_game::table::svg;
pub use klondike_game::table::{
    IllegalMove, Move, Pile, PileIndex, Table, TableError, TableParts, Undo,
};
pub use solver::{Limits, Solver, Start, StopFlag};

/// Whether a deal can be won: with a replayed solution if so, with the reason if not.
///
/// It searches with one thread until it knows, so the answer is never undecided. That nearly always
/// takes milliseconds, and can take minutes for rare deals under rare rules: a [`Solver`] has
/// limits.
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
