//! Charts of experiments: curves over a parameter, or a row for each figure, published points
//! beside ours with their intervals.

use std::ffi::OsStr;
use std::path::Path;

use super::DrawError;
use klondike_batch::interval::Interval;

/// A value, with its interval if it has one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Place on the horizontal axis; not used in a chart of rows.
    pub x: f64,
    /// The value.
    pub y: f64,
    /// Its interval.
    pub interval: Option<Interval>,
}

impl Point {
    /// The ends of the interval; the value itself without one.
    #[cfg(feature = "plots")]
    pub(super) fn ends(&self) -> (f64, f64) {
        self.interval
            .map_or((self.y, self.y), |interval| (interval.low, interval.high))
    }
}

/// Points that belong together.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve {
    /// What they are about.
    pub name: String,
    /// The published ones.
    pub published: Vec<Point>,
    /// Ours.
    pub ours: Vec<Point>,
}

/// A chart.
#[derive(Clone, Debug, PartialEq)]
pub enum Chart {
    /// Curves over a parameter.
    Curves {
        /// What the horizontal and the vertical axis show.
        axes: (String, String),
        /// The curves.
        curves: Vec<Curve>,
    },
    /// One row for each figure, from the top; of each curve the first points count.
    Rows {
        /// What the horizontal axis shows.
        axis: String,
        /// The rows.
        rows: Vec<Curve>,
    },
}

impl Chart {
    /// All points.
    #[cfg(feature = "plots")]
    pub(super) fn all(&self) -> impl Iterator<Item = &Point> {
        let (Chart::Curves { curves, .. } | Chart::Rows { rows: curves, .. }) = self;
        let points = curves.iter();
        points.flat_map(|curve| curve.published.iter().chain(&curve.ours))
    }

    /// The chart as SVG, without fonts or other things from elsewhere.
    ///
    /// # Errors
    /// If it cannot be drawn.
    pub fn svg(&self) -> Result<String, DrawError> {
        super::svg(self, false)
    }

    /// Whether a picture could be written there, as far as that shows without making a file: to
    /// know before hours of playing.
    ///
    /// # Errors
    /// If there is no such directory, or something else than a file of this name.
    pub fn could_write(path: &Path) -> Result<(), DrawError> {
        super::built()?;
        let not = |why: &str| Err(DrawError(format!("{}: {why}", path.display())));
        let folder = path.parent().unwrap_or(path);
        if !folder.as_os_str().is_empty() && !folder.is_dir() {
            return not("there is no such directory; make it first");
        }
        if path.is_dir() {
            return not("that is a directory; give the name of a file in it");
        }
        let end = path
            .extension()
            .and_then(|end| end.to_str())
            .unwrap_or_default();
        if !matches!(end.to_lowercase().as_str(), "" | "svg" | "png") && path != Path::new("-") {
            return not("pictures are SVG or PNG; end the name in .svg or .png");
        }
        if path == Path::new("-") {
            return not("give the name of a file; rows are printed, pictures are not");
        }
        Ok(())
    }

    /// Writes the chart: as PNG if the name ends in `.png`, as SVG otherwise.
    ///
    /// # Errors
    /// If it cannot be drawn or written.
    pub fn write(&self, path: &Path) -> Result<(), DrawError> {
        let is_png = |extension: &OsStr| extension.eq_ignore_ascii_case("png");
        if path.extension().is_some_and(is_png) {
            return super::png(self, path);
        }
        std::fs::write(path, self.svg()?)
            .map_err(|error| DrawError(format!("{}: {error}", path.display())))
    }
}
