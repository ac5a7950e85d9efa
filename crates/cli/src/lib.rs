//! The command line: arguments, printing and exit statuses.
//!
//! An internal crate: users take `klondike`, and all of this may change with any version.
//!
//! Each command is a file with its arguments and a function `run`; the groups of arguments that
//! commands share are in `rules_args.rs` and `deal_source.rs`. To add a command, write its file and
//! add it to the enum `Command`.
//!
//! Exit statuses: 0 answered, 1 an error in the data (a bad deal, a file that cannot be read), 2 a
//! wrong command line (also an impossible rule or an unknown seed), 3 undecided within the limits,
//! 130 ended early by Ctrl-C or SIGTERM, with what was found so far (docs/rules.md names the
//! commands). An error is one line on standard error, `klondike: error: …`. When the reader of our
//! output closes it, the program ends quietly with status 0, but `check` with status 1: 0 would say
//! that all files are verified.

mod advise;
mod analyse;
mod best;
mod bound;
mod check;
mod compare;
mod count;
mod deal;
mod deal_source;
mod error;
mod estimate;
mod export;
mod generate;
mod grade;
mod limit_args;
mod lines;
mod merge;
mod numbers;
mod output;
mod patience;
mod play;
mod progress;
mod prove;
mod range_args;
mod report;
mod reproduce;
mod rules;
mod rules_args;
mod schema;
mod score;
mod sequential;
mod serve;
mod shell;
mod simulate;
mod solve;
mod sweep;
mod values;
mod vegas;
mod whole_file;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Arg, ArgAction, CommandFactory as _, FromArgMatches as _, Parser, Subcommand};

use error::{About, CliError};
use output::Output;

/// Decides Klondike solitaire deals.
#[derive(Debug, Parser)]
#[command(name = "klondike", version, max_term_width = 100)]
struct Cli {
    #[command(subcommand)]
    command: Command,

    /// Print one JSON object per line instead of text
    #[arg(long, global = true)]
    json: bool,
}

#[derive(Debug, Subcommand)]
enum Command {
    Advise(advise::Args),
    Analyse(analyse::Args),
    Bound(bound::Args),
    Check(check::Args),
    Compare(compare::Args),
    Completions(shell::CompletionsArgs),
    Count(count::Args),
    Deal(deal::Args),
    Estimate(estimate::Args),
    Export(export::Args),
    Generate(generate::Args),
    Grade(grade::Args),
    Man(shell::ManArgs),
    Merge(merge::Args),
    Patience(patience::Args),
    Play(play::Args),
    Prove(prove::Args),
    Report(report::Args),
    Reproduce(reproduce::Args),
    Rules(rules::Args),
    Schema(schema::Args),
    Serve(serve::ServeArgs),
    Simulate(simulate::Args),
    Site(serve::SiteArgs),
    Solve(solve::Args),
    Sweep(sweep::Args),
}

/// The command line. Commands that print no JSON leave --json out of their help.
fn arguments() -> clap::Command {
    let without_json = |command: clap::Command| {
        let json = Arg::new("json").long("json").action(ArgAction::SetTrue);
        command.arg(json.hide(true))
    };
    negative_numbers(Cli::command())
        .mut_subcommand("completions", without_json)
        .mut_subcommand("man", without_json)
        .mut_subcommand("play", without_json)
        .mut_subcommand("patience", |command| {
            command.mut_subcommand("play", without_json)
        })
}

/// Lets `-1` be the value of an option, so that the error says which values there are.
fn negative_numbers(command: clap::Command) -> clap::Command {
    let values = |arg: Arg| {
        let takes = arg.get_action().takes_values();
        arg.allow_negative_numbers(takes)
    };
    command.mut_args(values).mut_subcommands(negative_numbers)
}

/// How a command that worked ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Status {
    /// Everything that was asked for was answered.
    Answered,
    /// Something was undecided within the limits.
    Undecided,
    /// Some deals were none; the others are answered.
    BadDeals,
    /// It was interrupted; what was found before is printed.
    Interrupted,
}

/// The exit status after Ctrl-C, as shells give it.
const INTERRUPTED: u8 = 130;

/// Does what the command line says and gives the exit status.
#[must_use]
pub fn run() -> ExitCode {
    let cli = arguments().try_get_matches();
    let cli = match cli.and_then(|found| Cli::from_arg_matches(&found)) {
        Ok(cli) => cli,
        Err(error) if error.use_stderr() && error.kind() != MISSING => {
            report(&one_line(&error));
            return ExitCode::from(2);
        }
        Err(help) => {
            let printed = help.print().and_then(|()| io::stdout().flush());
            let status = u8::try_from(help.exit_code()).unwrap_or(2);
            return exit_of_print(printed, ExitCode::from(status));
        }
    };
    #[cfg(unix)]
    survive_file_limits();
    let mut output = Output::new(cli.json);
    let result = cli.command.run(&mut output);
    exit(result, &mut output)
}

