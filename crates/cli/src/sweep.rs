//! `klondike sweep`: a player over a range of its parameters.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use crate::limit_args::stop_on_interrupt;
use crate::numbers::{estimate, grouped, or_nothing, ratio};
use crate::output::Output;
use crate::progress::Progress;
use crate::range_args::GamesArgs;
use crate::rules_args::RulesArgs;
use crate::{CliError, Status};
use klondike_batch::interval::Interval;
use klondike_contract::{Envelope, SweepAnswer};
use klondike_lab::plots::chart::{Chart, Curve, Point};
use klondike_lab::samples::Samples;
use klondike_lab::text;
use klondike_papers::published::PlayerName;
use klondike_papers::reproduce::vary::{self, Setting, Vary};
use klondike_papers::simulate::{self, Experiment, Totals};

/// Let a player play the same deals with many values of its parameters
///
/// A parameter is one of the player (`klondike simulate --list-players`) or of the game: `draw`, or
/// `talon`, the number of cards left in the talon when the others are dealt to piles of 1, 2, 3, …
/// Values are a range with both ends, `A..B` or `A..B..STEP`, or a list, `A,B,C`. Examples:
/// `klondike sweep --player kortsmit-simplest --rules kortsmit --vary diff=1..12 --vary draw=1,3
/// --plot difference.svg`, `klondike sweep --player kortsmit-greedy --rules kortsmit --vary
/// s1=100..1100..200 --vary pile=1..6`. Ctrl-C ends when the games in progress have ended, a second
/// one at once, with exit status 130; with --dir the same command goes on from there.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Who plays: NAME or NAME:KEY=VALUE,...
    #[arg(long, value_name = "NAME")]
    player: PlayerName,

    /// A parameter and its values; may be given several times for all combinations
    #[arg(long, value_name = "NAME=VALUES", required = true)]
    vary: Vec<Vary>,

    #[command(flatten)]
    games: GamesArgs,

    /// Print rows of CSV
    #[arg(long)]
    csv: bool,

    /// Directory to keep what was played in; a run goes on from what is in it, also with more
    /// --games or other values
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,

    /// File for a picture, SVG or (if its name ends in .png) PNG: the first parameter on the axis,
    /// a curve for each combination of the others
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,

    #[command(flatten)]
    rules: RulesArgs,
}

impl Args {
    pub(super) fn run(&self, output: &mut Output) -> Result<Status, CliError> {
        output.check_csv(self.csv)?;
        if let Some(path) = &self.plot {
            Chart::could_write(path).map_err(CliError::usage)?;
        }
        for name in self.vary.iter().map(Vary::name) {
            if let Some(option) = self.rules.replaced_by(name) {
                return Err(CliError::usage(format!(
                    "--vary {name} gives the rules that {option} would: leave {option} out"
                )));
            }
        }
        let rules = self.rules.rules()?;
        let information = self.games.information(&rules);
        let scheme = self.games.first.scheme;
        let first = &self.games.first.from;
        let settings = vary::settings(&self.player, &rules, &self.vary).map_err(CliError::usage)?;
        let kept = [
            ("command", "sweep".to_owned()),
            ("information", information.name().to_owned()),
            ("seed of the players", self.games.player_seed.to_string()),
            ("scheme", scheme.name().to_owned()),
            ("first seed", first.to_string()),
            ("player", self.player.to_string()),
            (
                "set of rules",
                serde_json::to_string(&*rules).expect("a plain object"),
            ),
        ];
        let mut done = Samples::<Totals>::open(self.dir.as_deref(), &kept)?;
        let most = settings
            .iter()
            .map(|setting| done.get(&setting.name()).games);
        if let Some(most) = most.max().filter(|&most| most > self.games.games) {
            return Err(CliError::usage(format!(
                "the directory holds {most} games of a combination already; give --games {most} or \
                 more, or another directory"
            )));
        }
        self.check_deals(&settings)?;
        let stop = stop_on_interrupt()?;
        if self.csv {
            let names: Vec<&str> = self.vary.iter().map(Vary::name).collect();
            let names = names.join(",");
            output.text(&format!(
                "{names},games,wins,share,low,high,card_moves_per_won_game,seconds_per_game\n"
            ))?;
        }
        let before = settings.iter().map(|one| done.get(&one.name()).games).sum();
        let bar = Progress::new(Some(self.games.games * settings.len() as u64), before);
        let mut results = Vec::new();
        for setting in &settings {
            let name = setting.name();
            let experiment = Experiment {
                rules: setting.rules.clone(),
                deals: self.games.deals()?,
                players: vec![setting.player.clone()],
                information,
                seed: self.games.player_seed,
                stop_when_lost: false,
            };
            bar.say(format!("({})", setting.text()));
            let before = done.get(&name).games;
            let threads = self.games.threads();
            simulate::run(&experiment, before, threads, &stop, |games, count| {
                bar.add(count);
                let add = |totals: &mut Totals| games.iter().for_each(|game| totals.add(game));
                done.change(&name, add).map_err(CliError::from)
            })?;
            done.save()?;
            let totals = done.get(&name);
            bar.aside(|| self.show(setting, &totals, output))?;
            // Rows may be hours apart, and their reader a file.
            output.flush()?;
            results.push(totals);
            if stop.load(Ordering::Relaxed) {
                break;
            }
        }
        drop(bar);
        if let Some(path) = &self.plot {
            self.chart(&settings, &results).write(path)?;
            output.wrote(path)?;
        }
        if !stop.load(Ordering::Relaxed) {
            if let Some(folder) = &self.dir {
                output.wrote(folder)?;
            }
            return Ok(Status::Answered);
        }
        let missing = settings.len() - results.len();
        let what = format!("; the last row is of fewer games, {missing} rows are missing");
        output.interrupted(&what, self.dir.as_deref(), "--dir DIR")
    }

