//! The papers' figures beside ours: what stands for each published figure, and whether the two
//! agree.
//!
//! Figures, their places in the papers and the players that stand for theirs are data
//! (`datasets/published/*.toml`). Here they are read, and compared with what their [`sample`]s
//! gave: games of a player ([`crate::simulate`]), decided or refuted deals, or an exact
//! count.

mod data;
mod measure;
pub mod sample;
pub mod vary;

use std::sync::Arc;

use serde::Deserialize;

use crate::simulate::Totals;
use klondike_batch::interval::Interval;
use klondike_contract::ReproduceAnswer;
use klondike_contract::players::Measure;
use klondike_game::rules::{Deck, Layout, Rules, Spaces};
use klondike_lab::count::{self, Deuce};
use klondike_lab::mean::Sums;
use klondike_lab::plots::chart::{Chart, Curve, Point};

pub use data::{experiments, figures};
use sample::{Job, Sample, Tally};

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
    /// What the horizontal axis of its plot shows, if it is one of curves.
    pub axis: Option<String>,
    /// What the figures are, on the other axis.
    pub value: Option<String>,
}

/// A published figure and what stands for it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Figure {
    experiment: String,
    /// What it is the figure of.
    pub what: String,
    /// Page, section or table of the paper.
    pub place: String,
    /// The player here, if it is about games.
    pub player: Option<String>,
    rules: Option<String>,
    draw: Option<u8>,
    spaces: Option<String>,
    worrying_back: Option<bool>,
    piles: Option<String>,
    suits: Option<u8>,
    ranks: Option<u8>,
    /// What is counted.
    #[serde(default)]
    pub measure: Measure,
    from: Option<u64>,
    to: Option<u64>,
    /// Place on the horizontal axis of the experiment's plot.
    pub x: Option<f64>,
    /// Name of the curve it is a point of.
    pub series: Option<String>,
    /// The published figure; none where the paper has a plot without numbers.
    pub published: Option<f64>,
    /// Half of its 95 % interval, where it is known.
    pub half: Option<f64>,
    /// The published count, if it is exact.
    pub exact: Option<String>,
    /// The paper's seconds per game.
    pub seconds: Option<f64>,
    /// Games to play, if no other number is given; 0 for an exact count.
    pub games: u64,
    /// Why the figures differ if they do, as far as we know.
    pub why: Option<String>,
    /// What the paper leaves open, and why it is read so here.
    pub reading: Option<String>,
}

/// Our side of a figure.
enum Ours {
    /// So many hits and undecided ones of so many.
    Ratio(u64, u64, u64),
    /// The mean of so many.
    Mean(Sums, u64),
    /// So much for each of so many.
    Rate(f64, u64),
    /// An exact number, in digits.
    Exact(f64, String),
}

impl Figure {
    /// What is played or looked at for it; `None` if it is counted exactly, without deals.
    #[must_use]
    pub fn sample(&self, seed: u64) -> Option<Sample> {
        if measure::is_exact(self.measure) {
            return None;
        }
        let mut job = match (measure::job(self.measure), &self.player) {
            (Some(job), _) => job,
            (None, Some(player)) => Job::Games(player.parse().expect("tested below")),
            (None, None) => return None,
        };
        // The same deals stand for the columns with and without worrying back.
        if job == (Job::Decide { strict: false }) && self.series.is_some() {
            job = Job::Decide { strict: true };
        }
        Some(Sample {
            job,
            rules: self.rules(),
            seed,
        })
    }

    /// The name of the rule set, if one is given.
    #[cfg(test)]
    pub(crate) fn rule_set(&self) -> Option<&str> {
        self.rules.as_deref()
    }

