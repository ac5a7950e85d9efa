//! Certificates, the checkers, and wrong lemmas that the tests must catch.

#![allow(clippy::unwrap_used)] // a test may panic

#[path = "../support/common/mod.rs"]
mod common;
#[path = "../support/certificates/mod.rs"]
mod common_certificates;
#[path = "../support/whole_runs/mod.rs"]
mod common_whole_runs;
#[path = "../support/python/mod.rs"]
mod python;

mod certificates;
mod held_certificates;
mod mutants;
mod redeal_certificates;
mod rejected;
mod sizes;
mod table_certificates;
