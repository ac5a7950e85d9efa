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
//! use klondike::{CheckLimits, Deal, ProvedVerdict, Rules, Solver};
//!
//! let deal: Deal = "solvitaire:1".parse()?;
//! let mut certificate = Vec::new();
//! Solver::new(Rules::standard()).prove(&deal, &mut certificate)?;
//! let verified = klondike::check(&certificate[..], &CheckLimits::default())?;
//! assert_eq!(verified.verdict(), ProvedVerdict::Unwinnable);
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
//! let thinking = Thinking::default().iterations(20);
//! if let Advice::Open { moves, .. } = solver.advise(&table, &thinking)? {
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
//! [`Limits`] bound an answer in time, states and memory.
//!
//! | cargo feature | what it adds |
//! | --- | --- |
//! | `cli` (default) | the command `klondike`, and all features below |
//! | `full` | all features below |
//! | `certificates` | `Solver::prove` and `check` |
//! | `formats` | deals and positions in JSON, seeds of lonelybot's 2024 builds |
//! | `play` | `Solver::advise`, `Solver::grade`, `Solver::generate` |
//! | `threads` | several threads on one deal |

#[doc(inline)]
pub use klondike_front::*;
