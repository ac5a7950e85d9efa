//! Draws the pictures of a report.
//!
//! Numbers over several powers of ten are drawn by their logarithms, on axes that are marked with
//! the numbers.

use plotters::prelude::*;

use super::report::{Plot, differences};
use super::style::{
    Area, BLOCKED, PUBLISHED, Pen, REFUTED, UNDECIDED, UNWINNABLE, WINNABLE, around, failed,
    middle, percent,
};
use super::{Draw, DrawError, HEIGHT, ROW, WIDTH};
use crate::text::grouped;
use klondike_contract::ReportAnswer;
use klondike_contract::report::{Point, Run};
use klondike_contract::runs::{ByVerdict, Sizes, Summary};
use klondike_play::interval::Interval;

fn colour(verdict: &str) -> RGBColor {
    match verdict {
        "winnable" => WINNABLE,
        "unwinnable" => UNWINNABLE,
        _ => UNDECIDED,
    }
}

impl Draw for Plot<'_> {
    fn size(&self) -> (u32, u32) {
        match *self {
            Plot::Decided(report) | Plot::Shares(report) => {
                (WIDTH, 100 + ROW * report.runs.len() as u32)
            }
            Plot::Differences(report) => (WIDTH, 100 + ROW * differences(report).count() as u32),
            _ => (WIDTH, HEIGHT),
        }
    }

    fn draw<B: DrawingBackend>(&self, area: &Area<B>, scale: u32) -> Result<(), DrawError> {
        area.fill(&WHITE).map_err(failed)?;
        let pen = Pen { area, scale };
        match *self {
            Plot::Growth(run) => pen.growth(run),
            Plot::States(run) => pen.sizes(&run.summary.state_sizes, 1.0, "states"),
            Plot::Times(run) => match &run.times {
                Some(times) => pen.sizes(&times.sizes, 1e6, "seconds"),
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

/// `10`, `1k`, `1M` at the powers of ten, and nothing in between.
fn power_of_ten(log: &f64) -> String {
    let whole = log.round();
    if (log - whole).abs() > 1e-6 {
        return String::new();
    }
    let short = |over: f64, unit: &str| format!("{}{unit}", 10_f64.powf(whole - over));
    match whole as i32 {
        ..=-7 => format!("1e{whole}"),
        -6..=-4 => short(-6.0, "µ"),
        -3..=-1 => short(-3.0, "m"),
        0..=2 => short(0.0, ""),
        3..=5 => short(3.0, "k"),
        6..=8 => short(6.0, "M"),
        _ => short(9.0, "G"),
    }
}

impl<'a, B: DrawingBackend + 'a> Pen<'a, B> {
    fn growth(&self, run: &Run) -> Result<(), DrawError> {
        let last = run.growth.last().map_or(1, |point| point.deals);
        // Earlier the intervals are so wide that nothing else could be seen.
        let from = (last / 50).max(10).min(last.saturating_sub(1));
        let points: Vec<_> = run.growth.iter().filter(|at| at.deals >= from).collect();
        let low = points.iter().map(|at| at.wilson.low);
        let high = points.iter().map(|at| at.wilson.high);
        let published = run.published.first().map(|beside| &beside.published);
        let mut ends = (
            low.fold(f64::INFINITY, f64::min),
            high.fold(f64::NEG_INFINITY, f64::max),
        );
        if let Some(published) = published {
            ends.0 = ends.0.min(published.interval.low);
            ends.1 = ends.1.max(published.interval.high);
        }
        let log = |deals: u64| (deals as f64).log10();
        let x = log(points.first().map_or(1, |at| at.deals))..log(last);
        // Less than two powers of ten: their marks alone would be too few.
        let number = |log: &f64| {
            let deals = 10_f64.powf(*log);
            let digits = 10_f64.powf(deals.log10().floor() - 1.0);
            let round = (deals / digits).round() * digits;
            grouped(round as u64)
        };
        let mut chart = self.axes(
            x.clone(),
            // With room for the legend.
            around(ends.0, ends.1 + (ends.1 - ends.0) * 0.15),
            ("deals (log scale)", "winnable"),
            (&number, &percent),
        )?;
        if let Some(published) = published {
            let Interval { low, high } = published.interval;
            let band = [(x.start, low), (x.end, high)];
            let faint = PUBLISHED.mix(0.18).filled();
            chart
                .draw_series([Rectangle::new(band, faint)])
                .map_err(failed)?;
            let line = vec![(x.start, published.share), (x.end, published.share)];
            self.named_line(&mut chart, line, PUBLISHED, "published, with interval")?;
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
        let name = "winnable of the decided, with interval";
        self.named_line(&mut chart, decided, WINNABLE, name)?;
        self.legend(&mut chart, SeriesLabelPosition::UpperRight)
    }

    /// How many deals have how much of something; `unit` of it is 1 on the axis.
    fn sizes(&self, sizes: &ByVerdict<Sizes>, unit: f64, text: &str) -> Result<(), DrawError> {
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
        let begin = |bit: usize| (bit as f64 - 1.0) * 2_f64.log10() - unit.log10();
        // Half a deal, so that single ones can be seen.
        let floor = 0.5_f64.log10();
        let x_text = format!("{text} (log scale; each step doubles)");
        let mut chart = self.axes(
            begin(first) - 0.1..begin(bits) + 0.1,
            floor..most + 0.15,
            (&x_text, "deals (log scale)"),
            (&power_of_ten, &power_of_ten),
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
        let number = |x: &f64| format!("{x:.0}");
        let count = |y: &f64| grouped(y.max(0.0) as u64);
        let x_text = format!("moves ({step} in each column)");
        let mut chart = self.axes(
            f64::from(begin)..f64::from(begin + step * columns.len() as u32),
            0.0..highest * 1.05,
            (&x_text, "solutions"),
            (&number, &count),
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
        let names: Vec<&str> = report.runs.iter().map(|run| run.name.as_str()).collect();
        let mut chart = self.rows(&names, 0.0..1.0, "share of all deals", &percent)?;
        for (row, run) in report.runs.iter().enumerate() {
            let (summary, proofs) = (&run.summary, run.summary.proofs);
            let parts = [
                (summary.verdicts.winnable, WINNABLE),
                (summary.open(), UNDECIDED),
                (proofs.searched, UNWINNABLE),
                (proofs.refuted, REFUTED),
                (proofs.blocked, BLOCKED),
            ];
            let all = (summary.deals + summary.set_aside).max(1) as f64;
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
        self.key(&[
            (WINNABLE, "winnable"),
            (UNDECIDED, "undecided"),
            (UNWINNABLE, "lost by search"),
            (REFUTED, "refuted without search"),
            (BLOCKED, "blocked"),
        ])
    }

    fn shares(&self, report: &ReportAnswer) -> Result<(), DrawError> {
        let names: Vec<&str> = report.runs.iter().map(|run| run.name.as_str()).collect();
        let all = report.runs.iter().flat_map(|run| {
            let published = run.published.iter().map(|one| one.published.interval);
            published.chain([run.estimate.wilson])
        });
        let (mut low, mut high) = (1.0_f64, 0.0_f64);
        for interval in all {
            low = low.min(interval.low);
            high = high.max(interval.high);
        }
        let mut chart = self.rows(&names, around(low, high), "winnable", &percent)?;
        for (row, run) in report.runs.iter().enumerate() {
            for beside in run.published.iter().take(1) {
                let published = &beside.published;
                let of = (published.share, published.interval);
                self.interval(&mut chart, of, middle(row) - 0.2, PUBLISHED)?;
            }
            if let Some(share) = run.estimate.share {
                let of = (share, run.estimate.wilson);
                self.interval(&mut chart, of, middle(row) + 0.1, WINNABLE)?;
            }
        }
        let mut key = vec![(WINNABLE, "ours, with interval")];
        if differences(report).next().is_some() {
            key.push((PUBLISHED, "published, with interval"));
        }
        self.key(&key)
    }

    fn differences(&self, report: &ReportAnswer) -> Result<(), DrawError> {
        let rows: Vec<_> = differences(report).collect();
        let names: Vec<&str> = rows.iter().map(|(run, _)| run.name.as_str()).collect();
        let (mut low, mut high) = (0.0_f64, 0.0_f64);
        for (_, beside) in &rows {
            low = low.min(beside.difference_interval.low);
            high = high.max(beside.difference_interval.high);
        }
        let text = "difference in points of percent, with the intervals of both together";
        let points = |share: &f64| percent(share).replace(" %", "");
        let mut chart = self.rows(&names, around(low, high), text, &points)?;
        let zero = [(0.0, 0.0), (0.0, -(rows.len() as f64))];
        chart
            .draw_series([PathElement::new(zero, self.line(PUBLISHED))])
            .map_err(failed)?;
        for (row, (_, beside)) in rows.iter().enumerate() {
            let colour = if beside.agrees { WINNABLE } else { UNWINNABLE };
            let of = (beside.difference, beside.difference_interval);
            self.interval(&mut chart, of, middle(row), colour)?;
        }
        let mut key = vec![(PUBLISHED, "published")];
        for (agrees, colour, text) in [(true, WINNABLE, "agrees"), (false, UNWINNABLE, "differs")] {
            if rows.iter().any(|(_, beside)| beside.agrees == agrees) {
                key.push((colour, text));
            }
        }
        self.key(&key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_of_ten_are_written_short_and_others_not_at_all() {
        for (log, text) in [
            (-6.0, "1µ"),
            (-4.0, "100µ"),
            (-1.0, "100m"),
            (0.0, "1"),
            (2.0, "100"),
            (4.0, "10k"),
            (6.0, "1M"),
            (9.0, "1G"),
            (1.5, ""),
        ] {
            assert_eq!(power_of_ten(&log), text);
        }
    }
}
