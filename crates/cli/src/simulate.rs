//! `klondike simulate`: how often does a player win? The file of the games is in
//! `simulate/games_file.rs`.

mod games_file;

use std::fmt::Write as _;
use std::path::PathBuf;

use serde::Serialize;

use crate::limit_args::stop_on_interrupt;
use crate::numbers::grouped;
use crate::output::Output;
use crate::progress::Progress;
use crate::range_args::GamesArgs;
use crate::rules_args::RulesArgs;
use crate::{CliError, Status};
use games_file::GamesFile;
use klondike_contract::players::LostGames;
use klondike_contract::{Envelope, PlayerAnswer, SimulateAnswer, SimulateComparisonAnswer};
use klondike_game::deal::seed::Scheme;
use klondike_game::rules::Rules;
use klondike_lab::paired::Pairs;
use klondike_papers::published::{PLAYERS, PlayerName};
use klondike_papers::simulate::{self, Experiment, Game, Outcome, Totals};
use klondike_play::interval::Interval;

/// Let a player play many deals and count its wins
///
/// Players with hidden cards see what a person at the table sees; `--list-players` names them all,
/// with their parameters. Examples: `klondike simulate --player kortsmit-greedy --rules kortsmit`,
/// `klondike simulate --compare yan,yan:level=1 --rules yan --output games.csv`. Ctrl-C ends when
/// the games in progress have ended, a second one at once, with exit status 130; with --output the
/// same command goes on from there.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Who plays: NAME or NAME:KEY=VALUE,...
    #[arg(long, value_name = "NAME")]
    player: Option<PlayerName>,

    /// Two players for the same deals, such as `random,kortsmit-greedy`
    #[arg(long, value_name = "A,B", conflicts_with = "player", value_parser = read_pair)]
    compare: Option<Pair>,

    /// List the players and their parameters
    #[arg(long)]
    list_players: bool,

    #[command(flatten)]
    games: GamesArgs,

    /// File for one line per game, CSV if its name ends in .csv, JSON lines otherwise; a run goes
    /// on from what is in it
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// End a game when it is proven that its cards cannot be won any more: the same games are won
    /// with the same moves; lost ones are shorter. Saves time with players that search; quick ones
    /// take longer, as the proof takes milliseconds a game
    #[arg(long)]
    stop_when_lost: bool,

    #[command(flatten)]
    rules: RulesArgs,
}

/// The usual scheme: the published players are measured on its deals.
const SCHEME: Scheme = Scheme::Solvitaire;

/// Two players.
#[derive(Clone, Debug)]
struct Pair(PlayerName, PlayerName);

/// Parts `A,B` at the comma after which the second name begins: parameters have commas too.
fn read_pair(text: &str) -> Result<Pair, String> {
    let first_error = || match text
        .split(',')
        .next()
        .unwrap_or_default()
        .parse::<PlayerName>()
    {
        Err(error) => error.to_string(),
        Ok(_) => "write two players with a comma between them, such as random,yan".to_owned(),
    };
    // What is wrong with the last player, where the first one is right.
    let mut second_error = None;
    let pair = text.match_indices(',').find_map(|(comma, _)| {
        let first: PlayerName = text[..comma].parse().ok()?;
        match text[comma + 1..].parse() {
            Ok(second) => Some(Pair(first, second)),
            Err(error) => {
                second_error = Some(error.to_string());
                None
            }
        }
    });
    pair.ok_or_else(|| second_error.unwrap_or_else(first_error))
}

/// The first line of a file of games: what its run is. Another run must not go on in it.
#[derive(Serialize)]
struct HeaderJson<'a> {
    kind: &'static str,
    version: u32,
    /// The version of this program: another one's players may have other defaults.
    program: &'static str,
    rules: &'a Rules,
    information: &'static str,
    players: Vec<String>,
    player_seed: u64,
    scheme: &'static str,
    first: String,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    stop_when_lost: bool,
}

/// What the games gave so far.
struct Results {
    totals: Vec<Totals>,
    pairs: Pairs,
    deals: u64,
}

impl Results {
    fn add(&mut self, games: &[Game]) {
        let players = self.totals.len();
        for deal in games.chunks_exact(players) {
            self.deals += 1;
            for (totals, game) in self.totals.iter_mut().zip(deal) {
                totals.add(game);
            }
            if let [first, second] = deal {
                let won = |game: &Game| game.result == Outcome::Won;
                self.pairs.add(won(first), won(second));
            }
        }
    }

