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
    let words = words.into_iter().map(quoted);
    ["klondike".to_owned()]
        .into_iter()
        .chain(words)
        .collect::<Vec<_>>()
        .join(" ")
}

/// A word as a shell needs it: in quotation marks, if it holds anything that shells read.
pub(super) fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_=:.,/+@%".contains(c);
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
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
    }
}