    fn rules(&self) -> Arc<Rules> {
        let named = self.rules.as_deref().unwrap_or("standard");
        let named = Rules::named(named).expect("tested below");
        let mut builder = named.to_builder();
        if self.suits.is_some() || self.ranks.is_some() {
            let deck = Deck::new(self.suits.unwrap_or(4), self.ranks.unwrap_or(13));
            builder = builder.deck(deck.expect("tested below"));
        }
        if let Some(piles) = &self.piles {
            builder = builder.layout(piles.parse::<Layout>().expect("tested below"));
        }
        if let Some(draw) = self.draw {
            builder = builder.draw_count(draw);
        }
        if let Some(spaces) = &self.spaces {
            builder = builder.spaces(spaces.parse::<Spaces>().expect("tested below"));
        }
        if let Some(allowed) = self.worrying_back {
            builder = builder.worrying_back(allowed);
        }
        Arc::new(builder.build().expect("tested below"))
    }

    /// Number of games whose number of something is within `from..=to`.
    fn within(&self, counts: &std::collections::BTreeMap<u64, u64>) -> u64 {
        let range = self.from.unwrap_or(0)..=self.to.unwrap_or(u64::MAX);
        counts.range(range).map(|(_, count)| count).sum()
    }

    fn ours(&self, tally: &Tally) -> Ours {
        use Measure as M;
        let (totals, counts) = (&tally.games, &tally.counts);
        let Totals { games, wins, .. } = *totals;
        let lost = games - wins;
        let percent =
            |share: &count::Share| Ours::Exact(100.0 * share.to_f64(), share.count().to_string());
        match self.measure {
            M::Share => Ours::Ratio(wins, 0, games),
            M::WonMoves => Ours::Mean(totals.won_card_moves, wins),
            M::WonRounds => Ours::Mean(totals.won_moves, wins),
            M::LostMoves => Ours::Mean(totals.lost_card_moves, lost),
            M::LostFoundation => Ours::Mean(totals.lost_foundation, lost),
            M::LostFaceDown => Ours::Mean(totals.lost_face_down, lost),
            M::LostTalon => Ours::Mean(totals.lost_talon, lost),
            M::Foundation => Ours::Ratio(self.within(&totals.foundations), 0, games),
            M::WonBetween => Ours::Ratio(self.within(&totals.won_lengths), 0, games),
            M::LongWins => Ours::Ratio(self.within(&totals.won_lengths), 0, wins),
            M::LongGames => {
                let long = self.within(&totals.won_lengths) + self.within(&totals.lost_lengths);
                Ours::Ratio(long, 0, games)
            }
            M::WinsPerMillion => {
                // A game that ends early goes on the same until then.
                let limit = self.to.unwrap_or(u64::MAX);
                let within = |(&length, &count): (&u64, &u64)| length.min(limit) * count;
                let moves: u64 = totals.won_lengths.iter().map(within).sum::<u64>()
                    + totals.lost_lengths.iter().map(within).sum::<u64>();
                Ours::Rate(1e6 * self.within(&totals.won_lengths) as f64, moves)
            }
            M::Winnable => Ours::Ratio(counts.winnable, counts.undecided, counts.deals),
            M::WinnableStrict => Ours::Ratio(
                counts.strict_winnable,
                counts.strict_undecided,
                counts.deals,
            ),
            M::NeedsWorryingBack => {
                let of = counts.winnable + counts.undecided;
                Ours::Ratio(counts.needed, counts.needed_undecided, of)
            }
            M::Refuted => Ours::Ratio(counts.refuted, 0, counts.deals),
            M::RefutedLost => {
                let open = counts.undecided;
                Ours::Ratio(counts.lost_refuted, open, counts.deals - counts.winnable)
            }
            M::Locked => Ours::Ratio(counts.locked, 0, counts.deals),
            M::Capped => Ours::Ratio(counts.capped, 0, counts.deals),
            M::Unplayable => percent(&count::unplayable(&self.rules())),
            M::OneMoveTableau => percent(&count::one_move(&self.rules(), Deuce::MayFollow).tableau),
            M::OneMoveTalon => percent(&count::one_move(&self.rules(), Deuce::MayFollow).talon),
            M::Blocked => match count::blocked(&self.rules()) {
                Ok(share) => {
                    let deck = self.rules().deck();
                    percent(&share.of_deals(deck).unwrap_or(share))
                }
                Err(_) => Ours::Rate(0.0, 0),
            },
            M::Orders => {
                let cards = self.from.unwrap_or(24) as usize;
                match count::draws(cards, self.rules().draw_count()) {
                    Ok(orders) => {
                        let text = orders.to_string();
                        Ours::Exact(text.parse().unwrap_or(f64::NAN), text)
                    }
                    Err(_) => Ours::Rate(0.0, 0),
                }
            }
        }
    }

