//! `klondike schema`: prints the JSON Schema of each kind of answers.

use crate::output::Output;
use crate::{CliError, Status};
use klondike_contract::schema::all;
use klondike_contract::{Envelope, SchemaAnswer};

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

impl Args {
    pub(super) fn run(&self, output: &mut Output) -> Result<Status, CliError> {
        let wanted = |name: &str| self.kind.as_ref().is_none_or(|kind| kind == name);
        let all = all();
        if !all.iter().any(|(name, _)| wanted(name)) {
            return Err(CliError::usage(
                "there is no such kind of answers; `klondike schema` lists them",
            ));
        }
        for (name, schema) in all.into_iter().filter(|(name, _)| wanted(name)) {
            let answer = Envelope::of_nothing(SchemaAnswer { name, schema });
            output.answer(answer, |SchemaAnswer { name, schema }| match self.kind {
                Some(_) => format!("{schema:#}\n"),
                None => format!("{name}\n"),
            })?;
        }
        Ok(Status::Answered)
    }
}
