//! Options that say which deals a command takes, and how games are played on them.

use crate::CliError;
use crate::numbers::grouped;
use crate::values::{self, read_confidence, whole};
use klondike_game::deal::seed::{DealRange, Scheme, Seed, SeedError};
use klondike_game::rules::Rules;
use klondike_play::Information;

/// Where a range of deals begins. All commands have the same default.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct FirstDeal {
    /// Seed scheme of the deals (`klondike deal --list-schemes`)
    #[arg(long, value_name = "NAME", default_value = "klondike")]
    pub(super) scheme: Scheme,

    /// Seed of the first deal; the others follow
    #[arg(
        long,
        value_name = "K",
        default_value = "1",
        allow_hyphen_values = true
    )]
    pub(super) from: Seed,
}

impl FirstDeal {
    /// `count` deals from number `skip` (from 0) on.
    pub(super) fn range(&self, skip: u64, count: u64) -> Result<DealRange, CliError> {
        if !self.scheme.gives_samples() {
            return Err(CliError::usage(SeedError::NoSample(self.scheme)));
        }
        let first = self.from.plus(skip);
        DealRange::from_first(self.scheme, &first, count).map_err(CliError::usage)
    }

    /// Refuses deals that are no sample, and rules that they do not fit, before anything is printed
    /// or written.
    pub(super) fn check(&self, rules: &Rules) -> Result<(), CliError> {
        self.range(0, 1)?;
        let first = self
            .scheme
            .deal_for(&self.from, rules.deck(), rules.layout());
        first.map(|_| ()).map_err(CliError::usage)
    }
}

/// A range of deals.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct RangeArgs {
    /// Number of deals
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..))]
    pub(super) deals: u64,

    #[command(flatten)]
    pub(super) first: FirstDeal,
}

impl RangeArgs {
    /// All deals.
    pub(super) fn all(&self) -> Result<DealRange, CliError> {
        self.first.range(0, self.deals)
    }
}

/// The number of threads of a command whose results do not depend on it.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(super) struct ThreadArgs {
    /// Threads [default: the number of processors]. The results do not depend on them
    #[arg(long, value_name = "T", value_parser = whole::<u16>(1..=1024))]
    threads: Option<u16>,
}

impl ThreadArgs {
    /// The number of threads.
    pub(super) fn count(self) -> usize {
        values::threads(self.threads)
    }
}

/// Deals that players play, and how.
#[derive(Clone, Debug, clap::Args)]
pub(super) struct GamesArgs {
    /// Number of deals, the same ones for all players and settings
    #[arg(
        long,
        value_name = "N",
        default_value_t = 1000,
        value_parser = whole::<u64>(1..),
    )]
    pub(super) games: u64,

    #[command(flatten)]
    pub(super) first: FirstDeal,

    /// What is known of the talon: `talon-known`, `waste-top` or `turned` [default: talon-known
    /// with unlimited redeals or a last pass by ones, turned otherwise]
    #[arg(long, value_name = "NAME")]
    information: Option<Information>,

    /// Seed of the players' random numbers
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole::<u64>(..))]
    pub(super) player_seed: u64,

    #[command(flatten)]
    threads: ThreadArgs,

    /// Confidence of the intervals
    #[arg(long, value_name = "LEVEL", default_value = "0.95", value_parser = read_confidence)]
    pub(super) confidence: f64,
}

impl GamesArgs {
    /// The deals.
    pub(super) fn deals(&self) -> Result<DealRange, CliError> {
        self.first.range(0, self.games)
    }

    /// What is known of the talon.
    pub(super) fn information(&self, rules: &Rules) -> Information {
        self.information
            .unwrap_or_else(|| Information::usual(rules))
    }

    /// What is played, in words.
    pub(super) fn about(&self, information: Information) -> String {
        format!(
            "{} deals, {} from seed {}; {}; seed of the players {}\n",
            grouped(self.games),
            self.first.scheme,
            self.first.from,
            information.name(),
            self.player_seed
        )
    }

    /// The number of games at the same time.
    pub(super) fn threads(&self) -> usize {
        self.threads.count()
    }
}
