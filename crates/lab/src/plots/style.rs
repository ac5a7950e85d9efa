//! What all pictures are drawn with: a font, colours, axes, legends, rows and intervals.
//!
//! The pictures of a report and the charts of experiments stand on it.

use std::ops::Range;
use std::sync::OnceLock;

use plotters::coord::ranged1d::{DefaultFormatting, KeyPointHint, Ranged};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontStyle, register_font};

use super::DrawError;
use klondike_batch::interval::Interval;

/// The family of all text: in a browser its own, in PNG the one registered below.
pub(super) const FONT: &str = "sans-serif";

// Colours that people with any kind of colour vision tell apart (Okabe & Ito 2008).
pub(super) const WINNABLE: RGBColor = RGBColor(0, 114, 178);
pub(super) const UNWINNABLE: RGBColor = RGBColor(213, 94, 0);
pub(super) const UNDECIDED: RGBColor = RGBColor(90, 90, 90);
pub(super) const BLOCKED: RGBColor = RGBColor(230, 159, 0);
pub(super) const REFUTED: RGBColor = RGBColor(240, 200, 110);
pub(super) const PUBLISHED: RGBColor = RGBColor(0, 158, 115);
pub(super) const INK: RGBColor = RGBColor(40, 40, 40);
pub(super) const FAINT: RGBColor = RGBColor(225, 225, 225);

/// Most marks of an axis, and of one across a narrow picture.
const MARKS: usize = 9;
const NARROW_MARKS: usize = 5;

/// Height of a line of a key, and of one of a legend.
pub(super) const KEY_LINE: u32 = 20;
pub(super) const LEGEND_LINE: u32 = 19;

/// What an axis shows.
pub(super) struct Axis<'l> {
    /// From where to where; of a logarithmic axis the logarithms to base 10.
    pub(super) range: Range<f64>,
    pub(super) logarithmic: bool,
    pub(super) text: &'l str,
    /// Writes a number beside its mark.
    pub(super) label: &'l dyn Fn(f64) -> String,
}

impl Axis<'_> {
    /// Where the marks stand: at most so many, at 1, 2 or 5 times a power of ten, or that far
    /// apart. A mark without a label is none.
    fn marks(&self, most: usize) -> Vec<f64> {
        let mut marks = self.round_numbers(most);
        marks.retain(|&mark| !self.write(mark).is_empty());
        marks
    }

    fn round_numbers(&self, most: usize) -> Vec<f64> {
        let Range { start, end } = self.range;
        let powers = |of: &[f64], each: i32| -> Vec<f64> {
            (start.floor() as i32..=end.ceil() as i32)
                .filter(|power| power.rem_euclid(each) == 0)
                .flat_map(|power| of.iter().map(move |one| f64::from(power) + one.log10()))
                .filter(|mark| (start - 1e-9..=end + 1e-9).contains(mark))
                .collect()
        };
        if self.logarithmic {
            let mut tries = [powers(&[1.0, 2.0, 5.0], 1), powers(&[1.0], 1)]
                .into_iter()
                .chain((2..).map(|each| powers(&[1.0], each)));
            return tries.find(|marks| marks.len() <= most).unwrap_or_default();
        }
        let power = ((end - start) / most as f64).log10().floor();
        let mut steps = [1.0, 2.0, 5.0, 10.0]
            .map(|one| one * 10_f64.powf(power))
            .into_iter();
        let step = steps.find(|step| (end - start) / step <= most as f64 - 1.0);
        let step = step.unwrap_or(end - start);
        let (first, last) = ((start / step).ceil() as i64, (end / step).floor() as i64);
        (first..=last).map(|mark| mark as f64 * step).collect()
    }

    /// Writes a number beside its mark.
    fn write(&self, mark: f64) -> String {
        let number = if self.logarithmic {
            10_f64.powf(mark)
        } else {
            mark
        };
        (self.label)(number)
    }
}

/// Numbers along an axis with the marks that [`Axis::marks`] chooses.
pub(super) struct Marked {
    range: RangedCoordf64,
    marks: Vec<f64>,
}

impl Ranged for Marked {
    type FormatOption = DefaultFormatting;
    type ValueType = f64;

    fn range(&self) -> Range<f64> {
        self.range.range()
    }

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        self.range.map(value, limit)
    }

    fn key_points<Hint: KeyPointHint>(&self, _: Hint) -> Vec<f64> {
        self.marks.clone()
    }
}

fn marked(range: Range<f64>, marks: Vec<f64>) -> Marked {
    Marked {
        range: range.into(),
        marks,
    }
}
pub(super) type Area<B> = DrawingArea<B, plotters::coord::Shift>;
pub(super) type Chart<'a, B> = ChartContext<'a, B, Cartesian2d<Marked, Marked>>;

pub(super) fn failed(error: impl std::fmt::Display) -> DrawError {
    DrawError(error.to_string())
}

