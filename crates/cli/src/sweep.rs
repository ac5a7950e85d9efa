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
use crate::simulate::notes;
use crate::values::whole;
use crate::{CliError, Status, vegas};
use klondike_batch::interval::Interval;
use klondike_contract::{Envelope, SweepAnswer};
use klondike_game::rules::Rules;
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
/// s1=100..1100..200 --vary pile=1..6 --best 10`. Of many settings the best won partly by luck, so
/// that their figures are too high; with --best they play fresh deals, too. Ctrl-C ends when the
/// games in progress have ended, a second one at once, with exit status 130; with --dir the same
/// command goes on from there.
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

    /// Then let the N settings that won most play the deals behind these, the best first
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..))]
    best: Option<u64>,

    /// Number of fresh deals for the best [default: as many as --games]
    #[arg(long, value_name = "N", requires = "best", value_parser = whole::<u64>(1..))]
    best_games: Option<u64>,

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

/// Deals that settings play: those of the sweep, or fresh ones.
#[derive(Clone, Copy, Debug)]
struct Round {
    /// How many deals are before them.
    skip: u64,
    games: u64,
}

impl Round {
    /// The name of what a setting played, in the directory.
    fn name(self, setting: &Setting) -> String {
        match self.skip {
            0 => setting.name(),
            skip => format!("{}, behind {skip} deals", setting.name()),
        }
    }
}

