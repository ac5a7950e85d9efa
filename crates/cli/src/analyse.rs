//! `klondike analyse`: what the moves of a position, and those of a game that was played, are
//! worth.

use std::fmt::Write as _;
use std::iter;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::deal_source::{DealName, DealSource, Source, Sources};
use crate::limit_args::{LimitArgs, stop_on_interrupt};
use crate::numbers::Places;
use crate::output::Output;
use crate::play::saved_game;
use crate::progress::Progress;
use crate::rules_args::RulesArgs;
use crate::values::{read_notation, whole};
use crate::{About, CliError, Status};
use klondike_batch::interval::Interval;
use klondike_contract::{
    AnalyseAnswer, Critical, Envelope, JudgedGame, JudgedMove, LostShare as Share, NumberedMove,
    PlayedMove, VerdictName, Walked,
};
use klondike_engine::prove::Verdict;
use klondike_engine::prove::analyse::Loss;
use klondike_engine::search::Limits;
use klondike_engine::search::idle_threads::IdleThreads;
use klondike_game::deal::format::Format;
use klondike_game::table::notation::Notation;
use klondike_game::table::saved::SavedGame;
use klondike_game::table::start::Start;
use klondike_game::table::{Move, Table};
use klondike_lab::analysis::{self, AnalysisError, LostShare, NewLimits, after};
use klondike_lab::lost::Reached;

/// Say for every legal move whether the deal can still be won after it
///
/// Also which moves of a solution are critical, that is the only ones that win, and which move lost
/// a game that was played.
///
/// Examples: `klondike analyse klondike:1`, `klondike analyse --critical --draw 1 klondike:1`,
/// `klondike analyse --game moves.txt solvitaire:3`, `klondike analyse --game saved-game.txt`.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(flatten)]
    source: DealSource,

    /// Find the critical moves of a solution
    ///
    /// A move is critical if the game can be won after it, and after no other that the next move
    /// could not take back.
    #[arg(long)]
    critical: bool,

    /// A game from this deal, as moves or a file of moves: find the move that lost it
    ///
    /// A game that `klondike play --save` keeps names its deal and its rules itself.
    #[arg(long, value_name = "MOVES")]
    game: Option<String>,

    /// Say what share of the reachable positions is lost
    ///
    /// All positions are counted if they are at most a million, or `--max-states`; else random
    /// walks are made, and the positions on them decided (see docs/analyse.md).
    #[arg(long)]
    lost_share: bool,

    /// Random walks for `--lost-share` where the positions are too many to be counted
    #[arg(
        long,
        value_name = "N",
        default_value_t = 100,
        value_parser = whole::<u32>(1..=1_000_000),
        requires = "lost_share",
    )]
    walks: u32,

    /// Seed of the random walks
    #[arg(
        long,
        value_name = "SEED",
        value_parser = whole::<u64>(..),
        default_value_t = 1,
        requires = "lost_share"
    )]
    walk_seed: u64,

    /// The notation of moves: klondike, minimal, klondike-solver or lonelybot
    #[arg(long, value_name = "NAME", value_parser = read_notation, default_value = "klondike")]
    notation: Notation,

    #[command(flatten)]
    limits: LimitArgs,

    #[command(flatten)]
    rules: RulesArgs,
}

impl Args {
    pub(super) fn run(&self, output: &mut Output) -> Result<Status, CliError> {
        let saved = self.saved_game()?;
        let rules = match &saved {
            Some((file, game)) => self.rules.of_saved(game.start().rules(), file)?,
            None => self.rules.rules()?,
        };
        let stop = stop_on_interrupt()?;
        let spare = Arc::new(IdleThreads::new(self.limits.threads() - 1));
        let (count, sources): (_, Sources<'_>) = match saved {
            Some((file, game)) => (Some(1), Box::new(iter::once(Ok(beginning(file, &game))))),
            None => (self.source.count(), self.source.open(&rules)?),
        };
        let progress = Progress::new(count, 0);
        let mut status = Status::Answered;
        let mut last = None;
        for source in sources {
            let one = || {
                let source = source?;
                let table = source.table(&rules)?;
                let whole = self.limits.start(1, &stop, &spare);
                // Every part has the memory and the states; they share the time.
                let limits = || Limits {
                    deadline: whole.deadline,
                    ..self.limits.start(1, &stop, &spare)
                };
                let analysis = self.analyse(&table, &source, &limits)?;
                Ok((source, analysis))
            };
            let analysed = one();
            if stop.load(Ordering::Relaxed) {
                output.flush()?;
                eprintln!(
                    "klondike: interrupted; {}",
                    self.source.go_on_after(last.as_ref())
                );
                return Ok(Status::Interrupted);
            }
            progress.answered(
                analysed
                    .as_ref()
                    .is_ok_and(|(_, found)| is_undecided(found)),
            );
            last = DealName::of(&analysed, |(source, _)| source);
            let analysed = progress.aside(|| output.unless_bad(analysed, &mut status))?;
            let Some((source, analysis)) = analysed else {
                continue;
            };
            if is_undecided(&analysis) {
                status = status.max(Status::Undecided);
            }
            progress.aside(|| {
                if output.json() {
                    output.envelope(&Envelope::of_deal(&source.label, &rules, analysis))
                } else {
                    output.text(&in_words(&source.label, &analysis))
                }
            })?;
            output.flush()?;
        }
        Ok(status)
    }

