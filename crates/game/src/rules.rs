//! The rules of a game: every parameter of the family of Klondike games that this program
//! decides, and the named rule sets of the literature.
//!
//! [`Rules`] are always checked: they come from [`Rules::builder`] and the named constructors only,
//! and describe a game that can be dealt.

mod changes;
mod deck;
mod error;
#[cfg(feature = "formats")]
mod json;
mod layout;
mod options;

use std::fmt;
use std::str::FromStr;

pub use deck::Deck;
pub use error::RulesError;
pub use layout::{Layout, MAX_PILES};
pub use options::{Redeals, Runs, Spaces};

/// A checked set of rules.
///
/// [`FromStr`] reads the names of [`Rules::NAMES`], [`Display`](fmt::Display) writes all
/// parameters in words. With the feature `formats` they are read and written as JSON; a parameter
/// that is left out is the standard one.
///
/// ```
/// use klondike::{Redeals, Rules};
///
/// let rules: Rules = "vegas3".parse()?;
/// assert_eq!((rules.draw_count(), rules.redeals()), (3, Redeals::Limited(2)));
/// # Ok::<(), klondike::RulesError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "formats",
    derive(serde::Serialize, serde::Deserialize),
    serde(into = "json::RulesJson", try_from = "json::RulesRead")
)]
pub struct Rules {
    deck: Deck,
    layout: Layout,
    draw_count: u8,
    redeals: Redeals,
    worrying_back: bool,
    runs: Runs,
    spaces: Spaces,
    reversed_groups: bool,
}

/// All parameters of [`Rules`] at once.
///
/// Code in which rules decide something takes these apart without `..`, and names those that it
/// does not look at. So a new parameter stops the build in each place that must think about it.
///
/// ```
/// use klondike_game::rules::{Parameters, Rules};
///
/// let rules = Rules::named("vegas1")?;
/// let Parameters {
///     deck: _, layout: _, draw_count, redeals: _, worrying_back: _, runs: _, spaces: _,
///     reversed_groups: _,
/// } = rules.parameters();
/// assert_eq!(draw_count, 1);
/// # Ok::<(), klondike_game::rules::RulesError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Parameters<'r> {
    /// As [`Rules::deck`].
    pub deck: Deck,
    /// As [`Rules::layout`].
    pub layout: &'r Layout,
    /// As [`Rules::draw_count`], `1..=24`.
    pub draw_count: u8,
    /// As [`Rules::redeals`].
    pub redeals: Redeals,
    /// As [`Rules::worrying_back`].
    pub worrying_back: bool,
    /// As [`Rules::runs`].
    pub runs: Runs,
    /// As [`Rules::spaces`].
    pub spaces: Spaces,
    /// As [`Rules::reversed_groups`].
    pub reversed_groups: bool,
}

impl Rules {
    /// Names of the rule sets that [`Rules::named`] reads, each with a short description.
    pub const NAMES: [(&'static str, &'static str); 7] = [
        (
            "standard",
            "draw 3, unlimited redeals, worrying back, partial runs, kings in spaces",
        ),
        ("draw1", "standard with draw 1"),
        ("yan", "Yan et al. 2004: standard, whole runs only"),
        (
            "kortsmit",
            "Kortsmit 2014: whole runs only, no worrying back",
        ),
        (
            "donkersteeg",
            "Donkersteeg 2010: partial runs only with the double move, no worrying back",
        ),
        ("vegas1", "draw 1, one pass through the talon"),
        ("vegas3", "draw 3, three passes through the talon"),
    ];

    /// 52 cards, seven piles, draw 3, unlimited redeals, worrying back, partial runs, kings only
    /// in empty piles.
    #[must_use]
    pub fn standard() -> Rules {
        Rules {
            deck: Deck::FULL,
            layout: Layout::standard(),
            draw_count: 3,
            redeals: Redeals::Unlimited,
            worrying_back: true,
            runs: Runs::Partial,
            spaces: Spaces::Kings,
            reversed_groups: false,
        }
    }

    /// The standard rules with another draw count.
    ///
    /// # Errors
    /// If `draw_count` is not in `1..=24`.
    pub fn standard_draw(draw_count: u8) -> Result<Rules, RulesError> {
        Rules::builder().draw_count(draw_count).build()
    }

    /// The rule set with one of the [`Rules::NAMES`].
    ///
    /// # Errors
    /// If there is no such name; the error lists those that exist.
    pub fn named(name: &str) -> Result<Rules, RulesError> {
        let mut rules = Rules::standard();
        match name {
            "standard" => {}
            "draw1" => rules.draw_count = 1,
            "yan" => rules.runs = Runs::Whole,
            "kortsmit" => {
                rules.runs = Runs::Whole;
                rules.worrying_back = false;
            }
            "donkersteeg" => {
                rules.runs = Runs::PartialIfPlayed;
                rules.worrying_back = false;
            }
            "vegas1" => {
                rules.draw_count = 1;
                rules.redeals = Redeals::Limited(0);
            }
            "vegas3" => rules.redeals = Redeals::Limited(2),
            _ => return Err(RulesError::Name(name.chars().take(60).collect())),
        }
        Ok(rules)
    }

    /// A builder that starts from the standard rules.
    ///
    /// ```
    /// use klondike::{Rules, Runs};
    ///
    /// let rules = Rules::builder().draw_count(1).runs(Runs::Whole).build()?;
    /// assert_eq!((rules.draw_count(), rules.runs()), (1, Runs::Whole));
    /// let error = Rules::builder().draw_count(0).build().unwrap_err();
    /// assert_eq!(error.to_string(), "draw 0: the draw count is 1 to 24");
    /// # Ok::<(), klondike::RulesError>(())
    /// ```
    pub fn builder() -> RulesBuilder {
        Rules::standard().to_builder()
    }

