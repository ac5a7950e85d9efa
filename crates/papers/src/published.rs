//! The published players, one file each, and what several of them search with.
//!
//! Every file cites its paper, plays by its rules as far as it states them, and says what it
//! leaves open and what is done here.

pub mod bjarnason;
mod chance_tree;
pub mod donkersteeg;
pub mod features;
pub mod kortsmit;
pub mod milas;
pub mod multistage;
mod nested;
pub mod random;
mod registry;
pub mod steps;
pub mod yan;

pub use registry::{PLAYERS, PlayerName};
