//! `klondike reproduce`: published figures of players beside ours.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::limit_args::stop_on_interrupt;
use crate::lines::counted;
use crate::numbers::{Places, grouped, or_nothing};
use crate::output::Output;
use crate::progress::Progress;
use crate::range_args::ThreadArgs;
use crate::values::{read_confidence, whole};
use crate::{CliError, Status};
use klondike_contract::{Envelope, ExperimentAnswer, ReproduceAnswer};
use klondike_lab::plots::chart::Chart;
use klondike_lab::samples::Samples;
use klondike_papers::reproduce::sample::{Sample, Tally};
use klondike_papers::reproduce::{Experiment, Figure, experiments, figures};

/// Play what a paper played and show its figures beside ours
///
/// Without a name it lists the experiments. Every row has the published figure, ours with its
/// interval, whether the intervals meet, and the seconds per game here and there. At 95 % up to
/// one row in twenty differs by chance alone. Examples: `klondike reproduce`, `klondike reproduce
/// kortsmit --games 1000`, `klondike reproduce kortsmit-talon --plot talon.svg`. Ctrl-C ends when
/// the games in progress have ended, a second one at once, with exit status 130; with --dir the
/// same command goes on from there. General patience games: `klondike patience published`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Name of the experiment; all are listed without one
    #[arg(value_name = "ID")]
    id: Option<String>,

    /// Games for each figure [default: enough for ± 1.5 points, fewer for slow players]
    #[arg(
        long,
        value_name = "N",
        requires = "id",
        value_parser = whole::<u64>(1..),
    )]
    games: Option<u64>,

    #[command(flatten)]
    threads: ThreadArgs,

    /// Seed of the players' random numbers
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole::<u64>(..))]
    player_seed: u64,

    /// Confidence of the intervals
    #[arg(long, value_name = "LEVEL", default_value = "0.95", value_parser = read_confidence)]
    confidence: f64,

    /// Print rows of CSV
    #[arg(long, requires = "id")]
    csv: bool,

    /// Directory to keep what was played in; a run goes on from what is in it, also with more
    /// --games
    #[arg(long, value_name = "DIR", requires = "id")]
    dir: Option<PathBuf>,

    /// File for a picture, SVG or (if its name ends in .png) PNG: published points beside ours
    #[arg(long, value_name = "FILE", requires = "id")]
    plot: Option<PathBuf>,
}

/// A sample by name, with its number of games.
type Row = (String, (Sample, u64));

impl Args {
    pub(super) fn run(&self, output: &mut Output) -> Result<Status, CliError> {
        output.check_csv(self.csv)?;
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
        if let Some(path) = &self.plot {
            Chart::could_write(path).map_err(CliError::usage)?;
        }
        self.play(experiment, output)
    }

    fn play(&self, experiment: &Experiment, output: &mut Output) -> Result<Status, CliError> {
        let figures = figures(&experiment.id);
        let threads = self.threads.count();
        let samples = self.samples(&figures);
        let mut done = self.open(experiment, &samples)?;
        let stop = stop_on_interrupt()?;
        if self.csv {
            output.text(
                "what,place,player,measure,published,half,ours,low,high,agree,games,undecided,\
                 count,seconds,published_seconds\n",
            )?;
        } else if !output.json() {
            output.text(&format!("{}\n{}\n\n", experiment.title, experiment.source))?;
        }
        let total = samples.iter().map(|(_, (_, games))| games).sum();
        let before = samples.iter().map(|(name, _)| done.get(name).deals()).sum();
        let bar = Progress::new(Some(total), before);
        let mut rows: Vec<ReproduceAnswer> = Vec::new();
        for figure in &figures {
            let mut tally = Tally::default();
            if let Some((name, (sample, games))) = figure
                .sample(self.player_seed)
                .and_then(|sample| samples.iter().find(|(name, _)| *name == sample.name()))
            {
                bar.say(format!("({})", figure.what));
                let from = done.get(name).deals();
                sample.run(from, *games, threads, &stop, |piece| {
                    bar.add(piece.deals());
                    done.change(name, |tally| tally.add(&piece))
                        .map_err(CliError::from)
                })?;
                done.save()?;
                tally = done.get(name);
            }
            let row = figure.compare(&tally, self.confidence);
            bar.aside(|| self.show(&row, output))?;
            // Rows may be hours apart, and their reader a file.
            output.flush()?;
            rows.push(row);
            if stop.load(Ordering::Relaxed) {
                break;
            }
        }
        drop(bar);
        if !self.csv && !output.json() {
            output.text(&self.by_chance(&rows))?;
        }
        if let Some(path) = &self.plot {
            experiment.chart(&figures, &rows).write(path)?;
            output.wrote(path)?;
        }
        self.end(figures.len() - rows.len(), &stop, output)
    }

