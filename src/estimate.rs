//! What can be said about all deals at once: exact counts, and shares estimated from samples.
//!
//! Stands above everything that plays or decides single deals.

pub mod bound;
pub mod checkpoint;
pub mod count;
pub mod interval;
pub mod paired;
pub mod simulate;
