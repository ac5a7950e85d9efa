//! Deals and rules, and lists of what the program knows.

use klondike_game::table::position::Position;
use serde::Serialize;

/// A deal or position: its cards, or its text in a format.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct DealAnswer {
    /// The format it was read in, or that `text` is in.
    pub format: &'static str,
    /// Where the cards lie. A deal is the position before the first move. A card that is not known
    /// is `??`.
    pub board: Position,
    /// The deal in the format that was asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
}

/// A set of rules; the envelope holds them.
#[derive(Clone, Debug, Default, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RulesAnswer {
    /// The name of the set, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// The set in a few words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
}

/// A format of deals.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FormatAnswer {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
}

/// A seed scheme.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SchemeAnswer {
    /// Its name.
    pub name: &'static str,
    /// What its numbers are.
    pub about: &'static str,
    /// The lowest number, in decimal digits.
    pub first: String,
    /// The highest number, in decimal digits.
    pub last: String,
}

/// A kind of answers, with its JSON Schema.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SchemaAnswer {
    /// A kind of answers.
    pub name: &'static str,
    /// The JSON Schema (2020-12) of these.
    pub schema: serde_json::Value,
}
