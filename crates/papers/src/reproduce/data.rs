//! The published figures, read from their files.

use serde::Deserialize;

use super::{Experiment, Figure, Measure};
use klondike_game::rules::Spaces;
use klondike_lab::published;

const FILES: [&str; 5] = [
    include_str!("../../../../datasets/published/play.toml"),
    include_str!("../../../../datasets/published/kortsmit.toml"),
    include_str!("../../../../datasets/published/milas.toml"),
    include_str!("../../../../datasets/published/bjarnason.toml"),
    include_str!("../../../../datasets/published/counts.toml"),
];

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct File {
    #[serde(default)]
    experiment: Vec<Experiment>,
    #[serde(default)]
    pub(super) figure: Vec<Figure>,
}

pub(super) fn file() -> File {
    let mut all = File {
        experiment: Vec::new(),
        figure: Vec::new(),
    };
    for text in FILES {
        let file: File = toml::from_str(text).expect("tested below");
        all.experiment.extend(file.experiment);
        all.figure.extend(file.figure);
    }
    all.figure.extend(winnability());
    all
}

/// Games for a share of winnable deals: ± 1.5 points or less.
const DECIDED: u64 = 4300;

/// Deals of which so many can be won that the share of these which needs worrying back is known to
/// ± 1.5 points or less, with two fifths to spare; `needs` and `winnable` are the published shares.
fn deals_for_needs(needs: f64, winnable: f64) -> u64 {
    const WON: f64 = (1.96 / 0.015) * (1.96 / 0.015);
    let deals = 1.4 * WON * needs * (1.0 - needs) / winnable;
    DECIDED.max(1000 * (deals / 1000.0).ceil() as u64)
}

/// The shares of winnable deals, which have a file of their own, as figures of the experiments
/// `winnability` and `blake-gent-4`.
fn winnability() -> Vec<Figure> {
    let mut figures = Vec::new();
    let entries = published::all();
    for entry in &entries {
        let games = if entry.needs {
            let whole = entries
                .iter()
                .find(|whole| !whole.needs && whole.rules == entry.rules);
            let winnable = whole.map_or(1.0, |whole| whole.published.share);
            deals_for_needs(entry.published.share, winnable)
        } else {
            DECIDED
        };
        let rules = &entry.rules;
        let (draw, back) = (rules.draw_count() as u8, rules.worrying_back());
        let (measure, series) = match (entry.needs, back) {
            (true, _) => (Measure::NeedsWorryingBack, "worrying back needed, of these"),
            (false, true) => (Measure::Winnable, "winnable"),
            (false, false) => (Measure::WinnableStrict, "without worrying back"),
        };
        let figure = Figure {
            experiment: "winnability".to_owned(),
            what: format!("draw {draw}, {series} ({})", entry.id),
            place: entry.place.clone().unwrap_or_default(),
            player: None,
            rules: None,
            draw: Some(draw),
            spaces: None,
            worrying_back: None,
            piles: None,
            suits: None,
            ranks: None,
            measure,
            from: None,
            to: None,
            x: Some(f64::from(draw)),
            series: Some(series.to_owned()),
            published: Some(100.0 * entry.published.share),
            half: Some(50.0 * (entry.published.interval.high - entry.published.interval.low)),
            exact: None,
            seconds: None,
            games,
            why: None,
            reading: None,
        };
        let spaces = rules.spaces();
        if entry.id == "blake-gent" && draw == 3 && back && !entry.needs {
            figures.push(Figure {
                experiment: "blake-gent-4".to_owned(),
                what: format!("empty piles take {spaces}"),
                place: "Table 4".to_owned(),
                spaces: Some(spaces.to_string()),
                x: None,
                series: None,
                ..figure.clone()
            });
        }
        if spaces == Spaces::Kings {
            figures.push(figure);
        }
    }
    figures
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
