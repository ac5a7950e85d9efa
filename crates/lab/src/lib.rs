//! What can be said about all deals at once: exact counts, and shares estimated from samples.
//!
//! An internal crate: users take `klondike`, and all of this may change with any version.
//!
//! [`run`] decides many deals and keeps [`record`]s of them in a [`directory`] of [`segment`]s.
//! [`contents`] reads them, [`export`] writes them as tables that [`import`] reads, a [`summary`]
//! adds them up, [`variants`] compares runs under different rules, and a [`report`] shows them
//! beside [`published`] figures. [`samples`] keeps sums of games, and `plots` draws them. [`bound`]
//! examines deals without search, [`count`] counts without deals, and [`analysis`] looks at the
//! moves of one deal.

pub mod analysis;
pub mod bound;
pub mod checkpoint;
pub mod contents;
pub mod count;
pub mod directory;
pub mod export;
pub mod import;
pub mod lost;
pub mod manifest;
pub mod mean;
pub mod merge;
pub mod paired;
pub mod plots;
pub mod published;
pub mod record;
pub mod report;
pub mod run;
pub mod run_error;
pub mod samples;
pub mod segment;
pub mod sessions;
mod store;
pub mod summary;
pub mod task;
pub mod text;
mod thread_time;
pub mod variants;
