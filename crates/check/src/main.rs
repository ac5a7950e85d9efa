//! `klondike-check`: verifies certificates with nothing of the solver in the program.
//!
//! It links the checker and `klondike-game` (cards, rules, the referee), so whoever doubts the
//! solver needs to read no more than these. `klondike check` runs the same checker with more
//! options.

use std::fs::File;
use std::io::{self, BufReader, Write};
use std::process::ExitCode;

use klondike_check::{CheckLimits, check};

const USAGE: &str = "\
Verifies certificates of Klondike verdicts.

usage: klondike-check [--max-entries N] FILE...

  --max-entries N   most moves or positions in a certificate (default: 40000000)
  --help            print this help
  --version         print the version

For each file it prints what the file proves, or what is wrong with it and where.
Exit status: 0 if all are verified, 1 if one is not, 2 if the command line is wrong.
";

/// What the command line asks for.
enum Asked {
    Check(Vec<String>, CheckLimits),
    Print(String),
}

fn main() -> ExitCode {
    match read(std::env::args().skip(1)) {
        Ok(Asked::Print(text)) => print(&text),
        Ok(Asked::Check(files, limits)) => check_all(&files, &limits),
        Err(message) => {
            eprintln!("klondike-check: error: {message}; see klondike-check --help");
            ExitCode::from(2)
        }
    }
}

fn read(mut words: impl Iterator<Item = String>) -> Result<Asked, String> {
    let (mut files, mut limits) = (Vec::new(), CheckLimits::default());
    while let Some(word) = words.next() {
        match word.as_str() {
            "--help" | "-h" => return Ok(Asked::Print(USAGE.to_owned())),
            "--version" => {
                let version = env!("CARGO_PKG_VERSION");
                return Ok(Asked::Print(format!("klondike-check {version}\n")));
            }
            "--max-entries" => {
                let number = words.next().ok_or("--max-entries needs a number")?;
                limits.max_entries = number
                    .parse()
                    .map_err(|_| format!("`{number}` is not a number of entries"))?;
            }
            "--" => files.extend(words.by_ref()),
            option if option.starts_with('-') => {
                return Err(format!("there is no option `{option}`"));
            }
            _ => files.push(word),
        }
    }
    match files.is_empty() {
        true => Err("no certificate is named".to_owned()),
        false => Ok(Asked::Check(files, limits)),
    }
}

fn check_all(files: &[String], limits: &CheckLimits) -> ExitCode {
    let mut rejected = 0;
    for name in files {
        let result = File::open(name)
            .map_err(|error| format!("cannot be opened: {error}"))
            .and_then(|file| check(BufReader::new(file), limits).map_err(|e| e.to_string()));
        rejected += usize::from(result.is_err());
        let text = match result {
            Ok(verified) => verified.report(name),
            Err(error) => format!("REJECTED {name}: {error}\n"),
        };
        if io::stdout().write_all(text.as_bytes()).is_err() {
            // Status 0 would say that everything is verified.
            return ExitCode::from(1);
        }
    }
    if rejected == 0 {
        return ExitCode::SUCCESS;
    }
    let count = files.len();
    eprintln!("klondike-check: error: {rejected} of {count} certificates rejected");
    ExitCode::from(1)
}

fn print(text: &str) -> ExitCode {
    match io::stdout().write_all(text.as_bytes()) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::from(1),
    }
}
