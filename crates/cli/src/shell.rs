//! `klondike completions` and `klondike man`: what a shell and `man` need, made from the arguments;
//! and command lines that a shell takes as they are printed.

use std::fs;
use std::path::PathBuf;

use clap_complete::Shell;

use crate::output::Output;
use crate::{About, CliError, Status, arguments};

/// Print a script that completes commands and options in a shell
///
/// Example: `klondike completions bash > ~/.local/share/bash-completion/completions/klondike`.
#[derive(Debug, clap::Args)]
pub(super) struct CompletionsArgs {
    /// The shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

/// Print the manual page, or write the pages of all commands
///
/// Examples: `klondike man | man -l -`, `klondike man --dir ~/.local/share/man/man1`.
#[derive(Debug, clap::Args)]
pub(super) struct ManArgs {
    /// Folder for one page for each command; it is made if it does not exist
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

/// A command of this program that a person can paste into sh, bash or zsh.
pub(super) fn command_line<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    joined(words.into_iter().map(quoted))
}

/// The same without line breaks, whatever the words hold; for bash and zsh.
pub(super) fn command_in_one_line<'a>(words: impl IntoIterator<Item = &'a str>) -> String {
    joined(words.into_iter().map(quoted_in_one_line))
}

fn joined(words: impl Iterator<Item = String>) -> String {
    let words: Vec<String> = words.collect();
    format!("klondike {}", words.join(" "))
}

/// The name of a file as an argument: one that begins with a dash would be an option.
pub(super) fn as_argument(name: &str) -> String {
    match name.len() > 1 && name.starts_with('-') {
        true => format!("./{name}"),
        false => name.to_owned(),
    }
}

/// A word as a shell needs it: in quotation marks, if it holds anything that shells read.
pub(super) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=:.,/+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

fn quoted_in_one_line(word: &str) -> String {
    if !word.chars().any(char::is_control) {
        return quoted(word);
    }
    let letter = |c: char| match c {
        '\n' => r"\n".to_owned(),
        '\t' => r"\t".to_owned(),
        '\'' | '\\' => format!(r"\{c}"),
        c if c.is_ascii_control() => format!(r"\{:03o}", u32::from(c)),
        c => c.to_string(),
    };
    format!("$'{}'", word.chars().map(letter).collect::<String>())
}

fn refuse_json(output: &Output, command: &str) -> Result<(), CliError> {
    match output.json() {
        true => Err(CliError::usage(format!("{command} knows no --json"))),
        false => Ok(()),
    }
}

impl CompletionsArgs {
    pub(super) fn run(&self, output: &mut Output) -> Result<Status, CliError> {
        refuse_json(output, "completions")?;
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut arguments(), "klondike", &mut script);
        output.text(&String::from_utf8_lossy(&script))?;
        Ok(Status::Answered)
    }
}

impl ManArgs {
    pub(super) fn run(&self, output: &mut Output) -> Result<Status, CliError> {
        refuse_json(output, "man")?;
        if let Some(folder) = &self.dir {
            let place = folder.display();
            fs::create_dir_all(folder).about(format!("cannot make {place}"))?;
            let written = clap_mangen::generate_to(arguments(), folder);
            written.about(format!("cannot write to {place}"))?;
            output.wrote(folder)?;
            return Ok(Status::Answered);
        }
        let mut page = Vec::new();
        clap_mangen::Man::new(arguments()).render(&mut page)?;
        output.text(&String::from_utf8_lossy(&page))?;
        Ok(Status::Answered)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_shells_read_stands_in_quotation_marks() {
        let line = command_line([
            "analyse",
            "--game",
            "draw*3 9H:4>5",
            "klondike:5",
            "",
            "it's",
        ]);
        let wanted = r"klondike analyse --game 'draw*3 9H:4>5' klondike:5 '' 'it'\''s'";
        assert_eq!(line, wanted);
        assert_eq!(
            quoted_in_one_line("it's\na \\ \r1"),
            r"$'it\'s\na \\ \0151'"
        );
    }
}
