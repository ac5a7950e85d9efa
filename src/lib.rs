//! Decides deals of Klondike solitaire.

pub mod card;
pub mod deal;
pub mod rules;
pub mod search;
pub mod table;
