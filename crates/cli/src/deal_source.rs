//! Where deals come from: the arguments that name them, shared by all commands.
//!
//! [`DealSource::open`] gives a lazy stream: a range of a million seeds or a file of any length
//! takes no more room than one deal.

use std::fmt;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::Args;

use crate::error::BadDeal;
use crate::rules_args::options;
use crate::shell::{as_argument, command_in_one_line, quoted};
use crate::{About, CliError};
use klondike_game::deal::format::Format;
use klondike_game::deal::format::file::{Item, Items, ReadError};
use klondike_game::deal::seed::{DealId, DealRange, Scheme, looks_like_seed};
use klondike_game::rules::Rules;
use klondike_game::table::Table;
use klondike_game::table::position::PartlyKnown;
use klondike_game::table::start::{Start, StartError};
use klondike_play::Information;

#[derive(Debug, Args)]
#[command(next_help_heading = "Deals")]
pub(super) struct DealSource {
    /// Deals: a file, `-` for standard input, SCHEME:N, SCHEME:A..B or a deal itself
    ///
    /// A file may hold any number of deals in any of the formats; `#` starts a comment line.
    #[arg(value_name = "DEAL")]
    deals: Vec<String>,

    /// Deals by number, such as solvitaire:22, or solvitaire:1..1000 with both ends
    #[arg(long, value_name = "SCHEME:N", value_parser = read_range)]
    seed: Vec<DealRange>,

    /// Format of deals given as text; without it, it is recognised
    #[arg(long, value_name = "FORMAT")]
    format: Option<Format>,
}

fn read_range(text: &str) -> Result<DealRange, String> {
    text.parse::<DealRange>().map_err(|error| error.to_string())
}

/// A deal or position, with the name by which it was asked for.
#[derive(Debug)]
pub(super) struct Source {
    /// The seed text, `FILE:LINE`, or `argument N`.
    pub(super) label: String,
    /// The line in which it stands.
    pub(super) line: Option<usize>,
    /// The format it was read in.
    pub(super) format: Format,
    /// What was read.
    pub(super) start: Start,
    /// The argument that it is from.
    pub(super) argument: String,
}

impl Source {
    /// How to name it to the user.
    pub(super) fn name(&self) -> DealName {
        DealName {
            label: self.label.clone(),
            line: self.line,
        }
    }

    /// The table as the game starts.
    ///
    /// # Errors
    /// If cards are not known: only `advise` can do something with such a game.
    pub(super) fn table(&self, rules: &Arc<Rules>) -> Result<Table, CliError> {
        if let Start::Partly(partly) = &self.start {
            if lacks_talon(partly) {
                return Err(unknown_talon(&self.label, partly.unknown_talon).into());
            }
            let options = options(rules);
            let argument = as_argument(&self.argument);
            let words = ["advise", &argument].into_iter();
            // Never recognised.
            let format = match self.format {
                Format::MinimalKlondike => vec!["--format", self.format.name()],
                _ => Vec::new(),
            };
            let words = words.chain(format);
            let line = command_in_one_line(words.chain(options.iter().map(String::as_str)));
            let count = match partly.unknown.len() {
                1 => "1 card is".to_owned(),
                count => format!("{count} cards are"),
            };
            let text = format!("{count} not known (`??`); with unknown cards use `advise`: {line}");
            return Err(text).of_deal(self);
        }
        self.start.table(rules).of_deal(self)
    }
}

/// Whether talon cards are unknown that a person would know.
pub(super) fn lacks_talon(partly: &PartlyKnown) -> bool {
    Information::lacks_talon(&partly.table, |card| partly.unknown.contains(card))
}

/// What is wrong with a game of which no command can say anything.
pub(super) fn unknown_talon(label: &str, count: usize) -> BadDeal {
    let cards = if count == 1 { "card" } else { "cards" };
    let are = if count == 1 { "is" } else { "are" };
    BadDeal {
        label: label.to_owned(),
        place: label.to_owned(),
        line: None,
        message: format!("{count} {cards} of the stock and the waste {are} unknown"),
        help: Some(
            "look through them once (with unlimited redeals that is free) and write them down; \
             then `advise` can say more",
        ),
    }
}

/// Which of many deals: what [`Source`] says of it.
#[derive(Clone, Debug)]
pub(super) struct DealName {
    label: String,
    line: Option<usize>,
}

impl DealName {
    /// That of a deal with an answer, or of one that is wrong.
    pub(super) fn of<T>(
        answer: &Result<T, CliError>,
        source: impl FnOnce(&T) -> &Source,
    ) -> Option<DealName> {
        match answer {
            Ok(answer) => Some(source(answer).name()),
            Err(CliError::Deal(bad)) => Some(DealName {
                label: bad.label.clone(),
                line: bad.line,
            }),
            Err(_) => None,
        }
    }
}

