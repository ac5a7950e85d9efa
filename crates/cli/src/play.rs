//! `klondike play`: a person plays, at a terminal with keys or line by line through a pipe.

mod command;
mod deals;
mod ending;
mod facts;
mod hints;
mod keeper;
mod lines;
mod picker;
mod record;
mod screen;
mod sitting;

use std::fs;
use std::io::{self, IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use crate::deal_source::DealSource;
use crate::output::Output;
use crate::rules_args::RulesArgs;
use crate::shell::{as_argument, command_line};
use crate::values::{read_file_to_write, read_seconds, whole};
use crate::{About, CliError, INTERRUPTED, Status, report};
use command::{Command, Reply};
use deals::{Chosen, Deals};
use keeper::{End, Keeper};
use klondike_game::rules::Rules;
use klondike_game::table::saved::SavedGame;
use klondike_play::grade::Grade;
use klondike_play::grade::generate::Range;
use record::Record;
use sitting::{Settings, Sitting};

/// Play deals yourself, with undo and hints
///
/// Hints come from the hidden-card player of `klondike advise`: it sees what you see and the order
/// of the talon, which one free pass through it shows. Only the question whether the deal can still
/// be won looks at the hidden cards. Without a deal, and after the last one, deals of the scheme
/// klondike come by chance. The moves are printed at the end, with the command that finds the move
/// that lost the game.
///
/// Examples: `klondike play`, `klondike play solvitaire:22 --draw 1`, `klondike play deals.txt`,
/// `klondike play --save game.txt`, `klondike play game.txt`, `echo 'd d h' | klondike play
/// klondike:5`. Exit status 130: Ctrl-C ended it.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    source: DealSource,

    /// Only deals by chance that can be won
    #[arg(long, conflicts_with_all = ["deals", "seed"])]
    winnable: bool,

    /// Only deals by chance of these grades, 1 (easy) to 10: A..B with both ends, A.., ..B or a
    /// number
    ///
    /// They can all be won; `klondike grade` says what grades are.
    #[arg(long, value_name = "A..B", conflicts_with_all = ["deals", "seed"])]
    grade: Option<Range<Grade>>,

    /// Keep the game in this file, after every move; `klondike play FILE` goes on with it
    ///
    /// It is a text with the deal, the rules and the moves, which all commands read as the position
    /// after the moves, and `klondike analyse --game FILE` as the whole game.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,

    /// Show all cards; hints are the next moves of a solution, and l shows all of them
    #[arg(long)]
    thoughtful: bool,

    /// Count your games in this file, and say what share of them you win, with its 95 % interval
    ///
    /// A game counts when it is won, when the next deal takes its place (also before a move), and
    /// when you quit after a move, unless it is saved and may still be won. A deal counts the first
    /// time only. Games with and without --thoughtful, and those of other rules, are counted apart;
    /// so are games with help: a hint, a solution or the truth, or, while cards are hidden, a move
    /// taken back or a saved game that was played with --thoughtful. Each game is a line of JSON.
    #[arg(long, value_name = "FILE", value_parser = read_file_to_write)]
    record: Option<PathBuf>,

    /// Most seconds to think about a hint
    #[arg(long, value_name = "SECONDS", value_parser = read_seconds, default_value = "1")]
    time_limit: Duration,

    /// Think about hints for this many iterations instead: the same hints every time
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..))]
    iterations: Option<u32>,

    /// Play line by line, as through a pipe, instead of on the whole screen
    #[arg(long)]
    plain: bool,

    #[command(flatten)]
    rules: RulesArgs,
}

/// A person at play.
struct Session<'a> {
    sitting: Sitting,
    deals: Deals<'a>,
    keeper: Keeper,
}

impl Session<'_> {
    /// Begins with the next deal. The flag of the sitting stops the search for it; then the game
    /// goes on, and the answer is false.
    fn next_deal(&mut self) -> Result<bool, CliError> {
        let next = self.deals.next(&self.sitting.stop)?;
        self.sitting.stop.store(false, Ordering::Relaxed);
        let Some((label, game)) = next else {
            return Ok(false);
        };
        self.keeper.leave(&self.sitting).map_err(CliError::Data)?;
        self.sitting = Sitting::new(label, &game, self.sitting.settings);
        Ok(true)
    }

    fn obey(&mut self, command: Command) -> Reply {
        let reply = command::obey(&mut self.sitting, command);
        match (reply, self.sitting.stop.swap(false, Ordering::Relaxed)) {
            (Reply::Say(_) | Reply::Refuse(_) | Reply::Hints(_), true) => {
                Reply::Refuse("Stopped.".to_owned())
            }
            (Reply::Save, _) => match self.keeper.save(&self.sitting) {
                Ok(text) => Reply::Say(text),
                Err(text) => Reply::Refuse(text),
            },
            (reply, _) => reply,
        }
    }
}

