//! Why a question has no answer.

use klondike_engine::prove::WrongSolution;
use klondike_game::table::TableError;
use klondike_lemmas::kplus::Unsupported;

/// Why a question has no answer. A limit that is hit is no error: see
/// [`Verdict::Undecided`](crate::Verdict::Undecided).
///
/// ```
/// use klondike::{Deal, Error, Layout, Rules};
///
/// let rules = Rules::builder().layout(Layout::triangle(6)?).build()?;
/// let error = klondike::solve(&"klondike:5".parse::<Deal>()?, &rules).unwrap_err();
/// assert!(matches!(error, Error::Table(_)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The deal does not fit the rules, for example in its number of cards.
    #[error(transparent)]
    Table(#[from] TableError),
    /// The position has other rules than the solver.
    #[error("the position has other rules than the solver")]
    OtherRules,
    /// This question has no answer under these rules.
    #[error("this question has no answer under these rules: {0}")]
    Unsupported(#[from] Unsupported),
    /// The referee refuses a solution. This is a bug in this crate.
    #[error("internal error: {0}")]
    Solution(#[from] WrongSolution),
    /// There is no certificate.
    #[cfg(feature = "certificates")]
    #[error(transparent)]
    Certificate(#[from] klondike_engine::prove::certify::CertifyError),
    /// There is no advice for these rules, or cards of the talon are not known.
    #[cfg(feature = "play")]
    #[error("there is no advice for this game: {0}")]
    Advice(#[from] klondike_play::belief::NoBelief),
    /// The deal has no grade.
    #[cfg(feature = "play")]
    #[error(transparent)]
    Grade(#[from] klondike_play::grade::NotGraded),
    /// What is wanted of a deal contradicts itself: it has no grade and no shortest solution, and
    /// needs no card to come back, if it cannot be won; or a range is empty.
    #[cfg(feature = "play")]
    #[error("what is wanted of a deal contradicts itself")]
    Contradiction,
    /// A deal that was tried cannot be dealt, decided or graded.
    #[cfg(feature = "play")]
    #[error(transparent)]
    Generate(#[from] klondike_play::grade::generate::GenerateError),
    /// A scheme has no more deals, or does not deal for these rules.
    #[error(transparent)]
    Seed(#[from] klondike_game::deal::seed::SeedError),
}
