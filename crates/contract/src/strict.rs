//! JSON in which no field stands twice.

use std::fmt;

use serde::de::{Deserialize, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
use serde_json::{Map, Value};

/// A JSON value in which no field stands twice; plain `serde_json` takes the last one silently.
pub struct Strict(pub Value);

impl<'de> Deserialize<'de> for Strict {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;

        impl<'de> Visitor<'de> for Any {
            type Value = Value;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("JSON")
            }

            fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
                Ok(value.into())
            }

            fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
                Ok(value.into())
            }

            fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
                Ok(value.into())
            }

            fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
                Ok(value.into())
            }

            fn visit_str<E>(self, value: &str) -> Result<Value, E> {
                Ok(value.into())
            }

            fn visit_unit<E>(self) -> Result<Value, E> {
                Ok(Value::Null)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
                let mut values = Vec::new();
                while let Some(Strict(value)) = list.next_element()? {
                    values.push(value);
                }
                Ok(values.into())
            }

            fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Value, A::Error> {
                let mut map = Map::new();
                while let Some(key) = fields.next_key::<String>()? {
                    if map.contains_key(&key) {
                        let key: String = key.chars().take(40).collect();
                        return Err(A::Error::custom(format_args!(
                            "the field `{}` stands twice",
                            key.escape_debug()
                        )));
                    }
                    let Strict(value) = fields.next_value()?;
                    map.insert(key, value);
                }
                Ok(map.into())
            }
        }

        deserializer.deserialize_any(Any).map(Strict)
    }
}
