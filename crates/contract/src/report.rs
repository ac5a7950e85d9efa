//! What one run or several found, with published figures beside it.

use klondike_batch::interval::Interval;
use serde::Serialize;

use crate::runs::{Estimate, Published, Session, Summary, Times, Variants};

/// Everything that is reported.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ReportAnswer {
    /// Confidence of the intervals.
    pub confidence: f64,
    /// The runs, in the order given.
    pub runs: Vec<Run>,
    /// Runs on the same deals.
    pub pairs: Vec<Pair>,
}

/// What is reported of one run.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Run {
    /// Its name, unique in the report.
    pub name: String,
    /// When and how it was made; empty if that is not known, as of a summary alone.
    pub sessions: Vec<Session>,
    /// Counts.
    pub summary: Summary,
    /// Times; not known of a summary alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times: Option<Times>,
    /// The estimate.
    pub estimate: Estimate,
    /// Growth of the estimate with the deals; not known of a summary alone.
    pub growth: Vec<Point>,
    /// Share of all deals that are lost, and refuted without search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refuted_without_search: Option<f64>,
    /// The same as a share of the unwinnable deals.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refuted_of_lost: Option<f64>,
    /// Published figures for the same rules.
    pub published: Vec<Beside>,
}

impl Run {
    /// Whether anything was checked by certificates, or was to be.
    #[must_use]
    pub fn audited(&self) -> u64 {
        let audits = self.summary.audits;
        audits.held + audits.impossible + audits.over_limit + audits.refused
    }
}

/// What the first deals of a run have shown, in the order of their seeds.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Point {
    /// Number of deals.
    pub deals: u64,
    /// Winnable ones.
    pub winnable: u64,
    /// Undecided ones, those set aside among them.
    pub undecided: u64,
    /// Wilson's interval, with the undecided both ways.
    pub wilson: Interval,
}

/// A published figure beside ours.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Beside {
    /// The figure.
    #[serde(flatten)]
    pub published: Published,
    /// Our share less the published one.
    pub difference: f64,
    /// Interval of the difference: the half widths of both, added as those of independent samples.
    pub difference_interval: Interval,
    /// Whether no difference is in the interval.
    pub agrees: bool,
}

/// Two runs on the same deals under different rules.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Pair {
    /// Name of the run whose rules allow more.
    pub free_run: String,
    /// Name of the run with the stricter rules.
    pub strict_run: String,
    /// The counts.
    #[serde(flatten)]
    pub variants: Variants,
    /// Of the deals that can be won under the rules that allow more, the share lost otherwise.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
    /// Its interval, with the undecided both ways.
    pub wilson: Interval,
    /// The published share, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published: Option<Published>,
}
