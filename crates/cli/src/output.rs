//! Standard output: text or JSON, symbols and colour on a terminal only.

use std::io::{self, BufWriter, IsTerminal, Stdout, Write};
use std::path::Path;

use anstream::{AutoStream, ColorChoice};

use crate::error::BadDeal;
use crate::numbers::grouped;
use crate::{CliError, Status, printable, report};
use klondike_contract::{Answer, Envelope, ErrorAnswer};
use klondike_game::table::picture::Style;

/// Where a command prints to.
pub(super) struct Output {
    out: BufWriter<Stdout>,
    json: bool,
    terminal: bool,
    style: Style,
}

impl Output {
    pub(super) fn new(json: bool) -> Output {
        let stdout = io::stdout();
        let terminal = stdout.is_terminal();
        // Asks for NO_COLOR, CLICOLOR and the kind of terminal.
        let color = AutoStream::choice(&stdout) != ColorChoice::Never;
        let style = Style::default()
            .symbols(terminal)
            .color(color)
            .thoughtful(true);
        Output {
            out: BufWriter::new(stdout),
            json,
            terminal,
            style,
        }
    }

    /// Whether JSON is wanted.
    pub(super) fn json(&self) -> bool {
        self.json
    }

    /// How to draw tables: with all cards known.
    pub(super) fn style(&self) -> Style {
        self.style
    }

    /// Prints text as it is.
    pub(super) fn text(&mut self, text: &str) -> io::Result<()> {
        self.out.write_all(text.as_bytes())?;
        self.show()
    }

    /// Prints an answer of the contract as one line of JSON.
    pub(super) fn envelope<T: Answer>(&mut self, answer: &Envelope<T>) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, answer)?;
        self.out.write_all(b"\n")?;
        self.show()
    }

    /// Prints an answer: as a line of JSON, or as the text that `text` makes of it.
    pub(super) fn answer<T: Answer>(
        &mut self,
        answer: Envelope<T>,
        text: impl FnOnce(&T) -> String,
    ) -> Result<(), CliError> {
        let printed = if self.json {
            self.envelope(&answer)
        } else {
            self.text(&text(answer.answer()))
        };
        Ok(printed?)
    }

    /// The result for one deal. What is wrong with the deal is printed, as a line of JSON or on
    /// standard error, and noted in `status`; then there is no result, and others may follow.
    pub(super) fn unless_bad<T>(
        &mut self,
        result: Result<T, CliError>,
        status: &mut Status,
    ) -> Result<Option<T>, CliError> {
        let bad = match result {
            Ok(result) => return Ok(Some(result)),
            Err(CliError::Deal(bad)) => bad,
            Err(error) => return Err(error),
        };
        *status = (*status).max(Status::BadDeals);
        self.bad_deal(&bad)?;
        Ok(None)
    }

    /// Prints what is wrong with a deal.
    pub(super) fn bad_deal(&mut self, bad: &BadDeal) -> io::Result<()> {
        if self.json {
            let answer = Envelope::of_nothing(ErrorAnswer {
                line: bad.line,
                message: bad.message.clone(),
                help: bad.help.map(str::to_owned),
                code: None,
            });
            return self.envelope(&answer.about_deal(&bad.label));
        }
        // After the answers before it.
        self.flush()?;
        report(&bad.to_string());
        Ok(())
    }

    /// Refuses --csv together with --json.
    pub(super) fn check_csv(&self, csv: bool) -> Result<(), CliError> {
        if csv && self.json {
            return Err(CliError::usage("--csv and --json exclude each other"));
        }
        Ok(())
    }

    /// Says after an interruption how to go on: from `place`, if the option that names it was
    /// given.
    pub(super) fn interrupted(
        &mut self,
        what: &str,
        place: Option<&Path>,
        option: &str,
    ) -> Result<Status, CliError> {
        let next = match place {
            Some(path) => format!("the same command goes on from {}", path.display()),
            None => format!("nothing is kept without {option}"),
        };
        self.ended_early(&format!("{what}; {next}"))
    }

    /// Says, after the answers, what became of an interrupted run.
    pub(super) fn ended_early(&mut self, what: &str) -> Result<Status, CliError> {
        self.flush()?;
        eprintln!("klondike: interrupted{what}");
        Ok(Status::Interrupted)
    }

    /// Says on standard error that a file or folder is written that the user named. Standard output
    /// stays what a program reads.
    pub(super) fn wrote(&mut self, path: &Path) -> io::Result<()> {
        // After the answers before it.
        self.flush()?;
        // If nobody reads it, the file is there all the same.
        let _ = writeln!(
            io::stderr(),
            "wrote {}",
            printable(&path.display().to_string())
        );
        Ok(())
    }

    /// Says on standard error that a run lacks records of so many of its deals, if it does. Runs
    /// that are going on do, and those that lost a file.
    pub(super) fn lacks_records(&mut self, run: &Path, deals: u64) -> io::Result<()> {
        if deals == 0 {
            return Ok(());
        }
        self.flush()?;
        let _ = writeln!(
            io::stderr(),
            "klondike: note: {} has no record of {} of its deals",
            printable(&run.display().to_string()),
            grouped(deals)
        );
        Ok(())
    }

    pub(super) fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }

    /// People see every answer as it comes; files and pipes get them in large pieces.
    fn show(&mut self) -> io::Result<()> {
        if self.terminal { self.flush() } else { Ok(()) }
    }
}
