//! What a player knows of the talon.

use std::fmt;
use std::str::FromStr;

use klondike_game::card::Card;
use klondike_game::rules::{Redeals, Rules};
use klondike_game::table::Table;

/// What a player knows of the talon before its cards are turned.
///
/// Face-down cards of the tableau are never known, face-up cards always are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Information {
    /// The order of the whole talon is known from the start: with unlimited redeals a first pass
    /// through the talon costs nothing, and the waste is fanned, so that it shows every card.
    TalonKnown,
    /// Only the top card of the waste is visible. The player remembers every card that was ever on
    /// top, and where in the talon it lies: the order of the talon never changes, or as the draws
    /// say if they reverse their groups, so that a card seen once is known for good.
    WasteTop,
    /// Every card that is turned to the waste is seen, and remembered; the stock is unknown before.
    Turned,
}

impl Information {
    /// All options.
    pub const ALL: [Information; 3] = [
        Information::TalonKnown,
        Information::WasteTop,
        Information::Turned,
    ];

    /// The usual option for the rules: the talon is known if redeals are unlimited, also before a
    /// last pass by ones, and otherwise seen as it is turned.
    #[must_use]
    pub fn usual(rules: &Rules) -> Information {
        match rules.redeals() {
            Redeals::Unlimited | Redeals::LastPassByOnes => Information::TalonKnown,
            Redeals::Limited(_) => Information::Turned,
        }
    }

    /// Whether `is_unknown` holds for a card of the talon that a person would know: any card,
    /// unless redeals are limited and it lies in a stock that was not turned yet.
    pub fn lacks_talon(table: &Table, mut is_unknown: impl FnMut(Card) -> bool) -> bool {
        let turned = Information::usual(table.rules()) == Information::Turned;
        let is_first_pass = turned && table.redeals_used() == 0;
        table.waste().iter().any(|&card| is_unknown(card))
            || !is_first_pass && table.stock().any(is_unknown)
    }

    /// The places of the talon whose cards lie open in a waste of this size.
    pub(crate) fn open(self, waste: usize) -> std::ops::Range<usize> {
        match self {
            Information::WasteTop => waste.saturating_sub(1)..waste,
            Information::TalonKnown | Information::Turned => 0..waste,
        }
    }

    /// The name of the option on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Information::TalonKnown => "talon-known",
            Information::WasteTop => "waste-top",
            Information::Turned => "turned",
        }
    }
}

impl fmt::Display for Information {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Information {
    type Err = UnknownInformation;

    fn from_str(text: &str) -> Result<Information, UnknownInformation> {
        Information::ALL
            .into_iter()
            .find(|option| option.name() == text)
            .ok_or_else(|| UnknownInformation(text.chars().take(60).collect()))
    }
}

/// The text names no [`Information`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "`{}` is no information option; known: {}",
    .0.escape_debug(),
    Information::ALL.map(Information::name).join(" ")
)]
pub struct UnknownInformation(String);
