//! The real program: every command, its output, its errors, its exit statuses.

#![allow(clippy::unwrap_used)] // a test may panic

#[path = "../support/cli/mod.rs"]
mod common_cli;
#[path = "../support/python/mod.rs"]
mod python;
#[path = "../support/rows/mod.rs"]
mod rows;

mod advise;
mod best;
mod bound;
mod contract;
mod count;
mod deal;
mod estimate;
mod estimate_disk;
mod estimate_merge;
mod generate;
mod grade;
mod messages;
mod patience;
mod play;
mod prove;
mod readme;
mod report;
mod reproduce;
mod score;
mod simulate;
mod solve;
mod sweep;
