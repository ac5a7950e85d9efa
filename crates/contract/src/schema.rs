//! JSON Schema of the answers (2020-12).

use schemars::{JsonSchema, SchemaGenerator, generate::SchemaSettings};
use serde_json::{Value, json};

use crate::{
    AdviceAnswer, AnalyseAnswer, Answer, CheckAnswer, DealAnswer, Envelope, FormatAnswer,
    GenerateAnswer, GradeAnswer, ProveAnswer, RulesAnswer, SchemeAnswer, SolveAnswer, Subject,
    VERSION,
};

/// A kind with the schema of its answers.
pub type KindSchema = (&'static str, Value);

/// The schemas of the kinds of this crate.
#[must_use]
pub fn all() -> Vec<KindSchema> {
    vec![
        of::<AdviceAnswer>(),
        of::<AnalyseAnswer>(),
        of::<CheckAnswer>(),
        of::<DealAnswer>(),
        of::<FormatAnswer>(),
        of::<GenerateAnswer>(),
        of::<GradeAnswer>(),
        of::<ProveAnswer>(),
        of::<RulesAnswer>(),
        of::<SchemeAnswer>(),
        of::<SolveAnswer>(),
    ]
}

/// The schema of one kind: it allows what the answer has and nothing else.
#[must_use]
pub fn of<T: Answer + JsonSchema>() -> KindSchema {
    let settings = SchemaSettings::draft2020_12().for_serialize();
    let schema = SchemaGenerator::new(settings).into_root_schema_for::<Envelope<T>>();
    let mut schema = Value::from(schema);
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
