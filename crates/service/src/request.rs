//! Requests: one JSON object each, of a kind, with the fields that the kind has.
//!
//! Most kinds are about a game and share the fields of [`RequestedGame`]; a kind's own fields are
//! in a struct of its own. Both refuse unknown fields, so that a misspelt one is an error.

use std::fmt;
use std::marker::PhantomData;

use klondike_contract::{Goal, Strict};
use klondike_engine::search::shortest::Count;
use klondike_game::deal::format::Format;
use klondike_game::deal::seed::Scheme;
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{self, DeserializeOwned, Deserializer, MapAccess, Visitor};
use serde_json::{Map, Value};

use crate::Refusal;
use crate::rules::AskedRules;
use crate::words;

/// Most moves of a game.
pub const MOST_MOVES: usize = 10_000;
/// Most moves where the board after each is asked for.
pub const MOST_BOARDS: usize = 2_000;
/// Most deals of one request.
pub const MOST_DEALS: usize = 100;

/// A request.
#[derive(Clone, Debug)]
pub enum Request {
    /// The board and its legal moves.
    Position(RequestedGame, PositionOptions),
    /// Whether the position can be won, and how.
    Solve(RequestedGame, SolveOptions),
    /// Each legal move with its verdict.
    Analyse(RequestedGame, AnalyseOptions),
    /// Why the position cannot be won.
    Explain(RequestedGame),
    /// A certificate of the verdict.
    Prove(RequestedGame),
    /// How hard the deal is.
    Grade(RequestedGame),
    /// The best next moves with hidden cards.
    Advise(RequestedGame, ThinkOptions),
    /// A decision of the player `tree`.
    PlayerMove(RequestedGame, ThinkOptions),
    /// The deal and the moves as other programs write them.
    Convert(RequestedGame, ConvertOptions),
    /// A picture of the position.
    Svg(RequestedGame, SvgOptions),
    /// Deals that can be won.
    Generate(GenerateOptions),
    /// Whether a certificate proves what it says.
    Check(CheckOptions),
    /// The formats of deals.
    Formats,
    /// The schemes of deals by number.
    Schemes,
    /// The named sets of rules.
    RuleSets,
}

/// The names of all kinds.
pub const KINDS: [&str; 15] = [
    "position",
    "solve",
    "analyse",
    "explain",
    "prove",
    "grade",
    "advise",
    "player-move",
    "convert",
    "svg",
    "generate",
    "check",
    "formats",
    "schemes",
    "rule-sets",
];

/// The game that a request is about: a deal, and the moves made since.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
#[cfg_attr(feature = "schema", schemars(rename = "Game"))]
pub struct RequestedGame {
    /// A deal or position in any known format, such as `klondike:3`. Unknown cards are `??`.
    #[cfg_attr(feature = "schema", schemars(example = &"klondike:3"))]
    pub deal: String,
    /// The moves made since, in the notation `klondike`. The question is about the position after
    /// them.
    #[cfg_attr(feature = "schema", schemars(example = &"draw"))]
    #[serde(default)]
    pub moves: String,
    /// The rules; the standard ones if they are not given.
    #[serde(default)]
    pub rules: AskedRules,
    /// What bounds the answer.
    #[serde(default, deserialize_with = "object_alone")]
    pub limits: Limits,
}

/// What bounds an answer. A server has limits of its own, which these do not raise.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct Limits {
    /// Most time, in milliseconds.
    #[serde(default)]
    pub time_ms: Option<u64>,
    /// Most states to visit, those of the draw-1 oracle included; the answer is then the same on
    /// every machine.
    #[serde(default)]
    pub states: Option<u64>,
    /// Most memory for the tables of states, in bytes.
    #[serde(default)]
    pub memory_bytes: Option<u64>,
}

/// Options of `position`.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct PositionOptions {
    /// Whether each move played has the board after it; then at most 2,000 moves.
    pub boards: bool,
}

/// Options of `solve`.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct SolveOptions {
    /// What to look for: `win`, `shortest`, `fewest-passes` or `best-score`.
    pub goal: Goal,
    /// What counts in a shortest solution, for the goal `shortest` alone; `draws` if it is not
    /// given.
    pub counting: Option<Counting>,
    /// Whether each move of a solution has the board after it.
    pub boards: bool,
}

/// What counts in a shortest solution.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Counting {
    /// Card moves only.
    Cards,
    /// Card moves and draws.
    #[default]
    Draws,
    /// Card moves, draws, and cards turned up.
    Flips,
    /// Card moves, draws and redeals.
    Redeals,
}

