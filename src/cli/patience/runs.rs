//! `klondike patience mcts` and `sweep`: many games by the tree search.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;
use std::sync::atomic::Ordering;

use serde::Serialize;

use super::game;
use crate::cli::limit_args::stop_on_interrupt;
use crate::cli::numbers::{grouped, percent, percent_range};
use crate::cli::output::Output;
use crate::cli::progress::Progress;
use crate::cli::values::{read_confidence, threads};
use crate::cli::{CliError, Status};
use crate::estimate::mean::Mean;
use crate::interval::Interval;
use crate::patience::mcts::{Search, TreePolicy};
use crate::patience::picture;
use crate::patience::player::{End, Settings, Stacks, Unknown};
use crate::patience::statistics::{self, Played, Tally, Task};

/// The player's parameters.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Player")]
pub(super) struct PlayerArgs {
    /// New nodes looked at before a move is chosen (maxNumSearches)
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = count())]
    searches: u32,

    /// Random games from each node (maxRandomPlays)
    #[arg(long, value_name = "N", default_value_t = 10, value_parser = count())]
    playouts: u32,

    /// Moves after which a random game ends (maxRandomPlayDepth)
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = count())]
    depth: u32,

    /// Moves after which a game is given up (maxTotalMoves)
    #[arg(long, value_name = "N", default_value_t = 500, value_parser = count())]
    total_moves: u32,

    /// Searches for one move after which a game is given up (maxLoops)
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = count())]
    loops: u32,

    /// Cards that cannot be known: `sample` deals them anew for every random game, `peek` looks at them
    #[arg(long, value_name = "HOW", default_value_t = Unknown::Sample)]
    unknown: Unknown,

    /// When several cards are moved at once from pile to pile: always, whole (all face-up cards of
    /// a pile only) or never
    #[arg(long, value_name = "WHEN", default_value_t = Stacks::Whole)]
    stacks: Stacks,

    /// How the tree is searched: greedy (the thesis) or uct
    #[arg(long, value_name = "POLICY", default_value = "greedy", value_parser = ["greedy", "uct"])]
    tree: String,

    /// The constant of UCT, on the scale of shares of the deck [default: 0.1]
    #[arg(long, value_name = "C", value_parser = read_exploration)]
    exploration: Option<f64>,

    /// Seed of the player's random numbers
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
}

fn count() -> clap::builder::RangedI64ValueParser<u32> {
    clap::value_parser!(u32).range(1..=1_000_000)
}

fn read_exploration(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(constant) if (0.0..=100.0).contains(&constant) => Ok(constant),
        _ => Err("write a number from 0 to 100, such as 0.1".to_owned()),
    }
}

impl PlayerArgs {
    pub(super) fn settings(&self) -> Result<Settings, CliError> {
        let tree = match (self.tree.as_str(), self.exploration) {
            ("uct", constant) => TreePolicy::Uct(constant.unwrap_or(0.1)),
            (_, None) => TreePolicy::Greedy,
            (_, Some(_)) => {
                return Err(CliError::usage(
                    "--exploration belongs to --tree uct: add that, or leave it out",
                ));
            }
        };
        Ok(Settings {
            search: Search {
                searches: self.searches,
                playouts: self.playouts,
                depth: self.depth,
                tree,
            },
            total_moves: self.total_moves,
            loops: self.loops,
            unknown: self.unknown,
            stacks: self.stacks,
        })
    }

    pub(super) fn seed(&self) -> u64 {
        self.seed
    }
}

/// Which games, and how they are shown.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Games")]
pub(super) struct RunArgs {
    /// Number of games
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    pub(super) games: u64,

    /// Number of the first deal; the others follow
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(..=1_000_000_000_000_000_000))]
    pub(super) from: u64,

    /// Confidence of the intervals
    #[arg(long, value_name = "LEVEL", default_value = "0.95", value_parser = read_confidence)]
    pub(super) confidence: f64,

    /// Threads to use; without it, all that the machine has. The games do not depend on it
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub(super) threads: Option<u16>,

    /// Print comma-separated values with a line of names first
    #[arg(long)]
    pub(super) csv: bool,
}

impl RunArgs {
    pub(super) fn check(&self, output: &Output) -> Result<(), CliError> {
        if self.csv && output.json() {
            return Err(CliError::usage("--csv and --json exclude each other"));
        }
        Ok(())
    }

