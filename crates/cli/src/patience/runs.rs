//! `klondike patience mcts`: many games by the tree search.

use super::args::{PlayerArgs, RunArgs, status};
use super::game;
use crate::numbers::{Places, grouped, or_nothing};
use crate::output::Output;
use crate::{CliError, Status};
use klondike_contract::patience::{End, Played};
use klondike_contract::{Envelope, Mean, PatienceMctsAnswer, PatienceSweepAnswer};
use klondike_lab::text;
use klondike_patience::mcts::{SearchSize, TreePolicy};
use klondike_patience::picture;
use klondike_patience::player::Settings;
use klondike_patience::statistics::{Tally, Task};

#[derive(Debug, clap::Args)]
pub(super) struct MctsArgs {
    /// A shipped game or a file
    #[arg(value_name = "GAME")]
    game: String,

    #[command(flatten)]
    runs: RunArgs,

    /// Print every game, not the sums
    #[arg(long)]
    each: bool,

    /// Show the moves of every game
    #[arg(long, conflicts_with_all = ["each", "csv"])]
    moves: bool,

    #[command(flatten)]
    player: PlayerArgs,
}

/// Whether all games of the task were played.
pub(super) fn is_complete(task: &Task, tally: &Tally) -> bool {
    tally.games == task.deals.end - task.deals.start
}

/// How a player did.
pub(super) fn answer(task: &Task, tally: &Tally, confidence: f64) -> PatienceSweepAnswer {
    let Settings {
        search,
        total_moves,
        loops,
        unknown,
        stacks,
    } = task.settings;
    let (tree, exploration) = match search.tree {
        TreePolicy::Greedy => ("greedy", None),
        TreePolicy::Uct(constant) => ("uct", Some(constant)),
    };
    let [_, no_move, only_loops, loop_limit, move_limit] = tally.ends;
    PatienceSweepAnswer {
        game: task.game.name().to_owned(),
        searches: search.searches,
        playouts: search.playouts,
        depth: search.depth,
        total_moves,
        loops,
        unknown: unknown.to_string(),
        stacks: stacks.to_string(),
        tree,
        exploration,
        seed: task.seed,
        first: task.deals.start,
        games: tally.games,
        complete: is_complete(task, tally),
        won: tally.won(),
        share: tally.share(),
        confidence,
        wilson: tally.wilson(confidence),
        clopper_pearson: tally.clopper_pearson(confidence),
        score: tally.mean_score(confidence),
        won_moves: tally.mean_won_moves(confidence),
        no_move,
        only_loops,
        loop_limit,
        move_limit,
        seconds_per_game: tally.seconds_per_game(),
    }
}

/// The names of the columns.
pub(super) const NAMES: &str = "game,searches,playouts,depth,total_moves,loops,unknown,stacks,\
    tree,exploration,seed,first,games,won,share,wilson_low,wilson_high,score,score_low,score_high,\
    score_deviation,won_moves,no_move,only_loops,loop_limit,move_limit,seconds_per_game";

/// A row of CSV, under [`NAMES`].
pub(super) fn csv(run: &PatienceSweepAnswer) -> String {
    let cell = |number: Option<f64>| number.map_or_else(String::new, |one| one.to_string());
    let mean = |mean: Option<Mean>, part: fn(Mean) -> Option<f64>| cell(mean.and_then(part));
    let cells: [String; 27] = [
        quoted(&run.game),
        run.searches.to_string(),
        run.playouts.to_string(),
        run.depth.to_string(),
        run.total_moves.to_string(),
        run.loops.to_string(),
        run.unknown.clone(),
        run.stacks.clone(),
        run.tree.to_owned(),
        cell(run.exploration),
        run.seed.to_string(),
        run.first.to_string(),
        run.games.to_string(),
        run.won.to_string(),
        cell(run.share),
        run.wilson.low.to_string(),
        run.wilson.high.to_string(),
        mean(run.score, |m| Some(m.mean)),
        mean(run.score, |m| Some(m.interval?.low)),
        mean(run.score, |m| Some(m.interval?.high)),
        mean(run.score, |m| Some(m.deviation)),
        mean(run.won_moves, |m| Some(m.mean)),
        run.no_move.to_string(),
        run.only_loops.to_string(),
        run.loop_limit.to_string(),
        run.move_limit.to_string(),
        cell(run.seconds_per_game),
    ];
    cells.join(",")
}

/// A cell of comma-separated values: in quotes where it has to be.
pub(super) fn quoted(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}

/// `41.2 (40.1 to 42.3)`.
pub(super) fn mean_text(mean: Option<Mean>) -> String {
    or_nothing(mean, |mean| text::mean_with_interval(&mean))
}

/// Seconds for a game.
pub(super) fn seconds_text(seconds: Option<f64>) -> String {
    or_nothing(seconds, |seconds| format!("{seconds:.4}"))
}

