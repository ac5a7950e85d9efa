//! The file of `klondike simulate --output`: a line for every game, and what a run goes on from.
//!
//! Every line ends with a checksum of the head of the file and the line itself, so that neither a
//! line that was changed nor one of another file counts.

use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::Results;
use crate::CliError;
use klondike_game::deal::seed::Seed;
use klondike_game::rules::Rules;
use klondike_lab::checkpoint::CheckpointError;
use klondike_papers::simulate::{GameResult, SimulatedGame};

/// The file with a line for every game. It is at the same time what a run goes on from.
pub(super) struct GamesFile {
    path: PathBuf,
    file: File,
    form: Form,
    lines: String,
}

/// How games are written.
struct Form {
    csv: bool,
    /// The lines before the games.
    head: String,
}

/// The columns of a CSV file.
const COLUMNS: &str = "seed,player,result,moves,card_moves,foundation,face_down,talon,decisions,\
                       planner_calls,seconds,crc32";

impl Form {
    fn new(path: &Path, header: &str) -> Form {
        let csv = path.extension().is_some_and(|extension| extension == "csv");
        let head = if csv {
            format!("# {header}\n{COLUMNS}\n")
        } else {
            format!("{header}\n")
        };
        Form { csv, head }
    }

    /// What stands between a game and its checksum, and behind that.
    fn around_checksum(&self) -> (&'static str, &'static str) {
        match self.csv {
            true => (",", ""),
            false => (",\"crc32\":\"", "\"}"),
        }
    }

    /// The checksum of a game, which is written as `text`.
    fn checksum(&self, text: &str) -> String {
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(self.head.as_bytes());
        hasher.update(text.as_bytes());
        format!("{:08x}", hasher.finalize())
    }

    /// Adds the line of a game.
    fn write(&self, game: &SimulatedGame, lines: &mut String) {
        let text = if self.csv {
            write_csv(game)
        } else {
            let object = serde_json::to_string(game).expect("a plain object");
            object.trim_end_matches('}').to_owned()
        };
        let (before, behind) = self.around_checksum();
        let _ = writeln!(lines, "{text}{before}{}{behind}", self.checksum(&text));
    }

    /// Reads the line of a game.
    fn read(&self, line: &str) -> Result<SimulatedGame, &'static str> {
        const NO_GAME: &str = "not a game of this program";
        let (before, behind) = self.around_checksum();
        let whole = line.strip_suffix(behind).ok_or(NO_GAME)?;
        let (text, checksum) = whole.rsplit_once(before).ok_or(NO_GAME)?;
        if checksum != self.checksum(text) {
            return Err("the line does not fit its checksum, so it was changed or damaged");
        }
        let game = if self.csv {
            read_csv(text)
        } else {
            serde_json::from_str(&format!("{text}}}")).ok()
        };
        game.ok_or(NO_GAME)
    }
}

fn cannot(what: &str, path: &Path, error: &io::Error) -> CliError {
    CliError::Data(format!("cannot {what} {}: {error}", path.display()))
}

/// Opens or makes a file that no other run writes.
fn open_alone(path: &Path) -> Result<File, CliError> {
    // Reading a device or a pipe might never end, and nothing could go on from it.
    if fs::metadata(path).is_ok_and(|data| !data.is_file()) || path == Path::new("-") {
        return Err(CliError::usage(format!(
            "--output {}: that is no regular file; give the name of a file",
            path.display()
        )));
    }
    let file = OpenOptions::new()
        .create(true)
        .truncate(false)
        .write(true)
        .open(path)
        .map_err(|error| cannot("write", path, &error))?;
    // Two runs would write into each other's lines.
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(CheckpointError::Locked(path.to_owned()).into()),
        Err(TryLockError::Error(error)) => Err(cannot("lock", path, &error)),
    }
}

impl GamesFile {
    /// Opens or makes the file, and adds the games that are in it to `results`.
    pub(super) fn open(
        path: &Path,
        header: &str,
        from: &Seed,
        rules: &Rules,
        results: &mut Results,
    ) -> Result<GamesFile, CliError> {
        let form = Form::new(path, header);
        let begin = form.head.as_str();
        let name = path.display();
        let cannot = |what: &str, error: io::Error| cannot(what, path, &error);
        let mut file = open_alone(path)?;
        let old = fs::read_to_string(path).map_err(|error| cannot("read", error))?;
        let mut keep = 0;
        // A run that was killed while it wrote the first lines leaves a part of them.
        if !begin.starts_with(&old) {
            let Some(lines) = old.strip_prefix(begin) else {
                let first = old.lines().next().unwrap_or_default();
                let what = difference(first.trim_start_matches("# "), header).map_or_else(
                    || "something else than games".to_owned(),
                    |what| format!("games of another run ({what})"),
                );
                return Err(CliError::usage(format!(
                    "{name} holds {what}: give the same players, rules, deals and seeds, or \
                    another file"
                )));
            };
            keep = begin.len()
                + read_games(lines, &form, from, rules, results).map_err(|(line, what)| {
                    let line = line + begin.lines().count();
                    CliError::Data(format!(
                        "{name}: line {line}: {what}; put the line back as it was, or delete all \
                         lines from there on: the same command plays their games again"
                    ))
                })?;
        }
        let ready = (|| {
            file.set_len(keep as u64)?;
            io::Seek::seek(&mut file, io::SeekFrom::End(0))?;
            if keep == 0 {
                file.write_all(begin.as_bytes())?;
            }
            Ok(())
        })();
        ready.map_err(|error| cannot("write", error))?;
        Ok(GamesFile {
            path: path.to_owned(),
            file,
            form,
            lines: String::new(),
        })
    }

