//! `klondike patience sweep`: the tree search with many values of its parameters.

use std::collections::BTreeSet;
use std::fmt;
use std::str::FromStr;

use super::args::{PlayerArgs, RunArgs, status};
use super::game;
use super::runs::{NAMES, answer, csv, mean_text, seconds_text};
use crate::numbers::{Places, grouped};
use crate::output::Output;
use crate::{CliError, Status};
use klondike_contract::{Envelope, PatienceSweepAnswer};
use klondike_patience::player::Settings;
use klondike_patience::statistics::{Tally, Task};

#[derive(Debug, clap::Args)]
pub(super) struct SweepArgs {
    /// A shipped game or a file
    #[arg(value_name = "GAME")]
    game: String,

    /// A parameter and its values: NAME=1,2,5 or NAME=A..B..STEP with both ends; NAME is
    /// searches, playouts, depth, total-moves or loops. Several give all combinations
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

impl SweepArgs {
    pub(super) fn run(&self, output: &mut Output) -> Result<Status, CliError> {
        self.runs.check(output)?;
        let game = game(&self.game)?;
        let task = |settings| Task {
            game: game.clone(),
            settings,
            deals: self.runs.from..self.runs.from + self.runs.games,
            seed: self.player.seed(),
        };
        let tasks: Vec<Task> = self.combinations()?.into_iter().map(task).collect();
        if self.runs.csv {
            output.text(&format!("{NAMES}\n"))?;
        } else if !output.json() {
            output.text(&self.head(game.name()))?;
        }
        let complete = self.runs.play(&tasks, |task, games| {
            let tally: Tally = games.iter().collect();
            if tally.games == 0 {
                return Ok(());
            }
            let run = answer(task, &tally, self.runs.confidence);
            output.answer(Envelope::of_nothing(run), |run| match self.runs.csv {
                true => format!("{}\n", csv(run)),
                false => self.line(run),
            })?;
            Ok(output.flush()?)
        })?;
        status(complete, output)
    }

    /// All combinations of the values that are varied.
    fn combinations(&self) -> Result<Vec<Settings>, CliError> {
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
        Ok(all)
    }

    fn head(&self, game: &str) -> String {
        let names = self.vary.iter().map(|vary| vary.parameter.to_string());
        let names: String = names.map(|name| format!("{name:>12}")).collect();
        format!(
            "{game}, {} games each\n{names}{:>10} {:>9} {:>22} {:>24} {:>10}\n",
            grouped(self.runs.games),
            "games",
            "won",
            "Wilson",
            "score",
            "s/game"
        )
    }

    fn line(&self, run: &PatienceSweepAnswer) -> String {
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
        let places = Places::of_share(run.wilson);
        format!(
            "{values}{:>10} {:>9} {:>22} {:>24} {:>10}\n",
            grouped(run.games),
            places.percent(run.share),
            places.percent_range(run.wilson),
            mean_text(run.score),
            seconds_text(run.seconds_per_game)
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
}
