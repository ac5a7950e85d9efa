//! JSON Schema of the requests (2020-12).

use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator};
use serde_json::{Map, Value, json};

use crate::request::{
    AnalyseOptions, CheckOptions, ConvertOptions, GenerateOptions, KINDS, NoOptions,
    PositionOptions, RequestedGame, SolveOptions, SvgOptions, ThinkOptions,
};

/// The schema of the requests of each kind, in the order of [`KINDS`].
#[must_use]
pub fn requests() -> Vec<(&'static str, Value)> {
    KINDS.map(|kind| (kind, request(kind))).into()
}

fn request(kind: &str) -> Value {
    let mut schema = match kind {
        "position" => with_game::<PositionOptions>(),
        "solve" => with_game::<SolveOptions>(),
        "analyse" => with_game::<AnalyseOptions>(),
        "advise" | "player-move" => with_game::<ThinkOptions>(),
        "convert" => with_game::<ConvertOptions>(),
        "svg" => with_game::<SvgOptions>(),
        "explain" | "prove" | "grade" => with_game::<NoOptions>(),
        "generate" => of::<GenerateOptions>(),
        "check" => of::<CheckOptions>(),
        _ => of::<NoOptions>(),
    };
    schema["title"] = json!(kind);
    schema["additionalProperties"] = json!(false);
    let mut properties = Map::from_iter([("kind".to_owned(), json!({"const": kind}))]);
    if let Some(Value::Object(own)) = schema.get_mut("properties").map(Value::take) {
        properties.extend(own);
    }
    schema["properties"] = Value::Object(properties);
    schema
}

fn of<T: JsonSchema>() -> Value {
    let mut settings = SchemaSettings::draft2020_12().for_deserialize();
    settings.inline_subschemas = true;
    let schema = SchemaGenerator::new(settings).into_root_schema_for::<T>();
    let mut schema = Value::from(schema);
    if let Some(fields) = schema.as_object_mut() {
        fields.remove("$schema");
    }
    schema
}

/// The fields of the game and those of the kind together.
fn with_game<T: JsonSchema>() -> Value {
    let (mut schema, mut own) = (of::<RequestedGame>(), of::<T>());
    if let (Some(all), Some(Value::Object(own))) = (
        schema["properties"].as_object_mut(),
        own.get_mut("properties").map(Value::take),
    ) {
        all.extend(own);
    }
    schema
}