    /// What was played before.
    fn open(&self, experiment: &Experiment, samples: &[Row]) -> Result<Samples<Tally>, CliError> {
        let settings = [
            ("experiment", experiment.id.clone()),
            ("seed of the players", self.player_seed.to_string()),
        ];
        let done = Samples::<Tally>::open(self.dir.as_deref(), &settings)?;
        for (name, (_, games)) in samples {
            let deals = done.get(name).deals();
            if deals > *games {
                return Err(CliError::usage(format!(
                    "the directory holds {deals} games of a row already; give --games {deals} or \
                     more, or another directory"
                )));
            }
        }
        Ok(done)
    }

    /// How many rows differ, and how many do by chance: intervals of a level hold the truth on
    /// average in that share of the rows. Where the paper has an interval, its level is 95 %.
    fn by_chance(&self, rows: &[ReproduceAnswer]) -> String {
        let sampled = || rows.iter().filter(|row| row.count.is_none());
        let verdicts = sampled().filter_map(|row| row.agree);
        let (agree, differ): (Vec<bool>, Vec<bool>) = verdicts.partition(|&agree| agree);
        if agree.is_empty() && differ.is_empty() {
            return String::new();
        }
        let theirs = sampled().any(|row| row.published_half.is_some());
        let level = if theirs {
            self.confidence.min(0.95)
        } else {
            self.confidence
        };
        let percent = (1e5 * (1.0 - level)).round() / 1e3;
        format!(
            "\n{} of {} differ; chance alone makes on average at most {percent} % differ\n",
            differ.len(),
            counted((agree.len() + differ.len()) as u64, "sampled row"),
        )
    }

    fn end(
        &self,
        missing: usize,
        stop: &AtomicBool,
        output: &mut Output,
    ) -> Result<Status, CliError> {
        if !stop.load(Ordering::Relaxed) {
            if let Some(folder) = &self.dir {
                output.wrote(folder)?;
            }
            return Ok(Status::Answered);
        }
        let what = format!("; the last row is of fewer games, {missing} rows are missing");
        output.interrupted(&what, self.dir.as_deref(), "--dir DIR")
    }

    /// The samples that stand for the figures, by name, with their numbers of games: as many as the
    /// figure that asks for most.
    fn samples(&self, figures: &[Figure]) -> Vec<Row> {
        let mut samples: Vec<Row> = Vec::new();
        for figure in figures {
            let Some(sample) = figure.sample(self.player_seed) else {
                continue;
            };
            let games = self.games.unwrap_or(figure.games);
            let name = sample.name();
            match samples.iter_mut().find(|(known, _)| *known == name) {
                Some((_, (_, most))) => *most = games.max(*most),
                None => samples.push((name, (sample, games))),
            }
        }
        samples
    }