/// The settings in words.
fn settings_text(settings: &Settings) -> String {
    let SearchSize {
        searches,
        playouts,
        depth,
        tree,
    } = settings.search;
    let tree = match tree {
        TreePolicy::Greedy => "greedy tree".to_owned(),
        TreePolicy::Uct(constant) => format!("UCT with {constant}"),
    };
    format!(
        "{searches} searches, {playouts} playouts, depth {depth}, at most {} moves, {} loops, \
         unknown cards: {}, stacks: {}, {tree}",
        settings.total_moves, settings.loops, settings.unknown, settings.stacks
    )
}

impl MctsArgs {
    pub(super) fn run(&self, output: &mut Output) -> Result<Status, CliError> {
        self.runs.check(output)?;
        let task = Task {
            game: game(&self.game)?,
            settings: self.player.settings()?,
            deals: self.runs.from..self.runs.from + self.runs.games,
            seed: self.player.seed(),
        };
        if self.moves {
            return self.show_moves(&task, output);
        }
        let mut games = Vec::new();
        let complete = self.runs.play(std::slice::from_ref(&task), |_, played| {
            games.extend_from_slice(played);
            Ok(())
        })?;
        if self.each {
            self.show_each(&games, output)?;
        } else {
            self.show_sums(&task, &games, output)?;
        }
        status(complete, output)
    }

    /// The moves of every game, one after the other.
    fn show_moves(&self, task: &Task, output: &mut Output) -> Result<Status, CliError> {
        if output.json() {
            return Err(CliError::usage("--moves is for people and knows no --json"));
        }
        let style = output.style();
        for deal in task.deals.clone() {
            let mut text = format!("deal {deal}\n");
            let outcome = task.play(deal, |position, made| {
                text.push_str(&picture::describe(position, made, style));
                text.push('\n');
            });
            output.text(&format!(
                "{text}{}: {} cards on the foundations after {} moves\n\n",
                outcome.end.words(),
                outcome.score,
                outcome.moves
            ))?;
        }
        Ok(Status::Answered)
    }

    fn show_each(&self, games: &[Played], output: &mut Output) -> Result<(), CliError> {
        if self.runs.csv {
            output.text("deal,end,score,moves,seconds\n")?;
        }
        for played in games {
            let Played { deal, outcome, .. } = played;
            let (score, moves) = (outcome.score, outcome.moves);
            if output.json() {
                output.envelope(&Envelope::of_nothing(PatienceMctsAnswer::Game(*played)))?;
            } else if self.runs.csv {
                let end = outcome.end.name();
                output.text(&format!(
                    "{deal},{end},{score},{moves},{}\n",
                    played.seconds
                ))?;
            } else {
                let end = outcome.end.words();
                output.text(&format!(
                    "deal {deal}: {end}, score {score}, {moves} moves\n"
                ))?;
            }
        }
        Ok(())
    }

    fn show_sums(
        &self,
        task: &Task,
        games: &[Played],
        output: &mut Output,
    ) -> Result<(), CliError> {
        let tally: Tally = games.iter().collect();
        let confidence = self.runs.confidence;
        let run = answer(task, &tally, confidence);
        if output.json() {
            output.envelope(&Envelope::of_nothing(PatienceMctsAnswer::Run(Box::new(
                run,
            ))))?;
            return Ok(());
        }
        if self.runs.csv {
            output.text(&format!("{}\n{}\n", NAMES, csv(&run)))?;
            return Ok(());
        }
        let level = text::level(confidence);
        let others = End::ALL.iter().zip(tally.ends).skip(1);
        let others: Vec<String> = others
            .filter(|&(_, count)| count > 0)
            .map(|(end, count)| format!("{} {}", end.words(), grouped(count)))
            .collect();
        let places = Places::of_share(run.wilson);
        output.text(&format!(
            "{}, deals {} to {}\n{}\nwon: {} of {} ({})\n  {level} % Wilson:          {}\n  \
             {level} % Clopper-Pearson: {}\nscore: {}\nmoves of won games: {}\nother ends: {}\n\
             {} s per game and thread\n",
            run.game,
            task.deals.start,
            task.deals.start + tally.games.max(1) - 1,
            settings_text(&task.settings),
            grouped(tally.won()),
            grouped(tally.games),
            places.percent(run.share),
            places.percent_range(run.wilson),
            places.percent_range(run.clopper_pearson),
            mean_text(run.score),
            mean_text(run.won_moves),
            if others.is_empty() {
                "none".to_owned()
            } else {
                others.join(", ")
            },
            seconds_text(run.seconds_per_game),
        ))?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_complete_when_all_its_games_are_played() {
        let run = Task {
            game: game("sir-tommy").unwrap(),
            settings: Settings::default(),
            deals: 1..3,
            seed: 1,
        };
        let games = [1, 2].map(|deal| Played {
            deal,
            outcome: run.play(deal, |_, _| ()),
            seconds: 0.0,
        });
        let complete = |games: &[Played]| answer(&run, &games.iter().collect(), 0.95).complete;
        assert!(!complete(&games[..1]) && complete(&games));
    }

    #[test]
    fn cells_are_quoted_where_they_have_to_be() {
        assert_eq!(quoted("plain"), "plain");
        assert_eq!(quoted("a,\"b\""), "\"a,\"\"b\"\"\"");
    }
}