/// What some settings gave.
type Results = Vec<Totals>;

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
            let notes = notes(std::slice::from_ref(&self.player), &rules);
            output.text(&format!(
                "Rules, but for what varies: {rules}\n{games}{notes}"
            ))?;
        }
        let all: Vec<(Option<usize>, &Setting)> = settings.iter().map(|one| (None, one)).collect();
        let results = self.round(self.sweep(), &all, &mut done, &stop, output)?;
        if let Some(path) = &self.plot {
            self.chart(&settings, &results).write(path)?;
            output.wrote(path)?;
        }
        let mut missing = settings.len() - results.len();
        if let (Some(best), false) = (self.best, stop.load(Ordering::Relaxed)) {
            let ranked = ranked(&settings, &results, best);
            let first = self.games.first.from.plus(self.games.games);
            let round = self.fresh();
            if !output.json() && !self.csv {
                output.text(&format!(
                    "\nThe best of {} settings on {} fresh deals, {} from seed {first}:\n",
                    grouped(settings.len() as u64),
                    grouped(round.games),
                    self.games.first.scheme,
                ))?;
            }
            let played = self.round(round, &ranked, &mut done, &stop, output)?;
            missing = ranked.len() - played.len();
        }
        if !stop.load(Ordering::Relaxed) {
            if let Some(folder) = &self.dir {
                output.wrote(folder)?;
            }
            return Ok(Status::Answered);
        }
        let what = format!("; the last row is of fewer games, {missing} rows are missing");
        output.interrupted(&what, self.dir.as_deref(), "--dir DIR")
    }

    /// The deals that all settings play.
    fn sweep(&self) -> Round {
        Round {
            skip: 0,
            games: self.games.games,
        }
    }

    /// The deals that the best play.
    fn fresh(&self) -> Round {
        Round {
            skip: self.games.games,
            games: self.best_games.unwrap_or(self.games.games),
        }
    }

    /// Lets settings play, and prints a row for each. Ends early when it is interrupted.
    fn round(
        &self,
        round: Round,
        settings: &[(Option<usize>, &Setting)],
        done: &mut Samples<Totals>,
        stop: &AtomicBool,
        output: &mut Output,
    ) -> Result<Results, CliError> {
        let before = settings
            .iter()
            .map(|(_, one)| done.get(&round.name(one)).games);
        let bar = Progress::new(Some(round.games * settings.len() as u64), before.sum());
        let mut results = Vec::new();
        for &(rank, setting) in settings {
            bar.say(format!("({})", setting.text()));
            let totals = self.play(round, setting, done, stop, &bar)?;
            bar.aside(|| self.print(round, (rank, setting), &totals, output))?;
            // Rows may be hours apart, and their reader a file.
            output.flush()?;
            results.push(totals);
            if stop.load(Ordering::Relaxed) {
                break;
            }
        }
        Ok(results)
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
        let fresh = self.best.map(|_| (self.fresh(), "--best-games"));
        for (round, option) in [(self.sweep(), "--games")].into_iter().chain(fresh) {
            let held = settings.iter().map(|one| done.get(&round.name(one)).games);
            if let Some(most) = held.max().filter(|&most| most > round.games) {
                return Err(CliError::usage(format!(
                    "the directory holds {most} games of a combination already; give {option} \
                     {most} or more, or another directory"
                )));
            }
        }
        Ok(done)
    }

    fn columns(&self) -> String {
        let names: Vec<&str> = self.vary.iter().map(Vary::name).collect();
        let names = names.join(",");
        let rank = self.best.map_or("", |_| ",rank");
        format!(
            "{names},games,wins,share,low,high,card_moves_per_won_game,seconds_per_game{rank}\n"
        )
    }

    /// Plays the games of one combination that were not played before.
    fn play(
        &self,
        round: Round,
        setting: &Setting,
        done: &mut Samples<Totals>,
        stop: &AtomicBool,
        bar: &Progress,
    ) -> Result<Totals, CliError> {
        let name = round.name(setting);
        let experiment = Experiment {
            rules: setting.rules.clone(),
            deals: self.games.first.range(round.skip, round.games)?,
            players: vec![setting.player.clone()],
            information: self.games.information(&setting.rules),
            seed: self.games.player_seed,
            stop_when_lost: false,
            keep_lines: false,
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
        if self.best.is_some() {
            let Round { skip, games } = self.fresh();
            self.games.first.range(skip, games)?;
        }
        for setting in settings {
            self.games.first.check(&setting.rules)?;
        }
        Ok(())
    }

    /// What a combination gave.
    fn answer(
        &self,
        round: Round,
        (rank, setting): (Option<usize>, &Setting),
        totals: &Totals,
    ) -> SweepAnswer {
        let Totals { games, wins, .. } = *totals;
        let card_moves = totals.won_card_moves.mean(wins, self.games.confidence);
        SweepAnswer {
            player: setting.player.to_string(),
            values: setting.values.clone(),
            rank,
            information: self.games.information(&setting.rules).name(),
            player_seed: self.games.player_seed,
            scheme: self.games.first.scheme.name(),
            first: self.games.first.from.plus(round.skip).to_string(),
            games,
            complete: games == round.games,
            wins,
            share: ratio(wins, games),
            confidence: self.games.confidence,
            wilson: Interval::wilson(wins, games, self.games.confidence),
            card_moves_per_won_game: card_moves.map(|moves| moves.mean),
            seconds_per_game: (games > 0).then(|| totals.seconds / games as f64),
            vegas: vegas::of_games(&setting.rules, totals, self.games.confidence),
        }
    }

    fn print(
        &self,
        round: Round,
        (rank, setting): (Option<usize>, &Setting),
        totals: &Totals,
        output: &mut Output,
    ) -> Result<(), CliError> {
        let answer = self.answer(round, (rank, setting), totals);
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
        let rank = match (self.best, answer.rank) {
            (None, _) => String::new(),
            (Some(_), rank) => rank.map_or_else(|| ",".to_owned(), |rank| format!(",{rank}")),
        };
        format!(
            "{values}{},{},{},{low},{high},{},{}{rank}\n",
            answer.games,
            answer.wins,
            cell(answer.share),
            cell(answer.card_moves_per_won_game),
            cell(answer.seconds_per_game)
        )
    }

    fn in_words(&self, setting: &Setting, answer: &SweepAnswer, totals: &Totals) -> String {
        let card_moves = totals.won_card_moves.mean(answer.wins, answer.confidence);
        let rank = answer
            .rank
            .map_or_else(String::new, |rank| format!("{rank}. "));
        let vegas = answer.vegas.map_or_else(String::new, |vegas| {
            let worth = text::mean_with_interval(&vegas.per_game);
            format!("; in Vegas {worth} a game")
        });
        format!(
            "{rank}{}: {} of {} games won, {}; {} card moves per won game, {} per game{vegas}\n",
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

/// The settings that won most, with their places; of those that won as often the first.
fn ranked<'a>(
    settings: &'a [Setting],
    results: &Results,
    best: u64,
) -> Vec<(Option<usize>, &'a Setting)> {
    let mut all: Vec<(&Setting, u64)> = settings
        .iter()
        .zip(results)
        .map(|(setting, totals)| (setting, totals.wins))
        .collect();
    all.sort_by_key(|&(_, wins)| std::cmp::Reverse(wins));
    all.truncate(usize::try_from(best).unwrap_or(usize::MAX));
    let places = all.into_iter().zip(1..);
    places
        .map(|((setting, _), place)| (Some(place), setting))
        .collect()
}
