//! Hidden cards: players, games, grades, and other patience games.

#![allow(clippy::unwrap_used)] // a test may panic

#[path = "../support/rows/mod.rs"]
mod rows;

mod advise;
mod best;
mod chance;
mod dominant;
mod games;
mod generate;
mod grade;
mod interval;
mod last_pass;
mod money;
mod optimum;
mod ordered_jobs;
mod other_runs;
mod patience;
mod patience_notation;
mod patience_player;
mod position_hash;
mod published;
mod reproduce;
mod reversed_groups;
mod thinking;