/// The name, and the line if the name does not say it.
impl fmt::Display for DealName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let DealName { label, line } = self;
        match line {
            Some(line) if !label.ends_with(&format!(":{line}")) => {
                write!(f, "{label} in line {line}")
            }
            _ => f.write_str(label),
        }
    }
}

/// What an argument turned out to be.
enum Named {
    Range(DealRange),
    Stdin,
    File(PathBuf),
    Text { label: String, text: String },
}

pub(super) type Sources<'a> = Box<dyn Iterator<Item = Result<Source, CliError>> + Send + 'a>;

impl DealSource {
    /// One deal, as an argument names it.
    pub(super) fn one(argument: &str, format: Option<Format>) -> DealSource {
        DealSource {
            deals: vec![argument.to_owned()],
            seed: Vec::new(),
            format,
        }
    }

    /// Whether no deal was asked for.
    pub(super) fn is_empty(&self) -> bool {
        self.deals.is_empty() && self.seed.is_empty()
    }

    /// Whether deals come from standard input.
    pub(super) fn reads_stdin(&self) -> bool {
        self.deals.iter().any(|text| text == "-")
    }

    /// Whether deals may come slowly: from standard input or a named pipe.
    pub(super) fn may_wait(&self) -> bool {
        let is_pipe = |text: &String| fs::metadata(text).is_ok_and(|file| !file.is_file());
        self.reads_stdin() || self.deals.iter().any(is_pipe)
    }

    /// The file, if all that was asked for is one.
    pub(super) fn only_file(&self) -> Option<&Path> {
        let [text] = &self.deals[..] else {
            return None;
        };
        match name(text, 1) {
            Ok(Named::File(_)) if self.seed.is_empty() => Some(Path::new(text)),
            _ => None,
        }
    }

    /// The deals that were asked for, in the order of the arguments, those of `--seed` last.
    ///
    /// After a bad deal ([`CliError::Deal`]) others may follow; another error is the last one.
    pub(super) fn open<'a>(&'a self, rules: &'a Arc<Rules>) -> Result<Sources<'a>, CliError> {
        let mut named = Vec::new();
        for (i, text) in self.deals.iter().enumerate() {
            named.push(name(text, i + 1)?);
        }
        named.extend(self.seed.iter().cloned().map(Named::Range));
        if named.is_empty() {
            let hint = "no deal: give a file, `-` for standard input, a deal, or --seed SCHEME:N";
            return Err(CliError::usage(hint));
        }
        let stdins = named.iter().filter(|one| matches!(one, Named::Stdin));
        if stdins.count() > 1 {
            return Err(CliError::usage(
                "standard input (`-`) can be read only once",
            ));
        }
        let mut failed = false;
        let stream = named.into_iter().flat_map(move |one| {
            self.stream(one, rules)
                .unwrap_or_else(|error| Box::new(std::iter::once(Err(error))))
        });
        Ok(Box::new(stream.map_while(move |source| {
            if failed {
                return None;
            }
            failed = !matches!(source, Ok(_) | Err(CliError::Deal(_)));
            Some(source)
        })))
    }

    /// How to go on with this deal: a command, if all deals are one range.
    pub(super) fn go_on_from(&self, first: &DealName) -> String {
        self.command_from(first.label.parse().ok())
            .unwrap_or_else(|| format!("to go on, begin with deal {first}"))
    }

    /// How to go on after this deal, the last that is answered; with the first one, if there is
    /// none.
    pub(super) fn go_on_after(&self, last: Option<&DealName>) -> String {
        let Some(last) = last else {
            return "nothing is answered yet; the same command begins anew".to_owned();
        };
        let last_id: Option<DealId> = last.label.parse().ok();
        let next = last_id.and_then(|id| DealId::new(id.scheme(), id.seed().plus(1)).ok());
        self.command_from(next)
            .unwrap_or_else(|| format!("to go on, begin after deal {last}"))
    }

    /// The command for the deals from this one on, if all deals are one range.
    fn command_from(&self, first: Option<DealId>) -> Option<String> {
        let ([text], true) = (&self.deals[..], self.seed.is_empty()) else {
            return None;
        };
        let (_, last) = text.split_once("..")?;
        let range = format!("{}..{last}", first?);
        range.parse::<DealRange>().ok()?;
        let words = std::env::args().skip(1);
        let words = words.map(|word| match word == *text {
            true => range.clone(),
            false => quoted(&word),
        });
        let words: Vec<_> = words.collect();
        Some(format!("to go on: klondike {}", words.join(" ")))
    }

