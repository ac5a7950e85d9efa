//! Answers that the command does not give: those that a page asks a server or WebAssembly for.

use klondike_game::table::position::Position;
use serde::Serialize;

use crate::{
    AdvisedMove, Envelope, FormatAnswer, GenerateAnswer, LimitName, Line, PlayedMove, RulesAnswer,
    SchemeAnswer, VerdictName,
};

/// Why a question, or a line of the input, has no answer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ErrorAnswer {
    /// The line of the input, counted from 1, if the question stands in one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<usize>,
    /// What is wrong, and where.
    pub message: String,
    /// How to mend it, where the message does not say so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// Which error it is, where programs may want to recognise it whatever its words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub code: Option<ErrorCode>,
}

/// Errors that programs may want to recognise whatever their words.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ErrorCode {
    /// Too few deals can be won under these rules to grade them.
    NoGrades,
}

/// How far a search has come.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ProgressAnswer {
    /// States searched so far.
    pub states: u64,
    /// Seconds since the search began.
    pub seconds: f64,
    /// What is looked for is at least this: the length of a solution, or the cards of a score.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lower: Option<u32>,
    /// It is at most this.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub upper: Option<u32>,
    /// Deals tried so far, where deals are looked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deals: Option<u64>,
}

/// A position in a game, with what can be played.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PositionAnswer {
    /// The format that the deal was recognised in.
    pub format: &'static str,
    /// Where the cards lie. A card that is not known is `??`.
    pub board: Position,
    /// The legal moves. `turns_up` names cards that a player does not see yet.
    pub legal: Vec<PlayedMove>,
    /// The moves made so far.
    pub played: Vec<PlayedMove>,
    /// These moves as text, in the notation `klondike`.
    pub text: String,
    /// Whether all cards are on the foundations.
    pub won: bool,
    /// The pass through the talon, from 1.
    pub pass: u32,
    /// How often the waste may still be turned back; nothing if that is unlimited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub redeals_left: Option<u32>,
    /// Draws until the stock is empty.
    pub draws_left: usize,
    /// Number of cards that are not known.
    pub unknown: usize,
    /// The deal in 39 characters, which are read as a deal, too. Only deals of 52 cards and piles
    /// of 1 to 7 have it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key: Option<String>,
    /// The deal itself in the text format `klondike`.
    pub deal_text: String,
}

/// Why a position cannot be won, for people.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ExplainAnswer {
    /// Whether it can be won.
    pub verdict: VerdictName,
    /// The limit that left it undecided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<LimitName>,
    /// `blocked`, `refuted` or `searched`, as in the answers of `solve`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub proof: Option<&'static str>,
    /// The cards that wait or are waited for.
    pub cards: Vec<String>,
    /// What waits for what.
    pub waits: Vec<Waiting>,
    /// All of it in sentences.
    pub text: String,
}

/// A card that waits for others.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Waiting {
    /// The card that waits.
    pub card: String,
    /// Where it lies: `tableau N`, N from 1, or `talon`.
    pub place: String,
    /// Where it does not get: `tableau` or `foundation`.
    pub to: &'static str,
    /// The cards that it waits for.
    #[serde(rename = "for")]
    pub waits_for: Vec<String>,
    /// The reason in a sentence or two.
    pub why: String,
}

/// What a player with hidden cards does next.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlayerMoveAnswer {
    /// The player.
    pub player: &'static str,
    /// The moves of this decision; nothing if the player gives up or the game is over.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<Line>,
    /// Why, in a sentence.
    pub why: String,
    /// What the player thinks of the moves it compared, the one it makes first. Empty if there was
    /// nothing to compare.
    pub opinion: Vec<AdvisedMove>,
    /// Orders of the hidden cards that it drew.
    pub worlds_drawn: u32,
    /// Those of them that are not proven lost.
    pub worlds_not_lost: u32,
    /// The limit that ended its thinking early; the opinion is what it had by then.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<LimitName>,
}

/// A deal and a game as other programs write them.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ConvertAnswer {
    /// The format of `text` and `after`.
    pub format: &'static str,
    /// The deal; nothing if the format cannot hold it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The position after the moves; nothing if the format holds no games in progress.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// The moves in every notation.
    pub notations: Vec<Written>,
}

/// Moves in one notation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Written {
    /// The notation.
    pub notation: &'static str,
    /// The moves.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Why the notation cannot express them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// A picture of a position.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SvgAnswer {
    /// The picture.
    pub svg: String,
}

/// Deals that were searched for.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct GenerateListAnswer {
    /// Those found, in the order of their numbers.
    pub deals: Vec<Envelope<GenerateAnswer>>,
    /// The limit that ended the search before all were found.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<LimitName>,
    /// Deals looked at.
    pub tried: u64,
    /// Deals passed over since they were undecided within the limits.
    pub undecided: u64,
    /// The deal to go on with, if the scheme has more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next: Option<String>,
}

/// The formats of deals.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FormatsAnswer {
    /// Each of them.
    pub formats: Vec<FormatAnswer>,
}

/// The schemes of deals by number.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SchemesAnswer {
    /// Each of them.
    pub schemes: Vec<SchemeAnswer>,
}

/// The named sets of rules.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RuleSetsAnswer {
    /// Each of them, with its rules.
    pub rule_sets: Vec<Envelope<RulesAnswer>>,
}

/// What a server can do.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct HelloAnswer {
    /// The program: `klondike`.
    pub program: &'static str,
    /// Its release.
    pub release: &'static str,
    /// The kinds of requests that it answers.
    pub kinds: Vec<&'static str>,
    /// Requests that it works on at the same time.
    pub at_once: usize,
    /// Most time of a request, in milliseconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<u64>,
    /// Most states of a request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub states: Option<u64>,
    /// Most memory for the tables of states of a request, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub memory_bytes: Option<u64>,
}

/// A server that listens.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ServeAnswer {
    /// The address of the page.
    pub url: String,
}

/// A page that was written to a folder.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SiteAnswer {
    /// The folder.
    pub folder: String,
    /// Number of files.
    pub files: usize,
    /// Their size together.
    pub bytes: u64,
}
