//! Answers about many deals that were decided: runs, their summaries and what compares them. The
//! same types are the content of the files of a run (`run.json`, `summary.json`, `times.json`).

use std::collections::{BTreeMap, BTreeSet};

use klondike_batch::interval::Interval;
use klondike_game::deal::seed::Seed;
use klondike_game::rules::Rules;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The share of winnable deals, from a run that decides many.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EstimateAnswer {
    /// The directory of the run, if it is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dir: Option<String>,
    /// Whether all deals of the run have records.
    pub complete: bool,
    /// Bytes of the directory that belong to no whole block.
    pub damaged_bytes: u64,
    /// The share of winnable deals.
    pub estimate: Estimate,
    /// What the run is about.
    pub run: Manifest,
    /// What it found.
    pub summary: Summary,
}

/// Runs that were joined.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MergeAnswer {
    /// The directory or file that was written.
    pub output: String,
    /// Number of runs or summaries that were joined.
    pub sources: usize,
    /// Deals that were in more than one of them.
    pub overlapping: u64,
    /// Deals between the first and the last that are in none.
    pub missing: Vec<SeedRange>,
    /// The share of winnable deals.
    pub estimate: Estimate,
    /// What all runs together found.
    pub summary: Summary,
}

/// The same deals under two sets of rules.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct CompareAnswer {
    /// Of the deals winnable under the rules that allow more, the share that is lost under the
    /// stricter ones, 0 to 1; none if none is winnable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
    /// Wilson's interval of the share, with undecided deals both ways.
    pub wilson: Interval,
    /// Winnable deals under the rules that allow more.
    pub free: Estimate,
    /// Winnable deals under the stricter rules.
    pub strict: Estimate,
    /// The share under the rules that allow more less the other, deal by deal, with undecided
    /// deals both ways.
    pub difference: Difference,
    /// The published share, where there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub published: Option<Published>,
    /// The counts.
    pub comparison: Variants,
}

/// A share less another, on the same deals.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Difference {
    /// The difference, −1 to 1; none without deals.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub difference: Option<f64>,
    /// The interval of Agresti and Min.
    pub interval: Interval,
}

/// A deal of a run. What does not apply to it is null.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ExportAnswer {
    /// The seed of the deal.
    pub seed: Seed,
    /// `winnable`, `unwinnable` or `undecided`.
    pub verdict: &'static str,
    /// How a loss was proven: `blocked`, `refuted` or `searched`.
    pub proof: Option<&'static str>,
    /// Whether a loss was proven under rules that allow more.
    pub weaker_rules: Option<bool>,
    /// The limit that left the deal undecided.
    pub limit: Option<&'static str>,
    /// Moves of the solution found.
    pub moves: Option<u32>,
    /// States of the search.
    pub states: u64,
    /// States of the search with fewer rules that guides it.
    pub oracle_states: u64,
    /// What became of the certificate, if one was made.
    pub certificate: Option<&'static str>,
    /// Processor time of the searches.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub microseconds: Option<u64>,
}

/// How many deals are refuted without a search.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BoundAnswer {
    /// The rules of the analysis.
    pub analysed: Rules,
    /// What they allow more than the rules asked for.
    pub loosened: Vec<&'static str>,
    /// Seed scheme of the deals.
    pub scheme: &'static str,
    /// Seed of the first deal, in decimal digits.
    pub first: String,
    /// Deals looked at.
    pub deals: u64,
    /// Whether they are all that was asked for.
    pub complete: bool,
    /// Confidence of the intervals, 0 to 1.
    pub confidence: f64,
    /// Deals that the plain relaxation refutes.
    pub plain: Refuted,
    /// Deals that it refutes with the order of twins.
    pub twins: Refuted,
    /// Deals that it refutes with everything.
    pub everything: Refuted,
    /// A bound on the share of winnable deals, 0 to 1.
    pub winnable_at_most: f64,
    /// Seconds per deal and thread.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seconds_per_deal: Option<f64>,
}

