//! Draws the pictures of a report.
//!
//! Numbers over several powers of ten are drawn by their logarithms, on axes that are marked with
//! the numbers. Every published figure for the rules of a run is drawn with its name.

use plotters::prelude::*;

use super::report::{Plot, differences};
use super::style::{
    Area, Axis, BLOCKED, KEY_LINE, LEGEND_LINE, PUBLISHED, Pen, REFUTED, UNDECIDED, UNWINNABLE,
    WINNABLE, around, failed, middle, percent,
};
use super::{Draw, DrawError, HEIGHT, ROW};
use crate::text::grouped;
use klondike_batch::interval::Interval;
use klondike_contract::ReportAnswer;
use klondike_contract::report::{Point, Run};
use klondike_contract::runs::{ByVerdict, Published, Sizes, Summary};

/// Colours of the published figures in one picture.
const SOURCES: [RGBColor; 3] = [PUBLISHED, RGBColor(204, 121, 167), RGBColor(230, 159, 0)];

fn colour(verdict: &str) -> RGBColor {
    match verdict {
        "winnable" => WINNABLE,
        "unwinnable" => UNWINNABLE,
        _ => UNDECIDED,
    }
}

impl Draw for Plot<'_> {
    fn height(&self, narrow: bool) -> u32 {
        let across = if narrow { HEIGHT - 80 } else { HEIGHT };
        let rows = |count: usize| 100 + u32::from(narrow) * KEY_LINE + ROW * count as u32;
        match *self {
            Plot::Decided(report) => rows(report.runs.len()),
            Plot::Shares(report) => rows(shares(report).len()),
            Plot::Differences(report) => rows(differences(report).count()),
            Plot::Growth(run) => {
                across + LEGEND_LINE * (growth_lines(run) as u32).saturating_sub(3)
            }
            _ => across,
        }
    }

    fn draw<B: DrawingBackend>(&self, area: &Area<B>, scale: u32) -> Result<(), DrawError> {
        area.fill(&WHITE).map_err(failed)?;
        let pen = Pen { area, scale };
        match *self {
            Plot::Growth(run) => pen.growth(run),
            Plot::States(run) => pen.sizes(&run.summary.state_sizes, "states", &count),
            Plot::Times(run) => match &run.times {
                Some(times) => pen.sizes(&times.sizes, "processor time", &microseconds),
                None => Ok(()),
            },
            Plot::Lengths(run) => pen.lengths(&run.summary),
            Plot::Decided(report) => pen.decided(report),
            Plot::Shares(report) => pen.shares(report),
            Plot::Differences(report) => pen.differences(report),
        }?;
        area.present().map_err(failed)
    }
}