    /// Writes games behind those that are there.
    pub(super) fn append(&mut self, games: &[SimulatedGame]) -> Result<(), CliError> {
        self.lines.clear();
        for game in games {
            self.form.write(game, &mut self.lines);
        }
        let written = self.file.write_all(self.lines.as_bytes());
        written.map_err(|error| self.cannot_write(&error))
    }

    /// Waits until all is on the disk.
    pub(super) fn finish(&mut self) -> Result<(), CliError> {
        let synced = self.file.sync_all();
        synced.map_err(|error| self.cannot_write(&error))
    }

    fn cannot_write(&self, error: &io::Error) -> CliError {
        CliError::Data(format!("cannot write {}: {error}", self.path.display()))
    }
}

/// What first tells the run of an old file apart from the one that is asked for, if the old line is
/// the beginning of a run.
fn difference(old: &str, asked: &str) -> Option<String> {
    let read = |text| serde_json::from_str::<serde_json::Map<_, _>>(text).ok();
    let (old, asked) = (read(old)?, read(asked)?);
    if old.get("kind") != asked.get("kind") {
        return None;
    }
    let tell = |value: Option<&serde_json::Value>| {
        value.map_or_else(|| "not there".to_owned(), ToString::to_string)
    };
    asked.keys().chain(old.keys()).find_map(|key| {
        let (old, asked) = (old.get(key), asked.get(key));
        let what = key.replace('_', " ");
        (old != asked).then(|| format!("{what}: {}, asked for {}", tell(old), tell(asked)))
    })
}

/// Reads the games of a file and adds those of complete deals to `results`; gives how many bytes
/// they take. A last line without its end was cut off by an interruption and does not count.
fn read_games(
    lines: &str,
    form: &Form,
    from: &Seed,
    rules: &Rules,
    results: &mut Results,
) -> Result<usize, (usize, String)> {
    let players = results.totals.len();
    let mut deal = Vec::new();
    let (mut keep, mut at) = (0, 0);
    for (i, line) in lines.split_inclusive('\n').enumerate() {
        at += line.len();
        let Some(line) = line.strip_suffix('\n') else {
            break;
        };
        let game = form.read(line).map_err(|what| (i + 1, what.to_owned()))?;
        let seed = from.plus(results.deals).to_string();
        if game.seed != seed {
            return Err((
                i + 1,
                format!("not the game of deal {seed}, whose turn it is"),
            ));
        }
        if !game.is_plausible(rules) {
            return Err((i + 1, "numbers that no game has".to_owned()));
        }
        if game.player != deal.len() + 1 {
            return Err((i + 1, "not the player whose turn it is".to_owned()));
        }
        deal.push(game);
        if deal.len() == players {
            results.add(&deal);
            deal.clear();
            keep = at;
        }
    }
    Ok(keep)
}

fn write_csv(game: &SimulatedGame) -> String {
    format!(
        "{},{},{},{},{},{},{},{},{},{},{:.9}",
        game.seed,
        game.player,
        game.result.name(),
        game.moves,
        game.card_moves,
        game.foundation,
        game.face_down,
        game.talon,
        game.decisions,
        game.planner_calls,
        game.seconds
    )
}

fn read_csv(line: &str) -> Option<SimulatedGame> {
    let mut fields = line.split(',');
    let game = SimulatedGame {
        seed: fields.next()?.to_owned(),
        player: fields.next()?.parse().ok()?,
        result: GameResult::from_name(fields.next()?)?,
        moves: fields.next()?.parse().ok()?,
        card_moves: fields.next()?.parse().ok()?,
        foundation: fields.next()?.parse().ok()?,
        face_down: fields.next()?.parse().ok()?,
        talon: fields.next()?.parse().ok()?,
        decisions: fields.next()?.parse().ok()?,
        planner_calls: fields.next()?.parse().ok()?,
        seconds: fields.next()?.parse().ok()?,
        line: Vec::new(),
    };
    fields.next().is_none().then_some(game)
}
