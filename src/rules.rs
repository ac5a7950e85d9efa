//! The rules of a game: every parameter of the family of Klondike games that this crate decides,
//! and the named rule sets of the literature.
//!
//! A [`Rules`] value has always been checked: it can only be made by [`Rules::builder`] and the
//! named constructors, and describes a game that can be dealt.

use std::fmt;
use std::str::FromStr;

use serde::Serialize;

use crate::card::{Card, CardSet, Rank, Suit};

/// Most piles a layout may have.
pub const MAX_PILES: usize = 13;

/// The deck in use: the first suits in the order of [`Suit::ALL`] and the lowest ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Deck {
    suits: u8,
    ranks: u8,
}

impl Deck {
    /// The 52 cards.
    pub const FULL: Deck = Deck {
        suits: 4,
        ranks: 13,
    };

    /// A deck of `suits` suits (1..=4) with the ranks from the ace to number `ranks` (1..=13).
    ///
    /// # Errors
    /// If a number is out of range.
    pub fn new(suits: u8, ranks: u8) -> Result<Deck, RulesError> {
        if !(1..=4).contains(&suits) {
            return Err(RulesError::Suits(suits));
        }
        if !(1..=13).contains(&ranks) {
            return Err(RulesError::Ranks(ranks));
        }
        Ok(Deck { suits, ranks })
    }

    /// Number of suits, `1..=4`.
    #[must_use]
    pub const fn suit_count(self) -> usize {
        self.suits as usize
    }

    /// Number of ranks, `1..=13`.
    #[must_use]
    pub const fn rank_count(self) -> usize {
        self.ranks as usize
    }

    /// Number of cards, `1..=52`.
    #[must_use]
    pub const fn len(self) -> usize {
        self.suit_count() * self.rank_count()
    }

    /// Never true: a deck has at least one card.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        false
    }

    /// The suits of the deck, in order.
    #[must_use]
    pub fn suits(self) -> &'static [Suit] {
        &Suit::ALL[..self.suit_count()]
    }

    /// The highest rank of the deck: the one that plays the king's part in empty piles.
    #[must_use]
    pub fn top_rank(self) -> Rank {
        Rank::new(self.ranks).expect("a checked number of ranks")
    }

    /// Whether the deck holds `card`.
    #[must_use]
    pub fn contains(self, card: Card) -> bool {
        card.rank().get() <= self.ranks && card.suit().index() < self.suit_count()
    }

    /// All cards of the deck, suit by suit and rank by rank within a suit.
    pub fn cards(self) -> impl Iterator<Item = Card> {
        self.suits().iter().flat_map(move |&suit| {
            (1..=self.ranks)
                .filter_map(Rank::new)
                .map(move |rank| Card::new(rank, suit))
        })
    }

    /// All cards of the deck as a set.
    #[must_use]
    pub fn card_set(self) -> CardSet {
        self.cards().collect()
    }

    /// The cards of the highest rank.
    #[must_use]
    pub fn kings(self) -> CardSet {
        self.suits()
            .iter()
            .map(|&suit| Card::new(self.top_rank(), suit))
            .collect()
    }
}

/// How many cards are dealt to each pile, leftmost first; the last one of a pile lies face up.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Layout(Vec<u8>);

impl Layout {
    /// A layout with these heights. Between 1 and [`MAX_PILES`] piles; a height may be 0.
    ///
    /// # Errors
    /// If the number of piles is out of range or the piles hold more than 52 cards.
    pub fn new(heights: Vec<u8>) -> Result<Layout, RulesError> {
        if heights.is_empty() || heights.len() > MAX_PILES {
            return Err(RulesError::Piles(heights.len()));
        }
        let cards: usize = heights.iter().map(|&h| usize::from(h)).sum();
        if cards > Card::COUNT {
            return Err(RulesError::LayoutTooLarge {
                cards,
                deck: Card::COUNT,
            });
        }
        Ok(Layout(heights))
    }

