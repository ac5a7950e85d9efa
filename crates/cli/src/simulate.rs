//! `klondike simulate`: how often does a player win? The file of the games is in
//! `simulate/games_file.rs`, that of their moves in `simulate/trace.rs`.

mod games_file;
mod trace;

use std::fmt::Write as _;
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;

use serde::Serialize;

use crate::limit_args::stop_on_interrupt;
use crate::lines::short_time;
use crate::numbers::{Places, estimate, grouped, or_nothing, ratio};
use crate::output::Output;
use crate::progress::Progress;
use crate::range_args::GamesArgs;
use crate::rules_args::RulesArgs;
use crate::{CliError, Status, vegas};
use games_file::GamesFile;
use klondike_batch::interval::Interval;
use klondike_contract::players::LostGames;
use klondike_contract::runs::Difference;
use klondike_contract::{Envelope, Mean, PlayerAnswer, SimulateAnswer, SimulateComparisonAnswer};
use klondike_game::rules::Rules;
use klondike_lab::mean::Sums;
use klondike_lab::paired::Pairs;
use klondike_lab::text;
use klondike_papers::published::{PLAYERS, PlayerName};
use klondike_papers::simulate::{self, Experiment, GameResult, SimulatedGame, Totals};
use trace::TraceFile;

/// Let a player play many deals and count its wins
///
/// Players with hidden cards see what a person at the table sees; `--list-players` names them all,
/// with their parameters and the rules of their papers. Examples: `klondike simulate --player
/// kortsmit-greedy --rules kortsmit`, `klondike simulate --compare yan,yan:level=1 --rules yan
/// --output games.csv`. Ctrl-C ends when the games in progress have ended, a second one at once,
/// with exit status 130; with --output the same command goes on from there.
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
    ///
    /// Each line ends with a checksum of the head of the file and the line, so that a line that was
    /// changed is an error. Files of before the checksums cannot be gone on with.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,

    /// File for the moves of each game, a line of JSON each, with the number of cards on the
    /// foundations, face down and in the talon after every move
    ///
    /// An interrupted run writes the games so far; the same command begins again and replaces
    /// them. docs/json.md describes the lines (kind `simulate-trace`).
    #[arg(long, value_name = "FILE", conflicts_with = "output")]
    trace: Option<PathBuf>,

    /// With --trace: the whole position after every move as well
    #[arg(long, requires = "trace")]
    boards: bool,

    /// End a game when it is proven that its cards cannot be won any more: the same games are won
    /// with the same moves; lost ones are shorter. Saves time with players that search; quick ones
    /// take longer, as the proof takes milliseconds a game
    #[arg(long)]
    stop_when_lost: bool,

    #[command(flatten)]
    rules: RulesArgs,
}

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
    /// By how many cards more than the first player the second one gets up, and [`FEWER`].
    more_up: Sums,
    deals: u64,
}

/// More than any number of cards, so that differences are not below nothing.
const FEWER: u64 = 64;

impl Results {
    fn add(&mut self, games: &[SimulatedGame]) {
        let players = self.totals.len();
        for deal in games.chunks_exact(players) {
            self.deals += 1;
            for (totals, game) in self.totals.iter_mut().zip(deal) {
                totals.add(game);
            }
            if let [first, second] = deal {
                let won = |game: &SimulatedGame| game.result == GameResult::Won;
                self.pairs.add(won(first), won(second));
                let more = (second.foundation + FEWER).saturating_sub(first.foundation);
                self.more_up.add(more);
            }
        }
    }

    /// The running result, for the progress bar.
    fn message(&self, confidence: f64) -> String {
        if self.totals.len() == 2 {
            let difference = text::difference(&self.pairs.difference(confidence));
            return format!("(difference {difference})");
        }
        self.totals.first().map_or_else(String::new, |totals| {
            let interval = Interval::wilson(totals.wins, totals.games, confidence);
            let share = ratio(totals.wins, totals.games);
            format!("(won {})", estimate(share, interval))
        })
    }
}

impl Args {
    pub(super) fn run(&self, output: &mut Output) -> Result<Status, CliError> {
        if self.list_players {
            return list(output);
        }
        let experiment = self.experiment()?;
        self.games.first.check(&experiment.rules)?;
        let mut results = Results {
            totals: vec![Totals::default(); experiment.players.len()],
            pairs: Pairs::default(),
            more_up: Sums::default(),
            deals: 0,
        };
        let file = self.open(&experiment, &mut results)?;
        let trace = self.trace.as_deref();
        let trace = trace
            .map(|path| TraceFile::new(path, self.boards))
            .transpose()?;
        let stop = stop_on_interrupt()?;
        if !output.json() {
            // Before hours of games with the wrong rules.
            output.text(&self.about(&experiment))?;
        }
        self.play(&experiment, &mut results, (file, trace), &stop)?;
        self.print(&experiment, &results, output)?;
        if let Some(path) = &self.trace {
            output.wrote(path)?;
        }
        if results.deals == self.games.games {
            if let Some(path) = &self.output {
                output.wrote(path)?;
            }
            return Ok(Status::Answered);
        }
        let what = format!(" after {} deals", grouped(results.deals));
        match &self.trace {
            None => output.interrupted(&what, self.output.as_deref(), "--output FILE"),
            Some(trace) => output.ended_early(&format!(
                "{what}; {} holds their games; the same command begins again",
                trace.display()
            )),
        }
    }

