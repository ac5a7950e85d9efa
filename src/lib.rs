//! Decides deals of Klondike solitaire.

pub mod card;
pub mod cli;
pub mod deal;
pub mod rules;
pub mod table;