    /// Piles of 1, 2, …, `piles` cards.
    ///
    /// # Errors
    /// If there are more cards in it than a deck has, or no pile.
    pub fn triangle(piles: u8) -> Result<Layout, RulesError> {
        Layout::new((1..=piles).collect())
    }

    /// `piles` piles of `height` cards each.
    ///
    /// # Errors
    /// If there are more cards in it than a deck has, or no pile.
    pub fn rectangle(piles: u8, height: u8) -> Result<Layout, RulesError> {
        Layout::new(vec![height; usize::from(piles)])
    }

    /// Heights of the piles, leftmost first.
    #[must_use]
    pub fn heights(&self) -> &[u8] {
        &self.0
    }

    /// Number of piles.
    #[must_use]
    pub fn pile_count(&self) -> usize {
        self.0.len()
    }

    /// Number of cards dealt to the piles.
    #[must_use]
    pub fn card_count(&self) -> usize {
        self.0.iter().map(|&h| usize::from(h)).sum()
    }
}

/// `1,2,3` lists the heights, `triangle:7` and `rectangle:6x3` (six piles of three) name a shape.
impl FromStr for Layout {
    type Err = RulesError;

    fn from_str(text: &str) -> Result<Layout, RulesError> {
        let bad = || RulesError::LayoutText(text.chars().take(60).collect());
        let number = |s: &str| s.trim().parse::<u8>().map_err(|_| bad());
        if let Some(piles) = text.strip_prefix("triangle:") {
            Layout::triangle(number(piles)?)
        } else if let Some(shape) = text.strip_prefix("rectangle:") {
            let (piles, height) = shape.split_once('x').ok_or_else(bad)?;
            Layout::rectangle(number(piles)?, number(height)?)
        } else {
            Layout::new(text.split(',').map(number).collect::<Result<_, _>>()?)
        }
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, height) in self.0.iter().enumerate() {
            write!(f, "{}{height}", if i > 0 { "," } else { "" })?;
        }
        Ok(())
    }
}

/// How often the waste may be turned back into the stock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Redeals {
    /// As often as the player likes.
    Unlimited,
    /// At most this many times; 0 means a single pass through the talon.
    Limited(u32),
}

impl FromStr for Redeals {
    type Err = RulesError;

    fn from_str(text: &str) -> Result<Redeals, RulesError> {
        if text == "unlimited" {
            return Ok(Redeals::Unlimited);
        }
        text.parse()
            .map(Redeals::Limited)
            .map_err(|_| RulesError::RedealsText(text.chars().take(60).collect()))
    }
}

impl fmt::Display for Redeals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Redeals::Unlimited => write!(f, "unlimited"),
            Redeals::Limited(n) => write!(f, "{n}"),
        }
    }
}

/// Which face-up cards of a pile may be moved to another pile together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Runs {
    /// Any number of cards from the top of the pile: the standard rule.
    Partial,
    /// Only all face-up cards of the pile at once (Yan et al. 2004, Kortsmit 2014).
    Whole,
    /// All face-up cards, or a part if the card uncovered goes to the foundation in the very next
    /// move (the "double move" of Donkersteeg 2010).
    PartialIfPlayed,
}

impl FromStr for Runs {
    type Err = RulesError;

    fn from_str(text: &str) -> Result<Runs, RulesError> {
        match text {
            "partial" => Ok(Runs::Partial),
            "whole" => Ok(Runs::Whole),
            "partial-if-played" => Ok(Runs::PartialIfPlayed),
            _ => Err(RulesError::RunsText(text.chars().take(60).collect())),
        }
    }
}

impl fmt::Display for Runs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Runs::Partial => "partial",
            Runs::Whole => "whole",
            Runs::PartialIfPlayed => "partial-if-played",
        })
    }
}

/// What an empty pile accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Spaces {
    /// Cards of the highest rank only: the standard rule.
    Kings,
    /// Any card.
    Any,
    /// Nothing (Kortsmit's "no Kings move").
    Nothing,
}

impl FromStr for Spaces {
    type Err = RulesError;