    /// Plays the tasks one after the other and shows what each gave; whether all were played to the
    /// end.
    pub(super) fn play(
        &self,
        tasks: &[Task],
        mut show: impl FnMut(&Task, &[Played]) -> Result<(), CliError>,
    ) -> Result<bool, CliError> {
        let stop = stop_on_interrupt()?;
        let total = tasks.iter().map(|task| task.deals.end - task.deals.start);
        let bar = Progress::new(Some(total.sum()), 0);
        for task in tasks {
            let games = statistics::run(task, threads(self.threads), &stop, |more| bar.add(more));
            bar.aside(|| show(task, &games))?;
            if stop.load(Ordering::Relaxed) {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Ctrl-C leaves what was played, and says so.
pub(super) fn status(complete: bool, output: &mut Output) -> Result<Status, CliError> {
    if complete {
        return Ok(Status::Answered);
    }
    output.flush()?;
    eprintln!("klondike: interrupted; what is printed counts the games played before");
    Ok(Status::Interrupted)
}

#[derive(Debug, clap::Args)]
pub(super) struct MctsArgs {
    /// A shipped game or a file
    #[arg(value_name = "GAME")]
    game: String,

    #[command(flatten)]
    runs: RunArgs,

    /// Print every game, not the sums
    #[arg(long)]
    each: bool,

    /// Show the moves of every game
    #[arg(long, conflicts_with_all = ["each", "csv"])]
    moves: bool,

    #[command(flatten)]
    player: PlayerArgs,
}

#[derive(Debug, clap::Args)]
pub(super) struct SweepArgs {
    /// A shipped game or a file
    #[arg(value_name = "GAME")]
    game: String,

    /// A parameter and its values: NAME=1,2,5 or NAME=FROM..TO/STEP with both ends; NAME is searches,
    /// playouts, depth, total-moves or loops. Several give all combinations
    #[arg(long, value_name = "NAME=VALUES", required = true)]
    vary: Vec<Vary>,

    #[command(flatten)]
    runs: RunArgs,

    #[command(flatten)]
    player: PlayerArgs,
}

/// A parameter that a sweep varies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Parameter {
    Searches,
    Playouts,
    Depth,
    TotalMoves,
    Loops,
}

impl Parameter {
    const ALL: [(Parameter, &'static str); 5] = [
        (Parameter::Searches, "searches"),
        (Parameter::Playouts, "playouts"),
        (Parameter::Depth, "depth"),
        (Parameter::TotalMoves, "total-moves"),
        (Parameter::Loops, "loops"),
    ];

    fn set(self, settings: &mut Settings, value: u32) {
        *match self {
            Parameter::Searches => &mut settings.search.searches,
            Parameter::Playouts => &mut settings.search.playouts,
            Parameter::Depth => &mut settings.search.depth,
            Parameter::TotalMoves => &mut settings.total_moves,
            Parameter::Loops => &mut settings.loops,
        } = value;
    }
}

/// A parameter with the values it takes.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Vary {
    parameter: Parameter,
    values: Vec<u32>,
}

/// Most combinations of a sweep.
const MOST: usize = 10_000;

impl FromStr for Vary {
    type Err = String;

    fn from_str(text: &str) -> Result<Vary, String> {
        let hint = "write NAME=1,2,5 or NAME=10..190..20 with numbers from 1 to 1000000";
        let (name, values) = text.split_once('=').ok_or(hint)?;
        let known = Parameter::ALL.iter().find(|(_, known)| *known == name);
        let Some(&(parameter, _)) = known else {
            let names = Parameter::ALL.map(|(_, name)| name).join(", ");
            return Err(format!("there is no such parameter; use one of {names}"));
        };
        let number = |text: &str| match text.parse::<u32>() {
            Ok(number) if (1..=1_000_000).contains(&number) => Ok(number),
            _ => Err(hint.to_owned()),
        };
        let values: Vec<u32> = match values.split_once("..") {
            None => values.split(',').map(number).collect::<Result<_, _>>()?,
            Some((from, rest)) => {
                let step = rest.split_once("..").or_else(|| rest.split_once('/'));
                let (to, step) = step.unwrap_or((rest, "1"));
                let (from, to, step) = (number(from)?, number(to)?, number(step)?);
                if from > to || (to - from) / step >= MOST as u32 {
                    return Err(format!("{from}..{to}..{step} is empty or too long; {hint}"));
                }
                (from..=to).step_by(step as usize).collect::<Vec<u32>>()
            }
        };
        let distinct: BTreeSet<u32> = values.iter().copied().collect();
        if distinct.len() < values.len() {
            return Err(format!("a value stands twice; {hint}"));
        }
        Ok(Vary { parameter, values })
    }
}

/// A line of `--each --json`: a game and how it ended.
#[derive(Serialize)]
struct EachJson<'a> {
    kind: &'static str,
    version: u32,
    #[serde(flatten)]
    played: &'a Played,
}

/// A line of `--json`: a player and how it did.
#[derive(Serialize)]
pub(super) struct RunJson<'a> {
    kind: &'static str,
    version: u32,
    game: &'a str,
    searches: u32,
    playouts: u32,
    depth: u32,
    total_moves: u32,
    loops: u32,
    unknown: String,
    stacks: String,
    tree: &'static str,
    exploration: Option<f64>,
    seed: u64,
    first: u64,
    games: u64,
    won: u64,
    share: f64,
    confidence: f64,
    wilson: Interval,
    clopper_pearson: Interval,
    score: Option<Mean>,
    won_moves: Option<Mean>,
    no_move: u64,
    only_loops: u64,
    loop_limit: u64,
    move_limit: u64,
    seconds_per_game: f64,
}

impl<'a> RunJson<'a> {
    pub(super) fn new(task: &'a Task, tally: &Tally, confidence: f64) -> RunJson<'a> {
        let Settings {
            search,
            total_moves,
            loops,
            unknown,
            stacks,
        } = task.settings;
        let (tree, exploration) = match search.tree {
            TreePolicy::Greedy => ("greedy", None),
            TreePolicy::Uct(constant) => ("uct", Some(constant)),
        };
        let [_, no_move, only_loops, loop_limit, move_limit] = tally.ends;
        RunJson {
            kind: "patience",
            version: 1,
            game: task.game.name(),
            searches: search.searches,
            playouts: search.playouts,
            depth: search.depth,
            total_moves,
            loops,
            unknown: unknown.to_string(),
            stacks: stacks.to_string(),
            tree,
            exploration,
            seed: task.seed,
            first: task.deals.start,
            games: tally.games,
            won: tally.won(),
            share: tally.share(),
            confidence,
            wilson: tally.wilson(confidence),
            clopper_pearson: tally.clopper_pearson(confidence),
            score: tally.mean_score(confidence),
            won_moves: tally.mean_won_moves(confidence),
            no_move,
            only_loops,
            loop_limit,
            move_limit,
            seconds_per_game: if tally.games == 0 {
                0.0
            } else {
                tally.seconds / tally.games as f64
            },
        }
    }

    const NAMES: &'static str = "game,searches,playouts,depth,total_moves,loops,unknown,stacks,tree,\
        exploration,seed,first,games,won,share,wilson_low,wilson_high,score,score_low,score_high,\
        score_deviation,won_moves,no_move,only_loops,loop_limit,move_limit,seconds_per_game";

    fn csv(&self) -> String {
        let mean = |mean: Option<Mean>, part: fn(Mean) -> Option<f64>| {
            let part = mean.and_then(part);
            part.map_or_else(String::new, |part| part.to_string())
        };
        let cells: [String; 27] = [
            quoted(self.game),
            self.searches.to_string(),
            self.playouts.to_string(),
            self.depth.to_string(),
            self.total_moves.to_string(),
            self.loops.to_string(),
            self.unknown.clone(),
            self.stacks.clone(),
            self.tree.to_owned(),
            self.exploration
                .map_or_else(String::new, |constant| constant.to_string()),
            self.seed.to_string(),
            self.first.to_string(),
            self.games.to_string(),
            self.won.to_string(),
            self.share.to_string(),
            self.wilson.low.to_string(),
            self.wilson.high.to_string(),
            mean(self.score, |m| Some(m.mean)),
            mean(self.score, |m| Some(m.interval?.low)),
            mean(self.score, |m| Some(m.interval?.high)),
            mean(self.score, |m| Some(m.deviation)),
            mean(self.won_moves, |m| Some(m.mean)),
            self.no_move.to_string(),
            self.only_loops.to_string(),
            self.loop_limit.to_string(),
            self.move_limit.to_string(),
            self.seconds_per_game.to_string(),
        ];
        cells.join(",")
    }
}

/// A cell of comma-separated values: in quotes where it has to be.
pub(super) fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

/// `41.2 (40.1 to 42.3)`.
pub(super) fn mean_text(mean: Option<Mean>) -> String {
    let Some(Mean { mean, interval, .. }) = mean else {
        return "-".to_owned();
    };
    interval.map_or_else(
        || format!("{mean:.2}"),
        |Interval { low, high }| format!("{mean:.2} ({low:.2} to {high:.2})"),
    )
}

/// The settings in words.
fn settings_text(settings: &Settings) -> String {
    let Search {
        searches,
        playouts,
        depth,
        tree,
    } = settings.search;
    let tree = match tree {
        TreePolicy::Greedy => "greedy tree".to_owned(),
        TreePolicy::Uct(constant) => format!("UCT with {constant}"),
    };
    format!(
        "{searches} searches, {playouts} playouts, depth {depth}, at most {} moves, {} loops, \
         unknown cards: {}, stacks: {}, {tree}",
        settings.total_moves, settings.loops, settings.unknown, settings.stacks
    )
}

impl MctsArgs {
    pub(super) fn run(&self, output: &mut Output) -> Result<Status, CliError> {
        self.runs.check(output)?;
        let task = Task {
            game: game(&self.game)?,
            settings: self.player.settings()?,
            deals: self.runs.from..self.runs.from + self.runs.games,
            seed: self.player.seed(),
        };
        if self.moves {
            return self.show_moves(&task, output);
        }
        let mut games = Vec::new();
        let complete = self.runs.play(std::slice::from_ref(&task), |_, played| {
            games.extend_from_slice(played);
            Ok(())
        })?;
        if self.each {
            self.show_each(&games, output)?;
        } else {
            self.show_sums(&task, &games, output)?;
        }
        status(complete, output)
    }

