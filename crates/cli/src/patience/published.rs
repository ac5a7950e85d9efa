//! `klondike patience published`: the thesis' figures beside ours.
//!
//! The figures, their pages and how they are read stand in `datasets/published/brewis.toml`.

use serde::Deserialize;

use super::args::{PlayerArgs, RunArgs, status};
use super::game;
use super::runs::{is_complete, quoted, seconds_text};
use crate::numbers::{Places, grouped, or_nothing};
use crate::output::Output;
use crate::{CliError, Status};
use klondike_contract::patience::Measure;
use klondike_contract::{Envelope, PatiencePublishedAnswer};
use klondike_patience::player::Settings;
use klondike_patience::statistics::{Tally, Task};

#[derive(Debug, clap::Args)]
pub(super) struct PublishedArgs {
    #[command(flatten)]
    runs: RunArgs,

    #[command(flatten)]
    player: PlayerArgs,
}

#[derive(Deserialize)]
struct File {
    figure: Vec<Figure>,
}

#[derive(Deserialize)]
struct Figure {
    id: String,
    game: String,
    measure: Measure,
    low: f64,
    high: f64,
    page: String,
}

const FIGURES: &str = include_str!("../../../../datasets/published/brewis.toml");

fn figures() -> Vec<Figure> {
    let file: File = toml::from_str(FIGURES).expect("tested below");
    file.figure
}

impl PublishedArgs {
    pub(super) fn run(&self, output: &mut Output) -> Result<Status, CliError> {
        self.runs.check(output)?;
        let figures = figures();
        let mut tasks: Vec<Task> = Vec::new();
        for figure in &figures {
            if tasks.iter().all(|task| task.game.name() != figure.game) {
                tasks.push(Task {
                    game: game(&figure.game)?,
                    settings: self.player.settings()?,
                    deals: self.runs.from..self.runs.from + self.runs.games,
                    seed: self.player.seed(),
                });
            }
        }
        if !output.json() && !self.runs.csv {
            let Settings {
                search, unknown, ..
            } = self.player.settings()?;
            output.text(&format!(
                "{} searches of {} random games, cards not seen: {unknown}; the thesis' figures \
                are of --unknown peek\n\n",
                search.searches, search.playouts
            ))?;
        }
        let mut tallies: Vec<(Task, Tally)> = Vec::new();
        let complete = self.runs.play(&tasks, |task, games| {
            tallies.push((task.clone(), games.iter().collect()));
            Ok(())
        })?;
        if self.runs.csv {
            output.text(
                "id,game,measure,page,published_low,published_high,ours,low,high,agree,games,\
                 seconds_per_game\n",
            )?;
        }
        for figure in &figures {
            let tally = tallies
                .iter()
                .find(|(task, _)| task.game.name() == figure.game);
            let Some((task, tally)) = tally else {
                continue; // interrupted before
            };
            let row = figure.row(task, tally, self.runs.confidence);
            output.answer(Envelope::of_nothing(row), |row| match self.runs.csv {
                true => csv_line(row),
                false => text_line(row),
            })?;
        }
        status(complete, output)
    }
}

fn agreement(row: &PatiencePublishedAnswer) -> &'static str {
    match row.agree {
        None => "no data",
        Some(true) => "agree",
        Some(false) => "differ",
    }
}

fn csv_line(row: &PatiencePublishedAnswer) -> String {
    let cell = |value: Option<f64>| value.map_or_else(String::new, |v| v.to_string());
    format!(
        "{},{},{},{},{},{},{},{},{},{},{},{}\n",
        row.id,
        row.game,
        row.measure.name(),
        quoted(&row.page),
        row.published_low,
        row.published_high,
        cell(row.ours),
        cell(row.interval.map(|interval| interval.low)),
        cell(row.interval.map(|interval| interval.high)),
        agreement(row),
        row.games,
        cell(row.seconds_per_game)
    )
}

fn text_line(row: &PatiencePublishedAnswer) -> String {
    // Published figures keep the place that they were printed with.
    let number = |value: f64| match row.measure {
        Measure::Share => format!("{:.1} %", 100.0 * value),
        _ => format!("{value:.1}"),
    };
    let published = if row.published_low == row.published_high {
        number(row.published_low)
    } else {
        let [low, high] = [row.published_low, row.published_high].map(number);
        format!("{low} to {high}")
    };
    let is_share = row.measure == Measure::Share;
    let ours = or_nothing(row.ours, |ours| match row.interval {
        Some(interval) if is_share => Places::of_share(interval).percent(ours),
        Some(interval) => Places::of(interval).number(ours),
        None => number(ours),
    });
    let interval = row
        .interval
        .map_or_else(String::new, |interval| match is_share {
            true => Places::of_share(interval).percent_range(interval),
            false => Places::of(interval).range(interval),
        });
    format!(
        "{:<22} p. {:<7} published {:<17} ours {:<8} {:<20} {:<7} {} games, {} s per game\n",
        row.id,
        row.page,
        published,
        ours,
        interval,
        agreement(row),
        grouped(row.games),
        seconds_text(row.seconds_per_game)
    )
}

impl Figure {
    fn row(&self, task: &Task, tally: &Tally, confidence: f64) -> PatiencePublishedAnswer {
        let Settings {
            search, unknown, ..
        } = task.settings;
        let (ours, interval) = match self.measure {
            _ if tally.games == 0 => (None, None),
            Measure::Share => (tally.share(), Some(tally.clopper_pearson(confidence))),
            Measure::Score => {
                let mean = tally.mean_score(confidence);
                (mean.map(|m| m.mean), mean.and_then(|m| m.interval))
            }
            // No interval is given: that of a deviation needs more than its normal form.
            Measure::Deviation => (tally.mean_score(confidence).map(|m| m.deviation), None),
            Measure::Moves => {
                let mean = tally.mean_won_moves(confidence);
                (mean.map(|m| m.mean), mean.and_then(|m| m.interval))
            }
        };
        let agree = match (ours, interval) {
            (None, _) => None,
            (Some(_), Some(ours)) => Some(ours.low <= self.high && self.low <= ours.high),
            // A mean of one value excludes nothing.
            (Some(_), None) if self.measure != Measure::Deviation => None,
            (Some(ours), None) => Some((self.low..=self.high).contains(&ours)),
        };
        PatiencePublishedAnswer {
            id: self.id.clone(),
            game: self.game.clone(),
            measure: self.measure,
            page: self.page.clone(),
            published_low: self.low,
            published_high: self.high,
            ours,
            interval,
            agree,
            games: tally.games,
            complete: is_complete(task, tally),
            searches: search.searches,
            playouts: search.playouts,
            unknown: unknown.to_string(),
            seed: task.seed,
            first: task.deals.start,
            seconds_per_game: tally.seconds_per_game(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_figures_are_read_and_name_shipped_games() {
        let figures = figures();
        assert!(figures.len() >= 8);
        for figure in figures {
            assert!(
                klondike_patience::shipped(&figure.game).is_some(),
                "{}",
                figure.id
            );
            assert!(figure.low <= figure.high && !figure.page.is_empty());
        }
    }
}
