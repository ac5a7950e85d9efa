//! An upper bound on winnability without search: the share of deals that are refuted as dealt.
//!
//! [`run`] takes deals with consecutive seeds and counts those that lemmas `relaxation`,
//! `twin-order`, `cover-landmarks` and `king-capacity` (`docs/proofs.md`) prove unwinnable. The
//! share of such deals is estimated with an interval; whatever is not refuted may be winnable, so
//! one minus the lower end of the interval bounds the share of winnable deals. The argument, and
//! why a refutation carries over to stricter rules, stands in `docs/blocking.md`.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use serde::{Deserialize, Serialize};

use super::checkpoint::{self, CheckpointError};
use super::mean::ratio;
use super::task::{self, TaskError};
use klondike_batch::interval::Interval;
use klondike_batch::parallel::Workers;
use klondike_contract::BoundAnswer;
use klondike_contract::runs::Refuted;
use klondike_game::deal::Deal;
use klondike_game::deal::seed::{DealId, DealRange};
use klondike_game::rules::{Parameters, Redeals, Rules, Runs};
use klondike_game::table::Table;
use klondike_lemmas::kplus::Game;
use klondike_lemmas::prune::Lemmas;
use klondike_lemmas::prune::blocking::{self, Refutation};

/// Rules that the dead-end analysis covers and under which everything is legal that is legal under
/// the rules asked for, so that what is lost under them is lost under those.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Covering {
    rules: Arc<Rules>,
    loosened: Vec<&'static str>,
}

impl Covering {
    /// The closest such rules: redeals become unlimited and runs partial.
    ///
    /// # Errors
    /// If the layout is too large.
    pub fn new(rules: &Rules) -> Result<Covering, TaskError> {
        let Parameters {
            deck,
            layout,
            redeals,
            runs,
            draw_count,
            reversed_groups,
            // `Rules::relaxed` leaves these as they are.
            worrying_back: _,
            spaces: _,
        } = rules.parameters();
        let mut loosened = Vec::new();
        if redeals != Redeals::Unlimited {
            loosened.push("redeals unlimited");
        }
        if reversed_groups || redeals == Redeals::LastPassByOnes && draw_count > 1 {
            loosened.push("draw 1");
        }
        if runs != Runs::Partial {
            loosened.push("runs partial");
        }
        let covering = Covering {
            rules: Arc::new(rules.relaxed()),
            loosened,
        };
        // Whether the size is within bounds depends on the layout alone: any deal tells.
        let order: Vec<_> = deck.cards().collect();
        let deal = Deal::from_row_order(deck, layout, &order)
            .expect("all cards of the deck, and a layout that fits it");
        covering.refute(&deal)?;
        Ok(covering)
    }

    /// The rules that are analysed.
    #[must_use]
    pub fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }

    /// What is different in them, such as `redeals unlimited`; empty if nothing is.
    #[must_use]
    pub fn loosened(&self) -> &[&'static str] {
        &self.loosened
    }

    /// The simplest means by which `deal` is proven unwinnable, if it is.
    ///
    /// # Errors
    /// If the deal is not one of these rules.
    pub fn refute(&self, deal: &Deal) -> Result<Option<Means>, TaskError> {
        let table = Table::new(Arc::clone(&self.rules), deal).map_err(TaskError::Deal)?;
        let game = Game::deciding(&table).map_err(TaskError::Unsupported)?;
        let start = game.start();
        let refutation = blocking::refute(&game, &start, Lemmas::ALL);
        Ok(refutation.map(|refutation| match refutation {
            Refutation::Plain(_) => Means::Plain,
            Refutation::Twins => Means::Twins,
            Refutation::Everything => Means::Everything,
        }))
    }
}

/// What it takes to refute a deal. Each includes those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Means {
    /// The plain relaxation (lemma `relaxation`).
    Plain,
    /// The relaxation with the order of twins (lemma `twin-order`).
    Twins,
    /// All of it: with every pair of twins, covers and the room for kings (lemmas `cover-landmarks`
    /// and `king-capacity`).
    Everything,
}

/// How many deals were refuted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    /// Deals looked at.
    pub deals: u64,
    /// Those refuted by the plain relaxation.
    pub plain: u64,
    /// Those refuted by it with the order of twins; includes `plain`.
    pub twins: u64,
    /// Those refuted by everything; includes `twins`.
    pub everything: u64,
}

impl Counts {
    fn add(mut self, means: Option<Means>) -> Counts {
        self.deals += 1;
        self.plain += u64::from(means == Some(Means::Plain));
        self.twins += u64::from(means.is_some_and(|means| means <= Means::Twins));
        self.everything += u64::from(means.is_some());
        self
    }

    fn are_possible(self) -> bool {
        self.plain <= self.twins && self.twins <= self.everything && self.everything <= self.deals
    }

    /// A share of all deals that is not exceeded by that of the winnable ones: 1 less the lower
    /// end of the two-sided interval of Clopper and Pearson for `everything`. For independent
    /// random deals it is wrong with a probability of at most `(1 - confidence) / 2`.
    #[must_use]
    pub fn winnable_at_most(self, confidence: f64) -> f64 {
        1.0 - Interval::clopper_pearson(self.everything, self.deals, confidence).low
    }
}

/// Which deals a run looks at, under which rules.
#[derive(Clone, Debug)]
pub struct Task {
    deals: task::Task,
    covering: Covering,
}

