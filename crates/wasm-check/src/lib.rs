//! The checker of certificates in a browser. It links nothing of the solver, so whoever doubts the
//! page's verdict has to trust this module alone.
//!
//! An internal crate: users take `klondike`, and all of this may change with any version.

#![allow(unsafe_code)] // what the attribute `wasm_bindgen` makes

use klondike_check::{CheckLimits, check as verify};
use klondike_game::table::position::Position;
use serde_json::{Value, json};
use wasm_bindgen::prelude::*;

/// Most entries of a certificate: with 44 bytes for each at most a gigabyte.
const MOST_ENTRIES: u64 = 24_000_000;

/// Checks the bytes of a certificate. The JSON is an answer of kind `check`.
#[wasm_bindgen]
#[must_use]
pub fn check(certificate: &[u8]) -> String {
    let limits = CheckLimits::default().entries(MOST_ENTRIES);
    let answer: Value = match verify(certificate, &limits) {
        Ok(verified) => json!({
            "kind": "check",
            "version": 1,
            "rules": **verified.start.rules(),
            "file": "certificate",
            "verified": true,
            "verdict": verified.verdict().name(),
            "proof": verified.claim.name(),
            "entries": verified.entries,
            "carried_over": verified.carried_over(),
            "board": Position::from(&verified.start),
        }),
        Err(error) => json!({
            "kind": "check",
            "version": 1,
            "file": "certificate",
            "verified": false,
            "error": error.to_string(),
        }),
    };
    answer.to_string()
}
