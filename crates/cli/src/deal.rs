//! `klondike deal`: shows, converts and checks deals.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::deal_source::{DealSource, Source};
use crate::output::Output;
use crate::rules_args::RulesArgs;
use crate::values::read_file_to_write;
use crate::{About as _, CliError, Status};
use klondike_contract::{DealAnswer, Envelope, FormatAnswer, SchemeAnswer};
use klondike_engine::prove::{Verdict, decide};
use klondike_engine::search::Limits;
use klondike_game::deal::format::Format;
use klondike_game::deal::seed::Scheme;
use klondike_game::rules::Rules;
use klondike_game::table::picture::{draw, draw_partly};
use klondike_game::table::position::Position;
use klondike_game::table::start::Start;
use klondike_game::table::svg;
use klondike_lemmas::prune::Lemmas;

/// Show, convert or check deals
///
/// Examples: `klondike deal solvitaire:22`, `klondike deal --to pysol deals.json`,
/// `klondike deal --check -`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Write the deals in this format instead of drawing them
    #[arg(long, value_name = "FORMAT")]
    to: Option<Format>,

    /// Write a picture of the deal to this file, as SVG, with whether it can be won
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["to", "check"],
        value_parser = read_file_to_write,
    )]
    svg: Option<PathBuf>,

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
        if let Some(path) = &self.svg {
            return self.picture(path, &rules, output);
        }
        let mut status = Status::Answered;
        let mut first = true;
        for source in self.source.open(&rules)? {
            let shown = source.and_then(|source| match self.to {
                _ if self.check => source.table(&rules).map(|_| ()),
                Some(format) => convert(&source, format, &rules, first, output),
                None => show(&source, &rules, first, output),
            });
            first &= output.unless_bad(shown, &mut status)?.is_none();
            output.flush()?;
        }
        Ok(status)
    }

    /// Writes the picture of the only deal.
    fn picture(
        &self,
        path: &Path,
        rules: &Arc<Rules>,
        output: &mut Output,
    ) -> Result<Status, CliError> {
        let mut sources = self.source.open(rules)?;
        let (source, more) = (sources.next().transpose()?, sources.next());
        let (Some(source), None) = (source, more) else {
            return Err(CliError::usage("a picture is of one deal: name one"));
        };
        let name = shortened(&source.label);
        // Of the talon a picture shows the waste, whose cards must be known.
        if let Start::Partly(partly) = &source.start
            && partly.unknown_talon == 0
        {
            let picture = svg::draw(&partly.table, &format!("{name}: some cards are not known"));
            return write_picture(path, &picture, output);
        }
        let table = source.table(rules)?;
        let limits = Limits {
            max_states: Some(PICTURE_STATES),
            ..Limits::default()
        };
        let verdict = decide(&table, Lemmas::ALL, &limits)
            .of_deal(&source)?
            .verdict;
        let caption = match &verdict {
            Verdict::Winnable(solution) => {
                format!("{name}: can be won, in {} moves", solution.moves().len())
            }
            Verdict::Unwinnable(_) => format!("{name}: cannot be won"),
            Verdict::Undecided(_) => name,
        };
        write_picture(path, &svg::draw(&table, &caption), output)
    }
}

fn write_picture(path: &Path, picture: &str, output: &mut Output) -> Result<Status, CliError> {
    fs::write(path, picture).about(format!("cannot write {}", path.display()))?;
    output.wrote(path)?;
    Ok(Status::Answered)
}

/// States for the verdict below a picture: a second or two.
const PICTURE_STATES: u64 = 1_000_000;

/// A name that fits below a picture: the middle of a longer one is left out.
fn shortened(name: &str) -> String {
    let letters: Vec<char> = name.chars().collect();
    if letters.len() <= 32 {
        return name.to_owned();
    }
    let text = |letters: &[char]| letters.iter().collect::<String>();
    format!(
        "{}…{}",
        text(&letters[..18]),
        text(&letters[letters.len() - 8..])
    )
}

fn show(
    source: &Source,
    rules: &Arc<Rules>,
    first: bool,
    output: &mut Output,
) -> Result<(), CliError> {
    if output.json() {
        let answer = DealAnswer {
            format: source.format.name(),
            board: board(source, rules)?,
            text: None,
        };
        output.envelope(&Envelope::of_deal(&source.label, rules, answer))?;
        return Ok(());
    }
    let picture = match &source.start {
        Start::Partly(partly) => draw_partly(&partly.table, partly.unknown, output.style()),
        _ => draw(&source.table(rules)?, output.style()),
    };
    let gap = if first { "" } else { "\n" };
    output.text(&format!("{gap}# {}\n{picture}", source.label))?;
    Ok(())
}

fn convert(
    source: &Source,
    format: Format,
    rules: &Arc<Rules>,
    first: bool,
    output: &mut Output,
) -> Result<(), CliError> {
    let text = source.start.write(format).of_deal(source)?;
    if output.json() {
        let answer = DealAnswer {
            format: format.name(),
            board: board(source, rules)?,
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

/// Where the cards lie, with `??` for those that are not known.
fn board(source: &Source, rules: &Arc<Rules>) -> Result<Position, CliError> {
    Ok(match &source.start {
        Start::Partly(partly) => partly.to_position(),
        _ => Position::from(&source.table(rules)?),
    })
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
