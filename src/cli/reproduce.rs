//! `klondike reproduce`: published figures of players beside ours.

use std::fmt::Write as _;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use serde::Serialize;

use crate::cli::limit_args::stop_on_interrupt;
use crate::cli::numbers::{grouped, read_confidence};
use crate::cli::output::Output;
use crate::cli::progress::Progress;
use crate::cli::{CliError, Status};
use crate::estimate::simulate::{self, Totals};
use crate::reproduce::{Experiment, Figure, Measure, Row, experiments, figures};

/// Play what a paper played and show its figures beside ours
///
/// Without a name it lists the experiments. Every row has the published figure, ours with its interval, whether the
/// intervals meet, and the seconds per game here and there. Examples: `klondike reproduce`, `klondike
/// reproduce kortsmit --games 1000`. General patience games: `klondike patience published`; shares of
/// winnable deals: `klondike report`; counts: `klondike count`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Name of the experiment; all are listed without one
    #[arg(value_name = "ID")]
    id: Option<String>,

    /// Games for each figure [default: enough for ± 1.5 points, fewer for slow players]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    games: Option<u64>,

    /// Games at the same time [default: the number of processors]. The results do not depend on it
    #[arg(long, value_name = "T", value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,

    /// Seed of the players' random numbers
    #[arg(long, value_name = "S", default_value_t = 1)]
    player_seed: u64,

    /// Confidence of the intervals
    #[arg(long, value_name = "LEVEL", default_value = "0.95", value_parser = read_confidence)]
    confidence: f64,

    /// Print rows of CSV
    #[arg(long)]
    csv: bool,
}

#[derive(Serialize)]
struct ExperimentJson<'a> {
    kind: &'static str,
    version: u32,
    id: &'a str,
    title: &'a str,
    source: &'a str,
    figures: usize,
}

#[derive(Serialize)]
struct RowJson<'a> {
    kind: &'static str,
    version: u32,
    experiment: &'a str,
    confidence: f64,
    #[serde(flatten)]
    row: Row<'a>,
}

impl Args {
    pub(super) fn run(&self, output: &mut Output) -> Result<Status, CliError> {
        if self.csv && output.json() {
            return Err(CliError::usage("--csv and --json exclude each other"));
        }
        let all = experiments();
        let Some(id) = &self.id else {
            return list(&all, output);
        };
        let Some(experiment) = all.iter().find(|experiment| experiment.id == *id) else {
            let names: Vec<&str> = all.iter().map(|experiment| &*experiment.id).collect();
            return Err(CliError::usage(format!(
                "there is no experiment {id}; there are {}",
                names.join(", ")
            )));
        };
        self.play(experiment, output)
    }

    fn play(&self, experiment: &Experiment, output: &mut Output) -> Result<Status, CliError> {
        let figures = figures(&experiment.id);
        let threads = self.threads.map_or_else(
            || std::thread::available_parallelism().map_or(1, usize::from),
            usize::from,
        );
        let stop = stop_on_interrupt()?;
        if self.csv {
            output.text(
                "what,place,player,measure,published,half,ours,low,high,agree,games,seconds,\
                 published_seconds\n",
            )?;
        } else if !output.json() {
            output.text(&format!("{}\n{}\n\n", experiment.title, experiment.source))?;
        }
        let games = |figure: &Figure| self.games.unwrap_or(figure.games);
        let first_of_kind = |i: usize| {
            let same = |other: &Figure| other.has_same_games(&figures[i]);
            figures.iter().position(same).unwrap_or(i)
        };
        let total = (0..figures.len())
            .filter(|&i| first_of_kind(i) == i)
            .map(|i| games(&figures[i]))
            .sum();
        let bar = Progress::new(Some(total), 0);
        let mut played: Vec<Totals> = Vec::new();
        for (i, figure) in figures.iter().enumerate() {
            let kind = first_of_kind(i);
            let totals = if kind < i {
                played[kind].clone()
            } else {
                let experiment = figure
                    .to_play(games(figure), self.player_seed)
                    .map_err(CliError::usage)?;
                let mut totals = Totals::default();
                let mut shown = Instant::now();
                simulate::run(&experiment, 0, threads, &stop, |games, count| {
                    games.iter().for_each(|game| totals.add(game));
                    if shown.elapsed() > Duration::from_millis(200) {
                        shown = Instant::now();
                        bar.say(format!("({})", figure.what));
                    }
                    bar.add(count);
                    Ok::<(), CliError>(())
                })?;
                totals
            };
            self.show(
                experiment,
                &figure.compare(&totals, self.confidence),
                output,
            )?;
            played.push(totals);
            if stop.load(Ordering::Relaxed) {
                output.flush()?;
                eprintln!(
                    "klondike: interrupted; the last row is of fewer games, {} rows are missing",
                    figures.len() - played.len()
                );
                return Ok(Status::Interrupted);
            }
        }
        Ok(Status::Answered)
    }

