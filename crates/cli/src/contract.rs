//! The kinds of answers that commands give as JSON, and `klondike schema`, which prints the JSON
//! Schema of each. `klondike_contract` has the answers about deals; here are those about many.

use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;

use crate::output::Output;
use crate::{CliError, Status};
use klondike_contract::schema::{KindSchema, all, of};
use klondike_contract::{Answer, Envelope, Subject};

/// Says of each type what kind of answer it is and what it is about, and lists their schemas.
macro_rules! kinds {
    ($($answer:ty => $kind:literal about $subject:ident,)+) => {
        $(impl Answer for $answer {
            const KIND: &'static str = $kind;
            const SUBJECT: Subject = Subject::$subject;
        })+

        /// The schemas of all kinds, by name.
        fn schemas() -> Vec<KindSchema> {
            let mut schemas = all();
            schemas.extend([$(of::<$answer>(),)+]);
            schemas.sort_by_key(|&(kind, _)| kind);
            schemas
        }
    };
}

kinds! {
    crate::bound::BoundJson<'_> => "bound" about Rules,
    crate::compare::CompareJson<'_> => "compare" about Rules,
    crate::count::CountAnswer => "count" about Nothing,
    crate::estimate::EstimateJson<'_> => "estimate" about Rules,
    crate::export::ExportJson => "export" about Deal,
    crate::merge::MergeJson<'_> => "merge" about Rules,
    crate::patience::games::ListJson => "patience-list" about Nothing,
    crate::patience::games::SchemaJson => "patience-schema" about Nothing,
    crate::patience::games::ShowJson => "patience-show" about Nothing,
    crate::patience::published::Row<'_> => "patience-published" about Nothing,
    crate::patience::runs::MctsJson<'_> => "patience-mcts" about Nothing,
    crate::patience::runs::RunJson<'_> => "patience-sweep" about Nothing,
    crate::report::ReportJson<'_> => "report" about Nothing,
    crate::reproduce::ExperimentJson<'_> => "experiment" about Nothing,
    crate::reproduce::RowJson<'_> => "reproduce" about Nothing,
    crate::simulate::CompareJson => "simulate-comparison" about Rules,
    crate::simulate::EntryJson => "player" about Nothing,
    crate::simulate::PlayerJson => "simulate" about Rules,
    crate::sweep::PointJson<'_> => "sweep" about Rules,
    SchemaJson => "schema" about Nothing,
}

/// Print the JSON Schema of an answer, or list the kinds of answers
///
/// Every line that a command prints with --json says its kind. The schemas also stand in `schema/`,
/// and docs/json.md describes the answers. Example: `klondike schema solve`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The kind; without it, all kinds are listed
    #[arg(value_name = "KIND")]
    kind: Option<String>,
}

/// A line of `klondike schema --json`.
#[derive(JsonSchema, Serialize)]
pub(super) struct SchemaJson {
    /// A kind of answers.
    name: &'static str,
    /// The JSON Schema (2020-12) of these.
    schema: Value,
}

impl Args {
    pub(super) fn run(&self, output: &mut Output) -> Result<Status, CliError> {
        let wanted = |name: &str| self.kind.as_ref().is_none_or(|kind| kind == name);
        let all = schemas();
        if !all.iter().any(|(name, _)| wanted(name)) {
            let names: Vec<&str> = all.iter().map(|&(name, _)| name).collect();
            return Err(CliError::usage(format!(
                "there is no such kind of answers; there are {}",
                names.join(", ")
            )));
        }
        for (name, schema) in all.into_iter().filter(|(name, _)| wanted(name)) {
            let answer = Envelope::of_nothing(SchemaJson { name, schema });
            output.answer(answer, |SchemaJson { name, schema }| match self.kind {
                Some(_) => format!("{schema:#}\n"),
                None => format!("{name}\n"),
            })?;
        }
        Ok(Status::Answered)
    }
}
