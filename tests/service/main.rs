//! Tests of the service and the server: requests in, answers of the contract out.

mod answers;
mod refusals;
mod server;