impl Args {
    pub(super) fn run(&self, output: &mut Output) -> Result<Status, CliError> {
        if output.json() {
            return Err(CliError::usage("play is for people and knows no --json"));
        }
        if self.source.reads_stdin() {
            return Err(CliError::usage(
                "`-`: standard input is for your moves; put the deals into a file",
            ));
        }
        let (rules, saved) = self.rules_and_saved_game()?;
        let file = self.file(saved)?;
        let mut deals = Deals {
            named: match self.source.is_empty() {
                true => Box::new(std::iter::empty()),
                false => self.source.open(&rules)?,
            },
            rules: &rules,
            chosen: Chosen {
                winnable: self.winnable,
                grades: self.grade,
            },
        };
        // Opened after the other checks: it makes the file.
        let record = self.record.as_deref().map(Record::open).transpose()?;
        let keeper = Keeper::new(file, record);
        let on_screen = Arc::new(AtomicBool::new(false));
        end_well(Arc::clone(&on_screen), keeper.end())?;
        // Ctrl-C ends the program: no game has begun.
        let Some((label, game)) = deals.next(&Arc::default())? else {
            return Ok(Status::Interrupted);
        };
        let settings = Settings {
            iterations: self.iterations,
            time: self.time_limit,
            thoughtful: self.thoughtful,
        };
        let mut session = Session {
            sitting: Sitting::new(label, &game, settings),
            deals,
            keeper,
        };
        // A file that cannot be written is better known before the game than after it.
        let kept = session.keeper.keep(&session.sitting);
        kept.map_err(CliError::Data)?;
        let plain =
            self.plain || is_dumb() || !io::stdin().is_terminal() || !io::stdout().is_terminal();
        let ended = if plain {
            lines::run(&mut session, output)
        } else {
            output.flush()?;
            on_screen.store(true, Ordering::Relaxed);
            let color = output.style().color;
            let ended = screen::run(&mut session, color);
            on_screen.store(false, Ordering::Relaxed);
            ended
        };
        // Also what was played before an error is worth to be kept.
        let kept = session.keeper.keep(&session.sitting);
        // A game may have ended in the last line.
        if let Some(text) = session.keeper.news() {
            output.text(&format!("{text}\n"))?;
        }
        let (words, added) = session.keeper.end().take();
        output.text(&words)?;
        kept.and(added).map_err(CliError::Data)?;
        if let Some(file) = session.keeper.file() {
            output.wrote(file)?;
        }
        ended
    }

    /// The rules of the game, and the file of the saved game that goes on, if one does.
    fn rules_and_saved_game(&self) -> Result<(Arc<Rules>, Option<&Path>), CliError> {
        let file = self.source.only_file();
        let saved = file.map(saved_game).transpose()?.flatten();
        let (Some(path), Some(saved)) = (file, saved) else {
            return Ok((self.rules.rules()?, None));
        };
        Ok((
            self.rules.of_saved(saved.start().rules(), path)?,
            Some(path),
        ))
    }

    /// The file to keep the game in: the named one, which must be new, or that of the saved game.
    fn file(&self, saved: Option<&Path>) -> Result<Option<PathBuf>, CliError> {
        let Some(file) = &self.save else {
            return Ok(saved.map(Path::to_owned));
        };
        let same = saved.is_some_and(|saved| same_file(saved, file));
        if file.exists() && !same {
            let name = file.display().to_string();
            let go_on = match saved_game(file) {
                Ok(Some(_)) => {
                    let line = command_line(["play", &as_argument(&name)]);
                    format!(", or go on with its game: {line}")
                }
                _ => String::new(),
            };
            let text = format!("{name}: the file is there already; name another{go_on}");
            return Err(CliError::usage(text));
        }
        Ok(Some(file.clone()))
    }
}

fn same_file(a: &Path, b: &Path) -> bool {
    let full = |path: &Path| path.canonicalize().ok();
    full(a).is_some() && full(a) == full(b)
}

/// Most bytes of a saved game.
const MOST: u64 = 1_000_000;

/// The saved game in a file, if it holds one.
pub(super) fn saved_game(path: &Path) -> Result<Option<SavedGame>, CliError> {
    // A pipe can be read only once, and large files hold other things.
    let small = fs::metadata(path).is_ok_and(|found| found.is_file() && found.len() < MOST);
    let text = small.then(|| fs::read_to_string(path).ok()).flatten();
    let text = text.filter(|text| SavedGame::looks_like(text));
    let game = text.map(|text| SavedGame::read(&text)).transpose();
    game.about(path.display())
}

/// Whether the terminal says that it can only print lines.
fn is_dumb() -> bool {
    std::env::var_os("TERM").is_some_and(|name| name == "dumb")
}

/// Ctrl-C, and a request to terminate, give the terminal back as it was, and print the moves.
fn end_well(on_screen: Arc<AtomicBool>, end: End) -> Result<(), CliError> {
    ctrlc::set_handler(move || {
        if on_screen.load(Ordering::Relaxed) {
            ratatui::restore();
        }
        let mut out = io::stdout();
        // If nobody reads them, nothing can be done.
        let (words, added) = end.take();
        let _ = out.write_all(words.as_bytes());
        let _ = out.flush();
        if let Err(error) = added {
            report(&error);
        }
        std::process::exit(i32::from(INTERRUPTED));
    })
    .about("cannot watch for Ctrl-C")
}
