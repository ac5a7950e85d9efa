//! Pictures, drawn by `plotters` as SVG or PNG, if the program is built with the feature `plots`.

use std::path::Path;

pub mod chart;
#[cfg(feature = "plots")]
mod draw_chart;
#[cfg(feature = "plots")]
mod draw_report;
pub mod report;
#[cfg(feature = "plots")]
mod style;

/// Why a picture cannot be drawn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot draw the picture: {0}")]
pub struct DrawError(String);

/// Whether this program can draw.
///
/// # Errors
/// If it was built without the feature `plots`.
pub fn built() -> Result<(), DrawError> {
    let missing = "this program was built without pictures: build it with `--features plots`";
    cfg!(feature = "plots")
        .then_some(())
        .ok_or_else(|| DrawError(missing.to_owned()))
}

#[cfg(feature = "plots")]
pub(crate) use drawing::*;
#[cfg(feature = "plots")]
mod drawing {
    use plotters::prelude::*;

    use super::style::{Area, use_font};
    use super::{DrawError, Path};

    const WIDTH: u32 = 860;
    pub(super) const HEIGHT: u32 = 400;

    /// Width of a picture for a telephone: its text has the size that it has on a wide screen.
    const NARROW: u32 = 340;

    /// Height of a row in a picture with one row for each run.
    pub(super) const ROW: u32 = 26;

    /// Pixels of a PNG for one of the picture.
    const PNG_SCALE: u32 = 2;

    /// A picture: the same code draws both forms.
    pub(crate) trait Draw {
        fn height(&self, narrow: bool) -> u32;
        fn draw<B: DrawingBackend>(&self, area: &Area<B>, scale: u32) -> Result<(), DrawError>;
    }

    pub(crate) fn svg(picture: &impl Draw, narrow: bool) -> Result<String, DrawError> {
        use_font()?;
        let mut text = String::new();
        let width = if narrow { NARROW } else { WIDTH };
        let size = (width, picture.height(narrow));
        let area = SVGBackend::with_string(&mut text, size).into_drawing_area();
        picture.draw(&area, 1)?;
        drop(area);
        Ok(text)
    }

    pub(crate) fn png(picture: &impl Draw, path: &Path) -> Result<(), DrawError> {
        use_font()?;
        let size = (WIDTH * PNG_SCALE, picture.height(false) * PNG_SCALE);
        let area = BitMapBackend::new(path, size).into_drawing_area();
        picture.draw(&area, PNG_SCALE)
    }
}

#[cfg(not(feature = "plots"))]
fn svg<T>(_: &T, _: bool) -> Result<String, DrawError> {
    built().map(|()| String::new())
}

#[cfg(not(feature = "plots"))]
fn png<T>(_: &T, _: &Path) -> Result<(), DrawError> {
    built()
}
