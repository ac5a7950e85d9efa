//! The packed state, the lemmas, the searches, the verdicts.

#![allow(clippy::unwrap_used)] // a test may panic

#[path = "../support/common/mod.rs"]
mod common;
#[path = "../support/kplus/mod.rs"]
mod common_kplus;
#[path = "../support/whole_runs/mod.rs"]
mod common_whole_runs;

mod agree;
mod analyse;
mod blocking;
mod brute;
mod constants;
mod counts;
mod decide;
mod fewest_moves;
mod front_door;
mod fuzz_states;
mod key_table;
mod kplus;
mod last_pass;
mod left_out;
mod no_lemma;
mod odd_games;
mod passes;
mod planner;
mod progress;
mod proved;
mod reach_order;
mod redeals;
mod refute;
mod refuted;
mod reveals;
mod reversed_groups;
mod score;
mod shortest;
mod state_counts;
mod table_engine;
mod talon;
mod threads;
mod verdicts;
mod whole_runs;
mod winnable_lists;
