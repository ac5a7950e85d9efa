//! The papers' figures beside ours: which games stand for which published figure, and whether the
//! two agree.
//!
//! Figures, their places in the papers and the players that stand for theirs are data
//! (`datasets/published/play.toml`). Here they are read and compared with what
//! [`crate::estimate::simulate`] counted; nothing here plays.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::deal::seed::{DealRange, Scheme, Seed, SeedError};
use crate::estimate::interval::Interval;
use crate::estimate::simulate::{Experiment as Games, Totals};
use crate::play::Information;
use crate::play::roster::PlayerName;
use crate::rules::{Rules, Spaces};

const PLAY: &str = include_str!("../datasets/published/play.toml");

/// A table of a paper, or several that belong together.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Experiment {
    /// The name by which it is asked for.
    pub id: String,
    /// What it is about.
    pub title: String,
    /// The paper.
    pub source: String,
}

/// What is counted in games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// Share of the games that are won, in percent.
    #[default]
    Share,
    /// Mean number of card moves of won games.
    WonMoves,
    /// Mean number of card moves of lost games.
    LostMoves,
    /// Mean number of cards on the foundations at the end of lost games.
    LostFoundation,
    /// Mean number of face-down cards at the end of lost games.
    LostFaceDown,
    /// Mean number of talon cards at the end of lost games.
    LostTalon,
}

/// A published figure and the games that stand for it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figure {
    experiment: String,
    /// What it is the figure of.
    pub what: String,
    /// Page, section or table of the paper.
    pub place: String,
    /// The player here.
    pub player: String,
    rules: String,
    draw: Option<u8>,
    spaces: Option<String>,
    /// What is counted.
    #[serde(default)]
    pub measure: Measure,
    /// The published figure.
    pub published: f64,
    /// Half of its 95 % interval, where it is known.
    pub half: Option<f64>,
    /// The paper's seconds per game.
    pub seconds: Option<f64>,
    /// Games played unless told otherwise.
    pub games: u64,
    /// Why the figures differ if they do, as far as we know.
    pub why: Option<String>,
}

/// A published figure beside ours.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Row<'a> {
    /// What it is the figure of.
    pub what: &'a str,
    /// Where the paper has it.
    pub place: &'a str,
    /// The player here.
    pub player: &'a str,
    /// What is counted.
    pub measure: Measure,
    /// The published figure.
    pub published: f64,
    /// Half of its 95 % interval, where it is known.
    pub published_half: Option<f64>,
    /// Our figure, in the same unit; none without games of the kind.
    pub ours: Option<f64>,
    /// Its Wilson interval, for shares.
    pub interval: Option<Interval>,
    /// Whether the intervals meet; unknown for means, which have none here.
    pub agree: Option<bool>,
    /// Games played.
    pub games: u64,
    /// Seconds per game.
    pub seconds: f64,
    /// The paper's seconds per game.
    pub published_seconds: Option<f64>,
    /// How many times as fast a game is here.
    pub times_faster: Option<f64>,
    /// Why they differ, if they do.
    pub why: Option<&'a str>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    experiment: Vec<Experiment>,
    figure: Vec<Figure>,
}

fn file() -> File {
    toml::from_str(PLAY).expect("tested below")
}

/// All experiments, in order.
#[must_use]
pub fn experiments() -> Vec<Experiment> {
    file().experiment
}

/// The figures of the experiment of this name, in the order of the paper; none if there is no such
/// experiment.
#[must_use]
pub fn figures(experiment: &str) -> Vec<Figure> {
    let mut figures = file().figure;
    figures.retain(|figure| figure.experiment == experiment);
    figures
}

impl Figure {
    /// Whether the same games stand for both figures.
    #[must_use]
    pub fn has_same_games(&self, other: &Figure) -> bool {
        (&self.player, &self.rules, self.draw, &self.spaces)
            == (&other.player, &other.rules, other.draw, &other.spaces)
    }