    fn from_str(text: &str) -> Result<Spaces, RulesError> {
        match text {
            "kings" => Ok(Spaces::Kings),
            "any" => Ok(Spaces::Any),
            "nothing" => Ok(Spaces::Nothing),
            _ => Err(RulesError::SpacesText(text.chars().take(60).collect())),
        }
    }
}

impl fmt::Display for Spaces {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Spaces::Kings => "kings",
            Spaces::Any => "any",
            Spaces::Nothing => "nothing",
        })
    }
}

/// A checked set of rules.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Rules {
    deck: Deck,
    layout: Layout,
    draw_count: u8,
    redeals: Redeals,
    worrying_back: bool,
    runs: Runs,
    spaces: Spaces,
}

impl Rules {
    /// Names of the rule sets that [`Rules::named`] knows, with what each stands for.
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

    /// 52 cards, seven piles, draw 3, unlimited redeals, worrying back, partial runs, kings only.
    #[must_use]
    pub fn standard() -> Rules {
        Rules {
            deck: Deck::FULL,
            layout: Layout((1..=7).collect()),
            draw_count: 3,
            redeals: Redeals::Unlimited,
            worrying_back: true,
            runs: Runs::Partial,
            spaces: Spaces::Kings,
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
    pub fn builder() -> RulesBuilder {
        Rules::standard().to_builder()
    }

    /// A builder that starts from these rules.
    pub fn to_builder(&self) -> RulesBuilder {
        RulesBuilder {
            rules: self.clone(),
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
}

/// `52 cards, piles 1,2,3,4,5,6,7, draw 3, …`: all parameters in words.
impl fmt::Display for Rules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} suits x {} ranks, piles {}, draw {}, redeals {}, worrying back {}, runs {}, spaces {}",
            self.deck.suits,
            self.deck.ranks,
            self.layout,
            self.draw_count,
            self.redeals,
            if self.worrying_back { "yes" } else { "no" },
            self.runs,
            self.spaces
        )
    }
}

/// One flat JSON object with a field for every parameter.
impl Serialize for Rules {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        use serde::ser::SerializeStruct;
        let mut object = serializer.serialize_struct("Rules", 8)?;
        object.serialize_field("suits", &self.deck.suits)?;
        object.serialize_field("ranks", &self.deck.ranks)?;
        object.serialize_field("piles", &self.layout.0)?;
        object.serialize_field("draw", &self.draw_count)?;
        match self.redeals {
            Redeals::Unlimited => object.serialize_field("redeals", "unlimited")?,
            Redeals::Limited(n) => object.serialize_field("redeals", &n)?,
        }
        object.serialize_field("worrying_back", &self.worrying_back)?;
        object.serialize_field("runs", &self.runs.to_string())?;
        object.serialize_field("spaces", &self.spaces.to_string())?;
        object.end()
    }
}

/// Collects parameters; [`RulesBuilder::build`] checks them together.
#[derive(Clone, Debug)]
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

    /// Sets the number of cards turned at once.
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

    /// Checks the parameters.
    ///
    /// # Errors
    /// If the draw count is not in `1..=24` or the piles need more cards than the deck has.
    pub fn build(self) -> Result<Rules, RulesError> {
        let rules = self.rules;
        if !(1..=24).contains(&rules.draw_count) {
            return Err(RulesError::DrawCount(rules.draw_count));
        }
        let (cards, deck) = (rules.layout.card_count(), rules.deck.len());
        if cards > deck {
            return Err(RulesError::LayoutTooLarge { cards, deck });
        }
        Ok(rules)
    }
}

/// What is wrong with a set of rules.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum RulesError {
    /// The number of suits is not in `1..=4`.
    Suits(u8),
    /// The number of ranks is not in `1..=13`.
    Ranks(u8),
    /// The number of piles is not in `1..=13`.
    Piles(usize),
    /// The draw count is not in `1..=24`.
    DrawCount(u8),
    /// The piles hold more cards than the deck.
    LayoutTooLarge {
        /// Cards the piles would hold.
        cards: usize,
        /// Cards there are.
        deck: usize,
    },
    /// Not the text of a layout.
    LayoutText(String),
    /// Neither `unlimited` nor a number.
    RedealsText(String),
    /// Not the name of a run rule.
    RunsText(String),
    /// Not the name of a rule for empty piles.
    SpacesText(String),
    /// Not the name of a rule set.
    Name(String),
}