    /// The running result, for the progress bar.
    fn message(&self, confidence: f64) -> String {
        if self.totals.len() == 2 {
            let difference = 100.0 * self.pairs.difference();
            let interval = self.pairs.interval(confidence);
            let (low, high) = (100.0 * interval.low, 100.0 * interval.high);
            return format!("(difference {difference:+.2} %, {low:+.2} to {high:+.2})");
        }
        self.totals.first().map_or_else(String::new, |totals| {
            let interval = Interval::wilson(totals.wins, totals.games, confidence);
            let (low, high) = (100.0 * interval.low, 100.0 * interval.high);
            let share = 100.0 * totals.wins as f64 / totals.games as f64;
            format!("(won {share:.2} %, {low:.2} to {high:.2})")
        })
    }
}

impl Args {
    pub(super) fn run(&self, output: &mut Output) -> Result<Status, CliError> {
        if self.list_players {
            return list(output);
        }
        if self.players().is_empty() {
            return Err(CliError::usage(
                "who plays? --player NAME, or --compare A,B; --list-players lists the names",
            ));
        }
        let rules = self.rules.rules()?;
        let deals = self.games.deals(SCHEME)?;
        let experiment = Experiment {
            information: self.games.information(&rules),
            rules,
            deals,
            players: self.players(),
            seed: self.games.player_seed,
            stop_when_lost: self.stop_when_lost,
        };
        let mut results = Results {
            totals: vec![Totals::default(); experiment.players.len()],
            pairs: Pairs::default(),
            deals: 0,
        };
        let mut file = match &self.output {
            Some(path) => Some(GamesFile::open(
                path,
                &self.header(&experiment),
                &self.games.first.from,
                &mut results,
            )?),
            None => None,
        };
        if results.deals > self.games.games {
            return Err(CliError::usage(format!(
                "the file of games holds {} deals already; give --games {0} or more, or another \
                file",
                results.deals
            )));
        }
        let stop = stop_on_interrupt()?;
        let threads = self.games.threads();
        let bar = Progress::new(Some(self.games.games), results.deals);
        let first = results.deals;
        simulate::run(&experiment, first, threads, &stop, |games, count| {
            results.add(&games);
            if let Some(file) = &mut file {
                file.append(&games)?;
            }
            bar.say(results.message(self.games.confidence));
            bar.add(count);
            Ok::<(), CliError>(())
        })?;
        drop(bar);
        if let Some(file) = &mut file {
            file.finish()?;
        }
        self.print(&experiment, &results, output)?;
        if results.deals == self.games.games {
            return Ok(Status::Answered);
        }
        let what = format!(" after {} deals", grouped(results.deals));
        output.interrupted(&what, self.output.as_deref(), "--output FILE")
    }

    fn players(&self) -> Vec<PlayerName> {
        match &self.compare {
            Some(Pair(first, second)) => vec![first.clone(), second.clone()],
            None => self.player.iter().cloned().collect(),
        }
    }

    fn header(&self, experiment: &Experiment) -> String {
        let header = HeaderJson {
            kind: "simulate-games",
            version: 1,
            program: env!("CARGO_PKG_VERSION"),
            rules: &experiment.rules,
            information: experiment.information.name(),
            players: experiment
                .players
                .iter()
                .map(PlayerName::to_string)
                .collect(),
            player_seed: self.games.player_seed,
            scheme: self.games.scheme(SCHEME).name(),
            first: self.games.first.from.to_string(),
            stop_when_lost: self.stop_when_lost,
        };
        serde_json::to_string(&header).expect("a plain object")
    }

    fn print(
        &self,
        experiment: &Experiment,
        results: &Results,
        output: &mut Output,
    ) -> Result<(), CliError> {
        let complete = results.deals == self.games.games;
        for (player, totals) in experiment.players.iter().zip(&results.totals) {
            let report = self.player(experiment, player, totals, complete);
            output.answer(Envelope::of_rules(&experiment.rules, report), text)?;
        }
        let [first, second] = &experiment.players[..] else {
            return Ok(());
        };
        let pairs = results.pairs;
        let report = SimulateComparisonAnswer {
            players: [first.to_string(), second.to_string()],
            complete,
            both: pairs.both,
            only_first: pairs.only_first,
            only_second: pairs.only_second,
            neither: pairs.neither,
            difference: pairs.difference(),
            confidence: self.games.confidence,
            interval: pairs.interval(self.games.confidence),
            mcnemar_p: pairs.mcnemar(),
        };
        output.answer(Envelope::of_rules(&experiment.rules, report), compare_text)
    }