    /// The file of the games, whose games are added to `results`.
    fn open(
        &self,
        experiment: &Experiment,
        results: &mut Results,
    ) -> Result<Option<GamesFile>, CliError> {
        let Some(path) = &self.output else {
            return Ok(None);
        };
        let file = GamesFile::open(
            path,
            &self.header(experiment),
            &self.games.first.from,
            &experiment.rules,
            results,
        )?;
        if results.deals > self.games.games {
            return Err(CliError::usage(format!(
                "the file of games holds {} deals already; give --games {0} or more, or another \
                file",
                results.deals
            )));
        }
        Ok(Some(file))
    }

    /// Plays what was not played before, and writes it to the files.
    fn play(
        &self,
        experiment: &Experiment,
        results: &mut Results,
        (mut file, mut trace): (Option<GamesFile>, Option<TraceFile>),
        stop: &AtomicBool,
    ) -> Result<(), CliError> {
        let first = results.deals;
        let bar = Progress::new(Some(self.games.games), first);
        simulate::run(
            experiment,
            first,
            self.games.threads(),
            stop,
            |games, count| {
                results.add(&games);
                if let Some(file) = &mut file {
                    file.append(&games)?;
                }
                if let Some(trace) = &mut trace {
                    trace.append(experiment, &games)?;
                }
                bar.say(results.message(self.games.confidence));
                bar.add(count);
                Ok::<(), CliError>(())
            },
        )?;
        drop(bar);
        if let Some(file) = &mut file {
            file.finish()?;
        }
        trace.map_or(Ok(()), TraceFile::finish)
    }

    fn experiment(&self) -> Result<Experiment, CliError> {
        let players = self.players();
        if players.is_empty() {
            return Err(CliError::usage(
                "who plays? --player NAME, or --compare A,B; --list-players lists the names",
            ));
        }
        let rules = self.rules.rules()?;
        Ok(Experiment {
            information: self.games.information(&rules),
            deals: self.games.deals()?,
            rules,
            players,
            seed: self.games.player_seed,
            stop_when_lost: self.stop_when_lost,
            keep_lines: self.trace.is_some(),
        })
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
            version: 2,
            program: env!("CARGO_PKG_VERSION"),
            rules: &experiment.rules,
            information: experiment.information.name(),
            players: experiment
                .players
                .iter()
                .map(PlayerName::to_string)
                .collect(),
            player_seed: self.games.player_seed,
            scheme: self.games.first.scheme.name(),
            first: self.games.first.from.to_string(),
            stop_when_lost: self.stop_when_lost,
        };
        serde_json::to_string(&header).expect("a plain object")
    }

    /// What was played, in words.
    fn about(&self, experiment: &Experiment) -> String {
        let games = self.games.about(experiment.information);
        let notes = notes(&experiment.players, &experiment.rules);
        format!("Rules: {}\n{games}{notes}", experiment.rules)
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
            output.answer(Envelope::of_rules(&experiment.rules, report), player_text)?;
        }
        let [first, second] = &experiment.players[..] else {
            return Ok(());
        };
        let pairs = results.pairs;
        let Difference {
            difference,
            interval,
        } = pairs.difference(self.games.confidence);
        let share = |only| ratio(pairs.both + only, pairs.count());
        let [first_share, second_share] = [pairs.only_first, pairs.only_second].map(share);
        let report = SimulateComparisonAnswer {
            players: [first.to_string(), second.to_string()],
            complete,
            both: pairs.both,
            only_first: pairs.only_first,
            only_second: pairs.only_second,
            neither: pairs.neither,
            shares: first_share.zip(second_share).map(|(a, b)| [a, b]),
            difference,
            confidence: self.games.confidence,
            interval,
            mcnemar_p: pairs.mcnemar(),
            vegas: self.vegas_difference(&experiment.rules, results),
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
            rule_set: player.plays_other_rules_than(&experiment.rules),
            information: experiment.information.name(),
            player_seed: self.games.player_seed,
            scheme: self.games.first.scheme.name(),
            first: self.games.first.from.to_string(),
            games,
            stop_when_lost: self.stop_when_lost,
            complete,
            wins,
            share: ratio(wins, games),
            confidence: self.games.confidence,
            wilson: Interval::wilson(wins, games, self.games.confidence),
            clopper_pearson: Interval::clopper_pearson(wins, games, self.games.confidence),
            stale: totals.stale,
            moves_per_game: ratio(totals.moves, games),
            decisions_per_game: ratio(totals.decisions, games),
            planner_calls_per_game: ratio(totals.planner_calls, games),
            seconds_per_game: (games > 0).then(|| totals.seconds / games as f64),
            longest_seconds: totals.longest,
            card_moves_per_won_game: ratio(totals.won_card_moves.sum, wins),
            lost: (lost > 0).then(|| {
                let mean = |sums: Sums| sums.sum as f64 / lost as f64;
                LostGames {
                    card_moves: mean(totals.lost_card_moves),
                    foundation: mean(totals.lost_foundation),
                    face_down: mean(totals.lost_face_down),
                    talon: mean(totals.lost_talon),
                }
            }),
            vegas: vegas::of_games(&experiment.rules, totals, self.games.confidence)
                .filter(|_| !self.stop_when_lost),
        }
    }
}

