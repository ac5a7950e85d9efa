//! The options that set the rules, shared by all commands.

use std::path::Path;
use std::sync::Arc;

use clap::Args;

use crate::CliError;
use crate::values::whole;
use klondike_game::rules::{Deck, Layout, Redeals, Rules, RulesError, Runs, Spaces};

/// The set of rules that the options change if none is named.
const STANDARD: &str = "standard";

#[derive(Debug, Args)]
#[command(next_help_heading = "Rules")]
pub(super) struct RulesArgs {
    /// Named rule set to start from (`klondike rules` lists them)
    #[arg(long, value_name = "NAME", default_value = STANDARD)]
    rules: String,

    /// Cards turned at once, 1 to 24
    #[arg(long, value_name = "N", value_parser = whole::<u8>(1..=24))]
    draw: Option<u8>,

    /// How often the waste may be turned back: a number, `unlimited`, or `last-pass-by-ones`
    /// (unlimited, and once for a last pass in which draws turn one card)
    #[arg(long, value_name = "N")]
    redeals: Option<Redeals>,

    /// Cards may be moved from the foundations back to the tableau
    #[arg(long, conflicts_with = "no_worrying_back")]
    worrying_back: bool,

    /// Cards may not be moved from the foundations
    #[arg(long)]
    no_worrying_back: bool,

    /// Each draw reverses its group of cards: the first one drawn lies on top of the waste
    #[arg(long, conflicts_with = "no_reversed_groups")]
    reversed_groups: bool,

    /// The last card of each draw lies on top of the waste
    #[arg(long)]
    no_reversed_groups: bool,

    /// Runs that may be moved: `partial`, `whole` or `partial-if-played`
    #[arg(long, value_name = "RUNS")]
    runs: Option<Runs>,

    /// What an empty pile takes: `kings`, `any` or `nothing`
    #[arg(long, value_name = "CARDS")]
    spaces: Option<Spaces>,

    /// Heights of the piles: `1,2,3`, `triangle:7` or `rectangle:6x3`
    #[arg(long, value_name = "LAYOUT")]
    piles: Option<Layout>,

    /// Number of suits in the deck, 1 to 4
    #[arg(long, value_name = "N", value_parser = whole::<u8>(1..=4))]
    suits: Option<u8>,

    /// Number of ranks in a suit, 1 to 13
    #[arg(long, value_name = "N", value_parser = whole::<u8>(1..=13))]
    ranks: Option<u8>,
}

/// The options that make these rules.
pub(super) fn options(rules: &Rules) -> Vec<String> {
    let words = rules
        .changes()
        .into_iter()
        .flat_map(|(name, value)| match name {
            "worrying-back" => vec![format!("--no-{name}")],
            "reversed-groups" => vec![format!("--{name}")],
            _ => vec![format!("--{name}"), value],
        });
    words.collect()
}

impl RulesArgs {
    /// Whether any of the options is given.
    pub(super) fn any(&self) -> bool {
        let named = self.rules != STANDARD;
        let back = self.worrying_back || self.no_worrying_back;
        let words = self.redeals.is_some() || self.runs.is_some() || self.spaces.is_some();
        let deck = self.suits.is_some() || self.ranks.is_some();
        let groups = self.reversed_groups || self.no_reversed_groups;
        named || back || groups || words || deck || self.draw.is_some() || self.piles.is_some()
    }

    /// The rules of the saved game in this file. Options may repeat them, and not change them.
    pub(super) fn of_saved(&self, saved: &Arc<Rules>, file: &Path) -> Result<Arc<Rules>, CliError> {
        if self.any() && self.rules()? != *saved {
            return Err(CliError::usage(format!(
                "{}: the game is played with other rules; leave the options for rules out",
                file.display()
            )));
        }
        Ok(Arc::clone(saved))
    }

    /// The option given here that a varied parameter of the game takes the place of, if there is
    /// one.
    pub(super) fn replaced_by(&self, parameter: &str) -> Option<&'static str> {
        match parameter {
            "draw" if self.draw.is_some() => Some("--draw"),
            "talon" if self.piles.is_some() => Some("--piles"),
            _ => None,
        }
    }

    /// The named set with everything changed that was given.
    pub(super) fn rules(&self) -> Result<Arc<Rules>, CliError> {
        let named = Rules::named(&self.rules).map_err(CliError::usage)?;
        let mut builder = named.to_builder();
        if self.suits.is_some() || self.ranks.is_some() {
            let suits = self.suits.unwrap_or(named.deck().suit_count() as u8);
            let ranks = self.ranks.unwrap_or(named.deck().rank_count() as u8);
            builder = builder.deck(Deck::new(suits, ranks).map_err(CliError::usage)?);
        }
        if let Some(layout) = &self.piles {
            builder = builder.layout(layout.clone());
        }
        if let Some(draw) = self.draw {
            builder = builder.draw_count(draw);
        }
        if let Some(redeals) = self.redeals {
            builder = builder.redeals(redeals);
        }
        if self.worrying_back || self.no_worrying_back {
            builder = builder.worrying_back(self.worrying_back);
        }
        if self.reversed_groups || self.no_reversed_groups {
            builder = builder.reversed_groups(self.reversed_groups);
        }
        if let Some(runs) = self.runs {
            builder = builder.runs(runs);
        }
        if let Some(spaces) = self.spaces {
            builder = builder.spaces(spaces);
        }
        builder
            .build()
            .map(Arc::new)
            .map_err(|error| not_rules(&error))
    }
}

/// What is wrong with the rules. Piles that a smaller deck cannot fill are often those of the rule
/// set, which nobody gave.
fn not_rules(error: &RulesError) -> CliError {
    let RulesError::LayoutTooLarge { deck, .. } = error else {
        return CliError::usage(error);
    };
    // Some cards are left for the stock.
    let fits = (1..=7).rev().find(|piles| piles * (piles + 1) / 2 < *deck);
    let piles = fits.unwrap_or(1);
    CliError::usage(format!(
        "{error}; give fewer, such as --piles triangle:{piles}"
    ))
}
