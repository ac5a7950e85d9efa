//! What all pictures are drawn with: a font, colours, axes, legends, rows and intervals.
//!
//! The pictures of a report and the charts of experiments stand on it.

use std::sync::OnceLock;

use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use plotters::style::{FontStyle, register_font};

use super::DrawError;
use klondike_play::interval::Interval;

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

/// Writes a number on an axis.
pub(super) type Label<'l> = &'l dyn Fn(&f64) -> String;
pub(super) type Area<B> = DrawingArea<B, plotters::coord::Shift>;
pub(super) type Chart<'a, B> = ChartContext<'a, B, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

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

pub(super) fn percent(share: &f64) -> String {
    format!("{:.3}", 100.0 * share)
        .trim_end_matches('0')
        .trim_end_matches('.')
        .to_owned()
        + " %"
}

/// Room for `low..high` with a little to either side, and some if both are the same.
pub(super) fn around(low: f64, high: f64) -> std::ops::Range<f64> {
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

    /// An empty chart with axes.
    pub(super) fn axes(
        &self,
        x: std::ops::Range<f64>,
        y: std::ops::Range<f64>,
        (x_text, y_text): (&str, &str),
        (x_label, y_label): (Label<'_>, Label<'_>),
    ) -> Result<Chart<'a, B>, DrawError> {
        let mut chart = ChartBuilder::on(self.area)
            .margin(14 * self.scale)
            .margin_right(36 * self.scale)
            .set_label_area_size(LabelAreaPosition::Left, 84 * self.scale)
            .set_label_area_size(LabelAreaPosition::Bottom, 46 * self.scale)
            .build_cartesian_2d(x, y)
            .map_err(failed)?;
        chart
            .configure_mesh()
            .x_desc(x_text)
            .y_desc(y_text)
            .x_labels(9)
            .y_labels(8)
            .x_label_formatter(&|x| x_label(x))
            .y_label_formatter(&|y| y_label(y))
            .label_style(self.font(14))
            .axis_desc_style(self.font(14))
            .axis_style(INK)
            .bold_line_style(FAINT)
            .light_line_style(TRANSPARENT)
            .draw()
            .map_err(failed)?;
        Ok(chart)
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
    pub(super) fn rows(
        &self,
        names: &[&str],
        x: std::ops::Range<f64>,
        x_text: &str,
        label: Label<'_>,
    ) -> Result<Chart<'a, B>, DrawError> {
        let longest = names.iter().map(|name| name.chars().count()).max();
        let wide = (longest.unwrap_or(0) as u32 * 8 + 14).clamp(60, 330) * self.scale;
        let mut chart = ChartBuilder::on(self.area)
            .margin(14 * self.scale)
            .margin_right(36 * self.scale)
            .margin_top(38 * self.scale)
            .set_label_area_size(LabelAreaPosition::Left, wide)
            .set_label_area_size(LabelAreaPosition::Bottom, 40 * self.scale)
            .build_cartesian_2d(x, -(names.len() as f64)..0.0)
            .map_err(failed)?;
        chart
            .configure_mesh()
            .disable_y_mesh()
            .y_labels(0)
            .x_desc(x_text)
            .x_labels(11)
            .x_label_formatter(&|x| label(x))
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
            let mut name = (*name).to_owned();
            if name.chars().count() > 38 {
                name = name.chars().take(37).chain(['…']).collect();
            }
            self.area.draw_text(&name, &style, at).map_err(failed)?;
        }
        Ok(chart)
    }

    /// A square and a word above the picture for each colour.
    pub(super) fn key(&self, entries: &[(RGBColor, &str)]) -> Result<(), DrawError> {
        let scale = self.scale as i32;
        let style = self.font(14).pos(Pos::new(HPos::Left, VPos::Center));
        let mut x = 20 * scale;
        for (colour, text) in entries {
            let ends = [(x, 14 * scale), (x + 11 * scale, 25 * scale)];
            self.area
                .draw(&Rectangle::new(ends, colour.filled()))
                .map_err(failed)?;
            let at = (x + 16 * scale, 20 * scale);
            self.area.draw_text(text, &style, at).map_err(failed)?;
            let (wide, _) = self.area.estimate_text_size(text, &style).map_err(failed)?;
            x += wide as i32 + 40 * scale;
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
        assert_eq!(percent(&0.8195), "81.95 %");
        assert_eq!(percent(&0.5), "50 %");
        assert_eq!(percent(&0.0), "0 %");
        assert_eq!(percent(&-0.001), "-0.1 %");
    }
}