    /// The file of `--game`, if it is a saved game and no deal is named beside it.
    fn saved_game(&self) -> Result<Option<(&Path, SavedGame)>, CliError> {
        let file = self.game.as_ref().filter(|_| self.source.is_empty());
        let file = file.map(Path::new);
        let game = file.map(saved_game).transpose()?.flatten();
        Ok(file.zip(game))
    }

    fn analyse(
        &self,
        table: &Table,
        source: &Source,
        limits: NewLimits<'_>,
    ) -> Result<AnalyseAnswer, CliError> {
        let analysis = found(analysis::analyse(table, self.critical, limits), source)?;
        let critical = match (&analysis.verdict, &analysis.critical) {
            (Verdict::Winnable(solution), Some(critical)) => {
                let moves = solution.moves();
                let numbered = critical.moves.iter();
                let numbered = numbered.map(|&at| self.numbered(table, moves, at));
                Some(Critical {
                    solution_moves: moves.len(),
                    moves: numbered.collect::<Result<_, _>>().of_deal(source)?,
                    undecided: critical.undecided,
                })
            }
            _ => None,
        };
        let game = self
            .game
            .as_ref()
            .map(|game| self.judge(table, game, limits).of_deal(source));
        let lost_share = self.lost_share.then(|| {
            let share = analysis::lost_share(table, self.walks, self.walk_seed, limits);
            found(share, source).map(|share| self.share(share))
        });
        let choices = &analysis.choices;
        let moves = choices.iter().map(|choice| {
            Ok(JudgedMove {
                text: self.write(table, choice.made)?,
                made: played(table, choice.made)?,
                verdict: (&choice.verdict).into(),
            })
        });
        let moves: Vec<_> = moves.collect::<Result<_, String>>().of_deal(source)?;
        let count = |verdict| moves.iter().filter(|one| one.verdict == verdict).count();
        Ok(AnalyseAnswer {
            verdict: (&analysis.verdict).into(),
            winning_moves: count(VerdictName::Winnable),
            undecided_moves: count(VerdictName::Undecided),
            moves,
            critical,
            game: game.transpose()?,
            lost_share: lost_share.transpose()?,
        })
    }

    fn share(&self, share: LostShare) -> Share {
        match share {
            LostShare::Counted(Reached { positions, lost }) => Share::Counted {
                positions,
                lost,
                share: lost as f64 / positions as f64,
            },
            LostShare::Walked(limit, walked) => {
                let after = walked.into_iter().map(|at| Walked {
                    moves: at.moves,
                    winnable: at.winnable,
                    lost: at.lost,
                    undecided: at.undecided,
                    interval: Interval::both_ways(
                        Interval::wilson,
                        at.lost,
                        at.undecided,
                        u64::from(self.walks),
                        0.95,
                    ),
                });
                Share::Walked {
                    limit: limit.into(),
                    walks: self.walks,
                    seed: self.walk_seed,
                    after: after.collect(),
                }
            }
        }
    }

    /// Says which move lost a game, and what would have kept it.
    fn judge(
        &self,
        start: &Table,
        game: &str,
        limits: NewLimits<'_>,
    ) -> Result<JudgedGame, String> {
        let text = if Path::new(game).exists() {
            std::fs::read_to_string(game).map_err(|error| format!("cannot read {game}: {error}"))?
        } else {
            game.to_owned()
        };
        let moves = self
            .moves(start, &text)
            .map_err(|error| format!("the game: {error}"))?;
        let judged = analysis::judge(start, &moves, limits).map_err(|error| error.to_string())?;
        let lost_by = match judged.loss {
            Loss::At(number) => Some(self.numbered(start, &moves, number)?),
            _ => None,
        };
        let instead = judged.instead.into_iter();
        Ok(JudgedGame {
            outcome: judged.loss.name(),
            lost_by,
            instead: instead
                .map(|made| self.write(&judged.before, made))
                .collect::<Result<_, _>>()?,
            verdicts: Vec::new(),
        })
    }

    /// The moves of a game, alone or in the text of a saved game.
    fn moves(&self, start: &Table, text: &str) -> Result<Vec<Move>, String> {
        if !SavedGame::looks_like(text) {
            let moves = self.notation.read(start, text);
            return moves.map_err(|error| error.to_string());
        }
        let game = SavedGame::read(text).map_err(|error| error.to_string())?;
        match game.start() == start {
            true => Ok(game.moves().to_vec()),
            false => Err("it begins with another deal or has other rules".to_owned()),
        }
    }

