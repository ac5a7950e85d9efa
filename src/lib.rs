//! Decides deals of Klondike solitaire.

pub mod card;
pub mod cli;
pub mod deal;
pub mod estimate;
pub mod kplus;
pub mod prove;
pub mod prune;
pub mod rules;
pub mod search;
pub mod table;
