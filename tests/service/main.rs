//! Tests of the service and the server: requests in, answers of the contract out.

#![allow(clippy::unwrap_used)] // a test may panic

mod answers;
mod refusals;
mod server;
