//! Decides deals of Klondike solitaire.

pub mod card;
pub mod deal;
pub mod estimate;
pub mod rules;
pub mod table;