impl From<Counting> for Count {
    fn from(counting: Counting) -> Count {
        match counting {
            Counting::Cards => Count::Cards,
            Counting::Draws => Count::Draws,
            Counting::Flips => Count::Flips,
            Counting::Redeals => Count::Redeals,
        }
    }
}

/// Options of `analyse`.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct AnalyseOptions {
    /// Whether the game so far is judged: which of `moves` lost it.
    pub game: bool,
}

/// Options of `advise` and `player-move`.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct ThinkOptions {
    /// How long to think: 1 to 100,000; 800 if it is not given.
    pub iterations: Option<u32>,
    /// Seed of the random numbers; 1 if it is not given.
    pub seed: Option<u64>,
}

/// Options of `convert`.
#[derive(Clone, Copy, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct ConvertOptions {
    /// The format to write; `formats` lists them.
    #[serde(deserialize_with = "parsed")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub format: Format,
}

impl Default for ConvertOptions {
    fn default() -> ConvertOptions {
        ConvertOptions {
            format: Format::Klondike,
        }
    }
}

/// Options of `svg`.
#[derive(Clone, Debug, Default, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct SvgOptions {
    /// The line below the picture; at most 200 characters.
    pub caption: String,
}

/// Options of `generate`.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct GenerateOptions {
    /// How many deals: 1 to 100.
    #[cfg_attr(feature = "schema", schemars(range(min = 1, max = 100)))]
    pub count: usize,
    /// Where to begin.
    #[serde(deserialize_with = "object_alone")]
    pub from: First,
    /// The lowest and the highest grade wanted, 1 (easy) to 10.
    pub grade: Option<[u8; 2]>,
    /// The rules; the standard ones if they are not given.
    pub rules: AskedRules,
    /// What bounds the answer: the time of all deals together, states and memory of each deal.
    #[serde(deserialize_with = "object_alone")]
    pub limits: Limits,
}

impl Default for GenerateOptions {
    fn default() -> GenerateOptions {
        GenerateOptions {
            count: 1,
            from: First::default(),
            grade: None,
            rules: AskedRules::default(),
            limits: Limits::default(),
        }
    }
}

/// The first deal of a search.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
pub struct First {
    /// The scheme; `schemes` lists them.
    #[serde(deserialize_with = "parsed")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub scheme: Scheme,
    /// The number in the scheme. Numbers above 2^53 are texts.
    #[serde(deserialize_with = "number")]
    #[cfg_attr(feature = "schema", schemars(with = "NumberOrText"))]
    pub seed: String,
}

impl Default for First {
    fn default() -> First {
        First {
            scheme: Scheme::Klondike,
            seed: "1".to_owned(),
        }
    }
}

/// Options of `check`.
#[derive(Clone, Debug, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub struct CheckOptions {
    /// The certificate in base64.
    pub certificate: String,
}

impl Request {
    /// Reads a request, an object with its `kind`.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn from_json(text: &str) -> Result<Request, Refusal> {
        let fields = object(text)?;
        match fields.get("kind") {
            Some(Value::String(kind)) => {
                let kind = kind.clone();
                Request::of_kind(&kind, fields)
            }
            Some(_) => Err(Refusal::request("`kind`: write a text").with_help(kinds())),
            None => Err(Refusal::request("the field `kind` is missing").with_help(kinds())),
        }
    }

    /// As [`Request::from_json`], of a text of at most so many bytes, or so many if it holds a
    /// certificate.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn from_json_up_to(
        text: &str,
        most: usize,
        certificate: usize,
    ) -> Result<Request, Refusal> {
        if text.len() > most {
            let of_check = text.len() <= certificate && text.contains("\"certificate\"");
            if !of_check {
                return Err(too_long(most));
            }
        }
        let request = Request::from_json(text)?;
        match request {
            Request::Check(_) => Ok(request),
            _ if text.len() > most => Err(too_long(most)),
            _ => Ok(request),
        }
    }

    /// Reads a request of a kind that is known from elsewhere; the object need not name it again.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn of_kind_json(kind: &str, text: &str) -> Result<Request, Refusal> {
        Request::of_kind(kind, object(text)?)
    }

    fn of_kind(kind: &str, mut fields: Map<String, Value>) -> Result<Request, Refusal> {
        if let Some(named) = fields.remove("kind")
            && named != *kind
        {
            let message = format!("`kind`: this asks for `{kind}`, not for {named}");
            return Err(Refusal::request(message));
        }
        Ok(match kind {
            "position" => with_game(fields, Request::Position)?,
            "solve" => with_game(fields, Request::Solve)?,
            "analyse" => with_game(fields, Request::Analyse)?,
            "explain" => with_game(fields, |game, NoOptions {}| Request::Explain(game))?,
            "prove" => with_game(fields, |game, NoOptions {}| Request::Prove(game))?,
            "grade" => with_game(fields, |game, NoOptions {}| Request::Grade(game))?,
            "advise" => with_game(fields, Request::Advise)?,
            "player-move" => with_game(fields, Request::PlayerMove)?,
            "convert" => with_game(fields, Request::Convert)?,
            "svg" => with_game(fields, Request::Svg)?,
            "generate" => Request::Generate(words::read(
                fields,
                &["count", "from", "grade", "rules", "limits"],
            )?),
            "check" => Request::Check(words::read(fields, &["certificate"])?),
            "formats" => without(fields, Request::Formats)?,
            "schemes" => without(fields, Request::Schemes)?,
            "rule-sets" => without(fields, Request::RuleSets)?,
            other => {
                let shown: String = other.chars().take(40).collect();
                let message = format!("there is no kind of request `{}`", shown.escape_debug());
                return Err(Refusal::request(message).with_help(kinds()));
            }
        })
    }
}