    fn show(&self, row: &ReproduceAnswer, output: &mut Output) -> Result<(), CliError> {
        if output.json() {
            output.envelope(&Envelope::of_nothing(row.clone()))?;
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

fn csv_line(row: &ReproduceAnswer, agree: &str) -> String {
    let cell = |value: Option<f64>| value.map_or_else(String::new, |value| value.to_string());
    let quoted = |text: &str| format!("\"{}\"", text.replace('"', "\"\""));
    let measure = serde_json::to_string(&row.measure).expect("a plain name");
    format!(
        "{},{},{},{},{},{},{},{},{},{agree},{},{},{},{},{}\n",
        quoted(&row.what),
        quoted(&row.place),
        quoted(&row.player),
        measure.trim_matches('"'),
        cell(row.published),
        cell(row.published_half),
        cell(row.ours),
        cell(row.interval.map(|interval| interval.low)),
        cell(row.interval.map(|interval| interval.high)),
        row.games,
        row.undecided,
        row.count.as_deref().unwrap_or_default(),
        cell(row.seconds),
        cell(row.published_seconds)
    )
}

fn text_line(row: &ReproduceAnswer, agree: &str) -> String {
    let unit = if row.measure.is_share() { " %" } else { "" };
    let number = |value: f64| match (&row.count, row.interval) {
        (Some(count), _) if !row.measure.is_share() => count.clone(),
        // Exact shares have digits that say something.
        (Some(_), _) => format!("{value:.9}{unit}"),
        (None, Some(interval)) => Places::of(interval).number(value) + unit,
        (None, None) => format!("{value:.2}{unit}"),
    };
    let published = match (row.published, &row.published_count) {
        (_, Some(count)) if !row.measure.is_share() => count.to_owned(),
        // With the digits of the paper.
        (Some(published), _) => format!("{published}{unit}"),
        (None, _) => "without a number".to_owned(),
    };
    let half = (row.published_half.filter(|_| row.count.is_none()))
        .map_or_else(String::new, |half| {
            format!(" ± {}", (half * 1e6).round() / 1e6)
        });
    let ours = row.ours.map_or_else(|| "no such game".to_owned(), number);
    let interval = row.interval.map_or_else(String::new, |interval| {
        format!(" ({})", Places::of(interval).range(interval))
    });
    let seconds = or_nothing(row.seconds, |seconds| format!("{seconds:.6} s each"));
    let place = if row.place.is_empty() {
        String::new()
    } else {
        format!(", {}", row.place)
    };
    let mut text = format!(
        "{}{place}: published {published}{half}, ours {ours}{interval}{}{agree}\n",
        row.what,
        if agree.is_empty() { "" } else { ": " },
    );
    match (&row.count, row.player.as_str()) {
        (Some(count), _) => {
            let _ = write!(text, "  counted exactly: {count}");
        }
        (None, "") => {
            let games = grouped(row.games);
            let _ = write!(text, "  {games} deals, {seconds}");
            if row.undecided > 0 {
                let _ = write!(text, "; {} undecided", grouped(row.undecided));
            }
        }
        (None, player) => {
            let games = grouped(row.games);
            let _ = write!(text, "  {games} games of {player}, {seconds}");
        }
    }
    if let (Some(theirs), Some(times)) = (row.published_seconds, row.times_faster) {
        let _ = write!(text, "; published {theirs} s, {times:.0} times as long");
    }
    text.push('\n');
    if let (Some(false), Some(why)) = (row.agree, &row.why) {
        let _ = writeln!(text, "  why: {why}");
    }
    if let Some(reading) = &row.reading {
        let _ = writeln!(text, "  reading: {reading}");
    }
    text
}

fn list(all: &[Experiment], output: &mut Output) -> Result<Status, CliError> {
    for experiment in all {
        let count = figures(&experiment.id).len();
        if output.json() {
            output.envelope(&Envelope::of_nothing(ExperimentAnswer {
                id: experiment.id.clone(),
                title: experiment.title.clone(),
                source: experiment.source.clone(),
                figures: count,
            }))?;
        } else {
            output.text(&format!(
                "{:<20} {}, {count} figures\n{:<20}   {}\n",
                experiment.id, experiment.title, "", experiment.source
            ))?;
        }
    }
    if !output.json() {
        output.text("General patience games (Brewis 2017): klondike patience published\n")?;
    }
    Ok(Status::Answered)
}
