//! What can be said about all deals at once: exact counts, and shares estimated from samples.
//!
//! Stands above everything that plays or decides single deals. [`run`] decides deals in numbers
//! and keeps [`record`]s of them in a [`directory`] of [`segment`]s, from which a [`summary`]
//! is made; [`variants`] compares runs under different rules, and [`report`] shows them, beside
//! [`published`] figures. [`simulate`] lets players play, [`lots`] keeps what experiments of many lots
//! gave, and [`chart`] draws them. [`bound`] looks at deals without search, and [`count`] counts without deals.

pub mod bound;
pub mod chart;
pub mod checkpoint;
pub mod contents;
pub mod count;
pub mod directory;
pub mod export;
pub mod lots;
pub mod manifest;
pub mod mean;
pub mod merge;
pub mod paired;
pub mod pen;
pub mod published;
pub mod record;
pub mod report;
pub mod run;
pub mod run_error;
pub mod segment;
pub mod simulate;
pub mod summary;
pub mod text;
pub mod variants;
