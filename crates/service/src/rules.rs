//! Rules in a request: the name of a set, or an object with what differs from the standard rules.

use std::sync::Arc;

use klondike_game::rules::{Deck, Layout, Redeals, Rules, RulesError};
use serde::de::value::MapAccessDeserializer;
use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor};

/// Rules as a request gives them: a name such as `vegas3`, or an object such as
/// `{"draw": 1, "redeals": 2}`, in which what is missing is as in the standard rules.
#[derive(Clone, Debug)]
pub struct AskedRules(pub Arc<Rules>);

impl Default for AskedRules {
    fn default() -> AskedRules {
        AskedRules(Arc::new(Rules::standard()))
    }
}

/// The object form.
#[derive(serde::Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields, default)]
struct Fields {
    /// Suits of the deck, 1 to 4.
    suits: u8,
    /// Ranks of each suit, 1 to 13.
    ranks: u8,
    /// Cards in each pile of the tableau at the start.
    piles: Vec<u8>,
    /// Cards turned from the stock at once, 1 to 24.
    draw: u8,
    /// How often the waste may be turned back: a number, or `unlimited` (as `null` says, too).
    #[serde(deserialize_with = "redeals")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<NumberOrUnlimited>"))]
    redeals: Redeals,
    /// Whether cards may come back from the foundations.
    worrying_back: bool,
    /// Which face-up cards of a pile may move together: `partial`, `whole`, `partial-if-played`.
    runs: String,
    /// What an empty pile takes: `kings`, `any`, `nothing`.
    spaces: String,
}

impl Default for Fields {
    fn default() -> Fields {
        Fields {
            suits: 4,
            ranks: 13,
            piles: Layout::standard().heights().to_vec(),
            draw: 3,
            redeals: Redeals::Unlimited,
            worrying_back: true,
            runs: "partial".to_owned(),
            spaces: "kings".to_owned(),
        }
    }
}

impl Fields {
    fn rules(self) -> Result<Rules, RulesError> {
        Rules::builder()
            .deck(Deck::new(self.suits, self.ranks)?)
            .layout(Layout::new(self.piles)?)
            .draw_count(self.draw)
            .redeals(self.redeals)
            .worrying_back(self.worrying_back)
            .runs(self.runs.parse()?)
            .spaces(self.spaces.parse()?)
            .build()
    }
}

fn redeals<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Redeals, D::Error> {
    struct Form;
    impl Visitor<'_> for Form {
        type Value = Redeals;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("a number or `unlimited`")
        }

        fn visit_u64<E: de::Error>(self, number: u64) -> Result<Redeals, E> {
            let number = u32::try_from(number).map_err(|_| E::custom("the number is too large"))?;
            Ok(Redeals::Limited(number))
        }

        fn visit_str<E: de::Error>(self, text: &str) -> Result<Redeals, E> {
            text.parse().map_err(E::custom)
        }

        fn visit_unit<E: de::Error>(self) -> Result<Redeals, E> {
            Ok(Redeals::Unlimited)
        }
    }
    deserializer.deserialize_any(Form)
}

impl<'de> Deserialize<'de> for AskedRules {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<AskedRules, D::Error> {
        struct Form;
        impl<'de> Visitor<'de> for Form {
            type Value = AskedRules;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("the name of a rule set or an object such as {\"draw\": 1}")
            }

            fn visit_str<E: de::Error>(self, name: &str) -> Result<AskedRules, E> {
                let rules = Rules::named(name).map_err(E::custom)?;
                Ok(AskedRules(Arc::new(rules)))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<AskedRules, A::Error> {
                let fields = Fields::deserialize(MapAccessDeserializer::new(map))?;
                let rules = fields.rules().map_err(de::Error::custom)?;
                Ok(AskedRules(Arc::new(rules)))
            }
        }
        deserializer.deserialize_any(Form)
    }
}

#[cfg(feature = "schema")]
#[derive(schemars::JsonSchema)]
#[serde(untagged)]
#[allow(dead_code)] // only its schema is used
enum NumberOrUnlimited {
    Number(u32),
    Word(Unlimited),
}

#[cfg(feature = "schema")]
#[derive(schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
#[allow(dead_code)] // only its schema is used
enum Unlimited {
    Unlimited,
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for AskedRules {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "AskedRules".into()
    }

    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let names = Rules::NAMES.map(|(name, _)| name);
        let object = generator.subschema_for::<Fields>();
        schemars::json_schema!({
            "description": "The name of a rule set, or what differs from the standard rules.",
            "oneOf": [{"type": "string", "enum": names}, object],
        })
    }
}
