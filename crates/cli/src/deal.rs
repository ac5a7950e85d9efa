//! `klondike deal`: shows, converts and checks deals.

use std::sync::Arc;

use crate::deal_source::{DealSource, Source};
use crate::output::Output;
use crate::rules_args::RulesArgs;
use crate::{CliError, Status};
use klondike_contract::{DealAnswer, Envelope, FormatAnswer, SchemeAnswer};
use klondike_game::deal::format::Format;
use klondike_game::deal::seed::Scheme;
use klondike_game::rules::Rules;
use klondike_game::table::Table;
use klondike_game::table::picture::draw;
use klondike_game::table::position::{Position, write_position};
use klondike_game::table::solvitaire::write_solvitaire;
use klondike_game::table::start::Start;

/// Show, convert or check deals
///
/// Examples: `klondike deal solvitaire:22`, `klondike deal --to pysol deals.json`,
/// `klondike deal --check -`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Write the deals in this format instead of drawing them
    #[arg(long, value_name = "FORMAT")]
    to: Option<Format>,

    /// Print nothing; only check that every deal is one
    #[arg(long, conflicts_with = "to")]
    check: bool,

    /// List the formats of --format and --to
    #[arg(long)]
    list_formats: bool,

    /// List the schemes of SCHEME:N with their ranges
    #[arg(long)]
    list_schemes: bool,

    #[command(flatten)]
    source: DealSource,

    #[command(flatten)]
    rules: RulesArgs,
}

impl Args {
    pub(super) fn run(&self, output: &mut Output) -> Result<Status, CliError> {
        if self.list_formats {
            return list_formats(output);
        }
        if self.list_schemes {
            return list_schemes(output);
        }
        let rules = self.rules.rules()?;
        for (i, source) in self.source.open(&rules)?.enumerate() {
            let source = source?;
            if self.check {
                source.table(&rules)?;
            } else if let Some(format) = self.to {
                convert(&source, format, &rules, i == 0, output)?;
            } else {
                show(&source, &rules, i == 0, output)?;
            }
        }
        Ok(Status::Answered)
    }
}

fn show(
    source: &Source,
    rules: &Arc<Rules>,
    first: bool,
    output: &mut Output,
) -> Result<(), CliError> {
    let table = source.table(rules)?;
    if output.json() {
        let answer = DealAnswer {
            format: source.format.name(),
            board: Position::from(&table),
            text: None,
        };
        output.envelope(&Envelope::of_deal(&source.label, rules, answer))?;
    } else {
        let gap = if first { "" } else { "\n" };
        let picture = draw(&table, output.style());
        output.text(&format!("{gap}# {}\n{picture}", source.label))?;
    }
    Ok(())
}

fn convert(
    source: &Source,
    format: Format,
    rules: &Arc<Rules>,
    first: bool,
    output: &mut Output,
) -> Result<(), CliError> {
    let error = |text: String| CliError::Data(format!("{}: {text}", source.label));
    let text = match &source.start {
        Start::Deal(deal) => format.write(deal).map_err(|bad| error(bad.to_string()))?,
        Start::Position(table) => write_mid_game(table, format).ok_or_else(|| {
            error(format!(
                "the format {format} cannot hold this game in progress"
            ))
        })?,
    };
    if output.json() {
        let answer = DealAnswer {
            format: format.name(),
            board: Position::from(&source.table(rules)?),
            text: Some(text.trim_end().to_owned()),
        };
        output.envelope(&Envelope::of_deal(&source.label, rules, answer))?;
    } else {
        // A blank line between blocks, so that they can be read again one by one.
        let gap = if !first && text.trim_end().contains('\n') {
            "\n"
        } else {
            ""
        };
        output.text(&format!("{gap}{text}"))?;
    }
    Ok(())
}

/// Writes a position in mid-game, if the format can hold it.
fn write_mid_game(table: &Table, format: Format) -> Option<String> {
    match format {
        Format::Klondike => Some(write_position(table)),
        Format::Solvitaire => write_solvitaire(table),
        _ => None,
    }
}

fn list_formats(output: &mut Output) -> Result<Status, CliError> {
    for format in Format::ALL {
        if output.json() {
            output.envelope(&Envelope::of_nothing(FormatAnswer {
                name: format.name(),
                about: format.about(),
            }))?;
        } else {
            output.text(&format!("{format:<17} {}\n", format.about()))?;
        }
    }
    Ok(Status::Answered)
}

fn list_schemes(output: &mut Output) -> Result<Status, CliError> {
    for scheme in Scheme::ALL {
        let (first, last) = scheme.range();
        if output.json() {
            output.envelope(&Envelope::of_nothing(SchemeAnswer {
                name: scheme.name(),
                about: scheme.about(),
                first: first.to_string(),
                last: last.to_string(),
            }))?;
        } else {
            let about = scheme.about();
            output.text(&format!("{scheme:<23} {about}; {first} to {last}\n"))?;
        }
    }
    Ok(Status::Answered)
}