    fn write(&self, table: &Table, made: Move) -> Result<String, String> {
        let written = self.notation.write(table, &[made]);
        written.map_err(|error| error.to_string())
    }

    /// A move of a game, by its number from 0.
    fn numbered(
        &self,
        start: &Table,
        moves: &[Move],
        number: usize,
    ) -> Result<NumberedMove, String> {
        let before = after(start, &moves[..number]).map_err(|error| error.to_string())?;
        Ok(NumberedMove {
            number: number + 1,
            text: self.write(&before, moves[number])?,
            made: played(&before, moves[number])?,
        })
    }
}

/// What was found out; what the rules have no answer to is no fault of the deal.
fn found<T>(found: Result<T, AnalysisError>, source: &Source) -> Result<T, CliError> {
    match found {
        Err(error @ (AnalysisError::Critical(_) | AnalysisError::Lost(_))) => {
            Err(CliError::usage(error))
        }
        found => found.of_deal(source),
    }
}

/// Where a saved game begins.
fn beginning(file: &Path, game: &SavedGame) -> Source {
    let deal = game.deal().map(ToString::to_string);
    Source {
        label: deal.unwrap_or_else(|| file.display().to_string()),
        line: None,
        format: Format::Klondike,
        argument: file.display().to_string(),
        start: Start::Position(Box::new(game.start().clone())),
    }
}

/// A move described.
fn played(before: &Table, made: Move) -> Result<PlayedMove, String> {
    PlayedMove::make(&mut before.clone(), made).map_err(|error| error.to_string())
}

fn is_undecided(analysis: &AnalyseAnswer) -> bool {
    analysis.verdict == VerdictName::Undecided
        || analysis.undecided_moves > 0
        || (analysis.critical.as_ref()).is_some_and(|critical| critical.undecided > 0)
        || analysis
            .game
            .as_ref()
            .is_some_and(|game| game.outcome == "undecided")
        || matches!(&analysis.lost_share, Some(Share::Walked { after, .. })
            if after.iter().any(|at| at.undecided > 0))
}

fn in_words(label: &str, analysis: &AnalyseAnswer) -> String {
    let AnalyseAnswer {
        verdict,
        winning_moves,
        undecided_moves,
        ..
    } = analysis;
    let all = analysis.moves.len();
    let mut text = format!("{label}: {verdict}, ");
    let _ = match undecided_moves {
        0 => writeln!(text, "{winning_moves} of {all} moves keep it winnable"),
        _ => writeln!(
            text,
            "at least {winning_moves} of {all} moves keep it winnable, {undecided_moves} \
                undecided"
        ),
    };
    for one in &analysis.moves {
        let _ = writeln!(text, "  {:<10} {}", one.text, one.verdict);
    }
    if let Some(critical) = &analysis.critical {
        let (found, all) = (critical.moves.len(), critical.solution_moves);
        let (least, open) = match critical.undecided {
            0 => ("", String::new()),
            open => ("at least ", format!(", {open} undecided")),
        };
        let _ = write!(
            text,
            "  {least}{found} critical among the {all} moves of a solution{open}"
        );
        for (place, one) in critical.moves.iter().enumerate() {
            let gap = if place == 0 { ": " } else { ", " };
            let _ = write!(text, "{gap}{}. {}", one.number, one.text);
        }
        text.push('\n');
    }
    if let Some(game) = &analysis.game {
        let _ = writeln!(text, "  the game: {}", game_in_words(game));
    }
    if let Some(share) = &analysis.lost_share {
        push_share(&mut text, share);
    }
    text
}

fn game_in_words(game: &JudgedGame) -> String {
    match (game.outcome, &game.lost_by) {
        ("lost", Some(by)) => format!(
            "lost by move {}, {}; still won by {}",
            by.number,
            by.text,
            game.instead.join(" ")
        ),
        ("lost-before", _) => "lost before its first move".to_owned(),
        ("winnable", _) => "can still be won".to_owned(),
        _ => "undecided within the limits".to_owned(),
    }
}

fn push_share(text: &mut String, share: &Share) {
    match share {
        Share::Counted {
            positions,
            lost,
            share,
        } => {
            let share = 100.0 * share;
            let _ = writeln!(
                text,
                "  {lost} of the {positions} positions that can be reached are lost \
                    ({share:.2} %)"
            );
        }
        Share::Walked { walks, after, .. } => {
            let _ = writeln!(
                text,
                "  too many positions to count; lost after random moves, of {walks} walks:"
            );
            for at in after {
                let _ = writeln!(
                    text,
                    "    {:>2} moves: {} lost, {} undecided ({})",
                    at.moves,
                    at.lost,
                    at.undecided,
                    Places::of_share(at.interval).percent_range(at.interval)
                );
            }
        }
    }
}
