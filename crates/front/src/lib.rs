//! The library behind the crate `klondike`, which re-exports all of this: there it is described,
//! and there its users find it. It is a crate of its own so that the command, on which the package
//! `klondike` depends, can use it as well.

#[cfg(feature = "certificates")]
mod certificate;
mod error;
#[cfg(feature = "play")]
mod generate;
#[cfg(feature = "play")]
mod hidden;
mod progress;
mod solver;

#[cfg(feature = "certificates")]
pub use certificate::{
    Certified, CertifyError, CheckError, CheckLimits, Claim, FormatError, Place, Problem,
    ProvedVerdict, Verified, check, check_until,
};
pub use error::Error;
#[cfg(feature = "play")]
pub use generate::{Generate, GenerateError};
#[cfg(feature = "play")]
pub use hidden::{
    Advice, Advised, Candidate, Chance, Features, Found, Goal, Grade, Graded, Interval, Money,
    NoBelief, NoSuchGrade, NotGraded, Opinion, Rating, Thinking, Worth,
};
pub use klondike_engine::prove::analyse::Choice;
pub use klondike_engine::prove::best::Shortest;
pub use klondike_engine::prove::score::BestScore;
pub use klondike_engine::prove::{Decision, Engine, Evidence, Solution, Verdict, WrongSolution};
pub use klondike_engine::search::shortest::Count;
pub use klondike_engine::search::{Limit, Stats};
pub use klondike_game::card::{Card, CardSet, Color, ParseCardError, Rank, Suit};
pub use klondike_game::deal::seed::{DealId, DealRange, Scheme, Seed, SeedError};
pub use klondike_game::deal::{Deal, DealError, ParseDealError};
pub use klondike_game::rules::{
    Deck, Layout, MAX_PILES, Parameters, Redeals, Rules, RulesBuilder, RulesError, Runs, Spaces,
};
pub use klondike_game::table::notation::{Notation, NotationError};
pub use klondike_game::table::svg;
pub use klondike_game::table::{
    IllegalMove, Move, Pile, PileIndex, Table, TableError, TableParts, Undo,
};
pub use klondike_lemmas::kplus::Unsupported;
pub use klondike_lemmas::prune::blocking::explain::{BlockingSet, Explanation};
pub use klondike_lemmas::prune::{Lemma, Lemmas, UnknownLemma};
/// The parts of an [`Explanation`].
pub mod explain {
    pub use klondike_lemmas::prune::blocking::explain::{Located, Place, StuckPile, Wait};
}

pub use progress::{Bounds, Progress};
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