    /// The moves of every game, one after the other.
    fn show_moves(&self, task: &Task, output: &mut Output) -> Result<Status, CliError> {
        if output.json() {
            return Err(CliError::usage("--moves is for people and knows no --json"));
        }
        let style = output.style();
        for deal in task.deals.clone() {
            let mut text = format!("deal {deal}\n");
            let outcome = task.play(deal, |position, made| {
                text.push_str(&picture::describe(position, made, style));
                text.push('\n');
            });
            output.text(&format!(
                "{text}{}: {} cards on the foundations after {} moves\n\n",
                outcome.end.words(),
                outcome.score,
                outcome.moves
            ))?;
        }
        Ok(Status::Answered)
    }

    fn show_each(&self, games: &[Played], output: &mut Output) -> Result<(), CliError> {
        if self.runs.csv {
            output.text("deal,end,score,moves,seconds\n")?;
        }
        for played in games {
            let Played { deal, outcome, .. } = played;
            let (score, moves) = (outcome.score, outcome.moves);
            if output.json() {
                output.object(&EachJson {
                    kind: "patience-game-played",
                    version: 1,
                    played,
                })?;
            } else if self.runs.csv {
                let end = outcome.end.name();
                output.text(&format!(
                    "{deal},{end},{score},{moves},{}\n",
                    played.seconds
                ))?;
            } else {
                let end = outcome.end.words();
                output.text(&format!(
                    "deal {deal}: {end}, score {score}, {moves} moves\n"
                ))?;
            }
        }
        Ok(())
    }

