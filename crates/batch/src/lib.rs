//! Many jobs, such as deals or games, and what their counts say.
//!
//! An internal crate: users take `klondike`, and all of this may change with any version.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`parallel`] | jobs on several threads, with their results in order or as they are done |
//! | [`interval`] | confidence intervals of shares and means |
//! | `machine` | memory and processors, with the feature `machine` |
//!
//! Everything that looks at more than one deal stands above this crate. It knows no cards.

pub mod interval;
#[cfg(feature = "machine")]
pub mod machine;
pub mod parallel;