    /// The figure beside that of these games, with an interval of this confidence.
    #[must_use]
    pub fn compare(&self, tally: &Tally, confidence: f64) -> ReproduceAnswer {
        let (mut undecided, mut count) = (0, None);
        let half = self.half.unwrap_or(0.0);
        let (ours, interval) = match self.ours(tally) {
            Ours::Ratio(_, _, 0) | Ours::Rate(_, 0) => (None, None),
            Ours::Rate(sum, of) => (Some(sum / of as f64), None),
            Ours::Mean(sums, of) => {
                let mean = sums.mean(of, confidence);
                let interval = mean.and_then(|mean| mean.interval);
                (mean.map(|mean| mean.mean), interval)
            }
            Ours::Ratio(hits, open, of) => {
                undecided = open;
                let share = Interval::both_ways(Interval::wilson, hits, open, of, confidence);
                let interval = Interval {
                    low: 100.0 * share.low,
                    high: 100.0 * share.high,
                };
                let settled = (of > open).then(|| 100.0 * hits as f64 / (of - open) as f64);
                (settled, Some(interval))
            }
            Ours::Exact(value, digits) => {
                count = Some(digits);
                (Some(value), None)
            }
        };
        let agree = match (&self.exact, &count, interval, self.published, ours) {
            (Some(published), Some(ours), ..) => Some(published == ours),
            (None, Some(_), _, Some(published), Some(ours)) => {
                Some((ours - published).abs() <= half)
            }
            (_, _, Some(interval), Some(published), _) => {
                Some(interval.low <= published + half && published - half <= interval.high)
            }
            _ => None,
        };
        let games = tally.deals();
        let seconds = (games > 0).then(|| tally.seconds() / games as f64);
        let times_faster = self.seconds.zip(seconds.filter(|&ours| ours > 0.0));
        ReproduceAnswer {
            experiment: self.experiment.clone(),
            confidence,
            what: self.what.clone(),
            place: self.place.clone(),
            player: self.player.clone().unwrap_or_default(),
            measure: self.measure,
            published: self.published,
            published_half: self.half,
            ours,
            interval,
            published_count: self.exact.clone(),
            count,
            agree,
            games,
            undecided,
            seconds,
            published_seconds: self.seconds,
            times_faster: times_faster.map(|(theirs, ours)| theirs / ours),
            why: self.why.clone().filter(|_| agree != Some(true)),
            reading: self.reading.clone(),
        }
    }
}