impl Command {
    fn run(&self, output: &mut Output) -> Result<Status, CliError> {
        match self {
            Command::Advise(args) => args.run(output),
            Command::Analyse(args) => args.run(output),
            Command::Bound(args) => args.run(output),
            Command::Check(args) => args.run(output),
            Command::Compare(args) => args.run(output),
            Command::Completions(args) => args.run(output),
            Command::Count(args) => args.run(output),
            Command::Deal(args) => args.run(output),
            Command::Estimate(args) => args.run(output),
            Command::Export(args) => args.run(output),
            Command::Generate(args) => args.run(output),
            Command::Grade(args) => args.run(output),
            Command::Man(args) => args.run(output),
            Command::Merge(args) => args.run(output),
            Command::Patience(args) => args.run(output),
            Command::Play(args) => args.run(output),
            Command::Prove(args) => args.run(output),
            Command::Report(args) => args.run(output),
            Command::Reproduce(args) => args.run(output),
            Command::Rules(args) => args.run(output),
            Command::Schema(args) => args.run(output),
            Command::Serve(args) => args.run(output),
            Command::Simulate(args) => args.run(output),
            Command::Site(args) => args.run(output),
            Command::Solve(args) => args.run(output),
            Command::Sweep(args) => args.run(output),
        }
    }
}

/// Prints the error that ended a command, and gives the exit status.
fn exit(result: Result<Status, CliError>, output: &mut Output) -> ExitCode {
    // A bad deal ends some commands; it is printed as those that end none.
    let mut status = Status::BadDeals;
    let result = output.unless_bad(result, &mut status);
    let result = result.map(|ended| ended.unwrap_or(status));
    // What was printed before an error is still an answer.
    let result = result.and_then(|status| {
        output.flush()?;
        Ok(status)
    });
    match result {
        Ok(Status::Answered) => ExitCode::SUCCESS,
        Ok(Status::Undecided) => ExitCode::from(3),
        Ok(Status::BadDeals) => ExitCode::from(1),
        Ok(Status::Interrupted) => ExitCode::from(INTERRUPTED),
        Err(error) => {
            let _ = output.flush();
            let (message, status) = match error {
                CliError::Deal(bad) => (bad.to_string(), 1),
                CliError::Usage(message) => (message, 2),
                CliError::Data(message) => (message, 1),
                CliError::Output(error) => return exit_of_print(Err(error), ExitCode::SUCCESS),
            };
            report(&message);
            ExitCode::from(status)
        }
    }
}

/// The exit status after a print that ends the program. A reader that wants no more is no error.
fn exit_of_print(printed: io::Result<()>, done: ExitCode) -> ExitCode {
    match printed {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            report(&format!("cannot write the output: {error}"));
            ExitCode::FAILURE
        }
        _ => done,
    }
}

/// Where the shell limits the size of files (`ulimit -f`), a write beyond it gives an error, in
/// place of a signal that ends the program without a word.
#[cfg(unix)]
fn survive_file_limits() {
    use signal_hook::{consts::SIGXFSZ, flag};
    // If this fails, the signal ends the program as it would without.
    let _ = flag::register(SIGXFSZ, std::sync::Arc::default());
}

const MISSING: clap::error::ErrorKind =
    clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;

/// Prints an error as one line, whatever is in it.
fn report(message: &str) {
    // If there is nobody to read it, the exit status has to do.
    let _ = writeln!(io::stderr(), "klondike: error: {}", printable(message));
}

/// The text as one line that does nothing to a terminal: control characters are spelt out.
fn printable(text: &str) -> String {
    let mut line = String::new();
    for c in text.chars() {
        if c.is_control() {
            line.extend(c.escape_default());
        } else {
            line.push(c);
        }
    }
    line
}

/// The first paragraph of a clap error, which says what is wrong, and its tips.
fn one_line(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let mut paragraphs = text.split("\n\n");
    let first = paragraphs.next().unwrap_or_default();
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let mut line = words(first.strip_prefix("error: ").unwrap_or(first));
    for tip in paragraphs.filter(|text| text.trim_start().starts_with("tip: ")) {
        line.push_str(&format!(" ({})", words(tip)));
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_arguments_are_consistent() {
        arguments().debug_assert();
    }

    #[test]
    fn errors_of_the_argument_parser_are_one_line() {
        let error = |words: &[&str]| {
            let error = Cli::try_parse_from([&["klondike"], words].concat());
            one_line(&error.unwrap_err())
        };
        let text = error(&["deal", "--draw", "0", "x"]);
        assert_eq!(
            text,
            "invalid value '0' for '--draw <N>': write a whole number from 1 to 24"
        );
        let text = error(&["deal", "--sed", "x"]);
        assert_eq!(
            text,
            "unexpected argument '--sed' found (tip: a similar argument exists: '--seed')"
        );
    }
}
