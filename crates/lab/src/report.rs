//! What one run or several have found, for people: numbers and a [`page`].
//!
//! [`ReportAnswer`] of the contract holds all that is shown.

pub mod page;

use super::contents::Contents;
use super::mean::ratio;
use super::plots::DrawError;
use super::published;
use super::summary::{estimate, summarize, times};
use super::variants::{self, VariantsError};
use klondike_batch::interval::Interval;
use klondike_contract::ReportAnswer;
use klondike_contract::report::{Beside, Pair, Point, Run};
use klondike_contract::runs::{Published, Summary, Variants};

/// Points of a curve of growth.
const POINTS: u32 = 200;

/// A run to report on: its records, or only a summary of them.
#[derive(Clone, Debug)]
pub enum Source {
    /// All that is in a run directory.
    Run(Box<Contents>),
    /// A file like `summary.json`.
    Summary(Box<Summary>),
}

/// The report on runs with names.
///
/// # Errors
/// If there are none, or two runs contradict each other.
pub fn report_on(
    sources: &[(String, Source)],
    confidence: f64,
) -> Result<ReportAnswer, ReportError> {
    if sources.is_empty() {
        return Err(ReportError::Nothing);
    }
    let mut runs: Vec<Run> = Vec::with_capacity(sources.len());
    for (name, source) in sources {
        let like = |run: &&Run| run.name == *name || run.name.starts_with(&format!("{name} ("));
        let name = match runs.iter().filter(like).count() {
            0 => name.clone(),
            before => format!("{name} ({})", before + 1),
        };
        runs.push(run(name, source, confidence));
    }
    let mut pairs = Vec::new();
    for (i, (_, one)) in sources.iter().enumerate() {
        for (j, (_, other)) in sources.iter().enumerate().skip(i + 1) {
            let (Source::Run(a), Source::Run(b)) = (one, other) else {
                continue;
            };
            let Some(found) = variants::compare(a, b)? else {
                continue;
            };
            let swapped = found.free != a.manifest.rules;
            let (free, strict) = if swapped { (j, i) } else { (i, j) };
            let names = (runs[free].name.clone(), runs[strict].name.clone());
            pairs.push(pair(names, found, confidence));
        }
    }
    Ok(ReportAnswer {
        confidence,
        runs,
        pairs,
    })
}

fn pair((free_run, strict_run): (String, String), variants: Variants, confidence: f64) -> Pair {
    let mut only_worrying_back = variants.free.clone();
    only_worrying_back["worrying_back"] = false.into();
    let published = (only_worrying_back == variants.strict)
        .then(|| published::needs_worrying_back(&variants.free));
    Pair {
        free_run,
        strict_run,
        share: variants::share(&variants),
        wilson: variants::interval(&variants, confidence),
        published: published.flatten(),
        variants,
    }
}

fn run(name: String, source: &Source, confidence: f64) -> Run {
    let (summary, sessions, times, growth) = match source {
        Source::Run(contents) => (
            summarize(contents),
            contents.sessions.clone(),
            Some(times(contents)),
            growth(contents, confidence),
        ),
        Source::Summary(summary) => ((**summary).clone(), Vec::new(), None, Vec::new()),
    };
    let estimate = estimate(&summary, confidence);
    let refuted = summary.proofs.blocked + summary.proofs.refuted;
    let of = |whole| ratio(refuted, whole);
    let published = published::winnable(&summary.rules);
    let beside = |published: Published| beside(published, &summary);
    Run {
        name,
        refuted_without_search: of(summary.deals),
        refuted_of_lost: of(summary.verdicts.unwinnable),
        published: published.into_iter().filter_map(beside).collect(),
        times,
        estimate,
        growth,
        sessions,
        summary,
    }
}

/// The published interval is one of 95 %, and so is ours here, whatever the report's confidence.
fn beside(published: Published, summary: &Summary) -> Option<Beside> {
    let estimate = estimate(summary, super::summary::CONFIDENCE);
    let (ours, theirs) = (estimate.share?, published.share);
    let difference = ours - theirs;
    // To either side with what is uncertain on that side.
    let below = (ours - estimate.wilson.low).hypot(published.interval.high - theirs);
    let above = (estimate.wilson.high - ours).hypot(theirs - published.interval.low);
    let interval = Interval {
        low: difference - below,
        high: difference + above,
    };
    Some(Beside {
        published,
        difference,
        difference_interval: interval,
        agrees: interval.contains(0.0),
    })
}

/// The estimate after some of the deals; more often at the beginning, where it changes most.
fn growth(contents: &Contents, confidence: f64) -> Vec<Point> {
    let deals = contents.verdicts();
    let all = deals.len() as f64;
    let mut points: Vec<Point> = Vec::new();
    let (mut winnable, mut undecided, mut due) = (0, 0, 0);
    for (number, (_, verdict)) in deals.iter().enumerate() {
        match verdict {
            Some(true) => winnable += 1,
            Some(false) => {}
            None => undecided += 1,
        }
        let done = number as f64 + 1.0;
        let reached = |due: u32| done >= all.powf(f64::from(due) / f64::from(POINTS)).min(all);
        if !reached(due) {
            continue;
        }
        while due < POINTS && reached(due) {
            due += 1;
        }
        let count = number as u64 + 1;
        points.push(Point {
            deals: count,
            winnable,
            undecided,
            wilson: Interval::both_ways(Interval::wilson, winnable, undecided, count, confidence),
        });
    }
    // Rounding must not cost the last one.
    let count = deals.len() as u64;
    if points.last().is_some_and(|last| last.deals < count) {
        points.push(Point {
            deals: count,
            winnable,
            undecided,
            wilson: Interval::both_ways(Interval::wilson, winnable, undecided, count, confidence),
        });
    }
    points
}

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// There is nothing to report on.
    #[error("there is nothing to report on")]
    Nothing,
    /// Two runs contradict each other.
    #[error(transparent)]
    Variants(#[from] VariantsError),
    /// A picture cannot be drawn.
    #[error(transparent)]
    Plot(#[from] DrawError),
}