/// Makes the font known to `plotters`, once.
pub(super) fn use_font() -> Result<(), DrawError> {
    static DONE: OnceLock<bool> = OnceLock::new();
    let known = *DONE.get_or_init(|| {
        let font = dejavu::sans::regular();
        register_font(FONT, FontStyle::Normal, font).is_ok()
    });
    known
        .then_some(())
        .ok_or_else(|| DrawError("the font cannot be read".to_owned()))
}

pub(super) fn percent(share: f64) -> String {
    format!("{:.3}", 100.0 * share)
        .trim_end_matches('0')
        .trim_end_matches('.')
        .to_owned()
        + " %"
}

/// Room for `low..high` with a little to either side, and some if both are the same.
pub(super) fn around(low: f64, high: f64) -> Range<f64> {
    let more = ((high - low) * 0.06).max(1e-9);
    low - more..high + more
}

/// Draws on an area, `scale` pixels for one of the picture.
pub(super) struct Pen<'a, B: DrawingBackend> {
    pub(super) area: &'a Area<B>,
    pub(super) scale: u32,
}

impl<'a, B: DrawingBackend + 'a> Pen<'a, B> {
    pub(super) fn font(&self, size: u32) -> TextStyle<'static> {
        (FONT, size * self.scale).into_font().color(&INK)
    }

    /// Whether the picture is for a narrow screen.
    fn is_narrow(&self) -> bool {
        self.area.dim_in_pixel().0 < 500 * self.scale
    }

    /// Where the marks of an axis across the picture stand.
    fn marks(&self, x: &Axis<'_>) -> Vec<f64> {
        x.marks(if self.is_narrow() {
            NARROW_MARKS
        } else {
            MARKS
        })
    }

    /// An empty chart with axes.
    pub(super) fn axes(&self, x: &Axis<'_>, y: &Axis<'_>) -> Result<Chart<'a, B>, DrawError> {
        let (right, left) = if self.is_narrow() { (20, 62) } else { (36, 84) };
        let mut chart = ChartBuilder::on(self.area)
            .margin(14 * self.scale)
            .margin_left(if self.is_narrow() { 2 } else { 14 } * self.scale)
            .margin_right(right * self.scale)
            .set_label_area_size(LabelAreaPosition::Left, left * self.scale)
            .set_label_area_size(LabelAreaPosition::Bottom, 46 * self.scale)
            .build_cartesian_2d(
                marked(x.range.clone(), self.marks(x)),
                marked(y.range.clone(), y.marks(MARKS)),
            )
            .map_err(failed)?;
        chart
            .configure_mesh()
            .x_desc(x.text)
            .y_desc(y.text)
            .x_label_formatter(&|mark| x.write(*mark))
            .y_label_formatter(&|mark| y.write(*mark))
            .label_style(self.font(14))
            .axis_desc_style(self.font(14))
            .axis_style(INK)
            .bold_line_style(FAINT)
            .light_line_style(TRANSPARENT)
            .draw()
            .map_err(failed)?;
        Ok(chart)
    }

    /// How much to add to an axis of this length upwards, so that a legend of so many lines has its
    /// own part of the picture, above everything.
    pub(super) fn room_for_legend(&self, lines: usize, length: f64) -> f64 {
        let legend = f64::from(LEGEND_LINE * lines as u32 + 20);
        let plot = f64::from(self.area.dim_in_pixel().1 / self.scale) - 74.0;
        length * legend / (plot - legend)
    }

    pub(super) fn legend(
        &self,
        chart: &mut Chart<'a, B>,
        at: SeriesLabelPosition,
    ) -> Result<(), DrawError> {
        chart
            .configure_series_labels()
            .position(at)
            .background_style(WHITE.mix(0.85))
            .border_style(FAINT)
            .legend_area_size(26 * self.scale)
            .margin(8 * self.scale)
            .label_font(self.font(14))
            .draw()
            .map_err(failed)
    }

    pub(super) fn line(&self, colour: RGBColor) -> ShapeStyle {
        colour.stroke_width(2 * self.scale)
    }

    /// Draws the line and names it in the legend.
    pub(super) fn named_line(
        &self,
        chart: &mut Chart<'a, B>,
        points: Vec<(f64, f64)>,
        colour: RGBColor,
        name: &str,
    ) -> Result<(), DrawError> {
        let style = self.line(colour);
        let length = 20 * self.scale as i32;
        chart
            .draw_series(LineSeries::new(points, style))
            .map_err(failed)?
            .label(name)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + length, y)], style));
        Ok(())
    }

    /// A chart with a row for each name, from the top.
    pub(super) fn rows(&self, names: &[String], x: &Axis<'_>) -> Result<Chart<'a, B>, DrawError> {
        let longest = names.iter().map(|name| name.chars().count()).max();
        // Room for the names and for the lines of the key.
        let (each, widest, most, top) = match self.is_narrow() {
            true => (7, 150, 22, 38 + KEY_LINE),
            false => (8, 330, 38, 38),
        };
        let wide = (longest.unwrap_or(0) as u32 * each + 14).clamp(60, widest) * self.scale;
        let mut chart = ChartBuilder::on(self.area)
            .margin(14 * self.scale)
            .margin_left(if self.is_narrow() { 2 } else { 14 } * self.scale)
            .margin_right(if self.is_narrow() { 20 } else { 36 } * self.scale)
            .margin_top(top * self.scale)
            .set_label_area_size(LabelAreaPosition::Left, wide)
            .set_label_area_size(LabelAreaPosition::Bottom, 40 * self.scale)
            .build_cartesian_2d(
                marked(x.range.clone(), self.marks(x)),
                marked(-(names.len() as f64)..0.0, Vec::new()),
            )
            .map_err(failed)?;
        chart
            .configure_mesh()
            .disable_y_mesh()
            .y_labels(0)
            .x_desc(x.text)
            .x_label_formatter(&|mark| x.write(*mark))
            .label_style(self.font(14))
            .axis_desc_style(self.font(14))
            .axis_style(INK)
            .bold_line_style(FAINT)
            .light_line_style(TRANSPARENT)
            .draw()
            .map_err(failed)?;
        let right = Pos::new(HPos::Right, VPos::Center);
        let style = self.font(14).pos(right);
        let (left, _) = chart.plotting_area().get_pixel_range();
        for (row, name) in names.iter().enumerate() {
            let middle = chart.plotting_area().map_coordinate(&(0.0, middle(row))).1;
            let at = (left.start - 8 * self.scale as i32, middle);
            let (base_x, base_y) = self.area.get_base_pixel();
            let at = (at.0 - base_x, at.1 - base_y);
            let mut name = name.clone();
            if name.chars().count() > most {
                name = name.chars().take(most - 1).chain(['…']).collect();
            }
            self.area.draw_text(&name, &style, at).map_err(failed)?;
        }
        Ok(chart)
    }

    /// A square and a word above the picture for each colour.
    pub(super) fn key(&self, entries: &[(RGBColor, String)]) -> Result<(), DrawError> {
        let scale = self.scale as i32;
        let style = self.font(14).pos(Pos::new(HPos::Left, VPos::Center));
        let left = if self.is_narrow() { 8 } else { 20 } * scale;
        let (mut x, mut y) = (left, 14 * scale);
        for (colour, text) in entries {
            let (wide, _) = self.area.estimate_text_size(text, &style).map_err(failed)?;
            let end = x + 16 * scale + wide as i32;
            if x > left && end > self.area.dim_in_pixel().0 as i32 {
                (x, y) = (left, y + KEY_LINE as i32 * scale);
            }
            let ends = [(x, y), (x + 11 * scale, y + 11 * scale)];
            self.area
                .draw(&Rectangle::new(ends, colour.filled()))
                .map_err(failed)?;
            let at = (x + 16 * scale, y + 6 * scale);
            self.area.draw_text(text, &style, at).map_err(failed)?;
            x += 16 * scale + wide as i32 + 24 * scale;
        }
        Ok(())
    }

    /// An interval with its middle.
    pub(super) fn interval(
        &self,
        chart: &mut Chart<'a, B>,
        (share, interval): (f64, Interval),
        y: f64,
        colour: RGBColor,
    ) -> Result<(), DrawError> {
        let ends = [(interval.low, y), (interval.high, y)];
        chart
            .draw_series([PathElement::new(ends, self.line(colour))])
            .map_err(failed)?;
        let size = 4 * self.scale;
        chart
            .draw_series([Circle::new((share, y), size, colour.filled())])
            .map_err(failed)?;
        Ok(())
    }
}