/// The three verdicts with their names, in the order of all tables and pictures.
fn by_verdict<T>(of: &ByVerdict<T>) -> [(&'static str, &T); 3] {
    [
        ("winnable", &of.winnable),
        ("unwinnable", &of.unwinnable),
        ("undecided", &of.undecided),
    ]
}

/// `1,000`: a number of deals or states.
fn count(number: f64) -> String {
    // Half a deal, where an axis begins, is none.
    if number < 0.9 {
        String::new()
    } else {
        grouped(number.round() as u64)
    }
}

/// Microseconds in a unit that cannot be mistaken: `200 µs`, `5 ms`, `1,000 s`.
fn microseconds(number: f64) -> String {
    let (number, unit) = match number {
        ..999.5 => (number, "µs"),
        999.5..999_500.0 => (number / 1e3, "ms"),
        _ => (number / 1e6, "s"),
    };
    format!("{} {unit}", grouped(number.round() as u64))
}

/// How many lines the legend of [`Plot::Growth`] has.
fn growth_lines(run: &Run) -> usize {
    let undecided = run.growth.iter().any(|at| at.undecided > 0);
    run.published.len() + if undecided { 3 } else { 1 }
}

/// The rows of [`Plot::Shares`]: each run, and below it the published figures for its rules.
fn shares(report: &ReportAnswer) -> Vec<(String, Option<f64>, Interval, RGBColor)> {
    let mut rows = Vec::new();
    for run in &report.runs {
        let estimate = &run.estimate;
        rows.push((run.name.clone(), estimate.share, estimate.wilson, WINNABLE));
        for Published {
            name,
            share,
            interval,
            ..
        } in run.published.iter().map(|one| &one.published)
        {
            rows.push((name.clone(), Some(*share), *interval, PUBLISHED));
        }
    }
    rows
}

impl<'a, B: DrawingBackend + 'a> Pen<'a, B> {
    fn growth(&self, run: &Run) -> Result<(), DrawError> {
        let last = run.growth.last().map_or(1, |point| point.deals);
        // Earlier the intervals are so wide that nothing else could be seen.
        let from = (last / 50).max(10).min(last.saturating_sub(1));
        let points: Vec<_> = run.growth.iter().filter(|at| at.deals >= from).collect();
        let low = points.iter().map(|at| at.wilson.low);
        let high = points.iter().map(|at| at.wilson.high);
        let published: Vec<&Published> = (run.published.iter())
            .map(|beside| &beside.published)
            .collect();
        let all = |end: fn(&Interval) -> f64| published.iter().map(move |one| end(&one.interval));
        let ends = (
            low.chain(all(|interval| interval.low))
                .fold(f64::INFINITY, f64::min),
            high.chain(all(|interval| interval.high))
                .fold(f64::NEG_INFINITY, f64::max),
        );
        let legend = self.room_for_legend(growth_lines(run), ends.1 - ends.0);
        let log = |deals: u64| (deals as f64).log10();
        let x = log(points.first().map_or(1, |at| at.deals))..log(last);
        let mut chart = self.axes(
            &Axis {
                range: x.clone(),
                logarithmic: true,
                text: "deals (log scale)",
                label: &count,
            },
            &Axis {
                range: around(ends.0, ends.1 + legend),
                logarithmic: false,
                text: "winnable",
                // The part of the legend has no shares.
                label: &|share| match share > 1.0 + 1e-9 {
                    true => String::new(),
                    false => percent(share),
                },
            },
        )?;
        for (i, published) in published.iter().enumerate() {
            let Interval { low, high } = published.interval;
            let colour = SOURCES[i % SOURCES.len()];
            let band = [(x.start, low), (x.end, high)];
            let faint = colour.mix(0.15).filled();
            chart
                .draw_series([Rectangle::new(band, faint)])
                .map_err(failed)?;
            let line = vec![(x.start, published.share), (x.end, published.share)];
            let name = format!("{}, with interval", published.name);
            self.named_line(&mut chart, line, colour, &name)?;
        }
        let mut band: Vec<(f64, f64)> = points
            .iter()
            .map(|at| (log(at.deals), at.wilson.high))
            .collect();
        band.extend(points.iter().rev().map(|at| (log(at.deals), at.wilson.low)));
        chart
            .draw_series([Polygon::new(band, WINNABLE.mix(0.18).filled())])
            .map_err(failed)?;
        let share = |of: fn(&Point) -> f64| -> Vec<(f64, f64)> {
            points.iter().map(|at| (log(at.deals), of(at))).collect()
        };
        let undecided = points.iter().any(|at| at.undecided > 0);
        if undecided {
            let won = share(|at| (at.winnable + at.undecided) as f64 / at.deals as f64);
            let lost = share(|at| at.winnable as f64 / at.deals as f64);
            self.named_line(&mut chart, won, UNDECIDED, "undecided counted as winnable")?;
            self.named_line(&mut chart, lost, UNWINNABLE, "undecided counted as lost")?;
        }
        let decided = share(|at| at.winnable as f64 / (at.deals - at.undecided).max(1) as f64);
        let name = match undecided {
            true => "winnable of the decided, with interval",
            false => "winnable, with interval",
        };
        self.named_line(&mut chart, decided, WINNABLE, name)?;
        self.legend(&mut chart, SeriesLabelPosition::UpperRight)
    }

    /// How many deals have how much of something.
    fn sizes(
        &self,
        sizes: &ByVerdict<Sizes>,
        text: &str,
        label: &dyn Fn(f64) -> String,
    ) -> Result<(), DrawError> {
        let all = by_verdict(sizes);
        let bits = all.iter().map(|(_, sizes)| sizes.0.len()).max();
        let least = all
            .iter()
            .filter_map(|(_, sizes)| sizes.0.iter().position(|&count| count > 0))
            .min();
        let most = all.iter().flat_map(|(_, sizes)| sizes.0.iter()).max();
        let (first, bits) = (least.unwrap_or(0), bits.unwrap_or(1));
        let most = (most.copied().unwrap_or(1) as f64).log10();
        // Entry b begins at 2^(b − 1); what is zero stands below the first.
        let begin = |bit: usize| (bit as f64 - 1.0) * 2_f64.log10();
        // Half a deal, so that single ones can be seen.
        let floor = 0.5_f64.log10();
        let any = |sizes: &Sizes| sizes.0.iter().any(|&count| count > 0);
        let lines = all.iter().filter(|(_, sizes)| any(sizes)).count();
        let x_text = format!("{text} (log scale; each step doubles)");
        let mut chart = self.axes(
            &Axis {
                range: begin(first) - 0.1..begin(bits) + 0.1,
                logarithmic: true,
                text: &x_text,
                label,
            },
            &Axis {
                range: floor..most + self.room_for_legend(lines, most - floor),
                logarithmic: true,
                text: "deals (log scale)",
                label: &count,
            },
        )?;
        for (name, sizes) in all {
            let counts = sizes.0.iter().enumerate();
            let filled: Vec<usize> = counts.filter(|c| *c.1 > 0).map(|c| c.0).collect();
            let (Some(&from), Some(&to)) = (filled.first(), filled.last()) else {
                continue;
            };
            let mut outline = vec![(begin(from), floor)];
            for bit in from..=to {
                let count = sizes.0[bit];
                let height = if count == 0 {
                    floor
                } else {
                    (count as f64).log10()
                };
                outline.extend([(begin(bit), height), (begin(bit + 1), height)]);
            }
            outline.push((begin(to + 1), floor));
            let fill = colour(name).mix(0.15).filled();
            chart
                .draw_series([Polygon::new(outline.clone(), fill)])
                .map_err(failed)?;
            self.named_line(&mut chart, outline, colour(name), name)?;
        }
        self.legend(&mut chart, SeriesLabelPosition::UpperRight)
    }

    fn lengths(&self, summary: &Summary) -> Result<(), DrawError> {
        let moves = &summary.solution_moves;
        let (Some((&least, _)), Some((&most, _))) =
            (moves.first_key_value(), moves.last_key_value())
        else {
            return Ok(());
        };
        // About a hundred columns, of a round number of moves each.
        let steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000];
        let wide = (most - least) / 100;
        let step = steps.into_iter().find(|&step| step > wide);
        let step = step.unwrap_or(wide.max(1));
        let begin = least - least % step;
        let mut columns = vec![0_u64; ((most - begin) / step + 1) as usize];
        for (&length, &count) in moves {
            columns[((length - begin) / step) as usize] += count;
        }
        let highest = columns.iter().copied().max().unwrap_or(1) as f64;
        let x_text = format!("moves ({step} in each column)");
        let mut chart = self.axes(
            &Axis {
                range: f64::from(begin)..f64::from(begin + step * columns.len() as u32),
                logarithmic: false,
                text: &x_text,
                label: &count,
            },
            &Axis {
                range: 0.0..highest * 1.05,
                logarithmic: false,
                text: "solutions",
                label: &count,
            },
        )?;
        let bars = columns.iter().enumerate().map(|(i, &count)| {
            let left = f64::from(begin + step * i as u32);
            let ends = [(left, 0.0), (left + f64::from(step), count as f64)];
            Rectangle::new(ends, WINNABLE.mix(0.75).filled())
        });
        chart.draw_series(bars).map_err(failed)?;
        // The median, which a few long solutions do not move.
        let total: u64 = moves.values().sum();
        let mut below = 0;
        let median = moves.iter().find(|(_, count)| {
            below += **count;
            2 * below >= total
        });
        if let Some((&median, _)) = median {
            let x = f64::from(median) + 0.5;
            let line = vec![(x, 0.0), (x, highest * 1.05)];
            let name = format!("median {median}");
            self.named_line(&mut chart, line, UNWINNABLE, &name)?;
            self.legend(&mut chart, SeriesLabelPosition::UpperRight)?;
        }
        Ok(())
    }

    fn decided(&self, report: &ReportAnswer) -> Result<(), DrawError> {
        let names: Vec<String> = report.runs.iter().map(|run| run.name.clone()).collect();
        let axis = Axis {
            range: 0.0..1.0,
            logarithmic: false,
            text: "share of all deals",
            label: &percent,
        };
        let mut chart = self.rows(&names, &axis)?;
        for (row, run) in report.runs.iter().enumerate() {
            let (summary, proofs) = (&run.summary, run.summary.proofs);
            let parts = [
                (summary.verdicts.winnable, WINNABLE),
                (summary.open(), UNDECIDED),
                (proofs.searched, UNWINNABLE),
                (proofs.refuted, REFUTED),
                (proofs.blocked, BLOCKED),
            ];
            let all = summary.looked_at().max(1) as f64;
            let mut left = 0.0;
            for (count, colour) in parts {
                let right = left + count as f64 / all;
                let ends = [(left, middle(row) - 0.32), (right, middle(row) + 0.32)];
                chart
                    .draw_series([Rectangle::new(ends, colour.filled())])
                    .map_err(failed)?;
                left = right;
            }
        }
        let undecided = report.runs.iter().any(|run| run.summary.open() > 0);
        let all = [
            (WINNABLE, "winnable"),
            (UNDECIDED, "undecided"),
            (UNWINNABLE, "lost by search"),
            (REFUTED, "refuted without search"),
            (BLOCKED, "blocked"),
        ];
        let shown = all
            .into_iter()
            .filter(|&(colour, _)| undecided || colour != UNDECIDED);
        let key: Vec<_> = shown
            .map(|(colour, text)| (colour, text.to_owned()))
            .collect();
        self.key(&key)
    }

    fn shares(&self, report: &ReportAnswer) -> Result<(), DrawError> {
        let rows = shares(report);
        let names: Vec<String> = rows.iter().map(|row| row.0.clone()).collect();
        let low = rows.iter().map(|row| row.2.low).fold(1.0, f64::min);
        let high = rows.iter().map(|row| row.2.high).fold(0.0, f64::max);
        let axis = Axis {
            range: around(low, high),
            logarithmic: false,
            text: "winnable",
            label: &percent,
        };
        let mut chart = self.rows(&names, &axis)?;
        for (row, (_, share, interval, colour)) in rows.iter().enumerate() {
            if let Some(share) = *share {
                self.interval(&mut chart, (share, *interval), middle(row), *colour)?;
            }
        }
        let mut key = vec![(WINNABLE, "ours, with interval".to_owned())];
        if rows.len() > report.runs.len() {
            key.push((PUBLISHED, "published, with interval".to_owned()));
        }
        self.key(&key)
    }

    fn differences(&self, report: &ReportAnswer) -> Result<(), DrawError> {
        let rows: Vec<_> = differences(report).collect();
        let names: Vec<String> = rows
            .iter()
            .map(|(run, beside)| match report.runs.len() {
                1 => beside.published.name.clone(),
                _ => format!("{}, {}", run.name, beside.published.name),
            })
            .collect();
        let (mut low, mut high) = (0.0_f64, 0.0_f64);
        for (_, beside) in &rows {
            low = low.min(beside.difference_interval.low);
            high = high.max(beside.difference_interval.high);
        }
        let axis = Axis {
            range: around(low, high),
            logarithmic: false,
            text: "ours less published, in points of percent",
            label: &|share| percent(share).replace(" %", "").replace('-', "−"),
        };
        let mut chart = self.rows(&names, &axis)?;
        let zero = [(0.0, 0.0), (0.0, -(rows.len() as f64))];
        chart
            .draw_series([PathElement::new(zero, self.line(PUBLISHED))])
            .map_err(failed)?;
        for (row, (_, beside)) in rows.iter().enumerate() {
            let colour = if beside.agrees { WINNABLE } else { UNWINNABLE };
            let of = (beside.difference, beside.difference_interval);
            self.interval(&mut chart, of, middle(row), colour)?;
        }
        let mut key = vec![(PUBLISHED, "published".to_owned())];
        for (agrees, colour, text) in [(true, WINNABLE, "agrees"), (false, UNWINNABLE, "differs")] {
            if rows.iter().any(|(_, beside)| beside.agrees == agrees) {
                key.push((colour, text.to_owned()));
            }
        }
        self.key(&key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_have_units_that_cannot_be_mistaken() {
        for (number, text) in [
            (2.0, "2 µs"),
            (999.0, "999 µs"),
            (1e3, "1 ms"),
            (1e6, "1 s"),
            (1e9, "1,000 s"),
        ] {
            assert_eq!(microseconds(number), text);
        }
    }
}