    fn show_sums(
        &self,
        task: &Task,
        games: &[Played],
        output: &mut Output,
    ) -> Result<(), CliError> {
        let tally: Tally = games.iter().collect();
        let confidence = self.runs.confidence;
        let run = RunJson::new(task, &tally, confidence);
        if output.json() {
            output.object(&run)?;
            return Ok(());
        }
        if self.runs.csv {
            output.text(&format!("{}\n{}\n", RunJson::NAMES, run.csv()))?;
            return Ok(());
        }
        let level = 100.0 * confidence;
        let others = End::ALL.iter().zip(tally.ends).skip(1);
        let others: Vec<String> = others
            .filter(|&(_, count)| count > 0)
            .map(|(end, count)| format!("{} {}", end.words(), grouped(count)))
            .collect();
        output.text(&format!(
            "{}, deals {} to {}\n{}\nwon: {} of {} ({})\n  {level} % Wilson:          {}\n  \
             {level} % Clopper-Pearson: {}\nscore: {}\nmoves of won games: {}\nother ends: {}\n\
             {:.4} s per game and thread\n",
            run.game,
            task.deals.start,
            task.deals.start + tally.games.max(1) - 1,
            settings_text(&task.settings),
            grouped(tally.won()),
            grouped(tally.games),
            percent(run.share),
            percent_range(run.wilson),
            percent_range(run.clopper_pearson),
            mean_text(run.score),
            mean_text(run.won_moves),
            if others.is_empty() {
                "none".to_owned()
            } else {
                others.join(", ")
            },
            run.seconds_per_game,
        ))?;
        Ok(())
    }
}

impl SweepArgs {
    pub(super) fn run(&self, output: &mut Output) -> Result<Status, CliError> {
        self.runs.check(output)?;
        let game = game(&self.game)?;
        let mut all = vec![self.player.settings()?];
        for (i, Vary { parameter, values }) in self.vary.iter().enumerate() {
            if self.vary[..i].iter().any(|v| v.parameter == *parameter) {
                return Err(CliError::usage(format!(
                    "--vary names {parameter} twice: put its values into one list"
                )));
            }
            if all.len().saturating_mul(values.len()) > MOST {
                return Err(CliError::usage(format!(
                    "the sweep has more than {MOST} combinations: vary less"
                )));
            }
            all = all
                .iter()
                .flat_map(|settings| {
                    values.iter().map(move |&value| {
                        let mut settings = *settings;
                        parameter.set(&mut settings, value);
                        settings
                    })
                })
                .collect();
        }
        let tasks: Vec<Task> = all
            .into_iter()
            .map(|settings| Task {
                game: game.clone(),
                settings,
                deals: self.runs.from..self.runs.from + self.runs.games,
                seed: self.player.seed(),
            })
            .collect();
        if self.runs.csv {
            output.text(&format!("{}\n", RunJson::NAMES))?;
        } else if !output.json() {
            output.text(&format!(
                "{}, {} games each\n{}{:>9} {:>22} {:>24} {:>10}\n",
                game.name(),
                grouped(self.runs.games),
                self.vary
                    .iter()
                    .map(|vary| format!("{:>12}", vary.parameter.to_string()))
                    .collect::<String>(),
                "won",
                "Wilson",
                "score",
                "s/game"
            ))?;
        }
        let complete = self.runs.play(&tasks, |task, games| {
            let tally: Tally = games.iter().collect();
            if tally.games == 0 {
                return Ok(());
            }
            let run = RunJson::new(task, &tally, self.runs.confidence);
            if output.json() {
                output.object(&run)?;
            } else if self.runs.csv {
                output.text(&format!("{}\n", run.csv()))?;
            } else {
                output.text(&self.line(&run))?;
            }
            Ok(())
        })?;
        status(complete, output)
    }