/// Deals that were refuted.
#[derive(Clone, Copy, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Refuted {
    /// How many.
    pub refuted: u64,
    /// Their share, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
    /// Wilson's interval of the share.
    pub wilson: Interval,
    /// The interval of Clopper and Pearson.
    pub clopper_pearson: Interval,
}

/// What bounds the search for each deal of a run.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunLimits {
    /// Most states of the first search of a deal. What it does not decide is set aside.
    pub first_states: u64,
    /// Most states of the last search of a deal; `None` for no bound.
    pub max_states: Option<u64>,
    /// Most memory of all searches together, in bytes.
    pub memory_bytes: u64,
    /// Most seconds of each search of a deal; `None` for no bound. With a bound the records
    /// depend on the machine.
    pub seconds: Option<f64>,
    /// Whether threads without a deal help with hard ones. Then states and solutions recorded of
    /// the deals that were set aside vary from run to run.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub share_hard: bool,
}

impl RunLimits {
    /// Whether what is recorded of a deal follows from the deal and these limits.
    #[must_use]
    pub fn are_deterministic(self) -> bool {
        self.seconds.is_none() && !self.share_hard
    }
}

/// What a run is about: the content of `run.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Manifest {
    /// `estimate-run`.
    pub kind: String,
    /// The version of the directory.
    pub format: u32,
    /// Version of the program that may go on with the run.
    pub program: String,
    /// Versions of the programs that made the records, if not only that one.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub programs: BTreeSet<String>,
    /// The rules as JSON.
    pub rules: Value,
    /// The rules in words.
    pub rules_text: String,
    /// Seed scheme of the deals.
    pub scheme: String,
    /// Seed of the first deal, in decimal digits.
    pub first: String,
    /// Number of deals.
    pub deals: u64,
    /// What bounds the search for each deal.
    pub limits: RunLimits,
    /// How often the limits were raised.
    pub level: u32,
    /// Share of the deals whose verdicts are checked by certificates, `0.0..=1.0`.
    pub certify: f64,
}

/// One time that a command worked on a run: an entry of `sessions.json`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Session {
    /// When it began: date and time of day, UTC (RFC 3339).
    pub started: String,
    /// The command, as a shell reads it.
    pub command: String,
    /// Version of the program.
    pub program: String,
    /// Processor, memory and system.
    pub machine: String,
    /// Threads that searched.
    pub threads: usize,
}

/// What a run found.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Summary {
    /// What the file is: its kind.
    pub kind: String,
    /// The version of its shape.
    pub version: u32,
    /// Versions of the program that decided the deals.
    pub programs: BTreeSet<String>,
    /// The rules as JSON.
    pub rules: Value,
    /// The rules in words.
    pub rules_text: String,
    /// Seed scheme of the deals.
    pub scheme: String,
    /// The limits that were in force, each once.
    pub limits: Vec<RunLimits>,
    /// The deals with records, in ascending order.
    pub ranges: Vec<SeedRange>,
    /// Deals with records.
    pub deals: u64,
    /// Deals of the run that have none; those set aside are among them.
    pub missing: u64,
    /// Deals that are set aside to be finished last.
    pub set_aside: u64,
    /// Deals with each verdict.
    pub verdicts: ByVerdict<u64>,
    /// How the losses were proven.
    pub proofs: Proofs,
    /// Which limits left deals undecided.
    pub hits: Hits,
    /// What became of the certificates.
    pub audits: Audits,
    /// States of the main search, all deals together.
    pub states: u64,
    /// States of the draw-1 oracle, all deals together.
    pub oracle_states: u64,
    /// How many deals took how many states, of both searches together.
    pub state_sizes: ByVerdict<Sizes>,
    /// How many solutions have how many moves at the table.
    pub solution_moves: BTreeMap<u32, u64>,
    /// The deals with the most states of both searches.
    pub hardest: Vec<Hard>,
}

impl Summary {
    /// Deals with records and those that are set aside.
    #[must_use]
    pub fn looked_at(&self) -> u64 {
        self.deals + self.set_aside
    }

    /// Deals that count as losses at the lower end of an interval and as wins at the upper one.
    #[must_use]
    pub fn open(&self) -> u64 {
        self.verdicts.undecided + self.set_aside
    }
}

