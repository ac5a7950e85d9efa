//! Why a command did not work, and who can put it right.

use std::fmt::{self, Display};
use std::io;

use crate::deal_source::Source;
use klondike_lab::checkpoint::CheckpointError;
use klondike_lab::merge::MergeError;
use klondike_lab::plots::DrawError;
use klondike_lab::report::ReportError;
use klondike_lab::run_error::RunError;
use klondike_lab::task::TaskError;
use klondike_lab::variants::VariantsError;
use klondike_papers::reproduce::sample::SampleError;
use klondike_papers::simulate::SimulateError;
use klondike_play::grade::generate::GenerateError;

/// Why a command did not work.
#[derive(Debug)]
pub(super) enum CliError {
    /// The command line asks for something that does not exist.
    Usage(String),
    /// What was read is wrong or cannot be read.
    Data(String),
    /// One of the deals is wrong; others may follow.
    Deal(Box<BadDeal>),
    /// Standard output cannot be written.
    Output(io::Error),
}

/// What is wrong with one of the deals.
#[derive(Debug)]
pub(super) struct BadDeal {
    /// The name by which it was asked for.
    pub(super) label: String,
    /// What is named in front of the message: the whole file where the message names the line.
    pub(super) place: String,
    /// The line at fault.
    pub(super) line: Option<usize>,
    pub(super) message: String,
    /// How to mend it, where the message does not say so.
    pub(super) help: Option<&'static str>,
}

impl Display for BadDeal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.message)?;
        match self.help {
            Some(help) => write!(f, "; {help}"),
            None => Ok(()),
        }
    }
}

impl From<BadDeal> for CliError {
    fn from(bad: BadDeal) -> CliError {
        CliError::Deal(Box::new(bad))
    }
}

impl CliError {
    /// Whether nobody reads the output any more.
    pub(super) fn is_closed_pipe(&self) -> bool {
        matches!(self, CliError::Output(error) if error.kind() == io::ErrorKind::BrokenPipe)
    }

    pub(super) fn usage(error: impl Display) -> CliError {
        CliError::Usage(error.to_string())
    }
}

/// Only writing to standard output gives bare I/O errors; reading names what it read.
impl From<io::Error> for CliError {
    fn from(error: io::Error) -> CliError {
        CliError::Output(error)
    }
}

/// Says what an error is about.
pub(super) trait About<T> {
    /// The error as one of the data: `what: error`.
    fn about(self, what: impl Display) -> Result<T, CliError>;

    /// The error as one of this deal, after which others may follow.
    fn of_deal(self, source: &Source) -> Result<T, CliError>;
}

impl<T, E: Display> About<T> for Result<T, E> {
    fn about(self, what: impl Display) -> Result<T, CliError> {
        self.map_err(|error| CliError::Data(format!("{what}: {error}")))
    }

    fn of_deal(self, source: &Source) -> Result<T, CliError> {
        self.map_err(|error| {
            CliError::from(BadDeal {
                label: source.label.clone(),
                place: source.label.clone(),
                line: source.line,
                message: error.to_string(),
                help: None,
            })
        })
    }
}

/// An error of the libraries that ends a command.
pub(super) trait LibraryError: Display {
    /// Whether the command line is wrong, and not the data.
    fn is_usage(&self) -> bool {
        false
    }
}

impl<E: LibraryError> From<E> for CliError {
    fn from(error: E) -> CliError {
        if error.is_usage() {
            CliError::usage(error)
        } else {
            CliError::Data(error.to_string())
        }
    }
}

impl LibraryError for DrawError {}
impl LibraryError for ReportError {}
impl LibraryError for VariantsError {}

impl LibraryError for TaskError {
    fn is_usage(&self) -> bool {
        true
    }
}

impl LibraryError for CheckpointError {
    fn is_usage(&self) -> bool {
        // The file is of a run with other options.
        matches!(self, CheckpointError::Other { .. })
    }
}

impl LibraryError for RunError {
    fn is_usage(&self) -> bool {
        // The directory is of a run with other options.
        matches!(self, RunError::Other { .. } | RunError::Limits { .. })
    }
}

impl LibraryError for MergeError {
    fn is_usage(&self) -> bool {
        matches!(self, MergeError::Run(error) if error.is_usage())
    }
}

impl LibraryError for SampleError {
    fn is_usage(&self) -> bool {
        matches!(self, SampleError::Seed(_))
    }
}

impl LibraryError for SimulateError {
    fn is_usage(&self) -> bool {
        // The scheme of another program with another deck: the options do not go together.
        matches!(self, SimulateError::Deal(..))
    }
}

impl LibraryError for GenerateError {
    fn is_usage(&self) -> bool {
        matches!(self, GenerateError::Seed(..) | GenerateError::Lengths(_))
    }
}
