//! Klondike solitaire: cards, rules, deals, and the referee.
//!
//! An internal crate: users take `klondike`, and all of this may change with any version.
//!
//! This is the ground of the workspace: it knows the game and no search.
//!
//! | module | what it is |
//! | --- | --- |
//! | [`card`] | suits, ranks, cards, sets of cards |
//! | [`rules`] | the parameters of a game, and named rule sets |
//! | [`deal`] | the cards before play; formats and seeds of other programs |
//! | [`table`] | the referee: the plain game under every rule variant; positions, notation |

pub mod card;
pub mod deal;
pub mod rules;
pub mod table;
