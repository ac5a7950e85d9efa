//! What others have published, to be compared with.
//!
//! An internal crate: users take `klondike`, and all of this may change with any version.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`published`] | the players of published papers, and all players by name |
//! | [`simulate`] | many games of players, on the same deals |
//! | [`reproduce`] | published figures, and the games that stand beside them |

pub mod published;
pub mod reproduce;
pub mod simulate;
