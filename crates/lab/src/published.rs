//! Published shares of winnable deals, for comparison: `datasets/published/winnability.toml`.

use serde::Deserialize;
use serde_json::Value;

use klondike_batch::interval::Interval;
use klondike_contract::runs::Published;
use klondike_game::rules::Rules;

const FIGURES: &str = include_str!("../../../datasets/published/winnability.toml");

#[derive(Deserialize)]
struct File {
    source: Vec<Source>,
    figure: Vec<Figure>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Source {
    id: String,
    name: String,
    text: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Figure {
    source: String,
    place: Option<String>,
    draw: u64,
    #[serde(default = "yes")]
    worrying_back: bool,
    spaces: Option<String>,
    /// Percent of all deals that can be won.
    share: Option<f64>,
    /// Percent of the winnable deals that need worrying back.
    needs: Option<f64>,
    half: f64,
    deals: Option<u64>,
}

fn yes() -> bool {
    true
}

fn file() -> File {
    toml::from_str(FIGURES).expect("tested below")
}

impl Figure {
    /// Whether the figure is about these rules, given as JSON.
    fn is_about(&self, rules: &Value) -> bool {
        *rules
            == serde_json::json!({
                "suits": 4,
                "ranks": 13,
                "piles": [1, 2, 3, 4, 5, 6, 7],
                "draw": self.draw,
                "redeals": "unlimited",
                "worrying_back": self.worrying_back,
                "runs": "partial",
                "spaces": self.spaces.as_deref().unwrap_or("kings"),
            })
    }

    fn rules(&self) -> Rules {
        let draw = u8::try_from(self.draw).expect("tested below");
        let mut rules = Rules::standard()
            .to_builder()
            .draw_count(draw)
            .worrying_back(self.worrying_back);
        if let Some(spaces) = &self.spaces {
            rules = rules.spaces(spaces.parse().expect("tested below"));
        }
        rules.build().expect("tested below")
    }

    fn published(&self, percent: f64, sources: &[Source]) -> Published {
        let source = sources.iter().find(|source| source.id == self.source);
        let source = source.expect("tested below");
        let (name, text) = (source.name.clone(), &source.text);
        let source = match &self.place {
            Some(place) => format!("{text}, {place}"),
            None => text.clone(),
        };
        Published {
            name,
            source,
            share: percent / 100.0,
            interval: Interval {
                low: (percent - self.half) / 100.0,
                high: (percent + self.half) / 100.0,
            },
            deals: self.deals,
        }
    }
}

/// A published share of deals, and the rules it is of.
#[derive(Clone, Debug, PartialEq)]
pub struct Entry {
    /// A word for the source.
    pub id: String,
    /// The figure.
    pub published: Published,
    /// Where in the source it stands, if there are several places.
    pub place: Option<String>,
    /// Whether it is of the winnable deals those that need worrying back, and not of all deals the
    /// winnable ones.
    pub needs: bool,
    /// The rules.
    pub rules: Rules,
}

/// All published figures, in the order of the file.
#[must_use]
pub fn all() -> Vec<Entry> {
    let file = file();
    let entry = |figure: &Figure| {
        let percent = figure.share.or(figure.needs).expect("tested below");
        Entry {
            id: figure.source.clone(),
            published: figure.published(percent, &file.source),
            place: figure.place.clone(),
            needs: figure.needs.is_some(),
            rules: figure.rules(),
        }
    };
    file.figure.iter().map(entry).collect()
}

/// Published shares of winnable deals under `rules`, given as JSON; the first is the one to show
/// if there is room for one.
#[must_use]
pub fn winnable(rules: &Value) -> Vec<Published> {
    let file = file();
    let about = file.figure.iter().filter(|figure| figure.is_about(rules));
    about
        .filter_map(|figure| Some(figure.published(figure.share?, &file.source)))
        .collect()
}

/// Published shares, of the deals winnable under `rules`, of those that need worrying back.
#[must_use]
pub fn needs_worrying_back(rules: &Value) -> Option<Published> {
    let file = file();
    let mut about = file.figure.iter().filter(|figure| figure.is_about(rules));
    about.find_map(|figure| Some(figure.published(figure.needs?, &file.source)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_figure_is_one() {
        let file = file();
        for figure in &file.figure {
            assert!(file.source.iter().any(|source| source.id == figure.source));
            assert_ne!(figure.share.is_some(), figure.needs.is_some());
            let percent = figure.share.or(figure.needs).unwrap();
            assert!(figure.half > 0.0 && figure.half < percent && percent < 100.0);
            assert!((1..=13).contains(&figure.draw));
            assert!(figure.is_about(&serde_json::to_value(figure.rules()).unwrap()));
        }
    }

    #[test]
    fn figures_are_found_by_the_rules() {
        let json = |rules: Rules| serde_json::to_value(rules).unwrap();
        let standard = winnable(&json(Rules::standard()));
        let shares: Vec<f64> = standard.iter().map(|figure| figure.share).collect();
        let expected = [0.819_45, 0.819_42, 0.819_5];
        let close = |(a, b): (&f64, f64)| (a - b).abs() < 1e-9;
        assert!(shares.len() == 3 && shares.iter().zip(expected).all(close));
        assert_eq!(standard[2].deals, Some(5_910_579));
        assert!(standard[0].source.ends_with("JAIR 85:21 (2026), Table 3"));
        for draw in 1..=13 {
            let rules = Rules::standard_draw(draw).unwrap();
            let with = winnable(&json(rules.clone()));
            let needs = needs_worrying_back(&json(rules.clone())).unwrap();
            let without = rules.to_builder().worrying_back(false).build().unwrap();
            let without = winnable(&json(without));
            // The three columns of the table fit each other.
            let rest = with[0].share * (1.0 - needs.share);
            assert!((rest - without[0].share).abs() < 1e-3, "draw {draw}");
        }
        assert!(winnable(&json(Rules::named("vegas3").unwrap())).is_empty());
        assert!(winnable(&json(Rules::named("yan").unwrap())).is_empty());
    }
}
