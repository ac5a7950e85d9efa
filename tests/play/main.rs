//! Hidden cards: players, games, grades, and other patience games.

#![allow(clippy::unwrap_used)] // a test may panic

mod games;
mod grade;
mod patience;
mod patience_notation;
mod patience_player;
mod published;
mod reproduce;
