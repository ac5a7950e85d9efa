//! Cards, rules, deals, formats and the referee.

#![allow(clippy::unwrap_used)] // a test may panic

#[path = "../support/common/mod.rs"]
mod common;
#[path = "../support/rows/mod.rs"]
mod rows;

mod cards;
mod deal_files;
mod deals;
mod format_errors;
mod format_properties;
mod notation;
mod own_scheme;
mod pictures;
mod positions;
mod rules;
mod saved;
mod seeds;
mod table;
mod unknown_cards;
