//! The file of `klondike simulate --output`: a line for every game, and what a run goes on from.

use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::Results;
use crate::CliError;
use klondike_game::deal::seed::Seed;
use klondike_lab::checkpoint::CheckpointError;
use klondike_papers::simulate::{Game, Outcome};

/// The file with a line for every game. It is at the same time what a run goes on from.
pub(super) struct GamesFile {
    path: PathBuf,
    file: File,
    csv: bool,
    lines: String,
}

/// The columns of a CSV file.
const COLUMNS: &str = "seed,player,result,moves,card_moves,foundation,face_down,talon,decisions,\
                       planner_calls,seconds";

impl GamesFile {
    /// Opens or makes the file, and adds the games that are in it to `results`.
    pub(super) fn open(
        path: &Path,
        header: &str,
        from: &Seed,
        results: &mut Results,
    ) -> Result<GamesFile, CliError> {
        let csv = path.extension().is_some_and(|extension| extension == "csv");
        let begin = if csv {
            format!("# {header}\n{COLUMNS}\n")
        } else {
            format!("{header}\n")
        };
        let name = path.display();
        let cannot =
            |what: &str, error: io::Error| CliError::Data(format!("cannot {what} {name}: {error}"));
        // Reading a device or a pipe might never end, and nothing could go on from it.
        if fs::metadata(path).is_ok_and(|data| !data.is_file()) || path == Path::new("-") {
            return Err(CliError::usage(format!(
                "--output {name}: that is no regular file; give the name of a file"
            )));
        }
        let mut file = OpenOptions::new()
            .create(true)
            .truncate(false)
            .write(true)
            .open(path)
            .map_err(|error| cannot("write", error))?;
        // Two runs would write into each other's lines.
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let error = CheckpointError::Locked(path.to_owned());
                return Err(error.into());
            }
            Err(TryLockError::Error(error)) => return Err(cannot("lock", error)),
        }
        let old = fs::read_to_string(path).map_err(|error| cannot("read", error))?;
        let mut keep = 0;
        // A run that was killed while it wrote the first lines leaves a part of them.
        if !begin.starts_with(&old) {
            let Some(lines) = old.strip_prefix(&begin) else {
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
                + read_games(lines, csv, from, results).map_err(|(line, what)| {
                    let line = line + begin.lines().count();
                    CliError::Data(format!("{name}: line {line}: {what}"))
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
            csv,
            lines: String::new(),
        })
    }

    /// Writes games behind those that are there.
    pub(super) fn append(&mut self, games: &[Game]) -> Result<(), CliError> {
        self.lines.clear();
        for game in games {
            if self.csv {
                let _ = writeln!(
                    self.lines,
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
                );
            } else {
                self.lines
                    .push_str(&serde_json::to_string(game).expect("a plain object"));
                self.lines.push('\n');
            }
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
    csv: bool,
    from: &Seed,
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
        let game = if csv {
            read_csv(line)
        } else {
            serde_json::from_str(line).ok()
        };
        let game: Game = game.ok_or_else(|| (i + 1, "not a game of this program".to_owned()))?;
        let seed = from.plus(results.deals).to_string();
        if game.seed != seed {
            return Err((
                i + 1,
                format!("not the game of deal {seed}, whose turn it is"),
            ));
        }
        if !game.is_plausible() {
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

fn read_csv(line: &str) -> Option<Game> {
    let mut fields = line.split(',');
    let game = Game {
        seed: fields.next()?.to_owned(),
        player: fields.next()?.parse().ok()?,
        result: Outcome::from_name(fields.next()?)?,
        moves: fields.next()?.parse().ok()?,
        card_moves: fields.next()?.parse().ok()?,
        foundation: fields.next()?.parse().ok()?,
        face_down: fields.next()?.parse().ok()?,
        talon: fields.next()?.parse().ok()?,
        decisions: fields.next()?.parse().ok()?,
        planner_calls: fields.next()?.parse().ok()?,
        seconds: fields.next()?.parse().ok()?,
    };
    fields.next().is_none().then_some(game)
}