    fn player(
        &self,
        experiment: &Experiment,
        player: &PlayerName,
        totals: &Totals,
        complete: bool,
    ) -> SimulateAnswer {
        let Totals { games, wins, .. } = *totals;
        let lost = games - wins;
        SimulateAnswer {
            player: player.to_string(),
            information: experiment.information.name(),
            player_seed: self.games.player_seed,
            scheme: self.games.scheme(SCHEME).name(),
            first: self.games.first.from.to_string(),
            games,
            stop_when_lost: self.stop_when_lost,
            complete,
            wins,
            share: mean(wins, games),
            confidence: self.games.confidence,
            wilson: Interval::wilson(wins, games, self.games.confidence),
            clopper_pearson: Interval::clopper_pearson(wins, games, self.games.confidence),
            stale: totals.stale,
            moves_per_game: mean(totals.moves, games),
            decisions_per_game: mean(totals.decisions, games),
            planner_calls_per_game: mean(totals.planner_calls, games),
            seconds_per_game: totals.seconds / games.max(1) as f64,
            longest_seconds: totals.longest,
            card_moves_per_won_game: mean(totals.won_card_moves.sum, wins),
            lost: LostGames {
                card_moves: mean(totals.lost_card_moves.sum, lost),
                foundation: mean(totals.lost_foundation.sum, lost),
                face_down: mean(totals.lost_face_down.sum, lost),
                talon: mean(totals.lost_talon.sum, lost),
            },
        }
    }
}

/// A mean; 0 of nothing.
fn mean(sum: u64, count: u64) -> f64 {
    if count == 0 {
        0.0
    } else {
        sum as f64 / count as f64
    }
}

fn list(output: &mut Output) -> Result<Status, CliError> {
    for entry in PLAYERS {
        let (name, description) = (entry.name, entry.help);
        if output.json() {
            output.envelope(&Envelope::of_nothing(PlayerAnswer { name, description }))?;
        } else {
            output.text(&format!("{name:<18} {description}\n"))?;
        }
    }
    Ok(Status::Answered)
}

fn text(report: &SimulateAnswer) -> String {
    let percent = |interval: Interval| {
        format!(
            "{:.2} % to {:.2} %",
            100.0 * interval.low,
            100.0 * interval.high
        )
    };
    let level = 100.0 * report.confidence;
    let mut text = format!(
        "{}: {} of {} games won, {:.2} % ({level} % Wilson {}, Clopper-Pearson {})\n",
        report.player,
        grouped(report.wins),
        grouped(report.games),
        100.0 * report.share,
        percent(report.wilson),
        percent(report.clopper_pearson),
    );
    let _ = writeln!(
        text,
        "  per game: {:.1} moves, {:.1} decisions, {:.1} planner calls, {}; longest {}",
        report.moves_per_game,
        report.decisions_per_game,
        report.planner_calls_per_game,
        time(report.seconds_per_game),
        time(report.longest_seconds),
    );
    let _ = writeln!(
        text,
        "  card moves of won games {:.2}, of lost ones {:.2}; lost with {:.2} cards on the \
         foundations, {:.2} face down, {:.2} in the talon",
        report.card_moves_per_won_game,
        report.lost.card_moves,
        report.lost.foundation,
        report.lost.face_down,
        report.lost.talon,
    );
    if report.stale > 0 {
        let _ = writeln!(
            text,
            "  {} games went round in circles",
            grouped(report.stale)
        );
    }
    if report.stop_when_lost {
        text.push_str(
            "  games ended when they were proven lost, so lost ones are shorter than they would \
            be\n",
        );
    }
    text
}

/// A time in a unit that suits it.
fn time(seconds: f64) -> String {
    if seconds >= 1.0 {
        format!("{seconds:.2} s")
    } else if seconds >= 1e-3 {
        format!("{:.2} ms", 1e3 * seconds)
    } else {
        format!("{:.2} µs", 1e6 * seconds)
    }
}

fn compare_text(report: &SimulateComparisonAnswer) -> String {
    format!(
        "{} less {}: {:+.2} % ({} % Agresti-Min {:+.2} % to {:+.2} %), McNemar p = {:.3e}\n  \
         won by both {}, only by the first {}, only by the second {}, by neither {}\n",
        report.players[1],
        report.players[0],
        100.0 * report.difference,
        100.0 * report.confidence,
        100.0 * report.interval.low,
        100.0 * report.interval.high,
        report.mcnemar_p,
        grouped(report.both),
        grouped(report.only_first),
        grouped(report.only_second),
        grouped(report.neither),
    )
}