    /// A builder that starts from these rules.
    pub fn to_builder(&self) -> RulesBuilder {
        RulesBuilder {
            rules: self.clone(),
        }
    }

    /// All parameters, for code that must think about each of them.
    #[must_use]
    pub fn parameters(&self) -> Parameters<'_> {
        let &Rules {
            deck,
            ref layout,
            draw_count,
            redeals,
            worrying_back,
            runs,
            spaces,
            reversed_groups,
        } = self;
        Parameters {
            deck,
            layout,
            draw_count,
            redeals,
            worrying_back,
            runs,
            spaces,
            reversed_groups,
        }
    }

    /// The deck.
    #[must_use]
    pub fn deck(&self) -> Deck {
        self.deck
    }

    /// How the piles are dealt; the rest of the deck is the talon.
    #[must_use]
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Number of cards in the talon at the start.
    #[must_use]
    pub fn talon_len(&self) -> usize {
        self.deck.len() - self.layout.card_count()
    }

    /// Cards turned at once, `1..=24`.
    #[must_use]
    pub fn draw_count(&self) -> usize {
        usize::from(self.draw_count)
    }

    /// How often the waste may be turned back.
    #[must_use]
    pub fn redeals(&self) -> Redeals {
        self.redeals
    }

    /// Whether cards may be moved from the foundation back to the tableau.
    #[must_use]
    pub fn worrying_back(&self) -> bool {
        self.worrying_back
    }

    /// Which face-up cards may be moved together.
    #[must_use]
    pub fn runs(&self) -> Runs {
        self.runs
    }

    /// What an empty pile accepts.
    #[must_use]
    pub fn spaces(&self) -> Spaces {
        self.spaces
    }

    /// Whether each draw reverses its group of cards: the first one drawn lies on top of the waste,
    /// not the last one (Donkersteeg 2010, section 2.1). So the talon changes its order with each
    /// pass. Never so with draw 1, where it would be the same game.
    #[must_use]
    pub fn reversed_groups(&self) -> bool {
        self.reversed_groups
    }
}

/// The standard rules.
impl Default for Rules {
    fn default() -> Rules {
        Rules::standard()
    }
}

/// Reads a name of [`Rules::NAMES`].
impl FromStr for Rules {
    type Err = RulesError;

    fn from_str(name: &str) -> Result<Rules, RulesError> {
        Rules::named(name)
    }
}

/// Writes all parameters in words: `4 suits x 13 ranks, piles 1,2,3,4,5,6,7, draw 3, …`.
impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Rules {
            deck,
            layout,
            draw_count,
            redeals,
            worrying_back,
            runs,
            spaces,
            reversed_groups,
        } = self;
        write!(
            f,
            "{} suits x {} ranks, piles {layout}, draw {draw_count}, redeals {redeals}, \
             worrying back {}, runs {runs}, spaces {spaces}{}",
            deck.suit_count(),
            deck.rank_count(),
            if *worrying_back { "yes" } else { "no" },
            if *reversed_groups {
                ", groups reversed"
            } else {
                ""
            },
        )
    }
}

/// Collects the parameters of [`Rules`]; [`RulesBuilder::build`] checks them together.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[must_use]
pub struct RulesBuilder {
    rules: Rules,
}

impl RulesBuilder {
    /// Sets the deck.
    pub fn deck(mut self, deck: Deck) -> Self {
        self.rules.deck = deck;
        self
    }

    /// Sets the layout of the piles.
    pub fn layout(mut self, layout: Layout) -> Self {
        self.rules.layout = layout;
        self
    }

    /// Sets the number of cards turned at once, `1..=24`.
    pub fn draw_count(mut self, draw_count: u8) -> Self {
        self.rules.draw_count = draw_count;
        self
    }

    /// Sets how often the waste may be turned back.
    pub fn redeals(mut self, redeals: Redeals) -> Self {
        self.rules.redeals = redeals;
        self
    }

    /// Allows or forbids worrying back.
    pub fn worrying_back(mut self, allowed: bool) -> Self {
        self.rules.worrying_back = allowed;
        self
    }

    /// Sets which face-up cards may be moved together.
    pub fn runs(mut self, runs: Runs) -> Self {
        self.rules.runs = runs;
        self
    }

    /// Sets what an empty pile accepts.
    pub fn spaces(mut self, spaces: Spaces) -> Self {
        self.rules.spaces = spaces;
        self
    }

    /// Sets whether each draw reverses its group of cards. With draw 1 that changes nothing, and is
    /// forgotten.
    pub fn reversed_groups(mut self, reversed: bool) -> Self {
        self.rules.reversed_groups = reversed;
        self
    }

    /// Checks the parameters.
    ///
    /// # Errors
    /// If the draw count is not in `1..=24`, the piles need more cards than the deck has, or there
    /// is a last pass by ones with reversed groups.
    pub fn build(self) -> Result<Rules, RulesError> {
        let mut rules = self.rules;
        rules.reversed_groups &= rules.draw_count != 1;
        if rules.reversed_groups && rules.redeals == Redeals::LastPassByOnes {
            return Err(RulesError::ReversedLastPass);
        }
        if !(1..=24).contains(&rules.draw_count) {
            return Err(RulesError::DrawCount(rules.draw_count.into()));
        }
        let (cards, deck) = (rules.layout.card_count(), rules.deck.len());
        if cards > deck {
            return Err(RulesError::LayoutTooLarge { cards, deck });
        }
        Ok(rules)
    }
}
