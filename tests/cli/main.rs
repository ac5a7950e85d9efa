//! The real program: every command, its output, its errors, its exit statuses.

#![allow(clippy::unwrap_used)] // a test may panic

#[path = "../support/cli/mod.rs"]
mod common_cli;
#[path = "../support/python/mod.rs"]
mod python;
#[path = "../support/rows/mod.rs"]
mod rows;
#[cfg(target_os = "linux")]
#[path = "../support/terminal/mod.rs"]
mod terminal;

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
#[cfg(unix)]
mod interrupts;
mod links;
mod messages;
mod patience;
mod play;
#[cfg(target_os = "linux")]
mod play_screen;
mod prove;
mod readme;
mod report;
mod reproduce;
mod score;
mod simulate;
mod solve;
mod sweep;
mod words;
mod wrote;
