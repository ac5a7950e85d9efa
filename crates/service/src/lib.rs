//! Questions about Klondike as JSON, and their answers.
//!
//! An internal crate: users take `klondike`, and all of this may change with any version.
//!
//! One request is one JSON object, one answer another, of the contract ([`klondike_contract`]). The
//! server (`klondike serve`) and the page's WebAssembly are thin shells around [`answer`]: the page
//! gets the same from both. Nothing here reads files, clocks or the network: what a host has of
//! these it brings in [`Control`].
//!
//! ```
//! use std::time::Duration;
//! use klondike_service::{Control, Request, answer};
//!
//! let request = Request::from_json(r#"{"kind": "solve", "deal": "klondike:1"}"#)?;
//! let found = answer(&request, &Control::new(|| Duration::ZERO))?;
//! assert!(found.starts_with(r#"{"kind":"solve","version":1,"deal":"klondike:1""#));
//!
//! let error = Request::from_json(r#"{"kind": "solve", "deck": 1}"#).unwrap_err();
//! assert_eq!(error.message, "there is no field `deck`");
//! # Ok::<(), klondike_service::Refusal>(())
//! ```

pub mod advice;
mod control;
pub mod grade;
mod kinds;
mod refusal;
pub mod request;
pub mod rules;
#[cfg(feature = "schema")]
pub mod schema;
mod start;
mod words;

pub use control::{Caps, Control, Watch};
pub use refusal::{Fault, Refusal};
pub use request::Request;

use kinds::{analyse, convert, explain, generate, hidden, lists, position, prove, solve};

/// Answers a request: the JSON of an answer of the contract.
///
/// It takes as long as the limits allow; raise [`Control::stop`] to end it.
///
/// # Errors
/// Why there is no answer. A limit that is hit is none: the answer says so.
pub fn answer(request: &Request, control: &Control) -> Result<String, Refusal> {
    match request {
        Request::Position(game, options) => position::answer(game, *options),
        Request::Solve(game, options) => solve::answer(game, *options, control),
        Request::Analyse(game, options) => analyse::answer(game, *options, control),
        Request::Explain(game) => explain::answer(game, control),
        Request::Prove(game) => prove::prove(game, control),
        Request::Check(options) => prove::check(options, control),
        Request::Grade(game) => kinds::grade::answer(game, control),
        Request::Generate(options) => generate::answer(options, control),
        Request::Advise(game, options) => hidden::advise(game, *options, control),
        Request::PlayerMove(game, options) => hidden::player_move(game, *options, control),
        Request::Convert(game, options) => convert::convert(game, *options),
        Request::Svg(game, options) => convert::svg(game, options),
        Request::Formats => lists::formats(),
        Request::Schemes => lists::schemes(),
        Request::RuleSets => lists::rule_sets(),
    }
}