fn too_long(most: usize) -> Refusal {
    Refusal::request(format!(
        "the request is too long: it has more than {most} bytes"
    ))
}

fn kinds() -> String {
    format!("known: {}", KINDS.join(", "))
}

fn object(text: &str) -> Result<Map<String, Value>, Refusal> {
    // Of a field that stands twice one would be dropped silently.
    let Strict(found) = serde_json::from_str(text).map_err(|error: serde_json::Error| {
        Refusal::request(match error.is_data() {
            true => error.to_string(),
            false => format!("the request is no JSON: {error}"),
        })
    })?;
    match found {
        Value::Object(fields) => Ok(fields),
        _ => Err(Refusal::request("the request is no JSON object")
            .with_help("write for example {\"kind\": \"solve\", \"deal\": \"klondike:3\"}")),
    }
}

#[derive(Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct NoOptions {}

/// Splits the fields in those of the game and those of the kind.
fn with_game<T: DeserializeOwned + Fields>(
    mut fields: Map<String, Value>,
    make: impl FnOnce(RequestedGame, T) -> Request,
) -> Result<Request, Refusal> {
    let mut own = Map::new();
    for name in T::NAMES {
        if let Some((name, value)) = fields.remove_entry(*name) {
            own.insert(name, value);
        }
    }
    let known = [&["deal", "moves", "rules", "limits"], T::NAMES].concat();
    Ok(make(
        words::read(fields, &known)?,
        words::read(own, &known)?,
    ))
}

fn without(fields: Map<String, Value>, request: Request) -> Result<Request, Refusal> {
    words::read::<NoOptions>(fields, &["none"])?;
    Ok(request)
}

/// The names of the fields that a kind has beside those of the game.
trait Fields {
    const NAMES: &'static [&'static str];
}

macro_rules! fields {
    ($($options:ty: $($name:literal)*;)*) => {
        $(impl Fields for $options {
            const NAMES: &'static [&'static str] = &[$($name),*];
        })*
    };
}

fields! {
    NoOptions: ;
    PositionOptions: "boards";
    SolveOptions: "goal" "counting" "boards";
    AnalyseOptions: "game";
    ThinkOptions: "iterations" "seed";
    ConvertOptions: "format";
    SvgOptions: "caption";
}

/// Reads what has a text form, with the error of that form.
fn parsed<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: std::str::FromStr<Err: std::fmt::Display>,
{
    let text = String::deserialize(deserializer)?;
    text.parse().map_err(de::Error::custom)
}

/// Reads an object. Serde would take a list of its values as well.
fn object_alone<'de, D, T>(deserializer: D) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    T: Deserialize<'de>,
{
    struct Form<T>(PhantomData<T>);

    impl<'de, T: Deserialize<'de>> Visitor<'de> for Form<T> {
        type Value = T;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<T, A::Error> {
            T::deserialize(MapAccessDeserializer::new(map))
        }
    }

    deserializer.deserialize_map(Form(PhantomData))
}

/// A number, or its digits as a text.
fn number<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    match Value::deserialize(deserializer)? {
        Value::Number(number) if number.is_i64() || number.is_u64() => Ok(number.to_string()),
        Value::String(digits) => Ok(digits),
        _ => Err(de::Error::custom(
            "write a whole number, or its digits as a text",
        )),
    }
}

#[cfg(feature = "schema")]
#[derive(schemars::JsonSchema)]
#[serde(untagged)]
#[allow(dead_code)] // only its schema is used
enum NumberOrText {
    Number(i64),
    Text(String),
}