    fn show(
        &self,
        experiment: &Experiment,
        row: &Row<'_>,
        output: &mut Output,
    ) -> Result<(), CliError> {
        if output.json() {
            output.object(&RowJson {
                kind: "reproduce",
                version: 1,
                experiment: &experiment.id,
                confidence: self.confidence,
                row: row.clone(),
            })?;
            return Ok(());
        }
        let agree = match row.agree {
            Some(true) => "agree",
            Some(false) => "differ",
            None => "",
        };
        let text = if self.csv {
            csv_line(row, agree)
        } else {
            text_line(row, agree)
        };
        output.text(&text)?;
        Ok(())
    }
}

fn csv_line(row: &Row<'_>, agree: &str) -> String {
    let cell = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let measure = serde_json::to_string(&row.measure).expect("a plain name");
    format!(
        "{},{},{},{},{},{},{},{},{},{agree},{},{},{}\n",
        quoted(row.what),
        quoted(row.place),
        quoted(row.player),
        measure.trim_matches('"'),
        row.published,
        cell(row.published_half),
        cell(row.ours),
        cell(row.interval.map(|interval| interval.low)),
        cell(row.interval.map(|interval| interval.high)),
        row.games,
        row.seconds,
        cell(row.published_seconds)
    )
}

fn text_line(row: &Row<'_>, agree: &str) -> String {
    let unit = if row.measure == Measure::Share {
        " %"
    } else {
        ""
    };
    let half = row
        .published_half
        .map_or_else(String::new, |half| format!(" ± {half:.2}"));
    let ours = row.ours.map_or_else(
        || "no such game".to_owned(),
        |ours| format!("{ours:.2}{unit}"),
    );
    let interval = row.interval.map_or_else(String::new, |interval| {
        format!(" ({:.2} to {:.2})", interval.low, interval.high)
    });
    let mut text = format!(
        "{}, {}: published {:.2}{unit}{half}, ours {ours}{interval}{}{agree}\n  {} games of {}, {:.6} s each",
        row.what,
        row.place,
        row.published,
        if agree.is_empty() { "" } else { ": " },
        grouped(row.games),
        row.player,
        row.seconds,
    );
    if let (Some(theirs), Some(times)) = (row.published_seconds, row.times_faster) {
        let _ = write!(text, "; published {theirs} s, {times:.0} times as long");
    }
    text.push('\n');
    if let (Some(false), Some(why)) = (row.agree, row.why) {
        let _ = writeln!(text, "  why: {why}");
    }
    text
}

fn list(all: &[Experiment], output: &mut Output) -> Result<Status, CliError> {
    for experiment in all {
        let count = figures(&experiment.id).len();
        if output.json() {
            output.object(&ExperimentJson {
                kind: "experiment",
                version: 1,
                id: &experiment.id,
                title: &experiment.title,
                source: &experiment.source,
                figures: count,
            })?;
        } else {
            output.text(&format!(
                "{:<20} {}, {count} figures\n{:<20}   {}\n",
                experiment.id, experiment.title, "", experiment.source
            ))?;
        }
    }
    Ok(Status::Answered)
}