    /// Refuses, before hours of playing, settings whose deals cannot be dealt.
    fn check_deals(&self, settings: &[Setting]) -> Result<(), CliError> {
        let scheme = self.games.first.scheme;
        for setting in settings {
            let (deck, layout) = (setting.rules.deck(), setting.rules.layout());
            scheme
                .deal_for(&self.games.first.from, deck, layout)
                .map_err(CliError::usage)?;
        }
        Ok(())
    }

    fn show(
        &self,
        setting: &Setting,
        totals: &Totals,
        output: &mut Output,
    ) -> Result<(), CliError> {
        let Totals { games, wins, .. } = *totals;
        let wilson = Interval::wilson(wins, games, self.games.confidence);
        let share = ratio(wins, games);
        let card_moves = totals.won_card_moves.mean(wins, self.games.confidence);
        let seconds = (games > 0).then(|| totals.seconds / games as f64);
        if output.json() {
            output.envelope(&Envelope::of_rules(
                &setting.rules,
                SweepAnswer {
                    player: setting.player.to_string(),
                    values: setting.values.clone(),
                    information: self.games.information(&*self.rules.rules()?).name(),
                    player_seed: self.games.player_seed,
                    scheme: self.games.first.scheme.name(),
                    first: self.games.first.from.to_string(),
                    games,
                    complete: games == self.games.games,
                    wins,
                    share,
                    confidence: self.games.confidence,
                    wilson,
                    card_moves_per_won_game: card_moves.map(|moves| moves.mean),
                    seconds_per_game: seconds,
                },
            ))?;
            return Ok(());
        }
        let mut text = String::new();
        if self.csv {
            for vary in &self.vary {
                let _ = write!(text, "{},", setting.value(vary.name()));
            }
            let Interval { low, high } = wilson;
            let cell = |mean: Option<f64>| mean.map_or_else(String::new, |mean| mean.to_string());
            let _ = writeln!(
                text,
                "{games},{wins},{},{low},{high},{},{}",
                cell(share),
                cell(card_moves.map(|moves| moves.mean)),
                cell(seconds)
            );
        } else {
            let _ = writeln!(
                text,
                "{}: {} of {} games won, {}; {} card moves of won games, {} s each",
                setting.text(),
                grouped(wins),
                grouped(games),
                estimate(share, wilson),
                or_nothing(card_moves, |moves| text::mean(&moves)),
                or_nothing(seconds, |seconds| format!("{seconds:.6}")),
            );
        }
        output.text(&text)?;
        Ok(())
    }

    /// Curves over the first parameter if its values are numbers, else a row for each combination.
    fn chart(&self, settings: &[Setting], results: &[Totals]) -> Chart {
        let Some(first) = self.vary.first() else {
            return Chart::Rows {
                axis: String::new(),
                rows: Vec::new(),
            };
        };
        let axis = first.name().to_owned();
        let numbers = first
            .values()
            .iter()
            .all(|value| value.parse::<f64>().is_ok());
        let mut curves: Vec<Curve> = Vec::new();
        for (setting, totals) in settings.iter().zip(results) {
            let rest = setting.text_without(&axis);
            let name = if numbers { rest } else { setting.text() };
            let Some(share) = ratio(totals.wins, totals.games) else {
                continue; // interrupted before its first game
            };
            let wilson = Interval::wilson(totals.wins, totals.games, self.games.confidence);
            let point = Point {
                x: setting.value(&axis).parse().unwrap_or(0.0),
                y: 100.0 * share,
                interval: Some(Interval {
                    low: 100.0 * wilson.low,
                    high: 100.0 * wilson.high,
                }),
            };
            match curves.iter_mut().find(|curve| curve.name == name) {
                Some(curve) => curve.ours.push(point),
                None => curves.push(Curve {
                    name,
                    published: Vec::new(),
                    ours: vec![point],
                }),
            }
        }
        let won = "won, %".to_owned();
        if numbers {
            Chart::Curves {
                axes: (axis, won),
                curves,
            }
        } else {
            Chart::Rows {
                axis: won,
                rows: curves,
            }
        }
    }
}