/// Something for each verdict.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ByVerdict<T> {
    /// Of the winnable deals.
    pub winnable: T,
    /// Of the unwinnable deals.
    pub unwinnable: T,
    /// Of the undecided deals.
    pub undecided: T,
}

/// How many numbers have a given size: entry 0 counts zeros, entry b the numbers from 2^(b−1) to
/// 2^b − 1.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Sizes(pub Vec<u64>);

/// Deals with consecutive seeds that have records.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SeedRange {
    /// Seed of the first.
    pub first: Seed,
    /// How many.
    pub deals: u64,
}

/// How the losses were proven.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Proofs {
    /// Blocked from the start.
    pub blocked: u64,
    /// Refuted by the relaxation of the first position.
    pub refuted: u64,
    /// Searched.
    pub searched: u64,
    /// Those of them that were proven under rules that allow more.
    pub weaker_rules: u64,
}

/// Which limits left deals undecided.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Hits {
    /// The limit of states.
    pub states: u64,
    /// The limit of memory.
    pub memory: u64,
    /// The limit of time.
    pub time: u64,
}

/// What became of the certificates.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Audits {
    /// Made, and they prove the verdict.
    pub held: u64,
    /// Not possible for such a loss under these rules.
    pub impossible: u64,
    /// Not made or checked within the limits.
    pub over_limit: u64,
    /// Refused by the checker.
    pub refused: u64,
}

/// A deal that took much.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Hard {
    /// Its seed.
    pub seed: Seed,
    /// `winnable`, `unwinnable` or `undecided`.
    pub verdict: String,
    /// States of both searches, or microseconds.
    pub amount: u64,
}

/// The estimate that follows from a summary.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Estimate {
    /// Confidence of the intervals.
    pub confidence: f64,
    /// Share of winnable deals among the decided ones; none if none is decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub share: Option<f64>,
    /// Wilson's interval, with the undecided both ways.
    pub wilson: Interval,
    /// The interval of Clopper and Pearson, with the undecided both ways.
    pub clopper_pearson: Interval,
}

/// What a run took: it differs from machine to machine and from run to run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Times {
    /// What the file is: its kind.
    pub kind: String,
    /// The version of its shape.
    pub version: u32,
    /// Processor time of the searches that answered, in microseconds.
    pub microseconds: u64,
    /// How many deals took how many microseconds.
    pub sizes: ByVerdict<Sizes>,
    /// The deals that took the most microseconds.
    pub slowest: Vec<Hard>,
}

/// How many deals have which verdicts under two sets of rules, after undecided ones were settled
/// by the other verdict where that is possible.
///
/// A file of it is small, and can be joined with those of other deals.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Variants {
    /// What the file is: its kind.
    pub kind: String,
    /// The version of its shape.
    pub version: u32,
    /// The rules that allow more.
    pub free: Value,
    /// Those in words.
    pub free_text: String,
    /// The stricter rules.
    pub strict: Value,
    /// Those in words.
    pub strict_text: String,
    /// Seed scheme of the deals.
    pub scheme: String,
    /// The deals with records of both.
    pub ranges: Vec<SeedRange>,
    /// Number of deals.
    pub deals: u64,
    /// Winnable under both.
    pub both: u64,
    /// Winnable under the rules that allow more only.
    pub only_free: u64,
    /// Winnable under neither.
    pub neither: u64,
    /// Winnable under the rules that allow more, undecided under the stricter ones.
    pub strict_open: u64,
    /// Unwinnable under the stricter rules, undecided under those that allow more.
    pub free_open: u64,
    /// Undecided under both.
    pub both_open: u64,
    /// Undecided deals that were settled by the verdict under the other rules; they are counted
    /// above as what they are.
    pub settled: u64,
}

/// A published figure, in shares `0.0..=1.0`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Published {
    /// The name of the source in a picture: `Blake & Gent 2026`.
    pub name: String,
    /// Where it stands.
    pub source: String,
    /// The share.
    pub share: f64,
    /// Its interval at 95 %.
    pub interval: Interval,
    /// Number of deals, where the source says it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deals: Option<u64>,
}
