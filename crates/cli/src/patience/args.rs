//! The arguments of commands that let the tree search play: the player, and the games.

use std::sync::atomic::Ordering;

use crate::limit_args::stop_on_interrupt;
use crate::output::Output;
use crate::progress::Progress;
use crate::range_args::ThreadArgs;
use crate::values::{read_confidence, whole};
use crate::{CliError, Status};
use klondike_contract::patience::Played;
use klondike_patience::mcts::{SearchSize, TreePolicy};
use klondike_patience::player::{Settings, Stacks, Unknown};
use klondike_patience::statistics::{self, Task};

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

    /// Cards that cannot be known: `sample` deals them anew for every random game, `peek` looks at
    /// them
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
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole::<u64>(..))]
    seed: u64,
}

fn count() -> impl Fn(&str) -> Result<u32, String> + Clone + Send + Sync + 'static {
    whole::<u32>(1..=1_000_000)
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
            search: SearchSize {
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
    #[arg(
        long,
        value_name = "N",
        default_value_t = 100,
        value_parser = whole::<u64>(1..=1_000_000_000),
    )]
    pub(super) games: u64,

    /// Number of the first deal; the others follow
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1,
        value_parser = whole::<u64>(..=1_000_000_000_000_000_000),
    )]
    pub(super) from: u64,

    /// Confidence of the intervals
    #[arg(long, value_name = "LEVEL", default_value = "0.95", value_parser = read_confidence)]
    pub(super) confidence: f64,

    #[command(flatten)]
    threads: ThreadArgs,

    /// Print comma-separated values with a line of names first
    #[arg(long)]
    pub(super) csv: bool,
}

impl RunArgs {
    pub(super) fn check(&self, output: &Output) -> Result<(), CliError> {
        output.check_csv(self.csv)?;
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
            let games = statistics::run(task, self.threads.count(), &stop, |more| bar.add(more));
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
