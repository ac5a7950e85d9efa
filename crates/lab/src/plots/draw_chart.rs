//! Draws charts.

use plotters::prelude::*;

use super::chart::{Chart, Curve};
use super::style::{Area, Axis, PUBLISHED, Pen, WINNABLE, around, failed, middle};
use super::{Draw, DrawError, HEIGHT, ROW};
use klondike_batch::interval::Interval;

/// Colours of curves that people with any kind of colour vision tell apart (Okabe & Ito 2008).
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(90, 90, 90),
];

fn number(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

impl Draw for Chart {
    fn height(&self, _: bool) -> u32 {
        match self {
            Chart::Curves { .. } => HEIGHT + 60,
            Chart::Rows { rows, .. } => 100 + ROW * rows.len() as u32,
        }
    }

    fn draw<B: DrawingBackend>(&self, area: &Area<B>, scale: u32) -> Result<(), DrawError> {
        area.fill(&WHITE).map_err(failed)?;
        let pen = Pen { area, scale };
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for point in self.all() {
            let ends = point.ends();
            (low, high) = (low.min(ends.0), high.max(ends.1));
        }
        if low > high {
            // Nothing to show: an empty chart.
            (low, high) = (0.0, 1.0);
        }
        match self {
            Chart::Curves { axes, curves } => pen.curves(axes, curves, (low, high)),
            Chart::Rows { axis, rows } => pen.figures(axis, rows, (low, high)),
        }?;
        area.present().map_err(failed)
    }
}

impl<'a, B: DrawingBackend + 'a> Pen<'a, B> {
    /// Ours as filled points with intervals and lines, published ones as hollow squares.
    fn curves(
        &self,
        axes: &(String, String),
        curves: &[Curve],
        (low, high): (f64, f64),
    ) -> Result<(), DrawError> {
        let xs = || {
            let curves = curves.iter();
            curves.flat_map(|curve| curve.published.iter().chain(&curve.ours).map(|at| at.x))
        };
        let left = xs().fold(f64::INFINITY, f64::min);
        let right = xs().fold(f64::NEG_INFINITY, f64::max);
        let (left, right) = if left > right {
            (0.0, 1.0)
        } else {
            (left, right)
        };
        let wide = (right - left).max(1.0);
        // Room on the right for the legend.
        let longest = curves.iter().map(|curve| curve.name.chars().count()).max();
        let room = 0.25 + 0.012 * longest.unwrap_or(0).min(40) as f64;
        let x = left - 0.04 * wide..right + room * wide;
        let axis = |range, text| Axis {
            range,
            logarithmic: false,
            text,
            label: &number,
        };
        let mut chart = self.axes(&axis(x, &axes.0), &axis(around(low, high), &axes.1))?;
        let scale = self.scale as i32;
        for (i, curve) in curves.iter().enumerate() {
            let colour = COLOURS[i % COLOURS.len()];
            let style = self.line(colour);
            if !curve.ours.is_empty() {
                let line = curve.ours.iter().map(|at| (at.x, at.y)).collect();
                let name = format!("{} here", curve.name);
                self.named_line(&mut chart, line, colour, name.trim())?;
            }
            for at in &curve.ours {
                let (low, high) = at.ends();
                let ends = [(at.x, low), (at.x, high)];
                let bar = [PathElement::new(ends, style)];
                chart.draw_series(bar).map_err(failed)?;
                let dot = Circle::new((at.x, at.y), 3 * self.scale, colour.filled());
                chart.draw_series([dot]).map_err(failed)?;
            }
            let hollow = move |(x, y): (i32, i32)| {
                let half = 5 * scale;
                Rectangle::new([(x - half, y - half), (x + half, y + half)], style)
            };
            let squares = curve
                .published
                .iter()
                .map(|at| EmptyElement::at((at.x, at.y)) + hollow((0, 0)));
            let series = chart.draw_series(squares).map_err(failed)?;
            if !curve.published.is_empty() {
                let name = format!("{} published", curve.name);
                series
                    .label(name.trim())
                    .legend(move |(x, y)| hollow((x + 10 * scale, y)));
            }
        }
        self.legend(&mut chart, SeriesLabelPosition::UpperRight)
    }

    fn figures(
        &self,
        axis: &str,
        rows: &[Curve],
        (low, high): (f64, f64),
    ) -> Result<(), DrawError> {
        let names: Vec<String> = rows.iter().map(|row| row.name.clone()).collect();
        let axis = Axis {
            range: around(low, high),
            logarithmic: false,
            text: axis,
            label: &number,
        };
        let mut chart = self.rows(&names, &axis)?;
        for (row, curve) in rows.iter().enumerate() {
            for (points, up, colour) in [
                (&curve.published, -0.2, PUBLISHED),
                (&curve.ours, 0.1, WINNABLE),
            ] {
                if let Some(at) = points.first() {
                    let (low, high) = at.ends();
                    let of = (at.y, Interval { low, high });
                    self.interval(&mut chart, of, middle(row) + up, colour)?;
                }
            }
        }
        let mut key = vec![(WINNABLE, "ours, with interval".to_owned())];
        if rows.iter().any(|row| !row.published.is_empty()) {
            key.push((
                PUBLISHED,
                "published, with interval if there is one".to_owned(),
            ));
        }
        self.key(&key)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plots::chart::Point;

    #[test]
    fn a_chart_shows_every_curve_and_every_point() {
        let point = |x: f64, y: f64| Point {
            x,
            y,
            interval: Some(Interval {
                low: y - 1.0,
                high: y + 1.0,
            }),
        };
        let curve = Curve {
            name: "draw 1".to_owned(),
            published: vec![point(1.0, 40.0), point(2.0, 30.0)],
            ours: vec![point(1.0, 41.0), point(2.0, 31.0), point(3.0, 21.0)],
        };
        let axes = ("parameter".to_owned(), "won, %".to_owned());
        let svg = Chart::Curves {
            axes,
            curves: vec![curve.clone()],
        }
        .svg()
        .unwrap();
        for text in ["draw 1 here", "draw 1 published", "parameter", "won, %"] {
            assert!(svg.contains(text), "{text}");
        }
        assert_eq!(svg.matches("<circle").count(), 3);
        let rows = Chart::Rows {
            axis: "won, %".to_owned(),
            rows: vec![curve, Curve::default()],
        };
        assert_eq!(rows.svg().unwrap().matches("<circle").count(), 2);
        let nothing = Chart::Curves {
            axes: (String::new(), String::new()),
            curves: Vec::new(),
        };
        assert!(nothing.svg().unwrap().contains("</svg>"));
    }
}