    fn line(&self, run: &RunJson<'_>) -> String {
        let values = self.vary.iter().map(|vary| {
            let value = match vary.parameter {
                Parameter::Searches => run.searches,
                Parameter::Playouts => run.playouts,
                Parameter::Depth => run.depth,
                Parameter::TotalMoves => run.total_moves,
                Parameter::Loops => run.loops,
            };
            format!("{value:>12}")
        });
        let values: String = values.collect();
        format!(
            "{values}{:>8.2}% {:>10.2}% to {:>5.2}% {:>24} {:>10.4}\n",
            100.0 * run.share,
            100.0 * run.wilson.low,
            100.0 * run.wilson.high,
            mean_text(run.score),
            run.seconds_per_game
        )
    }
}

impl fmt::Display for Parameter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = Parameter::ALL
            .iter()
            .find(|(parameter, _)| parameter == self);
        f.write_str(known.map_or("", |(_, name)| name))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_a_sweep_are_lists_or_ranges() {
        let values = |text: &str| text.parse::<Vary>().map(|vary| vary.values);
        assert_eq!(values("searches=3,1,2"), Ok(vec![3, 1, 2]));
        assert_eq!(values("depth=10..50/20"), Ok(vec![10, 30, 50]));
        assert_eq!(values("loops=1..3"), Ok(vec![1, 2, 3]));
        for bad in [
            "searches",
            "searches=",
            "searches=0",
            "searches=1,x",
            "searches=5..1",
            "searches=1..9/0",
            "searches=1..1000000",
            "search=1",
        ] {
            assert!(values(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn cells_are_quoted_where_they_have_to_be() {
        assert_eq!(quoted("plain"), "plain");
        assert_eq!(quoted("a,\"b\""), "\"a,\"\"b\"\"\"");
    }
}
