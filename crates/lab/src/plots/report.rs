//! The pictures of a report: what each one shows.

use std::path::Path;

use super::DrawError;
use klondike_contract::ReportAnswer;
use klondike_contract::report::{Beside, Run};

/// A picture.
#[derive(Clone, Copy, Debug)]
pub enum Plot<'a> {
    /// Estimate against number of deals.
    Growth(&'a Run),
    /// Distribution of states by verdict.
    States(&'a Run),
    /// Distribution of times by verdict.
    Times(&'a Run),
    /// Distribution of solution lengths.
    Lengths(&'a Run),
    /// How the deals of each run were decided.
    Decided(&'a ReportAnswer),
    /// The estimates of all runs, with published ones.
    Shares(&'a ReportAnswer),
    /// Our estimates less published ones.
    Differences(&'a ReportAnswer),
}

impl<'a> Plot<'a> {
    /// The pictures of one run: those that there are data for.
    #[must_use]
    pub fn of_run(run: &'a Run) -> Vec<Plot<'a>> {
        let all = [
            Plot::Growth(run),
            Plot::States(run),
            Plot::Times(run),
            Plot::Lengths(run),
        ];
        all.into_iter().filter(|plot| plot.has_data()).collect()
    }

    /// The pictures of all runs together.
    #[must_use]
    pub fn of_all(report: &'a ReportAnswer) -> Vec<Plot<'a>> {
        let all = [
            Plot::Shares(report),
            Plot::Differences(report),
            Plot::Decided(report),
        ];
        all.into_iter().filter(|plot| plot.has_data()).collect()
    }

    /// All pictures of a report with names that tell them apart: those of its first run are
    /// `1-growth` and so on.
    #[must_use]
    pub fn named(report: &'a ReportAnswer) -> Vec<(String, Plot<'a>)> {
        let of_all = Plot::of_all(report).into_iter();
        let mut named: Vec<_> = of_all.map(|plot| (plot.name().to_owned(), plot)).collect();
        for (number, run) in report.runs.iter().enumerate() {
            let of_run = Plot::of_run(run).into_iter();
            named.extend(of_run.map(|plot| (format!("{}-{}", number + 1, plot.name()), plot)));
        }
        named
    }

    fn has_data(self) -> bool {
        match self {
            Plot::Growth(run) => run.growth.len() > 1,
            Plot::States(run) => run.summary.deals > 0,
            Plot::Times(run) => run.times.is_some() && run.summary.deals > 0,
            Plot::Lengths(run) => !run.summary.solution_moves.is_empty(),
            Plot::Decided(_) | Plot::Shares(_) => true,
            Plot::Differences(report) => differences(report).next().is_some(),
        }
    }

    /// A word for it, also for file names.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Plot::Growth(_) => "growth",
            Plot::States(_) => "states",
            Plot::Times(_) => "times",
            Plot::Lengths(_) => "lengths",
            Plot::Decided(_) => "decided",
            Plot::Shares(_) => "shares",
            Plot::Differences(_) => "differences",
        }
    }

    /// What it shows, in words.
    #[must_use]
    pub fn caption(self) -> &'static str {
        match self {
            Plot::Growth(_) => "Share of winnable deals after the first deals of the run",
            Plot::States(_) => "States searched for a deal",
            Plot::Times(_) => "Processor time of a deal",
            Plot::Lengths(_) => "Moves of the solutions found, draws and redeals included",
            Plot::Decided(_) => "How the deals were decided",
            Plot::Shares(_) => "Share of winnable deals",
            Plot::Differences(_) => "Share of winnable deals, ours less published",
        }
    }

    /// The picture as SVG, without fonts or other things from elsewhere.
    ///
    /// # Errors
    /// If it cannot be drawn.
    pub fn svg(self) -> Result<String, DrawError> {
        self.svg_for(false)
    }

    /// As [`Plot::svg`], for a telephone: as wide as that, with text that can be read there.
    ///
    /// # Errors
    /// If it cannot be drawn.
    pub fn narrow_svg(self) -> Result<String, DrawError> {
        self.svg_for(true)
    }

    fn svg_for(self, narrow: bool) -> Result<String, DrawError> {
        // For those who cannot see it.
        let open = format!("<svg role=\"img\" aria-label=\"{}\" ", self.caption());
        Ok(super::svg(&self, narrow)?.replacen("<svg ", &open, 1))
    }

    /// Writes the picture as PNG.
    ///
    /// # Errors
    /// If it cannot be drawn or written.
    pub fn png(self, path: &Path) -> Result<(), DrawError> {
        super::png(&self, path)
    }
}

/// Runs with each of the published figures for their rules.
pub(super) fn differences(report: &ReportAnswer) -> impl Iterator<Item = (&Run, &Beside)> {
    let runs = report.runs.iter();
    runs.flat_map(|run| run.published.iter().map(move |beside| (run, beside)))
}