impl fmt::Display for RulesError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RulesError::Suits(n) => write!(f, "{n} suits: a deck has 1 to 4"),
            RulesError::Ranks(n) => write!(f, "{n} ranks: a suit has 1 to 13"),
            RulesError::Piles(n) => write!(f, "{n} piles: a layout has 1 to {MAX_PILES}"),
            RulesError::DrawCount(n) => write!(f, "draw {n}: the draw count is 1 to 24"),
            RulesError::LayoutTooLarge { cards, deck } => {
                write!(
                    f,
                    "the piles need {cards} cards, but the deck has only {deck}"
                )
            }
            RulesError::LayoutText(text) => write!(
                f,
                "`{}` is not a layout: write heights (1,2,3), triangle:7 or rectangle:6x3",
                text.escape_debug()
            ),
            RulesError::RedealsText(text) => write!(
                f,
                "`{}` redeals: write a number or `unlimited`",
                text.escape_debug()
            ),
            RulesError::RunsText(text) => write!(
                f,
                "`{}` runs: write partial, whole or partial-if-played",
                text.escape_debug()
            ),
            RulesError::SpacesText(text) => write!(
                f,
                "`{}` spaces: write kings, any or nothing",
                text.escape_debug()
            ),
            RulesError::Name(text) => {
                write!(f, "there is no rule set `{}`; known:", text.escape_debug())?;
                for (name, _) in Rules::NAMES {
                    write!(f, " {name}")?;
                }
                Ok(())
            }
        }
    }
}

impl std::error::Error for RulesError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_named_rule_set_exists_and_differs_from_the_others() {
        let all: Vec<Rules> = Rules::NAMES
            .iter()
            .map(|(name, _)| Rules::named(name).unwrap())
            .collect();
        for (i, a) in all.iter().enumerate() {
            for b in &all[i + 1..] {
                assert_ne!(a, b);
            }
        }
        let error = Rules::named("las-vegas").unwrap_err().to_string();
        assert!(error.contains("las-vegas") && error.contains("vegas3"));
    }

    #[test]
    fn wrong_parameters_are_refused_with_their_value() {
        for (rules, text) in [
            (Rules::builder().draw_count(0), "draw 0"),
            (Rules::builder().draw_count(25), "draw 25"),
            (
                Rules::builder().deck(Deck::new(2, 5).unwrap()),
                "28 cards, but the deck has only 10",
            ),
        ] {
            let error = rules.build().unwrap_err().to_string();
            assert!(error.contains(text), "{error}");
        }
        assert!(Deck::new(5, 13).is_err() && Deck::new(0, 13).is_err());
        assert!(Deck::new(4, 14).is_err() && Deck::new(4, 0).is_err());
        assert!(Layout::new(vec![]).is_err() && Layout::new(vec![1; 14]).is_err());
    }

    #[test]
    fn layouts_are_read_in_all_three_forms() {
        let layout = |s: &str| s.parse::<Layout>();
        assert_eq!(layout("triangle:7").unwrap().card_count(), 28);
        assert_eq!(layout("rectangle:6x3").unwrap().heights(), [3; 6]);
        assert_eq!(layout("0,2,1").unwrap().to_string(), "0,2,1");
        for bad in [
            "",
            "1,,2",
            "triangle:",
            "rectangle:3",
            "300",
            "rectangle:9x9",
            "a",
        ] {
            assert!(layout(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn small_decks_hold_the_lowest_ranks_of_the_first_suits() {
        let deck = Deck::new(2, 3).unwrap();
        let names: Vec<String> = deck.cards().map(|card| card.to_string()).collect();
        assert_eq!(names, ["AC", "2C", "3C", "AD", "2D", "3D"]);
        assert_eq!(deck.card_set().len(), deck.len());
        assert_eq!(deck.kings().len(), 2);
    }
}