impl Experiment {
    /// Its plot: curves if it has an axis, otherwise a row for every share.
    #[must_use]
    pub fn chart(&self, figures: &[Figure], rows: &[ReproduceAnswer]) -> Chart {
        let value = self.value.clone().unwrap_or_else(|| "%".to_owned());
        let mut curves: Vec<Curve> = Vec::new();
        for (figure, row) in figures.iter().zip(rows) {
            let name = match (&self.axis, figure.x) {
                (Some(_), Some(_)) => figure.series.clone().unwrap_or_default(),
                (None, _) if figure.measure.is_share() => figure.what.clone(),
                _ => continue,
            };
            let x = figure.x.unwrap_or(0.0);
            let known = curves.iter().position(|curve| curve.name == name);
            let at = known.filter(|_| self.axis.is_some()).unwrap_or_else(|| {
                curves.push(Curve {
                    name,
                    ..Curve::default()
                });
                curves.len() - 1
            });
            // Several papers may have a figure for the same games.
            let known = self.axis.is_some() && curves[at].ours.iter().any(|point| point.x == x);
            curves[at]
                .ours
                .extend(row.ours.filter(|_| !known).map(|y| Point {
                    x,
                    y,
                    interval: row.interval,
                }));
            curves[at].published.extend(row.published.map(|y| Point {
                x,
                y,
                interval: row.published_half.map(|half| Interval {
                    low: y - half,
                    high: y + half,
                }),
            }));
        }
        match &self.axis {
            Some(axis) => Chart::Curves {
                axes: (axis.clone(), value),
                curves,
            },
            None => Chart::Rows {
                axis: value,
                rows: curves,
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

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
                let sample = figure.sample(1);
                assert_eq!(
                    sample.is_none(),
                    measure::is_exact(figure.measure),
                    "{}",
                    figure.what
                );
                assert_eq!(sample.is_none(), figure.games == 0, "{}", figure.what);
                if let Some(sample) = sample {
                    let player = sample.player().map(ToString::to_string);
                    assert_eq!(player, figure.player, "{}", figure.what);
                }
                assert!(!figure.place.is_empty(), "{}", figure.what);
                assert!(figure.published.is_none_or(|published| published > 0.0));
                assert!(
                    experiment.axis.is_none()
                        || figure.x.is_some()
                        || figure.measure != Measure::Share
                );
            }
        }
        assert_eq!(count, data::file().figure.len(), "figures of no experiment");
        assert!(figures("nobody").is_empty());
    }

    /// Every number of cards belongs to one group of each player, and stands at its place in the
    /// picture.
    #[test]
    fn groups_of_cards_on_the_foundations_hold_every_number_once() {
        for (experiment, players) in [("donkersteeg-foundations", 3), ("kortsmit-foundations", 3)] {
            let mut next: BTreeMap<Option<String>, u64> = BTreeMap::new();
            for figure in figures(experiment) {
                assert_eq!(figure.measure, Measure::Foundation);
                let (from, to) = (figure.from.unwrap(), figure.to.unwrap());
                assert_eq!(figure.x, Some(from as f64), "{}", figure.what);
                let next = next.entry(figure.player.clone()).or_default();
                assert_eq!(*next, from, "{}", figure.what);
                *next = to + 1;
            }
            assert_eq!(next.len(), players);
            assert!(next.values().all(|&next| next == 53), "{next:?}");
        }
    }

    /// Limits of games stand at their place in the picture.
    #[test]
    fn limits_of_milas_stand_where_they_are() {
        for figure in figures("milas-efficiency") {
            assert_eq!(figure.measure, Measure::WinsPerMillion);
            assert_eq!(figure.x, figure.to.map(|to| to as f64), "{}", figure.what);
            assert!(figure.series.is_some(), "{}", figure.what);
        }
    }

    /// Formula 3.1.2.1 of the thesis: the cards of each of the piles are in order.
    #[test]
    fn figures_of_the_formula_are_those_of_the_formula() {
        for figure in figures("kortsmit-formula") {
            let heights = figure.rules().layout().heights().to_vec();
            let factorial = |n: u8| (1..=u64::from(n)).product::<u64>();
            let product: u64 = heights.into_iter().map(factorial).product();
            let published = figure.published.unwrap();
            assert!(
                (published - 100.0 / product as f64).abs() < 1e-3,
                "{}",
                figure.what
            );
            assert_eq!(figure.rules().talon_len(), 0);
        }
    }

    /// `52 - talon` cards in piles of 1, 2, 3, …, the last with what is left.
    #[test]
    fn talons_have_the_number_of_cards_they_say() {
        for figure in figures("kortsmit-talon") {
            let rules = figure.rules();
            assert_eq!(figure.x, Some(rules.talon_len() as f64), "{}", figure.what);
            let heights = rules.layout().heights().to_vec();
            let (last, rest) = heights.split_last().unwrap();
            assert!(rest.iter().zip(1..).all(|(&height, n)| height == n));
            assert!(usize::from(*last) <= heights.len());
        }
    }
}