/// The middle of a row; rows go down from 0.
pub(super) fn middle(row: usize) -> f64 {
    -(row as f64) - 0.5
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_written_without_needless_digits() {
        assert_eq!(percent(0.8195), "81.95 %");
        assert_eq!(percent(0.5), "50 %");
        assert_eq!(percent(0.0), "0 %");
        assert_eq!(percent(-0.001), "-0.1 %");
    }

    #[test]
    fn marks_stand_at_round_numbers() {
        let marks = |range: Range<f64>, logarithmic| {
            let axis = Axis {
                range,
                logarithmic,
                text: "",
                label: &|number| format!("{number:.3}"),
            };
            let written = axis.marks(MARKS).into_iter().map(|mark| axis.write(mark));
            written.collect::<Vec<_>>().join(" ")
        };
        assert_eq!(marks(0.811..0.829, false), "0.815 0.820 0.825");
        assert_eq!(
            marks(-3.0..104.0, false),
            "0.000 20.000 40.000 60.000 80.000 100.000"
        );
        assert_eq!(marks(1.0..2.0, true), "10.000 20.000 50.000 100.000");
        assert_eq!(marks(-3.1..0.1, true), "0.001 0.010 0.100 1.000");
        assert_eq!(
            marks(0.9..3.1, true),
            "10.000 20.000 50.000 100.000 200.000 500.000 1000.000"
        );
    }
}
