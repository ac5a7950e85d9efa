//! Rules in a request: the name of a set, or an object with what differs from the standard rules.

use std::fmt;
use std::sync::Arc;

use klondike_game::rules::Rules;
use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserialize, Deserializer, Error, MapAccess, Visitor};

/// Rules as a request gives them: a name such as `vegas3`, or an object such as
/// `{"draw": 1, "redeals": 2}`, in which what is missing is as in the standard rules.
#[derive(Clone, Debug)]
pub struct AskedRules(pub Arc<Rules>);

impl Default for AskedRules {
    fn default() -> AskedRules {
        AskedRules(Arc::new(Rules::standard()))
    }
}

impl<'de> Deserialize<'de> for AskedRules {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<AskedRules, D::Error> {
        struct NameOrObject;

        impl<'de> Visitor<'de> for NameOrObject {
            type Value = Rules;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("the name of a rule set or an object such as {\"draw\": 1}")
            }

            fn visit_str<E: Error>(self, name: &str) -> Result<Rules, E> {
                Rules::named(name).map_err(E::custom)
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Rules, A::Error> {
                Rules::deserialize(MapAccessDeserializer::new(map))
            }
        }

        let rules = deserializer.deserialize_any(NameOrObject)?;
        Ok(AskedRules(Arc::new(rules)))
    }
}

#[cfg(feature = "schema")]
impl schemars::JsonSchema for AskedRules {
    fn schema_name() -> std::borrow::Cow<'static, str> {
        "AskedRules".into()
    }

    /// The schema of the rules, of which no field need be there and none may be unknown.
    fn json_schema(generator: &mut schemars::SchemaGenerator) -> schemars::Schema {
        let mut object = Rules::json_schema(generator);
        object.remove("required");
        object.insert("additionalProperties".to_owned(), false.into());
        let names = Rules::NAMES.map(|(name, _)| name);
        schemars::json_schema!({
            "description": "The name of a rule set, or what differs from the standard rules.",
            "oneOf": [{"type": "string", "enum": names}, object],
        })
    }
}