    /// The games that stand for it: the first `count` deals of Solvitaire's seeds from 1.
    ///
    /// # Errors
    /// If there are not so many seeds.
    pub fn to_play(&self, count: u64, seed: u64) -> Result<Games, SeedError> {
        let rules = self.rules();
        Ok(Games {
            information: Information::usual(&rules),
            rules,
            deals: DealRange::from_first(Scheme::Solvitaire, &Seed::from(1_u64), count)?,
            players: vec![self.player.parse::<PlayerName>().expect("tested below")],
            seed,
        })
    }

    fn rules(&self) -> Arc<Rules> {
        let named = Rules::named(&self.rules).expect("tested below");
        let mut builder = named.to_builder();
        if let Some(draw) = self.draw {
            builder = builder.draw_count(draw);
        }
        if let Some(spaces) = &self.spaces {
            builder = builder.spaces(spaces.parse::<Spaces>().expect("tested below"));
        }
        Arc::new(builder.build().expect("tested below"))
    }

    /// The figure beside that of these games, with an interval of this confidence.
    #[must_use]
    pub fn compare(&self, totals: &Totals, confidence: f64) -> Row<'_> {
        let (won, lost) = (totals.wins, totals.games - totals.wins);
        let mean = |sum: u64, count: u64| (count > 0).then(|| sum as f64 / count as f64);
        let ours = match self.measure {
            Measure::Share => mean(100 * won, totals.games),
            Measure::WonMoves => mean(totals.won_card_moves, won),
            Measure::LostMoves => mean(totals.lost_card_moves, lost),
            Measure::LostFoundation => mean(totals.lost_foundation, lost),
            Measure::LostFaceDown => mean(totals.lost_face_down, lost),
            Measure::LostTalon => mean(totals.lost_talon, lost),
        };
        let interval = (self.measure == Measure::Share && totals.games > 0).then(|| {
            let share = Interval::wilson(won, totals.games, confidence);
            Interval {
                low: 100.0 * share.low,
                high: 100.0 * share.high,
            }
        });
        let half = self.half.unwrap_or(0.0);
        let agree = interval.map(|interval| {
            interval.low <= self.published + half && self.published - half <= interval.high
        });
        let seconds = mean(0, totals.games).map_or(0.0, |_| totals.seconds / totals.games as f64);
        Row {
            what: &self.what,
            place: &self.place,
            player: &self.player,
            measure: self.measure,
            published: self.published,
            published_half: self.half,
            ours,
            interval,
            agree,
            games: totals.games,
            seconds,
            published_seconds: self.seconds,
            times_faster: (self.seconds.filter(|_| seconds > 0.0)).map(|theirs| theirs / seconds),
            why: self.why.as_deref().filter(|_| agree != Some(true)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_figure_belongs_to_an_experiment_and_can_be_played() {
        let experiments = experiments();
        let mut count = 0;
        for experiment in &experiments {
            let figures = figures(&experiment.id);
            assert!(!figures.is_empty(), "{}", experiment.id);
            count += figures.len();
            for figure in figures {
                let games = figure.to_play(1, 1).unwrap();
                assert_eq!(games.players[0].to_string(), figure.player);
                assert!(!figure.place.is_empty() && figure.published > 0.0 && figure.games > 0);
            }
        }
        assert_eq!(count, file().figure.len(), "figures of no experiment");
        assert!(figures("nobody").is_empty());
    }

    #[test]
    fn figures_agree_when_their_intervals_meet() {
        let figure = &figures("kortsmit")[0];
        assert_eq!(figure.published, 10.41);
        let totals = |wins| Totals {
            games: 1000,
            wins,
            ..Totals::default()
        };
        assert_eq!(figure.compare(&totals(104), 0.95).agree, Some(true));
        let row = figure.compare(&totals(150), 0.95);
        assert_eq!(row.agree, Some(false));
        assert_eq!(row.ours, Some(15.0));
        let interval = row.interval.unwrap();
        assert!(interval.low < 15.0 && 15.0 < interval.high);
        assert_eq!(figure.compare(&Totals::default(), 0.95).ours, None);
    }
}
