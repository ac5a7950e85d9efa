//! `klondike sweep`: a player over a range of its parameters.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::limit_args::stop_on_interrupt;
use crate::lines::short_time;
use crate::numbers::{estimate, grouped, or_nothing, ratio};
use crate::output::Output;
use crate::progress::Progress;
use crate::range_args::GamesArgs;
use crate::rules_args::RulesArgs;
use crate::{CliError, Status};
use klondike_batch::interval::Interval;
use klondike_contract::{Envelope, SweepAnswer};
use klondike_game::rules::Rules;
use klondike_lab::plots::chart::{Chart, Curve, Point};
use klondike_lab::samples::Samples;
use klondike_lab::text;
use klondike_papers::published::PlayerName;
use klondike_papers::reproduce::vary::{self, Setting, Vary};
use klondike_papers::simulate::{self, Experiment, Totals};
use klondike_play::Information;

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
        let rules = self.checked_rules()?;
        let settings = vary::settings(&self.player, &rules, &self.vary).map_err(CliError::usage)?;
        let mut done = self.open(&rules, &settings)?;
        self.check_deals(&settings)?;
        let stop = stop_on_interrupt()?;
        if self.csv {
            output.text(&self.columns())?;
        } else if !output.json() {
            let games = self.games.about(self.games.information(&rules));
            output.text(&format!("Rules, but for what varies: {rules}\n{games}"))?;
        }
        let before = settings.iter().map(|one| done.get(&one.name()).games).sum();
        let bar = Progress::new(Some(self.games.games * settings.len() as u64), before);
        let information = self.games.information(&rules);
        let mut results = Vec::new();
        for setting in &settings {
            bar.say(format!("({})", setting.text()));
            let totals = self.play(setting, information, &mut done, &stop, &bar)?;
            bar.aside(|| self.print(setting, information, &totals, output))?;
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

    /// The rules, if no option for them is varied as well, and there can be a picture.
    fn checked_rules(&self) -> Result<Arc<Rules>, CliError> {
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
        self.rules.rules()
    }

    /// What was played before.
    fn open(&self, rules: &Rules, settings: &[Setting]) -> Result<Samples<Totals>, CliError> {
        let information = self.games.information(rules);
        let kept = [
            ("command", "sweep".to_owned()),
            ("information", information.name().to_owned()),
            ("seed of the players", self.games.player_seed.to_string()),
            ("scheme", self.games.first.scheme.name().to_owned()),
            ("first seed", self.games.first.from.to_string()),
            ("player", self.player.to_string()),
            (
                "set of rules",
                serde_json::to_string(rules).expect("a plain object"),
            ),
        ];
        let done = Samples::<Totals>::open(self.dir.as_deref(), &kept)?;
        let most = settings
            .iter()
            .map(|setting| done.get(&setting.name()).games);
        match most.max().filter(|&most| most > self.games.games) {
            None => Ok(done),
            Some(most) => Err(CliError::usage(format!(
                "the directory holds {most} games of a combination already; give --games {most} or \
                 more, or another directory"
            ))),
        }
    }

    fn columns(&self) -> String {
        let names: Vec<&str> = self.vary.iter().map(Vary::name).collect();
        let names = names.join(",");
        format!("{names},games,wins,share,low,high,card_moves_per_won_game,seconds_per_game\n")
    }

    /// Plays the games of one combination that were not played before.
    fn play(
        &self,
        setting: &Setting,
        information: Information,
        done: &mut Samples<Totals>,
        stop: &AtomicBool,
        bar: &Progress,
    ) -> Result<Totals, CliError> {
        let name = setting.name();
        let experiment = Experiment {
            rules: setting.rules.clone(),
            deals: self.games.deals()?,
            players: vec![setting.player.clone()],
            information,
            seed: self.games.player_seed,
            stop_when_lost: false,
        };
        let before = done.get(&name).games;
        let threads = self.games.threads();
        simulate::run(&experiment, before, threads, stop, |games, count| {
            bar.add(count);
            let add = |totals: &mut Totals| games.iter().for_each(|game| totals.add(game));
            done.change(&name, add).map_err(CliError::from)
        })?;
        done.save()?;
        Ok(done.get(&name))
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

    /// What a combination gave.
    fn answer(&self, setting: &Setting, information: Information, totals: &Totals) -> SweepAnswer {
        let Totals { games, wins, .. } = *totals;
        let card_moves = totals.won_card_moves.mean(wins, self.games.confidence);
        SweepAnswer {
            player: setting.player.to_string(),
            values: setting.values.clone(),
            information: information.name(),
            player_seed: self.games.player_seed,
            scheme: self.games.first.scheme.name(),
            first: self.games.first.from.to_string(),
            games,
            complete: games == self.games.games,
            wins,
            share: ratio(wins, games),
            confidence: self.games.confidence,
            wilson: Interval::wilson(wins, games, self.games.confidence),
            card_moves_per_won_game: card_moves.map(|moves| moves.mean),
            seconds_per_game: (games > 0).then(|| totals.seconds / games as f64),
        }
    }

    fn print(
        &self,
        setting: &Setting,
        information: Information,
        totals: &Totals,
        output: &mut Output,
    ) -> Result<(), CliError> {
        let answer = self.answer(setting, information, totals);
        let rules = &setting.rules;
        output.answer(Envelope::of_rules(rules, answer), |answer| match self.csv {
            true => self.csv_line(setting, answer),
            false => self.in_words(setting, answer, totals),
        })
    }

    fn csv_line(&self, setting: &Setting, answer: &SweepAnswer) -> String {
        let values = self.vary.iter().map(|vary| setting.value(vary.name()));
        let values: String = values.map(|value| format!("{value},")).collect();
        let cell = |mean: Option<f64>| mean.map_or_else(String::new, |mean| mean.to_string());
        let Interval { low, high } = answer.wilson;
        format!(
            "{values}{},{},{},{low},{high},{},{}\n",
            answer.games,
            answer.wins,
            cell(answer.share),
            cell(answer.card_moves_per_won_game),
            cell(answer.seconds_per_game)
        )
    }

    fn in_words(&self, setting: &Setting, answer: &SweepAnswer, totals: &Totals) -> String {
        let card_moves = totals.won_card_moves.mean(answer.wins, answer.confidence);
        format!(
            "{}: {} of {} games won, {}; {} card moves per won game, {} per game\n",
            setting.text(),
            grouped(answer.wins),
            grouped(answer.games),
            estimate(answer.share, answer.wilson),
            or_nothing(card_moves, |moves| text::mean(&moves)),
            or_nothing(answer.seconds_per_game, short_time),
        )
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
