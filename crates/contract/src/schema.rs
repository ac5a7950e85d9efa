//! JSON Schema of the answers (2020-12).

use schemars::{JsonSchema, SchemaGenerator, generate::SchemaSettings};
use serde_json::{Value, json};

use crate::{Answer, Envelope, Subject, VERSION};

/// A kind with the schema of its answers.
pub type KindSchema = (&'static str, Value);

/// The schemas of all kinds, in the order of their names.
#[must_use]
pub fn all() -> Vec<KindSchema> {
    crate::kinds::schemas()
}

/// The schema of one kind: it allows what the answer has and nothing else.
#[must_use]
pub fn of<T: Answer + JsonSchema>() -> KindSchema {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let schema = SchemaGenerator::new(settings).into_root_schema_for::<Envelope<T>>();
    let mut schema = Value::from(schema);
    strip_examples(&mut schema);
    schema["title"] = json!(T::KIND);
    schema["$id"] = json!(format!("klondike:{}:{VERSION}", T::KIND));
    schema["unevaluatedProperties"] = json!(false);
    schema["properties"]["kind"]["const"] = json!(T::KIND);
    schema["properties"]["version"]["const"] = json!(VERSION);
    let about: &[&str] = match T::SUBJECT {
        Subject::Deal => &["deal", "rules"],
        Subject::Rules => &["rules"],
        Subject::Nothing => &[],
    };
    if let Some(required) = schema["required"].as_array_mut() {
        required.extend(about.iter().map(|&name| json!(name)));
    }
    (T::KIND, schema)
}

/// Descriptions come from the comments of the types, whose examples in Rust say nothing to a reader
/// of JSON.
fn strip_examples(schema: &mut Value) {
    match schema {
        Value::Object(fields) => {
            if let Some(Value::String(text)) = fields.get_mut("description") {
                // Between two fences stands an example.
                let words: String = text.split("```").step_by(2).collect();
                *text = words.trim_end().to_owned();
            }
            fields.values_mut().for_each(strip_examples);
        }
        Value::Array(parts) => parts.iter_mut().for_each(strip_examples),
        _ => {}
    }
}