    /// How many deals were asked for, if that is known without reading them.
    pub(super) fn count(&self) -> Option<u64> {
        let ranges = self.deals.iter().map(|text| text.parse::<DealRange>().ok());
        ranges
            .chain(self.seed.iter().cloned().map(Some))
            .map(|range| u64::try_from(range?.size_hint().1?).ok())
            .sum()
    }

    fn stream<'a>(&'a self, one: Named, rules: &'a Arc<Rules>) -> Result<Sources<'a>, CliError> {
        Ok(match one {
            Named::Range(range) => Box::new(range.map(|id| {
                let label = id.to_string();
                // Another program's scheme with another deck: the options do not go together.
                let deal = id.deal(rules.deck(), rules.layout());
                let deal = deal.map_err(|error| CliError::Usage(format!("{label}: {error}")))?;
                Ok(Source {
                    argument: label.clone(),
                    label,
                    line: None,
                    format: Format::Seed,
                    start: Start::Deal(deal),
                })
            })),
            Named::Stdin => self.items(
                "standard input".to_owned(),
                "-".to_owned(),
                BufReader::new(io::stdin()),
                rules,
            ),
            Named::File(path) => {
                let name = path.display().to_string();
                let file = File::open(&path)
                    .map_err(|error| CliError::Data(format!("cannot read {name}: {error}")))?;
                self.items(name.clone(), name, BufReader::new(file), rules)
            }
            Named::Text { label, text } if text.contains('\n') => {
                self.items(label, text.clone(), io::Cursor::new(text), rules)
            }
            Named::Text { label, text } => {
                let item = Item::from_text(text.clone());
                let source = self.read(&label, &item, rules).map(|source| Source {
                    argument: text,
                    ..source
                });
                Box::new(std::iter::once(source))
            }
        })
    }

    /// The deals of something that has lines; `name` is what it is called, `argument` how it was
    /// named.
    fn items<'a>(
        &'a self,
        name: String,
        argument: String,
        reader: impl BufRead + Send + 'a,
        rules: &'a Arc<Rules>,
    ) -> Sources<'a> {
        let items = Items::new(reader, self.format, rules.layout());
        Box::new(items.map(move |item| {
            let item = item.map_err(|error| match error {
                ReadError::Format(error) => bad_deal(&name, error.line(), &error.into()),
                error => CliError::Data(format!("cannot read {name}: {error}")),
            })?;
            let source = self.read(&name, &item, rules)?;
            Ok(Source {
                argument: argument.clone(),
                ..source
            })
        }))
    }

    fn read(&self, name: &str, item: &Item, rules: &Arc<Rules>) -> Result<Source, CliError> {
        let read = || {
            let format = item.format(self.format)?;
            Ok((format, Start::read(item, format, rules)?))
        };
        let (format, start) = read().map_err(|error| bad_deal(name, item.line(), &error))?;
        // A number says more than the line it stands in.
        let label = match format {
            Format::Seed => item.text().trim().to_owned(),
            _ => label(name, item.line()),
        };
        Ok(Source {
            argument: String::new(),
            label,
            line: item.line(),
            format,
            start,
        })
    }
}

/// The name of a deal in the file `name`, if it begins in a line of it.
fn label(name: &str, line: Option<usize>) -> String {
    line.map_or_else(|| name.to_owned(), |line| format!("{name}:{line}"))
}

fn bad_deal(name: &str, line: Option<usize>, error: &StartError) -> CliError {
    CliError::from(BadDeal {
        label: label(name, line),
        place: name.to_owned(),
        line: error.line().or(line),
        message: error.to_string(),
        help: error.hint(),
    })
}

/// Finds out what an argument is.
fn name(text: &str, number: usize) -> Result<Named, CliError> {
    if text == "-" {
        return Ok(Named::Stdin);
    }
    let scheme = text.split(':').next().unwrap_or_default();
    let exists = || Path::new(text).exists();
    if looks_like_seed(text) && (scheme.parse::<Scheme>().is_ok() || !exists()) {
        return text.parse().map(Named::Range).map_err(CliError::usage);
    }
    if exists() {
        return Ok(Named::File(PathBuf::from(text)));
    }
    let label = format!("argument {number}");
    let number = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    if number || Format::detect(text).is_some() {
        let text = text.to_owned();
        return Ok(Named::Text { label, text });
    }
    // Whole for a path, not for a text.
    let shown: String = text.chars().take(200).collect();
    Err(CliError::Data(format!(
        "{label}: `{}`: no such file, and not a deal",
        shown.escape_debug()
    )))
}
