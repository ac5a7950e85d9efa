//! What every answer begins with.

use klondike_game::rules::Rules;
use serde::Serialize;
use serde_json::{Value, json};

/// The version of all shapes.
pub const VERSION: u32 = 1;

/// An answer of some kind.
pub trait Answer: Serialize {
    /// The kind: the name of the command that gives it.
    const KIND: &'static str;
    /// What such an answer is always about.
    const SUBJECT: Subject;
}

/// What an answer is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// One deal or position, under rules.
    Deal,
    /// Games under rules.
    Rules,
    /// Neither.
    Nothing,
}

/// An answer with what it is about.
///
/// ```
/// use klondike_contract::{Envelope, RulesAnswer};
/// use klondike_game::rules::Rules;
///
/// let answer = Envelope::of_rules(&Rules::standard(), RulesAnswer::default());
/// let json = serde_json::to_value(&answer)?;
/// assert_eq!(json["kind"], "rules");
/// assert_eq!(json["rules"]["draw"], 3);
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Envelope<T> {
    /// The kind of the answer.
    kind: &'static str,
    /// The version of its shape.
    version: u32,
    /// The deal, as it was asked for: `SCHEME:N`, `FILE:LINE` or `argument N`.
    #[serde(skip_serializing_if = "Option::is_none")]
    deal: Option<String>,
    /// The rules.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<Rules>"))]
    rules: Option<Value>,
    #[serde(flatten)]
    answer: T,
}

impl<T: Answer> Envelope<T> {
    /// An answer about a deal under rules.
    pub fn of_deal(deal: impl Into<String>, rules: &Rules, answer: T) -> Envelope<T> {
        Envelope::of_rules(rules, answer).about_deal(deal)
    }

    /// The answer, about this deal.
    #[must_use]
    pub fn about_deal(self, deal: impl Into<String>) -> Envelope<T> {
        Envelope {
            deal: Some(deal.into()),
            ..self
        }
    }

    /// An answer about games under rules.
    pub fn of_rules(rules: &Rules, answer: T) -> Envelope<T> {
        Envelope::of_saved_rules(json!(rules), answer)
    }

    /// An answer about games under rules that a file has as JSON.
    pub fn of_saved_rules(rules: Value, answer: T) -> Envelope<T> {
        Envelope {
            rules: Some(rules),
            ..Envelope::of_nothing(answer)
        }
    }

    /// The answer without what it is about.
    pub fn answer(&self) -> &T {
        &self.answer
    }

    /// An answer about something else.
    pub fn of_nothing(answer: T) -> Envelope<T> {
        Envelope {
            kind: T::KIND,
            version: VERSION,
            deal: None,
            rules: None,
            answer,
        }
    }
}