impl Args {
    /// Whether games have a worth in Vegas. One that ends because it is lost has more to put up.
    fn in_vegas(&self, rules: &Rules) -> bool {
        vegas::is_played(rules) && !self.stop_when_lost
    }

    /// What a game of the second player is worth more than the first player's.
    fn vegas_difference(&self, rules: &Rules, results: &Results) -> Option<Mean> {
        let cards = results.more_up.mean(results.deals, self.games.confidence)?;
        self.in_vegas(rules)
            .then(|| vegas::worth(&cards, 5.0 * FEWER as f64))
    }
}

fn list(output: &mut Output) -> Result<Status, CliError> {
    for entry in PLAYERS {
        let answer = PlayerAnswer {
            name: entry.name,
            description: entry.help,
            rule_set: entry.rules,
        };
        output.answer(Envelope::of_nothing(answer), |answer| {
            let rules = answer.rule_set.map_or_else(String::new, |rules| {
                format!("{:<18}   --rules {rules}\n", "")
            });
            format!("{:<18} {}\n{rules}", answer.name, answer.description)
        })?;
    }
    Ok(Status::Answered)
}

/// A line for each player whose paper has other rules than these.
pub(super) fn notes(players: &[PlayerName], rules: &Rules) -> String {
    let note = |player: &PlayerName| {
        let own = player.plays_other_rules_than(rules)?;
        Some(format!(
            "The paper of {player} has other rules: --rules {own}\n"
        ))
    };
    players.iter().filter_map(note).collect()
}

fn player_text(report: &SimulateAnswer) -> String {
    let level = text::level(report.confidence);
    let places = Places::of_share(report.wilson);
    let mean = |mean: Option<f64>| or_nothing(mean, |mean| format!("{mean:.1}"));
    let of_lost = |of: fn(&LostGames) -> f64| mean(report.lost.as_ref().map(of));
    let mut text = format!(
        "{}: {} of {} games won, {} ({level} % Wilson {}, Clopper-Pearson {})\n",
        report.player,
        grouped(report.wins),
        grouped(report.games),
        places.percent(report.share),
        places.percent_range(report.wilson),
        places.percent_range(report.clopper_pearson),
    );
    let _ = writeln!(
        text,
        "  per game: {} moves, {} decisions, {} planner calls, {}; longest {}",
        mean(report.moves_per_game),
        mean(report.decisions_per_game),
        mean(report.planner_calls_per_game),
        or_nothing(report.seconds_per_game, short_time),
        short_time(report.longest_seconds),
    );
    let _ = writeln!(
        text,
        "  per won game: {} card moves\n  per lost game: {} card moves; at the end {} cards on the \
         foundations, {} face down, {} in the talon",
        mean(report.card_moves_per_won_game),
        of_lost(|lost| lost.card_moves),
        of_lost(|lost| lost.foundation),
        of_lost(|lost| lost.face_down),
        of_lost(|lost| lost.talon),
    );
    if let Some(vegas) = report.vegas {
        let _ = writeln!(
            text,
            "  in Vegas: {} a game; {} of {} games are worth more than nothing",
            text::mean_with_interval(&vegas.per_game),
            grouped(vegas.ahead),
            grouped(report.games),
        );
    }
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

fn compare_text(report: &SimulateComparisonAnswer) -> String {
    let difference = text::difference(&Difference {
        difference: report.difference,
        interval: report.interval,
    });
    let vegas = report.vegas.as_ref().map_or_else(String::new, |worth| {
        let worth = text::mean_with_interval(worth);
        format!("  in Vegas: {worth} a game, deal by deal\n")
    });
    format!(
        "{} less {}: {difference} ({} % Agresti-Min), McNemar p = {:.3e}\n  \
         won by both {}, only by {} {}, only by {} {}, by neither {}\n\
         {vegas}",
        report.players[1],
        report.players[0],
        text::level(report.confidence),
        report.mcnemar_p,
        grouped(report.both),
        report.players[0],
        grouped(report.only_first),
        report.players[1],
        grouped(report.only_second),
        grouped(report.neither),
    )
}