impl Task {
    /// The task to look at `deals` under `rules`.
    ///
    /// # Errors
    /// If the rules are not covered (see [`Covering`]), if the scheme deals other decks or layouts,
    /// or if its deals with consecutive seeds are no sample.
    pub fn new(rules: &Arc<Rules>, deals: DealRange) -> Result<Task, TaskError> {
        Ok(Task {
            deals: task::Task::new(rules, deals)?,
            covering: Covering::new(rules)?,
        })
    }

    /// The deals and the rules asked for.
    #[must_use]
    pub fn deals(&self) -> &task::Task {
        &self.deals
    }

    /// The rules that are analysed in place of those asked for.
    #[must_use]
    pub fn covering(&self) -> &Covering {
        &self.covering
    }

    /// Nothing done yet.
    #[must_use]
    pub fn start(&self) -> Progress {
        Progress {
            kind: KIND.to_owned(),
            version: 2,
            program: env!("CARGO_PKG_VERSION").to_owned(),
            rules: json(self.deals.rules()),
            analysed: json(self.covering.rules()),
            scheme: self.deals.range().scheme().to_string(),
            first: self.deals.seed(0).to_string(),
            counts: Counts::default(),
            seconds: 0.0,
        }
    }

    /// Whether this task can go on from `progress`. The number of deals may be another one, as
    /// long as it is not smaller than what is done already.
    ///
    /// # Errors
    /// The first parameter that differs.
    pub fn accept(&self, progress: &Progress) -> Result<(), CheckpointError> {
        let start = self.start();
        let text = |value: &serde_json::Value| value.to_string();
        let version = |progress: &Progress| progress.version.to_string();
        checkpoint::expect_same([
            ("kind", progress.kind.clone(), start.kind.clone()),
            ("version", version(progress), version(&start)),
            ("program version", progress.program.clone(), start.program),
            ("set of rules", text(&progress.rules), text(&start.rules)),
            (
                "set of rules analysed",
                text(&progress.analysed),
                text(&start.analysed),
            ),
            ("scheme", progress.scheme.clone(), start.scheme),
            ("first seed", progress.first.clone(), start.first),
        ])?;
        let most = self.deals.count();
        if progress.counts.deals > most || !progress.counts.are_possible() {
            return Err(CheckpointError::Other {
                what: "number of deals done",
                saved: progress.counts.deals.to_string(),
                asked: format!("at most {most}"),
            });
        }
        Ok(())
    }
}

const KIND: &str = "bound-checkpoint";

fn json(rules: &Rules) -> serde_json::Value {
    serde_json::to_value(rules).unwrap_or_default()
}

/// What a run has done: the deals from the first one on. Serialised, it is a checkpoint.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Progress {
    kind: String,
    version: u32,
    program: String,
    rules: serde_json::Value,
    /// The rules of the analysis, which allow at least as much. Since version 2.
    #[serde(default)]
    analysed: serde_json::Value,
    scheme: String,
    first: String,
    #[serde(flatten)]
    counts: Counts,
    seconds: f64,
}

impl Progress {
    /// What was found so far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// Mean time that a thread took for a deal, in seconds, shuffling included; `None` without
    /// deals.
    #[must_use]
    pub fn seconds_per_deal(&self) -> Option<f64> {
        (self.counts.deals > 0).then(|| self.seconds / self.counts.deals as f64)
    }
}

/// What the deals so far say.
#[must_use]
pub fn answer(task: &Task, progress: &Progress, confidence: f64) -> BoundAnswer {
    let (counts, range) = (progress.counts(), task.deals().range());
    let refuted = |refuted| Refuted {
        refuted,
        share: ratio(refuted, counts.deals),
        wilson: Interval::wilson(refuted, counts.deals, confidence),
        clopper_pearson: Interval::clopper_pearson(refuted, counts.deals, confidence),
    };
    BoundAnswer {
        analysed: (**task.covering().rules()).clone(),
        loosened: task.covering().loosened().to_vec(),
        scheme: range.scheme().name(),
        first: range.ends().0.to_string(),
        deals: counts.deals,
        complete: counts.deals == task.deals().count(),
        confidence,
        plain: refuted(counts.plain),
        twins: refuted(counts.twins),
        everything: refuted(counts.everything),
        winnable_at_most: counts.winnable_at_most(confidence),
        seconds_per_deal: progress.seconds_per_deal(),
    }
}

/// Most deals that a thread takes at once; they take milliseconds.
const BLOCK: usize = 256;

/// Goes on from `progress` to the end of the task, or until `stop` is set. Calls `watch` after each
/// block of deals; whatever it returns as an error ends the run.
///
/// The counts do not depend on the number of threads nor on where a run was interrupted.
///
/// # Errors
/// Those of `watch`, and if a deal cannot be dealt.
pub fn run<E: From<TaskError>>(
    task: &Task,
    progress: &mut Progress,
    threads: usize,
    stop: &AtomicBool,
    mut watch: impl FnMut(&Progress) -> Result<(), E>,
) -> Result<(), E> {
    let mut deals = task.deals.range().clone();
    deals.skip_deals(progress.counts.deals);
    let refute = |id: DealId| {
        let begun = Instant::now();
        let rules = task.covering.rules();
        let deal = id
            .deal(rules.deck(), rules.layout())
            .map_err(TaskError::Seed)?;
        let means = task.covering.refute(&deal)?;
        Ok((means, begun.elapsed().as_secs_f64()))
    };
    let workers = Workers {
        threads,
        block: BLOCK,
        stop,
    };
    workers.run(
        deals,
        || (),
        |(), id| refute(id),
        |block: Vec<Result<(Option<Means>, f64), TaskError>>| {
            for refuted in block {
                let (means, seconds) = refuted?;
                progress.counts = progress.counts.add(means);
                progress.seconds += seconds;
            }
            watch(progress)
        },
    )
}
