//! Rules as one flat JSON object with a field for every parameter.
//!
//! All fields are written, `reversed_groups` only where it is true. When rules are read, a field
//! that is missing has the standard value, and an unknown one is an error: it may be meant to
//! change the game.

use std::fmt;

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize};

use crate::card::Card;
use crate::rules::{Deck, Layout, Parameters, Redeals, Rules, RulesError};

/// Rules as they are written.
#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(super) struct RulesJson {
    /// Suits of the deck.
    suits: usize,
    /// Ranks of each suit.
    ranks: usize,
    /// Cards in each pile of the tableau at the start.
    piles: Vec<u8>,
    /// Cards turned from the stock at once.
    draw: u8,
    /// How often the waste may be turned back, `unlimited`, or `last-pass-by-ones`: unlimited, and
    /// once for a last pass in which draws turn one card.
    redeals: RedealsJson,
    /// Whether cards may come back from the foundations.
    worrying_back: bool,
    /// Which face-up cards of a pile may move together.
    runs: String,
    /// What an empty pile takes.
    spaces: String,
    /// Whether each draw reverses its group of cards: the first one drawn lies on top. Left out
    /// where it does not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    reversed_groups: bool,
}

#[derive(Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
enum RedealsJson {
    Number(u32),
    #[cfg_attr(
        feature = "schema",
        schemars(extend("enum" = ["unlimited", "last-pass-by-ones"]))
    )]
    Word(&'static str),
}

impl From<Rules> for RulesJson {
    fn from(rules: Rules) -> RulesJson {
        let Parameters {
            deck,
            layout,
            draw_count,
            redeals,
            worrying_back,
            runs,
            spaces,
            reversed_groups,
        } = rules.parameters();
        RulesJson {
            suits: deck.suit_count(),
            ranks: deck.rank_count(),
            piles: layout.heights().to_vec(),
            draw: draw_count,
            redeals: match redeals {
                Redeals::Unlimited => RedealsJson::Word("unlimited"),
                Redeals::Limited(count) => RedealsJson::Number(count),
                Redeals::LastPassByOnes => RedealsJson::Word("last-pass-by-ones"),
            },
            worrying_back,
            runs: runs.to_string(),
            spaces: spaces.to_string(),
            reversed_groups,
        }
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for Rules {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "Rules".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        RulesJson::json_schema(generator)
    }
}

/// Rules as they are read, not checked.
#[derive(Deserialize)]
#[serde(default, deny_unknown_fields)]
pub(super) struct RulesRead {
    suits: u64,
    ranks: u64,
    piles: Vec<u64>,
    draw: u64,
    #[serde(deserialize_with = "redeals")]
    redeals: Redeals,
    worrying_back: bool,
    runs: String,
    spaces: String,
    reversed_groups: bool,
}

impl Default for RulesRead {
    fn default() -> RulesRead {
        let rules = Rules::standard();
        RulesRead {
            suits: rules.deck.suit_count() as u64,
            ranks: rules.deck.rank_count() as u64,
            piles: rules.layout.heights().iter().map(|&h| h.into()).collect(),
            draw: rules.draw_count.into(),
            redeals: rules.redeals,
            worrying_back: rules.worrying_back,
            runs: rules.runs.to_string(),
            spaces: rules.spaces.to_string(),
            reversed_groups: rules.reversed_groups,
        }
    }
}

impl TryFrom<RulesRead> for Rules {
    type Error = RulesError;

    fn try_from(read: RulesRead) -> Result<Rules, RulesError> {
        // A height above a deck is no height, and the sum may be above all numbers.
        let cards = read
            .piles
            .iter()
            .fold(0_u64, |sum, &h| sum.saturating_add(h));
        if cards > Card::COUNT as u64 {
            return Err(RulesError::LayoutTooLarge {
                cards: usize::try_from(cards).unwrap_or(usize::MAX),
                deck: Card::COUNT,
            });
        }
        let small = |number: u64, error: fn(u64) -> RulesError| {
            u8::try_from(number).map_err(|_| error(number))
        };
        let suits = small(read.suits, RulesError::Suits)?;
        let ranks = small(read.ranks, RulesError::Ranks)?;
        Rules::builder()
            .deck(Deck::new(suits, ranks)?)
            .layout(Layout::new(read.piles.iter().map(|&h| h as u8).collect())?)
            .draw_count(small(read.draw, RulesError::DrawCount)?)
            .redeals(read.redeals)
            .worrying_back(read.worrying_back)
            .runs(read.runs.parse()?)
            .spaces(read.spaces.parse()?)
            .reversed_groups(read.reversed_groups)
            .build()
    }
}

/// Reads a number or a word; `null` says `unlimited` as well.
fn redeals<'de, D: Deserializer<'de>>(from: D) -> Result<Redeals, D::Error> {
    struct NumberOrWord;

    impl Visitor<'_> for NumberOrWord {
        type Value = Redeals;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("a number of redeals, `unlimited` or `last-pass-by-ones`")
        }

        fn visit_u64<E: Error>(self, number: u64) -> Result<Redeals, E> {
            self.visit_str(&number.to_string())
        }

        fn visit_i64<E: Error>(self, number: i64) -> Result<Redeals, E> {
            self.visit_str(&number.to_string())
        }

        fn visit_str<E: Error>(self, text: &str) -> Result<Redeals, E> {
            text.parse().map_err(E::custom)
        }

        fn visit_unit<E: Error>(self) -> Result<Redeals, E> {
            Ok(Redeals::Unlimited)
        }
    }

    from.deserialize_any(NumberOrWord)
}
